"""Games of a learned value against itself, and what there is to learn from them."""

from librt.strings import BytesWriter, write_i16_le, write_i32_le
from mypy_extensions import i16, i32, i64, u8

from bots.house.learned.net import ONE, hides_nothing
from bots.house.learned.policy import Value, first_best, outcome
from engine.contract import State
from engine.rng import Rng


class Notes:
    """What seats chose, as sparse rows of features, and what it came to."""

    def __init__(self) -> None:
        self.parts = BytesWriter()  # a byte for each row: its network
        self.targets = BytesWriter()  # 32 bits: what was to be expected, out of ONE
        self.counts = BytesWriter()  # 16 bits: numbers that are not nought
        self.places = BytesWriter()  # 16 bits for each
        self.numbers = BytesWriter()  # 16 bits for each

    def add_row(self, value: Value, part: i64) -> None:
        """Note the features that the value judged last."""
        row = value._row
        count: i64 = 0
        at: i64 = 0
        while at < value.features:
            if row[at]:
                write_i16_le(self.places, i16(at))
                write_i16_le(self.numbers, i16(row[at]))
                count += 1
            at += 1
        self.parts.append(u8(part))
        write_i16_le(self.counts, i16(count))


class Explore:
    """How far from the best choice self-play strays."""

    def __init__(self, noise: float, at_random: float, worlds: int, keep: float) -> None:
        self.noise: i64 = max(1, int(noise * ONE))  # added to a value, at most
        self.at_random: i64 = int(at_random * 1000)  # of a thousand decisions
        self.worlds = worlds
        self.keep: i64 = int(keep * 1000)  # lambda: how much of later returns is kept


def play_game(state: State, value: Value, explore: Explore, rng: Rng, notes: Notes) -> None:
    """Play one game, and note every choice with its lambda-return."""
    seats: list[int] = []  # of the rows noted, in their order
    values: list[int] = []
    while pending := state.pending():
        chosen: list[int] = []
        for seat in pending:
            action, worth = _choose(state, seat, value, explore, rng)
            chosen.append(action)
            if worth >= 0:
                notes.add_row(value, value._part)
                seats.append(seat)
                values.append(worth)
        for place, seat in enumerate(pending):
            state.apply(seat, chosen[place])
    next = [int(outcome(state, seat)) for seat in range(state.players)]
    targets = [0 for _ in seats]
    for at in range(len(seats) - 1, -1, -1):
        seat = seats[at]
        target: i64 = next[seat]
        targets[at] = target
        next[seat] = (explore.keep * target + (1000 - explore.keep) * i64(values[at])) // 1000
    for target_ in targets:
        write_i32_le(notes.targets, i32(target_))


def _choose(state: State, seat: i64, value: Value, explore: Explore, rng: Rng) -> tuple[int, int]:
    """An action, and what it is worth; -1 if the game ends by it. Its features are left in row.

    Chosen by what the seat knows; noted is what the action then leads to.
    """
    actions = state.legal(seat)
    if hides_nothing(state):
        sums = value.weigh_view(state, seat, actions, 1, rng)
        scale: i64 = 1
    else:
        view = state.view(seat)
        sums = value.weigh_view(view, seat, actions, explore.worlds, rng)
        scale = explore.worlds
    for place in range(len(sums)):
        sums[place] += rng.below(explore.noise * scale)
    at = first_best(sums)
    if rng.below(1000) < explore.at_random:
        at = rng.below(len(actions))
    future = state.after(seat, actions[at])
    if not future.pending():
        return actions[at], -1
    return actions[at], value.judge(future, seat)


def play_duel(state: State, values: list[Value], worlds: int, rng: Rng) -> None:
    """Play a game to its end, every seat by a value of its own."""
    while pending := state.pending():
        chosen = [values[seat].choose(state, seat, worlds, rng) for seat in pending]
        for place, seat in enumerate(pending):
            state.apply(seat, chosen[place])
