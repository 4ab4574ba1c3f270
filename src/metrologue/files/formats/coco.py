"""COCO's captions in JSON: those of people, several for each image, and those of a system; both by the image's id."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from metrologue.errors import InputError, number_of, shown
from metrologue.files.captions import annotated, captioned
from metrologue.files.packed import Path
from metrologue.files.rows import Format, Rows, check_once, whole_json


def _looks(head: str) -> bool:
    if head.lstrip()[:1] == "[":
        return '"image_id"' in head and '"caption"' in head
    return head.lstrip()[:1] == "{" and bool(re.search(r'"(images|annotations)"\s*:\s*\[', head))


def is_coco(value: Any) -> bool:
    """Whether the value of a JSON file is one of COCO's captions."""
    if isinstance(value, list):
        return bool(value) and all(isinstance(each, dict) and {"image_id", "caption"} <= {*each} for each in value)
    return isinstance(value, dict) and all(isinstance(value.get(key), list) for key in ("images", "annotations"))


def _read(path: Path, key: str | None, name: str) -> Rows:
    value = whole_json(path)
    if isinstance(value, list):
        found = captioned(value, path)
        return Rows("COCO's results", predictions=[*found.values()], ids=_ids(found, path))
    held = annotated(value, path)
    if bare := [image for image, texts in held.items() if not texts]:
        raise InputError(f"{path}: {number_of(len(bare), 'image')} without a caption, such as {shown(bare[0])}.")
    return Rows("COCO's captions", references=[*held.values()], ids=_ids(held, path))


def _ids(images: Iterable[int | str], path: Path) -> list[str]:
    """The ids of images as texts."""
    ids = [*map(str, images)]
    check_once(ids, path)
    return ids


FORMATS = (Format("coco", (), _looks, _read, holds=is_coco),)
