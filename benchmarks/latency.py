"""One pair: what a call takes in the loop of a reward function or a re-ranker, beside the library that it mirrors.

A scorer is called, or `metrologue.score`, or `compute` of a module, which is compared with the Hub's.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from statistics import median
from typing import Any

import jiwer
import sacrebleu
from nltk.translate import meteor_score, nist_score, ribes_score
from pycocoevalcap.cider.cider import Cider as PyCider
from rapidfuzz.distance import Levenshtein
from rouge_score.rouge_scorer import RougeScorer

import metrologue
from benchmarks.timing import Row
from metrologue.comparison.libraries import Missing, hub
from metrologue.scorers import (
    Bleu,
    CharacterErrorRate,
    Chrf,
    Cider,
    EditDistance,
    Meteor,
    NistMt,
    Ribes,
    Rouge,
    Scorer,
    Ter,
    WordErrorRate,
)
from metrologue.text.lexicon import wordnet_reader

__all__ = ["in_process", "seconds_of_a_call"]

CALLS = 200
# A call of `compute` takes milliseconds.
MOST_SECONDS = 0.2
HYPOTHESIS = "The cat sat on the mat because it was tired of walking around the house."
REFERENCE = "The cat is sitting on the mat since it got tired from walking through the house."


def seconds_of_a_call(contenders: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """The processor time of a call of each: the median of some rounds of at most ``CALLS`` calls, in turn."""
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    for counted in range(-1, rounds):
        for name, call in contenders.items():
            start, calls = time.process_time(), 0
            while calls < CALLS and (calls % 10 or time.process_time() < start + MOST_SECONDS):
                call()
                calls += 1
            if counted >= 0:
                seconds[name].append((time.process_time() - start) / calls)
    return {name: median(each) for name, each in seconds.items()}


def in_process(rounds: int) -> list[Row]:
    """A row for each metric. Both sides get the same two sentences; scorers are made before the clock starts."""
    rouge, every = RougeScorer(["rouge1", "rougeL"]), RougeScorer(["rouge1", "rouge2", "rougeL", "rougeLsum"])
    hypothesis, reference, wordnet = HYPOTHESIS.split(), REFERENCE.split(), wordnet_reader()
    # What is measured, our scorer, the library and its call, and the promised ratio.
    pairs: list[tuple[str, Scorer, str, Callable[[], object], float]] = [
        (
            "BLEU", Bleu.variant("sacrebleu-sentence"), "sacrebleu",
            lambda: sacrebleu.sentence_bleu(HYPOTHESIS, [REFERENCE]), 1,
        ),
        (
            "ROUGE-1/L", Rouge.variant("rouge_score", types=("rouge1", "rougeL")), "rouge_score",
            lambda: rouge.score(REFERENCE, HYPOTHESIS), 1,
        ),
        ("chrF", Chrf.variant("sacrebleu"), "sacrebleu", lambda: sacrebleu.sentence_chrf(HYPOTHESIS, [REFERENCE]), 1),
        ("TER", Ter(), "sacrebleu", lambda: sacrebleu.sentence_ter(HYPOTHESIS, [REFERENCE]), 1),
        ("CIDEr-D", Cider.variant("pycocoevalcap"), "pycocoevalcap", _cider, 1),
        (
            "METEOR", Meteor.variant("nltk"), "nltk",
            lambda: meteor_score.single_meteor_score(reference, hypothesis, wordnet=wordnet), 0.8,
        ),
        ("NIST", NistMt.variant("nltk"), "nltk", lambda: nist_score.sentence_nist([reference], hypothesis), 1),
        ("RIBES", Ribes.variant("nltk"), "nltk", lambda: ribes_score.sentence_ribes([reference], hypothesis), 1 / 3),
        ("WER", WordErrorRate(), "jiwer", lambda: jiwer.wer(REFERENCE, HYPOTHESIS), 1 / 3),
        ("CER", CharacterErrorRate(), "jiwer", lambda: jiwer.cer(REFERENCE, HYPOTHESIS), 1 / 3),
        ("edit distance", EditDistance(), "rapidfuzz", lambda: Levenshtein.distance(HYPOTHESIS, REFERENCE), 1 / 100),
    ]  # fmt: skip
    hypotheses, references = [HYPOTHESIS], [REFERENCE]
    # The calls of each row: ours, and the library's.
    calls = {f"{what}, one pair": (_segment(scorer), peer, call, floor) for what, scorer, peer, call, floor in pairs}
    doors: dict[str, tuple[str, Callable[[], object]]] = {
        "bleu": ("sacrebleu", lambda: sacrebleu.corpus_bleu(hypotheses, [references])),
        "rouge": ("rouge_score", lambda: every.score(REFERENCE, HYPOTHESIS)),
        "chrf": ("sacrebleu", lambda: sacrebleu.corpus_chrf(hypotheses, [references])),
        "wer": ("jiwer", lambda: jiwer.wer(references, hypotheses)),
    }
    for metric, (peer, call) in doors.items():
        calls[f'score("{metric}", ...), one pair'] = (_score(metric), peer, call, 1 / 5)
    for metric in doors:
        module = hub.load(metric)
        if not isinstance(module, Missing):
            calls[f"module {metric}, one pair"] = (_compute(metrologue.load(metric)), "evaluate", _compute(module), 1.0)
    rows = []
    for what, (our, peer, call, floor) in calls.items():
        ours = f"ours, {what}"  # a library may have the metric's name
        found = seconds_of_a_call({ours: our, peer: call}, rounds)
        rows.append(Row(what, peer, found[ours], found[peer], found[peer] / found[ours], floor, max(floor, 1)))
    return rows


def _cider() -> object:
    """pycocoevalcap keeps the texts of all calls, so that each needs an object of its own."""
    return PyCider().compute_score({0: [REFERENCE]}, {0: [HYPOTHESIS]})


def _segment(scorer: Scorer) -> Callable[[], object]:
    return lambda: scorer.segments([HYPOTHESIS], [REFERENCE])


def _score(metric: str) -> Callable[[], object]:
    return lambda: metrologue.score(metric, [HYPOTHESIS], [REFERENCE])


def _compute(module: Any) -> Callable[[], object]:
    return lambda: module.compute(predictions=[HYPOTHESIS], references=[REFERENCE])
