"""Ratings by people: what was rated, by whom, and under which qualities."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import InputError, instead_of, number_of, shown

# The columns beside the hypotheses, each with n entries or None.
_COLUMNS = ("segments", "systems", "references", "contexts")


def z_scores(values: Floats) -> Floats:
    """Columns (n, k) with mean 0 and standard deviation 1 (n - 1 in the denominator), over what is not NaN.

    A constant column is 0, and a column with one value or none is NaN.

    Examples
    --------
    >>> z_scores(np.array([[1.0, 4.0], [2.0, 4.0], [3.0, np.nan]]))
    array([[-1.,  0.],
           [ 0.,  0.],
           [ 1., nan]])
    """
    present = ~np.isnan(values)
    count = present.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        centred: Floats = values - np.where(present, values, 0.0).sum(axis=0) / count
        spread = np.sqrt(np.where(present, centred * centred, 0.0).sum(axis=0) / (count - 1))
        constant = (count > 1) & (spread <= 1e-14 * np.abs(np.where(present, values, 0.0)).max(axis=0, initial=0.0))
        scaled: Floats = np.where(constant & present, 0.0, centred / spread)
    return scaled


@dataclass(frozen=True, eq=False)
class Ratings:
    """The ratings under one quality.

    Attributes
    ----------
    values : float64 (n, annotators)
        NaN where an annotator gave none.
    annotators : tuple of str
        Their names; ("1", "2", ...) if only their order in a list is known.
    declined : int
        How often an annotator wrote that the quality does not apply ("N/A ..."). These are NaN in `values`.
    """

    values: Floats
    annotators: tuple[str, ...]
    declined: int = 0

    def means(self) -> Floats:
        """The mean of the annotators, (n,); NaN where nobody gave a rating."""
        rated = ~np.isnan(self.values)
        # Exact sums: the order of annotators must not split a tie, which rank statistics would see.
        sums = np.array([*map(math.fsum, np.where(rated, self.values, 0.0).tolist())])
        with np.errstate(invalid="ignore"):
            means: Floats = sums / rated.sum(axis=1)
        return means

    def normalized(self) -> Self:
        """The same with the z-scores of each annotator."""
        return replace(self, values=z_scores(self.values))


@dataclass(frozen=True)
class Gap:
    """What a system misses of the segments that others have: the names of those, and how many there are in all."""

    system: str
    missing: tuple[str, ...]
    of: int

    def __str__(self) -> str:
        some = ", ".join(self.missing[:3]) + ", …" * (len(self.missing) > 3)
        return f"{self.system} misses {len(self.missing)} of {number_of(self.of, 'segment')}: {some}"


@dataclass(frozen=True, eq=False)
class Judgements:
    """Texts that people rated: n rows, one for each text of a system.

    Attributes
    ----------
    segments : tuple of n str
        The name of what each text was made for: a document, a dialogue, an image.
    hypotheses : tuple of n str
        The texts.
    ratings : mapping of str to Ratings
        By quality, each with n rows.
    systems : tuple of n str or None
        Who made each text; None if it is not known.
    references : tuple of n tuples of str or None
        None if there are none, as for most dialogues.
    contexts : tuple of n str or None
        The source, or the dialogue so far.
    inputs : mapping of str to tuple of n str
        Other texts, by the names of the inputs of metrics, such as "facts".
    scores : mapping of str to float64 (n,)
        Scores of metrics that came with the data.
    system_scores : mapping of str to mapping of str to float
        Scores of whole systems that came with the data: by metric, then by system.
    notes : tuple of str
        What a reader left out, in sentences.

    Raises
    ------
    InputError
        If a part does not have n entries, if a system has two texts for one segment, or if there is nothing.

    Examples
    --------
    >>> said = Judgements(
    ...     segments=("1", "1", "2"),
    ...     hypotheses=("a cat", "a dog", "the sun"),
    ...     ratings={"fluency": Ratings(np.array([[3.0, 4.0], [1.0, 1.0], [2.0, np.nan]]), ("ann", "bob"))},
    ...     systems=("amber", "birch", "amber"),
    ... )
    >>> said.ratings["fluency"].means()
    array([3.5, 1. , 2. ])
    >>> [str(gap) for gap in said.gaps()]
    ['birch misses 1 of 2 segments: 2']
    """

    segments: tuple[str, ...]
    hypotheses: tuple[str, ...]
    ratings: Mapping[str, Ratings]
    systems: tuple[str, ...] | None = None
    references: tuple[tuple[str, ...], ...] | None = None
    contexts: tuple[str, ...] | None = None
    inputs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    scores: Mapping[str, Floats] = field(default_factory=dict)
    system_scores: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        count = len(self.hypotheses)
        if not count or not self.ratings:
            raise InputError(f"Judgements: there is no {'rating' if count else 'text'}.")
        columns: dict[str, Sized | None] = {name: getattr(self, name) for name in _COLUMNS}
        columns |= {f"inputs[{name!r}]": texts for name, texts in self.inputs.items()}
        columns |= {f"scores[{name!r}]": scores for name, scores in self.scores.items()}
        columns |= {f"ratings[{name!r}]": ratings.values for name, ratings in self.ratings.items()}
        for name, column in columns.items():
            if column is not None and len(column) != count:
                raise InputError(f"Judgements: `{name}` has {number_of(len(column), 'entry')} for {count} hypotheses.")
        if self.systems is not None:
            first: dict[tuple[str, str], int] = {}
            for row, key in enumerate(zip(self.systems, self.segments, strict=True)):
                if first.setdefault(key, row) != row:
                    raise InputError(
                        f"Judgements: `hypotheses[{row}]` is a second text of the system {shown(key[0])} for the "
                        f"segment {shown(key[1])}; `hypotheses[{first[key]}]` is the first."
                    )

    def __len__(self) -> int:
        return len(self.hypotheses)

    def input(self, name: str) -> tuple[str, ...] | None:
        """The texts for an input of a metric; a source is what stands before a text. None if the data have none."""
        texts = self.inputs.get(name, self.inputs.get(name.removesuffix("s")))
        return self.contexts if texts is None and name in ("contexts", "sources") else texts

    @property
    def qualities(self) -> tuple[str, ...]:
        """The names of the qualities."""
        return tuple(self.ratings)

    @property
    def system_names(self) -> tuple[str, ...]:
        """The names of the systems, in the order of their first texts."""
        return tuple(dict.fromkeys(self.systems or ()))

    def gaps(self) -> tuple[Gap, ...]:
        """The systems that have no text for a segment, although several systems share segments."""
        names = dict.fromkeys(self.segments)
        if self.systems is None or len(names) == len(self):  # no two texts were made for the same segment
            return ()
        segments_of: dict[str, set[str]] = {name: set() for name in self.system_names}
        for system, segment in zip(self.systems, self.segments, strict=True):
            segments_of[system].add(segment)
        missing = {system: tuple(name for name in names if name not in has) for system, has in segments_of.items()}
        return tuple(Gap(name, each, len(names)) for name, each in missing.items() if each)

    def where(self, keep: Callable[[int], bool] | Sequence[bool], note: str = "") -> Self:
        """The rows for which `keep` holds, with a note on what was left out."""
        rows = [row for row in range(len(self)) if (keep(row) if callable(keep) else keep[row])]
        if not rows:
            raise InputError(f"Judgements: no text is left. {note}".rstrip())

        def taken(column: Any) -> Any:
            return None if column is None else tuple(column[row] for row in rows)

        return replace(
            self,
            **{name: taken(getattr(self, name)) for name in ("hypotheses", *_COLUMNS)},
            ratings={name: replace(ratings, values=ratings.values[rows]) for name, ratings in self.ratings.items()},
            inputs={name: taken(texts) for name, texts in self.inputs.items()},
            scores={name: scores[rows] for name, scores in self.scores.items()},
            notes=(*self.notes, note) if note and len(rows) < len(self) else self.notes,
        )

    def without_systems(self, names: Sequence[str]) -> Self:
        """The texts of other systems. Raises an InputError if there is no such system."""
        systems = self.systems or ()
        for name in names:
            if name not in systems:
                raise InputError(f"no system is called {shown(name)}; {instead_of(name, self.system_names)}")
        count = sum(name in names for name in systems)
        told = f"{number_of(count, 'text')} of {' and '.join(names)} {'is' if count == 1 else 'are'} left out"
        return self.where(lambda row: systems[row] not in names, f"{told}.") if names else self

    def without_copies(self) -> Self:
        """The texts that are not equal to one of their references."""
        references = self.references
        if references is None:
            return self
        same = sum(text in each for text, each in zip(self.hypotheses, references, strict=True))
        told = f"{number_of(same, 'text')} equal to a reference {'is' if same == 1 else 'are'} left out."
        return self.where(lambda row: self.hypotheses[row] not in references[row], told)

    def of_qualities(self, names: Sequence[str]) -> Self:
        """The same texts with these qualities only. Raises an InputError if there is no such quality."""
        self._check_qualities(names)
        return replace(self, ratings={name: self.ratings[name] for name in names})

    def _check_qualities(self, names: Iterable[str]) -> None:
        for name in names:
            if name not in self.ratings:
                raise InputError(f"no quality is called {shown(name)}; {instead_of(name, self.qualities)}")

    def check_scale(self, scales: Mapping[str, tuple[float, float]]) -> None:
        """Refuse a rating outside the scale of its quality; "" is the scale of all others.

        Raises an InputError if there is such a rating, or no such quality.
        """
        self._check_qualities(filter(None, scales))
        for name, ratings in self.ratings.items():
            least, greatest = scales.get(name, scales.get("", (-np.inf, np.inf)))
            outside = np.argwhere((ratings.values < least) | (ratings.values > greatest))
            if len(outside):
                row, annotator = outside[0]
                value = ratings.values[row, annotator]
                others = f", and {len(outside) - 1} more" if len(outside) > 1 else ""
                raise InputError(
                    f"ratings: {name} of segment {shown(self.segments[row])} is {value:g} by annotator "
                    f"{ratings.annotators[annotator]}{others}; the scale is {least:g} to {greatest:g}."
                )
