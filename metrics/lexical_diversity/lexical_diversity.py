"""Lexical Diversity for `evaluate`, made by `make docs`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
Lexical diversity of texts: the type-token ratio and its family, MSTTR, MATTR, HD-D, vocd-D, MTLD and the entropy, as
the packages lexicalrichness and lexical-diversity give them.
"""

_INPUTS = """
Args:
    predictions (list[str]): the texts to score. Tuples, NumPy arrays, pandas Series, `datasets` columns and Arrow
        arrays are fine too.
    average ("corpus" or "mean", default "corpus"): How the segments of a corpus make one score. `corpus`: all texts are
        one running text. `mean`: the mean of the texts' own numbers.
    scale (float, default 1.0): The value of a ratio of 1, for the type-token ratio, MSTTR, MATTR and HD-D.
    tokenizer (str or function, default "whitespace"): One of `metrologue.tokenizers.list_tokenizers()`. "whitespace"
        keeps a mark with its word: "cat." is not the type "cat", but it is with "unicode-words".
    lowercase (bool, default True): Whether to apply `str.lower()` first.
    measures (list of str, default ["ttr", "root_ttr", "corrected_ttr", "herdan_c", "summer_s", "dugast_u", "maas_a2",
        "yule_k", "yule_i", "herdan_vm", "simpson_d", "msttr", "mattr", "hdd", "vocd_d", "mtld", "entropy"]): The
        numbers to give; `value` is the first one. By default all but the two of moving stretches: their time grows with
        the product of the text's length and their value. N is the number of tokens, V the number of types. `ttr`: V /
        N. `root_ttr`: V / sqrt N (Guiraud). `corrected_ttr`: V / sqrt 2N (Carroll). `herdan_c`: ln V / ln N.
        `summer_s`: log log V / log log N. `dugast_u`: (ln N)^2 / (ln N - ln V). `maas_a2`: (ln N - ln V) / (ln N)^2,
        the inverse of `dugast_u`. `yule_k`: from the counts of the types. `yule_i`: from the counts of the types.
        `herdan_vm`: from the counts of the types. `simpson_d`: from the counts of the types. `msttr`: the mean
        type-token ratio of segments. `mattr`: the mean type-token ratio of all windows. `hdd`: the expected type-token
        ratio of a random sample. `vocd_d`: the parameter D of the curve that fits the expected ratios for samples of 35
        to 50 tokens. `mtld`: the mean length of a stretch until its ratio falls to a threshold. `mtld_ma_wrap`: the
        mean length of such a stretch from each token on, in a text that begins anew at its end. `mtld_ma_bid`: the mean
        length of such a stretch from each token on, in both directions. `entropy`: the entropy of the n-grams, in nats.
    window (int, default 50): Tokens of a segment of MSTTR, and of a window of MATTR.
    msttr_rest ("drop" or "keep" or "drop-last", default "drop"): What MSTTR does with the tokens after the last whole
        segment. `drop`: it leaves them out. `keep`: they are a segment. `drop-last`: the last segment is left out, even
        if it is whole (lexicalrichness).
    draws (int, default 42): Tokens of a sample of HD-D.
    vocd_longest (int, default 50): Tokens of the longest sample of vocd-D; the shortest one has 35. A text has no
        vocd-D if it is not longer than the longest sample.
    vocd_samples (int, default None): None: the ratios of the curve are those that are expected of random samples, and
        the value is exact. Or random samples of each length: those that Python's `random.sample` draws
        (lexicalrichness).
    vocd_runs (int, default 3): How often the random samples are drawn and a curve is fitted; the value is the mean.
    vocd_seed (int, default 42): The seed of the random samples.
    short_window ("cut" or "undefined", default "cut"): A text shorter than `window`. `cut`: it is one segment, or one
        window. `undefined`: MSTTR and MATTR have no value; MSTTR has none for a text of just one segment either
        (lexicalrichness).
    short_sample ("cut" or "undefined", default "cut"): A text shorter than `draws`. `cut`: it is the sample.
        `undefined`: HD-D has no value.
    threshold (float, default 0.72): The type-token ratio that completes a factor.
    mtld_comparison ("at-most" or "below", default "at-most"): When a factor is complete. `at-most`: as soon as its
        ratio is at most the threshold. `below`: as soon as its ratio is below the threshold.
    mtld_least_length (int, default 0): Tokens of the shortest factor.
    mtld_bid_least_length (int, default None): Tokens of the shortest factor of `mtld_ma_bid`; None:
        `mtld_least_length`. lexical-diversity has 10, whatever its `min`.
    mtld_whole_end (bool, default True): Whether a factor may be complete at the last token. Otherwise the last token is
        always in a partial factor, which counts for more than 1 if its ratio is below the threshold
        (lexical-diversity).
    mtld_unbroken ("length" or "undefined", default "length"): MTLD of a text without a repeated type. `length`: its
        length. `undefined`: it has no value.
    entropy_order (int, default 1): The n of the entropy's n-grams.
    maas_log ("natural" or "decimal", default "natural"): The logarithm of Maas' a^2. `natural`: ln. `decimal`: log10,
        with which a^2 is 2.3 times as large.
    summer_log ("natural" or "decimal", default "natural"): The logarithm of Summer's S, which is not the same for all
        bases. `natural`: ln. `decimal`: log10, as in quanteda and koRpus.
    arithmetic ("types" or "ratios", default "types"): What MSTTR and MATTR add up, which changes the last bits only.
        `types`: the types of the windows. `ratios`: their type-token ratios (lexical-diversity).
    undefined ("zero" or "error", default "zero"): `value`, where it is not defined, such as a ratio without tokens. The
        other numbers are 0 where they are not defined, and a warning names them. `zero`: it is 0. `error`: an
        InputError.
    signature (bool): adds `"signature"`, every choice behind the numbers on one line.
    per_segment (bool): adds `"segments"`: for each number, a list of its values for the single predictions.

    An argument that is left out has the variant's value. The defaults shown are those of "metrologue".
Returns:
    Each of the `measures` (`float`), token_count and type_count (`int`). `ttr`, `herdan_c`, `msttr`, `mattr`, `hdd`,
        `herdan_vm` and `simpson_d` are from 0 to 1; the others have no limit. Higher is more diverse, except for
        `maas_a2`, `yule_k`, `herdan_vm` and `simpson_d`.
Examples:

    >>> import metrologue
    >>> lexical_diversity = metrologue.load("lexical_diversity")
    >>> text = "the cat sat on the mat and the dog sat on the log while the cat and the dog ran"
    >>> results = lexical_diversity.compute(predictions=[text], measures=["ttr", "mattr", "mtld"], window=5)
    >>> results["ttr"], results["mattr"], round(results["mtld"], 4), results["type_count"]
    (0.5, 0.9, 12.455, 10)
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class LexicalDiversity(MetricModule, evaluate.Metric):
    """Type-token ratio, MATTR, HD-D, MTLD and others."""

    metric = "lexical_diversity"
    default_variant = "metrologue"
    reported = None
    renamed = (("mtld_threshold", "threshold"), ("aggregation", "average"))

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation="\n".join(self._papers()),
            inputs_description=_INPUTS,
            features=self._features(),
            codebase_urls=[
                "https://github.com/LSYS/lexicalrichness",
                "https://github.com/kristopherkyle/lexical_diversity",
            ],
            reference_urls=self._paper_urls(),
        )

    def _compute(
        self,
        predictions,
        average=None,
        scale=None,
        tokenizer=None,
        lowercase=None,
        measures=None,
        window=None,
        msttr_rest=None,
        draws=None,
        vocd_longest=None,
        vocd_samples=None,
        vocd_runs=None,
        vocd_seed=None,
        short_window=None,
        short_sample=None,
        threshold=None,
        mtld_comparison=None,
        mtld_least_length=None,
        mtld_bid_least_length=None,
        mtld_whole_end=None,
        mtld_unbroken=None,
        entropy_order=None,
        maas_log=None,
        summer_log=None,
        arithmetic=None,
        undefined=None,
        signature=False,
        per_segment=False,
    ):
        return self._result(
            predictions,
            None,
            signature,
            per_segment,
            aggregation=average,
            scale=scale,
            tokenizer=tokenizer,
            lowercase=lowercase,
            measures=measures,
            window=window,
            msttr_rest=msttr_rest,
            draws=draws,
            vocd_longest=vocd_longest,
            vocd_samples=vocd_samples,
            vocd_runs=vocd_runs,
            vocd_seed=vocd_seed,
            short_window=short_window,
            short_sample=short_sample,
            mtld_threshold=threshold,
            mtld_comparison=mtld_comparison,
            mtld_least_length=mtld_least_length,
            mtld_bid_least_length=mtld_bid_least_length,
            mtld_whole_end=mtld_whole_end,
            mtld_unbroken=mtld_unbroken,
            entropy_order=entropy_order,
            maas_log=maas_log,
            summer_log=summer_log,
            arithmetic=arithmetic,
            undefined=undefined,
        )
