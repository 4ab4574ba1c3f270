"""Cross-Entropy for `evaluate`, made by `make docs`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
The cross-entropy is the mean of -log p over the tokens of texts: how many bits a model needs for a token that occurs.
"""

_INPUTS = """
Args:
    predictions (list[list[float]] or list[str]): the probabilities of the tokens of each text, as lists of numbers or
        as strings such as `"0.5 0.25"`. With a model, the texts.
    aggregation ("corpus" or "mean", default "corpus"): How the segments of a corpus make one score. `corpus`: the
        tokens of all texts together; a text without a token adds nothing. `mean`: the mean of the texts' own numbers,
        as the Hub's `mean_perplexity` is.
    scale (float, default 1.0): The value of a perfect score.
    values ("probabilities" or "log-probabilities", default "probabilities"): What the predictions hold. It is never
        guessed. `probabilities`: probabilities. `log-probabilities`: logarithms of probabilities, to `log_base`.
    log_base (str, default "e"): The base of log-probabilities: "e" or a number above 1, such as "2" or "10". It plays
        no part for probabilities and with a model.
    model (model or path, default None): The model that gives each token of a text its probability; or the name of one
        in use, as a signature has it.
    oov ("include" or "exclude" or "both", default "include"): Whether tokens outside of the vocabulary count.
        `include`: they do. `exclude`: they do not. `both`: they do, and the perplexity without them is reported as
        `perplexity_excluding_oovs`.
    per ("token" or "word" or "character" or "byte", default "token"): What the sum over a text is divided by. All but
        the number of tokens are the length of the text itself, which is the same for all models:
        `CrossEntropy(per="byte")` is in bits per byte. This needs a `model` that scores whole texts, and all of their
        tokens: no `mask`, and `oov` is "include". The length is reported under its name, such as `bytes`. `token`: its
        number of tokens. `word`: its number of words, which are separated by whitespace. `character`: its number of
        characters, which are code points. `byte`: its number of bytes.
    precision ("double" or "single", default "double"): The floats that are summed. `double`: all sums are 64-bit
        floats. `single`: log-probabilities are 32-bit floats, and so is their sum in a text, one after another; sums
        over texts are 64-bit floats. KenLM's `query` does this.
    base (str, default "2"): The base b of the cross-entropy: "2" for bits, "e" for nats, "10", or another number above
        1. Nothing else depends on it.
    mask (list[list[int]]): a list for each text, with a 0 for each token that does not count, as for padding. It covers
        all texts, also those that were added before `compute`.
    unknown (list[list[int]]): a list for each text, with a 1 for each token that is not in the vocabulary.
    signature (bool): adds `"signature"`, every choice behind the number on one line, with a digest of the model.
    per_segment (bool): adds `"segments"`: for each number, a list of its values for the single texts.

    An argument that is left out has the variant's value. The defaults shown are those of "textbook".
Returns:
    cross_entropy (`float`): the mean of -log p, 0 or more; lower is better. It is infinite if a token has probability
        0. With `per="byte"` and base 2 it is in bits per byte, with `per="character"` in bits per character.
Examples:

    >>> import metrologue
    >>> cross_entropy = metrologue.load("cross_entropy")
    >>> cross_entropy.compute(predictions=[[0.5, 0.25, 0.125], [0.25]])
    {'cross_entropy': 2.0}
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class CrossEntropy(MetricModule, evaluate.Metric):
    """The bits that a model needs for each token of texts."""

    metric = "cross_entropy"
    default_variant = "textbook"

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation="\n".join(self._papers()),
            inputs_description=_INPUTS,
            features=self._features(),
            codebase_urls=["https://github.com/kpu/kenlm"],
            reference_urls=self._paper_urls(),
        )

    def _compute(
        self,
        predictions,
        aggregation=None,
        scale=None,
        values=None,
        log_base=None,
        model=None,
        oov=None,
        per=None,
        precision=None,
        base=None,
        mask=None,
        unknown=None,
        signature=False,
        per_segment=False,
    ):
        return self._result(
            predictions,
            None,
            signature,
            per_segment,
            inputs={"mask": mask, "unknown": unknown},
            aggregation=aggregation,
            scale=scale,
            values=values,
            log_base=log_base,
            model=model,
            oov=oov,
            per=per,
            precision=precision,
            base=base,
        )
