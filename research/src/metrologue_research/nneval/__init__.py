"""NNEval: how probably a person wrote a caption, by a network that reads the scores of other metrics (Sharif 2018)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from metrologue.learned.scorer import SEGMENTS, OfModel
from metrologue.scorers.composite import Composite
from metrologue.scorers.core.numbers import number
from metrologue.scorers.core.options import with_default

__all__ = ["NNEval"]


@dataclass(frozen=True, kw_only=True)
class NNEval(Composite):
    """The probability that a person wrote a text, as a classifier sees it in the scores of other metrics; 0-1.

    The classifier of the paper has two hidden layers of 72, and reads METEOR, exp(-WMD), BLEU-1 to BLEU-4, SPICE and
    CIDEr / 10. LCEval, which followed, is one linear layer in the form that was released. It learns from texts of
    people (1) and of machines (0); a person's text is not among its own references.

    ``metrologue train nneval`` trains it, on the scores of any metrics.

    Raises
    ------
    InputError
        If there is no `model`, it was trained for another metric, or one of its metrics refuses a text.

    References
    ----------
    Sharif et al. 2018, https://doi.org/10.1007/978-3-030-01237-3_3; the program at
    https://github.com/NaehaSharif/NNEval; LCEval: Sharif et al. 2019, https://doi.org/10.1007/s11263-019-01206-z.

    Examples
    --------
    A model that was trained on 64 made-up sentences, to try it:

    >>> from metrologue.learned import sample_model
    >>> nneval = NNEval(model=sample_model("nneval"))
    >>> good, bad = nneval.segments(["A cat slept on the sofa.", "Who sold it?"], ["The cat slept on a sofa."] * 2)
    >>> bool(0 < bad < good < 1)
    True
    """

    name: ClassVar[str] = "nneval"
    _variants: ClassVar = OfModel._variants
    about: ClassVar = replace(
        Composite.about,
        research="Not measured: there are no captions by people and by models here.",
        papers=("sharif-etal-2018-nneval", "sharif-etal-2019-lceval"),
    )
    _authors: ClassVar[str] = (
        "The authors' models are files of TensorFlow 1 without a licence (https://github.com/NaehaSharif/NNEval), and "
        "are not read."
    )

    scale: float = with_default(1.0, about="The value of a probability of 1.")

    numbers: ClassVar = (
        number(
            "nneval", 0, "scale", better="higher", title="NNEval",
            about="probability that a person wrote the text",
        ),
        SEGMENTS,
    )  # fmt: skip
