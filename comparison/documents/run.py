"""Runs of cases: the live library, our variant, and a verdict that depends on the numbers alone.

If today's library does not give the published number, other readings of the document are tried: the file's other
references, the alternatives of the case, and the other variants.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from metrologue.comparison.documents.cases import Case, CaseResult, Figure, FigureResult, LibraryCall, VariantCall
from metrologue.comparison.libraries import Missing, Scores, adapters, get_library
from metrologue.errors import InputError
from metrologue.scorers import get_scorer
from metrologue.scorers.core.trace import trace

__all__ = ["VERDICTS", "judge", "run_cases"]

VERDICTS = {
    "reproduced": "the live library and our variant give the published figure",
    "definition": "the document computes it by hand or states it in words, and our scorer gives it",
    "library-changed": "the live library gives another figure today, and our variant gives the same one",
    "document-errs": "the run proves the document wrong",
    "coincidence": "the number is right, but the document comes to it by an error",
    "quoted": "the document quotes it from another source, so there is nothing to run",
    "elsewhere": "a page of this project has it, computed from data that do not come with the package",
    "unavailable": "the library, or the model, cannot be run here",
    "mismatch": "the numbers disagree without a known reason",
}
NUMERALS = ("no", "one", "two", "three", "four", "five")


def run_cases(cases: Iterable[Case], progress: Callable[[Case], None] | None = None) -> list[CaseResult]:
    """Run cases with the live library and with our variant. A missing library does not stop the run.

    Parameters
    ----------
    cases : iterable of Case
        Usually ``load_cases()``.
    progress : callable, optional
        Is called with each case before it runs.

    Returns
    -------
    list of CaseResult
        One result for each case, in order.

    Raises
    ------
    InputError
        If a case's texts make no segments, or its variant does not exist.
    LibraryError
        If there is no adapter for the library that a case names.

    Examples
    --------
    >>> from metrologue.comparison.documents import load_cases
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
        The numbers of the live library and of our variant, on the figure's scale; None if there is no such number.
    definition : bool
        Whether the document computes the figure by hand, so that no library is needed.
    missing : str, optional
        Why the library that the case asks for, or our variant, did not run.

    Returns
    -------
    (str, str)
        One of ``VERDICTS``, and a note. The note is empty if the verdict needs none.

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
        return "mismatch", f"the case says that the document is wrong ({figure.errs}), but the run does not prove it"
    if agree and holds and figure.coincides:
        return "coincidence", figure.coincides
    if agree and holds:
        return "definition" if definition else "reproduced", ""
    if agree and not definition:
        return "library-changed", f"published {figure.published!r}, today {library!r}"
    return "mismatch", "the published figure, the library and our variant should agree"


def _run(case: Case) -> CaseResult:
    version, missing, theirs = _library_numbers(case)
    scorer = None
    try:
        scorer = case.scorer()
        ours = _variant_numbers(case)
    except (InputError, ImportError) as error:  # data or a model that are not here
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
    elif case.computed_in:
        verdict, note = "elsewhere", f"see {case.computed_in}"
    elif case.better_than and variant is not None:
        verdict, note = _judge_order(case, figure, variant)
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


def _judge_order(case: Case, figure: Figure, ours: float) -> tuple[str, str]:
    """The verdict on a case that is to be better than another input, and the number of the other one."""
    scorer = case.scorer()
    assert case.better_than is not None
    assert scorer is not None
    predictions, references = case.better_than
    other = figure.read(_variant_numbers(replace(case, predictions=predictions, references=references))) or 0.0
    is_better = ours > other if scorer.higher_is_better[figure.quantity[0]] else ours < other
    verdict = "definition" if is_better else "mismatch"
    return verdict, f'{ours:.4g}, against {other:.4g} for "{predictions[0]}"'


def _published(case: Case) -> Sequence[Figure]:
    """The case's figures. If the document gives no number, ours for the inputs of ``Case.equals`` stand for it."""
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
    """Another reading for which our variant and the live library both give all published figures, or None."""
    for about, reading in _readings(case):
        try:
            ours = _variant_numbers(reading)
        except InputError:  # a reading that a scorer refuses is not what the document meant
            continue
        if all(figure.given(ours) for figure in case.figures):
            _, _, live = _library_numbers(reading)
            if all(figure.given(live) for figure in case.figures):
                return f"these figures belong to {about}{_agreement(case, theirs)}"
    return None


def _readings(case: Case) -> Iterator[tuple[str, Case]]:
    """Other readings of the case, in words and as a case."""
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
            variant = VariantCall(name=name)
            yield f"{name} with its defaults", replace(case, library=call, variant=variant)


def _agreement(case: Case, theirs: Scores) -> str:
    """The end of a note: the libraries that give, on the stated input, the numbers of the case's own library."""
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
    """The other libraries that have the metric, with their defaults."""
    for library in adapters(case.metric):
        if case.library and library.name != case.library.name:
            yield library.name, LibraryCall(name=library.name, call=case.metric)


def _library_numbers(case: Case) -> tuple[str | None, str | None, Scores]:
    """The version, the reason for an absence, and the numbers of the library that a case asks for."""
    if case.library is None:
        return None, None, {}
    library = get_library(case.library.name)
    status = library.status(case.library.call)
    if isinstance(status, Missing):
        return None, f"{library.name}: {status}", {}
    try:
        numbers = library.scores(case.library.call, *case.prepared(), **case.library.options)
    except Exception as error:  # an error of a foreign library is a result and does not end the run
        return status.version, f"{library.name} {status} raises {type(error).__name__}: {error}", {}
    return status.version, None, numbers


def _variant_numbers(case: Case) -> Mapping[str, float]:
    if case.game:
        return case.game.numbers()
    scorer = case.scorer()
    if scorer is None or case.variant is None:
        return {}
    predictions, references = case.prepared()
    if case.variant.trace:
        ((prediction, texts),) = zip(predictions, references, strict=True)
        return trace(scorer, prediction, texts).values
    with warnings.catch_warnings(action="ignore", category=UserWarning):  # the number is the document's
        return scorer.corpus(predictions, references if any(references) else None).scores
