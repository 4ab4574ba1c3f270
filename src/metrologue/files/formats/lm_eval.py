"""The samples of lm-evaluation-harness: a line of JSON for each document and filter."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from metrologue.errors import InputError, shown
from metrologue.files.log_values import at, numbers_of, references_of, text_of
from metrologue.files.packed import Path
from metrologue.files.records import within
from metrologue.files.rows import Format, Rows, numbered_lines
from metrologue.files.values import finite, json_value, number_of_text

_DIGITS_OF_HASH = 12


def _looks(head: str) -> bool:
    return bool(re.match(r'\{"doc_id":\s*\d+,\s*"doc":', head))


def _read(path: Path, key: str | None, name: str) -> Rows:
    """The first response of each document, of the first filter, or of the one that `key` names.

    A key may also be a place in a sample, such as resps[0][1]: what is read is the text there, or the list of texts.
    """
    ids: list[str] = []
    predictions: list[str] = []
    references: list[list[str]] = []
    sources: list[str] = []
    scores: list[dict[str, Any]] = []
    filters: dict[str, None] = {}
    metrics: dict[str, None] = {}
    chosen = key
    place: str | None = None
    held: list[Any] = []
    for number, line in numbered_lines(path):
        where = f"{path}:{number}"
        row = json_value(line, where, "an object")
        if not isinstance(row, dict) or not {"doc_id", "target"} <= {*row}:
            raise InputError(f"{where}: {shown(row)} is no sample of lm-evaluation-harness.")
        if number == 1 and key is not None and within(row, key) is not None:
            place, chosen = key, None
        own = str(row.get("filter", "none"))
        filters[own] = None
        chosen = own if chosen is None else chosen
        if own != chosen:
            continue
        ids.append(f"{row['doc_id']}-{str(row.get('doc_hash', ''))[:_DIGITS_OF_HASH]}".rstrip("-"))
        predictions.append(_response(row, where))
        references.append(references_of(row["target"], where))
        sources.append(_source(row))
        if place is not None:
            held.append(_at_place(row, place, where))
        named = [each for each in at(row, "metrics") or () if isinstance(each, str)]
        metrics |= dict.fromkeys(named)
        scores.append({each: row.get(each) for each in named})
    if key is not None and place is None and key not in filters:
        raise InputError(f"{path}: there is no filter {shown(key)}; there are {', '.join(map(shown, filters))}.")
    of_filter = f", filter {chosen}" if len(filters) > 1 else ""
    rows = Rows(
        f"samples of lm-evaluation-harness{of_filter}", predictions=predictions, references=references,
        sources=sources, ids=ids, scores=numbers_of(scores), metrics=tuple(metrics), filter=chosen,
    )  # fmt: skip
    if place is None:
        return rows
    if name == "references":
        return replace(rows, references=[each if isinstance(each, list) else references_of(each, "") for each in held])
    if name == "predictions":
        return replace(rows, predictions=held)
    return replace(rows, sources=held) if name == "sources" else replace(rows, texts=held)


def _at_place(row: dict[str, Any], place: str, where: str) -> str | list[str]:
    value = within(row, place)
    if isinstance(value, list):
        return [text_of(each, where, place) for each in value]
    return text_of(value, where, place)


def _response(row: dict[str, Any], where: str) -> str:
    """The first response; of choices with likelihoods, the index of the likeliest one."""
    held = row.get("filtered_resps", row.get("resps"))
    likelihoods = [_likelihood(each) for each in held] if isinstance(held, list) else []
    known = [each for each in likelihoods if each is not None]
    if known and len(known) == len(likelihoods):
        return str(known.index(max(known)))
    while isinstance(held, list) and held:
        held = held[0]
    return text_of(held, where, "response")


def _likelihood(value: Any) -> float | None:
    """The log likelihood of a choice, which stands before whether the model says it first; None for any other value.

    Newer versions of the harness write both as texts.
    """
    pair = value[0] if isinstance(value, list) and len(value) == 1 else value
    if not isinstance(pair, list) or len(pair) != 2 or str(pair[1]) not in ("True", "False"):
        return None
    return number_of_text(pair[0]) if isinstance(pair[0], str) else finite(pair[0])


def _source(row: dict[str, Any]) -> str:
    """The prompt, if it is a text."""
    held = at(row, "arguments", "gen_args_0", "arg_0")
    return held if isinstance(held, str) else ""


FORMATS = (Format("lm-eval", (), _looks, _read, is_log=True),)
