"""People come in by links and tokens, and organisers act; to strangers neither is there."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from arena.site.app.factory import create_app
from arena.site.app.people.routes_organiser import ACTIONS
from arena.site.pages.acts import ACTS
from arena.site.pages.organiser import ACT_FORMS
from arena.site.security.rate_limit import SiteLimits
from leagues.records import ActKind, League, LeagueState, SubmissionState
from leagues.storage.handle import Storage, open_storage
from tests.arena.league.sample_league import enter, found
from tests.arena.site.markup import Markup
from tests.arena.site.sample_site import Visitor
from tests.support.french import FrenchTexts, english_in

pytestmark = pytest.mark.slow


@pytest.fixture
def storage(tmp_path: Path) -> Iterator[Storage]:
    with open_storage(tmp_path / "arena.db") as it:
        yield it


@pytest.fixture
def league(storage: Storage) -> League:
    league = found(storage)
    enter(storage, league, "mine", "ann")
    enter(storage, league, "other", "bob")
    return league


def form_token(page: str) -> str:
    (token, *_) = re.findall(r'name="token" value="(\w+)"', page)
    return str(token)


def come_in(visitor: Visitor, token: str) -> None:
    page = visitor.get("/submit").text
    form = {"token": form_token(page), "owner_token": token}
    assert visitor.post("/submit/enter", data=form).status_code == 303


def test_an_invited_person_comes_in_and_has_a_token_once(storage: Storage) -> None:
    visitor = Visitor(create_app(storage))
    link = f"/join/{storage.invitations.invite('cyd', 'ref')}"
    page = visitor.get(link).text
    assert 'value="cyd"' in page
    assert visitor.post(link, data={"token": "wrong", "name": "cyd"}).status_code == 403
    made = visitor.post(link, data={"token": form_token(page), "name": "cyd"})
    (token,) = re.findall(r"arena_[\w-]{40,}", made.text)
    cookie = made.headers["set-cookie"]
    assert token not in cookie
    assert "HttpOnly" in cookie
    assert storage.reader.accounts.owner_of_token(token) == "cyd"
    assert "cyd" in visitor.get("/account").text
    assert token not in visitor.get("/account").text
    # Used, refused, expired and never made: all look the same.
    assert visitor.get(link).text.replace(link, "") == visitor.get("/join/x").text.replace(
        "/join/x", ""
    )


@pytest.mark.parametrize("url", ["/submit", "/join"])
def test_without_a_league_one_is_told_what_to_do(storage: Storage, url: str) -> None:
    visitor = Visitor(create_app(storage))
    page = visitor.get(url).text
    assert 'href="/submit" aria-current="page"' in page
    for text in ("arena bot new mybot", 'href="/play"', 'href="/watch"', "arena league create"):
        assert text in page.partition("<main")[2]
    assert "Contact" not in page
    league = found(storage)
    storage.seasons.edit(league.id, {"contact": "ann, in the forum"}, "asked for", "ref")
    assert "No league accepts bots now" not in visitor.get(url).text
    storage.leagues.set_league_state(league.id, LeagueState.CLOSED)
    assert "Contact: ann, in the forum" in visitor.get(url).text


def test_who_asks_waits_for_an_organiser(storage: Storage, league: League) -> None:
    asking = Visitor(create_app(storage, open_sign_up=True))
    page = asking.get("/join").text
    form = {"token": form_token(page), "name": "ann", "note": "from <b>the</b> club"}
    sent = asking.post("/join", data=form)  # a name that is taken is not told here
    (link,) = set(re.findall(r"/join/join_[\w-]+", sent.text))
    assert "waits for an organiser" in asking.get(link).text
    storage.accounts.set_organiser("bob", True, "helps", "ref")
    organiser = Visitor(create_app(storage))
    come_in(organiser, storage.accounts.add_token("bob"))
    page = organiser.get("/organiser").text
    assert "from &lt;b&gt;the&lt;/b&gt; club" in page
    (asked,) = storage.reader.invitations.all()
    form = {"token": form_token(page), "action": "admit", "subject": str(asked.id)}
    assert "expected a reason" in organiser.post("/organiser", data=form).text
    assert organiser.post("/organiser", data=form | {"reason": "ok"}).status_code == 303
    form = {"token": form_token(asking.get(link).text), "name": "Ann"}
    assert "expected a name that is free" in asking.post(link, data=form).text
    assert "arena_" in asking.post(link, data=form | {"name": "dora"}).text
    closed = Visitor(create_app(storage))
    form = {"token": form_token(closed.get("/submit").text), "name": "eve"}
    assert closed.post("/join", data=form).status_code == 403


def test_organisers_alone_see_their_page_and_act(storage: Storage, league: League) -> None:
    site = create_app(storage)
    stranger, ann, bob = Visitor(site), Visitor(site), Visitor(site)
    come_in(ann, storage.accounts.add_token("ann"))
    come_in(bob, storage.accounts.add_token("bob"))
    storage.accounts.set_organiser("bob", True, "helps", "ref")
    assert stranger.get("/organiser").status_code == 404
    assert ann.get("/organiser").status_code == 404
    token = form_token(ann.get("/submit").text)
    form = {"token": token, "action": "ban", "subject": "bob", "reason": "x"}
    assert ann.post("/organiser", data=form).status_code == 404
    token = form_token(bob.get("/organiser").text)
    for action, subject in (("hide", "ann/mine"), ("unhide", "ann/mine"), ("ban", "ann")):
        form = {"token": token, "action": action, "subject": subject, "reason": f"why {action}"}
        done = bob.post("/organiser", data=form | {"league": "spring"})
        assert done.status_code == 303, done.text
    assert bob.post("/organiser", data=form | {"token": "x"}).status_code == 403
    himself = bob.post("/organiser", data=form | {"subject": "bob"})
    assert "expected another owner, got yourself" in himself.text
    assert [act.by for act in storage.reader.moderation.acts()[-3:]] == ["bob"] * 3
    assert "why ban" in bob.get("/organiser").text
    # Its session ended with the ban.
    assert ann.get("/account").headers["location"].endswith("/submit")
    storage.accounts.set_organiser("bob", False, "left", "ref")
    assert bob.get("/organiser").status_code == 404


def test_a_link_fills_in_a_form_and_a_refused_one_stays_filled(
    storage: Storage, league: League
) -> None:
    bob = Visitor(create_app(storage))
    come_in(bob, storage.accounts.add_token("bob"))
    storage.accounts.set_organiser("bob", True, "helps", "ref")
    storage.leagues.set_submission_state(1, SubmissionState.SUSPENDED, "talks")
    page = bob.get("/organiser").text
    label = storage.reader.leagues.submission(1).label
    hrefs = [given.get("href") or "" for _, given in Markup(page).tags]
    (link,) = [href for href in hrefs if "form=bot" in href]
    filled = bob.get(link.partition("#")[0]).text
    assert f'name="subject" value="{label}"' in filled
    assert '<option value="resume" selected>' in filled
    form = {"token": form_token(page), "form": "owner", "action": "ban", "subject": "nobody"}
    refused = bob.post("/organiser", data=form | {"reason": "two accounts"})
    assert refused.status_code == 400
    for kept in ('value="nobody"', 'value="two accounts"', '<option value="ban" selected>'):
        assert kept in refused.text
    offered = [action for each in ACT_FORMS for action in each.actions]
    assert sorted([*offered, "admit", "refuse"]) == sorted(ACTIONS)


def test_acts_are_told_in_the_language_of_the_page(storage: Storage, league: League) -> None:
    bob = Visitor(create_app(storage))
    come_in(bob, storage.accounts.add_token("bob"))
    storage.accounts.set_organiser("bob", True, "r", "ref")
    storage.accounts.set_organiser("ann", True, "r", "ref")
    storage.accounts.set_organiser("ann", False, "r", "ref")
    storage.teams.set_member("crew", "ann", True, "r", "ref")
    storage.teams.set_member("crew", "ann", False, "r", "ref")
    storage.seasons.edit(league.id, {"title": "Coupe", "rules": "x", "changed": "y"}, "r", "ref")
    storage.invitations.ask("eve", "")
    storage.invitations.decide(1, False, "r", "ref")
    storage.moderation.ban("ann", "r", "ref")
    page = bob.get("/organiser?lang=fr").text
    for text in (
        "spring, nouvel état\u00a0: ouverte",
        "organisateur\u00a0: bob",
        "n&#39;est plus organisateur\u00a0: ann",
        "ann rejoint l&#39;équipe crew",
        "ann quitte l&#39;équipe crew",
        "modifié\u00a0: spring (titre Coupe, règles y)",
        "refusé\u00a0: invitation 1",
        "banni\u00a0: ann",
        '<option value="ban">bannir\u00a0: ',
    ):
        assert text in page, text
    assert english_in("\n".join(FrenchTexts(page).texts)) == []
    assert "no longer an organiser: ann" in bob.get("/organiser").text
    assert {*ACTS} == {*ActKind}


def test_an_owner_revokes_its_own_tokens_alone(storage: Storage, league: League) -> None:
    site = create_app(storage)
    ann = Visitor(site)
    come_in(ann, storage.accounts.add_token("ann"))
    storage.accounts.add_token("bob")
    (theirs,) = storage.reader.accounts.tokens("bob")
    page = ann.get("/account").text
    form = {"token": form_token(page), "name": "ci"}
    (new,) = re.findall(r"arena_[\w-]{40,}", ann.post("/account/tokens", data=form).text)
    assert storage.reader.accounts.owner_of_token(new) == "ann"
    assert ann.post(f"/account/tokens/{theirs.id}", data=form).status_code == 404
    (first, _) = storage.reader.accounts.tokens("ann")
    assert ann.post(f"/account/tokens/{first.id}", data=form).status_code == 303
    assert ann.get("/account").headers["location"].endswith("/submit")  # who has to come in


def test_sign_ups_are_limited_and_looking_at_pages_is_not(storage: Storage) -> None:
    visitor = Visitor(create_app(storage, open_sign_up=True))
    form = {"token": form_token(visitor.get("/join").text)}
    link = f"/join/{storage.invitations.invite('cyd', 'ref')}"
    for _ in range(SiteLimits.sign_ups + 5):  # neither views nor what is refused is a sign-up
        assert visitor.get(link).status_code == 200
        assert visitor.get("/join/join_guess").status_code == 404
        assert visitor.post("/join", data=form | {"name": "no name"}).status_code == 400
    for number in range(SiteLimits.sign_ups):
        assert visitor.post("/join", data=form | {"name": f"p{number}"}).status_code == 200
    assert visitor.post("/join", data=form | {"name": "late"}).status_code == 429
    assert visitor.post(link, data=form | {"name": "cyd"}).status_code == 200


def test_what_organisers_and_owners_did_is_signed_by_who_they_are_now(
    storage: Storage, league: League
) -> None:
    site = create_app(storage)
    bob = Visitor(site)
    come_in(bob, storage.accounts.add_token("bob"))
    storage.accounts.set_organiser("bob", True, "helps", "ref")
    form = {"token": form_token(bob.get("/organiser").text), "league": "spring"}
    for action, subject in (("suspend", "ann/mine"), ("exclude", "1"), ("ban", "ann")):
        bob.post("/organiser", data=form | {"action": action, "subject": subject, "reason": "x"})
    (_, mine) = storage.reader.leagues.submissions(league.id)
    assert bob.post(f"/submit/{mine.id}", data=form).status_code == 303
    storage.moderation.rename("bob", "robert", "asked for", "ref")
    assert [act.by for act in storage.reader.moderation.acts()[-3:]] == ["robert", "robert", "ref"]
    for entry in storage.reader.leagues.submissions(league.id):
        assert entry.events[-1].by == "robert"
    with storage.database.reading() as connection:
        for table in sa.inspect(connection).get_table_names():
            text = str(connection.exec_driver_sql(f"SELECT * FROM {table}").all())
            assert "bob" not in text, table
    assert not list(storage.reader.results.damages())


def test_members_hand_in_and_see_bots_of_their_team(storage: Storage, league: League) -> None:
    site = create_app(storage)
    ann, bob, eve = Visitor(site), Visitor(site), Visitor(site)
    tokens = {name: storage.accounts.add_token(name) for name in ("ann", "bob", "eve")}
    for visitor, name in ((ann, "ann"), (bob, "bob"), (eve, "eve")):
        come_in(visitor, tokens[name])
    storage.accounts.set_organiser("eve", True, "runs it", "ref")
    form = {"token": form_token(eve.get("/organiser").text), "reason": "asked for"}
    for name in ("ann", "bob"):
        act = {"action": "add to team", "subject": "crew", "name": name}
        assert eve.post("/organiser", data=form | act).status_code == 303
    page = ann.get("/submit").text
    assert "<option>crew</option>" in page
    assert "<option>crew</option>" not in eve.get("/submit").text
    form = {"token": form_token(page), "league": "spring", "owner": "crew"}
    file = {"file": ("ours.py", b"def decide(decision):\n    return decision.options[0]\n")}
    place = ann.post("/submit", data=form, files=file).headers["location"]
    (*_, entry) = storage.reader.leagues.submissions(league.id)
    assert (entry.owner, entry.events[0].by) == ("crew", "ann")
    assert bob.get(place).status_code == 200
    assert eve.get(place).status_code == 404
    form = {"token": form_token(eve.get("/submit").text), "league": "spring", "owner": "crew"}
    refused = eve.post("/submit", data=form, files=file)
    assert refused.status_code == 409
    assert "expected you or a team of yours" in refused.text
    url = "/api/leagues/spring/submissions?filename=other.py&owner=crew"
    body = b"def decide(decision):\n    return decision.options[-1]\n"
    for name, status in (("bob", 201), ("eve", 409)):
        sent = {"authorization": f"Bearer {tokens[name]}"}
        assert Visitor(site).post(url, content=body, headers=sent).status_code == status
