"""Semantic frames: a predicate and its arguments in a text, from a file or any labeller; classes of roles (Lo 2019)."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby, zip_longest
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol, Self

from metrologue.data.named import NamedFunction, NamedValue
from metrologue.errors import InputError, shown
from metrologue.files.values import json_value, whole_of_text
from metrologue.representations.parses.columns import whole_text

PREDICATE = 0
ROLES = ("predicate", "agent", "patient", "beneficiary", "time", "place", "cause", "manner")

_TIME, _PLACE, _CAUSE, _MANNER = 4, 5, 6, 7
# The function tags of PropBank in several languages. Other additions to a label, such as a preposition, say nothing.
_TAGS: Mapping[str, int] = MappingProxyType(
    {
        **dict.fromkeys(("TMP", "TM", "FIN"), _TIME),
        **dict.fromkeys(("LOC", "DIR", "EFI", "DES", "ORI", "EIN"), _PLACE),
        **dict.fromkeys(("CAU", "PNC", "PRP"), _CAUSE),
        **dict.fromkeys(("MNR", "EXT", "ADV", "PRD", "DIS", "MOD", "NEG", "TPC", "CND", "FRQ", "DGR"), _MANNER),
        **dict.fromkeys(("BNF", "EXP", "ATR", "BEN"), 3),
    }
)
_NUMBERED = (1, 2, 3, _PLACE, _PLACE)  # A0 to A4; the rarer ones are "manner", with all that is left
_LABEL = re.compile(r"(?:[CR]-)*(?:(V|VB|TARGET)|(?:ARG|AM?)(\d|M|L|A)?(?:-([A-Z]+))?|REL-([A-Z]+)|([A-Z]+))", re.I)
# Labels without an argument that are "manner" too, such as those that say that there is none.
_LEFT = ("REC", "O", "PADDING", "UNAVAILABLE")
_MODIFIERS_OF_PLACE = "TO", "FROM", "INTO"


@cache
def role_class(label: str) -> int | None:
    """The index in ``ROLES`` of a label of PropBank, such as A0, ARG1-TO, R-AM-TMP or LOC; None for another text.

    Examples
    --------
    >>> [ROLES[role_class(label)] for label in ("V", "A0", "C-ARG1", "AM-TMP", "R-ARGM-LOC", "AM-NEG")]
    ['predicate', 'agent', 'patient', 'time', 'place', 'manner']
    >>> role_class("subject")
    """
    match = _LABEL.fullmatch(label)
    if match is None:
        return None
    verb, number, tag, *rest = (part and part.upper() for part in match.groups())
    if verb:
        return PREDICATE
    bare = rest[0] or rest[1]
    if bare:
        return _MANNER if bare in _LEFT else _TAGS.get(bare)
    if tag == "TM" and not number:
        return _MANNER  # AM-TM; ARGM-TM is a time
    if tag in _TAGS:
        return _TAGS[tag]
    if number in ("M", None) and tag in _MODIFIERS_OF_PLACE:
        return _PLACE
    return _NUMBERED[int(number)] if number and number.isdigit() and int(number) < len(_NUMBERED) else _MANNER


_COLUMNS = 14  # of CoNLL-09, before those of the arguments

Tokens = Sequence[str]


class Frame(NamedTuple):
    """A predicate with its arguments. A span is (start, stop), in tokens; `stop` is the first token after it.

    Attributes
    ----------
    predicate : tuple of int
        The span of the predicate.
    arguments : tuple of (str, int, int)
        The label, start and stop of each argument.
    """

    predicate: tuple[int, int]
    arguments: tuple[tuple[str, int, int], ...] = ()


Parse = tuple[tuple[str, ...], tuple[Frame, ...]]


class Labeller(Protocol):
    """A model that finds the frames of texts."""

    @property
    def name(self) -> str:
        """Its name with a digest of its content, as a signature has it."""

    def label(self, texts: Sequence[Tokens]) -> Sequence[Sequence[Frame] | None]:
        """The frames of each text, a list of tokens; None for a text that it does not know."""


class FrameFile:
    """The parses of texts, from files. A text is found by its tokens, wherever it stands.

    Parameters
    ----------
    *paths : str or path
        CoNLL-09 files: a token a line, 14 columns or more with tabs between them, an empty line after each text. The
        span of an argument is that of the words below its head. Or JSONL files, whose name ends in ``.jsonl``: a line
        such as ``{"tokens": ["a", "cat", "sat"], "frames": [{"pred": [2, 3], "args": [["A0", 0, 2]]}]}``. ``"text"``
        may stand for ``"tokens"``; it is cut at whitespace.
    texts : sequence of str or path
        For each file, the file of the texts that were parsed, a line each, in the same order. It is needed if the
        parser changes how words are spelled, as in "-LRB-" for "(".

    Attributes
    ----------
    name : str
        The name of the first file with the digest of all.

    Raises
    ------
    InputError
        If a file cannot be read, or a line is not as it should be; if a file of texts has another number of lines than
        there are parses, or a line another number of tokens.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "small.jsonl"
    >>> _ = path.write_text('{"text": "a cat sat", "frames": [{"pred": [2, 3], "args": [["A0", 0, 2]]}]}')
    >>> FrameFile(path).label([["a", "cat", "sat"], ["a", "dog"]])
    [(Frame(predicate=(2, 3), arguments=(('A0', 0, 2),)),), None]
    """

    def __init__(self, *paths: str | os.PathLike[str], texts: Sequence[str | os.PathLike[str]] = ()) -> None:
        places, sources = ([Path(os.fsdecode(path)) for path in each] for each in (paths, texts))
        if not places:
            raise InputError("FrameFile: `paths` is empty; a file of frames is expected.")
        if sources and len(sources) != len(places):
            raise InputError(f"FrameFile: `texts` has {len(sources)} files; one for each of {len(places)} is expected.")
        self._frames: dict[tuple[str, ...], tuple[Frame, ...]] = {}
        for place, source in zip_longest(places, sources):
            read = _of_jsonl if place.suffix == ".jsonl" else _of_conll
            parses = [*read(_lines(place), place)]
            for tokens, frames in _renamed(parses, place, source) if source else parses:
                self._frames.setdefault(tokens, frames)
        from metrologue.language_models.loaded_digest import name_of_files  # slow to import

        self.name = name_of_files([*places, *sources])

    def __len__(self) -> int:
        return len(self._frames)

    def label(self, texts: Sequence[Tokens]) -> list[tuple[Frame, ...] | None]:
        """The frames of each text; None for a text that is not in the files."""
        return [self._frames.get(tuple(text)) for text in texts]


class FunctionLabeller(NamedFunction[Callable[[list[list[str]]], Sequence[Any]]]):
    """A function that finds the frames of texts.

    Parameters
    ----------
    name, digest : str
        As for ``NamedFunction``: they stand for the function in signatures.
    function : callable
        From a list of texts, each a list of tokens, to a list of their frames. A frame is a ``Frame``, or a dict such
        as ``{"pred": (2, 3), "args": [("A0", 0, 2)]}``.

    Examples
    --------
    >>> last = FunctionLabeller("last", lambda texts: [[{"pred": (len(t) - 1, len(t))}] for t in texts], "1")
    >>> last.label([["a", "cat", "sat"]])
    [(Frame(predicate=(2, 3), arguments=()),)]
    """

    def label(self, texts: Sequence[Tokens]) -> list[tuple[Frame, ...] | None]:
        """The frames that the function gives.

        Raises
        ------
        InputError
            If their number is not that of the texts, or one is no frame of its text.
        """
        results = self._results([[*text] for text in texts], "frames of {}")
        return [
            tuple(_frame(frame, len(text), f"{self.name}: text {index}, counted from 0") for frame in frames)
            for index, (text, frames) in enumerate(zip(texts, results, strict=True))
        ]


@dataclass(frozen=True)
class NamedLabeller(NamedValue):
    """A labeller with its name. Two with the same name are equal. A signature has the name.

    Attributes
    ----------
    name : str
    labeller : Labeller
    """

    labeller: Labeller = field(compare=False, repr=False)

    noun = "labeller"
    expected = "a labeller, or files of frames"
    plural = "labellers"
    opener = "FrameFile(path)"
    opened = staticmethod(FrameFile)
    methods = ("label",)

    @classmethod
    def of(cls, value: Any) -> Self:
        """The labeller with its own name; a path or several are read, or one in use is taken by its name.

        Raises
        ------
        TypeError
            If it is no labeller.
        InputError
            If a file cannot be read, or the name cannot be part of a signature.
        """
        if isinstance(value, (list, tuple)) and all(isinstance(each, str | os.PathLike) for each in value):
            return super().of(FrameFile(*map(_plain, value)))
        return super().of(value)


def _plain(path: str | os.PathLike[str]) -> str:
    """A path as a plain str, not of a subclass."""
    return str.__str__(path) if isinstance(path, str) else os.fsdecode(path)


def _frame(given: Any, length: int, where: str) -> Frame:
    """A frame of a text of this many tokens. Raises an InputError if it is none."""
    try:
        if isinstance(given, Mapping):
            given = given["pred"], given.get("args", ())
        (start, stop), arguments = given
        frame = Frame((int(start), int(stop)), tuple((str(label), int(a), int(b)) for label, a, b in arguments))
    except (KeyError, TypeError, ValueError, OverflowError):
        form = '{"pred": [start, stop], "args": [[label, start, stop]]}'
        raise InputError(f"{where} has the frame {shown(given)}; {form} is expected.") from None
    for label, start, stop in (("V", *frame.predicate), *frame.arguments):
        if not 0 <= start < stop <= length:
            raise InputError(f"{where} has a span from {start} to {stop}, but {length} tokens.")
        if role_class(label) is None:
            raise InputError(f"{where} has the role {shown(label)}; a label of PropBank is expected, such as A0.")
    return frame


def _lines(place: Path) -> list[str]:
    return whole_text(place, "FrameFile").removesuffix("\n").split("\n")


def _renamed(parses: Sequence[Parse], place: Path, source: Path) -> Iterator[Parse]:
    """The parses under the tokens of the texts that were parsed."""
    lines = _lines(source)
    if len(lines) != len(parses):
        raise InputError(f"FrameFile: {place} has {len(parses)} parses, but {source} has {len(lines)} lines.")
    for number, (line, (tokens, frames)) in enumerate(zip(lines, parses, strict=True), start=1):
        words = tuple(line.split())
        if len(words) != len(tokens):
            raise InputError(
                f"FrameFile: parse {number} of {place} has {len(tokens)} tokens, but line {number} of {source} has "
                f"{len(words)}."
            )
        yield words, frames


def _of_jsonl(lines: Sequence[str], place: Path) -> Iterator[Parse]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        where = f"FrameFile: line {number} of {place}"
        record = json_value(line, where)
        try:
            tokens = record["tokens"] if "tokens" in record else record["text"].split()
            if not all(isinstance(token, str) for token in tokens):
                raise TypeError
            frames = [*record["frames"]]
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise InputError(f'{where} has no "tokens" or "text", and "frames".') from error
        yield tuple(tokens), tuple(_frame(frame, len(tokens), where) for frame in frames)


def _of_conll(lines: Sequence[str], place: Path) -> Iterator[Parse]:
    rows: list[list[str]] = []
    for number, line in enumerate([*lines, ""], start=1):
        if line.strip():
            rows.append(line.rstrip("\r").split("\t"))
        elif rows:
            yield _sentence(rows, place, number - len(rows))
            rows = []


def _sentence(rows: list[list[str]], place: Path, first: int) -> Parse:
    """The tokens and the frames of a text in CoNLL-09."""
    children: dict[int, list[int]] = {}
    for index, row in enumerate(rows):
        head = whole_of_text(row[8]) if _COLUMNS <= len(row) == len(rows[0]) else None
        if head is None or head > len(rows):
            raise InputError(
                f"FrameFile: line {first + index} of {place} has {len(row)} columns; {max(len(rows[0]), _COLUMNS)} are "
                f"expected, with tabs between them, and in the ninth the number of a line of the same text, or 0."
            )
        children.setdefault(head - 1, []).append(index)
    predicates = [index for index, row in enumerate(rows) if row[13] != "_"]
    if len(predicates) > len(rows[0]) - _COLUMNS:
        raise InputError(
            f"FrameFile: the text from line {first} of {place} on has {len(predicates)} predicates, but "
            f"{len(rows[0]) - _COLUMNS} columns of arguments."
        )
    frames = []
    for column, predicate in enumerate(predicates, start=_COLUMNS):
        labels = [row[column] for row in rows]
        labels[predicate] = "V"
        _spread(labels, children)
        spans = [(label, start, stop) for label, start, stop in _runs(labels) if label not in ("_", "V")]
        where = f"FrameFile: the text from line {first} of {place}"
        frames.append(_frame(((predicate, predicate + 1), spans), len(rows), where))
    return tuple(row[1] for row in rows), tuple(frames)


def _spread(labels: list[str], children: Mapping[int, Sequence[int]]) -> None:
    """Give the label of each head of an argument to the words below it that have none."""
    for head in [index for index, label in enumerate(labels) if label not in ("_", "V")]:
        below = [head]
        while below:
            for child in children.get(below.pop(), ()):
                if labels[child] == "_":
                    labels[child] = labels[head]
                    below.append(child)


def _runs(labels: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    """The runs of equal labels: label, start and stop."""
    start = 0
    for label, run in groupby(labels):
        stop = start + len([*run])
        yield label, start, stop
        start = stop
