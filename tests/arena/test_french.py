"""French output is French throughout."""

from pathlib import Path

import pytest

from tests.arena.conftest import Run
from tests.support.french import FrenchTexts, english_in

pytestmark = pytest.mark.slow

EXPERT = ("architects", "random", "random", "--expansions", "medals", "--expert")
SEVEN = ("seven", "random", "random", "random")


@pytest.mark.parametrize(
    "words",
    [("architects", "random", "random"), EXPERT, SEVEN, (*SEVEN, "--edition", "1st")],
    ids=["architects", "architects-expert", "seven-2nd", "seven-1st"],
)
def test_a_game_watched_has_no_english(run: Run, words: tuple[str, ...]) -> None:
    done = run("play", *words, "--in-process", "--watch", "--seed", 1, "--lang", "fr")
    assert (done.code, english_in(done.out), english_in(done.err)) == (0, [], [])
    assert len(done.out) > 20_000


@pytest.mark.parametrize("words", [EXPERT, SEVEN], ids=["architects", "seven"])
def test_a_game_replayed_has_no_english(run: Run, words: tuple[str, ...], tmp_path: Path) -> None:
    trace = tmp_path / "trace.jsonl"
    assert run("play", *words, "--in-process", "--seed", 2, "--trace", trace).code == 0
    done = run("replay", trace, "--watch", "--lang", "fr")
    assert (done.code, english_in(done.out), english_in(done.err)) == (0, [], [])
    assert len(done.out) > 20_000


@pytest.mark.parametrize("words", [("architects",), ("seven",), ("seven", "--edition", "1st")])
def test_the_rules_have_no_english(run: Run, words: tuple[str, ...]) -> None:
    done = run("rules", *words, "--lang", "fr")
    assert (done.code, english_in(done.out)) == (0, [])


def test_english_is_found_as_whole_words() -> None:
    french = "Éphèse · 3 étapes\nrandom prend wood\n"
    assert english_in(french) == []
    for line in ("0 Ephesus", "3 Stages of Ephesus", "he takes the card", "Glassworks 1"):
        assert english_in(french + line) == [line]
    page = '<p title="Ephesus">Éphèse<br><code>Ephesus</code><b lang="en">Giza</b></p>'
    assert FrenchTexts(page).texts == ["Ephesus", "Éphèse"]
