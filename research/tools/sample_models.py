"""How ``tools/sample_models.py`` trains the models of research on metrologue's own sample."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
from metrologue_research.adem.training import Bilinear
from metrologue_research.apes.examples import ClozeExamples, cloze_examples
from metrologue_research.apes.training import ReaderTrainer
from metrologue_research.dae.examples import ArcExamples, arc_examples
from metrologue_research.esim.training import Matching
from metrologue_research.fined_eval.examples import read_dialogue_pairs
from metrologue_research.fined_eval.training import FinedTrainer

from metrologue.learned import Examples, Mlp, NgramEncoder, TrainedModel, read_examples, train
from metrologue.learned.exchanges import read_exchanges
from metrologue.learned.store import DIALOGUES, SAMPLE
from metrologue.learned.training import PairClassifier

METRICS = ("bleu:nltk", "chrf", "rouge", "ter", "token_f1")


def labelled(examples: Examples) -> Examples:
    """The same texts with a label: 1 for those that people would write."""
    return replace(examples, targets=(examples.targets > 0.8) * 1.0, labels=True)


def with_arcs(examples: Examples) -> ArcExamples:
    """The texts with arcs. A word is wrong if the reference lacks it."""
    sources = [own for own, *_ in examples.references]
    wrong = [
        [each.span() for each in re.finditer(r"\w+", text) if each[0].lower() not in source.lower()]
        for text, source in zip(examples.predictions, sources, strict=True)
    ]
    return arc_examples(sources, examples.predictions, errors=wrong)


def with_questions() -> ClozeExamples:
    """Sentences that we made up, and others that ask for their entities."""
    count, draws = 64, np.random.default_rng(0)
    people, places = ["Anna", "Bo", "Clara", "Dan", "Eve", "Finn"], ["Rome", "Oslo", "Paris", "Kyiv"]
    forms = [
        ("Yesterday {0} met {1} in {2}.", "In {2}, {0} met {1}."),
        ("Later {0} sold {1} a house in {2}.", "Then {1} had a house in {2}, which {0} sold."),
        ("On the way to {2}, {0} saw {1}.", "They say that {0} saw {1} near {2}."),
        ("It was {1} whom {0} called from {2}.", "Today {0} called {1} from {2}."),
    ]
    passages, references = [], []
    for number in range(count):
        one, other = forms[number % len(forms)]
        names = [*draws.permutation(people)[:2], draws.choice(places)]
        passages.append(one.format(*names))
        references.append(other.format(*names))
    return cloze_examples(passages, references, groups=[f"form {number % len(forms)}" for number in range(count)])


def images_of(rated: Examples) -> dict[str, list[str]]:
    """The good texts for each sentence, as if all were captions of the same image."""
    found: dict[str, list[str]] = {}
    for text, [reference], target in zip(rated.predictions, rated.references, rated.targets, strict=True):
        found.setdefault(reference, []).extend([text] if target > 0.6 else [])
    return found


def made(metric: str) -> TrainedModel:
    """The model of a metric."""
    rated, encoder = read_examples(SAMPLE), NgramEncoder(64)
    match metric:
        case "apes":
            trainer = ReaderTrainer(hidden=(12,), width=12, entities=8, epochs=60, rate=0.01)
            return train(metric, with_questions(), trainer=trainer)
        case "adem":
            return train(
                metric,
                replace(rated, targets=1 + 4 * rated.targets),
                encoders=[NgramEncoder(32)],
                trainer=Bilinear(components=24),
            )
        case "compact_reward":
            from metrologue_research.compact_reward.examples import captions_against_damaged
            from metrologue_research.compact_reward.training import RewardTrainer

            images = [(own, *texts) for own, texts in images_of(rated).items() if texts]
            trainer = RewardTrainer(hidden=(12,), embedded=8, epochs=12, batch=16, rate=5e-3, least_count=1)
            return train(metric, captions_against_damaged(images), encoders=[NgramEncoder(32)], trainer=trainer)
        case "comparator":
            return train(metric, rated, encoders=[NgramEncoder(32)], trainer=PairClassifier(hidden=(16,), epochs=60))
        case "dae":
            return train(
                metric, with_arcs(rated), encoders=[NgramEncoder(32)], trainer=Mlp(hidden=(8,), head="classes")
            )
        case "esim":
            matching = Matching(
                hidden=(12,), dropout=0.2, epochs=40, batch=16, rate=5e-3, share=0.0, halve=False
            )  # fmt: skip
            return train(metric, rated, encoders=[NgramEncoder(32)], trainer=matching)
        case "fined_eval":
            heads = FinedTrainer(hidden=(8,), epochs=20, batch=16, rate=3e-3)
            return train(metric, read_dialogue_pairs(DIALOGUES), encoders=[NgramEncoder(32)], trainer=heads)
        case "nneval":
            trainer = Mlp(hidden=(72, 72), head="classes", epochs=60, batch=16)
            return train(metric, labelled(rated), scores=METRICS, trainer=trainer)
        case "perception_score":
            from metrologue_research.perception_score.examples import against_damaged
            from metrologue_research.perception_score.training import PerceptionTrainer

            texts = sorted({text for own in rated.references for text in own})
            steps = PerceptionTrainer(hidden=(16,), epochs=60, batch=16)
            return train(metric, against_damaged(texts), encoders=[NgramEncoder(64)], trainer=steps)
        case "ruber":
            trainer = Mlp(hidden=(16,), head="classes", epochs=60, batch=16)
            return train(metric, read_exchanges(DIALOGUES), encoders=[NgramEncoder(32)], trainer=trainer)
        case _:  # ruse
            return train(metric, rated, encoders=[encoder])
