from paidia.core.model import Rules

class Stages:
    def __init__(self, game: Rules) -> None: ...
