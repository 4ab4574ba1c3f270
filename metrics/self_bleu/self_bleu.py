"""Self-BLEU for `evaluate`, made by `make docs`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
Self-BLEU, the mean BLEU of each generated text against all other texts, as nltk, Texygen, fast-bleu and sacrebleu give
it, in one pass over the texts.
"""

_INPUTS = """
Args:
    predictions (list[str] or list[list[str]]): two texts or more; or groups of two texts or more. Tuples, NumPy arrays,
        pandas Series, `datasets` columns and Arrow arrays are fine too.
    aggregation ("corpus" or "mean", default "mean"): How the segments of a corpus make one score. `corpus`: the score
        of the summed statistics. `mean`: the mean of the segments' own scores.
    scale (float, default 1.0): The value of a perfect score.
    tokenizer (str or function, default "whitespace"): One of `metrologue.tokenizers.list_tokenizers()`.
    lowercase (bool, default False): Whether to apply `str.lower()` first.
    max_order (int, default 4): Longest n-gram; the length of `weights` by default.
    weights (list of float, default [0.25, 0.25, 0.25, 0.25]): Weight of the log precision of each order; uniform by
        default. An order of weight 0 is left out, whatever its count.
    reference_length ("closest" or "shortest" or "longest", default "closest"): The reference length of a text.
        `closest`: that of the closest other text; the shorter of two equally close ones. `shortest`: that of the
        shortest other text. `longest`: that of the longest other text.
    precision_weight (float, default 1.0): What matches are divided by: this share of the hypothesis' n-grams, and the
        rest of its reference's, whose length is that of `reference_length`. 1: precision, as in BLEU; 0: recall; 0.5:
        F1.
    floor_totals (bool, default True): Count at least one n-gram of each order in each segment, however short (nltk).
    smoothing ("none" or "tiny" or "floor" or "add-k" or "exp" or "chen-cherry-4" or "chen-cherry-5" or "chen-cherry-6"
        or "chen-cherry-7", default "floor"): The precision of an order without a match. Numbers in brackets are the
        methods of Chen & Cherry 2014. `none`: no smoothing. `tiny`: the precision is the least normal double (nltk's
        method0). `floor`: `smooth_value` replaces a count of 0 matches (1). `add-k`: `smooth_value` is added to matches
        and n-grams from order `smooth_from` on (2). `exp`: the orders without a match count 1/2, 1/4, 1/8 and so on as
        matches (3). `chen-cherry-4`: method 4 as nltk computes it. `chen-cherry-5`: method 5 as nltk computes it, for
        one segment only. `chen-cherry-6`: method 6 as nltk computes it, for one segment only. `chen-cherry-7`: method 7
        as nltk computes it, for one segment only.
    smooth_value (float, default 0.1): The parameter of `smoothing`: epsilon of "floor" (default 0.1), k of "add-k" (1),
        k of "chen-cherry-4" and "chen-cherry-7" (5), alpha of "chen-cherry-6" (5).
    smooth_from (int, default 2): First order that "add-k" changes.
    epsilons (list of float, default [0.0, 0.0]): Two numbers. The first is added to the numerators of the precisions
        and of the length ratio, the second to their denominators (pycocoevalcap).
    zero_when ("no-match" or "any-order" or "never", default "no-match"): When the score is 0 despite smoothing.
        `no-match`: if no order has a match. `any-order`: if at least one order has no match. `never`: never.
    skip_zero (bool, default True): Leave out orders whose precision is 0 after smoothing (nltk); otherwise the score is
        0.
    effective_order (bool, default False): Leave out orders in which the hypothesis has no n-gram. The other weights are
        scaled up to the same sum.
    auto_reweigh (bool, default False): nltk's option of that name. It applies to four orders of equal weight and a
        hypothesis with n < 4 tokens: the first n orders get equal weights, and the other orders weight 0. For a corpus,
        n is the number of tokens in the whole corpus.
    penalty ("brevity" or "none", default "brevity"): The factor for the length. `brevity`: exp(1 - reference length /
        hypothesis length) if the hypothesis is shorter, otherwise 1. `none`: 1, which suits recall and F: a text that
        is too short has a low recall.
    empty ("zero" or "error", default "zero"): A corpus without tokens in its predictions or in its references. `zero`:
        it scores 0. `error`: it is refused (the Hub's `bleu` divides by zero).
    arithmetic ("mean-of-logs" or "weighted-logs" or "weighted-logs-in-order" or "weighted-logs-exact" or
        "root-of-product", default "weighted-logs-exact"): The order of operations in the geometric mean and the brevity
        penalty, which changes the last bits only. If the orders have unequal weights, it is a weighted sum of
        logarithms. `mean-of-logs`: exp(mean of log(`scale` * precision)); Python's sum. `weighted-logs`: exp(sum of
        weight * log(precision)); Python's sum. `weighted-logs-in-order`: the same, with each sum rounded.
        `weighted-logs-exact`: exp(sum of weight * log(precision)), with the sum rounded once. `root-of-product`:
        product of precisions to the power of a weight.
    sample (int, default None): Score only so many texts, each with the others among them, or so many groups. None: all
        texts.
    sample_seed (int, default None): The seed that draws the sample without replacement. None: the first texts are the
        sample (Texygen).
    alone ("error" or "zero", default "error"): A text without any other text. `error`: it is refused (nltk). `zero`: it
        scores 0.
    others ("all" or "group", default "all"): What a text is compared with. `all`: all others. `group`: those of its
        group. A prediction is then a list of texts, such as all answers to one prompt, or all captions of a picture.
        The score of a group is the mean of its texts' scores, and that of a corpus is the mean of its groups. For
        captions this is mBLEU (Shetty et al. 2017). Groups do not depend on each other: batches add up.
    pool (table, default None): The texts that are the references, as `fit` keeps them from predictions. A text that is
        in the pool is compared with the rest of it. None: the texts that are scored, or the sample of them. With a
        pool, all given texts are scored, and batches add up.
    signature (bool): adds `"signature"`, every choice behind the numbers on one line.
    per_segment (bool): adds `"segments"`: for each number, a list of its values for the single texts, or for those of
        the sample.

    An argument that is left out has the variant's value. The defaults shown are those of "nltk".
Returns:
    self_bleu (`float`): the mean BLEU, 0 to 1; with the variant `sacrebleu` 0 to 100. Lower is more diverse. A text
        without words has the score 0. Fewer than two texts, or a text that is not a string, raise a
        `metrologue.InputError`. With the variant `fast-bleu`, a single text has 0.
Examples:

    >>> import metrologue
    >>> self_bleu = metrologue.load("self_bleu")
    >>> predictions = ["the cat sat", "the cat ran", "a dog ran fast"]
    >>> results = self_bleu.compute(predictions=predictions, max_order=2)
    >>> round(results["self_bleu"], 4)
    0.4586
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class SelfBleu(MetricModule, evaluate.Metric):
    """BLEU of each text against all other texts."""

    metric = "self_bleu"
    default_variant = "nltk"
    grouping = ("others", "group")
    renamed = (("seed", "sample_seed"),)

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation="\n".join(self._papers()),
            inputs_description=_INPUTS,
            features=self._features(),
            codebase_urls=["https://github.com/geek-ai/Texygen", "https://github.com/Danial-Alh/fast-bleu"],
            reference_urls=self._paper_urls(),
        )

    def _compute(
        self,
        predictions,
        aggregation=None,
        scale=None,
        tokenizer=None,
        lowercase=None,
        max_order=None,
        weights=None,
        reference_length=None,
        precision_weight=None,
        floor_totals=None,
        smoothing=None,
        smooth_value=None,
        smooth_from=None,
        epsilons=None,
        zero_when=None,
        skip_zero=None,
        effective_order=None,
        auto_reweigh=None,
        penalty=None,
        empty=None,
        arithmetic=None,
        sample=None,
        sample_seed=None,
        alone=None,
        others=None,
        pool=None,
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
            max_order=max_order,
            weights=weights,
            reference_length=reference_length,
            precision_weight=precision_weight,
            floor_totals=floor_totals,
            smoothing=smoothing,
            smooth_value=smooth_value,
            smooth_from=smooth_from,
            epsilons=epsilons,
            zero_when=zero_when,
            skip_zero=skip_zero,
            effective_order=effective_order,
            auto_reweigh=auto_reweigh,
            penalty=penalty,
            empty=empty,
            arithmetic=arithmetic,
            sample=sample,
            seed=sample_seed,
            alone=alone,
            others=others,
            pool=pool,
        )
