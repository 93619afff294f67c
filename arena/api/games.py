"""Games between bots, played here and now, one after the other."""

from __future__ import annotations

from collections.abc import Sequence

from arena.api.hooks import HookLike, HookRunner
from arena.api.local_bots import BotLikes, LocalBots
from arena.api.match import Match, Matches
from arena.playing.referee import play as referee
from bots.chairs.limits import parse_limits
from bots.protocol.sanitize import for_terminal
from engine.catalog import find
from engine.errors import ArenaError
from engine.match import MatchResult, MatchSpec, Variant
from engine.rng import draw_seed


class BotFailedError(ArenaError):
    """A bot failed in a strict run; `match` is the whole of it, `detail` the bot's traceback."""

    def __init__(self, match: Match) -> None:
        fault = match.faults[0]
        super().__init__(
            f"{match.bots[fault.seat]} failed at decision {fault.decision} with seed {match.seed}: "
            f"{fault.kind}: {fault.detail.strip().splitlines()[-1]}"
        )
        self.match = match
        self.detail = fault.detail
        self.add_note("\n".join(map(for_terminal, fault.detail.splitlines())))


class LocalPlayer:
    """Plays matches of its bots in this process, and tells hooks of them."""

    def __init__(
        self, bots: LocalBots, hooks: Sequence[HookLike] = (), strict: bool = False
    ) -> None:
        self.bots = bots
        self.hooks = HookRunner(hooks)
        self.strict = strict

    def play(self, spec: MatchSpec) -> MatchResult:
        """One match to its end; BotFailedError if a bot fails and that is not to be."""
        bots = self.bots
        watcher = self.hooks.watcher(spec)
        chairs = bots.chairs(spec.bots)
        result = referee(spec, chairs, bots.limits, watcher, bots.isolation.name)
        match = Match(result)
        self.hooks.finish(match)
        if self.strict and match.faults:
            raise BotFailedError(match)
        return result


def play(
    game: str,
    bots: BotLikes,
    *,
    seed: int | None = None,
    wonders: Sequence[str] = (),
    edition: str | None = None,
    expansions: Sequence[str] = (),
    expert: bool = False,
    time: str = "10s",
    hooks: Sequence[HookLike] = (),
    strict: bool = False,
    trust: bool = False,
) -> Match:
    """Play one game; `bots` has one bot for each seat.

    A bot is an object with `decide`, its class, a function `decide(decision)`, or a spec as on the
    command line. Objects and house bots play in this process; other specs in the sandbox, or
    without one if `trust` is true. The same seed gives the same deal; one is drawn if not given.
    A bot that fails is replaced by random answers and ranks last; `strict` raises BotFailedError.
    """
    variant = Variant(find(game).id, edition, tuple(expansions), expert)
    with LocalBots(bots, parse_limits(time), trust) as field:
        field.check_game(game)
        player = LocalPlayer(field, hooks, strict)
        spec = _spec(variant, field.labels, draw_seed() if seed is None else seed, wonders)
        return Match(player.play(spec))


def play_games(
    game: str,
    bots: BotLikes,
    games: int,
    *,
    rotate: bool = True,
    seed: int | None = None,
    wonders: Sequence[str] = (),
    edition: str | None = None,
    expansions: Sequence[str] = (),
    expert: bool = False,
    time: str = "10s",
    hooks: Sequence[HookLike] = (),
    strict: bool = False,
    trust: bool = False,
) -> Matches:
    """Play several games; arguments as for `play`.

    With `rotate`, every deal is played once with each rotation of the bots over the seats, so that
    no bot has better seats or cards than another: `games` should be a multiple of their number.
    Without, seats are fixed and every game has a deal of its own.
    """
    if games < 1:
        raise ArenaError(f"expected at least 1 game, got {games}")
    variant = Variant(find(game).id, edition, tuple(expansions), expert)
    first = draw_seed() if seed is None else seed
    with LocalBots(bots, parse_limits(time), trust) as field:
        field.check_game(game)
        player = LocalPlayer(field, hooks, strict)
        labels = field.labels
        found = []
        for number in range(games):
            deal, turn = divmod(number, len(labels)) if rotate else (number, 0)
            seated = labels[-turn:] + labels[:-turn] if turn else labels
            found.append(Match(player.play(_spec(variant, seated, first + deal, wonders))))
    return Matches(found)


def _spec(
    variant: Variant, labels: tuple[str, ...], seed: int, wonders: Sequence[str]
) -> MatchSpec:
    rules = find(variant.game)
    setup = rules.setup(len(labels), seed, tuple(wonders), variant)
    return rules.spec(setup, seed, labels)
