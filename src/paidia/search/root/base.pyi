from paidia.search.strategy import Strategy

class RootStrategy(Strategy):
    def keep(self, step: int, previous: tuple[int, int | None] | None) -> tuple[int, float] | None: ...
