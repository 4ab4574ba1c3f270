"""CodeBLEU: n-grams, syntax and data flow of code (Ren et al. 2020), as the programs compute it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from metrologue.data.arrays import Flags, Floats
from metrologue.errors import InputError
from metrologue.scorers.bleu import Bleu
from metrologue.scorers.codebleu.keywords import KEYWORDS, SOFT
from metrologue.scorers.codebleu.trees import (
    DEEPEST,
    LANGUAGES,
    Program,
    check_grammar,
    other_version,
    program,
    without_comments,
)
from metrologue.scorers.codebleu.variants import VARIANTS
from metrologue.scorers.core.about import About, Growth
from metrologue.scorers.core.kernels.ngrams import paired_counts
from metrologue.scorers.core.numbers import number
from metrologue.scorers.core.options import option
from metrologue.scorers.core.rows import by_name, ratio
from metrologue.scorers.core.scorer import Scorer
from metrologue.scorers.core.shapes import Tokenized
from metrologue.segments import Segments, View

__all__ = ["Codebleu", "codebleu"]

_ORDERS = 4
_OTHER = 0.2  # the weight of a word that is no keyword
_PARTS = ("ngram_match", "weighted_ngram_match", "syntax_match", "dataflow_match")
# What Bleu counts of a segment.
_COUNTED = (
    "hypothesis_length",
    "reference_length",
    *(f"clipped_count_{n}" for n in range(1, _ORDERS + 1)),
    *(f"count_{n}" for n in range(1, _ORDERS + 1)),
)
_PLAIN, _WEIGHTED = ([f"{kind}_{name}" for name in _COUNTED] for kind in ("plain", "weighted"))


def codebleu(parts: Floats, weights: Sequence[float], no_flow: float = 1.0) -> Floats:
    """The weighted sum of the four parts.

    Parameters
    ----------
    parts : float64 (..., 4)
        N-gram match, weighted n-gram match, syntax match and data-flow match, 0 to 1.
    weights : sequence of 4 floats
    no_flow : float
        What a data-flow match of 0 counts as.

    Returns
    -------
    float64 (...)

    Examples
    --------
    >>> parts = np.array([0.5, 0.5, 1.0, 0.0])
    >>> codebleu(parts, [0.25] * 4), codebleu(parts, [0.25] * 4, no_flow=0.0)
    (np.float64(0.75), np.float64(0.5))
    """
    ngram, weighted, syntax, flow = np.moveaxis(parts, -1, 0)
    alpha, beta, gamma, theta = weights
    whole: Floats = alpha * ngram + beta * weighted + gamma * syntax + theta * np.where(flow == 0, no_flow, flow)
    return whole


@dataclass(frozen=True, kw_only=True)
class Codebleu(Tokenized, Scorer):
    """Weighted mean of BLEU, BLEU with weighted keywords, matching subtrees and matching data flow; higher is better.

    The syntax match is the share of the references' subtrees that the prediction has; the data-flow match that of their
    flows, with the names of variables numbered. Trees are tree-sitter's, with the grammar of `language`.

    The programs number the variables of some flows in the order of a Python set, so that their data-flow match differs
    from run to run. Here names keep the order in which they are found.

    Raises
    ------
    InputError
        If the package with the grammar is not installed, or a text is nested too deep.

    References
    ----------
    Ren et al. 2020, https://arxiv.org/abs/2009.10297; the package codebleu 0.7.0; calc_code_bleu.py of CodeXGLUE.

    Examples
    --------
    >>> texts = ["def add(a, b):\\n    return a - b"], ["def add(a, b):\\n    return a + b"]
    >>> Codebleu().corpus(*texts).scores["syntax_match"]
    1.0
    >>> round(Codebleu().corpus(*texts).value, 4)
    0.8252
    """

    name: ClassVar[str] = "codebleu"
    title: ClassVar[str] = "CodeBLEU"
    about: ClassVar = About(
        papers=("ren-etal-2020-codebleu",),
        needs="a grammar of tree-sitter",
        growth=Growth("words", 2, 10_000),
    )

    # fmt: off
    language: str = option(
        "python", stage="pairs", choice="language", about="The language of the code.",
        one_of={name: f"parsed with {package}" for name, package in LANGUAGES.items()},
    )
    comments: str = option(
        "language", stage="pairs", choice="comments", about="How comments are stripped before code is parsed.",
        one_of={
            "language": "as in its language; Python's docstrings too, and none of Ruby's",
            "java": "as if it was Java, whatever the language",
        },
    )
    weighted_match: str = option(
        "recall", stage="pairs", choice="weighted n-grams",
        about="What the matches of weighted n-grams are divided by.",
        one_of={
            "recall": "by the n-grams of the references, each of which counts matches of its own",
            "precision": "by those of the prediction; matches are clipped as in BLEU",
        },
    )
    weighted_length: str = option(
        "two", stage="pairs", choice="weighted brevity penalty",
        about="The reference length in the brevity penalty of weighted n-grams.",
        one_of={
            "two": "2 for each segment: the programs count the tokens and the weights as two tokens",
            "closest": "that of the closest reference, as in BLEU",
        },
    )
    soft_keywords: bool = option(
        True, stage="pairs", choice="keywords",
        about="Whether case, match and type are keywords of Python, which they are since Python 3.10.",
    )
    weights: tuple[float, ...] = option(
        (0.25, 0.25, 0.25, 0.25), stage="score", choice="weights", greatest=100.0,
        about="The weights of n-gram match, weighted n-gram match, syntax match and data-flow match.",
    )
    no_flow: str = option(
        "one", stage="score", choice="no data flow",
        about="What a data-flow match of 0 counts as in the whole, with flows that do not match or without any.",
        one_of={"one": "as 1", "zero": "as 0"},
    )
    # fmt: on

    _columns = (*_PLAIN, *_WEIGHTED, "matched_subtrees", "subtrees", "matched_flows", "flows")

    numbers: ClassVar = (
        number(
            "codebleu", 0, "_best", better="higher", title="CodeBLEU", about="sum of the four parts, by their weights"
        ),
        number("ngram_match", 0, "scale", better="higher", about="BLEU of the words"),
        number(
            "weighted_ngram_match", 0, "scale", better="higher",
            about="BLEU in which a word that is no keyword weighs a fifth",
        ),
        number("syntax_match", 0, "scale", better="higher", about="share of the references' subtrees that match"),
        number("dataflow_match", 0, "scale", better="higher", about="share of the references' data flow that matches"),
    )  # fmt: skip

    def _check_together(self) -> None:
        self._check("weights", len(self.weights) == len(_PARTS), "a list of 4 numbers")

    @property
    def _best(self) -> float:
        return self.scale * sum(self.weights)

    @cached_property
    def _bleu(self) -> Bleu:
        """BLEU of tokens as nltk computes it, with 0.1 in place of no matches."""
        return Bleu(
            tokenizer=self.tokenizer,
            lowercase=self.lowercase,
            smoothing="floor",
            smooth_value=0.1,
            floor_totals=True,
            arithmetic="weighted-logs-exact",
            scale=1.0,
        )

    def _statistics(self, segments: Segments) -> Floats:
        plain = self._bleu._statistics(segments)
        weighted = self._weighted(self._view(segments), plain)
        return np.hstack([plain, weighted, self._matches(segments)])

    def _weighted(self, view: View, plain: Floats) -> Floats:
        """The counts of weighted n-grams, as BLEU counts plain ones."""
        rows = plain.copy()
        if self.weighted_length == "two":
            rows[:, 1] = 2
        limits = view.reference_offsets
        hypotheses, references = view.pairs
        of_pairs = (hypotheses.tolist(), references.tolist())
        keywords = self._is_keyword(view)
        counts = [_Keywords(view.ids[start:stop], keywords) for start, stop in pairwise(view.offsets.tolist())]
        if self.weighted_match == "recall":
            lengths = np.diff(view.offsets)[references]
            matches = paired_counts(view.paired, _ORDERS, False)
            totals = np.maximum(lengths[:, None] - np.arange(_ORDERS), 1).astype(np.float64)
            matches[:, 0] = [counts[one].weight_of_common(counts[other]) for one, other in zip(*of_pairs, strict=True)]
            totals[:, 0] = [max(1.0, counts[other].weight) for other in of_pairs[1]]
            rows[:, 2:] = np.add.reduceat(np.hstack([matches, totals]), limits[:-1])
            return rows
        for row, (start, stop) in enumerate(pairwise(limits.tolist())):
            own, others = counts[of_pairs[0][start]], [counts[other] for other in of_pairs[1][start:stop]]
            rows[row, 2], rows[row, 2 + _ORDERS] = own.weight_of_common(_Keywords.most(others)), max(1.0, own.weight)
        return rows

    def _is_keyword(self, view: View) -> Flags:
        """Whether each token of the vocabulary is a keyword, (n_types,)."""
        words = KEYWORDS[self.language] - (frozenset() if self.soft_keywords or self.language != "python" else SOFT)
        return np.array([word in words for word in view.vocabulary.spellings()], bool)

    def _matches(self, segments: Segments) -> Floats:
        """Subtrees and flows of the references: that match, and all."""
        rows = np.zeros((len(segments), 4))
        for row, own in enumerate(self._programs(segments)):
            for prediction, reference in own:
                trees = sum(count for tree, count in reference.subtrees.items() if tree in prediction.subtrees)
                flows = (prediction.flows & reference.flows).total()
                rows[row] += trees, reference.subtrees.total(), flows, reference.flows.total()
        return rows

    def _programs(self, segments: Segments) -> list[list[tuple[Program, Program]]]:
        """Of each segment, the prediction with each of its references, parsed."""
        key = ("codebleu", self.language, self.comments)
        return segments.memoize(key, lambda: self._parsed(segments))

    def _parsed(self, segments: Segments) -> list[list[tuple[Program, Program]]]:
        check_grammar(self.language, self._label)
        of = self.language if self.comments == "language" else "java"
        known: dict[str, Program | None] = {}
        found: list[list[tuple[Program, Program]]] = []

        def read(code: str, argument: str, row: int) -> Program:
            if code not in known:
                known[code] = program(code, self.language)
            if (parsed := known[code]) is None:
                what = f" is nested more than {DEEPEST} levels deep; drop it, or cut it."
                raise InputError.at(self._label, argument, segments.first + row, what)
            return parsed

        for row in range(len(segments)):
            prediction, references = segments.pair(row)
            code, own = prediction.strip(), []
            for reference in references:
                # As in the programs, which strip it again for each reference.
                code = without_comments(code, of)
                other = without_comments(reference.strip(), of)
                own.append((read(code, "predictions", row), read(other, "references", row)))
            found.append(own)
        return found

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        size = len(_COUNTED)
        sums = by_name(self._columns[2 * size :], statistics[..., 2 * size :])
        parts = {
            "ngram_match": self._bleu._score(statistics[..., :size])["bleu"],
            "weighted_ngram_match": self._bleu._score(statistics[..., size : 2 * size])["bleu"],
            "syntax_match": ratio(sums["matched_subtrees"], sums["subtrees"]),
            "dataflow_match": ratio(sums["matched_flows"], sums["flows"]),
        }
        whole = codebleu(np.stack([*parts.values()], axis=-1), self.weights, float(self.no_flow == "one"))
        return {name: self.scale * part for name, part in {"codebleu": whole, **parts}.items()}

    def _hints(self, segments: Segments, of_each: bool = False) -> list[str]:
        """Warnings of code that the parser cannot read, of references without data flow, and of another grammar."""
        hints = super()._hints(segments, of_each)
        programs = self._programs(segments)
        for argument, side in (("predictions", 0), ("references", 1)):
            texts = [pair[side] for own in programs for pair in (own[:1] if side == 0 else own)]
            if wrong := sum(text.is_wrong for text in texts):
                share = sum(text.unread for text in texts) / max(sum(text.size for text in texts), 1)
                hints.append(
                    f"{self._label}: {wrong} of {len(texts)} {argument} have a syntax error; {100 * share:.1f}% of the "
                    f"bytes of all {argument} could not be parsed as {self.language}, and their trees say little."
                )
        flows = [sum(reference.flows.total() for _, reference in own) for own in programs]
        without = sum(not count for count in flows) if of_each else int(not sum(flows)) * len(flows)
        if without:
            counted = "1, as if all matched" if self.no_flow == "one" else "0"
            hints.append(
                f"{self._label}: the references of {without} of {len(flows)} segments have no data flow, and its match "
                f"counts as {counted}; give weights that leave it out, such as (0.33, 0.33, 0.34, 0)."
            )
        if other := other_version(self.language):
            hints.append(f"{self._label}: {other}")
        return hints

    _variants: ClassVar = VARIANTS


class _Keywords:
    """How often a text has each word, and the weights of these words."""

    def __init__(self, ids: Any, is_keyword: Flags) -> None:
        types, counts = np.unique(ids, return_counts=True)
        self.counts = Counter(dict(zip(types.tolist(), counts.tolist(), strict=True)))
        self.is_keyword = is_keyword

    @classmethod
    def most(cls, texts: Sequence[_Keywords]) -> _Keywords:
        """Each word as often as the text that has it most."""
        found = cls(np.zeros(0, np.int32), texts[0].is_keyword)
        for text in texts:
            found.counts |= text.counts
        return found

    @property
    def weight(self) -> float:
        return self._weight(self.counts)

    def weight_of_common(self, other: _Keywords) -> float:
        return self._weight(self.counts & other.counts)

    def _weight(self, counts: Counter[int]) -> float:
        keywords = sum(count for word, count in counts.items() if self.is_keyword[word])
        return keywords + _OTHER * (counts.total() - keywords)
