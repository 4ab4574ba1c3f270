"""The bridge to gradio: the pages of Hugging Face Spaces. The ``app.py`` of a folder builds its page.

The page of all metrics is that of one metric, with a choice of the metric. Every page is a ``gradio.Blocks``: call its
``launch()``.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any

from metrologue.errors import InputError, heard, shown
from metrologue.modules import load
from metrologue.pages.answers import (
    Answers,
    Folders,
    box_options,
    errors_shown,
    reference_options,
    texts_of,
    upload_options,
    variant_choices,
)
from metrologue.pages.boxes import boxes, predictions_label
from metrologue.pages.examples import SHOWN, examples, filled, opening, opening_inputs, opening_systems
from metrologue.pages.models import label_of, model_at_first, models_offered, upload_label
from metrologue.pages.page_parts import compared_texts
from metrologue.pages.rendering import answer, script
from metrologue.scorers import get_scorer, list_scorers

_ALL = """All metrics of metrologue, each as every library computes it: type, and see who gives which number, and why
two of them differ."""


# What the boxes open with, by what a column holds.
_EXAMPLES = {
    "number": ("1\n2\n3\n4\n5\n6\n7\n8", "2\n1\n4\n3\n6\n6\n7\n9"),
    "label": ("1\n1\n0\n1\n0\n1", "1\n0\n0\n0\n1\n1", "1\n1\n0\n0\n0\n1"),
    "row": ("1 1 -\n2 2 3\n3 3 3\n1 2 1\n4 4 4", ""),
}
# A module that needs the same number of entries in each row cannot open with a missing one.
_WHOLE = {"fleiss_kappa": "1 1 1\n2 2 2\n1 2 2\n1 1 2\n3 3 2", "mauve": "1 0\n0 1\n1 1\n2 0"}
# The task of a benchmark that its page shows.
_TASK = {"glue": "mrpc", "indic_glue": "wiki-ner", "super_glue": "cb", "xtreme_s": "minds14"}
_LABELS = {
    "number": "{name}: a number on each line",
    "label": "{name}: an int on each line",
    "row": "{name}: the ratings of a unit on each line, - where one is missing",
}


def build(name: str, app: str, folders: Folders = ()) -> Any:
    """The page of a metric.

    Raises an InputError if there is no such folder, or two have the same name.

    Parameters
    ----------
    name : str
        One of ``metrologue.list_metrics()``.
    app : str
        ``__file__`` of the folder's ``app.py``. Python puts the folder of a script first on ``sys.path``, where the
        module ``sacrebleu.py`` would hide the library of that name. ``build`` removes the folder from the path.
    folders : iterable of paths
        Folders with models of this machine. A visitor may choose one of them, and no other folder or file.
    """
    _uncover(app)
    module = load(name)
    # A visitor reads what the metric is, not that its arguments are the Hub's.
    first, _, rest = module.description.partition("\n\n")
    about = rest if rest and "Hub's module of this name" in first else module.description
    return _page(name, about, {module.metric: module.config_name}, folders)


def build_all(app: str, folders: Folders = ()) -> Any:
    """The page of all metrics. Its visitor chooses one. The parameters are those of ``build``."""
    _uncover(app)
    variants = {name: next(iter(get_scorer(name).variants())) for name in list_scorers()}
    return _page("metrologue", _ALL, {"bleu": variants["bleu"], **variants}, folders)


def build_comparison(name: str, app: str) -> Any:
    """The page of a paired test, one of ``metrologue.list_comparisons()``; `app` as for ``build``."""
    _uncover(app)
    import gradio

    from metrologue.pages.guarded import Page

    module = load(name)
    metrics = [metric for metric in list_scorers() if get_scorer(metric).input("references")]

    names = [*boxes(metrics)]

    def compare(metric: str, first: str, second: str, references: str, *others: str) -> tuple[object, ...]:
        with errors_shown():
            return tuple(
                compared_texts(module.method, metric, first, second, references, **texts_of(metric, names, others))
            )

    def choose(metric: str, predictions: str, *others: str) -> list[object]:
        """The boxes of a metric. What it needs and nobody has written is made from the first system's texts."""
        typed = {name: text for name, text in texts_of(metric, names, others).items() if text.strip()}
        texts = filled(metric, predictions, typed)
        return [gradio.update(**box_options(name, metric, texts)) for name in names]

    with Page(name) as page:
        gradio.Markdown(f"# {name}\n{module.description}")
        metric = gradio.Dropdown(metrics, value="bleu", label="Metric")
        with gradio.Row():
            texts = [
                gradio.Textbox(text, lines=8, max_lines=12, label=label, min_width=240)
                for label, text in zip(
                    ("First system, one text per line", "Second system", "References"), opening_systems(), strict=True
                )
            ]
        with gradio.Row():
            more = [
                gradio.Textbox(**box_options(each, "bleu", {}), lines=3, max_lines=12, min_width=240) for each in names
            ]
        button = gradio.Button("Compare")
        shown = gradio.HTML(label="Result")
        with gradio.Accordion("All numbers, and the choices behind them", open=False):
            outputs = [shown, gradio.Textbox(label="Signature", lines=3), gradio.JSON(label="All numbers")]
        if more:
            metric.input(choose, [metric, texts[0], *more], more)
        gradio.on([page.load, button.click], compare, [metric, *texts, *more], outputs)
    return page


def build_numbers(name: str, app: str) -> Any:
    """The page of a module that takes numbers, with a box for each column; `app` as for ``build``.

    The module is one of ``metrologue.list_statistics()``, a test of ``metrologue.list_comparisons()`` or a benchmark.
    """
    _uncover(app)
    import gradio

    from metrologue.pages.guarded import Page

    module = load(name, _TASK.get(name))
    columns = module.columns

    def compute(*texts: str) -> Any:
        with errors_shown(), heard(UserWarning) as told:
            given = {
                column: _numbers_in(text, kind) for (column, kind), text in zip(columns.items(), texts, strict=True)
            }
            result = module.compute(**given)
        return {**_plain(result), **({"note": told} if told else {})}

    with Page(name) as page:
        gradio.Markdown(f"# {name}{f': {_TASK[name]}' if name in _TASK else ''}\n{module.description}")
        with gradio.Row():
            entered = [
                gradio.Textbox(
                    _WHOLE.get(name, _EXAMPLES[kind][place % len(_EXAMPLES[kind])]),
                    lines=8,
                    max_lines=12,
                    label=_LABELS[kind].format(name=column),
                    min_width=240,
                )
                for place, (column, kind) in enumerate(columns.items())
            ]
        button = gradio.Button("Compute")
        result = gradio.JSON(label="Result")
        gradio.on([page.load, button.click], compute, entered, result)
    return page


def _numbers_in(text: str, kind: str) -> list[Any]:
    """The entries of a column, from text.

    Raises an InputError if a word is not a number.

    Examples
    --------
    >>> _numbers_in("1 2 -\\n3 3 4", "row")
    [[1.0, 2.0, None], [3.0, 3.0, 4.0]]
    >>> _numbers_in("1\\n0", "label")
    [1, 0]
    """
    if kind == "row":
        return [
            [None if word == "-" else _number(word, float) for word in line.split()]
            for line in text.splitlines()
            if line.strip()
        ]
    return [_number(word, int if kind == "label" else float) for word in text.split()]


def _number(word: str, kind: type[Any]) -> Any:
    try:
        return kind(word)
    except ValueError:
        raise InputError(f"{shown(word)} is not a number.") from None


def _plain(result: dict[str, Any]) -> dict[str, Any]:
    """The result for JSON, which has no NaN: a number that does not exist is None."""
    return {
        key: _plain({str(name): each for name, each in value.items()})
        if isinstance(value, dict)
        else None
        if value != value
        else value
        for key, value in result.items()
    }


def _uncover(app: str) -> None:
    """Remove the folder of a script from ``sys.path``, and say that its page comes: gradio takes seconds to import."""
    print("The page opens in a few seconds.", file=sys.stderr, flush=True)
    folder = Path(app).resolve().parent
    sys.path[:] = [entry for entry in sys.path if Path(entry).resolve() != folder]


def _page(title: str, about: str, own: Mapping[str, str], folders: Folders) -> Any:
    """The page of some metrics, and the variant that each of them opens with."""
    import gradio

    from metrologue.pages.guarded import Page

    answers = Answers(own, folders)
    several = len(own) > 1
    with Page(title, own) as page:
        heading = title if several else get_scorer(answers.first).title
        gradio.HTML(answer("style") + answer("title", title=heading, about=_sentences(about)[0]))
        query = gradio.Textbox(label="Link", visible=False)
        parts = {**_asked_boxes(answers), **_model_boxes(answers)}
        # The page of all metrics has tabs; that of one metric is one column.
        with gradio.Tabs() if several else nullcontext():
            with gradio.Tab("Why they differ") if several else nullcontext():
                parts |= _why_boxes(answers, _sentences(about)[1])
            _which_part(answers, parts)
            if several:
                with gradio.Tab("Pictures"):
                    _pictures_part(answers, parts)
        parts |= _file_boxes(answers)
        _wire(page, answers, query, parts)
    return page


def _asked_boxes(answers: Answers) -> dict[str, Any]:
    """The metric, its examples and its texts, and the numbers beside them."""
    import gradio

    first, several = answers.first, len(answers.own) > 1
    offered, (predictions, references) = examples(first), opening(first)
    titles = [each.title for each in offered] + [""] * (SHOWN - len(offered))
    parts: dict[str, Any] = {"metric": gradio.Dropdown([*answers.own], value=first, label="Metric", visible=several)}
    with gradio.Row(elem_id="examples"):
        parts["chips"] = [gradio.Button(each, size="sm", min_width=90, visible=bool(each)) for each in titles]
    with gradio.Row():  # with this minimum width, the two columns are below each other on a phone
        with gradio.Column(min_width=320, elem_id="texts"):
            parts["predictions"] = gradio.Textbox(predictions, lines=3, max_lines=12, label=predictions_label(first))
            parts["references"] = gradio.Textbox(references, lines=4, max_lines=12, **reference_options(first))
            given = opening_inputs(first)
            options = [box_options(name, first, given) for name in answers.names]
            parts["more"] = [gradio.Textbox(**each, lines=2, max_lines=12) for each in options]
        with gradio.Column(min_width=320, elem_id="answers"):
            soon = answer("message", text="The numbers come in a moment.")
            parts |= {"numbers": gradio.HTML(soon, label="Numbers"), "words": gradio.HTML(label="Words")}
    return parts


def _model_boxes(answers: Answers) -> dict[str, Any]:
    """The model of the metric: one that is offered, or an upload."""
    import gradio

    first, models = answers.first, models_offered(answers.first, answers.places)
    label = upload_label(first)
    with gradio.Row():
        model = gradio.Dropdown(
            models, value=model_at_first(first), label=label_of(first), visible=len(models) > 1, min_width=320
        )
        return {"model": model, "upload": gradio.File(label=label, visible=bool(label), height=120, min_width=320)}


def _why_boxes(answers: Answers, about: str) -> dict[str, Any]:
    """Two variants and a segment, and what is said of them."""
    import gradio

    choices, own = variant_choices(answers.first), answers.own[answers.first]
    with gradio.Row():
        parts: dict[str, Any] = {
            "variant": gradio.Dropdown(choices, value=own, label="Whose number", min_width=150),
            "other": gradio.Dropdown(choices, value=own, label="Explained against", min_width=150),
            "segment": gradio.Number(1, precision=0, minimum=1, label="Segment, counted from 1", min_width=120),
        }
    parts |= {"why": gradio.HTML(label="Explanation"), "trace": gradio.HTML(label="Trace")}
    with gradio.Accordion("All numbers, and the choices behind them", open=False):
        parts["printed"] = gradio.HTML(label="As each library prints its number")
        parts["signature"] = gradio.Textbox(label="Signature", lines=2)
        parts["scores"] = gradio.JSON(label="All numbers")
    with gradio.Accordion("How each library differs", open=False):
        gradio.Markdown("\n".join([about, "", *map(_marks, answers.own)]))
    return parts


def _which_part(answers: Answers, parts: Mapping[str, Any]) -> None:
    """The search for the settings that print a number."""
    import gradio

    several = len(answers.own) > 1
    needed = any(get_scorer(name).input("references") for name in answers.own)
    title = "Which number is that?"
    with gradio.Tab(title) if several else gradio.Accordion(title, open=False, visible=needed):
        with gradio.Row():
            number = gradio.Textbox(label="A printed number: the settings that give it for these texts")
            every = gradio.Checkbox(label="of any metric: that takes longer", visible=several)
        asked = gradio.Button("Search", size="sm")
        found = gradio.HTML(label="Settings")
        wanted = [parts["metric"], number, parts["predictions"], parts["references"], every, *parts["more"]]
        gradio.on([number.submit, asked.click], answers.search, wanted, found)


def _pictures_part(answers: Answers, parts: Mapping[str, Any]) -> None:
    """The alignments of METEOR and of BERTScore, drawn."""
    import gradio

    models = models_offered("bertscore", answers.places)
    encoder = gradio.Dropdown(models, value="", label="An encoder for BERTScore")
    pictures = gradio.Button("Draw METEOR’s and BERTScore’s alignments", size="sm")
    drawn = gradio.HTML(label="Pictures")
    asked = [parts["predictions"], parts["references"], parts["segment"], encoder]
    gradio.on([pictures.click, encoder.input], answers.draw, asked, drawn)


def _file_boxes(answers: Answers) -> dict[str, Any]:
    """An upload for each box of texts."""
    import gradio

    with gradio.Accordion("From files, one segment per line", open=False), gradio.Row():
        files = [gradio.File(label=label, height=120, min_width=320) for label in ("Predictions", "References")]
        options = [upload_options(name, answers.first) for name in answers.names]
        return {"files": files, "more_files": [gradio.File(**each, height=120, min_width=320) for each in options]}


def _wire(page: Any, answers: Answers, query: Any, parts: Mapping[str, Any]) -> None:
    """What is asked when the page opens, when a visitor types, and when one chooses or uploads."""
    import gradio

    metric, variant, other, segment = (parts[name] for name in ("metric", "variant", "other", "segment"))
    texts = [parts["predictions"], parts["references"]]
    model, upload, more = parts["model"], parts["upload"], parts["more"]
    outputs = [parts[name] for name in ("numbers", "words", "trace", "printed", "signature", "scores")]
    asked = [metric, variant, *texts, segment, model, upload, other, *more]
    shown = {"fn": answers.show, "inputs": asked, "outputs": outputs}
    # An explanation may take seconds, and nothing else waits for it.
    asked = [metric, variant, other, *texts, model, upload, *more]
    explained = {"fn": answers.explain, "inputs": asked, "outputs": parts["why"]}
    # The page answers as one types. Changes during an answer get one answer together, after it.
    typed = {"show_progress": "hidden", "trigger_mode": "always_last"}
    changes = [box.change for box in (*texts, *more)]
    changes += [model.input, upload.upload, upload.clear]
    gradio.on([variant.input, other.input, segment.change, *changes], **shown, **typed)
    gradio.on([variant.input, other.input, *changes], **explained, **typed)
    files, more_files = parts["files"], parts["more_files"]
    chosen = [variant, other, *texts, files[1], model, upload, *more, *more_files, *parts["chips"], *outputs]
    opened = page.load(
        answers.restore,
        [query],
        [metric, segment, *chosen],
        js="() => [window.location.search]",
        show_progress="hidden",  # it would hide the texts, which are there at once
    )
    opened.then(**explained)
    page.load(None, None, None, js=f"() => {{ {script()} }}")
    # An upload is for the metric that it was made for.
    metric.input(answers.choose, [metric, *texts, segment, model, *more], chosen).then(**explained)
    for place, chip in enumerate(parts["chips"]):
        example = partial(answers.example, place)
        chip.click(example, [metric, model, upload], [segment, *chosen]).then(**explained)
    names = ["predictions", "references", *answers.names]
    for name, file, box in zip(names, [*files, *more_files], [*texts, *more], strict=True):
        file.upload(partial(answers.read, name=name), [file, metric], box, api_name=f"read_{name}")


def _sentences(about: str) -> tuple[str, str]:
    """The first sentence of a description, and the others.

    Examples
    --------
    >>> _sentences("BLEU counts n-grams. It is old.")
    ('BLEU counts n-grams.', 'It is old.')
    """
    first, others = (*re.split(r"(?<=\.)(?<!et al\.) (?=\W*[A-Z0-9])", " ".join(about.split()), maxsplit=1), "")[:2]
    return first, others


def _marks(metric: str) -> str:
    """One sentence about each variant, as a list in Markdown."""
    lines = (f"- **{name}**: {variant.about}" for name, variant in get_scorer(metric).variants().items())
    return "\n".join([f"**{metric}**\n", *lines, ""])
