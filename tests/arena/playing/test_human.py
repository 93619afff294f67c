"""A person at a terminal: asked like a bot, shown no more than a bot."""

import io
import re
from pathlib import Path

import pytest
from rich.console import Console

from arena.display import display_of
from arena.display.scene import TOKEN
from arena.i18n import gettext
from arena.playing.human import ME, LeftError, Person, capital, seat_person
from arena.playing.referee import play
from bots.chairs.base import ChairFault
from bots.chairs.limits import Limits
from bots.chairs.steward import Steward
from engine.catalog import find
from engine.errors import ArenaError
from tests.arena.playing.sample_decision import first_decision
from tests.support.command import arena

pytestmark = pytest.mark.slow


def person(words: list[str], seat: int = 0, lang: str = "en") -> tuple[Person, io.StringIO]:
    """Somebody who says these words, one at each question."""
    out = io.StringIO()
    said = iter(words)

    def hear(prompt: str) -> str:
        out.write(prompt)
        try:
            return next(said)
        except StopIteration:
            raise EOFError from None

    names = tuple(ME if at == seat else "bot" for at in range(3))
    return Person(seat, names, lang, Console(file=out, width=200), hear), out


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("game", ["architects", "seven"])
def test_a_person_is_asked_until_a_number_is_said(game: str, lang: str) -> None:
    sitting, out = person(["?", "x", "0", "999999999", "", "s", "2"], lang=lang)
    question = first_decision(game)
    sitting.ask(question)
    assert sitting.answer() == question.options[1].action
    shown = out.getvalue()
    action, display = question.options[1].action, display_of(game)
    told = capital(display.describe_action(action, lang, state=question.view, yours=True))
    assert shown.count(f"2  {told}") == 2
    wrong = gettext("expected a number from 1 to {last}", lang, last=len(question.options))
    assert shown.count(f"{wrong}\n") == 4


def test_signs_are_explained_once() -> None:
    sitting, out = person(["s", "s", "1"])
    question = first_decision("architects", seed=4)
    sitting.ask(question)
    sitting.answer()
    shown = out.getvalue()
    assert shown.count("What the signs mean:") == 1
    assert shown.count("2= 4 costs 2 equal resources and gives 4 points") == 1
    middle = display_of(question.game.id).scene(question.view, "en").panels[0]
    tokens = [it for line in middle.lines for it in line.pieces if it.kind == TOKEN]
    assert tokens
    assert all(shown.count(f"  {token.text}: {token.note}\n") == 1 for token in tokens)
    assert "  Babylon 2=: take a Progress token\n" in shown


def test_a_person_may_quit_resign_or_be_gone() -> None:
    for words, problem in ((["q"], LeftError), ([], LeftError), (["r", "n", "r", "y"], ChairFault)):
        sitting, _ = person(words)
        sitting.ask(first_decision("seven"))
        with pytest.raises(problem):
            sitting.answer()


def test_a_person_sees_the_view_of_the_seat_alone() -> None:
    rules = find("seven")
    setup = rules.setup(3, 5)
    spec = rules.spec(setup, 5, (ME, "bot", "bot"))
    sitting, out = person(["1"] * 60)
    chairs = [sitting, Steward(5, 1), Steward(5, 2)]
    result = play(spec, chairs, Limits(), sitting.watch(rules))
    assert result.faults == ()
    before = out.getvalue().partition("· you (0)")[0]
    state = rules.deal(setup, 5)
    hidden = display_of(rules.id).scene(state, "en").panels[2].lines
    hand = next(line for line in hidden if line.id == "hand")
    own = display_of(rules.id).scene(state.view(0), "en").panels[2].lines
    assert next(line for line in own if line.id == "hand") != hand
    assert "hidden" in before
    assert re.search(r"· bot \([12]\): (sold a card|built stage \d)", out.getvalue())
    assert "Score pad" in out.getvalue()
    assert "The game is over: the third Age has ended." in out.getvalue()


def test_there_is_one_seat_for_the_user() -> None:
    assert seat_person(["greedy"], "en") is None
    with pytest.raises(ArenaError, match="expected one seat for me, got 2"):
        seat_person([ME, ME], "en")


def test_a_game_in_french_ends_in_french(tmp_path: Path) -> None:
    base = ("play", "architects", "random", "random", "--seed", "3", "--in-process")
    words = arena(*base, "--games", "2", "--lang", "fr", cwd=tmp_path).stdout
    assert words.startswith("7 Wonders Architects, 2 parties")
    assert "score moyen" in words
    assert re.search(r"\d,\d\d .* \d+,\d ", words)
    assert "mean" not in words


def test_the_command_seats_the_user(tmp_path: Path) -> None:
    base = ("play", "architects", "random", "me", "--seed", "3", "--in-process")
    done = arena(*base, cwd=tmp_path)  # nobody is there
    assert (done.returncode, done.stderr) == (0, "\nyou left; the game was not finished\n")
    assert "Your choice" in done.stdout
    done = arena(*base, "--watch", cwd=tmp_path)
    assert done.returncode == 2
    assert "expected me without --watch and --json" in done.stderr
