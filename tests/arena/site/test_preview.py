"""What a visitor is told of an option before it is taken: it happens, and nothing else does."""

import re

import pytest

from arena.display import display_of
from arena.display.architects import ArchitectsDisplay
from arena.display.scene import Scene
from arena.playing.referee import build_decision
from arena.site.pages.news import is_battle
from arena.site.pages.own_game.possible_worlds import possible_worlds
from arena.site.pages.own_game.preview import Preview
from engine.architects.components.lookup import CONFLICTS, HIDDEN
from engine.architects.state import ArchitectsPosition
from engine.catalog import find
from engine.contract import Action, State
from engine.match import Variant
from engine.rng import Rng
from engine.seven.actions import SELL
from engine.seven.formats import notation
from tests.engine.architects.table import table

NAMES = [f"bot{seat}" for seat in range(7)]


def foreseen(state: State, game: str, seat: int, action: Action, lang: str = "en") -> list[str]:
    asked = build_decision(find(game), state, seat, 1.0)
    return [it.text for it in Preview(asked, NAMES, lang).foresee(action)]


def told_number(texts: list[str], unit: str) -> int:
    """The number of points or coins that is told, nought if none is."""
    found = [
        re.fullmatch(rf"(at least \+|worth |\+|−)(\d+) {unit}s?(?: now)?", text) for text in texts
    ]
    numbers = [int(it[2]) * (-1 if it[1] == "−" else 1) for it in found if it]
    return numbers[0] if numbers else 0


def is_fought(before: State, after: State) -> bool:
    """Whether the move has a battle follow, at once or when the turn ends."""
    assert isinstance(before, ArchitectsPosition)
    assert isinstance(after, ArchitectsPosition)
    scene = display_of("architects").scene
    full = int(CONFLICTS[before.players])
    due = before.flipped < full == after.flipped
    return due or is_battle(scene(before, "en"), scene(after, "en"))


@pytest.mark.slow
@pytest.mark.parametrize("wonders", [("ephesus", "olympia", "alexandria"), ("giza", "babylon")])
def test_of_a_card_drawn_what_is_certain_happens_and_what_happens_was_possible(
    wonders: tuple[str, ...],
) -> None:
    rules = find("architects")
    ending = display_of("architects").ending
    seen = set()
    for seed in range(3):
        state = rules.deal(rules.setup(len(wonders), seed, wonders), seed)
        dice = Rng(seed)
        while seats := state.pending():
            seat, options = seats[0], state.legal(seats[0])
            action = options[dice.below(len(options))]
            told = foreseen(state, "architects", seat, action)
            after = state.after(seat, action)
            possible = " ".join(text for text in told if "may" in text)
            certain = [text for text in told if "may" not in text]
            battle = any(text.startswith("starts a battle") for text in certain)
            end = any("ends the game" in text for text in certain)
            endings = [ending(each, NAMES, "en") for each in (state, after)]
            ends = endings[1] != "" and endings[0] == ""
            assert not (battle and "battle" in possible)
            assert battle <= is_fought(state, after) <= (battle or "battle" in possible)
            assert end <= ends <= (end or "end" in possible)
            if points := told_number(told, "point"):
                gained = after.scores()[seat] - state.scores()[seat]
                least = any(text.startswith("at least") for text in told)
                assert gained >= points if least else gained == points
                seen.add("at least" * least)
            seen |= {"battle" * battle, "end" * end, possible}
            state = after
    assert {"battle", "end", "unknown card: may start a battle"} <= seen
    assert "at least" in seen  # of a card unseen, which may build a stage or not


def test_a_blind_draw_is_tried_with_every_card_that_may_come() -> None:
    rules = find("architects")
    state = rules.deal(rules.setup(3, 1), 1)
    view = state.view(0)
    assert isinstance(view, ArchitectsPosition)
    assert view.top(3) == HIDDEN
    tops = set()
    for world in possible_worlds(view):
        assert isinstance(world, ArchitectsPosition)
        tops.add(int(world.top(3)))
        assert world.view(0) == view  # the seat could be there, by all it knows
    stock = {kind for kind in range(14) if view.stock[3 * 14 + kind]}
    assert tops == stock


@pytest.mark.parametrize(("edition", "rich", "side"), [("1st", "b", "a"), ("2nd", "night", "day")])
def test_points_and_coins_of_a_card_are_those_it_brings(edition: str, rich: str, side: str) -> None:
    rules = find("seven")
    others = (f"{city}:{side}" for city in ("gizah", "rhodos", "olympia"))
    wonders = (f"ephesos:{rich}", *others)  # the stages of the first give coins
    counted = 0
    for seed in range(4):
        setup = rules.setup(4, seed, wonders, Variant("seven", edition))
        state = rules.deal(setup, seed)
        dice = Rng(seed)
        while seats := state.pending():
            if len(seats) == 4 and not _is_last_turn(state):
                counted += _check_builds(state)
            answers = []
            for seat in seats:
                options = state.legal(seat)
                answers.append((seat, options[dice.below(len(options))]))
            for seat, action in answers:
                state.apply(seat, action)
    assert counted > 5


def _is_last_turn(state: State) -> bool:
    return "turn 6 of 6" in display_of("seven").scene(state, "en").when


def _check_builds(state: State) -> int:
    """Carry out what seat 0 may build while all others sell; how many cards count something."""
    rules, display = find("seven"), display_of("seven")
    counted = 0
    for action in state.legal(0):
        face = display.move_face(action, "en", state, 0)
        told = foreseen(state, "seven", 0, action)
        numbers = [re.sub(r"^worth |^\+| now$", "", text) for text in told]
        assert not any(number in face.label for number in numbers)  # which says it itself
        if face.verb != "build" or face.card is None or " x " not in face.card.gives:
            continue
        after = state.clone()
        after.apply(0, action)
        for other in range(1, 4):
            sells = [it for it in state.legal(other) if notation.split(it)[0] == SELL]
            after.apply(other, sells[0])
        sheets = [rules.score_sheet(each)[0] for each in (state, after)]
        points = [sheet["total"] - sheet["treasure"] for sheet in sheets]
        coins = [int(_coins(each)) + face.paid * (each is after) for each in (state, after)]
        assert told_number(told, "point") == points[1] - points[0]
        # What is paid lowers the total: it is not told what becomes of that.
        assert not any(re.match(r"[+−]\d+ points?", text) for text in told)
        assert told_number(told, "coin") == coins[1] - coins[0]
        grows = face.card.gives.startswith("$") and "left" in face.card.gives
        if points[0] == points[1] and coins[0] == coins[1]:
            assert told == ([] if grows else ["nothing now"])
        # Neighbours build in the same turn what is counted then.
        assert any("at least" in text for text in told) == (grows and coins[0] != coins[1])
        counted += 1
    return counted


def _coins(state: State) -> str:
    own = display_of("seven").scene(state, "en").panels[1]
    return next(it.mark for line in own.lines for it in line.pieces if it.kind == "coins")


def test_the_end_is_foreseen_in_french_too() -> None:
    rules, ending = find("architects"), display_of("architects").ending
    state = rules.deal(rules.setup(2, 1), 1)
    dice = Rng(1)
    while not ending(state, NAMES, "fr"):
        before, seat, options = state, state.pending()[0], state.legal(state.pending()[0])
        action = options[dice.below(len(options))]
        state = state.after(seat, action)
    told = foreseen(before, "architects", seat, action, "fr")
    assert any("fin à la partie" in text for text in told)


def test_points_that_stand_on_a_card_are_not_told_again() -> None:
    rules, display = find("seven"), display_of("seven")
    plain = 0
    for seed in range(10):
        state = rules.deal(rules.setup(3, seed), seed)
        for action in state.legal(0):
            face = display.move_face(action, "en", state, 0)
            if face.verb == "build" and face.card and face.card.gives in ("v2", "v3"):
                assert foreseen(state, "seven", 0, action) == []
                plain += 1
    assert plain > 3


def test_a_token_that_a_science_set_wins_is_told() -> None:
    sets = {"gear": "gear", "gear compass": "tablet", "gear compass compass": ""}
    for front, top in sets.items():
        state = table(("giza", "rhodes"), ask="draw", front={0: front}, decks={0: top or "civ3"})
        told = foreseen(state, "architects", 0, state.legal(0)[0])
        assert ("brings a Progress token" in told) == bool(top)
    for stack, tokens in (("education", "decor politics strategy"), ("", "")):
        state = table(
            ("giza", "rhodes"),
            ask="draw",
            front={0: "gear"},
            centre="gear civ3",
            stack=stack,
            face_up=tokens,
        )
        blind = next(it for it in state.legal(0) if find("architects").text(it) == "take centre")
        told = foreseen(state, "architects", 0, blind)
        assert any("may bring a Progress token" in text for text in told) == bool(tokens)


def test_a_card_that_a_token_lets_one_draw_is_told() -> None:
    state = table(
        ("giza", "rhodes"), ask="draw", tokens={0: "urbanism"}, decks={0: "wood", 1: "stone civ3"}
    )
    for action in state.legal(0):
        after = state.after(0, action)
        draws = any(find("architects").text(it).startswith("extra") for it in after.legal(0))
        told = foreseen(state, "architects", 0, action)
        assert ("brings another card (Urbanism)" in told) == draws
    assert find("architects").text(state.legal(0)[0]) == "take left"
    assert "brings another card (Urbanism)" in foreseen(state, "architects", 0, state.legal(0)[0])


def test_many_options_are_foreseen_at_little_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = "wood stone clay papyrus glass coin civ3 civ2cat gear compass tablet red0 red1"
    state = table(
        ("rome", "giza", "rhodes", "olympia"), ask="steal", front=dict.fromkeys((1, 2, 3), kinds)
    )
    options = state.legal(0)
    assert len(options) > 35
    drawn = []
    scene = ArchitectsDisplay.scene

    def counted(self: ArchitectsDisplay, state: State, lang: str) -> Scene:
        drawn.append(state)
        return scene(self, state, lang)

    monkeypatch.setattr(ArchitectsDisplay, "scene", counted)
    asked = build_decision(find("architects"), state, 0, 1.0)
    preview = Preview(asked, NAMES, "en")
    for action in options:
        preview.foresee(action)
    assert len(drawn) < 3 * len(options)
