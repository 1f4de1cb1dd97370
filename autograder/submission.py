"""What a student handed in, as plain source cells. Nothing is executed, nothing is unpacked to disk."""

from __future__ import annotations

import io
import stat
import struct
import zipfile
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from .errors import InputError
from .notebook import Cell, limit_code, notebook_cells, script_cells

FILE_LIMIT = 64 << 20
TOTAL_LIMIT = 128 << 20
FILES_LIMIT = 2_000
# Unwanted files count here: an archive's list is read whole before any entry can be looked at.
ENTRIES_LIMIT = 50_000
IGNORED_FOLDERS = {"__MACOSX", "__pycache__", ".ipynb_checkpoints", "tests", ".git", ".venv", "venv", "node_modules"}
# What zipfile raises at damaged headers: its own errors, and those of the arithmetic and slices that it does with them.
DAMAGED = (
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
    ArithmeticError,
    EOFError,
    LookupError,
    OSError,
    RuntimeError,
    ValueError,
    struct.error,
)
IGNORED_FILES = {"setup.py", "conftest.py"}


@dataclass(frozen=True)
class Submission:
    """A submission's cells, in order, and its importable modules (dotted name to source).

    `name` is what its students would call it: the file's or folder's name.
    """

    name: str
    cells: tuple[Cell, ...]
    modules: dict[str, str] = field(default_factory=dict)

    @property
    def module(self) -> str:
        """What `__name__` is at the top level: a notebook is `__main__`, a file is imported.

        The file's own name would hide a module of the standard library where a student chose `math.py`.
        """
        return "__main__" if self.name.endswith(".ipynb") else "__submission__"


def read_submission(path: Path, slug: str = "") -> Submission:
    """The submission at `path`: a .py, an .ipynb, a folder, or a .zip of these; `slug` helps to choose among files.

    Raises InputError, one line that says why and what next, where it cannot be used.
    """
    if not path.exists():
        raise InputError(f"{path} does not exist; give a .py, an .ipynb, a folder or a .zip")
    if path.is_dir():
        return _choose(path.name, _folder(path), slug)
    if path.suffix == ".zip":
        return _choose(path.name, _zip(path), slug)
    if path.suffix in (".py", ".ipynb"):
        return _single(path.name, _bytes(path))
    raise InputError(f"{path.name} is neither a .py, an .ipynb, a folder nor a .zip; save the work as one of them")


def _bytes(path: Path) -> bytes:
    try:
        if not path.is_file():
            raise InputError(f"{path.name} is not a regular file; hand in the work itself")
        if path.stat().st_size > FILE_LIMIT:
            raise InputError(f"{path.name} is larger than {FILE_LIMIT >> 20} MB; clear its outputs and save it again")
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path.name} cannot be read: {error.strerror}; check its permissions") from None


def _single(name: str, data: bytes) -> Submission:
    text = _text(name, data)
    if not text.strip():
        raise InputError(f"{name} is empty; save the work and hand it in again")
    cells = notebook_cells(name, text) if name.endswith(".ipynb") else script_cells(name, text)
    return Submission(name, cells)


def _text(name: str, data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{name} is not text in UTF-8; save it as UTF-8 and hand it in again") from None


def _wanted(path: PurePosixPath) -> bool:
    name = path.name
    hidden = any(part.startswith(".") or part in IGNORED_FOLDERS for part in path.parts)
    test = name in IGNORED_FILES or name.startswith("test_") or name.endswith("_test.py")
    return path.suffix in (".py", ".ipynb") and not hidden and not test


def _folder(path: Path) -> dict[PurePosixPath, bytes]:
    files: dict[PurePosixPath, bytes] = {}
    for count, found in enumerate(sorted(path.rglob("*"))):
        if count > FILES_LIMIT:
            raise InputError(f"{path.name} holds more than {FILES_LIMIT} files; hand in the work alone")
        inner = PurePosixPath(found.relative_to(path).as_posix())
        # A link could lead out of the folder, to another student's work.
        if not _wanted(inner) or found.is_symlink() or not found.resolve().is_relative_to(path.resolve()):
            continue
        if found.is_file():
            files[inner] = _bytes(found)
    return files


def _zip(path: Path) -> dict[PurePosixPath, bytes]:
    files: dict[PurePosixPath, bytes] = {}
    room = TOTAL_LIMIT
    packed = _bytes(path)
    if packed.count(b"PK\x01\x02") > ENTRIES_LIMIT:
        raise InputError(f"{path.name} holds more than {ENTRIES_LIMIT} entries; hand in the work alone")
    try:
        with zipfile.ZipFile(io.BytesIO(packed)) as archive:
            entries = archive.infolist()
            if len(entries) > FILES_LIMIT:
                raise InputError(f"{path.name} holds more than {FILES_LIMIT} files; hand in the work alone")
            for entry in entries:
                inner = PurePosixPath(entry.filename.replace("\\", "/"))
                if inner.is_absolute() or ".." in inner.parts or "\0" in entry.filename:
                    raise InputError(f"{path.name} holds a path that leads out of it; make the archive again from the files")
                if entry.is_dir() or stat.S_ISLNK(entry.external_attr >> 16) or not _wanted(inner):
                    continue
                # The sizes in an archive are claims: read no more than there is room for.
                with archive.open(entry) as stream:
                    data = stream.read(min(room, FILE_LIMIT) + 1)
                room -= len(data)
                if room < 0 or len(data) > FILE_LIMIT:
                    raise InputError(f"{path.name} unpacks to more than {FILE_LIMIT >> 20} MB; hand in the work alone")
                files[inner] = data
    except (*DAMAGED, MemoryError) as error:
        raise InputError(f"{path.name} cannot be unpacked: {error}; make the archive again, without a password") from None
    except Exception as error:
        if type(error).__module__ in ("zlib", "lzma", "_lzma"):
            raise InputError(f"{path.name} is damaged: {error}; make the archive again") from None
        raise
    return files


def _choose(name: str, files: dict[PurePosixPath, bytes], slug: str) -> Submission:
    """One notebook or file where there is one, or where one has the assignment's name; else a package of modules."""
    notebooks = [path for path in files if path.suffix == ".ipynb"]
    scripts = [path for path in files if path.suffix == ".py"]
    named = [path for path in notebooks if slug and path.stem == slug]
    if len(notebooks) == 1 or len(named) == 1:
        chosen = (named or notebooks)[0]
        single = _single(chosen.name, files[chosen])
        return Submission(single.name, single.cells, _modules(scripts, files))
    if notebooks:
        names = ", ".join(sorted(str(path) for path in notebooks)[:5])
        raise InputError(f"{name} holds {len(notebooks)} notebooks ({names}); keep the one to be graded")
    if not scripts:
        raise InputError(f"{name} holds no .py and no .ipynb; hand in the work itself")
    if len(scripts) == 1:
        return _single(scripts[0].name, files[scripts[0]])
    modules = _modules(scripts, files)
    limit_code(name, sum(map(len, modules.values())))
    cells = tuple(
        Cell(number, module, f"from {module.removesuffix('.__init__')} import *", (), whole=True)
        for number, module in enumerate(modules, 1)
    )
    return Submission(name, cells, modules)


def _modules(scripts: list[PurePosixPath], files: dict[PurePosixPath, bytes]) -> dict[str, str]:
    """Dotted module names and sources; a folder that all files share is not part of the names."""
    ordered = sorted(scripts)
    while ordered and all(len(path.parts) > 1 and path.parts[0] == ordered[0].parts[0] for path in ordered):
        if any(path.parts[1:] == ("__init__.py",) for path in ordered):
            break
        files = {PurePosixPath(*path.parts[1:]): files[path] for path in ordered}
        ordered = sorted(files)
    return {".".join(path.with_suffix("").parts): _text(str(path), files[path]) for path in ordered}
