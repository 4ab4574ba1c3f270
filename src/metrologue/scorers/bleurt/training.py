"""Training BLEURT: a transformer learns the scores of our metrics on synthetic pairs, and then people's ratings."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import InputError
from metrologue.language_models.pretrained import (
    bars_on_terminals_only,
    libraries,
    local_files_only,
    model_at,
    reading,
    tokenizer_at,
)
from metrologue.learned.examples import Examples
from metrologue.learned.features import Features
from metrologue.learned.recipes import Asked, Recipe
from metrologue.learned.rivals import rival_scores
from metrologue.learned.synthetic import MaskFilling, Synthetic, synthetic_pairs
from metrologue.learned.trained_model import TrainedModel
from metrologue.learned.training.linear import standard, standardized
from metrologue.learned.training.loop import Steps, descend
from metrologue.scorers.bleurt.network import (
    PairTransformer,
    Tokenized,
    first_vectors,
    tokenizer_files,
    transformer_of,
)
from metrologue.segments import Segments

# The metrics whose scores the transformer learns first, unless others are given.
SIGNALS = ("bleu:sacrebleu", "chrf", "rouge", "ter", "token_f1")

# What a configuration says of its file, and not of the transformer.
_OF_A_FILE = ("_name_or_path", "architectures", "dtype", "transformers_version")


@dataclass(frozen=True, kw_only=True)
class BleurtTrainer(Steps):
    """Two trainings, one after the other, each with Adam.

    First, the transformer reads synthetic pairs and predicts the scores that other metrics give them, and how the pair
    was made. The loss is the sum of the squared errors of the standardized scores, as a mean over the metrics, and of
    the cross-entropy of how it was made. Then a new last layer, and the transformer with it, learns ratings.

    Attributes
    ----------
    synthetic : int
        The number of synthetic pairs; 0: ratings alone are learned.
    pretraining : int
        The passes over the synthetic pairs.
    masked : path or str, optional
        A masked language model of transformers, which fills holes in some of the pairs.
    longest : int
        The tokens of a pair, at most.
    """

    epochs: int = 4
    batch: int = 16
    rate: float = 5e-5
    decay: float = 0.0
    patience: int = 2
    synthetic: int = 2000
    pretraining: int = 1
    masked: str | os.PathLike[str] | None = None
    longest: int = 128

    @property
    def about(self) -> str:
        first = f"{self.synthetic} synthetic pairs, then " if self.synthetic else ""
        return f"{first}ratings; at most {self.epochs} epochs, seed {self.seed}"


def train_bleurt(examples: Examples, asked: Asked) -> TrainedModel:
    """A transformer that was trained on ratings."""
    examples.check_varied()
    trainer = asked.trainer_or(
        BleurtTrainer(seed=asked.seed),
        f"bleurt has a BleurtTrainer, and {type(asked.trainer).__name__} was given; leave it out.",
    )
    if len(asked.encoders) != 1 or not isinstance(asked.encoders[0], str | os.PathLike):
        raise InputError("train: bleurt is made from one transformer; give the path of its folder as the encoder.")
    base = base_of(asked.encoders[0], trainer.longest)
    signals, whole = Features.of(scores=asked.scores or SIGNALS), asked.whole(examples)

    def fit(rows: np.ndarray, **run: Any) -> PairTransformer:
        return fitted(trainer, base, signals, whole.take(rows), **run)

    def score(network: PairTransformer, rows: np.ndarray) -> Floats:
        return best_scores(network, whole.take(rows))

    learned_first = {"signals": [part.name for part in signals.scores]} if trainer.synthetic else {}
    return asked.model(
        examples, Features(()), f"from {os.path.basename(os.fspath(asked.encoders[0]))}; {trainer.about}", fit, score,
        lambda: rival_scores(whole, Features.of(encoders=asked.encoders)), more=learned_first,
    )  # fmt: skip


RECIPE = Recipe(
    "a transformer that is trained further, and metrics whose scores it learns first",
    BleurtTrainer,
    encoders=True,
    scores=True,
    labels=False,
    made=train_bleurt,
)


def base_of(model_id: str | os.PathLike[str], longest: int) -> PairTransformer:
    """A transformer from a folder or the Hub with a last layer of zeros."""
    torch, transformers = libraries("BleurtTrainer")
    bars, drawn = bars_on_terminals_only(transformers), torch.random.fork_rng(devices=[])
    with bars, drawn, reading("train", os.fspath(model_id), "a transformer"):
        torch.manual_seed(0)  # a layer that the folder lacks, such as the pooler, is drawn
        local = local_files_only(model_id)
        tokenizer = tokenizer_at(transformers.AutoTokenizer, model_id, local_files_only=local)
        model = model_at(transformers.AutoModel, model_id, dtype="float32", local_files_only=local)
    config = {key: value for key, value in model.config.to_dict().items() if key not in _OF_A_FILE}
    weights = {name: each.numpy() for name, each in model.state_dict().items()}
    width = model.config.hidden_size
    head = {"head.weight": np.zeros((1, width), np.float32), "head.bias": np.zeros(1, np.float32)}
    places = getattr(model.config, "max_position_embeddings", None) or longest
    least = min(longest, places, int(tokenizer.model_max_length or longest))
    return PairTransformer({**weights, **head}, config, tokenizer_files(tokenizer), least)


def best_scores(network: PairTransformer, examples: Examples) -> Floats:
    """The score of each text with its best reference, (n,)."""
    texts, others = _pairs(examples)
    starts = np.cumsum([0, *map(len, examples.references)])[:-1]
    scores: Floats = np.maximum.reduceat(network.score_pairs(others, texts)[0], starts)
    return scores


def _pairs(examples: Examples) -> tuple[list[str], list[str]]:
    pairs = [(text, each) for text, own in zip(examples.predictions, examples.references, strict=True) for each in own]
    return [text for text, _ in pairs], [each for _, each in pairs]


def fitted(
    trainer: BleurtTrainer,
    base: PairTransformer,
    signals: Features,
    examples: Examples,
    *,
    checkpoint: str | os.PathLike[str] | None = None,
    hidden_bar: bool = True,
) -> PairTransformer:
    """The network that these examples make."""
    if trainer.synthetic:
        first = None if checkpoint is None else Path(checkpoint).with_stem(f"{Path(checkpoint).stem}-signals")
        base = _with_signals(trainer, base, signals, examples, first, hidden_bar)
    texts, others = _pairs(examples)
    repeats = [len(own) for own in examples.references]
    targets = np.repeat(examples.targets, repeats)
    groups = np.repeat(np.array(examples.kept_together, object), repeats).tolist()
    level, unit = float(targets.mean()), float(targets.std()) or 1.0
    trained, head = _descended(
        trainer, base, base.tokenized(others, texts), 1, _squares((targets - level) / unit), groups, checkpoint,
        hidden_bar,
    )  # fmt: skip
    scaled = head["weight"] * unit, head["bias"] * unit + level
    last = {f"head.{name}": each.astype(np.float32) for name, each in zip(("weight", "bias"), scaled, strict=True)}
    return replace(base, weights={**trained, **last})


def signals_of(pairs: Synthetic, signals: Features) -> Floats:
    """The standardized scores of pairs, (n, metrics); 0 where there is none."""
    found = signals.of_segments(Segments(pairs.candidates, pairs.references))
    return standardized(found, *standard(found))


def _with_signals(
    trainer: BleurtTrainer, base: PairTransformer, signals: Features, examples: Examples, checkpoint: Path | None,
    hidden_bar: bool,
) -> PairTransformer:  # fmt: skip
    """The transformer that has learned the scores of other metrics on synthetic pairs of the references."""
    texts = [each for own in examples.references for each in own]
    fill = None if trainer.masked is None else MaskFilling(trainer.masked)
    pairs = synthetic_pairs(texts, trainer.synthetic, trainer.seed, fill)
    targets = signals_of(pairs, signals.fitted(examples.segments))
    count, outputs = targets.shape[1], targets.shape[1] + len(pairs.names)

    def made(torch: Any) -> Callable[[Any, Any], Any]:
        scores, kinds = torch.tensor(targets, dtype=torch.float32), torch.from_numpy(pairs.kinds)

        def loss(given: Any, rows: Any) -> Any:
            squares = torch.nn.functional.mse_loss(given[:, :count], scores[rows])
            return squares + torch.nn.functional.cross_entropy(given[:, count:], kinds[rows])

        return loss

    steps = replace(trainer, epochs=trainer.pretraining)
    tokens = base.tokenized(pairs.references, pairs.candidates)
    trained, _ = _descended(steps, base, tokens, outputs, made, pairs.references, checkpoint, hidden_bar)
    return replace(base, weights={**base.weights, **trained})


def _squares(targets: Floats) -> Callable[[Any], Callable[[Any, Any], Any]]:
    def made(torch: Any) -> Callable[[Any, Any], Any]:
        values = torch.tensor(targets, dtype=torch.float32)
        return lambda given, rows: torch.nn.functional.mse_loss(given[:, 0], values[rows])

    return made


def _descended(
    trainer: BleurtTrainer, base: PairTransformer, tokens: Tokenized, outputs: int,
    made: Callable[[Any], Callable[[Any, Any], Any]], groups: Sequence[str],
    checkpoint: str | os.PathLike[str] | None, hidden_bar: bool,
) -> tuple[dict[str, np.ndarray], Mapping[str, np.ndarray]]:  # fmt: skip
    """The arrays of the transformer, and those of a new last layer, after a training."""
    torch, _ = libraries("BleurtTrainer")
    rated = made(torch)

    def module() -> Any:
        transformer = transformer_of(base.config)
        weights = {name: each for name, each in base.weights.items() if not name.startswith("head.")}
        transformer.load_state_dict({name: torch.from_numpy(np.array(each)) for name, each in weights.items()})
        head = torch.nn.Linear(transformer.config.hidden_size, outputs)
        return torch.nn.ModuleDict({"transformer": transformer, "head": head})

    def loss(module: Any, rows: Any) -> Any:
        batch = {name: torch.from_numpy(each) for name, each in tokens.batch(rows.tolist()).items()}
        return rated(module["head"](first_vectors(module["transformer"], batch)), rows)

    def in_parts(module: Any, rows: Any) -> Any:
        """The mean loss of many rows, which do not go through at once."""
        parts = [rows] if module.training else torch.split(rows, trainer.batch)
        return sum(loss(module, part) * (len(part) / len(rows)) for part in parts)

    trained = descend(
        trainer.alone, module, in_parts, len(tokens.ids), groups, checkpoint=checkpoint, hidden_bar=hidden_bar
    )
    arrays = {name: each.numpy() for name, each in trained["transformer"].state_dict().items()}
    return arrays, {name: each.numpy() for name, each in trained["head"].state_dict().items()}
