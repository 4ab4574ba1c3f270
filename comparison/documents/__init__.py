"""The documents' figures, run again: what was published, what the live library says now, and what our variant says.

A case is data, in the TOML files beside this one: the texts, the library's call, our variant, the figures. Nothing
here knows one case from another, so that a verdict comes from the numbers alone.
"""

from __future__ import annotations

import json
import math
import tomllib
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from metrologue.comparison.libraries import Missing, Scores, get_library
from metrologue.comparison.libraries.base import by_order
from metrologue.errors import InputError
from metrologue.scorers import Scorer, get_scorer
from metrologue.tokenizers import register_tokenizer
from metrologue.trace import BleuTrace, trace

__all__ = [
    "VERDICTS",
    "Case",
    "CaseResult",
    "Document",
    "Figure",
    "FigureResult",
    "LibraryCall",
    "VariantCall",
    "judge",
    "load_cases",
    "run_cases",
]

VERDICTS = {
    "reproduced": "the live library and our variant give the published figure",
    "definition": "worked out by hand in the document; our scorer gives it",
    "library-changed": "the live library gives another figure today, and our variant gives that one",
    "document-errs": "the run proves the document wrong",
    "quoted": "repeated from elsewhere, nothing to run",
    "unavailable": "the library cannot be run here",
    "mismatch": "the numbers disagree, and nothing says why",
}
TOLERANCE = 1e-12

# A document that scores character by character counts blanks too, which no library's tokenizer does.
register_tokenizer("characters-and-blanks", list, digest="python")

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
    published : float
    tolerance : float
        Relative, so that 0 is met by 0 only.
    errs : str or None
        Why the document is wrong here, where it is: a claim that the run must prove.
    """

    name: str
    quantity: tuple[str, ...]
    published: float
    tolerance: float = TOLERANCE
    errs: str | None = None

    def read(self, numbers: Mapping[str, float]) -> float | None:
        """This figure among a library's or our numbers; None where they lack it."""
        if not numbers.keys() >= set(self.quantity):
            return None
        return math.fsum(numbers[key] for key in self.quantity) / len(self.quantity)


@dataclass(frozen=True, kw_only=True)
class Case:
    """A call that a document makes or works out by hand, and the figures that it publishes for it."""

    id: str
    metric: str
    document: Document
    section: str
    call: str
    predictions: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    prepare: tuple[str, ...]
    library: LibraryCall | None
    variant: VariantCall | None
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
    published: float
    tolerance: float
    library: float | None
    variant: float | None
    verdict: str
    note: str


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
        Why it did not run, where the case asks for one.
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


def load_cases(folder: Traversable | None = None) -> list[Case]:
    """Read the cases of all documents.

    Parameters
    ----------
    folder : Path or other Traversable, optional
        A folder of TOML files; the documents that come with the package by default.

    Returns
    -------
    list of Case
        In the order of the files' names.

    Raises
    ------
    InputError
        If a file does not keep to ``schema.json``, names texts that it lacks, or repeats an id.
    ImportError
        If jsonschema is not installed.

    Examples
    --------
    >>> cases = load_cases()
    >>> [case.id for case in cases if case.document.code == "PL"]
    ['bleu-identity', 'bleu-trace', 'bleu-clip']
    """
    here = resources.files(__name__)
    check = _checker(json.loads((here / "schema.json").read_text(encoding="utf-8")))
    cases: dict[str, Case] = {}
    for path in sorted((folder or here).iterdir(), key=lambda path: path.name):
        if not path.name.endswith(".toml"):
            continue
        try:
            data = tomllib.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:  # TOML and UTF-8 errors alike
            raise InputError(f"{path.name}: not a TOML file in UTF-8: {error}") from error
        check(path.name, data)
        for entry in data["cases"]:
            if entry["id"] in cases:
                raise InputError(f"{path.name}: there are two cases {entry['id']!r}; an id names one.")
            cases[entry["id"]] = _case(path.name, data, entry)
    return list(cases.values())


def run_cases(cases: Iterable[Case], progress: Callable[[Case], None] | None = None) -> list[CaseResult]:
    """Run cases again, the live library beside our variant; a library that is missing stops nothing.

    Parameters
    ----------
    cases : iterable of Case
        Usually ``load_cases()``.
    progress : callable, optional
        Called with each case before it runs.

    Returns
    -------
    list of CaseResult
        One for each case, in their order.

    Raises
    ------
    InputError
        If a case's texts make no segments, or its variant does not exist.
    LibraryError
        If there is no adapter for the library that a case names.

    Examples
    --------
    >>> [result] = run_cases(case for case in load_cases() if case.id == "bleu-clip")
    >>> [(figure.name, figure.verdict) for figure in result.figures]
    [('precision_1', 'definition'), ('unclipped_precision_1', 'definition')]
    """
    results = []
    for case in cases:
        if progress:
            progress(case)
        results.append(_run(case))
    return results


def judge(
    figure: Figure,
    library: float | None,
    variant: float | None,
    *,
    definition: bool = False,
    missing: str | None = None,
) -> tuple[str, str]:
    """The verdict on one figure, and why.

    Parameters
    ----------
    figure : Figure
    library, variant : float or None
        What the live library and our variant give, on the figure's scale; None where there is no such number.
    definition : bool
        Whether the document works the figure out by hand, so that no library is needed.
    missing : str, optional
        Why the library that the case asks for did not run.

    Returns
    -------
    (str, str)
        One of ``VERDICTS``, and a note, empty where the verdict says it all.

    Examples
    --------
    >>> half = Figure(name="bleu", quantity=("bleu",), published=0.5)
    >>> judge(half, library=0.5, variant=0.5)
    ('reproduced', '')
    >>> judge(half, library=0.4, variant=0.4)
    ('library-changed', 'published 0.5, today 0.4')
    >>> judge(half, library=0.4, variant=0.5)[0]
    'mismatch'
    """

    def equal(a: float, b: float) -> bool:
        return math.isclose(a, b, rel_tol=figure.tolerance)

    if variant is None:
        return "mismatch", f"our scorer gives no {' or '.join(figure.quantity)}"
    holds = equal(variant, figure.published)
    if missing and (figure.errs or not definition):
        return "unavailable", f"our variant {'equals' if holds else 'differs from'} the published figure"
    if library is None and not definition:
        return "mismatch", f"the library gives no {' or '.join(figure.quantity)}"
    agree = library is None or equal(library, variant)
    if figure.errs:
        if agree and not holds:
            return "document-errs", figure.errs
        return "mismatch", f"said to be the document's error ({figure.errs}), but the run does not prove it"
    if agree and holds:
        return "definition" if definition else "reproduced", ""
    if agree and not definition:
        return "library-changed", f"published {figure.published!r}, today {library!r}"
    return "mismatch", "the published figure, the library and our variant should agree"


def _run(case: Case) -> CaseResult:
    predictions, references = case.prepared()
    version, missing, theirs = _library_numbers(case, predictions, references)
    scorer = case.scorer()
    ours = _variant_numbers(case, scorer, predictions, references) if scorer else {}
    figures = []
    for figure in case.figures:
        library, variant = figure.read(theirs), figure.read(ours)
        if case.quoted:
            verdict, note = "quoted", f"quoted from {case.quoted}"
        else:
            verdict, note = judge(figure, library, variant, definition=case.definition, missing=missing)
        figures.append(
            FigureResult(
                name=figure.name,
                published=figure.published,
                tolerance=figure.tolerance,
                library=library,
                variant=variant,
                verdict=verdict,
                note=note,
            )
        )
    return CaseResult(
        case=case,
        figures=tuple(figures),
        version=version,
        missing=missing,
        signature=scorer.signature if scorer else None,
    )


def _library_numbers(
    case: Case, predictions: list[str], references: list[list[str]]
) -> tuple[str | None, str | None, Scores]:
    """Version, reason for its absence, and numbers of the library that a case asks for."""
    if case.library is None:
        return None, None, {}
    library = get_library(case.library.name)
    status = library.status()
    if isinstance(status, Missing):
        return None, f"{library.name}: {status}", {}
    try:
        numbers = library.scores(case.library.call, predictions, references, **case.library.options)
    except Exception as error:  # whatever a foreign library raises is a finding, not the end of the run
        return status.version, f"{library.name} {status} raises {type(error).__name__}: {error}", {}
    return status.version, None, numbers


def _variant_numbers(
    case: Case, scorer: Scorer, predictions: list[str], references: list[list[str]]
) -> Mapping[str, float]:
    if case.variant and case.variant.trace:
        ((prediction, texts),) = zip(predictions, references, strict=True)
        return _traced(scorer, prediction, texts)
    return scorer.corpus(predictions, references).scores


def _traced(scorer: Scorer, prediction: str, references: list[str]) -> Scores:
    """What the n-gram tables of BLEU's trace sum up to; "unclipped" counts whatever some reference holds."""
    found = trace(scorer, prediction, references)
    if not isinstance(found, BleuTrace):
        raise InputError(f"`trace = true` is for BLEU's tables; {scorer.name} has others.")
    rows = [table.rows for table in found.orders]
    count = [sum(row.hypothesis for row in table) for table in rows]
    clipped = [sum(row.clipped for row in table) for table in rows]
    unclipped = [sum(row.hypothesis for row in table if row.maximum) for table in rows]
    return {
        "bleu": found.value,
        "brevity_penalty": found.brevity.penalty,
        **by_order(
            count=count,
            clipped_count=clipped,
            precision=[part / whole for part, whole in zip(clipped, count, strict=True)],
            unclipped_precision=[part / whole for part, whole in zip(unclipped, count, strict=True)],
        ),
    }


def _case(file: str, data: Mapping[str, Any], entry: Mapping[str, Any]) -> Case:
    texts: dict[str, Any] = {}
    for kind in ("predictions", "references"):
        name, known = entry.get(kind), data.get(kind, {})
        if name is not None and name not in known:
            raise InputError(f"{file}: case {entry['id']!r} names {kind} {name!r}; there are {', '.join(known)}.")
        texts[kind] = known.get(name, [])
    library, variant = entry.get("library"), entry.get("variant")
    return Case(
        id=entry["id"],
        metric=entry["metric"],
        document=Document(**data["document"]),
        section=entry["section"],
        call=entry["call"],
        predictions=tuple(texts["predictions"]),
        references=tuple(map(tuple, texts["references"])),
        prepare=tuple(entry.get("prepare", ())),
        library=library
        and LibraryCall(
            name=library["name"],
            call=library.get("call", entry["metric"]),
            options=_hashable(library.get("options", {})),
        ),
        variant=variant
        and VariantCall(
            name=variant["name"],
            overrides=_hashable(variant.get("overrides", {})),
            trace=variant.get("trace", False),
        ),
        # A figure that no library is asked for can only be worked out.
        definition=entry.get("definition", library is None),
        quoted=entry.get("quoted"),
        note=entry.get("note"),
        figures=tuple(map(_figure, entry["figures"])),
    )


def _figure(entry: Mapping[str, Any]) -> Figure:
    quantity = entry.get("quantity", entry["name"])
    return Figure(
        name=entry["name"],
        quantity=(quantity,) if isinstance(quantity, str) else tuple(quantity),
        published=float(Fraction(entry["published"])),
        tolerance=entry.get("tolerance", TOLERANCE),
        errs=entry.get("errs"),
    )


def _hashable(values: Mapping[str, Any]) -> dict[str, Any]:
    """TOML's arrays as tuples, which is what scorers' fields hold."""
    return {key: tuple(value) if isinstance(value, list) else value for key, value in values.items()}


def _checker(schema: Any) -> Callable[[str, Any], None]:
    try:
        from jsonschema import Draft202012Validator
        from jsonschema.exceptions import best_match
    except ImportError as error:
        raise ImportError("The documents' cases need jsonschema: pip install 'metrologue[compare]'.") from error
    validator = Draft202012Validator(schema)

    def check(file: str, data: Any) -> None:
        if (error := best_match(validator.iter_errors(data))) is not None:
            raise InputError(f"{file}: {error.json_path.removeprefix('$.')}: {error.message}")

    return check
