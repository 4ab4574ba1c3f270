"""USR for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class Usr(MetricModule, evaluate.Metric):
    """A response by its language, context and facts.

    USR rates a response in a dialogue without a reference: by its language, by how well it fits the dialogue, and by
    how well it fits the fact that it may use. It needs a language model and two encoders.

    Args:
        contexts (list[str] or list[list[str]]): the turns before each prediction, in the same forms; they may be left
            out, and may be empty.
        facts (list[str] or list[list[str]]): the fact that each response may use. If they are left out, the context
            stands in their place.

    Returns:
        usr (`float`): the number of the regression; higher is better. The authors' is about 1 to 5, and not cut off.
        mlm (`float`): a log-probability, 0 or less; higher is better.
        dr_c, dr_f (`float`): a probability from 0 to 1, or a cosine from -1; higher is better.
        segments (`int`): the number of responses.

    Examples:

        >>> import metrologue
        >>> from metrologue.language_models import FunctionModel
        >>> from metrologue.representations import FunctionEncoder
        >>> by_length = lambda texts: [[(word, -len(word) / 4) for word in text.split()] for text in texts]
        >>> lengths = FunctionModel("lengths", by_length, "1")
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

    metric = "usr"
    default_variant = "authors"
    reported = None
    programs = ("https://github.com/Shikib/usr",)
