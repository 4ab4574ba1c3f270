"""Human texts and others, or damaged ones, for Perception Score."""

from __future__ import annotations

import os
from collections.abc import Sequence

import numpy as np

from metrologue.errors import InputError, shown
from metrologue.files.objects import JsonRecord, json_lines
from metrologue.learned.examples import Examples
from metrologue.learned.synthetic import DAMAGES, damaged


def read_texts(path: str | os.PathLike[str]) -> Examples:
    """Texts from JSON Lines, each an object with ``text`` or ``prediction``, and perhaps ``label`` and ``group``.

    The label is 1 for a human text, and 0 for another one. Without labels, all texts are human, and a damaged
    one is made of each. Raises an InputError if a line is not such an object, or only some lines have a label. The
    message names the line.
    """
    records = [*json_lines(path)]
    if not records:
        raise InputError(f"{os.fspath(path)}: the file is empty; give at least two texts.")
    texts = [_text(each) for each in records]
    with_label, with_group = ([key in each.fields for each in records] for key in ("label", "group"))
    for key, has in (("label", with_label), ("group", with_group)):
        if any(has) and not all(has):
            where = records[has.index(False)].where
            raise InputError(f"{where}: no {key!r}, but other lines have one; give it on every line or on none.")
    groups = [each.text("group") for each in records] if all(with_group) else None
    if not any(with_label):
        return against_damaged(texts, groups=groups)
    return Examples(
        tuple(texts), tuple((text,) for text in texts), np.array([_label(each) for each in records]),
        None if groups is None else tuple(groups), labels=True,
    )  # fmt: skip


def _text(record: JsonRecord) -> str:
    return record.text("text") if "text" in record.fields else record.text("prediction")


def _label(record: JsonRecord) -> float:
    value = record.fields["label"]
    if not isinstance(value, bool | int | float) or value not in (0, 1):
        raise InputError(f"{record.where}: 'label' is {shown(value)}; 0 or 1 is expected.")
    return float(value)


def against_damaged(texts: Sequence[str], seed: int = 0, groups: Sequence[str] | None = None) -> Examples:
    """Texts with the label 1, and one that was damaged of each, with the label 0. Both are of the same group.

    Raises an InputError if there are none.
    """
    draws, pool, ways = np.random.default_rng(seed), [word for text in texts for word in text.split()], [*DAMAGES]
    made = [damaged(text, ways[row % len(ways)], pool, draws) for row, text in enumerate(texts)]
    kept = [row for row, text in enumerate(texts) if made[row] != text]
    own = None if groups is None else (*groups, *(groups[row] for row in kept))
    return Examples(
        (*texts, *(made[row] for row in kept)),
        (*((text,) for text in texts), *((texts[row],) for row in kept)),
        np.repeat([1.0, 0.0], [len(texts), len(kept)]),
        own,
        labels=True,
    )
