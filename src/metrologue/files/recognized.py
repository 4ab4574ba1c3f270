"""Which format a file has: by the end of its name, or by a structure that plain text does not have."""

from __future__ import annotations

import importlib
import os
import pkgutil
import stat
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import PurePath

from metrologue.errors import InputError, instead_of
from metrologue.files import formats
from metrologue.files.lines import stream_lines
from metrologue.files.packed import Path, unpacked, without_packing
from metrologue.files.records import kind_of
from metrologue.files.rows import Format, Rows, numbered_lines, whole_json

_HEAD = 1 << 14  # bytes that are looked at
_JSON = ".json"


@cache
def all_formats() -> Mapping[str, Format]:
    """The formats by their names: those of all modules of the folder."""
    names = [each.name for each in pkgutil.iter_modules(formats.__path__)]
    modules = [importlib.import_module(f"{formats.__name__}.{name}") for name in names]
    return {each.name: each for module in modules for each in module.FORMATS}


def format_of(path: Path) -> Format | None:
    """The format of a file; None for plain text, JSON Lines and tables, and for what cannot be read twice.

    Raises
    ------
    InputError
        If the file is a JSON value of several lines that no format has.
    OSError
        If it cannot be read.
    """
    if not _is_regular(path) or (kind := kind_of(path)) in ("tsv", "arrow"):
        return None
    if kind:  # a log may be JSON Lines or Parquet
        logs = [each for each in all_formats().values() if each.is_log]
        return next((each for each in logs if each.looks(_head(path) if kind == "jsonl" else str(path))), None)
    name = without_packing(PurePath(path).name).lower()
    if found := next((each for each in all_formats().values() if name.endswith(each.suffixes)), None):
        return found
    head = _head(path)
    if name.endswith(_JSON) and head.lstrip()[:1] in ("{", "["):
        return _of_json(path)
    return next((each for each in all_formats().values() if each.looks(head)), None)


def _is_regular(path: Path) -> bool:
    return str(path) != "-" and stat.S_ISREG(os.stat(path).st_mode)


def _head(path: Path) -> str:
    """The first lines of a file."""
    with unpacked(path) as stream:
        block = stream.read(_HEAD)
    whole = block if len(block) < _HEAD else block[: block.rfind(b"\n") + 1]
    return whole.decode("utf-8", "replace").removeprefix("\ufeff").replace("\r\n", "\n")


def _of_json(path: Path) -> Format | None:
    """The format of a file that is one JSON value; None for lines of JSON, each of which may be a text."""
    try:
        value = whole_json(path)
    except InputError:
        return None
    if found := next((each for each in all_formats().values() if each.holds(value)), None):
        return found
    with unpacked(path) as stream:
        if len(stream.read(_HEAD).strip().split(b"\n")) == 1:
            return None
    known = "SQuAD's data and predictions, COCO's captions, SegLST, logs of inspect_ai and HELM"
    raise InputError(f"{path}: a JSON value of none of the forms that are read: {known}.")


def formats_of(paths: Mapping[Path, bool]) -> dict[Path, Format]:
    """The formats of the files that are read together; those of plain files are left out.

    Parameters
    ----------
    paths : mapping of path to bool
        Whether each is read as plain text.
    """
    known = {path: each for path, plain in paths.items() if not plain and (each := format_of(path))}
    others = [path for path, plain in paths.items() if path not in known and not plain and not kind_of(path)]
    if len(others) < 2 or not all(map(_is_regular, others)):
        return known
    heads = [_head(path).split("\n") for path in others]
    for each in all_formats().values():
        if each.by_ids and all(map(each.by_ids, heads)) and _share_ids(each, others):
            return known | dict.fromkeys(others, each)
    return known


def _share_ids(form: Format, paths: Sequence[Path]) -> bool:
    """Whether all lines of the files have ids, most of which are in each of them."""
    found = [form.by_ids(line for _, line in numbered_lines(path)) for path in paths] if form.by_ids else []
    ids = [{*each} for each in found if each]
    shared = set.intersection(*ids) if len(ids) == len(paths) else set()
    return len(shared) > 1 and all(2 * len(shared) >= len(each) for each in ids)


def read(path: Path, format: str | None = None, *, key: str | None = None, column: str = "predictions") -> Rows:
    """The columns of a file, such as its texts, ids, references, speakers and times.

    Parameters
    ----------
    path : str or path
        SQuAD's data or predictions, COCO's captions, CoNLL, TRN, STM, CTM, SegLST, WMT's SGM and XML, SRT, VTT; any
        other file is plain text, a text in each line.
    format : str, optional
        One of ``metrologue.files.recognized.all_formats()``, such as "kaldi", or "plain"; by default what the
        name of the file or its structure says. That a file is Kaldi's ``text`` only shows beside another one.
    key : str, optional
        The column of CoNLL, counted from 1; the system or the translator of SGM and XML.
    column : str
        What is read of WMT's XML: "predictions", "references" or "sources".

    Returns
    -------
    Rows

    Raises
    ------
    InputError
        If there is no such format, or the file does not have it; the message has the file and the line.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "a.stm"
    >>> _ = path.write_text("call 1 anna 0.5 2.0 good morning\\n")
    >>> rows = read(path)
    >>> rows.kind, rows.texts, rows.speakers, rows.times
    ('STM', ['good morning'], ['anna'], [Time(begin=0.5, end=2.0)])
    """
    if format not in (None, "plain") and format not in all_formats():
        raise InputError(f"read: there is no format {format!r}; {instead_of(format, [*all_formats(), 'plain'])}")
    found = format_of(path) if format is None else all_formats().get(format)
    return found.read(path, key, column) if found else _plain(path, key)


def read_log(path: Path, *, key: str | None = None) -> Rows:
    """The predictions and references in the log of a harness, with the ids of documents and the harness's own scores.

    Parameters
    ----------
    path : str or path
        ``samples_*.jsonl`` of lm-evaluation-harness, details of lighteval (Parquet), a log of inspect_ai (``.eval`` or
        JSON), or ``scenario_state.json`` of HELM.
    key : str, optional
        The filter of lm-evaluation-harness; the first one by default.

    Returns
    -------
    Rows

    Raises
    ------
    InputError
        If the file is no such log, or a sample of it cannot be read; the message has the line.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "samples_sum.jsonl"
    >>> _ = path.write_text('{"doc_id": 0, "doc": {}, "target": "4", "filtered_resps": ["5"], "metrics": []}\\n')
    >>> log = read_log(path)
    >>> log.predictions, log.references, log.ids
    (['5'], [['4']], ['0'])
    """
    found = format_of(path)
    if found is None or not found.is_log:
        what = f"is {found.name}" if found else "is plain text or a table"
        logs = ", ".join(each.name for each in all_formats().values() if each.is_log)
        raise InputError(f"read_log: {path} {what}; logs are those of {logs}.")
    return found.read(path, key, "predictions")


def _plain(path: Path, key: str | None) -> Rows:
    return Rows("plain text", texts=[text for chunk in stream_lines(path, key=key) for text in chunk.to_pylist()])
