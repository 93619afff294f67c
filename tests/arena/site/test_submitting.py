"""Bots handed in over the web: by their owner's token, within limits, seen by nobody else."""

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from httpx import Response

from arena.site.app.factory import create_app
from arena.site.security.rate_limit import SiteLimits
from leagues.records import LeagueState, SubmissionState
from leagues.storage.handle import Storage
from tests.arena.site.markup import Markup
from tests.arena.site.sample_site import Visitor, source, stock
from tests.arena.site.test_playing import field
from tests.support.french import FrenchTexts, english_in

pytestmark = pytest.mark.slow

SUBMISSIONS = "/api/leagues/summer/submissions"


@pytest.fixture
def storage(tmp_path: Path) -> Iterator[Storage]:
    with stock(tmp_path / "arena.db", 0) as it:
        yield it


def owner(storage: Storage, name: str = "ann") -> Visitor:
    """A visitor who has come in with a token."""
    visitor = Visitor(create_app(storage, limits=SiteLimits(writes=10_000)))
    token = field(visitor.get("/submit").text, "token")
    answer = visitor.post(
        "/submit/enter", data={"token": token, "owner_token": storage.accounts.replace_tokens(name)}
    )
    assert (answer.status_code, answer.headers["location"]) == (303, "/submit")
    assert "httponly" in answer.headers["set-cookie"].lower()
    assert "samesite=strict" in answer.headers["set-cookie"].lower()
    return visitor


def upload(
    visitor: Visitor, name: str, data: bytes, league: str = "summer", lang: str = "en"
) -> Response:
    token = field(visitor.get("/submit").text, "token")
    form = {"token": token, "league": league}
    return visitor.post(f"/submit?lang={lang}", data=form, files={"file": (name, data)})


def test_an_owner_hands_in_a_bot_and_sees_what_became_of_it(storage: Storage) -> None:
    visitor = owner(storage)
    answer = upload(visitor, "newer.py", b"def decide(decision):\n    return 0\n")
    assert answer.status_code == 303
    place = answer.headers["location"]
    page = visitor.get(place).text
    assert "waits to be checked" in page
    assert visitor.get(f"{place}/files/0").text == "def decide(decision):\n    return 0\n"
    assert visitor.get(f"{place}/files/0").headers["content-type"].startswith("text/plain")
    assert visitor.get(f"{place}/files/1").status_code == 404
    entry = storage.reader.leagues.submissions(1)[-1]
    assert (entry.owner, entry.name, entry.state) == ("ann", "newer", "RECEIVED")
    storage.leagues.set_submission_state(
        entry.id, SubmissionState.REJECTED, "step 2", "Traceback <b>\nValueError: no"
    )
    markup = Markup(visitor.get(place).text)
    assert "Traceback <b>\nValueError: no" in markup.texts
    assert "step 2" in visitor.get("/submit").text
    for public in ("/leagues/summer/entries", SUBMISSIONS):
        page = visitor.get(public).text
        assert "step 2" not in page
        assert "ValueError: no" not in page


def test_an_archive_is_taken_and_bad_ones_are_refused_in_a_line(storage: Storage) -> None:
    visitor = owner(storage)
    assert upload(visitor, "bot.zip", zipped("good/bot.py", "good/bot.toml")).status_code == 303
    for name, data in (
        ("bot.zip", zipped("../evil.py")),
        ("bot.zip", b"PK nothing"),
        ("bot.tar.gz", b"nothing"),
        ("picture.png", b"nothing"),
        ("<b>.py", b""),
        ("bot.zip", zipped("bot.toml", "<b>.py")),
    ):
        answer = upload(visitor, name, data)
        assert answer.status_code == 400, (name, data)
        problem = next(t for t in Markup(answer.text).texts if t.startswith("expected"))
        assert "\n" not in problem
    assert upload(visitor, "", b"").status_code == 400
    assert upload(visitor, "bot.py", source("ann"), "winter").status_code == 404
    assert len(storage.reader.leagues.submissions(1)) == 4


def test_a_refusal_is_in_the_language_of_the_page(storage: Storage) -> None:
    visitor = owner(storage)
    nameless = io.BytesIO()
    with zipfile.ZipFile(nameless, "w") as archive:
        archive.writestr("bot.toml", "name = 7\n")
    for name, data, told in (
        ("bot.zip", zipped("../evil.py"), "les noms ne doivent pas sortir du dossier du bot"),
        ("bot.tar.gz", b"nothing", "le fichier tar est illisible\u00a0:"),
        ("picture.png", b"nothing", "il faut un dossier ou un fichier .py"),
        ("bot.zip", zipped("bot.toml", "<b>.py"), "les noms ne doivent avoir ni caractères"),
        ("bot.zip", nameless.getvalue(), "name doit être un texte dans bot.toml"),
    ):
        answer = upload(visitor, name, data, lang="fr")
        assert answer.status_code == 400, (name, data)
        texts = FrenchTexts(answer.text).texts
        assert any(text.startswith(told) for text in texts), told
        assert english_in("\n".join(texts)) == []


def test_a_program_says_that_it_is_one(storage: Storage) -> None:
    visitor = owner(storage)
    assert "a program" in visitor.get("/submit").text
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as contests:
        contests.writestr("bot.toml", 'name = "c"\nversion = "1"\nprogram = "run"\n')
        contests.writestr("run", b"\x7fELF\0")
    place = upload(visitor, "c.zip", out.getvalue()).headers["location"]
    assert "program over stdio" in Markup(visitor.get(place).text).texts
    assert "programme par stdio" in Markup(visitor.get(f"{place}?lang=fr").text).texts
    assert "Python" in Markup(visitor.get("/submit/1").text).texts
    kinds = [row["kind"] for row in visitor.get(SUBMISSIONS).json()]
    assert kinds == ["Python", "Python", "Python", "program over stdio"]


def zipped(*names: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as contests:
        for name in names:
            toml = 'name = "packed"\nversion = "1"\nentry = "bot:Packed"\n'
            contests.writestr(name, toml if name.endswith(".toml") else "class Packed: pass\n")
    return out.getvalue()


def test_nobody_else_sees_a_source(storage: Storage) -> None:
    ann, bob = owner(storage), owner(storage, "bob")
    stranger = Visitor(ann.app)
    assert "the secret of ann" in ann.get("/submit/1/files/0").text
    for visitor in (bob, stranger):
        assert visitor.get("/submit/1").status_code == 404
        assert visitor.get("/submit/1/files/0").status_code == 404
    token = field(bob.get("/submit").text, "token")
    assert bob.post("/submit/1", data={"token": token}).status_code == 404
    assert storage.reader.leagues.submission(1).state == "ACCEPTED"
    # The same content tells nothing of who else has it.
    assert upload(bob, "mine.py", source("ann")).status_code == 303


def test_a_bot_is_withdrawn_by_its_owner(storage: Storage) -> None:
    visitor = owner(storage)
    token = field(visitor.get("/submit").text, "token")
    assert visitor.post("/submit/1", data={"token": token}).status_code == 303
    assert storage.reader.leagues.submission(1).state == "WITHDRAWN"
    again = visitor.post("/submit/1", data={"token": token})
    assert again.status_code == 409
    assert "is WITHDRAWN already" in again.text
    again = visitor.post("/submit/1?lang=fr", data={"token": token})
    assert "est déjà retiré" in again.text
    board = visitor.get("/api/leagues/summer/board").json()
    assert [row["name"] for row in board["rows"]] == [storage.reader.leagues.submission(2).label]


def test_a_new_token_locks_out_the_old_one(storage: Storage) -> None:
    visitor = owner(storage)
    assert visitor.get("/submit/1").status_code == 200
    storage.accounts.replace_tokens("ann")
    assert visitor.get("/submit/1").status_code == 404
    assert 'name="owner_token"' in visitor.get("/submit").text


def test_a_wrong_token_is_refused_and_one_may_leave(storage: Storage) -> None:
    visitor = Visitor(create_app(storage))
    token = field(visitor.get("/submit").text, "token")
    answer = visitor.post("/submit/enter", data={"token": token, "owner_token": "guess"})
    assert answer.status_code == 403
    assert upload(visitor, "x.py", b"").status_code == 403
    ann = owner(storage)
    token = field(ann.get("/submit").text, "token")
    ann.post("/submit/enter", data={"token": token})
    assert ann.get("/submit/1").status_code == 404


def test_programs_hand_in_with_a_token(storage: Storage) -> None:
    visitor = Visitor(create_app(storage))
    body = b"def decide(decision):\n    return 1\n"
    url = f"{SUBMISSIONS}?filename=other.py"
    answer = visitor.post(url, content=body)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    headers = {"authorization": f"Bearer {storage.accounts.replace_tokens('dee')}"}
    answer = visitor.post(url, content=body, headers=headers)
    assert answer.status_code == 201
    assert (answer.json()["owner"], answer.json()["state"]) == ("dee", "RECEIVED")
    again = visitor.post(url, content=body, headers=headers).json()
    assert again["id"] == answer.json()["id"]
    assert visitor.post(f"{url}.png", content=b"", headers=headers).status_code == 400
    winter = url.replace("summer", "winter")
    assert visitor.post(winter, content=body, headers=headers).status_code == 404


def test_a_league_that_takes_nothing_says_so(storage: Storage) -> None:
    storage.leagues.set_league_state(1, LeagueState.FROZEN)
    headers = {"authorization": f"Bearer {storage.accounts.replace_tokens('dee')}"}
    answer = owner(storage).post(f"{SUBMISSIONS}?filename=x.py", content=b"x = 1", headers=headers)
    assert answer.status_code == 409
    assert "one that is FROZEN" in answer.json()["detail"]
    answer = upload(owner(storage), "newer.py", b"def decide(decision):\n    return 0\n")
    assert answer.status_code == 409
    assert "one that is FROZEN" in answer.text
    body = b"def decide(decision):\n    return 0\n"
    answer = upload(owner(storage), "newer.py", body, lang="fr")
    assert "ne reçoit pas de bots en ce moment\u00a0: elle est gelée" in answer.text


def test_a_bot_that_cannot_be_kept_is_told_without_the_place(storage: Storage) -> None:
    visitor = owner(storage)
    token = field(visitor.get("/submit").text, "token")
    headers = {"authorization": f"Bearer {storage.accounts.replace_tokens('dee')}"}
    with storage.database.engine.begin() as connection:
        connection.exec_driver_sql("ALTER TABLE submission RENAME TO gone")
    bot = b"def decide(decision):\n    return 0\n"
    url = f"{SUBMISSIONS}?filename=other.py"
    form = {"token": token, "league": "summer"}
    for answer in (
        visitor.post(url, content=bot, headers=headers),
        visitor.post("/submit", data=form, files={"file": ("other.py", bot)}),
    ):
        assert answer.status_code == 503
        assert "sqlite" not in answer.text
        assert "arena.db" not in answer.text


def test_uploads_are_few_and_small(storage: Storage) -> None:
    visitor = Visitor(create_app(storage))
    headers = {"authorization": f"Bearer {storage.accounts.replace_tokens('ann')}"}
    url = f"{SUBMISSIONS}?filename=x.py"
    told = {**headers, "content-length": str(10**12)}
    assert visitor.post(url, content=b"", headers=told).status_code == 413
    seen = 0

    async def flood() -> object:
        nonlocal seen
        while True:
            seen += 1 << 20
            yield b"x" * (1 << 20)

    assert visitor.post(url, content=flood(), headers=headers).status_code == 413
    assert seen < 30 << 20
    url += ".png"
    codes = [visitor.post(url, content=b"", headers=headers).status_code for _ in range(10)]
    assert codes == [400] * 9 + [429]
