"""7 Wonders as people see it: the table, moves in words, and what is in the box."""

from collections.abc import Sequence
from functools import cache
from typing import Final, final

from arena.display import seven_texts as texts
from arena.display.scene import (
    CARD,
    COINS,
    DEFEAT,
    GOODS,
    PILE,
    SHIELDS,
    STAGE,
    SYMBOL,
    VICTORY,
    Line,
    MoveFace,
    Panel,
    Piece,
    Prospects,
    Scene,
    Sheet,
    sheet,
    ties,
)
from arena.display.seven_cards import card_name, chains_text, cost_text, effect_text, name_of
from arena.display.seven_obstacles import obstacles
from arena.display.seven_texts import count, label
from arena.display.signs import SYMBOLS, cost_signs, effect_signs
from arena.i18n import colon, gettext
from engine.contract import State, left_of, right_of
from engine.match import Setup
from engine.seven.actions import BUILD, OVER, PASS, PLAY, TAKE, UNDECIDED
from engine.seven.actions import STAGE as BURY
from engine.seven.components.lookup import (
    AGES,
    BOARD_IDS,
    BOARDS,
    CARD_IDS,
    CARDS,
    CHAIN,
    COLOUR,
    EDITION_BOARDS,
    EDITION_CARDS,
    HAND,
    HIDDEN,
    NAME,
    NAME_PLACES,
    NONE,
    OTHER_CHAIN,
    ROW_OF,
)
from engine.seven.components.rows import (
    CHOICE,
    COIN,
    COLOURS,
    MAKES,
    Effect,
)
from engine.seven.formats import notation
from engine.seven.knowledge.redact import city_rows, held, may_hold, pile_size
from engine.seven.options import bank_price
from engine.seven.powers import waived
from engine.seven.score import sheet as points
from engine.seven.score import total
from engine.seven.setup import edition_named
from engine.seven.state import (
    AT_COINS,
    AT_DEFEATS,
    AT_SCIENCE,
    AT_SHIELDS,
    AT_STAGES,
    AT_VICTORIES,
    CITY,
    SevenPosition,
)
from engine.seven.turn import asked

AGE_NUMERALS: Final = ("I", "II", "III")


def _describe_action(
    action: int,
    lang: str,
    open: bool,
    p: SevenPosition | None,
    seat: int | None,
    brief: bool,
) -> str:
    """A move in words; what others see of it where it is not open."""
    kind, name, left, right = notation.split(action)
    if kind == PASS:
        return gettext(texts.MOVES["pass"], lang)
    verb = notation.VERBS[kind]
    if verb in texts.CLOSED_MOVES and not open:
        text = gettext(texts.CLOSED_MOVES[verb], lang)
    else:
        text = gettext(texts.MOVES[verb], lang, card=name_of(name, lang))
    if brief and p is not None and seat is not None:
        return text + _short_payments(p, seat, left, right, lang)
    if payments := _paid(p, seat, left, right, lang):
        text += gettext(texts.MOVES["pay"], lang, payments=payments)
    return text


def _tell_action(action: int, lang: str, open: bool, p: SevenPosition, seat: int) -> str:
    """A move that was made; what others see of it where it is not open."""
    kind, name, left, right = notation.split(action)
    if kind == PASS:
        return gettext(texts.TOLD["pass"], lang)
    verb = notation.VERBS[kind]
    words = texts.TOLD if open else {**texts.TOLD, **texts.CLOSED_TOLD}
    stage = int(p.city[seat * CITY + AT_STAGES]) + 1
    text = gettext(words[verb], lang, card=name_of(name, lang), stage=stage)
    paid = _paid(p, seat, left, right, lang)
    return f"{text} ({paid})" if paid else text


def _short_payments(p: SevenPosition, seat: int, left: int, right: int, lang: str) -> str:
    """Who is paid how much, in signs; empty if nobody."""
    paid = [f"{coins}\u00a0→\u00a0{city}" for coins, city in _receivers(p, seat, left, right, lang)]
    return f" ({', '.join(paid)})" if paid else ""


def _paid(p: SevenPosition | None, seat: int | None, left: int, right: int, lang: str) -> str:
    """What a move pays, and to whom as far as that is known; empty if nothing."""
    if p is not None and seat is not None:
        found = _payments(p, seat, left, right, lang)
    else:
        sides = zip((left, right), texts.PAYMENTS, strict=True)
        found = [
            gettext(side, lang, coins=count(coins, "coins", lang)) for coins, side in sides if coins
        ]
    return gettext(texts.AND, lang).join(found)


def _components(edition: int, lang: str) -> list[Sheet]:
    """The cards, the boards and their stages."""
    return [_cards(edition, lang), _boards(edition, lang), _stages(edition, lang)]


def _sheet(id: str, keys: tuple[str, ...], rows: list[tuple[str | int, ...]], lang: str) -> Sheet:
    return sheet(id, keys, rows, texts.LABELS, lang)


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
                gettext(texts.COLOURS[COLOURS[card.colour]], lang),
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
            gettext(texts.WONDERS[board.id], lang),
            gettext(texts.SIDES[board.side], lang),
            gettext(texts.MONUMENTS[board.id], lang),
            gettext(texts.RESOURCES[board.start], lang),
            len(board.stages),
        )
        for number, board in enumerate(BOARDS)
        if number in EDITION_BOARDS[edition]
    ]
    keys = ("id", "name", "side", "monument", "starts_with", "stages")
    return _sheet("boards", keys, rows, lang)


def _stages(edition: int, lang: str) -> Sheet:
    rows: list[tuple[str | int, ...]] = [
        (
            BOARD_IDS[number],
            _board_name(number, lang),
            at,
            cost_text(stage.cost, lang),
            effect_text(stage.gives, lang),
        )
        for number in EDITION_BOARDS[edition]
        for at, stage in enumerate(BOARDS[number].stages, 1)
    ]
    return _sheet("stages", ("id", "wonder", "stage", "cost", "effect"), rows, lang)


def _board_name(number: int, lang: str) -> str:
    """A wonder and its side."""
    board = BOARDS[number]
    return f"{gettext(texts.WONDERS[board.id], lang)} ({gettext(texts.SIDES[board.side], lang)})"


def _score_pad(p: SevenPosition, lang: str) -> Sheet:
    """The points of every seat by category."""
    sheets = [points(p, seat) for seat in range(p.players)]
    cities = [gettext(texts.WONDERS[BOARDS[board].id], lang) for board in p.boards]
    rows: list[tuple[str | int, ...]] = [
        (seat, cities[seat], *row.values()) for seat, row in enumerate(sheets)
    ]
    keys = ("seat", "city", *sheets[0])
    coins = [int(p.city[seat * CITY + AT_COINS]) for seat in range(p.players)]
    notes = tuple(ties([row["total"] for row in sheets], coins, cities, texts.TIES, lang))
    return sheet("scores", keys, rows, texts.SCORES, lang, notes)


def _scene(p: SevenPosition, lang: str) -> Scene:
    """The table, as far as the position knows it."""
    heading = short = gettext(texts.PROMPTS[p.phase], lang)
    passing = age = when = ""
    if p.phase != OVER:
        age = AGE_NUMERALS[p.age]
        turn, turns = int(p.turn) + 1, int(HAND) - 1
        heading = gettext(texts.HEADING, lang, prompt=heading, age=age, turn=turn)
        short = f"{age} · {turn}"
        when = gettext(texts.WHEN, lang, age=age, turn=min(turn, turns), turns=turns)
        passing = "right" if p.age == 1 else "left"
    pile = Piece(count(int(pile_size(p)), "cards", lang), kind=PILE, mark=f"{pile_size(p)}")
    middle = Panel(label("table", lang), [_line("discards", [pile], lang)])
    seats = [_seat(p, seat, lang) for seat in range(p.players)]
    return Scene(heading, [middle, *seats], short, passing, age, when)


def _line(id: str, pieces: list[Piece], lang: str) -> Line:
    return Line(id, label(id, lang), pieces)


def _goods(p: SevenPosition, seat: int, lang: str) -> list[Piece]:
    """What the city makes every turn, each symbol a piece."""
    board = BOARDS[p.boards[seat]]
    stages = board.stages[: int(p.city[seat * CITY + AT_STAGES])]
    found = [(Effect(MAKES, letters=board.start),), *(stage.gives for stage in stages)]
    found += [CARDS[row].gives for row in city_rows(p, seat)]
    effects = [effect for gives in found for effect in gives if effect.kind in (MAKES, CHOICE)]
    return [
        Piece(effect_text((effect,), lang), kind=GOODS, gives=effect_signs((effect,)))
        for effect in sorted(effects, key=lambda effect: (effect.kind != MAKES, effect.letters))
    ]


def _symbols(city: list[int], lang: str) -> list[Piece]:
    """The science symbols of the city, and how often there is each."""
    return [
        Piece(gettext(texts.SYMBOLS[at], lang), "green", number, SYMBOL, gives=SYMBOLS[at])
        for at in range(len(SYMBOLS))
        if (number := int(city[AT_SCIENCE + at]))
    ]


def _seat(p: SevenPosition, seat: int, lang: str) -> Panel:
    city = [int(p.city[seat * CITY + at]) for at in range(CITY)]
    coins = f"{city[AT_COINS]}"
    lines = [
        _line("stages", list(_stack(int(p.boards[seat]), int(city[AT_STAGES]), lang)), lang),
        _line("coins", [Piece(coins, "yellow", kind=COINS, mark=coins)], lang),
        _line(
            "military",
            [
                _number(SHIELDS, int(city[AT_SHIELDS]), "shields", lang),
                _number(VICTORY, int(city[AT_VICTORIES]), "victories", lang),
                _number(DEFEAT, int(city[AT_DEFEATS]), "defeats", lang),
            ],
            lang,
        ),
        _line("goods", _goods(p, seat, lang), lang),
        _line("symbols", _symbols(city, lang), lang),
        _line("cards", _pieces(city_rows(p, seat), lang), lang),
        _line("hand", _hand(p, seat, lang), lang),
    ]
    name = _board_name(int(p.boards[seat]), lang)
    points = int(total(p, seat))
    title = f"{name} · {count(points, 'points', lang)}"
    shown = [line for line in lines if line.pieces]
    wonder = BOARDS[p.boards[seat]].id
    return Panel(title, shown, seat, _is_active(p, seat), name, points, wonder=wonder)


@cache  # a game shows each of them again and again
def _stack(number: int, built: int, lang: str) -> tuple[Piece, ...]:
    pieces = []
    for at, stage in enumerate(BOARDS[number].stages):
        cost = cost_text(stage.cost, lang)
        gives = effect_text(stage.gives, lang)
        text = f"{cost}{colon(lang)} {gives}" + (" ✓" if at < built else "")
        pieces.append(
            Piece(
                text,
                kind=STAGE,
                mark=cost,
                note=gives,
                level=at,
                done=at < built,
                cost=cost_signs(stage.cost),
                gives=effect_signs(stage.gives),
            )
        )
    return tuple(pieces)


def _number(kind: str, number: int, key: str, lang: str) -> Piece:
    colour = "red" if kind == SHIELDS else ""
    return Piece(count(number, key, lang), colour, kind=kind, mark=f"{number}")


def _is_active(p: SevenPosition, seat: int) -> bool:
    if p.phase == PLAY:
        return bool(p.commits[seat] == UNDECIDED)
    return p.phase != OVER and asked(p) == seat


def _pieces(rows: list[int], lang: str) -> list[Piece]:
    return [card_piece(row, lang) for row in rows]


@cache
def card_piece(row: int, lang: str) -> Piece:
    """A card with all that is printed on it."""
    card = CARDS[row]
    return Piece(
        card_name(card, lang),
        COLOURS[COLOUR[row]],
        kind=CARD,
        mark=cost_text(card.cost, lang),
        note=effect_text(card.gives, lang),
        key=CARD_IDS[row],
        cost=cost_signs(card.cost),
        gives=effect_signs(card.gives),
        chains=chains_text(row, lang),
    )


def _move_face(action: int, lang: str, p: SevenPosition, seat: int) -> MoveFace:
    """A move: its card, what becomes of it, and what that costs."""
    kind, name, left, right = notation.split(action)
    verb = notation.VERBS.get(kind, "pass")
    if kind == PASS:
        return MoveFace(verb, gettext(texts.DEEDS[verb], lang))
    ages = (p.age,) if kind != TAKE else range(AGES)
    rows = [int(ROW_OF[(p.edition * AGES + age) * NAME_PLACES + name]) for age in ages]
    row = next(row for row in rows if row < len(CARDS) and NAME[row] == name)
    built = int(p.city[seat * CITY + AT_STAGES])
    gain = ""
    if kind == BURY:
        gain = effect_text(BOARDS[p.boards[seat]].stages[built].gives, lang)
    deed = gettext(texts.DEEDS[verb], lang, stage=built + 1, gain=gain)
    price = ""
    paid = left + right
    if kind == BUILD:
        price = _price(p, seat, row, left, right, lang)
        paid += int(bank_price(p, seat, row))
    elif kind == BURY:
        price = _bought(p, seat, left, right, lang)
    stage = built + 1 if kind == BURY else 0
    return MoveFace(verb, deed, card_piece(row, lang), price, paid, stage)


def _payments(p: SevenPosition, seat: int, left: int, right: int, lang: str) -> list[str]:
    """Who is paid how much, in words."""
    return [
        gettext(texts.PAID, lang, coins=count(coins, "coins", lang), city=city)
        for coins, city in _receivers(p, seat, left, right, lang)
    ]


def _receivers(
    p: SevenPosition, seat: int, left: int, right: int, lang: str
) -> list[tuple[int, str]]:
    """How much is paid to which city."""
    n = int(p.players)
    return [
        (coins, _city_name(p, other, lang))
        for coins, other in ((left, left_of(seat, n)), (right, right_of(seat, n)))
        if coins
    ]


def _bought(p: SevenPosition, seat: int, left: int, right: int, lang: str) -> str:
    """Who is paid how much, or that nobody is."""
    return ", ".join(_payments(p, seat, left, right, lang)) or gettext(texts.OWN_GOODS, lang)


def _price(p: SevenPosition, seat: int, row: int, left: int, right: int, lang: str) -> str:
    """What a building costs this seat, and why it may be free."""
    card = CARDS[row]
    if not card.cost:
        return gettext(texts.COSTS_NOTHING, lang)
    if waived(p, seat, row):
        built = {NAME[each] for each in city_rows(p, seat)}
        giver = next((each for each in (CHAIN[row], OTHER_CHAIN[row]) if each in built), None)
        by = _city_name(p, seat, lang) if giver is None else name_of(giver, lang)
        return gettext(texts.FREE_BY, lang, card=by)
    if COIN in card.cost:
        return count(card.cost.count(COIN), "coins", lang)
    return _bought(p, seat, left, right, lang)


def _city_name(p: SevenPosition, seat: int, lang: str) -> str:
    return gettext(texts.WONDERS[BOARDS[p.boards[seat]].id], lang)


def _hand(p: SevenPosition, seat: int, lang: str) -> list[Piece]:
    """The cards a seat holds; where they are hidden their number, and what they may be."""
    cards = [card for card in held(p, seat) if card != NONE]  # one is played: `State.after`
    if HIDDEN not in cards:
        return _pieces(cards, lang)
    pile = Piece(count(len(cards), "hidden", lang), kind=PILE, mark=f"{len(cards)}")
    known = _pieces(may_hold(p, seat), lang)
    return [pile, Piece(label("remembered", lang)), *known] if known else [pile]


@final
class SevenDisplay:
    """7 Wonders for people."""

    def components(self, edition: str | None, lang: str) -> list[Sheet]:
        return _components(edition_named(edition), lang)

    def cards(self, edition: str | None, lang: str) -> list[tuple[str, list[Piece]]]:
        rows = EDITION_CARDS[edition_named(edition)]
        return [
            (
                f"{label('age', lang)} {AGE_NUMERALS[age]}",
                [card_piece(row, lang) for row in rows if CARDS[row].age == age + 1],
            )
            for age in range(AGES)
        ]

    def scene(self, state: State, lang: str) -> Scene:
        return _scene(_position(state), lang)

    def describe_action(
        self,
        action: int,
        lang: str,
        open: bool = True,
        state: State | None = None,
        seat: int | None = None,
        brief: bool = False,
        yours: bool = False,
    ) -> str:
        position = None if state is None else _position(state)
        return _describe_action(action, lang, open, position, seat, brief)

    def tell_action(self, action: int, lang: str, open: bool, state: State, seat: int) -> str:
        return _tell_action(action, lang, open, _position(state), seat)

    def move_face(self, action: int, lang: str, state: State, seat: int) -> MoveFace:
        return _move_face(action, lang, _position(state), seat)

    def drawn_besides(self, before: State, action: int, after: State, lang: str) -> str:
        return ""

    def prospects(self, state: State, seat: int, lang: str) -> Prospects:
        return Prospects()

    def obstacles(self, state: State, seat: int, lang: str) -> dict[str, str]:
        return obstacles(_position(state), seat, lang)

    def legend(self, lang: str) -> list[str]:
        return [gettext(line, lang) for line in texts.LEGEND]

    def score_pad(self, state: State, lang: str) -> Sheet:
        return _score_pad(_position(state), lang)

    def ending(self, state: State, names: Sequence[str], lang: str) -> str:
        return "" if state.pending() else gettext(texts.LAST_AGE, lang)

    def setup_notices(self, setup: Setup, lang: str) -> list[str]:
        return []


def _position(state: State) -> SevenPosition:
    assert isinstance(state, SevenPosition)
    return state
