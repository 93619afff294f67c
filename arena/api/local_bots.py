"""Bots that play in this process: objects, classes and functions of the caller, or specs.

An object is code the caller has loaded already. A spec of a house bot runs here as well, any other
one in the sandbox, unless the caller says that it is trusted.
"""

from __future__ import annotations

import copy
import inspect
import secrets
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from arena.playing.entrants import OBJECT, Contender, check_games, contenders
from bots.api import Bot, Decider
from bots.chairs.base import Chair
from bots.chairs.in_process import InProcessChair, open_in_process
from bots.chairs.limits import Limits
from bots.chairs.pool import Isolation, IsolationKind, choose_isolation, open_chair
from bots.discovery.finder import find_bot
from bots.discovery.loader import Function
from bots.discovery.manifest import Source
from bots.discovery.spec import parse_spec
from bots.protocol.sanitize import for_storage
from engine.errors import ArenaError

# A spec such as "greedy:worlds=1" or "./mybot"; a bot, its class, or a function that makes one; or
# a function that decides.
BotLike: TypeAlias = str | Bot | Callable[..., Any]
BotLikes: TypeAlias = Sequence[BotLike] | Mapping[str, BotLike]  # with names of the caller's own

IN_PROCESS = Isolation(IsolationKind.IN_PROCESS, "none: the bots ran in the caller's process")
MAX_NAME = 40


def maker_of(bot: BotLike) -> Callable[[], Bot]:
    """How to make a bot that is no spec: a class makes one, an object and a function are one."""
    if isinstance(bot, type):
        return cast(Callable[[], Bot], bot)
    if hasattr(bot, "decide"):
        return lambda: cast(Bot, bot)
    if not callable(bot):
        raise ArenaError(f"expected a bot, its class, a function or a spec, got {bot!r}")
    try:
        inspect.signature(bot).bind()
    except TypeError:  # it wants a decision
        return lambda: Function(cast(Decider, bot))
    return bot


def bot_name(bot: BotLike) -> str:
    """What results call a bot: its spec, its attribute `name`, or the name of its class."""
    if isinstance(bot, str):
        return bot
    own = getattr(bot, "name", None)
    if not isinstance(own, str):
        own = getattr(bot, "__name__", None) or type(bot).__name__
    return for_storage(own.strip("<>"), MAX_NAME).replace("\n", " ")


def open_local(bot: BotLike) -> InProcessChair:
    """A chair for a bot in this process; BotError for a program."""
    if not isinstance(bot, str):
        return InProcessChair(maker_of(bot))
    spec = parse_spec(bot)
    return open_in_process(spec, find_bot(spec))


@dataclass(frozen=True)
class _Entry:
    contender: Contender
    bot: BotLike
    is_house: bool = False


class LocalBots:
    """The bots of a run under labels that tell them apart, and their chairs; to be closed."""

    def __init__(self, bots: BotLikes, limits: Limits, trust: bool = False) -> None:
        self.limits = limits
        names = list(bots) if isinstance(bots, Mapping) else [bot_name(bot) for bot in bots]
        given = list(bots.values()) if isinstance(bots, Mapping) else list(bots)
        self._entries = [_enter(name, bot) for name, bot in zip(names, given, strict=True)]
        _number_alike(self._entries)
        self.isolation = self._isolation(trust)
        self._chairs: dict[tuple[str, int], Chair] = {}

    def _isolation(self, trust: bool) -> Isolation:
        specs = [each.contender.spec for each in self._entries if isinstance(each.bot, str)]
        self._walls = choose_isolation(specs, trust=trust)
        return IN_PROCESS if len(specs) < len(self._entries) else self._walls

    def check_game(self, game: str) -> None:
        """ArenaError if a bot says that it does not play this game."""
        check_games([each.bot for each in self._entries if isinstance(each.bot, str)], [game])

    @property
    def field(self) -> list[Contender]:
        """Who competes, in the order given."""
        return [each.contender for each in self._entries]

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of the bots, each once."""
        return tuple(each.contender.label for each in self._entries)

    def chairs(self, labels: Sequence[str]) -> list[Chair]:
        """A chair for each seat; one who sits twice at the table has two."""
        wanted = [(label, labels[:at].count(label)) for at, label in enumerate(labels)]
        for label, nth in wanted:
            if (label, nth) not in self._chairs:
                entry = self._entries[self.labels.index(label)]
                self._chairs[label, nth] = self._open(entry, nth)
        return [self._chairs[key] for key in wanted]

    def _open(self, entry: _Entry, nth: int) -> Chair:
        if not isinstance(entry.bot, str):
            # An object has one memory: at its second seat a copy of it plays.
            is_object = not callable(entry.bot) and nth > 0
            return open_local(copy.deepcopy(entry.bot) if is_object else entry.bot)
        if entry.is_house:
            return open_local(entry.bot)
        spec = parse_spec(entry.bot)
        return open_chair(spec, find_bot(spec), self.limits, self._walls)

    def close(self) -> None:
        """Close all chairs."""
        while self._chairs:
            self._chairs.popitem()[1].close()

    def __enter__(self) -> LocalBots:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _enter(name: str, bot: BotLike) -> _Entry:
    if isinstance(bot, str):
        [found] = contenders([bot])
        label = found.label if name == bot else name
        contender = Contender(label, found.spec, found.digest, found.version, found.source)
        return _Entry(contender, bot, found.source == Source.HOUSE)
    maker_of(bot)  # refused now rather than at the first match
    # What an object is cannot be told later: no two of them are the same bot.
    digest = secrets.token_hex(32)
    return _Entry(Contender(name, f"python:{name}", digest, "", OBJECT), bot)


def _number_alike(entries: list[_Entry]) -> None:
    """Give bots of one label a number each, and refuse one object at two seats."""
    objects = [each.bot for each in entries if not isinstance(each.bot, str | type)]
    if any(one is other for at, one in enumerate(objects) for other in objects[:at]):
        raise ArenaError("expected an object for each bot, got one twice: give its class instead")
    often = Counter(each.contender.label for each in entries)
    seen: Counter[str] = Counter()
    for at, entry in enumerate(entries):
        label = entry.contender.label
        seen[label] += 1
        if often[label] > 1 and seen[label] > 1:
            old = entry.contender
            mark = f"#{seen[label]}"
            again = Contender(label + mark, old.spec, old.digest + mark, old.version, old.source)
            entries[at] = _Entry(again, entry.bot, entry.is_house)
