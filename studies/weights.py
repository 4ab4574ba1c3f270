"""Prints what the pages of the site weigh: ``python -m studies.weights``, or with another folder than site/.

A server sends pages, style sheets and scripts compressed. What all pages share is sent once.
"""

from __future__ import annotations

import gzip
import re
import sys
from functools import cache
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[1]
_LOADED = re.compile(r'<(?:script|img)[^>]*?\ssrc="([^"#?]+)"|<link rel="(?:stylesheet|icon)"[^>]*?\shref="([^"#?]+)"')
_PICTURES = (".png", ".svg", ".jpg")


@cache
def sent(path: Path) -> int:
    """How many bytes a server sends for a file. A picture that is compressed already is sent as it is."""
    return path.stat().st_size if path.suffix == ".png" else len(gzip.compress(path.read_bytes(), 6, mtime=0))


def loaded(page: Path) -> set[Path]:
    """The files that a browser loads for a page."""
    found = (script or sheet for script, sheet in _LOADED.findall(page.read_text("utf-8")))
    return {(page.parent / each).resolve() for each in found if ":" not in each}


def kilobytes(size: float) -> str:
    return f"{size / 1000:,.0f} kB"


def report(site: Path) -> list[str]:
    """The weights, a line each.

    Raises
    ------
    ValueError
        If there is no page.
    """
    pages = sorted(page for page in site.rglob("*.html") if page.name != "404.html")
    if not pages:
        raise ValueError(f"{site} has no pages; build them with `make docs`.")
    files = [path for path in site.rglob("*") if path.is_file()]
    own = {page: sent(page) + sum(sent(each) for each in loaded(page) if each.suffix in _PICTURES) for page in pages}
    shared = {page: sum(sent(each) for each in loaded(page) if each.suffix not in _PICTURES) for page in pages}
    home, heaviest = site / "index.html", max(pages, key=own.__getitem__)
    return [
        f"{len(pages)} pages, {len(files)} files, {kilobytes(sum(path.stat().st_size for path in files))} on disk",
        f"sent once for all pages: {kilobytes(shared[home])} of scripts and style sheets",
        f"the first page: {kilobytes(own[home])}, so {kilobytes(own[home] + shared[home])} for the first visit",
        f"any page: {kilobytes(median(own.values()))} in the middle",
        f"the heaviest page: {kilobytes(own[heaviest])}, {heaviest.relative_to(site)}",
        f"a search: {kilobytes(sent(site / 'search' / 'search_index.json'))} more, once",
    ]


if __name__ == "__main__":
    print(*report(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "site"), sep="\n")
