"""Features: the numbers of a text and its references that a network reads, from encoders and from other metrics."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import InputError, instead_of, shown
from metrologue.files.regular import MOST_WEIGHTS, file_in
from metrologue.kernels.sums import reference_sums
from metrologue.language_models.pretrained import is_pair
from metrologue.learned.ngrams import NgramEncoder
from metrologue.representations.base import Encoder
from metrologue.representations.named import NamedEncoder
from metrologue.representations.store import vector_store
from metrologue.scorers.core.crossed import distinct_of, of_texts
from metrologue.scorers.core.engine import is_fitted
from metrologue.scorers.core.options import fitted_fields, options_of
from metrologue.scorers.core.registry import get_scorer, make_scorer
from metrologue.scorers.core.scorer import Scorer
from metrologue.scorers.core.variants import variant_of
from metrologue.segments import Segments
from metrologue.text.lexicon.resource import Resource

# What is made of a number, as NNEval makes a closeness of a distance.
FORMS: Mapping[str, Callable[[Floats], Floats]] = {"x": lambda x: x, "exp(-x)": lambda x: np.exp(-x)}
_AT_ONCE = 4096  # pairs whose features are in memory at once
_EMPTY = "."  # what the authors of RUSE put in place of a text without content


def text_vectors(encoder: Encoder, texts: Sequence[str]) -> Floats:
    """The vector of each text, float64 (n, width); for a text without content, that of "."."""
    given = [text if text.strip() else _EMPTY for text in texts]
    return vector_store().texts(encoder, given).astype(np.float64)


@dataclass(frozen=True)
class _OfEncoder:
    encoder: NamedEncoder

    key: ClassVar[str]  # in a model's file

    @classmethod
    def of(cls, encoder: Any) -> Self:
        """The part of an encoder, a path, or a name on the Hub; an NgramEncoder's name is one too.

        Raises an InputError if there is no such encoder.
        """
        return cls(_opened(encoder))

    def to_dict(self) -> dict[str, Any]:
        """What a model's file says of it."""
        return {self.key: str(self.encoder)}


class Vectors(_OfEncoder):
    """The vectors u of a reference and v of a prediction, as RUSE takes them: u, v, |u - v| and u * v."""

    key: ClassVar[str] = "vectors"

    def between(self, segments: Segments, one: np.ndarray, other: np.ndarray) -> Floats:
        """The features of pairs of texts, given by their places among the distinct ones: (pairs, 4 * width)."""
        vectors = of_texts(segments, ("vectors to learn from", self.encoder), lambda: self._vectors(segments))
        u, v = vectors[other], vectors[one]
        return np.hstack([u, v, np.abs(u - v), u * v])

    def _vectors(self, segments: Segments) -> Floats:
        return text_vectors(self.encoder.encoder, distinct_of(segments).texts)

    @property
    def width(self) -> int:
        """The number of features."""
        return 4 * int(vector_store().texts(self.encoder.encoder, [_EMPTY]).shape[1])


class Tokens(_OfEncoder):
    """An encoder whose vectors of tokens a network reads by itself."""

    key: ClassVar[str] = "tokens"


@dataclass(frozen=True)
class Scores:
    """A number that another scorer gives to a segment.

    Attributes
    ----------
    scorer : Scorer
        With its tables, if it has any: a number must not depend on what else is scored.
    number : str
    form : str
        One of ``FORMS``.
    written : str, optional
        The signature in a model's file. One of an older version lacks the fields that came later, with values that
        change nothing; the model keeps its name.
    """

    scorer: Scorer
    number: str
    form: str = "x"
    written: str | None = field(default=None, compare=False)

    @classmethod
    def of(cls, metric: Scorer | Scores | str, number: str | None = None) -> Scores:
        """The features of a scorer, a name, or a signature.

        A name may have a number after a point, as "bertscore:bert-score.precision", and a form, as "exp(-wmd:gensim)".
        Raises an InputError if there is no such metric or number.
        """
        if isinstance(metric, Scores):
            return metric
        if isinstance(metric, str) and metric.startswith("exp(-") and metric.endswith(")"):
            return replace(cls.of(metric[5:-1], number), form="exp(-x)")
        if isinstance(metric, str) and "|" not in metric and number is None and "." in metric.partition(":")[2]:
            metric, _, number = metric.rpartition(".")
        scorer = make_scorer(metric)
        chosen = number or scorer.primary
        if chosen not in scorer.range:
            raise InputError(f"{scorer.name} has no number {shown(chosen)}; {instead_of(chosen, scorer.range)}")
        return cls(scorer, chosen)

    @property
    def name(self) -> str:
        """The metric, with the number if it is not the primary one."""
        own = variant_of(self.scorer)
        whole = f"{self.scorer.name}:{own}" if own else self.scorer.name
        full = whole if self.number == self.scorer.primary else f"{whole}.{self.number}"
        return full if self.form == "x" else f"exp(-{full})"

    @property
    def sign(self) -> int:
        """-1 if lower is better."""
        higher = self.scorer.higher_is_better.get(self.number) is not False
        return 1 if higher == (self.form == "x") else -1

    def of_segments(self, segments: Segments) -> Floats:
        """The number of each segment, (segments, 1); NaN where it is not finite."""
        values = FORMS[self.form](self.scorer.segment_scores(segments)[self.number])
        return np.where(np.isfinite(values), values, np.nan)[:, None]

    def fitted(self, segments: Segments) -> Scores:
        """The same with the tables of these references, if it has tables and they are missing."""
        return self if is_fitted(self.scorer) else replace(self, scorer=self.scorer.fit(segments), written=None)

    def to_dict(self) -> dict[str, Any]:
        """What a model's file says of it."""
        return {"score": self.written or self.scorer.signature, "number": self.number, "form": self.form}

    @property
    def tables(self) -> dict[str, Resource]:
        """The tables that belong to it, by the names of their fields."""
        held = {name: getattr(self.scorer, name) for name in fitted_fields(type(self.scorer))}
        return {name: each for name, each in held.items() if each is not None}


Part = Vectors | Tokens | Scores


@dataclass(frozen=True)
class Features:
    """Features side by side, in a fixed order.

    Attributes
    ----------
    parts : tuple of Vectors, Tokens or Scores

    Raises
    ------
    InputError
        If one is given twice.

    Examples
    --------
    >>> features = Features.of(scores=["bleu:nltk", "chrf"])
    >>> features.of_segments(Segments(["a cat sat"], ["a cat sat"])).round(2)
    array([[  0.,  100.]])
    """

    parts: tuple[Part, ...]

    def __post_init__(self) -> None:
        for place, part in enumerate(self.parts):
            if part in self.parts[:place]:
                raise InputError(f"train: the feature {part_name(part)} is given twice.")

    @classmethod
    def of(cls, encoders: Sequence[Any] = (), scores: Sequence[Scorer | Scores | str] = ()) -> Features:
        """The features of encoders and metrics, each as ``Vectors.of`` and ``Scores.of`` take it."""
        return cls((*map(Vectors.of, encoders), *map(Scores.of, scores)))

    @property
    def of_texts_alone(self) -> bool:
        """Whether all features are those of a pair of texts, which do not ask for a metric's score of a segment."""
        return all(isinstance(part, Vectors) for part in self.parts)

    @property
    def encoders(self) -> tuple[NamedEncoder, ...]:
        """The encoders of all vectors."""
        return tuple(part.encoder for part in self.parts if not isinstance(part, Scores))

    @property
    def scores(self) -> tuple[Scores, ...]:
        """The features that are scores."""
        return tuple(part for part in self.parts if isinstance(part, Scores))

    def of_texts(self, texts: Sequence[str]) -> Floats:
        """The vectors of texts by all encoders side by side, float64 (n, width)."""
        return np.hstack([text_vectors(each.encoder, texts) for each in self.encoders])

    def fitted(self, segments: Segments) -> Features:
        """The features with the tables that scorers make from these references."""
        return Features(tuple(part.fitted(segments) if isinstance(part, Scores) else part for part in self.parts))

    def of_pairs(self, segments: Segments) -> Iterator[list[Floats]]:
        """Rows for each hypothesis with each of its references, in blocks, of each encoder alone; for vectors only."""
        one, other = distinct_of(segments).pairs(segments)
        vectors = [part for part in self.parts if isinstance(part, Vectors)]
        for start in range(0, len(one), _AT_ONCE):
            at = slice(start, start + _AT_ONCE)
            yield [part.between(segments, one[at], other[at]) for part in vectors]

    def of_segments(self, segments: Segments) -> Floats:
        """A row for each segment, (segments, k). A vector's features are the means over the references."""
        columns = []
        for part in self.parts:
            if isinstance(part, Scores):
                columns.append(part.of_segments(segments))
                continue
            if isinstance(part, Tokens):
                raise InputError(f"train: {part_name(part)} are no columns; a network reads them by itself.")
            one, other = distinct_of(segments).pairs(segments)
            rows, offsets = part.between(segments, one, other), segments.reference_offsets
            single = len(rows) == len(offsets) - 1
            columns.append(rows if single else reference_sums(rows, offsets) / np.diff(offsets)[:, None])
        return np.hstack(columns)

    def groups(self) -> dict[str, np.ndarray]:
        """The places of each feature in a row, by its name. The vectors of an encoder have four, of many numbers."""
        found: dict[str, np.ndarray] = {}
        start = 0
        for part in self.parts:
            if isinstance(part, Scores):
                found[part.name], start = np.array([start]), start + 1
                continue
            if isinstance(part, Tokens):
                continue
            size = part.width // 4
            for name in ("u", "v", "|u-v|", "u*v"):
                key = name if len(self.encoders) == 1 else f"{name} of {part.encoder}"
                found[key], start = np.arange(start, start + size), start + size
        return found

    def to_list(self) -> list[dict[str, Any]]:
        """What a model's file says of them."""
        return [part.to_dict() for part in self.parts]

    @classmethod
    def from_list(cls, parts: Sequence[Mapping[str, Any]], folder: Path, encoder: Any = ()) -> Features:
        """The features that a model's file describes, by the names of encoders. Nothing outside the folder is opened.

        Raises an InputError if an encoder is not here, or another one is given.

        Parameters
        ----------
        parts : sequence of mapping
        folder : Path
            The folder of the model, in which tables lie.
        encoder : encoder, path or name on the Hub, or a sequence of them
            Those that the parts name.
        """
        several = isinstance(encoder, list | tuple) and not is_pair(encoder)
        held = [_opened(each, "open_model") for each in (encoder if several else [encoder])]
        needed = {name for part in parts for name in _encoders_of(part)}
        for each in held:
            if each.name not in needed:
                there = ", ".join(sorted(needed)) or "none"
                raise InputError(f"open_model: {folder} was trained with the encoder {there}, not with {each}.")
        held += [NamedEncoder.of(own) for name in needed if (own := NgramEncoder.named(name))]
        found = cls(tuple(_part(part, folder) for part in parts))
        del held  # which were in use, by their names, as long as the parts were made
        return found


def part_name(part: Part) -> str:
    """A part's name, for messages and cards."""
    if isinstance(part, Scores):
        return part.name
    return f"vectors of {part.encoder}" if isinstance(part, Vectors) else f"vectors of the tokens of {part.encoder}"


def _encoders_of(part: Mapping[str, Any]) -> list[str]:
    """The names of the encoders that a part needs."""
    if kind := _encoding(part):
        return [part[kind]]
    name, *fields = part["score"].split("|")
    kinds = options_of(get_scorer(name))
    values = dict(each.partition("=")[::2] for each in fields)
    return [value for key, value in values.items() if key in kinds and kinds[key].kind == "encoder" and value != "null"]


def _part(part: Mapping[str, Any], folder: Path) -> Part:
    if kind := _encoding(part):
        return _ENCODING[kind](_encoder(part[kind], folder))
    for encoder in _encoders_of(part):
        _encoder(encoder, folder)
    signature, number, tables = part["score"], part["number"], part.get("tables", {})
    fitted = fitted_fields(get_scorer(signature.partition("|")[0]))
    if unknown := sorted(tables.keys() - {*fitted}):
        raise InputError(f"open_model: {folder} has a table {shown(unknown[0])}; {instead_of(unknown[0], fitted)}")
    paths = {name: str(file_in(folder, file, "open_model", MOST_WEIGHTS)) for name, file in tables.items()}
    scorer = Scorer.from_signature(signature, **paths)
    if number not in scorer.range:
        raise InputError(f"open_model: {scorer.name} has no number {shown(number)}; {instead_of(number, scorer.range)}")
    return Scores(scorer, number, part.get("form", "x"), signature)


# The parts that an encoder makes, by their keys in a model's file.
_ENCODING: Mapping[str, type[Vectors] | type[Tokens]] = {each.key: each for each in (Vectors, Tokens)}


def _encoding(part: Mapping[str, Any]) -> str | None:
    return next((kind for kind in _ENCODING if kind in part), None)


def _opened(encoder: Any, owner: str = "train") -> NamedEncoder:
    """The encoder of a path, or of a name on the Hub or of an NgramEncoder; or an encoder itself."""
    own = NgramEncoder.named(encoder) if isinstance(encoder, str) else None
    try:
        return NamedEncoder.of(own or encoder)
    except TypeError:
        what = f"{shown(encoder)} is no encoder; give an encoder, its folder or its name."
        raise InputError(f"{owner}: {what}") from None


def _encoder(name: str, folder: Path) -> NamedEncoder:
    """The encoder of this name that is in use. Where another one is, the user says: the folder may be a stranger's."""
    try:
        return NamedEncoder.found(name)
    except InputError:
        raise InputError(
            f"open_model: {folder} was trained with the encoder {name}, which is not in use here; say where it is: "
            f"open_model(folder, encoder=PATH), --encoder PATH, or encoder=PATH of a module."
        ) from None
