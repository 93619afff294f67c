"""Every page of the site, every error, and what is sent along with them."""

import gzip
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from html import escape, unescape
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import httpx
import jsonschema_rs
import pytest

from arena.playing.human import ME
from arena.schemas.outputs import schema_text
from arena.site.app.factory import create_app
from arena.site.frames import ReplayFrames, build_frames
from arena.site.pages.own_game.shared_game import podium, tell_winner
from arena.site.security.csrf import CsrfTokens
from arena.site.security.rate_limit import Limiters, RateLimiter, SiteLimits
from arena.site.stored_games import encode_finished
from arena.site.templating import ASSET_VERSIONS, ASSETS
from bots.protocol.sanitize import shorten_paths
from engine.match import Fault, MatchResult
from leagues.storage.handle import Storage, open_storage
from tests.arena.site.markup import Markup
from tests.arena.site.sample_replays import MARKUP
from tests.arena.site.sample_site import MANY, Visitor, stock
from tests.arena.site.test_submitting import owner
from tests.support.french import FrenchTexts, english_in
from tests.support.setups import Row, random_match

MAX_SENT = 100_000  # bytes of a page, compressed; the style, icons and scripts are some 25 KB more
PAGES = [
    "/",
    "/tournaments/1",
    "/tournaments/1?game=seven",
    "/tournaments/1?game=architects&players=3",
    "/tournaments/2",
    "/tournaments/3",
    "/tournaments/1/meetings",
    "/tournaments/3/meetings",
    "/tournaments/1/bots/1",
    "/tournaments/1/bots/2?game=seven",
    "/tournaments/3/bots/4",
    "/tournaments/1/compare?a=1&b=2",
    "/tournaments/1/compare?a=2&b=2",
    "/tournaments/1/compare?game=seven",
    "/tournaments/3/compare",
    "/leagues/summer/compare?a=5&b=7",
    "/tournaments/1/matches",
    "/tournaments/1/matches?page=2",
    "/tournaments/1/matches?bot=1&faulty=1&players=3",
    "/tournaments/1/matches?game=seven",
    "/tournaments/3/matches",
    "/matches/4",
    "/matches/3?step=5&seat=1",
    "/matches/3/explain",
    "/matches/4/explain?seat=0",
    "/rules/architects",
    "/rules/seven?edition=1st",
    "/leagues/summer",
    "/leagues/summer/meetings",
    "/leagues/summer/entries",
    "/leagues/summer/live",
    "/tournaments/3/live",
    "/leagues/summer/bots/5",
    "/leagues/summer/bots/7",
    "/leagues/summer/matches",
    "/matches/59",
    "/play",
    "/watch",
    "/g/WORD",
    "/g/WORD/explain",
    "/g/WORD/explain?seat=1",
    "/embed/matches/4",
    "/embed/leagues/summer",
    "/embed/tournaments/1?top=2",
    "/embed/tournaments/3",
    "/leagues/summer/meetings?bot=5",
    "/submit",
    "/api",
]
MISSING = [
    *("/nothing", "/tournaments/9", "/tournaments/1/bots/9", "/tournaments/1?players=7"),
    *("/tournaments/2?game=architects&players=7", "/tournaments/1/matches?bot=9", "/matches/999"),
    *("/matches/999/explain", "/matches/1/explain?seat=6"),
    *("/tournaments/1/matches?page=99", "/matches/1?seat=6", "/rules/chess", "/play/none"),
    *(
        "/g/none",
        "/g/none/explain",
        "/g/WORD/explain?seat=6",
        "/embed/leagues/winter",
        "/embed/tournaments/9",
    ),
    *("/leagues/winter", "/leagues/summer/bots/1", "/tournaments/1/entries", "/submit/1"),
    *("/submit/1/files/0", "/submit/99"),
    *("/rules/architects?edition=1st", "/static/none.css", "/static/../app/making.py"),
]
SENSELESS = [
    *("/?lang=de", "/tournaments/0", "/tournaments/x", "/tournaments/99999999999999999999"),
    *("/tournaments/1?players=1", "/tournaments/1?game=chess", "/matches/1?step=-1"),
    *("/leagues/%20", "/submit/0", "/embed/leagues/summer?top=0", "/embed/leagues/summer?top=101"),
    *("/tournaments/1/matches?page=0", "/matches/1?seat=x", "/matches/1?seat=7"),
]


@pytest.fixture(scope="module")
def storage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Storage]:
    with stock(tmp_path_factory.mktemp("site") / "arena.db") as it:
        it.site.add_finished_game("WORD", encode_finished(random_match(Row("architects", 2), 1)))
        yield it


@pytest.fixture(scope="module")
def visitor(storage: Storage) -> Visitor:
    return Visitor(create_app(storage, limits=MANY))


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("url", PAGES)
def test_a_page_is_sound_markup_in_its_language(visitor: Visitor, url: str, lang: str) -> None:
    answer = visitor.get(f"{url}{'&' if '?' in url else '?'}lang={lang}")
    assert answer.status_code == 200
    assert len(gzip.compress(answer.content, 6)) < MAX_SENT
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    markup = Markup(without_data(answer.text))
    assert ("html", {"lang": lang}) in markup.tags
    assert markup.with_attribute("style") == []
    assert [tag for tag, _ in markup.tags].count("h1") == 1
    assert "<script>alert" not in answer.text
    assert "/secret/" not in answer.text
    assert "the secret of" not in answer.text
    assert "49" not in " ".join(t for t in markup.texts if "{{" in t).replace(MARKUP, "")
    if lang == "fr":
        texts = "\n".join(FrenchTexts(answer.text).texts)
        assert english_in(texts) == []
        assert (
            re.findall(r".* [:;?!»]|« .*", texts.replace(MARKUP, "")) == []
        )  # a line may end there
        data = replay_data(answer.text)
        for part in [*data.get("pieces", ()), *filter(is_text, data.get("parts", ()))]:
            assert english_in("\n".join(FrenchTexts(part).texts)) == []


def is_text(part: str | list[str | int]) -> bool:
    """Whether a part is no row of pieces."""
    return isinstance(part, str)


def replay_data(page: str) -> dict[str, list[str]]:
    """What a replay's script draws; nothing on other pages."""
    _, mark, rest = page.partition('id="replay-data">')
    found: dict[str, list[str]] = json.loads(rest.partition("</script>")[0]) if mark else {}
    return found


def without_data(page: str) -> str:
    head, mark, rest = page.partition('id="replay-data">')
    return head + mark + rest.partition("</script>")[2].join(["</script>", ""]) if mark else page


@pytest.mark.parametrize("url", [*MISSING, *(url for url in SENSELESS if "lang" not in url)])
def test_an_error_in_french_has_no_english(visitor: Visitor, url: str) -> None:
    answer = visitor.get(f"{url}{'&' if '?' in url else '?'}lang=fr")
    if answer.headers["content-type"].startswith("text/html"):
        assert english_in("\n".join(FrenchTexts(answer.text).texts)) == []


@pytest.mark.slow
def test_every_link_of_every_page_leads_to_a_page(visitor: Visitor) -> None:
    seen = {"/", "/?lang=fr"}
    left = list(seen)
    while left:
        here = left.pop()
        answer = visitor.get(here)
        assert answer.status_code == 200, here
        if not answer.headers["content-type"].startswith("text/html"):
            continue
        for tag in Markup(without_data(answer.text)).with_attribute("href"):
            url = urlsplit(urljoin(here, tag["href"]))
            # Of the steps of a replay and the many matches, some will do.
            place = f"{url.path}?{url.query}".rstrip("?")
            if url.path.startswith("/matches/") and url.path not in ("/matches/4", "/matches/3"):
                continue
            if "step=" in url.query or "seat=" in url.query or place in seen:
                continue
            seen.add(place)
            left.append(place)
    assert len(seen) > 60


@pytest.mark.parametrize("url", MISSING)
def test_what_is_not_there_is_a_404(visitor: Visitor, url: str) -> None:
    answer = visitor.get(url)
    assert answer.status_code == 404
    assert Markup(answer.text).tags


@pytest.mark.parametrize("url", SENSELESS)
def test_what_cannot_be_understood_is_a_422(visitor: Visitor, url: str) -> None:
    answer = visitor.get(url)
    assert answer.status_code == 422
    assert Markup(answer.text).tags


@pytest.mark.parametrize("url", ["/api/tournaments/9", "/api/nothing", "/api/matches/999"])
def test_programs_are_told_in_json(visitor: Visitor, url: str) -> None:
    answer = visitor.get(url)
    assert answer.status_code == 404
    assert list(answer.json()) == ["detail"]
    answer = visitor.get("/api/tournaments/x")
    assert answer.status_code == 422
    assert answer.json()["detail"].startswith("expected a whole number as id, got ")


@pytest.mark.parametrize(
    "url", ["/", "/nothing", "/api/tournaments", "/static/arena.css", "/api/x"]
)
def test_every_answer_has_its_headers(visitor: Visitor, url: str) -> None:
    headers = visitor.get(url).headers
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert ("no-store" in headers["cache-control"]) == (not url.startswith("/static"))


def test_a_version_of_an_asset_is_kept_forever_and_others_for_minutes(visitor: Visitor) -> None:
    for name, version in ASSET_VERSIONS.items():
        answer = visitor.get(f"/static/{name}?v={version}")
        assert answer.status_code == 200
        assert answer.headers["cache-control"] == "max-age=31536000, immutable"
        for url in (f"/static/{name}", f"/static/{name}?v=0", f"/static/{name}?v={version}&x=1"):
            other = visitor.get(url)
            assert other.content == answer.content
            assert other.headers["cache-control"] == "max-age=600"


def test_style_icons_and_scripts_are_light(visitor: Visitor) -> None:
    sent = 0
    for asset in ASSETS.iterdir():
        answer = visitor.get(f"/static/{asset.name}")
        packed = answer.headers.get("content-encoding") == "gzip" or asset.suffix == ".png"
        assert packed or len(answer.content) < 1000
        sent += len(gzip.compress(answer.content, 6))
    assert sent < 50_000


@pytest.mark.parametrize(
    "url", ["/embed/matches/4", "/embed/leagues/summer", "/embed/tournaments/1"]
)
def test_only_replays_and_leaderboards_may_be_shown_inside_other_pages(
    visitor: Visitor, url: str
) -> None:
    inside = visitor.get(url)
    assert "frame-ancestors *" in inside.headers["content-security-policy"]
    assert "unsafe" not in inside.headers["content-security-policy"]
    assert "x-frame-options" not in inside.headers
    assert "set-cookie" not in inside.headers
    assert "<form" not in inside.text
    for own in ("/matches/4", "/leagues/summer", "/play", "/submit"):
        headers = visitor.get(own).headers
        assert headers["x-frame-options"] == "DENY"
        assert "frame-ancestors 'none'" in headers["content-security-policy"]


def test_a_leaderboard_for_other_pages_has_the_first_bots(visitor: Visitor) -> None:
    whole = visitor.get("/tournaments/1?game=architects").text
    snippet = "&lt;iframe src=&#34;http://localhost/embed/tournaments/1?game=architects&#34;"
    assert snippet in whole
    assert f"title=&#34;{escape(escape(f'spring {MARKUP}'))}&#34;" in whole  # safe where it goes
    for top, rows in ((1, 1), (3, 3), (100, 4)):
        page = visitor.get(f"/embed/tournaments/1?game=architects&top={top}").text
        assert page.count('scope="row"') == rows
        assert "<nav" not in page


def test_a_leaderboard_says_what_the_library_says(visitor: Visitor) -> None:
    rows = visitor.get("/api/tournaments/1/board?game=architects").json()["rows"]
    assert [row["rank"] for row in rows] == sorted(row["rank"] for row in rows)
    texts = Markup(visitor.get("/tournaments/1?game=architects").text).texts
    for row in rows:
        assert row["name"] in texts
        assert f"{row['rating']:.1f}" in texts
    assert sum(row["games"] for row in rows) == sum(
        match["players"]
        for match in visitor.get("/api/tournaments/1/matches?most=200").json()["matches"]
        if match["game"] == "architects" and not match["excluded"]
    )


def test_two_bots_are_compared_as_the_leaderboard_has_them(visitor: Visitor) -> None:
    found = visitor.get("/tournaments/1/compare?a=2&b=3&game=seven").text
    other = visitor.get("/tournaments/1/compare?a=3&b=2&game=seven").text
    shares = [
        float(re.search(r'<rect class="line-0" width="([\d.]+)"', text)[1])  # type: ignore[index]
        for text in (found, other)
    ]
    assert sum(shares) == pytest.approx(100, abs=0.2)
    assert "games together" in found
    assert "Their matches to watch" in found
    assert "Choose two different bots." in visitor.get("/tournaments/1/compare?a=2&b=2").text
    assert "no two bots with matches" in visitor.get("/tournaments/3/compare").text
    assert visitor.get("/tournaments/1/compare?a=2&b=99").status_code == 404


def test_a_bot_is_told_by_its_figures_first_and_what_to_watch(visitor: Visitor) -> None:
    text = visitor.get("/tournaments/1/bots/2").text
    order = ['class="figures"', 'id="history"', 'id="losses"', 'id="effects"', 'id="opponents"']
    places = [text.index(part) for part in order]
    assert places == sorted(places)
    assert "points behind" in text


def test_an_error_tells_what_to_do_next(visitor: Visitor) -> None:
    text = visitor.get("/tournaments/99").text
    assert "There is no such page" in text
    assert "The link may be old" in text
    assert 'href="/watch"' in text
    assert "Go back" in visitor.get("/tournaments/1?players=99").text


def test_matches_are_listed_in_pages_without_a_gap(visitor: Visitor) -> None:
    found: list[str] = []
    for page in (1, 2):
        markup = Markup(visitor.get(f"/tournaments/1/matches?page={page}").text)
        links = [tag["href"] for tag in markup.with_attribute("href")]
        found += [link for link in links if link and link.startswith("/matches/")]
    assert found == [f"/matches/{number}" for number in range(54, 0, -1)]
    answer = visitor.get("/api/tournaments/1/matches?most=5&after=50").json()
    assert [match["id"] for match in answer["matches"]] == [4, 3, 2, 1]
    assert answer["total"] == 54


def test_a_match_tells_its_faults_and_what_was_printed(visitor: Visitor) -> None:
    texts = Markup(without_data(visitor.get("/matches/4").text)).texts
    assert any("Traceback (most recent call last):" in text and MARKUP in text for text in texts)
    assert f"printed {MARKUP}" in texts
    assert any("exception" in text for text in texts)
    assert any('File "mine/bot.py", line 1' in text for text in texts)


def test_nobody_is_told_where_things_lie(visitor: Visitor) -> None:
    for url in ("/matches/4", "/api/matches/4", "/tournaments/1/bots/1"):
        assert "/home/host" not in visitor.get(url).text


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ('File "/home/a b/bots/mine/bot.py", line 1', 'File "mine/bot.py", line 1'),
        ("open('/etc/hosts'): no", "open('etc/hosts'): no"),
        ("at http://a.example/b/c/d", "at http://a.example/b/c/d"),
        ("mine/bot.py and 1/2/3", "mine/bot.py and 1/2/3"),
    ],
)
def test_paths_are_shortened(text: str, short: str) -> None:
    assert shorten_paths(text) == short


def test_a_match_of_other_rules_is_shown_without_its_replay(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def of_other_rules(result: MatchResult, *args: Any) -> ReplayFrames:
        return build_frames(replace(result, spec=replace(result.spec, version=99)), *args)

    monkeypatch.setattr("arena.site.contests.build_frames", of_other_rules)
    page = visitor.get("/matches/7")
    assert page.status_code == 200
    assert "expected version 1 of architects, got a match of 99" in page.text
    assert "data-replay" not in page.text


@pytest.mark.slow
def test_a_match_is_explained_as_the_command_does(visitor: Visitor) -> None:
    assert 'href="/matches/3/explain"' in visitor.get("/matches/3").text
    facts = visitor.get("/api/matches/3/explain?seat=1").json()
    jsonschema_rs.validate(json.loads(schema_text("match explain")), facts)
    assert facts["seat"] == 1
    page = visitor.get("/matches/3/explain?seat=1").text
    replay = visitor.get("/matches/3").text
    assert facts["turning_points"]
    for number in facts["turning_points"]:
        link = rf'href="/matches/3#(step-\d+)" title="decision {number}">(.*?)</a>'
        told = re.search(rf"{link}</b>.*?Chosen: (.*?)[;.]", page)
        assert told
        step, label, chosen = told.groups()
        shown = re.search(rf'<li id="{step}"><a [^>]*>(.*?)</a><ul>(.*?)</ul>', replay)
        assert shown
        assert shown[1] == label
        card = re.sub(r"^(build a stage with|build|sell) ", "", chosen).partition(",")[0]
        assert card in shown[2]
    worst = max(facts["decisions"], key=lambda each: each["cost"])
    assert worst["number"] in facts["turning_points"]
    outlooks = re.findall(r"Turning point.*?: (\d+) → (\d+) → (\d+)\.", page)
    assert len(outlooks) == len(facts["turning_points"])
    assert all(int(chosen) <= int(before) for before, chosen, _ in outlooks)
    (answer,) = re.findall(r'<p class="lead answer">(.*?)</p>', page)
    assert re.match(r".+ won .+; (until step\s\d+.*, .+ was|nobody else was ever) ahead", answer)
    better = f"better: {worst['better_text']} (outlook +{worst['cost']:.1f})."
    assert unescape(answer).endswith(f"{worst['chosen_text']}; {better}")
    assert visitor.get("/api/matches/3/explain?seat=6").status_code == 404


@pytest.mark.slow
def test_a_match_is_explained_for_ones_own_seat_and_for_the_one_that_was_shown(
    storage: Storage,
) -> None:
    id = storage.reader.results.ids(limit=1)[0]  # ann's bot and bob's, in league summer
    owners = [entrant.owner for entrant in storage.reader.results.match(id).entrants]
    for at, name in enumerate(owners):
        assert name is not None
        page = owner(storage, name).get(f"/matches/{id}/explain").text
        assert f"arena match explain {id} --seat {at}<" in page
    visitor = Visitor(create_app(storage, limits=MANY))
    assert f'"/matches/{id}/explain?seat=1"' in visitor.get(f"/matches/{id}?seat=1").text


def test_how_sure_a_skill_is_is_shown_with_it(visitor: Visitor) -> None:
    ranks = re.search(r'<ol class="plain ranks five">(.*?)</ol>', visitor.get("/").text, re.DOTALL)
    assert ranks
    number = r"−?\d+\.\d"
    rows = re.findall(rf"<b>({number}) <small class=.range.>\(({number}) – ({number})\)", ranks[1])
    assert len(rows) == ranks[1].count("<li") > 0
    for row in rows:
        value, low, high = (float(each.replace("−", "-")) for each in row)
        assert low <= value <= high
    compared = visitor.get("/leagues/summer/compare").text
    assert "The strip across the bar is a 95% confidence" in compared


def test_the_match_on_the_first_page_begins_where_something_is_built(visitor: Visitor) -> None:
    featured = re.search(r'src="(/embed/matches/\d+\?begin=40)"', visitor.get("/").text)
    assert featured
    page = visitor.get(featured[1]).text
    step = re.search(r'data-step="(\d+)"', page)
    assert step
    assert int(step[1]) > 3
    assert "data-autoplay" in page
    assert visitor.get(f"{featured[1]}1").status_code == 422


def test_bots_of_a_league_go_by_their_names_and_their_labels_in_the_api(visitor: Visitor) -> None:
    page = visitor.get("/leagues/summer").text
    assert re.search(r">ann/<wbr>mine</a>", page)
    assert "@" not in "".join(re.findall(r'<th scope="row">.*?</th>', page))
    names = [row["name"] for row in visitor.get("/api/leagues/summer/board").json()["rows"]]
    assert all(re.fullmatch(r"\w+/mine@\w{8}", name) for name in names)


def test_a_shared_game_tells_who_won_before_its_replay(visitor: Visitor, storage: Storage) -> None:
    played = random_match(Row("architects", 3), 1)
    mine = replace(played, spec=replace(played.spec, bots=("sage", ME, "random")))
    storage.site.add_finished_game("FIRST", encode_finished(mine))
    page = visitor.get("/g/FIRST").text
    winner = ("sage", "Human", "random")[played.ranks.index(0)]
    points = played.scores[played.ranks.index(0)]
    told = re.search(rf"{winner} \(.*?\) won with {points} points", page)
    assert told
    assert told.start() < page.index('class="pad"') < page.index("data-replay")
    assert "data-autoplay" not in page
    assert "visitor" not in page
    at_step = visitor.get("/g/FIRST?step=3").text
    assert told[0] in at_step
    assert 'class="pad"' not in without_data(at_step)


@pytest.mark.parametrize(
    ("scores", "ranks", "faults", "told"),
    [
        ([30, 28], [0, 1], (), "one (Giza) won with 30 points, 2 ahead of two (Rhodes)."),
        ([28, 30], [1, 0], (), "two (Rhodes) won with 30 points, 2 ahead of one (Giza)."),
        ([30, 30], [0, 1], (), "as many as two (Rhodes): the tie-break decided."),
        ([30, 30], [0, 0], (), "one (Giza) and two (Rhodes) share the victory with 30 points."),
        ([3, 30], [0, 1], (Fault(1, "resigned", "", 4),), "one (Giza) won with 3 points."),
    ],
)
def test_the_winner_is_told(
    scores: list[int], ranks: list[int], faults: tuple[Fault, ...], told: str
) -> None:
    played = random_match(Row("architects", 2), 1)
    setup = replace(played.spec.setup, wonders=("giza", "rhodes"))
    spec = replace(played.spec, setup=setup)
    result = replace(played, spec=spec, scores=scores, ranks=ranks, faults=faults)
    assert tell_winner(result, podium(result, ("one", "two"), "en"), "en").endswith(told)


def test_all_who_share_a_victory_are_told() -> None:
    played = random_match(Row("architects", 3), 1)
    setup = replace(played.spec.setup, wonders=("giza", "rhodes", "ephesus"))
    result = replace(
        played, spec=replace(played.spec, setup=setup), scores=[30, 30, 30], ranks=[0, 0, 0]
    )
    told = tell_winner(result, podium(result, ("one", "two", "three"), "en"), "en")
    assert told.startswith("one (Giza), two (Rhodes) and three (Ephesus) share the victory")


@pytest.mark.slow
def test_a_shared_game_is_explained_for_a_player_who_is_no_bot(
    visitor: Visitor, storage: Storage
) -> None:
    played = random_match(Row("architects", 2), 1)
    mine = replace(played, spec=replace(played.spec, bots=(ME, "sage")))
    storage.site.add_finished_game("MINE", encode_finished(mine))
    page = visitor.get("/g/MINE/explain").text
    assert re.search(r"Outlook of Human \(.*?\)</h2>", page)
    assert "Estimated by oracle, the strongest house bot" in page


def test_a_bot_of_two_games_has_the_matches_of_the_game_that_is_shown(visitor: Visitor) -> None:
    for game, name in (("seven", "7 Wonders"), ("architects", "7 Wonders Architects")):
        for url in (f"/tournaments/1/bots/2?game={game}", f"/tournaments/1/matches?game={game}"):
            page = visitor.get(url).text
            games = set(re.findall(r'<td class="minor game-name">(.*?)</td>', page))
            assert games == {name}
        assert (
            f'/tournaments/1/matches?bot=2&amp;game={game}"'
            in visitor.get(f"/tournaments/1/bots/2?game={game}").text
        )


def test_people_count_seats_from_one(visitor: Visitor) -> None:
    for url in (
        "/tournaments/1/bots/2?game=architects",
        "/tournaments/1/compare?a=2&b=3&game=architects",
    ):
        table = visitor.get(url).text.partition('aria-label="seat"')[2].partition("</table>")[0]
        assert re.findall(r'<th scope="row">(.*?)</th>', table) == ["1", "2", "3"]
    seats = visitor.get("/matches/3").text.partition("<caption>Seats</caption>")[2]
    first = re.search(r'<tr><td class="number minor">(.*?)</td>', seats)
    assert first
    assert first[1] == "1"


def test_who_asks_too_often_waits(storage: Storage) -> None:
    app = create_app(storage, limits=SiteLimits(reads=3, replays=1))
    here, there = Visitor(app), Visitor(app, "10.0.0.9")
    assert [here.get("/rules/seven").status_code for _ in range(4)] == [200, 200, 200, 429]
    answer = here.get("/api/tournaments")
    assert answer.status_code == 429
    assert 1 <= int(answer.headers["retry-after"]) <= 60
    assert "retry in" in answer.json()["detail"]
    assert there.get("/rules/seven").status_code == 200


def test_a_window_slides() -> None:
    now = [0.0]
    window = RateLimiter(2, 12.0, lambda: now[0])
    assert [window.wait("a"), window.wait("a")] == [0.0, 0.0]
    now[0] = 4.0
    assert window.wait("a") == 8.0
    assert window.wait("b") == 0.0
    now[0] = 12.0
    assert [window.wait("a"), window.wait("a")] == [0.0, 0.0]
    now[0] = 13.5
    assert window.wait("a") == 10.5


def test_processes_of_a_site_count_together_and_survive_a_restart(tmp_path: Path) -> None:
    limits = SiteLimits(reads=10, sign_ups=2)
    with open_storage(tmp_path / "arena.db") as storage:
        one, other = Limiters(limits, storage.site), Limiters(limits, storage.site)
        for _ in range(6):
            assert one.reads.wait("10.0.0.1") == 0.0
        assert one.sign_ups.wait("10.0.0.1") == 0.0
        one.sync()
        other.sync()
        assert [other.reads.wait("10.0.0.1") > 0 for _ in range(5)] == [False] * 4 + [True]
        assert other.reads.wait("10.0.0.2") == 0.0
        assert other.sign_ups.wait("10.0.0.1") == 0.0
        other.sync()
        for _ in range(3):  # what was told already is not added again
            one.sync()
        assert one.reads.wait("10.0.0.1") > 0
        started_anew = Limiters(limits, storage.site)
        started_anew.sync()
        assert started_anew.reads.wait("10.0.0.1") > 0
        assert started_anew.sign_ups.wait("10.0.0.1") > 0
        with storage.database.reading() as connection:
            assert "10.0.0" not in str(connection.exec_driver_sql("SELECT * FROM rate_count").all())


def test_a_seal_is_good_beside_its_cookie_alone() -> None:
    csrf = CsrfTokens(b"key")
    one, other = csrf.visitor(None), csrf.visitor("forged.cookie")
    assert csrf.visitor(one) == one
    assert one != other
    assert csrf.is_valid(one, csrf.token(one))
    assert not csrf.is_valid(other, csrf.token(one))
    assert not csrf.is_valid("x.y", csrf.token("x.y"))
    assert not csrf.is_valid(None, "")
    assert not CsrfTokens(b"another").is_valid(one, csrf.token(one))


@pytest.mark.parametrize("path", ["/play", "/play/x", "/submit/enter", "/submit/1"])
def test_a_form_from_elsewhere_is_refused(visitor: Visitor, path: str) -> None:
    answer = visitor.post(path, data={"game": "seven", "token": "x"})
    assert answer.status_code == 403
    stranger = Visitor(visitor.app)
    assert stranger.post(path, data={"game": "seven"}).status_code == 403


def test_too_much_is_refused_while_it_comes(visitor: Visitor) -> None:
    assert visitor.post("/play", content=b"x" * 100_000).status_code == 413

    async def endless() -> object:
        while True:
            yield b"game=" + b"x" * 10_000

    headers = {"content-type": "application/x-www-form-urlencoded"}
    assert visitor.post("/play", content=endless(), headers=headers).status_code == 413
    lying = {**headers, "content-length": "none"}
    assert visitor.post("/play", content=b"", headers=lying).status_code == 413


def test_cookies_are_for_this_site_alone(visitor: Visitor) -> None:
    answer: httpx.Response = Visitor(visitor.app).get("/play")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie


def test_a_broken_store_is_told_without_its_place(tmp_path: Path) -> None:
    path = tmp_path / "secret.db"
    with stock(path) as storage:
        app = create_app(storage)
        with storage.database.engine.begin() as connection:
            connection.exec_driver_sql("ALTER TABLE tournament RENAME TO gone")
        answer = Visitor(app).get("/")
    assert answer.status_code == 503
    assert "secret" not in answer.text
