"""A case of a document as data: the texts, the library's call, our variant, the figures; and what a run makes of it."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from metrologue.scorers import Scorer, get_scorer
from metrologue.tokenizers import register_tokenizer

__all__ = [
    "TOLERANCE",
    "Alternative",
    "Case",
    "CaseResult",
    "Document",
    "Figure",
    "FigureResult",
    "LibraryCall",
    "References",
    "VariantCall",
]

TOLERANCE = 1e-12

# A document that scores character by character counts blanks too, which no library's tokenizer does.
register_tokenizer("characters-and-blanks", list, digest="python")

References = tuple[tuple[str, ...], ...]

PREPARATIONS: dict[str, Callable[[str], str]] = {
    "drop-punctuation": lambda text: "".join(c for c in text if not unicodedata.category(c).startswith("P")),
    "fold-case": str.casefold,
}


@dataclass(frozen=True, kw_only=True)
class Document:
    """Where a case comes from."""

    code: str
    title: str
    language: str


@dataclass(frozen=True, kw_only=True)
class LibraryCall:
    """What an adapter is asked for: ``get_library(name).scores(call, ..., **options)``."""

    name: str
    call: str
    options: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class VariantCall:
    """The scorer that mirrors the call; with ``trace``, its numbers are summed up from the trace's tables."""

    name: str
    overrides: Mapping[str, Any]
    trace: bool


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One published number.

    Attributes
    ----------
    name : str
        What it is, for the reader.
    quantity : tuple of str
        The number to compare with it; the mean of these where there are several.
    published : float or None
        None where the document gives no number but says what it equals (``Case.equals``).
    tolerance : float
        Relative, so that 0 is met by 0 only.
    decimals : int or None
        How many are printed, rounded or cut off: numbers are equal if less than a unit of the last one apart.
    errs : str or None
        Why the document is wrong here, where it is: a claim that the run must prove.
    """

    name: str
    quantity: tuple[str, ...]
    published: float | None
    tolerance: float = TOLERANCE
    decimals: int | None = None
    errs: str | None = None

    def equal(self, a: float, b: float) -> bool:
        """Whether two numbers are one at this figure's precision.

        Examples
        --------
        >>> Figure(name="f", quantity=("f",), published=0.4285, decimals=4).equal(0.4285, 3 / 7)
        True
        """
        if self.decimals is None:
            return math.isclose(a, b, rel_tol=self.tolerance)
        return abs(a - b) < (1 - 1e-9) * 10.0**-self.decimals  # less than a unit, in spite of binary fractions

    def given(self, numbers: Mapping[str, float]) -> bool:
        """Whether the published figure is among a library's or our numbers."""
        found = self.read(numbers)
        return found is not None and self.published is not None and self.equal(found, self.published)

    def read(self, numbers: Mapping[str, float]) -> float | None:
        """This figure among a library's or our numbers; None where they lack it."""
        if not numbers.keys() >= set(self.quantity):
            return None
        return math.fsum(numbers[key] for key in self.quantity) / len(self.quantity)


@dataclass(frozen=True, kw_only=True)
class Alternative:
    """Another call that a document may have made: what marks it, in words, and what it changes."""

    about: str
    options: Mapping[str, Any]
    overrides: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Case:
    """A call that a document makes or works out by hand, and the figures that it publishes for it.

    Attributes
    ----------
    id, metric, section, call, note : str
    document : Document
    predictions : tuple of n str
    references : tuple of n tuples of str
    other_references : mapping of str to tuple of n tuples of str
        The file's other references, by name, as far as they are for as many segments.
    equals : tuple of (predictions, references, overrides)
        Where the document publishes no number: the inputs whose mean number it says is that of this case, each with
        what its own score changes in the variant.
    prepare : tuple of str
        Steps on the texts before anything is counted.
    library : LibraryCall or None
    variant : VariantCall or None
    alternatives : tuple of Alternative
    definition : bool
        Whether the figures are worked out by hand.
    quoted : str or None
        Whose figures these are, where they are only repeated.
    figures : tuple of Figure
    """

    id: str
    metric: str
    document: Document
    section: str
    call: str
    predictions: tuple[str, ...]
    references: References
    other_references: Mapping[str, References]
    equals: tuple[tuple[tuple[str, ...], References, Mapping[str, Any]], ...]
    prepare: tuple[str, ...]
    library: LibraryCall | None
    variant: VariantCall | None
    alternatives: tuple[Alternative, ...]
    definition: bool
    quoted: str | None
    note: str | None
    figures: tuple[Figure, ...]

    def prepared(self) -> tuple[list[str], list[list[str]]]:
        """Predictions and references after the steps that the document takes before it counts."""

        def prepare(text: str) -> str:
            for step in self.prepare:
                text = PREPARATIONS[step](text)
            return text

        return [prepare(text) for text in self.predictions], [[prepare(t) for t in texts] for texts in self.references]

    def scorer(self) -> Scorer | None:
        """Our scorer for this call; None for a figure that is only quoted."""
        if self.variant is None:
            return None
        return get_scorer(self.metric).variant(self.variant.name, **self.variant.overrides)


@dataclass(frozen=True, kw_only=True)
class FigureResult:
    """One figure, run again; None where the library or our scorer gives no such number."""

    name: str
    published: float | None
    tolerance: float
    library: float | None
    variant: float | None
    verdict: str
    note: str
    decimals: int | None = None


@dataclass(frozen=True, kw_only=True)
class CaseResult:
    """A case, run again.

    Attributes
    ----------
    case : Case
    figures : tuple of FigureResult
    version : str or None
        The version of the library that ran.
    missing : str or None
        Why it did not run, where the case asks for one; or why our scorer did not.
    signature : str or None
        Of our scorer.
    """

    case: Case
    figures: tuple[FigureResult, ...]
    version: str | None
    missing: str | None
    signature: str | None

    @property
    def as_expected(self) -> bool:
        """Whether no figure is a mismatch."""
        return all(figure.verdict != "mismatch" for figure in self.figures)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for ``json.dumps``."""
        return asdict(self)
