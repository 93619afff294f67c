"""What a seat cannot see in 7 Wonders, done by hand on a dumped state."""

import json
from collections import Counter
from typing import Any

from engine.errors import DumpError
from engine.rng import Rng
from engine.seven.components.lookup import CARDS, EDITION_CARDS
from engine.seven.components.rows import GUILD
from engine.seven.game import SEVEN

BUILT, SOLD, LEFT_OVER = 1, 3, 4


def scramble(dump: str, seat: int, rng: Rng) -> str:
    """Lay anew much of what is hidden from the seat, and nothing else."""
    table = Table(json.loads(dump), seat, rng)
    table.forget_commits()
    table.deal_later_ages()
    for age in range(table.age + 1):
        table.exchange_unseen(age)
    text = table.text()
    try:
        SEVEN.load(text)
    except DumpError as problem:
        # A seat that has no choice now would have committed already: keep the cards as they are.
        if "a choice for" not in str(problem):
            raise
        return dump
    return text


class Table:
    """A dumped state taken apart."""

    def __init__(self, facts: dict[str, Any], seat: int, rng: Rng) -> None:
        self.facts, self.seat, self.rng = facts, seat, rng
        self.n = len(facts["wonders"])
        self.age = facts["age"]
        deal = list(bytes.fromhex(facts["deal"]))
        self.hands = [deal[at : at + 7] for at in range(0, len(deal), 7)]
        self.log = list(bytes.fromhex(facts["log"]))
        self.taken = list(bytes.fromhex(facts["revived"]))[::2]

    def text(self) -> str:
        self.facts["deal"] = bytes(card for hand in self.hands for card in sorted(hand)).hex()
        self.facts["log"] = bytes(self.log).hex()
        return json.dumps(self.facts, separators=(",", ":"))

    def forget_commits(self) -> None:
        """Nobody else has answered, unless there was nothing to choose."""
        for other in range(self.n):
            if other != self.seat and not self.is_forced(other):
                self.facts["commits"][other] = -1

    def is_forced(self, other: int) -> bool:
        if self.facts["phase"] != "play":
            return False
        clean = dict(self.facts, commits=[-1] * self.n)
        try:
            SEVEN.load(json.dumps(clean, separators=(",", ":")))
        except DumpError as problem:
            return f"seat {other}" in str(problem)
        return False

    def deal_later_ages(self) -> None:
        for age in range(self.age + 1, 3):
            hands = range(age * self.n, (age + 1) * self.n)
            cards = [card for hand in hands for card in self.hands[hand]]
            if age == 2:
                cards = self.other_guilds(cards)
            for hand in hands:
                self.hands[hand] = [cards.pop(self.rng.below(len(cards))) for _ in range(7)]

    def other_guilds(self, cards: list[int]) -> list[int]:
        edition = 0 if self.facts["edition"] == "1st" else 1
        guilds = [row for row in EDITION_CARDS[edition] if CARDS[row].copies == GUILD]
        rest = [card for card in cards if card not in guilds]
        chosen = [guilds.pop(self.rng.below(len(guilds))) for _ in range(len(cards) - len(rest))]
        return rest + chosen

    def holder(self, age: int, turn: int, hand: int) -> int:
        turn = min(turn, 5)
        return (hand - turn if age == 1 else hand + turn) % self.n

    def rounds(self, age: int) -> int:
        return 7 if age < self.age else len(self.log) // 3 // self.n - 7 * age

    def looks(self, age: int, hand: int) -> list[int]:
        last = 5 if age < self.age else min(self.facts["turn"], 5)
        return [t for t in range(last + 1) if self.holder(age, t, hand) == self.seat]

    def entry(self, age: int, turn: int, hand: int) -> int:
        return (age * 7 + turn) * self.n + self.holder(age, turn, hand)

    def is_secret(self, entry: int) -> bool:
        """A card the seat has not seen leave, and that no revival hangs on."""
        card, kind = self.log[3 * entry], self.log[3 * entry + 1]
        if kind == BUILT or entry % self.n == self.seat or entry in self.taken:
            return False
        watcher = self.facts["wonders"][self.seat].startswith("halikarnassos")
        seen = watcher and entry < self.facts["peeked"] and kind in (SOLD, LEFT_OVER)
        return not seen and card not in self.revived_cards()

    def revived_cards(self) -> list[int]:
        return list(bytes.fromhex(self.facts["revived"]))[1::2]

    def exchange_unseen(self, age: int) -> None:
        """Mix what never came by with itself, and what came by with what went unseen after."""
        free: list[tuple[int, int]] = []
        for hand in range(self.n):
            looks = self.looks(age, hand)
            secret = [
                t for t in range(self.rounds(age)) if self.is_secret(self.entry(age, t, hand))
            ]
            first = looks[0] if looks else 99
            free += [(hand, self.entry(age, t, hand)) for t in secret if t < first]
            if not looks:
                continue
            between = [t for t in secret if first <= t < looks[-1]]
            self.permute([self.entry(age, t, hand) for t in between])
            # Whatever is still in the hand may have been played in place of what was.
            for turn in [t for t in secret if t >= looks[-1]]:
                rest = self.rest(age, hand)
                if rest and self.reserved(age, hand):
                    at = 3 * self.entry(age, turn, hand)
                    self.log[at] = rest[self.rng.below(len(rest))]
        self.shift(age, free)

    def reserved(self, age: int, hand: int) -> bool:
        """Whether the hand may change: a commit of its holder would name a card of it."""
        holder = self.holder(age, self.facts["turn"], hand)
        return age == self.age and bool(self.facts["commits"][holder] == -1)

    def rest(self, age: int, hand: int) -> list[int]:
        left = Counter(self.hands[age * self.n + hand])
        for turn in range(self.rounds(age)):
            left[self.log[3 * self.entry(age, turn, hand)]] -= 1
        return [card for card in left.elements() if card not in self.revived_cards()]

    def permute(self, entries: list[int]) -> None:
        cards = [self.log[3 * entry] for entry in entries]
        for entry in entries:
            self.log[3 * entry] = cards.pop(self.rng.below(len(cards)))

    def shift(self, age: int, free: list[tuple[int, int]]) -> None:
        """Exchange cards that left different hands before the seat saw them."""
        cards = [self.log[3 * entry] for _, entry in free]
        for hand, entry in free:
            new = cards.pop(self.rng.below(len(cards)))
            row = self.hands[age * self.n + hand]
            row.remove(self.log[3 * entry])
            row.append(new)
            self.log[3 * entry] = new
