"""Which machines are given matches, and what is said of the others."""

import pickle
import sys
import tracemalloc
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest

from arena.cluster import workers
from arena.cluster.address import ClusterAddress, parse_address
from arena.cluster.facts import Demands, MachineFacts, this_build
from arena.cluster.packed_bots import MachineRefusedError, pack_bots
from arena.cluster.workers import Workers
from arena.new_bot import BotTemplate, write
from bots.chairs import pool
from bots.chairs.limits import FactorBounds
from bots.discovery.spec import parse_spec
from bots.sandbox import probe
from bots.sandbox.container import Layers
from bots.sandbox.errors import SandboxError
from bots.sandbox.probe import Level
from engine.errors import ArenaError
from leagues.submissions.archive import ArchiveError

HERE = this_build()
FACTS = MachineFacts("left", 2, "full", HERE, 1.0)


def test_facts_come_back_from_plain_values() -> None:
    assert MachineFacts.parse(FACTS.plain()) == FACTS
    assert MachineFacts.parse({}) is None
    assert MachineFacts.parse({**FACTS.plain(), "more": 1}) is None
    assert MachineFacts.parse({**FACTS.plain(), "build": {"program": "9.9"}}) is None


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        (FACTS, ""),
        (replace(FACTS, level="reduced"), "expected sandbox strong, got reduced"),
        (replace(FACTS, level="unsafe"), "expected sandbox strong, got unsafe"),
        (replace(FACTS, level="strong"), ""),
        (
            replace(FACTS, build=replace(HERE, program="9.9")),
            f"expected program {HERE.program}, got 9.9",
        ),
        (
            replace(FACTS, build=replace(HERE, rules="seven 0")),
            f"expected rules {HERE.rules}, got seven 0",
        ),
        (
            replace(FACTS, build=replace(HERE, engine="other")),
            f"expected engine {HERE.engine}, got other",
        ),
    ],
)
def test_a_machine_is_refused_for_one_reason(facts: MachineFacts, said: str) -> None:
    assert Demands(HERE, "strong").refusal(facts) == said


def test_where_bots_are_trusted_any_sandbox_will_do() -> None:
    assert Demands(HERE).refusal(replace(FACTS, level="unsafe")) == ""


@pytest.mark.parametrize(
    ("demands", "speed", "said"),
    [
        (Demands(HERE, "", FactorBounds(), timed=True), 1.0, "noisy"),
        (
            Demands(HERE, "", FactorBounds(0.5, 4.0), timed=True),
            0.2,
            "expected a processor of speed 0.25 to 2, got 0.20",
        ),
        (Demands(HERE, "", FactorBounds()), 0.2, ""),
        (Demands(HERE, "", timed=True), 0.2, ""),
    ],
)
def test_a_machine_is_set_aside_for_bots_with_a_time_limit(
    demands: Demands, speed: float, said: str
) -> None:
    assert demands.doubt(speed, "noisy") == said


def test_a_required_sandbox_is_that_of_the_machines_that_play() -> None:
    here = Workers(sandbox="full")
    with (
        patch.object(probe, "probe", lambda: probe.ProbeReport(Level.REDUCED, Layers(), ())),
        patch.object(pool, "probe", lambda: probe.ProbeReport(Level.REDUCED, Layers(), ())),
        pytest.raises(SandboxError, match=r"expected sandbox full, got reduced"),
    ):
        here.isolate(["greedy"])
    there = Workers(cluster="tcp://host:1", sandbox="strong")
    with patch.object(pool, "probe", side_effect=AssertionError):
        assert there.isolate(["./mine.py"]).name == "strong"
    assert there.words() == ["--require-sandbox", "strong", "--cluster", "tcp://host:1"]
    with pytest.raises(ArenaError, match="expected a sandbox out of full, strong, reduced, got x"):
        Workers(sandbox="x")


def test_addresses() -> None:
    assert parse_address("tcp://host:8786") == ClusterAddress("tcp://host:8786")
    assert parse_address("local:4") == ClusterAddress("", 4)
    assert parse_address("tls://host:1", Path("x")) == ClusterAddress("tls://host:1", 0, Path("x"))
    for text in ("host:8786", "local:0", "local:", "http://host:80", ""):
        with pytest.raises(ArenaError, match="expected a cluster as tcp://HOST:PORT or local"):
            parse_address(text)


def test_bots_arrive_as_they_were_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write("mine", BotTemplate.PYTHON, tmp_path)
    (tmp_path / "alone.py").write_text("x = 1\n")
    (tmp_path / "talker.py").write_text("x = 2\n")
    command = f"cmd:{sys.executable} talker.py --fast"
    packed = pickle.loads(
        pickle.dumps(pack_bots(["./mine", "./alone.py:depth=3", "alone.py", command, "greedy"]))
    )
    assert set(packed) == {"./mine", "./alone.py", "alone.py", command, "greedy"}
    for number, (target, bot) in enumerate(packed.items()):
        place = tmp_path / f"there{number}"
        place.mkdir()
        local, homes = bot.unpack(place)
        spec = parse_spec(local)
        if target == "greedy":
            assert (local, homes) == ("greedy", {})
        elif target == command:
            program, file, option = spec.command
            assert (program, option) == (sys.executable, "--fast")
            assert Path(file).read_text() == "x = 2\n"
            assert homes[file] == "talker.py"
        elif target == "./mine":
            assert sorted(p.name for p in Path(local).iterdir()) == sorted(
                p.name for p in (tmp_path / "mine").iterdir()
            )
            assert homes == {local: str(tmp_path / "mine")}
        else:
            assert Path(local).read_text() == "x = 1\n"
            assert homes == {local: str(tmp_path / "alone.py")}


def test_what_is_not_the_same_there_is_refused(tmp_path: Path) -> None:
    (tmp_path / "alone.py").write_text("x = 1\n")
    (sent,) = pack_bots([str(tmp_path / "alone.py")]).values()
    with pytest.raises(MachineRefusedError, match="as it was sent, got other files"):
        replace(sent, digest="0" * 64).unpack(tmp_path)
    (house,) = pack_bots(["greedy"]).values()
    with pytest.raises(MachineRefusedError, match="expected greedy in the same version"):
        replace(house, digest="0" * 64).unpack(tmp_path)
    with pytest.raises(MachineRefusedError, match="packaged"):
        replace(house, target="packaged").unpack(tmp_path)
    (program,) = pack_bots(["cmd:sh -c true"]).values()
    with pytest.raises(MachineRefusedError, match="expected to run nowhere, got no such program"):
        replace(program, words=("nowhere",)).unpack(tmp_path)


def test_of_a_file_too_large_to_travel_no_more_is_read_than_may_travel(tmp_path: Path) -> None:
    large = tmp_path / "large"
    with large.open("wb") as file:
        file.truncate(300 << 20)
    tracemalloc.start()
    try:
        with pytest.raises(ArchiveError, match="expected at most 20 MB"):
            pack_bots([f"cmd:sh {large}"])
        assert tracemalloc.get_traced_memory()[1] < 100 << 20
    finally:
        tracemalloc.stop()


def test_without_dask_one_line_tells_what_to_install() -> None:
    with (
        patch.object(workers, "find_spec", lambda _name: None),
        pytest.raises(ArenaError, match=r'needs Dask: pip install "wonders-arena\[cluster\]"$'),
    ):
        workers.check_extra()
