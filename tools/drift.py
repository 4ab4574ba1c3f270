"""Which variants differ from another version of the library that they mirror?

    python -m tools.drift [LIBRARY[==VERSION] ...]
    python -m tools.drift history [LIBRARY[==VERSION] ...]

A library is one of ``metrologue.comparison.libraries``; by default all that a variant mirrors. uv puts the version, or
the newest, in front of the present environment, where the tests of parity then compare numbers with it. What was found
of the newest version is kept in docs/versions.json, and the site's page docs/versions.md has a table of it.

With "history", all versions of the last years are asked for numbers; see ``tools.history``.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree

from metrologue.comparison.libraries import get_library
from metrologue.scorers import get_scorer, list_scorers
from tools import history

ROOT = Path(__file__).parents[1]
RECORD = ROOT / "docs" / "versions.json"
TESTS = ["-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", "--tb=line", "tests/parity/test_contract.py"]
# What a library says without a number is no drift.
NUMBERS = "({}) and not version and not proved and not golden"


def mirrored() -> dict[str, list[str]]:
    """The libraries that variants mirror by a live call, and for each library its variants, as tests call them."""
    found: dict[str, list[str]] = {}
    for metric in list_scorers():
        for name, variant in get_scorer(metric).variants().items():
            if variant.live:
                found.setdefault(variant.live.rpartition(".")[0], []).append(f"{metric}-{name}")
    return dict(sorted(found.items()))


def compared(requirement: str, variants: Sequence[str]) -> tuple[str, dict[str, str] | None]:
    """The version that uv finds, and for each variant whose tests fail with it the first reason.

    None if no test runs beside what that version installs, such as an old NumPy.
    """
    uv = [sys.executable, "-m", "uv", "run", "--quiet", "--no-project", "--with", requirement, "python"]
    paths = os.pathsep.join([str(ROOT / "src"), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = os.environ | {"VIRTUAL_ENV": sys.prefix, "PYTHONPATH": paths}
    package = requirement.partition("==")[0]
    said = [*uv, "-c", f"from importlib.metadata import version; print(version({package!r}))"]
    version = subprocess.run(said, check=True, capture_output=True, text=True, env=environment).stdout.strip()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.xml")
        chosen = ["-k", NUMBERS.format(" or ".join(variants)), f"--junitxml={report}"]
        subprocess.run([*uv, *TESTS, *chosen], cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
        if not report.exists():
            return version, None
        cases = ElementTree.parse(report).getroot().iter("testcase")
    failures: dict[str, str] = {}
    for case in cases:
        name, failure = case.attrib["name"].partition("[")[2].removesuffix("]"), case.find("failure")
        if failure is not None and name in variants:
            why = re.sub(r" \(/.*?\)", "", failure.attrib["message"])  # without a path of this machine
            failures.setdefault(name, why.partition("\n")[0][:160])
    return version, failures


def main(asked: Sequence[str]) -> None:
    record = json.loads(RECORD.read_text("utf-8"))
    libraries = mirrored()
    for each in asked or libraries:
        library, pinned, version = each.partition("==")
        newest, failures = compared(get_library(library).distributions[0] + pinned + version, libraries[library])
        if failures is None:
            print(f"{library} {newest}: not compared: it does not go with the other libraries", flush=True)
            continue
        print(f"{library} {newest}: {len(failures)} of {len(libraries[library])} variants differ", flush=True)
        print("".join(f"  {variant}: {why}\n" for variant, why in failures.items()), end="", flush=True)
        if not version:
            record[library] = {"newest": newest, "checked": f"{datetime.now(UTC):%Y-%m-%d}", "differs": failures}
            RECORD.write_text(json.dumps(record, indent=1, sort_keys=True) + "\n", "utf-8")


if __name__ == "__main__":
    history.main(sys.argv[2:]) if sys.argv[1:2] == ["history"] else main(sys.argv[1:])
