"""Which numbers do other versions of the other libraries change?

    python -m tools.drift [LIBRARY[==VERSION] ...] [--older] [--examples N]

Each library is one of ``metrologue.comparison.libraries``; by default all that a variant mirrors, in their newest
versions. With a version, that one is compared; with `--older`, all of ``OLDER``. A version is installed into an
environment of its own, in ``drift`` in the cache folder, which has all else from the present one. The same calls then
run in both. docs/versions.json keeps what was found, and `python -m docs` makes docs/versions.md of it.
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
# Versions that many papers and programs use, or used.
OLDER = {
    "evaluate": ["0.4.1"],
    "jiwer": ["2.6.0", "3.0.5"],
    "nltk": ["3.8.1", "3.9.1"],
    "rapidfuzz": ["2.15.2", "3.9.7"],
    "rouge_score": ["0.0.4", "0.1.1"],
    "sacrebleu": ["2.0.0", "2.4.0", "2.5.1"],
    "torchmetrics": ["1.0.3", "1.4.0"],
}


def mirrored() -> dict[str, str]:
    """The libraries that variants mirror by a live call, each with the package that the index has."""
    from metrologue.comparison.libraries import get_library
    from metrologue.scorers import get_scorer, list_scorers

    calls = (each.live for name in list_scorers() for each in get_scorer(name).variants().values())
    names = {live.rpartition(".")[0] for live in calls if live}
    return {name: get_library(name).distributions[0] for name in sorted(names)}


def installed(package: str, folder: Path) -> Path:
    """The interpreter of an environment that has a package, with a version or the newest, and all else from ours."""
    python = folder / "bin" / "python"
    uv = [sys.executable, "-m", "uv"]
    if not python.is_file():
        subprocess.run([*uv, "venv", "--quiet", "--python", sys.executable, str(folder)], check=True)
        [site] = folder.glob("lib/python*/site-packages")
        (site / "ours.pth").write_text(sysconfig.get_paths()["purelib"] + "\n", "utf-8")
    install = [*uv, "pip", "install", "--quiet", "--python", str(python), "--upgrade", "--no-deps", package]
    subprocess.run(install, check=True, capture_output=True, text=True)
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
        "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT / "tests")]),
        "NLTK_DATA": os.pathsep.join(filter(None, [os.environ.get("NLTK_DATA"), str(data)])),
        "METROLOGUE_EXAMPLES": str(examples),
    }
    command = [str(python), "-m", "tools.drift.measured", library, str(examples)]
    found = subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True)
    result: dict[str, Any] = json.loads(found.stdout.splitlines()[-1])
    return result["variants"]


def changes(present: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """What is different in another version, in numbers and in one example.

    Returns
    -------
    dict
        With the variant's own options (`default`) and with others (`options`): how many `numbers` both give,
        how many have other bits (`bits`), how many of these are other numbers (`changed`), and how many only one
        gives (`lost`, `gained`). `why` is the error of the first call that fails in the other version only.
    """
    found: dict[str, Any] = {
        kind: dict.fromkeys(("numbers", "bits", "changed", "lost", "gained"), 0) for kind in ("default", "options")
    }
    found |= {"example": None, "why": None}
    there = {json.dumps([call["texts"], call["options"]]): call for call in other["calls"]}
    for call in present["calls"]:
        counts = found["options" if call["options"] else "default"]
        its_call = there.get(json.dumps([call["texts"], call["options"]]), other)
        for one, two in zip(call["rows"], its_call.get("rows") or [None] * len(call["rows"]), strict=True):
            own, its = one or {}, two or {}
            lost = len(own.keys() - its.keys())
            counts["lost"] += lost
            counts["gained"] += len(its.keys() - own.keys())
            found["why"] = found["why"] or (its_call.get("why") if lost else None)
            for name in sorted(own.keys() & its.keys()):
                far = _far(own[name], its[name])
                counts["numbers"] += 1
                counts["bits"] += own[name] != its[name]
                counts["changed"] += far
                if far and not found["example"]:
                    numbers = [float.fromhex(each[name]) for each in (own, its)]
                    found["example"] = {"name": name, "options": call["options"], "numbers": numbers}
    return found


def _far(one: str, other: str) -> bool:
    return not isclose(float.fromhex(one), float.fromhex(other), rel_tol=NEAR, abs_tol=NEAR)


def checked(library: str, package: str, version: str, examples: int, folder: Path, data: Path) -> dict[str, Any]:
    """What was found of one version; `version` is "", for the newest, or "==" and a version."""
    entry: dict[str, Any] = {
        "package": package,
        "present": metadata.version(package),
        "checked": datetime.now(UTC).date().isoformat(),
        "variants": {},
    }
    try:
        python = installed(package + version, folder / (library + version))
        entry["other"] = version_in(python, package)
        if entry["other"] != entry["present"]:
            old, new = (numbers(each, library, examples, data) for each in (sys.executable, python))
            entry["variants"] = {name: changes(each, new[name]) for name, each in old.items() if name in new}
    except subprocess.CalledProcessError as error:
        lines = [line.strip() for line in (error.stderr or "").splitlines() if line.strip()]
        entry |= {"other": version.removeprefix("=="), "reason": lines[-1][:200] if lines else str(error)}
    return entry


def told(library: str, entry: dict[str, Any]) -> str:
    """What was found, in lines."""
    if "reason" in entry:
        return f"{library} {entry['other']}: not compared: {entry['reason']}"
    if entry["other"] == entry["present"]:
        return f"{library}: {entry['present']} is the newest"
    lines = [f"{library}: {entry['present']} -> {entry['other']}"]
    for name, found in entry["variants"].items():
        both = [found["default"], found["options"]]
        numbers, bits, changed, lost, gained = (
            sum(each[key] for each in both) for key in ("numbers", "bits", "changed", "lost", "gained")
        )
        line = f"  {name}: {changed} of {numbers} numbers changed"
        line += f", {bits - changed} more in the last bits" * (bits > changed)
        line += f", {lost} are not there" * bool(lost) + f", {gained} are new" * bool(gained)
        lines.append(line)
        if example := found["example"]:
            options = "".join(f", {key}={value!r}" for key, value in example["options"].items())
            lines.append("    {}{}: {!r} -> {!r}".format(example["name"], options, *example["numbers"]))
        if found["why"]:
            lines.append(f"    {found['why']}")
    return "\n".join(lines)


def main() -> None:
    known = mirrored()
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("libraries", nargs="*", metavar="LIBRARY", help=", ".join(known) + "; by default all")
    parser.add_argument("--older", action="store_true", help="the versions that are listed in this file")
    parser.add_argument("--examples", type=int, default=40, help="calls of each variant")
    given = parser.parse_args()
    named = given.libraries or ([] if given.older else known)
    asked = [each.partition("==")[::2] for each in named]
    if given.older:
        asked += [(library, version) for library, versions in OLDER.items() for version in versions]
    if unknown := {library for library, _ in asked} - {*known}:
        parser.error(f"no library {', '.join(sorted(unknown))}")
    from small_perluniprops import make_perluniprops
    from small_punkt import make_pickled_punkt, make_punkt

    from metrologue.cache import cache_folder

    record = json.loads(RECORD.read_text("utf-8")) if RECORD.is_file() else {}
    with tempfile.TemporaryDirectory() as data:
        make_punkt(Path(data))
        make_pickled_punkt(Path(data))
        make_perluniprops(Path(data))
        for library, version in asked:
            pinned, folder = f"=={version}" if version else "", cache_folder() / "drift"
            try:
                entry = checked(library, known[library], pinned, given.examples, folder, Path(data))
            except metadata.PackageNotFoundError as error:
                print(f"{library}: not compared: {error}", flush=True)
                continue
            print(told(library, entry), flush=True)
            kept = record.setdefault(library, {"newest": None, "older": {}})
            if version:
                kept["older"][version] = entry
            else:
                kept["newest"] = entry
            RECORD.write_text(json.dumps(dict(sorted(record.items())), indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "tests"))
    main()
