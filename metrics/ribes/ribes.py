"""RIBES for `evaluate`, made by `make docs`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
RIBES: how well a translation keeps the order of its reference's words, by rank correlation.
"""

_INPUTS = """
Args:
    predictions (list[str]): the texts to score. Tuples, NumPy arrays, pandas Series, `datasets` columns and Arrow
        arrays are fine too.
    references (list[str] or list[list[str]]): one reference for each prediction, or a list of references for each. The
        lists may differ in length.
    aggregation ("corpus" or "mean", default "mean"): How the segments of a corpus make one score. `corpus`: the score
        of the summed statistics. `mean`: the mean of the segments' own scores.
    scale (float, default 1.0): The value of a perfect score.
    multi_reference ("best", default "best"): Which of several references counts. `best`: the one with the best score;
        ties: the first.
    tokenizer (str or function, default "whitespace"): One of `metrologue.tokenizers.list_tokenizers()`.
    lowercase (bool, default True): Whether to apply `str.lower()` first.
    first_context ("left" or "right", default "left"): Which n-gram counts if two are equally short. `left`: the one
        that ends with the word. `right`: the one that begins with the word.
    whole_left_context (bool, default True): Whether the n-gram may begin with the first word of the hypothesis, if it
        ends in the second half. nltk does not look for these.
    correlation ("kendall" or "kendall-runs" or "spearman", default "kendall"): The correlation of the ranks. `kendall`:
        the share of pairs with ascending ranks. `kendall-runs`: only pairs inside runs of ranks that rise by 1 count
        (nltk up to 3.8.1). `spearman`: Spearman's rho of the ranks, from 0 to 1; equal ranks have their mean.
    single_word_matches (bool, default True): Whether one word that matches a reference of one word has the correlation
        1. Otherwise it is 0 for fewer than two words.
    alpha (float, default 0.25): The exponent of the precision.
    beta (float, default 0.1): The exponent of the brevity penalty.
    arithmetic ("share" or "from-tau", default "share"): How the correlation comes to lie between 0 and 1, which changes
        the last bit only. `share`: the agreement, divided by the greatest one. `from-tau`: the same as Kendall's tau, 2
        * share - 1, of which half is added to 1/2 (nltk).
    empty_reference ("error" or "zero" or "skip", default "error"): A reference without words. `error`: it is refused
        (RIBES.py). `zero`: it scores 0, and any other reference of the segment counts first (nltk). `skip`: as "zero",
        and a segment without any other reference is left out of the mean (RIBES.py -z). The program prints minus
        infinity for such a segment, and its own score is 0 here.
    empty_hypothesis ("zero" or "error", default "zero"): A hypothesis without words. `zero`: it scores 0. `error`: it
        is refused (nltk 3.8.1 divides by zero).
    signature (bool): adds `"signature"`, every choice behind the number on one line.
    per_segment (bool): adds `"segments"`: for each number, a list of its values for the single predictions.

    An argument that is left out has the variant's value. The defaults shown are those of "ribes-1.03".
Returns:
    ribes (`float`): the score, 0 to 1; higher is better.
    rank_correlation, precision, brevity_penalty (`float`): the means of the factors over the texts, 0 to 1; higher is
        better.
Examples:

    >>> import metrologue
    >>> ribes = metrologue.load("ribes")
    >>> predictions, references = ["Bob hit John yesterday", "a dog"], ["John hit Bob yesterday", "a dog"]
    >>> ribes.compute(predictions=predictions, references=references)
    {'ribes': 0.75, 'rank_correlation': 0.75, 'precision': 1.0, 'brevity_penalty': 1.0}
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Ribes(MetricModule, evaluate.Metric):
    """How well the order of a reference's words is kept."""

    metric = "ribes"
    default_variant = "ribes-1.03"
    reported = ("ribes", "rank_correlation", "precision", "brevity_penalty")

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation="\n".join(self._papers()),
            inputs_description=_INPUTS,
            features=self._features(),
            codebase_urls=["https://github.com/nttcslab-nlp/RIBES"],
            reference_urls=self._paper_urls(),
        )

    def _compute(
        self,
        predictions,
        references,
        aggregation=None,
        scale=None,
        multi_reference=None,
        tokenizer=None,
        lowercase=None,
        first_context=None,
        whole_left_context=None,
        correlation=None,
        single_word_matches=None,
        alpha=None,
        beta=None,
        arithmetic=None,
        empty_reference=None,
        empty_hypothesis=None,
        signature=False,
        per_segment=False,
    ):
        return self._result(
            predictions,
            references,
            signature,
            per_segment,
            aggregation=aggregation,
            scale=scale,
            multi_reference=multi_reference,
            tokenizer=tokenizer,
            lowercase=lowercase,
            first_context=first_context,
            whole_left_context=whole_left_context,
            correlation=correlation,
            single_word_matches=single_word_matches,
            alpha=alpha,
            beta=beta,
            arithmetic=arithmetic,
            empty_reference=empty_reference,
            empty_hypothesis=empty_hypothesis,
        )
