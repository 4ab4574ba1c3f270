"""Logs of inspect_ai: a JSON value, or the files of one in a zip (``.eval``)."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from metrologue.data.arrow import pa
from metrologue.errors import InputError, shown
from metrologue.files.log_values import at, numbers_of, references_of, text_of
from metrologue.files.packed import Path
from metrologue.files.regular import MOST_SETTINGS, check_regular, parsed_json
from metrologue.files.rows import Format, Rows, never, whole_json
from metrologue.files.values import finite

# What scorers write in place of a number.
_LETTERS = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
_ZSTD = 93  # of the files in a zip; the module zipfile reads it from Python 3.14 on
_LOCAL, _LENGTHS = 30, 26  # bytes of the head before a file in a zip, and where the lengths of its name and extra stand


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
    with _opened(path) as archive:
        for each in archive.infolist():
            if each.filename.startswith("samples/") and each.filename.endswith(".json"):
                where = f"{path}: {each.filename}"
                yield where, parsed_json(_member(path, archive, each, where), where)


@contextmanager
def _opened(path: Path) -> Iterator[zipfile.ZipFile]:
    """A log that is a zip. Raises an InputError if it is damaged, also while it is read."""
    try:
        with zipfile.ZipFile(path) as archive:
            yield archive
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, zlib.error) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise InputError(f"{path}: not a valid log of inspect_ai ({error}).") from None


def _member(path: Path, archive: zipfile.ZipFile, member: zipfile.ZipInfo, where: str) -> bytes:
    """The bytes of a file in a zip."""
    if member.compress_type == _ZSTD and not member.flag_bits & 1:  # 1: encrypted
        content = _unpacked_zstd(path, member)
    else:
        with archive.open(member) as file:
            content = file.read(MOST_SETTINGS + 1)
    if len(content) > MOST_SETTINGS:
        raise InputError(f"{where}: more than {MOST_SETTINGS:,} bytes.")
    return content


def _unpacked_zstd(path: Path, member: zipfile.ZipInfo) -> bytes:
    with open(path, "rb") as file:
        file.seek(member.header_offset + _LENGTHS)
        name, extra = (int.from_bytes(file.read(2), "little") for _ in range(2))
        file.seek(member.header_offset + _LOCAL + name + extra)
        packed = file.read(min(member.compress_size, MOST_SETTINGS))
    with pa.CompressedInputStream(pa.BufferReader(packed), "zstd") as stream:
        content: bytes = stream.read(MOST_SETTINGS + 1)
    if len(content) <= MOST_SETTINGS and zlib.crc32(content) != member.CRC:
        raise zipfile.BadZipFile(f"Bad CRC-32 for file {member.filename!r}")
    return content


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


def printed_in(path: Path) -> dict[str, float]:
    """The numbers in the results of a log, by the names of scorers: the first that each has, a mean or an accuracy."""
    if zipfile.is_zipfile(path):
        with _opened(path) as archive:
            held = [each for each in archive.infolist() if each.filename == "header.json"]
            value = parsed_json(_member(path, archive, held[0], f"{path}: header.json"), str(path)) if held else None
    else:
        value = whole_json(path)
    scores = at(value, "results", "scores")
    numbers: dict[str, float] = {}
    for each in scores if isinstance(scores, list) else ():
        metrics = at(each, "metrics")
        first = next(iter(metrics.values()), None) if isinstance(metrics, dict) else None
        if (number := finite(at(first, "value"))) is not None:
            numbers.setdefault(str(at(each, "name")), number)
    return numbers


def _completion(sample: Any, where: str) -> str:
    """The text of the first choice, of which a message may have several parts; of a multiple choice, its letter."""
    answers = [at(each, "answer") for each in (sample.get("scores") or {}).values()] if sample.get("choices") else []
    if letter := next((each for each in answers if isinstance(each, str)), None):
        return text_of(letter, where, "answer")
    content = at(sample, "output", "choices", 0, "message", "content")
    if isinstance(content, list):
        content = "\n".join(at(each, "text") for each in content if isinstance(at(each, "text"), str))
    return text_of(at(sample, "output", "completion") or "" if content is None else content, where, "completion")


FORMATS = (Format("inspect", (".eval",), never, _read, is_log=True, holds=is_log),)
