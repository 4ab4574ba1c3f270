"""nltk: ``nltk.translate``'s BLEU, NIST, GLEU, RIBES, LEPOR, METEOR and chrF, nltk's MASI and edit distance."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from functools import cache
from statistics import fmean
from types import SimpleNamespace
from typing import Any

from metrologue.comparison.libraries.base import Library, LibraryError, References, Scores, Texts, by_order, renamed
from metrologue.errors import InputError

__all__ = ["Nltk"]

Tokenize = Callable[[str], list[str]]

# nltk takes tokens. Its callers make them in one of these two ways, in plain Python.
TOKENIZERS: dict[str, Tokenize] = {"whitespace": str.split, "characters": list}


class Nltk(Library):
    """nltk, on tokens split at whitespace, as its callers usually make them."""

    name = "nltk"
    distributions = ("nltk",)

    def score_bleu(
        self, predictions: Texts, references: References, *, tokenize: str | Tokenize = "whitespace", **options: Any
    ) -> Scores:
        """``corpus_bleu``, which is ``sentence_bleu`` for one segment; for ``options`` see ``_bleu_options``."""
        from nltk.translate.bleu_score import corpus_bleu

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # nltk warns of each order without a match; the comparison shows this too
            value = corpus_bleu(*_tokens(predictions, references, tokenize), **_bleu_options(**options))
        return {"bleu": float(value)}

    def score_self_bleu(
        self,
        predictions: Texts,
        references: References,
        *,
        tokenize: str | Tokenize = "whitespace",
        smooth: str = "method1",
        **options: Any,
    ) -> Scores:
        """The mean of ``sentence_bleu`` of each text against all others; nltk leaves this loop to its callers."""
        from nltk.translate.bleu_score import sentence_bleu

        tokens, given = [_tokenizer(tokenize)(text) for text in predictions], _bleu_options(smooth=smooth, **options)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            scores = [
                sentence_bleu(tokens[:index] + tokens[index + 1 :], text, **given) for index, text in enumerate(tokens)
            ]
        return {"self_bleu": float(fmean(scores))}

    def score_nist_mt(self, predictions: Texts, references: References, **options: Any) -> Scores:
        """``corpus_nist``, which is ``sentence_nist`` for one segment."""
        from nltk.translate.nist_score import corpus_nist

        return {"nist_mt": float(corpus_nist(*_tokens(predictions, references), **options))}

    def score_google_bleu(
        self, predictions: Texts, references: References, *, tokenize: str | Tokenize = "whitespace", **options: Any
    ) -> Scores:
        """``corpus_gleu``, which is ``sentence_gleu`` for one segment."""
        from nltk.translate.gleu_score import corpus_gleu

        return {"google_bleu": float(corpus_gleu(*_tokens(predictions, references, tokenize), **options))}

    def score_ribes(self, predictions: Texts, references: References, **options: Any) -> Scores:
        """``corpus_ribes``, which is ``sentence_ribes`` for one segment."""
        from nltk.translate.ribes_score import corpus_ribes

        return {"ribes": float(corpus_ribes(*_tokens(predictions, references), **options))}

    def score_masi(self, predictions: list[Any], references: list[list[Any]]) -> Scores:
        """The mean of ``masi_distance`` of each text or set and its nearest reference, and 1 minus it."""
        from nltk.metrics.distance import masi_distance

        def units(text: Any) -> set[Any]:
            return set(text.split() if isinstance(text, str) else text)

        pairs = zip(predictions, references, strict=True)
        distance = fmean(min(masi_distance(units(text), units(other)) for other in own) for text, own in pairs)
        return {"masi": 1 - distance, "masi_distance": distance}

    def score_hlepor(
        self,
        predictions: Texts,
        references: References,
        *,
        tokenize: str | Tokenize | None = None,
        **options: float,
    ) -> Scores:
        """``sentence_lepor`` with the best reference, and the mean of the segments: it gives a number for each pair.

        Its own words are those of ``word_tokenize``.
        """
        from nltk.translate.lepor import sentence_lepor

        if tokenize is None and not has_punkt():
            raise LibraryError(f"{self.name}: word_tokenize needs nltk's data; python -m nltk.downloader punkt_tab")
        split = None if tokenize is None else _tokenizer(tokenize)
        # It changes the list of references.
        pairs = zip(predictions, references, strict=True)
        return {
            "hlepor": fmean(max(sentence_lepor([*texts], text, tokenizer=split, **options)) for text, texts in pairs)
        }

    def score_modified_precision(
        self,
        predictions: Texts,
        references: References,
        *,
        max_order: int = 4,
        tokenize: str | Tokenize = "whitespace",
    ) -> Scores:
        """``modified_precision`` of each order and ``brevity_penalty``, pooled over the segments as in BLEU."""
        from nltk.translate import bleu_score

        tokens, hypotheses = _tokens(predictions, references, tokenize)
        clipped, counts = [0] * max_order, [0] * max_order
        for hypothesis, texts in zip(hypotheses, tokens, strict=True):
            for order in range(max_order):
                fraction = bleu_score.modified_precision(texts, hypothesis, order + 1)
                clipped[order] += fraction.numerator
                counts[order] += fraction.denominator
        lengths = [len(hypothesis) for hypothesis in hypotheses]
        closest = sum(map(bleu_score.closest_ref_length, tokens, lengths))
        return {
            **by_order(
                precision=[c / n for c, n in zip(clipped, counts, strict=True)], clipped_count=clipped, count=counts
            ),
            "brevity_penalty": float(bleu_score.brevity_penalty(closest, sum(lengths))),
            "hypothesis_length": sum(lengths),
            "reference_length": closest,
        }

    def score_chrf(
        self, predictions: Texts, references: References, *, whitespace: bool = False, **options: Any
    ) -> Scores:
        """``corpus_chrf``, which is ``sentence_chrf`` for one segment."""
        from nltk.translate.chrf_score import corpus_chrf

        given = renamed(options, min_char_order="min_len", char_order="max_len")
        value = corpus_chrf(self._single(references), predictions, ignore_whitespace=not whitespace, **given)
        return {"chrf": float(value)}

    def segments_meteor(
        self,
        predictions: Texts,
        references: References,
        *,
        lowercase: bool = True,
        stem: bool = True,
        tokenize: str | Tokenize = "whitespace",
        **options: float,
    ) -> list[Scores]:
        """``meteor_score`` of each segment, with nltk's PorterStemmer, or with one that leaves words as they are.

        nltk leaves the mean to its callers.
        """
        from nltk.stem import PorterStemmer
        from nltk.translate.meteor_score import meteor_score

        given = {
            "preprocess": str.lower if lowercase else str,
            "stemmer": PorterStemmer() if stem else SimpleNamespace(stem=str),
            "wordnet": wordnet(),
            **options,
        }
        pairs = zip(*_tokens(predictions, references, tokenize), strict=True)
        return [{"meteor": float(meteor_score(texts, prediction, **given))} for texts, prediction in pairs]

    def score_edit_distance(self, predictions: Texts, references: References, **options: Any) -> Scores:
        """The mean of ``edit_distance``, with its options ``substitution_cost`` and ``transpositions``."""
        from nltk.metrics.distance import edit_distance

        pairs = zip(self._single(references), predictions, strict=True)
        return {"edit_distance": fmean(edit_distance(*pair, **options) for pair in pairs)}

    def score_align_words(
        self, predictions: Texts, references: References, *, tokenize: str | Tokenize = "whitespace"
    ) -> Scores:
        """How many words of one segment ``align_words`` matches with its one reference, and in how many chunks."""
        from nltk.translate.meteor_score import _count_chunks, align_words

        split = _tokenizer(tokenize)
        [prediction], [[reference]] = predictions, references
        matches, left, left_of_reference = align_words(split(prediction), split(reference), wordnet=wordnet())
        return {
            "hypothesis_match_count": len(matches),
            "reference_match_count": len(matches),
            "chunk_count": _count_chunks(matches),
            "hypothesis_length": len(matches) + len(left),
            "reference_length": len(matches) + len(left_of_reference),
        }


@cache
def wordnet() -> Any:
    """nltk's reader of WordNet. It takes seconds to load."""
    from metrologue.text.lexicon import wordnet_reader

    try:
        return wordnet_reader()
    except InputError as error:
        raise LibraryError(f"nltk: {error}") from error


def has_punkt() -> bool:
    """Whether nltk's sentence model, punkt, is installed."""
    try:
        import nltk

        nltk.data.find("tokenizers/punkt_tab")
    except (ImportError, LookupError):
        return False
    return True


def _bleu_options(
    *,
    max_order: int = 4,
    weights: Sequence[float] | None = None,
    smooth: str = "method0",
    smooth_value: float | None = None,
    auto_reweigh: bool = False,
) -> dict[str, Any]:
    """The arguments of nltk's BLEU. `smooth` names a method of ``SmoothingFunction``.

    `smooth_value` is the one parameter that this function has: epsilon, alpha or k.
    """
    from nltk.translate.bleu_score import SmoothingFunction

    own = {} if smooth_value is None else dict.fromkeys(("epsilon", "alpha", "k"), smooth_value)
    return {
        "weights": tuple(weights) if weights else (1 / max_order,) * max_order,
        "smoothing_function": getattr(SmoothingFunction(**own), smooth),
        "auto_reweigh": auto_reweigh,
    }


def _tokens(
    predictions: Texts, references: References, tokenize: str | Tokenize = "whitespace"
) -> tuple[list[list[list[str]]], list[list[str]]]:
    """The tokens of the references, then those of the predictions, as nltk takes them."""
    split = _tokenizer(tokenize)
    return [[split(text) for text in texts] for texts in references], [split(text) for text in predictions]


def _tokenizer(tokenize: str | Tokenize) -> Tokenize:
    return TOKENIZERS[tokenize] if isinstance(tokenize, str) else tokenize
