from paidia.core.model import Rules, Situation

class Game(Rules):
    def initial_state(self) -> State: ...

class State(Situation):
    game: Game
    @property
    def goals(self) -> list[float]: ...
