"""UniEval: how probably a model says yes to a question about a text (Zhong et al. 2022)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import InputError
from metrologue.representations.sequences import NamedSequence, chances
from metrologue.scorers.core.about import About
from metrologue.scorers.core.inputs import REFERENCES, Input, texts
from metrologue.scorers.core.numbers import chosen, counted, number
from metrologue.scorers.core.options import of_long_texts, of_means, option, with_default
from metrologue.scorers.core.rows import ratio
from metrologue.scorers.core.scorer import Scorer
from metrologue.scorers.core.shapes import OfTexts
from metrologue.scorers.core.variants import Variant
from metrologue.scorers.nli_faithfulness import sentences_of
from metrologue.scorers.unieval.questions import TASKS, Question
from metrologue.segments import Segments

__all__ = ["UniEval", "joined"]

_ANSWERS = ("Yes", "No")
# What stands in the place of texts that are missing.
_INSTEAD = {"facts": ("facts", "sources", "references"), "sources": ("sources", "references")}
_DIMENSIONS = tuple(dict.fromkeys(name for questions in TASKS.values() for name in questions))


class _Answers(NamedTuple):
    """What a model answers about some segments."""

    asked: list[list[list[list[str]]]]  # the questions of each segment, dimension, reference and sentence
    answers: dict[str, float]
    left_out: dict[str, int]  # the tokens of a question that did not fit


def _column(segments: Segments, name: str) -> Any:
    """What is given for an input, or stands in its place; None if there is nothing."""
    return next((segments.columns[each] for each in _INSTEAD.get(name, (name,)) if segments.has(each)), None)


def joined(answers: Floats, how: str) -> float:
    """One number of the answers about the sentences of a text: their mean, or their sum; 0 without sentences.

    Examples
    --------
    >>> joined(np.array([0.5, 1.0]), "mean"), joined(np.array([0.5, 1.0]), "sum")
    (0.75, 1.5)
    """
    return float(answers.sum() / (max(len(answers), 1) if how == "mean" else 1))


@dataclass(frozen=True, kw_only=True)
class UniEval(OfTexts, Scorer):
    """How probably a model answers yes, and not no, to questions about a text; higher is better, mostly 0-1.

    A task has questions, one for each dimension, such as "Is this a coherent summary to the document?". The answer is
    the probability that the model begins with "Yes", divided by that of "Yes" or "No". Consistency and the fluency of
    summaries are asked of each sentence, and averaged; engagingness is summed over the sentences, and may be above 1.
    ``unieval`` is the mean of the dimensions. The score of a corpus is the mean of its segments. A text without content
    scores 0.

    `sources` has the document, or the turns of a dialogue before the response, as one text; `facts` what a response may
    use. A dimension needs the texts that its question names. Without facts the sources stand in their place, and
    without sources the references. Of several references, the one with the best answer counts.

    The authors' models are T5, fine-tuned on such questions: ``MingZhong/unieval-sum`` for summaries and data-to-text,
    ``unieval-dialog`` and ``unieval-fact``. Any sequence-to-sequence model of transformers gives numbers, which mean
    nothing if it was not trained on them.

    Raises
    ------
    InputError
        If there is no `model`, it gives NaN, a text that a dimension needs is missing, there is no such dimension, or a
        question is longer than the model's context and `too_long` is "error".

    References
    ----------
    Zhong et al. 2022, https://aclanthology.org/2022.emnlp-main.131; the program
    https://github.com/maszhongming/UniEval.

    Examples
    --------
    A model that likes short questions:

    >>> from metrologue.representations import FunctionSequence
    >>> def short(source, target):
    ...     return [-len(source) / 100 if target == "Yes" else -1.0]
    >>> score = UniEval(model=FunctionSequence("short", short, "1"), task="data2text", sentences="marks")
    >>> {name: round(value, 3) for name, value in score.corpus(["It rains."], ["Rain falls."]).scores.items()}
    {'unieval': 0.522, 'naturalness': 0.591, 'informativeness': 0.453, 'segments': 1}

    The authors' model for summaries, from the Hub or a folder:

    >>> score = UniEval(model="MingZhong/unieval-sum")  # doctest: +SKIP
    >>> score.corpus(["A cat sat."], ["The cat sat."], sources=["On Monday a cat sat."])  # doctest: +SKIP
    """

    name: ClassVar[str] = "unieval"
    about: ClassVar = About(one_call=True, two_texts=False, tolerance=1e-5, papers=("zhong-etal-2022-towards",))
    inputs: ClassVar[tuple[Input, ...]] = (
        texts("predictions"),
        replace(REFERENCES, required=False),
        texts("sources", required=False, about="the document, or the turns before a response"),
        texts("facts", required=False, about="what a response may use"),
    )

    # fmt: off
    model: NamedSequence | None = option(
        None, stage="read", choice="model", kind="sequence",
        about="The model that answers: a folder with a sequence-to-sequence model of transformers, a name on the Hub, "
        "a loaded ``(model, tokenizer)``, or the name of one in use, as a signature has it. There is no score without "
        "one.",
    )
    task: str = option(
        "summarization", stage="pairs", choice="task",
        about="What the texts are, which says what is asked.",
        one_of={
            "summarization": "summaries: coherence, consistency, fluency, relevance",
            "dialogue": "responses: naturalness, coherence, engagingness, groundedness, understandability",
            "data2text": "texts of data: naturalness, informativeness",
            "fact": "claims: consistency",
        },
    )
    dimensions: tuple[str, ...] = option(
        (), stage="pairs", choice="task", about="The dimensions that are asked; none: all those of the task."
    )
    sentences: str = option(
        "punkt", stage="pairs", choice="sentences",
        about="What ends a sentence.",
        one_of={
            "punkt": "what nltk's English model of sentence ends finds",
            "marks": "a full stop, ! or ? before whitespace, or a line end", "newline": "a line end",
        },
    )
    too_long: str = of_long_texts("question", stage="pairs")
    # fmt: on
    aggregation: str = of_means()
    scale: float = with_default(1.0, about="The value of an answer that is surely yes.")

    numbers: ClassVar = (
        number(
            "unieval", 0, "_most", better="higher", title="UniEval",
            about="mean of the dimensions that are asked", unit="",
        ),
        chosen(
            "_asked_of",
            *(
                number(
                    name, 0, math.inf if name == "engagingness" else "scale", better="higher",
                    about=f"how probably the text has {name}, as the model answers",
                )
                for name in _DIMENSIONS
            ),
        ),
        counted("segments", "segments", about="segments, of whose scores these are means"),
    )  # fmt: skip

    @property
    def _asked_of(self) -> tuple[str, ...]:
        """The dimensions that are asked."""
        return self.dimensions or tuple(TASKS[self.task])

    @property
    def _most(self) -> float:
        return math.inf if "engagingness" in self._asked_of else self.scale

    @property
    def _columns(self) -> tuple[str, ...]:
        return (*(f"{name}_sum" for name in self._asked_of), "segments")

    def _check_together(self) -> None:
        for name in self.dimensions:
            self._check("dimensions", name in TASKS[self.task], f"those of {self.task}: {', '.join(TASKS[self.task])}")
        each_once = len({*self.dimensions}) == len(self.dimensions)
        self._check("dimensions", each_once, "a list of dimensions, each once,")

    def _check_inputs(self, segments: Segments) -> None:
        super()._check_inputs(segments)
        for name in self._asked_of if len(segments) else ():
            for _, needed in TASKS[self.task][name].reads:
                if _column(segments, needed) is None:
                    raise InputError(f"{self._label}: `{needed}` are missing; the question about {name} names them.")

    def _asked(self, segments: Segments) -> list[list[list[list[str]]]]:
        """The questions of each segment and dimension: of each reference, those about each sentence."""
        questions = [TASKS[self.task][name] for name in self._asked_of]
        columns = {name: _column(segments, name) for name in self.input_names()}
        texts_of = [{name: one.entries(row) for name, one in columns.items() if one} for row in range(len(segments))]
        return [[self._spelled(each, of_row) for each in questions] for of_row in texts_of]

    def _spelled(self, question: Question, texts_of: Mapping[str, Sequence[str]]) -> list[list[str]]:
        """The question about each sentence, or the text, with each reference or source; none about an empty text."""
        [text] = texts_of["predictions"]
        said = sentences_of(text, self.sentences) if question.each else [text] * bool(text.strip())
        others = [name for _, name in question.reads if name != "predictions"]
        several = max((len(texts_of[name]) for name in others), default=1)
        chosen_of = [{name: texts_of[name][at % len(texts_of[name])] for name in others} for at in range(several)]
        return [[question.spelled({**own, "predictions": part}) for part in said] for own in chosen_of]

    def _answers(self, segments: Segments) -> _Answers:
        if self.model is None:
            raise InputError(
                f"{self._label}: `model` is missing; give a folder with a model that was trained on the questions, "
                "such as the authors', or its name on the Hub."
            )
        model = self.model

        def answer() -> _Answers:
            asked = self._asked(segments)
            distinct = [*dict.fromkeys(one for row in asked for each in row for own in each for one in own)]
            scores, left_out = (each.tolist() for each in chances(model, distinct, *_ANSWERS))
            return _Answers(asked, dict(zip(distinct, scores, strict=True)), dict(zip(distinct, left_out, strict=True)))

        found: _Answers = segments.memoize(("answers", model, self.task, self.dimensions, self.sentences), answer)
        return found

    def _statistics(self, segments: Segments) -> Floats:
        """The answer of each dimension, and a 1."""
        asked, answers, left_out = self._answers(segments)
        rows = np.ones((len(segments), len(self._columns)))
        for row, of_row in enumerate(asked):
            for place, (name, several) in enumerate(zip(self._asked_of, of_row, strict=True)):
                how = TASKS[self.task][name].each
                rows[row, place] = max(joined(np.array([answers[one] for one in own]), how) for own in several)
                long = max((left_out[one] for own in several for one in own), default=0)
                if long and self.too_long == "error":
                    raise InputError.at(
                        self._label, "predictions", segments.first + row,
                        f" makes a question that is longer than the model's context, by {long} tokens. Give "
                        'too_long="cut" to leave its end out.',
                    )  # fmt: skip
        return rows

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        segments = statistics[..., -1]
        means = self.scale * ratio(statistics[..., :-1], segments[..., None])
        own = {name: means[..., place] for place, name in enumerate(self._asked_of)}
        return {"unieval": means.mean(axis=-1), **own, "segments": segments}

    def _hints(self, segments: Segments, of_each: bool = False) -> list[str]:
        if self.model is None or not len(segments):
            return []
        needed = {column for name in self._asked_of for _, column in TASKS[self.task][name].reads}
        hints = [
            f"{self._label}: there are no `{name}`; `{instead}` stand in their place."
            for name, (_, *others) in _INSTEAD.items()
            if name in needed and not segments.has(name) and self.task != "fact"
            for instead in [next(each for each in others if segments.has(each))]
        ]
        _, _, left_out = self._answers(segments)
        long = sum(count > 0 for count in left_out.values())
        told = f"{long} question{' is' if long == 1 else 's are'} longer than the model's context"
        return [*hints, *([f"{self._label}: {told}; the end was left out."] if long else [])]

    _variants: ClassVar = {
        f"unieval-{name}": Variant("UniEval", f"the authors' {about}", {"task": task, "too_long": "cut"}, needs=needs)
        for name, task, about, needs in (
            ("sum", "summarization", "evaluator of summaries; its model is MingZhong/unieval-sum", ("punkt",)),
            ("dialog", "dialogue", "evaluator of responses; its model is MingZhong/unieval-dialog", ("punkt",)),
            ("d2t", "data2text", "evaluator of texts of data; its model is MingZhong/unieval-sum", ()),
            ("fact", "fact", "evaluator of claims; its model is MingZhong/unieval-fact", ("punkt",)),
        )
    }
