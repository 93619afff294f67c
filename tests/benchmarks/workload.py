"""Fixed work for the engine and the referee, to have its instructions counted from outside.

Every piece is done twice, in children of their own that are forked after all is made ready: some
times, and twice as often. What the second takes more is the work alone. The answer, on standard
output, is which child did what.
"""

import gc
import json
import os
import sys
from collections.abc import Callable, Sequence

from librt.vecs import vec
from mypy_extensions import i64

import engine
from arena.playing.referee import play
from bots.chairs.base import Chair
from bots.chairs.clock import Meter
from bots.chairs.in_process import open_in_process
from bots.chairs.limits import Limits
from bots.chairs.remote import RemoteChair
from bots.chairs.transport import Exit, Streams, Transport
from bots.discovery.finder import find_bot
from bots.discovery.spec import parse_spec
from bots.house.learned.weights import shipped_value
from bots.protocol import packets
from bots.sandbox.process_clock import ProcessClock
from bots.search import play_round, sample_rewards
from engine.catalog import GAMES, find
from engine.contract import Game, State
from engine.match import Setup
from engine.rng import Rng, derive

PLAYERS = 4
STATES = 20  # positions that views, clones and guesses are taken of
GAMES_PLAYED = 100
TAKEN = 2000
MATCHES = 40

Piece = Callable[[int], None]


def middle(game: Game, setup: Setup, seed: int) -> State:
    """A position some way into a random game."""
    state, dice = game.deal(setup, seed), Rng(derive(seed, "steps"))
    for _ in range(30):
        seat = state.pending()[0]
        options = state.legal(seat)
        state.apply(seat, options[dice.below(len(options))])
    return state


class Echo(Transport):
    """A transport to a bot that takes the first option at once: only the arena's side is left."""

    def __init__(self) -> None:
        super().__init__(find_bot(parse_spec("random")))
        self.streams = Streams(-1, -1, -1)
        self.meter = Meter(ProcessClock(os.getpid()))
        self.reply = b""

    def start_match(self) -> bool:
        return True

    def end_match(self) -> None:
        pass

    def send(self, data: bytes) -> int:
        kind = packets.CHOICE if packets.kind_of(data) == packets.DECIDE else packets.READY
        self.reply = packets.pack_reply(kind, packets.id_of(data), 0)
        return len(data)

    def wait(self, seconds: float) -> bool:
        self.streams.received += self.reply
        return True

    def drain(self) -> None:
        pass

    def exit(self) -> Exit | None:
        return None

    def kill(self) -> None:
        raise AssertionError("expected no fault, got one")

    def peak(self) -> int:
        return 0

    def close(self, bye: bytes) -> None:
        pass


def match_pieces(game: Game) -> dict[str, tuple[Piece, int]]:
    """Matches as the arena plays them: in process, and its own side of those in a sandbox."""
    specs = [
        game.spec(game.setup(PLAYERS, seed), seed, ("random",) * PLAYERS)
        for seed in range(2 * MATCHES)
    ]
    free = [open_in_process(spec, find_bot(spec)) for spec in [parse_spec("random")] * PLAYERS]
    behind = [RemoteChair(Echo(), Limits()) for _ in range(PLAYERS)]

    def played(chairs: Sequence[Chair]) -> Piece:
        def matches(times: int) -> None:
            for spec in specs[:times]:
                assert not play(spec, chairs, Limits()).faults

        matches(2)  # what is made once is not counted
        return matches

    return {
        "match in process": (played(free), MATCHES),
        "match sandboxed": (played(behind), MATCHES),
    }


def search_pieces(game: Game, states: Sequence[State]) -> dict[str, tuple[Piece, int]]:
    """What searchers and learners ask of positions, and the learned value."""
    views = [state.view(state.pending()[0]) for state in states]
    value = shipped_value(game.id)
    odds = vec[i64]([1 + key % 7 for key in range(game.odds_keys)])

    def features(times: int) -> None:
        for at in range(times):
            states[at % STATES].features(at % PLAYERS)

    def after(times: int) -> None:
        for at in range(times):
            state = states[at % STATES]
            seat = state.pending()[0]
            state.after(seat, state.legal(seat)[0])

    def playout_by(times: int) -> None:
        for at in range(times):
            states[at % STATES].clone().playout_by(Rng(1 + at), odds)

    def round(times: int) -> None:
        for at in range(times):
            state = states[at % STATES].clone()
            seat = state.pending()[0]
            play_round(state, seat, state.legal(seat)[0], Rng(1 + at))

    def samples(times: int) -> None:
        for at in range(times):
            view = views[at % STATES]
            seat = int(view.viewer)
            sample_rewards(view, seat, view.legal(seat)[:2], 1, Rng(1 + at))

    def choice(times: int) -> None:
        for at in range(times):
            view = views[at % STATES]
            seat = int(view.viewer)
            value.weigh_view(view, seat, view.legal(seat), 1, Rng(1 + at))

    return {
        "features": (features, TAKEN),
        "after": (after, TAKEN),
        "playout by odds": (playout_by, GAMES_PLAYED),
        "round": (round, TAKEN),
        "samples": (samples, GAMES_PLAYED),
        "learned choice": (choice, GAMES_PLAYED),
    }


def pieces(game: Game) -> dict[str, tuple[Piece, int]]:
    """What is done, and how many times."""
    setups = [game.setup(PLAYERS, seed) for seed in range(2 * GAMES_PLAYED)]
    states = [middle(game, setups[seed], seed) for seed in range(STATES)]
    views = [state.view(0) for state in states]

    def playout(times: int) -> None:
        for seed in range(times):
            state = game.deal(setups[seed], seed)
            state.playout(Rng(derive(seed, "dice")))
            state.scores()
            state.ranks()

    def steps(times: int) -> None:
        for seed in range(times):
            state, dice = game.deal(setups[seed], seed), Rng(derive(seed, "dice"))
            while seats := state.pending():
                for seat in seats:
                    options = state.legal(seat)
                    state.apply(seat, options[dice.below(len(options))])

    def clone(times: int) -> None:
        for at in range(times):
            states[at % STATES].clone()

    def view(times: int) -> None:
        for at in range(times):
            states[at % STATES].view(at % PLAYERS)

    def imagine(times: int) -> None:
        dice = Rng(1)
        for at in range(times):
            views[at % STATES].clone().imagine(dice)

    return {
        "playout": (playout, GAMES_PLAYED),
        "steps": (steps, GAMES_PLAYED),
        "clone": (clone, TAKEN),
        "view": (view, TAKEN),
        "imagine": (imagine, TAKEN),
        **search_pieces(game, states),
        **match_pieces(game),
    }


def child(piece: Piece, times: int) -> int:
    """Do it in a child; its process id."""
    process = os.fork()
    if process == 0:
        piece(times)
        os._exit(0)
    _, status = os.waitpid(process, 0)
    if status:
        raise SystemExit(f"expected a child to do its work, got status {status}")
    return process


def main() -> None:
    """Tell of this engine, and do the work unless no more is asked for."""
    told: dict[str, object] = {"compiled": engine.COMPILED, "python": sys.version.split()[0]}
    if "--form" not in sys.argv:
        work = {
            f"{game.id} {name}": piece
            for game in map(find, sorted(each.id for each in GAMES))
            for name, piece in pieces(game).items()
        }
        gc.disable()  # nothing here goes in circles
        told["work"] = {
            name: (times, child(piece, times), child(piece, 2 * times))
            for name, (piece, times) in work.items()
        }
    print(json.dumps(told))  # noqa: T201


if __name__ == "__main__":
    main()
