from paidia.games.gdl.net import Net

class Requirements:
    def __init__(self, net: Net) -> None: ...
