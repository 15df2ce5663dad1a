from paidia.search.frame.search import Search

class RootSearch(Search):
    def value_of(self, i: int) -> float: ...
