"""Files of DUCView: the content units that people marked in model summaries (.pyr) and in a summary (.pan).

The files are XML. Nothing outside of a file is read, and it cannot grow: one that declares an entity or names another
file is refused. The element declarations that DUCView writes into its files are not used.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NoReturn
from xml.parsers import expat

import pyarrow as pa
import pyarrow.compute as pc

from metrologue.errors import InputError, checked_int, shown
from metrologue.files.regular import read_regular

# Characters that XML cannot have, around the beginning of a document.
_START, _END = "\x01", "\x02"
_UNMATCHED = "0"  # the id under which DUCView keeps all that the pyramid does not have


@dataclass(frozen=True)
class Annotation:
    """What people marked.

    Attributes
    ----------
    models : list of n lists of str
        The SCUs of each model summary, by their ids: the references of a summary.
    summary : list of str or None
        The SCUs that the summary expresses, each as often as it does: a prediction. What is not in the pyramid is
        called "0.1", "0.2" and so on. None, if the file has only a pyramid.
    labels : mapping of str to str
        What each SCU says, by its id.
    """

    models: list[list[str]]
    summary: list[str] | None
    labels: Mapping[str, str]

    def spelled(self) -> Annotation:
        """The same with what each SCU says after its id, as traces show it.

        Examples
        --------
        >>> Annotation([["4"], []], ["4", "0.1"], {"4": "A train crashed", "0.1": "in May"}).spelled().summary
        ['4 A train crashed', '0.1 in May']
        """
        long = {key: f"{key} {label}" for key, label in self.labels.items()}
        models = [[long[key] for key in model] for model in self.models]
        summary = self.summary and [long[key] for key in self.summary]
        return replace(self, models=models, summary=summary, labels={long[key]: self.labels[key] for key in long})


def read_ducview(path: str | Path, models: int | None = None) -> Annotation:
    """The content units in a file of DUCView.

    Parameters
    ----------
    path : str or Path
        A pyramid (.pyr), or the annotation of a summary (.pan), which holds its pyramid too.
    models : int, optional
        The number of model summaries, for a file that does not say where each of them begins. An SCU then has as many
        models as contributors.

    Returns
    -------
    Annotation
        An SCU is in each model that it has a contributor from, once.

    Raises
    ------
    InputError
        If the file is missing, or not XML; if it declares an entity or names another file; if it is no pyramid, an SCU
        has more contributors than there are models, or a summary has an SCU that the pyramid does not have.

    Examples
    --------
    >>> from metrologue.scorers import Pyramid
    >>> found = read_ducview("D0736.pan")  # doctest: +SKIP
    >>> Pyramid.variant("ducview").corpus([found.summary], [found.models])  # doctest: +SKIP
    """
    reader = _Reader(Path(path))
    reader.read()
    if not reader.scus:
        raise InputError(f"{path}: there is no SCU; a pyramid of DUCView is expected.")
    starts = _starts(reader) if models is None else None
    count = len(starts) if starts else checked_int("read_ducview: `models`", models, 1)
    found: list[list[str]] = [[] for _ in range(count)]
    for unit in reader.scus.values():
        if len(unit.places) > count:
            raise InputError(
                f"{path}, line {unit.line}: SCU {unit.key} has {len(unit.places)} contributors, but there are "
                f"{count} models."
            )
        own = _models_of(unit, starts, path) if starts else range(len(unit.places))
        for model in sorted({*own}):
            found[model].append(unit.key)
    labels = {unit.key: unit.label for unit in reader.scus.values()}
    summary = _summary(reader, labels) if reader.annotates else None
    return Annotation(found, summary, labels)


@dataclass
class _Unit:
    """An SCU, or a unit of a summary, with its contributors: the label of each, and where its first part begins."""

    key: str
    label: str
    line: int
    contributors: list[str] = field(default_factory=list)
    places: list[int] = field(default_factory=list)


def _summary(reader: _Reader, labels: dict[str, str]) -> list[str]:
    """The units of the summary. Those that are in no model get labels."""
    found: list[str] = []
    for unit in reader.units.values():
        if unit.key == _UNMATCHED:
            own = {f"{_UNMATCHED}.{number}": label for number, label in enumerate(unit.contributors, 1)}
            labels.update(own)
            found += own
        elif unit.key not in reader.scus:
            raise InputError(f"{reader.path}, line {unit.line}: the pyramid has no SCU {shown(unit.key)}.")
        else:
            found += [unit.key] * len(unit.contributors)
    return found


def _starts(reader: _Reader) -> list[int]:
    """Where each model summary begins in the text of all of them, as DUCView finds it.

    The pattern comes from the file. RE2, which Arrow uses, needs linear time for any pattern.
    """
    if reader.start_pattern is None:
        raise InputError(
            f"{reader.path}: the file does not say where model summaries begin; give their number, `models`."
        )
    text = "".join(f"{line}\n" for line in reader.lines)
    try:
        marked = pc.replace_substring_regex(
            pa.scalar(text, pa.large_string()), reader.start_pattern, f"{_START}\\0{_END}"
        )
    except pa.ArrowInvalid as error:
        raise InputError(
            f"{reader.path}: startDocumentRegEx is {shown(reader.start_pattern)}, which cannot be used ({error}); give "
            "`models`, the number of model summaries."
        ) from None
    starts, place = [], 0
    for piece in marked.as_py().split(_START)[:-1]:
        place += len(piece.replace(_END, ""))
        starts.append(place)
    if not starts:
        raise InputError(
            f"{reader.path}: startDocumentRegEx is {shown(reader.start_pattern)}, which no text matches; give "
            "`models`, the number of model summaries."
        )
    return starts


def _models_of(unit: _Unit, starts: list[int], path: str | Path) -> list[int]:
    found = [bisect_right(starts, place) - 1 for place in unit.places]
    if min(found) < 0:
        raise InputError(
            f"{path}, line {unit.line}: a contributor of SCU {unit.key} is at {min(unit.places)}, before the first "
            "model summary."
        )
    return found


class _Reader:
    """What the elements of a file hold, collected while it is parsed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.annotates = False
        self.lines: list[str] = []
        self.start_pattern: str | None = None
        self.scus: dict[str, _Unit] = {}
        self.units: dict[str, _Unit] = {}
        self._open: list[str] = []
        self._text: list[str] = []
        self._unit: _Unit | None = None
        self._placed = True
        self._parser = expat.ParserCreate()

    def read(self) -> None:
        """Parse the file."""
        parser = self._parser
        parser.buffer_text = True
        parser.specified_attributes = True  # what a declaration adds is not there
        parser.StartDoctypeDeclHandler = self._doctype
        parser.EntityDeclHandler = self._entity
        parser.ExternalEntityRefHandler = self._external
        parser.SkippedEntityHandler = self._external
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text.append
        try:
            parser.Parse(read_regular(self.path, "pyramid"), True)
        except OSError as error:
            raise InputError(f"{self.path}: the file cannot be read: {error.strerror}.") from None
        except (expat.ExpatError, LookupError) as error:
            raise InputError(f"{self.path}: the file is not XML: {error}.") from None

    def _refuse(self, what: str) -> NoReturn:
        raise InputError(f"{self.path}, line {self._parser.CurrentLineNumber}: {what}.")

    def _doctype(self, name: str, system: str | None, public: str | None, internal: bool) -> None:
        if system is not None or public is not None:
            self._refuse(f"the file names another one, {shown(system)}; nothing outside of it is read")

    def _entity(self, name: str, *_: object) -> None:
        self._refuse(f"the file declares the entity {name!r}; files of DUCView have none")

    def _external(self, *_: object) -> int:
        self._refuse("the file has a reference to an entity; files of DUCView have none")

    def _number(self, name: str, attributes: Mapping[str, str]) -> int:
        value = self._attribute(name, attributes)
        if not (value.isascii() and value.isdigit() and len(value) < 16):
            self._refuse(f"`{name}` is {shown(value)}; an int is expected")
        return int(value)

    def _attribute(self, name: str, attributes: Mapping[str, str]) -> str:
        if name not in attributes:
            self._refuse(f"`{name}` is missing")
        return attributes[name]

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._open.append(name)
        self.annotates |= name == "annotation"
        self._text.clear()
        if name in ("scu", "peerscu"):
            key, line = str(self._number("uid", attributes)), self._parser.CurrentLineNumber
            self._unit = _Unit(key, self._attribute("label", attributes), line)
            units = self.scus if name == "scu" else self.units
            if units.setdefault(key, self._unit) is not self._unit:
                self._refuse(f"there is a {name} {key} already")
        elif name == "contributor":
            if self._unit is None:
                self._refuse("a contributor is outside of any SCU")
            self._unit.contributors.append(self._attribute("label", attributes))
            self._placed = False
        elif name == "part" and self._unit is not None and not self._placed:
            self._unit.places.append(self._number("start", attributes))
            self._placed = True

    def _end(self, name: str) -> None:
        self._open.pop()
        text = "".join(self._text)
        self._text.clear()
        if name == "line" and "pyramid" in self._open:
            self.lines.append(text)
        elif name == "startDocumentRegEx":
            self.start_pattern = text
        elif name == "contributor" and not self._placed:
            self._refuse("a contributor has no part")
        elif name in ("scu", "peerscu"):
            self._unit = None
