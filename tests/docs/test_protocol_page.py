"""The page on the protocol tells all there is, and the recorded games are what it comes to."""

import json
import re
from typing import Any, get_args

import msgspec
import pytest

from bots.chairs.limits import Limits
from bots.protocol import messages
from bots.protocol.packets import MAX_BYTES
from engine.architects.components.ids import KIND_IDS, MEDAL_IDS, TOKEN_IDS, WONDER_IDS
from engine.catalog import GAMES
from engine.contract import Game
from engine.seven.components.lookup import CARD_IDS
from tests.support.session import PAGE, QUOTES, file_of, quoted_anew, record
from tests.support.setups import Row, every_row, states

TEXT = PAGE.read_text(encoding="utf-8")
SESSIONS = [game.id for game in GAMES]
ROW = r"^\| `(\w+)` \|"
ToBot = (
    messages.Hello
    | messages.Start
    | messages.Decide
    | messages.Observe
    | messages.Finish
    | messages.Bye
)
TO_BOT = get_args(ToBot)
HEARD: msgspec.json.Decoder[ToBot] = msgspec.json.Decoder(ToBot)
FROM_BOT = get_args(messages.FromBot)

every_session = pytest.mark.parametrize("game", SESSIONS)


def section(game: str) -> str:
    """The chapter of a game begins with its id."""
    found = [part for part in TEXT.split("\n## ") if f"\n\n`{game}`, " in part]
    assert len(found) == 1, game
    return found[0]


def part(game: str, title: str) -> str:
    """A part of the chapter of a game."""
    found = [part for part in section(game).split("\n### ") if part.startswith(title)]
    assert len(found) == 1, title
    return found[0]


def said(game: str) -> list[dict[str, Any]]:
    lines = file_of(game).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def decode(to: object, message: object) -> messages.Message:
    line = json.dumps(message).encode()
    return HEARD.decode(line) if to == "bot" else messages.decode_from_bot(line)


@every_session
def test_the_recorded_game_is_what_is_said_today(game: str) -> None:
    assert record(game) == file_of(game).read_text(encoding="utf-8"), "run support/session.py?"


@every_session
def test_the_recorded_game_is_a_conversation(game: str) -> None:
    replies = {messages.Decide: messages.Choice, messages.Observe: None, messages.Bye: None}
    due: type | None = None
    last = None
    for line in said(game):
        assert line.keys() == {"to", "message"}
        last = decode(line["to"], line["message"])
        if line["to"] == "bot":
            assert due is None
            due = replies.get(type(last), messages.Ready)
        else:
            assert type(last) is due
            due = None
    assert isinstance(last, messages.Bye)


def test_the_recorded_games_show_every_message_but_failure() -> None:
    types = {type(decode(line["to"], line["message"])) for game in SESSIONS for line in said(game)}
    assert types == {*TO_BOT, *FROM_BOT} - {messages.Failure}


def test_the_page_quotes_the_recorded_games() -> None:
    assert {quote[1] for quote in QUOTES.finditer(TEXT)} == set(SESSIONS)
    assert quoted_anew(TEXT) == TEXT


def test_json_on_the_page_is_messages() -> None:
    blocks = re.findall(r"^```json\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    types = set()
    for line in "".join(blocks).splitlines():
        message = json.loads(line)
        to = "bot" if message["type"] in [kind.__name__.lower() for kind in TO_BOT] else "arena"
        types.add(type(decode(to, message)))
    assert types >= {*FROM_BOT}


@pytest.mark.parametrize("kind", [*TO_BOT, *FROM_BOT], ids=lambda kind: kind.__name__)
def test_every_message_and_field_is_told(kind: type[messages.Message]) -> None:
    name = kind.__name__.lower()
    _, found, tail = TEXT.partition(f"\n\n`{name}`\n\n")
    names = [field.name for field in msgspec.structs.fields(kind)]
    if not names:
        assert f"\n\n`{name}` has no fields." in TEXT
        return
    assert found, name
    table = tail.partition("\n\n")[0]
    assert re.findall(ROW, table, re.MULTILINE) == names


def test_limits_and_faults_are_told() -> None:
    assert f"version of this protocol: {messages.PROTOCOL} |" in TEXT
    assert f"({MAX_BYTES} bytes)" in TEXT
    assert f"{Limits().start:.0f} seconds" in TEXT
    assert f"{Limits().move:.0f} seconds" in TEXT
    for kind in ("illegal", "exception", "time", "protocol", "memory", "crash", "violation"):
        assert f"\n| `{kind}` | " in TEXT


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_every_prompt_is_told(game: Game) -> None:
    assert re.findall(ROW, part(game.id, "Options of"), re.MULTILINE) == list(game.prompts)


@every_row
def test_every_verb_is_told_with_its_prompt(row: Row) -> None:
    told = dict(re.findall(ROW + "(.*)$", part(row.game, "Options of"), re.MULTILINE))
    for state in states(row, 3):
        for seat in state.pending():
            line = told[row.rules.prompts[state.prompt(seat)]]
            for action in state.legal(seat):
                assert f"`{row.rules.text(action).split()[0]}" in line


def fields(facts: object) -> set[str]:
    """All keys, at any depth, but not kinds of card that are counted."""
    if isinstance(facts, list):
        return set().union(*map(fields, facts))
    if not isinstance(facts, dict):
        return set()
    inner = [value for key, value in facts.items() if key not in ("cards", "stock")]
    return {*facts, *fields(inner)}


@every_row
def test_every_field_of_a_view_is_told(row: Row) -> None:
    text = part(row.game, "View of")
    told = {*re.findall(ROW, text, re.MULTILINE), *re.findall(r"`(\w+)`:", text)}
    for state in states(row, 3):
        assert fields(row.rules.facts(state.view(0))) == told


@every_row
def test_every_field_of_a_state_is_told(row: Row) -> None:
    told = re.findall(ROW, part(row.game, "State of"), re.MULTILINE)
    assert told == list(json.loads(row.deal(3).view(0).dump()))


@pytest.mark.parametrize(
    "ids", [KIND_IDS, WONDER_IDS, TOKEN_IDS, MEDAL_IDS], ids=lambda ids: ids[0]
)
def test_the_numbers_of_architects_are_told(ids: tuple[str, ...]) -> None:
    rows = "".join(rf"\| {number} \| `{id}` \| [^\n]*\n" for number, id in enumerate(ids))
    assert re.search(rows, section("architects"))


def test_the_numbers_of_seven_are_told() -> None:
    told = {}
    for row, cells in re.findall(r"^\| `(\w\w)` \| (.*) \|$", section("seven"), re.MULTILINE):
        for column, id in enumerate(cells.split("|")):
            if id.strip():
                told[int(row, 16) + column] = id.strip()
    assert told == dict(enumerate(CARD_IDS))


def test_links_lead_somewhere() -> None:
    anchors = {
        re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")
        for title in re.findall(r"^#+ (.*)$", TEXT, re.MULTILINE)
    }
    for target in re.findall(r"\]\(([^)]+)\)", TEXT):
        if target.startswith("#"):
            assert target[1:] in anchors
        else:
            assert (PAGE.parent / target).exists()
