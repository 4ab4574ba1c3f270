"""hLEPOR, LEPOR and nLEPOR for `evaluate`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge.evaluate_module import MetricModule, named_tokenizer, text_features

_DESCRIPTION = """
hLEPOR (Han et al. 2013) compares a translation with its reference by three factors: the difference of the lengths, the
differences of the positions of equal words, and precision and recall. It is their weighted harmonic mean. LEPOR (2012)
is their product, and nLEPOR uses n-grams. The score is the mean over the texts.
"""

_CITATION = """
@inproceedings{han-etal-2013-language,
    title = "Language-independent Model for Machine Translation Evaluation with Reinforced Factors",
    author = "Han, Aaron L.-F. and Wong, Derek F. and Chao, Lidia S. and He, Liangye and Lu, Yi and Xing, Junwen and
      Zeng, Xiaodong",
    booktitle = "Proceedings of Machine Translation Summit XIV: Posters",
    year = "2013",
    pages = "215--222"
}
"""

_INPUTS = """
Args:
    predictions: list of texts to score.
    references: list of texts, or list of lists of texts if a prediction has several references.
    tokenizer: a function from a text to its list of tokens, or the name of one (`metrologue.tokenizers`).
    lowercase: whether to ignore case.
    combination: "harmonic" for hLEPOR, or "product" for LEPOR.
    weights: the weights of the length penalty, of the position penalty, and of precision and recall.
    alpha: the weight of the recall.
    beta: the weight of the precision.
    context: how many words before and after a word are its context.
    max_order: the longest n-grams whose precision and recall count.
    aggregation: "mean" of the texts' scores, or "corpus": the score of the mean factors.
    signature: whether to add "signature", every choice behind the numbers on one line.
    per_segment: whether to add "segments", all numbers of each single prediction.

    An argument that is left out has the variant's value.
Returns:
    hlepor, and the means of its three factors: length_penalty, position_penalty, harmonic_mean.
Examples:

    >>> import metrologue
    >>> hlepor = metrologue.load("hlepor")
    >>> result = hlepor.compute(predictions=["the cat sat"], references=[["the cat"]])
    >>> {key: round(value, 4) for key, value in result.items()}
    {'hlepor': 0.8454, 'length_penalty': 0.6065, 'position_penalty': 0.8465, 'harmonic_mean': 0.9524}
    >>> lepor = metrologue.load("hlepor", "lepor")
    >>> round(lepor.compute(predictions=["the cat sat"], references=["the cat"])["hlepor"], 4)
    0.489
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Hlepor(MetricModule, evaluate.Metric):
    """hLEPOR of predictions and their references."""

    metric = "hlepor"
    default_variant = "hlepor"

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=text_features(),
            codebase_urls=["https://github.com/poethan/LEPOR"],
            reference_urls=["https://aclanthology.org/C12-2044", "https://aclanthology.org/W13-2253"],
        )

    def _compute(
        self,
        predictions,
        references,
        tokenizer=None,
        lowercase=None,
        combination=None,
        weights=None,
        alpha=None,
        beta=None,
        context=None,
        max_order=None,
        aggregation=None,
        signature=False,
        per_segment=False,
    ):
        with named_tokenizer(tokenizer) as name:
            scorer = self._variant(
                tokenizer=name,
                lowercase=lowercase,
                combination=combination,
                weights=weights,
                alpha=alpha,
                beta=beta,
                context=context,
                max_order=max_order,
                aggregation=aggregation,
            )
            scores, extras = self._score(scorer, predictions, references, signature, per_segment)
        reported = ("hlepor", "length_penalty", "position_penalty", "harmonic_mean")
        return {**{key: scores[key] for key in reported}, **extras}
