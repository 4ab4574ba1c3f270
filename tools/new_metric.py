"""Makes the files of a new metric: ``python tools/new_metric.py NAME``, or ``make new NAME=...``.

The folder ``room`` beside this file has the files of a small metric that works, in their places. They are copied with
its name changed; the folder in ``metrologue.scorers`` is the registration. What is made of the scorers and cards is
made. What is then to be written is the metric itself.
"""

from __future__ import annotations

import argparse
import keyword
import re
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROOM = Path(__file__).with_name("room")
# Longer names would not fit the lines of the files that are copied.
LONGEST = 20


class Refused(ValueError):
    """A name that no metric can have."""


def class_name(name: str) -> str:
    """The name of a metric's class: ``GoogleBleu`` of ``google_bleu``."""
    return "".join(map(str.capitalize, name.split("_")))


def title(name: str) -> str:
    """The name of a metric in a heading."""
    return name.replace("_", " ").title()


def renamed(text: str, name: str) -> str:
    """A path or the text of a file, of the metric of this name."""
    for old, new in (
        ("metric_name", name),
        ("metric-key", name.replace("_", "-")),
        ("MetricName", class_name(name)),
        ("Metric Name", title(name)),
    ):
        text = text.replace(old, new)
    return text


def room(root: Path, name: str) -> dict[Path, str]:
    """The files of a metric: where each belongs, and its text."""
    return {
        root / renamed(str(path.relative_to(ROOM)), name): renamed(path.read_text("utf-8"), name)
        for path in sorted(ROOM.rglob("*.*"))
        if path.suffix in (".bib", ".md", ".py", ".tex")
    }


def check(root: Path, name: str) -> None:
    """A ``Refused`` that says what is expected, unless the name can be that of a new metric."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name) or len(name) > LONGEST or keyword.iskeyword(name):
        raise Refused(
            f"NAME is {name!r}; at most {LONGEST} small letters, digits and single underscores are expected, "
            "a letter first, as in `google_bleu`, and no keyword of Python."
        )
    if f" {class_name(name)}\n" in (root / "src" / "metrologue" / "scorers" / "__init__.pyi").read_text("utf-8"):
        raise Refused(f"NAME is {name!r}; metrologue.scorers has a {class_name(name)} already.")
    for path in room(root, name):
        for taken in (path, path.with_suffix("")):
            if taken.exists():
                raise Refused(f"NAME is {name!r}; {taken.relative_to(root)} is there already, and nothing is replaced.")


def make(root: Path, name: str) -> list[Path]:
    """Write everything; the files that were written. If it ends midway, nothing of it stays, and it can be run again.

    Raises
    ------
    Refused
        If the name can be none, or something of that name is there. Nothing is then written.
    """
    check(root, name)
    files = room(root, name)
    made = [root / "metrics" / name / each for each in (f"{name}.py", "app.py", "requirements.txt")]
    made.append(root / "tests" / "parity" / "goldens" / f"{name}-metrologue.json")
    try:
        for path, text in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        for command in (["-m", "tools.stub"], ["tools/goldens.py", name], ["-m", "docs"]):
            run(root, *command)
    except BaseException:
        for path in (*files, *made):
            path.unlink(missing_ok=True)
        for folder in {path.parent for path in files}:
            shutil.rmtree(folder / "__pycache__", ignore_errors=True)
            with suppress(OSError):  # it was not made, or holds something else
                folder.rmdir()
        run(root, "-m", "tools.stub")
        raise
    return [*files, *made]


def run(root: Path, *command: str) -> None:
    """Run a tool of the project with this Python."""
    subprocess.run([sys.executable, *command], cwd=root, check=True, stdout=subprocess.DEVNULL)


def main() -> int:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description="Make the files of a new metric.")
    parser.add_argument("name", metavar="NAME", help="such as google_bleu")
    try:
        for path in make(ROOT, parser.parse_args().name):
            print(path.relative_to(ROOT))
    except Refused as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
