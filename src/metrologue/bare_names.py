"""Our modules by their bare names: ``evaluate.load("rouge")`` in a program that does not know this package.

If `evaluate` does not reach the Hub, it takes the newest file of that name from its cache. ``install`` puts a file of a
few lines there, which takes the module from this package. So an update of this package is an update of them all.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from metrologue.errors import InputError, shown
from metrologue.modules import all_names, check_name, list_comparisons, module_path

_FIRST_LINE = '"""A module of metrologue by its bare name: made by `metrologue install`, and by nothing else."""'
# What is installed, under every name. It runs where metrologue may be another version, or may be gone.
_FILE = f"""{_FIRST_LINE}

import pathlib
import sys

_here = pathlib.Path(__file__)
try:
    from metrologue.bare_names import module_class
except ImportError as error:
    raise ImportError(
        f"{{_here.stem}}: `metrologue install` made {{_here}}, but {{sys.executable}} has no metrologue that it can "
        f"import ({{error}}). Install it there, or delete the folder {{_here.parent}}, and `evaluate` takes the Hub's "
        "module again."
    ) from error
Module = module_class(_here.stem)
"""
_FOLDER = hashlib.sha256(
    _FILE.encode()
).hexdigest()  # `evaluate` looks only into folders whose names have 64 characters
_TYPES = ("metric", "comparison", "measurement")  # in the order in which `evaluate` looks
_TRIES = 10
_MEASUREMENTS = ("text_duplicates", "word_count", "word_length")  # under which the Hub has them


@dataclass(frozen=True)
class BareName:
    """What ``evaluate.load(name)`` takes if it does not reach the Hub.

    Attributes
    ----------
    name : str
    path : Path or None
        The file; None if there is none.
    is_ours : bool
        Whether it takes the module from this package.
    """

    name: str
    path: Path | None
    is_ours: bool


def modules_cache() -> Path:
    """The folder of modules of `evaluate`, by its rules: ``HF_MODULES_CACHE``, or a folder in ``HF_HOME``."""
    if loaded := sys.modules.get("evaluate.config"):
        return Path(loaded.HF_MODULES_CACHE).absolute()
    home = os.getenv("HF_HOME", os.path.join(os.getenv("XDG_CACHE_HOME", "~/.cache"), "huggingface"))
    return Path(os.getenv("HF_MODULES_CACHE", os.path.join(os.path.expanduser(home), "modules"))).absolute()


def module_class(name: str) -> Any:
    """The class of a module, from the file in this package."""
    from metrologue.bridge.loading import class_of

    return class_of(module_path(name))


def bare_names(names: Iterable[str] | None = None) -> list[BareName]:
    """What ``evaluate.load`` takes for each name if it does not reach the Hub; by default for all names we have.

    Parameters
    ----------
    names : iterable of str, optional

    Raises
    ------
    InputError
        If this package has no module of that name.
    """
    return [_loaded(name) for name in _checked(names)]


def installed() -> list[str]:
    """The names under which the cache has a file of ours, also those that this version no longer has."""
    found = set()
    for folder in _root().glob("evaluate-*--*"):
        name = folder.name.partition("--")[2]
        if any(_is_ours(folder / each / f"{name}.py") for each in _hashes(folder)):
            found.add(name)
    return sorted(found)


def install(names: Iterable[str] | None = None, *, replace: bool = False, remove: bool = False) -> list[BareName]:
    """Make ``evaluate.load("rouge")`` load our module, in programs that do not know this package.

    `evaluate` takes what is installed if it does not reach the Hub: without a network, or if ``HF_EVALUATE_OFFLINE=1``
    is set. Where its cache has another module of a name, that one still loads, unless it is replaced. An update of
    this package needs no second call.

    Parameters
    ----------
    names : iterable of str, optional
        By default all modules of this package.
    replace : bool
        Whether ours comes before another module of its name. The other file stays.
    remove : bool
        Take away what was installed. Another module of the name loads again.

    Returns
    -------
    list of BareName
        What is loaded now for each name.

    Raises
    ------
    InputError
        If there is no such module, or the cache cannot be written.

    Examples
    --------
    >>> [rouge] = install(["rouge"])  # evaluate.load("rouge") is now ours, without a network
    >>> rouge.path.name, rouge.is_ours
    ('rouge.py', True)
    >>> install(["rouge"], remove=True)
    [BareName(name='rouge', path=None, is_ours=False)]
    """
    if replace and remove:
        raise InputError("install: `replace` and `remove` are both given; give one of them.")
    ours = installed() if remove else []
    chosen = ours if remove and names is None else _checked(names, ours)
    try:
        for name in chosen:
            if remove:
                _take_away(name)
            else:
                _put(name, replace)
    except OSError as error:
        raise InputError(
            f"install: nothing can be changed in {error.filename or _root()} ({error.strerror or error}); set "
            "HF_MODULES_CACHE to a folder of your own, here and where the modules are loaded."
        ) from error
    return [_loaded(name) for name in chosen]


def _checked(names: Iterable[str] | None, more: Iterable[str] = ()) -> list[str]:
    """The names without repetitions. Raises an InputError for one that neither this package nor `more` has."""
    if names is None:
        return all_names()
    if isinstance(names, str):
        raise InputError(f"install: `names` is the str {shown(names)}; a list of names is expected.")
    chosen = [*dict.fromkeys(names)]
    for name in chosen:
        if name not in more:
            check_name(name, "install")
    return chosen


def _root() -> Path:
    return modules_cache() / "evaluate_modules" / "metrics"


def _folders(name: str) -> Iterator[Path]:
    """Where `evaluate` looks for a name, in its order."""
    return (_root() / f"evaluate-{kind}--{name}" for kind in _TYPES)


def _hashes(folder: Path) -> list[str]:
    """The names of what `evaluate` takes for versions of a module; none if there is no such folder."""
    with suppress(OSError):
        return [each for each in os.listdir(folder) if len(each) == 64]
    return []


def _newest(folder: Path, name: str) -> Path | None:
    """The file that `evaluate` takes from a folder; None if it takes none, as where a file is missing."""
    files = [folder / each / f"{name}.py" for each in _hashes(folder)]
    with suppress(OSError):
        return sorted(files, key=lambda file: file.stat().st_mtime)[-1] if files else None
    return None


def _loaded(name: str) -> BareName:
    path = next((found for folder in _folders(name) if (found := _newest(folder, name))), None)
    return BareName(name, path, path is not None and _is_ours(path))


def _is_ours(path: Path) -> bool:
    """Whether ``install`` of this version or an older one made a file."""
    with suppress(OSError), path.open("rb") as file:
        return file.read(len(_FIRST_LINE)) == _FIRST_LINE.encode()
    return False


def _put(name: str, replace: bool) -> None:
    """Install one name, unless it is there, or another module is and is not to be replaced."""
    before = _loaded(name)
    if before.is_ours or (before.path and not replace):
        return
    folder = _home(name) if before.path is None else before.path.parents[1]
    file = folder / _FOLDER / f"{name}.py"
    # All at once: a program that looks at this moment finds a whole module, or none.
    draft = _root() / f".metrologue-{uuid4().hex}"
    draft.mkdir(parents=True)
    try:
        (draft / "__init__.py").touch()
        (draft / file.name).write_text(_FILE, "utf-8")
        _move(draft, file.parent)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    if before.path:
        newest = max(time.time(), before.path.stat().st_mtime + 1)
        os.utime(file, (newest, newest))


def _home(name: str) -> Path:
    """The folder for a name that the cache does not have: that of its type, unless `evaluate` takes nothing from it."""
    kind = "comparison" if name in list_comparisons() else "measurement" if name in _MEASUREMENTS else "metric"
    own = _root() / f"evaluate-{kind}--{name}"
    return next((each for each in (own, *_folders(name)) if not _hashes(each)), own)


def _move(draft: Path, folder: Path) -> None:
    """Give a folder its place, in folders that can be imported, as `evaluate` makes them."""
    for _ in range(_TRIES):
        with suppress(FileNotFoundError):  # another process has just removed what was above it
            try:
                folder.parent.mkdir(parents=True, exist_ok=True)
            except FileExistsError:  # it was there, and is gone, unless it is a file
                if folder.parent.is_file():
                    raise
                continue
            for each in [*folder.parents][:4]:
                if not (each / "__init__.py").exists():
                    (each / "__init__.py").touch()
            try:
                draft.rename(folder)
            except OSError:  # it is there, because another process was faster
                if not folder.is_dir():
                    raise
            return
    raise FileNotFoundError(None, "it is removed again and again", str(folder))


def _take_away(name: str) -> None:
    """Remove what was installed under a name; what is not ours stays."""
    for folder in _folders(name):
        for each in _hashes(folder):
            if _is_ours(folder / each / f"{name}.py"):
                # At once: where a folder has no file of the name, `evaluate` takes none of the others either.
                gone = _root() / f".metrologue-{uuid4().hex}"
                with suppress(FileNotFoundError):  # another process was faster
                    (folder / each).rename(gone)
                    shutil.rmtree(gone)
        with suppress(FileNotFoundError):
            if {*os.listdir(folder)} <= {"__init__.py", "__pycache__"}:
                shutil.rmtree(folder, ignore_errors=True)
