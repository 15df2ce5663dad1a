from paidia.core.model import Rules, Situation

class Game(Rules):
    def initial_state(self) -> State: ...
    def from_text(self, text: str) -> State: ...

class State(Situation):
    game: Game
    @property
    def goals(self) -> list[float]: ...
