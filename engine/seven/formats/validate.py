"""Whether any game comes to what a dump claims: its log is played through to be believed."""

from typing import NoReturn

from librt.vecs import vec
from mypy_extensions import i64, u8

from engine.errors import ArenaError, DumpError
from engine.rng import Rng
from engine.seven.actions import (
    ACTIONS,
    BUILD,
    FREE,
    LAST,
    LEFT_SHIFT,
    OVER,
    PAY_BITS,
    PAY_WIDTH,
    PHASES,
    PLAY,
    REVIVING,
    RIGHT_SHIFT,
    STAGE,
    UNDECIDED,
    is_among,
)
from engine.seven.battle import fight
from engine.seven.build import earn, place_building
from engine.seven.components.lookup import (
    AGES,
    CARD_COUNT,
    COLOUR,
    GUILDS,
    HAND,
    HIDDEN,
    NAME,
    NAME_PLACES,
    NONE,
    deck,
)
from engine.seven.components.rows import PURPLE
from engine.seven.knowledge.imagine import imagine_state
from engine.seven.knowledge.redact import redact_state, swap_card
from engine.seven.options import add_options, add_plays, new_option_buffer
from engine.seven.powers import add_revivals, in_pile, last_card_player
from engine.seven.state import (
    BUILT,
    BURIED,
    CARD,
    ENTRY,
    KIND,
    LEFT_OVER,
    MIXED,
    PAY,
    REVIVALS,
    ROUNDS,
    SOLD,
    SevenPosition,
    entries,
    hand_at,
)
from engine.seven.turn import NOTHING_AT_ALL, asked, carry_out, is_committed


def refuse(expected: str, got: str) -> NoReturn:
    """DumpError, with what was expected and what came."""
    raise DumpError(f"expected {expected}, got {got}")


def check_deal(p: SevenPosition) -> None:
    """Every Age has the cards of its deck, and two guilds more than players; or may have."""
    size = p.players * HAND
    copies = vec[u8]([0 for _ in range(HIDDEN + 1)])
    for age in range(AGES):
        cards = deck(p.edition, age, p.players)
        for row in range(HIDDEN):
            copies[row] = 0
        for row in cards:
            copies[row] += 1
        for row in GUILDS[p.edition]:
            copies[row] = age == AGES - 1
        left: i64 = len(cards)
        hidden: i64 = 0
        for at in range(age * size, (age + 1) * size):
            card = i64(p.dealt[at])
            if card == HIDDEN and p.viewer >= 0:
                hidden += 1
            elif copies[card] == 0:
                refuse(f"the cards of age {age + 1}", f"card {card}, or too many of it")
            else:
                copies[card] -= 1
                left -= COLOUR[card] != PURPLE
            if at % HAND and p.dealt[at - 1] > p.dealt[at]:
                refuse("hands in order", f"card {card} out of order")
        if hidden < left:
            refuse(f"a full deck in age {age + 1}", f"{left} cards missing")


def check_hands(p: SevenPosition) -> None:
    """What was played came out of the hand it was played from."""
    n = p.players
    hands = p.dealt[:]
    for entry in range(entries(p)):
        round = entry // n
        age = round // ROUNDS
        start = (age * n + hand_at(n, age, round % ROUNDS, entry % n)) * HAND
        card = p.log[entry * ENTRY + CARD]
        if card != HIDDEN or p.viewer < 0:
            if card == NONE or not swap_card(hands, start, card, NONE):
                refuse(f"a card of the hand at entry {entry}", f"card {card}")


def play_through(p: SevenPosition, revived: vec[u8]) -> list[int]:
    """Play the log turn by turn, checking every move; say when the pile was, or may be, seen."""
    age, turn, phase = p.age, p.turn, p.phase
    rounds = entries(p) // p.players
    looks: list[int] = [0]
    options = new_option_buffer()
    for round in range(rounds):
        p.age, p.turn = round // ROUNDS, round % ROUNDS
        p.phase = LAST if p.turn == HAND - 1 else PLAY
        for seat in range(p.players):
            if not _is_possible(p, round, seat, options):
                refuse(f"a move of the rules in round {round}", f"another by seat {seat}")
        carry_out(p, round)
        p.phase = REVIVING
        if p.reviver >= 0 and p.turn != HAND - 2:
            if p.viewer >= 0 or add_revivals(p, p.reviver, options) > 1:
                looks.append(entries(p))
            if phase != REVIVING or round < rounds - 1:
                i = 2 * p.revivals
                _revive_again(p, i64(revived[i]), i64(revived[i + 1]), round)
        if p.turn == HAND - 1 and (p.age < age or phase == OVER):
            fight(p)
    p.age, p.turn, p.phase = age, turn, phase
    for i in range(2 * p.revivals, 2 * REVIVALS):
        if revived[i] != NONE:
            refuse(f"{p.revivals} revivals", f"card {revived[i]} besides")
    if (phase == REVIVING and p.reviver < 0) or (phase == LAST and last_card_player(p) < 0):
        refuse("a seat with the power to answer", f"phase {PHASES[phase]}")
    return looks


def _is_possible(p: SevenPosition, round: i64, seat: i64, options: vec[i64]) -> bool:
    """Whether the seat may make the move the log has next."""
    at = (round * p.players + seat) * ENTRY
    row = i64(p.log[at + CARD])
    kind = i64(p.log[at + KIND])
    pay = i64(p.log[at + PAY])
    if kind & MIXED and p.viewer >= 0 and kind != BUILT | MIXED and row != HIDDEN:
        kind -= MIXED
    if round % ROUNDS == HAND - 1 and (kind == LEFT_OVER or seat != last_card_player(p)):
        return kind == LEFT_OVER and pay == 0
    if kind == SOLD:
        return pay == 0
    paid = pay >> PAY_WIDTH << LEFT_SHIFT | (pay & PAY_BITS) << RIGHT_SHIFT
    if row == HIDDEN and kind == BURIED:
        row = 0  # any card will do
    if row == HIDDEN or (kind != BURIED and kind != BUILT):
        return False
    count = add_plays(p, seat, vec[u8]([u8(row)]), 0, 1, options)
    name: i64 = NAME[row]
    if kind == BURIED:
        return is_among(options, count, STAGE | name | paid)
    if pay == NOTHING_AT_ALL:
        return is_among(options, count, FREE | name)
    return is_among(options, count, BUILD | name | paid)


def _revive_again(p: SevenPosition, entry: i64, card: i64, round: i64) -> None:
    if card != NONE:
        if card >= CARD_COUNT or p.built[p.reviver * NAME_PLACES + NAME[card]]:
            refuse("a card to revive that the city lacks", f"card {card}")
        untold = entry == HIDDEN and p.viewer >= 0 and p.viewer != p.reviver
        if not untold and not _lay_there(p, entry, card, round):
            refuse("a revived card out of the pile", f"card {card} from entry {entry}")
        place_building(p, p.reviver, card)
        earn(p, p.reviver, card)
    elif entry != NONE:
        refuse("no entry for no revival", f"entry {entry}")
    p.revived[2 * p.revivals] = u8(entry)
    p.revived[2 * p.revivals + 1] = u8(card)
    p.revivals += 1
    p.reviver = -1


def _lay_there(p: SevenPosition, entry: i64, card: i64, round: i64) -> bool:
    if entry >= (round + 1) * p.players:
        return False
    return in_pile(p, entry) and i64(p.log[entry * ENTRY + CARD]) == card


def check_view(p: SevenPosition) -> None:
    """A view is what its seat would know of some whole table."""
    if p.viewer < 0:
        return
    table = SevenPosition(p)
    try:
        imagine_state(table, Rng(1))
    except ArenaError as problem:
        raise DumpError(f"{problem}") from None
    redact_state(table, p.viewer)
    if not (
        bytes(table.dealt) == bytes(p.dealt)
        and bytes(table.log) == bytes(p.log)
        and bytes(table.hands) == bytes(p.hands)
        and bytes(table.revived) == bytes(p.revived)
    ):
        refuse(f"the view of seat {p.viewer}", "what it cannot know, or has forgotten")


def take_commits(p: SevenPosition, commits: object) -> None:
    """Take the answers given so far; whoever has not answered has a choice."""
    n = p.players
    if not isinstance(commits, list) or len(commits) != n:
        refuse(f"{n} commits", f"{commits}")
    options = new_option_buffer()
    for seat in range(n):
        commit = commits[seat]
        known = p.viewer < 0 or p.viewer == seat
        due = p.phase == PLAY or (p.phase != OVER and seat == asked(p))
        count = add_options(p, seat, options) if known and due else 0
        if type(commit) is not int or not -1 <= commit < ACTIONS:
            refuse(f"a commit of seat {seat}", f"{commit}")
        if commit != UNDECIDED and not is_among(options, count, commit):
            refuse(f"a legal commit of seat {seat}", f"{commit}")
        if commit == UNDECIDED and known and due and count < 2:
            refuse(f"a choice for seat {seat}", "one option")
        if commit != UNDECIDED and p.phase != PLAY:
            refuse("no commits between turns", f"{commit}")
        p.commits[seat] = commit
    if is_committed(p):
        refuse("a seat left to answer", "a commit of every seat")
