"""What the page of some metrics answers. A method takes what boxes hold, and gives what is then shown.

This module imports gradio when a page is made, which takes seconds.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from html import escape
from typing import Any

from metrologue.errors import InputError
from metrologue.files.values import whole_of_text
from metrologue.pages.boxes import box_label, boxes, file_label, predictions_label
from metrologue.pages.examples import SHOWN, examples, opening, opening_inputs
from metrologue.pages.links import from_link
from metrologue.pages.models import label_of, model_at_first, model_chosen, models_offered, named_folders, upload_label
from metrologue.pages.page_parts import (
    explain_texts,
    file_text,
    opening_variants,
    picture_texts,
    show_texts,
    which_texts,
)
from metrologue.scorers import get_scorer
from metrologue.scorers.core.inputs import REFERENCES

Folders = Iterable[str | os.PathLike[str]]


class Answers:
    """What the page of some metrics answers.

    Parameters
    ----------
    own : mapping of str to str
        The metrics, and the variant that each of them opens with. The page opens with the first.
    folders : iterable of paths
        Folders with models of this machine.

    Attributes
    ----------
    names : list of str
        The inputs that have a box beside predictions and references.
    """

    def __init__(self, own: Mapping[str, str], folders: Folders) -> None:
        self.own = own
        self.first = next(iter(own))
        self.places = named_folders(folders)
        self.names = [*boxes(own)]

    def show(
        self,
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
        """The numbers, and one segment in detail."""
        chosen, inputs = model_chosen(model, upload, self.places), texts_of(metric, self.names, others)
        texts = predictions, references
        return tuple(show_texts(metric, variant, *texts, int(segment or 1) - 1, chosen, other or "", **inputs))

    def explain(
        self,
        metric: str,
        variant: str,
        other: str,
        predictions: str,
        references: str,
        model: str | None = None,
        upload: str | None = None,
        *others: str,
    ) -> str:
        """Why two variants differ."""
        chosen, inputs = model_chosen(model, upload, self.places), texts_of(metric, self.names, others)
        return explain_texts(metric, variant, other, predictions, references, chosen, **inputs)

    def draw(self, predictions: str, references: str, segment: float | None, model: str | None = None) -> str:
        """The pictures of alignments."""
        return picture_texts(predictions, references, int(segment or 1) - 1, model_chosen(model, None, self.places))

    def search(
        self, metric: str, number: str, predictions: str, references: str, every: bool = False, *others: str
    ) -> str:
        """The settings that print a number."""
        return which_texts(metric, number, predictions, references, every, **texts_of(metric, self.names, others))

    def choose(
        self,
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
        inputs = texts_of(metric, self.names, others)
        if (predictions, references) in map(opening, self.own):
            predictions, references = opening(metric)
            inputs = opening_inputs(metric)
        if not any(model == name for _, name in models_offered(metric, self.places)):
            model = model_at_first(metric)
        texts, given = (predictions, references), model_chosen(model, upload, self.places)
        variant, other = variants or opening_variants(metric, self.own[metric], *texts, given, **inputs)
        return (
            *_of_variants(metric, variant, other),
            *_of_texts(metric, *texts),
            *self._of_models(metric, model, upload),
            *self._of_inputs(metric, inputs),
            *_of_examples(metric),
            *self.show(metric, variant, *texts, segment, model, upload, other, *self.in_order(inputs)),
        )

    def restore(self, query: str | None) -> tuple[object, ...]:
        """What a link holds; the opening of the page for what it does not hold."""
        given = from_link(query or "", self.names)
        metric = given["metric"] if given.get("metric") in self.own else self.first
        texts = (given.get("predictions", ""), given.get("references", ""))
        segment = min(whole_of_text(given.get("segment", "1")) or 1, 10**15)
        wanted = given.get("variant", ""), given.get("against", "")
        variants = wanted if {*wanted} <= {*get_scorer(metric).variants()} else None
        others = self.in_order(given)
        if not any(texts):
            texts, others = opening(metric), self.in_order(opening_inputs(metric))
        return metric, segment, *self.choose(metric, *texts, segment, given.get("model"), *others, variants=variants)

    def example(
        self, number: int, metric: str, model: str | None = None, upload: str | None = None
    ) -> tuple[object, ...]:
        """The texts of an example, and the two variants that differ for them."""
        taken = examples(metric)[number]
        texts = taken.predictions, taken.references
        others = self.in_order(taken.inputs)
        return 1, *self.choose(metric, *texts, 1, model, *others, upload=upload, variants=taken.variants)

    def read(self, path: str, metric: str, name: str) -> str:
        """The text of a file that was uploaded for an input."""
        with errors_shown():
            return file_text(path, metric, name)

    def in_order(self, inputs: Mapping[str, str]) -> list[str]:
        """The texts of the other boxes of the page."""
        return [inputs.get(name, "") for name in self.names]

    def _of_models(self, metric: str, model: str | None, upload: str | None) -> Iterator[object]:
        import gradio

        models = models_offered(metric, self.places)
        yield gradio.update(choices=models, value=model, visible=len(models) > 1, label=label_of(metric))
        yield gradio.update(value=upload, visible=bool(upload_label(metric)), label=upload_label(metric))

    def _of_inputs(self, metric: str, inputs: Mapping[str, str]) -> Iterator[object]:
        import gradio

        yield from (gradio.update(**box_options(name, metric, inputs)) for name in self.names)
        yield from (gradio.update(**upload_options(name, metric)) for name in self.names)


def _of_variants(metric: str, variant: str, other: str) -> Iterator[object]:
    import gradio

    choices = variant_choices(metric)
    yield gradio.update(choices=choices, value=variant)
    yield gradio.update(choices=choices, value=other, visible=len(choices) > 1)


def _of_texts(metric: str, predictions: str, references: str) -> Iterator[object]:
    """The two boxes, and the upload for references."""
    import gradio

    options = reference_options(metric)
    yield gradio.update(value=predictions, label=predictions_label(metric))
    yield gradio.update(value=references, **options)
    yield gradio.update(visible=options["visible"])


def _of_examples(metric: str) -> Iterator[object]:
    """The buttons of the examples. Those that the metric has no example for are hidden."""
    import gradio

    offered = examples(metric)
    for place in range(SHOWN):
        if place < len(offered):
            yield gradio.update(value=offered[place].title, visible=True)
        else:
            yield gradio.update(visible=False)


@contextmanager
def errors_shown() -> Iterator[None]:
    """A context manager in which an InputError becomes a message on the page."""
    import gradio

    try:
        yield
    except InputError as error:
        raise gradio.Error(escape(str(error)), print_exception=False) from error


def texts_of(metric: str, names: Iterable[str], texts: Sequence[str | None]) -> dict[str, str]:
    """What the boxes of a metric hold, of those with these names."""
    declared = boxes([metric])
    return {name: text or "" for name, text in zip(names, texts, strict=False) if name in declared}


def reference_options(metric: str) -> dict[str, Any]:
    """The options of the box of references."""
    each = get_scorer(metric).input("references")
    return {"visible": each is not None, "label": box_label(each or REFERENCES)}


def box_options(name: str, metric: str, texts: Mapping[str, str]) -> dict[str, Any]:
    """The options of the box for an input, which is hidden if the metric has no such input."""
    each = boxes([metric]).get(name)
    if each is None:
        return {"value": "", "visible": False, "label": name}
    about = f"{each.about[:1].upper()}{each.about[1:]}."
    return {"value": texts.get(name, ""), "visible": True, "label": box_label(each), "info": about}


def upload_options(name: str, metric: str) -> dict[str, Any]:
    """The options of the upload for an input."""
    each = boxes([metric]).get(name)
    return {"visible": each is not None, "label": file_label(each) if each else name}


def variant_choices(metric: str) -> list[tuple[str, str]]:
    return [(f"{name} {variant.version}".rstrip(), name) for name, variant in get_scorer(metric).variants().items()]
