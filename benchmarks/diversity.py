"""Self-BLEU against nltk and fast-bleu; lexical diversity against lexicalrichness and lexical-diversity."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator

from benchmarks.texts import Corpus
from benchmarks.timing import Row, in_turn, row
from metrologue.comparison.libraries import Available, get_library
from metrologue.scorers import LexicalDiversity, SelfBleu

__all__ = ["in_process", "long_texts"]

TEXTS, FEW = 500, 20  # FEW of nltk's hypotheses, each with all the other texts as references
TOKENS, FEW_TOKENS = 1_000_000, 5_000


def in_process(corpus: Corpus, rounds: int) -> list[Row]:
    """Self-BLEU of 500 texts, and the measures of a text; slow peers get a part. Nothing is kept between rounds."""
    texts = corpus.predictions[:TEXTS]
    words = _running_text(corpus, FEW_TOKENS)
    richness, measures = get_library("lexicalrichness"), LexicalDiversity.variant("lexicalrichness").measures
    seconds = in_turn(
        {
            "self-BLEU": lambda: SelfBleu().corpus(texts),
            "nltk": lambda: _nltk(texts),
            "measures": lambda: LexicalDiversity.variant("lexicalrichness").corpus([words]),
            "lexicalrichness": lambda: richness.scores("lexical_diversity", [words], [[]], measures=measures),
            "measures, 0.1.1": lambda: LexicalDiversity.variant("lexical-diversity").corpus([words]),
            "lexical-diversity": lambda: get_library("lexical-diversity").scores("lexical_diversity", [words], [[]]),
            **_fast_bleu(texts),
        },
        min(rounds, 3),
    )
    rows = [
        row("Self-BLEU, 500 texts", seconds, "self-BLEU", "nltk", 300, 500, FEW / TEXTS),
        row("lexical diversity, 5,000 tokens", seconds, "measures", "lexicalrichness", 5, 20),
        row("lexical diversity, 5,000 tokens", seconds, "measures, 0.1.1", "lexical-diversity", 3, 5),
    ]
    if "fast-bleu" in seconds:
        rows.append(row("Self-BLEU, 500 texts", seconds, "self-BLEU", "fast-bleu", 10, 15))
    return rows


def _nltk(texts: list[str]) -> None:
    from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

    tokens, smoothing = [text.split() for text in texts], SmoothingFunction().method1
    for index in range(FEW):
        sentence_bleu(tokens[:index] + tokens[index + 1 :], tokens[index], smoothing_function=smoothing)


def _fast_bleu(texts: list[str]) -> dict[str, Callable[[], object]]:
    library = get_library("fast-bleu")
    if not isinstance(library.status(), Available):
        return {}
    return {"fast-bleu": lambda: library.scores("self_bleu", texts, [[]] * len(texts))}


def _running_text(corpus: Corpus, tokens: int) -> str:
    words = " ".join(corpus.predictions).split()
    return " ".join((words * (tokens // len(words) + 1))[:tokens])


def long_texts(corpus: Corpus, rounds: int) -> Iterator[str]:
    """How long MATTR and MTLD of a million tokens take, from text; and Self-BLEU of 10,000 texts."""
    text = _running_text(corpus, TOKENS)
    texts = corpus.predictions[:10_000]
    jobs: dict[str, Callable[[], object]] = {
        "MATTR of a million tokens, from text": lambda: LexicalDiversity(measures=("mattr",)).corpus([text]),
        "MTLD of a million tokens, from text": lambda: LexicalDiversity(measures=("mtld",)).corpus([text]),
        "all measures of a million tokens, from text": lambda: LexicalDiversity().corpus([text]),
        f"Self-BLEU of {len(texts):,} texts": lambda: SelfBleu().corpus(texts),
    }
    for name, job in jobs.items():
        job()
        yield f"{name}: {statistics.median(_seconds(job) for _ in range(max(rounds, 1))):.3f} s"


def _seconds(job: Callable[[], object]) -> float:
    start = time.perf_counter()
    job()
    return time.perf_counter() - start
