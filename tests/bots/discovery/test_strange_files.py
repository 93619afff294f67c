"""Files that never end, never begin or are no files, wherever a bot should have some."""

import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bots.discovery import digest as digests
from bots.discovery.compiled_sources import compile_sources
from bots.discovery.digest import digest
from bots.discovery.manifest_reader import MAX_FACTS, read_manifest
from bots.discovery.regular_file import open_regular, read_regular
from bots.discovery.spec import BotError, parse_spec
from bots.sandbox.shared_imports import shared_imports
from bots.sandbox.visible_paths import Copies
from engine.errors import ArenaError
from leagues.submissions.archive import receive
from tests.bots.matches import arena

HANG = 20.0  # seconds after which a read is taken to wait for ever


def bind_socket(place: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        # By a short name, as those of sockets are limited.
        made.bind(f"/proc/self/fd/{(fd := os.open(place.parent, os.O_RDONLY))}/{place.name}")
        os.close(fd)


def link_to_pipe(place: Path) -> None:
    os.mkfifo(place.with_name("behind"))
    place.symlink_to("behind")


STRANGE: dict[str, Callable[[Path], None]] = {
    "pipe": os.mkfifo,
    "socket": bind_socket,
    "folder": Path.mkdir,
    "link to zeros": lambda place: place.symlink_to("/dev/zero"),
    "link to a pipe": link_to_pipe,
    "link to a terminal": lambda place: place.symlink_to("/dev/tty"),
    "link to itself": lambda place: place.symlink_to(place.name),
}


@pytest.fixture(autouse=True)
def _no_hanging() -> Iterator[None]:
    def fail(*_: object) -> None:
        raise AssertionError("it hangs")

    before = signal.signal(signal.SIGALRM, fail)
    signal.setitimer(signal.ITIMER_REAL, HANG)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "mine"
    place.mkdir()
    (place / "bot.toml").write_text('name = "mine"\nversion = "1"\nentry = "bot.py"\n', "utf-8")
    (place / "bot.py").write_text("def decide(decision):\n    return 0\n", "utf-8")
    return place


def spoil(place: Path, sort: str) -> None:
    place.unlink(missing_ok=True)
    STRANGE[sort](place)


@pytest.mark.parametrize("sort", STRANGE)
def test_only_regular_files_are_opened(tmp_path: Path, sort: str) -> None:
    spoil(tmp_path / "it", sort)
    for follow in (True, False):
        with pytest.raises(OSError, match=r"regular|link"):
            open_regular(tmp_path / "it", follow)


def test_what_becomes_a_pipe_meanwhile_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(tmp_path / "it")
    monkeypatch.setattr(os, "stat", lambda *_, **__: os.lstat(__file__))
    with pytest.raises(OSError, match="not a regular file"):
        open_regular(tmp_path / "it")


def test_a_link_is_followed_where_the_user_named_it(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"text")
    (tmp_path / "link").symlink_to("file")
    assert read_regular(tmp_path / "link", 3) == b"tex"
    with pytest.raises(OSError, match="a link"):
        read_regular(tmp_path / "link", 3, follow=False)


def test_a_file_by_a_link_of_another_name(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "other.py").symlink_to("mine/bot.py")
    manifest = read_manifest(parse_spec(f"{tmp_path}/other.py"))
    assert (manifest.name, manifest.entry, manifest.folder) == ("other", "bot.py", str(folder))


def test_no_more_is_read_than_was_asked_for_however_long_a_file_is(tmp_path: Path) -> None:
    with (tmp_path / "sparse").open("wb") as file:
        file.truncate(1 << 40)
    assert read_regular(tmp_path / "sparse", 3 << 20) == bytes(3 << 20)


@pytest.mark.parametrize("sort", STRANGE)
@pytest.mark.parametrize("name", ["bot.toml", "bot.py"])
def test_a_strange_manifest_or_entry(folder: Path, name: str, sort: str) -> None:
    spoil(folder / name, sort)
    for read in (read_manifest, digest):
        with pytest.raises(BotError, match="expected"):
            read(parse_spec(str(folder)))
    with pytest.raises(ArenaError, match="expected"):
        submit(folder)


def submit(folder: Path) -> None:
    from arena.league.submit import read_facts, with_manifest

    read_facts(with_manifest(receive(folder)))


@pytest.mark.parametrize("sort", STRANGE)
@pytest.mark.parametrize("command", [("bot", "show"), ("bot", "check")])
def test_commands_tell_in_a_line(folder: Path, sort: str, command: tuple[str, str]) -> None:
    spoil(folder / "bot.toml", sort)
    done = arena(*command, folder, cwd=folder)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)


@pytest.mark.parametrize("sort", STRANGE)
def test_a_strange_file_bot(tmp_path: Path, sort: str) -> None:
    spoil(tmp_path / "bot.py", sort)
    with pytest.raises(BotError, match="expected"):
        digest(parse_spec(f"{tmp_path}/bot.py"))


@pytest.mark.parametrize("sort", STRANGE)
def test_strange_files_beside_the_sources_are_not_the_bots(folder: Path, sort: str) -> None:
    before = digest(parse_spec(str(folder)))
    spoil(folder / "data.py", sort)
    if sort != "link to a pipe":
        assert digest(parse_spec(str(folder))) == before
    manifest = read_manifest(parse_spec(str(folder)))
    strange = [str(folder / "data.py")]
    assert shared_imports(manifest, strange) == []
    assert compile_sources(strange) == compile_sources([])
    copies = Copies()
    copies.add(str(folder))
    assert [word for word in copies.words if word.endswith("data.py")] in (
        [],
        strange if sort == "folder" else [],
    )
    copies.close()


def test_a_manifest_that_goes_on_for_ever(folder: Path) -> None:
    with (folder / "bot.toml").open("ab") as file:
        file.truncate(1 << 40)
    with pytest.raises(BotError, match=f"at most {MAX_FACTS} bytes"):
        read_manifest(parse_spec(str(folder)))


def test_a_source_that_goes_on_for_ever(folder: Path) -> None:
    with (folder / "bot.py").open("ab") as file:
        file.truncate(1 << 40)
    with pytest.raises(BotError, match="more than 2 GB of files"):
        digest(parse_spec(str(folder)))
    with pytest.raises(BotError, match="at most 1000000 bytes"):
        digest(parse_spec(f"{folder}/bot.py"))
    assert compile_sources([f"{folder}/bot.py"]) == compile_sources([])


def test_files_of_a_bot_have_a_limit_together(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = sum(file.stat().st_size for file in folder.iterdir())
    monkeypatch.setattr(digests, "MAX_BYTES", size)
    digest(parse_spec(str(folder)))
    (folder / "one.txt").write_bytes(b"1")
    with pytest.raises(BotError, match="of files"):
        digest(parse_spec(str(folder)))


def test_a_file_that_grows_is_copied_as_it_was(folder: Path) -> None:
    """However much is written to it while it is read."""
    stop = threading.Event()

    def grow() -> None:
        with (folder / "data.bin").open("ab") as file:
            while not stop.is_set():
                file.write(bytes(1 << 12))

    thread = threading.Thread(target=grow)
    thread.start()
    copies = Copies()
    try:
        copies.add(str(folder))
        sizes = [os.fstat(fd).st_size for fd in copies.fds]
    finally:
        stop.set()
        thread.join()
    assert sizes == [os.fstat(fd).st_size for fd in copies.fds]
    copies.close()
