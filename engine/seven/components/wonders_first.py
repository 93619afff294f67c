"""The wonder boards of the first edition."""

from typing import Final

from engine.seven.components.rows import (
    ANY_SYMBOL,
    COPY_GUILD,
    FREE_ONCE,
    LAST_CARD,
    MADE,
    NEIGHBOURS,
    RAW,
    REVIVE,
    Board,
    board,
    choice,
    coins,
    discount,
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
        "alexandria", "a", "G",
        stage("SS",    points(3)),
        stage("OO",    choice(RAW)),
        stage("GG",    points(7)),
    ),
    board(
        "alexandria", "b", "G",
        stage("CC",    choice(RAW)),
        stage("WW",    choice(MADE)),
        stage("SSS",   points(7)),
    ),
    board(
        "babylon", "a", "C",
        stage("CC",    points(3)),
        stage("WWW",   science(ANY_SYMBOL)),
        stage("CCCC",  points(7)),
    ),
    board(
        "babylon", "b", "C",
        stage("CL",    points(3)),
        stage("WWG",   power(LAST_CARD)),
        stage("CCCP",  science(ANY_SYMBOL)),
    ),
    board(
        "ephesos", "a", "P",
        stage("SS",    points(3)),
        stage("WW",    coins(9)),
        stage("PP",    points(7)),
    ),
    board(
        "ephesos", "b", "P",
        stage("SS",    coins(4) + points(2)),
        stage("WW",    coins(4) + points(3)),
        stage("GPL",   coins(4) + points(5)),
    ),
    board(
        "gizah", "a", "S",
        stage("SS",    points(3)),
        stage("WWW",   points(5)),
        stage("SSSS",  points(7)),
    ),
    board(
        "gizah", "b", "S",
        stage("WW",    points(3)),
        stage("SSS",   points(5)),
        stage("CCC",   points(5)),
        stage("SSSSP", points(7)),
    ),
    board(
        "halikarnassos", "a", "L",
        stage("CC",    points(3)),
        stage("OOO",   power(REVIVE)),
        stage("LL",    points(7)),
    ),
    board(
        "halikarnassos", "b", "L",
        stage("OO",    points(2) + power(REVIVE)),
        stage("CCC",   points(1) + power(REVIVE)),
        stage("GPL",   power(REVIVE)),
    ),
    board(
        "olympia", "a", "W",
        stage("WW",    points(3)),
        stage("SS",    power(FREE_ONCE)),
        stage("OO",    points(7)),
    ),
    board(
        "olympia", "b", "W",
        stage("WW",    discount(RAW, NEIGHBOURS)),
        stage("SS",    points(5)),
        stage("OOL",   power(COPY_GUILD)),
    ),
    board(
        "rhodos", "a", "O",
        stage("WW",    points(3)),
        stage("CCC",   shields(2)),
        stage("OOOO",  points(7)),
    ),
    board(
        "rhodos", "b", "O",
        stage("SSS",   shields(1) + coins(3) + points(3)),
        stage("OOOO",  shields(1) + coins(4) + points(4)),
    ),
)
# fmt: on
