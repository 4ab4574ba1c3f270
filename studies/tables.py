"""Tables of how well metrics agree with people: their rows, how a figure is printed, and paragraphs beside them."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from metrologue.data.arrays import Floats
from metrologue.learned.measuring import Reached
from metrologue.meta import Judgements, meta_evaluate
from metrologue.scorers import Scorer
from metrologue.scorers.core import typed

__all__ = ["Cells", "Row", "evaluated", "interval", "printed", "prose", "shown", "table", "written"]

Cells = Mapping[str, float]


@dataclass(frozen=True)
class Row:
    """A metric in a table.

    Attributes
    ----------
    name : str
        As papers call it.
    scorer : Scorer or str
        Ours; or the name of scores that came with the data.
    published : mapping of str to str
        By column the figure as it was printed, such as ".2862".
    key : str, optional
        The number of our scorer, such as "recall"; by default its value.
    """

    name: str
    scorer: Scorer | str
    published: Mapping[str, str] = field(default_factory=dict)
    key: str | None = None

    @property
    def setting(self) -> str:
        """Our scorer as a name or a signature's fields; for scores from elsewhere, that they are."""
        return "from the data" if isinstance(self.scorer, str) else f"`{typed.printed(self.scorer)}`"

    def given(self, judgements: Judgements) -> Floats | None:
        """The scores of the texts, if they are from the data or are not our scorer's value; otherwise None."""
        if isinstance(self.scorer, str):
            return judgements.scores[self.scorer]
        if self.key is None:
            return None
        references = [[*own] for own in judgements.references or ()]
        return self.scorer.segments([*judgements.hypotheses], references, key=self.key)

    def cells(self, found: Cells, digits: int) -> list[str]:
        """The computed figures. One that differs from the published figure is bold, and that follows it."""
        return [shown(value, self.published.get(column), digits) for column, value in found.items()]


def printed(value: float, digits: int) -> str:
    """A figure as papers print it: without the 0 before the point."""
    text = f"{value:.{digits}f}".replace("-", "−")
    return text.replace("0.", ".", 1) if abs(value) < 1 else text


def interval(found: Reached | Mapping[str, Any], signed: bool = False) -> str:
    """A mean with the ends of its interval in brackets."""
    own = found if isinstance(found, Mapping) else vars(found)
    mean, low, high = (printed(own[name], 3) for name in ("mean", "low", "high"))
    return f"{'+' * (signed and own['mean'] >= 0)}{mean} [{low}, {high}]"


def shown(value: float, published: str | None, digits: int) -> str:
    """A cell of a table."""
    if published is None:
        return printed(value, digits)
    own = printed(value, len(published.partition(".")[2]))
    return own if own == published else f"**{own}** ({published})"


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [[cell.replace("|", "\\|") for cell in line] for line in (header, ["---"] * len(header), *rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def prose(text: str) -> str:
    """A paragraph in lines of 120 characters."""
    return textwrap.fill(" ".join(text.split()), 120, break_on_hyphens=False, break_long_words=False) + "\n"


def evaluated(
    judgements: Judgements, rows: Sequence[Row], methods: Sequence[str], **options: str
) -> dict[str, dict[tuple[str, str], float]]:
    """The correlation of each row with each quality, under each coefficient."""
    given = {row.name: scores for row in rows if (scores := row.given(judgements)) is not None}
    scorers = {row.name: row.scorer for row in rows if row.name not in given}
    judgements = replace(judgements, scores=given)
    found: dict[str, dict[tuple[str, str], float]] = {row.name: {} for row in rows}
    for method in methods:
        result = meta_evaluate(judgements, scorers, method=method, confidence=None, **options)  # type: ignore[arg-type]
        for name, own in result.correlations.items():
            found[name] |= {(method, quality): each.value for quality, each in own.items()}
    return found


def written(made: Iterable[tuple[Path, str]], check: bool) -> int:
    """Write the files that are out of date, or with `check` only list them. The exit status is 1 if some stay so."""
    stale = [(path, text) for path, text in made if not path.exists() or path.read_text("utf-8") != text]
    for path, text in stale:
        print(os.path.relpath(path))
        if not check:
            path.write_text(text, "utf-8")
    return int(check and bool(stale))
