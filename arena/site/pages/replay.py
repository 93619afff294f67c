"""The replay page: parts that are drawn once and shown wherever they recur.

A page has slots, one for every row of every place at the table. A step is a part for each slot;
the server fills them for the step asked for, the script for every other one.
"""

import base64
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from arena.display.scene import Scene
from arena.i18n import colon, gettext
from arena.site.frames import ReplayFrame, ReplayFrames, SeatChoice
from arena.site.pages.drawing.charts import ScoreGraph, score_graph
from arena.site.pages.drawing.parts import (
    CHOICE,
    HEAD,
    ROWS,
    STATS,
    Part,
    PartRenderer,
    macros,
    part_html,
)
from arena.site.pages.news import ToldMove, consequences, in_order
from arena.site.templating import Link, PageFrame, draw, embed


@dataclass(frozen=True)
class Place:
    """A panel of the page: the middle or a seat, and its slots by number."""

    seat: int | None
    name: str
    slots: tuple[tuple[str, int], ...]

    @property
    def stats(self) -> tuple[tuple[str, int], ...]:
        """The slots that stand side by side in one line."""
        return tuple(slot for slot in self.slots if slot[0] in STATS)


@dataclass(frozen=True)
class ReplayStep:
    """What the page shows: its heading, what was decided and is read out, and parts by slot."""

    heading: str
    short: str
    news: list[ToldMove]  # what followed
    brief: str
    live: str
    active: list[int]
    fill: list[int]


@dataclass(frozen=True)
class RenderedReplay:
    """A replay ready to be shown: worth keeping, for it is the same for every step."""

    replay: ReplayFrames
    places: list[Place]
    parts: list[Part]
    pieces: list[str]
    steps: list[ReplayStep]
    graph: ScoreGraph
    data: str  # parts, pieces and steps, for the script

    def html(self, step: int, slot: int) -> str:
        """What a slot shows at a step."""
        return part_html(self.parts[self.steps[step].fill[slot]], self.pieces)


# The first slots: how it ended, what has happened to all; then a standing for each seat.
ENDING_SLOT = 0
EVENT_SLOT = 1
FIRST_STANDING = 2


def places(scenes: list[Scene]) -> list[Place]:
    """The panels of the page."""
    found = []
    next = FIRST_STANDING + len(scenes[0].panels) - 1
    for at, panel in enumerate(scenes[0].panels):
        seen = {line.id for scene in scenes for line in scene.panels[at].lines}
        rows = [HEAD, CHOICE] if panel.seat is not None else []
        rows += [id for id in ROWS if id in seen]
        slots = tuple((id, next + i) for i, id in enumerate(rows))
        found.append(Place(panel.seat, panel.name or panel.title, slots))
        next += len(rows)
    return found


def fill_slots(
    renderer: PartRenderer, table: list[Place], frame: ReplayFrame, final: bool
) -> list[int]:
    """The parts of a step, slot by slot, from the event on."""
    scene = frame.scene
    fill = [renderer.event(frame, final)]
    seats = [panel for panel in scene.panels if panel.seat is not None]
    points = [panel.points for panel in seats]
    top = max(points)
    fill += [renderer.standing(panel, panel.points == top > min(points)) for panel in seats]
    for place, panel in zip(table, scene.panels, strict=True):
        own = next((choice for choice in frame.choices if choice.seat == panel.seat), None)
        chosen = ("", "") if own is None else (own.card, own.verb)
        for id, _slot in place.slots:
            if id == HEAD:
                fill.append(renderer.head(panel))
            elif id == CHOICE:
                fill.append(renderer.choice(frame, panel))
            else:
                fill.append(renderer.row(panel, id, chosen if id == "hand" else ("", "")))
    return fill


def render_replay(replay: ReplayFrames) -> RenderedReplay:
    """The replay ready to be shown at any of its steps."""
    scenes = [frame.scene for frame in replay.frames]
    table = places(scenes)
    most = max(1, *(panel.points for scene in scenes for panel in scene.panels))
    renderer = PartRenderer(replay.names, replay.lang, most)
    labels = [replay.label(seat) for seat in range(len(replay.names))]
    steps = []
    for number, frame in enumerate(replay.frames):
        final = frame is replay.frames[-1]
        fill = [renderer.ending(replay) if final else 0]
        fill += fill_slots(renderer, table, frame, final)
        steps.append(
            ReplayStep(
                frame.scene.heading,
                frame.scene.short,
                told_news(replay, number, labels),
                summary(replay, frame),
                live(replay, number),
                active(frame.scene),
                fill,
            )
        )
    parts, pieces = renderer.parts, renderer.pieces
    points = [[p.points for p in scene.panels if p.seat is not None] for scene in scenes]
    data = embed({"parts": parts, "pieces": pieces, "steps": [_step_data(step) for step in steps]})
    graph = score_graph(points, replay.lang)
    return RenderedReplay(replay, table, parts, pieces, steps, graph, data)


def _step_data(step: ReplayStep) -> dict[str, object]:
    """A step as the script needs it."""
    return {key: value for key, value in vars(step).items() if key not in ("short", "news")}


def told_news(replay: ReplayFrames, number: int, labels: Sequence[str]) -> list[ToldMove]:
    """What followed from the decisions of a step, but for what their own words tell."""
    if number + 1 == len(replay.frames):
        return []
    frame, after = replay.frames[number : number + 2]
    named = [(choice.seat, choice.stage) for choice in frame.choices if choice.stage]
    followed = list(consequences(frame.scene, after.scene, labels, replay.lang, named))
    drawn = [(each.seat, labels[each.seat], each.drawn) for each in frame.choices if each.drawn]
    return in_order(followed, drawn)


def render_table(
    scene: Scene, names: tuple[str, ...], lang: str = "en", mine: int | None = None
) -> str:
    """The table alone, as it stands: for a page around a game that goes on, of one of its seats."""
    table = places([scene])
    most = max(1, *(panel.points for panel in scene.panels))
    renderer = PartRenderer(names, lang, most)
    fill = [0, *fill_slots(renderer, table, ReplayFrame(scene, (), ()), False)]
    html = [renderer.html(number) for number in fill]
    return macros(lang).draw("table", table, html, active(scene), mine)


def active(scene: Scene) -> list[int]:
    """The seats to mark: those that decide while others wait."""
    seats = [panel for panel in scene.panels if panel.seat is not None]
    marked = [panel.seat for panel in seats if panel.active and panel.seat is not None]
    return marked if len(marked) < len(seats) else []


def summary(replay: ReplayFrames, frame: ReplayFrame) -> str:
    """What was decided, where one seat did; many at once are seen on the table."""
    return _sentence(replay, frame, frame.choices[0]) if len(frame.choices) == 1 else ""


def live(replay: ReplayFrames, number: int) -> str:
    """What is read out to those who listen."""
    frame = replay.frames[number]
    lang = replay.lang
    where = gettext("Step {number} of {last}", lang, number=number + 1, last=len(replay.frames))
    told = ". ".join(
        [frame.scene.heading, *(_sentence(replay, frame, choice) for choice in frame.choices)]
    )
    return f"{where}{colon(lang)} {told}."


def _sentence(replay: ReplayFrames, frame: ReplayFrame, choice: SeatChoice) -> str:
    """Who does what; bots may share a name, and never a city."""
    panel = next(panel for panel in frame.scene.panels if panel.seat == choice.seat)
    who = f"{replay.names[choice.seat]} ({panel.name.partition(' (')[0]})"
    return f"{who}{colon(replay.lang)} {choice.text}"


def replay_page(
    rendered: RenderedReplay,
    frame: PageFrame,
    step: int | None = 0,
    fixed: bool = False,
    template: str = "replay.html",
    begin: int = 0,
    **more: object,
) -> str:
    """The page of a match at a step; a fixed one is a plain file that no server answers for.

    Without a step it begins to play by itself, after so many percent of the match. Another template
    may extend the viewer's own, with more values.
    """
    replay = rendered.replay
    last = len(rendered.steps) - 1
    shown = max(0, min(last * begin // 100 if step is None else step, last))
    return draw(
        template,
        frame,
        replay=replay,
        setup=replay.spec.setup,
        places=rendered.places,
        html=[rendered.html(shown, slot) for slot in range(len(rendered.steps[shown].fill))],
        steps=rendered.steps,
        graph=rendered.graph,
        step=shown,
        autoplay=step is None,
        last=last,
        fixed=fixed,
        hrefs=[
            address(replay, number, fixed, frame.default_lang)
            for number in range(len(rendered.steps))
        ],
        views=() if fixed else views(replay, shown, frame.default_lang),
        data=pack(rendered.data) if fixed else rendered.data,
        **more,
    )


def pack(data: str) -> str:
    """Data of a page in a tenth of its length; the script unpacks it."""
    return base64.b64encode(zlib.compress(data.encode(), 9)).decode()


def address(replay: ReplayFrames, step: int, fixed: bool = False, default_lang: str = "en") -> str:
    """The permanent link to a step, as seen from the page itself."""
    if fixed:
        return f"#step-{step}"
    return "?" + urlencode(_query(replay.lang, replay.seat, step, default_lang))


def views(replay: ReplayFrames, step: int, default_lang: str = "en") -> list[Link]:
    """The same step as everybody's and as each seat sees it."""
    seats = [None, *range(len(replay.names))]
    cities = [panel.name for panel in replay.frames[0].scene.panels if panel.seat is not None]
    names = [
        gettext("all cards", replay.lang),
        *(f"{name} ({city})" for name, city in zip(replay.names, cities, strict=True)),
    ]
    return [
        Link(
            name,
            "?" + urlencode(_query(replay.lang, seat, step, default_lang)),
            seat == replay.seat,
        )
        for seat, name in zip(seats, names, strict=True)
    ]


def _query(lang: str, seat: int | None, step: int, default_lang: str) -> dict[str, str | int]:
    query: dict[str, str | int] = {} if lang == default_lang else {"lang": lang}
    if seat is not None:
        query["seat"] = seat
    return {**query, "step": step}
