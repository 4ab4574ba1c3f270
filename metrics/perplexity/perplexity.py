"""Perplexity for `evaluate`, with the arguments and numbers of the Hub's metric and measurement of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE
from metrologue.errors import InputError  # From: -e CHECKOUT-OF-METROLOGUE
from metrologue.language_models.causal import CausalModel  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
The perplexity of a text is the inverse of the geometric mean of the probabilities of its tokens: the number of tokens
that a model that guesses as well has to choose from. A language model gives the probabilities: a causal model of
transformers or an ARPA file. They can also be given as numbers.
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
    predictions: list of texts. Without a model, list of the probabilities of each text's tokens: lists of numbers, or
        strings such as "0.5 0.25".
    data: another name for `predictions`, which the Hub's measurement has.
    model_id: folder of a causal model of transformers, or its name on the Hub.
    batch_size: how many texts, or windows of texts, go through this model at once.
    add_start_token: whether the start token comes before each text, so that the first token has a probability too.
    device: "cpu", "cuda" or "gpu", "cuda:1", "mps"; by default "cuda" if it is there.
    max_length: the tokens that are left of a text, with the start token; with a stride, the width of a window.
    stride: score texts beyond the model's context in windows, which begin this many tokens after each other.
    model: in place of model_id, the path of an ARPA file or of a binary file of KenLM, or a language model that
        `metrologue.language_models.open_model` has opened.
    values: "probabilities" or "log-probabilities", what the numbers are.
    log_base: the base of log-probabilities, "e", "2", "10" or another number above 1.
    oov: whether tokens outside of the vocabulary count: "include" or "exclude".
    per: with a model, what the sum over a text is divided by: its tokens ("token"), or the words, characters or bytes
        of the text ("word", "character", "byte"), which are the same for all models.
    mask: a list for each text, with a 0 for each token that does not count; for all texts that were added.
    unknown: a list for each text, with a 1 for each token that is not in the vocabulary; for all texts.
    signature: whether to add "signature", every choice behind the number on one line.
    per_segment: whether to add "segments", all numbers of each single text.

    An argument that is left out has the variant's value.
Returns:
    "perplexities", that of each text, and "mean_perplexity", their mean. A variant that pools the tokens of all texts
    gives "perplexity" instead; the variant "kenlm" also "perplexity_excluding_oovs".
Examples:

    >>> import metrologue
    >>> perplexity = metrologue.load("perplexity")
    >>> perplexity.compute(predictions=[[0.5, 0.25, 0.125], [0.5]])
    {'perplexities': [4.0, 2.0], 'mean_perplexity': 3.0}
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Perplexity(MetricModule, evaluate.Metric):
    """Perplexity of texts by a language model, or of the probabilities of tokens."""

    metric = "perplexity"
    default_variant = "evaluate"
    module_types = ("metric", "measurement")

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=self._features(),
            reference_urls=["https://huggingface.co/docs/transformers/perplexity"],
        )

    def add(self, *, prediction=None, data=None, **columns):
        """Add one text, or the numbers of one; `data` is another name for `prediction`."""
        super().add(prediction=_either(prediction, data), **columns)

    def add_batch(self, *, predictions=None, data=None, references=None):
        """Add texts, or lists of numbers; `data` is another name for `predictions`."""
        super().add_batch(predictions=_either(predictions, data), references=references)

    def compute(self, *, predictions=None, data=None, **options):
        """Score what was added so far, and what is given here; `data` is another name for `predictions`."""
        return super().compute(predictions=_either(predictions, data), **options)

    def _compute(
        self,
        predictions,
        model_id=None,
        batch_size=16,
        add_start_token=True,
        device=None,
        max_length=None,
        stride=None,
        model=None,
        values=None,
        log_base=None,
        oov=None,
        per=None,
        mask=None,
        unknown=None,
        signature=False,
        per_segment=False,
    ):
        options = (batch_size, add_start_token, device, max_length, stride)
        if model_id is None and options != (16, True, None, None, None):
            raise InputError("Perplexity: batch_size, add_start_token, device, max_length and stride need a model_id.")
        if model_id is not None and model is not None:
            raise InputError("Perplexity: both `model_id` and `model` are given; give one of them.")
        if model_id is not None:
            model = CausalModel(model_id, *options)
        flags = {"mask": mask, "unknown": unknown}
        with self._chosen(model=model, values=values, log_base=log_base, oov=oov, per=per) as scorer:
            means = scorer.aggregation == "mean"
            scores, extras = self._score(scorer, predictions, None, signature, per_segment or means, **flags)
        if not means:
            return {**{name: value for name, value in scores.items() if name.startswith("perplexity")}, **extras}
        each = extras["segments"] if per_segment else extras.pop("segments")
        return {"perplexities": each["perplexity"], "mean_perplexity": scores["perplexity"], **extras}


def _either(predictions, data):
    if predictions is not None and data is not None:
        raise InputError("Perplexity: both `predictions` and `data` are given; give one of them.")
    return predictions if data is None else data
