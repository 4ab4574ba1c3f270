"""Texts as YiSi compares them: tokens, vectors, blocks of similarities for pairs of texts, and semantic frames."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import Bytes, Flags, Floats, Ids, Integers, Offsets
from metrologue.data.strings import Strings, buffers
from metrologue.errors import InputError
from metrologue.kernels.pairs import Pairs
from metrologue.representations.frames import PREDICATE, Frame, role_class
from metrologue.representations.named import NamedEncoder
from metrologue.representations.store import vector_store
from metrologue.scorers.core.crossed import distinct_of, of_texts
from metrologue.scorers.core.rows import ratio
from metrologue.scorers.families.kernels.assignment import assignment
from metrologue.scorers.yisi.kernels import Vectors, cosine_blocks, substring_blocks
from metrologue.segments import Segments
from metrologue.text.reading import View

_CELLS = 1 << 20  # similarities that are computed at once


class Texts(NamedTuple):
    """The tokens of texts, and what similarities are made of."""

    types: list[str]  # what identifies each type of tokens
    ids: Ids  # (n_tokens,)
    offsets: Offsets  # (n_texts + 1,): the tokens of text t are ``ids[offsets[t]:offsets[t + 1]]``
    # The distinct words of text t, those that have one similarity with others, are ``distinct[ends[t]:ends[t + 1]]``.
    distinct: Ids
    ends: Offsets
    places: Ids  # (n_tokens,): which of the distinct words each token is
    pairs: tuple[Offsets, Offsets]  # (n_pairs,): the texts of the hypothesis and of the reference of each pair
    hypotheses: Offsets  # (n_hypotheses,)
    references: Offsets  # (n_references,): the texts that are references, each as often as it occurs
    # The bytes of the types, if these are compared by substrings: type i is ``buffer[words[i]:words[i + 1]]``.
    buffer: Bytes | None = None
    words: Offsets | None = None
    vectors: Vectors | None = None  # what the words are compared by, if not by substrings

    def blocks(self, pairs: Offsets) -> Iterator[Blocks]:
        """The similarities of some pairs, so many at once that they take little memory."""
        lengths = np.diff(self.ends)
        own, its = (side[pairs] for side in self.pairs)
        ends = np.concatenate([[0], np.cumsum(lengths[own] * lengths[its])])
        first = 0
        while first < len(pairs):
            last = max(first + 1, int(np.searchsorted(ends, ends[first] + _CELLS, "right")) - 1)
            part = slice(first, last)
            cells = int(ends[last] - ends[first])
            yield Blocks(part, own[part], its[part], ends[part] - ends[first], self._block(own[part], its[part], cells))
            first = last

    def _block(self, own: Offsets, its: Offsets, cells: int) -> Floats:
        pairs = Pairs(self.distinct, self.ends, own, its)
        if self.vectors:
            return cosine_blocks(self.vectors, pairs, cells)
        assert self.buffer is not None
        assert self.words is not None
        return substring_blocks(self.buffer, self.words, pairs, cells)


class Blocks(NamedTuple):
    """The similarities of the distinct words of some pairs of texts."""

    part: slice  # the pairs, among those that were asked for
    # (n_pairs,): The texts of each pair.
    own: Offsets
    its: Offsets
    starts: Offsets  # (n_pairs,): where the block of each pair begins
    similarities: Floats  # the blocks; row by row, a row for each distinct word of the hypothesis


def ascii_lower(text: str) -> str:
    """The text with the letters A to Z in lower case; other letters stay.

    Examples
    --------
    >>> ascii_lower("Über EU")
    'Über eu'
    """
    return text.encode().lower().decode()


def _distinct_words(keys: Ids, offsets: Offsets) -> dict[str, Any]:
    """The distinct words of each text, and which of them each token is.

    Examples
    --------
    >>> found = _distinct_words(np.array([2, 0, 2, 0], np.int32), np.array([0, 3, 4]))
    >>> found["distinct"].tolist(), found["ends"].tolist(), found["places"].tolist()
    ([0, 2, 0], [0, 2, 3], [1, 0, 1, 0])
    """
    texts, count = len(offsets) - 1, int(keys.max(initial=0)) + 1
    of_token = np.repeat(np.arange(texts), np.diff(offsets))
    words, numbers = np.unique(of_token * count + keys, return_inverse=True)
    ends = np.searchsorted(words, np.arange(texts + 1) * count).astype(np.int64)
    places = numbers.ravel() - ends[of_token]
    return {"distinct": (words % count).astype(np.int32), "ends": ends, "places": places.astype(np.int32)}


def _of_view(view: View, segments: Segments, tokenizer: str) -> dict[str, Any]:
    hypotheses, references = np.arange(view.first_reference), np.arange(view.first_reference, len(view.offsets) - 1)
    key = ("distinct words", tokenizer, view.type_count)
    return {
        **of_texts(segments, key, lambda: _distinct_words(view.ids, view.offsets)),
        "types": view.spellings(), "ids": view.ids, "offsets": view.offsets, "pairs": view.pairs,
        "hypotheses": hypotheses, "references": references,
    }  # fmt: skip


def spelled_texts(segments: Segments, view: View, tokenizer: str) -> Texts:
    """Words that are compared by their longest common substring."""

    def make() -> tuple[Bytes, Offsets]:
        return buffers(Strings.of(view.spellings()))

    buffer, words = of_texts(segments, ("bytes of words", tokenizer, view.type_count), make)
    return Texts(**_of_view(view, segments, tokenizer), buffer=buffer, words=words)


def word_texts(segments: Segments, view: View, tokenizer: str, own: Any, its: Any) -> Texts:
    """Words that are compared by vectors, which do not depend on the context; by one file, or by one for each side."""

    def make() -> Vectors:
        spelled = view.spellings()
        lowered = [ascii_lower(word) for word in spelled]
        numbers: dict[str, int] = {}
        forms = np.array([numbers.setdefault(word, len(numbers)) for word in lowered], np.int32)
        sides = [_looked_up(encoder, spelled, lowered) for encoder in ((own,) if own is its else (own, its))]
        if sides[0][0].shape[1] != sides[-1][0].shape[1]:
            raise InputError(
                f"Yisi: `vectors` {own.name} has {sides[0][0].shape[1]} numbers for a word, but `source_vectors` "
                f"{its.name} has {sides[-1][0].shape[1]}; vectors of one space are expected."
            )
        # Of two languages, words of one form mean the same only if one of them has no vector.
        shared = np.zeros(len(spelled), np.bool_)
        known = (sides[0][1], sides[-1][1]) if own is not its else (shared, shared)
        return Vectors(sides[0][0], sides[-1][0], forms, *known)

    key = ("vectors of words", own.name, its.name, tokenizer, view.type_count)
    return Texts(**_of_view(view, segments, tokenizer), vectors=of_texts(segments, key, make))


def _looked_up(encoder: Any, spelled: list[str], lowered: list[str]) -> tuple[Floats, Flags]:
    """Unit vectors of words, as they are spelled or else in lower case, and whether they are there as spelled."""
    vectors, known = encoder.of_words(spelled)
    missing = np.flatnonzero(~known)
    vectors[missing] = encoder.of_words([lowered[i] for i in missing])[0]
    return _units(vectors), known


def contextual_texts(segments: Segments, encoder: NamedEncoder, layer: int) -> Texts:
    """Tokens that are compared by vectors that depend on the context. Those that the model adds are left out."""
    distinct = distinct_of(segments)

    def make() -> dict[str, Any]:
        found = vector_store().tokens(encoder.encoder, distinct.texts, (layer,))
        if (place := distinct.first(found.left_out > 0)) is not None:
            raise InputError.at("Yisi", *place, " is longer than the model's context.")
        ends = np.concatenate([[0], np.cumsum(found.counted)])
        numbers, ids = np.unique(found.ids[found.counted], return_inverse=True)
        rows = np.arange(len(ids), dtype=np.int32)
        known = np.ones(len(ids), np.bool_)
        units = _units(found.vectors[0][found.counted])
        return {
            "types": [str(number) for number in numbers.tolist()], "ids": ids.astype(np.int32).ravel(),
            "offsets": ends[found.offsets], "vectors": Vectors(units, units, rows, known, known),
            **_distinct_words(rows, ends[found.offsets]),
        }  # fmt: skip

    made = of_texts(segments, ("vectors in context", encoder, layer), make)
    return Texts(**made, pairs=distinct.pairs(segments), hypotheses=distinct.hypotheses, references=distinct.references)


def _units(vectors: NDArray[np.float32]) -> Floats:
    exact = vectors.astype(np.float64)
    lengths = np.sqrt(np.einsum("ij,ij->i", exact, exact))[:, None]
    lengths[lengths == 0] = 1
    units: Floats = exact / lengths
    return units


class Roles(NamedTuple):
    """The predicates and arguments of a text, a row each; those of a frame follow each other, the predicate first."""

    spans: Offsets  # (n, 2): where each begins in the text, and how many tokens it has
    classes: Integers  # (n,): indices in ``metrologue.representations.frames.ROLES``
    offsets: Offsets  # (n_frames + 1,): the rows of frame f are ``offsets[f]:offsets[f + 1]``

    @classmethod
    def of(cls, frames: Sequence[Frame]) -> Roles:
        """The roles of some frames."""
        rows = [
            (start, stop - start, kind)
            for frame in frames
            for start, stop, kind in (
                (*frame.predicate, PREDICATE),
                *((start, stop, role_class(label)) for label, start, stop in frame.arguments),
            )
        ]
        table = np.array(rows, np.int64).reshape(-1, 3)
        ends = np.cumsum([0, *(1 + len(frame.arguments) for frame in frames)])
        return cls(np.ascontiguousarray(table[:, :2]), table[:, 2], ends)


def assigned_roles(similarities: Floats, its: Roles, own: Roles) -> tuple[Integers, Integers]:
    """The roles of a reference and those of a hypothesis that are assigned to each other.

    The predicates of both texts are assigned to each other so that the sum of their similarities is the greatest, and
    then the arguments of each two predicates.

    Parameters
    ----------
    similarities : float64 (roles of the reference, roles of the hypothesis)
        0 to 1.
    its, own : Roles
        Those of the reference and of the hypothesis.

    Returns
    -------
    rows, columns : int64 (n,)

    Examples
    --------
    >>> one = Roles.of([Frame((1, 2), (("A0", 0, 1), ("A1", 2, 3)))])
    >>> other = Roles.of([Frame((1, 2), (("A1", 0, 1),))])
    >>> assigned_roles(np.array([[0.9, 0.1], [0.2, 0.8], [0.3, 0.7]]), one, other)
    (array([0, 1]), array([0, 1]))
    """
    rows: list[Integers] = []
    columns: list[Integers] = []
    starts, others = its.offsets[:-1], own.offsets[:-1]
    for frame, other in zip(*assignment(similarities[np.ix_(starts, others)]), strict=True):
        first, second = starts[frame], others[other]
        within = similarities[first + 1 : its.offsets[frame + 1], second + 1 : own.offsets[other + 1]]
        i, j = assignment(within)
        rows += [first[None], first + 1 + i]
        columns += [second[None], second + 1 + j]
    nothing = np.zeros(0, np.int64)
    return np.concatenate([nothing, *rows]), np.concatenate([nothing, *columns])


def structure(found: Floats, roles: Roles, weights: Floats, by_length: bool) -> float:
    """The mean similarity of the frames of a text; 0 without any.

    The similarity of a frame is the mean of those of its roles, by the weights of their classes. With `by_length`, a
    frame weighs as many tokens as its roles have.

    Examples
    --------
    >>> roles = Roles.of([Frame((1, 2), (("A0", 0, 1), ("A1", 2, 3)))])
    >>> weights = np.array([0.25, 1, 1, 1, 1, 1, 1, 1])
    >>> round(structure(np.array([1.0, 1.0, 0.5]), roles, weights, True), 6)
    0.777778
    """
    if not len(found):
        return 0.0
    starts, own = roles.offsets[:-1], weights[roles.classes]
    means = ratio(np.add.reduceat(own * found, starts), np.add.reduceat(own, starts))
    lengths = np.add.reduceat(roles.spans[:, 1], starts) if by_length else np.ones(len(starts))
    return float((lengths * means).sum() / lengths.sum())
