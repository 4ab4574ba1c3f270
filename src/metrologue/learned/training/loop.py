"""The loop of all networks: epochs in batches, an early stop, and a file from which an ended training goes on."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import InputError, shown
from metrologue.files.regular import MOST_WEIGHTS, read_regular
from metrologue.learned.tensors import tensors_from, tensors_to
from metrologue.origin import pip_install
from metrologue.writing import progress_bar, write_whole


@dataclass(frozen=True, kw_only=True)
class Steps:
    """How a network is trained, with Adam.

    Attributes
    ----------
    epochs : int
        At most so many passes over the rows.
    batch : int
        The rows of a step.
    rate, decay : float
        Adam's rate, and its weight decay (which is added to the gradient).
    patience : int
        The training ends after so many epochs that do not lower the loss of the part that is set aside.
    share : float
        The share of the groups, or rows, that are set aside for this; 0: none, and all epochs are run.
    clip : float
        A gradient that is longer is made so long; 0: none is.
    halve : bool
        Whether the rate is halved after each epoch that does not lower the loss.
    """

    epochs: int = 200
    batch: int = 64
    rate: float = 1e-3
    decay: float = 1e-4
    patience: int = 10
    share: float = 0.1
    clip: float = 0.0
    halve: bool = False
    seed: int = 0

    @property
    def about(self) -> str:
        """How it trains, in a few words."""
        raise NotImplementedError

    @property
    def alone(self) -> Steps:
        """These settings without those of a subclass."""
        return Steps(**{each.name: getattr(self, each.name) for each in fields(Steps)})


def imported_torch() -> Any:
    """The package. Raises an InputError that says how to install it."""
    try:
        import torch
    except ImportError:
        raise InputError(f"train: networks are trained with torch; {pip_install('transformers')}.") from None
    return torch


def descend(
    steps: Steps,
    make: Callable[[], Any],
    loss: Callable[[Any, Any], Any],
    count: int,
    groups: Sequence[str] | None = None,
    *,
    batches: Callable[[np.random.Generator, np.ndarray], Iterable[np.ndarray]] | None = None,
    measure: Callable[[Any, np.ndarray], float] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    hidden_bar: bool = True,
) -> Any:
    """The module with the least loss on the part that is set aside.

    The order of the rows and what dropout leaves out depend on the seed and the number of the epoch alone. So a
    training that goes on from its file has the same numbers as one that was never ended. Raises an InputError if the
    file is damaged or of another training, or the loss is not finite.

    Parameters
    ----------
    make : callable
        Makes the module; its weights are drawn from torch's generator.
    loss : callable
        The mean loss of rows, from the module and the indices of the rows.
    count : int
        The number of rows.
    groups : sequence of str, optional
    batches : callable, optional
        Cuts the rows of an epoch into batches, with a generator for draws. By default they are drawn.
    measure : callable, optional
        What is to fall, from the module and rows that are set aside. By default the loss of all of them at once.
    checkpoint : path, optional
        The file. It is written after each epoch, and the training goes on from it if it is there.
    hidden_bar : bool
        Whether there is no progress bar.
    """
    torch = imported_torch()
    rows, aside = _parts(steps, count, groups)
    # One thread: a small network is faster so, and its sums do not depend on the number of cores.
    with torch.random.fork_rng(devices=[]), _one_thread(torch):
        torch.manual_seed(steps.seed)
        module = make()
        adam = torch.optim.Adam(module.parameters(), lr=steps.rate, weight_decay=steps.decay)
        run = _Run(module, adam, _digest(steps, module, rows, aside), checkpoint)
        with progress_bar(steps.epochs, hidden=hidden_bar) as update:
            while run.epoch < steps.epochs and run.worse < max(steps.patience, 1):
                torch.manual_seed(steps.seed * 1_000_003 + run.epoch)
                draws = np.random.default_rng((steps.seed, run.epoch))
                module.train()
                adam.param_groups[0]["lr"] = steps.rate / 2 ** (run.halved if steps.halve else 0)
                for batch in (batches or _drawn(steps.batch))(draws, rows):
                    adam.zero_grad()
                    value = loss(module, torch.from_numpy(batch))
                    value.backward()
                    if steps.clip:
                        torch.nn.utils.clip_grad_norm_(module.parameters(), steps.clip)
                    adam.step()
                module.eval()
                with torch.no_grad():
                    seen = aside if len(aside) else rows
                    found = measure(module, seen) if measure else float(loss(module, torch.from_numpy(seen)))
                run.ended(found, bool(len(aside)))
                update(completed=run.epoch, rate=f"loss {found:.4f}")
        module.load_state_dict(run.best)
    module.eval()
    return module


def _drawn(size: int) -> Callable[[np.random.Generator, np.ndarray], Iterable[np.ndarray]]:
    """Batches of rows in any order."""

    def drawn(draws: np.random.Generator, rows: np.ndarray) -> Iterable[np.ndarray]:
        order = draws.permutation(rows)
        return (order[start : start + size] for start in range(0, len(order), size))

    return drawn


@contextmanager
def _one_thread(torch: Any) -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


class _Run:
    """Where a training is, in memory and in its file."""

    def __init__(self, module: Any, adam: Any, digest: str, path: str | os.PathLike[str] | None) -> None:
        self.module, self.adam, self.digest = module, adam, digest
        self.path = None if path is None else Path(path)
        self.epoch, self.worse, self.halved, self.least = 0, 0, 0, float("inf")
        self.best = _copied(module)
        if self.path is not None and self.path.exists():
            self._load(self.path)

    def ended(self, loss: float, can_stop: bool) -> None:
        """An epoch has ended with this loss."""
        if not np.isfinite(loss):
            raise InputError(f"train: the loss of epoch {self.epoch + 1} is {loss}; give a lower rate.")
        self.epoch += 1
        self.halved += not loss < self.least
        if loss < self.least or not can_stop:
            self.least, self.worse, self.best = loss, 0, _copied(self.module)
        else:
            self.worse += 1
        if self.path is not None:
            self._save(self.path)

    def _save(self, path: Path) -> None:
        arrays = {f"now.{name}": each.numpy() for name, each in self.module.state_dict().items()}
        arrays |= {f"best.{name}": each.numpy() for name, each in self.best.items()}
        for number, state in self.adam.state_dict()["state"].items():
            arrays |= {f"adam.{number}.{name}": each.numpy() for name, each in state.items()}
        about = {key: getattr(self, key) for key in ("epoch", "worse", "halved", "least", "digest")}
        write_whole(path, tensors_to(arrays, {"training": json.dumps(about)}, sealed=True))

    def _load(self, path: Path) -> None:
        import torch

        arrays, told = tensors_from(read_regular(path, "train", MOST_WEIGHTS), shown(str(path)))
        about = json.loads(told.get("training", "{}"))
        if about.get("digest") != self.digest:
            raise InputError(f"train: {path} is of another training, of other data or settings; delete it.")
        self.epoch, self.worse, self.halved, self.least = (about[key] for key in ("epoch", "worse", "halved", "least"))
        state: dict[int, dict[str, Any]] = {}
        for name, array in arrays.items():
            if name.startswith("adam."):
                _, number, key = name.split(".", 2)
                state.setdefault(int(number), {})[key] = torch.from_numpy(array)
        parts = {
            kind: {
                name.removeprefix(f"{kind}."): torch.from_numpy(each)
                for name, each in arrays.items()
                if name.startswith(f"{kind}.")
            }
            for kind in ("now", "best")
        }
        self.module.load_state_dict(parts["now"])
        self.best = parts["best"]
        self.adam.load_state_dict({**self.adam.state_dict(), "state": state})


def arrays_in(module: Any) -> dict[str, Floats]:
    """All arrays of a module of torch, by their names, as float64."""
    return {name: each.detach().numpy().astype(np.float64) for name, each in module.state_dict().items()}


def _copied(module: Any) -> dict[str, Any]:
    return {name: each.detach().clone() for name, each in module.state_dict().items()}


def _digest(steps: Steps, module: Any, rows: np.ndarray, aside: np.ndarray) -> str:
    """What identifies a training: its settings, its first weights, and the rows of both parts."""
    state = hashlib.sha256(json.dumps(asdict(steps), sort_keys=True).encode())
    for part in (rows, aside, *(each.numpy() for each in module.state_dict().values())):
        state.update(np.ascontiguousarray(part).tobytes())
    return state.hexdigest()[:16]


def _parts(steps: Steps, count: int, groups: Sequence[str] | None) -> tuple[np.ndarray, np.ndarray]:
    """The rows to train on, and those that are set aside. No group is in both, unless there is one group only."""
    numbers = np.arange(count) if groups is None else np.unique(np.array(groups), return_inverse=True)[1]
    kinds = int(numbers.max()) + 1
    if kinds < 2:
        numbers, kinds = np.arange(count), count
    chosen = np.random.default_rng(steps.seed).permutation(kinds)[: round(steps.share * kinds)]
    if steps.share and not len(chosen) and kinds > 4:
        chosen = np.random.default_rng(steps.seed).permutation(kinds)[:1]
    aside = np.isin(numbers, chosen)
    return np.flatnonzero(~aside), np.flatnonzero(aside)
