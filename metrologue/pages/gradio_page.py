"""The bridge to gradio: the pages of Hugging Face Spaces. The ``app.py`` of a folder builds its page.

The page of all metrics is that of one metric, with a choice of the metric.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any

import metrologue
from metrologue.errors import InputError
from metrologue.pages.page_parts import (
    compared_texts,
    explain_texts,
    file_text,
    opening_variants,
    show_texts,
    takes_model,
    takes_parser,
    which_texts,
)
from metrologue.scorers import get_scorer, list_scorers
from metrologue.scorers.apes import Apes
from metrologue.scorers.classification.base import OfLabels
from metrologue.scorers.core.models import is_trained, takes_encoder
from metrologue.scorers.core.warmup import scorers_to_warm, warm_up
from metrologue.scorers.dae import Dae
from metrologue.scorers.dialogues import OfDialogues
from metrologue.scorers.hashed_words import HashedWords
from metrologue.scorers.huse import Huse
from metrologue.scorers.peak import Peak
from metrologue.scorers.ruber import Ruber
from metrologue.scorers.spice import Spice
from metrologue.scorers.token_probabilities import TokenProbabilities

__all__ = ["build", "build_all", "build_comparison", "build_numbers"]

_PREDICTION = "It is a guide to action which ensures that the military always obeys the commands of the party."
_REFERENCES = """\
It is a guide to action that ensures that the military will forever heed Party commands.
It is the guiding principle which guarantees the military forces always being under the command of the Party.
It is the practical guide for the army always to heed the directions of the party."""

# A judgement, a log-probability and a number of tokens of each text. Every second text is by a model.
_JUDGED = """\
3.8 -22.1 9
3.1 -17.8 13
4.7 -13.8 6
3.5 -44.0 14
3.4 -31.7 13
3.1 -15.4 12
4.6 -17.2 8
3.2 -8.0 6
4.1 -16.3 6
2.4 -16.4 10
3.8 -18.0 12
3.2 -10.2 12
4.3 -19.6 8
2.8 -12.1 8
4.3 -19.6 12
2.7 -17.7 12
3.5 -27.4 11
4.0 -9.6 9
5 -8.4 6
3.1 -8.6 8"""

_DIALOGUES = """\
Hi! What did you do at the weekend?
I went to the zoo. I love penguins!
Penguins are great. Did you see them swim?
Yes, they swim faster than I can run.

Hi! What did you do at the weekend?
I do not know.
Do you like animals?
I do not know."""

# What the page of a metric opens with, if the metric does not read free text: predictions and references.
_EXAMPLES: Mapping[Any, tuple[str, str]] = {
    TokenProbabilities: ("0.5 0.25 0.125\n0.9 0.5", ""),
    HashedWords: ("cat:0.5 dog:0.3 :0.2\nmat:0.6 hat:0.2", "cat\nhat"),
    Spice: (
        '[["girl"], ["girl", "young"], ["girl", "ride", "bicycle"]]',
        '[["girl"], ["girl", "little"], ["bike"], ["bike", "red"], ["girl", "ride", "bike"]]',
    ),
    Peak: (
        "a train | hit | a red truck; nobody | was | hurt",
        "the train | hit | a truck; it | was | raining\na train | hit | the truck; nobody | was | hurt",
    ),
    Dae: (
        "The cat slept on a mat.\nA dog sold the old car.",
        "The cat slept on the mat all afternoon.\nA man sold the old car to a dog.",
    ),
    Apes: (
        "Later Anna met Bo.\nOn Monday the train left Rome.",
        "Yesterday Anna met Bo in Rome.\nThen the train left Rome on Monday at 9.",
    ),
    Huse: (_JUDGED, "\n".join(["human", "model"] * 10)),
    Ruber: (_DIALOGUES, "I think that they are good at it.\nI see. Do you like sports?"),
    OfDialogues: (_DIALOGUES, ""),
    OfLabels: ("1\n0\n1\n0\n0", "1\n0\n0\n0\n1"),
}

# Texts with which the page of any other metric without references opens: some words and phrases occur again.
_TEXTS = """\
The cat sat on the mat and looked at the dog in the garden.
The dog sat on the grass and looked at the cat on the mat.
A bird sang in the old tree while the cat slept on the mat.
Then the rain fell, and all of them ran into the house.
Nobody had closed the kitchen window, so the floor was wet.
They waited there until the sun came out again."""

# Two systems and their references, with which the page of a test opens.
_SYSTEMS = (
    """\
The cat sat on a mat.
A dog ran home.
Rain fell each day of the week.
We met at noon by the station.
She reads a book every evening.
The train was late again today.""",
    """\
The cat sat on the mat.
A dog ran home.
Rain fell all day.
We met at noon at the station.
She read a book each evening.
The train is late again today.""",
    """\
The cat sat on the mat.
A dog ran home.
Rain fell all day of the week.
We met at noon at the station.
She reads a book every evening.
The train is late again today.""",
)

_ALL = """All metrics of metrologue, each as every library computes it: type, and see who gives which number, and why
two of them differ."""


def suggested_model(metric: str) -> str:
    """What the box for a model suggests.

    Examples
    --------
    >>> suggested_model("bertscore"), suggested_model("fed"), suggested_model("spice"), suggested_model("ruse")
    ('sentence-transformers/all-MiniLM-L6-v2', 'gpt2', 'en_core_web_sm', 'a folder that `metrologue train` made')
    """
    kind = get_scorer(metric)
    if takes_parser(metric):
        return "en_core_web_sm"
    if is_trained(kind):
        return "a folder that `metrologue train` made"
    return "sentence-transformers/all-MiniLM-L6-v2" if takes_encoder(kind) else "gpt2"


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
    _uncover(app)
    module = metrologue.load(name)
    return _page(name, module.description, {module.metric: module.config_name})


def build_all(app: str) -> Any:
    """The page of all metrics. Its visitor chooses one.

    Parameters
    ----------
    app : str
        As ``build`` takes it.

    Returns
    -------
    gradio.Blocks
        Call its ``launch()``.
    """
    _uncover(app)
    own = {name: next(iter(get_scorer(name).variants())) for name in list_scorers()}
    return _page("metrologue", _ALL, {"bleu": own["bleu"], **own})


def build_comparison(name: str, app: str) -> Any:
    """The page of a paired test.

    Parameters
    ----------
    name : str
        One of ``metrologue.list_comparisons()``.
    app : str
        As ``build`` takes it.

    Returns
    -------
    gradio.Blocks
        Call its ``launch()``.
    """
    _uncover(app)
    import gradio

    module = metrologue.load(name)
    metrics = [metric for metric in list_scorers() if "references" in get_scorer(metric).inputs]

    def compare(metric: str, first: str, second: str, references: str) -> tuple[object, ...]:
        try:
            return tuple(compared_texts(module.method, metric, first, second, references))
        except InputError as error:
            raise gradio.Error(escape(str(error)), print_exception=False) from error

    with gradio.Blocks(title=name, analytics_enabled=False) as page:
        gradio.Markdown(f"# {name}\n{module.description}")
        metric = gradio.Dropdown(metrics, value="bleu", label="Metric")
        with gradio.Row():
            texts = [
                gradio.Textbox(text, lines=8, max_lines=12, label=label, min_width=240)
                for label, text in zip(
                    ("First system, one text per line", "Second system", "References"), _SYSTEMS, strict=True
                )
            ]
        button = gradio.Button("Compare")
        shown = gradio.HTML(label="Result")
        with gradio.Accordion("All numbers, and the choices behind them", open=False):
            outputs = [shown, gradio.Textbox(label="Signature", lines=3), gradio.JSON(label="All numbers")]
        gradio.on([page.load, button.click], compare, [metric, *texts], outputs)
    return page


def build_numbers(name: str, app: str) -> Any:
    """The page of a module that takes numbers.

    Parameters
    ----------
    name : str
        One of ``metrologue.list_statistics()``, or a test of ``metrologue.list_comparisons()`` that takes numbers.
    app : str
        As ``build`` takes it.

    Returns
    -------
    gradio.Blocks
        Call its ``launch()``.
    """
    _uncover(app)
    from metrologue.pages.number_page import page_of

    return page_of(name, metrologue.load(name))


def _uncover(app: str) -> None:
    """Remove the folder of a script from ``sys.path``."""
    folder = Path(app).resolve().parent
    sys.path[:] = [entry for entry in sys.path if Path(entry).resolve() != folder]


def _page(title: str, about: str, own: Mapping[str, str]) -> Any:
    """The page of some metrics, and the variant that each of them opens with."""
    import gradio

    for _ in warm_up(scorers_to_warm(own)):
        pass  # a visitor who chooses a variant sees what it lacks here

    def show(
        metric: str, variant: str, predictions: str, references: str, segment: float | None, model: str | None = None
    ) -> tuple[object, ...]:
        return tuple(show_texts(metric, variant, predictions, references, int(segment or 0), model))

    def choose(
        metric: str, predictions: str, references: str, segment: float | None, model: str | None = None
    ) -> tuple[object, ...]:
        """The choices of a metric, and its numbers for the variants that the page opens with.

        An example of another metric, which nobody has changed, gives way to the metric's own.
        """
        if (predictions, references) in map(_example, own):
            predictions, references = _example(metric)
        variant, other = opening_variants(metric, own[metric], predictions, references, model)
        choices, needed = _choices(metric), "references" in get_scorer(metric).inputs
        return (
            gradio.update(choices=choices, value=variant),
            gradio.update(choices=choices, value=other, visible=len(choices) > 1),
            predictions,
            gradio.update(value=references, visible=needed),
            gradio.update(visible=needed),
            gradio.update(visible=takes_model(metric)),
            gradio.update(visible=takes_model(metric)),
            *show(metric, variant, predictions, references, segment, model),
        )

    def place(path: str) -> str:
        """Where an uploaded model is."""
        return path

    def read(path: str) -> str:
        try:
            return file_text(path)
        except InputError as error:
            raise gradio.Error(escape(str(error)), print_exception=False) from error

    first = next(iter(own))
    opening = _example(first)
    with gradio.Blocks(title=title, analytics_enabled=False) as page:
        gradio.Markdown(f"# {title}\n{about}")
        metric = gradio.Dropdown(list(own), value=first, label="Metric", visible=len(own) > 1)
        with gradio.Row():  # with this minimum width, the two boxes are below each other on a phone
            with gradio.Column(min_width=320):
                predictions = gradio.Textbox(opening[0], lines=4, max_lines=12, label=_label(first))
            with gradio.Column(min_width=320):
                references = gradio.Textbox(
                    opening[1],
                    lines=4,
                    max_lines=12,
                    label="References, one per line; an empty line before those of the next prediction",
                    visible="references" in get_scorer(first).inputs,
                )
        with gradio.Accordion("From files, one segment per line", open=False), gradio.Row():
            files = [
                gradio.File(label=label, height=120, min_width=320)
                for label in ("Predictions", "References", "A language model in an ARPA file")
            ]
        model = gradio.Textbox(
            label="Model: its folder, its name on the Hub, or a file. For perplexity and its like, a causal model or "
            "an ARPA file; without one, the predictions are probabilities. For BERTScore and its like, an encoder. For "
            "SPICE, a pipeline of spaCy; without one, the texts are scene graphs in JSON.",
            placeholder=suggested_model(first),
            visible=takes_model(first),
        )
        with gradio.Row():
            variant = gradio.Dropdown(_choices(first), value=own[first], label="Whose number", min_width=180)
            other = gradio.Dropdown(_choices(first), value=own[first], label="Explained against", min_width=180)
            segment = gradio.Number(0, precision=0, minimum=0, label="Segment to trace, counted from 0", min_width=150)
        numbers, bars, trace = (gradio.HTML(label=label) for label in ("Numbers", "Explanation", "Trace"))
        with gradio.Accordion("All numbers, and the choices behind them", open=False):
            outputs = [numbers, trace, gradio.Textbox(label="Signature", lines=2), gradio.JSON(label="All numbers")]
        needed = any("references" in get_scorer(name).inputs for name in own)
        with gradio.Accordion("Which number is that?", open=False, visible=needed):
            printed = gradio.Textbox(label="A printed number: the settings that give it for these texts", min_width=180)
            answer = gradio.HTML(label="Settings")
            printed.submit(which_texts, [metric, printed, predictions, references], answer)
        with gradio.Accordion("How each library differs", open=False):
            gradio.Markdown("\n".join(_marks(name) for name in own))

        texts = [predictions, references, segment, model]
        shown = {"fn": show, "inputs": [metric, variant, *texts], "outputs": outputs}
        # An explanation may take seconds, and nothing else waits for it.
        explained = {"fn": explain_texts, "inputs": [metric, variant, other, *texts[:2], model], "outputs": bars}
        # The page answers as one types. Changes during an answer get one answer together, after it.
        typed = {"show_progress": "hidden", "trigger_mode": "always_last"}
        # A model is opened when its name is complete: that takes a while.
        changes = [predictions.change, references.change, model.submit, model.blur]
        gradio.on([variant.input, segment.change, *changes], **shown, **typed)
        gradio.on([variant.input, other.input, *changes], **explained, **typed)
        chosen = [variant, other, predictions, references, files[1], model, files[2], *outputs]
        gradio.on([page.load, metric.input], choose, [metric, *texts], chosen).then(**explained)
        for file, box in zip(files[:2], texts, strict=False):
            file.upload(read, file, box)
        files[2].upload(place, files[2], model).then(**shown).then(**explained)
    return page


def _label(metric: str) -> str:
    """What is above the box of predictions."""
    if issubclass(get_scorer(metric), OfDialogues):
        return "Predictions: dialogues, a turn per line, and an empty line between two of them"
    return "Predictions, one per line"


def _example(metric: str) -> tuple[str, str]:
    """The predictions and the references that the page of a metric opens with."""
    scorer = get_scorer(metric)
    usual = (_PREDICTION, _REFERENCES) if "references" in scorer.inputs else (_TEXTS, "")
    return next((found for kind, found in _EXAMPLES.items() if issubclass(scorer, kind)), usual)


def _choices(metric: str) -> list[tuple[str, str]]:
    return [(f"{name} {variant.version}", name) for name, variant in get_scorer(metric).variants().items()]


def _marks(metric: str) -> str:
    """One sentence about each variant, as a list in Markdown."""
    lines = (f"- **{name}**: {variant.about}" for name, variant in get_scorer(metric).variants().items())
    return "\n".join([f"**{metric}**\n", *lines, ""])
