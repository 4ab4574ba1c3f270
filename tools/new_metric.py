"""Makes the files of a new metric: ``python tools/new_metric.py NAME``, or ``make new NAME=...``.

The folder ``room`` beside this file has the files of a small metric that works, in their places. They are copied with
its name changed, and the metric is entered in the lists that name every metric. What is then to be written is the
metric itself.
"""

from __future__ import annotations

import argparse
import keyword
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROOM = Path(__file__).with_name("room")
# Longer names would not fit the lines of the files that are copied.
LONGEST = 20

# The entry for the metric's paper, to be replaced.
PAPER = """\
@misc{{author-year-{key},
  title  = {{{title}}},
  author = {{Author}},
  year   = {{year}},
}}
"""

# The entry for the metric's definition, to be replaced.
DEFINITION = """\
[{name}]
lines = ['\\text{{{title}}} = \\frac{{m}}{{n}}']

[{name}.quantities]
'm' = "what matches"
'n' = "what could match"
"""


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
        if path.suffix in (".md", ".py", ".txt")
    }


def check(root: Path, name: str) -> None:
    """A ``Refused`` that says what is expected, unless the name can be that of a new metric."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name) or len(name) > LONGEST or keyword.iskeyword(name):
        raise Refused(
            f"NAME is {name!r}; at most {LONGEST} small letters, digits and single underscores are expected, "
            "a letter first, as in `google_bleu`, and no keyword of Python."
        )
    if f'"{class_name(name)}"' in (root / "src" / "metrologue" / "scorers" / "__init__.py").read_text("utf-8"):
        raise Refused(f"NAME is {name!r}; metrologue.scorers has a {class_name(name)} already.")
    for path in room(root, name):
        for taken in (path, path.with_suffix("")):
            if taken.exists():
                raise Refused(f"NAME is {name!r}; {taken.relative_to(root)} is there already, and nothing is replaced.")


def entered(text: str, line: str, block: str, end: str, prefix: str) -> str:
    """The text with a line more, at its place among the lines of a block that begin with `prefix`.

    `block` is the beginning of the block's first line, and `end` the whole line after its last one.
    """
    lines = text.splitlines(keepends=True)
    first = next(i for i, each in enumerate(lines) if each.startswith(block))
    last = lines.index(end, first)
    later = (i for i in range(first, last) if lines[i].startswith(prefix) and order(lines[i]) > order(line))
    lines.insert(next(later, last), line)
    return "".join(lines)


def order(line: str) -> tuple[bool, str]:
    """Where ruff sorts a line with a name: names in capitals, such as F1, come first."""
    name = line.strip(' ",\n')
    return not (len(name) > 1 and name.isupper()), line


def below(text: str, heading: str, line: str) -> str:
    """The text with a line more, right below the one that begins with `heading`."""
    lines = text.splitlines(keepends=True)
    place = next(i for i, each in enumerate(lines) if each.startswith(heading))
    return "".join([*lines[: place + 1], line, *lines[place + 1 :]])


def with_table(text: str, name: str) -> str:
    """The list of modules that are made, with a table for one more at its place."""
    head, *tables = re.split(r"^(?=\[)", text, flags=re.MULTILINE)
    return head + "\n".join(sorted(each.rstrip() + "\n" for each in (*tables, f"[{name}]\n")))


def registered(root: Path, name: str) -> dict[Path, str]:
    """The files that name every metric: where each is, and its text with the new one."""
    made = class_name(name)
    package, scorers, rooms, papers, formulas, modules, fields, goldens = paths = [
        root / path
        for path in (
            "src/metrologue/__init__.py", "src/metrologue/scorers/__init__.py", "src/metrologue/scorers/rooms.py",
            "src/metrologue/references.bib", "src/metrologue/scorers/formulas.toml", "tools/module/modules.toml",
            "tests/properties/test_scorers.py", "tests/parity/goldens.py",
        )
    ]  # fmt: skip
    texts = {path: path.read_text("utf-8") for path in paths}

    def enter(path: Path, *place: str) -> None:
        texts[path] = entered(texts[path], *place)

    module = "    from metrologue.scorers."
    enter(scorers, f"{module}{name} import {made}\n", module, "\n", module)
    enter(rooms, f'    "{name}": ("{name}", "{made}"),\n', "ROOMS = {", "}\n", '    "')
    enter(package, f"        {made},\n", "    from metrologue.scorers import (", "    )\n", "        ")
    enter(fields, f"    {made},\n", "from metrologue.scorers import (", ")\n", "    ")
    for path in (package, scorers):
        enter(path, f'    "{made}",\n', "__all__ = [", "]\n", '    "')
    other = '{"tokenizer": "13a", "lowercase": True, "aggregation": "mean", "scale": 100.0}'
    texts[fields] = below(texts[fields], "OTHER_VALUES: ", f"    {made}: {other},\n")
    texts[papers] = f"{texts[papers].rstrip()}\n\n{PAPER.format(key=name.replace('_', '-'), title=title(name))}"
    texts[formulas] = f"{texts[formulas].rstrip()}\n\n{DEFINITION.format(name=name, title=title(name))}"
    texts[modules] = with_table(texts[modules], name)
    golden = f'        golden("{name}", "metrologue", "0.1", "the definition", OfPlain("{name}")),\n'
    texts[goldens] = below(texts[goldens], "    return [\n", golden)
    return texts


def record(root: Path, name: str) -> Path:
    """Record the goldens of the metric's variant, and leave those of the others alone."""
    subprocess.run([sys.executable, "tools/goldens.py", name], cwd=root, check=True, stdout=subprocess.DEVNULL)
    return root / "tests" / "parity" / "goldens" / f"{name}-metrologue.json"


def make(root: Path, name: str) -> list[Path]:
    """Write and register everything; the files that were written.

    Raises
    ------
    Refused
        If the name can be none, or something of that name is there. Nothing is then written.
    """
    check(root, name)
    files = room(root, name) | registered(root, name)
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    written = [*files, record(root, name)]
    subprocess.run([sys.executable, "-m", "docs"], cwd=root, check=True, stdout=subprocess.DEVNULL)
    folder = root / "metrics" / name
    made = [folder / each for each in (f"{name}.py", "app.py", "requirements.txt")]
    return [*written, *made, root / "docs" / "metrics.md"]


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
