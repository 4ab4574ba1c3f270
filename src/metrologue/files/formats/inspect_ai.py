"""Logs of inspect_ai: a JSON value, or the files of one in a zip (``.eval``)."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from typing import Any

from metrologue.errors import InputError, shown
from metrologue.files.log_values import at, numbers_of, references_of, text_of
from metrologue.files.packed import Path
from metrologue.files.regular import MOST_SETTINGS, check_regular, parsed_json
from metrologue.files.rows import Format, Rows, never, whole_json

# What scorers write in place of a number.
_LETTERS = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}


def is_log(value: Any) -> bool:
    """Whether a JSON value is a log."""
    return isinstance(value, dict) and isinstance(value.get("eval"), dict) and isinstance(value.get("samples"), list)


def _samples(path: Path) -> Iterator[tuple[str, Any]]:
    """Each sample, with the place where it stands."""
    check_regular(path, "read_log")
    if not zipfile.is_zipfile(path):
        value = whole_json(path)
        if not is_log(value):
            raise InputError(f"{path}: no log of inspect_ai with samples.")
        yield from ((f"{path}: sample {i}", each) for i, each in enumerate(value["samples"]))
        return
    try:
        with zipfile.ZipFile(path) as archive:
            for each in archive.infolist():
                if each.filename.startswith("samples/") and each.filename.endswith(".json"):
                    where = f"{path}: {each.filename}"
                    with archive.open(each) as file:
                        content = file.read(MOST_SETTINGS + 1)
                    if len(content) > MOST_SETTINGS:
                        raise InputError(f"{where}: more than {MOST_SETTINGS:,} bytes.")
                    yield where, parsed_json(content, where)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise InputError(f"{path}: not a valid log of inspect_ai ({error}).") from None


def _read(path: Path, key: str | None, name: str) -> Rows:
    ids, predictions, references, sources, scores = [], [], [], [], []
    for where, sample in _samples(path):
        if at(sample, "id") is None:
            raise InputError(f"{where} is {shown(sample)}; a sample with an id is expected.")
        ids.append(f"{sample['id']}-{sample.get('epoch', 1)}")
        predictions.append(_completion(sample, where))
        references.append(references_of(sample.get("target", ""), where))
        source = sample.get("input")
        sources.append(source if isinstance(source, str) else "")
        values = {each: at(value, "value") for each, value in (sample.get("scores") or {}).items()}
        scores.append({each: _LETTERS.get(v, v) if isinstance(v, str) else v for each, v in values.items()})
    columns = numbers_of(scores)
    return Rows(
        "a log of inspect_ai", predictions=predictions, references=references, sources=sources, ids=ids,
        scores=columns, metrics=tuple(columns),
    )  # fmt: skip


def _completion(sample: Any, where: str) -> str:
    """The text of the first choice, of which a message may have several parts."""
    content = at(sample, "output", "choices", 0, "message", "content")
    if isinstance(content, list):
        content = "\n".join(at(each, "text") for each in content if isinstance(at(each, "text"), str))
    return text_of(at(sample, "output", "completion") or "" if content is None else content, where, "completion")


FORMATS = (Format("inspect", (".eval",), never, _read, is_log=True, holds=is_log),)
