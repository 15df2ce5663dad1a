from paidia.search.arcade.action_statistics import ActionStatistics
from paidia.search.arcade.knowledge import Knowledge
from paidia.search.arcade.novelty_pruning import NoveltyPruning
from paidia.search.arcade.open_loop import OpenLoop

class ArcadeMcts(OpenLoop):
    novelty: NoveltyPruning | None
    statistics: ActionStatistics | None
    knowledge: Knowledge | None
    deterministic: bool
