"""Distinct-n for `evaluate`, made by `make docs`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
Distinct-n, the share of distinct n-grams in generated texts: over all texts, as a mean over texts, and adjusted to what
chance would give; with the entropy.
"""

_INPUTS = """
Args:
    predictions (list[str] or list[list[str]]): the texts to score, or groups of texts. Tuples, NumPy arrays, pandas
        Series, `datasets` columns and Arrow arrays are fine too.
    aggregation ("corpus", default "corpus"): How the segments of a corpus make one score. `corpus`: the score of the
        summed statistics.
    scale (float, default 1.0): The value of a perfect score.
    tokenizer (str or function, default "whitespace"): One of `metrologue.tokenizers.list_tokenizers()`.
    lowercase (bool, default False): Whether to apply `str.lower()` first.
    n (list of int, default [1, 2]): The n of the n-grams. `value` is that of the last one.
    denominator ("ngrams" or "tokens", default "ngrams"): What the number of distinct n-grams is divided by. `ngrams`:
        all n-grams of the order. `tokens`: all tokens (the paper, for every order).
    vocab_size (int, default None): Expectation-adjusted distinct (EAD): divide by the expected number of distinct
        n-grams in as many random draws from `vocabulary` n-grams, and not by the number of draws. The paper takes the
        size of a model's vocabulary, or the number of types of a data set. None: do not adjust.
    level ("corpus" or "sentence", default "corpus"): What `value` is. The result has both. `corpus`: distinct-n of all
        texts together, all that a system wrote. `sentence`: the mean distinct-n of single texts, or of groups.
    signature (bool): adds `"signature"`, every choice behind the numbers on one line.
    per_segment (bool): adds `"segments"`: for each number, a list of its values for the single predictions.

    An argument that is left out has the variant's value. The defaults shown are those of "metrologue".
Returns:
    For each n:
    distinct_n (`float`): distinct n-grams of all texts, divided by all n-grams, 0 to 1; higher is more diverse.
    mean_distinct_n (`float`): the mean of the distinct-n of single texts, or of groups, over those that have an n-gram.
    entropy_n (`float`): the entropy of the n-grams of all texts in nats (Zhang et al. 2018).
    distinct_count_n, count_n (`int`): the number of distinct n-grams, and of all n-grams.
Examples:

    >>> import metrologue
    >>> distinct_n = metrologue.load("distinct_n")
    >>> predictions = ["the cat sat", "the cat ran", "a dog ran fast"]
    >>> results = distinct_n.compute(predictions=predictions)
    >>> for name in ("distinct_1", "distinct_2", "mean_distinct_1", "entropy_1"):
    ...     print(name, round(results[name], 4))
    distinct_1 0.7
    distinct_2 0.8571
    mean_distinct_1 1.0
    entropy_1 1.8867
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class DistinctN(MetricModule, evaluate.Metric):
    """Share of different n-grams in generated texts."""

    metric = "distinct_n"
    default_variant = "metrologue"
    reported = None
    renamed = (("orders", "n"), ("vocabulary", "vocab_size"))

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation="\n".join(self._papers()),
            inputs_description=_INPUTS,
            features=self._features(),
            reference_urls=self._paper_urls(),
        )

    def _compute(
        self,
        predictions,
        aggregation=None,
        scale=None,
        tokenizer=None,
        lowercase=None,
        n=None,
        denominator=None,
        vocab_size=None,
        level=None,
        signature=False,
        per_segment=False,
    ):
        return self._result(
            predictions,
            None,
            signature,
            per_segment,
            aggregation=aggregation,
            scale=scale,
            tokenizer=tokenizer,
            lowercase=lowercase,
            orders=n,
            denominator=denominator,
            vocabulary=vocab_size,
            level=level,
        )
