"""The replay page: parts that are drawn once and shown wherever they recur.

A page has slots, one for every row of every place at the table. A step is a part for each slot;
the server fills them for the step asked for, the script for every other one.
"""

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final
from urllib.parse import urlencode

from arena.display.scene import Line, Panel, Piece, Scene
from arena.i18n import colon, gettext
from arena.reports.wording import format_move
from arena.site.frames import ReplayFrame, ReplayFrames, SeatChoice
from arena.site.templating import Link, Macros, PageFrame, draw, embed

# From top to bottom; a place has those that ever occur in it.
ROWS: Final = (
    "stages",
    "coins",
    "military",
    "cards",
    "progress",
    "conflict",
    "medal",
    "deck",
    "discards",
    "hand",
)
HEAD: Final = "head"
CHOICE: Final = "choice"
STANDING: Final = "standing"
ENDING: Final = "ending"


@dataclass(frozen=True)
class Place:
    """A panel of the page: the middle or a seat, and its slots by number."""

    seat: int | None
    slots: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class ReplayStep:
    """What the page shows: its heading, what was decided and is read out, and parts by slot."""

    heading: str
    brief: str
    live: str
    active: list[int]
    fill: list[int]


@dataclass(frozen=True)
class RenderedReplay:
    """A replay ready to be shown: worth keeping, for it is the same for every step."""

    replay: ReplayFrames
    places: list[Place]
    parts: list[str]
    steps: list[ReplayStep]
    data: str  # parts and steps, for the script


class PartRenderer:
    """Parts of pages, each kept once."""

    def __init__(self, scenes: list[Scene], names: tuple[str, ...], lang: str) -> None:
        self.names = names
        self.lang = lang
        self.most = max(1, *(panel.points for scene in scenes for panel in scene.panels))
        self._macros = macros(lang)
        self._texts: dict[str, int] = {"": 0}
        self._numbers: dict[object, int] = {}

    def parts(self) -> list[str]:
        """All parts so far, by number."""
        return list(self._texts)

    def number(self, key: object, macro: str, *values: object) -> int:
        """The number of the part the macro makes of the values; equal keys are drawn once."""
        if key not in self._numbers:
            text = self._macros.draw(macro, *values)
            self._numbers[key] = self._texts.setdefault(text, len(self._texts))
        return self._numbers[key]

    def place(self, frame: ReplayFrame, place: Place, panel: Panel) -> list[int]:
        """The parts of a panel, slot by slot."""
        seats = iter(panel for panel in frame.scene.panels if panel.seat is not None)
        numbers = []
        for id, _slot in place.slots:
            if id == HEAD:
                numbers.append(self.head(panel))
            elif id == CHOICE:
                numbers.append(self.choice(frame, panel))
            elif id == STANDING:
                numbers.append(self.standing(next(seats)))
            else:
                numbers.append(self.row(panel, id))
        return numbers

    def row(self, panel: Panel, id: str) -> int:
        """The part for one row of a panel; part 0 is nothing."""
        line = next((line for line in panel.lines if line.id == id), None)
        if line is None:
            return 0
        text = drawn_row(self.lang, id, line.label, tuple(line.pieces))
        return self._texts.setdefault(text, len(self._texts))

    def head(self, panel: Panel) -> int:
        """The part above a panel: who sits there, what the city is called and worth."""
        bot = "" if panel.seat is None else self.names[panel.seat]
        name = panel.name or panel.title
        key = (HEAD, panel.seat, name, panel.points, tuple(panel.pawns))
        return self.number(key, HEAD, panel, name, bot)

    def standing(self, panel: Panel) -> int:
        """The part that shows the points of a seat beside those of the others."""
        assert panel.seat is not None
        key = (STANDING, panel.seat, panel.points)
        bot = self.names[panel.seat]
        return self.number(key, STANDING, panel.seat, bot, panel.points, self.most)

    def choice(self, frame: ReplayFrame, panel: Panel) -> int:
        """The part that tells what a seat decides, and how its bot failed."""
        own = next((choice for choice in frame.choices if choice.seat == panel.seat), None)
        faults = tuple(fault for fault in frame.faults if fault.seat == panel.seat)
        if own is None and not faults:
            return 0
        return self.number((CHOICE, own, faults), CHOICE, own, faults)

    def ending(self, replay: ReplayFrames) -> int:
        """The part that tells how it ended."""
        order = sorted(range(len(replay.names)), key=lambda seat: replay.ranks[seat])
        return self.number(ENDING, ENDING, replay, order)


@cache
def macros(lang: str) -> Macros:
    """What draws parts in that language."""
    return Macros("parts.html", lang)


@lru_cache(maxsize=20_000)
def drawn_row(lang: str, id: str, label: str, pieces: tuple[Piece, ...]) -> str:
    """A row of a panel; the same ones recur in match after match."""
    line = Line(id, label, list(pieces))
    return macros(lang).draw("row", line, levels(line))


def levels(line: Line) -> list[list[int]]:
    """The pieces of a line by their level, from the ground up."""
    top = max((piece.level for piece in line.pieces), default=0)
    return [
        [at for at, piece in enumerate(line.pieces) if piece.level == level]
        for level in range(top + 1)
    ]


def places(scenes: list[Scene]) -> list[Place]:
    """The panels of the page; slot 0 is the ending."""
    found = []
    next = 1
    for at, panel in enumerate(scenes[0].panels):
        seen = {line.id for scene in scenes for line in scene.panels[at].lines}
        rows = [HEAD, *([] if panel.seat is None else [CHOICE])]
        rows += [id for id in ROWS if id in seen]
        rows += [STANDING] * (len(scenes[0].panels) - 1) if panel.seat is None else []
        found.append(Place(panel.seat, tuple((id, next + i) for i, id in enumerate(rows))))
        next += len(rows)
    return found


def render_replay(replay: ReplayFrames) -> RenderedReplay:
    """The replay ready to be shown at any of its steps."""
    scenes = [frame.scene for frame in replay.frames]
    table = places(scenes)
    renderer = PartRenderer(scenes, replay.names, replay.lang)
    steps = []
    for number, frame in enumerate(replay.frames):
        fill = [renderer.ending(replay) if frame is replay.frames[-1] else 0]
        for place, panel in zip(table, frame.scene.panels, strict=True):
            fill += renderer.place(frame, place, panel)
        heading = frame.scene.heading
        brief = summary(replay, frame)
        steps.append(ReplayStep(heading, brief, live(replay, number), active(frame.scene), fill))
    parts = renderer.parts()
    data = embed({"parts": parts, "steps": [vars(step) for step in steps]})
    return RenderedReplay(replay, table, parts, steps, data)


def render_table(scene: Scene, names: tuple[str, ...], lang: str = "en") -> str:
    """The table alone, as it stands: for a page around a game that goes on."""
    table = places([scene])
    renderer = PartRenderer([scene], names, lang)
    frame = ReplayFrame(scene, (), ())
    fill = [0]
    for place, panel in zip(table, scene.panels, strict=True):
        fill += renderer.place(frame, place, panel)
    return macros(lang).draw("table", table, renderer.parts(), fill, active(scene))


def active(scene: Scene) -> list[int]:
    """The seats to mark: those that decide while others wait."""
    seats = [panel for panel in scene.panels if panel.seat is not None]
    marked = [panel.seat for panel in seats if panel.active and panel.seat is not None]
    return marked if len(marked) < len(seats) else []


def summary(replay: ReplayFrames, frame: ReplayFrame) -> str:
    """What was decided, where one seat did; many at once are seen on the table."""
    return _sentence(replay, frame.choices[0]) if len(frame.choices) == 1 else ""


def live(replay: ReplayFrames, number: int) -> str:
    """What is read out to those who listen."""
    frame = replay.frames[number]
    lang = replay.lang
    where = gettext("Step {number} of {last}", lang, number=number, last=len(replay.frames) - 1)
    told = ". ".join(
        [frame.scene.heading, *(_sentence(replay, choice) for choice in frame.choices)]
    )
    return f"{where}{colon(lang)} {told}."


def _sentence(replay: ReplayFrames, choice: SeatChoice) -> str:
    return format_move(replay.names[choice.seat], choice.seat, choice.text, replay.lang)


def replay_page(
    rendered: RenderedReplay,
    frame: PageFrame,
    step: int = 0,
    fixed: bool = False,
    template: str = "replay.html",
    **more: object,
) -> str:
    """The page of a match at a step; a fixed one is a plain file that no server answers for.

    Another template may extend the viewer's own, with more values.
    """
    replay = rendered.replay
    last = len(rendered.steps) - 1
    step = max(0, min(step, last))
    return draw(
        template,
        frame,
        replay=replay,
        setup=replay.spec.setup,
        places=rendered.places,
        parts=rendered.parts,
        steps=rendered.steps,
        step=step,
        last=last,
        fixed=fixed,
        hrefs=[address(replay, number, fixed) for number in range(len(rendered.steps))],
        views=() if fixed else views(replay, step),
        data=rendered.data,
        **more,
    )


def address(replay: ReplayFrames, step: int, fixed: bool = False) -> str:
    """The permanent link to a step, as seen from the page itself."""
    if fixed:
        return f"#step-{step}"
    return "?" + urlencode(_query(replay.lang, replay.seat, step))


def views(replay: ReplayFrames, step: int) -> list[Link]:
    """The same step as everybody's and as each seat sees it."""
    seats = [None, *range(len(replay.names))]
    names = [
        gettext("everybody's cards", replay.lang),
        *(f"{i} {n}" for i, n in enumerate(replay.names)),
    ]
    return [
        Link(name, "?" + urlencode(_query(replay.lang, seat, step)), seat == replay.seat)
        for seat, name in zip(seats, names, strict=True)
    ]


def _query(lang: str, seat: int | None, step: int) -> dict[str, str | int]:
    query: dict[str, str | int] = {} if lang == "en" else {"lang": lang}
    if seat is not None:
        query["seat"] = seat
    return {**query, "step": step}
