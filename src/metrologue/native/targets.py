"""The platforms that the library of kernels is built for."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from typing import NamedTuple

# The functions of C's math library that kernels call.
C_MATH = ("exp", "log", "log10", "pow")


class Target(NamedTuple):
    """A platform, as the compiler, the linker and Python's installers name it."""

    name: str
    triple: str
    cpu: str
    """The oldest processor that the library runs on."""
    linker: str
    """The name of the platform for ziglang."""
    tag: str
    """The platform tag of a wheel."""
    suffix: str
    c_version: str = ""
    """What follows the name of a function of `C_MATH`. On Linux, its oldest version, so that the library runs with the
    glibc of the wheel's tag."""

    @property
    def file(self) -> str:
        """The name of the library's file."""
        # With a dot in its stem, because tools that list modules take kernels.so for one.
        return f"metrologue.kernels.{self.suffix}"


TARGETS = {
    target.name: target
    for target in (
        Target(
            "linux-x86_64", "x86_64-unknown-linux-gnu", "x86-64-v2", "x86_64-linux-gnu.2.17",
            "manylinux_2_17_x86_64.manylinux2014_x86_64", "so", "@GLIBC_2.2.5",
        ),
        Target(
            "linux-aarch64", "aarch64-unknown-linux-gnu", "generic", "aarch64-linux-gnu.2.17",
            "manylinux_2_17_aarch64.manylinux2014_aarch64", "so", "@GLIBC_2.17",
        ),
        Target(
            "macos-x86_64", "x86_64-apple-macosx11.0", "x86-64-v2", "x86_64-macos.11.0", "macosx_11_0_x86_64", "dylib"
        ),
        Target("macos-arm64", "arm64-apple-macosx11.0", "apple-m1", "aarch64-macos.11.0", "macosx_11_0_arm64", "dylib"),
        Target("windows-x86_64", "x86_64-pc-windows-gnu", "x86-64-v2", "x86_64-windows-gnu", "win_amd64", "dll"),
    )
}  # fmt: skip

_SYSTEMS = {"linux": "linux", "darwin": "macos", "win32": "windows"}
_MACHINES = {"amd64": "x86_64", "x86_64": "x86_64", "aarch64": "aarch64", "arm64": "arm64"}


def this_machine() -> Target | None:
    """The target that this machine runs; None if the library is not built for its kind, such as musl or RISC-V."""
    if sys.maxsize < 2**32 or (sys.platform == "linux" and not _has_glibc()):
        return None
    machine = platform.machine().lower()
    return TARGETS.get(f"{_SYSTEMS.get(sys.platform)}-{_MACHINES.get(machine, machine)}")


def c_compiler(target: Target) -> str | None:
    """The C compiler of this machine, if there is one that links for the target."""
    if target != this_machine() or target.suffix == "dll":
        return None
    return shutil.which("cc") or shutil.which("clang")


def _has_glibc() -> bool:
    try:
        return bool(os.confstr("CS_GNU_LIBC_VERSION"))
    except ValueError:  # the C library does not know the question
        return False
