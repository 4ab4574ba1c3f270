"""nltk: ``nltk.translate``'s BLEU, NIST, GLEU, RIBES, LEPOR, METEOR and chrF, nltk's MASI and edit distance."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from functools import cache
from statistics import fmean
from types import SimpleNamespace
from typing import Any

from metrologue.comparison.libraries.base import Library, LibraryError, Scores, by_order
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
        self,
        predictions: list[str],
        references: list[list[str]],
        *,
        max_order: int = 4,
        weights: Sequence[float] | None = None,
        smooth: str = "method0",
        smooth_value: float | None = None,
        auto_reweigh: bool = False,
        tokenize: str | Tokenize = "whitespace",
    ) -> Scores:
        """``corpus_bleu``, which is ``sentence_bleu`` for one segment; ``smooth`` names a ``SmoothingFunction``.

        `smooth_value` is the one parameter that this function has: epsilon, alpha or k.
        """
        from nltk.translate.bleu_score import corpus_bleu

        split = _tokenizer(tokenize)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # nltk warns of each order without a match; the comparison shows this too
            value = corpus_bleu(
                [[split(text) for text in texts] for texts in references],
                [split(text) for text in predictions],
                tuple(weights) if weights else (1 / max_order,) * max_order,
                smoothing_function=_smoothing(smooth, smooth_value),
                auto_reweigh=auto_reweigh,
            )
        return {"bleu": float(value)}

    def score_self_bleu(
        self,
        predictions: list[str],
        references: list[list[str]],
        *,
        max_order: int = 4,
        weights: Sequence[float] | None = None,
        smooth: str = "method1",
        smooth_value: float | None = None,
        auto_reweigh: bool = False,
        tokenize: str | Tokenize = "whitespace",
    ) -> Scores:
        """The mean of ``sentence_bleu`` of each text against all others; nltk leaves this loop to its callers."""
        from nltk.translate.bleu_score import sentence_bleu

        tokens = [_tokenizer(tokenize)(text) for text in predictions]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            scores = [
                sentence_bleu(
                    tokens[:index] + tokens[index + 1 :],
                    text,
                    tuple(weights) if weights else (1 / max_order,) * max_order,
                    smoothing_function=_smoothing(smooth, smooth_value),
                    auto_reweigh=auto_reweigh,
                )
                for index, text in enumerate(tokens)
            ]
        return {"self_bleu": float(fmean(scores))}

    def score_nist_mt(self, predictions: list[str], references: list[list[str]], *, n: int = 5) -> Scores:
        """``corpus_nist``, which is ``sentence_nist`` for one segment."""
        from nltk.translate.nist_score import corpus_nist

        tokens = [[text.split() for text in texts] for texts in references]
        return {"nist_mt": float(corpus_nist(tokens, [text.split() for text in predictions], n))}

    def score_google_bleu(
        self,
        predictions: list[str],
        references: list[list[str]],
        *,
        min_len: int = 1,
        max_len: int = 4,
        tokenize: str | Tokenize = "whitespace",
    ) -> Scores:
        """``corpus_gleu``, which is ``sentence_gleu`` for one segment."""
        from nltk.translate.gleu_score import corpus_gleu

        split = _tokenizer(tokenize)
        value = corpus_gleu(
            [[split(text) for text in texts] for texts in references],
            [split(text) for text in predictions],
            min_len,
            max_len,
        )
        return {"google_bleu": float(value)}

    def score_ribes(
        self, predictions: list[str], references: list[list[str]], *, alpha: float = 0.25, beta: float = 0.1
    ) -> Scores:
        """``corpus_ribes``, which is ``sentence_ribes`` for one segment."""
        from nltk.translate.ribes_score import corpus_ribes

        tokens = [[text.split() for text in texts] for texts in references]
        return {"ribes": float(corpus_ribes(tokens, [text.split() for text in predictions], alpha, beta))}

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
        predictions: list[str],
        references: list[list[str]],
        *,
        alpha: float = 1.0,
        beta: float = 1.0,
        tokenize: str | Tokenize | None = None,
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
        return {"hlepor": fmean(max(sentence_lepor([*texts], text, alpha, beta, split)) for text, texts in pairs)}

    def score_modified_precision(
        self,
        predictions: list[str],
        references: list[list[str]],
        *,
        max_order: int = 4,
        tokenize: str | Tokenize = "whitespace",
    ) -> Scores:
        """``modified_precision`` of each order and ``brevity_penalty``, pooled over the segments as in BLEU."""
        from nltk.translate import bleu_score

        split = _tokenizer(tokenize)
        hypotheses = [split(text) for text in predictions]
        tokens = [[split(text) for text in texts] for texts in references]
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
        self,
        predictions: list[str],
        references: list[list[str]],
        *,
        min_char_order: int = 1,
        char_order: int = 6,
        beta: float = 3.0,
        whitespace: bool = False,
    ) -> Scores:
        """``corpus_chrf``, which is ``sentence_chrf`` for one segment."""
        from nltk.translate.chrf_score import corpus_chrf

        firsts = self._single(references)
        value = corpus_chrf(
            firsts, predictions, min_char_order, char_order, beta=beta, ignore_whitespace=not whitespace
        )
        return {"chrf": float(value)}

    def score_meteor(self, predictions: list[str], references: list[list[str]], **options: Any) -> Scores:
        """The mean of ``meteor_score``, which nltk leaves to its callers; for ``options`` see ``segments_meteor``."""
        return {"meteor": fmean(row["meteor"] for row in self.segments_meteor(predictions, references, **options))}

    def segments_meteor(
        self,
        predictions: list[str],
        references: list[list[str]],
        *,
        alpha: float = 0.9,
        beta: float = 3.0,
        gamma: float = 0.5,
        lowercase: bool = True,
        stem: bool = True,
        tokenize: str | Tokenize = "whitespace",
    ) -> list[Scores]:
        """``meteor_score`` of each segment, with nltk's PorterStemmer, or with one that leaves words as they are."""
        from nltk.stem import PorterStemmer
        from nltk.translate.meteor_score import meteor_score

        split, lexicon = _tokenizer(tokenize), wordnet()
        stemmer = PorterStemmer() if stem else SimpleNamespace(stem=str)
        return [
            {
                "meteor": float(
                    meteor_score(
                        [split(text) for text in texts],
                        split(prediction),
                        preprocess=str.lower if lowercase else str,
                        stemmer=stemmer,
                        wordnet=lexicon,
                        alpha=alpha,
                        beta=beta,
                        gamma=gamma,
                    )
                )
            }
            for prediction, texts in zip(predictions, references, strict=True)
        ]

    def score_edit_distance(self, predictions: list[str], references: list[list[str]], **options: Any) -> Scores:
        """The mean of ``edit_distance``, with its options ``substitution_cost`` and ``transpositions``."""
        from nltk.metrics.distance import edit_distance

        pairs = zip(self._single(references), predictions, strict=True)
        return {"edit_distance": fmean(edit_distance(*pair, **options) for pair in pairs)}

    def score_align_words(
        self, predictions: list[str], references: list[list[str]], *, tokenize: str | Tokenize = "whitespace"
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


def _smoothing(name: str, value: float | None) -> Callable[..., Any]:
    """A method of ``SmoothingFunction``, with this value of its parameter."""
    from nltk.translate.bleu_score import SmoothingFunction

    own = {} if value is None else {"epsilon": value, "alpha": value, "k": value}
    method: Callable[..., Any] = getattr(SmoothingFunction(**own), name)
    return method


def _tokenizer(tokenize: str | Tokenize) -> Tokenize:
    return TOKENIZERS[tokenize] if isinstance(tokenize, str) else tokenize
