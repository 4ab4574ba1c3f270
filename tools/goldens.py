"""Records the goldens of a metric again: ``python tools/goldens.py METRIC``, or ``make goldens METRIC=...``.

Numbers from a definition are computed by ``tests/parity/goldens.py``. Those of a program are recorded by a script in
the folder of the metric's tests, whose docstring has the commands. They are run here, and so is the script of the Hub's
modules in ``tests/bridge``. A word in capitals in a command is the place of a program, which is given as
``PATH=/where/it/is``; FOLDER is an empty folder unless it is given, and METRIC is the metric.
"""

from __future__ import annotations

import argparse
import ast
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]


class Missing(ValueError):
    """A program that a command needs, and whose place is not given."""


def defined(root: Path, metric: str) -> list[Path]:
    """Record what follows from a definition in plain Python, for this metric alone."""
    goldens = root / "tests" / "parity" / "goldens"
    with tempfile.TemporaryDirectory() as folder:
        # A metric that is defined in plain Python is named: it may be new.
        plain = [metric] * (root / "tests" / "metrics" / metric / "plain.py").exists()
        subprocess.run([sys.executable, "tests/parity/goldens.py", folder, *plain], cwd=root, check=True)
        made = [path for path in sorted(Path(folder).iterdir()) if path.name.startswith(f"{metric}-")]
        return [Path(shutil.copyfile(path, goldens / path.name)) for path in made]


def recipes(folder: Path) -> dict[Path, list[str]]:
    """The scripts of a folder that record a program, each with its commands."""
    found = {}
    for script in sorted(folder.glob("*.py")):
        text = ast.get_docstring(ast.parse(script.read_text("utf-8"))) or ""
        commands = re.findall(r"^ *((?:python tests/|PYTHONPATH=|pip |git ).*)$", text, re.MULTILINE)
        if any("python tests/" in command for command in commands):
            found[script] = commands
    return found


def room_of(metric: str) -> str:
    """The folder of a metric's tests."""
    from metrologue.scorers import get_scorer

    folders = (part for each in get_scorer(metric).__mro__ for part in each.__module__.split(".")[2:])
    return next(name for name in folders if (ROOT / "tests" / "metrics" / name).is_dir())


def run(command: str, places: dict[str, str], root: Path) -> Path | None:
    """Run a command in a shell; the file that it wrote, if it names one. If it fails, the file stays as it was."""
    wanted = re.findall(r"(?<![\w./-])[A-Z]{4,}(?=[/ ]|$)", re.sub(r"\w+=", "", command))
    if missing := [name for name in wanted if name not in places]:
        raise Missing(f"`{command}` needs {missing[0]}; give {missing[0]}=PLACE")
    for name, place in places.items():
        command = re.sub(rf"(?<![\w./-]){name}(?=[/ ]|$)", lambda _, place=place: place, command)
    command, _, file = command.partition(" > ")
    command = re.sub(r"(^| )python ", lambda found: f"{found[1]}{sys.executable} ", command)
    command = re.sub(r"^pip ", f"{sys.executable} -m pip ", command)
    done = subprocess.run(command, shell=True, cwd=root, check=True, stdout=subprocess.PIPE if file else None)
    if not file:
        return None
    (root / file).write_bytes(done.stdout)
    return root / file


def main() -> int:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description="Record the goldens of a metric again.")
    parser.add_argument("metric", metavar="METRIC")
    parser.add_argument("places", metavar="NAME=PLACE", nargs="*", help="where a program is")
    arguments = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    given = {"METRIC": arguments.metric, **dict(place.split("=", 1) for place in arguments.places)}
    scripts, of_hub = {}, ROOT / "tests" / "bridge"
    if (of_hub / "golden" / f"{arguments.metric}.json").exists():
        scripts |= recipes(of_hub)
    if arguments.metric != "sacrebleu":  # a module of the metric bleu
        scripts |= recipes(ROOT / "tests" / "metrics" / room_of(arguments.metric))
        for path in defined(ROOT, arguments.metric):
            print(path.relative_to(ROOT))
    left = 0
    for script, commands in scripts.items():
        with tempfile.TemporaryDirectory() as folder:
            for command in commands:
                try:
                    if path := run(command, {"FOLDER": folder, **given}, ROOT):
                        print(path.relative_to(ROOT))
                except (Missing, subprocess.CalledProcessError) as error:
                    print(f"{script.relative_to(ROOT)}: {error}", file=sys.stderr)
                    left = 1
    return left


if __name__ == "__main__":
    sys.exit(main())
