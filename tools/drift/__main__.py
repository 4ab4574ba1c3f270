"""Which numbers do the newest versions of the other libraries change?

    python -m tools.drift [LIBRARY[==VERSION] ...] [--examples N]

Each library is one of ``metrologue.comparison.libraries``; by default all that a variant mirrors. Its newest version is
installed into an environment of its own, in ``drift`` in the cache folder, which has all else from the present one. The
same calls then run in both. docs/versions.json keeps what was found, and `python -m docs` makes docs/versions.md of it.
With a version, that one is compared, and nothing is kept.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import sysconfig
import tempfile
from datetime import UTC, datetime
from importlib import metadata
from math import isclose
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
RECORD = ROOT / "docs" / "versions.json"
NEAR = 1e-12  # what is farther apart is another number, not another last bit


def mirrored() -> dict[str, str]:
    """The libraries that variants mirror by a live call, each with the package that the index has."""
    from metrologue.comparison.libraries import get_library
    from metrologue.scorers import get_scorer, list_scorers

    calls = (each.live for name in list_scorers() for each in get_scorer(name).variants().values())
    names = {live.rpartition(".")[0] for live in calls if live}
    return {name: get_library(name).distributions[0] for name in sorted(names)}


def newest(package: str, folder: Path) -> Path:
    """The interpreter of an environment that has the newest version of a package, and all else from ours."""
    python = folder / "bin" / "python"
    uv = [sys.executable, "-m", "uv"]
    if not python.is_file():
        subprocess.run([*uv, "venv", "--quiet", "--python", sys.executable, str(folder)], check=True)
        [site] = folder.glob("lib/python*/site-packages")
        (site / "ours.pth").write_text(sysconfig.get_paths()["purelib"] + "\n", "utf-8")
    install = [*uv, "pip", "install", "--quiet", "--python", str(python), "--upgrade", "--no-deps", package]
    subprocess.run(install, check=True)
    return python


def version_in(python: Path, package: str) -> str:
    """The version of a package that an interpreter finds first."""
    code = "import sys; from importlib.metadata import version; print(version(sys.argv[1]))"
    found = subprocess.run([str(python), "-c", code, package], check=True, capture_output=True, text=True)
    return found.stdout.strip()


def numbers(python: Path | str, library: str, examples: int, data: Path) -> dict[str, Any]:
    """What ``measured.py`` prints in an interpreter. Raises a CalledProcessError if the library cannot be imported."""
    hub = ROOT.parent / "shared" / "data" / "hub_modules"
    given = {"METROLOGUE_HUB_MODULES": str(hub)} if hub.is_dir() else {}
    environment = {
        **given,
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests")]),
        "NLTK_DATA": os.pathsep.join(filter(None, [os.environ.get("NLTK_DATA"), str(data)])),
        "METROLOGUE_EXAMPLES": str(examples),
    }
    command = [str(python), "-m", "tools.drift.measured", library, str(examples)]
    found = subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    result: dict[str, Any] = json.loads(found.stdout.splitlines()[-1])
    return result


def changes(old: dict[str, str], new: dict[str, str]) -> dict[str, Any]:
    """How many numbers there are, how many have other bits, how many are others, and one of these."""
    unequal = [key for key in sorted({*old, *new}) if old.get(key) != new.get(key)]
    others = [key for key in unequal if not _near(old.get(key), new.get(key))]
    example = [others[0], _shown(old.get(others[0])), _shown(new.get(others[0]))] if others else None
    return {"numbers": len(old), "other_bits": len(unequal), "changed": len(others), "example": example}


def _near(one: str | None, other: str | None) -> bool:
    if one is None or other is None or "fails" in one + other:
        return False
    return isclose(float.fromhex(one), float.fromhex(other), rel_tol=NEAR, abs_tol=NEAR)


def _shown(value: str | None) -> str:
    return "nothing" if value is None else value if value.startswith("fails") else repr(float.fromhex(value))


def checked(library: str, package: str, version: str, examples: int, folder: Path, data: Path) -> dict[str, Any]:
    """The entry of one library; `version` is "", or "==" and a version."""
    python = newest(package + version, folder / (library + version))
    entry: dict[str, Any] = {
        "package": package,
        "present": metadata.version(package),
        "newest": version_in(python, package),
        "checked": datetime.now(UTC).date().isoformat(),
        "variants": {},
    }
    if entry["newest"] != entry["present"]:
        old, new = (numbers(each, library, examples, data)["variants"] for each in (sys.executable, python))
        entry["variants"] = {name: changes(old[name], new.get(name, {})) for name in old}
    return entry


def told(library: str, entry: dict[str, Any]) -> str:
    """What was found, in lines."""
    if entry["newest"] == entry["present"]:
        return f"{library}: {entry['present']} is the newest"
    lines = [f"{library}: {entry['present']} -> {entry['newest']}"]
    for name, found in entry["variants"].items():
        line = f"  {name}: {found['changed']} of {found['numbers']} numbers changed"
        bits = found["other_bits"] - found["changed"]
        lines += [line + f", {bits} more in the last bits" * bool(bits)]
        if found["example"]:
            lines.append("    {}: {} -> {}".format(*found["example"]))
    return "\n".join(lines)


def main() -> None:
    known = mirrored()
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("libraries", nargs="*", metavar="LIBRARY", help=", ".join(known) + "; by default all")
    parser.add_argument("--examples", type=int, default=40, help="calls of each variant")
    given = parser.parse_args()
    asked = [each.partition("==") for each in given.libraries or known]
    if unknown := {library for library, _, _ in asked} - {*known}:
        parser.error(f"no library {', '.join(sorted(unknown))}")
    from small_perluniprops import make_perluniprops
    from small_punkt import make_punkt

    from metrologue.files.cache import cache_folder

    record = json.loads(RECORD.read_text("utf-8")) if RECORD.is_file() else {}
    with tempfile.TemporaryDirectory() as data:
        make_punkt(Path(data))
        make_perluniprops(Path(data))
        for library, equals, version in asked:
            try:
                entry = checked(
                    library, known[library], equals + version, given.examples, cache_folder() / "drift", Path(data)
                )
            except (subprocess.CalledProcessError, metadata.PackageNotFoundError) as error:
                print(f"{library}: not compared: {error}", flush=True)
                continue
            print(told(library, entry), flush=True)
            if not version:
                record[library] = entry
                RECORD.write_text(json.dumps(dict(sorted(record.items())), indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "tests"))
    main()
