"""The samples of lm-evaluation-harness: a line of JSON for each document and filter."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from metrologue.errors import InputError, shown
from metrologue.files.log_values import at, numbers_of, references_of, text_of
from metrologue.files.packed import Path
from metrologue.files.records import within
from metrologue.files.rows import Format, Rows, numbered_lines
from metrologue.files.values import finite, json_value, number_of_text

_DIGITS_OF_HASH = 12
_SAMPLES = 1 << 12  # of a part


def _looks(head: str) -> bool:
    return bool(re.match(r'\{"doc_id":\s*\d+,\s*"doc":', head))


class _Sample(NamedTuple):
    """What is read of a sample."""

    id: str
    prediction: str
    references: list[str]
    source: str
    scores: dict[str, Any]  # of each metric that it names
    held: str | list[str]  # at the place that the key names


def _read(path: Path, key: str | None, name: str) -> Rows:
    """The first response of each document, of the first filter, or of the one that `key` names.

    A key may also be a place in a sample, such as resps[0][1]: what is read is the text there, or the list of texts.
    """
    return Rows.of_parts(_parts(path, key, name))


def _parts(path: Path, key: str | None, name: str) -> Iterator[Rows]:
    """The same, some thousand samples at a time, so that a log may be larger than memory."""
    filters: dict[str, None] = {}
    chosen, place, samples, begun = key, None, list[_Sample](), False
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
        samples.append(_sample(row, place, where))
        if len(samples) == _SAMPLES:
            yield _rows(samples, filters, chosen, name, has_place=place is not None)
            samples, begun = [], True
    if key is not None and place is None and key not in filters:
        raise InputError(f"{path}: there is no filter {shown(key)}; there are {', '.join(map(shown, filters))}.")
    if samples or not begun:
        yield _rows(samples, filters, chosen, name, has_place=place is not None)


def _sample(row: dict[str, Any], place: str | None, where: str) -> _Sample:
    named = [each for each in at(row, "metrics") or () if isinstance(each, str)]
    return _Sample(
        f"{row['doc_id']}-{str(row.get('doc_hash', ''))[:_DIGITS_OF_HASH]}".rstrip("-"),
        _response(row, where),
        references_of(row["target"], where),
        _source(row),
        {each: row.get(each) for each in named},
        "" if place is None else _at_place(row, place, where),
    )


def _rows(samples: list[_Sample], filters: Collection[str], chosen: str | None, name: str, has_place: bool) -> Rows:
    of_filter = f", filter {chosen}" if len(filters) > 1 else ""
    rows = Rows(
        f"samples of lm-evaluation-harness{of_filter}",
        predictions=[each.prediction for each in samples],
        references=[each.references for each in samples],
        sources=[each.source for each in samples],
        ids=[each.id for each in samples],
        scores=numbers_of([each.scores for each in samples]),
        metrics=tuple(dict.fromkeys(metric for each in samples for metric in each.scores)),
        filter=chosen,
    )
    if not has_place:
        return rows
    held: list[Any] = [each.held for each in samples]
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


FORMATS = (Format("lm-eval", (), _looks, _read, is_log=True, parts=_parts),)
