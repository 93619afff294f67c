"""Running the site: health, metrics, access log, limits, and the path it is mounted at."""

import io
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.site.app.factory import create_app
from arena.site.app.serve import ServeOptions, serve_site
from arena.site.monitoring.access_log import AccessLog, Message, RequestCounter, Scope
from arena.site.security.rate_limit import SiteLimits, parse_limits
from engine.errors import ArenaError
from leagues.storage.handle import Storage
from tests.arena.site.sample_site import MANY, Visitor, stock


@pytest.fixture(scope="module")
def storage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Storage]:
    with stock(tmp_path_factory.mktemp("site") / "arena.db", matches=6) as made:
        yield made


def metric(text: str, name: str) -> float:
    found = re.search(rf"^{re.escape(name)} (\S+)$", text, re.MULTILINE)
    assert found, text
    return float(found[1])


def test_metrics_are_there_if_they_are_asked_for(storage: Storage) -> None:
    assert Visitor(create_app(storage)).get("/metrics").status_code == 404
    visitor = Visitor(create_app(storage, metrics=True))
    worker = storage.leases.register("host:1")
    answer = visitor.get("/metrics")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    matches = sum(1 for _ in storage.reader.results.matches())
    assert metric(answer.text, "arena_matches_total") == matches
    assert metric(answer.text, "arena_workers") == 1
    assert 0 < metric(answer.text, 'arena_worker_lease_seconds{worker="host:1"}') <= 30
    assert metric(answer.text, 'arena_submissions{league="summer",state="REJECTED"}') == 1
    assert metric(answer.text, 'arena_queue_length{league="summer"}') == 0
    storage.leases.unregister(worker)
    assert metric(visitor.get("/metrics").text, "arena_workers") == 0
    assert metric(visitor.get("/metrics").text, "arena_matches_total") == matches


def test_every_line_of_metrics_is_of_the_format(storage: Storage) -> None:
    text = Visitor(create_app(storage, metrics=True)).get("/metrics").text
    sample = re.compile(r'[a-z_]+(\{[a-z]+="[^"\n]*"(,[a-z]+="[^"\n]*")*\})? -?[0-9.e+-]+')
    for line in text.splitlines():
        assert line.startswith(("# HELP ", "# TYPE ")) or sample.fullmatch(line), line
    assert text.endswith("\n")


def test_health_is_that_of_the_database(tmp_path: Path) -> None:
    storage = stock(tmp_path / "arena.db", matches=0)
    visitor = Visitor(create_app(storage))
    assert visitor.get("/healthz").json() == {"status": "ok"}
    with storage.database.writing() as connection:
        connection.exec_driver_sql("DROP TABLE alembic_version")
    assert visitor.get("/healthz").status_code == 503
    storage.close()


@pytest.mark.parametrize("as_json", [False, True])
def test_the_access_log_has_a_line_for_every_request(storage: Storage, as_json: bool) -> None:
    log = io.StringIO()
    counter = RequestCounter()
    app = create_app(storage)
    visitor = Visitor(AccessLog(app, counter, log, as_json))
    visitor.get("/")
    visitor.get("/nowhere%1b[31m")
    assert counter.requests == {("GET", 200): 1, ("GET", 404): 1}
    first, second = log.getvalue().splitlines()
    assert "\x1b" not in log.getvalue()
    if as_json:
        fields = json.loads(second)
        assert (fields["method"], fields["status"]) == ("GET", 404)
        assert json.loads(first)["bytes"] > 100
    else:
        assert re.fullmatch(r"\S+Z \S+ GET / 200 \d+ [\d.]+ms", first)


def test_a_request_that_fails_is_counted_too() -> None:
    async def broken(scope: Scope, receive: object, send: object) -> None:
        raise ValueError

    async def receive() -> Message:
        return {}

    async def send(message: Message) -> None:
        pass

    counter = RequestCounter()
    scope = {"type": "http", "method": "FETCH", "path": "/", "client": None}
    with pytest.raises(ValueError, match=r"^$"):
        AccessLog(broken, counter)(scope, receive, send).send(None)
    assert counter.requests == {("OTHER", 499): 1}


@pytest.mark.parametrize("prefix", ["/games/arena", ""])
def test_the_site_works_in_a_folder_of_a_larger_one(storage: Storage, prefix: str) -> None:
    """Whether the proxy cuts the folder off or leaves it in the path."""
    visitor = Visitor(create_app(storage, limits=MANY, root_path="/games/arena"))
    page = visitor.get(f"{prefix}/leagues/summer")
    assert page.status_code == 200
    links = re.findall(r'(?:href|src|action)="(/[^"]*)"', page.text)
    assert links
    assert {link for link in links if not link.startswith("/games/arena/")} == set()
    for link in {link for link in links if "/static/" in link}:
        style = visitor.get(link.removeprefix("/games/arena") if not prefix else link)
        assert style.status_code == 200
        assert style.headers["cache-control"] == "max-age=31536000, immutable"
    form = visitor.get(f"{prefix}/submit")
    assert "Path=/games/arena;" in form.headers["set-cookie"] + ";"


def test_limits_are_given_by_name() -> None:
    assert parse_limits([]) == SiteLimits()
    assert parse_limits(["reads=5", "all_tables=100"]) == SiteLimits(reads=5, all_tables=100)
    for wrong in ("reads", "reads=", "reads=x", "reads=0", "visits=3", "reads=-1"):
        with pytest.raises(ArenaError, match="expected a limit NAME=NUMBER"):
            parse_limits([wrong])


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (ServeOptions("127.0.0.1", 0, proxies=["nginx"]), "expected the IP address or network"),
        (ServeOptions("127.0.0.1", 0, root_path="arena"), "expected a path such as /arena"),
        (ServeOptions("127.0.0.1", 0, root_path="/a b"), "expected a path such as /arena"),
        (ServeOptions("127.0.0.1", 0, access_log=Path("none/log")), "cannot write none/log"),
    ],
)
def test_bad_options_are_told_in_a_line(
    storage: Storage, options: ServeOptions, problem: str
) -> None:
    with pytest.raises(ArenaError, match=problem):
        serve_site(str(storage.database.engine.url.database), options)
