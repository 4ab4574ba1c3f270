"""hLEPOR for `evaluate`, made by `make docs`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
hLEPOR, LEPOR and nLEPOR: the lengths, the positions, the precision and the recall of the words in one number.
"""

_INPUTS = """
Args:
    predictions (list[str]): the texts to score. Tuples, NumPy arrays, pandas Series, `datasets` columns and Arrow
        arrays are fine too.
    references (list[str] or list[list[str]]): one reference for each prediction, or a list of references for each. The
        lists may differ in length.
    aggregation ("corpus" or "mean", default "mean"): How the segments of a corpus make one score. `corpus`: the score
        of the mean factors. `mean`: the mean of the segments' own scores.
    scale (float, default 1.0): The value of a perfect score.
    multi_reference ("best", default "best"): Which of several references counts. `best`: the one with the best score;
        ties: the first.
    tokenizer (str or function, default "whitespace"): One of `metrologue.tokenizers.list_tokenizers()`.
    lowercase (bool, default True): Whether to apply `str.lower()` first.
    context (int, default 2): How many words before and after a word are its context.
    context_match ("any-place" or "same-place", default "any-place"): When two contexts are alike. `any-place`: they
        have a common word. `same-place`: they have a common word at the same place from both words.
    context_window ("clipped" or "slice" or "without-first", default "clipped"): The context before a word near the
        beginning of a text. `clipped`: what there is. `slice`: a start below 0 counts from the end of the text, so that
        mostly nothing is left (the package on PyPI). `without-first`: the first word is in no context (nltk).
    preference ("nearest" or "farthest" or "nearest-index", default "nearest"): Which word of the reference is taken if
        several are possible. `nearest`: the nearest; ties: the first. `farthest`: the farthest. `nearest-index`: if the
        nearest is number k of those with a common context, number k of all is taken (the package on PyPI).
    exclusive (bool, default True): Whether a word of the reference is aligned only once.
    positions ("words" or "matches", default "words"): The place of a word in the hypothesis. `words`: its number among
        all words. `matches`: its number among the matches (nltk).
    equal_in_order (bool, default False): Whether the position difference of two equal texts is 0, however their words
        are aligned.
    length_ratio ("longer-by-shorter" or "shorter-by-longer", default "longer-by-shorter"): The ratio r of the lengths
        in the length penalty exp(1 - r). `longer-by-shorter`: longer / shorter. `shorter-by-longer`: shorter / longer,
        as nltk has it: a difference of lengths is rewarded, with a factor of up to e.
    max_order (int, default 1): The longest n-grams whose precision and recall count. An order without a match makes the
        score 0.
    alpha (float, default 9.0): The weight of the recall in its harmonic mean with the precision.
    beta (float, default 1.0): The weight of the precision in its harmonic mean with the recall.
    epsilon (float, default 0.0): Added to the precision and to the recall (nltk).
    arithmetic ("c" or "numpy", default "c"): Which exponential function is used. The last bits of the two can differ.
        `c`: that of C, as in Python's `math`. `numpy`: NumPy's (hLepor).
    empty ("zero" or "error" or "error-of-nothing", default "zero"): What happens to a text without words. `zero`: it
        scores 0. `error`: it is refused (nltk). `error-of-nothing`: it is refused if it has not even whitespace (the
        package on PyPI).
    combination ("harmonic" or "product", default "harmonic"): How the three factors are combined. `harmonic`: their
        weighted harmonic mean. `product`: their product.
    weights (list of float, default [2.0, 1.0, 7.0]): The weights of the length penalty, of the position penalty, and of
        precision and recall, in the harmonic mean: three numbers. The authors' Perl scripts have (2, 1, 3).
    signature (bool): adds `"signature"`, every choice behind the number on one line.
    per_segment (bool): adds `"segments"`: for each number, a list of its values for the single predictions.

    An argument that is left out has the variant's value. The defaults shown are those of "hlepor".
Returns:
    hlepor (`float`): the score, 0 to 1; higher is better. With `nltk` it can be above 1.
    length_penalty, position_penalty, harmonic_mean (`float`): the means of the three factors over the texts; higher is
        better.
Examples:

    >>> import metrologue
    >>> hlepor = metrologue.load("hlepor")
    >>> scores = hlepor.compute(predictions=["the cat sat", "a dog"], references=["the cat", "a dog"])
    >>> {key: round(value, 4) for key, value in scores.items()}
    {'hlepor': 0.9227, 'length_penalty': 0.8033, 'position_penalty': 0.9232, 'harmonic_mean': 0.9762}
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Hlepor(MetricModule, evaluate.Metric):
    """Lengths, positions, precision and recall of words."""

    metric = "hlepor"
    default_variant = "hlepor"
    reported = ("hlepor", "length_penalty", "position_penalty", "harmonic_mean")

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation="\n".join(self._papers()),
            inputs_description=_INPUTS,
            features=self._features(),
            codebase_urls=["https://github.com/poethan/LEPOR"],
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
        context=None,
        context_match=None,
        context_window=None,
        preference=None,
        exclusive=None,
        positions=None,
        equal_in_order=None,
        length_ratio=None,
        max_order=None,
        alpha=None,
        beta=None,
        epsilon=None,
        arithmetic=None,
        empty=None,
        combination=None,
        weights=None,
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
            context=context,
            context_match=context_match,
            context_window=context_window,
            preference=preference,
            exclusive=exclusive,
            positions=positions,
            equal_in_order=equal_in_order,
            length_ratio=length_ratio,
            max_order=max_order,
            alpha=alpha,
            beta=beta,
            epsilon=epsilon,
            arithmetic=arithmetic,
            empty=empty,
            combination=combination,
            weights=weights,
        )
