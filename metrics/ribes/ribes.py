"""RIBES for `evaluate`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge.evaluate_module import MetricModule, named_tokenizer, text_features

_DESCRIPTION = """
RIBES (Isozaki et al. 2010) compares the order of the words of a translation with that of a reference. It is the rank
correlation of the words that both have, multiplied by powers of the precision and of BLEU's brevity penalty. The score
is the mean over the texts.
"""

_CITATION = """
@inproceedings{isozaki-etal-2010-automatic,
    title = "Automatic Evaluation of Translation Quality for Distant Language Pairs",
    author = "Isozaki, Hideki and Hirao, Tsutomu and Duh, Kevin and Sudoh, Katsuhito and Tsukada, Hajime",
    booktitle = "Proceedings of the 2010 Conference on Empirical Methods in Natural Language Processing",
    year = "2010",
    pages = "944--952",
    url = "https://aclanthology.org/D10-1092"
}
"""

_INPUTS = """
Args:
    predictions: list of texts to score.
    references: list of texts, or list of lists of texts if a prediction has several references.
    tokenizer: a function from a text to its list of tokens, or the name of one (`metrologue.tokenizers`).
    lowercase: whether to ignore case.
    correlation: "kendall", "kendall-runs" (nltk up to 3.8.1) or "spearman".
    alpha: the exponent of the precision.
    beta: the exponent of the brevity penalty.
    empty_reference: whether a reference without words is an "error", has a score of "zero", or does not count: "skip".
    signature: whether to add "signature", every choice behind the numbers on one line.
    per_segment: whether to add "segments", all numbers of each single prediction.

    An argument that is left out has the variant's value.
Returns:
    ribes, and the means of its three factors: rank_correlation, precision, brevity_penalty.
Examples:

    >>> import metrologue
    >>> ribes = metrologue.load("ribes")
    >>> ribes.compute(predictions=["Bob hit John yesterday"], references=[["John hit Bob yesterday"]])
    {'ribes': 0.5, 'rank_correlation': 0.5, 'precision': 1.0, 'brevity_penalty': 1.0}
    >>> metrologue.load("ribes", "nltk-3.8.1").compute(predictions=["a c b d e"], references=["a b c d e"])["ribes"]
    0.1
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Ribes(MetricModule, evaluate.Metric):
    """RIBES of predictions and their references."""

    metric = "ribes"
    default_variant = "ribes-1.03"

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=text_features(),
            codebase_urls=["https://github.com/nttcslab-nlp/RIBES"],
            reference_urls=["https://aclanthology.org/D10-1092", "https://doi.org/10.5715/jnlp.21.421"],
        )

    def _compute(
        self,
        predictions,
        references,
        tokenizer=None,
        lowercase=None,
        correlation=None,
        alpha=None,
        beta=None,
        empty_reference=None,
        signature=False,
        per_segment=False,
    ):
        with named_tokenizer(tokenizer) as name:
            scorer = self._variant(
                tokenizer=name,
                lowercase=lowercase,
                correlation=correlation,
                alpha=alpha,
                beta=beta,
                empty_reference=empty_reference,
            )
            scores, extras = self._score(scorer, predictions, references, signature, per_segment)
        reported = ("ribes", "rank_correlation", "precision", "brevity_penalty")
        return {**{key: scores[key] for key in reported}, **extras}
