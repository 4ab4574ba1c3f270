"""SacreBLEU for `evaluate`: the Hub's `sacrebleu`, number for number, without the library of that name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class Sacrebleu(MetricModule, evaluate.Metric):
    """BLEU with the arguments and the result of the Hub's module `sacrebleu`.

    SacreBLEU is BLEU on plain text. It brings its own tokenizers, so that scores with the same signature were computed
    in the same way. This module gives the numbers of the sacrebleu library on its scale of 0 to 100.

    Args:
        force: has no effect. In sacrebleu it silences a warning about tokenized input, which this module does not give.

    Returns:
        score, counts (the clipped count of each order), totals (the number of n-grams of each order), precisions, bp
        (brevity penalty), sys_len and ref_len (in tokens).

    Examples:

        >>> import metrologue
        >>> sacrebleu = metrologue.load("sacrebleu")
        >>> predictions = ["the cat sat on the mat", "it was unexpected"]
        >>> references = [["the cat sat on a mat", "a cat sat on the mat"], ["it was not expected"]]
        >>> results = sacrebleu.compute(predictions=predictions, references=references)
        >>> list(results)
        ['score', 'counts', 'totals', 'precisions', 'bp', 'sys_len', 'ref_len']
        >>> results["counts"], results["totals"]
        ([7, 6, 4, 3], [9, 7, 5, 3])
        >>> sacrebleu.compute(predictions=predictions, references=references, tokenize="char")["sys_len"]
        32
    """

    metric = "bleu"
    default_variant = "sacrebleu"
    arguments = {"smooth_method": "smoothing", "tokenize": "tokenizer", "use_effective_order": "effective_order"}
    programs = ("https://github.com/mjpost/sacrebleu",)

    def _fields(self, force=False):
        return {}

    def _answer(self, scorer, segments, call):
        scores, extras = self._scored(scorer, segments, call)
        counts, totals = self._by_order(scores, "clipped_count"), self._by_order(scores, "count")
        if scorer.smoothing == "add-k" and any(counts):
            # sacrebleu reports the counts with k added.
            first, k = scorer.smooth_from - 1, call.fields.get("smooth_value", 1)
            for numbers in (counts, totals):
                numbers[first:] = [number + k for number in numbers[first:]]
        return {
            "score": scores["bleu"],
            "counts": counts,
            "totals": totals,
            "precisions": self._by_order(scores, "precision"),
            "bp": scores["brevity_penalty"],
            "sys_len": scores["hypothesis_length"],
            "ref_len": scores["reference_length"],
            **extras,
        }
