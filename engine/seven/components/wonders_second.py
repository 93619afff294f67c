"""The wonder boards of the second edition."""

from typing import Final

from engine.seven.components.rows import (
    ANY_SYMBOL,
    FREE_COLOUR,
    FREE_FIRST,
    FREE_SIXTH,
    LAST_CARD,
    MADE,
    RAW,
    REVIVE,
    Board,
    board,
    choice,
    coins,
    points,
    power,
    science,
    shields,
    stage,
)

# fmt: off
BOARDS: Final[tuple[Board, ...]] = (
    #     cost   gives
    board(
        "alexandria", "day", "G",
        stage("SS",    points(3)),
        stage("OO",    choice(RAW)),
        stage("PL",    points(7)),
    ),
    board(
        "alexandria", "night", "G",
        stage("CC",    choice(RAW)),
        stage("OOO",   choice(MADE)),
        stage("WWWW",  points(7)),
    ),
    board(
        "babylon", "day", "W",
        stage("CC",    points(3)),
        stage("OOL",   science(ANY_SYMBOL)),
        stage("WWWW",  points(7)),
    ),
    board(
        "babylon", "night", "W",
        stage("SS",    power(LAST_CARD)),
        stage("CCCG",  science(ANY_SYMBOL)),
    ),
    board(
        "ephesos", "day", "P",
        stage("CC",    points(3)),
        stage("WW",    coins(9)),
        stage("OOG",   points(7)),
    ),
    board(
        "ephesos", "night", "P",
        stage("SS",    coins(4) + points(2)),
        stage("WW",    coins(4) + points(3)),
        stage("OOL",   coins(4) + points(5)),
    ),
    board(
        "gizah", "day", "S",
        stage("WW",    points(3)),
        stage("CCL",   points(5)),
        stage("SSSS",  points(7)),
    ),
    board(
        "gizah", "night", "S",
        stage("WW",    points(3)),
        stage("SSS",   points(5)),
        stage("CCC",   points(5)),
        stage("SSSSP", points(7)),
    ),
    board(
        "halikarnassos", "day", "L",
        stage("OO",    points(3)),
        stage("GP",    power(REVIVE)),
        stage("SSS",   points(7)),
    ),
    board(
        "halikarnassos", "night", "L",
        stage("CC",    points(2) + power(REVIVE)),
        stage("GP",    points(1) + power(REVIVE)),
        stage("WWW",   power(REVIVE)),
    ),
    board(
        "olympia", "day", "C",
        stage("SS",    points(3)),
        stage("WW",    power(FREE_COLOUR)),
        stage("CCC",   points(7)),
    ),
    board(
        "olympia", "night", "C",
        stage("OO",    points(2) + power(FREE_FIRST)),
        stage("CCC",   points(3) + power(FREE_SIXTH)),
        stage("GPL",   points(5)),
    ),
    board(
        "rhodos", "day", "O",
        stage("WW",    points(3)),
        stage("CCC",   shields(2)),
        stage("OOOO",  points(7)),
    ),
    board(
        "rhodos", "night", "O",
        stage("SSS",   shields(1) + coins(3) + points(3)),
        stage("OOOO",  shields(1) + coins(4) + points(4)),
    ),
)
# fmt: on
