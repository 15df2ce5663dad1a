from paidia.games.gdl.net.net import Net

class Machine:
    net: Net
    def __init__(self, net: Net) -> None: ...
    @property
    def groups_of_moves(self) -> list[tuple[str, list[str], int]]: ...
