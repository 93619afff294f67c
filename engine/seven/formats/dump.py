"""A position as one line of text, and back again, checked."""

import json
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, u8

from engine.errors import ArenaError, DumpError
from engine.match import Setup, Variant
from engine.seven import setup as setup_rules
from engine.seven.actions import LAST, OVER, PHASES, PLAY, REVIVING
from engine.seven.components.lookup import AGES, BOARD_IDS, EDITIONS, HAND
from engine.seven.deal import lay_boards
from engine.seven.formats.validate import (
    check_deal,
    check_hands,
    check_view,
    play_through,
    refuse,
    take_commits,
)
from engine.seven.knowledge.redact import settle_hands
from engine.seven.state import AT_COINS, CITY, ENTRY, REVIVALS, SevenPosition, entries

VERSION: Final = 1
GAME: Final = "seven"
# fmt: off
KEYS: Final = [
    "game", "version", "edition", "wonders", "viewer", "age", "turn", "phase",
    "deal", "log", "commits", "revived", "peeked", "coins",
]
# fmt: on


def write(p: SevenPosition) -> str:
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


def read(p: SevenPosition, text: str) -> None:
    """Set up a fresh position as the text has it; DumpError if no game comes to this."""
    try:
        facts = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise DumpError(f"expected one line of JSON, got {problem}") from None
    if not isinstance(facts, dict) or list(facts) != KEYS:
        raise DumpError(f"expected an object of {', '.join(KEYS)}, got something else")
    if facts["game"] != GAME:
        refuse(f"game {GAME}", f"{facts['game']}")
    _number(facts, "version", VERSION, VERSION)
    _lay(p, facts["edition"], facts["wonders"])
    n = p.players
    p.viewer = _number(facts, "viewer", -1, n - 1)
    age = _number(facts, "age", 0, AGES - 1)
    turn = _number(facts, "turn", 0, HAND - 1)
    phase = _phase(facts["phase"], age, turn)
    p.dealt = _cards(facts, "deal", AGES * n * HAND)
    check_deal(p)
    p.age, p.turn, p.phase = age, turn, phase
    count = entries(p)
    written = _cards(facts, "log", count * ENTRY)
    for i in range(count * ENTRY):
        p.log[i] = written[i]
    check_hands(p)
    looks = play_through(p, _cards(facts, "revived", 2 * REVIVALS))
    settle_hands(p)
    p.peeked = _number(facts, "peeked", 0, count)
    if p.peeked not in looks or (p.viewer < 0 and p.peeked != looks[-1]):
        refuse(f"the pile seen up to entry {looks[-1]}", f"{p.peeked}")
    if facts["coins"] != [p.city[seat * CITY + AT_COINS] for seat in range(n)]:
        refuse("the coins the game comes to", f"{facts['coins']}")
    check_view(p)
    take_commits(p, facts["commits"])


def _number(facts: dict[str, object], key: str, least: int, most: int) -> int:
    number = facts[key]
    if type(number) is not int or not least <= number <= most:
        refuse(f"{key} from {least} to {most}", f"{number}")
    return number


def _cards(facts: dict[str, object], key: str, length: i64) -> vec[u8]:
    text = facts[key]
    if not isinstance(text, str) or len(text) != 2 * length:
        refuse(f"{key} of {2 * length} hex digits", f"{text}")
    try:
        data = bytes.fromhex(text)
    except ValueError:
        refuse(f"{key} in hex digits", text)
    if data.hex() != text:
        refuse(f"{key} in small hex digits", text)
    return vec[u8]([u8(byte) for byte in data])


def _phase(name: object, age: int, turn: int) -> int:
    phases = [PLAY] if turn == HAND - 2 else [PLAY, REVIVING]
    if turn == HAND - 1:
        phases = [LAST, REVIVING, OVER] if age == AGES - 1 else [LAST, REVIVING]
    names = [PHASES[phase] for phase in phases]
    if name not in names:
        refuse(f"phase {' or '.join(names)} in turn {turn}", f"{name}")
    return phases[names.index(name)]


def _lay(p: SevenPosition, edition: object, wonders: object) -> None:
    if not isinstance(edition, str) or not isinstance(wonders, list):
        refuse("an edition and its wonders", f"{edition} and {wonders}")
    setup = Setup(Variant("seven", edition), len(wonders), tuple(wonders))
    try:
        if not all(isinstance(wonder, str) for wonder in wonders):
            refuse("wonders by their names", f"{wonders}")
        setup_rules.check(setup.variant, setup.players)
        lay_boards(
            p, setup_rules.edition_named(setup.variant.edition), setup_rules.boards_of(setup)
        )
    except ArenaError as problem:
        raise DumpError(f"{problem}") from None
