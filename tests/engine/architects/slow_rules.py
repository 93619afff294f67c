"""The rules of Architects once more, slow and plain: options are found by trying all combinations.

The rules ask for every choice and every shuffle through the two callables of the table. Cards and
tokens are their names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from typing import Any

from tests.engine.architects.slow_box import (
    ARMED_BY,
    BATTLE_MEDAL,
    BLUE_POINTS,
    COLOURS,
    CONFLICT_TOKENS,
    CULTURE_POINTS,
    GREEN,
    GREY,
    HORNED,
    HORNS,
    KINDS,
    MEDALS,
    STAGES,
)

# --- The table ----------------------------------------------------------------------------------


@dataclass
class Seat:
    """What one player has."""

    wonder: str
    cards: Counter[str] = field(default_factory=Counter)
    face_down: list[str] = field(default_factory=list)  # from Rome, oldest first
    stages: set[int] = field(default_factory=set)
    tokens: list[str] = field(default_factory=list)
    armed: set[str] = field(default_factory=set)
    used: set[str] = field(default_factory=set)
    military: int = 0
    medals: int = 0


@dataclass
class Table:
    """The whole game, and whom to ask.

    ``choose(seat, prompt, options)`` answers a question of two options or more;
    ``shuffle(deck, cards)`` gives the cards of a deck in their new order.
    """

    seats: list[Seat]
    decks: list[list[str]]  # top first
    centre: list[str]  # top first
    face_up: list[str]
    stack: list[str]  # top first
    medals: list[str | None]  # [i] lies between seat i and the seat to its left; None: claimed
    centre_medals: list[str]
    choose: Callable[[int, str, list[str]], str]
    shuffle: Callable[[int, list[str]], list[str]]
    cat: int | None = None
    at_war: int = 0  # conflict tokens on their battle side
    discard: Counter[str] = field(default_factory=Counter)


def lay_out(
    wonders: Sequence[str],
    deal: dict[str, Any],
    choose: Callable[[int, str, list[str]], str],
    shuffle: Callable[[int, list[str]], list[str]],
) -> Table:
    """The table as it stands before the first turn."""
    return Table(
        seats=[Seat(wonder) for wonder in wonders],
        decks=[list(deck) for deck in deal["decks"]],
        centre=list(deal["centre"]),
        face_up=list(deal["progress"][:3]),
        stack=list(deal["progress"][3:]),
        medals=list(deal["medals"]) or [None] * len(wonders),
        centre_medals=list(deal["centre_medals"]),
        choose=choose,
        shuffle=shuffle,
    )


def left_of(table: Table, i: int) -> int:
    return (i + 1) % len(table.seats)


def right_of(table: Table, i: int) -> int:
    return (i - 1) % len(table.seats)


def ask(table: Table, i: int, prompt: str, options: Iterable[str]) -> str:
    """The answer of seat ``i``; where there is only one, nobody is asked."""
    listed = list(options)
    assert listed, f"the referee is broken: nothing to answer to {prompt}"
    assert len(set(listed)) == len(listed), f"the referee is broken: twice the same in {listed}"
    return listed[0] if len(listed) == 1 else table.choose(i, prompt, listed)


def census(table: Table) -> Counter[str]:
    """Every card in the game, wherever it is."""
    cards = Counter(table.centre) + table.discard
    for deck in table.decks:
        cards += Counter(deck)
    for seat in table.seats:
        cards += seat.cards + Counter(seat.face_down)
    return cards


# --- Cards, decks, tokens -----------------------------------------------------------------------


def gain(table: Table, i: int, card: str) -> None:
    """A card comes before seat ``i``: its icon works, tokens arm, medals are claimed."""
    seat = table.seats[i]
    seat.cards[card] += 1
    if card == "civ2cat":
        table.cat = i
    flip(table, HORNS.get(card, 0))
    for token, kinds in ARMED_BY.items():
        if card in kinds:
            arm(seat, token)
    claim(table, i)


def flip(table: Table, horns: int) -> None:
    """Turn conflict tokens to battle, as far as there are any left at peace."""
    table.at_war = min(table.at_war + horns, CONFLICT_TOKENS[len(table.seats)])


def arm(seat: Seat, token: str) -> None:
    if ready(seat, token):
        seat.armed.add(token)


def ready(seat: Seat, token: str) -> bool:
    """Owned, and not used yet in this turn."""
    return token in seat.tokens and token not in seat.used


def throw_away(table: Table, i: int, cards: Iterable[str]) -> None:
    for card in cards:
        assert table.seats[i].cards[card] > 0, f"the referee is broken: no {card} to discard"
        table.seats[i].cards[card] -= 1
        table.discard[card] += 1


def available(table: Table, i: int) -> dict[str, list[str]]:
    """The decks seat ``i`` may draw from, without the empty ones."""
    decks = {
        "left": table.decks[i],
        "right": table.decks[right_of(table, i)],
        "centre": table.centre,
    }
    return {name: deck for name, deck in decks.items() if deck}


def draw(table: Table, i: int) -> None:
    """One of the three available cards, if there is any."""
    menu = {f"take {name}": deck for name, deck in available(table, i).items()}
    if menu:
        gain(table, i, menu[ask(table, i, "draw", menu)].pop(0))


def take_progress(table: Table, i: int) -> None:
    """One of the face-up Progress tokens or the top of the stack, if any is left."""
    menu = [f"token {token}" for token in sorted(set(table.face_up))]
    if table.stack:
        menu.append("token stack")
    if not menu:
        return
    token = ask(table, i, "progress", menu).removeprefix("token ")
    if token == "stack":
        token = table.stack.pop(0)
    else:
        table.face_up.remove(token)
        if table.stack:
            table.face_up.append(table.stack.pop(0))
    table.seats[i].tokens.append(token)
    claim(table, i)


# --- Building -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Payment:
    """The cards for a stage, and the tokens used along with them."""

    cards: tuple[str, ...]
    by: tuple[str, ...]


def open_stages(seat: Seat) -> list[int]:
    """Stages not built yet whose supports all stand."""
    return [
        number
        for number, stage in STAGES[seat.wonder].items()
        if number not in seat.stages and stage.rests_on <= seat.stages
    ]


def handfuls(seat: Seat, size: int) -> list[tuple[str, ...]]:
    """All different ways to take ``size`` of the grey cards held."""
    held = [kind for kind in GREY for _ in range(seat.cards[kind])]
    return list(dict.fromkeys(combinations(held, size)))


def fits(cards: tuple[str, ...], sign: str) -> bool:
    """Whether grey cards obey the sign of a cost: all different, or all identical."""
    return len(set(cards)) == len(cards) if sign == "≠" else len(set(cards)) <= 1


def add_coins(seat: Seat, cards: tuple[str, ...], size: int, by: tuple[str, ...]) -> list[Payment]:
    """The missing part paid by coin cards; no payment at all if they do not suffice."""
    coins = size - len(cards)
    if coins >= 2 and ready(seat, "economy"):
        coins -= 1
        by = ("economy", *by)
    return [Payment((*cards, *["coin"] * coins), by)] if coins <= seat.cards["coin"] else []


def standard_payments(seat: Seat, cost: str) -> list[Payment]:
    """As many fitting grey cards as possible, coins for what is missing."""
    size, sign = int(cost[0]), cost[1]
    most = max(n for n in range(size + 1) if any(fits(h, sign) for h in handfuls(seat, n)))
    fitting = [cards for cards in handfuls(seat, most) if fits(cards, sign)]
    return [payment for cards in fitting for payment in add_coins(seat, cards, size, ())]


def engineering_payments(seat: Seat, cost: str) -> list[Payment]:
    """Payments that heed no sign, without those that need no Engineering."""
    if not ready(seat, "engineering"):
        return []
    size = int(cost[0])
    most = min(size, sum(seat.cards[kind] for kind in GREY))
    usual = [payment.cards for payment in standard_payments(seat, cost)]
    return [
        payment
        for cards in handfuls(seat, most)
        for payment in add_coins(seat, cards, size, ("engineering",))
        if payment.cards not in usual
    ]


def build(table: Table, i: int, number: int, payment: Payment) -> None:
    """Pay for a stage, build it, and let the wonder's effect happen."""
    seat = table.seats[i]
    throw_away(table, i, payment.cards)
    seat.used.update(payment.by)
    seat.stages.add(number)
    arm(seat, "architecture")
    claim(table, i)
    if STAGES[seat.wonder][number].effect and seat.wonder in EFFECTS:
        EFFECTS[seat.wonder](table, i)


# --- Wonder effects (Giza has none; Rhodes' shields are counted at the battle) ------------------


def alexandria(table: Table, i: int) -> None:
    """The top of any deck on the table."""
    menu = {f"take deck {d}": deck for d, deck in enumerate(table.decks) if deck}
    if table.centre:
        menu["take centre"] = table.centre
    if menu:
        gain(table, i, menu[ask(table, i, "any", menu)].pop(0))


def ephesus(table: Table, i: int) -> None:
    """The top of the centre."""
    if table.centre:
        gain(table, i, table.centre.pop(0))


def halicarnassus(table: Table, i: int) -> None:
    """One of the top five of a deck at the side; the rest of that deck is shuffled."""
    sides = {"look left": i, "look right": right_of(table, i)}
    sides = {text: d for text, d in sides.items() if table.decks[d]}
    if not sides:
        return
    d = sides[ask(table, i, "side", sides)]
    looked_at = sorted(set(table.decks[d][:5]))
    card = ask(table, i, "pick", [f"keep {kind}" for kind in looked_at]).removeprefix("keep ")
    table.decks[d].remove(card)
    gain(table, i, card)
    table.decks[d][:] = table.shuffle(d, list(table.decks[d]))


def olympia(table: Table, i: int) -> None:
    """The tops of both decks at the sides, left first."""
    for d in (i, right_of(table, i)):
        if table.decks[d]:
            gain(table, i, table.decks[d].pop(0))


def rome(table: Table, i: int) -> None:
    """A card of an opponent, who gets the top of the centre face down for it."""
    menu = {
        f"steal {victim} {kind}": (victim, kind)
        for victim in range(len(table.seats))
        for kind in KINDS
        if victim != i and table.seats[victim].cards[kind] > 0
    }
    if not menu:
        return
    victim, kind = menu[ask(table, i, "steal", menu)]
    table.seats[victim].cards[kind] -= 1
    gain(table, i, kind)
    if table.centre:
        table.seats[victim].face_down.append(table.centre.pop(0))


def ur(table: Table, i: int) -> None:
    """The Cat, and one more card."""
    table.cat = i
    claim(table, i)
    draw(table, i)


EFFECTS: dict[str, Callable[[Table, int], None]] = {
    "alexandria": alexandria,
    "babylon": take_progress,
    "ephesus": ephesus,
    "halicarnassus": halicarnassus,
    "olympia": olympia,
    "rome": rome,
    "ur": ur,
}


# --- The turn -----------------------------------------------------------------------------------

Menu = dict[str, Callable[[], None]]


def builds(table: Table, i: int, payments: Callable[[Seat, str], list[Payment]]) -> Menu:
    """The ``build`` options by one manner of payment."""
    seat = table.seats[i]
    menu: Menu = {}
    for number in open_stages(seat):
        for payment in payments(seat, STAGES[seat.wonder][number].cost):
            text = f"build {number} with {'+'.join(payment.cards)}"
            if payment.by:
                text += f" by {'+'.join(payment.by)}"
            menu[text] = partial(build, table, i, number, payment)
    return menu


def study(table: Table, i: int, symbols: tuple[str, ...]) -> None:
    throw_away(table, i, symbols)
    take_progress(table, i)


def studies(table: Table, i: int) -> Menu:
    """The sets of green cards that may be given for a Progress token."""
    if not table.face_up and not table.stack:
        return {}
    held = table.seats[i].cards
    sets = [(kind, kind) for kind in GREEN if held[kind] >= 2]
    menu: Menu = {f"study {'+'.join(pair)}": partial(study, table, i, pair) for pair in sets}
    if all(held[kind] for kind in GREEN):
        menu[f"study {'+'.join(GREEN)}"] = partial(study, table, i, GREEN)
    return menu


def extra(table: Table, i: int, token: str, deck: list[str]) -> None:
    seat = table.seats[i]
    seat.armed.remove(token)
    seat.used.add(token)
    gain(table, i, deck.pop(0))


def extras(table: Table, i: int) -> Menu:
    """The extra cards that armed tokens allow."""
    return {
        f"extra {token} take {name}": partial(extra, table, i, token, deck)
        for token in sorted(table.seats[i].armed)
        for name, deck in available(table, i).items()
    }


def end_turn() -> None:
    """What the option ``end`` does by itself: nothing."""


def act(table: Table, i: int) -> None:
    """Actions until the seat may end its turn and does."""
    choice = ""
    while choice != "end":
        mandatory = builds(table, i, standard_payments) | studies(table, i)
        menu = mandatory | builds(table, i, engineering_payments) | extras(table, i)
        if not mandatory:
            menu["end"] = end_turn
        choice = ask(table, i, "act", menu)
        menu[choice]()


def turn(table: Table, i: int) -> None:
    """The turn of seat ``i``, with the battle it may bring."""
    seat = table.seats[i]
    seat.armed.clear()
    seat.used.clear()
    claim(table, i)
    while seat.face_down:
        gain(table, i, seat.face_down.pop(0))
    draw(table, i)
    act(table, i)
    if table.at_war == CONFLICT_TOKENS[len(table.seats)]:
        battle(table, i)


def play_out(table: Table) -> None:
    """The game from the first turn to the last."""
    cards = census(table)
    i = 0
    while True:
        turn(table, i)
        assert census(table) == cards, "the referee is broken: cards came or went"
        if over(table):
            return
        i = left_of(table, i)


def over(table: Table) -> bool:
    return any(finished(seat) for seat in table.seats) or not any([*table.decks, table.centre])


def finished(seat: Seat) -> bool:
    return len(seat.stages) == len(STAGES[seat.wonder])


# --- Battle and medals --------------------------------------------------------------------------


def shields(seat: Seat) -> int:
    total = sum(seat.cards[kind] for kind in COLOURS["red"])
    if seat.wonder == "rhodes":
        total += sum(STAGES["rhodes"][number].effect for number in seat.stages)
    if "tactics" in seat.tokens:
        total += 2
    return total


def won(table: Table, i: int) -> int:
    """The military tokens seat ``i`` gets in a battle fought now."""
    mine = shields(table.seats[i])
    theirs = [shields(table.seats[j]) for j in (left_of(table, i), right_of(table, i))]
    if len(table.seats) > 2:
        return sum(mine > other for other in theirs)
    if mine <= theirs[0]:
        return 0
    return 2 if mine >= 2 * theirs[0] else 1


def battle(table: Table, active: int) -> None:
    """Everybody against their neighbours."""
    spoils = [won(table, i) for i in range(len(table.seats))]
    for seat, tokens in zip(table.seats, spoils, strict=True):
        seat.military += tokens
    claim_battle_medal(table, spoils)
    for i, seat in enumerate(table.seats):
        if "entrenchment" not in seat.tokens:
            throw_away(table, i, [kind for kind in HORNED for _ in range(seat.cards[kind])])
    table.at_war = 0
    seats = len(table.seats)
    for i in [*range(active, seats), *range(active)]:
        claim(table, i)


def facts(table: Table, i: int, spoils: int) -> Counter[str]:
    """All that medals ask about; ``spoils`` are the tokens of a battle just fought."""
    seat = table.seats[i]
    found = Counter({c: sum(seat.cards[k] for k in kinds) for c, kinds in COLOURS.items()})
    found["cards"] = sum(seat.cards.values())
    found["cat icons"] = seat.cards["civ2cat"]
    found["horned"] = sum(seat.cards[kind] for kind in HORNED)
    found["stages"] = len(seat.stages)
    found["cat"] = int(table.cat == i)
    found["progress"] = len(seat.tokens)
    found["military"] = seat.military
    found["won at once"] = spoils
    return found


def fulfils(table: Table, i: int, medal: str, spoils: int = 0) -> bool:
    found = facts(table, i, spoils)
    return all(found[what] >= least for what, least in MEDALS[medal].items())


def claim(table: Table, i: int) -> None:
    """In its turn, and after a battle, a seat takes what it fulfils: left, right, the centre."""
    seat = table.seats[i]
    for place in (i, right_of(table, i)):
        medal = table.medals[place]
        if medal is not None and fulfils(table, i, medal):
            table.medals[place] = None
            seat.medals += 1
    for medal in list(table.centre_medals):
        if fulfils(table, i, medal):
            table.centre_medals.remove(medal)
            seat.medals += 1


def claim_battle_medal(table: Table, spoils: list[int]) -> None:
    """The medal for two tokens at once goes to a seat beside it, or from the centre to all."""
    heroes = [i for i, n in enumerate(spoils) if fulfils(table, i, BATTLE_MEDAL, n)]
    for i in heroes:
        for place in (i, right_of(table, i)):
            if table.medals[place] == BATTLE_MEDAL:
                table.medals[place] = None
                table.seats[i].medals += 1
    if heroes and BATTLE_MEDAL in table.centre_medals:
        table.centre_medals.remove(BATTLE_MEDAL)
        for i in heroes:
            table.seats[i].medals += 1


# --- Score --------------------------------------------------------------------------------------


def token_points(seat: Seat) -> int:
    """What the Progress tokens are worth at the end."""
    points = CULTURE_POINTS[seat.tokens.count("culture")]
    if "decor" in seat.tokens:
        points += 6 if finished(seat) else 4
    if "politics" in seat.tokens:
        points += seat.cards["civ2cat"]
    if "strategy" in seat.tokens:
        points += seat.military
    if "education" in seat.tokens:
        points += 2 * len(seat.tokens)
    if "logistics" in seat.tokens:
        points += 2 * sum(seat.cards[kind] for kind in GREY)
    return points


def score(table: Table, i: int) -> dict[str, int]:
    seat = table.seats[i]
    points = {
        "wonder": sum(STAGES[seat.wonder][number].points for number in seat.stages),
        "cat": 2 if table.cat == i else 0,
        "blue": sum(seat.cards[kind] * each for kind, each in BLUE_POINTS.items()),
        "military": 3 * seat.military,
        "progress": token_points(seat),
        "medals": 4 * seat.medals,
    }
    return points | {"total": sum(points.values())}


def results(table: Table) -> tuple[list[dict[str, int]], list[int]]:
    """The scores, and how many seats are ahead of each."""
    scores = [score(table, i) for i in range(len(table.seats))]
    keys = [(s["total"], len(p.stages)) for s, p in zip(scores, table.seats, strict=True)]
    return scores, [sum(other > mine for other in keys) for mine in keys]
