"""The rules of a league, as a file that people can read."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final

from arena.playing.game_settings import (
    GameFacts,
    GameSettings,
    check_facts,
    default_counts,
    read_game_settings,
    read_toml,
    write_game_settings,
)
from arena.schedule import ALL, open_pool
from arena.schedule.goal import Goal, parse_budget, parse_goal, write_budget
from bots.chairs.limits import Limits
from engine.catalog import GAMES, find
from engine.errors import ArenaError

# From the best containment to none; a league is played at the one it asks for, or a better.
LEVELS: Final = ("full", "strong", "reduced", "none")
DEFAULT_SETTINGS: Final = GameSettings(limits=Limits(move=1.0, bank=10.0))
DEFAULT_GOAL: Final = Goal()
MOST: Final = 10**6
OFF: Final = "off"
NO_DELAY: Final = "0s"


class LeagueRulesFacts(GameFacts, total=False):
    """The rules as files and options write them."""

    sandbox: str
    same_owner: bool
    placement: int
    rounds: int  # of rules written when newcomers met the whole field
    games: int
    until: str
    extra: int
    per_day: int
    submissions: int
    active: int
    final: int
    promoted: int
    drift: float
    live_delay: str


@dataclass(frozen=True)
class LeagueRules:
    """What is played, under which conditions, and how much of it."""

    settings: GameSettings = DEFAULT_SETTINGS
    sandbox: str = "reduced"
    same_owner: bool = False  # whether bots of one owner may share a table
    placement: int = 30  # matches of a newcomer, before anything else is played
    games: int = 40  # that every bot is brought to
    until: Goal = DEFAULT_GOAL  # what is to be known
    extra: int = 10  # matches where that is open, for every bot that was accepted
    per_day: int | None = None  # matches of the league in 24 hours
    submissions: int = 20  # new bots and versions of an owner in a day
    active: int = 3  # bots of an owner that may play at once
    final: int = 100  # games of every bot in the final of a season
    promoted: int = 3  # bots that change places between two divisions after a season
    drift: float = 0.0  # how far skills may have moved since the stage before, in betas
    live_delay: float | None = None  # seconds after which a match under way is shown; None: never

    def __post_init__(self) -> None:
        if self.settings.game not in (game.id for game in GAMES):
            names = ", ".join(game.id for game in GAMES)
            raise ArenaError(f"expected a game out of {names}, got {self.settings.game}")
        if self.sandbox not in LEVELS:
            raise ArenaError(f"expected a sandbox out of {', '.join(LEVELS)}, got {self.sandbox}")
        for key, least in (
            ("placement", 1),
            ("games", 1),
            ("extra", 0),
            ("per_day", 1),
            ("submissions", 1),
            ("active", 1),
            ("final", 1),
            ("promoted", 0),
        ):
            value = getattr(self, key)
            if value is not None and not least <= value <= MOST:
                raise ArenaError(f"expected {key} from {least} to {MOST}, got {value}")
        if not 0.0 <= self.drift <= 2.0:
            raise ArenaError(f"expected a drift from 0 to 2 betas, got {self.drift}")
        self._check_tables()

    def _check_tables(self) -> None:
        settings = self.settings
        game = find(settings.game)
        for count in self.counts:
            if count not in game.players:
                span = f"{game.players[0]} to {game.players[-1]}"
                raise ArenaError(f"expected {span} players for {game.id}, got {count}")
        pool = open_pool(settings.variant, settings.wonders or (ALL,))
        if len(pool) < self.counts[-1]:
            raise ArenaError(f"expected {self.counts[-1]} wonders or more, got {len(pool)}")
        game.setup(game.players[0], 0, (), settings.variant)

    @property
    def counts(self) -> tuple[int, ...]:
        """Numbers of players, ascending."""
        return self.settings.players or default_counts(find(self.settings.game))


def parse_rules(text: str, where: str = "the rules") -> LeagueRules:
    """Rules out of TOML, each checked."""
    return league_rules_of(read_toml(text, where), where)


def league_rules_of(facts: dict[str, Any], where: str) -> LeagueRules:
    """Rules out of plain values, each checked."""
    checked = check_facts(facts, LeagueRulesFacts, where)
    until = checked.get("until")
    if "rounds" in checked:  # then the placement was counted in rounds, which nobody plays now
        checked.pop("placement", None)
    return LeagueRules(
        read_game_settings(checked, LeagueRules.settings),
        checked.get("sandbox", LeagueRules.sandbox),
        checked.get("same_owner", LeagueRules.same_owner),
        checked.get("placement", LeagueRules.placement),
        checked.get("games", LeagueRules.games),
        LeagueRules.until if until is None else parse_goal(until),
        checked.get("extra", LeagueRules.extra),
        checked.get("per_day", LeagueRules.per_day),
        checked.get("submissions", LeagueRules.submissions),
        checked.get("active", LeagueRules.active),
        checked.get("final", LeagueRules.final),
        checked.get("promoted", LeagueRules.promoted),
        checked.get("drift", LeagueRules.drift),
        parse_live_delay(checked.get("live_delay", OFF)),
    )


def parse_live_delay(text: str) -> float | None:
    """Seconds out of 30s or 2m; None for off."""
    if text == OFF:
        return None
    try:
        return 0.0 if text == NO_DELAY else parse_budget(text)
    except ArenaError:
        raise ArenaError(f"expected a live delay such as 30s or 2m, or off, got {text}") from None


def write_live_delay(seconds: float | None) -> str:
    """The inverse of `parse_live_delay`."""
    return OFF if seconds is None else write_budget(seconds) or NO_DELAY


def write_rules(rules: LeagueRules) -> str:
    """The rules as TOML, those included that were not given."""
    facts = {
        **write_game_settings(rules.settings),
        "sandbox": rules.sandbox,
        "same_owner": rules.same_owner,
        "placement": rules.placement,
        "games": rules.games,
        "until": str(rules.until),
        "extra": rules.extra,
        "per_day": rules.per_day,
        "submissions": rules.submissions,
        "active": rules.active,
        "final": rules.final,
        "promoted": rules.promoted,
        "drift": rules.drift,
        "live_delay": write_live_delay(rules.live_delay),
    }
    return "".join(
        f"{key} = {json.dumps(value, ensure_ascii=False)}\n"
        for key, value in facts.items()
        if value is not None
    )
