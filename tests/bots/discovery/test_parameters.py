"""Parameters of a spec become what the bot annotates them as."""

from typing import Any, Literal

import pytest

from bots.api import Bot
from bots.discovery.loader import make_bot
from bots.discovery.parameters import convert_parameters
from bots.discovery.spec import BotError


class Shape:
    """A type that no text is converted to."""


class Typed(Bot):
    def __init__(  # type: ignore[no-untyped-def]  # one parameter has no annotation
        self,
        worlds: int = 3,
        explore: float = 0.5,
        verbose: bool = False,
        book: str = "",
        deep: "int | None" = None,
        plain=1,
        shape: Shape | None = None,
        style: Literal["fast", "slow"] = "fast",
    ) -> None:
        self.worlds = worlds


class Old(Bot):
    def __init__(self, worlds: str = "3") -> None:
        self.worlds = int(worlds)


def function(level: int = 1, **others: str) -> Bot:
    return Bot()


def convert(**params: str) -> dict[str, object]:
    return convert_parameters("mine", Typed, params)


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("worlds", "30", 30),
        ("explore", "0.25", 0.25),
        ("explore", "1", 1.0),
        ("verbose", "true", True),
        ("verbose", "0", False),
        ("book", "30", "30"),
        ("deep", "4", 4),
        ("plain", "4", "4"),
        ("shape", "round", "round"),
        ("style", "slow", "slow"),
    ],
)
def test_text_becomes_the_annotated_type(key: str, text: str, value: Any) -> None:
    found = convert(**{key: text})[key]
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("key", "text", "told"),
    [
        ("worlds", "many", "expected worlds as a whole number for mine, got 'many'"),
        ("worlds", "1.5", "expected worlds as a whole number for mine, got '1.5'"),
        ("worlds", "", "expected worlds as a whole number for mine, got ''"),
        ("explore", "much", "expected explore as a number for mine, got 'much'"),
        ("verbose", "perhaps", "expected verbose as true or false for mine, got 'perhaps'"),
        ("style", "odd", "expected style as Literal['fast', 'slow'] for mine, got 'odd'"),
        ("deep", "very", "expected deep as int | None for mine, got 'very'"),
    ],
)
def test_a_bad_value_names_the_parameter_and_its_type(key: str, text: str, told: str) -> None:
    with pytest.raises(BotError) as problem:
        convert(**{key: text})
    assert str(problem.value) == told


def test_an_unknown_parameter_is_told_with_those_there_are() -> None:
    with pytest.raises(BotError, match=r"expected worlds, .* for mine, got world"):
        convert(world="1")


def test_a_bot_that_converts_for_itself_still_works() -> None:
    bot = make_bot("old", Old, {"worlds": "7"})
    assert isinstance(bot, Old)
    assert bot.worlds == 7


def test_a_function_that_takes_all_gets_text() -> None:
    assert convert_parameters("f", function, {"level": "2", "x": "3"}) == {"level": 2, "x": "3"}
