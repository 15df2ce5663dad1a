"""The ranking of the GVGAI competition over a set of video games.

In every game agents are placed by wins, then mean score, then ticks (fewer are better); agents that are equal in all three share
their places. The first ten places get 25, 18, 15, 12, 10, 8, 6, 4, 2, 1 points. The sum over the games decides; of two
agents with the same sum the one with more first places is ahead, then the one with more second places, and so on.
"""

from __future__ import annotations

import msgspec

from paidia.report.statistics import formula_1
from paidia.report.summary import Group
from paidia.report.tables import Cell, Number, TextTable

__all__ = ["Standing", "ranking", "ranking_tables"]

NOTE = (
    "Places of a game by wins, then mean score, then fewer ticks; 25, 18, 15, 12, 10, 8, 6, 4, 2, 1 points, shared by agents"
    " that are equal in all three. Of equal sums the one with more first places is ahead."
)


class Standing(msgspec.Struct, frozen=True):
    """One agent.

    Attributes:
        agent: Its name.
        place: Its place, the same for agents that nothing tells apart.
        points: Sum over all games.
        games: Points in each game that it played.
        places: Place in each game that it played.
        runs: Runs in all games.
        wins: Runs that it won.
    """

    agent: str
    place: int
    points: float
    games: dict[str, float]
    places: dict[str, int]
    runs: int
    wins: int

    def order(self, last: int) -> tuple[float, ...]:
        """Smaller is better; `last` is the lowest place that anybody had."""
        places = list(self.places.values())
        return (-self.points, *(-places.count(place) for place in range(1, last + 1)))


def ranking(groups: list[Group]) -> list[Standing]:
    """The agents of all video games in the groups, the best first."""
    names = _names(groups)
    games: dict[str, dict[str, tuple[float, float, float]]] = {}
    runs: dict[str, int] = {}
    wins: dict[str, int] = {}
    for group in groups:
        if group.video and group.n:
            agent = names[group.agent, group.budget]
            games.setdefault(group.game, {})[agent] = (group.total / group.n, group.score.mean, group.mean("moves"))
            runs[agent] = runs.get(agent, 0) + group.n
            wins[agent] = wins.get(agent, 0) + group.wins
    points: dict[str, dict[str, float]] = {agent: {} for agent in runs}
    places: dict[str, dict[str, int]] = {agent: {} for agent in runs}
    for game, results in games.items():
        for agent, won in formula_1(results).items():
            points[agent][game] = won
            places[agent][game] = 1 + sum(_rank(other) < _rank(results[agent]) for other in results.values())
    standings = [
        Standing(agent, 0, sum(points[agent].values()), points[agent], places[agent], runs[agent], wins[agent]) for agent in runs
    ]
    last = max((place for own in places.values() for place in own.values()), default=0)
    standings.sort(key=lambda each: (each.order(last), each.agent))
    orders = [each.order(last) for each in standings]
    return [msgspec.structs.replace(each, place=1 + orders.index(each.order(last))) for each in standings]


def _rank(result: tuple[float, float, float]) -> tuple[float, float, float]:
    wins, score, ticks = result
    return -wins, -score, ticks


def _names(groups: list[Group]) -> dict[tuple[str, str], str]:
    """What to call an agent with its budget: its name, unless it played one game with several budgets."""
    budgets: dict[tuple[str, str], set[str]] = {}
    for group in groups:
        budgets.setdefault((group.agent, group.game), set()).add(group.budget)
    several = {agent for (agent, _), own in budgets.items() if len(own) > 1}
    return {(g.agent, g.budget): f"{g.agent} ({g.budget})" if g.agent in several else g.agent for g in groups}


def ranking_tables(groups: list[Group]) -> list[TextTable]:
    """The ranking, where several agents played video games: the sum, and the points game by game."""
    standings = ranking(groups)
    if len(standings) < 2:
        return []
    rows: list[list[Cell]] = [
        [Number(s.place), s.agent, Number(s.points, ".4g"), Number(list(s.places.values()).count(1)),
         Number(100 * s.wins / s.runs, ".1f"), Number(len(s.games)), Number(s.runs)]
        for s in standings
    ]  # fmt: skip
    columns = [">place", "agent", ">points", ">first places", ">wins %", ">games", ">runs"]
    found = [TextTable("ranking", "Ranking of the video games", columns, rows, note=NOTE)]
    games = list(dict.fromkeys(group.game for group in groups if group.video and group.n))
    if len(games) > 1:
        each: list[list[Cell]] = [
            [game, *(Number(s.games[game], ".3g") if game in s.games else "" for s in standings)] for game in games
        ]
        found.append(
            TextTable("ranking-games", "Competition points in each game", ["game", *(f">{s.agent}" for s in standings)], each)
        )
    return found
