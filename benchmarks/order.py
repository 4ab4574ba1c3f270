"""RIBES, NIST, hLEPOR and MASI against libraries; exact match, F1 and SQuAD v2 against BLEU and the Hub's modules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from benchmarks.texts import Corpus
from benchmarks.timing import Row, in_turn, row
from metrologue.comparison.libraries import Available, get_library
from metrologue.scorers import Bleu, ExactMatch, Hlepor, Masi, NistMt, Ribes, SquadV2, TokenF1
from metrologue.scorers.core.kernels.ngrams import set_counts
from metrologue.scorers.core.scorer import Scorer
from metrologue.segments import Segments

__all__ = ["in_process"]

# Libraries in plain Python get this part of the pairs: one of so many.
PART = 16


def in_process(corpus: Corpus, rounds: int) -> list[Row]:
    """All pairs, from Python's strings to the numbers. The Hub's modules run if they are available."""
    predictions, references = corpus.predictions, corpus.references
    fewer = predictions[::PART], references[::PART]
    share = len(fewer[0]) / len(predictions)
    nltk, package, hub, squad = map(get_library, ("nltk", "pypi", "evaluate", "evaluate-squad"))
    scorers = {
        "BLEU": Bleu(tokenizer="whitespace"),
        "RIBES.py": Ribes(),
        "RIBES, nltk's": Ribes.variant("nltk"),
        "NIST, nltk's": NistMt.variant("nltk"),
        # The package's own words are nltk's, which take most of the time of both.
        "hLEPOR, PyPI's": Hlepor.variant("pypi", tokenizer="whitespace"),
        "LEPOR, nltk's": Hlepor.variant("nltk", tokenizer="whitespace"),
        "MASI": Masi(),
        "exact match": ExactMatch(),
        "exact match, regexes": ExactMatch(regexes_to_ignore=("the ", "[0-9]+"), lowercase=True),
        "exact match, SQuAD's": ExactMatch.variant("squad"),
        "token F1, SQuAD's": TokenF1(),
        "SQuAD v2": SquadV2(),
    }
    runs: dict[str, Callable[[], object]] = {
        name: partial(scorer.corpus, predictions, references) for name, scorer in scorers.items()
    }
    segments = Segments(predictions, references)
    peers = {
        "RIBES.py": ("RIBES.py's RIBES", "nltk, RIBES"),
        "RIBES, nltk's": ("RIBES, nltk's", "nltk, RIBES"),
        "hLEPOR, PyPI's": ("hLEPOR, PyPI's", "hLepor"),
        "LEPOR, nltk's": ("LEPOR, nltk's", "nltk, LEPOR"),
        "MASI": ("MASI", "nltk, MASI"),
    }
    for name in peers:
        runs[f"{name}, read before"] = partial(_of_read, scorers[name], segments)
        runs[f"{name}, kernel alone"] = _kernels(scorers[name], segments)
    runs["nltk, MASI"] = lambda: nltk.scores("masi", *fewer)
    runs["nltk, RIBES"] = lambda: nltk.scores("ribes", *fewer)
    runs["nltk, NIST"] = lambda: nltk.scores("nist_mt", *fewer)
    runs["nltk, LEPOR"] = lambda: nltk.scores("hlepor", *fewer, tokenize="whitespace")
    runs["hLepor"] = lambda: package.scores("hlepor", *fewer, separate_punctuation=False)
    modules: Mapping[str, Callable[[], object]] = {
        "the Hub's exact_match": lambda: hub.scores("exact_match", *fewer),
        "the Hub's squad": lambda: squad.scores("token_f1", *fewer),
        "the Hub's squad_v2": lambda: squad.scores("squad_v2", *fewer),
    }
    needed = hub.status("exact_match"), squad.status("token_f1"), squad.status("squad_v2")
    if all(isinstance(each, Available) for each in needed):
        runs |= modules
    seconds = in_turn(runs, rounds)
    rows = [
        row("RIBES.py's RIBES", seconds, "RIBES.py", "nltk, RIBES", 40, 50, share),
        row("RIBES, nltk's", seconds, "RIBES, nltk's", "nltk, RIBES", 40, 50, share),
        row("NIST, nltk's", seconds, "NIST, nltk's", "nltk, NIST", 10, 30, share),
        row("hLEPOR, PyPI's", seconds, "hLEPOR, PyPI's", "hLepor", 20, 50, share),
        row("LEPOR, nltk's", seconds, "LEPOR, nltk's", "nltk, LEPOR", 6, 10, share),
        *(
            row(f"{what}, {how}", seconds, f"{name}, {how}", peer, floor, 50, share)
            for name, (what, peer) in peers.items()
            for how, floor in (("read before", 25), ("kernel alone", 40))
        ),
        *(
            row(name, seconds, name, "BLEU", 1 / 3, 1)
            for name in ("exact match", "exact match, regexes", "exact match, SQuAD's", "token F1, SQuAD's")
        ),
    ]
    if modules.keys() <= seconds.keys():
        rows += [
            row("exact match", seconds, "exact match", "the Hub's exact_match", 1, 3, share),
            row("token F1, SQuAD's", seconds, "token F1, SQuAD's", "the Hub's squad", 10, 20, share),
            row("SQuAD v2", seconds, "SQuAD v2", "the Hub's squad_v2", 10, 20, share),
        ]
    return rows


def _of_read(scorer: Scorer, segments: Segments) -> object:
    """The score of texts that were read before, by another metric of the same words."""
    with segments.forgetting():
        return scorer.corpus(segments)


def _kernels(scorer: Scorer, segments: Segments) -> Callable[[], object]:
    """What only this metric does with the ids of words: a row of counts for each pair."""
    if isinstance(scorer, Masi):
        return partial(set_counts, segments.read(scorer._words).paired)
    if isinstance(scorer, Hlepor):
        return partial(scorer._aligned, scorer._view(segments))
    assert isinstance(scorer, Ribes)
    scorer._view(segments)
    return partial(scorer._pair_statistics, segments)
