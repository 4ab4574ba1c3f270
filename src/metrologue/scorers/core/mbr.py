"""Minimum Bayes risk decoding: the candidate with the greatest expected utility."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, cast, overload

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.data.intake import are_lists, as_text, grouped_text, listed
from metrologue.errors import InputError, number_of, shown
from metrologue.files.nbest import NBest, checked_weights
from metrologue.scorers.core.homes import part_of
from metrologue.scorers.core.pairwise import pairwise_groups
from metrologue.scorers.core.registry import make_scorer
from metrologue.scorers.core.scorer import Scorer
from metrologue.segments import Segments

# The most pairs whose matrices are in memory at once.
_MOST_PAIRS = 1 << 22


@dataclass(frozen=True, eq=False, repr=False)
class Ranking:
    """The candidates for one input, and how good each one is expected to be.

    Attributes
    ----------
    candidates : tuple of n str
        As they were given.
    utilities : float64 (n,)
        The mean score of each candidate with all references, in the unit of the metric.
    order : tuple of n int
        The indices of the candidates, the best one first. Ties: the first.
    """

    candidates: tuple[str, ...]
    utilities: Floats
    order: tuple[int, ...]

    @property
    def best(self) -> str:
        """The best candidate."""
        return self.candidates[self.index]

    @property
    def index(self) -> int:
        """The index of the best candidate."""
        return self.order[0]

    @property
    def utility(self) -> float:
        """The utility of the best candidate."""
        return float(self.utilities[self.index])

    def __repr__(self) -> str:
        of = number_of(len(self.candidates), "candidate")
        return f"<{type(self).__name__} of {of}: {shown(self.best)} with {self.utility:.4f}>"


@overload
def mbr(metric: Scorer | str, candidates: Sequence[str], *arguments: Any, **options: Any) -> Ranking: ...
@overload
def mbr(
    metric: Scorer | str, candidates: Sequence[Sequence[str]], *arguments: Any, **options: Any
) -> list[Ranking]: ...
def mbr(
    metric: Scorer | str,
    candidates: Any,
    references: Any = None,
    weights: Any = None,
    *,
    variant: str | None = None,
    sources: Any = None,
    aggregate: bool = False,
    threads: int | None = None,
    **fields: Any,
) -> Ranking | list[Ranking]:
    """The candidate with the greatest expected utility: minimum Bayes risk decoding.

    The utility of a candidate is its mean score with all references, which are the candidates themselves unless others
    are given. For a metric such as TER, the least mean is the best.

    Parameters
    ----------
    metric : Scorer or str
        The utility: a scorer, "chrf", "bleu:sacrebleu-sentence" or a signature; see ``make_scorer``.
    candidates : n strings, or g lists of strings
        The candidates for one input, or for each of g inputs.
    references : m strings, or g lists of strings, optional
        Pseudo-references for all inputs, or for each one.
    weights : m numbers, or g lists of numbers, optional
        The weights of the references, or of the candidates if there are no references; equal ones by default.
    variant : str, optional
        The variant: which library's number to take.
    sources : str, or g strings, optional
        For a metric that reads them, the text that the candidates translate. Each text is encoded once, so n candidates
        cost n encodings.
    aggregate : bool
        Whether candidates are compared with the mean of all references at once (chrF): much quicker, and nearly the
        same.
    threads : int, optional
        ``$METROLOGUE_THREADS``, or 1, by default; the result is the same for any number.
    **fields
        Field values that differ from the variant's.

    Returns
    -------
    Ranking, or a list of g of them
        A metric with a table, such as CIDEr, makes it from the references of all inputs, unless it is fitted.

    Raises
    ------
    InputError
        If there is no such metric, variant or field; if a score is not one of two texts; if there are no candidates,
        the shapes do not fit, or weights are negative or all 0; with `aggregate`, if the metric is not chrF.

    Examples
    --------
    >>> found = mbr("chrf", ["a cat sat", "the cat sat", "dogs"])
    >>> found.best, found.utilities.round(1)
    ('the cat sat', array([53. , 57.4, 35.7]))
    >>> [each.index for each in mbr("ter", [["a b", "a c", "a b"], ["x"]])]
    [0, 0]
    """
    scorer = make_scorer(metric, variant, **fields)
    rows = listed(candidates, "candidates", "mbr", of="strings, or of lists of strings,")
    in_groups = are_lists(rows)
    groups = _groups(rows, "candidates") if in_groups else [_texts(rows, "candidates")]
    fixed, others = _references(references, len(groups))
    given = _weights(weights, len(groups), shared=fixed is not None or not in_groups)
    read = _sources(sources, len(groups), in_groups)
    lists = []
    for at, (group, pseudo, weighted) in enumerate(zip(groups, others, given, strict=True)):
        place = f"mbr, candidates[{at}]" if in_groups else "mbr"
        compared = fixed or pseudo or group
        checked = None if weighted is None else checked_weights(weighted, place)
        if checked is not None and len(checked) != len(compared):
            raise InputError(f"{place}: {len(checked)} weights for {number_of(len(compared), 'reference')}.")
        lists.append(NBest(group, pseudo, checked, place, read[at]))
    found = [ranking for _, ranking in ranked(scorer, lists, fixed, aggregate=aggregate, threads=threads)]
    return found if in_groups else found[0]


def _sources(given: Any, groups: int, in_groups: bool) -> list[Any]:
    if given is None:
        return [None] * groups
    texts = [given] if isinstance(given, str) and not in_groups else listed(given, "sources", "mbr")
    texts = [*as_text(texts, "sources", "mbr").to_pylist()]
    if len(texts) != groups:
        raise InputError(
            f"mbr: `sources` are {number_of(len(texts), 'text')} for {number_of(groups, 'list')} of `candidates`; one "
            "for each is expected."
        )
    return texts


def _texts(rows: Any, argument: str) -> list[str]:
    if not len(rows):
        raise InputError(f"mbr: `{argument}` is empty; give at least one string.")
    texts: list[str] = as_text(rows, argument, "mbr").to_pylist()
    return texts


def _groups(rows: Any, argument: str) -> list[list[str]]:
    texts, offsets = grouped_text(rows, "mbr", argument)
    flat = texts.to_pylist()
    return [flat[start:stop] for start, stop in pairwise(offsets.tolist())]


def _references(given: Any, groups: int) -> tuple[list[str] | None, list[list[str] | None]]:
    if given is None:
        return None, [None] * groups
    rows = listed(given, "references", "mbr", of="strings, or of lists of strings,")
    if not are_lists(rows):
        return _texts(rows, "references"), [None] * groups
    own = _groups(rows, "references")
    _check_count(len(own), "references", groups)
    return None, [*own]


def _weights(given: Any, groups: int, shared: bool) -> list[Any]:
    """The weights of each group; with `shared`, one list may be for all."""
    if given is None:
        return [None] * groups
    rows = [each.tolist() if isinstance(each, np.ndarray) else each for each in listed(given, "weights", "mbr")]
    rows = [[*each] if isinstance(each, tuple) else each for each in rows]
    if shared and not any(isinstance(each, list) for each in rows):
        return [rows] * groups
    _check_count(len(rows), "weights", groups)
    return rows


def _check_count(count: int, argument: str, groups: int) -> None:
    if count != groups:
        raise InputError(f"mbr: {number_of(count, 'list')} of `{argument}`, but {groups} of `candidates`.")


def ranked(
    scorer: Scorer,
    lists: Iterable[NBest],
    references: Sequence[str] | None = None,
    *,
    aggregate: bool = False,
    threads: int | None = None,
) -> Iterator[tuple[NBest, Ranking]]:
    """Each n-best list with its ranking, as soon as it is known. A scorer without its table reads all lists first.

    The lists have checked weights. `references` are those of all lists. Other arguments and errors are those of
    ``mbr``.
    """
    if aggregate and not part_of(scorer.name, "aggregate"):
        raise InputError(f"mbr: `aggregate` is for chrf; {scorer.name} has no mean reference.")
    if not scorer._is_fitted:
        lists = [*lists]
        texts = list(references or (text for each in lists for text in each.references or each.candidates))
        scorer = scorer.fit(Segments(texts, texts)) if texts else scorer
    for batch in _batches(lists, references):
        for each, utilities in zip(batch, _utilities(scorer, batch, references, aggregate, threads), strict=True):
            costs = -utilities if scorer.higher_is_better[scorer.primary] else utilities
            order = costs.argsort(kind="stable").tolist()
            yield each, Ranking(tuple(each.candidates), utilities, tuple(order))


def _batches(lists: Iterable[NBest], fixed: Sequence[str] | None) -> Iterator[list[NBest]]:
    batch: list[NBest] = []
    pairs = 0
    for each in lists:
        batch.append(each)
        pairs += len(each.candidates) * len(fixed or each.references or each.candidates)
        if pairs >= _MOST_PAIRS:
            yield batch
            batch, pairs = [], 0
    if batch:
        yield batch


def _utilities(
    scorer: Scorer, batch: Sequence[NBest], fixed: Sequence[str] | None, aggregate: bool, threads: int | None
) -> list[Floats]:
    groups = [each.candidates for each in batch]
    same = fixed is None and all(each.references is None for each in batch)
    references = None if same else [fixed or each.references or each.candidates for each in batch]
    weights = [None if each.weights is None else np.array(each.weights) for each in batch]
    if aggregate:
        beside: Any = part_of(scorer.name, "aggregate")
        return cast("list[Floats]", beside.aggregate_groups(scorer, groups, references, weights))
    sources = [each.source for each in batch if each.source is not None]
    if sources and len(sources) < len(batch):
        place = next(each.place for each in batch if each.source is None)
        raise InputError(f"{place}: there is no source, and other lists have one.")
    others = {"sources": sources} if sources else None
    if fixed is not None and others is None:  # the references are read once for all lists
        flat = [text for group in groups for text in group]
        [matrix] = pairwise_groups(scorer, [flat], [fixed], threads)
        matrices = np.split(matrix, np.cumsum([*map(len, groups)])[:-1])
    else:
        matrices = pairwise_groups(scorer, groups, references, threads, others=others)
    return [np.average(matrix, axis=1, weights=each) for matrix, each in zip(matrices, weights, strict=True)]
