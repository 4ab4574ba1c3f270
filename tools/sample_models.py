"""Trains the models of metrologue's own sample: ``python tools/sample_models.py``.

The sentences in ``metrologue/learned/samples`` and their ratings are made up. The models show how learned metrics work:
their examples, pages and tests have them. Networks need torch.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from metrologue.learned import Examples, Mlp, NgramEncoder, TrainedModel, read_examples, save_model, train
from metrologue.learned.networks.adem import Bilinear
from metrologue.learned.networks.esim_training import Matching
from metrologue.learned.store import SAMPLE
from metrologue.learned.training import PairClassifier

# Metrics that need neither tables nor models.
METRICS = ("bleu:nltk", "chrf", "rouge", "ter", "token_f1")


def labelled(examples: Examples) -> Examples:
    """The same texts with a label: 1 for those that people would write."""
    return replace(examples, targets=(examples.targets > 0.8) * 1.0, labels=True)


def made(metric: str) -> TrainedModel:
    """The model of a metric."""
    rated, encoder = read_examples(SAMPLE), NgramEncoder(64)
    match metric:
        case "adem":
            return train(
                metric,
                replace(rated, targets=1 + 4 * rated.targets),
                encoders=[NgramEncoder(32)],
                trainer=Bilinear(components=24),
            )
        case "comparator":
            return train(metric, rated, encoders=[NgramEncoder(32)], trainer=PairClassifier(hidden=(16,), epochs=60))
        case "composite":
            return train(metric, rated, scores=METRICS)
        case "esim":
            matching = Matching(
                hidden=(12,), dropout=0.2, epochs=40, batch=16, rate=5e-3, share=0.0, halve=False
            )  # fmt: skip
            return train(metric, rated, encoders=[NgramEncoder(32)], trainer=matching)
        case "nneval":
            trainer = Mlp(hidden=(72, 72), head="classes", epochs=60, batch=16)
            return train(metric, labelled(rated), scores=METRICS, trainer=trainer)
        case _:
            return train(metric, rated, encoders=[encoder])


def main() -> None:
    """Write all of them."""
    for metric in ("adem", "comparator", "composite", "esim", "nneval", "ruse"):
        model = made(metric)
        print(save_model(model, Path(SAMPLE).parent / metric), model.name)


if __name__ == "__main__":
    main()
