"""Exact match: the share of texts that equal a reference, after what is to be ignored has been removed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from string import digits, punctuation
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import Floats
from metrologue.scorers.core.about import About
from metrologue.scorers.core.kernels.ngrams import equal_texts
from metrologue.scorers.core.numbers import counted, number
from metrologue.scorers.core.options import option
from metrologue.scorers.core.rows import columns_of, ratio
from metrologue.scorers.core.shapes import PairScorer
from metrologue.scorers.core.variants import Variant
from metrologue.segments import Segments, View
from metrologue.text.reading import EraseCharacters, EraseMatches, FirstBytes, Lower, Reading, Tokenize

__all__ = ["ExactMatch", "begins_with", "exact_match"]

_STARTS = (FirstBytes(4), Tokenize("characters"))  # the first character of a text, if it has one
_HELM = {"tokenizer": "text:stripped=true", "empty": "wrong"}
_QUASI, _PREFIX = {"tokenizer": "squad"}, {"match": "prefix"}


def exact_match(exact_count: Floats, text_count: Floats) -> Floats:
    """Exact match: the texts that equal a reference, divided by all texts.

    Parameters
    ----------
    exact_count, text_count : float64 (...)

    Returns
    -------
    float64 (...)
        0 to 1; 0 without texts.

    Examples
    --------
    One of four texts is right.

    >>> exact_match(np.array(1.0), np.array(4.0))
    array(0.25)
    """
    return ratio(exact_count, text_count)


def begins_with(view: View) -> NDArray[np.bool_]:
    """Whether the hypothesis of each pair, as a text of its tokens and spaces, begins with the reference, (n_pairs,).

    Examples
    --------
    >>> from metrologue.text.reading import Tokenize
    >>> begins_with(Segments(["yes, sir", "no"], ["yes", "not"]).read((Tokenize("whitespace"),)))
    array([ True, False])
    """
    lengths, found = view.text_lengths, np.zeros(len(view.pairs[0]), np.bool_)
    for pair in np.flatnonzero(lengths[view.pairs[0]] >= lengths[view.pairs[1]]):
        hypothesis, reference = (view.offsets[side[pair]] for side in view.pairs)
        last = lengths[view.pairs[1][pair]] - 1  # all tokens before the last one are equal
        ours, right = (view.ids[start : start + last + 1] for start in (hypothesis, reference))
        found[pair] = last < 0 or (
            (ours[:last] == right[:last]).all()
            and (ours[last] == right[last] or view.spelling(ours[last]).startswith(view.spelling(right[last])))
        )
    return found


# Comments of two kinds of languages, also within strings; then the margins of lines, and lines of whitespace.
_COMMENTS_AND_MARGINS = (r"#.*", r"//.*", r"\A\s+", r"\s+\Z", r"\s+(?=\n)", r"(?<=\n)\s+")


@dataclass(frozen=True, kw_only=True)
class ExactMatch(PairScorer):
    """The share of texts that equal a reference; higher is better, 0-1.

    Regular expressions are removed first, then the case, then punctuation and digits. Two texts are equal if they have
    the same tokens in the same order. By default a text is one token, so each character counts. With several
    references, a text must equal one of them. The variant ``competition_math`` is for answers in LaTeX: ``1/2``,
    ``0.5`` and ``x = \\frac12`` are equal, but ``0.50`` is not, since nothing is computed. The variants ``helm`` are
    HELM's four matches: a text that goes on after the answer is a prefix match. lighteval's are the same; but if a
    whole text is a number, its quasi-exact match compares numbers.

    The Hub's module keeps texts in NumPy arrays of fixed width, which lose U+0000 at the end of a text. U+0130 becomes
    two characters in lower case there, so that the end of the longest text can be cut off. Here nothing is lost. With
    an empty list of regular expressions and no other option, the Hub's module gives 1 if all texts are equal,
    otherwise 0.

    References
    ----------
    The Hub's module `exact_match`; Rajpurkar et al. 2016, https://aclanthology.org/D16-1264, for SQuAD; Liang et al.
    2023, https://openreview.net/forum?id=iO4LZibEqW, for HELM; Hendrycks et al. 2021, https://arxiv.org/abs/2103.03874,
    for MATH.

    Examples
    --------
    >>> ExactMatch().corpus(["the cat", "a dog!"], ["the cat", "a dog"]).value
    0.5
    >>> ExactMatch(ignore_punctuation=True).corpus(["the cat", "a dog!"], ["the cat", "a dog"]).value
    1.0
    >>> ExactMatch.variant("competition_math").corpus(["x = 1/2"], ["0.5"]).value
    1.0
    """

    name: ClassVar[str] = "exact_match"
    about: ClassVar = About(papers=("rajpurkar-etal-2016-squad",))

    # fmt: off
    regexes_to_ignore: tuple[str, ...] = option(
        (), stage="read", choice="regular expressions", kind="regex",
        about="Regular expressions of ``re``. What they match is removed, one after another, before anything else. "
        "Empty ones are left out. A signature and ``--set`` have ``%2C`` for a comma in an expression, and ``%25`` for "
        "``%``.",
    )
    lowercase: bool = option(False, stage="read", choice="case", about="Whether to apply ``str.lower()``.")
    ignore_punctuation: bool = option(
        False, stage="read", choice="punctuation",
        about="Whether to remove the characters of ``string.punctuation``, which are ASCII.",
    )
    ignore_numbers: bool = option(False, stage="read", choice="numbers", about="Whether to remove the digits 0 to 9.")
    tokenizer: str = option(
        "text", stage="read", choice="tokenizer", kind="tokenizer",
        about='How a text is cut, as `metrologue list tokenizers` shows: "text" compares whole texts, "whitespace" '
        'ignores how words are separated, "squad" applies the normalization of SQuAD, "math" that of MATH.',
    )
    match: str = option(
        "whole", stage="pairs", choice="match",
        about="What a text has to have of a reference.",
        one_of={
            "whole": "all of it, and nothing else",
            "prefix": "it begins with the reference, perhaps in the middle of a word (HELM, lighteval)",
        },
    )
    empty: str = option(
        "compared", stage="pairs", choice="empty texts",
        about="An empty text, before anything is ignored.",
        one_of={"compared": "it is compared as others are", "wrong": "it is always wrong (HELM, lighteval)"},
    )
    # fmt: on

    _columns = ("exact_count", "text_count")

    def _derive(self) -> None:
        self._set_field(regexes_to_ignore=tuple(filter(None, self.regexes_to_ignore)))

    def _check_together(self) -> None:
        for index, pattern in enumerate(self.regexes_to_ignore):
            try:
                re.compile(pattern)
            except (re.error, OverflowError, RecursionError) as error:
                expected = f"regular expressions are expected, and item {index} is none ({error})"
                raise self._refused("regexes_to_ignore", expected) from None

    numbers: ClassVar = (
        number("exact_match", 0, "scale", better="higher", about="share of the texts that equal a reference"),
        counted("exact_count", "texts", about="texts that equal a reference"),
        counted("text_count", "texts", about="all texts"),
    )

    def _symmetric(self, key: str) -> bool:
        return self.match == "whole" and self.empty == "compared"

    @property
    def _cut_by(self) -> str:
        """Nothing: whole texts are compared, however they are cut."""
        return ""

    @property
    def _reading(self) -> Reading:
        """The steps from a text to what is compared."""
        ignored = punctuation * self.ignore_punctuation + digits * self.ignore_numbers
        patterns = (EraseMatches(self.regexes_to_ignore),) if self.regexes_to_ignore else ()
        case = (Lower(),) if self.lowercase else ()
        characters = (EraseCharacters(ignored),) if ignored else ()
        return (*patterns, *case, *characters, Tokenize(self.tokenizer))

    def _pair_statistics(self, segments: Segments) -> Floats:
        """For each pair, 1 if the texts match, and a 1."""
        view = segments.read(self._reading)
        equal = equal_texts(view.paired) if self.match == "whole" else begins_with(view)
        if self.empty == "wrong":
            given = segments.read(_STARTS)
            equal = equal * (given.text_lengths[given.pairs[0]] > 0)
        return np.column_stack([equal.astype(np.float64), np.ones(len(equal))])

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        exact, texts = columns_of(statistics)
        return {"exact_match": self.scale * exact_match(exact, texts), "exact_count": exact, "text_count": texts}

    _variants: ClassVar = {
        "evaluate": Variant("evaluate", "the Hub's `exact_match`: every character counts", live="evaluate.exact_match"),
        "squad": Variant(
            "evaluate", "the Hub's `squad`: no case, punctuation, articles and extra whitespace; per cent",
            {"tokenizer": "squad", "scale": 100.0}, live="evaluate-squad.exact_match",
        ),
        "competition_math": Variant(
            "evaluate", "the Hub's `competition_math`: answers in LaTeX, spelled alike first", {"tokenizer": "math"}
        ),
        "repobench": Variant(
            "RepoBench", "exact_match_score of code: equal words of str.split()", {"tokenizer": "whitespace"}
        ),
        "cceval": Variant(
            "CrossCodeEval",
            "exact match of code: lines without comments after # or //, stripped, without empty ones; the script also "
            "cuts predictions off after their statement, which is not done here",
            {"regexes_to_ignore": _COMMENTS_AND_MARGINS},
        ),
        "helm": Variant("HELM", "HELM's exact_match: equal after str.strip()", _HELM),
        "helm-quasi": Variant("HELM", "quasi_exact_match: with the normalization of SQuAD", _HELM | _QUASI),
        "helm-prefix": Variant("HELM", "prefix_exact_match: the text begins with a reference", _HELM | _PREFIX),
        "helm-quasi-prefix": Variant("HELM", "quasi_prefix_exact_match: both", _HELM | _QUASI | _PREFIX),
    }  # fmt: skip
