"""The bridge to gradio: one page for every metric. The ``app.py`` of a metric's Hugging Face Space builds it."""

from __future__ import annotations

import sys
from html import escape
from pathlib import Path
from typing import Any

import metrologue
from metrologue.errors import InputError
from metrologue.scorers import get_scorer
from metrologue.warmup import scorers_to_warm, warm_up

__all__ = ["build", "score_text", "split_references"]

_PREDICTION = "It is a guide to action which ensures that the military always obeys the commands of the party."
_REFERENCES = """\
It is a guide to action that ensures that the military will forever heed Party commands.
It is the guiding principle which guarantees the military forces always being under the command of the Party.
It is the practical guide for the army always to heed the directions of the party."""


def _lines(text: str) -> list[str]:
    return [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]


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
    groups: list[list[str]] = [[]]
    for line in _lines(text):
        if line.strip():
            groups[-1].append(line)
        elif groups[-1]:
            groups.append([])
    groups = [group for group in groups if group]
    if len(groups) == 1 and len(groups[0]) == count:
        return [[line] for line in groups[0]]
    if len(groups) != count:
        raise InputError(
            f"references: {len(groups)} groups of lines for {count} predictions; write one reference per line, and an "
            "empty line between the references of one prediction and the next."
        )
    return groups


def score_text(
    metric: str, variant: str, predictions: str, references: str, segment: int = 0
) -> tuple[float, dict[str, float | int], str, str]:
    r"""The score of the texts on the page, and how it came about.

    Parameters
    ----------
    metric, variant : str
        The names of a scorer and of one of its variants.
    predictions : str
        One prediction per line.
    references : str
        As for ``split_references``; ignored if the metric needs no references.
    segment : int
        Which prediction to trace, counted from 0.

    Returns
    -------
    value, scores, signature, trace
        The score, all numbers, the signature, and the trace of one segment as HTML.

    Raises
    ------
    InputError
        If the texts have no score, or there is no such segment.

    Examples
    --------
    >>> value, scores, signature, html = score_text("bleu", "nltk", "a b c d\ne f g h", "a b c d\ne f g x")
    >>> value, scores["hypothesis_length"]
    (0.7231269021297695, 8)
    """
    scorer = get_scorer(metric).variant(variant)
    texts = _lines(predictions)
    groups = split_references(references, len(texts)) if scorer.needs_references else None
    if not 0 <= segment < len(texts):
        raise InputError(f"segment: there is no segment {segment}; the last of {len(texts)} is {len(texts) - 1}.")
    result = scorer.corpus(texts, groups)
    html = metrologue.trace(scorer, texts[segment], groups[segment] if groups else []).html()
    return result.value, result.scores, result.signature, html


def build(name: str, app: str) -> Any:
    """The page of a metric.

    Parameters
    ----------
    name : str
        One of ``metrologue.list_metrics()``.
    app : str
        ``__file__`` of the folder's ``app.py``. Python puts the folder of a script first on ``sys.path``, where the
        module ``sacrebleu.py`` would hide the library of that name. ``build`` removes the folder from the path.

    Returns
    -------
    gradio.Blocks
        Call its ``launch()``.
    """
    folder = Path(app).resolve().parent
    sys.path[:] = [entry for entry in sys.path if Path(entry).resolve() != folder]
    import gradio

    module = metrologue.load(name)
    scorer = get_scorer(module.metric)
    for _ in warm_up(scorers_to_warm([module.metric])):
        pass  # a visitor who chooses a variant is told what it lacks here

    def result(variant: str, predictions: str, references: str, segment: float) -> tuple[object, ...]:
        value, scores, signature, html = score_text(module.metric, variant, predictions, references, int(segment))
        return str(value), signature, html, scores

    def show(variant: str, predictions: str, references: str, segment: float) -> tuple[object, ...]:
        try:
            return result(variant, predictions, references, segment)
        except InputError as error:
            raise gradio.Error(str(error), print_exception=False) from error

    def open_page(predictions: str, references: str, segment: float) -> tuple[object, ...]:
        """The module's own variant, or the first one with its data installed, and its result; otherwise a hint."""
        hints = []
        for key in dict.fromkeys((module.config_name, *scorer.variants())):
            try:
                return key, *result(key, predictions, references, segment)
            except InputError as error:
                hints.append(str(error))
        return module.config_name, "", "", f"<p>{escape(hints[0])}</p>", {}

    with gradio.Blocks(title=name, analytics_enabled=False) as page:
        gradio.Markdown(f"# {name}\n{module.description}")
        with gradio.Row():  # with this minimum width, the two boxes are below each other on a phone
            predictions = gradio.Textbox(_PREDICTION, lines=6, label="Predictions, one per line", min_width=320)
            references = gradio.Textbox(
                _REFERENCES,
                lines=6,
                label="References, one per line; an empty line before those of the next prediction",
                min_width=320,
                visible=scorer.needs_references,
            )
        variants = [(f"{key} {variant.version}", key) for key, variant in scorer.variants().items()]
        variant = gradio.Radio(variants, value=module.config_name, label="Whose number")
        with gradio.Accordion("What marks each of them", open=False):
            gradio.Markdown("\n".join(f"- **{key}**: {one.about}" for key, one in scorer.variants().items()))
        segment = gradio.Number(0, precision=0, label="Segment to trace, counted from 0")
        button = gradio.Button("Score", variant="primary")
        outputs = [
            gradio.Textbox(label="Score"),
            gradio.Textbox(label="Signature"),
            gradio.HTML(label="Trace"),
            gradio.JSON(label="All numbers"),
        ]
        texts = [predictions, references, segment]
        button.click(show, [variant, *texts], outputs)
        variant.input(show, [variant, *texts], outputs)  # only when the visitor chooses, not when `open_page` sets it
        page.load(open_page, texts, [variant, *outputs])
    return page
