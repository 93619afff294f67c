"""Dumps: real ones come back, corrupt ones are refused in one line and nothing else happens."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from engine.architects.components.ids import KIND_IDS, TOKEN_IDS, WONDER_IDS
from engine.architects.game import ARCHITECTS, ArchitectsState
from engine.errors import DumpError
from engine.match import Variant
from engine.rng import Rng, derive

from .table import asked

pytestmark = pytest.mark.slow

Fields = dict[str, Any]

NO_TOKEN, HIDDEN_TOKEN, NO_MEDAL, HIDDEN = 17, 18, 12, 14
PROMPT = {name: at for at, name in enumerate((*ARCHITECTS.prompts, "over"))}


def play(
    wonders: tuple[str, ...], expansions: tuple[str, ...], expert: bool, seed: int
) -> Iterator[ArchitectsState]:
    """The decisions of a random game, and its end."""
    variant = Variant("architects", None, expansions, expert)
    setup = ARCHITECTS.setup(len(wonders), seed, wonders, variant)
    state = ARCHITECTS.deal(setup, seed)
    dice = Rng(derive(seed, "dice"))
    while state.pending():
        yield state
        actions = state.legal(state.turn)
        state.apply(state.turn, actions[dice.below(len(actions))])
    yield state


def find(
    wanted: Callable[[ArchitectsState], bool],
    wonders: tuple[str, ...],
    expansions: tuple[str, ...],
    expert: bool,
) -> ArchitectsState:
    """The first position of such games, seed after seed, that is wanted."""
    for seed in range(60):
        for state in play(wonders, expansions, expert, seed):
            if wanted(state):
                return state.clone()
    raise AssertionError("no such position in 60 games")


def at_prompt(name: str) -> Callable[[ArchitectsState], bool]:
    return lambda state: state.ask == PROMPT[name]


THREE = ("giza", "halicarnassus", "babylon")
ROMANS = ("rome", "ur", "giza", "rhodes")

STATES = {
    "first draw": find(at_prompt("draw"), ("giza", "rhodes"), (), False),
    "acting": find(
        lambda s: s.ask == PROMPT["act"] and s.armed > 0 and s.used > 0, THREE, (), False
    ),
    "pick": find(at_prompt("pick"), THREE, (), False),
    "side": find(at_prompt("side"), THREE, ("medals",), True),
    "progress": find(at_prompt("progress"), THREE, ("medals",), False),
    "steal": find(at_prompt("steal"), ROMANS, ("medals",), True),
    "face down": find(
        lambda s: len(s.given) > 0 and s.peeked > 0 and s.ask != PROMPT["over"],
        ROMANS,
        ("medals",),
        True,
    ),
    "any": find(
        at_prompt("any"),
        ("alexandria", "olympia", "ephesus", "rhodes", "ur", "giza", "rome"),
        ("medals",),
        False,
    ),
    "over": find(at_prompt("over"), THREE, ("medals",), False),
}
# A view of each, by seats that saw something and seats that did not.
VIEWS = {
    f"{name} seen by {seat}": state.view(seat)
    for at, (name, state) in enumerate(STATES.items())
    for seat in (at % state.players,)
}
ALL = {name: state.dump() for name, state in [*STATES.items(), *VIEWS.items()]}

NUMBERS = [
    "viewer",
    "medals_used",
    "tokens_used",
    "expert",
    "cat",
    "flipped",
    "turn",
    "ask",
    "armed",
    "used",
    "looking",
    "peeked",
    "chance",
]
LISTS = [
    "wonder",
    "deck",
    "stock",
    "cards",
    "built",
    "owned",
    "military",
    "won",
    "face_up",
    "stack",
    "medal",
    "given",
]


def refused(text: str) -> str:
    """The message of the DumpError that loading must end in."""
    with pytest.raises(DumpError) as caught:
        ARCHITECTS.load(text)
    message = str(caught.value)
    assert message.startswith("expected ")
    assert "\n" not in message
    return message


def changed(dump: str, name: str, value: object) -> str:
    return json.dumps({**json.loads(dump), name: value})


@pytest.mark.parametrize("name", ALL)
def test_a_dump_comes_back_as_it_was(name: str) -> None:
    state = ARCHITECTS.load(ALL[name])
    assert state.dump() == ALL[name]
    assert "\n" not in ALL[name]


@pytest.mark.parametrize("name", STATES)
def test_a_loaded_state_plays_on_like_the_first(name: str) -> None:
    loaded, first = ARCHITECTS.load(ALL[name]), STATES[name].clone()
    assert loaded.pending() == first.pending()
    for seat in first.pending():
        assert loaded.prompt(seat) == first.prompt(seat)
        assert loaded.legal(seat) == first.legal(seat)
    loaded.playout(Rng(derive(1, name)))
    first.playout(Rng(derive(1, name)))
    assert loaded.dump() == first.dump()
    assert loaded.scores() == first.scores()


@pytest.mark.parametrize("name", ALL)
def test_the_fields_of_a_dump_are_these(name: str) -> None:
    assert sorted(json.loads(ALL[name])) == sorted(["format", *NUMBERS, *LISTS])


TEXTS = [
    "",
    " ",
    "null",
    "true",
    "1",
    "1e999",
    "NaN",
    '"architects/2"',
    "[]",
    "{}",
    "[[]]",
    '{"format":"architects/2"}',
    '{"format":"architects/0"}',
    '{"format":"seven/1"}',
    '{"format":["architects/2"]}',
    '{"format":null}',
    "{'format':'architects/2'}",
    "{" * 50,
    "[" * 100_000,
    '{"a":' * 100_000,
    "9" * 5_000,
    "\x00",
    "\ud800",
    "architects/2",
    "x\ny",
]


@pytest.mark.parametrize("text", TEXTS, ids=[ascii(text[:30]) for text in TEXTS])
def test_a_text_that_is_no_dump(text: str) -> None:
    refused(text)


@pytest.mark.parametrize("name", ALL)
def test_a_dump_that_is_cut_short(name: str) -> None:
    dump = ALL[name]
    for length in range(0, len(dump), 7):
        refused(dump[:length])
    refused(dump + "}")
    refused(dump + dump)


@pytest.mark.parametrize("field", ["format", *NUMBERS, *LISTS])
def test_a_dump_without_a_field(field: str) -> None:
    for dump in ALL.values():
        fields = json.loads(dump)
        del fields[field]
        refused(json.dumps(fields))


WRONG_NUMBERS: tuple[object, ...] = (
    None,
    "1",
    "",
    True,
    False,
    0.0,
    1.5,
    [],
    [0],
    {},
    -2,
    10**30,
    -(10**30),
)


@pytest.mark.parametrize("field", NUMBERS)
def test_a_number_of_another_type_or_out_of_range(field: str) -> None:
    for dump in ALL.values():
        for value in WRONG_NUMBERS:
            refused(changed(dump, field, value))
        if field != "chance":
            refused(changed(dump, field, 10**6))


@pytest.mark.parametrize("field", LISTS)
def test_a_list_of_another_type(field: str) -> None:
    for dump in ALL.values():
        for value in (None, 0, 1.5, True, "", "x", {}, {"0": 0}):
            refused(changed(dump, field, value))


WRONG_ITEMS: tuple[object, ...] = (None, "1", True, 0.5, [], ["x"], {}, -1, 10**6, 10**30)


@pytest.mark.parametrize("field", LISTS)
def test_a_list_with_a_wrong_item(field: str) -> None:
    for dump in ALL.values():
        items = json.loads(dump)[field]
        lists = items if field == "deck" else [items]
        for at, list_ in enumerate(lists):
            for place in sorted({0, len(list_) - 1} if list_ else ()):
                for value in WRONG_ITEMS:
                    worse = [*list_[:place], value, *list_[place + 1 :]]
                    whole = [*lists[:at], worse, *lists[at + 1 :]] if field == "deck" else worse
                    refused(changed(dump, field, whole))


@pytest.mark.parametrize("field", LISTS)
def test_a_list_too_long_or_too_short(field: str) -> None:
    extra: object = [] if field == "deck" else 0
    for dump in ALL.values():
        items = json.loads(dump)[field]
        refused(changed(dump, field, [*items, extra]))
        refused(changed(dump, field, [*items, *[extra] * 1000]))
        if items:
            refused(changed(dump, field, items[:-1]))
            refused(changed(dump, field, []))


@pytest.mark.parametrize("field", ["format", *NUMBERS, *LISTS])
def test_a_text_over_two_lines_is_refused_in_one(field: str) -> None:
    dump = ALL["face down"]
    refused(changed(dump, field, "x\ny"))
    if field in LISTS:
        items = json.loads(dump)[field]
        refused(changed(dump, field, ["x\ny", *items[1:]]))


def others(number: int, bits: bool) -> list[int]:
    """Numbers a little off: the neighbours, and where it packs several, every bit turned."""
    near = {number - 1, number + 1, 0} - {number}
    return sorted(near | {number ^ 1 << bit for bit in range(12)} if bits else near)


def little_off(fields: Fields) -> Iterator[None]:
    """The dump with one number a little off, for every number in it."""
    for name in [*NUMBERS, *LISTS]:
        holders: list[Any] = [fields[name]] if name in LISTS else [fields]
        if name == "deck":
            holders = fields[name]
        for holder in holders:
            for place in range(len(holder)) if name in LISTS else [name]:
                good = holder[place]
                for holder[place] in others(good, name == "given"):
                    yield
                holder[place] = good


@pytest.mark.parametrize("name", ALL)
def test_a_number_a_little_off_is_refused_or_makes_a_state_that_plays(name: str) -> None:
    fields = json.loads(ALL[name])
    for _ in little_off(fields):
        text = json.dumps(fields, separators=(",", ":"))
        try:
            state = ARCHITECTS.load(text)
        except DumpError:
            continue
        assert state.dump() == text
        if state.viewer >= 0:
            state.imagine(Rng(1 << 32 | 1))
        state.playout(Rng(1 << 32 | 3))
        assert state.pending() == []
        assert len(state.ranks()) == state.players


# Dumps that are whole in every field but that no game can come to.


def fields_of(name: str, seat: int | None = None) -> Fields:
    state = STATES[name]
    fields: Fields = json.loads((state if seat is None else state.view(seat)).dump())
    return fields


def same_wonder_twice(f: Fields) -> None:
    f["wonder"][1] = f["wonder"][0]
    f["deck"][1] = f["deck"][0]
    f["stock"][14:28] = f["stock"][0:14]


def wonder_of_another_deck(f: Fields) -> None:
    f["wonder"][0] = WONDER_IDS.index("ephesus")


def card_of_another_kind(f: Fields) -> None:
    f["deck"][0][0] = (f["deck"][0][0] + 1) % 14


def card_gone(f: Fields) -> None:
    f["deck"][0].pop()


def card_before_a_seat_and_in_its_deck(f: Fields) -> None:
    f["cards"][0] += 40


def stock_beyond_the_cards(f: Fields) -> None:
    kind = next(kind for kind in range(14) if f["stock"][kind])
    f["stock"][kind] -= 1


def unknown_card_in_a_state(f: Fields) -> None:
    f["deck"][0][0] = HIDDEN


def unknown_token_in_a_state(f: Fields) -> None:
    f["stack"][0] = HIDDEN_TOKEN


def token_face_up_and_owned(f: Fields) -> None:
    token = next(t for t in f["face_up"] if t not in (NO_TOKEN, TOKEN_IDS.index("culture")))
    f["owned"][0] |= 1 << token


def token_owned_twice(f: Fields) -> None:
    at = TOKEN_IDS.index("tactics")
    for seat in (0, 1):
        f["owned"][seat] |= 1 << at


def token_gone(f: Fields) -> None:
    f["stack"].pop()


def token_of_the_expansion_in_the_base_game(f: Fields) -> None:
    f["stack"][0] = TOKEN_IDS.index("logistics")


def second_culture_without_a_first(f: Fields) -> None:
    culture = TOKEN_IDS.index("culture")
    f["owned"] = [owned & ~(1 << culture) for owned in f["owned"]]
    f["owned"][0] |= 1 << 17


def place_empty_beside_a_stack(f: Fields) -> None:
    f["stack"].append(f["face_up"][0])
    f["face_up"][0] = NO_TOKEN


def armed_without_the_token(f: Fields) -> None:
    free = next(t for t in range(6) if not f["owned"][f["turn"]] >> t & 1)
    f["armed"] |= 1 << free


def used_without_the_token(f: Fields) -> None:
    free = next(t for t in range(8) if not f["owned"][f["turn"]] >> t & 1)
    f["used"] |= 1 << free


def armed_and_used(f: Fields) -> None:
    f["armed"] |= f["used"] & 63
    f["used"] |= f["armed"]


def stage_in_the_air(f: Fields) -> None:
    seat = (f["turn"] + 1) % len(f["built"])
    f["built"][seat] = 0b10000


def another_wonder_complete_and_no_end(f: Fields) -> None:
    f["built"][(f["turn"] + 1) % len(f["built"])] = 31


def over_with_nothing_complete(f: Fields) -> None:
    f["ask"] = PROMPT["over"]
    f["built"] = [0] * len(f["built"])


def pick_without_a_deck(f: Fields) -> None:
    f["looking"] = -1


def deck_open_without_a_pick(f: Fields) -> None:
    f["looking"] = 0


def pick_from_a_deck_far_away(f: Fields) -> None:
    f["looking"] = (f["turn"] + 1) % 3


def prompt(name: str) -> Callable[[Fields], None]:
    def ask(f: Fields) -> None:
        f["ask"] = PROMPT[name]

    ask.__name__ = f"asks_{name}"
    return ask


def chance_hidden_in_a_state(f: Fields) -> None:
    f["chance"] = 0


def chance_in_a_view(f: Fields) -> None:
    f["chance"] = 1 << 40


def state_called_a_view(f: Fields) -> None:
    f["viewer"] = 0


def view_called_a_state(f: Fields) -> None:
    f["viewer"] = -1


def expert_without_medals(f: Fields) -> None:
    f["expert"] = 1


def medals_without_the_expansion(f: Fields) -> None:
    f["medal"][0] = 3


def medal_twice(f: Fields) -> None:
    f["medal"][0] = f["medal"][1] = 11


def centre_medal_without_expert(f: Fields) -> None:
    left = next(m for m in range(12) if m not in f["medal"])
    f["medal"][-1] = left


def medal_gone_that_nobody_won(f: Fields) -> None:
    f["won"] = [0] * len(f["won"])
    f["medal"][0] = NO_MEDAL


def medals_won_without_the_expansion(f: Fields) -> None:
    f["won"][0] = 1


def more_medals_won_than_gone(f: Fields) -> None:
    f["won"] = [4] * len(f["won"])


def given_to_nobody(f: Fields) -> None:
    f["given"][0] |= 15


def given_to_the_seat_whose_turn_it_is(f: Fields) -> None:
    f["given"][0] = f["given"][0] & ~15 | f["turn"]


def given_a_card_that_is_none(f: Fields) -> None:
    f["given"][0] |= 15 << 4


def given_a_card_of_another_kind(f: Fields) -> None:
    f["given"][0] ^= 1 << 4


def given_without_rome(f: Fields) -> None:
    kind = f["deck"][-1].pop()
    f["given"] = [(f["turn"] + 1) % 3 | kind << 4]


def looked_at_an_empty_centre(f: Fields) -> None:
    for kind in range(14):
        f["stock"][-14 + kind] = 0
    f["deck"][-1] = []
    f["peeked"] = 1


# the dump, whose view if it is one, what is done to it
IMPOSSIBLE: list[tuple[str, int | None, Callable[[Fields], None]]] = [
    ("acting", None, same_wonder_twice),
    ("acting", None, wonder_of_another_deck),
    ("acting", None, card_of_another_kind),
    ("acting", None, card_gone),
    ("acting", None, card_before_a_seat_and_in_its_deck),
    ("acting", None, stock_beyond_the_cards),
    ("acting", None, unknown_card_in_a_state),
    ("acting", None, unknown_token_in_a_state),
    ("acting", None, token_face_up_and_owned),
    ("acting", 1, token_face_up_and_owned),
    ("acting", None, token_owned_twice),
    ("acting", None, token_gone),
    ("acting", 0, token_gone),
    ("acting", None, token_of_the_expansion_in_the_base_game),
    ("acting", None, second_culture_without_a_first),
    ("acting", None, place_empty_beside_a_stack),
    ("first draw", None, armed_without_the_token),
    ("acting", None, armed_without_the_token),
    ("acting", None, used_without_the_token),
    ("acting", None, armed_and_used),
    ("acting", None, stage_in_the_air),
    ("acting", None, another_wonder_complete_and_no_end),
    ("acting", None, over_with_nothing_complete),
    ("pick", None, pick_without_a_deck),
    ("acting", None, deck_open_without_a_pick),
    ("pick", None, pick_from_a_deck_far_away),
    ("first draw", None, prompt("act")),
    ("first draw", None, prompt("any")),
    ("first draw", None, prompt("side")),
    ("first draw", None, prompt("pick")),
    ("first draw", None, prompt("steal")),
    ("first draw", None, prompt("over")),
    ("acting", None, prompt("any")),
    ("acting", None, prompt("steal")),
    ("side", None, prompt("any")),
    ("side", None, prompt("steal")),
    ("steal", None, prompt("any")),
    ("steal", None, prompt("side")),
    ("steal", None, prompt("pick")),
    ("any", None, prompt("side")),
    ("any", None, prompt("steal")),
    ("acting", None, chance_hidden_in_a_state),
    ("acting", 0, chance_in_a_view),
    ("acting", None, state_called_a_view),
    ("acting", 0, view_called_a_state),
    ("acting", None, expert_without_medals),
    ("acting", None, medals_without_the_expansion),
    ("side", None, medal_twice),
    ("progress", None, centre_medal_without_expert),
    ("side", None, medal_gone_that_nobody_won),
    ("acting", None, medals_won_without_the_expansion),
    ("side", None, more_medals_won_than_gone),
    ("face down", None, given_to_nobody),
    ("face down", 0, given_to_nobody),
    ("face down", None, given_to_the_seat_whose_turn_it_is),
    ("face down", None, given_a_card_that_is_none),
    ("face down", 0, given_a_card_that_is_none),
    ("face down", 1, given_a_card_that_is_none),
    ("face down", None, given_a_card_of_another_kind),
    ("acting", None, given_without_rome),
    ("acting", None, looked_at_an_empty_centre),
]


def name_of(row: tuple[str, int | None, Callable[[Fields], None]]) -> str:
    name, seat, spoil = row
    whose = "" if seat is None else f" seen by {seat}"
    return f"{name}{whose}: {spoil.__name__.replace('_', ' ')}"


@pytest.mark.parametrize(
    ("name", "seat", "spoil"), IMPOSSIBLE, ids=[name_of(row) for row in IMPOSSIBLE]
)
def test_a_dump_no_game_can_come_to(
    name: str, seat: int | None, spoil: Callable[[Fields], None]
) -> None:
    fields = fields_of(name, seat)
    spoil(fields)
    refused(json.dumps(fields))


# Views that know too much or too little.


def open_table() -> ArchitectsState:
    """A real deal in which nobody has looked at anything."""
    medals = Variant("architects", None, ("medals",))
    setup = ARCHITECTS.setup(3, 1, ("rome", "giza", "rhodes"), medals)
    return ARCHITECTS.deal(setup, 1)


def test_a_view_that_knows_more_than_its_seat_can() -> None:
    state = open_table()
    whole: Fields = json.loads(state.dump())
    for deck, at in ((0, -2), (1, 0), (2, -5), (3, -1), (3, 0)):
        fields: Fields = json.loads(state.view(0).dump())
        fields["deck"][deck][at] = whole["deck"][deck][at]
        refused(json.dumps(fields))
    fields = json.loads(state.view(0).dump())
    fields["stack"][-1] = whole["stack"][-1]
    refused(json.dumps(fields))


def test_a_view_that_does_not_know_what_lies_open() -> None:
    for deck in range(3):
        fields: Fields = json.loads(open_table().view(0).dump())
        fields["deck"][deck][-1] = HIDDEN
        refused(json.dumps(fields))


def test_a_view_that_forgot_what_its_seat_looked_at() -> None:
    state = open_table()
    state.peeked = 1
    fields: Fields = json.loads(state.view(0).dump())
    assert fields["deck"][-1][-1] != HIDDEN
    fields["deck"][-1][-1] = HIDDEN
    refused(json.dumps(fields))


@pytest.mark.parametrize("seat", range(4))
def test_a_view_of_a_face_down_card_goes_by_who_had_seen_it(seat: int) -> None:
    fields = fields_of("face down", seat)
    card = STATES["face down"].given[0]
    if card >> (8 + seat) & 1:
        fields["given"][0] |= 15 << 4
        fields["given"][0] &= ~(1 << 4)
    else:
        fields["given"][0] = card
    refused(json.dumps(fields))


def test_rome_and_ur_are_not_in_the_base_game() -> None:
    fields: Fields = json.loads(open_table().dump())
    fields["medals_used"] = 0
    fields["medal"] = [NO_MEDAL] * 5
    tokens = [*fields["face_up"], *fields["stack"]]
    for id in ("logistics", "domestication", "entrenchment", "culture"):
        tokens.remove(TOKEN_IDS.index(id))
    fields["face_up"], fields["stack"] = tokens[:3], tokens[3:]
    refused(json.dumps(fields))
    # The same table with wonders of the base game is fine.
    other = ARCHITECTS.deal(ARCHITECTS.setup(3, 1, ("olympia", "giza", "rhodes")), 1)
    base: Fields = json.loads(other.dump())
    base["face_up"], base["stack"] = tokens[:3], tokens[3:]
    ARCHITECTS.load(json.dumps(base))


# What a game did come to must be read back, checks or no checks.


@pytest.mark.parametrize("players", range(2, 8))
@pytest.mark.parametrize(
    ("expansions", "expert"), [((), False), (("medals",), True)], ids=["base", "expert"]
)
def test_every_position_of_a_game_is_read_back(
    players: int, expansions: tuple[str, ...], expert: bool
) -> None:
    base = ("halicarnassus", "olympia", "babylon", "alexandria", "ephesus", "giza", "rhodes")
    wonders = ("rome", "ur", *base) if expansions else base
    for state in play(wonders[:players], expansions, expert, players):
        for text in (state.dump(), state.view(0).dump(), state.view(players - 1).dump()):
            assert ARCHITECTS.load(text).dump() == text


def test_the_positions_are_what_their_names_say() -> None:
    assert {"pick", "side", "steal", "any", "progress"} <= {
        (asked(state) or (0, ""))[1] for state in STATES.values()
    }
    assert KIND_IDS[HIDDEN - 1] == "red2"
    assert asked(STATES["over"]) is None
