"""What workers log ends up in one place, whatever bots put into it."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from arena import log_config
from engine.errors import ArenaError

SPAWN = multiprocessing.get_context("spawn")


def work(number: int) -> None:
    log_config.LOGGER.debug("match %d seat %d: %s", number, 2, "\x1b[31mred\nline\u202e")
    try:
        [][number]
    except IndexError:
        log_config.LOGGER.exception("match %d failed", number)


def test_workers_write_into_the_one_log(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "arena.log"
    with log_config.SharedLog(SPAWN, 0, file) as queue:
        begin = log_config.log_to_queue, (queue, log_config.LOGGER.level)
        with ProcessPoolExecutor(2, SPAWN, *begin) as pool:
            list(pool.map(work, range(6)))
    text = file.read_text(encoding="utf-8")
    for number in range(6):
        assert f"match {number} seat 2: " in text
        assert f"match {number} failed" in text
    assert text.count("IndexError: list index out of range") == 6
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert all(line[23:28] == " UTC " or line.startswith("    ") for line in text.splitlines())
    shown = capfd.readouterr().err
    assert "match 3 failed" in shown.splitlines()  # an error, without date and process
    assert "seat" not in shown  # detail, not asked for


def test_a_log_file_that_cannot_be_written(tmp_path: Path) -> None:
    with (
        pytest.raises(ArenaError, match="expected to write"),
        log_config.SharedLog(SPAWN, 0, tmp_path),
    ):
        pass


def test_what_comes_again_and_again_is_told_once_but_kept(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for verbose, told in ((0, 2), (1, 6)):
        file = tmp_path / f"{verbose}.log"
        with log_config.SharedLog(SPAWN, verbose, file):
            for number in range(6):
                log_config.LOGGER.warning("fault %d", number, extra={"once": number % 2})
        assert file.read_text(encoding="utf-8").count("fault") == 6
        assert capfd.readouterr().err.count("fault") == told
