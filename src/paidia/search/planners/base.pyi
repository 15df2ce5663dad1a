from paidia.search.search import Search

class RootSearch(Search):
    def value_of(self, i: int) -> float: ...
