"""The documents' figures, run again: what was published, what the live library says now, and what our variant says.

A case is data, in the TOML files beside this one: the texts, the library's call, our variant, the figures. Nothing
here knows one case from another, so that a verdict comes from the numbers alone. Where the library of today does not
give what was published, what else the document could have meant is tried: the file's other references, the changes
that the case allows for, the other variants.
"""

from __future__ import annotations

import json
import math
import tomllib
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from metrologue.comparison.libraries import Missing, Scores, adapters, get_library
from metrologue.comparison.libraries.base import by_order
from metrologue.errors import InputError
from metrologue.scorers import Scorer, get_scorer
from metrologue.tokenizers import register_tokenizer
from metrologue.trace import BleuTrace, RougeTrace, trace

__all__ = [
    "VERDICTS",
    "Alternative",
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
NUMERALS = ("no", "one", "two", "three", "four", "five")

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
    ['bleu-identity', 'bleu-trace', 'bleu-clip', 'meteor-pl', 'rouge-fox', 'rouge-fox-pltrdy']
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
        _register(data.get("tables", {}))
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
        Why the library that the case asks for, or our variant, did not run.

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
    if variant is None and missing:
        return "unavailable", "our variant gives no number here either"
    if variant is None or figure.published is None:
        return "mismatch", f"our scorer gives no {' or '.join(figure.quantity)}"
    holds = figure.equal(variant, figure.published)
    if missing and (figure.errs or not definition):
        return "unavailable", f"our variant {'equals' if holds else 'differs from'} the published figure"
    if library is None and not definition:
        return "mismatch", f"the library gives no {' or '.join(figure.quantity)}"
    agree = library is None or figure.equal(library, variant)
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
    version, missing, theirs = _library_numbers(case)
    scorer = case.scorer()
    try:
        ours = _variant_numbers(case)
    except InputError as error:  # lexical data that are not here
        ours, missing = {}, missing or str(error)
    figures = _published(case)
    judged = [_judge(case, figure, theirs, ours, missing) for figure in figures]
    if any(result.verdict == "library-changed" for result in judged) and (note := _misreading(case, theirs)):
        judged = [
            replace(result, verdict="document-errs", note=note) if result.verdict == "library-changed" else result
            for result in judged
        ]
    return CaseResult(
        case=case,
        figures=tuple(judged),
        version=version,
        missing=missing,
        signature=scorer.signature if scorer else None,
    )


def _judge(case: Case, figure: Figure, theirs: Scores, ours: Mapping[str, float], missing: str | None) -> FigureResult:
    library, variant = figure.read(theirs), figure.read(ours)
    if case.quoted:
        verdict, note = "quoted", f"quoted from {case.quoted}"
    else:
        verdict, note = judge(figure, library, variant, definition=case.definition, missing=missing)
    return FigureResult(
        name=figure.name,
        published=figure.published,
        tolerance=figure.tolerance,
        library=library,
        variant=variant,
        verdict=verdict,
        note=note,
        decimals=figure.decimals,
    )


def _published(case: Case) -> Sequence[Figure]:
    """The case's figures; where the document gives no number, ours for the inputs that it says are equal."""
    if not case.equals or case.variant is None:
        return case.figures
    rows = []
    for predictions, references, overrides in case.equals:
        variant = replace(case.variant, overrides={**case.variant.overrides, **overrides})
        rows.append(_variant_numbers(replace(case, predictions=predictions, references=references, variant=variant)))
    figures = []
    for figure in case.figures:
        found = [value for row in rows if (value := figure.read(row)) is not None]
        figures.append(replace(figure, published=math.fsum(found) / len(rows) if len(found) == len(rows) else None))
    return figures


def _misreading(case: Case, theirs: Scores) -> str | None:
    """Of what else the published figures are, where our variant and the live library both give every one for it."""
    for about, reading in _readings(case):
        try:
            ours = _variant_numbers(reading)
        except InputError:  # what a scorer refuses is not what the document meant
            continue
        if all(figure.given(ours) for figure in case.figures):
            _, _, live = _library_numbers(reading)
            if all(figure.given(live) for figure in case.figures):
                return f"these figures belong to {about}{_agreement(case, theirs)}"
    return None


def _readings(case: Case) -> Iterator[tuple[str, Case]]:
    """What else the case could have meant, in words and as a case."""
    for name, others in case.other_references.items():
        joined = tuple(own + more for own, more in zip(case.references, others, strict=True))
        counts = " or ".join(NUMERALS[n] if n < len(NUMERALS) else str(n) for n in sorted(set(map(len, joined))))
        yield f"{counts} references, with those called {name!r}", replace(case, references=joined)
        yield f"the references called {name!r}", replace(case, references=others)
    if case.library and case.variant:
        for alternative in case.alternatives:
            library = replace(case.library, options={**case.library.options, **alternative.options})
            variant = replace(case.variant, overrides={**case.variant.overrides, **alternative.overrides})
            yield alternative.about, replace(case, library=library, variant=variant)
    for name, call in _other_libraries(case):
        if name in get_scorer(case.metric).variants():
            variant = VariantCall(name=name, overrides={}, trace=False)
            yield f"{name} as it comes", replace(case, library=call, variant=variant)


def _agreement(case: Case, theirs: Scores) -> str:
    """The libraries that give, on the stated input, what the case's own library gives there, as the end of a note."""
    agreeing = []
    for name, call in _other_libraries(case):
        _, _, numbers = _library_numbers(replace(case, library=call))
        pairs = [(figure, figure.read(theirs), figure.read(numbers)) for figure in case.figures]
        shared = [figure.equal(a, b) for figure, a, b in pairs if a is not None and b is not None]
        if shared and all(shared):
            agreeing.append(name)
    if not agreeing or case.library is None:
        return ""
    *first, last = case.library.name, *agreeing
    return f"; on the stated input {', '.join(first)} and {last} agree to the printed digits"


def _other_libraries(case: Case) -> Iterator[tuple[str, LibraryCall]]:
    """The other libraries that have the metric, as they come."""
    for library in adapters(case.metric):
        if case.library and library.name != case.library.name:
            yield library.name, LibraryCall(name=library.name, call=case.metric, options={})


def _library_numbers(case: Case) -> tuple[str | None, str | None, Scores]:
    """Version, reason for its absence, and numbers of the library that a case asks for."""
    if case.library is None:
        return None, None, {}
    library = get_library(case.library.name)
    status = library.status(case.library.call)
    if isinstance(status, Missing):
        return None, f"{library.name}: {status}", {}
    try:
        numbers = library.scores(case.library.call, *case.prepared(), **case.library.options)
    except Exception as error:  # whatever a foreign library raises is a finding, not the end of the run
        return status.version, f"{library.name} {status} raises {type(error).__name__}: {error}", {}
    return status.version, None, numbers


def _variant_numbers(case: Case) -> Mapping[str, float]:
    scorer = case.scorer()
    if scorer is None or case.variant is None:
        return {}
    predictions, references = case.prepared()
    if case.variant.trace:
        ((prediction, texts),) = zip(predictions, references, strict=True)
        return _traced(scorer, prediction, texts)
    return scorer.corpus(predictions, references).scores


def _traced(scorer: Scorer, prediction: str, references: list[str]) -> Scores:
    """What BLEU's tables sum up to ("unclipped" counts whatever some reference holds); ROUGE's hits and totals."""
    found = trace(scorer, prediction, references)
    if isinstance(found, RougeTrace):
        return {
            f"{kind.name}_{part}": math.fsum(getattr(overlap, part) for overlap in kind.overlaps)
            for kind in found.types
            for part in ("hits", "hypothesis", "reference")
        }
    if not isinstance(found, BleuTrace):
        raise InputError(f"`trace = true` is for BLEU and ROUGE; {scorer.name} has no such numbers.")
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
    references: dict[str, References] = {
        name: tuple(map(tuple, texts)) for name, texts in data.get("references", {}).items()
    }

    def named(kind: str, source: Mapping[str, Any]) -> Any:
        name, known = source.get(kind, entry.get(kind)), data.get(kind, {})
        if name is not None and name not in known:
            raise InputError(f"{file}: case {entry['id']!r} names {kind} {name!r}; there are {', '.join(known)}.")
        return name

    def texts(source: Mapping[str, Any]) -> tuple[tuple[str, ...], References]:
        return (
            tuple(data.get("predictions", {}).get(named("predictions", source), ())),
            references.get(named("references", source), ()),
        )

    predictions, own = texts(entry)
    library, variant = entry.get("library"), entry.get("variant")
    return Case(
        id=entry["id"],
        metric=entry["metric"],
        document=Document(**data["document"]),
        section=entry["section"],
        call=entry["call"],
        predictions=predictions,
        references=own,
        other_references={
            name: others for name, others in references.items() if others != own and len(others) == len(own)
        },
        equals=tuple((*texts(source), _hashable(source.get("overrides", {}))) for source in entry.get("equals", ())),
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
        alternatives=tuple(
            Alternative(
                about=alternative["about"],
                options=_hashable(alternative.get("options", {})),
                overrides=_hashable(alternative.get("overrides", {})),
            )
            for alternative in entry.get("alternatives", ())
        ),
        # A figure that no library is asked for can only be worked out.
        definition=entry.get("definition", library is None),
        quoted=entry.get("quoted"),
        note=entry.get("note"),
        figures=tuple(map(_figure, entry["figures"])),
    )


def _register(tables: Mapping[str, Mapping[str, Sequence[Sequence[str]]]]) -> None:
    """Let scorers find a document's own tables by their names."""
    if not tables:
        return
    from metrologue.lexicon import register_paraphrases, register_stems, register_synonyms

    kinds = {"stems": register_stems, "synonyms": register_synonyms, "paraphrases": register_paraphrases}
    for kind, named in tables.items():
        for name, rows in named.items():
            kinds[kind](name, rows)


def _figure(entry: Mapping[str, Any]) -> Figure:
    quantity = entry.get("quantity", entry["name"])
    return Figure(
        name=entry["name"],
        quantity=(quantity,) if isinstance(quantity, str) else tuple(quantity),
        published=float(Fraction(entry["published"])) if "published" in entry else None,
        tolerance=entry.get("tolerance", TOLERANCE),
        decimals=entry.get("decimals"),
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
