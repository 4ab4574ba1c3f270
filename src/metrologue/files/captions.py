"""Captions of images in the files of COCO, and the numbers of its table."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from metrologue.errors import InputError, shown
from metrologue.files.regular import read_text
from metrologue.files.values import json_value, whole_of_text

# The rows of the table that coco-caption prints. Each has a metric, with the variant `coco`, and one of its numbers.
NUMBERS: Mapping[str, tuple[str, str]] = {
    **{f"Bleu_{n}": ("bleu", f"bleu_{n}") for n in range(1, 5)},
    "METEOR": ("meteor", "meteor"),
    "ROUGE_L": ("rouge", "rougeL_fmeasure"),
    "CIDEr": ("cider", "cider"),
}


@dataclass(frozen=True)
class Captions:
    """The captions of a system, and those of people.

    Attributes
    ----------
    images : list of n int or str
        The ids of the images.
    predictions : list of n str
        The system's caption of each image.
    references : list of n lists of str
        The annotated captions of each image.
    """

    images: list[int | str]
    predictions: list[str]
    references: list[list[str]]


def read_captions(
    annotations: str | Path, results: str | Path, most_references: int | None = None, subset: bool = False
) -> Captions:
    """Captions from two files of COCO.

    Parameters
    ----------
    annotations : str or Path
        A JSON object with the lists `images`, of objects with an `id`, and `annotations`, of objects with an `image_id`
        and a `caption`.
    results : str or Path
        A JSON list of objects with an `image_id` and a `caption`, one for each image.
    most_references : int, optional
        Use only the first so many captions of an image, in the order of the file.
    subset : bool
        Whether images may have no result. They are left out.

    Raises
    ------
    InputError
        If a file is not such JSON; if an image has two ids, no caption, no result or two results; if an annotation or
        a result belongs to no image; if a caption is not a string. The message names the file and the place in it.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> captions = '{"images": [{"id": 7}], "annotations": [{"image_id": 7, "id": 1, "caption": "A cat."}]}'
    >>> _ = (folder / "captions.json").write_text(captions)
    >>> _ = (folder / "results.json").write_text('[{"image_id": 7, "caption": "a dog"}]')
    >>> read_captions(folder / "captions.json", folder / "results.json")
    Captions(images=[7], predictions=['a dog'], references=[['A cat.']])
    """
    references = annotated(_json(annotations), annotations)
    found = captioned(_json(results), results)
    for i, image in enumerate(found):
        _check_known(image, references, f"{results}: `[{i}]`", str(annotations))
    images = [image for image in references if not subset or image in found]
    for image in images:
        if image not in found:
            raise InputError(
                f"{results}: the image {shown(image)} of {annotations} has no result; give one, or score only the "
                "images with a result (--subset)."
            )
        if not references[image]:
            raise InputError(f"{annotations}: the image {shown(image)} has no caption in 'annotations'.")
    if not images:
        raise InputError(f"{annotations}: there are no images to score.")
    return Captions(
        images, [found[image] for image in images], [references[image][:most_references] for image in images]
    )


def annotated(held: Any, path: str | os.PathLike[str]) -> dict[int | str, list[str]]:
    """The captions of each image in the value of a file of annotations, perhaps none. Raises as ``read_captions``."""
    if not isinstance(held, dict) or not all(isinstance(held.get(key), list) for key in ("images", "annotations")):
        raise InputError(f'{path}: a JSON object with the lists "images" and "annotations" is expected.')
    ids = [_id(image, "id", f"{path}: `images[{i}]`") for i, image in enumerate(held["images"])]
    _check_single(ids, f"{path}: `images", "the id")
    references: dict[int | str, list[str]] = {image: [] for image in ids}
    for i, annotation in enumerate(held["annotations"]):
        place = f"{path}: `annotations[{i}]`"
        image = _id(annotation, "image_id", place)
        _check_known(image, references, place, "`images`")
        references[image].append(_caption(annotation, place, image))
    return references


def captioned(rows: Any, path: str | os.PathLike[str]) -> dict[int | str, str]:
    """The caption of each image in the value of a file of results. Raises as ``read_captions``."""
    if not isinstance(rows, list):
        raise InputError(f'{path}: a JSON list of objects with "image_id" and "caption" is expected.')
    ids = [_id(row, "image_id", f"{path}: `[{i}]`") for i, row in enumerate(rows)]
    _check_single(ids, f"{path}: `", "the image id")
    return {
        image: _caption(row, f"{path}: `[{i}]`", image) for i, (image, row) in enumerate(zip(ids, rows, strict=True))
    }


def _json(path: str | Path) -> Any:
    try:
        text = read_text(path, "captions")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: byte {error.start} is not UTF-8.") from error
    return json_value(text, str(path))


def _id(row: Any, key: str, place: str) -> int | str:
    """The id of an image."""
    if not isinstance(row, dict):
        raise InputError(f"{place} is {shown(row)}; an object is expected.")
    if key not in row:
        raise InputError(f"{place} has no `{key}`.")
    value = row[key]
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise InputError(f"{place} has the `{key}` {shown(value)}; an int or a str is expected.")
    return value


def _caption(row: Mapping[str, Any], place: str, image: Hashable) -> str:
    caption = row.get("caption")
    if not isinstance(caption, str):
        what = f"the caption {shown(caption)}" if "caption" in row else "no `caption`"
        raise InputError(f"{place}, of the image {shown(image)}, has {what}; a str is expected.")
    return caption


def _check_single(ids: Sequence[int | str], place: str, what: str) -> None:
    """Refuse an id that comes twice."""
    twice = next((image for image, count in Counter(ids).items() if count > 1), None)
    if twice is not None:
        first = ids.index(twice)
        second = ids.index(twice, first + 1)
        raise InputError(
            f"{place}[{second}]` has {what} {shown(twice)}, as `[{first}]` has; each image is expected once."
        )


def _check_known(image: int | str, known: Mapping[int | str, Any], place: str, where: str) -> None:
    """Refuse an id that no image has."""
    if image in known:
        return
    twin = str(image) if isinstance(image, int) else whole_of_text(image)
    hint = f"; there is {shown(twin)}, which is {type(twin).__name__}" if twin in known else ""
    raise InputError(f"{place} belongs to the image {shown(image)}, which is not in {where}{hint}.")
