"""What the modules of `evaluate` take: the forms of their columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from metrologue.scorers import Scorer


def text_features(scorer: type[Scorer]) -> list[Any]:
    """The forms of a scorer's columns for `evaluate`: a list of references for each segment, or one for each.

    The stricter form comes first, because `evaluate` takes the first that fits. The last form is that of sets of
    labels, or of lists of spans, for a metric that takes them.
    """
    from datasets import Features, Sequence, Value

    text = Value("string", id="sequence")
    others = {
        each.name: Sequence(text) if each.many else text
        for each in scorer.inputs[1:]
        if each.required and each.name != "references"
    }
    item = {"numbers": Value("float64"), "groups": text}.get(scorer.inputs[0].kind.name)
    if not scorer.input("references"):
        forms = [text, *([Sequence(item)] if item else [])]
        return [Features({"predictions": form, **others}) for form in forms]
    nested = Sequence(text, id="references")
    pairs = [(text, nested), *([(Sequence(item), nested)] if item else []), (text, text)]
    pairs += [(Sequence(text), Sequence(Sequence(text)))] if scorer.takes("sets", "spans") else []
    return [Features({"predictions": one, "references": other, **others}) for one, other in pairs]


def comparison_features() -> list[Any]:
    """The columns for `evaluate`: two systems, and a list of references for each segment."""
    from datasets import Features, Sequence, Value

    text = Value("string", id="sequence")
    return [Features({"predictions1": text, "predictions2": text, "references": Sequence(text, id="references")})]


def label_features() -> list[Any]:
    """The forms of predictions and references for `evaluate`: ints, strings, or rows of 0 and 1."""
    from datasets import Features, Sequence, Value

    return [
        Features({"predictions": value, "references": value})
        for value in (Value("int64"), Value("string"), Sequence(Value("int64")))
    ]


def number_features(columns: Mapping[str, str], texts: bool = False) -> list[Any]:
    """The columns of numbers for `evaluate`, by what each holds: "number", "label", "row" or "text".

    With `texts`, the second form is that of texts in their place, and the third of rows of sets of texts.
    """
    from datasets import Features, Sequence, Value

    text = Value("string")
    forms: list[dict[str, Any]] = [
        {
            "number": Value("float64"),
            "label": Value("int64"),
            "row": Sequence(Value("float64")),
            "text": Value("large_string"),
        },
        {"number": text, "label": text, "row": Sequence(text)},
        {"number": Sequence(text), "label": Sequence(text), "row": Sequence(Sequence(text))},
    ]
    return [Features({name: each[kind] for name, kind in columns.items()}) for each in forms[: 3 if texts else 1]]
