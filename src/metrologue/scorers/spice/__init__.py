"""SPICE (Anderson et al. 2016): the objects, attributes and relations that a caption shares with its references."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from metrologue.data.arrays import Floats, Offsets
from metrologue.kernels.arrays import IdRows
from metrologue.representations.parses.named import NamedParser
from metrologue.scorers.core.about import About
from metrologue.scorers.core.configuration import settle_table
from metrologue.scorers.core.inputs import Input
from metrologue.scorers.core.numbers import counted, each, number
from metrologue.scorers.core.options import of_means, option, with_default
from metrologue.scorers.core.rows import columns_of, harmonic_mean, ratio
from metrologue.scorers.core.scorer import Scorer
from metrologue.scorers.core.shapes import OfTexts
from metrologue.scorers.core.variants import Variant
from metrologue.scorers.spice.graphs import (
    CLASSES,
    GRAPHS,
    Tuples,
    Words,
    given_tuples,
    parsed_tuples,
    sides,
    spelled,
    words_of,
)
from metrologue.scorers.spice.kernels import KINDS, Graphs, matched_tuples, merged_graphs
from metrologue.segments import Segments
from metrologue.text.lexicon import Keys

__all__ = ["CATEGORIES", "Spice", "f_score"]

# The kinds of tuples that have a score of their own: those of each form, and classes of attributes.
CATEGORIES = (*KINDS, *CLASSES)
_SCORES = ("score", "precision", "recall")
_COUNTS = ("match_count", "hypothesis_count", "reference_count")


def f_score(match_count: Floats, hypothesis_count: Floats, reference_count: Floats) -> Floats:
    """The harmonic mean of matches per tuple of the hypothesis and matches per tuple of the references.

    Parameters
    ----------
    match_count, hypothesis_count, reference_count : float64 (...)
        Tuples of the hypothesis that match, its tuples, and those of the references.

    Returns
    -------
    float64 (...)
        0 if either has no tuples. It is 1 or less, unless several tuples match the same one.

    Examples
    --------
    Three of four tuples match; the references have five.

    >>> float(f_score(np.array(3.0), np.array(4.0), np.array(5.0)).round(6))
    0.666667
    """
    precision, recall = ratio(match_count, hypothesis_count), ratio(match_count, reference_count)
    return harmonic_mean(precision, recall)


class Compared(NamedTuple):
    """The scene graphs of n segments."""

    words: Words
    keys: Keys  # the sets of synonyms of each word
    tuples: IdRows  # (n_tuples, 3): the words of each tuple, as in ``Words``
    offsets: Offsets  # (2 * n + 1,): the tuples of each graph: n hypotheses, then n with all references of a segment
    graphs: Graphs


@dataclass(frozen=True, kw_only=True)
class Spice(OfTexts, Scorer):
    """The F1 of the tuples in the scene graphs of a caption and of its references; higher is better, mostly 0-1.

    A scene graph has objects, such as ``("girl",)``, attributes, such as ``("girl", "young")``, and relations, such as
    ``("girl", "ride", "bike")``. Tuples match if at each place their words are equal or share a set of synonyms. The
    graph of the references is made from the tuples of all of them. Objects that are similar become one object with the
    words of both: each word joins the object of the greatest similarity above 0, which is 1 for an equal word and
    otherwise the Jaccard index of the sets of synonyms. Attributes of an object become one if they share a set, and so
    do relations of the same two objects. The score of a corpus is the mean of its segments.

    Several tuples may match the same tuple of the references, as in the authors' program. So the recall can be above 1,
    and the score slightly too.

    Predictions and references are scene graphs, lists of tuples, or texts, if there is a `parser`. From texts, tuples
    come by rules over their dependency parses. These are not the rules of the authors' program, which uses a parser of
    its own, so the scores of texts differ from those of the program. Those of tuples are equal, with one exception: if
    a word is equally similar to several objects, the program takes any of them, and here it joins the first.

    ``object``, ``attribute`` and ``relation`` are the F1 of tuples of one form, ``color``, ``count`` and ``size`` that
    of attributes from lists of words. Each is the mean over the segments whose references have such tuples; a number
    such as ``color_segments`` says how many these are. It is 0 if there are none.

    Raises
    ------
    InputError
        If a value is out of range; when scoring, if a tuple has not 1 to 3 words, or for texts without a parser.

    References
    ----------
    Anderson et al. 2016, https://arxiv.org/abs/1607.08822; the authors' program
    https://github.com/peteanderson80/SPICE.

    Examples
    --------
    >>> hypothesis = [("dog",), ("dog", "brown"), ("dog", "run in", "park"), ("park",)]
    >>> reference = [("dog",), ("park",), ("dog", "big"), ("dog", "run in", "park"), ("grass",)]
    >>> scores = Spice(synonyms=None).corpus([hypothesis], [reference]).scores
    >>> {key: round(scores[key], 4) for key in ("spice", "precision", "recall", "object", "attribute", "relation")}
    {'spice': 0.6667, 'precision': 0.75, 'recall': 0.6, 'object': 0.8, 'attribute': 0.0, 'relation': 1.0}

    With a pipeline of spaCy, of texts:

    >>> spice = Spice(parser="en_core_web_sm")  # doctest: +SKIP
    >>> spice.corpus(["A brown dog runs in the park."], [["A big dog is running in a park."]])  # doctest: +SKIP
    """

    name: ClassVar[str] = "spice"
    about: ClassVar = About(needs="scene graphs, or a parser", papers=("anderson-etal-2016-spice",))
    inputs: ClassVar[tuple[Input, ...]] = GRAPHS
    title: ClassVar[str] = "SPICE"

    # fmt: off
    graphs: str = option(
        None, stage="read", choice="parser",
        about="Where scene graphs come from; `rules` by default if there is a `parser`, otherwise `given`.",
        one_of={
            "given": "predictions and references are scene graphs; a text is the JSON of one",
            "rules": "predictions and references are texts; our rules make tuples of the parses of `parser`",
        },
    )
    parser: NamedParser | None = option(
        None, stage="read", choice="parser", kind="parser",
        about="What parses texts: the name of a pipeline of spaCy, its folder, a file in CoNLL-U, or a parser of "
        "``metrologue.representations.parses``. It gives lemmas, universal parts of speech and relations. It has no "
        "effect for graphs that are given.",
    )
    synonyms: str | None = option(
        "meteor-1.5", stage="pairs", choice="synonyms", kind="table",
        about='The sets of synonyms: "meteor-1.5" (its table, from WordNet 3.0) or a table of your own. None: only '
        "equal words are similar.",
    )
    merged_attributes: str = option(
        "none", stage="pairs", choice="merged attributes",
        about='The class of an attribute that several words became, such as "gray" and "grey".',
        one_of={"none": "it is no color, count or size", "any": "that of each of its words"},
    )
    # fmt: on
    scale: float = with_default(1.0, about="The score of a graph that equals that of its references.")
    aggregation: str = of_means()

    numbers: ClassVar = (
        # All tuples of a hypothesis may match the only one of the references.
        number(
            "spice", 0, "2 * scale", better="higher", title="SPICE", unit="points",
            about="mean of the F1 of tuples, over the segments",
        ),
        number("precision", 0, "scale", better="higher", heading="P", about="mean of the precisions of the segments"),
        number("recall", 0, np.inf, better="higher", heading="R", about="mean of the recalls of the segments"),
        each("_categories", number(
            "{kind}", 0, "2 * scale", better="higher", unit="points",
            about="mean F1 of {kind} tuples, over the segments whose references have some",
        )),
        each("_categories", counted(
            "{kind}_segments", "segments", about="segments whose references have {kind} tuples",
        )),
        counted("match_count", "tuples", about="tuples of the hypotheses that match"),
        counted("hypothesis_count", "tuples", about="tuples of the hypotheses"),
        counted("reference_count", "tuples", about="tuples of the references of all segments"),
        counted("segments", "segments", about="segments, of whose scores the first numbers are means"),
    )  # fmt: skip

    @property
    def _categories(self) -> tuple[str, ...]:
        return CATEGORIES

    @property
    def _columns(self) -> tuple[str, ...]:
        sums = (f"{key}_sum" for key in (*_SCORES, *CATEGORIES))
        return (*sums, *(f"{key}_segments" for key in CATEGORIES), *_COUNTS, "segments")

    def _derive(self) -> None:
        if self.graphs is None:
            self._set_field(graphs="given" if self.parser is None else "rules")

    def _check_together(self) -> None:
        settle_table(self, "synonyms")
        is_wordnet = (self.synonyms or "").partition("@")[0] == "wordnet"
        self._check("synonyms", not is_wordnet, 'None, "meteor-1.5" or a table of your own')

    def pairwise(
        self,
        hypotheses: Any,
        references: Any = None,
        threads: int | None = None,
        key: str | None = None,
        **inputs: Any,
    ) -> Floats | list[Floats]:
        """As ``Scorer.pairwise``, of scene graphs or of texts; a group is a list of them.

        Examples
        --------
        >>> Spice(synonyms=None).pairwise([[("dog",)], [("dog",), ("cat",)]], [[("dog",)]]).round(4)
        array([[1.    ],
               [0.6667]])
        """
        owner = f"{self._label}.pairwise"
        own = spelled(hypotheses, "hypotheses", owner, several=True)
        return super().pairwise(own, spelled(references, "references", owner, several=True), threads, key, **inputs)

    def _tuples(self, segments: Segments) -> Tuples:
        """The tuples of all texts."""
        if self.graphs == "rules":
            return parsed_tuples(segments, self.parser, self._label)
        both = "give `parser` and" if self.parser is None else "choose"
        cure = f"{both} graphs='rules', as the variant spacy does"
        return given_tuples(segments, self._label, cure)

    def _compared(self, segments: Segments) -> Compared:
        """The scene graphs of the segments: first those of the hypotheses, then those of the references."""
        tuples = self._tuples(segments)
        words, (ids, offsets) = words_of(tuples.types), sides(tuples)
        keys, rows = words.keys(self.synonyms), words.tuples[ids]
        graphs = merged_graphs(rows, offsets, keys.offsets, keys.keys, words.classes)
        return Compared(words, keys, rows, offsets, graphs)

    def _statistics(self, segments: Segments) -> Floats:
        compared, pairs = self._compared(segments), np.arange(len(segments))
        counts = matched_tuples(
            compared.tuples, compared.offsets, *compared.keys, compared.graphs, pairs, len(pairs) + pairs, len(CLASSES),
            self.merged_attributes == "any",
        ).astype(np.float64)  # fmt: skip
        match, own, its = np.moveaxis(counts, -1, 0)
        scores = f_score(match, own, its)
        whole = scores[:, 0], ratio(match[:, 0], own[:, 0]), ratio(match[:, 0], its[:, 0])
        present = (its[:, 1:] > 0).astype(np.float64)
        return np.column_stack([*whole, scores[:, 1:], present, counts[:, 0], np.ones(len(counts))])

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        columns = dict(zip(self._columns, columns_of(statistics), strict=True))
        segments = columns["segments"]
        means = {key: self.scale * columns[f"{key}_sum"] / segments for key in _SCORES}
        own = {key: self.scale * ratio(columns[f"{key}_sum"], columns[f"{key}_segments"]) for key in CATEGORIES}
        rest = {key: columns[key] for key in self._columns[len(_SCORES) + len(CATEGORIES) :]}
        return {"spice": means.pop("score"), **means, **own, **rest}

    _variants: ClassVar = {
        "spice": Variant("spice", "the authors' program, of scene graphs", {"graphs": "given"}, needs=("meteor-1.5",)),
        "spacy": Variant(
            "metrologue", "texts, by our rules over the parses of spaCy, whose pipeline is the field `parser`",
            {"graphs": "rules"}, needs=("meteor-1.5",),
        ),
        "spice-no-synsets": Variant(
            "spice", "the authors' program with -noSynsets: words must be equal", {"graphs": "given", "synonyms": None},
        ),
    }  # fmt: skip
