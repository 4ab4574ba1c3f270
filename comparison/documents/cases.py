"""A case of a document as data: the texts, the library's call, our variant and the figures; and the result of a run."""

from __future__ import annotations

import importlib.util
import math
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from metrologue.comparison.documents.games import Game
from metrologue.errors import InputError
from metrologue.scorers import Scorer, get_scorer
from metrologue.text.tokenizers import register_tokenizer

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
# The value of a field that stands for a folder in an installed package, such as word vectors.
PACKAGE = "package:"

# A document that scores character by character counts whitespace too. No library's tokenizer does this.
register_tokenizer("characters-and-blanks", list, digest="python")

References = tuple[tuple[str, ...], ...]

PREPARATIONS: dict[str, Callable[[str], str]] = {
    "drop-punctuation": lambda text: "".join(c for c in text if not unicodedata.category(c).startswith("P")),
    "fold-case": str.casefold,
}


@dataclass(frozen=True, kw_only=True)
class Document:
    """The document that a case comes from."""

    code: str
    title: str
    language: str


@dataclass(frozen=True, kw_only=True)
class LibraryCall:
    """The call of an adapter: ``get_library(name).scores(call, ..., **options)``."""

    name: str
    call: str
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class VariantCall:
    """The scorer that mirrors the call. With ``trace``, its numbers are sums over the trace's tables."""

    name: str
    overrides: Mapping[str, Any] = field(default_factory=dict)
    trace: bool = False


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One published number.

    Attributes
    ----------
    name : str
        The figure's name for the reader.
    quantity : tuple of str
        The name of the number to compare with it. If there are several, their mean is compared.
    published : float or None
        The published number. None if the document gives no number but says what it equals (``Case.equals``).
    tolerance : float
        The relative tolerance. Only 0 equals 0.
    decimals : int or None
        How many decimals are printed, rounded or cut off. Two numbers are then equal if they differ by less than one
        unit of the last decimal.
    errs : str or None
        Why the document is wrong here, if it is. The run must prove this claim.
    coincides : str or None
        Why the document is wrong although its number is right.
    """

    name: str
    quantity: tuple[str, ...]
    published: float | None
    tolerance: float = TOLERANCE
    decimals: int | None = None
    errs: str | None = None
    coincides: str | None = None

    def equal(self, a: float, b: float) -> bool:
        """Whether two numbers are equal at this figure's precision.

        Examples
        --------
        >>> Figure(name="f", quantity=("f",), published=0.4285, decimals=4).equal(0.4285, 3 / 7)
        True
        """
        if self.decimals is None:
            return math.isclose(a, b, rel_tol=self.tolerance)
        return abs(a - b) < (1 - 1e-9) * 10.0**-self.decimals  # the factor allows for binary fractions

    def given(self, numbers: Mapping[str, float]) -> bool:
        """Whether the published figure is among a library's or our numbers."""
        found = self.read(numbers)
        return found is not None and self.published is not None and self.equal(found, self.published)

    def read(self, numbers: Mapping[str, float]) -> float | None:
        """This figure among a library's or our numbers; None if it is missing."""
        if not numbers.keys() >= set(self.quantity):
            return None
        return math.fsum(numbers[key] for key in self.quantity) / len(self.quantity)


@dataclass(frozen=True, kw_only=True)
class Alternative:
    """Another call that a document may have made: its description in words, and what it changes."""

    about: str
    options: Mapping[str, Any] = field(default_factory=dict)
    overrides: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Case:
    """A call that a document makes or computes by hand, and the figures that it publishes for it.

    Attributes
    ----------
    id, metric, section, call, note : str
    document : Document
    predictions : tuple of n str
    references : tuple of n tuples of str
        The tuples are empty if the metric needs no references.
    other_references : mapping of str to tuple of n tuples of str
        The file's other references with the same number of segments, by name.
    equals : tuple of (predictions, references, overrides)
        For a document that publishes no number, but says that the number of this case is the mean over other inputs:
        these inputs, each with its changes to the variant.
    prepare : tuple of str
        The steps that change the texts before anything is counted.
    library : LibraryCall or None
    variant : VariantCall or None
    alternatives : tuple of Alternative
    definition : bool
        Whether the document computes the figures by hand.
    quoted : str or None
        The source of the figures, if the document only repeats them.
    better_than : (predictions, references) or None
        For a document that publishes no number, but says that this input is better than another one: the other one.
    computed_in : str or None
        The page of this project that has the figures, computed from data that do not come with the package.
    game : Game or None
        The coalition game whose numbers are the figures.
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
    better_than: tuple[tuple[str, ...], References] | None
    prepare: tuple[str, ...]
    library: LibraryCall | None
    variant: VariantCall | None
    alternatives: tuple[Alternative, ...]
    definition: bool
    quoted: str | None
    computed_in: str | None
    game: Game | None
    note: str | None
    figures: tuple[Figure, ...]

    def prepared(self) -> tuple[list[str], list[list[str]]]:
        """The predictions and references after the steps in ``prepare``."""

        def prepare(text: str) -> str:
            for step in self.prepare:
                text = PREPARATIONS[step](text)
            return text

        return [prepare(text) for text in self.predictions], [[prepare(t) for t in texts] for texts in self.references]

    def scorer(self) -> Scorer | None:
        """Our scorer for this call; None if there is nothing to score.

        Raises an InputError if it takes vectors or a model of a package that is not installed.
        """
        if self.variant is None:
            return None
        overrides = {name: _installed(value) for name, value in self.variant.overrides.items()}
        return get_scorer(self.metric).variant(self.variant.name, **overrides)


def _installed(value: Any) -> Any:
    """The folder of "package:NAME/FOLDER"; other values as they are."""
    if not isinstance(value, str) or not value.startswith(PACKAGE):
        return value
    name, _, folder = value.removeprefix(PACKAGE).partition("/")
    spec = importlib.util.find_spec(name.replace("-", "_"))
    if spec is None or not spec.submodule_search_locations:
        raise InputError(f"needs the package {name}: pip install {name}")
    return str(Path(next(iter(spec.submodule_search_locations))) / folder)


@dataclass(frozen=True, kw_only=True)
class FigureResult:
    """One figure, computed again. A number is None if the library or our scorer does not give it."""

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
    """The result of a case: all its figures, computed again.

    Attributes
    ----------
    case : Case
    figures : tuple of FigureResult
    version : str or None
        The version of the library that ran.
    missing : str or None
        Why the library that the case asks for, or our scorer, did not run.
    signature : str or None
        The signature of our scorer.
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
