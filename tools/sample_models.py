"""Trains the models of metrologue's own sample: ``python tools/sample_models.py``.

The sentences in ``metrologue/learned/samples`` and their ratings are made up. The models show how learned metrics work:
their examples, pages and tests have them. Networks need torch.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np

from metrologue.learned import Examples, Mlp, NgramEncoder, TrainedModel, read_examples, save_model, train
from metrologue.learned.claim_examples import ClaimExamples
from metrologue.learned.corruptions import Edit, edited
from metrologue.learned.networks.claim_training import ClaimTrainer
from metrologue.learned.store import SAMPLE
from metrologue.learned.training import PairClassifier

CLAIM_TRAINER = ClaimTrainer(width=8, epochs=40, batch=8, rate=0.01, patience=8)
# Metrics that need neither tables nor models.
METRICS = ("bleu:nltk", "chrf", "rouge", "ter", "token_f1")


def labelled(examples: Examples) -> Examples:
    """The same texts with a label: 1 for those that people would write."""
    return replace(examples, targets=(examples.targets > 0.8) * 1.0, labels=True)


def claims(examples: Examples) -> ClaimExamples:
    """Sentences as claims about themselves: as they are, and with a word of another one in place of one of theirs."""
    texts = [*dict.fromkeys(own for references in examples.references for own in references)]
    pairs = [*zip(examples.groups or (), examples.references, strict=True)]
    groups = [next(group for group, own in pairs if text in own) for text in texts]
    draw, made, errors = np.random.default_rng(0), [], []
    for place, text in enumerate(texts):
        others = texts[int(draw.integers(len(texts)))].split()
        word = [*re.finditer(r"\w+", text)][int(draw.integers(1, len(text.split())))]
        other = others[int(draw.integers(len(others)))].strip(".?!")
        changed, [span] = edited(text, [Edit(*word.span(), other)])
        made += [(text, text, 1.0, groups[place])] + [(changed, text, 0.0, groups[place])] * (changed != text)
        errors += [(0, 0)] + [span] * (changed != text)
    said, sources, labels, own = zip(*made, strict=True)
    return ClaimExamples(
        predictions=said,
        references=tuple((each,) for each in sources),
        targets=np.array(labels),
        groups=own,
        labels=True,
        errors=tuple(errors),
        supports=tuple((0, len(each)) for each in sources),
    )


def made(metric: str) -> TrainedModel:
    """The model of a metric."""
    rated, encoder = read_examples(SAMPLE), NgramEncoder(64)
    match metric:
        case "comparator":
            return train(metric, rated, encoders=[NgramEncoder(32)], trainer=PairClassifier(hidden=(16,), epochs=60))
        case "composite":
            return train(metric, rated, scores=METRICS)
        case "factcc":
            return train(metric, claims(rated), encoders=[NgramEncoder(32)], trainer=CLAIM_TRAINER)
        case "nneval":
            trainer = Mlp(hidden=(72, 72), head="classes", epochs=60, batch=16)
            return train(metric, labelled(rated), scores=METRICS, trainer=trainer)
        case _:
            return train(metric, rated, encoders=[encoder])


def main() -> None:
    """Write all of them."""
    for metric in ("comparator", "composite", "factcc", "nneval", "ruse"):
        model = made(metric)
        print(save_model(model, Path(SAMPLE).parent / metric), model.name)


if __name__ == "__main__":
    main()
