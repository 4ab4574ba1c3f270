"""PEAK (Yang et al. 2016): the pyramid method without people, over the subject, predicate and object of clauses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from metrologue.representations.parses.named import NamedParser
from metrologue.scorers.core.about import About
from metrologue.scorers.core.numbers import number
from metrologue.scorers.core.options import option, with_default
from metrologue.scorers.core.variants import Variant
from metrologue.scorers.peak.reading import Facts, Phrases, Rules, Topic, facts_of
from metrologue.scorers.pyramid import Pyramid, Pyramids
from metrologue.segments import Segments
from metrologue.text.reading import words

__all__ = ["Peak"]


@dataclass(frozen=True, kw_only=True)
class Peak(Pyramid):
    """The pyramid score over triples of subject, predicate and object that are alike; higher is better, mostly 0-1.

    Triples of different models that are alike make a content unit (SCU), which weighs as much as the number of these
    models. Then as many triples of the summary as possible are assigned to SCUs that they are like, each to one, so
    that their weight is the greatest. The scores are those of ``Pyramid``, with triples in place of units.

    Two phrases are as similar as their distinct words: twice the number that both have, divided by the sum of their
    numbers. (The paper compares senses of WordNet by random walks.) The similarity of two triples is the mean of that
    of their parts. They are alike if it is at least `threshold`. An SCU begins at a triple whose subject and object are
    like such parts in `salience` other models, and takes from each other model the triple that is most like it. The one
    that finds most models comes first; then the one whose triples are most similar; then the first. A triple is in one
    SCU. These rules follow the paper's description; the numbers of the authors' program differ.

    A prediction is a list of triples, each a tuple of three strings, and its references are such lists of the models.
    A text may spell them: "a train | hit | a truck; nobody | was | hurt". The variant `dependency` takes any texts, and
    a `parser` that gives relations. Each verb with a subject is a triple with each of its objects; for an object behind
    a preposition, the preposition belongs to the predicate.

    Raises
    ------
    InputError
        If an item is not a triple of strings, a text does not spell triples, `dependency` has no parser, no model of a
        summary has a triple, or a value is out of range.

    References
    ----------
    Yang, Passonneau and de Melo 2016, AAAI.

    Examples
    --------
    >>> one = [("a train", "hit", "a truck"), ("nobody", "was", "hurt")]
    >>> other = [("the train", "hit", "a truck"), ("it", "was", "raining")]
    >>> scores = Peak().corpus([[("a train", "hit", "a red truck")]], [[one, other]]).scores
    >>> scores["weight"], scores["scu_count"], scores["peak"]
    (2, 3, 0.6666666666666666)

    With a pipeline of spaCy:

    >>> peak = Peak.variant("dependency", parser="en_core_web_sm")  # doctest: +SKIP
    """

    name: ClassVar[str] = "peak"
    about: ClassVar = About(
        needs="triples, or a parser",
        optional_model=True,  # triples may be given
        papers=("yang-etal-2016-peak", "nenkova-passonneau-2004-pyramid"),
    )
    title: ClassVar[str] = "PEAK"

    tokenizer: str = with_default("whitespace", about="What cuts phrases into words.")
    lowercase: bool = with_default(True, about="Whether to apply ``str.lower()`` to phrases first.")
    # fmt: off
    triples: str = option(
        "given", stage="read", choice="triples",
        about="Where triples come from.",
        one_of={
            "given": "they are given, as lists or as texts that spell them: 'a | b | c; d | e | f'",
            "dependency": "from the relations that the `parser` finds in texts",
        },
    )
    parser: NamedParser | None = option(
        None, stage="read", choice="triples", kind="parser",
        about="What finds triples in texts: the name of a pipeline of spaCy, or its folder; a file of parses in "
        "CoNLL-U; or a parser of ``metrologue.representations.parses``. It has no effect for given triples.",
    )
    threshold: float = option(
        0.5, stage="pairs", choice="similarity", least=0.01, greatest=1,
        about="The least similarity of phrases, and of triples, that are alike.",
    )
    salience: int = option(
        1, stage="pairs", choice="units",
        about="In how many other models there must be parts like the subject and the object that begin an SCU.",
    )
    alone: str = option(
        "keep", stage="pairs", choice="units",
        about="A triple that is like none of another model.",
        one_of={"keep": "it is an SCU of weight 1", "drop": "it is no SCU"},
    )
    # fmt: on

    numbers: ClassVar = (
        number(
            "peak", 0, "_most", better="higher", title="PEAK", unit="points",
            about="weight of the SCUs that the summary's triples express, divided by that of an ideal summary",
        ),
        *Pyramid.numbers[1:],
    )  # fmt: skip

    def _facts(self, segments: Segments) -> Facts:
        """The triples of all summaries and models."""
        return facts_of(segments, self.triples, self.parser, self._label)

    def _topics(self, segments: Segments) -> list[Topic]:
        """The SCUs of each segment, and which triple of the summary expresses which."""
        facts = self._facts(segments)
        phrases = Phrases.of(facts.triples, words(self.tokenizer, self.lowercase))
        rules = Rules(self.threshold, self.salience, self.alone == "keep")
        return [Topic.of(summary, models, phrases, rules) for summary, models in facts.topics]

    def _pyramids(self, segments: Segments) -> Pyramids:
        key = (*self._key("pairs"), "topics")
        topics = segments.memoize(key, lambda: self._topics(segments))
        facts = self._facts(segments)
        return Pyramids(
            ids=np.array([scu[0] for topic in topics for scu in topic.scus], np.int64),
            tiers=np.array([len(scu) for topic in topics for scu in topic.scus], np.float64),
            expressed=np.array([said >= 0 for topic in topics for said in topic.expressed], np.bool_),
            offsets=np.cumsum([0, *(len(topic.scus) for topic in topics)]),
            unit_counts=np.array([float(len({*summary})) for summary, _ in facts.topics]),
            mention_counts=np.array([float(len(summary)) for summary, _ in facts.topics]),
            model_counts=np.array([float(len(models)) for _, models in facts.topics]),
        )

    _variants: ClassVar = {
        "triples": Variant("Yang", "the description of the paper, over given triples, with words in place of senses"),
        "dependency": Variant(
            "metrologue", "triples from the dependency parses of texts; needs a `parser`", {"triples": "dependency"}
        ),
    }
