"""CharacTER, translation edit rate on character level (Wang et al. 2016), as the package cer and the Hub compute it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from metrologue.data.arrays import Floats, Ids
from metrologue.data.strings import Strings
from metrologue.scorers.character.kernels import COUNTS, Letters, shift_edits
from metrologue.scorers.core.about import About, Growth
from metrologue.scorers.core.crossed import of_texts
from metrologue.scorers.core.numbers import counted, number
from metrologue.scorers.core.options import option, with_default
from metrologue.scorers.core.rows import columns_of, ratio
from metrologue.scorers.core.shapes import PairScorer, Tokenized
from metrologue.scorers.core.variants import Variant
from metrologue.scorers.families.edits import Edits, shortest
from metrologue.segments import Segments, View
from metrologue.text.reading import words
from metrologue.text.tokenizers import get_tokenizer

__all__ = ["Character", "character_rate"]


def character_rate(cost: Floats, length: Floats) -> Floats:
    """CharacTER: the edits of characters and the cost of shifts, divided by the characters of a text, at most 1.

    Parameters
    ----------
    cost, length : float64 (...)

    Returns
    -------
    float64 (...)
        0 to 1. Where `length` is 0: 1 if there is a cost, otherwise 0.

    References
    ----------
    Wang et al. 2016, https://aclanthology.org/W16-2342.

    Examples
    --------
    A hypothesis of 71 characters that needs 19 edits, and a shift of words with seven characters on average.

    >>> float(character_rate(np.array(26.0), np.array(71.0)).round(4))
    0.3662
    """
    return np.minimum(ratio(cost, length, np.sign(cost)), 1.0)


def _letters(view: View) -> Letters:
    """The spellings of the words of a view, and a space."""
    spellings = view.vocabulary.texts(0, view.type_count).joined(Strings.of([" "]))
    found = get_tokenizer("characters")(spellings)
    return Letters(found.ids, found.offsets, np.array([*map(ord, found.spellings())], np.int32))


@dataclass(frozen=True, kw_only=True)
class Character(Tokenized, PairScorer):
    """Edits of characters after shifts of words, divided by the hypothesis's characters; lower is better, 0-1.

    Runs of words that the reference has elsewhere are shifted, one after another, as long as the word error rate falls;
    each time the shift that gains most is made. A run that moved to the right costs the mean length of its words. The
    remaining edits are those of the characters, spaces between words included. So a wrong inflection costs less than a
    wrong word. If the hypothesis has no words, the score is 1. If the reference has no words, it is 1, or 0 if neither
    has words; the package cer divides by zero there.

    With several references, the one with the best score counts; ties: the first. The defaults are those of the Hub.

    References
    ----------
    Wang et al. 2016, https://aclanthology.org/W16-2342.

    Examples
    --------
    >>> text = "this week the saudis denied information published in the new york times"
    >>> reference = "saudi arabia denied this week information published in the american new york times"
    >>> result = Character().corpus([text], [reference])
    >>> round(result.value, 4), result.scores["edits"], result.scores["shift_cost"]
    (0.3662, 19.0, 7.0)
    """

    name: ClassVar[str] = "character"
    about: ClassVar = About(papers=("wang-etal-2016-character",), growth=Growth("words", 4, 400))

    # fmt: off
    shift_cost: str = option(
        "word-length", stage="join", choice="cost of shifts", about="What a run of words costs that moved right.",
        one_of={"word-length": "the mean length of its words, in characters", "none": "nothing"},
    )
    normalization: str = option(
        "hypothesis", stage="join", choice="normalization", about="The text whose characters divide the cost.",
        one_of={
            "hypothesis": "the hypothesis, so that a short text gains nothing", "reference": "the reference, as in TER"
        },
    )
    aggregation: str = with_default(
        "mean",
        one_of={"corpus": "all costs, divided by all characters", "mean": "the mean of the segments' rates"},
    )
    scale: float = with_default(1.0, about="The value of as many edits as characters.")
    # fmt: on

    _columns = COUNTS

    numbers: ClassVar = (
        number(
            "character", 0, "scale", better="lower", title="CharacTER",
            about="edits of characters and the cost of shifts, divided by the characters of a text",
        ),
        counted("edits", "edits", better="lower", about="edits of characters after all shifts"),
        counted("shift_cost", "characters", better="lower", about="the cost of all shifts"),
        counted("shifts", "shifts", better="lower", about="shifts that were made"),
        counted("hypothesis_length", "characters", about="characters of the hypotheses, with a space between words"),
        counted("reference_length", "characters", about="characters of the references, with a space between words"),
    )  # fmt: skip

    def _pair_statistics(self, segments: Segments) -> Floats:
        """The numbers of `COUNTS` for each pair, (n_pairs, 5)."""
        return self._shifted(segments)[0]

    def _shifted(self, segments: Segments) -> tuple[Floats, Ids]:
        """The counts, and the words of the hypotheses after all shifts."""
        view = self._view(segments)
        return shift_edits(view.paired, of_texts(segments, ("letters", *self._key("read")), lambda: _letters(view)))

    def edits(self, prediction: str, reference: str) -> Edits:
        """The edits of one pair, character by character, after all shifts of words.

        Examples
        --------
        >>> edits = Character().edits("the cat sit", "the cat sat")
        >>> "".join(operation.kind for operation in edits.operations)
        'HHHHHHHHHSH'
        """
        segments = Segments([prediction], [reference], owner="Character")
        view = self._view(segments)
        after = " ".join(map(view.spelling, self._shifted(segments)[1]))
        return shortest(Segments([after], [" ".join(view.tokens_of(1))]).read(words("characters")))

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        edits, costs, shifts, ours, theirs = columns_of(statistics)
        cost = edits + costs if self.shift_cost == "word-length" else edits
        rate = character_rate(cost, ours if self.normalization == "hypothesis" else theirs)
        return dict(zip(self.range, (self.scale * rate, edits, costs, shifts, ours, theirs), strict=True))

    _variants: ClassVar = {
        "cer": Variant(
            "cer", "calculate_cer_corpus, and the Hub's `character`: words of str.split()", live="cer.character"
        ),
    }
