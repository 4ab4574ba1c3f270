"""The result of a reading: the tokens of hypotheses and references as ids in one vocabulary."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import up_to
from metrologue.data.intake import checked_index
from metrologue.kernels.pairs import Pairs
from metrologue.text.reading.vocabulary import Types

_SECOND = up_to(2)[1:]  # the second text


@dataclass(eq=False)  # not frozen: to make one would take three times as long
class View:
    """The tokens of all hypotheses and references under one reading, as int32 ids in one vocabulary.

    Attributes
    ----------
    ids : int32 (n_tokens,)
        Tokens of the hypotheses, then of the references.
    offsets : int64 (n_hypotheses + n_references + 1,)
        The tokens of text t are ``ids[offsets[t]:offsets[t + 1]]``.
    reference_offsets : int64 (n_hypotheses + 1,)
        The references of segment s are the texts ``n_hypotheses + reference_offsets[s]`` to
        ``n_hypotheses + reference_offsets[s + 1]``, the last one excluded.
    sentences, sentence_offsets : int64 (n_hypotheses + n_references + 1,), int64 (n_sentences + 1,)
        Text t has the sentences ``sentences[t]:sentences[t + 1]``. Sentence i has the tokens
        ``ids[sentence_offsets[i]:sentence_offsets[i + 1]]``.
    type_count : int
        All ids are below this number.
    vocabulary : Types
        The text of each type, and data derived from it. If the column is shared, the vocabulary may have more types
        than these texts.
    """

    ids: NDArray[np.int32]
    offsets: NDArray[np.int64]
    reference_offsets: NDArray[np.int64]
    sentences: NDArray[np.int64]
    sentence_offsets: NDArray[np.int64]
    type_count: int
    vocabulary: Types = field(repr=False)

    def __len__(self) -> int:
        return len(self.reference_offsets) - 1

    @cached_property
    def clipped_counts(self) -> dict[int, NDArray[np.float64]]:
        """BLEU's clipped counts by the number of orders, which scorers of one reading share."""
        return {}

    @cached_property
    def text_lengths(self) -> NDArray[np.int64]:
        """Number of tokens of each text, (n_hypotheses + n_references,)."""
        return self.offsets[1:] - self.offsets[:-1]

    @cached_property
    def first_hypothesis(self) -> int:
        """The index of the first hypothesis among the texts."""
        return 0

    @cached_property
    def first_reference(self) -> int:
        """The index of the first reference among the texts."""
        return len(self.reference_offsets) - 1

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Number of tokens of each hypothesis, (n_hypotheses,)."""
        return self.text_lengths[: len(self.reference_offsets) - 1]

    @property
    def reference_lengths(self) -> NDArray[np.int64]:
        """Number of tokens of each reference, (n_references,)."""
        return self.text_lengths[self.first_reference : self.first_reference + self.reference_offsets.item(-1)]

    @cached_property
    def pairs(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Each hypothesis with each of its references, as two arrays of indices of texts, (n_references,) each."""
        first, offsets = self.first_reference, self.reference_offsets
        if first == 1:  # one hypothesis: without the search for where each one ends
            count = offsets.item(-1)
            return (up_to(1), _SECOND) if count == 1 else (np.zeros(count, np.int64), np.arange(1, 1 + count))
        start, count = self.first_hypothesis, len(offsets) - 1
        hypotheses = np.arange(start, start + count).repeat(offsets[1:] - offsets[:-1])
        return hypotheses, np.arange(first, first + len(hypotheses))

    @cached_property
    def paired(self) -> Pairs:
        """The texts with their pairs, as kernels take them."""
        return Pairs(self.ids, self.offsets, *self.pairs)

    def part(self, start: int, stop: int) -> PartView:
        """The segments `start` to `stop`, among the texts of all segments."""
        offsets = self.reference_offsets[start : stop + 1]
        return PartView(
            self.ids, self.offsets, offsets - offsets[0], self.sentences, self.sentence_offsets, self.type_count,
            self.vocabulary, start, self.first_reference + offsets.item(0),
        )  # fmt: skip

    def texts(self, ranges: Iterable[range]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The ids and the offsets of some ranges of texts, one after another."""
        limits = [self.offsets[each.start : each.stop + 1] for each in ranges]
        ids = np.concatenate([self.ids[limit[0] : limit[-1]] for limit in limits])
        return ids, np.concatenate([[0], np.cumsum(np.concatenate([np.diff(limit) for limit in limits]))])

    def spelling(self, type_id: int) -> str:
        """The text of a type."""
        return self.vocabulary.spelling(type_id)

    def spellings(self) -> list[str]:
        """The texts of all types below `type_count`, in the order of their ids."""
        return self.vocabulary.spellings(0, self.type_count)

    def tokens_of(self, index: int) -> list[str]:
        """The tokens of a text. Hypotheses come first, then references."""
        index = checked_index(index, len(self.offsets) - 1, "View.tokens_of: `index`")
        return [self.spelling(type_id) for type_id in self.ids[self.offsets[index] : self.offsets[index + 1]]]

    def tokens(self, segment: int) -> tuple[list[str], list[list[str]]]:
        """The tokens of a segment's hypothesis and of each of its references."""
        segment = checked_index(segment, len(self), "View.tokens: `segment`")
        first, last = self.first_reference + self.reference_offsets[segment : segment + 2]
        return self.tokens_of(self.first_hypothesis + segment), [self.tokens_of(index) for index in range(first, last)]


@dataclass(eq=False)
class PartView(View):
    """A view of consecutive segments. Its texts are those of all segments.

    Attributes
    ----------
    hypotheses_from, references_from : int
        The index of the first hypothesis, and of the first reference, among the texts.
    """

    hypotheses_from: int
    references_from: int

    @cached_property
    def first_hypothesis(self) -> int:
        return self.hypotheses_from

    @cached_property
    def first_reference(self) -> int:
        return self.references_from

    @property
    def lengths(self) -> NDArray[np.int64]:
        return self.text_lengths[self.hypotheses_from : self.hypotheses_from + len(self)]
