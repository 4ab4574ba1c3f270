"""Kernels to one shared library.

Several processes compile, one for each processor that this one may use; any number of them makes the same bytes.
The linker is the C compiler ``cc`` or ``clang``. Where there is none, and for other platforms, it is the package
``ziglang``.
"""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path

from metrologue.native.kernel import Kernel
from metrologue.native.key import checksum_of_sources
from metrologue.native.processes import compiled, told
from metrologue.native.targets import Target, c_compiler

# No build id, no symbols of what is inside, no start files: the same kernels give the same bytes.
_OPTIONS = {
    "so": ["-nostartfiles", "-Wl,--build-id=none", "-Wl,-soname,{file}"],
    "dylib": ["-Wl,-install_name,@rpath/{file}"],
    "dll": [],
}


def build_library(kernels: Iterable[Kernel], target: Target, folder: Path) -> Path:
    """Compile kernels for a target and link them.

    Parameters
    ----------
    kernels : iterable of Kernel
    target : Target
    folder : Path
        Gets the library. One that is there already stays, if the same compiler made it from the same sources.

    Returns
    -------
    Path
        Of the library.

    Raises
    ------
    RuntimeError
        If there is no linker, or it fails.
    """
    from metrologue.native.llvm import common_parts

    keys = {kernel.name: kernel.key for kernel in kernels}
    manifest = json.dumps(
        {
            "target": target.name,
            "compilers": {name: version(name) for name in ("numba", "llvmlite")},
            "sources": checksum_of_sources(),
            "kernels": keys,
        },
        separators=(",", ":"),
    ).encode()
    if (there := folder / target.file).exists() and manifest in there.read_bytes():
        return there
    with tempfile.TemporaryDirectory() as temporary:
        files = ["common.o", *(f"{name}.o" for name in keys)]
        Path(temporary, files[0]).write_bytes(common_parts(manifest, target))
        for name, code in told(compiled(keys, target), len(keys), f"kernels for {target.name}"):
            Path(temporary, f"{name}.o").write_bytes(code)
        made = Path(temporary, target.file)
        options = [option.format(file=target.file) for option in _OPTIONS[target.suffix]]
        command = [*_linker(target), "-shared", "-s", *options, "-o", made.name, *files, "-lm"]
        done = subprocess.run(command, cwd=temporary, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"{' '.join(command[:3])} failed: {done.stderr[-2000:]}")
        if target.suffix == "dll":
            made.write_bytes(_without_time(made.read_bytes()))
        folder.mkdir(parents=True, exist_ok=True)
        # Renamed in one step: a process may have the old library in memory.
        beside = folder / f".{target.file}"
        shutil.copyfile(made, beside)
        return beside.replace(folder / target.file)


def _without_time(library: bytes) -> bytes:
    """A Windows library with 0 for the time at which it was linked."""
    place = int.from_bytes(library[0x3C:0x40], "little") + 8  # in the COFF header, which the DOS header points to
    return library[:place] + bytes(4) + library[place + 4 :]


def _linker(target: Target) -> list[str]:
    if compiler := c_compiler(target):
        return [compiler]
    if importlib.util.find_spec("ziglang"):
        return [sys.executable, "-m", "ziglang", "cc", "-target", target.linker]
    raise RuntimeError(f"no linker for {target.name}: install a C compiler or the package ziglang.")
