"""The hashed log loss."""

from typing import ClassVar

from metrologue.scorers.families.hashed_words import HashedWords

__all__ = ["LogLossHashed"]


class LogLossHashed(HashedWords):
    """The mean of -ln p of the right words, in nats; lower is better, 0 or more. See ``HashedWords``.

    Examples
    --------
    >>> LogLossHashed(bits=8).corpus(["tak:10 nie:8.9", "niebieski:0 żółty:1.5"], ["tak", "niebieski"]).value
    0.9943743015490917
    """

    name: ClassVar[str] = "log_loss_hashed"
