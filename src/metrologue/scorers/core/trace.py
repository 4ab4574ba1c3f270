"""``trace``: how a scorer comes to its number for one segment.

A metric that has its own trace has a module ``trace`` in its home, with a function ``build``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from metrologue.data.intake import checked_index, is_list
from metrologue.errors import InputError, shown
from metrologue.scorers.core.homes import part_beside
from metrologue.scorers.core.inputs import in_form
from metrologue.scorers.core.registry import scorer_and_inputs
from metrologue.scorers.core.result import Result
from metrologue.scorers.core.scorer import Scorer
from metrologue.scorers.core.typed import with_number
from metrologue.segments import Segments
from metrologue.tracing import Block, Trace, scores_trace

# A function that makes a trace of segments. It takes the scorer of one metric.
Builder = Callable[[Any, Segments], Trace]


def trace(
    scorer: Scorer | str,
    prediction: Any = None,
    references: Any = None,
    *,
    index: int = 0,
    segment: int | None = None,
    variant: str | None = None,
    **inputs: Any,
) -> Trace:
    """Show how a scorer comes to its number for one segment.

    Parameters
    ----------
    scorer : Scorer or str
        Any scorer. A str is given to ``make_scorer``: a name such as "bleu:nltk", or a signature.
    prediction : str
        The hypothesis. For an error rate such as WER, also those of all segments, whose most frequent confusions,
        insertions and deletions are shown. For a metric of sets, it may be a set or a list of labels, and so may
        each reference. For a metric of classification, the label, or the labels of all segments.
    references : sequence of str, optional
        Its references. At least one, unless the metric needs no references. For a metric of classification, the right
        label, or the right labels of all segments.
    segment : int, optional
        Which segment of a corpus to show, from 0. Then `prediction`, also called `predictions`, and `references` are
        those of all segments, as for ``score``, and so are the other inputs. A table that the scorer has not yet, such
        as CIDEr's, is made from all of them.
    index : int
        The index of the segment in its file, for a metric that depends on it (`ordered`). Such a metric also takes a
        list of predictions, with the references of each, from this index on.
    variant : str, optional
        One of the metric's variants, as for ``score``.
    **inputs
        The metric's other inputs for this segment, by their names; and values of fields, as for ``score``.

    Returns
    -------
    Trace
        The formula with its numbers, and blocks that show what was counted: the n-grams of each order, an alignment,
        the edits in columns, the similarities of words, the dependency arcs, what each feature adds, or whatever else
        the metric is made of. A metric without a trace of its own shows a table of its numbers. See ``text()``,
        ``html()`` and ``to_dict()``.

    Raises
    ------
    InputError
        If `scorer` does not describe a scorer, the texts do not make a segment, there is no such segment, or the
        variant refuses the texts.

    Examples
    --------
    >>> from metrologue.scorers import Bleu, Rouge
    >>> found = trace(Bleu.variant("nltk", max_order=1), "the the the the the the the",
    ...               ["the cat is on the mat", "there is a cat on the mat"])
    >>> print(found.formula)
    BLEU = 1.000 · exp(1·ln(2/7)) = 0.2857142857142857
    >>> found.table("1-grams").column("clipped")
    (2,)
    >>> print(trace(Rouge(types=("rougeL",)), "the gunman kill police", ["police killed the gunman"]).formula)
    rougeL_fmeasure = 2·0.5·0.5/(0.5 + 0.5) = 0.5
    >>> print(trace("wer", ["a cat", "a dog"], ["a cat", "the dog"], segment=1).formula)
    wer = (1 + 0 + 0)/2 = 0.5
    """
    if not isinstance(scorer, Scorer | str):
        raise InputError(f"trace: `scorer` is {shown(scorer)}; a Scorer is expected.")
    predictions = inputs.pop("predictions", None)
    if predictions is not None and (prediction is not None or segment is None):
        raise InputError(f"trace: `predictions` are those of a corpus; a call is `{_OF_CORPUS}`.")
    prediction = predictions if prediction is None else prediction
    scorer, inputs = scorer_and_inputs(scorer, variant, inputs)
    scorer = with_number(scorer, ())  # a trace shows all numbers
    if segment is not None:
        return _of_corpus(scorer, scorer._to_segments(prediction, references, **inputs), segment)
    if scorer.about.whole_trace and not isinstance(prediction, str | int):
        return _builder(scorer)(
            scorer, in_form(scorer, scorer._to_segments(prediction, references, **inputs)).placed(index)
        )
    if is_list(prediction) and has_report(scorer):
        return report(scorer, prediction, references, **inputs)
    if scorer.takes("texts") and is_list(prediction):
        raise InputError(
            f"trace: `prediction` is {shown(prediction)}; a str is expected, or a corpus and the segment to show: "
            f"`{_OF_CORPUS}`."
        )
    # If references are missing, the message is the same as for a corpus.
    some = () if references is None else references
    texts = [some] if len(some) or scorer.input("references") else None
    others: dict[str, Any] = {name: [value] for name, value in inputs.items()}
    single = in_form(scorer, scorer._to_segments([prediction], texts, **others))
    return _builder(scorer)(scorer, single.placed(index) if scorer.about.by_index else single)


def has_report(scorer: Scorer) -> bool:
    """Whether the metric also shows what is most frequent in all segments: its module ``trace`` has a ``report``."""
    return hasattr(part_beside(type(scorer), "trace"), "report")


def report(
    scorer: Scorer,
    predictions: Any,
    references: Any,
    groups: Mapping[str, Sequence[str]] | None = None,
    **inputs: Any,
) -> Trace:
    """What is most frequent in all segments, and the numbers of each group, such as those of a "speaker"."""
    beside: Any = part_beside(type(scorer), "trace")
    segments = in_form(scorer, scorer._to_segments(predictions, references, **inputs))
    made: Trace = beside.report(scorer, segments, groups or {})
    return made


def trace_of(
    scorer: Scorer,
    result: Result,
    formula: str,
    blocks: Iterable[Block],
    remarks: Iterable[str] = (),
    values: Mapping[str, float] | None = None,
) -> Trace:
    """The trace of a scorer's result: `formula` has the metric's formula with its numbers, and `remarks` its rules.

    The values are the numbers of the result, unless they are given.
    """
    return Trace(
        metric=scorer.name, value=result.value, signature=scorer.signature, formula=formula, remarks=tuple(remarks),
        blocks=tuple(blocks), values=result.scores if values is None else values,
    )  # fmt: skip


_OF_CORPUS = 'trace("bleu", predictions, references, segment=0)'


def _of_corpus(scorer: Scorer, segments: Segments, segment: int) -> Trace:
    """The trace of one segment, whose table comes from all of them."""
    at = checked_index(segment, len(segments), "trace: `segment`")
    if not scorer._is_fitted:
        scorer = scorer.fit(segments)
    return _builder(scorer)(
        scorer, in_form(scorer, segments).slice(at, at + 1).placed(at if scorer.about.by_index else 0)
    )


def _builder(scorer: Scorer) -> Builder:
    """What makes the trace of a scorer: that of its metric, or of the nearest class from which it is derived."""
    beside: Any = part_beside(type(scorer), "trace")
    builder: Builder = beside.build
    return builder


def build(scorer: Scorer, segment: Segments) -> Trace:
    """Every number of one segment: with each reference alone, and with all of them together."""
    prediction, references = segment.pair(0)
    alone = []
    if len(references) > 1:
        pairs = (scorer._to_segments([prediction], [[text]]) for text in references)
        single = (Segments.of_columns({**segment.columns, "references": pair.columns["references"]}) for pair in pairs)
        alone = [scorer.corpus(each).scores for each in single]
    scores = scorer.corpus(segment).scores
    return scores_trace(scorer.name, scorer.signature, scorer.primary, scores, alone)


def factor(scale: float, times: str = " · ") -> str:
    """The scale as the first factor of a formula; nothing for a scale of 1.

    Examples
    --------
    >>> factor(100.0), factor(1.0)
    ('100 · ', '')
    """
    return "" if scale == 1 else f"{scale:g}{times}"
