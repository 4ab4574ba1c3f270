"""Distinct-n for `evaluate`: the share of distinct n-grams in texts; the Hub has no module of this name."""

import evaluate

from metrologue.bridge.evaluate_module import MetricModule, named_tokenizer, text_features

_DESCRIPTION = """
Distinct-n (Li et al. 2016) is the share of distinct n-grams among all n-grams of the texts that a system generates. It
is low for a system that repeats itself. There are no references. Longer texts repeat more words, so that only texts of
about the same length are comparable. With `vocab_size` the divisor is the number of distinct n-grams that is expected
by chance (Liu et al. 2022).
"""

_CITATION = """
@inproceedings{li-etal-2016-diversity,
    title = "A Diversity-Promoting Objective Function for Neural Conversation Models",
    author = "Li, Jiwei and Galley, Michel and Brockett, Chris and Gao, Jianfeng and Dolan, Bill",
    booktitle = "Proceedings of the 2016 Conference of the North {A}merican Chapter of the Association for Computational
        Linguistics: Human Language Technologies",
    year = "2016",
    url = "https://aclanthology.org/N16-1014",
    pages = "110--119"
}
@inproceedings{liu-etal-2022-rethinking,
    title = "Rethinking and Refining the Distinct Metric",
    author = "Liu, Siyang and Sabour, Sahand and Zheng, Yinhe and Ke, Pei and Zhu, Xiaoyan and Huang, Minlie",
    booktitle = "Proceedings of the 60th Annual Meeting of the Association for Computational Linguistics",
    year = "2022",
    url = "https://aclanthology.org/2022.acl-short.86",
    pages = "762--770"
}
"""

_INPUTS = """
Args:
    predictions: list of texts to score; or list of groups, each a list of texts.
    n: list of the n of the n-grams.
    denominator: "ngrams" divides by the n-grams of that n, "tokens" by all tokens, as in the paper.
    vocab_size: divide by the expected number of distinct n-grams in random draws from a vocabulary of this size.
    lowercase: whether to ignore case.
    tokenizer: a function from a text to its list of tokens, or the name of one (`metrologue.tokenizers`).
    signature: whether to add "signature", every choice behind the numbers on one line.
    per_segment: whether to add "segments", all numbers of each single prediction.

    An argument that is left out has the variant's value.
Returns:
    For each n: distinct_n (all texts together), mean_distinct_n (the mean over the texts, or groups, that have
    an n-gram), entropy_n (in nats), distinct_count_n (distinct n-grams) and count_n (all n-grams). Also token_count.
Examples:

    >>> import metrologue
    >>> distinct_n = metrologue.load("distinct_n")
    >>> results = distinct_n.compute(predictions=["the cat sat", "the cat ran", "a dog ran fast"])
    >>> results["distinct_1"], results["distinct_count_2"], results["count_2"]
    (0.7, 6, 7)
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class DistinctN(MetricModule, evaluate.Metric):
    """Distinct-n of predictions; there are no references."""

    metric = "distinct_n"
    default_variant = "metrologue"

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=text_features(references=False, groups=True),
            reference_urls=["https://aclanthology.org/N16-1014", "https://aclanthology.org/2022.acl-short.86"],
        )

    def _compute(
        self,
        predictions,
        n=None,
        denominator=None,
        vocab_size=None,
        lowercase=None,
        tokenizer=None,
        signature=False,
        per_segment=False,
    ):
        with named_tokenizer(tokenizer) as name:
            scorer = self._variant(
                orders=n, denominator=denominator, vocabulary=vocab_size, lowercase=lowercase, tokenizer=name
            )
            scores, extras = self._score(scorer, predictions, None, signature, per_segment)
        return {**scores, **extras}
