"""The site as plain files: whole, the same again, and without a server."""

import base64
import json
import re
import zlib
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from arena.site import static_build
from arena.site.contests import Contests
from arena.site.links import StaticLinks
from arena.site.static_build import build
from engine.errors import ArenaError
from leagues.records import LeagueState
from leagues.storage.handle import open_storage
from tests.arena.league.sample_league import found
from tests.arena.site.markup import Markup
from tests.arena.site.sample_site import stock
from tests.arena.site.test_site import without_data
from tests.support.command import arena

pytestmark = pytest.mark.slow

MATCHES = 6


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("files")
    with stock(folder / "arena.db", MATCHES) as storage:
        pages = build(Contests(storage.reader), folder / "site", languages=("en", "fr"))
    assert pages == len(list((folder / "site").rglob("*.html")))
    return folder / "site"


def test_every_link_of_every_file_leads_to_a_file(built: Path) -> None:
    count = 0
    ids: dict[Path, list[str]] = {}
    for file in built.rglob("*.html"):
        markup = Markup(without_data(file.read_text(encoding="utf-8")))
        ids[file.resolve()] = markup.ids
    for file in built.rglob("*.html"):
        markup = Markup(without_data(file.read_text(encoding="utf-8")))
        for name in ("href", "src"):
            for tag in markup.with_attribute(name):
                url = urlsplit(tag[name] or "")
                assert not url.scheme
                assert not url.netloc
                assert not url.path.startswith("/")
                target = (file.parent / unquote(url.path)).resolve() if url.path else file.resolve()
                assert target.is_file(), (file, url)
                if url.fragment and target.suffix == ".html":
                    assert url.fragment in ids[target]
                count += 1
        assert markup.with_attribute("action") == []
    assert count > 500


def test_there_is_a_page_for_every_match_in_both_languages(built: Path) -> None:
    for number in range(1, MATCHES + 9):
        assert (built / "matches" / str(number) / "index.html").is_file()
        assert (built / "fr" / "matches" / str(number) / "index.html").is_file()


def test_a_leaderboard_for_other_pages_and_times_that_stay_true(built: Path) -> None:
    board = (built / "leagues" / "summer" / "index.html").read_text(encoding="utf-8")
    assert "../../embed/leagues/summer/index.html" in board
    time = '<time datetime="2023-11-14T22:13Z" title="2023-11-14 22:13 UTC">2023-11-14</time>'
    assert time in board
    assert "data-ago" not in board  # nobody tells how long ago a file was written
    embedded = (built / "embed" / "leagues" / "summer" / "index.html").read_text(encoding="utf-8")
    assert '<base target="_top">' in embedded


def test_the_same_results_make_the_same_files(built: Path, tmp_path: Path) -> None:
    words = ("site", "build", tmp_path / "again", "--lang", "en,fr")
    done = arena(*words, "--db", built.parent / "arena.db", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    names = sorted(path.relative_to(built) for path in built.rglob("*") if path.is_file())
    again = tmp_path / "again"
    assert names == sorted(path.relative_to(again) for path in again.rglob("*") if path.is_file())
    for name in names:
        assert (built / name).read_bytes() == (again / name).read_bytes(), name


def test_of_older_matches_there_are_the_facts(tmp_path: Path) -> None:
    with stock(tmp_path / "arena.db", 3) as storage:
        build(Contests(storage.reader), tmp_path / "site", replays=2)
    assert not (tmp_path / "site" / "fr").exists()  # English, unless more is asked for
    pages = sorted((tmp_path / "site" / "matches").rglob("*.html"))
    assert len(pages) == 11
    assert sum("data-replay" in page.read_text(encoding="utf-8") for page in pages) == 2


def test_a_folder_of_others_is_left_alone_and_our_own_is_renewed(tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    (site / "thesis.txt").write_text("mine")
    with stock(tmp_path / "arena.db", 3) as storage:
        with pytest.raises(ArenaError, match="expected an empty folder or one of these pages"):
            build(Contests(storage.reader), site)
        assert [path.name for path in site.iterdir()] == ["thesis.txt"]
        heard: list[tuple[int, int]] = []
        pages = build(Contests(storage.reader), site, 1, True, lambda *pair: heard.append(pair))
        assert heard[-1] == (pages, pages)
        assert len(heard) == pages
        match, other = (site / "matches" / id / "index.html" for id in ("1", "2"))
        match.write_text("kept: it is known what it was made of")
        (site / "index.html").write_text("made again")
        storage.results.exclude(2, "a reason")
        pages = build(Contests(storage.reader, static=True), site, 1)  # fewer, as fewer count
        assert pages == len(list(site.rglob("*.html"))) < len(heard)
        assert match.read_text().startswith("kept")
        assert "a reason" in other.read_text(encoding="utf-8")
        assert "made again" not in (site / "index.html").read_text(encoding="utf-8")
        assert "data-replay" not in other.read_text(encoding="utf-8")
        build(Contests(storage.reader), site, 100)
        assert "data-replay" in other.read_text(encoding="utf-8")
    assert (site / "thesis.txt").read_text() == "mine"


def test_pages_of_other_code_are_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "site"
    with stock(tmp_path / "arena.db", 0) as storage:
        build(Contests(storage.reader), site)
        page = site / "matches" / "1" / "index.html"
        page.write_text("old")
        monkeypatch.setattr("arena.site.static_build._maker", lambda: "another")
        build(Contests(storage.reader), site)
        assert "<html" in page.read_text(encoding="utf-8")


def test_no_database_is_told_in_a_line(tmp_path: Path) -> None:
    done = arena("site", "build", "x", "--db", "none.db", cwd=tmp_path)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "x").exists()


def test_the_data_of_a_replay_is_packed(built: Path) -> None:
    pages = [page.read_text(encoding="utf-8") for page in built.glob("matches/*/index.html")]
    packed = [re.findall(r'octet-stream" id="replay-data">([^<]+)<', page) for page in pages]
    ((found, *_), *_) = filter(None, packed)
    data = json.loads(zlib.decompress(base64.b64decode(found)))
    assert set(data) == {"parts", "pieces", "steps"}
    assert len(found) < len(json.dumps(data)) / 5


def test_nothing_is_drawn_where_nothing_is_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "site"
    drawn: list[str] = []

    def draw(_: Contests, links: StaticLinks, __: object) -> str:
        drawn.append(links.here.file())
        return links.to("watch")

    monkeypatch.setattr(static_build, "page", draw)
    with open_storage(tmp_path / "arena.db") as storage:
        league = found(storage)
        assert build(Contests(storage.reader), site) == len(drawn) == 2
        for change in (None, site / "watch" / "index.html", league):
            drawn.clear()
            if isinstance(change, Path):
                change.unlink()
            elif change is not None:
                storage.leagues.set_league_state(change.id, LeagueState.PAUSED)
            assert build(Contests(storage.reader), site) == 2
            assert bool(drawn) == (change is not None)
        drawn.clear()
        build(Contests(storage.reader), site, replays=1)
        assert drawn
    with open_storage(tmp_path / "other.db") as storage:  # another database, of the same numbers
        found(storage)
        drawn.clear()
        build(Contests(storage.reader), site, replays=1)
        assert drawn
