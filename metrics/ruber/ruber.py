"""RUBER for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class Ruber(MetricModule, evaluate.Metric):
    """A response beside a reference and a context.

    RUBER scores a response in a dialogue by its likeness to a reference, and by how well it answers the turn before it.
    It needs an encoder and a training. Research: made anew from a paper; no released model is read. Not measured: there
    are no public ratings of its kind here.

    Args:
        contexts (list[str] or list[list[str]]): the turns before each prediction; the last of them is read. They may be
            left out, and may be empty.

    Returns:
        ruber (`float`): both numbers, joined; 0 to 1, higher is better.
        referenced (`float`): 0 to 1; higher is better. 1 for texts with the same tokens.
        unreferenced (`float`): a probability; higher is better.

    Examples:

        >>> import metrologue
        >>> from metrologue.learned import sample_model
        >>> ruber = metrologue.load("ruber")
        >>> model = sample_model("ruber")
        >>> data = {"predictions": ["Yes, I like cats."], "references": ["Yes, cats are great."]}
        >>> data["contexts"] = ["Do you like cats?"]
        >>> results = ruber.compute(**data, model=model)
        >>> print({name: round(value, 2) for name, value in results.items()})
        {'ruber': 0.83, 'referenced': 0.86, 'unreferenced': 0.8}
    """

    metric = "ruber"
    default_variant = "metrologue"
    reported = ("ruber", "referenced", "unreferenced")
