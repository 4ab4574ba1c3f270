"""YiSi (Lo 2019): how similar the n-grams and the semantic frames of two texts are, by how rare their words are."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from metrologue.data.arrays import Floats, Integers, Offsets
from metrologue.errors import InputError
from metrologue.representations.frames import PREDICATE, ROLES, NamedLabeller
from metrologue.representations.named import NamedEncoder
from metrologue.scorers.core.about import About, Growth
from metrologue.scorers.core.capabilities import Fitted
from metrologue.scorers.core.crossed import distinct_texts, of_texts
from metrologue.scorers.core.numbers import number
from metrologue.scorers.core.options import LONGEST_NGRAM, option
from metrologue.scorers.core.rows import join
from metrologue.scorers.core.variants import Variant
from metrologue.scorers.families.means import MEANS, OfMeans, f_measure
from metrologue.scorers.yisi.kernels import Words, phrase_matches
from metrologue.scorers.yisi.texts import (
    Roles,
    Texts,
    ascii_lower,
    assigned_roles,
    contextual_texts,
    spelled_texts,
    structure,
    word_texts,
)
from metrologue.segments import Segments
from metrologue.text.lexicon.resource import Resource
from metrologue.text.reading import words

__all__ = ["Yisi", "f_measure", "word_weight"]


def word_weight(texts: Floats, frequency: Floats) -> Floats:
    """The weight of a word: log2(1 + (N + 1) / (c + 1)), if c of N texts have it.

    Examples
    --------
    >>> word_weight(np.array(10.0), np.array([10.0, 0.0])).round(6)
    array([1.      , 3.584963])
    """
    return np.log2(1 + (texts + 1) / (frequency + 1))


_SUMS = ("precision_sum", "recall_sum", "score_sum", "segments")


@dataclass(frozen=True, kw_only=True)
class Yisi(OfMeans, Fitted):
    """The similarity of the words of two texts, each weighted by how rare it is; higher is better, 0-1.

    The recall is the mean, over the n-grams of the reference, of the similarity of each with the most similar n-gram of
    the hypothesis. The similarity of two n-grams is the mean of that of their words. A word weighs
    log2(1 + (N + 1) / (c + 1)), if c of N references have it. The precision is that mean over the hypothesis. The score
    of a segment is P R / (alpha P + (1 - alpha) R), and that of a corpus is the mean of its segments. Of several
    references, the greatest precision and the greatest recall count. A pair with an empty text scores 0.

    YiSi-0 compares words by their longest common substring and needs nothing else. YiSi-1 compares them by `vectors`,
    of words or of words in their context. YiSi-2 compares a translation with its source: give the sources as
    references, and vectors of both languages in one space.

    With `frames` and `beta`, a part of the score is how similar the semantic frames of both texts are: their predicates
    and arguments are assigned to each other, and each frame weighs as many words as it has.

    The weights depend on all references, so scores on different test sets are not comparable. The score of a single
    segment uses the references of that segment; ``fit`` makes the weights from other texts.

    Raises
    ------
    InputError
        If `beta` is above 0 without `frames`, a text has no frames in their file, two files of vectors differ in
        width, or a value is out of range.

    References
    ----------
    Lo 2019, https://aclanthology.org/W19-5358; the author's program https://github.com/chikiulo/yisi.

    Examples
    --------
    >>> yisi = Yisi(order=1)
    >>> predictions = ["the cats sat on a mat", "the dog barks loud"]
    >>> references = ["the cat sat on the mat", "a dog barked loudly"]
    >>> yisi.segments(predictions, references).round(6)
    array([0.957653, 0.712675])

    With a file of word vectors, and with parses of the texts:

    >>> one = Yisi.variant("yisi-1", vectors="path/of/vectors.txt")  # doctest: +SKIP
    >>> files = ["predictions.conll09", "references.conll09"]
    >>> frames = Yisi.variant("yisi-1-srl", vectors="path/of/vectors.txt", frames=files)  # doctest: +SKIP
    """

    name: ClassVar[str] = "yisi"
    title: ClassVar[str] = "YiSi"
    about: ClassVar = About(
        papers=("lo-2019-yisi",),
        growth=Growth("words", 2, 8_000),
        optional_model=True,  # YiSi-0 compares spellings
    )

    # fmt: off
    tokenizer: str = option(
        "whitespace", stage="read", choice="tokenizer", kind="tokenizer",
        about="How a text is cut, as `metrologue list tokenizers` shows. It has no effect if `vectors` depend on the "
        "context; such a model has its own tokens.",
    )
    vectors: NamedEncoder | None = option(
        None, stage="pairs", choice="similarity", kind="encoder",
        about="What gives words their vectors: a file of word vectors, a folder with a model of transformers, a name "
        "on the Hub, a loaded ``(model, tokenizer)``, or an ``Encoder``. None: words are compared by their longest "
        "common substring.",
    )
    source_vectors: NamedEncoder | None = option(
        None, stage="pairs", choice="similarity", kind="encoder",
        about="The word vectors of the other language, in the space of `vectors`, if the references are the sources "
        "of a translation. None: `vectors` has the words of both texts. It has no effect without `vectors`.",
    )
    layer: int | None = option(
        None, stage="pairs", choice="similarity",
        about="The layer of a model of transformers. None: the last one. Other `vectors` have one layer.",
    )
    order: int = option(
        3, stage="pairs", choice="n-grams", least=1, greatest=LONGEST_NGRAM,
        about="The length of n-grams, or of the shorter text if that is less.",
    )
    weights: str = option(
        "references", stage="pairs", choice="weights",
        about="What makes a word rare, and so weigh more.",
        one_of={
            "references": "few references have it",
            "each": "few references have a word of a reference, or few hypotheses a word of a hypothesis",
            "uniform": "all words weigh the same",
        },
    )
    frames: NamedLabeller | None = option(
        None, stage="pairs", choice="frames", kind="labeller",
        about="The semantic frames of the texts: a file of parses in CoNLL-09 or JSONL, several files, or a labeller "
        "of ``metrologue.representations.frames``.",
    )
    role_weights: tuple[float, ...] | None = option(
        None, stage="pairs", choice="frames",
        about=f"The weights of {len(ROLES)} classes of roles: {', '.join(ROLES)}. None: 1, and 1 more for each "
        "argument of its class in the references; for predicates 0.25 more each.",
    )
    role_match: str = option(
        "assigned", stage="pairs", choice="frames",
        about="Which arguments of two predicates match.",
        one_of={
            "assigned": "those that are assigned to each other, in the precision only if they have one class of roles",
            "same": "those that are assigned to each other, among those of one class of roles",
        },
    )
    frame_weights: str = option(
        "length", stage="pairs", choice="frames",
        about="How much each frame of a text weighs.",
        one_of={"length": "as many words as its predicate and arguments have", "uniform": "all weigh the same"},
    )
    counts: Resource | None = option(
        None, stage="pairs", choice="weights", kind="fitted",
        about="How many texts have each word, and how often each class of roles occurs, as ``fit`` counts them. None: "
        "they come from the texts that are scored.",
    )
    multi_reference: str = option(
        "best-each", stage="join", choice="several references",
        about="How several references join.",
        one_of={"best-each": "the greatest precision and the greatest recall, each on its own"},
    )
    without_frames: str = option(
        "zero", stage="join", choice="frames",
        about="The similarity of frames, if neither a text nor its references have any.",
        one_of={"zero": "it is 0", "words": "that of the words stands for it"},
    )
    beta: float = option(
        0.0, stage="join", choice="frames", greatest=1.0, about="The part that frames have in precision and recall."
    )
    alpha: float = option(
        0.8, stage="join", choice="alpha", greatest=1.0,
        about="The weight of the recall; that of precision is the rest.",
    )
    # fmt: on

    numbers: ClassVar = (
        number("yisi", 0, "scale", better="higher", title="YiSi", about="mean of the scores of the segments"),
        *MEANS,
    )  # fmt: skip

    _columns = _SUMS

    def _check_together(self) -> None:
        for name in ("vectors", "source_vectors"):
            given = getattr(self, name)
            if given is not None and not hasattr(given.encoder, "encode_tokens"):
                raise InputError(f"{self._label}: `{name}` {given} gives no vectors of tokens.")
        known = self.role_weights is None or len(self.role_weights) == len(ROLES)
        self._check("role_weights", known, f"None or a list of {len(ROLES)} numbers")

    @staticmethod
    def _has_words(vectors: NamedEncoder | None) -> bool:
        """Whether an encoder gives a word one vector, whatever its context."""
        return vectors is not None and hasattr(vectors.encoder, "of_words")

    @cached_property
    def _counts_words(self) -> bool:
        return self.weights != "uniform"

    @cached_property
    def _counts_roles(self) -> bool:
        return self.frames is not None and self.role_weights is None

    @cached_property
    def _is_fitted(self) -> bool:
        return self.counts is not None or not (self._counts_words or self._counts_roles)

    def _texts(self, segments: Segments) -> Texts:
        """The tokens of the texts."""
        if self.vectors is not None and not self._has_words(self.vectors):
            if self.frames is not None:
                raise InputError(f"{self._label}: `frames` have words, but {self.vectors} has tokens of its own.")
            layer = self.vectors.encoder.layers if self.layer is None else self.layer
            self._check("layer", layer <= self.vectors.encoder.layers, f"an int to {self.vectors.encoder.layers}")
            return contextual_texts(segments, self.vectors, layer)
        view = segments.read(words(self.tokenizer))
        if self.vectors is None:
            return spelled_texts(segments, view, self.tokenizer)
        its = self.source_vectors or self.vectors
        if not self._has_words(its):
            raise InputError(f"{self._label}: `source_vectors` {its} has no vectors of words, as `vectors` has.")
        return word_texts(segments, view, self.tokenizer, self.vectors.encoder, its.encoder)

    def _spelled(self, segments: Segments, texts: Texts, pair: int) -> tuple[list[str], list[str]]:
        """The tokens of both texts of a pair, as people read them."""
        if self.vectors is not None and not self._has_words(self.vectors):
            distinct = distinct_texts(segments)
            own, its = (self.vectors.encoder.tokens(distinct.texts[side[pair]]) for side in texts.pairs)
            return own, its
        ends = texts.offsets
        own, its = ([texts.types[i] for i in texts.ids[ends[t] : ends[t + 1]]] for t in (s[pair] for s in texts.pairs))
        return own, its

    def _fit(self, segments: Segments) -> dict[str, dict[str, Any]]:
        texts = self._texts(segments)
        sides = {"": texts.references, "own_": texts.hypotheses if self.weights == "each" else texts.references[:0]}
        arrays: dict[str, Any] = {}
        for prefix, side in sides.items():
            types, frequency = _frequencies(texts, side)
            arrays[f"{prefix}words"] = types
            arrays[f"{prefix}frequency"] = frequency
            arrays[f"{prefix}texts"] = np.array([float(len(side))])
        weights = np.ones(len(ROLES))
        if self._counts_roles:
            roles = self._roles(segments, texts)
            of_all = np.concatenate([roles[text].classes for text in texts.references.tolist()] or [np.zeros(0, int)])
            weights += np.bincount(of_all, minlength=len(ROLES)) * np.where(np.arange(len(ROLES)) == PREDICATE, 0.25, 1)
        return {"counts": {**arrays, "role_weights": weights}}

    @cached_property
    def _tables(self) -> tuple[tuple[dict[str, float], float], tuple[dict[str, float], float]]:
        """How many texts have each word, and how many texts there are: for hypotheses, and for references."""
        assert self.counts is not None
        table = self.counts.table
        sides = ["own_" if self.weights == "each" else "", ""]
        own, its = (
            (
                dict(zip(table.text(f"{side}words").to_pylist(), table[f"{side}frequency"].tolist(), strict=True)),
                float(table[f"{side}texts"][0]),
            )
            for side in sides
        )
        return own, its

    def _weights(self, segments: Segments, texts: Texts) -> tuple[Floats, Floats]:
        """The weight of each type in a hypothesis and in a reference, (n_types,) each."""
        if not self._counts_words:
            ones = np.ones(len(texts.types))
            return ones, ones

        def make() -> tuple[Floats, Floats]:
            own, its = (_type_weights(texts.types, *side) for side in self._tables)
            return own, its

        return of_texts(segments, ("weights", self._key("pairs"), len(texts.types)), make)

    def _pair_statistics(self, segments: Segments) -> Floats:
        """The precision and the recall of the words of each pair."""
        texts = self._texts(segments)
        weights, lengths = self._weights(segments, texts), np.diff(texts.offsets)
        rows = np.zeros((len(texts.pairs[0]), 2))
        for blocks in texts.blocks(np.arange(len(rows))):
            own, its = blocks.own, blocks.its
            columns = np.diff(texts.ends)[its]
            phrases = np.column_stack(
                [texts.offsets[own], lengths[own], texts.offsets[its], lengths[its], blocks.starts, columns]
            )
            words = Words(texts.ids, texts.places, *weights)
            rows[blocks.part] = phrase_matches(words, blocks.similarities, phrases, self.order)
        return np.minimum(rows, 1.0, out=rows)

    def _roles(self, segments: Segments, texts: Texts) -> list[Roles]:
        """The roles of each text."""
        if self.frames is None:
            raise InputError(
                f"{self._label}: `frames` are missing; give files in CoNLL-09 or JSONL, or a labeller, or beta=0."
            )
        named = self.frames

        def make() -> list[Roles]:
            ends = texts.offsets.tolist()
            tokens = [[texts.types[i] for i in texts.ids[a:b]] for a, b in itertools.pairwise(ends)]
            found = []
            for index, frames in enumerate(named.labeller.label(tokens)):
                if frames is None and tokens[index]:
                    raise self._unparsed(texts, index, len(tokens[index]))
                found.append(Roles.of(frames or ()))
            return found

        return of_texts(segments, ("roles", named, self.tokenizer), make)

    def _unparsed(self, texts: Texts, index: int, count: int) -> InputError:
        sides = {"predictions": texts.hypotheses, "references": texts.references}
        name, place = next((name, np.flatnonzero(side == index)) for name, side in sides.items() if index in side)
        what = f" has no parse in {self.frames}; one of the same {count} tokens, in the same spelling, is expected."
        return InputError.at(self._label, name, int(place[0]), what)

    def _structures(self, segments: Segments) -> Floats:
        """The precision and the recall of the frames of each segment, and whether one of its texts has any."""
        texts = self._texts(segments)
        roles, limits = self._roles(segments, texts), segments.reference_offsets
        kinds = (
            self.role_weights if self.role_weights is not None else self.counts and self.counts.table["role_weights"]
        )
        weights, by_length = np.array(kinds), self.frame_weights == "length"
        rows = np.zeros((len(segments), 3))
        similar = self._similar_roles(segments, texts, roles)
        for segment, (first, last) in enumerate(zip(limits[:-1].tolist(), limits[1:].tolist(), strict=True)):
            own = roles[int(texts.pairs[0][first])]
            found = np.zeros(len(own.classes))
            rows[segment, 2] = len(found) > 0
            for its, (precisions, recalls) in (next(similar) for _ in range(first, last)):
                row, column = assigned_roles(precisions, its, own)
                same = (own.classes[column] == its.classes[row]) | (own.classes[column] == PREDICATE)
                np.maximum.at(found, column[same], precisions[row, column][same])
                row, column = assigned_roles(recalls, its, own)
                recalled = np.zeros(len(its.classes))
                recalled[row] = recalls[row, column]
                rows[segment, 1] = max(rows[segment, 1], structure(recalled, its, weights, by_length))
                rows[segment, 2] += len(its.classes) > 0
            rows[segment, 0] = structure(found, own, weights, by_length)
        return rows

    def _similar_roles(
        self, segments: Segments, texts: Texts, roles: list[Roles]
    ) -> Iterator[tuple[Roles, tuple[Floats, Floats]]]:
        """For each pair, the roles of the reference, and precision and recall of each of them with each of the
        hypothesis: float64 (roles of the reference, roles of the hypothesis) each."""
        words = Words(texts.ids, texts.places, *self._weights(segments, texts))
        for blocks in texts.blocks(np.arange(len(texts.pairs[0]))):
            for own, its, start in zip(blocks.own.tolist(), blocks.its.tolist(), blocks.starts.tolist(), strict=True):
                phrases = _role_pairs(texts, roles, own, its, start)
                found = phrase_matches(words, blocks.similarities, phrases, self.order)
                shape = len(roles[its].classes), len(roles[own].classes)
                table = np.minimum(found, 1.0)
                if self.role_match == "same":
                    table[(roles[its].classes[:, None] != roles[own].classes).ravel()] = 0.0
                yield roles[its], (table[:, 0].reshape(shape).copy(), table[:, 1].reshape(shape).copy())

    def _statistics(self, segments: Segments) -> Floats:
        rows = join("best-each", self._pairs(segments), segments.reference_offsets, lambda rows: rows[:, 0])
        if self.beta > 0:
            frames = segments.memoize((*self._key("pairs"), "frames"), lambda: self._structures(segments))
            instead = (self.without_frames == "words") & (frames[:, 2] == 0)
            rows = self.beta * np.where(instead[:, None], rows, frames[:, :2]) + (1 - self.beta) * rows
        made = np.ones((len(rows), len(_SUMS)))
        made[:, :2], made[:, 2] = rows, f_measure(rows[:, 0], rows[:, 1], self.alpha)
        return made

    def _quality(self, rows: Floats) -> Floats:
        return f_measure(rows[:, 0], rows[:, 1], self.alpha)

    _variants: ClassVar = {
        "yisi-0": Variant("yisi", "the author's program with yisi-0.config: no vectors, no frames"),
        "yisi-1": Variant("yisi", "the same with yisi-1.config: `vectors` of words must be given"),
        "yisi-1-srl": Variant(
            "yisi", "the same with yisi-1_srl.config: `vectors` and `frames` must be given", {"beta": 0.2}
        ),
        "yisi-2": Variant(
            "yisi", "the same with yisi-2.config: sources as references, with `vectors` and `source_vectors`",
            {"weights": "each"},
        ),
        "yisi-2-srl": Variant(
            "yisi", "the same with yisi-2_srl.config: as YiSi-2 with `frames`, and words that weigh the same",
            {"weights": "uniform", "beta": 0.2},
        ),
    }  # fmt: skip


def _frequencies(texts: Texts, side: Offsets) -> tuple[list[str], Floats]:
    """The types of some texts in the order of their spellings, and how many of the texts have each."""
    lengths = np.diff(texts.offsets)[side]
    of_token = np.repeat(np.arange(len(side)), lengths)
    places = np.arange(len(of_token)) + np.repeat(texts.offsets[side] - np.cumsum(lengths) + lengths, lengths)
    seen: Integers = np.unique(of_token * len(texts.types) + texts.ids[places]) % max(len(texts.types), 1)
    frequency = np.bincount(seen, minlength=len(texts.types))
    order = sorted(np.flatnonzero(frequency).tolist(), key=texts.types.__getitem__)
    return [texts.types[i] for i in order], frequency[order].astype(np.float64)


def _type_weights(types: list[str], frequency: dict[str, float], count: float) -> Floats:
    """The weight of each type. A word that no text has as it is spelled is looked up in lower case."""
    found = [frequency[word] if word in frequency else frequency.get(ascii_lower(word), 0.0) for word in types]
    return word_weight(np.array(count), np.array(found, np.float64))


def _role_pairs(texts: Texts, roles: list[Roles], own: int, its: int, start: int) -> Offsets:
    """Each role of the reference with each of the hypothesis, as ``phrase_matches`` takes them: float64 (n, 6)."""
    ours, theirs = roles[own].spans, roles[its].spans
    first, second = np.tile(ours, (len(theirs), 1)), np.repeat(theirs, len(ours), axis=0)
    columns = (
        texts.offsets[own] + first[:, 0], first[:, 1], texts.offsets[its] + second[:, 0], second[:, 1],
        np.full(len(first), start), np.full(len(first), texts.ends[its + 1] - texts.ends[its]),
    )  # fmt: skip
    return np.ascontiguousarray(np.column_stack(columns).astype(np.int64))
