"""The page of a module that takes numbers: a box for each column, and the result."""

from __future__ import annotations

from html import escape
from typing import Any

from metrologue.errors import InputError, heard, shown

__all__ = ["numbers_of", "page_of"]

# What the boxes open with, by what a column holds.
_EXAMPLES = {
    "number": ("1\n2\n3\n4\n5\n6\n7\n8", "2\n1\n4\n3\n6\n6\n7\n9"),
    "label": ("1\n1\n0\n1\n0\n1", "1\n0\n0\n0\n1\n1", "1\n1\n0\n0\n0\n1"),
    "row": ("1 1 -\n2 2 3\n3 3 3\n1 2 1\n4 4 4", ""),
}
# A module that needs the same number of entries in each row cannot open with a missing one.
_WHOLE = {"fleiss_kappa": "1 1 1\n2 2 2\n1 2 2\n1 1 2\n3 3 2"}
_LABELS = {
    "number": "{name}: a number on each line",
    "label": "{name}: an int on each line",
    "row": "{name}: the ratings of a unit on each line, - where one is missing",
}


def numbers_of(text: str, kind: str) -> list[Any]:
    """The entries of a column, from text.

    Raises an InputError if a word is not a number.

    Examples
    --------
    >>> numbers_of("1 2 -\\n3 3 4", "row")
    [[1.0, 2.0, None], [3.0, 3.0, 4.0]]
    >>> numbers_of("1\\n0", "label")
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


def page_of(name: str, module: Any) -> Any:
    """The page as ``gradio.Blocks``, of a module that is loaded."""
    import gradio

    from metrologue.pages.guarded import Page

    columns = module.columns

    def compute(*texts: str) -> Any:
        try:
            given = {
                column: numbers_of(text, kind) for (column, kind), text in zip(columns.items(), texts, strict=True)
            }
            with heard(UserWarning) as told:
                result = module.compute(**given)
        except InputError as error:
            raise gradio.Error(escape(str(error)), print_exception=False) from error
        return {**plain(result), **({"note": told} if told else {})}

    with Page(name) as page:
        gradio.Markdown(f"# {name}\n{module.description}")
        with gradio.Row():
            boxes = [
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
        gradio.on([page.load, button.click], compute, boxes, result)
    return page


def plain(result: dict[str, Any]) -> dict[str, Any]:
    """The result for JSON, which has no NaN: a number that does not exist is None."""
    return {
        key: plain({str(name): each for name, each in value.items()})
        if isinstance(value, dict)
        else None
        if value != value
        else value
        for key, value in result.items()
    }
