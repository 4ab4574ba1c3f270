"""Checks for the author of a metric: what each metric keeps, ours and those of other packages.

``check_metric`` runs all of them. ``parametrize_with_checks`` makes a test of each for pytest. A failure is an
AssertionError that says what to change.
"""

from __future__ import annotations

import itertools
import math
import pickle
import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import wraps
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NoReturn

import numpy as np

from metrologue.errors import InputError
from metrologue.scorers import Scorer
from metrologue.scorers.core.engine import segments_for
from metrologue.scorers.core.needs import model_field
from metrologue.scorers.core.numbers import declared_numbers, headings, tabled
from metrologue.scorers.core.options import fitted_fields, options_of
from metrologue.scorers.core.totals import Totals
from metrologue.scorers.core.trace import trace
from metrologue.scorers.core.variants import short_signature, variant_of
from metrologue.segments import Segments

__all__ = ["CHECKS", "Check", "check_metric", "parametrize_with_checks"]

# Segments as columns, by the names of inputs.
Corpus = Mapping[str, Any]
Check = Callable[[Scorer, Sequence[Corpus]], None]

# What every metric of texts reads or refuses: plain texts; then empty ones, other scripts, and odd characters.
_PLAIN = (
    ["the cat sat on the mat", "a dog ran", "one two three four five", "it rains"],
    [["the cat is on the mat", "a cat sat"], ["a dog ran away"], ["one two three four six"], ["it rains"]],
)
_ODD = (
    ["", "  ", "猫が座った", "e\u0301 \u0301", "🙂 👩‍👩‍👧", "\x00 \u2028", "A" * 500, "...", "1,000.5 -3"],
    [["a b"], [""], ["猫が 座った"], ["é"], ["🙂"], ["x\x1cy"], ["a " * 90], ["!"], ["1000.5"]],
)
_LONGEST = 110
_NAMES = re.compile(r"{(\w+)}")

CHECKS: dict[str, Check] = {}


def check_metric(scorer: Scorer, corpora: Sequence[Corpus] | None = None) -> None:
    """Check what the metric of a scorer declares, and what it gives for some texts.

    Parameters
    ----------
    scorer : Scorer
    corpora : sequence of mappings, optional
        Segments to score, each as columns by the names of the inputs: ``{"predictions": [...], "references": [...]}``.
        By default texts of ours, some of them empty or odd. A metric that reads no free text needs its own.

    Raises
    ------
    AssertionError
        By the first check that fails. It says what to change.

    Examples
    --------
    >>> from metrologue.scorers import Bleu
    >>> check_metric(Bleu())
    """
    if corpora is None:
        corpora = _usual(scorer)
        _told(_check_plain)(scorer, corpora)
    for check in CHECKS.values():
        check(scorer, corpora)


def parametrize_with_checks(scorers: Sequence[Scorer], corpora: Sequence[Corpus] | None = None) -> Any:
    """Make a test of pytest for each check of each scorer.

    Parameters
    ----------
    scorers : sequence of Scorer
    corpora : sequence of mappings, optional
        As for ``check_metric``.

    Returns
    -------
    decorator
        Of a test with the argument `check`, which it calls.

    Examples
    --------
    >>> from metrologue.scorers import Bleu, Chrf
    >>> @parametrize_with_checks([Bleu(), Chrf()])
    ... def test_metrics(check):
    ...     check()
    """
    import pytest

    def bound(scorer: Scorer, check: Check) -> Callable[[], None]:
        return lambda: check(scorer, _usual(scorer) if corpora is None else corpora)

    pairs = [(scorer, name, check) for scorer in scorers for name, check in CHECKS.items()]
    return pytest.mark.parametrize(
        "check", [pytest.param(bound(scorer, check), id=f"{scorer.name}-{name}") for scorer, name, check in pairs]
    )


def _usual(scorer: Scorer) -> list[Corpus]:
    """The texts of ours as a metric's inputs, in parts. Odd texts that the metric refuses are left out."""
    plain, odd, *others = (_columns(scorer, *texts) for texts in (_PLAIN, _ODD, [each[::-1] for each in _PLAIN]))
    with _may_refuse():
        scorer.statistics(_segments(scorer, odd))
        others.append(odd)
    return [plain, *others]


def _columns(scorer: Scorer, predictions: list[str], references: list[list[str]]) -> Corpus:
    columns: dict[str, Any] = {}
    for each in scorer.inputs:
        if each.name == "predictions":
            columns[each.name] = predictions
        elif each.name == "references":
            columns[each.name] = references if each.many else [texts[0] for texts in references]
        elif each.required:
            is_number = each.kind.name in ("numbers", "weights")
            columns[each.name] = [[float(len(text))] if is_number else f"{text} and more" for (text, *_) in references]
    return columns


def _fail(scorer: Scorer, said: str) -> NoReturn:
    raise AssertionError(f"{type(scorer).__name__}: {said}")


def _told(check: Check) -> Check:
    """The check; what a metric raises by mistake is told as a failure."""

    @wraps(check)
    def told(scorer: Scorer, corpora: Sequence[Corpus]) -> None:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # what is said of odd texts
                check(scorer, corpora)
        except (AssertionError, InputError):
            raise
        except Exception as error:  # whatever an author's code raises
            label = type(scorer).__name__
            said = str(error).removeprefix(f"{label}: ")
            raise AssertionError(f"{label}: {check.__name__}: {type(error).__name__}: {said}") from error

    return told


def _check(check: Check) -> Check:
    """Enter a check."""
    CHECKS[check.__name__.removeprefix("check_")] = _told(check)
    return check


@contextmanager
def _may_refuse() -> Iterator[None]:
    """For texts that a metric may refuse, with an InputError."""
    try:
        yield
    except InputError:
        return


def _check_plain(scorer: Scorer, corpora: Sequence[Corpus]) -> None:
    """The metric gives a number for plain texts."""
    try:
        scorer.segments(**corpora[0])
        scorer.corpus(**corpora[0])
    except InputError as error:
        _fail(scorer, f"plain texts have no score ({error}); give `corpora` that the metric can read.")


def _segments(scorer: Scorer, corpus: Corpus, first: int = 0) -> Segments:
    return segments_for(scorer, **corpus).placed(first)


def _together(corpora: Sequence[Corpus]) -> dict[str, Any]:
    """The segments of all corpora, one after another."""
    return {name: [row for corpus in corpora for row in corpus[name]] for name in corpora[0]}


def _part(corpus: Corpus, start: int, stop: int) -> dict[str, Any]:
    return {name: rows[start:stop] for name, rows in corpus.items()}


def _fitted(scorer: Scorer, corpus: Corpus) -> Scorer:
    """The scorer with the tables of these segments, if it has tables."""
    return scorer.fit(_segments(scorer, corpus)) if fitted_fields(type(scorer)) else scorer


def _same(one: Any, other: Any) -> bool:
    return bool(np.array_equal(one, other, equal_nan=True))


@_check
def check_declarations(scorer: Scorer, corpora: Sequence[Corpus]) -> None:
    """Numbers, options and inputs are declared once each, and are told in words."""
    kind = type(scorer)
    if not kind.__doc__:
        _fail(scorer, "the class has no docstring; say in one line what the number is.")
    for what, names in (("columns", [*scorer.columns]), ("numbers", [one.name for one in declared_numbers(kind)])):
        conditions = {one.name for one in declared_numbers(kind) if one.when}
        if twice := [name for name in names if names.count(name) > 1 and name not in conditions]:
            _fail(scorer, f"{twice[0]!r} stands twice among its {what}; give each its own name.")
    if scorer.inputs[0].name != "predictions":
        _fail(scorer, f"the first of `inputs` is {scorer.inputs[0].name!r}; it must be 'predictions'.")
    if scorer.primary not in scorer.range:
        _fail(scorer, f"`numbers` lacks {scorer.primary!r}, which is the score.")
    for one in declared_numbers(kind):
        if not one.about or one.about != " ".join(one.about.split()) or one.about.endswith("."):
            _fail(
                scorer, f"the number {one.name!r}: `about` is {one.about!r}; a phrase without a final stop is expected."
            )
        if len(one.about) > _LONGEST:
            _fail(scorer, f"the number {one.name!r}: `about` is longer than {_LONGEST} characters; tables show it.")
        for text in (one.about, one.title, one.heading or ""):
            if unknown := {*_NAMES.findall(text)} - {*_NAMES.findall(one.name)}:
                _fail(scorer, f"the number {one.name!r}: {text!r} has {{{min(unknown)}}}, which its name has not.")
        if unknown := {*re.findall(r"`(\w+)`", one.about)} - {*options_of(kind)}:
            _fail(scorer, f"the number {one.name!r}: `about` names `{min(unknown)}`, which is no option.")
    for name, declared in options_of(kind).items():
        if not declared.about.endswith((".", ".)")):
            _fail(
                scorer, f"the option `{name}`: `about` is {declared.about!r}; a sentence with a final stop is expected."
            )
        for value, about in (declared.one_of or {}).items():
            if not about or about != about.strip() or about.endswith("."):
                _fail(
                    scorer, f"the option `{name}`: {value!r} is told as {about!r}; a phrase without a stop is expected."
                )
    listed = {name: condition for _, names, condition in tabled(scorer) for name in names}
    if unlisted := {*scorer.range} - {*listed}:
        _fail(scorer, f"the number {min(unlisted)!r} is reported, and no declaration has it.")
    if unknown := {key for keys in headings(scorer).values() for key in keys} - {*scorer.range}:
        _fail(scorer, f"a heading has the number {min(unknown)!r}, which is not reported.")


@_check
def check_numbers(scorer: Scorer, corpora: Sequence[Corpus]) -> None:
    """`_score` gives the declared numbers, in their ranges, for corpora and for segments, and for many at once."""
    for corpus in corpora:
        with _may_refuse():
            rows = scorer.statistics(_segments(scorer, corpus))
            expected = (len(next(iter(corpus.values()))), len(scorer.columns))
            if rows.shape != expected or rows.dtype != np.float64:
                _fail(scorer, f"the rows are {rows.dtype} {rows.shape}; float64 {expected} is expected.")
            _check_ranges(scorer, scorer.score(rows))
            _check_ranges(scorer, scorer.score(scorer.aggregate(rows)))
    for corpus in corpora:
        with _may_refuse():
            rows = scorer.statistics(_segments(scorer, corpus))
            many, single = scorer.score(np.stack([rows, rows[::-1]])), [scorer.score(row) for row in rows]
            for name in scorer.range:
                alone = [float(numbers[name]) for numbers in single]
                if not np.allclose(many[name][0], alone, rtol=1e-15, atol=0, equal_nan=True):
                    _fail(
                        scorer,
                        f"`_score` gives another `{name}` for one row than for many at once; take the columns by "
                        "`by_name` or `[..., i]`, and no function of all rows.",
                    )


def _check_ranges(scorer: Scorer, numbers: Mapping[str, Any]) -> None:
    if [*numbers] != [*scorer.range]:
        _fail(scorer, f"`_score` gives {', '.join(numbers)}; `numbers` declares {', '.join(scorer.range)}.")
    if directed := {*scorer.higher_is_better} - {*numbers}:
        _fail(scorer, f"the number {min(directed)!r} has a direction, and is not reported.")
    for name, (least, greatest) in scorer.range.items():
        values = np.asarray(numbers[name], float)
        rounded = greatest * (1 + 1e-9) if math.isfinite(greatest) else greatest
        if (outside := values[(values < least) | (values > rounded)]).size:
            _fail(
                scorer,
                f"`{name}` is {outside.flat[0]:g}, out of its range of {least:g} to {greatest:g}; correct `_score`, or "
                "the limits in `numbers`.",
            )


@_check
def check_addition(scorer: Scorer, corpora: Sequence[Corpus]) -> None:
    """The row of a segment is the same in any company and in any order."""
    whole = _together(corpora)
    with _may_refuse():
        scorer = _fitted(scorer, whole)
        starts = [0, *itertools.accumulate(len(corpus["predictions"]) for corpus in corpora)]
        firsts = starts if scorer.about.by_index else [0] * len(starts)
        parts = [
            scorer.statistics(_segments(scorer, corpus, first)) for corpus, first in zip(corpora, firsts, strict=False)
        ]
        expected, near = scorer.statistics(_segments(scorer, whole)), scorer.about.tolerance
        _check_rows(scorer, np.concatenate(parts), expected, near, "in a part of the segments")
        if not scorer.about.by_index:
            turned = {name: rows[::-1] for name, rows in whole.items()}
            backwards = scorer.statistics(_segments(scorer, turned))[::-1]
            _check_rows(scorer, backwards, expected, near, "in another order of the segments")


def _check_rows(scorer: Scorer, rows: Any, expected: Any, near: float, where: str) -> None:
    wrong = np.flatnonzero(~np.isclose(rows, expected, rtol=near, atol=near, equal_nan=True).all(axis=1))
    if wrong.size:
        _fail(
            scorer,
            f"the row of segment {wrong[0]}, counted from 0, is {rows[wrong[0]].tolist()} {where}, and otherwise "
            f"{expected[wrong[0]].tolist()}; count each segment from its own texts alone.",
        )


@_check
def check_threads(scorer: Scorer, corpora: Sequence[Corpus]) -> None:
    """Several threads give the same numbers, to the last bit."""
    for corpus in corpora:
        with _may_refuse():
            alone = scorer.segment_scores(**corpus)
            for name, values in scorer.segment_scores(**corpus, threads=3).items():
                if not _same(values, alone[name]):
                    _fail(scorer, f"`{name}` differs with three threads; keep nothing in the scorer while it counts.")


@_check
def check_merging(scorer: Scorer, corpora: Sequence[Corpus]) -> None:
    """Totals of parts, merged in any order, saved or not, are those of the whole."""
    whole = _together(corpora)
    with _may_refuse():
        scorer, size = _fitted(scorer, whole), len(whole["predictions"])
        expected = scorer.accumulate(**whole)
        starts = [*itertools.accumulate(len(corpus["predictions"]) for corpus in corpora)]
        limits = sorted({0, size // 3, *starts, size})
        parts = [scorer.accumulate(**_part(whole, *each), first=each[0]) for each in itertools.pairwise(limits)]
        parts = [scorer.accumulate([], []), *parts, scorer.accumulate([], [])]
        batches = None
        for start, stop in itertools.pairwise(limits):
            batches = scorer.accumulate(**_part(whole, start, stop), totals=batches)
        one, other = _merged(parts), _merged([Totals.from_bytes(each.to_bytes()) for each in parts[::-1]])
        for told, found in (("merged", one), ("merged backwards", other), ("counted in batches", batches)):
            if found is None or _saved(found) != _saved(expected):
                _fail(scorer, f"the totals of parts, {told}, are not those of the whole; the rows must add up.")
            if _outcome(scorer, found) != _outcome(scorer, expected):
                _fail(scorer, f"the score of parts, {told}, is not that of the whole.")
        result = scorer.corpus(**whole)
        if strange := [name for name, value in result.scores.items() if type(value) not in (int, float)]:
            _fail(scorer, f"`{strange[0]}` is {result.scores[strange[0]]!r}; an int or a float is expected.")
        for name, value in scorer.score_totals(one).scores.items():
            if not np.isclose(value, result.scores[name], rtol=1e-13, atol=0, equal_nan=True):
                _fail(scorer, f"`{name}` is {value!r} of totals, and {result.scores[name]!r} of all segments at once.")


def _saved(totals: Totals) -> bytes:
    """The file of totals, which is the same for equal totals."""
    with TemporaryDirectory() as folder:
        totals.save(Path(folder, "totals.json"))
        return Path(folder, "totals.json").read_bytes()


def _merged(parts: Sequence[Totals]) -> Totals:
    first, *others = parts
    for other in others:
        first = first.merge(other)
    return first


def _outcome(scorer: Scorer, totals: Totals) -> Mapping[str, Any] | str:
    """The numbers, or the message of the error."""
    try:
        return dict(scorer.score_totals(totals).scores)
    except InputError as error:
        return str(error)


@_check
def check_nothing(scorer: Scorer, corpora: Sequence[Corpus]) -> None:
    """Nothing has no score, and no rows; totals of nothing change nothing."""
    label, nothing = type(scorer).__name__, segments_for(scorer, [], [])
    for call in (scorer.corpus, lambda each: scorer.corpus(each, confidence=0.9)):
        try:
            call(nothing)
        except InputError as error:
            if not str(error).startswith(f"{label}: no segments; a score needs at least one"):
                _fail(scorer, f"of no segments it says {str(error)!r}; leave this error to the base.")
        else:
            _fail(scorer, "it has a score of no segments; leave `aggregate` to the base.")
    if scorer.statistics(nothing).shape != (0, len(scorer.columns)):
        _fail(scorer, f"no segments have {scorer.statistics(nothing).shape} rows; leave `statistics` to the base.")
    found = {name: each.shape for name, each in scorer.segment_scores(nothing).items()}
    if found != dict.fromkeys(scorer.range, (0,)):
        _fail(scorer, f"no segments have the numbers {found}.")
    with _may_refuse():
        scorer = _fitted(scorer, corpora[0])
        empty = scorer.accumulate([], [])
        for totals in (empty, empty.merge(empty), scorer.accumulate([], [], empty), scorer.accumulate([], first=9)):
            if "no segments; a score needs at least one" not in str(_outcome(scorer, totals)):
                _fail(scorer, "totals of no segments have a score.")
        if scorer.accumulate([], first=9).end not in (0, 9):
            _fail(scorer, "a part of no segments has another place than it was given.")


@_check
def check_signatures(scorer: Scorer, corpora: Sequence[Corpus]) -> None:
    """A scorer comes back from its signatures, and each option is in them."""
    for each in (scorer, *_others(scorer)):
        _check_signature(each, each.signature)
    with _may_refuse():
        _check_signature(scorer, short_signature(scorer))
    signatures = [each.signature for each in _others(scorer)]
    if scorer.signature in signatures or len({*signatures}) < len(signatures):
        _fail(scorer, "two scorers with other options have one signature.")


def _check_signature(scorer: Scorer, signature: str) -> None:
    if len(signature.split()) != 1:
        _fail(scorer, f"its signature has whitespace: {signature!r}.")
    again = Scorer.from_signature(signature)
    if again != scorer or hash(again) != hash(scorer):
        _fail(scorer, f"{signature} gives another scorer, {again.signature}.")


def _others(scorer: Scorer) -> Iterator[Scorer]:
    """Scorers with another value of one option, where its declaration names values."""
    for name, declared in options_of(type(scorer)).items():
        value = getattr(scorer, name)
        others: Sequence[Any] = [*(declared.one_of or ())] if isinstance(value, str) else ()
        if isinstance(value, bool):
            others = [not value]
        elif isinstance(value, int | float) and value + 1 <= (declared.greatest or value):
            others = [value + 1]
        for other in others:
            if other != value:
                with _may_refuse():
                    yield replace(scorer, **{name: other})


@_check
def check_options(scorer: Scorer, corpora: Sequence[Corpus]) -> None:
    """Each value that an option names gives numbers in their ranges, or refuses the texts."""
    for each in _others(scorer):
        with _may_refuse():
            rows = each.statistics(_segments(each, corpora[0]))
            _check_ranges(each, each.score(each.aggregate(rows)))


@_check
def check_variants(scorer: Scorer, corpora: Sequence[Corpus]) -> None:
    """Each variant makes a scorer, which is known as that variant, or as an equal one before it."""
    kind = type(scorer)
    for name, variant in kind.variants().items():
        if unknown := {*variant.fields} - {*options_of(kind)}:
            _fail(scorer, f"the variant {name!r} sets `{min(unknown)}`, which is no option.")
        made = kind.variant(name)
        found = variant_of(made)
        if found is None or kind.variant(found) != made:
            _fail(scorer, f"the variant {name!r} is not known by its fields; a default may depend on another option.")
        if f"|mirrors={kind.variants()[found].named('-')}|" not in made.signature:
            _fail(scorer, f"the signature of the variant {name!r} does not say what it mirrors: {made.signature}")


@_check
def check_copies(scorer: Scorer, corpora: Sequence[Corpus]) -> None:
    """A pickled scorer is the same scorer, also after it has scored."""
    field = model_field(type(scorer))
    if field and getattr(scorer, field) is not None:
        return  # a user's model may be any object
    with _may_refuse():
        scorer.corpus(**corpora[0])
    try:
        again = pickle.loads(pickle.dumps(scorer))
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        _fail(scorer, f"it cannot be pickled ({error}); define the class in a module, and keep plain values in fields.")
    if again != scorer or again.signature != scorer.signature:
        _fail(scorer, "pickled, it is another scorer; its fields must be all that it is made of.")


@_check
def check_trace(scorer: Scorer, corpora: Sequence[Corpus]) -> None:
    """The trace of a segment has the number of that segment."""
    if scorer.about.whole_trace:
        return
    with _may_refuse():
        scorer = _fitted(scorer, corpora[0])
        shown = trace(scorer, segment=0, **corpora[0])
        value = float(scorer.segments(**corpora[0])[0])
        if not np.isclose(shown.value, value, rtol=1e-9, atol=1e-12, equal_nan=True):
            _fail(scorer, f"the trace of a segment shows {shown.value!r}, and its score is {value!r}.")
        if not shown.text() or not shown.html():
            _fail(scorer, "its trace is empty.")


@_check
def check_pairs(scorer: Scorer, corpora: Sequence[Corpus]) -> None:
    """Each prediction has with each reference the score that the two have alone."""
    if {*corpora[0]} != {"predictions", "references"} or not scorer.about.two_texts or scorer.about.by_index:
        return
    with _may_refuse():
        scorer = _fitted(scorer, corpora[0])
        predictions = [*corpora[0]["predictions"]][:3]
        others = [row if isinstance(row, str) else row[0] for row in corpora[0]["references"]][:2]
        found = scorer.pairwise(predictions, others)
        for i, j in np.ndindex(len(predictions), len(others)):
            alone = scorer.segments([predictions[i]], [others[j]])[0]
            near = max(scorer.about.tolerance, 1e-12)
            if not np.isclose(found[i][j], alone, rtol=near, atol=near, equal_nan=True):
                _fail(scorer, f"`pairwise` gives {found[i][j]} for a pair that alone scores {alone}.")
