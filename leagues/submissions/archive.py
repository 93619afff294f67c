"""A bot's files as they were handed in: read once, refused for one clear reason, written nowhere.

Links are not followed, nothing but regular files is taken, and no name leads out of the bot's own
folder. What is kept is the files' paths, whether they may be executed, and their content.
"""

import errno
import hashlib
import io
import os
import re
import stat
import tarfile
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final, Self

from engine.errors import ArenaError

MAX_BYTES: Final = 20 << 20  # of all files together
MAX_PACKED: Final = 20 << 20  # of an archive
MAX_FILES: Final = 500
MAX_DEPTH: Final = 12  # folders in folders
MAX_PATH: Final = 200  # bytes
MAX_ENTRIES: Final = 4 * MAX_FILES  # of an archive: with folders, caches, and notes of a tar
MAX_NOTE: Final = 1024  # bytes of such a note, as reading it takes time by the square
MAX_RATIO: Final = 200  # bytes out of one byte of an archive, beyond the first
FREE: Final = 1 << 20  # megabyte, which may be as repetitive as it likes
COMPILED: Final = (".pyc", ".pyo")  # a submission is source

# What Windows takes for a device, whatever the ending.
DEVICES: Final = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?", re.IGNORECASE)
NOTES: Final = (
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
)


class ArchiveError(ArenaError):
    """What was handed in cannot be taken; the text says why."""


@dataclass(frozen=True, slots=True)
class Item:
    """One file, by its path in the bot's folder, with / between the parts."""

    path: str
    executable: bool
    content: bytes


@dataclass(frozen=True)
class BotArchive:
    """The files of a bot, by path in ascending order; a single one that was no folder's."""

    items: tuple[Item, ...]
    alone: bool = False

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(len(item.content) for item in self.items)

    @property
    def digest(self) -> str:
        """64 hexadecimal digits that say what the bot is made of."""
        whole = hashlib.sha256(b"alone" if self.alone else b"folder")
        for item in self.items:
            for part in (item.path.encode(), b"x" if item.executable else b"", item.content):
                whole.update(len(part).to_bytes(8, "big") + part)
        return whole.hexdigest()

    def file(self, path: str) -> bytes | None:
        """The content of one file; None if it is not there."""
        return next((item.content for item in self.items if item.path == path), None)


def _none_ignored(_path: str) -> bool:
    return False


class _ArchiveDraft:
    """Files as they come in, counted before they are kept."""

    def __init__(self, is_ignored: Callable[[str], bool] = _none_ignored) -> None:
        self.is_ignored = is_ignored
        self.items: dict[str, Item] = {}  # by their paths where case is nothing
        self.folders: set[str] = set()  # likewise
        self.size = 0

    def skips(self, path: str) -> bool:
        """Whether a file or folder is left out without an error."""
        return path.endswith(COMPILED) or self.is_ignored(path)

    def open(self, path: str) -> None:
        """Expect one more file; ArchiveError if its path or the number of files will not do."""
        check_path(path)
        if _folded(path) in self.items or _folded(path) in self.folders:
            raise ArchiveError("expected every name once, got {path!r} twice", path=path)
        if len(self.items) == MAX_FILES:
            raise ArchiveError("expected at most {limit} files, got more", limit=MAX_FILES)
        parts = path.split("/")
        for stop in range(1, len(parts)):
            parent = "/".join(parts[:stop])
            if _folded(parent) in self.items:
                raise ArchiveError(
                    "expected every name once, got {path!r} as file and folder", path=parent
                )
            self.folders.add(_folded(parent))

    def read(self, path: str, executable: bool, source: IO[bytes]) -> None:
        """Take a file's content, as far as there is room."""
        self.open(path)
        content = source.read(MAX_BYTES - self.size + 1)
        self.size += len(content)
        if self.size > MAX_BYTES:
            raise ArchiveError(
                "expected at most {limit} MB of files, got more", limit=MAX_BYTES >> 20
            )
        self.items[_folded(path)] = Item(path, executable, content)

    def close(self, alone: bool = False) -> BotArchive:
        if not self.items:
            raise ArchiveError("expected the files of a bot, got none")
        return BotArchive(tuple(sorted(self.items.values(), key=lambda item: item.path)), alone)


def check_path(path: str) -> None:
    """ArchiveError unless the path names a file inside the bot's own folder, in plain letters."""
    if len(path.encode("utf-8", "surrogatepass")) > MAX_PATH:
        raise ArchiveError(
            "expected names up to {limit} bytes, got {path!a}...", limit=MAX_PATH, path=path[:40]
        )
    parts = path.split("/")
    if path.startswith("/") or "\\" in path or path[1:2] == ":" or ".." in parts:
        raise ArchiveError("expected names inside the bot's folder, got {path!r}", path=path)
    if "" in parts or "." in parts:
        raise ArchiveError("expected names of files, got {path!r}", path=path)
    if len(parts) > MAX_DEPTH:
        raise ArchiveError(
            "expected folders {limit} deep at most, got {path!r}", limit=MAX_DEPTH, path=path
        )
    if not path.isprintable() or any(sign in path for sign in "<>&\"'`") or not _is_text(path):
        raise ArchiveError(
            "expected names without control characters and markup, got {path!a}", path=path
        )
    if unicodedata.normalize("NFC", path) != path:
        raise ArchiveError("expected names in composed letters, got {path!a}", path=path)
    if any(sign in path for sign in ":*?|") or any(not _is_portable(part) for part in parts):
        raise ArchiveError("expected names that every system can keep, got {path!r}", path=path)


def _is_portable(part: str) -> bool:
    return not part.endswith((".", " ")) and not DEVICES.fullmatch(part)


def _folded(path: str) -> str:
    """The path as systems see it that keep A and a, or letters that look the same, for one."""
    return unicodedata.normalize("NFKC", path).casefold()


def _is_text(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def receive(path: str | Path, is_ignored: Callable[[str], bool] = _none_ignored) -> BotArchive:
    """The files of a Python file, a folder, a zip or a tar; ArchiveError for a reason.

    Paths that `is_ignored` are left out, as are compiled modules.
    """
    place = Path(path)
    try:
        fd = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as problem:
        raise ArchiveError(
            "expected to read {place}, got {why}", place=place, why=_why(problem)
        ) from None
    try:
        mode = os.fstat(fd).st_mode
        if stat.S_ISDIR(mode):
            draft = _ArchiveDraft(is_ignored)
            _walk(draft, fd, "")
            return draft.close()
        if not stat.S_ISREG(mode):
            raise ArchiveError(
                "expected a file or a folder, got {place}, which is neither", place=place
            )
        if os.fstat(fd).st_size > MAX_PACKED:
            raise ArchiveError(
                "expected at most {limit} MB, got more in {place}",
                limit=MAX_PACKED >> 20,
                place=place,
            )
        with os.fdopen(os.dup(fd), "rb") as file:
            return receive_bytes(place.name, file.read(MAX_PACKED + 1), is_ignored)
    except OSError as problem:
        raise ArchiveError(
            "expected to read {place}, got {why}", place=place, why=_why(problem)
        ) from None
    finally:
        os.close(fd)


def assemble(items: Iterable[Item]) -> BotArchive:
    """Files from several places as one bot's; ArchiveError where they get into each other's way."""
    draft = _ArchiveDraft()
    for item in items:
        draft.read(item.path, item.executable, io.BytesIO(item.content))
    return draft.close()


def receive_bytes(
    name: str, data: bytes, is_ignored: Callable[[str], bool] = _none_ignored
) -> BotArchive:
    """The same from what was uploaded under a name; its ending says what it is."""
    if len(data) > MAX_PACKED:
        raise ArchiveError("expected at most {limit} MB, got more", limit=MAX_PACKED >> 20)
    if name.endswith(".py"):
        draft = _ArchiveDraft()
        draft.read(name, False, io.BytesIO(data))
        return draft.close(alone=True)
    if name.endswith(".zip"):
        return _stripped(_from_zip(data, _ArchiveDraft(is_ignored)))
    if name.endswith((".tar", ".tar.gz", ".tgz")):
        return _stripped(_from_tar(data, _ArchiveDraft(is_ignored)))
    raise ArchiveError(
        "expected a folder, or a .py, .zip, .tar or .tar.gz file, got {name!r}", name=name
    )


def _why(problem: OSError) -> str:
    return "a link" if problem.errno == errno.ELOOP else str(problem.strerror)


def _walk(draft: _ArchiveDraft, folder: int, prefix: str) -> None:
    """Take the files of an open folder; every step by descriptor, so that no link is followed."""
    for name in sorted(os.listdir(folder)):
        path = prefix + name
        if draft.skips(path):
            continue
        check_path(path)
        try:
            fd = os.open(
                name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder
            )
        except OSError as problem:
            raise ArchiveError(
                "expected regular files, got {why}: {path!r}", why=_why(problem), path=path
            ) from None
        try:
            mode = os.fstat(fd).st_mode
            if stat.S_ISDIR(mode):
                _walk(draft, fd, f"{path}/")
            elif stat.S_ISREG(mode):
                with os.fdopen(os.dup(fd), "rb") as file:
                    draft.read(path, bool(mode & stat.S_IXUSR), file)
            else:
                raise ArchiveError(
                    "expected regular files, got a device or a pipe: {path!r}", path=path
                )
        finally:
            os.close(fd)


def _from_zip(data: bytes, draft: _ArchiveDraft) -> _ArchiveDraft:
    if data.count(b"PK\x01\x02") > MAX_ENTRIES:  # the library would make objects of them all
        raise ArchiveError("expected at most {limit} files, got more", limit=MAX_FILES)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for info in archive.infolist():
                _take_zipped(draft, archive, info)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, zlib.error) as problem:
        raise ArchiveError(
            "expected a zip that can be read, got: {problem}", problem=problem
        ) from None
    except (ValueError, OSError, UnicodeError) as problem:
        raise ArchiveError(
            "expected a zip that can be read, got: {problem!a}", problem=problem
        ) from None
    return draft


def _take_zipped(draft: _ArchiveDraft, archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> None:
    # The original name: the library cuts at a zero byte, and turns \ into / elsewhere.
    name = info.orig_filename
    mode = info.external_attr >> 16
    if not info.flag_bits & 0x800 and not name.isascii():
        raise ArchiveError("expected names in UTF-8, got {name!a}", name=name)
    if name.endswith("/"):
        check_path(name.rstrip("/"))
        return
    check_path(name)
    if mode and stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        if stat.S_ISLNK(mode):
            raise ArchiveError("expected regular files, got a link: {path!r}", path=name)
        raise ArchiveError("expected regular files, got something else: {path!r}", path=name)
    if info.flag_bits & 1:
        raise ArchiveError(
            "expected files that can be read, got {name!r} behind a password", name=name
        )
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ArchiveError(
            "expected stored or deflated files, got another method for {name!r}", name=name
        )
    if info.file_size > FREE + MAX_RATIO * max(1, info.compress_size):
        raise ArchiveError(
            "expected files that were packed fairly, got a bomb: {name!r}", name=name
        )
    if draft.skips(name):
        return
    with archive.open(info) as source:
        draft.read(name, bool(mode & stat.S_IXUSR), source)


class _Header(tarfile.TarInfo):
    """A header of a tar, counted, and refused before a long note behind it is read.

    Every version of `tarfile` calls `_proc_member` for each header, and lets subclasses override
    it; the newest do not call `fromtarfile` and `frombuf` for the header behind a note.
    """

    def _proc_member(self, archive: tarfile.TarFile) -> Self:
        assert isinstance(archive, _Archive)
        archive.entries += 1
        if archive.entries > MAX_ENTRIES:
            raise ArchiveError("expected at most {limit} files, got more", limit=MAX_FILES)
        if self.type in NOTES and self.size > MAX_NOTE:
            raise ArchiveError(
                "expected notes of up to {limit} bytes in a tar, got more", limit=MAX_NOTE
            )
        found: Self = super()._proc_member(archive)  # type: ignore[misc]
        return found


class _Archive(tarfile.TarFile):
    tarinfo = _Header
    entries = 0


def _from_tar(data: bytes, draft: _ArchiveDraft) -> _ArchiveDraft:
    try:
        with _Archive(fileobj=io.BytesIO(_unzipped(data)), mode="r") as archive:
            for info in archive:
                _take_tarred(draft, archive, info)
    except (tarfile.TarError, EOFError, zlib.error, OverflowError, RecursionError) as problem:
        raise ArchiveError(
            "expected a tar that can be read, got: {problem}", problem=problem
        ) from None
    except (ValueError, OSError, UnicodeError) as problem:
        raise ArchiveError(
            "expected a tar that can be read, got: {problem!a}", problem=problem
        ) from None
    return draft


def _take_tarred(draft: _ArchiveDraft, archive: tarfile.TarFile, info: tarfile.TarInfo) -> None:
    name = info.name.removeprefix("./")
    if info.isdir():
        if name not in ("", "."):
            check_path(name.rstrip("/"))
        return
    check_path(name)
    if info.issym() or info.islnk():
        raise ArchiveError("expected regular files, got a link: {path!r}", path=name)
    if not info.isreg() or info.issparse():
        raise ArchiveError("expected regular files, got a device or a pipe: {path!r}", path=name)
    if draft.skips(name):
        return
    source = archive.extractfile(info)
    assert source is not None
    with source:
        draft.read(name, bool(info.mode & stat.S_IXUSR), source)


def _unzipped(data: bytes) -> bytes:
    """A tar out of its wrapping, as far as there is room."""
    if not data.startswith(b"\x1f\x8b"):
        return data
    most = MAX_BYTES + MAX_ENTRIES * 2048  # with a header or two for each file
    unpack = zlib.decompressobj(wbits=31)
    plain = unpack.decompress(data, most + 1)
    if len(plain) > most or len(plain) > FREE + MAX_RATIO * len(data):
        raise ArchiveError(
            "expected at most {limit} MB of files, got a bomb", limit=MAX_BYTES >> 20
        )
    if not unpack.eof:
        raise ArchiveError("expected a tar that can be read, got its beginning only")
    return plain


def _stripped(draft: _ArchiveDraft) -> BotArchive:
    """Without the one folder that everything lies in, as archives often have it."""
    items = draft.close().items
    tops = {item.path.partition("/")[0] for item in items}
    if len(tops) == 1 and all("/" in item.path for item in items):
        items = tuple(
            Item(item.path.partition("/")[2], item.executable, item.content) for item in items
        )
    return BotArchive(items, alone=len(items) == 1 and items[0].path.endswith(".py"))


def pack_archive(archive: BotArchive) -> bytes:
    """The files in one piece, as the database keeps them: a tar, deflated."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for item in archive.items:
            info = tarfile.TarInfo(item.path)
            info.size = len(item.content)
            info.mode = 0o755 if item.executable else 0o644
            tar.addfile(info, io.BytesIO(item.content))
    return zlib.compress(out.getvalue())


def unpack_archive(content: bytes, alone: bool = False) -> BotArchive:
    """The inverse of `pack_archive`, as careful as with a stranger's archive."""
    limit = MAX_BYTES + MAX_ENTRIES * 2048
    inflate = zlib.decompressobj()
    try:
        plain = inflate.decompress(content, limit)
    except zlib.error as problem:
        raise ArchiveError("expected a stored bot, got: {problem}", problem=problem) from None
    return BotArchive(_from_tar(plain, _ArchiveDraft()).close().items, alone)


def lay_out(archive: BotArchive, folder: Path) -> None:
    """Write the files into a new folder."""
    folder.mkdir(mode=0o755)
    for item in archive.items:
        check_path(item.path)
        file = folder / item.path
        file.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
        with file.open("xb") as out:
            out.write(item.content)
        file.chmod(0o755 if item.executable else 0o644)
