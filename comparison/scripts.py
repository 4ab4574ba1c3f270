"""The script that texts are written in."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence

__all__ = ["main_script"]


def main_script(texts: Sequence[str]) -> str:
    """The script of most letters, as Unicode names it; "?" without letters.

    Examples
    --------
    >>> main_script(["Привет, world!!", "ой"]), main_script(["42"])
    ('Cyrillic', '?')
    """
    scripts: Counter[str] = Counter()
    for mark, count in Counter("".join(texts)).items():
        if mark.isalpha():
            name = unicodedata.name(mark, "?").split()[0]
            scripts["Han" if name == "CJK" else name.title()] += count
    return scripts.most_common(1)[0][0] if scripts else "?"
