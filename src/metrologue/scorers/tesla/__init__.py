"""TESLA-M (Liu, Dahlmeier and Ng 2010): how much of the weight of the n-grams of two texts matches, softly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from metrologue.data.arrays import Flags, Floats, Ids, Offsets
from metrologue.data.strings import Strings, lower
from metrologue.representations.parses.columns import Parses
from metrologue.representations.parses.named import NamedParser
from metrologue.scorers.core.about import About, Growth
from metrologue.scorers.core.configuration import settle_table
from metrologue.scorers.core.crossed import of_texts, parsed_texts
from metrologue.scorers.core.numbers import number
from metrologue.scorers.core.options import LONGEST_NGRAM, option
from metrologue.scorers.core.rows import join, ratio
from metrologue.scorers.core.variants import Variant
from metrologue.scorers.families.means import MEANS, OfMeans, f_measure
from metrologue.scorers.tesla.kernels import BASIC, LEMMAS, SYNONYMS, TAGS, UNIT, SoftTexts, soft_matches
from metrologue.segments import Segments
from metrologue.text.reading import words

__all__ = ["FUNCTION_TAGS", "Tesla"]


# Closed classes and punctuation: in the tags of the Penn Treebank, and in universal tags.
FUNCTION_TAGS = (
    "CC", "DT", "EX", "IN", "MD", "PDT", "POS", "PRP", "PRP$", "RP", "TO", "WDT", "WP", "WP$", "WRB",
    ".", ",", ":", "``", "''", "-LRB-", "-RRB-", "HYPH", "NFP", "SYM",
    "ADP", "AUX", "CCONJ", "DET", "PART", "PRON", "PUNCT", "SCONJ",
)  # fmt: skip

_KINDS = {"basic": BASIC, "synonyms": SYNONYMS, "lemmas": LEMMAS, "tags": TAGS}
_PER_ORDER = 3  # counts of a pair for each similarity and order


@dataclass(frozen=True, kw_only=True)
class Tesla(OfMeans):
    """How much of the weight of the n-grams of two texts matches, where similar words match in part; higher is better,
    0-1.

    Each n-gram weighs 1, and less by a factor for each of its function words. The weights of the n-grams of both texts
    flow to each other so that the sum of amount times similarity is the greatest (a linear program, solved exactly).
    That sum, divided by the weight of the hypothesis, is the precision; divided by that of the reference, the recall.
    The score of an order is P R / (alpha P + (1 - alpha) R), that of a pair the mean over the orders and similarities,
    that of a segment the mean over its references, and that of a corpus the mean over its segments.

    Words have similarities of 0, 0.5 or 1: of lemmas, synonyms and parts of speech, from `synonyms` and a `parser`.
    n-grams are as similar as their words on average, and not at all if two words are not. Without a parser, a word is
    its own lemma, has no part of speech and is no function word, so this is not TESLA-M; the variant "tesla-m" has no
    score without a parser.

    No program of TESLA-M could be found. The F-measure, the linear program, the means and the weights are confirmed by
    Liu and Ng 2012. Three details are from memory: the factor 0.1, half for synonyms and half for the same part of
    speech, and the mean over orders of one similarity; "tesla-m-2010" has the mean over three similarities. Which tags
    are function words is our choice. TESLA-B and TESLA-F need tables of phrases and trained weights, and are not here.

    Raises
    ------
    InputError
        If words are lemmas and there is no `parser`, or it has no parse of a text, or gives no lemmas or tags; if
        `synonyms` is not there, or a value is out of range.

    References
    ----------
    Liu, Dahlmeier and Ng 2010, https://aclanthology.org/W10-1754; Dahlmeier, Liu and Ng 2011,
    https://aclanthology.org/W11-2106; Liu and Ng 2012, https://aclanthology.org/P12-1097.

    Examples
    --------
    >>> from metrologue.text.lexicon import register_synonyms
    >>> from metrologue.representations.parses import FunctionParser, Token
    >>> lemmas = {"kids": "kid", "ran": "run"}
    >>> tags = {"the": "DT", "kids": "NN", "child": "NN", "home": "NN", "ran": "VB"}
    >>> def parse(texts):
    ...     return [[Token(word, lemmas.get(word, word), tags[word]) for word in text.split()] for text in texts]
    >>> tesla = Tesla(
    ...     parser=FunctionParser("small", parse, "1"),
    ...     synonyms=register_synonyms("young", [["kid", "child"]]),
    ...     max_order=1,
    ... )
    >>> round(tesla.corpus(["the kids ran"], ["the child ran home"]).value, 6)
    0.724138

    With a pipeline of spaCy and WordNet:

    >>> Tesla.variant("tesla-m", parser="en_core_web_sm").corpus(["a cat"], ["one cat"])  # doctest: +SKIP
    """

    name: ClassVar[str] = "tesla"
    about: ClassVar = About(
        needs="nothing, or a parser for TESLA-M",
        papers=("liu-etal-2010-tesla", "dahlmeier-etal-2011-tesla"),
        growth=Growth("words", 3, 8_000),
        optional_model=True,  # words can be compared as they are spelled
    )
    title: ClassVar[str] = "TESLA-M"

    # fmt: off
    tokenizer: str = option(
        "13a", stage="read", choice="tokenizer", kind="tokenizer",
        about="How a text is cut, as `metrologue list tokenizers` shows. It has no effect with a parser, which has its "
        "own tokens.",
    )
    lowercase: bool = option(
        True, stage="read", choice="case", about="Whether to apply ``str.lower()`` to words and lemmas first."
    )
    units: str = option(
        None, stage="pairs", choice="parser",
        about="What words are compared by. By default lemmas if there is a parser, otherwise words.",
        one_of={
            "words": "words as they are spelled; none has a part of speech or is a function word",
            "lemmas": "the parser's lemmas and parts of speech; there is no score without a parser",
        },
    )
    parser: NamedParser | None = option(
        None, stage="pairs", choice="parser", kind="parser",
        about="What gives lemmas and parts of speech: the name of a pipeline of spaCy, or its folder; a file of "
        "parses in CoNLL-U; or a parser of ``metrologue.representations.parses``.",
    )
    tagset: str = option(
        "own", stage="pairs", choice="parts of speech",
        about="Which parts of speech are compared.",
        one_of={"own": "the parser's own tags, such as NNS", "universal": "universal tags, such as NOUN"},
    )
    synonyms: str | None = option(
        None, stage="pairs", choice="synonyms", kind="table",
        about='"wordnet", "meteor-1.5" (its tables, from WordNet 3.0), or a table of your own. None: there are none.',
    )
    function_tags: tuple[str, ...] = option(
        FUNCTION_TAGS, stage="pairs", choice="function words",
        about="The tags of function words, among the parser's own tags and universal tags.",
    )
    function_weight: float = option(
        0.1, stage="pairs", choice="function words", greatest=1.0,
        about="The factor by which a function word lowers the weight of an n-gram. Weights have nine decimals.",
    )
    similarities: tuple[str, ...] = option(
        ("basic",), stage="pairs", choice="similarities",
        about="The similarities of words. If there are several, the score is the mean over them.",
        one_of={
            "basic": "1 for the same lemma; otherwise 0.5 for synonyms and 0.5 for the same part of speech, added up",
            "synonyms": "1 for the same lemma, 0.5 for synonyms",
            "lemmas": "1 for the same lemma",
            "tags": "1 for the same part of speech",
        },
    )
    max_order: int = option(
        3, stage="pairs", choice="orders", least=1, greatest=LONGEST_NGRAM, about="Longest n-gram; the shortest is 1."
    )
    short_texts: str = option(
        "skip", stage="join", choice="short texts",
        about="The score of an order of which one of both texts has no n-gram. One whose n-grams weigh 0 scores 0.",
        one_of={"skip": "it is left out of the mean; if no order is left, the pair scores 0", "zero": "it is 0"},
    )
    alpha: float = option(
        0.8, stage="join", choice="alpha", greatest=1.0,
        about="The weight of the recall; that of precision is the rest.",
    )
    multi_reference: str = option(
        "mean", stage="join", choice="several references",
        about="How several references join.",
        one_of={"mean": "the mean of their scores", "best": "the one with the best score; ties: the first"},
    )
    # fmt: on

    numbers: ClassVar = (
        number("tesla", 0, "scale", better="higher", title="TESLA-M", about="mean of the scores of the segments"),
        *MEANS,
    )  # fmt: skip

    def _derive(self) -> None:
        if self.units is None:
            self._set_field(units="words" if self.parser is None else "lemmas")

    def _check_together(self) -> None:
        self._check("similarities", len(self.similarities) > 0, "a list with a similarity")
        settle_table(self, "synonyms")

    @property
    def _tag_column(self) -> str:
        return "tags" if self.tagset == "own" else "pos"

    def _texts(self, segments: Segments) -> tuple[SoftTexts, tuple[Offsets, Offsets]]:
        """The words of all texts, and the texts of each pair."""
        key: tuple[object, ...]
        if self.units == "words":
            view = segments.read(words(self.tokenizer, self.lowercase))
            key, pairs = (self.tokenizer, self.lowercase), view.pairs

            def make() -> SoftTexts:
                no_tags = np.zeros(len(view.ids), np.int32)
                return self._with_synonyms(view.ids, no_tags, no_tags > 0, view.offsets, view.spellings())
        else:
            texts, parses = parsed_texts(self._label, segments, self.parser, ("lemmas", self._tag_column))
            key = self.parser, self.tagset, self.function_tags, self.lowercase
            pairs = texts.pairs(segments)

            def make() -> SoftTexts:
                names = lower(Strings.of(parses.names)).to_pylist() if self.lowercase else [*parses.names]
                places: dict[str, int] = {}
                folded = np.array([places.setdefault(name, len(places)) for name in names], np.int32)
                light = self._light(parses)
                tags = getattr(parses, self._tag_column)
                return self._with_synonyms(folded[parses.lemmas], tags, light, parses.offsets, [*places])

        return of_texts(segments, ("soft texts", self.units, self.synonyms, self.max_order, *key), make), pairs

    def _spelled(self, segments: Segments, text: int) -> tuple[int, list[str]]:
        """The place of the first token of a text among all tokens, and its tokens as people read them."""
        if self.units == "words":
            view = segments.read(words(self.tokenizer, self.lowercase))
            first, last = view.offsets[text : text + 2].tolist()
            return first, [view.spelling(one) for one in view.ids[first:last].tolist()]
        parses = parsed_texts(self._label, segments, self.parser)[1]
        return int(parses.offsets[text]), parses.texts("forms", text)

    def _light(self, parses: Parses) -> Flags:
        """Whether each token is a function word."""
        listed = np.array([name in self.function_tags and name != "" for name in parses.names], np.bool_)
        return listed[parses.tags] | listed[parses.pos]

    def _with_synonyms(self, lemmas: Ids, tags: Ids, light: Flags, offsets: Offsets, spelled: list[str]) -> SoftTexts:
        nothing = np.zeros(len(spelled) + 1, np.int64), np.zeros(0, np.int32)
        own = its = nothing
        if self.synonyms is not None:
            from metrologue.text.lexicon.lookup import synonym_keys  # here: it takes long to import

            own, its = ((keys.offsets, keys.owned()) for keys in synonym_keys(spelled, self.synonyms))
        return SoftTexts.of_words(lemmas, tags, light, offsets, self.max_order, (*own, *its))

    @property
    def _units(self) -> Offsets:
        """The weight of an n-gram by how many function words it has."""
        units: Offsets = np.rint(UNIT * self.function_weight ** np.arange(self.max_order + 1)).astype(np.int64)
        return units

    def _counted(self, segments: Segments, threads: int | None) -> Floats:
        """`_statistics`; of all segments at once with a parser, which reads texts in batches."""
        if self.units == "words":
            return super()._counted(segments, threads)
        return np.ascontiguousarray(self._statistics(segments))

    def _pair_statistics(self, segments: Segments) -> Floats:
        """For each pair, similarity and order: what matches, and the weights of hypothesis and reference."""
        texts, pairs = self._texts(segments)
        kinds = np.array([_KINDS[name] for name in self.similarities])
        counts = soft_matches(texts, *pairs, self.max_order, kinds, self._units).astype(np.float64)
        if self.function_weight == 0:
            # An order that both texts have scores 0 if its n-grams weigh nothing: any weight stands for none.
            sizes = np.diff(texts.limits.reshape(self.max_order, -1), axis=1)
            present = np.tile(((sizes[:, pairs[0]] > 0) & (sizes[:, pairs[1]] > 0)).T, len(kinds))
            for at in (1, 2):
                weights = counts[:, at::_PER_ORDER]
                weights[present & (weights == 0)] = UNIT
        orders = np.tile(np.arange(1, self.max_order + 1), len(kinds))
        counts /= UNIT
        counts[:, ::_PER_ORDER] /= 2 * orders
        return counts

    def _measured(self, counts: Floats) -> tuple[Floats, Flags]:
        """Precision, recall and score of each pair, similarity and order, (pairs, n, 3), and whether each counts."""
        matched, own, its = np.moveaxis(counts.reshape(len(counts), -1, _PER_ORDER), 2, 0)
        precision, recall = ratio(matched, own), ratio(matched, its)
        measured = np.stack([f_measure(precision, recall, self.alpha), precision, recall], axis=2)
        skipped: Flags = ((own == 0) | (its == 0)) & (self.short_texts == "skip")
        return measured, ~skipped

    def _statistics(self, segments: Segments) -> Floats:
        measured, counted_in = self._measured(self._pairs(segments))
        used = counted_in[:, :, None]
        means = ratio((measured * used).sum(axis=1), used.sum(axis=1))
        rows = np.column_stack([means, np.ones(len(means))])
        return join(self.multi_reference, rows, segments.reference_offsets, lambda rows: rows[:, 0])

    _variants: ClassVar[dict[str, Any]] = {
        "words": Variant("Liu", "words as they are spelled, without parser and synonyms"),
        "tesla-m": Variant(
            "Liu", "TESLA-M with WordNet; a `parser` must be given, and some details are from memory",
            {"units": "lemmas", "synonyms": "wordnet"}, needs=("wordnet",),
        ),
        "tesla-m-2010": Variant(
            "Liu", "the same, as the mean over three similarities",
            {"units": "lemmas", "synonyms": "wordnet", "similarities": ("basic", "lemmas", "tags")}, needs=("wordnet",),
        ),
    }  # fmt: skip
