"""Where a match's time goes: CPU time of each part, in process and sandboxed.

Everything on one core, the parts in turn, medians of rounds. The time of sandboxed bots is the
kernel's account of their processes, wherever they are. A decision is what both sides compute from
the question to the answer: the median is the steady state, the mean includes the cold first ones of
a new process. What else a match takes, such as telling how it ended, is in the parts above it.
"""

import argparse
import os
import select
import statistics
import time
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from arena.playing.referee import play
from bots.api import Action, Decision, Outcome, Seating, State
from bots.chairs.base import Chair
from bots.chairs.limits import Limits
from bots.chairs.pool import open_chairs
from bots.chairs.remote import RemoteChair
from bots.chairs.sandboxed import SandboxTransport
from bots.sandbox.affinity import pin
from bots.sandbox.probe import Level, probe
from engine import COMPILED
from engine.match import MatchSpec, SeatUsage
from tests.benchmarks.figures import keep
from tests.benchmarks.match_speed import Case, bare_match, cpu, specs_of
from tests.benchmarks.seat_cost import Walled, buried, children

MATCHES = 100
ROUNDS = 5
LIVES = 100
TRIPS = 2000
MAX_TRIPS = 3.0  # round trips of a bare pipe that a sandboxed decision of a random bot may take
MAX_DECISION = 30.0  # microseconds of it
STRANGER = str(Path(__file__).parents[2] / "examples" / "first_bot.py")  # a process a match
CASES = (
    Case("architects", 2, "random"),
    Case("architects", 4, "greedy"),
    Case("seven", 3, "random"),
    Case("seven", 4, "greedy"),
    Case("architects", 2, STRANGER),
    Case("seven", 3, STRANGER),
)


class Spent(NamedTuple):
    """Microseconds of the arena, and of the processes of the bots' containers."""

    arena: float
    zygotes: float
    workers: float


def transports_of(chairs: list[Chair]) -> list[SandboxTransport]:
    """How these sandboxed bots are reached."""
    found = []
    for chair in chairs:
        assert isinstance(chair, RemoteChair)
        assert isinstance(chair.transport, SandboxTransport)
        found.append(chair.transport)
    return found


def zygotes_of(chairs: list[Chair]) -> list[int]:
    """The first processes of the containers that these bots sit in."""
    found = []
    for transport in transports_of(chairs):
        assert transport.container is not None
        outer = transport.container.process.pid
        found.append(children(outer)[0] if probe().layers.container else outer)
    return found


def sandboxed(specs: list[MatchSpec], chairs: list[Chair], zygotes: list[int]) -> Spent:
    """What the matches take, each."""

    def clocks() -> tuple[float, float, float]:
        kept = {it.worker.pid for it in transports_of(chairs) if it.worker is not None}
        while any({*children(pid)} - kept for pid in zygotes):  # whose time is not yet counted
            time.sleep(0.001)
        own, living = (
            sum(time.clock_gettime((~pid << 3) | 2) for pid in pids) for pids in (zygotes, kept)
        )
        return time.process_time(), own, living + sum(map(buried, zygotes))

    before = clocks()
    for spec in specs:
        assert not play(spec, chairs, Limits()).faults
    return Spent(
        *(1e6 * (now - then) / len(specs) for then, now in zip(before, clocks(), strict=True))
    )


class TimedChair(Chair):
    """A sandboxed chair, and what both sides compute from a question to its answer."""

    def __init__(self, chair: RemoteChair) -> None:
        super().__init__(Limits())
        self.chair = chair
        self.spent: list[float] = []  # seconds of each decision
        self.clock = 0

    def start(self, seating: Seating) -> None:
        self.chair.budget = self.budget
        self.chair.start(seating)
        self.observes = self.chair.observes
        assert isinstance(self.chair.transport, SandboxTransport)
        assert self.chair.transport.worker is not None
        self.clock = (~self.chair.transport.worker.pid << 3) | 2

    def ask(self, decision: Decision) -> None:
        before = time.clock_gettime(self.clock) + time.process_time()
        self.chair.ask(decision)
        self.spent.append(time.process_time() - before)

    def answer(self) -> Action:
        before = time.process_time()
        action = self.chair.answer()
        self.spent[-1] += time.process_time() + time.clock_gettime(self.clock) - before
        return action

    def observe(self, view: State) -> None:
        self.chair.observe(view)

    def finish(self, outcome: Outcome) -> None:
        self.chair.finish(outcome)

    def usage(self) -> SeatUsage:
        return self.chair.usage()


def reading_time() -> float:
    """Seconds of a decision in which its own clock is read, once for each of its halves."""
    found = []
    for _ in range(TRIPS):
        before = time.process_time()
        found.append(time.process_time() - before)
    return 2 * statistics.median(found)


class DecisionTime(NamedTuple):
    """Microseconds of both sides for a decision."""

    median: float
    mean: float


def decision_time(specs: list[MatchSpec], chairs: list[Chair]) -> DecisionTime:
    """What the decisions of these matches take."""
    timed = []
    for chair in chairs:
        assert isinstance(chair, RemoteChair)
        timed.append(TimedChair(chair))
    for spec in specs:
        assert not play(spec, timed, Limits()).faults
    looking = reading_time()
    spent = [1e6 * (seconds - looking) for each in timed for seconds in each.spent]
    return DecisionTime(statistics.median(spent), statistics.fmean(spent))


def pipe_trip() -> float:
    """Microseconds of two processes for a question and its answer over bare pipes, with poll."""
    (its, ours), (replies, back) = os.pipe(), os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(ours)
        while asked := os.read(its, 4096):
            os.write(back, asked[:16])
        os._exit(0)
    poller = select.poll()
    poller.register(replies, select.POLLIN)
    clock = (~pid << 3) | 2
    question = bytes(500)
    before = time.process_time() + time.clock_gettime(clock)
    for _ in range(TRIPS):
        os.write(ours, question)
        poller.poll(1000)
        os.read(replies, 4096)
    spent = time.process_time() + time.clock_gettime(clock) - before
    for fd in (its, back, ours, replies):
        os.close(fd)
    os.waitpid(pid, 0)
    return 1e6 * spent / TRIPS


def say(text: str) -> None:
    print(text, flush=True)  # noqa: T201


def measure(case: Case, matches: int, rounds: int) -> None:
    """Print the parts of a match, and keep them."""
    specs = specs_of(case, matches)
    with ExitStack() as stack:
        free = stack.enter_context(open_chairs([case.bot] * case.players, True, Limits()))
        walled = stack.enter_context(open_chairs([case.bot] * case.players, False, Limits()))
        result = play(specs[0], walled, Limits())
        assert result.decisions == play(specs[0], free, Limits()).decisions
        zygotes = zygotes_of(walled)
        seat = Walled(case.bot, fresh=False)
        stack.callback(seat.chair.close)
        rules, inside, behind, lives, trips, asked = [], [], [], [], [], []
        for _ in range(rounds):
            rules.append(1e6 * cpu(lambda: [bare_match(spec) for spec in specs]) / matches)
            inside.append(
                1e6 * cpu(lambda: [play(spec, free, Limits()) for spec in specs]) / matches
            )
            behind.append(sandboxed(specs, walled, zygotes))
            lives.append(Spent(*seat.lives(LIVES)))
            trips.append(pipe_trip())
            asked.append(decision_time(specs, walled))
        decisions = sum(len(play(spec, free, Limits()).decisions) for spec in specs) / matches
    show(
        case,
        decisions,
        statistics.median(rules),
        statistics.median(inside),
        Spent(*map(statistics.median, zip(*behind, strict=True))),
        Spent(*map(statistics.median, zip(*lives, strict=True))),
        statistics.median(trips),
        DecisionTime(*map(statistics.median, zip(*asked, strict=True))),
    )


def show(
    case: Case,
    decisions: float,
    rules: float,
    inside: float,
    behind: Spent,
    life: Spent,
    trip: float,
    decision: DecisionTime,
) -> None:
    """A line for each part: microseconds of a match, and its share."""
    seats = Spent(*(case.players * part for part in life))
    asking = Spent(*(all_ - part for all_, part in zip(behind, seats, strict=True)))
    parts = {
        "the rules alone": rules,
        "in process: referee, chairs and bots": inside - rules,
        "sandboxed: seats, in the arena": seats.arena,
        "sandboxed: seats, in zygotes": seats.zygotes,
        "sandboxed: seats, in workers": seats.workers,
        "sandboxed: rules, questions and answers, in the arena": asking.arena,
        "sandboxed: questions and answers, in bots": asking.workers + asking.zygotes,
    }
    say(f"{case.name}: {decisions:.0f} decisions; {inside:,.0f} microseconds in process")
    for name, spent in parts.items():
        whole = sum(behind) if name.startswith("sandboxed") else inside
        say(f"  {name:54}{spent:>9,.0f}{spent / whole:>7.0%}")
        keep(f"{case.name}: {name}", spent, "µs")
    ratio = decision.median / trip
    say(
        f"  {'sandboxed: all':54}{sum(behind):>9,.0f}; a decision {decision.median:.1f} (mean "
        f"{decision.mean:.1f}), {ratio:.1f} times a bare pipe's round trip ({trip:.1f})"
    )
    keep(f"{case.name}: a match sandboxed", sum(behind), "µs")
    if case.bot == "random":
        what = f"{case.name}: a decision, sandboxed"
        keep(f"{what}, median", decision.median, "µs", f"<= {MAX_DECISION:g}")
        keep(f"{what}, median / a bare pipe", ratio, "times", f"<= {MAX_TRIPS:g}")
        keep(f"{what}, mean, with the first ones of a new process", decision.mean, "µs")


def main() -> None:
    """Print a table for each case."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--matches", type=int, default=MATCHES)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    options = parser.parse_args()
    if probe().level is Level.UNSAFE:
        say(f"no sandbox here: {probe().line()}")
        return
    pin()
    say(f"sandbox: {probe().line()}; engine {'compiled' if COMPILED else 'interpreted'}")
    for case in CASES:
        measure(case, options.matches, options.rounds)


if __name__ == "__main__":
    main()
