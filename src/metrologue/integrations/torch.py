"""Ranks of ``torch.distributed``, and scorers as metrics of torchmetrics. No text travels, only totals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from typing import Any

from metrologue.errors import InputError, instead_of, shown
from metrologue.integrations.columns import required
from metrologue.scorers import Scorer, Totals
from metrologue.scorers.core.engine import segments_for

torch = required("torch", "torch")
Metric: Any = required("torchmetrics", "torch").Metric

_SIZE = 8  # the bytes of a length


def merged(totals: Totals, group: Any = None) -> Totals:
    """The totals of all ranks together, on every rank. All ranks of the group must call it.

    Parameters
    ----------
    totals : Totals
        Those of this rank, from ``scorer.accumulate``. A rank without segments gives ``scorer.accumulate([], [])``.
    group : torch.distributed.ProcessGroup, optional
        All ranks by default. Where no group was started, there is one rank.

    Returns
    -------
    Totals
        To the last bit those of one process with all segments.

    Raises
    ------
    InputError
        On every rank, if the ranks have different scorers; if the score depends on the order of segments, and two ranks
        have counted the same index: ``accumulate(..., first=1000)`` says that 1000 segments come before.

    Examples
    --------
    >>> from metrologue.scorers import Bleu
    >>> bleu = Bleu()
    >>> round(bleu.score_totals(merged(bleu.accumulate(["a b c d"], ["a b c d"]))).value, 4)
    100.0
    """
    distributed = torch.distributed
    if not (distributed.is_available() and distributed.is_initialized()):
        return totals
    parts: list[Any] = [None] * distributed.get_world_size(group)
    distributed.all_gather_object(parts, totals.to_bytes(), group=group)
    return reduce(Totals.merge, map(Totals.from_bytes, parts))


class ScorerMetric(Metric):  # type: ignore[misc]  # mypy does not know what is installed
    """A scorer as a metric of torchmetrics: ``update`` counts, ``compute`` scores what all ranks have counted.

    The state is the scorer's totals as bytes: sums that are exact, or tables. So the score is that of one process with
    all segments, to the last bit, on any device, for uneven and empty ranks, and after ``half()``. Segments of a rank
    come after those of lower ranks.

    Parameters
    ----------
    scorer : Scorer
    keys : str or sequence of str, optional
        The number that ``compute`` gives, or several of them; by default the primary number.
    **options
        Those of ``torchmetrics.Metric``, such as ``process_group``.

    Raises
    ------
    InputError
        If the scorer's table is missing (fit it first), if the score of a segment depends on its index, or there is no
        such number.

    Examples
    --------
    >>> from metrologue.scorers import Chrf
    >>> metric = ScorerMetric(Chrf())
    >>> metric.update(["the cat"], ["the cats"])
    >>> metric.update(["a dog", "dogs"], [["a dog"], ["dog", "a dog"]])
    >>> round(float(metric.compute()), 2), metric.result().primary
    (80.92, 'chrf')
    """

    is_differentiable = False
    full_state_update = False

    def __init__(self, scorer: Scorer, keys: str | Sequence[str] | None = None, **options: Any) -> None:
        super().__init__(**options)
        if not isinstance(scorer, Scorer):
            raise InputError(f"ScorerMetric: `scorer` is {shown(scorer)}; a Scorer is expected, such as Bleu().")
        if scorer.about.by_index:
            raise InputError(
                f"ScorerMetric: the score of a segment by {scorer.name} depends on its index among all, which a rank "
                "does not know; use accumulate(..., first=...) and merged."
            )
        for key in [keys] if isinstance(keys, str) else keys or ():
            if key not in scorer.range:
                raise InputError(f"ScorerMetric: no number is called {shown(key)}; {instead_of(key, scorer.range)}")
        self.scorer, self.keys = scorer, keys
        # Bytes, because they keep every bit: a device may lack float64, and `half` would round sums.
        self.add_state("totals", [], dist_reduce_fx="cat")
        self.reset()

    @property
    def higher_is_better(self) -> bool | None:
        return self.scorer.higher_is_better.get(self.keys if isinstance(self.keys, str) else self.scorer.primary)

    def reset(self) -> None:
        """Forget what was counted."""
        super().reset()
        # A rank without segments has totals too, so that all ranks have as many tensors of one type.
        self.totals = [self._tensor(self.scorer.accumulate(segments_for(self.scorer, [], [])))]

    def update(self, preds: Any, target: Any = None, **inputs: Any) -> None:
        """Count a batch. Arguments and errors are those of ``scorer.accumulate``."""
        self.totals = [*self.totals, self._tensor(self.scorer.accumulate(preds, target, **inputs))]
        self._compact()

    def forward(self, *arguments: Any, **inputs: Any) -> Any:
        """Count a batch, and give the score of it alone."""
        score = super().forward(*arguments, **inputs)
        self._compact()
        return score

    def _compact(self) -> None:
        """Merge parts of about equal size, so that there are few, and a large one is not copied for each batch."""
        while len(self.totals) > 1 and len(self.totals[-2]) <= 2 * len(self.totals[-1]):
            self.totals = [*self.totals[:-2], self._tensor(_in_turn(_parts(self.totals[-2:])))]

    def result(self) -> Any:
        """The ``Result`` of what this rank has counted; inside of ``sync_context``, of what all ranks have."""
        return self.scorer.score_totals(_in_turn(_parts(self.totals)))

    def compute(self) -> Any:
        """The primary number as a tensor, or that of `keys`; a dict of tensors for several keys.

        Raises
        ------
        InputError
            If no segment was counted.
        """
        scores = self.result().scores
        if self.keys is None or isinstance(self.keys, str):
            return self._number(scores[self.keys or self.scorer.primary])
        return {key: self._number(scores[key]) for key in self.keys}

    def _number(self, value: float) -> Any:
        double = self.device.type != "mps"  # which has no float64
        return torch.tensor(value, dtype=torch.float64 if double else torch.float32, device=self.device)

    def _tensor(self, totals: Totals) -> Any:
        """The totals as bytes, after their number."""
        data = totals.to_bytes()
        content = bytearray(len(data).to_bytes(_SIZE, "little") + data)
        return torch.frombuffer(content, dtype=torch.uint8).to(self.device)


def _parts(state: Any) -> Iterator[Totals]:
    """The totals in the tensors of a state. Ranks that were gathered are a single tensor."""
    for tensor in [state] if isinstance(state, torch.Tensor) else state:
        data = tensor.to("cpu", torch.uint8).numpy().tobytes()
        while data:
            end = _SIZE + int.from_bytes(data[:_SIZE], "little")
            yield Totals.from_bytes(data[_SIZE:end])
            data = data[end:]


def _in_turn(parts: Iterable[Totals]) -> Totals:
    """The totals of parts that follow each other."""
    return reduce(lambda before, part: before.merge(part.placed(before.end)), parts)
