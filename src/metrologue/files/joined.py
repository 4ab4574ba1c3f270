"""The files of a call in step, where some are the field's own: rows are joined by their ids, never by their places."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from metrologue.data.arrow import pa
from metrologue.errors import InputError, number_of, shown
from metrologue.files.formats.kaldi import OF_UTTERANCES, speakers_of
from metrologue.files.formats.speech import in_order
from metrologue.files.lines import CHUNK_BYTES, Column, Part, all_of, chunks_of
from metrologue.files.packed import Path
from metrologue.files.recognized import format_of, formats_of
from metrologue.files.records import kind_of
from metrologue.files.rows import Format, Rows, check_once

_MOST_NAMED = 3  # ids in a message


class Read(NamedTuple):
    """A file of the call, the input that it is for, and its rows."""

    column: Column
    name: str
    rows: Rows
    is_plain: bool


def read_joined(systems: Sequence[Column], references: Sequence[Column], others: Sequence[Column]) -> Part | None:
    """The segments of files of which at least one has a format of the field; None if all are plain text or tables.

    Rows are those of the first file of references that has ids, without those that another file with ids lacks. A file
    without ids has a row for each of them.

    Raises
    ------
    InputError
        If a file cannot be read as its format, it has no column for what it is given for, no id is in all files, or the
        numbers of rows differ.

    Warns
    -----
    UserWarning
        In which format a file was read, and how many rows are left out.
    """
    columns = [*systems, *references, *others]
    formats = formats_of({each.path: each.plain or _has_key(each) for each in columns})
    if not formats:
        return None
    names = names_of(systems, references, others)
    files = [_read(column, name, formats.get(column.path)) for column, name in zip(columns, names, strict=True)]
    warn_of_kinds({str(each.column.path): each.rows.kind for each in files if not each.is_plain})
    return part_of(_cut_alike(files, by_speaker=bool(systems) and systems[0].lists), len(systems), len(references))


def names_of(systems: Sequence[Column], references: Sequence[Column], others: Sequence[Column]) -> list[str]:
    """The input that each file is for."""
    return ["predictions"] * len(systems) + ["references"] * len(references) + [each.name for each in others]


def warn_of_kinds(kinds: Mapping[str, str]) -> None:
    """Warn in which format each file was read."""
    for path, kind in kinds.items():
        warnings.warn(f"{path}: read as {kind}; with `plain`, it is read as plain text.", UserWarning, stacklevel=3)


def part_of(files: Sequence[Read], systems: int, references: int, before: int = 0) -> Part:
    """The rows of files with common ids: of so many systems, then files of references, then the others.

    `before` is how many rows of each file came before, which is for the warning about those that are left out.
    """
    ids, places = _in_step(files, before)
    texts = [_taken(each, rows) for each, rows in zip(files, places, strict=True)]
    last = systems + references
    theirs = _of_all(texts[systems:last], [each.column.path for each in files[systems:last]]) if references else None
    made = [*map(_array, texts)]
    groups = partial(_groups, [*files[systems:last], *files[:systems]], [*places[systems:last], *places[:systems]])
    return Part(made[:systems], None if theirs is None else _array(theirs), made[last:], ids, groups)


def _groups(files: Sequence[Read], places: Sequence[Sequence[int]]) -> dict[str, list[str]]:
    """The speaker and the file of each segment: those of the first file that has them."""
    found: dict[str, list[str]] = {}
    for each, rows in zip(files, places, strict=True):
        for name, column in (("speaker", each.rows.speakers), ("file", each.rows.sessions)):
            if column is not None:
                found.setdefault(name, [column[row] for row in rows])
        if each.rows.kind in OF_UTTERANCES and (speakers := speakers_of([(each.rows.ids or [])[row] for row in rows])):
            found.setdefault("speaker", speakers)
    return found


def _has_key(column: Column) -> bool:
    """Whether a key chooses a field of JSON Lines or a column of a table, whatever the file is."""
    if column.key is None or not (kind := kind_of(column.path)):
        return False
    return kind != "jsonl" or not (form := format_of(column.path)) or not form.is_log  # a log's reader takes the key


def _read(column: Column, name: str, form: Format | None) -> Read:
    if form is None:
        chunks = chunks_of(column.path, column.lists, column.key, column.least, column.plain, CHUNK_BYTES, None)
        return Read(column, name, Rows("plain text", texts=all_of([*chunks], column.path).to_pylist()), True)
    try:
        rows = form.read(column.path, column.key, name)
    except InputError as error:
        raise InputError(f"{error} With `plain`, the file is read as plain text.") from error
    return checked(Read(column, name, rows, False), form)


def checked(read: Read, form: Format) -> Read:
    """The same. Raises an InputError if the file does not have what it is given for."""
    column, name, rows, _ = read
    if rows.of(name) is None:
        there = [each for each in ("predictions", "references", "sources") if rows.of(each) is not None]
        raise InputError(f"{column.path}: {rows.kind} has {' and '.join(there)}, but no {name}.")
    if form.is_log and name == "predictions" and not column.lists and isinstance((rows.of(name) or [""])[0], list):
        raise InputError(f"{column.path}: {column.key} is a list of texts; name one of them, such as {column.key}[0].")
    return read


def _cut_alike(files: Sequence[Read], by_speaker: bool) -> list[Read]:
    """Files with times, cut into rows of the same kind: utterances, if most are in all files, otherwise recordings.

    With `by_speaker`, a row is a session, with a text for each speaker.
    """
    spoken = [each for each in files if each.rows.sessions is not None]
    if not spoken:
        return [*files]
    cut = _by_speaker if by_speaker else _by_utterance if _are_alike(spoken) else _by_session
    if cut is _by_session and any(len({*(each.rows.sessions or ())}) < len(each.rows.texts or ()) for each in spoken):
        told = "the files have other utterances; a row is a recording, its texts in the order of their times."
        warnings.warn(f"{spoken[0].column.path}: {told}", UserWarning, stacklevel=3)
    return [each if each.rows.sessions is None else each._replace(rows=cut(each.rows)) for each in files]


def _are_alike(files: Sequence[Read]) -> bool:
    """Whether no utterance stands twice in a file, and most are in all of them."""
    named = [_utterances(each.rows) for each in files]
    shared = set.intersection(*map(set, named))
    return all(0 < len({*own}) == len(own) <= 2 * len(shared) for own in named)


def _utterances(rows: Rows) -> list[str]:
    """The session and the times of each row; nothing without times."""
    pairs = zip(rows.sessions or (), rows.times or (), strict=False)
    return [f"{session}-{time.begin:g}-{time.end:g}" for session, time in pairs]


def _by_utterance(rows: Rows) -> Rows:
    return replace(rows, ids=_utterances(rows))


def _by_session(rows: Rows) -> Rows:
    members, texts = in_order(rows, rows.sessions or ()), rows.texts or []
    said = [" ".join(texts[row] for row in own) for own in members.values()]
    return replace(rows, ids=[*members], texts=said, speakers=None, sessions=[*members])


def _by_speaker(rows: Rows) -> Rows:
    """A row for each session, with a list of what each speaker has said."""
    pairs = [*zip(rows.sessions or (), rows.speakers or (), strict=True)]
    texts = rows.texts or []
    sessions: dict[str, list[str]] = {}
    for (session, _), own in in_order(rows, pairs).items():
        sessions.setdefault(session, []).append(" ".join(texts[row] for row in own))
    said = [*sessions.values()]
    return replace(
        rows, ids=[*sessions], texts=None, predictions=said, references=said, speakers=None, sessions=[*sessions]
    )


def _in_step(files: Sequence[Read], before: int) -> tuple[list[str] | None, list[Sequence[int]]]:
    """The ids of the rows, and where each file has them. Without any ids, the files need equal numbers of rows."""
    named = [each for each in files if each.rows.ids is not None]
    if not named:
        counts = {len(each.rows.of(each.name) or ()) for each in files}
        if len(counts) > 1:
            raise _uneven(files)
        _check_tokens(files)
        return None, [range(*counts)] * len(files)
    for each in named:
        check_once(each.rows.ids or (), each.column.path)
    base = next((each for each in named if each.name == "references"), named[0])
    held = set.intersection(*({*(each.rows.ids or ())} for each in named))
    ids = [each for each in base.rows.ids or () if each in held]
    if not ids and not before:
        begun = [f"{each.column.path} begins with {shown(each.rows.ids[0])}" for each in named if each.rows.ids]
        firsts = " and ".join(begun) or "the files have no rows"
        raise InputError(f"no id is in all files: {firsts}. With `plain`, files are read as plain text.")
    for path, own in {each.column.path: each.rows.ids or () for each in named}.items():
        if left := [each for each in own if each not in held]:
            some = ", ".join(map(shown, left[:_MOST_NAMED])) + (", …" if len(left) > _MOST_NAMED else "")
            of = f"{number_of(len(left), 'segment')} of {before + len(own)}"
            told = f"{path}: {of} left out, whose ids other files lack: {some}."
            warnings.warn(told, UserWarning, stacklevel=3)
    places: list[Sequence[int]] = []
    order = {each: row for row, each in enumerate(base.rows.ids or ())}
    for each in files:
        at = order if each.rows.ids is None else {name: row for row, name in enumerate(each.rows.ids)}
        if each.rows.ids is None and len(each.rows.of(each.name) or ()) != len(order):
            raise _uneven([base, each])
        places.append([at[name] for name in ids])
    return ids, places


def _uneven(files: Sequence[Read]) -> InputError:
    counts = " but ".join(
        f"{each.column.path} has {number_of(len(each.rows.of(each.name) or ()), 'row')}"
        for each in {len(each.rows.of(each.name) or ()): each for each in files}.values()
    )
    return InputError(f"{counts}; each row needs its counterpart. With `plain`, files are read as plain text.")


def _check_tokens(files: Sequence[Read]) -> None:
    """Refuse columns of CoNLL whose sentences differ in length: a line is missing."""
    tagged = [each for each in files if each.rows.kind.startswith("CoNLL")]
    for row, texts in enumerate(zip(*(each.rows.of(each.name) or () for each in tagged), strict=True)):
        counts = [text.count(" ") for text in texts]
        if len({*counts}) > 1:
            pairs = zip(counts, tagged, strict=True)
            told = " but ".join(f"{number_of(count + 1, 'token')} in {each.column.path}" for count, each in pairs)
            raise InputError(f"sentence {row + 1}, counted from 1, has {told}; each token needs its tag.")


def _taken(each: Read, rows: Sequence[int]) -> list[Any]:
    own = each.rows.of(each.name) or []
    return [own[row] for row in rows]


def _of_all(columns: Sequence[list[Any]], paths: Sequence[Path]) -> list[Any]:
    """The references of each row, from one file or from several."""
    if len(columns) == 1:
        return columns[0]
    for rows, path in zip(columns, paths, strict=True):
        if rows and isinstance(rows[0], list):
            raise InputError(f"{path}: it has all references of a row; give no other file with it.")
    return [[*row] for row in zip(*columns, strict=True)]


def _array(rows: list[Any]) -> pa.Array:
    text = pa.large_string()
    return pa.array(rows, pa.large_list(text) if rows and isinstance(rows[0], list) else text)
