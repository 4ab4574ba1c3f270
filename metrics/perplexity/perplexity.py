"""Perplexity for `evaluate`, with the arguments and numbers of the Hub's metric and measurement of this name."""

import evaluate

from metrologue.bridge import LanguageModule  # From: -e CHECKOUT-OF-METROLOGUE
from metrologue.errors import InputError  # From: -e CHECKOUT-OF-METROLOGUE


class Perplexity(LanguageModule, evaluate.Metric):
    """Perplexity of texts by a language model, or of the probabilities of tokens.

    The perplexity of a text is the inverse of the geometric mean of the probabilities of its tokens: the number of
    tokens that a model that guesses as well has to choose from. A language model gives the probabilities: a causal
    model of transformers or an ARPA file. They can also be given as numbers. It needs nothing, or a language model.

    Args:
        data: another name for `predictions`, which the Hub's measurement has.
        model_id: folder of a causal model of transformers, its name on the Hub, or `(model, tokenizer)` as transformers
            loaded them.
        batch_size: how many texts, or windows of texts, go through this model at once.
        add_start_token: whether the start token comes before each text, so that the first token has a probability too.
        device: "cpu", "cuda" or "gpu", "cuda:1", "mps"; by default "cuda" if it is there.
        max_length: the tokens that are left of a text, with the start token; with a stride, the width of a window.
        stride: score texts beyond the model's context in windows, which begin this many tokens after each other.
        model: in place of model_id, the path of an ARPA file or of a binary file of KenLM, a language model that
            `metrologue.language_models.open_model` has opened, or `(model, tokenizer)`.

    Returns:
        "perplexities", that of each text, and "mean_perplexity", their mean. A variant that pools the tokens of all
        texts gives "perplexity" instead; the variant "kenlm" also "perplexity_excluding_oovs".

    Examples:

        >>> import metrologue
        >>> perplexity = metrologue.load("perplexity")
        >>> perplexity.compute(predictions=[[0.5, 0.25, 0.125], [0.5]])
        {'perplexities': [4.0, 2.0], 'mean_perplexity': 3.0}
    """

    metric = "perplexity"
    default_variant = "evaluate"
    module_types = ("metric", "measurement")
    takes_data = True
    pages = ("https://huggingface.co/docs/transformers/perplexity",)

    def _fields(
        self, model_id=None, batch_size=16, add_start_token=True, device=None, max_length=None, stride=None, model=None
    ):
        options = (batch_size, add_start_token, device, max_length, stride)
        if model_id is None and options != (16, True, None, None, None):
            raise InputError("Perplexity: batch_size, add_start_token, device, max_length and stride need a model_id.")
        if model_id is not None and model is not None:
            raise InputError("Perplexity: both `model_id` and `model` are given; give one of them.")
        return {"model": model if model_id is None else self._causal_model(model_id, *options)}

    def _answer(self, scorer, segments, call):
        if scorer.aggregation != "mean":
            scores, extras = self._scored(scorer, segments, call)
            return {**{name: value for name, value in scores.items() if name.startswith("perplexity")}, **extras}
        scores, each, extras = self._each(scorer, segments, call)
        return {"perplexities": each["perplexity"], "mean_perplexity": scores["perplexity"], **extras}
