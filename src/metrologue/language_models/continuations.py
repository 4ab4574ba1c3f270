"""How probable a model finds what follows a text."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from metrologue.data.arrays import Floats
from metrologue.errors import InputError
from metrologue.language_models.named import NamedModel

__all__ = ["continuation_sums"]


def continuation_sums(
    model: NamedModel, texts: Sequence[str], befores: Sequence[str], owner: str, places: Sequence[tuple[str, int]]
) -> Floats:
    """The log-probability of what each text has after its beginning, and the number of its tokens.

    Parameters
    ----------
    model : NamedModel
    texts, befores : n str
        Each text begins with its `before`, which the model cuts into the same tokens on its own. "" for the whole text.
    owner : str
        The caller's name for messages.
    places : n (str, int)
        The argument and the index of each text, for messages.

    Returns
    -------
    float64 (n, 2)
        Sums of log-probabilities to the model's base, and counts, which may be 0.

    Raises
    ------
    InputError
        If the model refuses a text, leaves out its end, or gives a token no finite log-probability.

    Examples
    --------
    >>> from metrologue.language_models import FunctionModel
    >>> lengths = FunctionModel("lengths", lambda texts: [[(w, -len(w)) for w in t.split()] for t in texts], "1")
    >>> continuation_sums(NamedModel.of(lengths), ["a big cat"], ["a"], "Fed", [("predictions", 0)])
    array([[-6.,  2.]])
    """
    if getattr(model.model, "cuts_texts", False):
        raise InputError(f"{owner}: `max_length` of {model} cuts the end of texts off; give the model a `stride` too.")
    try:
        scores = model.model.score_texts(pa.array(list(texts), pa.large_string()))
    except InputError as error:
        if error.place is None:
            raise
        _, text, what = error.place
        raise InputError.at(owner, *places[text], what) from error
    counts = {before: len(model.model.tokens(before)) if before else 0 for before in {*befores}}
    found = np.empty((len(texts), 2))
    for row, before in enumerate(befores):
        own = scores.log_probabilities[scores.offsets[row] + counts[before] : scores.offsets[row + 1]]
        if not np.isfinite(own).all():
            raise InputError.at(owner, *places[row], f": {model} gives one of its tokens no probability above 0.")
        found[row] = own.sum(), len(own)
    return found
