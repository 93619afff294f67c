"""The shape of a card and of a wonder: what the tables of both editions are written in."""

from dataclasses import dataclass
from typing import Final, TypeAlias

BROWN: Final = 0
GREY: Final = 1
BLUE: Final = 2
YELLOW: Final = 3
RED: Final = 4
GREEN: Final = 5
PURPLE: Final = 6
COLOURS: Final = ("brown", "grey", "blue", "yellow", "red", "green", "purple")

# Resources by letter; the first four are raw, the others manufactured, and no symbol mixes them.
RESOURCES: Final = "WSOCGPL"
RAW: Final = "WSOC"
MADE: Final = "GPL"
COIN: Final = "$"

COMPASS: Final = 0
GEAR: Final = 1
TABLET: Final = 2
ANY_SYMBOL: Final = 3

OWN: Final = 1
LEFT: Final = 2
RIGHT: Final = 4
NEIGHBOURS: Final = LEFT + RIGHT
AROUND: Final = OWN + NEIGHBOURS

# What is counted besides colours of cards.
STAGES: Final = 7
DEFEATS: Final = 8
COMPLETE: Final = 9

# Powers of wonders, as bits.
LAST_CARD: Final = 1
FREE_ONCE: Final = 2
COPY_GUILD: Final = 4
FREE_COLOUR: Final = 8
FREE_FIRST: Final = 16
FREE_SIXTH: Final = 32
REVIVE: Final = 64

# Kinds of effect.
POINTS: Final = "points"
COINS: Final = "coins"
SHIELDS: Final = "shields"
SCIENCE: Final = "science"
MAKES: Final = "makes"
CHOICE: Final = "choice"
DISCOUNT: Final = "discount"
COINS_EACH: Final = "coins each"
POINTS_EACH: Final = "points each"
POWER: Final = "power"

GUILD: Final = ""


@dataclass(frozen=True)
class Effect:
    """One thing a card or a stage does; how much, of what, and where it looks."""

    kind: str
    amount: int = 0
    what: tuple[int, ...] = ()
    where: int = 0
    letters: str = ""


Gives: TypeAlias = tuple[Effect, ...]


@dataclass(frozen=True)
class Card:
    """A card of one edition; `copies` has a digit for each, the least number of players."""

    age: int
    name: str
    colour: int
    cost: str
    gives: Gives
    copies: str
    chains: tuple[str, ...]


@dataclass(frozen=True)
class BoardStage:
    """One stage of a wonder."""

    cost: str
    gives: Gives


@dataclass(frozen=True)
class Board:
    """One side of a wonder board."""

    id: str
    side: str
    start: str
    stages: tuple[BoardStage, ...]


def row(
    age: int, name: str, colour: int, cost: str, gives: Gives, copies: str, *chains: str
) -> Card:
    """One card; the buildings it chains to come last."""
    return Card(age, name, colour, cost, gives, copies, chains)


def board(id: str, side: str, start: str, *stages: BoardStage) -> Board:
    """One side of a board, stages from left to right."""
    return Board(id, side, start, stages)


def stage(cost: str, gives: Gives) -> BoardStage:
    """One stage, its cost in letters."""
    return BoardStage(cost, gives)


def points(amount: int) -> Gives:
    """Points at the end."""
    return (Effect(POINTS, amount),)


def coins(amount: int) -> Gives:
    """Coins at once."""
    return (Effect(COINS, amount),)


def shields(amount: int) -> Gives:
    """Strength in every conflict from now on."""
    return (Effect(SHIELDS, amount),)


def science(symbol: int) -> Gives:
    """Count one symbol at the end, or the best one."""
    return (Effect(SCIENCE, what=(symbol,)),)


def makes(letters: str) -> Gives:
    """All these resources every turn."""
    return (Effect(MAKES, letters=letters),)


def choice(letters: str) -> Gives:
    """One of these resources every turn."""
    return (Effect(CHOICE, letters=letters),)


def discount(letters: str, where: int) -> Gives:
    """Buy these resources for one coin from those neighbours."""
    return (Effect(DISCOUNT, where=where, letters=letters),)


def coins_each(amount: int, where: int, *what: int) -> Gives:
    """Coins at once for everything of that kind over there."""
    return (Effect(COINS_EACH, amount, what, where),)


def points_each(amount: int, where: int, *what: int) -> Gives:
    """Points at the end for everything of that kind over there."""
    return (Effect(POINTS_EACH, amount, what, where),)


def power(bit: int) -> Gives:
    """Hold a power, one of the bits above."""
    return (Effect(POWER, bit),)
