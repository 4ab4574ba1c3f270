"""MEANT (Lo and Wu 2011, Lo 2017): how much of who did what to whom in a reference its translation has."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from metrologue.scorers.core.numbers import number
from metrologue.scorers.core.options import with_default
from metrologue.scorers.core.variants import Variant
from metrologue.scorers.yisi import Yisi

__all__ = ["Meant"]


@dataclass(frozen=True, kw_only=True)
class Meant(Yisi):
    """How much of the semantic frames of a text its reference has, and the other way round; higher is better, 0-1.

    A frame is a predicate and its arguments, which `frames` have for each text. The predicates of both texts are
    assigned to each other so that the sum of their similarities is the greatest, and then the arguments of each two
    predicates, of one class of roles only. The similarity of two phrases is that of their n-grams, as in YiSi. The
    precision is the mean over the frames of the text: each is the mean similarity of its predicate and arguments by the
    weights of their roles, and weighs as many words as it has. The recall is the same over the frames of the reference.
    The score of a segment is the F-measure of both, and that of a corpus is the mean of its segments. If neither text
    has a frame, their words are compared instead.

    Words are compared by `vectors`, or without them by their longest common substring. MEANT 2.0 weighs words by how
    rare they are, which is ``weights="references"``; here all weigh the same by default. The author's program is not
    public. So no program gives these numbers, and the weights of the roles are 0.25 for predicates and 1 for others.

    Raises
    ------
    InputError
        If there are no `frames`, a text has none in their file, or a value is out of range. ``beta=0`` needs no frames
        and compares words alone.

    References
    ----------
    Lo and Wu 2011, https://aclanthology.org/P11-1023; Lo 2017, https://aclanthology.org/W17-4767.

    Examples
    --------
    >>> from metrologue.representations.frames import FunctionLabeller
    >>> def label(texts):
    ...     return [[{"pred": (2, 3), "args": [("A0", 0, 2), ("A1", 3, 5)]}] for _ in texts]
    >>> meant = Meant(frames=FunctionLabeller("middle", label, "1"))
    >>> round(meant.corpus(["the cat chased a mouse"], ["the cat chased the mouse"]).value, 6)
    0.777778
    """

    name: ClassVar[str] = "meant"
    about: ClassVar = replace(
        Yisi.about,
        needs="semantic frames and word vectors",
        papers=("lo-wu-2011-meant", "lo-2017-meant"),
    )
    title: ClassVar[str] = "MEANT"

    weights: str = with_default("uniform")
    role_weights: tuple[float, ...] | None = with_default((0.25, *(1.0,) * 7))
    role_match: str = with_default("same")
    without_frames: str = with_default("words")
    beta: float = with_default(1.0)
    alpha: float = with_default(0.5)

    numbers: ClassVar = (
        number("meant", 0, "scale", better="higher", title="MEANT", about="mean of the scores of the segments"),
        *Yisi.numbers[1:],
    )

    _variants: ClassVar = {"frames": Variant("metrologue", "the definition, over `frames` that must be given")}
