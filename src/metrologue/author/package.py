"""A new package with a metric that works: its files, with the metric's name in them."""

from __future__ import annotations

import keyword
import re
from importlib import resources
from pathlib import Path
from tempfile import TemporaryDirectory

from metrologue.errors import InputError, shown
from metrologue.scorers.core.homes import own_homes
from metrologue.version import __version__

# The files of a package, and where each of them belongs.
_PLACES = {
    "pyproject.toml.txt": "pyproject.toml",
    "README.md": "README.md",
    "metric.py.txt": "src/NAME/__init__.py",
    "formula.tex": "src/NAME/formula.tex",
    "papers.bib": "src/NAME/papers.bib",
    "test_metric.py.txt": "tests/test_NAME.py",
}


def new_package(name: str, folder: Path) -> list[Path]:
    """Write a package with a metric of this name; the files.

    The folder is made whole or not at all.

    Parameters
    ----------
    name : str
        Small letters, digits and underscores, such as "word_share".
    folder : path
        It is new or empty.

    Raises
    ------
    InputError
        If the name can be none, or is one of ours; if the folder holds something.
    """
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name) or keyword.iskeyword(name):
        raise InputError(
            f"new: NAME is {shown(name)}; small letters, digits and single underscores are expected, a letter "
            "first, as in word_share, and no keyword of Python."
        )
    if name in own_homes():
        raise InputError(f"new: NAME is {shown(name)}, which is a metric of metrologue; choose another name.")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"new: DIR is {shown(str(folder))}, which is there and holds something; give another folder.")
    templates = resources.files(__package__) / "templates"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}-") as draft:
        made = Path(draft, "made")
        for template, place in _PLACES.items():
            path = made / place.replace("NAME", name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(_named((templates / template).read_text("utf-8"), name), "utf-8")
        if folder.exists():
            folder.rmdir()
        made.rename(folder)
    return [folder / place.replace("NAME", name) for place in _PLACES.values()]


def _named(text: str, name: str) -> str:
    """The text of a template with a metric's name."""
    words = name.split("_")
    known = {
        "metric_name": name,
        "metric-name": "-".join(words),
        "MetricName": "".join(map(str.capitalize, words)),
        "Metric Name": " ".join(map(str.capitalize, words)),
        "metrologue-version": __version__,
    }
    for old, new in known.items():
        text = text.replace(old, new)
    return text
