"""The metrics by their names."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, TypeVar

from metrologue.data.arrays import Floats
from metrologue.errors import InputError, shown
from metrologue.scorers.core.result import Result
from metrologue.scorers.core.scorer import Scorer

__all__ = ["get_scorer", "list_scorers", "make_scorer", "pairwise", "score", "scorer_of"]

ScorerT = TypeVar("ScorerT", bound=Scorer)


def get_scorer(name: str) -> type[Scorer]:
    """The class of a metric.

    Raises
    ------
    InputError
        If there is no metric of that name.

    Examples
    --------
    >>> get_scorer("bleu").__name__
    'Bleu'
    """
    return Scorer._of_name(name)


def list_scorers() -> list[str]:
    """Names of the metrics that have a scorer."""
    return sorted(Scorer._registered)


def make_scorer(metric: Scorer | str, variant: str | None = None, **fields: Any) -> Scorer:
    """The scorer that a name or a signature describes, with a variant and fields.

    Parameters
    ----------
    metric : Scorer or str
        A scorer; a name from ``list_scorers()``, such as "bleu"; a name with a variant, such as "bleu:nltk"; or a
        signature of metrologue or of sacrebleu.
    variant : str, optional
        One of the metric's variants.
    **fields
        Field values that differ from the variant's.

    Raises
    ------
    InputError
        If there is no such metric, variant or field, or a value is out of range; if a variant or fields come with a
        scorer or a signature.

    Examples
    --------
    >>> make_scorer("bleu:nltk", max_order=2) == make_scorer("bleu", "nltk", max_order=2)
    True
    >>> make_scorer("nrefs:1|case:lc|eff:no|tok:13a|smooth:exp|version:2.6.0").lowercase
    True
    """
    if isinstance(metric, str) and "|" in metric:
        metric = Scorer.from_signature(metric)
    if isinstance(metric, Scorer):
        if variant is not None or fields:
            changed = variant or next(iter(fields))
            raise InputError(f"score: `metric` is a scorer or a signature already; leave out {shown(changed)}.")
        return metric
    if not isinstance(metric, str):
        raise InputError(f"score: `metric` is {shown(metric)}; a Scorer, a name or a signature is expected.")
    name, _, own = metric.partition(":")
    kind, whose = get_scorer(name), variant or own
    return scorer_of(kind, whose, fields)


def scorer_of(kind: type[ScorerT], variant: str | None, fields: Mapping[str, Any]) -> ScorerT:
    """The scorer of a class with a variant and field values. It is kept if the same values always make the same one."""
    if not _is_constant(kind, fields):
        return _made(kind, variant, fields)
    # 1, 1.0 and True are equal, but a field takes one of them only.
    found: ScorerT = _kept(kind, variant, tuple((key, type(value), value) for key, value in fields.items()))
    return found


def _made(kind: type[ScorerT], variant: str | None, fields: Mapping[str, Any]) -> ScorerT:
    return kind.variant(variant, **fields) if variant else kind._from_fields(fields)


def _is_constant(kind: type[Scorer], fields: Mapping[str, Any]) -> bool:
    """Whether these values always make the same scorer: no table and no tokenizer that somebody may register anew."""
    declared = kind._options()
    return not kind._table_fields() and all(
        key in declared and (type(value) in (int, float, bool) or (type(value) is str and declared[key].one_of))
        for key, value in fields.items()
    )


@lru_cache(256)
def _kept(kind: type[Any], variant: str | None, fields: tuple[tuple[str, type, Any], ...]) -> Any:
    """A scorer that is made once, so that a score of one pair does not pay for the checks of its fields again."""
    return _made(kind, variant, {key: value for key, _, value in fields})


def score(
    metric: Scorer | str,
    predictions: Any,
    references: Any = None,
    *,
    variant: str | None = None,
    threads: int | None = None,
    confidence: float | None = None,
    confidence_seed: int = 12345,
    **fields: Any,
) -> Result:
    """The score of a corpus, under a metric that is given by its name.

    Parameters
    ----------
    metric : Scorer or str
        A scorer, "bleu", "bleu:nltk" or a signature; see ``make_scorer``.
    predictions : n strings
    references : n strings, or n lists of strings
        None if the metric needs no references. Metrics of sets also take sets or lists of labels.
    variant : str, optional
        The variant: which library's number to give.
    threads : int, optional
        ``$METROLOGUE_THREADS``, or 1, by default; the result is the same for any number.
    confidence : float, optional
        A level such as 0.95: also give a confidence interval of each number, in ``Result.intervals``.
    confidence_seed : int
        The seed of the bootstrap that gives the intervals. (`seed` is a field of some metrics.)
    **fields
        Field values that differ from the variant's, and the metric's other inputs, such as `mask`.

    Returns
    -------
    Result

    Raises
    ------
    InputError
        If there is no such metric, variant or field, or the input has no score.

    Examples
    --------
    >>> import metrologue
    >>> metrologue.score("bleu", ["a b c d e"], ["a b c d x"], variant="nltk").value
    0.668740304976422
    """
    name = metric.name if isinstance(metric, Scorer) else str(metric).partition(":")[0].partition("|")[0]
    taken = get_scorer(name).input_names() if name in Scorer._registered else ()
    inputs = {each: fields.pop(each) for each in taken if each in fields}
    scorer = make_scorer(metric, variant, **fields)
    return scorer.corpus(predictions, references, threads, confidence=confidence, seed=confidence_seed, **inputs)


def pairwise(
    metric: Scorer | str,
    hypotheses: Any,
    references: Any = None,
    variant: str | None = None,
    threads: int | None = None,
    *,
    key: str | None = None,
    **fields: Any,
) -> Floats | list[Floats]:
    """The matrix of the scores of every hypothesis with every reference, under a metric that is given by its name.

    Parameters
    ----------
    metric : Scorer or str
        A scorer, "chrf", "bleu:nltk" or a signature; see ``make_scorer``.
    hypotheses, references, threads, key
        As for ``Scorer.pairwise``: texts, or groups of texts. Without references, the hypotheses meet each other.
    variant : str, optional
        The variant: which library's number to give.
    **fields
        Field values that differ from the variant's.

    Returns
    -------
    float64 (n, m), or a list of such matrices for groups

    Raises
    ------
    InputError
        If there is no such metric, variant or field, or as for ``Scorer.pairwise``.

    Examples
    --------
    >>> import metrologue
    >>> metrologue.pairwise("edit_distance", ["cat", "dog"], ["cats", "do", "cat"])
    array([[1., 3., 0.],
           [4., 1., 3.]])
    """
    return make_scorer(metric, variant, **fields).pairwise(hypotheses, references, threads, key)
