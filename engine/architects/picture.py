"""Architects as people see it: the table, moves in words, and what is in the box."""

from engine.architects.actions import OVER
from engine.architects.battle import shields
from engine.architects.cards import CENTRE_CARDS, KINDS, Kind
from engine.architects.columns import (
    CENTRE_MEDALS,
    CONFLICTS,
    FIRST_SCIENCE,
    HIDDEN,
    KIND_COUNT,
    NO_MEDAL,
    NO_TOKEN,
    SCIENCES,
)
from engine.architects.ids import TOKEN_IDS, WONDER_IDS
from engine.architects.medals import MEDALS
from engine.architects.notation import WHICH, payment, payment_tokens, split
from engine.architects.score import MEDAL_POINTS, MILITARY_POINTS, total
from engine.architects.state import Position, given_seat
from engine.architects.tokens import TOKENS, Token
from engine.architects.wonders import WONDERS, Wonder
from engine.architects.words import (
    LABELS,
    MOVES,
    OBJECTIVES,
    POWERS,
    PROVISIONAL,
    TOKEN_EFFECTS,
    label,
)
from engine.scene import Line, Panel, Piece, Scene, Sheet, say, sheet


def name(row: Kind | Wonder | Token, lang: str) -> str:
    """The name of a card, wonder or token in that language."""
    return row.fr if lang == "fr" else row.en


def notices(wonders: tuple[str, ...], lang: str) -> list[str]:
    """A line for each wonder whose printed components are not known."""
    rows = [WONDERS[WONDER_IDS.index(id)] for id in wonders]
    return [say(PROVISIONAL, lang).format(name(row, lang)) for row in rows if row.provisional]


def scene(p: Position, lang: str) -> Scene:
    """The table, as far as it lies open to everybody or the view knows it."""
    turn = name(WONDERS[p.wonder[p.turn]], lang)
    if p.ask == OVER:
        heading = label("over", lang)
    else:
        heading = f"{label('seat', lang)} {p.turn} ({turn}) {label('plays', lang)}"
    seats = [_seat(p, seat, lang) for seat in range(p.players)]
    return Scene(heading, [_middle(p, lang), *seats])


def _middle(p: Position, lang: str) -> Panel:
    tokens = [name(TOKENS[token], lang) for token in p.face_up if token != NO_TOKEN]
    face_up = [Piece(text) for text in tokens]
    conflicts = CONFLICTS[p.players]
    lines = [
        Line(label("deck", lang), _top(p, int(p.players), lang)),
        Line(label("progress", lang), [*face_up, Piece(f"+{p.stacked} {label('stack', lang)}")]),
        Line(
            label("conflict", lang), [Piece("✕" * p.flipped + "·" * (conflicts - p.flipped), "red")]
        ),
    ]
    medals = [p.medal[p.players + place] for place in range(CENTRE_MEDALS)]
    lines += _medals_line(medals, lang)
    return Panel(label("centre", lang), lines)


def _medals_line(medals: list[int], lang: str) -> list[Line]:
    texts = [say(OBJECTIVES[MEDALS[medal].id], lang) for medal in medals if medal != NO_MEDAL]
    return [Line(label("medal", lang), [Piece(text) for text in texts])] if texts else []


def _top(p: Position, deck: int, lang: str) -> list[Piece]:
    pieces = [Piece(f"{p.size[deck]} {label('cards', lang)}")]
    hidden = deck == p.players and (p.viewer < 0 or p.top(deck) == HIDDEN)
    if p.size[deck] and not hidden:
        kind = KINDS[p.top(deck)]
        pieces.insert(0, Piece(name(kind, lang), kind.colour))
    return pieces


def _seat(p: Position, seat: int, lang: str) -> Panel:
    wonder = WONDERS[p.wonder[seat]]
    stages = [
        Piece(
            f"{stage.count}{stage.rule}" + ("✓" if p.built[seat] >> at & 1 else f" {stage.points}")
        )
        for at, stage in enumerate(wonder.stages)
    ]
    cards = [
        Piece(name(kind, lang), kind.colour, int(p.cards[seat * KIND_COUNT + at]))
        for at, kind in enumerate(KINDS)
        if p.cards[seat * KIND_COUNT + at]
    ]
    given = sum(1 for given in p.given if given_seat(given) == seat)
    if given:
        cards.append(Piece(f"{given} {label('face_down', lang)}"))
    lines = [
        Line(label("stages", lang).lower(), stages),
        Line(label("cards", lang), cards),
        Line(label("progress", lang), _tokens(p, seat, lang)),
        Line(label("deck", lang), _top(p, seat, lang)),
        Line(label("military", lang), _military(p, seat, lang)),
        *_medals_line([p.medal[seat]], lang),
    ]
    cat = f" · {label('cat', lang)}" if p.cat == seat else ""
    title = f"{name(wonder, lang)} · {total(p, seat)} {label('points', lang)}{cat}"
    shown = [line for line in lines if line.pieces]
    return Panel(title, shown, seat, p.ask != OVER and p.turn == seat)


def _military(p: Position, seat: int, lang: str) -> list[Piece]:
    pieces = [Piece(f"{shields(p, seat)} {label('shields', lang)}", "red")]
    if p.military[seat]:
        pieces.append(Piece(f"{p.military[seat]} × {MILITARY_POINTS} {label('points', lang)}"))
    if p.won[seat]:
        points = f"{p.won[seat]} × {MEDAL_POINTS} {label('points', lang)}"
        pieces.append(Piece(f"{points} ({label('medal', lang)})"))
    return pieces


def _tokens(p: Position, seat: int, lang: str) -> list[Piece]:
    return [
        Piece(name(token, lang), "", int(p.copies(seat, at)))
        for at, token in enumerate(TOKENS)
        if p.copies(seat, at)
    ]


def tell(action: int, lang: str) -> str:
    """A move in words."""

    def line(key: str, *words: object) -> str:
        return say(MOVES[key], lang).format(*words)

    def card(kind: int) -> str:
        return name(KINDS[kind], lang)

    def token(number: int) -> str:
        return name(TOKENS[number], lang)

    verb, one, two = split(action)
    if verb == "build":
        cards = "+".join(card(kind) for kind in payment(action))
        tokens = [token(TOKEN_IDS.index(id)) for id in payment_tokens(action)]
        by = line("by", "+".join(tokens)) if tokens else ""
        return line(verb, one + 1, cards) + by
    if verb == "steal":
        return line(verb, card(two), one)
    if verb == "extra":
        return line(verb, token(one), line(WHICH[two]))
    if verb == "study":
        pair = [one, one] if one < SCIENCES else list(range(SCIENCES))
        return line(verb, "+".join(card(int(FIRST_SCIENCE) + science) for science in pair))
    if verb == "keep":
        return line(verb, card(one))
    if verb == "token":
        return line(verb, token(one))
    if verb == "look":
        return line(verb, line(f"side_{WHICH[one]}"))
    if verb == "take":
        return line(verb, line(WHICH[one]))
    return line(verb, one)


def components(lang: str) -> list[Sheet]:
    """Wonders, stages, decks, tokens and medals."""
    return [_wonders(lang), _stages(lang), _decks(lang), _progress(lang), _medals(lang)]


def _wonders(lang: str) -> Sheet:
    rows: list[tuple[str | int, ...]] = [
        (
            w.id,
            name(w, lang),
            w.monument_fr if lang == "fr" else w.monument_en,
            say(POWERS[w.id], lang),
            w.expansion,
            label("provisional", lang) if w.provisional else "",
        )
        for w in WONDERS
    ]
    keys = ("id", "name", "monument", "effect", "needs", "status")
    return sheet("wonders", keys, rows, LABELS, lang, tuple(notices(WONDER_IDS, lang)))


def _stages(lang: str) -> Sheet:
    rows: list[tuple[str | int, ...]] = [
        (
            wonder.id,
            at + 1,
            f"{stage.count}{stage.rule}",
            stage.points,
            label("yes", lang) if stage.effect else "",
            " ".join(str(below) for below in stage.on),
        )
        for wonder in WONDERS
        for at, stage in enumerate(wonder.stages)
    ]
    keys = ("wonder", "stage", "cost", "points", "has_effect", "rests_on")
    return sheet("stages", keys, rows, LABELS, lang)


def _decks(lang: str) -> Sheet:
    rows: list[tuple[str | int, ...]] = [
        (
            kind.id,
            name(kind, lang),
            label(kind.colour, lang),
            *(wonder.deck[at] for wonder in WONDERS),
            CENTRE_CARDS[at],
        )
        for at, kind in enumerate(KINDS)
    ]
    keys = ("id", "card", "colour", *WONDER_IDS, "centre")
    names = {wonder.id: (wonder.en, wonder.fr) for wonder in WONDERS}
    return sheet("decks", keys, rows, {**LABELS, **names}, lang)


def _progress(lang: str) -> Sheet:
    rows: list[tuple[str | int, ...]] = [
        (t.id, name(t, lang), say(TOKEN_EFFECTS[t.id], lang), t.copies, t.copies_with_medals)
        for t in TOKENS
    ]
    keys = ("id", "name", "effect", "copies", "copies_with_medals")
    return sheet("tokens", keys, rows, LABELS, lang)


def _medals(lang: str) -> Sheet:
    rows: list[tuple[str | int, ...]] = [
        (m.id, say(OBJECTIVES[m.id], lang), int(MEDAL_POINTS)) for m in MEDALS
    ]
    return sheet("medals", ("id", "objective", "points"), rows, LABELS, lang)
