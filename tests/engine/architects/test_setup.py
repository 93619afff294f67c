"""Setting up: what may be asked for, what is refused in one line, and what is dealt."""

from collections import Counter
from typing import Any

import pytest

from engine.architects.components.cards import CENTRE_CARDS
from engine.architects.components.ids import KIND_IDS, MEDAL_IDS, WONDER_IDS
from engine.architects.components.tokens import TOKENS
from engine.architects.components.wonders import WONDERS
from engine.architects.game import ARCHITECTS
from engine.errors import SetupError
from engine.match import Setup, Variant

from .table import asked, options

MEDALS = ("medals",)
EXPERT = Variant("architects", None, MEDALS, True)
BASE = ("alexandria", "babylon", "ephesus", "giza", "halicarnassus", "olympia", "rhodes")

# what is wrong, the players, what else was asked for, a word the message must have
REFUSED: list[tuple[str, int, dict[str, Any], str]] = [
    ("nobody", 0, {}, "got 0"),
    ("one player", 1, {}, "got 1"),
    ("eight players", 8, {}, "got 8"),
    ("less than nobody", -3, {}, "got -3"),
    ("an edition", 3, {"edition": "2nd"}, "2nd"),
    ("an unknown expansion", 3, {"expansions": ("leaders",)}, "leaders"),
    ("an unknown expansion beside a known one", 3, {"expansions": ("medals", "cities")}, "cities"),
    ("an expansion twice", 3, {"expansions": ("medals", "medals")}, "medals, medals"),
    ("medals and what they include", 3, {"expansions": ("medals", "tokens")}, "got both"),
    ("expert with the tokens alone", 3, {"expansions": ("tokens",), "expert": True}, "medals"),
    (
        "Rome with the tokens alone",
        2,
        {"expansions": ("tokens",), "wonders": ("rome", "giza")},
        "medals",
    ),
    ("an expansion without a name", 3, {"expansions": ("",)}, "expansion"),
    ("expert without medals", 3, {"expert": True}, "medals"),
    ("too few wonders", 3, {"wonders": ("giza", "rhodes")}, "got 2"),
    ("too many wonders", 2, {"wonders": ("giza", "rhodes", "olympia")}, "got 3"),
    ("an unknown wonder", 2, {"wonders": ("giza", "troy")}, "troy"),
    ("a wonder of the other game", 2, {"wonders": ("giza", "gizah:night")}, "gizah:night"),
    ("a wonder in capitals", 2, {"wonders": ("Giza", "rhodes")}, "Giza"),
    ("a wonder without a name", 2, {"wonders": ("giza", "")}, "wonder"),
    ("the same wonder twice", 2, {"wonders": ("giza", "giza")}, "giza, giza"),
    ("Rome without medals", 2, {"wonders": ("rome", "giza")}, "medals"),
    ("Ur without medals", 2, {"wonders": ("giza", "ur")}, "medals"),
    ("a wonder over two lines", 2, {"wonders": ("giza", "rho\ndes")}, "rho"),
    ("an edition over two lines", 2, {"edition": "2nd\nedition"}, "2nd"),
    ("an expansion over two lines", 2, {"expansions": ("med\nals",)}, "med"),
]


@pytest.mark.parametrize(
    ("players", "rest", "word"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED]
)
def test_a_setup_that_cannot_be_is_refused_in_one_line(
    players: int, rest: dict[str, Any], word: str
) -> None:
    with pytest.raises(SetupError) as caught:
        ARCHITECTS.setup(players, 1, rest.pop("wonders", ()), Variant("architects", **rest))
    message = str(caught.value)
    assert message.startswith("expected ")
    assert ", got " in message
    assert word in message
    assert "\n" not in message


@pytest.mark.parametrize("players", range(2, 8))
def test_wonders_not_named_are_drawn_from_the_box(players: int) -> None:
    base: set[str] = set()
    medals: set[str] = set()
    for seed in range(80):
        drawn = ARCHITECTS.setup(players, seed).wonders
        assert len(set(drawn)) == len(drawn) == players
        base.update(drawn)
        with_medals = Variant("architects", None, MEDALS)
        medals.update(ARCHITECTS.setup(players, seed, (), with_medals).wonders)
    assert base == set(BASE)
    assert medals == set(WONDER_IDS)


def test_the_draw_of_wonders_depends_on_the_seed_alone() -> None:
    drawn = [ARCHITECTS.setup(5, seed).wonders for seed in range(20)]
    assert drawn == [ARCHITECTS.setup(5, seed).wonders for seed in range(20)]
    assert len(set(drawn)) > 1


def test_what_was_asked_for_is_what_is_set_up() -> None:
    setup = ARCHITECTS.setup(3, 9, ("ur", "giza", "rome"), EXPERT)
    assert setup == Setup(EXPERT, 3, ("ur", "giza", "rome"))


# players, expansions, expert: medals beside the seats, medals in the centre, Progress tokens
DEALS = [
    *((players, (), False, 0, 0, 15) for players in range(2, 8)),
    *((players, MEDALS, False, players, 0, 19) for players in range(2, 8)),
    *((players, MEDALS, True, players, 2, 19) for players in range(2, 8)),
    *((players, ("tokens",), False, 0, 0, 19) for players in range(2, 8)),
]


@pytest.mark.parametrize(
    ("players", "expansions", "expert", "beside", "middle", "progress"),
    DEALS,
    ids=[f"{r[0]} players{' medals' if r[1] else ''}{' expert' if r[2] else ''}" for r in DEALS],
)
def test_a_deal_is_a_shuffle_of_the_box(
    players: int, expansions: tuple[str, ...], expert: bool, beside: int, middle: int, progress: int
) -> None:
    setup = ARCHITECTS.setup(players, 3, (), Variant("architects", None, expansions, expert))
    state = ARCHITECTS.deal(setup, 3)
    facts: dict[str, Any] = ARCHITECTS.deal_facts(state)
    assert list(facts) == ["decks", "centre", "progress", "medals", "centre_medals"]
    for id, cards in zip(setup.wonders, facts["decks"], strict=True):
        row = WONDERS[WONDER_IDS.index(id)].deck
        assert Counter(cards) == +Counter(dict(zip(KIND_IDS, row, strict=True)))
    assert Counter(facts["centre"]) == Counter(dict(zip(KIND_IDS, CENTRE_CARDS, strict=True)))
    copies = {t.id: t.copies_expanded if expansions else t.copies for t in TOKENS}
    assert Counter(facts["progress"]) == +Counter(copies)
    assert len(facts["progress"]) == progress
    assert (len(facts["medals"]), len(facts["centre_medals"])) == (beside, middle)
    dealt = [*facts["medals"], *facts["centre_medals"]]
    assert len(set(dealt)) == len(dealt)
    assert set(dealt) <= set(MEDAL_IDS)
    assert asked(state) == (0, "draw")
    assert options(state) == ["take left", "take right", "take centre"]
    assert state.cat == -1
    assert state.scores() == [0] * players


def test_equal_seeds_deal_alike_and_others_do_not() -> None:
    setup = ARCHITECTS.setup(4, 1, (), Variant("architects", None, MEDALS))
    dumps = [ARCHITECTS.deal(setup, seed).dump() for seed in (7, 7, 8)]
    assert dumps[0] == dumps[1] != dumps[2]


def test_a_deal_reshuffles_everything() -> None:
    setup = ARCHITECTS.setup(3, 1, ("giza", "rome", "ur"), EXPERT)
    seen: dict[str, set[str]] = {}
    for seed in range(12):
        for name, value in ARCHITECTS.deal_facts(ARCHITECTS.deal(setup, seed)).items():
            seen.setdefault(name, set()).add(repr(value))
    assert all(len(values) > 6 for values in seen.values())


def test_a_recorded_deal_lies_as_it_was_recorded() -> None:
    setup = ARCHITECTS.setup(3, 1, (), EXPERT)
    facts = ARCHITECTS.deal_facts(ARCHITECTS.deal(setup, 5))
    assert ARCHITECTS.deal_facts(ARCHITECTS.deal_again(setup, facts)) == facts
