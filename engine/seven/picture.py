"""7 Wonders as people see it: the table, moves in words, and what is in the box."""

from typing import Final

from engine.scene import Line, Panel, Piece, Scene, Sheet, say, sheet
from engine.seven import notation, words
from engine.seven.actions import OVER, PASS, PLAY, UNDECIDED
from engine.seven.columns import (
    BOARD_IDS,
    BOARDS,
    CARD_IDS,
    CARDS,
    COLOUR,
    EDITION_BOARDS,
    EDITION_CARDS,
    HIDDEN,
    NAME,
    NAMES,
)
from engine.seven.rows import (
    CHOICE,
    COIN,
    COINS_EACH,
    COLOURS,
    DISCOUNT,
    MAKES,
    POINTS_EACH,
    POWER,
    RESOURCES,
    SCIENCE,
    Card,
    Effect,
    Gives,
)
from engine.seven.score import total
from engine.seven.state import (
    AT_COINS,
    AT_DEFEATS,
    AT_SHIELDS,
    AT_STAGES,
    AT_VICTORIES,
    CITY,
    Position,
)
from engine.seven.turn import asked
from engine.seven.view import city_rows, held, may_hold, pile_size
from engine.seven.words import label

AGE_NUMERALS: Final = ("I", "II", "III")


def card_name(card: Card, lang: str) -> str:
    """The name of a card in that language."""
    return words.CARDS_FR[NAMES[NAME[CARDS.index(card)]]] if lang == "fr" else card.name


def name_of(name: int, lang: str) -> str:
    """The name a number stands for, in that language."""
    return card_name(CARDS[NAME.index(name)], lang)


def tell(action: int, lang: str) -> str:
    """A move in words."""
    kind, name, left, right = notation.split(action)
    if kind == PASS:
        return say(words.MOVES["pass"], lang)
    text = say(words.MOVES[notation.VERBS[kind]], lang).format(name_of(name, lang))
    if left + right:
        text += say(words.MOVES["pay"], lang).format(left, right)
    return text


def cost_text(cost: str, lang: str) -> str:
    """A cost in words."""
    parts = []
    for letter in COIN + RESOURCES:
        count = cost.count(letter)
        word = say(words.RESOURCES[letter], lang)
        if count:
            parts.append(f"{count} {word}")
    return " + ".join(parts)


def effect_text(gives: Gives, lang: str) -> str:
    """What a card or a stage gives, in words."""
    return "; ".join(_effect(effect, lang) for effect in gives)


def _effect(e: Effect, lang: str) -> str:
    letters = [say(words.RESOURCES[letter], lang) for letter in e.letters]
    if e.kind == MAKES:
        return cost_text(e.letters, lang)
    if e.kind == CHOICE:
        return " / ".join(letters)
    if e.kind == SCIENCE:
        return say(words.SYMBOLS[e.what[0]], lang)
    if e.kind == POWER:
        return say(words.POWERS[e.amount], lang)
    text = say(words.EFFECTS[e.kind], lang)
    ending = "" if e.amount == 1 else "s"
    if e.kind == DISCOUNT:
        return text.format(", ".join(letters), say(words.PLACES[e.where], lang))
    if e.kind in (COINS_EACH, POINTS_EACH):
        what = ", ".join(say(words.COUNTED[what], lang) for what in e.what)
        return text.format(e.amount, ending, what, say(words.PLACES[e.where], lang))
    return text.format(e.amount, ending)


def components(edition: int, lang: str) -> list[Sheet]:
    """The cards, the boards and their stages."""
    return [_cards(edition, lang), _boards(edition, lang), _stages(edition, lang)]


def _sheet(id: str, keys: tuple[str, ...], rows: list[tuple[str | int, ...]], lang: str) -> Sheet:
    return sheet(id, keys, rows, words.LABELS, lang)


def _cards(edition: int, lang: str) -> Sheet:
    cards = {CARDS[row].name: CARDS[row] for row in EDITION_CARDS[edition]}
    rows: list[tuple[str | int, ...]] = []
    for row in EDITION_CARDS[edition]:
        card = CARDS[row]
        givers = [giver for giver in cards.values() if card.name in giver.chains]
        rows.append(
            (
                CARD_IDS[row],
                card_name(card, lang),
                card.age,
                say(words.COLOURS[COLOURS[card.colour]], lang),
                cost_text(card.cost, lang),
                effect_text(card.gives, lang),
                " ".join(card.copies) or label("guild", lang),
                ", ".join(card_name(giver, lang) for giver in givers),
                ", ".join(card_name(cards[name], lang) for name in card.chains),
            )
        )
    keys = ("id", "name", "age", "colour", "cost", "effect", "copies", "free_from", "chains_to")
    return _sheet("cards", keys, rows, lang)


def _boards(edition: int, lang: str) -> Sheet:
    rows: list[tuple[str | int, ...]] = [
        (
            BOARD_IDS[number],
            say(words.WONDERS[board.id], lang),
            say(words.SIDES[board.side], lang),
            say(words.MONUMENTS[board.id], lang),
            say(words.RESOURCES[board.start], lang),
            len(board.stages),
        )
        for number, board in enumerate(BOARDS)
        if number in EDITION_BOARDS[edition]
    ]
    keys = ("id", "name", "side", "monument", "starts_with", "stages")
    return _sheet("boards", keys, rows, lang)


def _stages(edition: int, lang: str) -> Sheet:
    rows: list[tuple[str | int, ...]] = [
        (BOARD_IDS[number], at, cost_text(stage.cost, lang), effect_text(stage.gives, lang))
        for number in EDITION_BOARDS[edition]
        for at, stage in enumerate(BOARDS[number].stages, 1)
    ]
    return _sheet("stages", ("wonder", "stage", "cost", "effect"), rows, lang)


def scene(p: Position, lang: str) -> Scene:
    """The table, as far as the position knows it."""
    when = f"{label('age', lang)} {AGE_NUMERALS[p.age]}, {label('turn', lang)} {p.turn + 1}"
    heading = f"{when}: {say(words.PROMPTS[p.phase], lang)}"
    if p.phase == OVER:
        heading = say(words.PROMPTS[OVER], lang)
    pile = Piece(f"{pile_size(p)} {label('cards', lang)}")
    middle = Line(label("discards", lang), [pile])
    seats = [_seat(p, seat, lang) for seat in range(p.players)]
    return Scene(heading, [Panel(label("table", lang), [middle]), *seats])


def _seat(p: Position, seat: int, lang: str) -> Panel:
    board = BOARDS[p.boards[seat]]
    city = [p.city[seat * CITY + at] for at in range(CITY)]
    lines = [
        Line(
            label("stages", lang),
            [
                Piece(
                    f"{cost_text(stage.cost, lang)}: {effect_text(stage.gives, lang)}"
                    + (" ✓" if at < city[AT_STAGES] else "")
                )
                for at, stage in enumerate(board.stages)
            ],
        ),
        Line(label("coins", lang), [Piece(f"{city[AT_COINS]}", "yellow")]),
        Line(
            label("military", lang),
            [
                Piece(f"{city[AT_SHIELDS]} {label('shields', lang)}", "red"),
                Piece(f"{city[AT_VICTORIES]} {label('victories', lang)}"),
                Piece(f"{city[AT_DEFEATS]} {label('defeats', lang)}"),
            ],
        ),
        Line(label("cards", lang), _pieces(city_rows(p, seat), lang)),
        Line(label("hand", lang), _hand(p, seat, lang)),
    ]
    name = say(words.WONDERS[board.id], lang)
    side = say(words.SIDES[board.side], lang)
    title = f"{name} ({side}) · {total(p, seat)} {label('points', lang)}"
    return Panel(title, [line for line in lines if line.pieces], seat, _is_active(p, seat))


def _is_active(p: Position, seat: int) -> bool:
    if p.phase == PLAY:
        return bool(p.commits[seat] == UNDECIDED)
    return p.phase != OVER and asked(p) == seat


def _pieces(rows: list[int], lang: str) -> list[Piece]:
    return [Piece(card_name(CARDS[row], lang), COLOURS[COLOUR[row]]) for row in rows]


def _hand(p: Position, seat: int, lang: str) -> list[Piece]:
    """The cards a seat holds; where they are hidden their number, and what they may be."""
    cards = held(p, seat)
    if HIDDEN not in cards:
        return _pieces(cards, lang)
    count = Piece(f"{len(cards)} {label('hidden', lang)}")
    known = _pieces(may_hold(p, seat), lang)
    return [count, Piece(label("remembered", lang)), *known] if known else [count]
