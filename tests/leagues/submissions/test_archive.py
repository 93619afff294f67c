"""What is handed in is taken whole, or refused for one reason; nothing is written anywhere."""

import io
import os
import stat
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.league.submit import read_facts, runnable, with_manifest
from bots.discovery.files import is_ignored
from engine.errors import ArenaError
from leagues.submissions import archive as archive_module
from leagues.submissions.archive import (
    ArchiveError,
    BotArchive,
    lay_out,
    pack_archive,
    receive,
    receive_bytes,
    unpack_archive,
)

CODE = b"def decide(decision):\n    return decision.options[0]\n"
FACTS = b'name = "mine"\nversion = "1.0"\nentry = "bot.py"\n'


def folder(place: Path, **more: bytes) -> Path:
    place.mkdir()
    for name, content in {"bot.py": CODE, "bot.toml": FACTS, **more}.items():
        (place / name).write_bytes(content)
    return place


def zipped(*files: tuple[str | zipfile.ZipInfo, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return out.getvalue()


def tarred(*infos: tarfile.TarInfo, mode: str = "w") -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as archive:  # type: ignore[call-overload]
        for info in infos:
            archive.addfile(info, io.BytesIO(b"x" * info.size) if info.size else None)
    return out.getvalue()


def tar_info(
    name: str, size: int = 0, kind: bytes = tarfile.REGTYPE, to: str = ""
) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.size = size
    info.type = kind
    info.linkname = to
    return info


def zip_info(name: str, mode: int) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.external_attr = mode << 16
    return info


def tar_note(kind: bytes, said: bytes) -> bytes:
    """A header that says something of the next one."""
    return tar_info("note", len(said), kind).tobuf() + said + bytes(-len(said) % 512)


def paths(archive: BotArchive) -> list[str]:
    return [item.path for item in archive.items]


def test_a_folder_a_zip_and_a_tar_of_the_same_are_the_same(tmp_path: Path) -> None:
    place = folder(tmp_path / "mine")
    (place / "__pycache__").mkdir()
    (place / "__pycache__" / "bot.pyc").write_bytes(b"junk")
    wanted = receive(place, is_ignored)
    assert paths(wanted) == ["bot.py", "bot.toml"]
    for name in ("mine", "other"):  # with a folder around, whatever it is called
        with zipfile.ZipFile(tmp_path / f"{name}.zip", "w") as archive:
            for file in ("bot.py", "bot.toml"):
                archive.write(place / file, f"{name}/{file}")
        with tarfile.open(tmp_path / f"{name}.tar.gz", "w:gz") as tar:
            tar.add(place, name)
        for ending in ("zip", "tar.gz"):
            assert receive(tmp_path / f"{name}.{ending}", is_ignored).digest == wanted.digest
    (place / "bot.py").write_bytes(CODE + b"\n")
    assert receive(place).digest != wanted.digest


def test_a_file_is_a_bot_by_itself(tmp_path: Path) -> None:
    file = tmp_path / "alone.py"
    file.write_bytes(CODE)
    archive = receive(file)
    assert archive.alone
    assert read_facts(archive).name == "alone"


def test_what_is_kept_is_what_was_handed_in(tmp_path: Path) -> None:
    place = folder(tmp_path / "mine")
    (place / "sub").mkdir()
    run = place / "sub" / "é.sh"
    run.write_bytes(b"#!\n")
    run.chmod(0o4777)
    (place / "bot.py").chmod(0o600)
    wanted = receive(place)
    again = unpack_archive(pack_archive(wanted))
    assert again == wanted
    lay_out(again, tmp_path / "out")
    modes = {
        str(file.relative_to(tmp_path / "out")): stat.S_IMODE(file.stat().st_mode)
        for file in (tmp_path / "out").rglob("*")
        if file.is_file()
    }
    assert modes == {"bot.py": 0o644, "bot.toml": 0o644, "sub/é.sh": 0o755}
    assert receive(tmp_path / "out").digest == wanted.digest


PROJECT = b"""
[project]
name = "my-package"
version = "2.1"
description = "A bot"
[project.entry-points."wonders_arena.bots"]
packed = "packed.play:Bot"
"""


@pytest.mark.parametrize("root", ["", "src/"])
def test_the_source_of_a_package_is_a_bot(tmp_path: Path, root: str) -> None:
    place = tmp_path / "source"
    package = place / root / "packed"
    package.mkdir(parents=True)
    (place / "pyproject.toml").write_bytes(PROJECT)
    (package / "__init__.py").write_bytes(b"")
    (package / "play.py").write_bytes(b"class Bot:\n    def decide(self, decision): ...\n")
    manifest = read_facts(with_manifest(receive(place)))
    assert (manifest.name, manifest.version) == ("packed", "2.1")
    assert (manifest.entry, manifest.summary) == ("packed.play:Bot", "A bot")


def link(place: Path) -> None:
    (place / "secret.py").symlink_to("/etc/passwd")


def folder_link(place: Path) -> None:
    (place / "etc").symlink_to("/etc")


def pipe(place: Path) -> None:
    os.mkfifo(place / "pipe")


def bad_name(place: Path) -> None:
    (place / os.fsdecode(b"\xff\xfe.py")).write_bytes(b"")


def markup(place: Path) -> None:
    (place / "<script>.py").write_bytes(b"")


def newline(place: Path) -> None:
    (place / "two\nlines.py").write_bytes(b"")


def many(place: Path) -> None:
    for number in range(archive_module.MAX_FILES):
        (place / f"{number}.txt").write_bytes(b"")


def large(place: Path) -> None:
    with (place / "large").open("wb") as file:
        file.truncate(archive_module.MAX_BYTES + 1)


def deep(place: Path) -> None:
    (place / "/".join("d" * archive_module.MAX_DEPTH)).mkdir(parents=True)
    (place / "/".join("d" * archive_module.MAX_DEPTH) / "x").write_bytes(b"")


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (link, "expected regular files, got a link: 'secret.py'"),
        (folder_link, "expected regular files, got a link: 'etc'"),
        (pipe, "expected regular files, got a device or a pipe: 'pipe'"),
        (bad_name, "expected names without control characters and markup"),
        (markup, "expected names without control characters and markup"),
        (newline, "expected names without control characters and markup"),
        (many, "expected at most 500 files, got more"),
        (large, "expected at most 20 MB of files, got more"),
        (deep, "expected folders 12 deep at most"),
    ],
)
def test_a_folder_is_refused(tmp_path: Path, spoil: Callable[[Path], None], reason: str) -> None:
    place = folder(tmp_path / "bad")
    spoil(place)
    with pytest.raises(ArchiveError, match=reason):
        receive(place)


def test_links_and_pipes_are_no_submissions_themselves(tmp_path: Path) -> None:
    folder(tmp_path / "mine")
    (tmp_path / "link").symlink_to(tmp_path / "mine")
    os.mkfifo(tmp_path / "pipe.py")
    with pytest.raises(ArchiveError, match="got a link"):
        receive(tmp_path / "link")
    with pytest.raises(ArchiveError, match="which is neither"):
        receive(tmp_path / "pipe.py")
    with pytest.raises(ArchiveError, match="No such file"):
        receive(tmp_path / "nothing")


LINK = stat.S_IFLNK | 0o777
ZIPS: dict[str, tuple[bytes, str]] = {
    "slip": (zipped(("../../evil.py", CODE)), "inside the bot's folder, got '../../evil.py'"),
    "slip within": (zipped(("a/../../evil.py", CODE)), "inside the bot's folder"),
    "absolute": (zipped(("/etc/evil.py", CODE)), "inside the bot's folder"),
    "drive": (zipped(("C:evil.py", CODE)), "inside the bot's folder"),
    "backslash": (zipped(("..\\evil.py", CODE)), "inside the bot's folder"),
    "link": (zipped((zip_info("l.py", LINK), b"/etc/passwd")), "regular files, got a link"),
    "device": (zipped((zip_info("d.py", stat.S_IFCHR), b"")), "regular files, got something else"),
    "markup": (zipped(("<b>.py", CODE)), "control characters and markup"),
    "escape": (zipped(("\x1b[31m.py", CODE)), "control characters and markup"),
    "empty": (zipped(), "expected the files of a bot, got none"),
    "no zip": (b"PK\x03\x04 no", "expected a zip that can be read"),
    "bomb": (zipped(("bomb", bytes(archive_module.MAX_BYTES))), "got a bomb"),
    "many": (zipped(*((f"{n}", b"") for n in range(501))), "at most 500 files"),
    "file as folder": (zipped(("a", b""), ("a/b", b"")), "'a' as file and folder"),
    "folder as file": (zipped(("a/b", b""), ("a", b"")), "'a' twice"),
    "case": (zipped(("bot.py", b""), ("BOT.py", b"")), r"'BOT\.py' twice"),
    "case of a folder": (zipped(("a", b""), ("A/b", b"")), "'A' as file and folder"),
    "looks the same": (zipped(("fi", b""), ("\ufb01", b"")), "twice"),
    "device of Windows": (zipped(("src/Con.py", b"")), "names that every system can keep"),
    "dot at the end": (zipped(("bot.", b"")), "names that every system can keep"),
    "blank at the end": (zipped(("a /bot.py", b"")), "names that every system can keep"),
    "stream of Windows": (zipped(("bot.py:x", b"")), "names that every system can keep"),
    "long for a disk": (zipped(("é" * 150, b"")), "names up to 200 bytes"),
}


@pytest.mark.parametrize(("data", "reason"), ZIPS.values(), ids=ZIPS)
def test_a_zip_is_refused(data: bytes, reason: str) -> None:
    with pytest.raises(ArchiveError, match=reason):
        receive_bytes("bad.zip", data)


def test_a_zip_is_refused_before_a_long_directory_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(*_: object) -> None:
        pytest.fail("expected not to be read")

    monkeypatch.setattr(zipfile, "ZipFile", read)
    with pytest.raises(ArchiveError, match="at most 500 files"):
        receive_bytes("bad.zip", b"PK\x01\x02" * 2001)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_zip_with_a_name_twice_is_refused() -> None:
    with pytest.raises(ArchiveError, match=r"expected every name once, got 'bot\.py' twice"):
        receive_bytes("bad.zip", zipped(("bot.py", CODE), ("bot.py", CODE)))


def test_a_zip_that_lies_about_sizes_is_refused() -> None:
    data = zipped(("bomb", bytes(4 << 20)))
    told = (4 << 20).to_bytes(4, "little")
    assert data.count(told) == 2
    with pytest.raises(ArchiveError, match="expected a zip that can be read"):
        receive_bytes("bad.zip", data.replace(told, (100).to_bytes(4, "little")))


def test_a_zip_in_another_encoding_is_refused() -> None:
    data = zipped(("bot_.py", CODE)).replace(b"bot_", b"bot\x82")
    with pytest.raises(ArchiveError, match="expected names in UTF-8"):
        receive_bytes("bad.zip", data)


def test_a_zip_behind_a_password_is_refused() -> None:
    data = bytearray(zipped(("bot.py", CODE)))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(ArchiveError, match="behind a password"):
        receive_bytes("bad.zip", bytes(data))


TARS: dict[str, tuple[bytes, str]] = {
    "slip": (tarred(tar_info("../evil.py", 3)), "inside the bot's folder"),
    "absolute": (tarred(tar_info("/etc/evil.py", 3)), "inside the bot's folder"),
    "link": (tarred(tar_info("l", 0, tarfile.SYMTYPE, "/etc")), "got a link: 'l'"),
    "hard link": (tarred(tar_info("l", 0, tarfile.LNKTYPE, "/etc/passwd")), "got a link: 'l'"),
    "pipe": (tarred(tar_info("p", 0, tarfile.FIFOTYPE)), "got a device or a pipe: 'p'"),
    "device": (tarred(tar_info("d", 0, tarfile.CHRTYPE)), "got a device or a pipe: 'd'"),
    "folder outside": (tarred(tar_info("../x", 0, tarfile.DIRTYPE)), "inside the bot's folder"),
    "twice": (tarred(tar_info("a", 1), tar_info("a", 1)), "expected every name once"),
    "twice by a dot": (tarred(tar_info("a", 1), tar_info("./a", 1)), "expected every name once"),
    "markup": (tarred(tar_info("<i>", 1)), "control characters and markup"),
    "bad UTF-8": (
        tarred(tar_info("aaaa", 1)).replace(b"aaaa", b"a\xff\xfea"),
        "expected a tar that can be read|control characters",
    ),
    "large": (tarred(tar_info("a", archive_module.MAX_BYTES + 1), mode="w:gz"), "bomb|20 MB"),
    "bomb": (tarred(tar_info("a", 30 << 20), mode="w:gz"), "got a bomb"),
    "half": (tarred(tar_info("a", 4000))[:1000], "expected a tar that can be read"),
    "half zipped": (tarred(tar_info("a", 4000), mode="w:gz")[:-9], "its beginning only"),
    "none": (b"\x1f\x8b no", "expected a tar that can be read"),
    "empty": (tarred(), "expected the files of a bot, got none"),
    "long": (tarred(tar_info("a" * 300, 1)), "names up to 200 bytes"),
    "notes on notes": (
        b"".join(tar_note(tarfile.GNUTYPE_LONGNAME, b"abc\0") for _ in range(900)),
        "expected a tar that can be read",
    ),
    # Digits without end: looked through from each of them on, they would take days.
    "long note": (tar_note(tarfile.XHDTYPE, b"1" * (8 << 20)), "notes of up to 1024 bytes"),
    "long note on a note": (
        tar_note(tarfile.XHDTYPE, b"6 a=b\n") + tar_note(tarfile.XHDTYPE, b"1" * (8 << 20)),
        "notes of up to 1024 bytes",
    ),
    "many folders": (
        b"".join(tar_info(f"{n}", 0, tarfile.DIRTYPE).tobuf() for n in range(2001)),
        "at most 500 files",
    ),
}


@pytest.mark.parametrize(("data", "reason"), TARS.values(), ids=TARS)
def test_a_tar_is_refused(data: bytes, reason: str) -> None:
    with pytest.raises(ArchiveError, match=reason):
        receive_bytes("bad.tar", data)


def test_what_is_no_archive_is_refused() -> None:
    with pytest.raises(ArchiveError, match=r"expected a folder, or a \.py, \.zip"):
        receive_bytes("bot.exe", CODE)
    with pytest.raises(ArchiveError, match="at most 20 MB"):
        receive_bytes("bot.zip", bytes(archive_module.MAX_PACKED + 1))


MANIFESTS: dict[str, tuple[bytes, str]] = {
    "10 MB": (FACTS + b"#" * (10 << 20), "expected at most 8000 bytes in bot.toml"),
    "no UTF-8": (FACTS + b"#\xff", "expected bot.toml to be TOML"),
    "no TOML": (b"{", "expected bot.toml to be TOML"),
    "markup": (FACTS.replace(b"mine", b"<b>mine</b>"), "expected a name of letters"),
    "no name": (FACTS.replace(b"name", b"title"), "got title"),
    "outside": (
        FACTS.replace(b"bot.py", b"../../etc/x.py"),
        "expected (the )?entry",
    ),
    "missing": (FACTS.replace(b"bot.py", b"none.py"), "expected (the )?entry"),
    "game": (FACTS + b'games = ["chess"]', "expected games out of"),
}


@pytest.mark.parametrize(("facts", "reason"), MANIFESTS.values(), ids=MANIFESTS)
def test_a_manifest_is_refused_without_telling_where_it_was_read(
    tmp_path: Path, facts: bytes, reason: str
) -> None:
    place = folder(tmp_path / "bad")
    (place / "bot.toml").write_bytes(facts)
    archive = receive(place)
    with pytest.raises(ArenaError, match=reason) as refused:
        read_facts(with_manifest(archive))
    assert "arena-" not in str(refused.value)
    assert "\n" not in str(refused.value)


PROJECTS: dict[str, tuple[bytes, str]] = {
    "none": (b"", "got none"),
    "two": (PROJECT + b'other = "packed.play"\n', "got several bots"),
    "no text": (PROJECT.replace(b'"2.1"', b"2"), "as texts"),
    "10 MB": (PROJECT + b"#" * (10 << 20), "at most 8000 bytes in pyproject.toml"),
    "no UTF-8": (b"\xff", "expected one bot in pyproject.toml"),
}


@pytest.mark.parametrize(("project", "reason"), PROJECTS.values(), ids=PROJECTS)
def test_a_project_is_refused(tmp_path: Path, project: bytes, reason: str) -> None:
    place = tmp_path / "bad"
    place.mkdir()
    (place / "pyproject.toml").write_bytes(project)
    with pytest.raises(ArenaError, match=reason):
        with_manifest(receive(place))


def test_a_source_that_gets_in_the_way_of_a_folder_is_refused() -> None:
    data = zipped(("pyproject.toml", PROJECT), ("src/bot.py", CODE), ("bot.py/x", CODE))
    with pytest.raises(ArchiveError, match=r"expected every name once, got 'bot\.py' twice"):
        with_manifest(receive_bytes("bad.zip", data))


def test_a_folder_without_a_word_about_itself_is_refused(tmp_path: Path) -> None:
    place = folder(tmp_path / "bad")
    (place / "bot.toml").unlink()
    with pytest.raises(ArchiveError, match=r"expected a bot\.toml or a pyproject\.toml"):
        with_manifest(receive(place))


PROGRAM = b'name = "mine"\nversion = "1"\nprogram = ["./run/bot", "1"]\n'


def test_what_a_bot_says_is_run_is_executable_however_it_came(tmp_path: Path) -> None:
    script = b"#!/usr/bin/env python3\n"
    place = tmp_path / "mine"
    (place / "run").mkdir(parents=True)
    (place / "bot.toml").write_bytes(PROGRAM)
    (place / "run" / "bot").write_bytes(script)
    (place / "run" / "bot").chmod(0o755)
    from_folder = runnable(receive(place))
    # As Windows packs it: without any bits.
    from_zip = runnable(
        receive_bytes("mine.zip", zipped(("m/bot.toml", PROGRAM), ("m/run/bot", script)))
    )
    assert from_folder.digest == from_zip.digest
    assert [item.executable for item in from_zip.items] == [False, True]
    assert unpack_archive(pack_archive(from_zip)) == from_zip
    facts = read_facts(from_zip)
    assert (facts.source, facts.entry) == ("program", "run/bot 1")
    plain = receive_bytes("b.zip", zipped(("bot.toml", FACTS), ("bot.py", CODE)))
    assert runnable(plain) is plain


@pytest.mark.parametrize(
    ("facts", "script", "reason"),
    [
        ('program = "/bin/sh"', "#!/bin/sh\n", "expected program to be a file in the bot's folder"),
        ('program = "../bot"', "#!/bin/sh\n", "expected program to be a file in the bot's folder"),
        ('program = ["bot", "/etc"]', "#!/bin/sh\n", "expected arguments that stay in the bot's"),
        ('program = "bot"', "#!/opt/x\n", "expected bot to be run by /usr/bin/env NAME or a prog"),
        ('program = "bot"', "print(1)\n", "expected bot to be compiled or to begin with #!"),
        ('program = [["bot"]]', "#!/bin/sh\n", "expected program as FILE or [FILE, ARGUMENT, ...]"),
        ("program = [", "#!/bin/sh\n", "expected bot.toml to be TOML"),
    ],
)
def test_a_program_that_leads_out_is_refused_in_a_line(
    facts: str, script: str, reason: str
) -> None:
    text = f'name = "mine"\nversion = "1"\n{facts}\n'
    archive = receive_bytes("m.zip", zipped(("bot.toml", text.encode()), ("bot", script.encode())))
    with pytest.raises(ArenaError) as told:
        read_facts(runnable(with_manifest(archive)))
    assert str(told.value).startswith(reason)
    assert "\n" not in str(told.value)
    assert "arena-" not in str(told.value)
