"""Lexical diversity for `evaluate`: the type-token ratio and its family; the Hub has no module of this name."""

import evaluate

from metrologue.bridge.evaluate_module import MetricModule, named_tokenizer, text_features

_DESCRIPTION = """
Lexical diversity says how many different words texts have for their length: the type-token ratio and its family, MSTTR,
MATTR, HD-D, vocd-D, MTLD and the entropy. There are no references. The texts are scored as one running text. The
type-token ratio falls with the length of the text; MATTR, HD-D, vocd-D and MTLD hardly do.
"""

_CITATION = """
@article{mccarthy-jarvis-2010-mtld,
    title = "{MTLD}, vocd-{D}, and {HD-D}: A Validation Study of Sophisticated Approaches to Lexical Diversity
        Assessment",
    author = "McCarthy, Philip M. and Jarvis, Scott",
    journal = "Behavior Research Methods",
    volume = "42",
    number = "2",
    year = "2010",
    doi = "10.3758/BRM.42.2.381",
    pages = "381--392"
}
"""

_INPUTS = """
Args:
    predictions: list of texts to score.
    measures: list of the numbers to give: "ttr", "root_ttr", "corrected_ttr", "herdan_c", "summer_s", "dugast_u",
        "maas_a2", "yule_k", "yule_i", "herdan_vm", "simpson_d", "msttr", "mattr", "hdd", "vocd_d", "mtld", "entropy",
        "mtld_ma_wrap", "mtld_ma_bid". The default variant gives all but the last two, which take longer.
    window: the tokens of a segment of MSTTR and of a window of MATTR.
    draws: the tokens of a sample of HD-D.
    threshold: the type-token ratio that completes a factor of MTLD.
    average: "corpus" scores all texts as one running text, "mean" gives the mean of the texts' own numbers.
    lowercase: whether to ignore case.
    tokenizer: a function from a text to its list of tokens, or the name of one (`metrologue.tokenizers`).
    signature: whether to add "signature", every choice behind the numbers on one line.
    per_segment: whether to add "segments", all numbers of each single text.

    An argument that is left out has the variant's value.
Returns:
    Each of the measures, token_count and type_count.
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
    """Lexical diversity of predictions; there are no references."""

    metric = "lexical_diversity"
    default_variant = "metrologue"

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=text_features(references=False),
            reference_urls=["https://doi.org/10.3758/BRM.42.2.381"],
        )

    def _compute(
        self,
        predictions,
        measures=None,
        window=None,
        draws=None,
        threshold=None,
        average=None,
        lowercase=None,
        tokenizer=None,
        signature=False,
        per_segment=False,
    ):
        with named_tokenizer(tokenizer) as name:
            scorer = self._variant(
                measures=measures,
                window=window,
                draws=draws,
                mtld_threshold=threshold,
                aggregation=average,
                lowercase=lowercase,
                tokenizer=name,
            )
            scores, extras = self._score(scorer, predictions, None, signature, per_segment)
        return {**scores, **extras}
