from paidia.core.arcade import ArcadeGame

class NoveltyPruning:
    def __init__(self, game: ArcadeGame) -> None: ...
