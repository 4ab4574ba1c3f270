"""The alignment of a hypothesis with each of its references: the matching words, and their counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrologue.scorers.meteor.kernels import Stages, align
from metrologue.segments import View

__all__ = ["Aligned", "Alignment", "Match", "align_texts"]


class Match(NamedTuple):
    """Words of the hypothesis and words of the reference that mean the same.

    Attributes
    ----------
    stage : str
        The stage that found the match: "exact", "stem", "synonym" or "paraphrase".
    hypothesis, hypothesis_length : int
        The index of the first word in the hypothesis, from 0, and the number of words.
    reference, reference_length : int
        The same in the reference.
    chunk : int
        The number of its chunk, from 0. A chunk is a run of matches that are contiguous in both texts.
    """

    stage: str
    hypothesis: int
    hypothesis_length: int
    reference: int
    reference_length: int
    chunk: int


class Alignment(NamedTuple):
    """The words of two texts, and the matches between them.

    Attributes
    ----------
    hypothesis, reference : tuple of str
        Words as they are compared.
    hypothesis_function, reference_function : tuple of bool
        Whether each word is a function word.
    matches : tuple of Match
        In the order of the hypothesis.
    """

    hypothesis: tuple[str, ...]
    reference: tuple[str, ...]
    hypothesis_function: tuple[bool, ...]
    reference_function: tuple[bool, ...]
    matches: tuple[Match, ...]


class Aligned(NamedTuple):
    """The alignments of the pairs of a view.

    Attributes
    ----------
    counts : int64 (n_pairs, k)
        See ``metrologue.scorers.meteor.kernels.align``.
    matches : int32 (n_matches, 6)
        See there too.
    view : View
    function : bool (n_types,)
        Whether each type is a function word.
    stages : tuple of str
    """

    counts: NDArray[np.int64]
    matches: NDArray[np.int32]
    view: View
    function: NDArray[np.bool_]
    stages: tuple[str, ...]

    def alignments(self) -> tuple[Alignment, ...]:
        """The alignment of each pair, if the view has one segment."""
        view = self.view
        kinds = np.split(self.function[view.ids], view.offsets[1:-1])
        (hypothesis, own_function), *references = (
            (tuple(view.tokens_of(text)), tuple(kind.tolist())) for text, kind in enumerate(kinds)
        )
        rows = self.matches
        return tuple(
            Alignment(
                hypothesis, reference, own_function, its_function, _matches(rows[rows[:, 0] == pair, 1:], self.stages)
            )
            for pair, (reference, its_function) in enumerate(references)
        )


def _matches(rows: NDArray[np.int32], stages: Sequence[str]) -> tuple[Match, ...]:
    """Matches in the order of the hypothesis. The rows are in the order of the reference."""
    _, start, length, reference, reference_length = rows.T
    breaks = (start[1:] != (start + length)[:-1]) | (reference[1:] != (reference + reference_length)[:-1])
    chunks = np.concatenate([[0], np.cumsum(breaks)])[: len(rows)]
    return tuple(
        Match(stages[stage], start, length, reference, reference_length, chunk)
        for start, length, reference, reference_length, stage, chunk in sorted(
            zip(*rows.T[1:].tolist(), rows[:, 0].tolist(), chunks.tolist(), strict=True)
        )
    )


def align_texts(
    view: View,
    *,
    language: str,
    stages: tuple[str, ...],
    aligner: str,
    beam: int,
    stemmer: str,
    synonyms: str,
    paraphrases: str,
    function_words: str | None,
    unit: str,
) -> Aligned:
    """The alignments of each hypothesis with each of its references.

    Parameters
    ----------
    view : View
    language, stages, aligner, beam, stemmer, synonyms, paraphrases, function_words, unit
        The fields of ``Meteor``.

    Raises
    ------
    InputError
        If a table is missing.
    """
    from metrologue.scorers.meteor import words  # here: the lexicon takes long to import

    types = view.vocabulary
    with types.unchanged():
        own, its = words.stage_keys(
            stages, types, aligner=aligner, stemmer=stemmer, synonyms=synonyms, language=language
        )
        found = words.find_phrases(view, paraphrases if "paraphrase" in stages else None, language)
        function = words.which_are_function(types, function_words)
        numbers = words.number_spellings(types, hashed=aligner == "beam")
        sizes = words.word_sizes(types, unit)
    exact, paraphrase = (stages.index(stage) if stage in stages else -1 for stage in ("exact", "paraphrase"))
    # A key numbers the types, or the keys of a stage that some word of a reference has.
    n_keys = max(len(numbers), len(its.keys))
    counts, matches = align(
        view.ids,
        view.offsets,
        *view.pairs,
        len(stages),
        Stages(*own, *its),
        numbers,
        n_keys,
        exact,
        paraphrase,
        found,
        function,
        sizes,
        0 if aligner == "greedy" else beam,
        aligner == "paper",
    )
    return Aligned(counts, matches, view, function, stages)
