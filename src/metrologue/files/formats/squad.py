"""SQuAD's JSON: the questions with their answers, and the predictions by the id of a question."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from metrologue.errors import InputError, shown
from metrologue.files.packed import Path
from metrologue.files.rows import Format, Rows, check_once, whole_json
from metrologue.files.values import finite


def _looks(head: str) -> bool:
    return head.lstrip()[:1] == "{" and bool(re.search(r'"(paragraphs|qas)"\s*:\s*\[', head))


def _questions(value: Any, path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each question, with the place where it stands."""
    articles = _list(value, "data", str(path))
    for i, article in enumerate(articles):
        for j, paragraph in enumerate(_list(article, "paragraphs", f"{path}: data[{i}]")):
            where = f"{path}: data[{i}].paragraphs[{j}]"
            for k, question in enumerate(_list(paragraph, "qas", where)):
                place = f"{where}.qas[{k}]"
                if not isinstance(question, dict):
                    raise InputError(f"{place} is {shown(question)}; an object is expected.")
                yield place, question


def _list(value: Any, key: str, where: str) -> list[Any]:
    if not isinstance(value, dict) or not isinstance(value.get(key), list):
        raise InputError(f"{where} has no list {key!r}.")
    held: list[Any] = value[key]
    return held


def _text(value: Any, key: str, where: str) -> str:
    if not isinstance(value, dict) or not isinstance(value.get(key), str):
        raise InputError(f"{where} has no text {key!r}.")
    return str(value[key])


def _data(value: Any, path: Path) -> Rows:
    """The right answers of each question; a question without an answer has the empty text alone."""
    ids, references, sources = [], [], []
    for where, question in _questions(value, path):
        answers = enumerate(_list(question, "answers", where))
        ids.append(_text(question, "id", where))
        references.append([_text(each, "text", f"{where}.answers[{i}]") for i, each in answers] or [""])
        sources.append(_text(question, "question", where))
    check_once(ids, path)
    return Rows("SQuAD data", references=references, sources=sources, ids=ids)


def _predictions(value: Any, path: Path) -> Rows:
    if isinstance(value, list):  # the form of the modules of `evaluate`
        ids = [_text(each, "id", f"{path}: [{i}]") for i, each in enumerate(value)]
        check_once(ids, path)
        texts = [_text(each, "prediction_text", f"{path}: [{i}]") for i, each in enumerate(value)]
        return Rows("SQuAD predictions", predictions=texts, ids=ids)
    if all(isinstance(each, str) for each in value.values()):
        return Rows("SQuAD predictions", predictions=[*value.values()], ids=[*value])
    numbers = {name: finite(each) for name, each in value.items()}
    for name, number in numbers.items():
        if number is None:
            raise InputError(f"{path}: the value of {shown(name)} is {shown(value[name])}; a text is expected.")
    return Rows("SQuAD's numbers by id", texts=[repr(each) for each in numbers.values()], ids=[*numbers])


def is_squad(value: Any) -> bool:
    """Whether the value of a JSON file is one of SQuAD."""
    if isinstance(value, list):
        return bool(value) and all(isinstance(each, dict) and {"id", "prediction_text"} <= {*each} for each in value)
    if not isinstance(value, dict) or not value:
        return False
    if isinstance(value.get("data"), list):
        return all(isinstance(each, dict) and "paragraphs" in each for each in value["data"])
    kinds = {type(each) for each in value.values()}
    return kinds == {str} or kinds <= {int, float}


def _read(path: Path, key: str | None, name: str) -> Rows:
    value = whole_json(path)
    if not is_squad(value):
        raise InputError(f"{path}: neither SQuAD's data nor its predictions.")
    is_data = isinstance(value, dict) and isinstance(value.get("data"), list)
    return _data(value, path) if is_data else _predictions(value, path)


FORMATS = (Format("squad", (), _looks, _read, holds=is_squad),)
