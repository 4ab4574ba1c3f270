"""Readers of corpora with ratings, in the forms in which they are published. None of the data is part of metrologue."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.data.judgements import Judgements, Ratings
from metrologue.errors import InputError, instead_of, number_of, shown
from metrologue.files.objects import JsonRecord, all_or_none, json_lines, read_table, read_text, score_of
from metrologue.files.values import json_value
from metrologue.meta.records import ratings_in, read_rated
from metrologue.meta.wmt import read_mt_metrics_eval

# The system of USR whose responses are the references.
_TRUTH = "Original Ground Truth"
# Keys of a response of USR that are not qualities.
_NO_QUALITIES = ("response", "model")


def _records(path: Path) -> list[JsonRecord]:
    """The objects of a JSON file: a list of them, or one alone."""
    value = json_value(read_text(path), str(path))
    rows = value if isinstance(value, list) else [value]
    for index, row in enumerate(rows):
        if not isinstance(row, dict):
            raise InputError(f"{path}: [{index}] is {shown(row)}; an object is expected.")
    return [JsonRecord(f"{path}: [{index}]", row) for index, row in enumerate(rows)]


def _file(path: str | Path, name: str) -> Path:
    """The file itself, or the one of this name if the path is a folder. Raises an InputError if it has none."""
    path = Path(path)
    if path.is_dir() and not (path / name).is_file():
        raise InputError(f"{path} is a folder without {name}; that file, or its folder, is expected.")
    return path / name if path.is_dir() else path


def read_fed(path: str | Path) -> Judgements:
    """FED, single responses (Mehri and Eskenazi 2020): five annotators, no references.

    Parameters
    ----------
    path : str or path
        ``fed_data.json``, or its folder. "N/A ..." is missing, and is counted. Turns are read without "User:" and
        "System:".

    Raises
    ------
    InputError
        If the file has another form, or no single responses.
    """
    return _fed(path, [each for each in _records(_file(path, "fed_data.json")) if "response" in each.fields])


def read_fed_dialogues(path: str | Path) -> Judgements:
    """FED, whole dialogues; otherwise as ``read_fed``. The text of a row is the dialogue, a turn in each line."""
    return _fed(path, [each for each in _records(_file(path, "fed_data.json")) if "response" not in each.fields])


def _fed(path: str | Path, records: Sequence[JsonRecord]) -> Judgements:
    if not records:
        raise InputError(f"{path}: there is no record of this kind.")
    contexts = tuple(_unnamed(each.text("context")) for each in records)
    of_dialogues = "response" not in records[0].fields
    return Judgements(
        segments=tuple(str(row) for row in range(1, len(records) + 1)),
        hypotheses=contexts if of_dialogues else tuple(_unnamed(each.text("response")) for each in records),
        **ratings_in([(each.where, each.fields.get("annotations")) for each in records]),
        systems=tuple(each.text("system") for each in records),
        contexts=None if of_dialogues else contexts,
    )


def _unnamed(turns: str) -> str:
    """Turns without the names of who speaks."""
    return "\n".join(turn.removeprefix("User: ").removeprefix("System: ") for turn in turns.split("\n"))


def read_usr(path: str | Path, references: bool = True) -> Judgements:
    """USR's ratings of TopicalChat or PersonaChat (Mehri and Eskenazi 2020).

    Parameters
    ----------
    path : str or path
        The authors' JSON, a list of contexts with ``responses`` and the ratings of each annotator; or UniEval's form, a
        list of responses with ``scores``, the annotators' means.
    references : bool
        Whether the responses of "Original Ground Truth" are the references of the others. They are then not scored
        themselves. Without references they are a system like the others.

    Returns
    -------
    Judgements
        Texts are without whitespace at both ends.

    Raises
    ------
    InputError
        If the file has neither form, or a context has no ground truth.
    """
    records = _records(_file(path, "unieval_topical_chat.json"))
    rows = _usr_responses(records) if records and "responses" in records[0].fields else _usr_means(records)
    read = Judgements(
        segments=tuple(segment for segment, *_ in rows),
        hypotheses=tuple(text for _, _, _, text, _ in rows),
        **ratings_in([rated for *_, rated in rows]),
        systems=tuple(system for _, system, *_ in rows),
        contexts=tuple(context for _, _, context, *_ in rows),
    )
    return _against_truth(read) if references else read


# The segment, the system, the context, the text, and where the ratings stand with what they are.
_Rated = tuple[str, str, str, str, tuple[str, Any]]


def _usr_responses(records: Sequence[JsonRecord]) -> list[_Rated]:
    """The rows of the authors' form."""
    rows = []
    for number, record in enumerate(records, 1):
        names = record.texts("annotators")
        responses = record.fields.get("responses")
        if not isinstance(responses, list) or not all(isinstance(each, dict) for each in responses):
            raise InputError(f"{record.where}: 'responses' is {shown(responses)}; a list of objects is expected.")
        for index, fields in enumerate(responses):
            each = JsonRecord(f"{record.where}, response {index}", fields)
            rated = {
                quality: _named(ratings, names, f"{each.where}: {quality}")
                for quality, ratings in fields.items()
                if quality not in _NO_QUALITIES
            }
            text = each.text("response").strip()
            rows.append((str(number), each.text("model"), record.text("context"), text, (each.where, rated)))
    return rows


def _named(ratings: Any, names: Sequence[str], where: str) -> Mapping[str, Any]:
    """The ratings of a response by annotator."""
    if not isinstance(ratings, list) or len(ratings) != len(names or ratings):
        raise InputError(f"{where} is {shown(ratings)}; a list of {number_of(len(names), 'rating')} is expected.")
    return dict(zip(names or map(str, range(1, len(ratings) + 1)), ratings, strict=True))


def _usr_means(records: Sequence[JsonRecord]) -> list[_Rated]:
    """The rows of UniEval's form."""
    numbers: dict[str, str] = {}
    rows = []
    for each in records:
        context = each.text("source")
        segment = numbers.setdefault(context, str(len(numbers) + 1))
        rated = each.where, each.fields.get("scores")
        rows.append((segment, each.text("system_id"), context, each.text("system_output").strip(), rated))
    return rows


def _against_truth(read: Judgements) -> Judgements:
    """The responses of all systems but the ground truth, which is the reference."""
    rows = [*zip(read.systems or (), read.segments, read.hypotheses, strict=True)]
    truth = {segment: text for system, segment, text in rows if system == _TRUTH}
    for system, segment, _ in rows:
        if segment not in truth:
            raise InputError(f"segment {segment} of {system} has no response of {_TRUTH!r} to be compared with.")
    others = replace(read, references=tuple((truth[segment],) for segment in read.segments))
    told = f"{number_of(len(truth), 'text')} of {_TRUTH} are the references, and are not scored."
    return others.where([system != _TRUTH for system, *_ in rows], told)


def read_summeval(path: str | Path) -> Judgements:
    """SummEval (Fabbri et al. 2021): 16 systems, experts' means of four qualities, 11 references for each document.

    Parameters
    ----------
    path : str or path
        ``summeval.jsonl`` (``doc``, ``system``, ``hypothesis``, ``human``), with ``references.jsonl`` (``doc``,
        ``references``) beside it; or the authors' ``model_annotations.aligned.jsonl``, with each expert's ratings; or
        the folder of these. The first reference is the original one.

    Raises
    ------
    InputError
        If a file is not there or has another form, or a document has no references.
    """
    path = _file(path, "summeval.jsonl") if not Path(path, _OWN).is_file() else Path(path, _OWN)
    if any("expert_annotations" in each.fields for each in json_lines(path)):
        return _own_summeval([*json_lines(path)])
    references = path.with_name("references.jsonl")
    if not references.is_file():
        raise InputError(f"{references} is not there; it is expected beside {path}.")
    beside = {each.text("doc"): each for each in json_lines(references)}
    records = [*json_lines(path)]
    documents = tuple(each.text("doc") for each in records)
    for each, document in zip(records, documents, strict=True):
        if document not in beside:
            raise InputError(f"{each.where}: no references for {shown(document)}; {instead_of(document, beside)}")
    return Judgements(
        segments=documents,
        hypotheses=tuple(each.text("hypothesis") for each in records),
        **ratings_in([(each.where, each.fields.get("human")) for each in records]),
        systems=tuple(each.text("system") for each in records),
        references=tuple(beside[document].texts("references") for document in documents),
    )


# The authors' own file of SummEval.
_OWN = "model_annotations.aligned.jsonl"


def _own_summeval(records: Sequence[JsonRecord]) -> Judgements:
    """The form of the authors: each expert's ratings apart."""
    rows = []
    for each in records:
        experts = each.fields.get("expert_annotations")
        if not isinstance(experts, list) or not all(isinstance(own, dict) for own in experts):
            raise InputError(f"{each.where}: 'expert_annotations' is {shown(experts)}; a list of objects is expected.")
        by_expert = {f"expert {place}": own for place, own in enumerate(experts, 1)}
        rows.append((each.where, {name: {who: own.get(name) for who, own in by_expert.items()} for name in experts[0]}))
    references = [each.texts("references") or None for each in records]
    read = Judgements(
        segments=tuple(each.text("id") for each in records),
        hypotheses=tuple(each.text("decoded") for each in records),
        systems=tuple(each.text("model_id") for each in records),
        references=all_or_none(references, records, "references"),
        **ratings_in(rows),
    )
    told = "The ratings are those of the experts; those of the crowd are left out."
    return replace(read, notes=(*read.notes, told))


def read_flickr8k(path: str | Path) -> Judgements:
    """Flickr8k's captions, rated by three experts from 1 to 4 (Hodosh et al. 2013), with five references each.

    Parameters
    ----------
    path : str or path
        ``flickr8k_expert.jsonl`` (``image``, ``candidate_id``, ``hypothesis``, ``references``, ``human``), or its
        folder.

    Raises
    ------
    InputError
        If the file has another form.

    Notes
    -----
    158 captions are equal to one of their references; papers leave them out (``Judgements.without_copies``), and count
    each rating alone (``meta_evaluate(..., judges="each")``).
    """
    records = [*json_lines(_file(path, "flickr8k_expert.jsonl"))]
    return Judgements(
        segments=tuple(f"{each.text('image')} {each.text('candidate_id')}" for each in records),
        hypotheses=tuple(each.text("hypothesis") for each in records),
        **ratings_in([(each.where, each.fields.get("human")) for each in records]),
        references=tuple(each.texts("references") for each in records),
    )


def read_wmt_da(path: str | Path) -> Judgements:
    """Direct assessments of WMT: single segments with their standardized rating (Bojar et al. 2017).

    Parameters
    ----------
    path : str or path
        A table of tab-separated values with the columns ``source``, ``translation``, ``reference`` and
        ``HUMAN_score``, and perhaps scores of metrics, such as ``sentBLEU``; or the folder with one such table.

    Returns
    -------
    Judgements
        With one quality, "adequacy", and the other columns of numbers as ``scores``.

    Raises
    ------
    InputError
        If a column is missing, or a row has another number of cells or a rating that is not a number; if a folder has
        no such table, or several.
    """
    needed = ("source", "translation", "reference", "HUMAN_score")
    if (place := Path(path)).is_dir():
        path = _table_in(place, needed)
    header, rows = read_table(path)
    for name in needed:
        if name not in header:
            raise InputError(f"{path}:1: no column {name!r}; {instead_of(name, header)}")

    def texts(name: str) -> tuple[str, ...]:
        return tuple(row[name] for _, row in rows)

    def numbers(name: str) -> Floats:
        return np.array([score_of(row[name], f"{where}: {name}") for where, row in rows])

    return Judgements(
        segments=tuple(str(number) for number in range(1, len(rows) + 1)),
        hypotheses=texts("translation"),
        ratings={"adequacy": Ratings(numbers("HUMAN_score")[:, None], ("mean",))},
        references=tuple((reference,) for reference in texts("reference")),
        contexts=texts("source"),
        scores={name: numbers(name) for name in header if name not in (*needed, "LP")},
    )


def _table_in(folder: Path, needed: Sequence[str]) -> Path:
    """The one table of a folder whose first line has these columns. Raises an InputError that says which there are."""
    files = sorted(each for each in folder.iterdir() if each.is_file() and not each.name.startswith("."))
    found = []
    for each in files:
        with each.open("rb") as file:
            header = file.readline(1 << 16).decode("utf-8-sig", "replace").rstrip("\r\n").split("\t")
        if {*needed} <= {*header}:
            found.append(each)
    if len(found) == 1:
        return found[0]
    listed = ", ".join(each.name for each in (found or files)[:20]) or "no files"
    what = "several tables of direct assessments" if found else f"no table with the columns {', '.join(needed)}"
    raise InputError(f"{folder}: the folder has {what}; give one file. There are {listed}.")


READERS: Mapping[str, Callable[[str | Path], Judgements]] = {
    "jsonl": read_rated,
    "fed": read_fed,
    "fed-dialogues": read_fed_dialogues,
    "usr": read_usr,
    "summeval": read_summeval,
    "flickr8k-expert": read_flickr8k,
    "wmt-da": read_wmt_da,
    "mt-metrics-eval": read_mt_metrics_eval,
}


def read_judgements(path: str | Path, reader: str = "jsonl", columns: Mapping[str, str] | None = None) -> Judgements:
    """Texts with the ratings of people.

    Parameters
    ----------
    path : str or path
    reader : str
        One of ``READERS``: the form of the data.
    columns : mapping of str to str, optional
        For the reader "jsonl": the keys or columns of the file that have other names, as for ``read_rated``. For
        "mt-metrics-eval": the name of the reference, as ``{"references": "refB"}``.

    Raises
    ------
    InputError
        If there is no such reader, or the data have another form.
    """
    if reader not in READERS:
        raise InputError(f"reader: {shown(reader)} is unknown; {instead_of(reader, READERS)}")
    if not columns:
        return READERS[reader](path)
    if reader == "mt-metrics-eval" and columns.keys() == {"references"}:
        return read_mt_metrics_eval(path, columns["references"])
    if reader != "jsonl":
        raise InputError(f"columns: the reader {reader!r} knows its columns; leave them out.")
    return read_rated(path, columns)
