from paidia.search.backup.base import Backup

class CadiaBackup(Backup):
    def __init__(self, *, discount: float = ..., relative: bool = ..., solver: bool = ...) -> None: ...
