"""SacreBLEU for `evaluate`: the Hub's `sacrebleu`, number for number, without the library of that name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
SacreBLEU is BLEU on plain text. It brings its own tokenizers, so that scores with the same signature were computed in
the same way. This module gives the numbers of the sacrebleu library on its scale of 0 to 100.
"""

_CITATION = """
@inproceedings{post-2018-call,
    title = "A Call for Clarity in Reporting {BLEU} Scores",
    author = "Post, Matt",
    booktitle = "Proceedings of the Third Conference on Machine Translation: Research Papers",
    year = "2018",
    address = "Brussels, Belgium",
    publisher = "Association for Computational Linguistics",
    url = "https://aclanthology.org/W18-6319",
    doi = "10.18653/v1/W18-6319",
    pages = "186--191"
}
"""

_INPUTS = """
Args:
    predictions: list of texts to score, not tokenized.
    references: list of texts, or list of lists of texts if a prediction has several references (as many as it has).
    smooth_method: how to smooth an order without a match: "exp", "floor", "add-k" or "none".
    smooth_value: the value of "floor" (0.1 by default) or "add-k" (1 by default).
    force: has no effect. In sacrebleu it silences a warning about tokenized input, which this module does not give.
    lowercase: whether to ignore case.
    tokenize: "13a", "intl", "char", "none", "zh", "ja-mecab", "ko-mecab", "flores101", "flores200", or a function from
        a text to its list of tokens.
    use_effective_order: whether to leave out the orders in which the predictions have no n-gram.
    signature: whether to add "signature", every choice behind the numbers on one line.
    per_segment: whether to add "segments", all numbers of each single prediction.

    An argument that is left out has the variant's value.
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


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Sacrebleu(MetricModule, evaluate.Metric):
    """BLEU with the arguments and the result of the Hub's module `sacrebleu`."""

    metric = "bleu"
    default_variant = "sacrebleu"
    renamed = (("smoothing", "smooth_method"), ("tokenizer", "tokenize"), ("effective_order", "use_effective_order"))

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=self._features(),
            homepage="https://github.com/mjpost/sacrebleu",
            codebase_urls=["https://github.com/mjpost/sacrebleu"],
            reference_urls=["https://github.com/mjpost/sacrebleu", "https://aclanthology.org/W18-6319"],
        )

    def _compute(
        self,
        predictions,
        references,
        smooth_method=None,
        smooth_value=None,
        force=False,
        lowercase=None,
        tokenize=None,
        use_effective_order=None,
        signature=False,
        per_segment=False,
    ):
        with self._chosen(
            smoothing=smooth_method,
            smooth_value=smooth_value,
            lowercase=lowercase,
            tokenizer=tokenize,
            effective_order=use_effective_order,
        ) as scorer:
            scores, extras = self._score(scorer, predictions, references, signature, per_segment)
        counts, totals = self._by_order(scores, "clipped_count"), self._by_order(scores, "count")
        if scorer.smoothing == "add-k" and any(counts):
            # sacrebleu reports the counts with k added.
            first, k = scorer.smooth_from - 1, 1 if smooth_value is None else smooth_value
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
