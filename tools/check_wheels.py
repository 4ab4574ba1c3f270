"""Check the libraries in the wheels of a folder: ``python tools/check_wheels.py dist``.

Each must be for the platform of its wheel, export every kernel, and need nothing but the platform's own libraries. This
needs no machine of that platform; nothing is run.
"""

from __future__ import annotations

import json
import re
import sys
import zipfile
from pathlib import Path

import lief

from metrologue.kernels.build import all_kernels
from metrologue.native.declared import symbol_of
from metrologue.native.targets import TARGETS, Target

_MACHINES = {
    "linux-x86_64": "X86_64",
    "linux-aarch64": "AARCH64",
    "macos-x86_64": "X86_64",
    "macos-arm64": "ARM64",
    "windows-x86_64": "AMD64",
}
# Only libraries that every system of the platform has.
_LIBRARIES = {
    "so": r"lib[cm]\.so\.6",
    "dylib": r"/usr/lib/libSystem\.B\.dylib",
    "dll": r"(?i:kernel32|ntdll|api-ms-win-crt-[a-z]+-l1-1-0)\.dll",
}
_OLDEST_GLIBC = (2, 17)


def check(target: Target, content: bytes) -> str:
    """A line about a library. It ends the program if something is wrong."""
    found = lief.parse(content)
    if isinstance(found, lief.MachO.FatBinary):
        found = found.at(0)
    header = found.header
    machine = str(
        next(getattr(header, name) for name in ("machine_type", "machine", "cpu_type") if hasattr(header, name))
    )
    _expect(machine.endswith(f".{_MACHINES[target.name]}"), f"{target.name}: it is for {machine}")
    prefix = "_" if target.suffix == "dylib" else ""
    exported = {str(getattr(function, "name", function)).removeprefix(prefix) for function in found.exported_functions}
    missing = {symbol_of(kernel.name) for kernel in all_kernels()} - exported
    _expect(not missing, f"{target.name}: it lacks {sorted(missing)}")
    libraries = [str(getattr(library, "name", library)) for library in found.libraries]
    libraries = [name for name in libraries if name != f"@rpath/{target.file}"]  # its own name
    foreign = [name for name in libraries if not re.fullmatch(_LIBRARIES[target.suffix], name)]
    _expect(not foreign, f"{target.name}: it needs {foreign}")
    for version in re.findall(rb"GLIBC_(\d+)\.(\d+)", content):
        _expect(tuple(map(int, version)) <= _OLDEST_GLIBC, f"{target.name}: it needs glibc {version}")
    manifest = re.search(rb'\{"target":.*?\}\}', content)
    _expect(manifest is not None, f"{target.name}: it has no manifest")
    assert manifest
    keys = json.loads(manifest[0])["kernels"]
    _expect(keys == {kernel.name: kernel.key for kernel in all_kernels()}, f"{target.name}: its kernels are old")
    return f"{target.name}: {len(keys)} kernels, {len(content)} bytes, needs {', '.join(libraries) or 'nothing'}"


def _expect(holds: bool, otherwise: str) -> None:
    if not holds:
        raise SystemExit(otherwise)


def _main() -> None:
    wheels = {path.stem.rpartition("-none-")[2]: path for path in Path(sys.argv[1]).glob("*.whl")}
    for target in TARGETS.values():
        _expect(target.tag in wheels, f"{target.name}: there is no wheel")
        with zipfile.ZipFile(wheels[target.tag]) as archive:
            names = [name for name in archive.namelist() if "native/metrologue.kernels." in name]
            _expect(names == [f"metrologue/native/{target.file}"], f"{target.name}: its wheel has {names}")
            print(check(target, archive.read(names[0])))
    with zipfile.ZipFile(wheels["any"]) as archive:
        _expect(not [name for name in archive.namelist() if re.search(r"\.(so|dylib|dll)$", name)], "any: a library")


if __name__ == "__main__":
    _main()
