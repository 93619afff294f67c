"""The rig of bare machines reads what pytest says, and tells green from red."""

from tests.machines.rig import (
    BEGIN,
    HEAD,
    all_machines,
    is_green,
    kept,
    read_tests,
    rows_of,
    with_rows,
)

LOG = """
=========== short test summary info ===========
FAILED tests/bots/test_api.py::test_one[a] - assert 1 == 2
left out: 3 tests: needs bwrap: apt-get install bubblewrap
= 1 failed, 20 passed, 3 skipped in 12.34s =
==== 100 passed, 1 error in 75.10s (0:01:15) ====
ERROR tests/bots/test_api.py::test_two
"""


def test_the_runs_of_pytest_are_added_up() -> None:
    assert read_tests(LOG) == {
        "passed": 120,
        "failed": 1,
        "skipped": 3,
        "error": 1,
        "failures": ["tests/bots/test_api.py::test_one[a]", "tests/bots/test_api.py::test_two"],
        "left_out": ["3 tests: needs bwrap: apt-get install bubblewrap"],
    }


def test_a_row_tells_how_both_commands_ended() -> None:
    facts = {"seconds": 75, **read_tests(LOG)}
    demo, test = {"command": "make demo", "exit": 0, **facts}, {"exit": 2, **facts}
    result = {
        "machine": "user, 3.13, bare",
        "compiled": True,
        "steps": [demo, test],
        "commit": "0123456789",
        "date": "2026-11-19",
    }
    assert not is_green(result)
    assert is_green({"steps": [demo]})
    assert rows_of([result]) == {
        "user, 3.13, bare": "| user, 3.13, bare | 1 min 15 s, compiled | exit 2 after 1 min 15 s "
        "| 120 | 2 | 3 | 0123456, 2026-11-19 |"
    }


def test_a_row_takes_the_place_of_the_one_before() -> None:
    first, last = (machine.name for machine in (all_machines()[0], all_machines()[-1]))
    page = f"Text.\n{BEGIN}\n\n{HEAD}\n| {last} | old |\n| a machine that is gone | old |\n"
    once = with_rows(page, {first: f"| {first} | new |"})
    assert once == f"Text.\n{BEGIN}\n\n{HEAD}\n| {first} | new |\n| {last} | old |\n"
    again = with_rows(once, {last: f"| {last} | new |"})
    assert again == f"Text.\n{BEGIN}\n\n{HEAD}\n| {first} | new |\n| {last} | new |\n"


def test_machines_do_not_share_a_result() -> None:
    machines = all_machines()
    assert len({kept(machine, "commit") for machine in machines}) == len(machines)
