"""Every step of a replay is a sound page that says what the table shows."""

import gzip
import json
import re
from pathlib import Path

import pytest

from arena.display.scene import KINDS
from arena.reports.terminal import SYMBOLS
from arena.site.pages.drawing.parts import draw_tally, part_html
from arena.site.pages.replay import replay_page
from arena.site.templating import ASSET_VERSIONS, ASSETS, copy_assets
from tests.arena.site.markup import Markup
from tests.arena.site.sample_replays import MARKUP, ROWS, frame, reel_of
from tests.support.setups import Row

every_row = pytest.mark.parametrize("row", ROWS, ids=[row.id for row in ROWS])
MAX_BYTES = 1_000_000
MAX_SENT = 250_000  # compressed, with style, icons and scripts
STYLE = (ASSETS / "game.css").read_text(encoding="utf-8")
ICONS = (ASSETS / "icons.svg").read_text(encoding="utf-8")


@pytest.mark.slow
@every_row
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_steps_are_sound_markup_with_nothing_of_a_bot_in_it(row: Row, lang: str) -> None:
    rendered = reel_of(row, lang=lang)
    last = len(rendered.steps) - 1
    # The parts are all tried below: of a long game some twenty steps will do.
    for step in {*range(0, last, 1 + last // 20), last}:
        page = replay_page(rendered, frame(lang), step)
        assert "<script>alert" not in page
        markup = Markup(page.replace(rendered.data, "{}"))
        assert [tag for tag, _ in markup.tags].count("script") == 3
        assert [tag for tag, _ in markup.tags].count("title") == 1
        assert any(MARKUP in text for text in markup.texts)
        assert markup.with_attribute("style") == []
        assert ("html", {"lang": lang}) in markup.tags
        assert rendered.steps[step].heading in [
            text.replace("\u00a0", " ") for text in markup.texts
        ]


@every_row
def test_every_part_is_sound_by_itself(row: Row) -> None:
    rendered = reel_of(row)
    for part in rendered.parts:
        Markup(part_html(part, rendered.pieces))


@every_row
def test_a_whole_game_is_a_small_page(row: Row) -> None:
    page = replay_page(reel_of(row), frame()).encode()
    assert len(page) < MAX_BYTES
    assets = ("arena.css", "game.css", "icons.svg", "cards.js", "replay.js")
    sent = [page, *((ASSETS / name).read_bytes() for name in assets)]
    assert sum(len(gzip.compress(each, 6)) for each in sent) < MAX_SENT


@every_row
def test_the_page_holds_every_step_for_the_script(row: Row) -> None:
    rendered = reel_of(row)
    page = replay_page(rendered, frame(), 3)
    block = re.search(
        r'<script type="application/json" id="replay-data">(.*?)</script>', page, re.S
    )
    assert block
    assert not set("<>&'") & set(block[1])
    data = json.loads(block[1])
    assert data["parts"] == rendered.parts
    assert data["pieces"] == rendered.pieces
    slots = [tag["data-slot"] for tag in Markup(page).with_attribute("data-slot")]
    assert sorted(map(int, filter(None, slots))) == list(range(len(slots)))
    assert {len(step["fill"]) for step in data["steps"]} == {len(slots)}
    assert data["steps"][3]["heading"] == rendered.steps[3].heading


def test_permanent_links_lead_to_their_step_in_the_same_language_and_view() -> None:
    rendered = reel_of(ROWS[0], lang="fr", seat=1)
    markup = Markup(replay_page(rendered, frame("fr"), 5))
    goes = {tag["data-go"]: tag["href"] for tag in markup.with_attribute("data-go")}
    last = len(rendered.steps) - 1
    assert goes == {
        "first": "?lang=fr&seat=1&step=0",
        "previous": "?lang=fr&seat=1&step=4",
        "next": "?lang=fr&seat=1&step=6",
        "last": f"?lang=fr&seat=1&step={last}",
    }
    steps = [tag["href"] for tag in markup.with_attribute("data-to")]
    assert steps == [f"?lang=fr&seat=1&step={step}" for step in range(last + 1)]
    kept = [tag["href"] for tag in markup.with_attribute("data-keep-step")]
    assert kept == [
        *("?lang=en", "?lang=fr"),
        *("?lang=fr&step=5", "?lang=fr&seat=0&step=5", "?lang=fr&seat=1&step=5"),
    ]


def test_a_plain_file_links_within_itself() -> None:
    rendered = reel_of(ROWS[0])
    markup = Markup(replay_page(rendered, frame(root="../"), 0, fixed=True))
    for tag in markup.with_attribute("data-go"):
        href = tag["href"]
        assert href is not None
        assert href.startswith("#")
        assert href[1:] in markup.ids
    sources = [(tag["src"] or "").partition("?") for tag in markup.with_attribute("src")]
    assert [path for path, *_ in sources] == ["../static/cards.js", "../static/replay.js"]
    assert sources[0][2] == f"v={ASSET_VERSIONS['cards.js']}"


@pytest.mark.parametrize(("asked", "shown"), [(-5, 0), (0, 0), (10**9, None)])
def test_a_step_out_of_range_is_the_nearest_one(asked: int, shown: int | None) -> None:
    rendered = reel_of(ROWS[0])
    step = len(rendered.steps) - 1 if shown is None else shown
    assert replay_page(rendered, frame(), asked) == replay_page(rendered, frame(), step)


def test_the_score_pad_comes_at_the_end_with_the_failed_bot_last() -> None:
    rendered = reel_of(ROWS[3])
    last = len(rendered.steps) - 1
    assert rendered.html(last - 1, 0) == ""
    pad = Markup(rendered.html(last, 0))
    assert "Score pad" in pad.texts
    assert [tag["scope"] for tag in pad.with_attribute("scope")].count("row") == 3
    assert any(text.startswith("A bot that fails ranks last") for text in pad.texts)
    assert "(failed)" in pad.texts
    assert [text for text in pad.texts if text in ("bot", "total", "city")] == ["bot", "total"]


def test_the_list_of_moves_tells_what_followed() -> None:
    replay = replay_page(reel_of(ROWS[0]), frame())
    moves = replay.partition('id="step-0"')[2].partition("</ol>")[0]
    for followed in ("stage 1 built: ", "The Cat goes to ", "Battle: ", "also took "):
        assert followed in moves
    ages = replay_page(reel_of(ROWS[3]), frame())
    assert ages.count("End of Age") == 3
    assert "stage 1 built" not in ages  # the move itself says it


def test_options_not_taken_are_not_read_as_points() -> None:
    page = replay_page(reel_of(ROWS[3]), frame(), 0)
    assert re.search(r"\b\d+ other options<", page)
    assert re.search(r">\+\d", page) is None


def test_a_stage_tells_its_price_and_what_it_gives() -> None:
    assert draw_tally("wood wood ore") == (
        '<b>2</b><i class="i i-wood"></i><i class="i i-ore"></i>'
    )
    assert re.search(r"Costs \d \w+\. Gives: \d points\.", replay_page(reel_of(ROWS[3]), frame()))
    architects = replay_page(reel_of(ROWS[0]), frame())
    assert re.search(r"Costs \d resources alike\. Gives: ", architects)
    assert re.search(r"Costs \d different resources\. Gives: ", architects)


def test_a_seat_is_marked_where_others_wait_for_it() -> None:
    architects = reel_of(ROWS[0])
    assert all(len(step.active) == 1 for step in architects.steps[:-1])
    assert architects.steps[-1].active == []
    seven = reel_of(ROWS[3])
    assert seven.steps[0].active == []


def test_colours_have_the_same_symbols_as_in_a_terminal() -> None:
    for colour, symbol in SYMBOLS.items():
        assert f'.card.{colour}::before {{ content: "{symbol}";' in STYLE


def test_every_kind_of_piece_has_a_look() -> None:
    for kind in KINDS:
        assert re.search(rf"\.{kind}\b", STYLE), kind


def test_nothing_is_fetched_from_elsewhere(tmp_path: Path) -> None:
    copy_assets(tmp_path)
    for asset in (tmp_path / "static").iterdir():
        if asset.suffix == ".png":
            continue
        text = asset.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert "//" not in re.sub(r"^\s*//.*$", "", text, flags=re.M), asset.name
        assert "@import" not in text
        # A style is kept forever, and so are its icons: each version has its own address.
        assert set(re.findall(r"url\(.*?\)", text)) <= {
            f'url("icons.svg?v={ASSET_VERSIONS["icons.svg"]}")'
        }


def test_every_icon_is_where_its_style_looks_for_it() -> None:
    drawn = dict(re.findall(r'<g id="(\w+)" transform="translate\((\d+ \d+)\)"', ICONS))
    wide, high = map(int, re.findall(r'viewBox="0 0 (\d+) (\d+)"', ICONS)[0])
    styled = re.findall(r"\.i-(\w+) \{ background-position: ([\d.]+)% ([\d.]+)%; \}", STYLE)
    assert {name for name, _, _ in styled} == set(drawn)
    for name, across, down in styled:
        x, y = map(int, drawn[name].split())
        assert abs(float(across) - 100 * x / (wide - 32)) < 0.1, name
        assert abs(float(down) - 100 * y / (high - 32)) < 0.1, name


@every_row
def test_every_sign_of_a_game_has_its_icon(row: Row) -> None:
    rendered = reel_of(row)
    shown = " ".join(part_html(part, rendered.pieces) for part in rendered.parts)
    used = set(re.findall(r'class="i (?:wonder )?i-(\w+)', shown))
    assert used
    assert used <= set(re.findall(r'<g id="(\w+)"', ICONS))


def test_a_chosen_card_is_marked_in_the_hand_it_is_taken_from() -> None:
    rendered = reel_of(ROWS[3])
    place = rendered.places[1]
    slot = dict(place.slots)["hand"]
    assert rendered.html(0, slot).count("chosen by-") == 1
    assert [key for key in rendered.parts if key == ""] == [""]
