"""The rules of a league, as a file that people can read."""

from __future__ import annotations

import json
import tomllib
from dataclasses import asdict, dataclass, fields
from typing import Any, Final

import msgspec

from arena.schedule import ALL, TrackRules, open_pool
from arena.schedule.adaptive import parse_goal
from arena.tournament.plan import parse_counts
from bots.chairs.limits import Limits, parse_limits
from engine.catalog import GAMES, find
from engine.errors import ArenaError
from engine.match import Variant

# From the best containment to none; a league is played at the one it asks for, or a better.
LEVELS: Final = ("full", "strong", "reduced", "none")
MAX_PLAYERS: Final = 5  # where the numbers of players are not given


@dataclass(frozen=True)
class LeagueRules:
    """What is played, under which conditions, and how much of it."""

    game: str = "architects"
    players: str = ""  # counts such as 2-4,6
    wonders: tuple[str, ...] = ()  # those in play; all if not given
    edition: str | None = None
    expansions: tuple[str, ...] = ()
    expert: bool = False
    time: str = "1s+10s"
    freeze: bool = False
    sandbox: str = "reduced"
    same_owner: bool = False  # whether bots of one owner may share a table
    placement: int = 2  # rounds of a newcomer against the field, at every number of players
    rounds: int = 2  # rounds of all against all
    until: str = "order@95%"  # what is to be known when all have met
    games: int = 300  # of a bot; then it is enough, known or not
    submissions: int = 20  # new bots and versions of an owner in a day
    drift: float = 0.0  # how far skills may have moved since the stage before, in betas

    def __post_init__(self) -> None:
        if self.game not in (game.id for game in GAMES):
            names = ", ".join(game.id for game in GAMES)
            raise ArenaError(f"expected a game out of {names}, got {self.game}")
        if self.sandbox not in LEVELS:
            raise ArenaError(f"expected a sandbox out of {', '.join(LEVELS)}, got {self.sandbox}")
        for key, least, most in (
            ("placement", 1, 100),
            ("rounds", 1, 1000),
            ("games", 1, 10**6),
            ("submissions", 1, 10**6),
        ):
            if not least <= getattr(self, key) <= most:
                raise ArenaError(f"expected {key} from {least} to {most}, got {getattr(self, key)}")
        if not 0.0 <= self.drift <= 2.0:
            raise ArenaError(f"expected a drift from 0 to 2 betas, got {self.drift}")
        parse_limits(self.time)
        parse_goal(self.until)
        self._check_tables()

    def _check_tables(self) -> None:
        game = find(self.game)
        for count in self.counts:
            if count not in game.players:
                span = f"{game.players[0]} to {game.players[-1]}"
                raise ArenaError(f"expected {span} players for {game.id}, got {count}")
        rules = self.schedule_rules
        pool = open_pool(rules.variant, rules.wonders)
        if len(pool) < self.counts[-1]:
            raise ArenaError(f"expected {self.counts[-1]} wonders or more, got {len(pool)}")
        game.setup(game.players[0], 0, (), rules.variant)

    @property
    def counts(self) -> tuple[int, ...]:
        """Numbers of players, ascending."""
        usual = tuple(count for count in find(self.game).players if count <= MAX_PLAYERS)
        return parse_counts(self.players) or usual

    @property
    def limits(self) -> Limits:
        """The time bots have."""
        return parse_limits(self.time, self.freeze)

    @property
    def schedule_rules(self) -> TrackRules:
        """What is played, as schedules have it."""
        variant = Variant(self.game, self.edition, self.expansions, self.expert)
        return TrackRules(variant, self.wonders or (ALL,))


def parse_rules(text: str, where: str = "the rules") -> LeagueRules:
    """Rules out of TOML, each checked."""
    try:
        facts = tomllib.loads(text)
    except (ValueError, RecursionError) as problem:
        raise ArenaError(f"expected TOML in {where}, got {problem}") from None
    return league_rules_of(facts, where)


def league_rules_of(facts: dict[str, Any], where: str) -> LeagueRules:
    """Rules out of plain values."""
    known = [field.name for field in fields(LeagueRules)]
    if unknown := sorted(set(facts) - set(known)):
        raise ArenaError(f"expected {', '.join(known)} in {where}, got {unknown[0]}")
    try:
        return msgspec.convert(facts, LeagueRules)
    except msgspec.ValidationError as problem:
        text = str(problem).replace("`", "")
        raise ArenaError(f"{text[:1].lower()}{text[1:]} in {where}") from None


def write_charter(charter: LeagueRules) -> str:
    """The rules as TOML, those included that were not given."""
    facts = {key: value for key, value in asdict(charter).items() if value is not None}
    return "".join(
        f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in facts.items()
    )
