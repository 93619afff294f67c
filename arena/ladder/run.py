"""A new version plays the versions before it and some built-in bots, and all are rated."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.cluster.workers import HERE, Workers
from arena.ladder.versions import BotVersion, add_version, list_versions
from arena.playing.progress import notify
from arena.reports.leaderboard import show_boards
from arena.reports.output import OutputFormat
from arena.reports.ranked_results import Query
from arena.tournament.plan_command import plan_command
from arena.tournament.session import SessionOptions, make_plan, run_tournament

ANCHORS: Final = ("random", "greedy", "planner")  # by which versions of all times are compared
MAX_OPPONENTS: Final = 6  # earlier versions that a new one meets, the latest


@dataclass(frozen=True)
class LadderSettings:
    """Where a ladder is, and what is played on it."""

    folder: Path
    game: str = "architects"
    players: str = "2"
    rounds: int = 10
    in_process: bool = False
    trust: bool = False
    workers: Workers = HERE

    @property
    def db(self) -> str:
        """The database of the ladder's own matches."""
        return str(self.folder / "ladder.db")


def add_to_ladder(bot: str, settings: LadderSettings) -> int:
    """Copy the bot as it is now, let it play, and print the ladder; the exit code."""
    version, is_new = add_version(settings.folder, bot)
    notify(f"{version.label} is new" if is_new else f"{bot} is {version.label}, as it was")
    code = run_tournament(
        make_plan(_field(version, settings), _given(version, settings)),
        SessionOptions(settings.db, workers=settings.workers, shows_table=False),
        plan_command,
    )
    if code == 0:
        show_ladder(settings.folder, settings.game, OutputFormat.TABLE)
    return code


def show_ladder(folder: Path, game: str | None, format: OutputFormat) -> None:
    """Print the ratings of all versions and of the house's bots they met."""
    settings = LadderSettings(folder)
    show_boards(Query(game=game, unrated=True, db=settings.db), format, explain=False)


def _field(version: BotVersion, settings: LadderSettings) -> list[str]:
    """The version, those that were added before it, and the anchors: the same whenever asked."""
    since = version.path.stat().st_mtime_ns
    before = [
        (each.path.stat().st_mtime_ns, each)
        for each in list_versions(settings.folder)
        if each.path.stat().st_mtime_ns < since
    ]
    latest = [each for _, each in sorted(before, key=lambda pair: pair[0])[-MAX_OPPONENTS:]]
    return [*(_spec(each) for each in (version, *latest)), *ANCHORS]


def _given(version: BotVersion, settings: LadderSettings) -> dict[str, object]:
    return {
        "game": settings.game,
        "players": settings.players,
        "rounds": settings.rounds,
        "newcomer": _spec(version),
        "seed": version.number,
        "name": f"{version.label}-{settings.game}-{settings.players}",
        "in_process": settings.in_process,
        "trust_bots": settings.trust,
    }


def _spec(version: BotVersion) -> str:
    text = str(version.path)
    return text if "/" in text else f"./{text}"
