"""CharCut, the characters that differ once the longest common parts are found (Lardilleux and Lepage 2017)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from metrologue.data.arrays import Flags, Floats, Integers
from metrologue.scorers.charcut_mt.kernels import MATCHED, MOVED, Rules, common_parts
from metrologue.scorers.core.about import About, Growth
from metrologue.scorers.core.numbers import counted, number
from metrologue.scorers.core.options import option, with_default
from metrologue.scorers.core.rows import columns_of, ratio
from metrologue.scorers.core.shapes import PairScorer, Tokenized
from metrologue.scorers.core.variants import Variant
from metrologue.segments import Segments

__all__ = ["CharcutMt", "charcut"]


def charcut(cost: Floats, divisor: Floats) -> Floats:
    """CharCut: the characters that differ or have moved, divided by the characters of both texts.

    Parameters
    ----------
    cost, divisor : float64 (...)

    Returns
    -------
    float64 (...)
        0 to 1; 0 without characters.

    References
    ----------
    Lardilleux and Lepage 2017, https://aclanthology.org/2017.iwslt-1.20.

    Examples
    --------
    "in fact" and "actually" share "act": nine of fifteen characters differ.

    >>> charcut(np.array(9.0), np.array(15.0))
    array(0.6)
    """
    return ratio(cost, divisor)


def line_pairs(prediction: str, reference: str) -> list[tuple[str, str]]:
    """The lines of two texts that are compared with each other: both texts as they are, if they have not as many lines.

    Examples
    --------
    >>> line_pairs("a\\nb", "a\\nc"), line_pairs("a\\nb", "a")
    ([('a', 'a'), ('b', 'c')], [('a\\nb', 'a')])
    """
    both = prediction.split("\n"), reference.split("\n")
    return [*zip(*both, strict=True)] if len(both[0]) == len(both[1]) else [(prediction, reference)]


def _in_lines(segments: Segments) -> tuple[Segments, Integers] | None:
    """The lines of each pair as segments, and the first of each pair; None if no text has a line end."""
    predictions, references = (segments.strings(name).to_pylist() for name in ("predictions", "references"))
    if not any("\n" in text for text in predictions):
        return None
    counts = np.diff(segments.reference_offsets)
    hypotheses = [text for text, count in zip(predictions, counts.tolist(), strict=True) for _ in range(count)]
    pairs = [line_pairs(*pair) for pair in zip(hypotheses, references, strict=True)]
    starts = np.cumsum([0, *map(len, pairs)])[:-1]
    lines = [line for pair in pairs for line in pair]
    return Segments([hypothesis for hypothesis, _ in lines], [reference for _, reference in lines]), starts


def _in_words(spellings: list[str]) -> Flags:
    """Which characters are those of words, as in the regular expression ``\\w``."""
    return np.array([each.isalnum() or each == "_" for each in spellings], bool)


@dataclass(frozen=True, kw_only=True)
class CharcutMt(Tokenized, PairScorer):
    """Characters that differ between two texts once their longest common parts are found; lower is better, 0-1.

    The longest part that both texts have is taken out, then the longest of what is left, and so on. A part is a run of
    whole words and marks, or any characters of one word with the marks beside it, at least `shortest` of them. Parts in
    the same order in both texts match; the others have moved, and count once. A short part that has moved far does not
    count as a part. What is left is deleted from the one text and inserted into the other. A corpus has the sums of its
    segments' characters. Whitespace at both ends is dropped. If both texts have as many lines, each line is compared
    with the one at its place, as the package does, which writes the texts to files. With several references, the one
    with the best score counts; ties: the first. The defaults are those of the package charcut, which the Hub's
    `charcut_mt` calls.

    References
    ----------
    Lardilleux and Lepage 2017, https://aclanthology.org/2017.iwslt-1.20.

    Examples
    --------
    >>> CharcutMt().corpus(
    ...     ["this week the saudis denied information published in the new york times", "this is in fact an estimate"],
    ...     ["saudi arabia denied this week information published in the american new york times",
    ...      "this is actually an estimate"],
    ... ).value
    0.1971153846153846
    """

    name: ClassVar[str] = "charcut_mt"
    about: ClassVar = About(papers=("lardilleux-lepage-2017-charcut",), growth=Growth("characters", 2, 30_000))

    # fmt: off
    tokenizer: str = with_default("characters-stripped", about="What the characters are.")
    shortest: int = option(
        3, stage="pairs", choice="shortest part", least=1,
        about="The least number of characters of a part, unless it is whole words at an end of both texts.",
    )
    normalization: str = option(
        "both", stage="pairs", choice="normalization", about="What the characters that differ are divided by.",
        one_of={"both": "the characters of both texts", "hypothesis": "twice the characters of the hypothesis"},
    )
    # fmt: on

    _columns = ("cost", "divisor", "matched", "moved", "hypothesis_length", "reference_length")

    numbers: ClassVar = (
        number(
            "charcut_mt", 0, "scale", better="lower", title="CharCut",
            about="characters that differ or have moved, divided by the characters of both texts",
        ),
        counted("cost", "characters", better="lower", about="characters that differ, of both texts, or have moved"),
        counted("matched", "characters", better="higher", about="characters of parts that are where they were"),
        counted("moved", "characters", about="characters of parts that have moved"),
        counted("hypothesis_length", "characters", about="characters of the hypotheses"),
        counted("reference_length", "characters", about="characters of the references"),
    )  # fmt: skip

    def _parts(self, segments: Segments) -> tuple[Integers, Integers]:
        """The characters of each pair's parts by kind, (n_pairs, 3), and the parts, (n_parts, 4)."""
        view = self._view(segments)
        in_words = view.vocabulary.layer("characters of words", _in_words)
        keys = view.ids + np.where(in_words[view.ids], np.int32(view.type_count), np.int32(0))
        sizes, parts, _ = common_parts(view.paired._replace(ids=keys), Rules(view.type_count, self.shortest))
        return sizes, parts

    def _pair_statistics(self, segments: Segments) -> Floats:
        """Cost and divisor of each pair, characters that match and that have moved, and those of both texts."""
        parted = segments.memoize(("lines of pairs",), lambda: _in_lines(segments))
        if parted is None:
            return self._counts(segments)
        lines, starts = parted
        return np.asarray(np.add.reduceat(self._counts(lines), starts))

    def _counts(self, segments: Segments) -> Floats:
        sizes, _ = self._parts(segments)
        view = self._view(segments)
        ours, theirs = (view.text_lengths[side] for side in view.pairs)
        matched, moved = sizes[:, MATCHED], sizes[:, MOVED]
        divisor = ours + theirs if self.normalization == "both" else 2 * ours
        cost = np.minimum(ours + theirs - 2 * matched - moved, divisor)
        return np.column_stack([cost, divisor, matched, moved, ours, theirs]).astype(np.float64)

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        cost, divisor, *others = columns_of(statistics)
        return dict(zip(self.range, (self.scale * charcut(cost, divisor), cost, *others), strict=True))

    _variants: ClassVar = {
        "charcut": Variant("charcut", "calculate_charcut, and the Hub's `charcut_mt`", live="charcut.charcut_mt"),
        "charcut-hypothesis": Variant(
            "charcut", "calculate_charcut with alt_norm: divided by twice the characters of the hypothesis",
            {"normalization": "hypothesis"}, live="charcut.charcut_mt", options={"alt_norm": True},
        ),
    }  # fmt: skip
