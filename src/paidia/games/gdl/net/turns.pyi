from paidia.games.gdl.net.net import Net

class Requirements:
    def __init__(self, net: Net) -> None: ...
