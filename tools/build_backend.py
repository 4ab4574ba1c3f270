"""How the package is built: setuptools, and then the library of kernels and the automaton of the PTB tokenizer.

The package's description is README.md as it reads on the page of an index, which has none of the files beside it.

``METROLOGUE_TARGET`` names another platform than this machine's (see ``src/metrologue/native/targets.py``), or ``any``
for a package without a library.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import (
    build_editable,
    build_sdist,
    build_wheel,
    get_requires_for_build_sdist,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py
from setuptools.command.egg_info import egg_info

__all__ = [
    "BuildWithKernels",
    "DescribedForAnIndex",
    "WheelOfPlatform",
    "build_editable",
    "build_sdist",
    "build_wheel",
    "for_an_index",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

_ROOT = Path(__file__).parents[1]
_SOURCES = _ROOT / "src"
_NATIVE = Path("metrologue", "native")
_PTB = Path("metrologue", "text", "tokenizers", "ptb")


def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    """What makes the kernels and tables: a compiler, and a linker where this machine has none."""
    return [*build_meta.get_requires_for_build_wheel(config_settings), *_tools()]


def get_requires_for_build_editable(config_settings: Any = None) -> list[str]:
    """As for a wheel."""
    return [*build_meta.get_requires_for_build_editable(config_settings), *_tools()]


def _tools() -> list[str]:
    project = tomllib.loads((_ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    arrays = [line for line in project["dependencies"] if line.startswith(("numpy", "pyarrow"))]
    if (target := _target()) is None:
        return arrays
    linker = [] if _targets().c_compiler(target) else ["ziglang>=0.15"]
    return [*arrays, *project["optional-dependencies"]["kernels"], *linker]


def _targets() -> Any:
    """The list of platforms, which needs no other package."""
    sys.path.insert(0, str(_SOURCES / _NATIVE))
    try:
        import targets
    finally:
        del sys.path[0]
    return targets


def _target() -> Any:
    """The platform to build for; None for a package without a library."""
    targets = _targets()
    chosen = os.environ.get("METROLOGUE_TARGET")
    if chosen is None:
        return targets.this_machine()
    return None if chosen == "any" else targets.TARGETS[chosen]


class BuildWithKernels(build_py):
    """Copies the modules and makes the rest beside them; in the checkout itself for an editable install."""

    def run(self) -> None:
        super().run()
        folder = _SOURCES if self.editable_mode else Path(self.build_lib).absolute()
        self._make("metrologue.text.tokenizers.ptb.build", folder / _PTB)
        target = _target()
        for other in (folder / _NATIVE).glob("metrologue.kernels.*"):  # of a build for another platform
            if target is None or other.name != target.file:
                other.unlink()
        if target:
            # The checkout's own library serves, if nothing has changed since it was built.
            if not self.editable_mode and (own := _SOURCES / _NATIVE / target.file).exists():
                shutil.copyfile(own, folder / _NATIVE / target.file)
            self._make("metrologue.kernels.build", "--target", target.name, "--out", folder / _NATIVE)

    def _make(self, module: str, *arguments: str | Path) -> None:
        # Not by PYTHONPATH: pip takes a folder out of it where an editable install names the same one.
        path = f"sys.path.insert(0, {str(_SOURCES)!r})"
        code = f"import runpy, sys; {path}; runpy.run_module({module!r}, None, '__main__')"
        subprocess.run([sys.executable, "-c", code, *map(str, arguments)], check=True)


class WheelOfPlatform(bdist_wheel):
    """A wheel for all versions of Python on one platform."""

    def finalize_options(self) -> None:
        # As if there were an extension module: a wheel for one platform is laid out in another way.
        self.distribution.has_ext_modules = lambda: _target() is not None
        super().finalize_options()

    def get_tag(self) -> tuple[str, str, str]:
        target = _target()
        return ("py3", "none", target.tag if target else "any")


class DescribedForAnIndex(egg_info):
    """Metadata with the README as it reads without the files beside it."""

    def finalize_options(self) -> None:
        super().finalize_options()
        metadata = self.distribution.metadata
        metadata.long_description = for_an_index((_ROOT / "README.md").read_text("utf-8"), metadata.name)


def for_an_index(readme: str, name: str) -> str:
    """A README for a page where relative links lead nowhere: a picture becomes what it says, a link names its file.

    There the package is installed by its name, not from a clone.

    Examples
    --------
    >>> print(for_an_index("[Install](docs/i.md), [notes.md](notes.md), ![a plot](p.svg). pip install .", "own"))
    Install (`docs/i.md`), `notes.md`, *a plot*. pip install own
    >>> for_an_index("pip install .   # in a clone\\n", "own")
    'pip install own\\n'
    """
    text = re.sub(r"^<!-- .* -->\n", "", readme, flags=re.MULTILINE)
    text = re.sub(r"!\[([^\]]*)\]\((?!\w+:)[^)]+\)", r"*\1*", text)
    text = re.sub(r"(?<!!)\[([^\]]*)\]\((?!\w+:)([^)]+)\)", _named, text)
    return re.sub(r"pip install \.( +#.*)?$", f"pip install {name}", text, flags=re.MULTILINE)


def _named(link: re.Match[str]) -> str:
    said, path = link.groups()
    return f"`{path}`" if said == path else f"{said} (`{path}`)"
