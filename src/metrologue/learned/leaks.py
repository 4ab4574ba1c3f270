"""Leak reports: what the texts that a metric was trained on share with those on which it is measured."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from metrologue.errors import InputError, number_of
from metrologue.learned.examples import Examples


@dataclass(frozen=True, kw_only=True)
class LeakReport:
    """What two parts of the data share.

    Attributes
    ----------
    training, test : int
        The rows of each part.
    rows : int
        Rows of the test part that are in the training part too: the same prediction with the same references.
    references, contexts, systems : int
        Rows of the test part with a reference, a context or a system that the training part has too.
    """

    training: int
    test: int
    rows: int
    references: int
    contexts: int
    systems: int

    def told(self) -> list[str]:
        """The report in sentences."""
        shares = {"reference": self.references, "context": self.contexts, "system": self.systems}
        shared = [f"{count:,} have a {name} of the training part" for name, count in shares.items() if count]
        told = " and ".join(shared) or "none shares a text or a system with the training part"
        lines = [f"Of {number_of(f'{self.test:,}', 'row')} for the test, {told}."]
        if self.rows:
            lines.append(f"{number_of(f'{self.rows:,}', 'row')} of the test part were trained on.")
        return lines

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)


def leak_report(training: Examples, test: Examples) -> LeakReport:
    """What the test part shares with the training part.

    Examples
    --------
    >>> import numpy as np
    >>> one = Examples(("a cat", "a dog"), (("cats",), ("dogs",)), np.array([1.0, 2.0]))
    >>> other = Examples(("a cat", "two dogs"), (("cats",), ("dogs", "dog")), np.array([1.0, 2.0]))
    >>> leak_report(one, other)
    LeakReport(training=2, test=2, rows=1, references=2, contexts=0, systems=0)
    """
    rows = {*zip(training.predictions, training.references, strict=True)}
    same = sum(row in rows for row in zip(test.predictions, test.references, strict=True))
    return LeakReport(
        training=len(training),
        test=len(test),
        rows=same,
        references=int(sharing_references(training, test).sum()),
        contexts=_shared(training.contexts, test.contexts),
        systems=_shared(training.systems, test.systems),
    )


def sharing_references(training: Examples, test: Examples) -> np.ndarray:
    """Which rows of the test part have a reference of the training part: bool (len(test),)."""
    known = {each for own in training.references for each in own}
    return np.array([not known.isdisjoint(own) for own in test.references], np.bool_)


def check_apart(training: Examples, test: Examples) -> LeakReport:
    """The report, if no row is in both parts. Raises an InputError with the number of the rows that are."""
    found = leak_report(training, test)
    if found.rows:
        raise InputError(
            f"train: {found.rows:,} of {number_of(f'{found.test:,}', 'row')} for the test are in the training data "
            "too; leave them out of one of both."
        )
    return found


def _shared(training: tuple[str, ...] | None, test: tuple[str, ...] | None) -> int:
    known = {*training} if training else set()
    return sum(each in known for each in test or ())
