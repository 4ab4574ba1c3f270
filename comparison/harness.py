"""All libraries and all our variants on the same texts: which numbers are equal, and what explains the others."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from itertools import pairwise
from typing import Any

from metrologue.attribution import explain_segments
from metrologue.comparison.causes import find_causes, heaviest_segments
from metrologue.comparison.clusters import clusters_of, group_of
from metrologue.comparison.findings import Comparison, Gap, Number, Sampling, Study
from metrologue.comparison.libraries import Library, Missing, adapters, get_library
from metrologue.comparison.orders import columns_of, flips_of, numbers_by_order, orders_of
from metrologue.comparison.significance import (
    checked_sampling,
    find_winners,
    no_interval,
    tested_flips,
    with_intervals,
)
from metrologue.data.labels import Label, Labels
from metrologue.errors import InputError
from metrologue.language_models import NamedModel, open_model
from metrologue.scorers import Scorer, get_scorer
from metrologue.segments import Segments

__all__ = ["compare", "compare_metrics"]

# From this many bytes on, libraries run in several processes. These take a second to start.
_MUCH_TEXT = 1 << 20


def compare(
    systems: Mapping[str, Sequence[Any]],
    references: Any,
    metric: str = "bleu",
    libraries: Iterable[str] | None = None,
    variants: Iterable[str] | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    processes: int | None = None,
    *,
    model: str | os.PathLike[str] | None = None,
    confidence: float | None = 0.95,
    resamples: int = 1000,
    seed: int | None = None,
    tests: bool = True,
) -> Comparison:
    """Compare every installed library and every variant of ours on the predictions of one or several systems.

    Parameters
    ----------
    systems : mapping of str to sequence of n str
        The predictions of each system, by its name.
    references : n strings, or n lists of strings
        Metrics of labels also take ints, bools, and sets or lists of labels. Metrics of sets take these sets, too.
    metric : str
        One of ``metrologue.scorers.list_scorers()``.
    libraries, variants : iterable of str, optional
        The names of adapters and of variants. Default: all that have the metric.
    progress : callable, optional
        Is called as ``progress(what, done, total)`` after each number.
    processes : int, optional
        How many processes run the libraries. Default: this process for texts below 1 MiB, one per core otherwise.
    model : str or path, optional
        A language model that gives the tokens of the texts their probabilities; see ``open_model``. Libraries that take
        none, and score probabilities that they are given, are left out.
    confidence : float or None
        The level of the intervals of all numbers that our variants give; None: neither intervals nor tests.
    resamples, seed : int, optional
        For intervals and tests; the seed is 12345 by default. All systems and variants share the draws.
    tests : bool
        Whether the best system under each variant is tested against each other system, by the paired bootstrap.

    Returns
    -------
    Comparison
        A library that is missing, or that fails on this input, has a number without a value that says why.

    Raises
    ------
    InputError
        If there is no system, if the texts make no segments, if a metric or variant does not exist, if the level, the
        resamples or the seed are out of range, or if there is a model but no metric that takes one.
    LibraryError
        If an adapter does not exist.

    Examples
    --------
    >>> variants = ["nltk", "sacrebleu"]
    >>> found = compare({"mine": ["a cat sat, here"]}, ["a cat sat, there"], libraries=[], variants=variants)
    >>> for group in found.groups:
    ...     print(f"{group.value:.4f} {group.members}")
    0.0000 ['metrologue nltk']
    0.6687 ['metrologue sacrebleu']
    >>> found.explanations[0].contributions[0].choice
    'tokenizer'
    """
    kind = get_scorer(metric)
    given = _model_fields([kind], model)[kind]
    live = adapters(metric, bool(given)) if libraries is None else [get_library(name) for name in libraries]
    ours = {name: kind.variant(name, **given) for name in (kind.variants() if variants is None else variants)}
    how = checked_sampling(confidence, resamples, seed, tests)
    options = {"model": model} if given else {}
    return _compared(kind.name, live, ours, _texts(systems, references, kind), progress, processes, how, options)


def compare_metrics(
    systems: Mapping[str, Sequence[str]],
    references: Any,
    metrics: Iterable[str],
    libraries: Iterable[str] | None = None,
    variants: Iterable[str] | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    processes: int | None = None,
    *,
    model: str | os.PathLike[str] | None = None,
    confidence: float | None = 0.95,
    resamples: int = 1000,
    seed: int | None = None,
    tests: bool = True,
) -> Study:
    """``compare`` by several metrics. The texts are read once.

    Parameters
    ----------
    systems, references, processes, model, confidence, resamples, seed, tests
        As for ``compare``. Metrics that take no model score the texts without it.
    metrics : iterable of str
    libraries, variants : iterable of str, optional
        As for ``compare``. A metric takes those of them that it has.
    progress : callable, optional
        As for ``compare``; the numbers of all metrics are counted.

    Returns
    -------
    Study

    Raises
    ------
    InputError
        As for ``compare``, if there is no metric, and if no metric has one of the variants.
    LibraryError
        If an adapter does not exist.

    Examples
    --------
    >>> found = compare_metrics({"mine": ["a cat sat"]}, ["a cat"], ["wer", "dice"], libraries=[])
    >>> [(column.metric, column.name, column.points) for column in found.matrix if column.name in ("jiwer", "bigrams")]
    [('wer', 'jiwer', {'mine': 50.0}), ('dice', 'bigrams', {'mine': 72.72727272727273})]
    """
    how = checked_sampling(confidence, resamples, seed, tests)
    kinds = [get_scorer(metric) for metric in dict.fromkeys(metrics)]
    if not kinds:
        raise InputError("compare: `metrics` is empty; give at least one.")
    asked = None if libraries is None else [get_library(name) for name in libraries]
    names = None if variants is None else list(variants)
    for name in names or ():
        if not any(name in kind.variants() for kind in kinds):
            kinds[0].variant(name)  # refuses the name, and says which there are
    jobs = []
    for kind, given in _model_fields(kinds, model).items():
        live = adapters(kind.name, bool(given)) if asked is None else [e for e in asked if kind.name in e.metrics()]
        ours = {name: kind.variant(name, **given) for name in kind.variants() if not names or name in names}
        jobs.append((kind, live, ours, {"model": model} if given else {}))
    # Every metric reads plain texts, but a metric of texts reads no labels and no numbers.
    texts = _texts(systems, references, min(kinds, key=lambda kind: ("to_segments" in _own(kind), kind.takes_labels)))
    total = len(texts) * sum(len(live) + len(ours) for _, live, ours, _ in jobs)
    comparisons, done = [], 0
    for kind, live, ours, options in jobs:

        def tell(what: str, count: int, _: int, first: int = done, metric: str = kind.name) -> None:
            if progress:
                progress(f"{metric}: {what}", first + count, total)

        comparisons.append(_compared(kind.name, live, ours, texts, tell, processes, how, options))
        done += len(texts) * (len(live) + len(ours))
    return Study(comparisons=comparisons)


def _model_fields(
    kinds: Sequence[type[Scorer]], model: str | os.PathLike[str] | None
) -> dict[type[Scorer], dict[str, NamedModel]]:
    """The field `model` of each metric, with the model that the path stands for; {} for a metric without that field."""
    if model is None:
        return {kind: {} for kind in kinds}
    if not any("model" in kind.options() for kind in kinds):
        raise InputError(f"compare: {', '.join(kind.name for kind in kinds)} takes no language model; give no `model`.")
    opened = NamedModel.of(open_model(model))
    return {kind: {"model": opened} if "model" in kind.options() else {} for kind in kinds}


def _own(kind: type[Scorer]) -> set[str]:
    """The names that a metric's classes define themselves, apart from the base of all metrics."""
    return {name for each in kind.__mro__[: kind.__mro__.index(Scorer)] for name in vars(each)}


def _texts(systems: Mapping[str, Any], references: Any, kind: type[Scorer]) -> dict[str, Segments]:
    if not systems:
        raise InputError("compare: `systems` is empty; give the predictions of at least one system, by its name.")
    texts = _segments(systems, references, kind)
    if not all(map(len, texts.values())):
        raise InputError("compare: no segments; a score needs at least one.")
    return texts


def _compared(
    metric: str,
    live: Sequence[Library],
    ours: Mapping[str, Scorer],
    texts: Mapping[str, Segments],
    progress: Callable[[str, int, int], None] | None,
    processes: int | None,
    how: Sampling | None,
    options: Mapping[str, Any],
) -> Comparison:
    kind = get_scorer(metric)
    some = next(iter(ours.values()), kind.variant(next(iter(kind.variants()))))
    numbers: list[Number] = []
    total = len(texts) * (len(live) + len(ours))

    def tick(number: Number) -> None:
        numbers.append(number)
        if progress:
            progress(f"{number.label}, {number.system}", len(numbers), total)

    for number in _of_libraries(live, some, texts, processes, options):
        tick(number)
    for system, segments in texts.items():
        for name, scorer in ours.items():
            tick(_of_variant(name, scorer, some.primary, system, segments))
    order = [("library", library.name) for library in live] + [("variant", name) for name in ours]
    systems_in_order = list(texts)
    numbers.sort(key=lambda n: (systems_in_order.index(n.system), order.index((n.kind, n.name))))
    found = {}
    if how:
        numbers = with_intervals(numbers, ours, texts, how)
        found = find_winners(numbers, ours, texts, how)

    clusters = [cluster for system in texts for cluster in clusters_of(n for n in numbers if n.system == system)]
    columns = columns_of(numbers, list(texts))
    higher = some.higher_is_better[some.primary]
    gaps = _gaps(clusters, ours, texts)
    ends = _ends(clusters)
    widest = _explained(*ends, ours, texts) if ends else None
    flips = flips_of(columns, list(texts), higher)
    count = len(next(iter(texts.values())))
    return Comparison(
        metric=metric,
        primary=some.primary,
        in_points=some.perfect_score is not None,
        systems=list(texts),
        segments=count,
        numbers=numbers,
        groups=[group_of(cluster) for cluster in clusters],
        explanations=gaps,
        orders=orders_of(columns, higher),
        flips=tested_flips(flips, found),
        higher_is_better=higher,
        widest=widest,
        causes=find_causes([widest], ours, texts[widest.system]) if widest else [],
        heaviest=heaviest_segments(ours, {n.name: n.share for n in ends}, ends[0].system, texts[ends[0].system])
        if ends
        else [],
        sampling=how,
        no_interval=no_interval(count) if how else None,
        winners=found,
    )


def _ends(clusters: Iterable[Sequence[Number]]) -> tuple[Number, Number] | None:
    """The least and the greatest number of the system whose variants differ most; None if none differ.

    Infinite numbers have no gap. Of equal numbers the first one is taken.
    """
    known: dict[str, list[Number]] = {}
    for number in _mirrored(clusters):
        if math.isfinite(number.share):
            known.setdefault(number.system, []).append(number)
    pairs = [(own[0], own[-1]) for own in known.values() if len(own) > 1]  # the clusters are sorted
    return max(pairs, key=lambda pair: pair[1].share - pair[0].share, default=None)


def _mirrored(clusters: Iterable[Sequence[Number]]) -> list[Number]:
    """The first variant of each cluster that has one."""
    return [variant for cluster in clusters if (variant := next((n for n in cluster if n.kind == "variant"), None))]


def _segments(systems: Mapping[str, Any], references: Any, kind: type[Scorer]) -> dict[str, Segments]:
    """The segments of each system. The references are read once for all systems."""
    texts: dict[str, Segments] = {}
    for name, predictions in systems.items():
        owner = f"compare, {name}"
        first = next(iter(texts.values()), None)
        if first:
            texts[name] = first.with_predictions(predictions, owner)
        else:
            texts[name] = kind.to_segments(predictions, references, owner)
    return texts


def _of_libraries(
    live: Sequence[Library],
    like: Scorer,
    texts: Mapping[str, Segments],
    processes: int | None,
    options: Mapping[str, Any],
) -> Iterator[Number]:
    """The numbers of the libraries, each as soon as it is ready: one library may take as long as all others."""
    if processes is None:
        processes = -1 if sum(segments.nbytes for segments in texts.values()) >= _MUCH_TEXT else 1
    pairs = {name: _pairs(segments) for name, segments in texts.items()}
    # Library by library: METEOR's program keeps its tables only until other options are asked for.
    work = ((library, like, system, pairs[system], options) for library in live for system in texts)
    if processes == 1:
        yield from (_of_library(*each) for each in work)
    else:
        from joblib import Parallel, delayed

        runner = Parallel(n_jobs=processes, return_as="generator_unordered", batch_size=1)
        yield from runner(delayed(_of_library)(*each) for each in work)


def _pairs(segments: Segments) -> list[tuple[Any, list[Any]]]:
    """Each prediction with its references, as adapters take them: a label is a text, such as "1" for 1 and for True."""
    pairs = [segments.pair(index) for index in range(len(segments))]
    if isinstance(segments.predictions, Labels):
        return [(_as_text(ours), [*map(_as_text, right)]) for ours, right in pairs]
    return pairs


def _as_text(label: Label) -> str:
    return label if isinstance(label, str) else str(int(label))


def _of_library(
    library: Library, like: Scorer, system: str, pairs: Sequence[tuple[str, list[str]]], options: Mapping[str, Any]
) -> Number:
    """A library's number for the metric of the scorer `like`."""
    status = library.status(like.name)
    version = value = missing = None
    if isinstance(status, Missing):
        missing = str(status)
    else:
        version = status.version
        try:
            found = library.scores(like.name, [text for text, _ in pairs], [texts for _, texts in pairs], **options)
        except Exception as error:  # an error of a foreign library is a result and does not end the run
            missing = f"raises {type(error).__name__}: {error}"
        else:
            value = found.get(like.primary)
            if value is None:
                missing = f"gives no {like.primary}"
            elif not math.isfinite(value):
                value, missing = None, f"gives {value}"
    return Number(
        kind="library",
        name=library.name,
        version=version,
        system=system,
        value=value,
        unit=None if like.perfect_score is None else library.scale_of(like.name),
        missing=missing,
        resolution=library.resolution,
        printed_digits=library.printed_digits,
    )


def _of_variant(name: str, scorer: Scorer, primary: str, system: str, segments: Segments) -> Number:
    value = missing = None
    scores: Mapping[str, float] = {}
    if scorer.primary != primary:
        missing = f"gives {scorer.primary}, which is another quantity"
    else:
        try:
            scores = scorer.score_segments(segments).scores
            value = scores[scorer.primary]
        except InputError as error:  # where the mirrored library fails, so does its variant
            missing = str(error)
    return Number(
        kind="variant",
        name=name,
        version=scorer.variants()[name].version,
        system=system,
        value=value,
        unit=scorer.perfect_score,
        missing=missing,
        signature=scorer.signature,
        by_order=numbers_by_order(scorer, scores),
    )


def _gaps(clusters: Sequence[Sequence[Number]], ours: Mapping[str, Scorer], texts: Mapping[str, Segments]) -> list[Gap]:
    pairs = [(a, b) for a, b in pairwise(_mirrored(clusters)) if a.system == b.system]
    return [gap for a, b in pairs if (gap := _explained(a, b, ours, texts))]


def _explained(a: Number, b: Number, ours: Mapping[str, Scorer], texts: Mapping[str, Segments]) -> Gap | None:
    """The gap between two variants' numbers for a system; None if it is infinite, or if a mixture of the two is."""
    if not (math.isfinite(a.share) and math.isfinite(b.share)):
        return None
    try:
        found = explain_segments(ours[a.name], ours[b.name], texts[a.system])
    except InputError:  # a mixture of the two has no score, or an infinite one
        return None
    values = {field.name: getattr(found, field.name) for field in fields(found)}
    return Gap(**values, system=a.system, variant_a=a.name, variant_b=b.name)
