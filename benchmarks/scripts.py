"""BLEU of text without spaces, and WER of transcripts that Whisper's normalizers have changed."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import jiwer
import sacrebleu

from benchmarks.texts import Corpus
from benchmarks.timing import Row, in_turn, installed, row
from metrologue.scorers import Bleu, WordErrorRate

__all__ = ["chinese", "in_process"]

# The texts that the other libraries are given: each n-th one.
STEP = 8
FIRST_HAN, HAN = 0x4E00, 3_000


def chinese(corpus: Corpus, seed: int = 1) -> Corpus:
    """The corpus with one to three Chinese characters in the place of each word, the same ones each time.

    So the lengths and the repetitions are those of a language; what the texts say is not.
    """
    drawn = random.Random(seed)
    known: dict[str, str] = {}

    def word(match: re.Match[str]) -> str:
        if match[0] not in known:
            known[match[0]] = "".join(chr(FIRST_HAN + drawn.randrange(HAN)) for _ in range(drawn.randint(1, 3)))
        return known[match[0]]

    def text(of: str) -> str:
        return re.sub(r"[^\W\d_]+", word, of).replace(" ", "")

    systems = [[*map(text, system)] for system in corpus.systems]
    return Corpus(f"{corpus.name}, in Chinese characters", systems, [*map(text, corpus.reference)])


def in_process(corpus: Corpus, rounds: int) -> list[Row]:
    """All texts, from Python's strings to the number."""
    han = chinese(corpus)
    seconds = in_turn(
        {
            "BLEU zh": lambda: Bleu(tokenizer="zh").corpus(han.predictions, han.references),
            "sacrebleu": lambda: sacrebleu.corpus_bleu(
                han.predictions[::STEP], [han.references[::STEP]], tokenize="zh"
            ),
        },
        rounds,
    )
    share = len(han.predictions[::STEP]) / len(han.predictions)
    return [row("BLEU zh", seconds, "BLEU zh", "sacrebleu", 20, 50, share), *_normalized(corpus, rounds)]


def _normalized(corpus: Corpus, rounds: int) -> list[Row]:
    if (english := installed("whisper_normalizer.english", "whisper-normalizer")) is None:
        return []
    basic = installed("whisper_normalizer.basic", "whisper-normalizer")
    predictions, references = corpus.predictions[::STEP], corpus.references[::STEP]

    def theirs(normalize: Callable[[str], str]) -> Callable[[], object]:
        return lambda: jiwer.wer([*map(normalize, references)], [*map(normalize, predictions)])

    rows = []
    for name, normalize in (
        ("whisper-english", english.EnglishTextNormalizer()),
        ("whisper-basic", basic.BasicTextNormalizer()),
    ):
        scorer = WordErrorRate(normalizer=name)
        calls = {
            "ours": lambda scorer=scorer: scorer.corpus(predictions, references),
            "jiwer, normalized": theirs(normalize),
        }
        seconds = in_turn(calls, min(rounds, 3))
        rows.append(row(f"WER, {name}, {len(predictions):,} pairs", seconds, "ours", "jiwer, normalized", 1, 1))
    return rows
