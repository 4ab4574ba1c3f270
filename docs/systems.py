"""Writes docs/systems.md: every system that the five documents name, and what answers for it here.

``python -m docs.systems`` makes it from ``comparison/documents/systems.toml``; ``--check`` only says whether it is out
of date. A test holds that every entry has a module that loads and a variant that exists, or says why not.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from metrologue.comparison.documents.systems import DOCUMENTS, load_systems
from studies.tables import prose, table, written

PAGE = Path(__file__).with_suffix(".md")

HEADINGS = {
    "named": "## Named, not built\n",
    "data": "## Data\n",
    "protocol": "## Ways to compare\n",
}

INTRODUCTION = """\
Five documents, Polish notes, a lecture on language models, Russian notes on dialogue, Chinese notes and an English
notebook, are where metrologue began. This page has every metric, set of data and protocol that they name.
"""


def _documents(entry: Mapping[str, str]) -> str:
    return ", ".join(entry["documents"].split())


def _reached(entry: Mapping[str, str]) -> str:
    """What was reached, with the page, or the file, that has the figures."""
    if "reached" not in entry:
        return ""
    file, _, _ = entry["at"].partition("#")
    page = file.removeprefix("docs/")
    return f"{entry['reached']} ({f'`{file}`' if page == file else f'[{page}]({page})'})"


def _modules(entry: Mapping[str, str]) -> str:
    return ", ".join(f"[`{name}`](../metrics/{name}/README.md)" for name in entry["module"].split())


def parts() -> Iterator[str]:
    """The parts of the page."""
    found = load_systems()
    yield "# The systems of the documents\n"
    yield "<!-- Made by `python -m docs.systems` from comparison/documents/systems.toml; do not edit. -->\n"
    yield INTRODUCTION
    yield prose("; ".join(f"{code}: {about}" for code, about in DOCUMENTS.items()) + ".")
    yield prose(
        f"{len(found['built'])} rows have a module. What was reached is measured on public data with models that can "
        'be had here, and stands in the file that is named. "Live" means that the tests run the other '
        'program beside ours, "recorded" that they have its numbers.'
    )
    yield table(
        ["system", "documents", "module", "variant", "checked against", "reached here", "needs"],
        [
            [
                entry["name"],
                _documents(entry),
                _modules(entry) if "because" not in entry else f"named, not built, because {entry['because']}",
                f"`{entry['variant']}`" if "variant" in entry else "",
                entry.get("checked", ""),
                _reached(entry),
                entry.get("needs", ""),
            ]
            for entry in found["built"]
        ],
    )
    for kind, heading in HEADINGS.items():
        yield heading
        yield table(
            ["name", "documents", "because"],
            [[entry["name"], _documents(entry), entry["because"]] for entry in found[kind]],
        )


def main(arguments: Sequence[str]) -> int:
    """Write the page, or with ``--check`` only say whether it is out of date."""
    return written([(PAGE, "\n".join(parts()))], "--check" in arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
