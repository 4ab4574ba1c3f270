"""What mkdocs asks for while it builds the site: what the theme leaves out.

A page has a title and a description of its own. A table scrolls, also by the keys. The search has a name for readers
who do not see it. The menu is shown on a screen of 1200 pixels.
"""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig

from metrologue.scorers import get_scorer, list_scorers

# A search engine shows no more of a description.
LONGEST = 160
# The theme shows the menu from 76.25em on, 1220 pixels; below, it has a button.
BREAKPOINTS = {"76.25em": "71.25em", "76.234375em": "71.234375em"}
_SEARCH = '<div class="md-search" data-md-component="search" role="dialog">'
_TABLE = re.compile(r"<table>(.*?)</table>", re.DOTALL)
_NO_PROSE = re.compile(r"^(?:#|<|!\[|\||```|- |>|:::|\$|\d+\.)")


def on_page_markdown(markdown: str, page: Any, **_: Any) -> None:
    """Give a page its title and its description, unless it has them."""
    title = titled(page.file.src_uri)
    if title:
        page.meta["title"] = title
    page.meta["description"] = shortened(page.meta.get("description") or first_words(markdown) or page.title)


def titled(path: str) -> str:
    """The title of a page whose name in the menu says too little; "" for others.

    Examples
    --------
    >>> titled("docs/metrics/bleu.md"), titled("README.md")
    ('BLEU: variants, fields, numbers', '')
    """
    folder, _, file = path.rpartition("/")
    name = file.removesuffix(".md")
    if name in list_scorers():
        title = get_scorer(name).title
        return {"docs/metrics": f"{title}: variants, fields, numbers", "api": f"{title} in Python"}.get(folder, "")
    return ""


def first_words(markdown: str) -> str:
    """The first paragraph of a page, without marks."""
    text = re.sub(r"<!--.*?-->|^(```+).*?^\1", "", markdown, flags=re.DOTALL | re.MULTILINE)
    for paragraph in re.split(r"\n\s*\n", text):
        if paragraph.strip() and not _NO_PROSE.match(paragraph.strip()):
            words = re.sub(r"!?\[([^]]*)\]\([^)]*\)", r"\1", " ".join(paragraph.split()))
            return unescape(re.sub(r"[`*]+", "", words))
    return ""


def shortened(text: str) -> str:
    """At most ``LONGEST`` characters, of whole words.

    Examples
    --------
    >>> len(shortened("a word " * 99)) <= LONGEST, shortened("a word")
    (True, 'a word')
    """
    text = " ".join(text.split())
    if len(text) <= LONGEST:
        return text
    return text[: LONGEST - 3].rpartition(" ")[0].rstrip(" .,:;") + " ..."


def on_page_content(html: str, **_: Any) -> str:
    """Put each table in a box that scrolls."""
    box = '<div class="table" role="group" aria-label="Table" tabindex="0">'
    return _TABLE.sub(rf'{box}<table class="rows">\1</table></div>', html)


def on_post_page(output: str, **_: Any) -> str:
    """Name the dialog of the search."""
    return output.replace(_SEARCH, _SEARCH.replace(">", ' aria-label="Search">'))


def on_post_build(config: MkDocsConfig) -> None:
    """Show the menu on narrower screens, and leave out what only the theme's authors need.

    Raises
    ------
    ValueError
        If the theme has other breakpoints.
    """
    assets = Path(config.site_dir) / "assets"
    for path in assets.rglob("*.map"):
        path.unlink()
    changed = 0
    for path in (*assets.glob("stylesheets/*.css"), *assets.glob("javascripts/bundle*.js")):
        text = old = path.read_text("utf-8")
        for theirs, ours in BREAKPOINTS.items():
            text = text.replace(theirs, ours)
        changed += text != old
        path.write_text(re.sub(r"\n?/[/*]# sourceMappingURL=\S+(?: \*/)?", "", text), "utf-8")
    if changed < 2:
        raise ValueError("docs/theme.py: the theme shows its menu from another width on; see BREAKPOINTS.")
