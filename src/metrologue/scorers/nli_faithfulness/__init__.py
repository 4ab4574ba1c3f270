"""Faithfulness by natural language inference: whether a source entails what a text says of it (Falke et al. 2019)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import Floats
from metrologue.errors import InputError, shown
from metrologue.representations.named import NamedEncoder
from metrologue.representations.pairs import FORMS, LABELS
from metrologue.scorers.core.about import About
from metrologue.scorers.core.crossed import Distinct, distinct_of
from metrologue.scorers.core.hints import are_compared
from metrologue.scorers.core.numbers import counted, number
from metrologue.scorers.core.options import of_long_texts, of_means, option, with_default
from metrologue.scorers.core.rows import by_name, ratio
from metrologue.scorers.core.scorer import Scorer
from metrologue.scorers.core.shapes import OfTexts
from metrologue.scorers.core.variants import Variant
from metrologue.segments import Segments
from metrologue.text.tokenizers.external import nltk_sentences

__all__ = [
    "VERDICTS", "Answers", "Fact", "NliFaithfulness", "facts_of", "mean_margin", "mean_of_best", "premises_of",
    "read_templates", "sentences_of", "verdict",
]  # fmt: skip

VERDICTS = ("ok", "hallucination", "omission", "hallucination_and_omission")
_CONTRADICTED, _ENTAILED = LABELS.index("contradiction"), LABELS.index("entailment")
_SHARES = ("score", "entailed", "contradicted")
_COLUMNS = (*(f"{name}_sum" for name in _SHARES), *(f"{name}_count" for name in VERDICTS), "segments")


def mean_of_best(entailed: Floats) -> float:
    """The mean over the rows, sentences of a text, of the greatest probability in each, those of its premises.

    Examples
    --------
    >>> mean_of_best(np.array([[0.1, 0.9], [0.3, 0.2]]))
    0.6
    """
    return float(entailed.max(axis=1).mean()) if entailed.size else 0.0


def mean_margin(entailed: Floats, contradicted: Floats) -> float:
    """The mean over the sentences of the greatest entailment less the greatest contradiction (SummaC-ZS).

    Examples
    --------
    >>> mean_margin(np.array([[0.1, 0.75], [0.5, 0.25]]), np.array([[0.25, 0.0], [0.25, 0.5]]))
    0.25
    """
    margins = entailed.max(axis=1) - contradicted.max(axis=1) if entailed.size else np.zeros(1)
    return float(margins.mean())


def verdict(supported: bool, missing: bool) -> str:
    """One of ``VERDICTS``: whether the facts entail the text, and whether it leaves a fact out.

    Examples
    --------
    >>> verdict(True, False), verdict(False, True)
    ('ok', 'hallucination_and_omission')
    """
    return VERDICTS[(not supported) + 2 * missing]


class Answers(NamedTuple):
    """What a model of inference says of one segment."""

    # What it read: each hypothesis with each premise, or for facts pairs.
    premises: list[str]
    hypotheses: list[str]
    judged: Floats  # (hypotheses, premises, 3), or for facts (pairs, 1, 3): the probabilities of ``LABELS``


@dataclass(frozen=True, kw_only=True)
class NliFaithfulness(OfTexts, Scorer):
    """How probably a source entails what a text says, as a model of natural language inference sees it; 0-1.

    The references are the sources. Each sentence of the text is a hypothesis, and each sentence of the source a
    premise. The score of the text is the mean over its sentences of the greatest probability of entailment (Falke et
    al. 2019). The variant "maynez" reads the whole source and the whole text as one pair. Of several sources, the
    premises of all count. ``entailed`` and ``contradicted`` are the shares of the sentences whose best premise has this
    label. A text without content scores 0.

    The variant "data-to-text" compares a text with facts. Each reference is a triple, "subject | predicate | object",
    for which a template makes a sentence, or a sentence. If all facts do not entail the text, it hallucinates. If it
    does not entail all facts, or one of them alone, it leaves something out. The score is the least of all
    probabilities of entailment, and four numbers have the shares of the verdicts.

    The variant "summac-zs" is the number of SummaC's package (Laban et al. 2022): the score of a sentence is the
    greatest entailment by a sentence of the source less the greatest contradiction, from -1 to 1. The package cuts
    pairs after 500 tokens; here they are cut at the model's context. The variant "alignscore" is that of AlignScore's
    program (Zha et al. 2023): premises are chunks of about 350 words, and ``open_alignscore`` of
    ``metrologue.scorers.nli_faithfulness.alignscore`` reads its checkpoint.

    The model is a folder with a classifier of transformers that was trained on inference or on consistency, such as one
    for MNLI, QNLI or FactCC, with two or three labels; or any function, or probabilities that are given. With two
    labels, entailment and not_entailment, nothing is contradicted. This package has no such model, and there is no
    score without one. How Falke et al. and Maynez et al. aggregate is from memory; facts are aggregated as in the
    authors' program.

    Raises
    ------
    InputError
        If there is no `model`, or it is not a model of inference; if a pair is longer than its context and `too_long`
        is "error"; if a template cannot be read.

    References
    ----------
    Falke et al. 2019, https://aclanthology.org/P19-1213; Maynez et al. 2020,
    https://aclanthology.org/2020.acl-main.173; Dušek and Kasner 2020, https://aclanthology.org/2020.inlg-1.19, and the
    program at https://github.com/ufal/nlgi_eval; Laban et al. 2022, https://aclanthology.org/2022.tacl-1.10, and the
    package at https://github.com/tingofurro/summac; Zha et al. 2023, https://aclanthology.org/2023.acl-long.634, and
    the program at https://github.com/yuh-zha/AlignScore.

    Examples
    --------
    >>> from metrologue.representations import FunctionEntailment
    >>> given = {
    ...     ("It rained.", "Rain fell."): (0.0, 0.1, 0.9), ("Bo slept.", "Rain fell."): (0.5, 0.4, 0.1),
    ...     ("It rained.", "Bo left."): (0.2, 0.6, 0.2), ("Bo slept.", "Bo left."): (0.5, 0.2, 0.3),
    ... }
    >>> model = FunctionEntailment.of_table("given", given)
    >>> found = NliFaithfulness(model=model).corpus(["Rain fell. Bo left."], ["It rained. Bo slept."])
    >>> round(found.value, 12), found.scores["entailed"], found.scores["contradicted"]
    (0.6, 0.5, 0.5)
    """

    name: ClassVar[str] = "nli_faithfulness"
    about: ClassVar = About(
        needs="a released checkpoint",
        one_call=True,
        tolerance=1e-6,
        papers=(
            "falke-etal-2019-ranking",
            "maynez-etal-2020-faithfulness",
            "dusek-kasner-2020-evaluating",
            "laban-etal-2022-summac",
            "zha-etal-2023-alignscore",
        ),
    )
    title: ClassVar[str] = "NLI faithfulness"

    # fmt: off
    model: NamedEncoder | None = option(
        None, stage="read", choice="model", kind="encoder",
        about="The model of inference: a folder with a model of transformers for the classification of sequences "
        "whose labels are those of inference or of consistency, an object with ``judge_pairs``, such as a "
        "``FunctionEntailment``, or the name of one in use. There is no score without one.",
    )
    check: str = option(
        "source", stage="pairs", choice="what is checked",
        about="What is checked.",
        one_of={
            "source": "whether the references entail each hypothesis",
            "facts": "whether the facts and the text entail each other, which gives a verdict",
        },
    )
    sentences: str = option(
        "marks", stage="pairs", choice="sentences",
        about="What ends a sentence.",
        one_of={
            "marks": "a full stop, ! or ? before whitespace, or a line end", "newline": "a line end",
            "punkt": "what nltk's English model of sentence ends finds",
        },
    )
    shortest: int = option(
        0, stage="pairs", choice="sentences", about="How many characters a sentence has at least; others are left out."
    )
    hypothesis: str = option(
        "sentence", stage="pairs", choice="hypothesis",
        about="What a hypothesis is.",
        one_of={"sentence": "a sentence of the text", "text": "the whole text"},
    )
    window: int = option(
        1, stage="pairs", choice="premise",
        about="How many sentences of a source make a premise; 0: the whole source is one.",
    )
    chunk_words: int | None = option(
        None, stage="pairs", choice="premise", least=1,
        about="About how many words of a source make a premise: sentences are put together in runs of equal number. "
        "None: `window` says it.",
    )
    most_premises: int | None = option(
        None, stage="pairs", choice="premise", least=1,
        about="How many premises of each source are read, the first ones; None: all of them.",
    )
    measure: str = option(
        "entailment", stage="pairs", choice="measure",
        about="What the score of a sentence is.",
        one_of={
            "entailment": "the greatest probability that a premise entails it",
            "margin": "that, less the greatest probability that a premise contradicts it",
        },
    )
    templates: tuple[str, ...] = option(
        (), stage="pairs", choice="templates",
        about='Templates of facts, such as "capital: {object} is the capital of {subject}.". A predicate without one '
        'has "The {predicate} of {subject} is {object}.".',
    )
    optional_facts: tuple[str, ...] = option(
        (), stage="pairs", choice="optional facts", about="Predicates of facts that a text may leave out."
    )
    too_long: str = of_long_texts("pair", "the longer text loses tokens from its end", stage="pairs")
    # fmt: on
    aggregation: str = of_means()
    scale: float = with_default(1.0, about="The value of a probability of 1.")

    numbers: ClassVar = (
        number(
            "nli_faithfulness", "_least", "scale", better="higher", title="NLI faithfulness",
            about="mean over the sentences of the best probability of entailment; of facts, the least probability",
        ),
        number("entailed", 0, "scale", better="higher", about="share of the hypotheses that are entailed"),
        number("contradicted", 0, "scale", better="lower", about="share of the hypotheses that are contradicted"),
        *(
            number(
                name, 0, "scale", better="higher" if name == "ok" else "lower", when={"check": ("facts",)},
                about=f"share of the texts with the verdict {name.replace('_', ' ')}",
            )
            for name in VERDICTS
        ),
        counted("segments", "segments", about="segments, of whose scores these are means"),
    )  # fmt: skip

    _columns = _COLUMNS

    @property
    def _least(self) -> float:
        return -self.scale if self.measure == "margin" else 0.0

    def _check_together(self) -> None:
        read_templates(self.templates)

    def _judge(self) -> Callable[[Sequence[str], Sequence[str]], tuple[Floats, NDArray[np.int64]]]:
        if self.model is None:
            raise InputError(
                "NliFaithfulness: `model` is missing; give a folder with a model of transformers that was trained on "
                "inference, or a FunctionEntailment."
            )
        judge = getattr(self.model.encoder, "judge_pairs", None)
        if judge is None:
            raise InputError(
                f"NliFaithfulness: `model` is {self.model}, which gives no probabilities of inference; a classifier "
                f"with these labels is expected: {FORMS}. If its labels have other names, say what they are: "
                'EntailmentModel(folder, labels=["entailment", ...]).'
            )
        found: Callable[[Sequence[str], Sequence[str]], tuple[Floats, NDArray[np.int64]]] = judge
        return found

    def _statistics(self, segments: Segments) -> Floats:
        """The score, both shares and the verdict of each segment, and a 1."""
        of_each = self._of_facts if self.check == "facts" else self._of_source
        rows = np.zeros((len(segments), len(_COLUMNS)))
        for row, answers in enumerate(self._answers(segments)[0]):
            rows[row, : len(VERDICTS) + len(_SHARES)] = of_each(answers)
        rows[:, -1] = 1.0
        return rows

    def _answers(self, segments: Segments) -> tuple[list[Answers], int]:
        """What the model says of each segment, and how many pairs of texts it had to cut. Each pair is read once."""
        return segments.memoize((*self._key("pairs"), "answers"), lambda: self._answered(segments))

    def _answered(self, segments: Segments) -> tuple[list[Answers], int]:
        texts = distinct_of(segments)
        asked = [self._asked(own, its) for own, its in _sides(segments, texts)]
        pairs = [pair for own in asked for pair in self._pairs(*own)]
        numbers: dict[tuple[str, str], int] = {}
        places = np.array([numbers.setdefault(pair, len(numbers)) for pair in pairs], np.int64)
        judge = self._judge()
        judged, left_out = judge([pair[0] for pair in numbers], [pair[1] for pair in numbers])
        if self.too_long == "error" and left_out.any():
            premise, _ = [*numbers][int(np.flatnonzero(left_out)[0])]
            raise InputError(
                f"NliFaithfulness: a premise, {premise[:60]!r}, is longer than the model's context, by "
                f'{int(left_out[left_out > 0][0])} tokens or more. Give a smaller `window`, or too_long="cut".'
            )
        found, start = [], 0
        for premises, hypotheses in asked:
            count = len(self._pairs(premises, hypotheses))
            own = judged[places[start : start + count]]
            shape = (count, 1, 3) if self.check == "facts" else (len(hypotheses), len(premises), 3)
            found.append(Answers(premises, hypotheses, own.reshape(shape)))
            start += count
        return found, int((left_out > 0).sum())

    def _asked(self, text: str, references: Sequence[str]) -> tuple[list[str], list[str]]:
        """The premises and the hypotheses of a segment; of facts, each premise with the hypothesis at its place."""
        if self.check == "facts":
            facts = facts_of(references, read_templates(self.templates), self.optional_facts)
            return _both_ways(text.strip(), facts)
        of_each = (self._premises(source) for source in references)
        premises = [each for own in of_each for each in own[: self.most_premises]]
        return premises, self._asked_of(text)

    def _asked_of(self, text: str) -> list[str]:
        """The hypotheses of a text."""
        rule, shortest = ("none", 0) if self.hypothesis == "text" else (self.sentences, self.shortest)
        return sentences_of(text, rule, shortest)

    def _premises(self, source: str) -> list[str]:
        window = self.window
        if self.chunk_words is not None:
            chunks = len(source.split()) // self.chunk_words + 1
            window = max(len(sentences_of(source, self.sentences, self.shortest)) // chunks, 1)
        return premises_of(source, self.sentences, window, self.shortest)

    def _pairs(self, premises: list[str], hypotheses: list[str]) -> list[tuple[str, str]]:
        if self.check == "facts":
            return [*zip(premises, hypotheses, strict=True)]
        return [(premise, text) for text in hypotheses for premise in premises]

    def _of_source(self, answers: Answers) -> list[float]:
        """The score and the shares, and no verdict."""
        if not answers.judged.size:
            return [0.0] * (len(_SHARES) + len(VERDICTS))
        entailed = answers.judged[:, :, _ENTAILED]
        best = answers.judged[np.arange(len(entailed)), entailed.argmax(axis=1)]
        labels = best.argmax(axis=1)
        shares = [float((labels == LABELS.index(name)).mean()) for name in ("entailment", "contradiction")]
        margin = self.measure == "margin"
        score = mean_margin(entailed, answers.judged[:, :, _CONTRADICTED]) if margin else mean_of_best(entailed)
        return [score, *shares, *([0.0] * len(VERDICTS))]

    @staticmethod
    def _of_facts(answers: Answers) -> list[float]:
        """The least probability, the shares of the checks, and the verdict."""
        judged = answers.judged[:, 0]
        if not len(judged):
            return [0.0] * len(_SHARES) + [float(name == "hallucination_and_omission") for name in VERDICTS]
        labels = judged.argmax(axis=1)
        supported, missing = bool(labels[0] == _ENTAILED), bool((labels[1:] != _ENTAILED).any())
        found = verdict(supported, missing)
        shares = [float((labels == LABELS.index(name)).mean()) for name in ("entailment", "contradiction")]
        return [float(judged[:, _ENTAILED].min()), *shares, *(float(name == found) for name in VERDICTS)]

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        columns = by_name(_COLUMNS, statistics)
        segments = columns.pop("segments")
        means = {name: self.scale * ratio(column, segments) for name, column in columns.items()}
        own = {"nli_faithfulness": means["score_sum"]}
        own |= {name: means[f"{name}_sum"] for name in _SHARES[1:]}
        if self.check == "facts":
            own |= {name: means[f"{name}_count"] for name in VERDICTS}
        return {**own, "segments": segments}

    def _hints(self, segments: Segments, of_each: bool = False) -> list[str]:
        """Warnings of pairs that were cut, and of texts without content."""
        if self.model is None or not len(segments) or not are_compared(segments):
            return []
        _, long = self._answers(segments)
        cut = f"{long} pair{' is' if long == 1 else 's are'} longer than the model's context"
        texts = segments.texts("predictions").to_pylist()
        empty = sum(not text.strip() for text in texts)
        short = [text for text in texts if text.strip() and not self._asked_of(text)]
        dropped = f"no sentence of {len(short)} text{'s' * (len(short) > 1)} has {self.shortest} characters or more"
        return [
            *([f"{self._label}: {dropped}, such as {short[0]!r}; 0 stands for their score."] if short else []),
            *([f"{self._label}: {cut}; the end of the longer text was left out."] if long else []),
            *([f"{self._label}: {empty} text{'s' * (empty > 1)} without content; the score is 0."] if empty else []),
        ]

    _variants: ClassVar = {
        "falke": Variant("metrologue", "Falke et al. 2019: the mean over sentences of the best premise"),
        "maynez": Variant(
            "metrologue", "Maynez et al. 2020: the whole source and the whole text",
            {"hypothesis": "text", "window": 0, "too_long": "cut"},
        ),
        "alignscore": Variant(
            "AlignScore", "nli_sp of the authors' program, with its three-way head: sentences by chunks of 350 words",
            {"sentences": "punkt", "chunk_words": 350, "too_long": "cut"}, needs=("punkt",),
        ),
        "summac-zs": Variant(
            "summac", "SummaCZS of sentences by sentences, each of more than 10 characters",
            {"sentences": "punkt", "shortest": 11, "most_premises": 100, "measure": "margin", "too_long": "cut"},
            needs=("punkt",),
        ),
        "data-to-text": Variant(
            "metrologue", "Dušek and Kasner 2020: facts in templates, and four verdicts", {"check": "facts"}
        ),
    }  # fmt: skip


def _both_ways(text: str, facts: Sequence[Fact]) -> tuple[list[str], list[str]]:
    """All facts and the text; the text and all facts that it must have; the text and each of these."""
    needed = [fact.text for fact in facts if not fact.optional]
    if not text or not facts:
        return [], []
    several = [" ".join(needed), *needed] if len(needed) > 1 else needed
    return [" ".join(fact.text for fact in facts), *[text] * len(several)], [text, *several]


def _sides(segments: Segments, texts: Distinct) -> list[tuple[str, list[str]]]:
    """Each text, and its references."""
    one, other = texts.pairs(segments)
    limits: Any = segments.reference_offsets
    own = [texts.texts[place] for place in one[limits[:-1]]] if len(one) else []
    its = [[texts.texts[place] for place in other[a:b]] for a, b in pairwise(limits.tolist())]
    return [*zip(own, its, strict=True)]


_END = re.compile(r"(?<=[.!?])[\"'”’)]*\s+|\n+")


class Fact(NamedTuple):
    """A fact as a sentence."""

    text: str
    optional: bool  # whether a text may leave it out


def sentences_of(text: str, rule: str, shortest: int = 0) -> list[str]:
    """The sentences of a text, without empty ones and those of fewer characters than `shortest`.

    Examples
    --------
    >>> sentences_of("It cost 3.5 euros. Who paid?\\n", "marks")
    ['It cost 3.5 euros.', 'Who paid?']
    """
    if rule == "none":
        return [text.strip()] if text.strip() else []
    if rule == "punkt":
        return [part for part in nltk_sentences()(text) if part.strip() and len(part) >= shortest]
    parts, start = [], 0
    for end in _END.finditer(text) if rule == "marks" else re.finditer(r"\n+", text):
        kept = end[0].rstrip() if rule == "marks" else ""  # a quote after the mark belongs to the sentence
        parts.append(text[start : end.start() + len(kept)])
        start = end.end()
    return [part.strip() for part in (*parts, text[start:]) if part.strip() and len(part.strip()) >= shortest]


def premises_of(text: str, rule: str, window: int, shortest: int = 0) -> list[str]:
    """The runs of `window` sentences of a source, one after another; with 0 the whole source.

    Examples
    --------
    >>> premises_of("One. Two. Three.", "marks", 2)
    ['One. Two.', 'Three.']
    """
    if not window:
        return [text] if text.strip() else []
    own = sentences_of(text, rule, shortest)
    return [" ".join(own[start : start + window]) for start in range(0, len(own), window)]


def read_templates(templates: Sequence[str]) -> dict[str, str]:
    """The template of each predicate, from texts such as "capital: {object} is the capital of {subject}.".

    Raises an InputError if a text is not a template, or a predicate has two.
    """
    found: dict[str, str] = {}
    for text in templates:
        predicate, mark, template = (part.strip() for part in text.partition(":"))
        if not (predicate and mark and "{object}" in template) or predicate in found:
            raise InputError(
                f"NliFaithfulness: `templates` has {shown(text)}; one 'predicate: text with {{subject}} and "
                "{object}' for each predicate is expected."
            )
        found[predicate] = template
    return found


def facts_of(references: Sequence[str], templates: Mapping[str, str], optional: Sequence[str]) -> list[Fact]:
    """The facts of a segment. A reference that is no triple, "subject | predicate | object", is a sentence already.

    Examples
    --------
    >>> facts_of(["Norway | capital | Oslo", "Rome | size | big"], {"size": "{subject} is {object}."}, ["size"])
    [Fact(text='The capital of Norway is Oslo.', optional=False), Fact(text='Rome is big.', optional=True)]
    """
    found = []
    for reference in references:
        parts = [part.strip().replace("_", " ") for part in reference.split(" | ")]
        if len(parts) != 3:
            found += [Fact(reference.strip(), False)] if reference.strip() else []
            continue
        subject, predicate, other = parts
        template = templates.get(predicate, "The {predicate} of {subject} is {object}.")
        said = template.replace("{predicate}", predicate).replace("{subject}", subject).replace("{object}", other)
        found.append(Fact(said, predicate in optional))
    return found
