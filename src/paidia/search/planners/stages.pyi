from paidia.core.arcade import ArcadeGame

class Stages:
    def __init__(self, game: ArcadeGame) -> None: ...
