"""Token F1 for `evaluate`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge.evaluate_module import MetricModule, named_tokenizer, text_features

_DESCRIPTION = """
Token F1 (Rajpurkar et al. 2016) compares an answer with the right one as bags of words. It is the harmonic mean of
precision and recall. Before that, case, ASCII punctuation, the articles a, an and the, and extra whitespace are
removed, as in the script of SQuAD. The score is the mean over the answers, in per cent.
"""

_CITATION = """
@inproceedings{rajpurkar-etal-2016-squad,
    title = "{SQ}u{AD}: 100,000+ Questions for Machine Comprehension of Text",
    author = "Rajpurkar, Pranav and Zhang, Jian and Lopyrev, Konstantin and Liang, Percy",
    booktitle = "Proceedings of the 2016 Conference on Empirical Methods in Natural Language Processing",
    year = "2016",
    pages = "2383--2392",
    doi = "10.18653/v1/D16-1264"
}
"""

_INPUTS = """
Args:
    predictions: list of texts to score.
    references: list of texts, or list of lists of texts if a prediction has several references.
    tokenizer: a function from a text to its list of tokens, or the name of one (`metrologue.tokenizers`).
    lowercase: whether to ignore case. The tokenizer "squad" does so in any case.
    signature: whether to add "signature", every choice behind the numbers on one line.
    per_segment: whether to add "segments", all numbers of each single prediction.

    An argument that is left out has the variant's value.
Returns:
    token_f1, and exact_match: the share of texts that have the same tokens as a reference, in the same order.
Examples:

    >>> import metrologue
    >>> token_f1 = metrologue.load("token_f1")
    >>> token_f1.compute(predictions=["The cat sat.", "A dog!"], references=[["cat sat down", "cats"], ["the dog"]])
    {'token_f1': 90.0, 'exact_match': 50.0}
    >>> token_f1.compute(predictions=["a dog"], references=["the dog"], tokenizer="whitespace")
    {'token_f1': 50.0, 'exact_match': 0.0}
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class TokenF1(MetricModule, evaluate.Metric):
    """The token F1 of predictions and their references."""

    metric = "token_f1"
    default_variant = "squad"

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=text_features(),
            reference_urls=["https://aclanthology.org/D16-1264"],
        )

    def _compute(self, predictions, references, tokenizer=None, lowercase=None, signature=False, per_segment=False):
        with named_tokenizer(tokenizer) as name:
            scorer = self._variant(tokenizer=name, lowercase=lowercase)
            scores, extras = self._score(scorer, predictions, references, signature, per_segment)
        return {"token_f1": scores["token_f1"], "exact_match": scores["exact_match"], **extras}
