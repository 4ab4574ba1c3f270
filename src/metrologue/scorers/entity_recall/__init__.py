"""Entity recall: the names and numbers of the references that a text has, and the other way round (Nan et al. 2021)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.representations.mentions import Mention, mentions_by_rule, mentions_in_parse, words_of
from metrologue.representations.parses.named import NamedParser
from metrologue.scorers.core.about import About
from metrologue.scorers.core.crossed import Distinct, distinct_of, of_texts, parsed_texts
from metrologue.scorers.core.numbers import counted, number
from metrologue.scorers.core.options import Rule, option
from metrologue.scorers.core.rows import by_name, harmonic_mean, ratio
from metrologue.scorers.core.shapes import PairScorer
from metrologue.scorers.core.variants import Variant
from metrologue.segments import Segments

__all__ = ["UNITS", "EntityRecall", "Said", "entity_recall"]

_COLUMNS = ("match_count", "reference_count", "supported_count", "hypothesis_count")
_KINDS: Mapping[str, Collection[str]] = {
    "all": ("name", "number", "date"),
    "names": ("name",),
    "numbers": ("number", "date"),
}
# Words that are no sign of a name: "of" in "Bank of England".
_SMALL = frozenset(("a", "an", "and", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"))


def entity_recall(match_count: Floats, reference_count: Floats, of_none: float = 1.0) -> Floats:
    """The names that are found, divided by those that are looked for.

    Parameters
    ----------
    match_count, reference_count : float64 (...)
    of_none : float
        The value where nothing is looked for.

    Returns
    -------
    float64 (...)
        0 to 1.

    Examples
    --------
    >>> entity_recall(np.array([1.0, 0.0]), np.array([2.0, 0.0]))
    array([0.5, 1. ])
    """
    return ratio(match_count, reference_count, of_none)


class Said(NamedTuple):
    """What a text says."""

    words: frozenset[str]  # its words, by ``str.casefold()``
    whole: str  # the same in their order, between spaces
    mentions: tuple[Mention, ...]
    spelled: tuple[tuple[str, ...], ...]  # the words of each mention

    @classmethod
    def of(cls, text: str, mentions: Sequence[Mention]) -> Said:
        """What a text says, with its mentions."""
        words = words_of(text)
        spelled = tuple(tuple(words_of(text[each.start : each.stop])) for each in mentions)
        return cls(frozenset(words), f" {' '.join(words)} ", tuple(mentions), spelled)


def _each_word(mention: Sequence[str], other: Said) -> tuple[int, int]:
    return sum(word in other.words for word in mention), len(mention)


def _any_word(mention: Sequence[str], other: Said) -> tuple[int, int]:
    signs = [word for word in mention if word not in _SMALL]
    return int(not other.words.isdisjoint(signs)), 1


def _whole(mention: Sequence[str], other: Said) -> tuple[int, int]:
    return int(f" {' '.join(mention)} " in other.whole), 1


# What is counted of a mention: how many units the other text has, of how many.
UNITS: Mapping[str, Rule[..., tuple[int, int]]] = {
    "word": Rule(_each_word, "each word of a name counts, and the other text has it or not"),
    "any": Rule(_any_word, "a name counts once, and one of its words is enough, but none such as 'of'"),
    "whole": Rule(_whole, "a name counts once, and the other text must have all its words next to each other"),
}


@dataclass(frozen=True, kw_only=True)
class EntityRecall(PairScorer):
    """The share of the names, numbers and dates of the references that a text has too; higher is better, 0-1.

    ``precision`` is the other way round: of the names, numbers and dates of the text, the share that the references
    have. If the references are the sources of summaries, a low precision shows that something was made up, and a low
    recall shows little, for a summary leaves most names out.

    Names are found by a rule, or are the entities that a `parser` marks. By rule they are words with a capital that do
    not begin a sentence, and numbers have digits. A name is looked for among all words of the other text, in any
    case. It counts as often as it is said. A corpus has the sums of its segments' counts. Where nothing is looked for,
    the share is 1.

    Any trained metric of factuality should be better than this one.

    Raises
    ------
    InputError
        If the parser has no parse of a text.

    References
    ----------
    Nan et al. 2021, https://aclanthology.org/2021.eacl-main.235. They count names alone, found by spaCy, and one word
    of a name is enough: ``kinds="names"``, ``unit="any"`` with a `parser`.

    Examples
    --------
    >>> found = EntityRecall().corpus(["In 2015 Anna Smith left Rome."], ["They say that Anna left in 2015."])
    >>> found.scores
    {'entity_recall': 1.0, 'precision': 0.5, 'f1': 0.6666666666666666, 'match_count': 2, 'reference_count': 2, \
'supported_count': 2, 'hypothesis_count': 4}
    """

    name: ClassVar[str] = "entity_recall"
    about: ClassVar = About(one_call=True, papers=("nan-etal-2021-entity",), optional_model=True)

    # fmt: off
    parser: NamedParser | None = option(
        None, stage="read", choice="what finds names", kind="parser",
        about="The parser that marks entities: the name or the folder of a pipeline of spaCy, a file in CoNLL-U, or a "
        "parser of ``metrologue.representations.parses``. Without one, a rule finds names and numbers.",
    )
    kinds: str = option(
        "all", stage="pairs", choice="kinds",
        about="What is looked for.",
        one_of={"all": "names, numbers and dates", "names": "names alone", "numbers": "numbers and dates"},
    )
    unit: str = option("word", stage="pairs", choice="unit", about="What is counted of a name.", one_of=UNITS)
    multi_reference: str = option(
        "pooled", stage="join", choice="several references",
        one_of={
            "pooled": "the counts of all references are added up",
            "best": "the one with the best recall; one without names comes last, ties: the first",
        },
    )
    # fmt: on

    _columns = _COLUMNS

    numbers: ClassVar = (
        number(
            "entity_recall", 0, "scale", better="higher",
            about="share of the names and numbers of the references that the texts have",
        ),
        number(
            "precision", 0, "scale", better="higher", heading="P",
            about="share of the names and numbers of the texts that the references have",
        ),
        number("f1", 0, "scale", better="higher", about="harmonic mean of both shares"),
        counted("match_count", "units", about="names and numbers of the references that the texts have"),
        counted("reference_count", "units", about="names and numbers of the references"),
        counted("supported_count", "units", about="names and numbers of the texts that the references have"),
        counted("hypothesis_count", "units", about="names and numbers of the texts, once for each reference"),
    )  # fmt: skip

    def _said(self, segments: Segments) -> tuple[Distinct, list[Said]]:
        """What each distinct text says, with the mentions of all kinds."""
        if self.parser is None:
            distinct = distinct_of(segments)
            said = of_texts(segments, ("said",), lambda: [Said.of(t, mentions_by_rule(t)) for t in distinct.texts])
            return distinct, said
        distinct, parses = parsed_texts(self._label, segments, self.parser)
        texts = enumerate(distinct.texts)
        key = ("said", self.parser)
        return distinct, of_texts(segments, key, lambda: [Said.of(t, mentions_in_parse(parses, i)) for i, t in texts])

    def _looks_for(self, mention: Mention) -> bool:
        return mention.kind in _KINDS[self.kinds]

    def _counter(self) -> Callable[[Said, Said], tuple[int, int]]:
        """What counts the units of one text that another one has, and all of them."""
        unit = UNITS[self.unit].function

        def count(own: Said, other: Said) -> tuple[int, int]:
            pairs = zip(own.mentions, own.spelled, strict=True)
            counts = [unit(spelled, other) for mention, spelled in pairs if self._looks_for(mention)]
            return sum(there for there, _ in counts), sum(units for _, units in counts)

        return count

    def _pair_statistics(self, segments: Segments) -> Floats:
        """Units of the reference: found, all; and those of the hypothesis: found, all."""
        texts, said = self._said(segments)
        count = self._counter()
        one, other = texts.pairs(segments)
        rows = np.empty((len(one), len(_COLUMNS)))
        for row, (text, reference) in enumerate(zip(one.tolist(), other.tolist(), strict=True)):
            rows[row] = *count(said[reference], said[text]), *count(said[text], said[reference])
        return rows

    def _quality(self, rows: Floats) -> Floats:
        return ratio(rows[:, 0], rows[:, 1], -1.0)

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        counts = by_name(_COLUMNS, statistics)
        recall = entity_recall(counts["match_count"], counts["reference_count"])
        precision = entity_recall(counts["supported_count"], counts["hypothesis_count"])
        shares = {"entity_recall": recall, "precision": precision, "f1": harmonic_mean(precision, recall)}
        return {**{name: self.scale * share for name, share in shares.items()}, **counts}

    def _hints(self, segments: Segments, of_each: bool = False) -> list[str]:
        """A warning, if no text has a name: those of texts in lower case have no capitals."""
        _, said = self._said(segments)
        if not len(segments) or any(each.mentions for each in said):
            return []
        cure = "give `parser`" if self.parser is None else "the parser marks no entities"
        return [f"{self._label}: no text has a name or a number; {cure}."]

    _variants: ClassVar = {"metrologue": Variant("metrologue", "names and numbers by rule, each word of them")}
