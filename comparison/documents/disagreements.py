"""The disagreements that the documents publish: numbers of several libraries for one text, and what lies between them.

They are data, in ``disagreements.toml``. The numbers are those of the cases, and each step from one library to the next
is divided among the choices that make it.
"""

from __future__ import annotations

import math
import re
import tomllib
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from typing import Any

from metrologue.attribution import explain
from metrologue.comparison.documents.cases import Case, Figure, VariantCall
from metrologue.comparison.showing.bars import Bar
from metrologue.errors import InputError
from metrologue.scorers import Scorer
from metrologue.scorers.core.numbers import perfect_score

__all__ = ["DISAGREEMENTS", "Claim", "Disagreement", "Panel", "Step", "Value", "disagreements"]

DISAGREEMENTS = "disagreements.toml"
# A share below this many points is not told.
_LEAST = 0.005


@dataclass(frozen=True, kw_only=True)
class Value:
    """A library's number: as the document prints it, and in points from 0 to 100.

    `ours` is our variant's number for the texts that the document names, in points; None if it needs data that are not
    here. A value without `published` is in no document.
    """

    label: str
    printed: str
    points: float
    ours: float | None
    published: bool

    @property
    def note(self) -> str:
        """What is printed, and whether the document prints it."""
        return self.printed if self.published else f"{self.printed} (ours)"


@dataclass(frozen=True, kw_only=True)
class Step:
    """What lies between two values: the gap in points and its parts, the largest first; or what equal numbers share."""

    first: str
    second: str
    gap: float
    parts: tuple[tuple[str, float], ...]
    about: str = ""

    @property
    def shown(self) -> str:
        """The gap with its sign; "=" if there is none."""
        return _signed(self.gap) if abs(self.gap) >= _LEAST else "="

    @property
    def told(self) -> str:
        """The parts in words, or what is said of equal numbers.

        Examples
        --------
        >>> step = Step(first="a", second="b", gap=2.0, parts=(("tokenizer", 2.5), ("case", -0.5)))
        >>> step.shown, step.told
        ('+2.00', 'tokenizer +2.50, case \N{MINUS SIGN}0.50')
        """
        if self.parts:
            return ", ".join(f"{choice} {_signed(share)}" for choice, share in self.parts)
        return f"the same, {self.about}" if self.shown == "=" else self.about


def _signed(points: float) -> str:
    return f"{points:+.2f}".replace("-", "\N{MINUS SIGN}")


@dataclass(frozen=True, kw_only=True)
class Claim:
    """What the document says, in English, and what is true."""

    says: str
    true: str


@dataclass(frozen=True, kw_only=True)
class Panel:
    """The values for the same texts: pairs of a prediction and its references, and the steps from value to value."""

    about: str
    texts: tuple[tuple[str, tuple[str, ...]], ...]
    values: tuple[Value, ...]
    steps: tuple[Step, ...]

    @property
    def bars(self) -> list[Bar]:
        """The values as bars of which 100 points fill the axis. What the document prints stands beside the name."""
        return [
            Bar([each.label], f"{each.points:.2f}", max(0.0, min(100.0, each.points)), version=each.note)
            for each in self.values
        ]


@dataclass(frozen=True, kw_only=True)
class Disagreement:
    """One disagreement of a document, with the words that are to be marked in its texts, and why."""

    id: str
    title: str
    document: str
    marks: tuple[str, ...]
    marked: str
    panels: tuple[Panel, ...]
    claims: tuple[Claim, ...]

    def pieces(self, text: str) -> Iterator[tuple[str, bool]]:
        """A text of a panel in pieces, and whether each is marked. The end of a line is a stroke.

        Examples
        --------
        >>> found = Disagreement(id="", title="", document="", marks=("do",), marked="", panels=(), claims=())
        >>> [*found.pieces("how do you")]
        [('how ', False), ('do', True), (' you', False)]
        """
        plain = ""
        for word in re.split(r"(\s+)", text.replace("\n", " / ")):
            if word in self.marks:
                yield from [(plain, False), (word, True)][not plain :]
                plain = ""
            else:
                plain += word
        yield from [(plain, False)] * bool(plain)


def disagreements(cases: Sequence[Case], only: str | None = None) -> list[Disagreement]:
    """The disagreements among the figures of cases, in the order of the file.

    Parameters
    ----------
    cases : sequence of Case
        Usually ``load_cases()``. Disagreements that need others are left out.
    only : str, optional
        The id of the one that is wanted.

    Raises
    ------
    InputError
        If there is no disagreement with the id.

    Examples
    --------
    >>> from metrologue.comparison.documents import load_cases
    >>> [found] = disagreements(load_cases(), "bleu-ru")
    >>> for step in found.panels[0].steps[:2]:
    ...     print(f"{step.first} to {step.second}, {step.shown}: {step.told}")
    nltk to sacrebleu, +4.32: tokenizer +4.32
    sacrebleu to evaluate, =: the same, on a scale from 0 to 1
    """
    blocks = tomllib.loads((resources.files(__package__) / DISAGREEMENTS).read_text("utf-8"))["blocks"]
    if only is not None and only not in (names := [block["id"] for block in blocks]):
        raise InputError(f"there is no disagreement {only!r}; there are {', '.join(names)}.")
    known = {case.id: case for case in cases}
    wanted = [each for each in blocks if only in (None, each["id"]) and {*_cases_of(each)} <= known.keys()]
    with warnings.catch_warnings(action="ignore", category=UserWarning):  # of a 0, which is what is shown
        return [_disagreement(block, known) for block in wanted]


def _cases_of(block: Mapping[str, Any]) -> list[str]:
    return [value["case"] for panel in block["panels"] for value in panel["values"] if "case" in value]


def _disagreement(block: Mapping[str, Any], known: Mapping[str, Case]) -> Disagreement:
    return Disagreement(
        id=block["id"],
        title=block["title"],
        document=known[_cases_of(block)[0]].document.title,
        marks=tuple(block["marks"]),
        marked=block["marked"],
        panels=tuple(_panel(panel, known) for panel in block["panels"]),
        claims=tuple(Claim(**claim) for claim in block["claims"]),
    )


def _panel(panel: Mapping[str, Any], known: Mapping[str, Case]) -> Panel:
    first = known[panel["values"][0]["case"]]
    read = [_Read.of(entry, known.get(entry.get("case", ""), first)) for entry in panel["values"]]
    labels = [each.value.label for each in read]
    steps = []
    for place, (entry, each) in enumerate(zip(panel["values"], read, strict=True)):
        if place:
            steps.append(_step(read[labels.index(entry.get("from", labels[place - 1]))], each, entry))
    return Panel(
        about=panel.get("about", ""),
        texts=tuple(zip(first.predictions, first.references, strict=True)),
        values=tuple(each.value for each in read),
        steps=tuple(steps),
    )


@dataclass(frozen=True)
class _Read:
    """A value with the scorer that mirrors it; None without its data."""

    value: Value
    case: Case
    scorer: Scorer | None
    missing: str = ""

    @classmethod
    def of(cls, entry: Mapping[str, Any], case: Case) -> _Read:
        published, variant = "case" in entry, case.variant
        named = entry.get("figure", case.figures[0].name)
        figure = next(each for each in case.figures if each.name == named)
        if not published:
            figure = Figure(name="", quantity=(entry.get("quantity", case.metric),), published=None)
            variant = VariantCall(name=entry["variant"])
        assert variant is not None
        own = {name: tuple(it) if isinstance(it, list) else it for name, it in entry.get("overrides", {}).items()}
        case = replace(case, variant=replace(variant, overrides={**variant.overrides, **own}))
        label = entry.get("label") or (case.library.name if case.library else variant.name)
        ours, scorer, missing = None, None, ""
        try:
            scorer = case.scorer()
            assert scorer
            predictions, references = case.prepared()
            ours = figure.read(scorer.corpus(predictions, references).scores)
        except (InputError, ImportError) as error:  # data that are not here
            missing = str(error)
        factor = 100 / ((scorer and perfect_score(scorer)) or 1.0)
        given = figure.published if published else ours
        printed = "–" if given is None else repr(given)
        points = factor * (math.nan if given is None else given)
        value = Value(label=label, printed=printed, points=points, ours=ours and factor * ours, published=published)
        return cls(value, case, scorer, missing)


def _step(a: _Read, b: _Read, entry: Mapping[str, Any]) -> Step:
    """The gap between two values, divided among the choices of their scorers, and what no choice makes."""
    first, second, gap = a.value.label, b.value.label, b.value.points - a.value.points
    if a.scorer is None or b.scorer is None:
        return Step(first=first, second=second, gap=gap, parts=(), about=a.missing or b.missing)
    found = explain(a.scorer, b.scorer, *b.case.prepared())
    parts = [(part.choice, 100 * part.share) for part in found.contributions]
    parts.append((entry.get("because", "unexplained"), gap - 100 * found.gap))
    told = sorted((part for part in parts if abs(part[1]) >= _LEAST), key=lambda part: -abs(part[1]))
    same = entry.get("same", "") if abs(gap) < _LEAST else ""
    return Step(first=first, second=second, gap=gap, parts=() if abs(gap) < _LEAST else tuple(told), about=same)
