"""The parts of a Space's page that depend on its texts, as HTML."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from metrologue.attribution import explain_segments
from metrologue.comparison.showing.bars import Score, bars_of
from metrologue.comparison.showing.why import why
from metrologue.comparison.which.search import families, which
from metrologue.errors import InputError
from metrologue.files.lines import read_lines
from metrologue.files.records import TABLES, kind_of
from metrologue.files.turns import as_turns
from metrologue.inference import PairedResult, paired_test
from metrologue.pages.boxes import (
    holds_turns,
    is_grouped,
    lines_in,
    predictions_of,
    require_short,
    rows,
    split_groups,
    written,
)
from metrologue.pages.examples import pages_of
from metrologue.pages.formulas import definition_html, list_definitions
from metrologue.pages.links import to_link
from metrologue.pages.models import (
    LONGEST_TEXT,
    PageModel,
    can_have_a_model,
    field_of,
    has_sample,
    named_alone,
    opened,
    require_size,
    said_of_model,
    said_without_model,
)
from metrologue.pages.rendering import answer
from metrologue.pages.words import Coloured, coloured_words
from metrologue.scorers import Scorer, get_scorer, list_scorers
from metrologue.scorers.core.engine import check_inputs, hints_of, is_fitted, segments_for
from metrologue.scorers.core.needs import model_kind, needs_model
from metrologue.scorers.core.numbers import perfect_score
from metrologue.scorers.core.trace import trace
from metrologue.scorers.families.classification.base import OfLabels
from metrologue.scorers.families.dialogues import OfDialogues
from metrologue.segments import Segments
from metrologue.tracing import Alignment, Block, Legend, Matrix, Trace
from metrologue.tracing.html import render_html
from metrologue.tracing.notebook import Markup

# The metrics with pictures of an alignment, and the blocks of their traces that are pictures or explain them.
_PICTURES: Mapping[str, tuple[type[Block], ...]] = {
    "meteor": (Legend, Alignment),
    "bertscore": (Legend, Alignment, Matrix),
}
# A search through all metrics has so many seconds of a processor: others wait for it.
_SEARCH = 10.0
# So many characters are coloured and traced: longer pages would take long to make, and nobody reads them.
_LONGEST_SHOWN = 20_000


class Shown(NamedTuple):
    """The parts of a page that depend on its texts and on the chosen variant. All but the last two are HTML.

    Attributes
    ----------
    numbers : str
        The score of every variant, as bars on one scale.
    words : str
        One segment with its matching words in colours, and the link to the texts.
    trace : str
        How that segment got its score.
    printed : str
        Every variant with its version, and the score as its library prints it.
    signature : str
        The choices behind the chosen variant.
    scores : dict of str to float
        All its numbers.
    """

    numbers: str
    words: str = ""
    trace: str = ""
    printed: str = ""
    signature: str = ""
    scores: Mapping[str, float] = {}


Model = PageModel | str | None


@lru_cache(maxsize=1)  # a page asks for the same one at each key
def _opened(metric: str, model: PageModel | str) -> Any:
    """The model or parser that a visitor chose; without one, a learned metric has the one of metrologue's sample."""
    if model:
        return opened(metric, model)
    from metrologue.learned import sample_model

    return sample_model(metric)


def _scorer(metric: str, variant: str, model: Model) -> Scorer:
    """The scorer of a variant, with a model if there is one and it takes one. A hidden box gives None."""
    kind, field = get_scorer(metric), field_of(metric)
    fields = {field: _opened(metric, model or "")} if field and (model or has_sample(metric)) else {}
    return kind.variant(variant, **fields)


def _told_of_sample(scorer: Scorer) -> str:
    """What its model is, if that is an example whose numbers mean nothing; otherwise ""."""
    trained = getattr(getattr(scorer, field_of(scorer.name) or "", None), "trained", None)
    return str(trained.report["sample"]) if trained is not None and trained.is_sample else ""


def show_texts(
    metric: str,
    variant: str,
    predictions: str,
    references: str,
    segment: int = 0,
    model: Model = None,
    against: str = "",
    **inputs: str,
) -> Shown:
    r"""The scores of the texts on a page, and how the chosen one came about. Where there is no score, a message.

    Parameters
    ----------
    metric, variant : str
        Names of a scorer, and of the variant that is chosen.
    predictions : str
        One prediction per line.
    references : str
        As for ``split_groups``; ignored if the metric needs no references.
    segment : int
        Which prediction to trace, counted from 0.
    model : str or PageModel, optional
        What ``model_chosen`` gives: a name of ``models_offered``, a folder of the program, or an upload. No path, and
        no other name, is opened. It is ignored for a metric without a model. If it is empty, the predictions are
        probabilities, or scene graphs for SPICE; a metric that needs an encoder says so.
    against : str
        The other variant, for the link.
    **inputs : str
        The metric's other inputs by their names: a line for each prediction, or as for ``split_groups`` if a prediction
        may have several. An empty text is no input.

    Examples
    --------
    >>> shown = show_texts("bleu", "nltk", "a b c d\ne f g h", "a b c d\ne f g x")
    >>> shown.scores["hypothesis_length"], "72.31" in shown.numbers, "0.723127" in shown.printed
    (8, True, True)
    """
    given = {"predictions": predictions, "references": references, "segment": str(segment + 1) if segment else ""}
    if isinstance(model, str) or (model and not model.is_upload):
        given["model"] = str(model if isinstance(model, str) else model.name)
    link = to_link({"metric": metric, "variant": variant, "against": against, **given, **inputs})
    try:
        written = _rows(metric, predictions, references, inputs)
        segments = segments_for(get_scorer(metric), **written)
        scorer = _scorer(metric, variant, model)
        check_inputs(scorer, segments)  # what is missing is told once, not for each variant
    except InputError as error:
        return Shown(_message(error), answer("words", lines=[], link=link))
    scores = _scores(metric, segments, model)
    missing = [str(score) for score in scores.values() if isinstance(score, InputError)]
    if len(missing) == len(scores):
        needs = needs_model(get_scorer(metric)) or not can_have_a_model(metric)
        told = [said_without_model(metric)] if needs and not model else dict.fromkeys(missing)
        return Shown("".join(map(_message, told)), answer("words", lines=[], link=link))
    remarks = {"sample": _told_of_sample(scorer), "note": said_of_model(model)}
    numbers = answer("numbers", **bars_of(scores, variant), **remarks)
    traced: Trace | None = None
    signature, values = "", dict[str, float]()
    try:
        result = scorer.corpus(segments)
        signature, values = result.signature, result.scores
        traced = _trace(scorer, segments, segment, written)
        more = "" if len(segments) == 1 or scorer.about.whole_trace else f", segment {segment + 1}"
        definition = Markup(definition_html(metric)) if metric in list_definitions() else ""
        hints = [hint for hint in hints_of(scorer, segments) if hint not in traced.remarks]
        html = Markup(traced.html())
        trace = answer("how", variant=variant, shown=more, trace=html, definition=definition, hints=hints)
    except InputError as error:
        trace = _message(error)
    words = answer("words", lines=_words(metric, traced, segments, segment), link=link)
    return Shown(numbers, words, trace, answer("all_numbers", rows=_printed(metric, scores)), signature, values)


def _trace(scorer: Scorer, segments: Segments, segment: int, written: Mapping[str, Any]) -> Trace:
    """The trace of a segment of those that were made from what is written in the boxes."""
    if not 0 <= segment < len(segments):
        raise InputError(f"segment: there is no segment {segment + 1}; the last is {len(segments)}.")
    # A table of weights comes from all segments, the trace from one.
    fitted = scorer if is_fitted(scorer) else scorer.fit(segments)
    shown = None if fitted.about.whole_trace else segment
    rows = [column if shown is None else column[segment : segment + 1] for column in written.values()]
    size = sum(len(text) for column in rows for row in column for text in ([row] if isinstance(row, str) else row))
    if size > _LONGEST_SHOWN:
        raise InputError(
            f"These texts have {size:,} characters; a page traces {_LONGEST_SHOWN:,}, and `metrologue trace` all."
        )
    others = {name: given for name, given in written.items() if name != "predictions"}
    return trace(fitted, written["predictions"], segment=shown, **others)


def _words(metric: str, trace: Trace | None, segments: Segments, segment: int) -> list[Coloured]:
    """The coloured words of a segment; none if it is no text with references."""
    kind = get_scorer(metric)
    if not (_compares_words(kind) and segments.has("references") and 0 <= segment < len(segments)):
        return []
    prediction, references = segments.pair(segment)
    texts = prediction, *references
    if not all(isinstance(text, str) for text in texts) or sum(map(len, texts)) > _LONGEST_SHOWN:
        return []
    return coloured_words(trace, prediction, references)


def _compares_words(kind: type[Scorer]) -> bool:
    """Whether a metric looks for words of the references: no label, network, or metric whose page.toml says so does."""
    said = (page["words"] for page in pages_of(kind) if "words" in page)
    is_apart = issubclass(kind, OfLabels | OfDialogues) or model_kind(kind) in ("trained", "sequence", "function")
    return not is_apart and bool(next(said, True))


def explain_texts(
    metric: str, variant: str, other: str, predictions: str, references: str, model: Model = None, **inputs: str
) -> str:
    """The difference between two variants on the texts of a page: a bar for each choice, as HTML.

    One variant twice has nothing to explain. The parameters are those of ``show_texts``, which has the message if there
    is no score.

    Examples
    --------
    >>> "<strong>tokenizer</strong>" in explain_texts("bleu", "nltk", "evaluate", "a b c d, e", "a b c d, f")
    True
    """
    if variant == other:
        return ""
    try:
        segments = _segments(metric, predictions, references, inputs)
        first, second = _scorer(metric, variant, model), _scorer(metric, other, model)
        gap = explain_segments(first, second, segments)
        return answer("why", **why(gap, {variant: first, other: second}, segments))
    except InputError:
        return ""


def which_texts(metric: str, number: str, predictions: str, references: str, every: bool = False, **inputs: str) -> str:
    r"""The settings that print a number for the texts of a page, as HTML. Where there is no answer, a message.

    Those parameters that are not listed are those of ``show_texts``.

    Parameters
    ----------
    number : str
        As somebody printed it; if it is empty, there is nothing to say.
    every : bool
        Whether to search the settings of every metric that takes nothing else, with less time for each.

    Examples
    --------
    >>> "metrologue score bleu --variant" in which_texts("bleu", "0.7231", "a b c d\ne f g h", "a b c d\ne f g x")
    True
    """
    if not number.strip():
        return ""
    try:
        kind, texts = get_scorer(metric), lines_in(predictions)
        groups = split_groups(references, len(texts))
        for each in map(get_scorer, list_scorers()) if every else (kind,):
            require_short(each, {"predictions": texts, "references": groups})
        others = {name: given for name, given in rows(kind, texts, inputs).items() if name != "predictions"}
        if every:
            lines = _search_all(metric, number, texts, groups)
        else:
            lines = [*which(metric, number, texts, groups, **others).lines()]
    except InputError as error:
        return _message(error)
    return answer("settings", lines=[line.strip() for line in lines])


def _search_all(metric: str, number: str, texts: Sequence[str], groups: Sequence[Sequence[str]]) -> list[str]:
    """The lines of a search through all metrics, this one first, and which of them there was no time for."""
    until = time.process_time() + _SEARCH
    every = [name for name in families("all") if not needs_model(get_scorer(name))]
    names = sorted(every, key=lambda name: name != metric)
    lines, nearest, done, left, faults = list[str](), list[str](), set[str](), list[str](), list[str]()
    for place, name in enumerate(names):
        if name in done:
            continue
        if (rest := until - time.process_time()) <= 0:
            left.append(name)
            continue
        done |= {*families(name)}
        try:
            found = which(name, number, texts, groups, seconds=rest / (len(names) - place))
        except InputError as error:
            faults.append(str(error))
            continue
        if found.answers:
            lines += found.lines()
        nearest = nearest or [*found.lines()]
    if left:
        told = f"Not tried, for lack of time: {', '.join(left)}. A search of each on its own has more time."
        return [*(lines or nearest), told]
    if not (lines or nearest):
        raise InputError(faults[0])
    return lines or nearest


def picture_texts(predictions: str, references: str, segment: int = 0, model: Model = None) -> str:
    r"""METEOR's and BERTScore's alignments of a segment as pictures. Where one cannot be drawn, what to install.

    The parameters are those of ``show_texts``; the model is the encoder of BERTScore.

    Examples
    --------
    >>> "give a folder with a model of transformers" in picture_texts("a cat", "the cat")
    True
    """
    drawn: list[tuple[str, str, str]] = []
    for metric, wanted in _PICTURES.items():
        name, variants = get_scorer(metric).title, get_scorer(metric).variants()
        try:
            written = _rows(metric, predictions, references, {})
            segments = segments_for(get_scorer(metric), **written)
            traced, missing = None, None
            for variant in variants:  # the first one whose tables are here
                try:
                    traced = _trace(_scorer(metric, variant, model), segments, segment, written)
                    break
                except InputError as error:
                    missing = missing or error
            if traced is None:
                raise missing or InputError(f"{name}: no variant draws a picture.")
            pictures = tuple(block for block in traced.every(Block) if isinstance(block, wanted))
            html = render_html(traced.formula, (), pictures, traced.signature, style=not drawn)
            drawn.append((name, Markup(html), ""))
        except InputError as error:
            drawn.append((name, "", str(error)))
    return answer("pictures", drawn=drawn)


def opening_variants(
    metric: str, own: str, predictions: str, references: str, model: Model = None, **inputs: str
) -> tuple[str, str]:
    """The variants with which a page opens: `own`, or the first that has a number, and the first that gives another.

    Examples
    --------
    >>> opening_variants("bleu", "evaluate", "a b c d, e", "a b c d, f")
    ('evaluate', 'nltk')
    """
    try:
        results = _scores(metric, _segments(metric, predictions, references, inputs), model)
    except InputError:
        return own, own
    scores = {name: score for name in (own, *results) if not isinstance(score := results[name], InputError)}
    chosen = next(iter(scores), own)
    return chosen, next((name for name, score in scores.items() if not score.equals(scores[chosen])), chosen)


def _rows(metric: str, predictions: str, references: str, inputs: Mapping[str, str]) -> dict[str, Any]:
    """What the boxes of a page hold, as the metric takes it."""
    kind = get_scorer(metric)
    return rows(kind, predictions_of(kind, predictions), {"references": references, **inputs})


def _segments(metric: str, predictions: str, references: str, inputs: Mapping[str, str]) -> Segments:
    return segments_for(get_scorer(metric), **_rows(metric, predictions, references, inputs))


def _scores(metric: str, segments: Segments, model: Model) -> dict[str, Score | InputError]:
    """The score of each variant, or the error that says why it has none."""

    def score(name: str) -> Score | InputError:
        try:
            scorer = _scorer(metric, name, model)
            return Score(scorer.corpus(segments).value, perfect_score(scorer))
        except InputError as error:
            return error

    return {name: score(name) for name, variant in get_scorer(metric).variants().items() if not variant.is_apart}


def _printed(metric: str, scores: Mapping[str, Score | InputError]) -> list[tuple[str, str, str]]:
    """Each variant, its version, and its score on its own scale."""
    variants = get_scorer(metric).variants()
    return [
        (name, variants[name].version, "–" if isinstance(score, InputError) else f"{score.value:.6f}")
        for name, score in scores.items()
    ]


def _message(error: InputError | str) -> str:
    return answer("message", text=str(error))


def file_text(path: str, metric: str = "bleu", name: str = "predictions") -> str:
    r"""The text of a file, for a box of the page.

    Raises an InputError if it is no text, too long, or a segment has several lines where the box takes one. It names
    the file without its folder.

    Parameters
    ----------
    path : str
        An uploaded file of text, JSON Lines or tab-separated values, packed or not. The turns of a segment are written
        as on the command line: with tabs or __eou__ between them, or in a list.
    metric, name : str
        The input of a metric that the box is for.

    Examples
    --------
    >>> import os
    >>> file_text(os.devnull)
    ''
    """
    file, kind = Path(path).name, get_scorer(metric)
    each = kind.input(name)
    if kind_of(path) in TABLES:
        raise InputError(f"{file}: a page takes files of text; convert the table, for example to .tsv.")
    turns = holds_turns(kind, name)
    is_list = turns or (name != "predictions" and each is not None and is_grouped(each))
    try:
        require_size(path, LONGEST_TEXT)
        texts = read_lines(Path(path), lists=is_list)
        rows_read = (as_turns(texts, path) if turns else texts).to_pylist()
    except InputError as error:
        raise InputError(named_alone(str(error), path)) from error
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror or 'it is damaged'}.") from error
    segments = [text.split("\n") if turns else [text] if isinstance(text, str) else text for text in rows_read]
    for number, lines in enumerate(segments, 1):
        if any("\n" in line for line in lines):
            raise InputError(f"{file}: segment {number} has several lines, but the page takes a line for each.")
    return written(kind, name, segments)


class Compared(NamedTuple):
    """The parts of the page of a paired test.

    Attributes
    ----------
    shown : str
        What the test says, in a sentence and in a table, as HTML.
    signature : str
        The choices behind the scores and the test.
    values : dict of str to float or int
        All numbers.
    """

    shown: str
    signature: str
    values: Mapping[str, float | int]


def compared_texts(method: str, metric: str, first: str, second: str, references: str, **inputs: str) -> Compared:
    r"""A paired test of two systems, from texts with one segment per line.

    Raises an InputError if the numbers of lines differ, or there are fewer than two.

    The method is one of ``metrologue.inference.TESTS``; the other parameters are as for ``show_texts``.

    Examples
    --------
    >>> compared_texts("bootstrap", "wer", "a b\nc d\n", "a b\nc d\n", "a b\nc x\n").values["p_value"]
    1.0
    """
    kind = get_scorer(metric)
    scorer = kind.variant(next(iter(kind.variants())))
    written = rows(kind, lines_in(first), {"references": references, **inputs})
    segments, others = segments_for(kind, **written, owner="first system"), lines_in(second)
    require_short(kind, {**written, "predictions": others})
    systems = {"first": segments, "second": segments.with_predictions(others, owner="second system")}
    (test,) = paired_test(scorer, "first", systems, method=method)
    values = {key: value for key, value in test.to_dict().items() if isinstance(value, float | int)}
    shown = f'<div class="numbers"><p>{_verdict(test, scorer)}</p>{test._repr_html_()}</div>'
    return Compared(shown, f"{scorer.signature}|{test.signature}", values)


def _verdict(test: PairedResult, scorer: Scorer) -> str:
    """What a test of the second system against the first says, in a sentence."""
    if not test.difference:
        return "Both systems have the same score."
    higher = scorer.higher_is_better.get(scorer.primary, True)
    better, worse = ("second", "first") if (test.difference > 0) == higher else ("first", "second")
    if test.p_value < 0.05:
        return f"The {better} system is significantly better than the {worse} one (p = {test.p_value:.3f})."
    return f"The {better} system has the better score, but this may be chance (p = {test.p_value:.3f})."
