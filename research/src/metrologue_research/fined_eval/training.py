"""Training FineD-Eval on pairs of dialogues, and what its heads reach on dialogues that were held out."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from metrologue.data.arrays import Floats, Offsets
from metrologue.errors import InputError
from metrologue.learned.features import Features
from metrologue.learned.finished import FinishedParts, digest_of, measuring_file
from metrologue.learned.leaks import LeakReport
from metrologue.learned.measuring import Compared, HeldOut
from metrologue.learned.network import Network
from metrologue.learned.recipes import Asked, Recipe
from metrologue.learned.trained_model import TrainedModel
from metrologue.learned.training.linear import standard, standardized
from metrologue.learned.training.loop import Steps, descend, imported_torch
from metrologue_research.fined_eval.examples import DialoguePairs, Turns, read_dialogue_pairs
from metrologue_research.fined_eval.network import HEADS, DialogueHeads, neighbour_cosines, turn_rows

FORMS: Mapping[str, str] = {
    "multitask": "one layer that all heads share",
    "ensemble": "a layer of each head's own",
}
_FOLDS, _RESAMPLES = 5, 1000
_LONG = 5  # words of a turn that two dialogues do not have by chance


@dataclass(frozen=True, kw_only=True)
class FinedTrainer(Steps):
    """A network with three heads. Of a pair of dialogues, the better one is to be above the other one by a margin.

    The loss of a pair is max(0, margin - (s_better - s_worse)), of the head for which the pair was made. Raises an
    InputError if there is no such form, there is not one width, or the margin is not above 0.

    Attributes
    ----------
    form : str
        "multitask", with one layer that all heads share, or "ensemble", with one for each head.
    hidden : tuple of int
        The width of a layer.
    dropout : float
        The share of the numbers of the mean that are left out in a step.
    margin : float
        The authors' is 0.1.
    epochs, batch, rate, decay, patience, share, seed
        As for ``Steps``; a row is a pair.

    Examples
    --------
    >>> FinedTrainer(form="ensemble").about
    'an ensemble of three layers of 32, margin 0.1, at most 20 epochs, seed 0'
    """

    form: str = "multitask"
    hidden: tuple[int, ...] = (32,)
    dropout: float = 0.2
    margin: float = 0.1
    epochs: int = 20
    batch: int = 32
    patience: int = 3

    def __post_init__(self) -> None:
        if self.form not in FORMS:
            raise InputError(f"train: `form` is {self.form!r}; one of {', '.join(FORMS)} is expected.")
        if len(self.hidden) != 1 or self.hidden[0] < 1:
            raise InputError(f"train: `hidden` is {self.hidden}; fined_eval has one width, such as (32,).")
        if not 0 < self.margin <= 1:
            raise InputError(f"train: `margin` is {self.margin:g}; above 0 to 1 is expected.")

    @property
    def about(self) -> str:
        own = f"a layer of {self.hidden[0]} for three heads"
        if self.form == "ensemble":
            own = f"an ensemble of three layers of {self.hidden[0]}"
        return f"{own}, margin {self.margin:g}, at most {self.epochs} epochs, seed {self.seed}"

    def fit(
        self, rows: Floats, offsets: Offsets, pairs: np.ndarray, groups: Sequence[str] | None = None,
        checkpoint: str | os.PathLike[str] | None = None, hidden_bar: bool = True,
    ) -> DialogueHeads:  # fmt: skip
        """The network that these pairs make.

        Raises an InputError if the training diverges.

        Parameters
        ----------
        rows : float64 (turns, k)
            The features of the turns of all dialogues.
        offsets : int64 (dialogues + 1,)
        pairs : int64 (n, 3)
            The better dialogue, the worse one, and the place of the head.
        groups : sequence of n str, optional
        checkpoint, hidden_bar
            As ``descend`` takes them.
        """
        torch = imported_torch()
        mean, spread = standard(rows)
        x = torch.tensor(standardized(rows, mean, spread), dtype=torch.float32)
        starts, counts = torch.tensor(offsets[:-1]), torch.tensor(np.diff(offsets))
        three = 1 if self.form == "multitask" else len(HEADS)
        own = torch.ones(len(HEADS), self.hidden[0])
        if three > 1:
            own = torch.block_diag(*own[:, None])

        def make() -> Any:
            layer = torch.nn.Linear(x.shape[1], self.hidden[0] * three)
            torch.nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
            torch.nn.init.zeros_(layer.bias)
            heads = torch.nn.Linear(self.hidden[0] * three, len(HEADS))
            parts = {"layer": layer, "heads": heads, "dropout": torch.nn.Dropout(self.dropout)}
            return torch.nn.ModuleDict(parts)

        def scores(module: Any, dialogues: Any) -> Any:
            sizes = counts[dialogues]
            owner = torch.repeat_interleave(torch.arange(len(dialogues)), sizes)
            within = torch.arange(len(owner)) - torch.repeat_interleave(sizes.cumsum(0) - sizes, sizes)
            hidden = torch.relu(module["layer"](x[starts[dialogues][owner] + within]))
            means = torch.zeros(len(dialogues), hidden.shape[1]).index_add_(0, owner, hidden) / sizes[:, None]
            linear = torch.nn.functional.linear
            return torch.sigmoid(linear(module["dropout"](means), module["heads"].weight * own, module["heads"].bias))

        places = torch.tensor(pairs)

        def loss(module: Any, chosen: Any) -> Any:
            better, worse, heads = places[chosen].T
            gaps = scores(module, better) - scores(module, worse)
            return torch.relu(self.margin - gaps.gather(1, heads[:, None])).mean()

        module = descend(self.alone, make, loss, len(pairs), groups, checkpoint=checkpoint, hidden_bar=hidden_bar)
        layer, heads = ((module[name].weight.detach(), module[name].bias.detach()) for name in ("layer", "heads"))
        weights, biases = (each.numpy().astype(np.float64) for each in layer)
        network = Network(mean, spread, [(weights, biases)])
        return DialogueHeads(network, *((each.numpy().astype(np.float64)) for each in (heads[0] * own, heads[1])))


# ----- What is trained on -----


@dataclass(frozen=True, eq=False)
class _Table:
    """Pairs by the places of their dialogues, with the features of all turns.

    Attributes
    ----------
    rows, offsets
        As ``turn_rows`` gives them.
    pairs : int64 (n, 3)
    groups : list of n (str, str)
    """

    dialogues: list[Turns]
    rows: Floats = field(repr=False)
    offsets: Offsets
    pairs: np.ndarray
    groups: list[tuple[str, str]]

    @classmethod
    def of(cls, pairs: DialoguePairs, features: Features) -> _Table:
        place = {turns: row for row, turns in enumerate(dict.fromkeys((*pairs.better, *pairs.worse)))}
        columns = [
            [place[turns] for turns in pairs.better],
            [place[turns] for turns in pairs.worse],
            [HEADS.index(head) for head in pairs.heads],
        ]
        dialogues = [*place]
        return cls(dialogues, *turn_rows(features, dialogues), np.array(columns).T, [*pairs.groups])

    def fit(self, trainer: FinedTrainer, chosen: np.ndarray, **run: Any) -> DialogueHeads:
        """The network of some of the pairs."""
        used = np.unique(self.pairs[chosen, :2])
        turns = [np.arange(self.offsets[each], self.offsets[each + 1]) for each in used]
        offsets = np.cumsum([0, *map(len, turns)])
        pairs = np.column_stack([np.searchsorted(used, self.pairs[chosen, :2]), self.pairs[chosen, 2]])
        groups = [self.groups[row][0] for row in chosen]
        return trainer.fit(self.rows[np.concatenate(turns)], offsets, pairs, groups, **run)

    def gaps(self, scores: Floats, chosen: np.ndarray) -> Floats:
        """By how much the better dialogue of each pair is above the other one, from scores (dialogues, 3 or 1)."""
        better, worse, heads = self.pairs[chosen].T
        heads = np.minimum(heads, scores.shape[1] - 1)
        gaps: Floats = scores[better, heads] - scores[worse, heads]
        return gaps


def train_fined(examples: DialoguePairs, asked: Asked) -> TrainedModel:
    """A model of ``fined_eval``, and how many pairs of dialogues that were held out each head orders right.

    Raises an InputError if the examples are no pairs of dialogues, or a head has none; if the trainer is another one;
    and as ``train``.
    """
    for given in (examples, asked.test):
        if given is not None and not isinstance(given, DialoguePairs):
            raise InputError(
                "train: fined_eval learns from pairs of dialogues; metrologue_research.fined_eval.examples makes them."
            )
    trainer = asked.trainer_or(
        FinedTrainer(seed=asked.seed), "fined_eval has a trainer of its own, FinedTrainer; leave the trainer out."
    )
    examples.check_heads()
    features = Features.of(asked.encoders)
    table = _Table.of(examples, features)
    report: dict[str, Any] = {"trainer": trainer.about, "data": _described(examples)}
    if asked.measure:
        report["held_out"] = _held_out(trainer, features, examples, asked).to_dict()
    return TrainedModel("fined_eval", features, table.fit(trainer, np.arange(len(examples)), **asked.run), report)


RECIPE = Recipe(
    "sentence vectors of one encoder or several, of each turn and of the turn before it",
    FinedTrainer,
    encoders=True,
    made=train_fined,
    reader=read_dialogue_pairs,
    trainers={form: partial(FinedTrainer, form=form) for form in FORMS},
)


def _described(pairs: DialoguePairs) -> dict[str, Any]:
    return {
        "rows": len({*pairs.better, *pairs.worse}),
        "groups": len({group for both in pairs.groups for group in both}),
        "pairs": len(pairs),
        "made": pairs.made,
        "labels": True,
        "digest": digest_of(sorted(pairs.pairs))[:12],
    }


# ----- What is held out -----


def _held_out(trainer: FinedTrainer, features: Features, examples: DialoguePairs, asked: Asked) -> HeldOut:
    """The share of the pairs that each head orders right, beside that of its rival; a tie counts half.

    Each part has the pairs of a fifth of the groups, or those of the test. A pair of which one dialogue is in the part
    and the other one is not is left out. The rival of a head in a part is the best one on the pairs of the training.
    Resamples draw groups; a pair weighs as often as both of its groups are drawn.
    """
    tested: Any = asked.test
    whole = examples if tested is None else DialoguePairs(examples.pairs + tested.pairs, examples.made)
    table = _Table.of(whole, features)
    parts = _folds(examples, asked.seed) if tested is None else {"test": _against_test(examples, whole)}
    rivals = {
        name: _right(table.gaps(values[:, None], np.arange(len(whole))))
        for name, values in _rivals(features, table.dialogues).items()
    }
    heads = table.pairs[:, 2]
    right, rival_right = np.full(len(whole), np.nan), np.full(len(whole), np.nan)
    chosen: dict[str, set[str]] = {head: set() for head in HEADS}
    leaks, dropped = {}, {}
    kept = measuring_file(asked.checkpoint)
    done = FinishedParts(kept, digest_of((trainer, asked.seed, [*parts], str(features), whole), table.rows))
    for name, (training, scored) in parts.items():
        scored = scored[np.isin(heads[scored], heads[training])]
        if not len(scored):
            continue
        gaps = done.numbers(name, partial(_learned_gaps, table, trainer, training, scored))
        right[scored] = _right(gaps)
        for place in np.unique(heads[scored]):
            known, own = (rows[heads[rows] == place] for rows in (training, scored))
            best = max(rivals, key=lambda each: rivals[each][known].mean())
            rival_right[own] = rivals[best][own]
            chosen[HEADS[place]].add(best)
        leaks[name] = _leaks(whole, training, scored)
        dropped[name] = len(examples) - len(training) - (len(scored) if tested is None else 0)
    measured = ~np.isnan(right)
    if not measured.any():
        raise InputError("train: no pair has both dialogues in a part that is held out; give more dialogues.")
    within = {head: np.flatnonzero(measured & (heads == place)) for place, head in enumerate(HEADS)}
    within = {head: rows for head, rows in within.items() if len(rows)}
    both = np.column_stack([right, rival_right])
    return HeldOut(
        scores=right,
        rivals={head: f"{' or '.join(sorted(chosen[head]))} for {head}" for head in within},
        rival_scores=rival_right,
        leaks=leaks,
        dropped=dropped,
        compared={"accuracy": _compared(within, both, table.groups, asked.seed)},
    )


def _learned_gaps(table: _Table, trainer: FinedTrainer, training: np.ndarray, scored: np.ndarray) -> Floats:
    network = table.fit(trainer, training)
    return table.gaps(network(table.rows, table.offsets), scored)


def _right(gaps: Floats) -> Floats:
    """1 where the better dialogue is above the other one, a half where both are equal, and 0 otherwise."""
    return (np.sign(gaps) + 1) / 2


def _folds(pairs: DialoguePairs, seed: int) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """The pairs to train on, and those that are held out, for each part."""
    names, numbers = np.unique(np.array(pairs.groups), return_inverse=True)
    if len(names) < 2:
        raise InputError("train: all dialogues are of one group; nothing can be held out. Give several groups.")
    count = min(_FOLDS, len(names))
    own = np.random.default_rng(seed).permutation(np.arange(len(names)) % count)[numbers.reshape(-1, 2)]
    return {
        f"part {part + 1}": (np.flatnonzero((own != part).all(axis=1)), np.flatnonzero((own == part).all(axis=1)))
        for part in range(count)
    }


def _against_test(examples: DialoguePairs, whole: DialoguePairs) -> tuple[np.ndarray, np.ndarray]:
    """The pairs to train on and those of the test. Raises an InputError if a dialogue is in both."""
    training, test = np.arange(len(examples)), np.arange(len(examples), len(whole))
    known = {*examples.better, *examples.worse}
    shared = {turns for row in test for turns in (whole.better[row], whole.worse[row])} & known
    if shared:
        raise InputError(f"train: {len(shared):,} dialogues of the test are in the training data too; leave them out.")
    return training, test


def _rivals(features: Features, dialogues: Sequence[Turns]) -> dict[str, Floats]:
    """What a look at the surface of a dialogue tells, (dialogues,) each, and the same turned round."""
    alike = neighbour_cosines(features, dialogues)
    turns = np.array([float(len(own)) for own in dialogues])
    words = np.array([sum(len(turn.split()) for turn in own) / len(own) for own in dialogues])
    found = {"neighbours alike": alike, "many turns": turns, "long turns": words}
    return {**found, "neighbours unlike": -alike, "few turns": -turns, "short turns": -words}


def _leaks(pairs: DialoguePairs, training: np.ndarray, scored: np.ndarray) -> LeakReport:
    """What the dialogues of a part share with those of the training: a turn of five words or more is a context."""
    long = {
        turn for row in training for turns in (pairs.better[row], pairs.worse[row]) for turn in turns
        if len(turn.split()) >= _LONG
    }  # fmt: skip
    shared = sum(not long.isdisjoint((*pairs.better[row], *pairs.worse[row])) for row in scored)
    return LeakReport(training=len(training), test=len(scored), rows=0, references=0, contexts=shared, systems=0)


def _compared(parts: Mapping[str, np.ndarray], right: Floats, groups: Sequence[tuple[str, str]], seed: int) -> Compared:
    """The shares of right pairs, (n, 2), as means over the heads, with the intervals of resampled groups."""
    draws = np.random.default_rng(seed)
    drawn = np.zeros((_RESAMPLES, 2))
    for rows in parts.values():
        names, numbers = np.unique(np.array([groups[row] for row in rows]), return_inverse=True)
        one, other = numbers.reshape(-1, 2).T
        times = draws.multinomial(len(names), np.full(len(names), 1 / len(names)), _RESAMPLES)
        weights = times[:, one] * np.where(one == other, 1, times[:, other])
        totals = weights.sum(axis=1, keepdims=True)
        # A resample without any pair says nothing: it has the share of all.
        shares = np.where(totals > 0, weights @ right[rows] / np.maximum(totals, 1), right[rows].mean(axis=0))
        drawn += shares / len(parts)
    once = np.array([right[rows].mean(axis=0) for rows in parts.values()])
    return Compared.of([*parts], once.T, drawn.T[..., None])
