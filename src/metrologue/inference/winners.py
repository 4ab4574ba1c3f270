"""Which system wins under each scorer, and from which systems the winner does not differ."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass

from metrologue.inference.between_systems import pairwise_tests
from metrologue.inference.few import told_before
from metrologue.inference.metric import Metric
from metrologue.inference.paired import PairedResult
from metrologue.inference.resampling import Resampling, chosen_seed
from metrologue.segments import Segments

__all__ = ["Winner", "winners"]


@dataclass(frozen=True)
class Winner:
    """The system with the best score under one scorer.

    Attributes
    ----------
    system : str
        The first one of several equal ones.
    score : float
    tests : tuple of PairedResult
        Each other system against this one. The p-values are corrected for all pairs of systems.
    others : tuple of PairedResult
        The tests of the other pairs of systems.
    undecided : tuple of str
        The systems from which it does not differ significantly.
    """

    system: str
    score: float
    tests: tuple[PairedResult, ...]
    others: tuple[PairedResult, ...]
    undecided: tuple[str, ...]

    @property
    def is_clear(self) -> bool:
        """Whether it differs significantly from all other systems."""
        return not self.undecided


def winners(
    scorers: Mapping[str, Metric],
    systems: Mapping[str, Segments],
    *,
    alpha: float = 0.05,
    level: float = 0.95,
    method: str = "bootstrap",
    resamples: int | None = None,
    seed: int | None = None,
    correction: str | None = "holm",
    resampling: str | Resampling = "metrologue",
) -> dict[str, Winner]:
    """The winner under each scorer, such as each variant of a metric, tested against all other systems.

    Parameters
    ----------
    scorers : mapping of str to Scorer
        By any name, such as that of a variant.
    systems : mapping of str to Segments
        The same segments for all systems.
    alpha : float
        Two systems differ if their corrected p-value is below it.
    level, method, resamples, seed, correction, resampling
        As for ``pairwise_tests``.

    Returns
    -------
    dict of str to Winner

    Raises
    ------
    InputError
        As for ``paired_test``.

    Examples
    --------
    >>> from metrologue.scorers import Bleu
    >>> first = Segments(["a b c d", "e f g h", "i j k l"] * 4, ["a b c d", "e f g x", "i j x l"] * 4)
    >>> systems = {"first": first, "second": first.with_predictions(["a b y d", "y f z h", "i y k l"] * 4)}
    >>> found = winners({name: Bleu.variant(name) for name in ("nltk", "sacrebleu")}, systems)
    >>> {name: (winner.system, winner.is_clear) for name, winner in found.items()}
    {'nltk': ('first', True), 'sacrebleu': ('first', True)}
    """
    found: dict[str, Winner] = {}
    seed = chosen_seed(seed, resampling)
    for name, scorer in scorers.items():
        with told_before() if found else nullcontext():
            tests = pairwise_tests(
                scorer,
                systems,
                alpha=alpha,
                method=method,
                resamples=resamples,
                seed=seed,
                correction=correction,
                level=level,
                resampling=resampling,
            )
        best = tests[0].baseline
        own = {test.system: test for test in tests if test.baseline == best}
        found[name] = Winner(
            best,
            tests[0].baseline_score,
            tuple(own[system] for system in systems if system != best),
            tuple(test for test in tests if test.baseline != best),
            tuple(system for system in systems if system != best and not own[system].is_significant(alpha)),
        )
    return found
