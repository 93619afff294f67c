"""A tournament played in this process, and its leaderboards as objects."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.api.games import LocalPlayer
from arena.api.hooks import HookLike
from arena.api.local_bots import BotLikes, LocalBots
from arena.api.local_runner import open_local_runner
from arena.api.match import Match, Matches
from arena.playing.machine_failures import MachineFailures
from arena.reports.leaderboard import boards
from arena.reports.ranked_results import Query
from arena.reports.table import Report
from arena.schedule import Fixture
from arena.tempdirs import TempFolder
from arena.tournament.contest import open_contest, tournament_lock
from arena.tournament.plan import Plan, plan_of
from arena.tournament.plan_schedule import check_plan
from arena.tournament.run import is_rated, play_contest
from engine.match import MatchResult
from leagues.storage.handle import open_storage

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True)
class TournamentResult:
    """What came of a tournament: a leaderboard for each game, and the matches that were played."""

    name: str
    seed: int
    leaderboards: tuple[Report, ...]
    matches: Matches  # those of this call; an earlier one may have played others

    @property
    def leaderboard(self) -> Report:
        """The leaderboard, of the first game if there are two."""
        return self.leaderboards[0]

    def to_pandas(self) -> DataFrame:
        """A row for each bot, and game; needs pandas."""
        rows = [row for report in self.leaderboards for row in report.rows]
        return Report("", self.leaderboard.columns, rows).to_pandas()

    def _repr_html_(self) -> str:
        return "".join(report.to_html() for report in self.leaderboards)

    def __str__(self) -> str:
        return "\n".join(report.to_text() for report in self.leaderboards)

    def __repr__(self) -> str:
        order = ", ".join(row["bot"] for row in self.leaderboard.rows)
        return f"<TournamentResult {self.name}: {len(self.matches)} matches; {order}>"


def tournament(
    bots: BotLikes,
    game: str = "architects",
    *,
    players: str | int = "",
    rounds: int | None = None,
    seed: int | None = None,
    db: str | Path | None = None,
    name: str = "",
    hooks: Sequence[HookLike] = (),
    strict: bool = False,
    trust: bool = False,
    **settings: Any,
) -> TournamentResult:
    """Play a tournament in this process, one match after the other, and rate the bots.

    `bots`: given as for `play`, or as a dictionary of names and bots.
    `game`: "architects", "seven" or "both".
    `players`: numbers of players, such as 3 or "2-4".
    `rounds`: of every number of players; one whole cycle of the design if not given.
    `db`: a file or URL where results are kept, for the commands of `arena`; else they are dropped.
    `name`: of the tournament in `db`; the same name continues it.
    `settings`: further keys of a tournament file: `design`, `until`, `budget`, `wonders`,
    `edition`, `expansions`, `expert`, `time`.
    `seed`, `hooks`, `strict` and `trust` are those of `play`.
    """
    given = {"game": game, "players": str(players), "rounds": rounds, "seed": seed, "name": name}
    labels_only = plan_of({"bots": ["a", "b"], **given, **settings}, "the arguments")
    with ExitStack() as stack:
        limits = labels_only.settings.limits
        field = stack.enter_context(LocalBots(bots, limits, trust))
        facts = {"bots": list(field.labels), **given, **settings}
        plan = plan_of(facts, "the arguments")
        check_plan(plan, field.field)
        place = str(db) if db else f"{stack.enter_context(TempFolder()).path}/arena.db"
        storage = stack.enter_context(open_storage(place))
        stack.enter_context(tournament_lock(storage, plan, field.field))
        contest = open_contest(storage, plan, field.field, _call)
        played: list[Match] = []

        def keep(_: Fixture, result: MatchResult) -> MatchResult:
            played.append(Match(result))
            return result

        runner = stack.enter_context(open_local_runner(LocalPlayer(field, hooks, strict)))
        rated = is_rated(field.isolation)
        play_contest(contest, runner, storage, rated, MachineFailures(), keep)
        query = Query(tournament=contest.plan.name, unrated=not rated, db=place)
        reports = tuple(boards(storage.reader, query))
    assert contest.plan.seed is not None
    return TournamentResult(contest.plan.name, contest.plan.seed, reports, Matches(played))


def _call(plan: Plan) -> str:
    """What is stored as the command that played it."""
    return f"arena.tournament([{', '.join(plan.bots)}], {plan.settings.game!r}, seed={plan.seed})"
