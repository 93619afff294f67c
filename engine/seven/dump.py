"""A position as one line of text, and back; what is read is played through to be believed."""

import json
from typing import Final, NoReturn

from librt.vecs import vec
from mypy_extensions import i64, u8

from engine.contract import Setup
from engine.errors import ArenaError, DumpError
from engine.rng import Rng
from engine.seven import setting
from engine.seven.actions import (
    ACTIONS,
    BUILD,
    LAST,
    LEFT_SHIFT,
    OVER,
    PAY_BITS,
    PAY_WIDTH,
    PLAY,
    REVIVING,
    RIGHT_SHIFT,
    STAGE,
    UNDECIDED,
    is_among,
)
from engine.seven.battle import fight
from engine.seven.build import earn, place_building
from engine.seven.columns import (
    AGES,
    BOARD_IDS,
    CARD_COUNT,
    COLOUR,
    EDITIONS,
    GUILDS,
    HAND,
    HIDDEN,
    NAME,
    NAME_PLACES,
    NONE,
    deck,
)
from engine.seven.deal import lay_boards
from engine.seven.imagine import invent
from engine.seven.options import add_builds, add_options, add_stages, bank_price, room
from engine.seven.powers import add_revivals, in_pile, last_card_player, may_build_free
from engine.seven.rows import PURPLE
from engine.seven.state import (
    AT_COINS,
    BUILT,
    BURIED,
    CARD,
    CITY,
    ENTRY,
    KIND,
    LEFT_OVER,
    MIXED,
    PAY,
    REVIVALS,
    ROUNDS,
    SOLD,
    Position,
    entries,
    hand_at,
)
from engine.seven.turn import NOTHING_AT_ALL, asked, carry_out, is_committed
from engine.seven.view import forget, settle_hands, swap_card

VERSION: Final = 1
GAME: Final = "seven"
PHASES: Final = ("play", "last", "revive", "over")
# fmt: off
KEYS: Final = [
    "game", "version", "edition", "wonders", "viewer", "age", "turn", "phase",
    "deal", "log", "commits", "revived", "peeked", "coins",
]
# fmt: on


def write(p: Position) -> str:
    """The position as one line of JSON.

    A card is two hex digits, its row in the tables: those of the first edition count from 0, those
    of the second from 78; fe stands for none, ff for one that is hidden. The deal has seven cards
    for every Age and seat; the log a card, what was done with it and the coins paid, for every
    turn and seat.
    """
    # Written by hand, in a fifth of the time: a view is dumped at every decision.
    wonders = '","'.join([BOARD_IDS[board] for board in p.boards])
    commits = ",".join([str(commit) for commit in p.commits])
    coins = ",".join([str(p.city[seat * CITY + AT_COINS]) for seat in range(p.players)])
    return (
        f'{{"game":"{GAME}","version":{VERSION},"edition":"{EDITIONS[p.edition]}",'
        f'"wonders":["{wonders}"],"viewer":{p.viewer},"age":{p.age},"turn":{p.turn},'
        f'"phase":"{PHASES[p.phase]}","deal":"{bytes(p.dealt).hex()}",'
        f'"log":"{bytes(p.log[: entries(p) * ENTRY]).hex()}","commits":[{commits}],'
        f'"revived":"{bytes(p.revived).hex()}","peeked":{p.peeked},"coins":[{coins}]}}'
    )


def read(p: Position, text: str) -> None:
    """Set up a fresh position as the text has it; DumpError if no game comes to this."""
    try:
        facts = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise DumpError(f"expected one line of JSON, got {problem}") from None
    if not isinstance(facts, dict) or list(facts) != KEYS:
        raise DumpError(f"expected an object of {', '.join(KEYS)}, got something else")
    if facts["game"] != GAME:
        _refuse(f"game {GAME}", f"{facts['game']}")
    _number(facts, "version", VERSION, VERSION)
    _lay(p, facts["edition"], facts["wonders"])
    n = p.players
    p.viewer = _number(facts, "viewer", -1, n - 1)
    age = _number(facts, "age", 0, AGES - 1)
    turn = _number(facts, "turn", 0, HAND - 1)
    phase = _phase(facts["phase"], age, turn)
    p.dealt = _cards(facts, "deal", AGES * n * HAND)
    _check_deal(p)
    p.age, p.turn, p.phase = age, turn, phase
    count = entries(p)
    written = _cards(facts, "log", count * ENTRY)
    for i in range(count * ENTRY):
        p.log[i] = written[i]
    _check_hands(p)
    looks = _play_through(p, _cards(facts, "revived", 2 * REVIVALS))
    settle_hands(p)
    p.peeked = _number(facts, "peeked", 0, count)
    if p.peeked not in looks or (p.viewer < 0 and p.peeked != looks[-1]):
        _refuse(f"the pile seen up to entry {looks[-1]}", f"{p.peeked}")
    if facts["coins"] != [p.city[seat * CITY + AT_COINS] for seat in range(n)]:
        _refuse("the coins the game comes to", f"{facts['coins']}")
    _check_view(p)
    _commit(p, facts["commits"])


def _refuse(expected: str, got: str) -> NoReturn:
    raise DumpError(f"expected {expected}, got {got}")


def _number(facts: dict[str, object], key: str, least: int, most: int) -> int:
    number = facts[key]
    if type(number) is not int or not least <= number <= most:
        _refuse(f"{key} from {least} to {most}", f"{number}")
    return number


def _cards(facts: dict[str, object], key: str, length: i64) -> vec[u8]:
    text = facts[key]
    if not isinstance(text, str) or len(text) != 2 * length:
        _refuse(f"{key} of {2 * length} hex digits", f"{text}")
    try:
        data = bytes.fromhex(text)
    except ValueError:
        _refuse(f"{key} in hex digits", text)
    if data.hex() != text:
        _refuse(f"{key} in small hex digits", text)
    return vec[u8]([u8(byte) for byte in data])


def _phase(name: object, age: int, turn: int) -> int:
    phases = [PLAY] if turn == HAND - 2 else [PLAY, REVIVING]
    if turn == HAND - 1:
        phases = [LAST, REVIVING, OVER] if age == AGES - 1 else [LAST, REVIVING]
    names = [PHASES[phase] for phase in phases]
    if name not in names:
        _refuse(f"phase {' or '.join(names)} in turn {turn}", f"{name}")
    return phases[names.index(name)]


def _lay(p: Position, edition: object, wonders: object) -> None:
    if not isinstance(edition, str) or not isinstance(wonders, list):
        _refuse("an edition and its wonders", f"{edition} and {wonders}")
    setup = Setup(len(wonders), tuple(wonders), edition)
    try:
        if not all(isinstance(wonder, str) for wonder in wonders):
            _refuse("wonders by their names", f"{wonders}")
        setting.check(setup)
        lay_boards(p, setting.edition_of(setup), setting.boards_of(setup))
    except ArenaError as problem:
        raise DumpError(f"{problem}") from None


def _check_deal(p: Position) -> None:
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
        at: i64 = age * size
        while at < (age + 1) * size:
            card = i64(p.dealt[at])
            if card == HIDDEN and p.viewer >= 0:
                hidden += 1
            elif copies[card] == 0:
                _refuse(f"the cards of age {age + 1}", f"card {card}, or too many of it")
            else:
                copies[card] -= 1
                left -= COLOUR[card] != PURPLE
            if at % HAND and p.dealt[at - 1] > p.dealt[at]:
                _refuse("hands in order", f"card {card} out of order")
            at += 1
        if hidden < left:
            _refuse(f"a full deck in age {age + 1}", f"{left} cards missing")


def _check_hands(p: Position) -> None:
    """What was played came out of the hand it was played from."""
    n = p.players
    hands = p.dealt[:]
    entry: i64 = 0
    while entry < entries(p):
        round = entry // n
        age = round // ROUNDS
        start = (age * n + hand_at(n, age, round % ROUNDS, entry % n)) * HAND
        card = p.log[entry * ENTRY + CARD]
        if card != HIDDEN or p.viewer < 0:
            if card == NONE or not swap_card(hands, start, card, NONE):
                _refuse(f"a card of the hand at entry {entry}", f"card {card}")
        entry += 1


def _play_through(p: Position, revived: vec[u8]) -> list[int]:
    """Play the log turn by turn, checking every move; say when the pile was, or may be, seen."""
    age, turn, phase = p.age, p.turn, p.phase
    rounds = entries(p) // p.players
    looks: list[int] = [0]
    options = room()
    for round in range(rounds):
        p.age, p.turn = round // ROUNDS, round % ROUNDS
        p.phase = LAST if p.turn == HAND - 1 else PLAY
        for seat in range(p.players):
            if not _is_possible(p, round, seat, options):
                _refuse(f"a move of the rules in round {round}", f"another by seat {seat}")
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
            _refuse(f"{p.revivals} revivals", f"card {revived[i]} besides")
    if (phase == REVIVING and p.reviver < 0) or (phase == LAST and last_card_player(p) < 0):
        _refuse("a seat with the power to answer", f"phase {PHASES[phase]}")
    return looks


def _is_possible(p: Position, round: i64, seat: i64, options: vec[i64]) -> bool:
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
    purse = p.city[seat * CITY + AT_COINS]
    paid = pay >> PAY_WIDTH << LEFT_SHIFT | (pay & PAY_BITS) << RIGHT_SHIFT
    if kind == BURIED:
        count = add_stages(p, seat, 0, purse, options, 0)
        return is_among(options, count, STAGE | paid)
    if kind != BUILT or row == HIDDEN:
        return False
    name: i64 = NAME[row]
    count = add_builds(p, seat, row, purse, options, 0)
    if pay == NOTHING_AT_ALL:
        if p.built[seat * NAME_PLACES + name] or not may_build_free(p, seat):
            return False
        return not is_among(options, count, BUILD | name) or bank_price(p, seat, row) > 0
    return is_among(options, count, BUILD | name | paid)


def _revive_again(p: Position, entry: i64, card: i64, round: i64) -> None:
    if card != NONE:
        if card >= CARD_COUNT or p.built[p.reviver * NAME_PLACES + NAME[card]]:
            _refuse("a card to revive that the city lacks", f"card {card}")
        untold = entry == HIDDEN and p.viewer >= 0 and p.viewer != p.reviver
        if not untold and not _lay_there(p, entry, card, round):
            _refuse("a revived card out of the pile", f"card {card} from entry {entry}")
        place_building(p, p.reviver, card)
        earn(p, p.reviver, card)
    elif entry != NONE:
        _refuse("no entry for no revival", f"entry {entry}")
    p.revived[2 * p.revivals] = u8(entry)
    p.revived[2 * p.revivals + 1] = u8(card)
    p.revivals += 1
    p.reviver = -1


def _lay_there(p: Position, entry: i64, card: i64, round: i64) -> bool:
    if entry >= (round + 1) * p.players:
        return False
    return in_pile(p, entry) and i64(p.log[entry * ENTRY + CARD]) == card


def _commit(p: Position, commits: object) -> None:
    """Take the answers given so far; whoever has not answered has a choice."""
    n = p.players
    if not isinstance(commits, list) or len(commits) != n:
        _refuse(f"{n} commits", f"{commits}")
    options = room()
    for seat in range(n):
        commit = commits[seat]
        known = p.viewer < 0 or p.viewer == seat
        due = p.phase == PLAY or (p.phase != OVER and seat == asked(p))
        count = add_options(p, seat, options) if known and due else 0
        if type(commit) is not int or not -1 <= commit < ACTIONS:
            _refuse(f"a commit of seat {seat}", f"{commit}")
        if commit != UNDECIDED and not is_among(options, count, commit):
            _refuse(f"a legal commit of seat {seat}", f"{commit}")
        if commit == UNDECIDED and known and due and count < 2:
            _refuse(f"a choice for seat {seat}", "one option")
        if commit != UNDECIDED and p.phase != PLAY:
            _refuse("no commits between turns", f"{commit}")
        p.commits[seat] = commit
    if is_committed(p):
        _refuse("a seat left to answer", "a commit of every seat")


def _check_view(p: Position) -> None:
    """A view is what its seat would know of some whole table."""
    if p.viewer < 0:
        return
    table = Position(p)
    try:
        invent(table, Rng(1))
    except ArenaError as problem:
        raise DumpError(f"{problem}") from None
    forget(table, p.viewer)
    if not (
        bytes(table.dealt) == bytes(p.dealt)
        and bytes(table.log) == bytes(p.log)
        and bytes(table.hands) == bytes(p.hands)
        and bytes(table.revived) == bytes(p.revived)
    ):
        _refuse(f"the view of seat {p.viewer}", "what it cannot know, or has forgotten")
