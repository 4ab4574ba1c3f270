"""FED for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class Fed(MetricModule, evaluate.Metric):
    """What people would say next in a dialogue.

    FED scores a dialogue, or a response in it, by how probable a language model finds what people say after a good or a
    bad one. It needs a language model.

    Args:
        contexts (list[str] or list[list[str]]): the turns before each prediction, in the same forms; they may be left
            out, and may be empty.

    Returns:
        fed (`float`): the mean of the qualities that are reported; higher is better. There is no limit. Scores of
            different models are not comparable.
        interesting, engaging, specific, relevant, correct, semantically_appropriate, understandable, fluent (`float`):
            the qualities of the last turn. Those without good utterances (relevant, correct) are 0 or more, as are the
            first five of the next and `understand`.
        coherent, error_recovery, consistent, diverse, depth, likeable, understand, flexible, informative, inquisitive
            (`float`): the qualities of the dialogue.
        segments (`int`): the number of conversations.

    Examples:

        >>> import metrologue
        >>> from metrologue.language_models import FunctionModel
        >>> def words(text):
        ...     said = text.lower().split()
        ...     return [(word, -1.0 if word in said[:at] else -5.0) for at, word in enumerate(said)]
        >>> again = FunctionModel("again", lambda texts: [words(text) for text in texts], "1")
        >>> fed = metrologue.load("fed")
        >>> dialogue = ["I sold a cat.", "Really? Tell me more!"]
        >>> results = fed.compute(predictions=[dialogue], model=again, level="turn")
        >>> print(round(results["engaging"], 4))
        0.1706
    """

    metric = "fed"
    default_variant = "authors"
    reported = None
    programs = ("https://github.com/Shikib/fed",)
