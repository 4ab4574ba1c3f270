"""The numbers of one library, in the calls that people make. It runs where one version of the library is, without ours.

    python tools/history_probe.py LIBRARY < TEXTS > NUMBERS

TEXTS is JSON: a name for each corpus, with its predictions and, for each of them, its references. NUMBERS is JSON: the
version, and for each call a number of each corpus, or the name of the error in its place. A call of pairs of texts
gives the mean. A call that this version has not is not there.
"""

from __future__ import annotations

import json
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import version
from inspect import signature
from pathlib import Path
from typing import Any

Texts = list[str]
References = list[list[str]]
Call = Callable[[Texts, References], Any]


def mean(numbers: Iterator[Any]) -> float:
    """The mean of the numbers of all pairs."""
    listed = [float(each) for each in numbers]
    return sum(listed) / len(listed)


def first(call: Callable[[str, str], Any]) -> Call:
    """The mean of a call of a text and its first reference, in the order that the library has: reference, text."""
    return lambda texts, references: mean(call(own[0], text) for text, own in zip(texts, references, strict=True))


def words(references: References) -> list[list[list[str]]]:
    """The words of all references."""
    return [[text.split() for text in own] for own in references]


def of_words(call: Callable[..., Any], **options: Any) -> Call:
    """A call of nltk's that takes all references, then all texts, as words."""
    return lambda texts, references: call(words(references), [text.split() for text in texts], **options)


def each(call: Call) -> Call:
    """The mean of a call over the texts, one at a time."""
    return lambda texts, references: mean(call([text], [own]) for text, own in zip(texts, references, strict=True))


def streams(references: References) -> References:
    """The first references of all texts, then the second ones, as many as each text has."""
    return [[own[place] for own in references] for place in range(min(map(len, references)))]


def nltk_calls() -> Iterator[tuple[str, Callable[[], Call]]]:
    """nltk's calls."""
    from nltk.metrics import distance
    from nltk.translate import bleu_score, chrf_score, gleu_score, nist_score, ribes_score

    yield "corpus_bleu", lambda: of_words(bleu_score.corpus_bleu)
    for method in range(1, 8):

        def smoothed(name: str = f"method{method}", of_sentences: bool = method > 4) -> Call:
            smoothing = getattr(bleu_score.SmoothingFunction(), name)
            whole = of_words(bleu_score.corpus_bleu, smoothing_function=smoothing)
            return each(whole) if of_sentences else whole

        yield f"{'sentence' if method > 4 else 'corpus'}_bleu, method{method}", smoothed
    yield "corpus_bleu, auto_reweigh", lambda: of_words(bleu_score.corpus_bleu, auto_reweigh=True)
    yield "corpus_gleu", lambda: of_words(gleu_score.corpus_gleu)
    yield "corpus_nist", lambda: of_words(nist_score.corpus_nist)
    yield "corpus_ribes", lambda: of_words(ribes_score.corpus_ribes)
    yield "corpus_chrf", lambda: lambda texts, own: chrf_score.corpus_chrf([each[0] for each in own], texts)
    yield "edit_distance", lambda: first(distance.edit_distance)
    yield "edit_distance, transpositions", lambda: first(lambda a, b: distance.edit_distance(a, b, transpositions=True))
    yield "masi_distance", lambda: first(lambda a, b: distance.masi_distance(set(a.split()), set(b.split())))
    yield "meteor_score", meteor_call


def meteor_call() -> Call:
    """METEOR of words; the oldest versions take texts, and split them in the same way."""
    from nltk.corpus.reader import WordNetCorpusReader
    from nltk.translate.meteor_score import single_meteor_score

    wordnet = WordNetCorpusReader(str(Path(os.environ["NLTK_DATA"], "corpora", "wordnet")), None)

    def score(reference: str, text: str) -> Any:
        try:
            return single_meteor_score(reference.split(), text.split(), wordnet=wordnet)
        except (AttributeError, TypeError):  # a list, where a text is expected
            return single_meteor_score(reference, text, wordnet=wordnet)

    return first(score)


def sacrebleu_calls() -> Iterator[tuple[str, Callable[[], Call]]]:
    """sacrebleu's calls."""
    import sacrebleu

    def corpus(name: str, **options: Any) -> Callable[[], Call]:
        def made() -> Call:
            call = getattr(sacrebleu, name)
            return lambda texts, own: call(texts, streams(own), **options).score

        return made

    def chrf() -> Call:
        """The oldest versions take the first references as they are."""
        call = sacrebleu.corpus_chrf

        def score(texts: Texts, own: References) -> Any:
            try:
                return call(texts, streams(own)).score
            except (AttributeError, TypeError):  # a list, where a text is expected
                return call(texts, streams(own)[0]).score

        return score

    def sentences() -> Call:
        pairs = sacrebleu.sentence_bleu
        return lambda texts, own: mean(pairs(text, each).score for text, each in zip(texts, own, strict=True))

    yield "corpus_bleu", corpus("corpus_bleu")
    for tokenize in ("intl", "char", "none", "zh"):
        yield f"corpus_bleu, tokenize={tokenize}", corpus("corpus_bleu", tokenize=tokenize)
    for smooth in ("floor", "add-k", "none"):
        yield f"corpus_bleu, smooth_method={smooth}", corpus("corpus_bleu", smooth_method=smooth)
    yield "corpus_bleu, lowercase", corpus("corpus_bleu", lowercase=True)
    yield "sentence_bleu", sentences
    yield "corpus_chrf", chrf
    yield "corpus_chrf, word_order=2", corpus("corpus_chrf", word_order=2)
    yield "corpus_ter", corpus("corpus_ter")
    yield "corpus_ter, normalized", corpus("corpus_ter", normalized=True)


def rouge_score_calls() -> Iterator[tuple[str, Callable[[], Call]]]:
    """rouge_score's F of each type."""
    from rouge_score.rouge_scorer import RougeScorer

    for stem in (False, True):
        for kind in ("rouge1", "rouge2", "rougeL", "rougeLsum"):

            def made(kind: str = kind, stem: bool = stem) -> Call:
                scorer = RougeScorer([kind], use_stemmer=stem)
                return first(lambda reference, text: scorer.score(reference, text)[kind].fmeasure)

            yield f"{kind}{', stemmer' * stem}", made


def jiwer_calls() -> Iterator[tuple[str, Callable[[], Call]]]:
    """jiwer's measures."""
    import jiwer

    for name in ("wer", "mer", "wil", "wip", "cer"):

        def made(name: str = name) -> Call:
            measure = getattr(jiwer, name)
            return lambda texts, own: measure([each[0] for each in own], texts)

        yield name, made


def torchmetrics_calls() -> Iterator[tuple[str, Callable[[], Call]]]:
    """The functions of torchmetrics."""
    from torchmetrics import functional

    text = getattr(functional, "text", functional)

    def found(name: str) -> Callable[..., Any]:
        call: Callable[..., Any] = getattr(text if hasattr(text, name) else functional, name)
        return call

    def bleu() -> Call:
        call = found("bleu_score")
        if "translate_corpus" not in signature(call).parameters:
            return call
        # Up to 0.6 it took tokens, and from 0.5 on the references first.
        return lambda texts, own: call(
            translate_corpus=[each.split() for each in texts],
            reference_corpus=[[each.split() for each in some] for some in own],
        )

    yield "bleu_score", bleu
    for name in ("chrf_score", "translation_edit_rate", "extended_edit_distance"):
        yield name, partial(found, name)
    names = ("word_error_rate", "match_error_rate", "word_information_lost", "word_information_preserved")
    for name in (*names, "char_error_rate", "edit_distance"):

        def made(name: str = name) -> Call:
            call = found(name)
            return lambda texts, own: call(texts, [each[0] for each in own])

        yield name, made
    for kind in ("rouge1", "rouge2", "rougeL"):

        def rouge(kind: str = kind) -> Call:
            call = found("rouge_score")
            return lambda texts, own: call(texts, [each[0] for each in own], rouge_keys=kind)[f"{kind}_fmeasure"]

        yield kind, rouge


def numbers(call: Call, texts: dict[str, tuple[Texts, References]]) -> dict[str, float | str]:
    """The number of each corpus, or the name of the error that it is refused with."""
    found: dict[str, float | str] = {}
    for name, (predictions, references) in texts.items():
        try:
            found[name] = float(call(list(predictions), [[*own] for own in references]))
        except Exception as error:
            found[name] = type(error).__name__
    return found


def main(library: str) -> None:
    """Print the numbers of a library."""
    texts = json.load(sys.stdin)
    warnings.simplefilter("ignore")
    printed, sys.stdout = sys.stdout, sys.stderr
    found: dict[str, dict[str, float | str]] = {}
    for name, made in globals()[f"{library}_calls"]():
        try:
            call = made()
        except Exception as error:
            print(f"{name}: {type(error).__name__}: {error}")
            continue
        given = numbers(call, texts)
        if not all(isinstance(each, str) for each in given.values()):
            found[name] = given
    json.dump({"version": version(library.replace("_", "-")), "calls": found}, printed)


if __name__ == "__main__":
    main(sys.argv[1])
