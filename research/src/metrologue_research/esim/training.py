"""How ESIM is trained, on torch, from the vectors of a frozen encoder."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import InputError, checked_int
from metrologue.learned.examples import Examples
from metrologue.learned.features import Features, Tokens
from metrologue.learned.recipes import Asked, Recipe
from metrologue.learned.rivals import rival_scores
from metrologue.learned.trained_model import TrainedModel
from metrologue.learned.training.linear import check_training
from metrologue.learned.training.loop import Steps, descend, imported_torch
from metrologue.scorers.core.crossed import distinct_texts
from metrologue_research.esim.network import EsimNetwork, Kept, kept_tokens

_AT_ONCE = 256  # pairs that are scored at once while the training is watched


@dataclass(frozen=True, kw_only=True)
class Matching(Steps):
    """ESIM as its authors train it: least squares, Adam, and an early stop by Pearson's r on pairs that are set aside.

    Raises an InputError if a width, the layer or `most_tokens` is out of range.

    Attributes
    ----------
    hidden : tuple of int
        The widths of the first LSTM in one direction, of the projection, the second LSTM and the last hidden layer; one
        number stands for all four.
    dropout : float
        The share of what is left out in a step: of the places of a vector, the same ones for all tokens of a text,
        before both LSTMs; and of the numbers before and after the last hidden layer.
    layer : int, optional
        The encoder's layer; by default the last one. The authors mix all layers of BERT, with weights that are trained.
    most_tokens : int
        What follows in a text is left out.
    epochs, batch, rate, decay, patience, share, clip, halve, seed
        As for ``Steps``. What is set aside has references of its own.

    Examples
    --------
    >>> Matching(hidden=(100,), seed=3).about
    'ESIM with widths of 100, 100, 100 and 100, at most 75 epochs, seed 3'
    """

    hidden: tuple[int, ...] = (300,)
    dropout: float = 0.5
    layer: int | None = None
    most_tokens: int = 100
    epochs: int = 75
    batch: int = 32
    rate: float = 4e-4
    decay: float = 0.0
    patience: int = 4
    clip: float = 10.0
    halve: bool = True

    def __post_init__(self) -> None:
        if len(self.hidden) not in (1, 4):
            raise InputError(f"train: ESIM has four widths, or one for all; {len(self.hidden)} are given.")
        for width in self.hidden:
            checked_int("train: a width of `hidden`", width, 1, 1 << 16)
        checked_int("train: `most_tokens`", self.most_tokens, 1, 1 << 20)

    @property
    def widths(self) -> tuple[int, ...]:
        """All four."""
        return self.hidden * (4 // len(self.hidden))

    @property
    def about(self) -> str:
        *first, last = map(str, self.widths)
        return f"ESIM with widths of {', '.join(first)} and {last}, at most {self.epochs} epochs, seed {self.seed}"

    def fit(
        self, kept: Kept, pairs: np.ndarray, targets: Floats, groups: Sequence[str], layer: int, **run: Any
    ) -> EsimNetwork:
        """The network that these pairs make.

        Raises an InputError if the counts differ, all targets are equal, or the training diverges.

        Parameters
        ----------
        kept : Kept
            The vectors of all texts.
        pairs : int64 (n, 2)
            The hypothesis and the reference of each pair, as places among the texts.
        targets : float64 (n,)
        groups : sequence of n str
            A group is never on both sides of the part that ends the training.
        layer : int
            That of the vectors, for the network's settings.
        **run
            `checkpoint` and `hidden_bar`; see ``descend``.
        """
        check_training(pairs, targets)
        torch = imported_torch()
        level, unit = float(targets.mean()), float(targets.std())
        goals = torch.tensor((targets - level) / unit, dtype=torch.float32)
        vectors, lengths = torch.from_numpy(kept.vectors), np.diff(kept.offsets)

        def padded(texts: np.ndarray) -> tuple[Any, Any]:
            own = lengths[texts]
            places = np.arange(own.max())
            at = np.minimum(kept.offsets[texts][:, None] + places, len(vectors) - 1)
            mask = torch.from_numpy(places < own[:, None])
            return vectors[torch.from_numpy(at)] * mask[..., None], mask

        def given(module: Any, rows: np.ndarray) -> Any:
            return module(*padded(pairs[rows, 1]), *padded(pairs[rows, 0]))

        def loss(module: Any, rows: Any) -> Any:
            return torch.nn.functional.mse_loss(given(module, rows.numpy()), goals[rows])

        def measure(module: Any, rows: np.ndarray) -> float:
            """Minus Pearson's r; 1 if all scores are the same."""
            parts = [given(module, rows[start : start + _AT_ONCE]) for start in range(0, len(rows), _AT_ONCE)]
            own = torch.cat(parts).numpy().astype(np.float64)
            if not np.isfinite(own).all():
                return float("nan")
            own, its = own - own.mean(), targets[rows] - targets[rows].mean()
            size = float(np.sqrt((own @ own) * (its @ its)))
            return -float(own @ its) / size if size > 1e-12 else 1.0

        def batches(draws: np.random.Generator, rows: np.ndarray) -> Iterable[np.ndarray]:
            """Pairs of about equal length together; the batches in any order."""
            sizes = lengths[pairs[rows]] @ (1e-3, 1.0) + draws.random(len(rows))
            order = rows[np.argsort(sizes, kind="stable")]
            parts = [order[start : start + self.batch] for start in range(0, len(order), self.batch)]
            return (parts[place] for place in draws.permutation(len(parts)))

        width = kept.vectors.shape[1]
        module = descend(
            self, lambda: module_of(width, self.widths, self.dropout), loss, len(pairs), groups,
            batches=batches, measure=measure, **run,
        )  # fmt: skip
        arrays = {name: each.numpy().copy() for name, each in module.state_dict().items()}
        arrays["out.weight"], arrays["out.bias"] = (
            arrays["out.weight"] * np.float32(unit),
            arrays["out.bias"] * np.float32(unit) + np.float32(level),
        )
        return EsimNetwork(arrays, layer, self.most_tokens)


def module_of(width: int, widths: Sequence[int], dropout: float) -> Any:
    """The network as a module of torch: it takes the padded vectors of references, their mask, and the same of texts.

    Weights are drawn as the authors draw them: those of layers and inputs of LSTMs as Glorot and Bengio (2010) do,
    those of states orthogonal, biases 0 but for a 1 at the gate that forgets.
    """
    torch = imported_torch()
    nn, functional = torch.nn, torch.nn.functional
    first, middle, second, last = widths

    def lstm(inputs: int, size: int) -> Any:
        return nn.LSTM(inputs, size, bidirectional=True, batch_first=True)

    class Esim(nn.Module):  # type: ignore[misc, name-defined]  # torch is imported here
        def __init__(self) -> None:
            super().__init__()
            self.read, self.compare = lstm(width, first), lstm(middle, second)
            self.project, self.hidden = nn.Linear(8 * first, middle), nn.Linear(8 * second, last)
            self.out = nn.Linear(last, 1)

        def forward(self, reference: Any, its: Any, hypothesis: Any, own: Any) -> Any:
            read = [
                self._run(self.read, self._dropped(rows), mask) for rows, mask in ((reference, its), (hypothesis, own))
            ]
            products = read[0] @ read[1].transpose(1, 2)
            there = products.masked_fill(~own[:, None], -1e7).softmax(2)
            back = products.transpose(1, 2).masked_fill(~its[:, None], -1e7).softmax(2)
            pooled = []
            for rows, attended, mask in ((read[0], there @ read[1], its), (read[1], back @ read[0], own)):
                enhanced = torch.cat([rows, attended, rows - attended, rows * attended], 2)
                seen = self._run(self.compare, self._dropped(self.project(enhanced).relu()), mask)
                shown = mask[..., None]
                pooled += [(seen * shown).sum(1) / shown.sum(1), seen.masked_fill(~shown, -1e7).amax(1)]
            hidden = self.hidden(self._some(torch.cat(pooled, 1))).relu()
            return self.out(self._some(hidden))[:, 0]

        def _run(self, layer: Any, rows: Any, mask: Any) -> Any:
            """What an LSTM makes of padded rows, which it does not see beyond each text's end."""
            packed = nn.utils.rnn.pack_padded_sequence(rows, mask.sum(1), batch_first=True, enforce_sorted=False)
            found, _ = nn.utils.rnn.pad_packed_sequence(layer(packed)[0], batch_first=True, total_length=rows.shape[1])
            return found

        def _dropped(self, rows: Any) -> Any:
            """The same places of the vectors of all tokens of a text are left out."""
            return rows * self._some(torch.ones_like(rows[:, :1]))

        def _some(self, rows: Any) -> Any:
            return functional.dropout(rows, dropout, self.training)

    module = Esim()
    for name, weights in module.named_parameters():
        if "weight_hh" in name:
            nn.init.orthogonal_(weights)
        elif "weight" in name:
            nn.init.xavier_uniform_(weights)
        else:
            nn.init.zeros_(weights)
        if "bias_hh" in name:
            size = len(weights) // 4
            nn.init.ones_(weights[size : 2 * size])
    return module


def train_esim(examples: Examples, asked: Asked) -> TrainedModel:
    """A model of ``esim``.

    Raises an InputError if there is not exactly one encoder, or the trainer is another one; and as ``train`` raises.
    """
    examples.check_varied()
    trainer = asked.trainer_or(
        Matching(), "esim is trained as Matching says; leave the trainer out, or give one of that class."
    )
    features, whole = Features((Tokens.of(asked.one_encoder()),)), asked.whole(examples)
    encoder = features.encoders[0].encoder
    layer = encoder.layers if trainer.layer is None else trainer.layer
    distinct = distinct_texts(whole.segments)
    kept = kept_tokens(encoder, distinct.texts, layer, trainer.most_tokens)
    one, other = distinct.pairs(whole.segments)
    pairs, offsets = np.column_stack([one, other]), whole.segments.reference_offsets
    rows_of = np.repeat(np.arange(len(whole)), np.diff(offsets))
    names = [*map(str, other.tolist())]

    def fit(rows: np.ndarray, **run: Any) -> EsimNetwork:
        chosen = np.flatnonzero(np.isin(rows_of, rows))
        groups = [names[pair] for pair in chosen]
        return trainer.fit(kept, pairs[chosen], whole.targets[rows_of[chosen]], groups, layer, **run)

    def score(network: EsimNetwork, rows: np.ndarray) -> Floats:
        at = np.concatenate([np.arange(offsets[row], offsets[row + 1]) for row in rows])
        scores = network.of_pairs(encoder, distinct.texts, one[at], other[at])
        return np.maximum.reduceat(scores, np.concatenate([[0], np.cumsum(np.diff(offsets)[rows])[:-1]]))

    return asked.model(
        examples, features, trainer.about, fit, score, lambda: rival_scores(whole, features),
        settings=repr((trainer, str(features.encoders[0]))),
    )  # fmt: skip


RECIPE = Recipe("the tokens' vectors of one encoder", Matching, encoders=True, labels=False, made=train_esim)
