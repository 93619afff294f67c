"""What is played, and how long bots may think: the settings that tournaments and leagues share."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, replace
from typing import Any, Final, TypedDict, TypeVar

import msgspec

from arena.schedule import ALL, TrackRules
from bots.chairs.limits import (
    FactorBounds,
    Limits,
    parse_factor_bounds,
    parse_limits,
    write_factor_bounds,
    write_limits,
)
from engine.catalog import GAMES
from engine.contract import Game
from engine.errors import ArenaError
from engine.match import Variant

BOTH: Final = "both"
MAX_DEFAULT_PLAYERS: Final = 5  # at a table, where the numbers of players are not given

DEFAULT_VARIANT: Final = Variant("architects")
DEFAULT_LIMITS: Final = Limits()

TYPES: Final = {
    "str": "a text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
    "null": "nothing",
}

Facts = TypeVar("Facts")


class GameFacts(TypedDict, total=False):
    """The settings as files, options and stored configurations write them."""

    game: str
    players: str  # counts such as 2-4,6
    wonders: tuple[str, ...]
    edition: str | None
    expansions: tuple[str, ...]
    expert: bool
    time: str
    freeze: bool
    time_factor: str  # bounds such as 0.5-2, or off


@dataclass(frozen=True)
class GameSettings:
    """The settings as the arena works with them."""

    variant: Variant = DEFAULT_VARIANT  # in a tournament, its game may be both
    players: tuple[int, ...] = ()  # ascending; those the game and the field allow if not given
    wonders: tuple[str, ...] = ()  # those in play; all if not given
    limits: Limits = DEFAULT_LIMITS
    factor_bounds: FactorBounds | None = None  # of the limits; if not given, on clusters alone

    @property
    def game(self) -> str:
        """The id of the game that is played, or both."""
        return self.variant.game

    @property
    def variants(self) -> tuple[Variant, ...]:
        """What is played; of both games, each takes the options it has."""
        if self.game != BOTH:
            return (self.variant,)
        return tuple(
            replace(
                self.variant,
                game=game.id,
                edition=self.variant.edition if game.editions else None,
                expansions=self.variant.expansions if game.expansions else (),
                expert=self.variant.expert and bool(game.expansions),
            )
            for game in GAMES
        )

    @property
    def track_rules(self) -> tuple[TrackRules, ...]:
        """The same as schedules have it, for each game."""
        return tuple(TrackRules(variant, self.wonders or (ALL,)) for variant in self.variants)


def default_counts(game: Game, bots: int = MAX_DEFAULT_PLAYERS) -> tuple[int, ...]:
    """The numbers of players of a game where none are given, for a field of so many bots."""
    most = min(bots, MAX_DEFAULT_PLAYERS)
    return tuple(count for count in game.players if count <= most)


def read_game_settings(facts: GameFacts, default: GameSettings) -> GameSettings:
    """The settings out of the texts that describe them; what is not given is as in the default."""
    time = facts.get("time") or write_limits(default.limits)
    factors = facts.get("time_factor")
    return GameSettings(
        Variant(
            facts.get("game", default.game),
            facts.get("edition", default.variant.edition),
            facts.get("expansions", default.variant.expansions),
            facts.get("expert", default.variant.expert),
        ),
        parse_counts(facts.get("players", "")),
        facts.get("wonders", default.wonders),
        parse_limits(time, facts.get("freeze", default.limits.freeze)),
        parse_factor_bounds(factors) if factors else default.factor_bounds,
    )


def write_game_settings(settings: GameSettings) -> GameFacts:
    """The inverse of `read_game_settings`: the same settings have the same texts."""
    facts: GameFacts = {
        "game": settings.game,
        "players": write_counts(settings.players),
        "wonders": settings.wonders,
        "edition": settings.variant.edition,
        "expansions": settings.variant.expansions,
        "expert": settings.variant.expert,
        "time": write_limits(settings.limits),
        "freeze": settings.limits.freeze,
    }
    if settings.factor_bounds is not None:  # what older programs stored has no such key
        facts["time_factor"] = write_factor_bounds(settings.factor_bounds)
    return facts


def parse_counts(text: str) -> tuple[int, ...]:
    """Numbers of players out of 2-4,6; none for no text."""
    counts: set[int] = set()
    for part in filter(None, text.replace(" ", "").split(",")):
        low, _, high = part.partition("-")
        if not low.isdecimal() or not (high or low).isdecimal() or len(part) > 5:
            raise ArenaError(f"expected numbers of players such as 3-5, got {text}")
        first, last = int(low), int(high or low)
        if not 2 <= first <= last <= 7:
            raise ArenaError(f"expected numbers of players between 2 and 7, got {part}")
        counts.update(range(first, last + 1))
    return tuple(sorted(counts))


def write_counts(counts: tuple[int, ...]) -> str:
    """The inverse of `parse_counts`: as few ranges as possible."""
    spans: list[list[int]] = []
    for count in counts:
        if spans and spans[-1][-1] == count - 1:
            spans[-1].append(count)
        else:
            spans.append([count])
    return ",".join(f"{span[0]}-{span[-1]}" if span[1:] else str(span[0]) for span in spans)


def read_toml(text: str, where: str) -> dict[str, Any]:
    """The values of a TOML document."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as problem:
        raise ArenaError(f"expected TOML in {where}, got {problem}") from None


def check_facts(facts: dict[str, Any], kind: type[Facts], where: str) -> Facts:
    """The values, known by their names and of the right types; `kind` is a TypedDict."""
    known = kind.__annotations__
    if unknown := sorted(set(facts) - set(known)):
        raise ArenaError(f"expected {', '.join(known)} in {where}, got {unknown[0]}")
    counts = facts.get("players")
    if isinstance(counts, int | list):  # players = 2 and players = [2, 3] are plain enough
        parts = counts if isinstance(counts, list) else [counts]
        facts = {**facts, "players": ",".join(map(str, parts))}
    try:
        return msgspec.convert(facts, kind)
    except msgspec.ValidationError as problem:
        raise ArenaError(_wrong_type(str(problem), where)) from None


def _wrong_type(problem: str, where: str) -> str:
    """What msgspec says of a value, with the names that TOML has for types."""
    found = re.fullmatch(r"Expected `(.+?)`, got `(\w+)` - at `\$\.(\w+).*`", problem)
    if found is None:
        return f"{problem[:1].lower()}{problem[1:].replace('`', '')} in {where}"
    expected, got = (
        " or ".join(TYPES.get(each, each) for each in part.split(" | "))
        for part in found.groups()[:2]
    )
    return f"expected {expected} for {found[3]} in {where}, got {got}"
