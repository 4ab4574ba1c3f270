"""How the package is built: setuptools, and one step more, which compiles the kernels to a shared library.

``METROLOGUE_TARGET`` names another platform than this machine's (see ``metrologue/native/targets.py``), or ``any`` for
a package without a library.
"""

from __future__ import annotations

import os
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

__all__ = [
    "BuildWithKernels",
    "WheelOfPlatform",
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

_ROOT = Path(__file__).parents[1]
_NATIVE = Path("metrologue", "native")


def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    """The compiler of the kernels, and a linker where this machine has none."""
    return [*build_meta.get_requires_for_build_wheel(config_settings), *_compiler()]


def get_requires_for_build_editable(config_settings: Any = None) -> list[str]:
    """As for a wheel."""
    return [*build_meta.get_requires_for_build_editable(config_settings), *_compiler()]


def _compiler() -> list[str]:
    if (target := _target()) is None:
        return []
    project = tomllib.loads((_ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    linker = [] if _targets().c_compiler(target) else ["ziglang>=0.15"]
    return [*project["optional-dependencies"]["kernels"], *linker, "numpy"]


def _targets() -> Any:
    """The list of platforms, which needs no other package."""
    sys.path.insert(0, str(_ROOT / _NATIVE))
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
    """Copies the modules, and builds the library beside them; in the checkout itself for an editable install."""

    def run(self) -> None:
        super().run()
        folder = _ROOT / _NATIVE if self.editable_mode else Path(self.build_lib).absolute() / _NATIVE
        if not self.editable_mode:
            for other in folder.glob("kernels.*"):
                if other.suffix != ".py":
                    other.unlink()
        if target := _target():
            command = [sys.executable, "-m", "metrologue.native.build", "--target", target.name, "--out", str(folder)]
            subprocess.run(command, cwd=_ROOT, check=True)


class WheelOfPlatform(bdist_wheel):
    """A wheel for all versions of Python on one platform."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.root_is_pure = _target() is None

    def get_tag(self) -> tuple[str, str, str]:
        target = _target()
        return ("py3", "none", target.tag if target else "any")
