"""The bridge to gradio: the pages of Hugging Face Spaces. The ``app.py`` of a folder builds its page.

The page of all metrics is that of one metric, with a choice of the metric. Every page is a ``gradio.Blocks``: call its
``launch()``.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

from metrologue.errors import InputError, heard, shown
from metrologue.modules import load
from metrologue.pages.boxes import box_label, boxes, file_label, predictions_label
from metrologue.pages.examples import SHOWN, examples, filled, opening, opening_inputs, opening_systems
from metrologue.pages.links import from_link
from metrologue.pages.models import label_of, model_at_first, model_chosen, models_offered, named_folders, upload_label
from metrologue.pages.page_parts import (
    compared_texts,
    explain_texts,
    file_text,
    opening_variants,
    picture_texts,
    show_texts,
    which_texts,
)
from metrologue.pages.rendering import answer, script
from metrologue.scorers import get_scorer, list_scorers
from metrologue.scorers.core.inputs import REFERENCES

Folders = Iterable[str | os.PathLike[str]]

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
        with _errors_shown():
            return tuple(compared_texts(module.method, metric, first, second, references, **_of(metric, names, others)))

    def choose(metric: str, predictions: str, *others: str) -> list[object]:
        """The boxes of a metric. What it needs and nobody has written is made from the first system's texts."""
        typed = {name: text for name, text in _of(metric, names, others).items() if text.strip()}
        texts = filled(metric, predictions, typed)
        return [gradio.update(**_box(name, metric, texts)) for name in names]

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
            more = [gradio.Textbox(**_box(each, "bleu", {}), lines=3, max_lines=12, min_width=240) for each in names]
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

    The module is one of ``metrologue.list_statistics()``, or a test of ``metrologue.list_comparisons()``.
    """
    _uncover(app)
    import gradio

    from metrologue.pages.guarded import Page

    module = load(name)
    columns = module.columns

    def compute(*texts: str) -> Any:
        with _errors_shown(), heard(UserWarning) as told:
            given = {
                column: _numbers_in(text, kind) for (column, kind), text in zip(columns.items(), texts, strict=True)
            }
            result = module.compute(**given)
        return {**_plain(result), **({"note": told} if told else {})}

    with Page(name) as page:
        gradio.Markdown(f"# {name}\n{module.description}")
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


@contextmanager
def _errors_shown() -> Iterator[None]:
    """A context manager in which an InputError becomes a message on the page."""
    import gradio

    try:
        yield
    except InputError as error:
        raise gradio.Error(escape(str(error)), print_exception=False) from error


def _uncover(app: str) -> None:
    """Remove the folder of a script from ``sys.path``, and say that its page comes: gradio takes seconds to import."""
    print("The page opens in a few seconds.", file=sys.stderr, flush=True)
    folder = Path(app).resolve().parent
    sys.path[:] = [entry for entry in sys.path if Path(entry).resolve() != folder]


def _page(title: str, about: str, own: Mapping[str, str], folders: Folders) -> Any:
    """The page of some metrics, and the variant that each of them opens with."""
    import gradio

    from metrologue.pages.guarded import Page

    places = named_folders(folders)
    names = [*boxes(own)]

    def in_order(inputs: Mapping[str, str]) -> list[str]:
        """The texts of the other boxes of the page."""
        return [inputs.get(name, "") for name in names]

    def show(
        metric: str,
        variant: str,
        predictions: str,
        references: str,
        segment: float | None,
        model: str | None = None,
        upload: str | None = None,
        other: str | None = None,
        *others: str,
    ) -> tuple[object, ...]:
        chosen, inputs = model_chosen(model, upload, places), _of(metric, names, others)
        texts = predictions, references
        return tuple(show_texts(metric, variant, *texts, int(segment or 1) - 1, chosen, other or "", **inputs))

    def explain(
        metric: str,
        variant: str,
        other: str,
        predictions: str,
        references: str,
        model: str | None = None,
        upload: str | None = None,
        *others: str,
    ) -> str:
        chosen, inputs = model_chosen(model, upload, places), _of(metric, names, others)
        return explain_texts(metric, variant, other, predictions, references, chosen, **inputs)

    def draw(predictions: str, references: str, segment: float | None, model: str | None = None) -> str:
        return picture_texts(predictions, references, int(segment or 1) - 1, model_chosen(model, None, places))

    def search(metric: str, number: str, predictions: str, references: str, every: bool = False, *others: str) -> str:
        return which_texts(metric, number, predictions, references, every, **_of(metric, names, others))

    def choose(
        metric: str,
        predictions: str,
        references: str,
        segment: float | None,
        model: str | None = None,
        *others: str,
        upload: str | None = None,
        variants: tuple[str, str] | None = None,
    ) -> tuple[object, ...]:
        """The choices of a metric, and its numbers for these variants, or for those that the page opens with.

        An example of another metric, which nobody has changed, gives way to the metric's own. So does a model that is
        not among the metric's own.
        """
        inputs = _of(metric, names, others)
        if (predictions, references) in map(opening, own):
            predictions, references = opening(metric)
            inputs = opening_inputs(metric)
        models = models_offered(metric, places)
        model = model if any(model == name for _, name in models) else model_at_first(metric)
        given = model_chosen(model, upload, places)
        variant, other = variants or opening_variants(metric, own[metric], predictions, references, given, **inputs)
        choices = _choices(metric)
        offered = examples(metric)
        return (
            gradio.update(choices=choices, value=variant),
            gradio.update(choices=choices, value=other, visible=len(choices) > 1),
            gradio.update(value=predictions, label=predictions_label(metric)),
            gradio.update(value=references, **_references(metric)),
            gradio.update(visible=_references(metric)["visible"]),
            gradio.update(choices=models, value=model, visible=len(models) > 1, label=label_of(metric)),
            gradio.update(value=upload, visible=bool(upload_label(metric)), label=upload_label(metric)),
            *(gradio.update(**_box(name, metric, inputs)) for name in names),
            *(gradio.update(**_upload(name, metric)) for name in names),
            *(
                gradio.update(value=offered[place].title, visible=True)
                if place < len(offered)
                else gradio.update(visible=False)
                for place in range(SHOWN)
            ),
            *show(metric, variant, predictions, references, segment, model, upload, other, *in_order(inputs)),
        )

    def restore(query: str | None) -> tuple[object, ...]:
        """What a link holds; the opening of the page for what it does not hold."""
        given = from_link(query or "", names)
        metric = given["metric"] if given.get("metric") in own else first
        texts = (given.get("predictions", ""), given.get("references", ""))
        number = given.get("segment", "1")
        segment = int(number) if number.isdecimal() else 1
        wanted = given.get("variant", ""), given.get("against", "")
        variants = wanted if {*wanted} <= {*get_scorer(metric).variants()} else None
        others = in_order(given)
        if not any(texts):
            texts, others = opening(metric), in_order(opening_inputs(metric))
        return metric, segment, *choose(metric, *texts, segment, given.get("model"), *others, variants=variants)

    def example(number: int, metric: str, model: str | None = None, upload: str | None = None) -> tuple[object, ...]:
        """The texts of an example, and the two variants that differ for them."""
        taken = examples(metric)[number]
        texts = taken.predictions, taken.references
        others = in_order(taken.inputs)
        return 1, *choose(metric, *texts, 1, model, *others, upload=upload, variants=taken.variants)

    def read(path: str, metric: str, name: str) -> str:
        with _errors_shown():
            return file_text(path, metric, name)

    first = next(iter(own))
    several = len(own) > 1
    texts_of_first = opening(first)
    with Page(title, own) as page:
        heading = title if several else get_scorer(first).title
        gradio.HTML(answer("style") + answer("title", title=heading, about=_sentences(about)[0]))
        query = gradio.Textbox(label="Link", visible=False)
        metric = gradio.Dropdown(list(own), value=first, label="Metric", visible=several)
        with gradio.Row(elem_id="examples"):
            offered = examples(first)
            titles = [each.title for each in offered] + [""] * (SHOWN - len(offered))
            chips = [gradio.Button(each, size="sm", min_width=90, visible=bool(each)) for each in titles]
        with gradio.Row():  # with this minimum width, the two columns are below each other on a phone
            with gradio.Column(min_width=320, elem_id="texts"):
                predictions = gradio.Textbox(texts_of_first[0], lines=3, max_lines=12, label=predictions_label(first))
                references = gradio.Textbox(texts_of_first[1], lines=4, max_lines=12, **_references(first))
                given = opening_inputs(first)
                more = [gradio.Textbox(**_box(name, first, given), lines=2, max_lines=12) for name in names]
            with gradio.Column(min_width=320, elem_id="answers"):
                soon = answer("message", text="The numbers come in a moment.")
                numbers, words = gradio.HTML(soon, label="Numbers"), gradio.HTML(label="Words")
        with gradio.Row():
            offered_models = models_offered(first, places)
            model = gradio.Dropdown(
                offered_models,
                value=model_at_first(first),
                label=label_of(first),
                visible=len(offered_models) > 1,
                min_width=320,
            )
            model_file = gradio.File(
                label=upload_label(first), visible=bool(upload_label(first)), height=120, min_width=320
            )
        needed = any(get_scorer(name).input("references") for name in own)
        # The page of all metrics has tabs; that of one metric is one column.
        part = gradio.Tab if several else nullcontext
        with gradio.Tabs() if several else nullcontext():
            with part("Why they differ"):
                with gradio.Row():
                    variant = gradio.Dropdown(_choices(first), value=own[first], label="Whose number", min_width=150)
                    other = gradio.Dropdown(_choices(first), value=own[first], label="Explained against", min_width=150)
                    segment = gradio.Number(1, precision=0, minimum=1, label="Segment, counted from 1", min_width=120)
                why, trace = gradio.HTML(label="Explanation"), gradio.HTML(label="Trace")
                with gradio.Accordion("All numbers, and the choices behind them", open=False):
                    printed = gradio.HTML(label="As each library prints its number")
                    signature = gradio.Textbox(label="Signature", lines=2)
                    scores = gradio.JSON(label="All numbers")
                with gradio.Accordion("How each library differs", open=False):
                    gradio.Markdown("\n".join([_sentences(about)[1], "", *map(_marks, own)]))
            with (
                gradio.Tab("Which number is that?")
                if several
                else gradio.Accordion("Which number is that?", open=False, visible=needed)
            ):
                with gradio.Row():
                    number = gradio.Textbox(label="A printed number: the settings that give it for these texts")
                    every = gradio.Checkbox(label="of any metric: that takes longer", visible=several)
                asked = gradio.Button("Search", size="sm")
                found = gradio.HTML(label="Settings")
                wanted = [metric, number, predictions, references, every, *more]
                gradio.on([number.submit, asked.click], search, wanted, found)
            if several:
                with gradio.Tab("Pictures"):
                    encoder = gradio.Dropdown(
                        models_offered("bertscore", places), value="", label="An encoder for BERTScore"
                    )
                    pictures = gradio.Button("Draw METEOR’s and BERTScore’s alignments", size="sm")
                    drawn = gradio.HTML(label="Pictures")
                    gradio.on([pictures.click, encoder.input], draw, [predictions, references, segment, encoder], drawn)
        with gradio.Accordion("From files, one segment per line", open=False), gradio.Row():
            files = [gradio.File(label=label, height=120, min_width=320) for label in ("Predictions", "References")]
            more_files = [gradio.File(**_upload(name, first), height=120, min_width=320) for name in names]

        outputs = [numbers, words, trace, printed, signature, scores]
        texts = [predictions, references, segment, model, model_file]
        shown = {"fn": show, "inputs": [metric, variant, *texts, other, *more], "outputs": outputs}
        # An explanation may take seconds, and nothing else waits for it.
        explained = {"fn": explain, "inputs": [metric, variant, other, *texts[:2], *texts[3:], *more], "outputs": why}
        # The page answers as one types. Changes during an answer get one answer together, after it.
        typed = {"show_progress": "hidden", "trigger_mode": "always_last"}
        changes = [box.change for box in (predictions, references, *more)]
        changes += [model.input, model_file.upload, model_file.clear]
        gradio.on([variant.input, other.input, segment.change, *changes], **shown, **typed)
        gradio.on([variant.input, other.input, *changes], **explained, **typed)
        chosen = [variant, other, predictions, references, files[1], model, model_file, *more, *more_files]
        chosen += [*chips, *outputs]
        opened = page.load(
            restore,
            [query],
            [metric, segment, *chosen],
            js="() => [window.location.search]",
            show_progress="hidden",  # it would hide the texts, which are there at once
        )
        opened.then(**explained)
        page.load(None, None, None, js=f"() => {{ {script()} }}")
        # An upload is for the metric that it was made for.
        metric.input(choose, [metric, *texts[:4], *more], chosen).then(**explained)
        for place_of, chip in enumerate(chips):
            chip.click(partial(example, place_of), [metric, model, model_file], [segment, *chosen]).then(**explained)
        uploads = zip(["predictions", "references", *names], [*files, *more_files], [*texts[:2], *more], strict=True)
        for name, file, box in uploads:
            file.upload(partial(read, name=name), [file, metric], box, api_name=f"read_{name}")
    return page


def _of(metric: str, names: Iterable[str], texts: Sequence[str | None]) -> dict[str, str]:
    """What the boxes of a metric hold, of those with these names."""
    declared = boxes([metric])
    return {name: text or "" for name, text in zip(names, texts, strict=False) if name in declared}


def _references(metric: str) -> dict[str, Any]:
    """The options of the box of references."""
    each = get_scorer(metric).input("references")
    return {"visible": each is not None, "label": box_label(each or REFERENCES)}


def _box(name: str, metric: str, texts: Mapping[str, str]) -> dict[str, Any]:
    """The options of the box for an input, which is hidden if the metric has no such input."""
    each = boxes([metric]).get(name)
    if each is None:
        return {"value": "", "visible": False, "label": name}
    about = f"{each.about[:1].upper()}{each.about[1:]}."
    return {"value": texts.get(name, ""), "visible": True, "label": box_label(each), "info": about}


def _upload(name: str, metric: str) -> dict[str, Any]:
    """The options of the upload for an input."""
    each = boxes([metric]).get(name)
    return {"visible": each is not None, "label": file_label(each) if each else name}


def _sentences(about: str) -> tuple[str, str]:
    """The first sentence of a description, and the others.

    Examples
    --------
    >>> _sentences("BLEU counts n-grams. It is old.")
    ('BLEU counts n-grams.', 'It is old.')
    """
    first, others = (*re.split(r"(?<=\.)(?<!et al\.) (?=\W*[A-Z0-9])", " ".join(about.split()), maxsplit=1), "")[:2]
    return first, others


def _choices(metric: str) -> list[tuple[str, str]]:
    return [(f"{name} {variant.version}", name) for name, variant in get_scorer(metric).variants().items()]


def _marks(metric: str) -> str:
    """One sentence about each variant, as a list in Markdown."""
    lines = (f"- **{name}**: {variant.about}" for name, variant in get_scorer(metric).variants().items())
    return "\n".join([f"**{metric}**\n", *lines, ""])
