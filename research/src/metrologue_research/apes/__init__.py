"""APES: the share of questions about entities that a reader answers from a text (Eyal, Baumel and Elhadad 2019)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.learned.named import NamedTrained
from metrologue.learned.scorer import OfModel, model_option
from metrologue.representations.mentions import KINDS
from metrologue.representations.parses.named import NamedParser
from metrologue.scorers.core.numbers import counted, number
from metrologue.scorers.core.options import option, with_default
from metrologue.scorers.core.rows import ratio
from metrologue.scorers.core.variants import Variant
from metrologue.segments import Segments
from metrologue_research.apes.cloze import Cloze, answer_lexically, candidates_of, clozes
from metrologue_research.apes.network import AttentiveReader

__all__ = ["Apes", "best_of"]

Reader = Callable[[Sequence[str], Sequence[str]], dict[int, float]]


def best_of(scores: dict[int, float]) -> int:
    """The entity with the greatest score; ties: the first in the passage. -1 if there is none.

    Examples
    --------
    >>> best_of({3: 0.5, 1: 0.5}), best_of({})
    (3, -1)
    """
    return max(scores, key=lambda number: scores[number], default=-1)


@dataclass(frozen=True, kw_only=True)
class Apes(OfModel):
    """The share of questions about the references' entities that a reader answers from the text; higher is better, 0-1.

    A question is a sentence of a reference in which one entity is masked. All entities are replaced by numbers, in the
    text too, the longest name first, so that a reader must read and cannot know. It sees the text instead of the
    article, and chooses one of the text's entities. An answer that the text lacks cannot be right, but its question
    counts. A corpus has the sums of right answers and of questions; several references of a text ask all their
    questions. A text whose references have no entities asks nothing, and has no part in the score; its own is 0.

    The reader is a trained network: recurrent layers read the text and the question, each mention of an entity is
    compared with the question, and a softmax over the mentions says which entity it is (after Chen et al. 2016; an
    entity has the sum of its mentions, as in Kadlec et al. 2016). ``metrologue train apes`` trains it. This is a
    reimplementation of the idea; the authors' reader was trained on news of CNN and is not validated against.

    The number `lexical` needs no model: the share that is right if the answer is the entity near to which most words of
    the question stand. It is the rival, and the score of the variant ``lexical``. No reader can be above `present`, the
    share of the questions whose answer the text has.

    Raises
    ------
    InputError
        If there is no `model`, or it was trained for another metric; if the parser has no parse of a text.

    References
    ----------
    Eyal, Baumel and Elhadad 2019, https://aclanthology.org/N19-1395; the program at https://github.com/mataney/APES;
    Chen, Bolton and Manning 2016, https://aclanthology.org/P16-1223; Kadlec et al. 2016,
    https://aclanthology.org/P16-1086.

    Examples
    --------
    >>> apes = Apes.variant("lexical")
    >>> scores = apes.corpus(["Later Anna met Bo."], ["Yesterday Anna met Bo in Rome."]).scores
    >>> scores["correct"], scores["questions"], round(scores["apes"], 4)
    (2, 3, 0.6667)

    A model that was trained on 64 made-up sentences, to try it:

    >>> from metrologue.learned import sample_model
    >>> apes = Apes(model=sample_model("apes"))
    >>> apes.corpus(["Later Anna met Bo."], ["Yesterday Anna met Bo in Rome."]).scores["questions"]
    3
    """

    name: ClassVar[str] = "apes"
    about: ClassVar = replace(
        OfModel.about,
        needs="a training; apes:lexical: nothing",
        research="SummEval's consistency: rho .099; arc overlap has .112. Pairs of Falke et al., right: .086; its own "
        "lexical rule has .142.",
        optional_model=True,
        papers=(
            "eyal-etal-2019-apes",
            "chen-etal-2016-thorough",
            "kadlec-etal-2016-attention-sum",
        ),
    )
    title: ClassVar[str] = "APES"
    _authors: ClassVar[str] = (
        "The authors' reader is a program of Theano for Python 2 (https://github.com/mataney/APES), and is not read."
    )

    parser: NamedParser | None = option(
        None,
        stage="read",
        choice="entities",
        kind="parser",
        about=(
            "What finds entities: the name of a pipeline of spaCy, its folder, a file in CoNLL-U whose last column has "
            "them, or a parser of ``metrologue.representations.parses``. None: numbers, dates, and words with a "
            "capital inside of a sentence."
        ),
    )
    kinds: tuple[str, ...] = option(
        tuple(KINDS), stage="read", choice="entities", about="Which entities are asked for.", one_of=KINDS
    )
    reader: str = option(
        "model",
        stage="pairs",
        choice="model",
        about="What answers the questions.",
        one_of={
            "model": "the trained model",
            "lexical": "a rule: the entity near to which most words of the question stand; ties: the first",
        },
    )
    model: NamedTrained | None = model_option(stage="pairs", more="The rule does not need it.")
    window: int = option(
        10,
        stage="pairs",
        choice="window",
        least=1,
        about="How many tokens away a word is near to an entity, for the rule.",
    )
    scale: float = with_default(1.0, about="The value of right answers alone.")

    numbers: ClassVar = (
        number(
            "apes", 0, "scale", better="higher", title="APES",
            about="share of the questions that the reader answers right",
        ),
        number("lexical", 0, 1, better="higher", about="share that the lexical rule answers right, the rival"),
        number("present", 0, 1, better="higher", about="share of the questions whose answer the text has"),
        counted("correct", "questions", about="questions that the reader answers right"),
        counted("lexical_correct", "questions", about="questions that the lexical rule answers right"),
        counted("present_count", "questions", about="questions whose answer the text has"),
        counted("questions", "questions", about="questions of all references"),
    )  # fmt: skip

    _columns = ("correct", "lexical_correct", "present_count", "questions")

    def _cloze(self, segments: Segments) -> Iterator[Cloze]:
        return clozes(self._label, segments, self.parser, self.kinds)

    def _lexical(self, passage: Sequence[str], question: Sequence[str]) -> dict[int, float]:
        return answer_lexically(passage, question, self.window)

    @property
    def _reads_model(self) -> bool:
        return self.reader == "model"

    @property
    def _reader(self) -> Reader:
        """The probability, or the score, of each entity of a passage, for a question."""
        if self.reader == "lexical":
            return self._lexical
        return self._trained.network_as(AttentiveReader).answers

    def _statistics(self, segments: Segments) -> Floats:
        reader, rows = self._reader, []
        for found in self._cloze(segments):
            own = set(candidates_of(found.passage))
            pairs = [*zip(found.questions, found.answers, strict=True)]
            possible = [(question, answer) for question, answer in pairs if answer in own]
            right, lexical = (
                sum(best_of(read(found.passage, question)) == answer for question, answer in possible)
                for read in (reader, self._lexical)
            )
            rows.append((right, lexical, len(possible), len(pairs)))
        return np.array(rows, np.float64).reshape(-1, len(self._columns))

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        right, lexical, possible, questions = np.moveaxis(statistics, -1, 0)
        return {
            "apes": self.scale * ratio(right, questions),
            "lexical": ratio(lexical, questions),
            "present": ratio(possible, questions),
            "correct": right,
            "lexical_correct": lexical,
            "present_count": possible,
            "questions": questions,
        }

    def _hints(self, segments: Segments, of_each: bool = False) -> list[str]:
        return [*self._warned(segments)]

    def _warned(self, segments: Segments) -> Iterator[str]:
        yield from self._model_hints()
        if not np.diff(segments.reference_offsets).all():  # of pairwise, texts of both sides
            return
        rows = self._rows(segments, None)
        if without := int((rows[:, 3] == 0).sum()):
            told = f"the references of {without} of {len(rows)} texts have" if len(rows) > 1 else "the references have"
            yield f"{self._label}: {told} no entity to ask for."

    _variants: ClassVar = {
        "metrologue": Variant("metrologue", "the answers of the model that is given"),
        "lexical": Variant(
            "metrologue", "the answers of a rule that counts words: it needs no model", {"reader": "lexical"}
        ),
    }
