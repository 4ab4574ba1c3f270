"""Likelihood for `evaluate`, from token probabilities or a language model; the Hub has no module of this name."""

import evaluate

from metrologue.bridge.evaluate_module import MetricModule, opened_model, text_features

_DESCRIPTION = """
The likelihood is the geometric mean of the probabilities that a model gives to the tokens that occur.
A language model gives the probabilities, or they are given as numbers.
"""

_CITATION = """
@article{jelinek-etal-1977-perplexity,
    title = "Perplexity---a Measure of the Difficulty of Speech Recognition Tasks",
    author = "Jelinek, Frederick and Mercer, Robert L. and Bahl, Lalit R. and Baker, James K.",
    journal = "The Journal of the Acoustical Society of America",
    volume = "62",
    number = "S1",
    pages = "S63",
    year = "1977",
    doi = "10.1121/1.2016299"
}
"""

_INPUTS = """
Args:
    predictions: list of the probabilities of each text's tokens: lists of numbers, or strings such as "0.5 0.25".
        With a model, list of texts.
    values: "probabilities" or "log-probabilities", what the numbers are.
    log_base: the base of log-probabilities, "e", "2", "10" or another number above 1.
    model: a language model that `metrologue.language_models.open_model` has opened, or the path of one: an ARPA file, a
        binary file of KenLM, or a causal model of transformers.
    oov: whether tokens outside of the vocabulary count: "include" or "exclude".
    per: with a model, what the sum over a text is divided by: its tokens ("token"), or the words, characters or bytes
        of the text ("word", "character", "byte"), which are the same for all models.
    mask: a list for each text, with a 0 for each token that does not count; for all texts that were added.
    unknown: a list for each text, with a 1 for each token that is not in the vocabulary; for all texts.
    signature: whether to add "signature", every choice behind the number on one line.
    per_segment: whether to add "segments", all numbers of each single text.

    An argument that is left out has the variant's value.
Returns:
    the likelihood under "likelihood", 0 to 1. It is 0 if a token has probability 0.
Examples:

    >>> import metrologue
    >>> likelihood = metrologue.load("likelihood")
    >>> likelihood.compute(predictions=[[0.5, 0.25, 0.125]])
    {'likelihood': 0.25}
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Likelihood(MetricModule, evaluate.Metric):
    """Likelihood of the probabilities of tokens, or of texts by a language model."""

    metric = "likelihood"
    default_variant = "textbook"

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=text_features(references=False, numbers=True),
            reference_urls=["https://doi.org/10.1121/1.2016299"],
        )

    def _compute(
        self,
        predictions,
        values=None,
        log_base=None,
        model=None,
        oov=None,
        per=None,
        mask=None,
        unknown=None,
        signature=False,
        per_segment=False,
    ):
        scorer = self._variant(values=values, log_base=log_base, model=opened_model(model), oov=oov, per=per)
        return self._value(scorer, predictions, None, signature, per_segment, mask=mask, unknown=unknown)
