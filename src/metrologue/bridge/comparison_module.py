"""Paired tests as ``evaluate.Comparison`` modules: two systems, one metric, and whether they differ."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from metrologue.bridge.inputs import comparison_features
from metrologue.bridge.strict_module import MOST_BYTES, Batch, StrictModule, nested_column
from metrologue.errors import InputError
from metrologue.inference import paired_test
from metrologue.scorers import make_scorer
from metrologue.segments import Segments

_NAMES = ("predictions1", "predictions2")


class ComparisonModule(StrictModule):
    """Mix-in that comes before ``evaluate.Comparison``: a paired test of two systems under any metric.

    Attributes
    ----------
    method : str
        The test, one of ``metrologue.inference.TESTS``.

    Parameters
    ----------
    config_name : str, optional
        Only "default".
    seed, **options
        As for ``StrictModule``, with its errors. The seed is 12345 by default; with sacrebleu's resampling, the
        environment variable ``SACREBLEU_SEED`` if it is set.

    Examples
    --------
    >>> import metrologue
    >>> test = metrologue.load("paired_bootstrap")
    >>> test.compute(predictions1=["a b", "c"], predictions2=["a b"], references=["a", "c"])
    Traceback (most recent call last):
        ...
    metrologue.errors.InputError: PairedBootstrap: 1 predictions2 but 2 references; each prediction needs its...
    """

    method: ClassVar[str]

    def __init__(self, config_name: str | None = None, seed: int | None = None, **options: Any) -> None:
        super().__init__(config_name or "default", seed, **options)

    def _check_config(self, config_name: str) -> None:
        if config_name != "default":
            raise self._error(f"there is no configuration {config_name!r}; give the metric to compute().")

    def add(self, *, prediction1: Any = None, prediction2: Any = None, reference: Any = None, **columns: Any) -> None:
        """Add one segment: an output of each system, and a reference or a list of references.

        Raises
        ------
        InputError
            As for ``add_batch``.
        """
        segment = {"predictions1": prediction1, "predictions2": prediction2, "references": reference, **columns}
        self.add_batch(**{name: None if value is None else [value] for name, value in segment.items()})

    def add_batch(self, *, predictions1: Any = None, predictions2: Any = None, references: Any = None) -> None:
        """Add segments to those that ``compute`` will compare. An empty batch changes nothing.

        Parameters
        ----------
        predictions1, predictions2 : sequences of n str
            The outputs of the two systems.
        references : sequence of n str, or of n lists of str, optional
            None for a metric that needs no references.

        Raises
        ------
        InputError
            If the counts differ, an item is not a text, a segment has no reference, or strings and lists are mixed.
            In this case nothing from the batch is kept.
        """
        self._add(self._batch(predictions1=predictions1, predictions2=predictions2, references=references))

    def _batch(self, *, predictions1: Any = None, predictions2: Any = None, references: Any = None) -> Batch:
        first = self._of_system(_NAMES[0], predictions1, lambda texts, owner: Segments(texts, references, owner))
        second = self._of_system(_NAMES[1], predictions2, first.with_predictions)
        parts: list[Mapping[str, Any]] = []
        for one in first.parts(MOST_BYTES // 2):
            other = second.slice(one.first, one.first + len(one))
            lists = nested_column(one) if one.references else [[]] * len(one)
            parts.append({_NAMES[0]: one.texts(), _NAMES[1]: other.texts(), "references": lists})
        return Batch(parts)

    _features = staticmethod(comparison_features)

    def _of_system(self, argument: str, given: Any, made: Callable[[Any, str], Segments]) -> Segments:
        """The segments of a system. An error names its argument."""
        name = self._owner
        if given is None:
            raise InputError(f"{name}: `{argument}` is a NoneType; a list of strings is expected.")
        try:
            return made(given, name)
        except InputError as error:
            raise InputError(re.sub("predictions?", argument, str(error), count=1)) from error

    def compute(
        self, *, predictions1: Any = None, predictions2: Any = None, references: Any = None, **options: Any
    ) -> Any:
        """Compare all segments added so far, together with those given here; with threads as in ``MetricModule``.

        Parameters
        ----------
        predictions1, predictions2, references
            A last batch, as for ``add_batch``.
        **options
            The test's own arguments, listed below.

        Returns
        -------
        dict or None
            Plain Python numbers. With several ranks (``num_process``), every rank except the first gets None.

        Raises
        ------
        InputError
            As for ``add_batch``, or if there are fewer than two segments, or an argument is out of range.
        TypeError
            If an option is unknown.
        """
        batch = {"predictions1": predictions1, "predictions2": predictions2, "references": references}
        return self._computed(batch, "`predictions1`, `predictions2` and `references`", options)

    def _tested(
        self, columns: tuple[Any, Any, Any], metric: str, variant: str | None, signature: bool, **options: Any
    ) -> dict[str, Any]:
        """The result of the test as plain values."""
        name, scorer = self._owner, make_scorer(metric, variant)
        given = columns[2] if scorer.input("references") else None
        if given is not None and not any(map(len, given)):
            raise InputError(f"{name}: `references` are missing; {scorer.name} compares each prediction with them.")
        first = Segments(columns[0], given, owner=name, shared=True)
        systems = {_NAMES[0]: first, _NAMES[1]: first.with_predictions(columns[1])}
        (test,) = paired_test(scorer, _NAMES[0], systems, method=self.method, seed=self.given_seed, **options)
        result = {
            "stat": test.difference, "p": test.p_value, "score1": test.baseline_score, "score2": test.score,
        }  # fmt: skip
        if test.difference_interval is not None:
            result |= {"low": test.difference_interval.low, "high": test.difference_interval.high}
        return {**result, "signature": f"{scorer.signature}|{test.signature}"} if signature else result
