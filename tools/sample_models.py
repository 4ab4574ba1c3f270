"""Trains the models of metrologue's own sample: ``python tools/sample_models.py``.

The sentences in ``metrologue/learned/samples`` and their ratings are made up. The models show how learned metrics work:
their examples, pages and tests have them. Networks need torch.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from metrologue.learned import Examples, Mlp, NgramEncoder, TrainedModel, read_examples, save_model, train
from metrologue.learned.exchanges import read_exchanges
from metrologue.learned.store import DIALOGUES, SAMPLE
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
        case "comparator":
            return train(metric, rated, encoders=[NgramEncoder(32)], trainer=PairClassifier(hidden=(16,), epochs=60))
        case "composite":
            return train(metric, rated, scores=METRICS)
        case "nneval":
            trainer = Mlp(hidden=(72, 72), head="classes", epochs=60, batch=16)
            return train(metric, labelled(rated), scores=METRICS, trainer=trainer)
        case "ruber":
            trainer = Mlp(hidden=(16,), head="classes", epochs=60, batch=16)
            return train(metric, read_exchanges(DIALOGUES), encoders=[NgramEncoder(32)], trainer=trainer)
        case _:
            return train(metric, rated, encoders=[encoder])


def main() -> None:
    """Write all of them."""
    for metric in ("comparator", "composite", "nneval", "ruber", "ruse"):
        model = made(metric)
        print(save_model(model, Path(SAMPLE).parent / metric), model.name)


if __name__ == "__main__":
    main()
