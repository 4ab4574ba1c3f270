"""SARI: what a simplified text adds to its source, keeps of it and deletes, as its references do (Xu et al. 2016)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np

from metrologue.data.arrays import Floats, Offsets
from metrologue.kernels.arrays import Ids
from metrologue.scorers.core.about import About
from metrologue.scorers.core.inputs import REFERENCES, Input, texts
from metrologue.scorers.core.numbers import number
from metrologue.scorers.core.options import LONGEST_NGRAM, option
from metrologue.scorers.core.rows import harmonic_mean, ratio
from metrologue.scorers.core.scorer import Scorer
from metrologue.scorers.core.shapes import Tokenized
from metrologue.scorers.core.variants import Recommended, Variant
from metrologue.scorers.sari.kernels import OPERATIONS, PARTS, Rules, operation_counts
from metrologue.segments import Segments
from metrologue.text.reading import words
from metrologue.text.reading.slices import chained
from metrologue.text.reading.vocabulary import Types

__all__ = ["Sari", "sari"]


def sari(add: Floats, keep: Floats, delete: Floats) -> Floats:
    """SARI: the mean of how well n-grams are added, kept and deleted.

    Parameters
    ----------
    add, keep, delete : float64 (...)
        The F1 of the n-grams that are added, the F1 of those that are kept, and the precision of those that are
        deleted, or their F1: each a mean over the orders.

    Returns
    -------
    float64 (...)

    References
    ----------
    Xu et al. 2016, https://aclanthology.org/Q16-1029, section 4.

    Examples
    --------
    >>> sari(np.array(0.5), np.array(1.0), np.array(0.0))
    np.float64(0.5)
    """
    mean: Floats = (keep + delete + add) / 3  # in the order of all scripts
    return mean


class Tokens(NamedTuple):
    """The tokens of predictions, sources and references, one after another, as ids in one vocabulary."""

    ids: Ids
    offsets: Offsets
    types: Types


@dataclass(frozen=True, kw_only=True)
class Sari(Tokenized, Scorer):
    """How well a text adds to its source, keeps of it and deletes what its references do; higher is better, 0-100.

    An n-gram is added if the text has it and its source does not, kept if both have it, and deleted if only the source
    has it. It is right as far as the references do the same: the source's count of an n-gram is compared with the mean
    of its counts in the references. ``add`` and ``keep`` are F1; ``delete`` is the precision, because what is deleted
    by mistake does more harm than what is left. The score is their mean. The defaults are those of the Hub's `sari`.

    References
    ----------
    Xu et al. 2016, https://aclanthology.org/Q16-1029; Alva-Manchego et al. 2019, https://aclanthology.org/D19-3009, for
    EASSE, whose number most papers print. The script of Xu et al. differs from the definition in their paper.

    Examples
    --------
    >>> sources = ["About 95 species are currently accepted ."]
    >>> predictions = ["About 95 you now get in ."]
    >>> references = [["About 95 species are currently known .", "About 95 species are now accepted .",
    ...                "95 species are now accepted ."]]
    >>> for name in ("evaluate", "easse", "tensor2tensor"):
    ...     print(f"{name} {Sari.variant(name).corpus(predictions, references, sources=sources).value:.4f}")
    evaluate 26.9536
    easse 31.3502
    tensor2tensor 26.9536
    """

    name: ClassVar[str] = "sari"
    about: ClassVar = About(papers=("xu-etal-2016-optimizing", "alva-manchego-etal-2019-easse"))
    inputs: ClassVar[tuple[Input, ...]] = (
        texts("predictions"),
        texts("sources", about="the texts before they were simplified"),
        REFERENCES,
    )

    tokenizer: str = "13a-unstripped"
    lowercase: bool = True
    # fmt: off
    legacy: bool = option(
        False, stage="read", choice="legacy",
        about="EASSE's option of this name: sources are cut at whitespace only, and all texts keep their case.",
    )
    empty_token: bool = option(
        True, stage="pairs", choice="empty text",
        about='Whether a text without tokens has one empty token, as ``"".split(" ")`` has.',
    )
    max_order: int = option(4, stage="pairs", choice="orders", least=1, greatest=LONGEST_NGRAM, about="Longest n-gram.")
    binary: bool = option(
        False, stage="pairs", choice="bag or set",
        about="Whether an n-gram counts once in a text. N-grams that are added count once in any case.",
    )
    shares: str = option(
        "mean-precision", stage="pairs", choice="shares",
        about="How the precision and the recall of an order come from its n-grams.",
        one_of={
            "summed": "both are sums of counts, divided",
            "mean-precision": "the precision is the mean of those of the distinct n-grams, the recall divides sums",
            "mean": "both are means over the distinct n-grams",
        },
    )
    right_deletions: str = option(
        "remainder", stage="pairs", choice="right deletions",
        about="How many deletions of an n-gram are right.",
        one_of={
            "remainder": "as many as exceed its count in the references, so that one that is kept in part is right "
            "less often",
            "lesser": "as many as are deleted, and at most as many as the references lack",
        },
    )
    counted_references: str = option(
        "all", stage="pairs", choice="counted references",
        about="Over which references the mean count of an n-gram is taken.",
        one_of={"all": "all", "long": "those that have an n-gram of this order"},
    )
    use_f1_for_deletion: bool = option(
        False, stage="score", choice="F1 of deletion", about="Whether ``delete`` is the F1, not the precision.",
    )
    use_paper_version: bool = option(
        False, stage="score", choice="mean over orders",
        about="Whether F1 is that of the mean precision and the mean recall of all orders, not the mean of their F1.",
    )
    zero_division: float = option(
        1.0, stage="score", choice="zero over zero", greatest=1,
        about="The precision if nothing is done, and the recall if nothing is asked for.",
    )
    # fmt: on
    aggregation: str = "mean"
    scale: float = 100.0

    numbers: ClassVar = (
        number("sari", 0, "scale", better="higher", title="SARI", about="the mean of add, keep and delete"),
        number(
            "add", 0, "scale", better="higher", about="F1 of the n-grams that are added, a mean over the orders",
        ),
        number("keep", 0, "scale", better="higher", about="F1 of the n-grams that are kept, a mean over the orders"),
        number(
            "delete", 0, "scale", better="higher",
            about="precision of the n-grams that are deleted, or their F1, a mean over the orders",
        ),
        *(
            number(f"{operation}_{kind}", 0, "scale", better="higher", about=f"{kind} of {operation}, {of}")
            for operation in OPERATIONS
            for kind, of in (
                ("precision", "a mean over the orders: how much of what is done is right"),
                ("recall", "a mean over the orders: how much of what the references do is done"),
            )
        ),
    )  # fmt: skip

    @cached_property
    def _columns(self) -> tuple[str, ...]:
        orders = range(1, self.max_order + 1)
        return tuple(f"{operation}_{part}_{n}" for n in orders for operation in OPERATIONS for part in PARTS)

    def _tokens(self, segments: Segments) -> Tokens:
        reading = words(self.tokenizer, self.lowercase and not self.legacy)
        of_sources = words("whitespace") if self.legacy else reading
        readings = {"predictions": reading, "sources": of_sources, "references": reading}
        types = segments.text("references").vocabulary(reading)
        read = [segments.text(name).read(own, types) for name, own in readings.items()]
        ids = np.concatenate([each.ids for each in read])
        offsets = chained([each.sentence_offsets[each.sentences] for each in read])
        if self.empty_token:
            empty = offsets[:-1][offsets[1:] == offsets[:-1]]
            ids = np.insert(ids, empty, len(types)).astype(np.int32)
            offsets = np.concatenate([offsets[:1], np.cumsum(np.maximum(np.diff(offsets), 1))])
        return Tokens(ids, offsets, types)

    def _statistics(self, segments: Segments) -> Floats:
        tokens = self._tokens(segments)
        rules = Rules(
            once=self.binary,
            mean_precision=self.shares != "summed",
            mean_recall=self.shares == "mean",
            remainder=self.right_deletions == "remainder",
            only_long=self.counted_references == "long",
        )
        counts = operation_counts(tokens.ids, tokens.offsets, segments.reference_offsets, self.max_order, rules)
        return counts.reshape(len(counts), -1)

    def _ratios(self, statistics: Floats) -> tuple[Floats, Floats]:
        """Precision and recall from 0 to 1, (..., orders, operations) each."""
        counts = statistics.reshape(*statistics.shape[:-1], self.max_order, len(OPERATIONS), len(PARTS))
        right, done, right_of_asked, asked = np.moveaxis(counts, -1, 0)
        return ratio(right, done, self.zero_division), ratio(right_of_asked, asked, self.zero_division)

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        by_order = self._ratios(statistics)
        precision, recall = (each.mean(axis=-2) for each in by_order)
        f1 = harmonic_mean(precision, recall) if self.use_paper_version else harmonic_mean(*by_order).mean(axis=-2)
        add, keep, delete = np.moveaxis(f1, -1, 0)
        if not self.use_f1_for_deletion:
            delete = precision[..., -1]
        found = {"sari": sari(add, keep, delete), "add": add, "keep": keep, "delete": delete}
        for place, operation in enumerate(OPERATIONS):
            found[f"{operation}_precision"] = precision[..., place]
            found[f"{operation}_recall"] = recall[..., place]
        return {name: self.scale * value for name, value in found.items()}

    _variants: ClassVar = {
        "evaluate": Variant(
            "evaluate", "the Hub's `sari`, also that of GEM: precisions are means over n-grams; the mean of segments",
            live="evaluate.sari",
        ),
        "easse": Variant(
            "easse", "EASSE's corpus SARI, which papers print: sums over the corpus, F1 of deletions",
            {
                "aggregation": "corpus", "empty_token": False, "shares": "summed", "right_deletions": "lesser",
                "use_f1_for_deletion": True, "zero_division": 0.0,
            },
            recommended=Recommended("papers on simplification print it", "alva-manchego-etal-2019-easse"),
        ),
        "tensor2tensor": Variant(
            "tensor2tensor", "`sari_hook`: sets of n-grams; a reference counts where it is long enough",
            {
                "empty_token": False, "binary": True, "shares": "summed", "right_deletions": "lesser",
                "counted_references": "long",
            },
        ),
        "xu-2016": Variant(
            "Xu", "the script of the paper's authors, over tokenized text: all ratios are means over n-grams",
            {"tokenizer": "blank", "shares": "mean", "zero_division": 0.0},
        ),
    }  # fmt: skip
