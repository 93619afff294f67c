"""Programs get what they are promised: the OpenAPI document, tried by Schemathesis in process."""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import Case, GenerationMode

from arena.site.app.factory import create_app
from arena.site.security.trusted_hosts import TrustedHosts
from tests.arena.site.sample_site import MANY, Visitor, stock

pytestmark = pytest.mark.slow

EXAMPLES = 8  # of each operation
CONTEST = ["", "/board", "/meetings", "/bots", "/bots/{bot}", "/matches"]
OPERATIONS = [
    "/api/tournaments",
    "/api/leagues",
    *(f"/api/tournaments/{{id}}{rest}" for rest in CONTEST),
    *(f"/api/leagues/{{name}}{rest}" for rest in CONTEST),
    "/api/matches/{id}",
    "/api/matches/{id}/explain",
    "/api/leagues/{name}/submissions",
]


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FastAPI]:
    with stock(tmp_path_factory.mktemp("api") / "arena.db") as storage:
        hosts = TrustedHosts(["testserver"])  # as Schemathesis calls it
        yield create_app(storage, hosts, limits=MANY)


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
@pytest.mark.parametrize(
    ("verb", "path"),
    [*(("GET", path) for path in OPERATIONS), ("POST", "/api/leagues/{name}/submissions")],
)
def test_answers_keep_to_their_description(
    app: FastAPI, verb: str, path: str, mode: GenerationMode
) -> None:
    operation = schemathesis.openapi.from_asgi("/openapi.json", app)[path][verb]
    if mode is GenerationMode.NEGATIVE and not operation.definition.raw.get("parameters"):
        return  # nothing can be asked wrongly

    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def attempt(case: Case[Any]) -> None:
        case.call_and_validate()

    attempt()


def test_every_operation_is_described_and_typed(app: FastAPI) -> None:
    document = app.openapi()
    assert [path for path, it in document["paths"].items() if "get" in it] == OPERATIONS
    for path, verbs in document["paths"].items():
        for verb in verbs.values():
            assert verb["description"], path
            done = next(code for code in verb["responses"] if code.startswith("2"))
            assert verb["responses"][done]["content"]["application/json"]["schema"], path
            assert {"404", "422", "429"} <= set(verb["responses"])


def test_what_is_asked_for_is_what_comes(app: FastAPI) -> None:
    visitor = Visitor(app)
    latest = visitor.get("/api/tournaments").json()[0]
    assert latest["path"] == "tournaments/3"
    replay = visitor.get("/api/matches/4").json()
    assert replay["decisions"]
    assert [fault["kind"] for fault in replay["faults"]] == ["exception"]
    profile = visitor.get("/api/tournaments/1/bots/1?game=seven").json()
    assert profile["versions"] == [1, 2]
    assert profile["timing"]["answers"] > 0
    league = visitor.get("/api/leagues").json()[0]
    assert (league["path"], league["state"]) == ("leagues/summer", "OPEN")
    states = [row["state"] for row in visitor.get("/api/leagues/summer/submissions").json()]
    assert states == ["ACCEPTED", "ACCEPTED", "REJECTED"]
    assert {row["name"] for row in profile["effects"]["players"]} == {"3"}
