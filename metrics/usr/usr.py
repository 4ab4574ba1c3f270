"""USR for `evaluate`, made by `make docs`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
USR rates a response in a dialogue without a reference: by its language, by how well it fits the dialogue, and by how
well it fits the fact that it may use.
"""

_INPUTS = """
Args:
    predictions (list[str] or list[list[str]]): responses; or dialogues, each a list of its turns or a text whose lines
        are its turns: the last turn is the response.
    aggregation ("corpus", default "corpus"): How the segments of a corpus make one score. `corpus`: the mean of the
        segments' own scores.
    scale (float, default 1.0): A factor of `usr`.
    model (model or path, default None): The language model: a masked one, or a causal one. There is no score without
        one.
    context_encoder (encoder, path or name, default None): What compares a response with its context: a classifier of
        pairs, whose number is the probability of its second label, or an encoder of texts, whose number is the cosine.
        There is no score without one.
    fact_encoder (encoder, path or name, default None): What compares a response with its fact, as `context_encoder`.
        There is no score without one.
    form ("authors" or "plain", default "authors"): How the texts reach the models. `authors`: in lower case, with _go
        and _eos around turns; the last turn of the context, of which 52 words, and for the context encoder the fact
        after it. The program also cuts texts into tokens, which is left to the caller. `plain`: as they are; all turns
        of the context, a line each.
    likelihood ("all" or "response" or "sum", default "all"): What the number `mlm` is. `all`: the mean over all tokens
        of the context and the response, as in the program. `response`: the mean over the tokens of the response. `sum`:
        the sum over the tokens of the response, as in the paper.
    means (list of float, default [-1.012293440649907, 0.8604811806918587, 0.8472124995904354]): The means of the three
        parts, for their z-scores.
    deviations (list of float, default [0.39053753419230813, 0.30259338627812254, 0.27987823011851076]): Their standard
        deviations, above 0.
    weights (list of float, default [1.0636448669999998, 1.4738121789, 0.3564255382]): The coefficients of the three
        z-scores.
    intercept (float, default 3.5974754476): The score of z-scores of 0.
    contexts (list[str] or list[list[str]]): the turns before each prediction, in the same forms; they may be left out,
        and may be empty.
    facts (list[str] or list[list[str]]): the fact that each response may use. If they are left out, the context stands
        in their place.
    signature (bool): adds `"signature"`, every choice behind the number on one line.
    per_segment (bool): adds `"segments"`: for each number, a list of its values for the segments.

    An argument that is left out has the variant's value. The defaults shown are those of "authors".
Returns:
    usr (`float`): the number of the regression; higher is better. The authors' is about 1 to 5, and not cut off.
    mlm (`float`): a log-probability, 0 or less; higher is better.
    dr_c, dr_f (`float`): a probability from 0 to 1, or a cosine from -1; higher is better.
    segments (`int`): the number of responses.
Examples:

    >>> import metrologue
    >>> from metrologue.language_models import FunctionModel
    >>> from metrologue.representations import FunctionEncoder
    >>> lengths = FunctionModel("lengths", lambda texts: [[(w, -len(w) / 4) for w in t.split()] for t in texts], "1")
    >>> def letters(texts):
    ...     return [[[word.count(letter) for letter in "abcdefgh"] for word in text.split()] for text in texts]
    >>> encoder = FunctionEncoder("letters", letters, "1")
    >>> usr = metrologue.load("usr", "usr-causal")
    >>> data = {"predictions": ["bad cafe"], "contexts": [["hi", "a cafe"]], "facts": ["bad cab"]}
    >>> models = {"model": lengths, "context_encoder": encoder, "fact_encoder": encoder}
    >>> results = usr.compute(**data, **models)
    >>> print({name: round(value, 2) for name, value in results.items()})
    {'usr': 0.79, 'mlm': -0.88, 'dr_c': 0.82, 'dr_f': 0.84, 'segments': 1}
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Usr(MetricModule, evaluate.Metric):
    """A response by its language, context and facts."""

    metric = "usr"
    default_variant = "authors"
    reported = None

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation="\n".join(self._papers()),
            inputs_description=_INPUTS,
            features=self._features(),
            codebase_urls=["https://github.com/Shikib/usr"],
            reference_urls=self._paper_urls(),
        )

    def _compute(
        self,
        predictions,
        aggregation=None,
        scale=None,
        model=None,
        context_encoder=None,
        fact_encoder=None,
        form=None,
        likelihood=None,
        means=None,
        deviations=None,
        weights=None,
        intercept=None,
        contexts=None,
        facts=None,
        signature=False,
        per_segment=False,
    ):
        return self._result(
            predictions,
            None,
            signature,
            per_segment,
            inputs={"contexts": contexts, "facts": facts},
            aggregation=aggregation,
            scale=scale,
            model=model,
            context_encoder=context_encoder,
            fact_encoder=fact_encoder,
            form=form,
            likelihood=likelihood,
            means=means,
            deviations=deviations,
            weights=weights,
            intercept=intercept,
        )
