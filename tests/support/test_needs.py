"""What was left out is told by reason and number, with what adds it."""

from tests.support.needs import PACKAGES, left_out


def test_reasons_are_counted_and_the_command_is_told() -> None:
    reasons = ["Skipped: needs bwrap", "needs pandas", "Skipped: needs bwrap", "no such kernel"]
    assert left_out(reasons) == [
        "left out: 2 tests: needs bwrap: apt-get install bubblewrap",
        "left out: 1 test: needs pandas: pip install pandas",
        "left out: 1 test: no such kernel",
    ]
    assert left_out([]) == []


def test_packages_are_named_for_an_install() -> None:
    assert all(package.strip() == package != "" for package in PACKAGES.values())
