"""The rules the slow and obvious way: texts, lists and dictionaries; a judge of recorded games."""

from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any

from engine.seven.components.lookup import (
    BOARD_IDS,
    BOARDS,
    CARD_IDS,
    CARDS,
    EDITION_CARDS,
    NAME,
    NAMES,
)
from engine.seven.components.rows import (
    COINS,
    COINS_EACH,
    FREE_COLOUR,
    FREE_FIRST,
    FREE_ONCE,
    FREE_SIXTH,
    LAST_CARD,
    POWER,
    REVIVE,
    SHIELDS,
    STAGES,
    Card,
    Gives,
)
from tests.engine.seven import slow_trade

Ask = tuple[int, str, set[str]]
Asking = Generator[Ask, str, None]  # each question is sent its answer


@dataclass
class Town:
    """A city: its board, its cards by row, and its numbers."""

    board: int
    rows: list[int] = field(default_factory=list)
    stages: int = 0
    coins: int = 3
    victories: int = 0
    defeats: int = 0
    freed: list[int] = field(default_factory=list)

    def cards(self) -> list[Card]:
        return [CARDS[row] for row in self.rows]

    def gives(self) -> list[Gives]:
        built = [stage.gives for stage in BOARDS[self.board].stages[: self.stages]]
        return [card.gives for card in self.cards()] + built

    def sum(self, kind: str) -> int:
        return sum(e.amount for gives in self.gives() for e in gives if e.kind == kind)

    def has(self, power: int) -> bool:
        return any(e.kind == POWER and e.amount == power for g in self.gives() for e in g)

    def names(self) -> set[str]:
        return {name_of(row) for row in self.rows}

    def market(self) -> slow_trade.City:
        return slow_trade.City(self.board, self.stages, self.rows)


def name_of(row: int) -> str:
    return NAMES[NAME[row]]


def count_things(towns: list[Town], seat: int, where: int, what: tuple[int, ...]) -> int:
    """How many of these things lie in the own city and beside it."""
    n = len(towns)
    looked = [s for bit, s in ((1, seat), (2, (seat + 1) % n), (4, (seat - 1) % n)) if where & bit]
    total = 0
    for town in (towns[s] for s in looked):
        if what == (STAGES,):
            total += town.stages
        else:
            total += sum(card.colour in what for card in town.cards())
    return total


class Judge:
    """A game played from its deal; it asks, and is told the answers."""

    def __init__(self, facts: dict[str, Any]) -> None:
        self.towns = [Town(BOARD_IDS.index(wonder)) for wonder in facts["wonders"]]
        self.n = len(self.towns)
        cards = EDITION_CARDS[0 if facts["edition"] == "1st" else 1]
        rows = {CARD_IDS[row]: row for row in cards}
        self.deal = [[[rows[id] for id in hand] for hand in age] for age in facts["deal"]["hands"]]
        self.pile: list[int] = []
        self.age = self.turn = 0
        self.hands: list[list[int]] = []
        self.due: list[int] = []

    def play(self) -> Asking:
        """Ask every question that has more than one answer; each is sent its answer."""
        for self.age in range(3):
            self.hands = [list(hand) for hand in self.deal[self.age]]
            for self.turn in range(6):
                yield from self.ask_all()
                if self.turn < 5:
                    yield from self.revive()
                    step = -1 if self.age == 1 else 1
                    self.hands = [self.hands[(s - step) % self.n] for s in range(self.n)]
            self.turn = 6
            yield from self.ask_last()
            self.pile += [row for hand in self.hands for row in hand]
            yield from self.revive()
            self.fight()

    def ask_all(self) -> Asking:
        options = [self.options(seat) for seat in range(self.n)]
        answers = {}
        for seat in range(self.n):
            if len(options[seat]) == 1:
                answers[seat] = next(iter(options[seat]))
            else:
                answers[seat] = yield seat, "play", options[seat]
        self.resolve(answers)

    def ask_last(self) -> Asking:
        for seat, town in enumerate(self.towns):
            if town.has(LAST_CARD):
                answer = yield seat, "last", self.options(seat) | {"pass"}
                if answer != "pass":
                    self.resolve({seat: answer})

    def revive(self) -> Asking:
        for seat in self.due:
            town = self.towns[seat]
            names = {name_of(row) for row in self.pile} - town.names()
            if names:
                answer = yield seat, "revive", {f"revive {name}" for name in names} | {"pass"}
                if answer != "pass":
                    row = next(r for r in self.pile if name_of(r) == answer.split()[1])
                    self.pile.remove(row)
                    town.rows.append(row)
                    self.earn(seat, CARDS[row].gives)
        self.due = []

    def options(self, seat: int) -> set[str]:
        found = set()
        for row in self.hands[seat]:
            name = name_of(row)
            found.add(f"sell {name}")
            builds = self.builds(seat, row)
            found |= {self.write("build", name, pay) for pay in builds}
            found |= {self.write("stage", name, pay) for pay in self.stage_payments(seat)}
            town = self.towns[seat]
            if town.has(FREE_ONCE) and self.age not in town.freed and name not in town.names():
                if not ((0, 0) in builds and self.bank(seat, row) == 0):
                    found.add(f"free {name}")
        return found

    def write(self, verb: str, name: str, pay: tuple[int, int]) -> str:
        return f"{verb} {name}" + (f" pay {pay[0]}+{pay[1]}" if pay != (0, 0) else "")

    def is_free(self, seat: int, row: int) -> bool:
        town = self.towns[seat]
        if any(CARDS[row].name in card.chains for card in town.cards()):
            return True
        if town.has(FREE_COLOUR) and CARDS[row].colour not in {c.colour for c in town.cards()}:
            return True
        first = town.has(FREE_FIRST) and self.turn == 0
        return first or (town.has(FREE_SIXTH) and self.turn == 5)

    def bank(self, seat: int, row: int) -> int:
        return 0 if self.is_free(seat, row) else CARDS[row].cost.count("$")

    def builds(self, seat: int, row: int) -> list[tuple[int, int]]:
        if name_of(row) in self.towns[seat].names():
            return []
        if self.is_free(seat, row):
            return [(0, 0)]
        return self.payments(seat, CARDS[row].cost.replace("$", ""), self.bank(seat, row))

    def stage_payments(self, seat: int) -> list[tuple[int, int]]:
        town = self.towns[seat]
        stages = BOARDS[town.board].stages
        return self.payments(seat, stages[town.stages].cost) if town.stages < len(stages) else []

    def payments(self, seat: int, cost: str, bank: int = 0) -> list[tuple[int, int]]:
        own, left, right = (self.towns[(seat + step) % self.n].market() for step in (0, 1, -1))
        purse = self.towns[seat].coins - bank
        return slow_trade.payments(cost, own, left, right, purse) if purse >= 0 else []

    def resolve(self, answers: dict[int, str]) -> None:
        """Pay, place, earn: each for all seats before the next."""
        placed: list[tuple[int, Gives]] = []
        moves = {seat: self.take(seat, answer) for seat, answer in answers.items()}
        for seat, (verb, row, left, right) in moves.items():
            town = self.towns[seat]
            if verb == "build":
                town.coins -= self.bank(seat, row)
            if verb == "free":
                town.freed.append(self.age)
            town.coins += 3 * (verb == "sell") - left - right
            self.towns[(seat + 1) % self.n].coins += left
            self.towns[(seat - 1) % self.n].coins += right
        for seat, (verb, row, _, _) in moves.items():
            town = self.towns[seat]
            if verb == "sell":
                self.pile.append(row)
            elif verb == "stage":
                gives = BOARDS[town.board].stages[town.stages].gives
                town.stages += 1
                placed.append((seat, gives))
                if any(e.kind == POWER and e.amount == REVIVE for e in gives):
                    self.due.append(seat)
            else:
                town.rows.append(row)
                placed.append((seat, CARDS[row].gives))
        for seat, gives in placed:
            self.earn(seat, gives)

    def take(self, seat: int, answer: str) -> tuple[str, int, int, int]:
        words = answer.split()
        row = next(row for row in self.hands[seat] if name_of(row) == words[1])
        self.hands[seat].remove(row)
        left, right = (int(x) for x in words[3].split("+")) if len(words) > 2 else (0, 0)
        return words[0], row, left, right

    def earn(self, seat: int, gives: Gives) -> None:
        for e in gives:
            if e.kind == COINS:
                self.towns[seat].coins += e.amount
            elif e.kind == COINS_EACH:
                self.towns[seat].coins += e.amount * count_things(self.towns, seat, e.where, e.what)

    def fight(self) -> None:
        for seat, town in enumerate(self.towns):
            for step in (1, -1):
                other = self.towns[(seat + step) % self.n]
                if town.sum(SHIELDS) > other.sum(SHIELDS):
                    town.victories += (1, 3, 5)[self.age]
                elif town.sum(SHIELDS) < other.sum(SHIELDS):
                    town.defeats += 1
