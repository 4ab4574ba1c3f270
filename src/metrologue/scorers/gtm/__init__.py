"""GTM, the General Text Matcher (Melamed et al. 2003; Turian et al. 2003): F-measure of matched runs of tokens."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.scorers.core.about import About, Growth
from metrologue.scorers.core.numbers import counted, number
from metrologue.scorers.core.options import option
from metrologue.scorers.core.rows import by_name, ratio
from metrologue.scorers.core.shapes import PairScorer, Tokenized
from metrologue.scorers.core.variants import Variant
from metrologue.scorers.gtm.kernels import chosen_runs, match_sizes
from metrologue.segments import Segments

__all__ = ["Gtm", "Matching", "gtm"]


def gtm(match_size: Floats, hypothesis_length: Floats, reference_length: Floats) -> tuple[Floats, Floats, Floats]:
    """F-measure, precision and recall: the match size by each length. 0 for a length of 0, and if both are 0.

    Parameters
    ----------
    match_size, hypothesis_length, reference_length : float64 (...)

    Returns
    -------
    f_measure, precision, recall : float64 (...)

    Examples
    --------
    >>> [float(number.round(4)) for number in gtm(np.array(4.0), np.array(4.0), np.array(5.0))]
    [0.8889, 1.0, 0.8]
    """
    precision, recall = ratio(match_size, hypothesis_length), ratio(match_size, reference_length)
    return ratio(2 * precision * recall, precision + recall), precision, recall


class Matching(NamedTuple):
    """The chosen runs of one segment, as ``Gtm.matching`` gives them.

    Attributes
    ----------
    hypothesis : list of str
        The tokens of the hypothesis.
    references : list of list of str
        The tokens of each reference.
    runs : list of (int, int, int, float)
        The runs in the order in which they are chosen: the place in the hypothesis, the index of the reference, the
        place in it, and the length in tokens. Only the last one may have a part of a token.
    """

    hypothesis: list[str]
    references: list[list[str]]
    runs: list[tuple[int, int, int, float]]


@dataclass(frozen=True, kw_only=True)
class Gtm(Tokenized, PairScorer):
    """F-measure of the tokens that match the references, where long runs count more; higher is better, 0-1.

    A hit is a token of the hypothesis that equals a token of a reference. A run is a sequence of tokens that is in both
    texts. Runs are chosen one after another, the longest first, and no token is used twice. Of equally long runs, the
    one that is latest in the hypothesis comes first, then the one that is latest in the references. The match size is
    the sum of length ** `exponent` over the runs, to the power of 1 / `exponent`. Precision is the match size divided
    by the length of the hypothesis, and recall is the match size divided by the length of the reference.

    With several references, a run may lie in any of them, but not in two. Their length is the mean. All runs together
    have at most as many tokens as the hypothesis, and as the references on average. So the last run may be cut, even
    inside a token.

    A corpus has the sums of match sizes and of lengths. A text without tokens scores 0. The program also drops control
    characters at the ends of a text.

    References
    ----------
    Melamed, Green and Turian 2003, https://aclanthology.org/N03-2021. Turian, Shen and Melamed 2003,
    https://aclanthology.org/2003.mtsummit-papers.51. The program GTM 1.4 of New York University.

    Examples
    --------
    >>> Gtm().corpus(["police killed the gunman"], ["police kill the gunman"]).value
    0.75
    >>> round(Gtm(exponent=2).corpus(["police killed the gunman"], ["police kill the gunman"]).value, 4)
    0.559
    """

    name: ClassVar[str] = "gtm"
    about: ClassVar = About(
        papers=("melamed-etal-2003-precision", "turian-etal-2003-evaluation"),
        growth=Growth("words", 3, 6_000),
    )

    tokenizer: str = "ascii-whitespace"
    # Beyond these limits, the powers of texts with a million tokens are too large for a number.
    # fmt: off
    exponent: float = option(
        1.0, stage="pairs", choice="exponent", least=0.1, greatest=50,
        about="With 1, a run of n tokens counts as much as n single tokens. Above 1, it counts more. Below 1, it "
        "counts less, and scores may exceed 1.",
    )
    multi_reference: str = option(
        "concatenated", stage="pairs", choice="several references",
        about="How several references are searched.",
        one_of={
            "concatenated": "all together, end to end",
            "best": "each alone, and the one with the best score counts; ties: the first",
        },
    )
    # fmt: on

    _columns = ("match_size", "hypothesis_length", "reference_length")

    numbers: ClassVar = (
        number(
            "gtm", 0, "_most", better="higher", title="GTM", unit="points",
            about="harmonic mean of precision and recall",
        ),
        number(
            "precision", 0, "_most", better="higher", unit="points",
            about="match size, divided by the length of the hypothesis",
        ),
        number(
            "recall", 0, "_most", better="higher", unit="points",
            about="match size, divided by the length of the references",
        ),
        number(
            "match_size", 0, math.inf,
            about="sum of length ** `exponent` over the runs, to the power of 1 / `exponent`",
        ),
        counted("hypothesis_length", "tokens", about="tokens of the hypotheses"),
        counted("reference_length", "tokens", about="tokens of the references; of several, their mean"),
    )  # fmt: skip

    @property
    def _most(self) -> float:
        """The greatest share: the scale, if the exponent is at least 1."""
        return self.scale if self.exponent >= 1 else math.inf

    def _matching(self, prediction: str, references: list[str]) -> Matching:
        """The runs of one segment, with all its references together.

        Examples
        --------
        >>> Gtm()._matching("on the mat sat", ["sat on the mat"]).runs
        [(0, 0, 1, 3.0), (3, 0, 0, 1.0)]
        """
        view = self._view(Segments([prediction], [references], owner=self._label))
        places = view.offsets[1:] - view.offsets[1]
        runs = []
        for i, j, length in chosen_runs(
            view.ids, view.offsets, 0, 1, 1 + len(references), view.type_count, self.exponent
        ).tolist():
            reference = int(np.searchsorted(places, j, "right")) - 1
            runs.append((int(i), reference, int(j - places[reference]), length))
        return Matching(*view.tokens(0), runs)

    def _pair_statistics(self, segments: Segments) -> Floats:
        """Match size, length of the hypothesis and length of the references, of each group that is searched."""
        view = self._view(segments)
        hypotheses, firsts = view.pairs
        lasts = firsts + 1
        if self.multi_reference == "concatenated" and len(firsts) > len(view):
            hypotheses, limits = np.arange(len(view)), len(view) + view.reference_offsets
            firsts, lasts = limits[:-1], limits[1:]
        sizes = match_sizes(view.ids, view.offsets, hypotheses, firsts, lasts, view.type_count, self.exponent)
        lengths = (view.offsets[lasts] - view.offsets[firsts]) / (lasts - firsts)
        return np.column_stack([sizes, np.diff(view.offsets)[hypotheses], lengths])

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        counts = by_name(self._columns, statistics)
        shares = zip(("gtm", "precision", "recall"), gtm(**counts), strict=True)
        return {**{name: self.scale * share for name, share in shares}, **counts}

    _variants: ClassVar = {
        "gtm-1.4": Variant("GTM", "the program with its exponent of 1"),
        "gtm-1.4-e2": Variant("GTM", "the program with -e 2, which Asiya calls GTM-2", {"exponent": 2.0}),
        "gtm-1.4-e3": Variant("GTM", "the program with -e 3, which Asiya calls GTM-3", {"exponent": 3.0}),
    }
