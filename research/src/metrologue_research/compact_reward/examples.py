"""Human captions, and others of other images or damaged ones, for the compact reward."""

from __future__ import annotations

import os
from collections.abc import Sequence

import numpy as np

from metrologue.errors import InputError
from metrologue.files.objects import json_lines
from metrologue.learned.examples import Examples
from metrologue.learned.synthetic import DAMAGES, damaged


def read_captions(path: str | os.PathLike[str]) -> Examples:
    """Human captions from JSON Lines, each line an image: an object with ``references``, two or more of them.

    Each caption is an example, with the other ones as its references. A damaged one is made of it, and a caption of
    another image stands there too. The group is ``group``, or otherwise the number of the line. Raises an InputError if
    a line is not such an object. The message names the line.
    """
    images, groups = [], []
    for number, record in enumerate(json_lines(path)):
        own = record.texts("references", "captions")
        if len(own) < 2:
            raise InputError(f"{record.where}: {len(own)} 'references'; two captions or more are expected.")
        images.append(own)
        groups.append(record.text("group") if "group" in record.fields else str(number))
    return captions_against_damaged(images, groups=groups)


def captions_against_damaged(
    images: Sequence[Sequence[str]], seed: int = 0, groups: Sequence[str] | None = None
) -> Examples:
    """The captions of each image with the label 1; and with 0, a damaged one of each, and one of another image.

    Raises an InputError if there are fewer than two images.
    """
    if len(images) < 2:
        raise InputError(f"train: {len(images)} images; captions of two or more are expected.")
    draws, ways = np.random.default_rng(seed), [*DAMAGES]
    pool = [word for own in images for text in own for word in text.split()]
    texts: list[str] = []
    references: list[tuple[str, ...]] = []
    labels, named = [], []
    for number, own in enumerate(images):
        for place, text in enumerate(own):
            other = images[(number + int(draws.integers(1, len(images)))) % len(images)]
            made = damaged(text, ways[len(texts) % len(ways)], pool, draws)
            rows = [(text, 1.0), (made, 0.0), (other[int(draws.integers(len(other)))], 0.0)]
            for each, label in rows:
                if label or each not in own:
                    texts.append(each)
                    references.append((*own[:place], *own[place + 1 :]))
                    labels.append(label)
                    named.append(str(number) if groups is None else groups[number])
    return Examples(tuple(texts), tuple(references), np.array(labels), tuple(named), labels=True)
