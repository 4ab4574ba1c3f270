"""The parts of a Space's page that depend on its texts, as HTML."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

import metrologue
from metrologue.attribution import explain_segments, shown_share
from metrologue.comparison.which import which
from metrologue.errors import InputError, number_of
from metrologue.files.lines import read_lines
from metrologue.inference import PairedResult, paired_test
from metrologue.pages import notebook
from metrologue.pages.page_scores import Score
from metrologue.representations.parses.named import NamedParser
from metrologue.scorers import Scorer, get_scorer
from metrologue.scorers.core.models import is_trained, model_field, model_of
from metrologue.scorers.dialogues import OfDialogues
from metrologue.segments import Segments

__all__ = [
    "Shown",
    "compared_texts",
    "explain_texts",
    "file_text",
    "opening_variants",
    "show_texts",
    "split_references",
    "takes_model",
    "takes_parser",
    "which_texts",
]

# On a phone the cells of a bar's row stand below each other; what is wider yet scrolls.
_STYLE = """<style>
.numbers { overflow-x: auto; }
.numbers :is(table, thead, tbody, tr, th, td), .trace :is(table, thead, tbody, tr) { border: 0 !important; }
.trace :is(th, td) { border: 0 solid var(--trace-line) !important; border-bottom-width: 1px !important; }
.trace :is(th, td) { padding: .15rem 1rem .15rem 0 !important; }
.trace :is(th, td):not(:first-child) { text-align: end !important; }
@media (max-width: 600px) {
  .numbers :is(th, td) { padding-right: 0.4em !important; font-size: 90%; }
  .bars thead { display: none; }
  .bars tr { display: flex; flex-wrap: wrap; padding-bottom: 0.6em; }
  .bars tr td:first-child { width: 100%; font-weight: bold; }
  .bars td:nth-child(3)::before { content: "→ "; }
  .bars td { overflow-wrap: anywhere; }
}
</style>"""


def _lines(text: str) -> list[str]:
    return [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]


def _groups(text: str) -> list[list[str]]:
    """The lines of a text, in groups between empty lines."""
    groups: list[list[str]] = [[]]
    for line in _lines(text):
        if line.strip():
            groups[-1].append(line)
        elif groups[-1]:
            groups.append([])
    return [group for group in groups if group]


def split_references(text: str, count: int) -> list[list[str]]:
    r"""The references of each prediction, from a text with one reference per line.

    Parameters
    ----------
    text : str
        An empty line separates the references of one prediction from those of the next. Without empty lines, each of
        several predictions gets one line, and a single prediction gets all lines.
    count : int
        How many predictions there are.

    Raises
    ------
    InputError
        If the text has references for another number of predictions.

    Examples
    --------
    >>> split_references("a cat\none cat\n\na dog", 2)
    [['a cat', 'one cat'], ['a dog']]
    >>> split_references("a cat\na dog", 2)
    [['a cat'], ['a dog']]
    >>> split_references("a cat\none cat", 1)
    [['a cat', 'one cat']]
    """
    groups = _groups(text)
    if len(groups) == 1 and len(groups[0]) == count:
        return [[line] for line in groups[0]]
    if len(groups) != count:
        raise InputError(
            f"references: {number_of(len(groups), 'group')} of lines for {number_of(count, 'prediction')}; write one "
            "reference per line, and an empty line between the references of one prediction and the next."
        )
    return groups


class Shown(NamedTuple):
    """The parts of a page that depend on its texts and on the chosen variant.

    Attributes
    ----------
    numbers : str
        The score of every variant, as HTML.
    trace : str
        How one segment got its score, as HTML.
    signature : str
        The choices behind the chosen variant.
    scores : dict of str to float
        All its numbers.
    """

    numbers: str
    trace: str = ""
    signature: str = ""
    scores: Mapping[str, float] = {}


def takes_model(metric: str) -> bool:
    """Whether a metric takes a language model, an encoder or a parser.

    Examples
    --------
    >>> takes_model("perplexity"), takes_model("spice"), takes_model("bleu")
    (True, True, False)
    """
    return _field(metric) is not None


def takes_parser(metric: str) -> bool:
    """Whether the model of a metric is a parser.

    Examples
    --------
    >>> takes_parser("spice"), takes_parser("perplexity")
    (True, False)
    """
    return takes_model(metric) and model_field(get_scorer(metric)) is None


def _field(metric: str) -> str | None:
    """The field of a metric that holds its model or its parser; None if it has neither."""
    kind = get_scorer(metric)
    return model_field(kind) or next((name for name, one in kind._options().items() if one.kind == "parser"), None)


@lru_cache(maxsize=1)  # a page asks for the same one at each key
def _opened(metric: str, model: str) -> Any:
    """The model or parser in the box of a page. If it is empty, a learned metric has the one of metrologue's sample."""
    if takes_parser(metric):
        return NamedParser.of(model)
    if model:
        return model_of(get_scorer(metric), model)
    from metrologue.learned import sample_model

    return sample_model(metric)


def _scorer(metric: str, variant: str, model: str | None) -> Scorer:
    """The scorer of a variant, with a language model if there is one and it takes one. A hidden box gives None."""
    kind, field, given = get_scorer(metric), _field(metric), (model or "").strip()
    own = {field: _opened(metric, given)} if field and (given or is_trained(kind)) else {}
    return kind.variant(variant, **own)


def show_texts(
    metric: str, variant: str, predictions: str, references: str, segment: int = 0, model: str | None = None
) -> Shown:
    r"""The scores of the texts on a page, and how the chosen one came about. Where there is no score, a message.

    Parameters
    ----------
    metric, variant : str
        Names of a scorer, and of the variant that is chosen.
    predictions : str
        One prediction per line.
    references : str
        As for ``split_references``; ignored if the metric needs no references.
    segment : int
        Which prediction to trace, counted from 0.
    model : str, optional
        What ``open_model``, ``open_encoder`` or ``open_parser`` takes, for a metric that ``takes_model``; otherwise it
        is ignored. If it is empty, the predictions are probabilities, or scene graphs for SPICE; a metric that needs an
        encoder says so.

    Examples
    --------
    >>> shown = show_texts("bleu", "nltk", "a b c d\ne f g h", "a b c d\ne f g x")
    >>> shown.scores["hypothesis_length"], "0.723127" in shown.numbers
    (8, True)
    """
    try:
        segments = _segments(metric, predictions, references)
        scorer = _scorer(metric, variant, model)
    except InputError as error:
        return Shown(_message(error))

    def trace() -> str:
        if not 0 <= segment < len(segments):
            last = len(segments) - 1
            raise InputError(f"segment: there is no segment {segment}; the last of {len(segments)} is {last}.")
        # A table of weights comes from all segments, the trace from one.
        fitted = scorer if scorer._is_fitted else scorer.fit(segments)
        if fitted._traces_all:
            return metrologue.trace(fitted, *zip(*map(segments.pair, range(len(segments))), strict=True)).html()
        return metrologue.trace(fitted, *segments.pair(segment), index=segment).html()

    numbers = f'{_STYLE}<div class="numbers">{_numbers(metric, variant, segments, model)}</div>'
    try:
        result = scorer.corpus(segments)
    except InputError as error:
        return Shown(numbers, _message(error))
    return Shown(numbers, _or_message(trace), result.signature, result.scores)


def explain_texts(
    metric: str, variant: str, other: str, predictions: str, references: str, model: str | None = None
) -> str:
    """The difference between two variants on the texts of a page: a bar for each choice, as HTML.

    Parameters
    ----------
    metric, variant, other : str
        Names of a scorer and of two of its variants; one variant twice has nothing to explain.
    predictions, references, model : str
        As for ``show_texts``, which has the message if there is no score.

    Examples
    --------
    >>> "tokenizer=whitespace" in explain_texts("bleu", "nltk", "evaluate", "a b c d, e", "a b c d, f")
    True
    """
    if variant == other:
        return ""
    try:
        segments = _segments(metric, predictions, references)
        gap = explain_segments(_scorer(metric, variant, model), _scorer(metric, other, model), segments)
    except InputError:
        return ""
    heading = notebook.note(f"From {variant} to {other}:")
    return f'{_STYLE}<div class="numbers bars">{notebook.block(heading, gap.bars())}</div>'


def which_texts(metric: str, number: str, predictions: str, references: str) -> str:
    r"""The settings that print a number for the texts of a page, as HTML. Where there is no answer, a message.

    Parameters
    ----------
    metric : str
        The name of a scorer.
    number : str
        As somebody printed it; if it is empty, there is nothing to say.
    predictions, references : str
        As for ``show_texts``.

    Examples
    --------
    >>> "metrologue score bleu --variant" in which_texts("bleu", "0.7231", "a b c d\ne f g h", "a b c d\ne f g x")
    True
    """
    if not number.strip():
        return ""
    try:
        texts = _lines(predictions)
        found = which(metric, number, texts, split_references(references, len(texts)))
    except InputError as error:
        return _message(error)
    return f'{_STYLE}<div class="numbers">{found._repr_html_()}</div>'


def opening_variants(
    metric: str, own: str, predictions: str, references: str, model: str | None = None
) -> tuple[str, str]:
    """The variants with which a page opens: `own`, or the first that has a number, and the first that gives another.

    Examples
    --------
    >>> opening_variants("bleu", "evaluate", "a b c d, e", "a b c d, f")
    ('evaluate', 'nltk')
    """
    try:
        found = _scores(metric, _segments(metric, predictions, references), model)
    except InputError:
        return own, own
    scores = {name: score for name in (own, *found) if not isinstance(score := found[name], InputError)}
    chosen = next(iter(scores), own)
    return chosen, next((name for name, score in scores.items() if not score.equals(scores[chosen])), chosen)


def _segments(metric: str, predictions: str, references: str) -> Segments:
    kind = get_scorer(metric)
    texts: list[Any] = _groups(predictions) if issubclass(kind, OfDialogues) else _lines(predictions)
    groups = split_references(references, len(texts)) if "references" in kind.inputs else None
    of_texts = kind._to_segments if issubclass(kind, OfDialogues) else Segments
    return of_texts(texts, groups, owner=kind.__name__)


def _scores(metric: str, segments: Segments, model: str | None) -> dict[str, Score | InputError]:
    """The score of each variant, or the error that says why it has none."""

    def score(name: str) -> Score | InputError:
        try:
            scorer = _scorer(metric, name, model)
            return Score(scorer.corpus(segments).value, scorer._perfect_score)
        except InputError as error:
            return error

    return {name: score(name) for name in get_scorer(metric).variants()}


def _numbers(metric: str, chosen: str, segments: Segments, model: str | None) -> str:
    """A table of all variants with their scores, and how far each is from the chosen one."""
    scores = _scores(metric, segments, model)
    mine = scores[chosen]

    def cells(name: str) -> list[str]:
        score = scores[name]
        if isinstance(score, InputError):
            return ["-", ""]
        if name == chosen or isinstance(mine, InputError):
            return [score.shown, "chosen" if name == chosen else ""]
        gap = (100 if score.scale else 1) * (score.share - mine.share)
        return [score.shown, "equal" if score.equals(mine) else shown_share(gap)]

    variants = get_scorer(metric).variants()
    rows = [[name, variant.version, *cells(name)] for name, variant in variants.items()]
    notes = [f"{name}: {score}" for name, score in scores.items() if isinstance(score, InputError)]
    if any(isinstance(score, Score) and score.scale for score in scores.values()):
        notes.append("In points from 0 to 100. What a library prints otherwise is in brackets.")
    table = notebook.table("Every library's number", ["library", "version", "number", "difference"], rows, words=2)
    return notebook.block(table, *map(notebook.note, notes))


def _or_message(made: Callable[[], str]) -> str:
    try:
        return made()
    except InputError as error:
        return _message(error)


def _message(error: InputError) -> str:
    return f"<p>{escape(str(error))}</p>"


def file_text(path: str) -> str:
    r"""The text of a file, for a box of the page.

    Parameters
    ----------
    path : str
        A file as the command line takes it, gzipped or not.

    Raises
    ------
    InputError
        If it is no text, or one of its segments has several lines. It names the file without its folder.

    Examples
    --------
    >>> import os
    >>> file_text(os.devnull)
    ''
    """
    name = Path(path).name
    try:
        lines = read_lines(Path(path)).to_pylist()
    except InputError as error:
        raise InputError(str(error).replace(path, name)) from error
    for number, line in enumerate(lines):
        if "\n" in line:
            raise InputError(f"{name}: segment {number} has several lines, but the page takes a line for each.")
    return "\n".join(lines)


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


def compared_texts(method: str, metric: str, first: str, second: str, references: str) -> Compared:
    r"""A paired test of two systems, from texts with one segment per line.

    Parameters
    ----------
    method : str
        One of ``metrologue.inference.TESTS``.
    metric : str
        One of ``metrologue.scorers.list_scorers()``.
    first, second : str
        The outputs of the two systems.
    references : str
        As for ``split_references``.

    Raises
    ------
    InputError
        If the numbers of lines differ, or there are fewer than two.

    Examples
    --------
    >>> compared_texts("bootstrap", "wer", "a b\nc d\n", "a b\nc d\n", "a b\nc x\n").values["p_value"]
    1.0
    """
    lines = _lines(first)
    scorer = get_scorer(metric).variant(next(iter(get_scorer(metric).variants())))
    segments = Segments(lines, split_references(references, len(lines)), owner="first system", shared=True)
    systems = {"first": segments, "second": segments.with_predictions(_lines(second), owner="second system")}
    (found,) = paired_test(scorer, "first", systems, method=method)
    values = {key: value for key, value in found.to_dict().items() if isinstance(value, float | int)}
    shown = f'{_STYLE}<div class="numbers"><p>{_verdict(found, scorer)}</p>{found._repr_html_()}</div>'
    return Compared(shown, f"{scorer.signature}|{found.signature}", values)


def _verdict(found: PairedResult, scorer: Scorer) -> str:
    """What a test of the second system against the first says, in a sentence."""
    if not found.difference:
        return "Both systems have the same score."
    higher = scorer.higher_is_better.get(scorer.primary, True)
    better, worse = ("second", "first") if (found.difference > 0) == higher else ("first", "second")
    if found.p_value < 0.05:
        return (
            f"The {better} system is better than the {worse} one, and chance hardly explains it "
            f"(p = {found.p_value:.3f})."
        )
    return f"The {better} system has the better score, but this may be chance (p = {found.p_value:.3f})."
