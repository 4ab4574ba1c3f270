"""Log Loss Hashed for `evaluate`, as GEval computes it; the Hub has no module of this name."""

import evaluate

from metrologue.bridge.evaluate_module import MetricModule, text_features

_DESCRIPTION = """
The hashed log loss is the mean of -ln p, where p is the probability that a model gives to the right word.
A word's probability is that of one of 2^bits buckets, which a hash of the word chooses. So models with different
vocabularies are comparable.
"""

_CITATION = """
@inproceedings{gralinski-etal-2019-geval,
    title = "{GE}val: Tool for Debugging {NLP} Datasets and Models",
    author = "Gralinski, Filip and Wroblewska, Anna and Stanislawek, Tomasz and Grabowski, Kamil and Gorecki, Tomasz",
    booktitle = "Proceedings of the 2019 ACL Workshop BlackboxNLP",
    year = "2019",
    pages = "254--262",
    doi = "10.18653/v1/W19-4826"
}
"""

_INPUTS = """
Args:
    predictions: list of lines in GEval's layout: words with their probabilities, log-probabilities or logits, as in
        "cat:0.5 dog:0.25 :0.25". The empty word stands for all others.
    references: list of the right words, one for each line.
    bits: there are 2^bits buckets.
    first_line: the number of the first line; the number of a line is the seed of its hashes.
    signature: whether to add "signature", every choice behind the number on one line.
    per_segment: whether to add "segments", all numbers of each single line.

    An argument that is left out has the variant's value.
Returns:
    the log loss under "log_loss_hashed", in nats; it may be infinite.
Examples:

    >>> import metrologue
    >>> log_loss_hashed = metrologue.load("log_loss_hashed")
    >>> log_loss_hashed.compute(predictions=["cat:0.5 dog:0.3", "a:0.9 the:0.1"], references=["cat", "a"])
    {'log_loss_hashed': 0.39905857374592724}
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class LogLossHashed(MetricModule, evaluate.Metric):
    """Log Loss Hashed of lines of words with probabilities."""

    metric = "log_loss_hashed"
    default_variant = "geval"

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=text_features(),
            codebase_urls=["https://gitlab.com/filipg/geval"],
            reference_urls=["https://aclanthology.org/W19-4826"],
        )

    def _compute(self, predictions, references, bits=None, first_line=None, signature=False, per_segment=False):
        scorer = self._variant(bits=bits, first_line=first_line)
        return self._value(scorer, predictions, references, signature, per_segment)
