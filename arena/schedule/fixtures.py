"""Fixtures: every game of a tournament, by its number, without playing or keeping any."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import count
from math import gcd, perm
from typing import Final, Protocol

from arena.schedule.cyclic import Block, Cycle, build_cycle, stride
from arena.schedule.wonders import ALL, Pool, draw_wonders, open_pool, shuffled
from engine.catalog import find
from engine.contract import Game
from engine.errors import SetupError
from engine.match import MatchSpec, Setup, Variant
from engine.rng import Rng, derive

MAX_GAMES: Final = 100_000  # of a full schedule


@dataclass(frozen=True)
class Fixture:
    """A game of a tournament: who sits where, with what, at which place of the schedule."""

    number: int
    id: str
    stage: str
    round: int
    entrants: tuple[int, ...]  # places in the field, by seat
    spec: MatchSpec


@dataclass(frozen=True)
class TrackRules:
    """What is played, the number of players aside."""

    variant: Variant
    wonders: tuple[str, ...] = (ALL,)

    @property
    def game(self) -> Game:
        """The game that is played."""
        return find(self.variant.game)

    @cached_property
    def name(self) -> str:
        """The game and what is not usual about it, as a part of an id."""
        variant = self.variant
        usual = self.game.editions[:1]
        parts = [variant.edition] if variant.edition and variant.edition not in usual else []
        parts += [*variant.expansions, *["expert"] * variant.expert]
        return "+".join([variant.game, *parts])


@dataclass(frozen=True, eq=False)  # a track is known by itself: its hash is taken for every match
class Track:
    """Games of one kind and one number of players, with rounds of their own."""

    rules: TrackRules
    players: int
    bots: tuple[int, ...]  # places in the field
    pool: Pool
    weight: int = 1  # rounds, for each round of a track of weight 1

    @cached_property
    def name(self) -> str:
        """The beginning of its fixtures' ids."""
        return f"{self.rules.name}-{len(self.bots)}-{self.players}"

    def setup(self, wonders: tuple[str, ...]) -> Setup:
        """The table with these wonders, checked by the game."""
        return self.rules.game.setup(self.players, 0, wonders, self.rules.variant)


def open_track(rules: TrackRules, players: int, bots: Iterable[int], weight: int = 1) -> Track:
    """A track, checked; SetupError if the game, the field or the wonders are not enough for it."""
    field = tuple(bots)
    if weight < 1:
        raise SetupError(f"expected a weight of at least 1, got {weight}")
    if len(field) < players:
        raise SetupError(
            f"expected at least {players} bots for {players} players, got {len(field)}"
        )
    pool = open_pool(rules.variant, rules.wonders)
    track = Track(rules, players, field, pool, weight)
    track.setup(draw_wonders(pool, players, 0, 0) if players in rules.game.players else ())
    return track


def open_tracks(
    kinds: Iterable[TrackRules],
    counts: Iterable[int],
    bots: Iterable[int],
    weights: Mapping[int, int] | None = None,
) -> tuple[list[Track], list[str]]:
    """A track for each game and number of players, and why some of them are left out."""
    field = tuple(bots)
    sizes = tuple(counts)
    tracks: list[Track] = []
    left_out: list[str] = []
    for rules in kinds:
        for players in sizes:
            try:
                weight = (weights or {}).get(players, 1)
                tracks.append(open_track(rules, players, field, weight))
            except SetupError as problem:
                left_out.append(f"no {rules.variant.game} with {players} players: {problem}")
    if not tracks:
        raise SetupError(f"nothing to play: {'; '.join(left_out) or 'no number of players'}")
    return tracks, left_out


class Design(Protocol):
    """How the rounds of a track are seated."""

    @property
    def stage(self) -> str:
        """The stage its fixtures belong to."""

    def games(self, track: Track) -> int:
        """Games of a round."""

    def rounds(self, track: Track) -> int:
        """Rounds after which everything is as even as it gets."""

    def deal(self, track: Track, round: int, game: int) -> int:
        """The number of the deal that is played: the same number, the same cards and wonders."""

    def table(self, track: Track, round: int, game: int) -> Block:
        """Places in the track's bots, by seat."""


class Balanced:
    """Rounds of a cyclic design, each on one deal: everybody plays every hand of it."""

    stage = "balanced"

    def __init__(self, seed: int, cycles: Iterable[Cycle] = ()) -> None:
        self.seed = seed
        self._cycles = {(cycle.bots, cycle.players): cycle for cycle in cycles}

    def cycle(self, track: Track) -> Cycle:
        """The cycle of the track, built at most once."""
        key = (len(track.bots), track.players)
        if key not in self._cycles:
            self._cycles[key] = build_cycle(*key)
        return self._cycles[key]

    def games(self, track: Track) -> int:
        return len(track.bots)

    def rounds(self, track: Track) -> int:
        return len(self.cycle(track).blocks)

    def deal(self, track: Track, round: int, game: int) -> int:
        return round

    def table(self, track: Track, round: int, game: int) -> Block:
        bots = len(track.bots)
        cycle = self.cycle(track)
        block = cycle.blocks[round % len(cycle.blocks)]
        order, unit = relabel(self.seed, track.name, bots, round // len(cycle.blocks))
        shift = round + game * stride(bots, block)
        return tuple(order[(unit * (bot + shift)) % bots] for bot in block)


@lru_cache(maxsize=64)
def relabel(seed: int, name: str, bots: int, epoch: int) -> tuple[list[int], int]:
    """Which bot is which residue this time through the cycle, and what residues are multiplied by.

    A bijection that keeps all differences as even as they were.
    """
    rng = Rng(derive(seed, f"order/{name}/{epoch}"))
    units = [unit for unit in range(1, max(bots, 2)) if gcd(unit, bots) == 1]
    return shuffled(tuple(range(bots)), rng), units[rng.below(len(units))]


class Full:
    """Every ordered table there is, once a round, each round on one deal."""

    stage = "full"

    def games(self, track: Track) -> int:
        return perm(len(track.bots), track.players)

    def rounds(self, track: Track) -> int:
        return 1

    def deal(self, track: Track, round: int, game: int) -> int:
        return round

    def table(self, track: Track, round: int, game: int) -> Block:
        left = list(range(len(track.bots)))
        seats = []
        rest = self.games(track)
        for _ in range(track.players):
            rest //= len(left)
            seats.append(left.pop(game // rest))
            game %= rest
        return tuple(seats)


class RandomTables:
    """Tables and seats by lot, each game on a deal of its own; rounds are but a measure."""

    stage = "random"

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def games(self, track: Track) -> int:
        return len(track.bots)

    def rounds(self, track: Track) -> int:
        return 2 * (len(track.bots) - 1)

    def deal(self, track: Track, round: int, game: int) -> int:
        return round * self.games(track) + game

    def table(self, track: Track, round: int, game: int) -> Block:
        rng = Rng(derive(self.seed, f"table/{track.name}/{round}/{game}"))
        return tuple(shuffled(tuple(range(len(track.bots))), rng)[: track.players])


class Schedule:
    """The fixtures of some tracks, any of them by its number; a value: nothing in it changes."""

    def __init__(
        self,
        labels: tuple[str, ...],
        tracks: Iterable[Track],
        design: Design,
        seed: int,
        rounds: int | None = None,
    ) -> None:
        self.labels = labels
        self.tracks = tuple(tracks)
        self.design = design
        self.seed = seed
        self.rounds = rounds  # of a track of weight 1; without end if None
        if not self.tracks:
            raise SetupError("expected a track to play on, got none")
        if len({track.name for track in self.tracks}) < len(self.tracks):
            names = ", ".join(track.name for track in self.tracks)
            raise SetupError(f"expected different tracks, got {names}")
        if rounds is not None and rounds < 1:
            raise SetupError(f"expected at least one round, got {rounds}")
        self._turns = weighted_round_robin([track.weight for track in self.tracks])
        self._games = sum(track.weight * design.games(track) for track in self.tracks)
        total = self._games * (rounds or 1)
        if isinstance(design, Full) and total > MAX_GAMES:
            raise SetupError(f"expected at most {MAX_GAMES} games, got {total} of a full schedule")

    def __len__(self) -> int:
        if self.rounds is None:
            raise SetupError("expected a number of rounds, got a schedule without end")
        return self.rounds * self._games

    def __getitem__(self, number: int) -> Fixture:
        if number < 0 or (self.rounds is not None and number >= len(self)):
            raise IndexError(number)
        period, rest = divmod(number, self._games)
        for at, turn in self._turns:
            track = self.tracks[at]
            if rest < self.design.games(track):
                return self._fixture(number, track, period * track.weight + turn, rest)
            rest -= self.design.games(track)
        raise AssertionError(number)

    def __iter__(self) -> Iterator[Fixture]:
        return self.start(0)

    def start(self, number: int) -> Iterator[Fixture]:
        """The fixtures from that one on."""
        for at in count(number) if self.rounds is None else range(number, len(self)):
            yield self[at]

    def _fixture(self, number: int, track: Track, round: int, game: int) -> Fixture:
        stage = self.design.stage
        id = f"{track.name}-{round}-{game}"
        entrants = tuple([track.bots[place] for place in self.design.table(track, round, game)])
        deal = self.design.deal(track, round, game)
        spec = match_spec(track, self.seed, deal, tuple([self.labels[bot] for bot in entrants]))
        return Fixture(
            number, id if stage == "balanced" else f"{stage}-{id}", stage, round, entrants, spec
        )


def match_spec(track: Track, seed: int, deal: int, bots: tuple[str, ...]) -> MatchSpec:
    """The match of these bots on a deal of the track."""
    setup, cards = _deal(track, seed, deal)
    return track.rules.game.spec(setup, cards, bots)


@lru_cache(maxsize=256)
def _deal(track: Track, seed: int, deal: int) -> tuple[Setup, int]:
    name = f"{track.rules.name}/{track.players}"
    wonders = draw_wonders(track.pool, track.players, _wonders_seed(seed, name), deal)
    return track.setup(wonders), derive(seed, f"deal/{name}/{deal}")


@lru_cache(maxsize=64)
def _wonders_seed(seed: int, name: str) -> int:
    return derive(seed, f"wonders/{name}")


def weighted_round_robin(weights: list[int]) -> list[tuple[int, int]]:
    """Smooth weighted round-robin: by turn, the index of a weight and how often it came before."""
    due = [0] * len(weights)
    turns = [0] * len(weights)
    order = []
    for _ in range(sum(weights)):
        due = [a + b for a, b in zip(due, weights, strict=True)]
        at = due.index(max(due))
        due[at] -= sum(weights)
        order.append((at, turns[at]))
        turns[at] += 1
    return order
