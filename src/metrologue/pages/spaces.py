"""Publishing: the folder of a metric made to stand alone, as a Hugging Face Space takes it, and pushed there."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from metrologue.errors import InputError, instead_of
from metrologue.modules import list_comparisons, list_metrics, list_statistics, module_path
from metrologue.origin import checkout
from metrologue.version import __version__

if TYPE_CHECKING:
    from huggingface_hub import HfApi

_PACKAGE = Path(__file__).parents[1]
# The Space that compares variants of any metric; its folder is `comparison/space`.
ALL_METRICS = "comparison"

# The last one names packages of Debian, and few Spaces need any.
_OURS = "from metrologue.pages"
_FILES = ("README.md", "app.py", "requirements.txt", "packages.txt")


def list_spaces() -> list[str]:
    """Names of the folders that can be published: all metrics and paired tests, and the page for all metrics.

    Examples
    --------
    >>> {"bleu", "comparison"} <= {*list_spaces()}
    True
    """
    modules = *list_metrics(), *list_comparisons(), *list_statistics()
    return sorted([*modules, ALL_METRICS])


def publish(name: str, space: str, api: HfApi) -> str:
    """Push the folder `name` of ``list_spaces()`` to a Space, USER/SPACE, and get its address. It is made if need be.

    Raises an InputError if a name is none, or metrologue does not run from a checkout.

    The `api` has the rights to write there.
    """
    with TemporaryDirectory() as folder:
        write_space(name, space, Path(folder), api.endpoint)
        address = api.create_repo(space, repo_type="space", space_sdk="gradio", exist_ok=True)
        api.upload_folder(
            repo_id=space,
            repo_type="space",
            folder_path=folder,
            delete_patterns="*.whl",  # those of earlier versions
            commit_message=f"{name}, metrologue {__version__}",
        )
    return str(address)


def write_folder(name: str, folder: Path) -> list[Path]:
    """Write a Space into a folder of this machine, without network: ``python app.py`` in it starts the page.

    A wheel of this checkout is in it, and the requirements name it by its place beside them. Raises an InputError if
    the name is none, the folder holds something else, or metrologue does not run from a checkout.

    The folder is made if there is none. One that is not empty must have been written by this function. The result is
    the files.
    """
    source = _source(name)
    app = folder / "app.py"
    if folder.exists() and any(folder.iterdir()) and not (app.is_file() and _OURS in app.read_text("utf-8")):
        raise InputError(f"publish: {folder} is not empty, and holds no page of metrologue; give another folder.")
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as made:
        wheel = build_wheel(Path(made), online=False)
        for old in folder.glob("metrologue-*.whl"):
            old.unlink()
        shutil.copyfile(wheel, folder / wheel.name)
    _copy(source, name, folder, folder.resolve().name)
    _require(source, folder, lambda line: f"./{wheel.name}{line.removeprefix('metrologue')}")
    return sorted(path for path in folder.iterdir() if path.is_file())


def write_space(name: str, space: str, folder: Path, endpoint: str) -> None:
    """Write the files of a Space, with a wheel that is built from this checkout.

    The builder of a Space installs the requirements before any other file is there. So they name the wheel by the
    address that it has once the files are pushed. Its checksum stands there too: a builder keeps what it installed for
    requirements that it has seen before. Raises an InputError if a name is none, or metrologue does not run from a
    checkout.

    The folder exists, and `endpoint` is the address of the Hub; `name` and `space` are as for ``publish``.
    """
    module = _module_name(space)
    source = _source(name)
    wheel = build_wheel(folder)
    _copy(source, name, folder, module)
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    address = f"{endpoint}/spaces/{space}/resolve/main/{wheel.name}#sha256={digest}"
    _require(source, folder, lambda line: f"{line} @ {address}")


def _copy(source: Path, name: str, folder: Path, module: str) -> None:
    """Copy the files of a page. `module` is the name of the folder or Space, which ``evaluate.load`` looks for."""
    for file in _FILES:
        if (source / file).exists():
            shutil.copyfile(source / file, folder / file)
    if name != ALL_METRICS:
        shutil.copyfile(source / f"{name}.py", folder / f"{module}.py")


def _require(source: Path, folder: Path, ours: Callable[[str], str]) -> None:
    """Write the requirements, with another line for metrologue."""
    lines = (source / "requirements.txt").read_text("utf-8").splitlines()
    required = [ours(line) if re.match(r"metrologue\b", line) else line for line in lines if line[:1] != "#"]
    (folder / "requirements.txt").write_text("\n".join([*required, ""]), "utf-8")


def build_wheel(folder: Path, online: bool = True) -> Path:
    """Build the wheel of this checkout; its path.

    It is put into `folder`; nothing is written into the checkout. If not `online`, what builds the wheel is taken from
    this environment. Raises an InputError if metrologue does not run from a checkout, and a RuntimeError with pip's
    last line if pip does not build it.
    """
    root = checkout()
    if not root:
        raise InputError(f"publish: the wheel is built from a checkout, and {_PACKAGE} is none; run it in a checkout.")
    with TemporaryDirectory() as copy:
        for file in ("LICENSE", "README.md", "pyproject.toml"):
            shutil.copyfile(root / file, Path(copy, file))
        for name in ("tools", "src"):
            shutil.copytree(root / name, Path(copy, name), ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
        command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), copy]
        command += [] if online else ["--no-index", "--no-build-isolation"]
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        said = done.stderr.strip().splitlines() or ["it does not say why"]
        raise RuntimeError(f"pip could not build the wheel: {said[-1]}")
    [wheel] = folder.glob("metrologue-*.whl")
    return wheel


def _module_name(space: str) -> str:
    """The second part of ``USER/SPACE``."""
    from huggingface_hub.errors import HFValidationError
    from huggingface_hub.utils._validators import validate_repo_id

    user, _, module = space.partition("/")
    try:
        validate_repo_id(space)
    except HFValidationError:
        module = ""
    if not (user and module):
        raise InputError(f"publish: the Space is called {space!r}; USER/SPACE is expected, as the Hub takes names.")
    return module


def _source(name: str) -> Path:
    """The folder of this name in the package."""
    if name == ALL_METRICS:
        return _PACKAGE / ALL_METRICS / "space"
    if name not in list_spaces():
        raise InputError(f"publish: no metric is called {name!r}; {instead_of(name, list_spaces())}")
    return Path(module_path(name))
