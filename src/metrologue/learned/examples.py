"""Examples: texts with references and what people said of them, to train a metric on and to measure it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import InputError, number_of, shown
from metrologue.files.objects import CONTEXT, JsonRecord, all_or_none, json_lines
from metrologue.files.values import finite
from metrologue.segments import Segments

if TYPE_CHECKING:
    from metrologue.data.judgements import Judgements

Texts = tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Examples:
    """Texts with references, each with a rating or a label.

    Attributes
    ----------
    predictions : tuple of n str
    references : tuple of n tuples of str
    targets : float64 (n,)
        Ratings; or labels, 1 and 0.
    groups : tuple of n str or None
        What is kept together when a part is held out: a language pair, a document, an image.
    contexts, systems : tuple of n str or None
    labels : bool
        Whether the targets are labels.

    Raises
    ------
    InputError
        If parts have different lengths, there is nothing, a target is not finite, a label is not 0 or 1, or all targets
        are equal.

    Examples
    --------
    >>> rated = Examples(("a cat", "a dog"), (("a cat",), ("a cat",)), np.array([1.0, 0.0]), labels=True)
    >>> len(rated), rated.take([1]).predictions
    (2, ('a dog',))
    """

    predictions: Texts
    references: tuple[Texts, ...]
    targets: Floats
    groups: Texts | None = None
    contexts: Texts | None = None
    systems: Texts | None = None
    labels: bool = False

    def __post_init__(self) -> None:
        count = len(self.predictions)
        if not count:
            raise InputError("Examples: there are no texts.")
        for name in ("references", "targets", "groups", "contexts", "systems"):
            column = getattr(self, name)
            if column is not None and len(column) != count:
                raise InputError(f"Examples: `{name}` has {number_of(len(column), 'entry')} for {count} predictions.")
        wrong = ~np.isfinite(self.targets) | (self.labels & ~np.isin(self.targets, (0, 1)))
        if wrong.any():
            row = int(np.flatnonzero(wrong)[0])
            expected = "a label, 0 or 1," if self.labels else "a finite number"
            raise InputError.at("Examples", "targets", row, f" is {self.targets[row]:g}; {expected} is expected.")

    def __len__(self) -> int:
        return len(self.predictions)

    @cached_property
    def segments(self) -> Segments:
        """The texts as scorers take them; what they count is remembered."""
        return Segments([*self.predictions], [[*each] for each in self.references])

    @property
    def kept_together(self) -> Texts:
        """The group of each text; without groups, texts with the same references are one."""
        return self.groups or tuple(map(repr, self.references))

    def take(self, rows: Sequence[int] | np.ndarray) -> Self:
        """Some rows."""
        places = np.asarray(rows, np.int64)

        def taken(column: Any) -> Any:
            if isinstance(column, tuple):
                return tuple(column[place] for place in places)
            return column[places] if isinstance(column, np.ndarray) else column

        return replace(self, **{each.name: taken(getattr(self, each.name)) for each in fields(self)})

    def without_own_references(self) -> Self:
        """The same, where no text is one of its own references, unless it has no other."""
        pairs = zip(self.predictions, self.references, strict=True)
        others = tuple(tuple(each for each in own if each != text) or own for text, own in pairs)
        return replace(self, references=others)

    def check_varied(self) -> None:
        """Refuse examples from which nothing can be learned. Raises an InputError if all targets are equal."""
        if (self.targets == self.targets[0]).all():
            what = "labels" if self.labels else "ratings"
            raise InputError(
                f"train: all {len(self)} {what} are {self.targets[0]:g}; there is nothing to tell apart. Give "
                f"{'examples of both classes' if self.labels else 'ratings that differ'}."
            )

    def check_range(self, least: float, greatest: float) -> None:
        """Refuse a target outside a range. Raises an InputError with the first such row, and how many there are."""
        outside = np.flatnonzero((self.targets < least) | (self.targets > greatest))
        if len(outside):
            row = int(outside[0])
            more = f", and {len(outside) - 1} more" * (len(outside) > 1)
            what = f" is {self.targets[row]:g}{more}; the range is {least:g} to {greatest:g}."
            raise InputError.at("train", "targets", row, what)

    @classmethod
    def of_judgements(cls, judgements: Judgements, quality: str | None = None, groups: Texts | None = None) -> Self:
        """The texts that people rated under a quality, with the mean of the annotators.

        Raises an InputError if there is no such quality, or there are several and none is chosen; if there are no
        references.

        Parameters
        ----------
        quality : str, optional
            By default the only one.
        groups : tuple of n str, optional
            By default the segments, if several texts have the same.
        """
        if quality is None and len(judgements.qualities) > 1:
            raise InputError(f"train: there are the qualities {', '.join(judgements.qualities)}; choose one.")
        if judgements.references is None:
            raise InputError("train: these data have no references.")
        name = quality or judgements.qualities[0]
        rated = ~np.isnan(judgements.of_qualities([name]).ratings[name].means())
        chosen = judgements.where(rated.tolist())
        several = len({*chosen.segments}) < len(chosen)
        own = None if groups is None else tuple(group for group, has in zip(groups, rated, strict=True) if has)
        return cls(
            predictions=chosen.hypotheses,
            references=chosen.references or (),
            targets=chosen.ratings[name].means(),
            groups=own or (chosen.segments if several else None),
            contexts=chosen.contexts if any(chosen.contexts or ()) else None,
            systems=chosen.systems,
        )


def joined(parts: Mapping[str, Examples]) -> Examples:
    """The examples of several parts, each a group of its name.

    Examples
    --------
    >>> one = Examples(("a",), (("b",),), np.array([0.5]))
    >>> joined({"cs-en": one, "de-en": one}).groups
    ('cs-en', 'de-en')
    """
    own = [*parts.values()]

    def whole(name: str) -> Texts | None:
        columns = [getattr(each, name) for each in own]
        return None if None in columns else tuple(value for column in columns for value in column)

    return Examples(
        predictions=whole("predictions") or (),
        references=tuple(each for part in own for each in part.references),
        targets=np.concatenate([part.targets for part in own]),
        groups=tuple(name for name, part in parts.items() for _ in range(len(part))),
        contexts=whole("contexts"),
        systems=whole("systems"),
        labels=own[0].labels,
    )


def both_parts(one: Examples, other: Examples) -> Examples:
    """The rows of both; a column that one of them lacks is left out."""
    return Examples(
        one.predictions + other.predictions,
        one.references + other.references,
        np.concatenate([one.targets, other.targets]),
        None if one.groups is None else one.groups + (other.groups or ("test",) * len(other)),
        None if one.contexts is None or other.contexts is None else one.contexts + other.contexts,
        None if one.systems is None or other.systems is None else one.systems + other.systems,
        one.labels,
    )


def read_examples(path: str | os.PathLike[str]) -> Examples:
    """Examples from JSON Lines, one object for each text.

    The keys are ``prediction``; ``references`` (a text or a list); ``rating``, a number, or ``label``, 0 or 1; and
    perhaps ``group``, ``system``, and ``source`` or ``context``: a text, or a list of turns.

    Parameters
    ----------
    path : str or path
        It may be packed, as .jsonl.gz or .jsonl.xz.

    Raises
    ------
    InputError
        If a line is not such an object, or has a key that others lack. The message names the line.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "rated.jsonl"
    >>> _ = file.write_text('{"prediction": "a cat", "references": "one cat", "rating": 0.5, "group": "pets"}')
    >>> found = read_examples(file)
    >>> found.predictions, found.references, found.targets, found.groups
    (('a cat',), (('one cat',),), array([0.5]), ('pets',))
    """
    records = [*json_lines(path)]
    if not records:
        raise InputError(f"{os.fspath(path)}: the file is empty; give at least one text with its rating.")
    labels = "label" in records[0].fields

    def column(key: str) -> Texts | None:
        own = [each.text(key) if each.fields.get(key) is not None else None for each in records]
        return all_or_none(own, records, key)

    references = tuple(each.texts("references", "reference") for each in records)
    if () in references:
        raise InputError(f"{records[references.index(())].where}: no 'references'; give a text, or a list of them.")
    return Examples(
        predictions=tuple(each.text("prediction") for each in records),
        references=references,
        targets=np.array([_target(each, "label" if labels else "rating") for each in records]),
        groups=column("group"),
        contexts=all_or_none([each.turns(*CONTEXT) for each in records], records, *CONTEXT),
        systems=column("system"),
        labels=labels,
    )


def _target(record: JsonRecord, key: str) -> float:
    value = record.fields.get(key)
    expected = "0 or 1" if key == "label" else "a number"
    if key == "label" and isinstance(value, bool):
        return float(value)
    if (number := finite(value)) is None:
        raise InputError(f"{record.where}: {key!r} is {shown(value)}; {expected} is expected.")
    if key == "label" and value not in (0, 1):
        raise InputError(f"{record.where}: {key!r} is {shown(value)}; {expected} is expected.")
    return number
