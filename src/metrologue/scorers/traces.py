"""``trace``: how a scorer comes to its number for one segment. This module knows which metrics have their own trace."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from metrologue.data.intake import checked_index, is_list
from metrologue.errors import InputError, shown
from metrologue.scorers.core.registry import scorer_and_inputs
from metrologue.scorers.core.scorer import Scorer
from metrologue.scorers.core.trace import build
from metrologue.segments import Segments
from metrologue.tracing import Trace

__all__ = ["trace"]

# A function that makes a trace of segments. It takes the scorer of one metric.
Builder = Callable[[Any, Segments], Trace]


def trace(
    scorer: Scorer | str,
    prediction: Any = None,
    references: Any = None,
    *,
    index: int = 0,
    segment: int | None = None,
    variant: str | None = None,
    **inputs: Any,
) -> Trace:
    """Show how a scorer comes to its number for one segment.

    Parameters
    ----------
    scorer : Scorer or str
        Any scorer. A str is given to ``make_scorer``: a name such as "bleu:nltk", or a signature.
    prediction : str
        The hypothesis. For a metric of sets, it may be a set or a list of labels, and so may each reference. For a
        metric of classification, the label, or the labels of all segments.
    references : sequence of str, optional
        Its references. At least one, unless the metric needs no references. For a metric of classification, the right
        label, or the right labels of all segments.
    segment : int, optional
        Which segment of a corpus to show, from 0. Then `prediction`, also called `predictions`, and `references` are
        those of all segments, as for ``score``, and so are the other inputs. A table that the scorer has not yet, such
        as CIDEr's, is made from all of them.
    index : int
        The index of the segment in its file, for a metric that depends on it (`ordered`). Such a metric also takes a
        list of predictions, with the references of each, from this index on.
    variant : str, optional
        One of the metric's variants, as for ``score``.
    **inputs
        The metric's other inputs for this segment, by their names; and values of fields, as for ``score``.

    Returns
    -------
    Trace
        The formula with its numbers, and blocks that show what was counted. BERTScore shows the cosines of all tokens,
        the strongest matches, and what each token adds. BLEU, chrF and NIST show the n-grams of each order, ROUGE shows
        what matched for each type, METEOR and hLEPOR show the alignment, RIBES shows the ranks, GTM shows the grid of
        hits, YiSi shows the similarities of all words and the frames, and MASI shows the sets. TER, the edit distance
        and the error rates show both texts in columns, with a letter below each edit. Lexical diversity shows how the
        vocabulary grows, and with distinct-n the n-grams that come again. Self-BLEU with a pool shows the nearest
        texts, and the n-grams that most texts have. GEval's hashed metrics show the buckets of a line, and of several
        lines the surprisal of each word. Cross-entropy, likelihood and perplexity show the surprisal of each token.
        Metrics of classification show the confusion matrix. WMD shows how much weight moves from which word to which,
        MoverScore from which token, and Sentence Mover's Similarity from which sentence. ROUGE-WE shows what each
        n-gram matched. SPICE draws both scene graphs. HUSE shows how the neighbours of each text vote. Pyramid shows
        the SCUs of each tier, and what the summary expresses; PEAK also shows the triples that are alike. DAE shows the
        dependency arcs with their probabilities, APES the questions and answers. NLI faithfulness shows the best
        premise of each sentence. ESIM shows to what each token attends, ADEM what each product adds, and BLEURT what
        each word adds. Other learned metrics show what each feature adds. Entity recall marks the names that both texts
        have. Metrics of dialogues show the score after each turn. Any other metric shows a table of its numbers. See
        ``text()``, ``html()`` and ``to_dict()``.

    Raises
    ------
    InputError
        If `scorer` does not describe a scorer, the texts do not make a segment, there is no such segment, or the
        variant refuses the texts.

    Examples
    --------
    >>> from metrologue.scorers import Bleu, Rouge
    >>> found = trace(Bleu.variant("nltk", max_order=1), "the the the the the the the",
    ...               ["the cat is on the mat", "there is a cat on the mat"])
    >>> print(found.formula)
    BLEU = 1.000 · exp(1·ln(2/7)) = 0.2857142857142857
    >>> found.table("1-grams").column("clipped")
    (2,)
    >>> print(trace(Rouge(types=("rougeL",)), "the gunman kill police", ["police killed the gunman"]).formula)
    rougeL_fmeasure = 2·0.5·0.5/(0.5 + 0.5) = 0.5
    >>> print(trace("wer", ["a cat", "a dog"], ["a cat", "the dog"], segment=1).formula)
    wer = (1 + 0 + 0)/2 = 0.5
    """
    if not isinstance(scorer, Scorer | str):
        raise InputError(f"trace: `scorer` is {shown(scorer)}; a Scorer is expected.")
    predictions = inputs.pop("predictions", None)
    if predictions is not None and (prediction is not None or segment is None):
        raise InputError(f"trace: `predictions` are those of a corpus; a call is `{_OF_CORPUS}`.")
    prediction = predictions if prediction is None else prediction
    scorer, inputs = scorer_and_inputs(scorer, variant, inputs)
    if segment is not None:
        return _of_corpus(scorer, scorer._to_segments(prediction, references, **inputs), segment)
    if scorer._traces_all and not isinstance(prediction, str | int):
        return _builder(scorer)(scorer, scorer._to_segments(prediction, references, **inputs).placed(index))
    if scorer.takes("texts") and is_list(prediction):
        raise InputError(
            f"trace: `prediction` is {shown(prediction)}; a str is expected, or a corpus and the segment to show: "
            f"`{_OF_CORPUS}`."
        )
    # If references are missing, the message is the same as for a corpus.
    some = () if references is None else references
    texts = [some] if len(some) or scorer.input("references") else None
    others: dict[str, Any] = {name: [value] for name, value in inputs.items()}
    single = scorer._to_segments([prediction], texts, **others)
    return _builder(scorer)(scorer, single.placed(index) if scorer._ordered else single)


_OF_CORPUS = 'trace("bleu", predictions, references, segment=0)'


def _of_corpus(scorer: Scorer, segments: Segments, segment: int) -> Trace:
    """The trace of one segment, whose table comes from all of them."""
    at = checked_index(segment, len(segments), "trace: `segment`")
    if not scorer._is_fitted:
        scorer = scorer.fit(segments)
    return _builder(scorer)(scorer, segments.slice(at, at + 1).placed(at if scorer._ordered else 0))


def _builder(scorer: Scorer) -> Builder:
    """What makes the trace of a scorer: that of its metric, or that of the metric from which it is derived."""
    names = [vars(kind).get("name", "") for kind in type(scorer).__mro__]
    return next(filter(None, map(_of_metric, names)), build)


def _of_metric(name: str) -> Builder | None:
    """What makes the trace of a metric, imported when it is first asked for."""
    match name:
        case "apes":
            from metrologue.scorers.apes.trace import build as apes

            return apes
        case "adem":
            from metrologue.scorers.adem_trace import build as adem

            return adem
        case "bertscore":
            from metrologue.scorers.bertscore.trace import build as bertscore

            return bertscore
        case "bleu":
            from metrologue.scorers.bleu.trace import build as bleu

            return bleu
        case "chrf":
            from metrologue.scorers.chrf.trace import build as chrf

            return chrf
        case "cider":
            from metrologue.scorers.cider.trace import build as cider

            return cider
        case "accuracy" | "confusion_matrix" | "f1" | "precision" | "recall":
            from metrologue.scorers.classification.trace import build as classification

            return classification
        case "dae":
            from metrologue.scorers.dae.trace import build as dae

            return dae
        case "distinct_n":
            from metrologue.scorers.diversity_trace import build as diversity_trace

            return diversity_trace
        case "edit_distance":
            from metrologue.scorers.edit_distance.trace import build as edit_distance

            return edit_distance
        case "cer" | "mer" | "wer" | "wil" | "wip":
            from metrologue.scorers.error_rates.trace import build as error_rates

            return error_rates
        case "entity_recall":
            from metrologue.scorers.entity_trace import build as entity_trace

            return entity_trace
        case "factcc":
            from metrologue.scorers.factcc_trace import build as factcc_trace

            return factcc_trace
        case "fed" | "fined_eval" | "ruber" | "usr":
            from metrologue.scorers.dialogue_trace import build as dialogue_trace

            return dialogue_trace
        case "gtm":
            from metrologue.scorers.gtm.trace import build as gtm

            return gtm
        case "likelihood_hashed" | "log_loss_hashed" | "perplexity_hashed":
            from metrologue.scorers.hashed_words_trace import build as hashed_words_trace

            return hashed_words_trace
        case "huse":
            from metrologue.scorers.huse.trace import build as huse

            return huse
        case "hlepor":
            from metrologue.scorers.hlepor.trace import build as hlepor

            return hlepor
        case "lexical_diversity":
            from metrologue.scorers.lexical_diversity.trace import build as lexical_diversity

            return lexical_diversity
        case "esim":
            from metrologue.scorers.esim_trace import build as esim

            return esim
        case "masi":
            from metrologue.scorers.masi.trace import build as masi

            return masi
        case "meteor":
            from metrologue.scorers.meteor.trace import build as meteor

            return meteor
        case "nli_faithfulness":
            from metrologue.scorers.nli_faithfulness.trace import build as nli_faithfulness

            return nli_faithfulness
        case "nist_mt":
            from metrologue.scorers.nist_mt.trace import build as nist_mt

            return nist_mt
        case "perception_score":
            from metrologue.scorers.perception_trace import build as perception

            return perception
        case "peak":
            from metrologue.scorers.peak.trace import build as peak

            return peak
        case "pyramid":
            from metrologue.scorers.pyramid.trace import build as pyramid

            return pyramid
        case "ribes":
            from metrologue.scorers.ribes.trace import build as ribes

            return ribes
        case "rouge":
            from metrologue.scorers.rouge.trace import build as rouge

            return rouge
        case "bleurt":
            from metrologue.scorers.bleurt_trace import build as bleurt

            return bleurt
        case "compact_reward":
            from metrologue.scorers.reward_trace import build as reward

            return reward
        case "comparator":
            from metrologue.scorers.comparator_trace import build as comparator

            return comparator
        case "composite" | "nneval" | "ruse":
            from metrologue.scorers.trained_trace import build as trained

            return trained
        case "self_bleu":
            from metrologue.scorers.self_bleu.trace import build as self_bleu

            return self_bleu
        case "spice":
            from metrologue.scorers.spice.trace import build as spice

            return spice
        case "ter":
            from metrologue.scorers.ter.trace import build as ter

            return ter
        case "tesla":
            from metrologue.scorers.tesla.trace import build as tesla

            return tesla
        case "tesla_celab":
            from metrologue.scorers.tesla_celab.trace import build as tesla_celab

            return tesla_celab
        case "cross_entropy" | "likelihood" | "perplexity":
            from metrologue.scorers.token_probabilities.trace import build as token_probabilities

            return token_probabilities
        case "rouge_we":
            from metrologue.scorers.rouge_we.trace import build as rouge_we

            return rouge_we
        case "moverscore":
            from metrologue.scorers.moverscore.trace import build as moverscore

            return moverscore
        case "smd":
            from metrologue.scorers.smd.trace import build as smd

            return smd
        case "wmd":
            from metrologue.scorers.wmd.trace import build as wmd

            return wmd
        case "meant" | "yisi":
            from metrologue.scorers.yisi.trace import build as yisi

            return yisi
    return None
