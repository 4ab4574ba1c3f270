"""Publishing: the folder of a metric made to stand alone, as a Hugging Face Space takes it, and pushed there."""

from __future__ import annotations

import base64
import hashlib
import os
import re
import shutil
from collections.abc import Callable
from importlib.metadata import distributions
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from metrologue.errors import InputError, instead_of
from metrologue.modules import all_names, module_path
from metrologue.native.library import path_of_library
from metrologue.version import __version__

if TYPE_CHECKING:
    from huggingface_hub import HfApi

_PACKAGE = Path(__file__).parents[1]
# The Space that compares variants of any metric; its folder is `comparison/space`.
ALL_METRICS = "comparison"

_OURS = "from metrologue.pages"
# What an installer writes beside what a wheel has.
_OF_INSTALLER = ("RECORD", "INSTALLER", "REQUESTED", "direct_url.json", "uv_cache.json")
# The last one names packages of Debian, and few Spaces need any.
_FILES = ("README.md", "app.py", "requirements.txt", "packages.txt")


def list_spaces() -> list[str]:
    """Names of the folders that can be published: all metrics and paired tests, and the page for all metrics.

    Examples
    --------
    >>> {"bleu", "comparison"} <= {*list_spaces()}
    True
    """
    return sorted([*all_names(), ALL_METRICS])


def publish(name: str, space: str, api: HfApi) -> str:
    """Push the folder `name` of ``list_spaces()`` to a Space, USER/SPACE, and get its address. It is made if need be.

    Raises an InputError if a name is none, and as ``pack_wheel`` does.

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

    A wheel of this package is in it, and the requirements name it by its place beside them. Raises an InputError if
    the name is none or the folder holds something else, and as ``pack_wheel`` does.

    The folder is made if there is none. One that is not empty must have been written by this function. The result is
    the files.
    """
    source = _source(name)
    app = folder / "app.py"
    if folder.exists() and any(folder.iterdir()) and not (app.is_file() and _OURS in app.read_text("utf-8")):
        raise InputError(f"publish: {folder} is not empty, and holds no page of metrologue; give another folder.")
    with TemporaryDirectory() as made:
        wheel = pack_wheel(Path(made))
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob("metrologue-*.whl"):
            old.unlink()
        shutil.copyfile(wheel, folder / wheel.name)
    _copy(source, name, folder, folder.resolve().name)
    _require(source, folder, lambda line: f"./{wheel.name}{line.removeprefix('metrologue')}")
    return sorted(path for path in folder.iterdir() if path.is_file())


def write_space(name: str, space: str, folder: Path, endpoint: str) -> None:
    """Write the files of a Space, with a wheel of this package.

    The builder of a Space installs the requirements before any other file is there. So they name the wheel by the
    address that it has once the files are pushed. Its checksum stands there too: a builder keeps what it installed for
    requirements that it has seen before. Raises an InputError if a name is none, and as ``pack_wheel`` does.

    The folder exists, and `endpoint` is the address of the Hub; `name` and `space` are as for ``publish``.
    """
    module = _module_name(space)
    source = _source(name)
    wheel = pack_wheel(folder)
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


def pack_wheel(folder: Path) -> Path:
    """Pack the package as it runs here into a wheel, with what it was installed with; its path.

    It is put into `folder`. Raises an InputError if metrologue is not installed, or if its kernels are not built.
    """
    # An egg-info, which may stand beside a checkout's sources, says nothing of a wheel.
    installed = next((each for each in distributions(name="metrologue") if each.read_text("WHEEL")), None)
    if installed is None:
        raise InputError("publish: metrologue is not installed; `pip install .` in its folder does it.")
    if not Path(path_of_library()).is_file():
        raise InputError("publish: the kernels are not built; `python -m metrologue.kernels.build` builds them.")
    facts = [each for each in installed.files or () if each.parts[0].endswith(".dist-info")]
    files = {each.as_posix(): each.read_binary() for each in facts if each.name not in _OF_INSTALLER}
    tags = re.findall(r"^Tag: (\S+)$", installed.read_text("WHEEL") or "", re.MULTILINE)
    for base, folders, names in os.walk(_PACKAGE, followlinks=True):  # metrics and comparison may be links
        folders[:] = sorted(set(folders) - {"__pycache__"})
        place = Path("metrologue", Path(base).relative_to(_PACKAGE))
        files |= {(place / name).as_posix(): Path(base, name).read_bytes() for name in sorted(names)}
    rows = [f"{name},sha256={_digest(content)},{len(content)}" for name, content in files.items()]
    record = f"{facts[0].parts[0]}/RECORD"
    files[record] = "\n".join([*rows, f"{record},,", ""]).encode()
    platforms = ".".join(tag.rpartition("-")[2] for tag in tags)
    wheel = folder / f"metrologue-{__version__}-{tags[0].rpartition('-')[0]}-{platforms}.whl"
    with ZipFile(wheel, "w", ZIP_DEFLATED) as packed:
        for name, content in files.items():
            packed.writestr(ZipInfo(name), content, ZIP_DEFLATED)
    return wheel


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


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
