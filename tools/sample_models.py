"""Trains the models of metrologue's own sample: ``python tools/sample_models.py``.

The sentences in ``src/metrologue/learned/samples`` and their ratings are made up. Each model is in the home of its
metric, in the folder ``sample``. The models show how learned metrics work: their examples, pages and tests have them.
Networks need torch, and bleurt needs transformers.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from metrologue.learned import Examples, Mlp, NgramEncoder, TrainedModel, read_examples, save_model, train
from metrologue.learned.exchanges import read_exchanges
from metrologue.learned.store import DIALOGUES, SAMPLE
from metrologue.learned.training import PairClassifier
from metrologue.scorers.adem.training import Bilinear
from metrologue.scorers.apes.examples import ClozeExamples, cloze_examples
from metrologue.scorers.apes.training import ReaderTrainer
from metrologue.scorers.core.homes import folder_of, homes, part_of
from metrologue.scorers.dae.examples import ArcExamples, arc_examples
from metrologue.scorers.esim.training import Matching
from metrologue.scorers.factcc.corruptions import Edit, edited
from metrologue.scorers.factcc.examples import ClaimExamples
from metrologue.scorers.factcc.training import ClaimTrainer
from metrologue.scorers.fined_eval.examples import read_dialogue_pairs
from metrologue.scorers.fined_eval.training import FinedTrainer

CLAIM_TRAINER = ClaimTrainer(width=8, epochs=40, batch=8, rate=0.01, patience=8)
# What is said of each of them wherever it gives a number.
SAID = "an example model made from our own sentences; its numbers mean nothing"
# Metrics that need neither tables nor models.
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
        case "bleurt":
            return bleurt(rated)
        case "compact_reward":
            from metrologue.scorers.compact_reward.examples import captions_against_damaged
            from metrologue.scorers.compact_reward.training import RewardTrainer

            images = [(own, *texts) for own, texts in images_of(rated).items() if texts]
            trainer = RewardTrainer(hidden=(12,), embedded=8, epochs=12, batch=16, rate=5e-3, least_count=1)
            return train(metric, captions_against_damaged(images), encoders=[NgramEncoder(32)], trainer=trainer)
        case "comparator":
            return train(metric, rated, encoders=[NgramEncoder(32)], trainer=PairClassifier(hidden=(16,), epochs=60))
        case "composite":
            return train(metric, rated, scores=METRICS)
        case "dae":
            return train(
                metric, with_arcs(rated), encoders=[NgramEncoder(32)], trainer=Mlp(hidden=(8,), head="classes")
            )
        case "esim":
            matching = Matching(
                hidden=(12,), dropout=0.2, epochs=40, batch=16, rate=5e-3, share=0.0, halve=False
            )  # fmt: skip
            return train(metric, rated, encoders=[NgramEncoder(32)], trainer=matching)
        case "factcc":
            return train(metric, claims(rated), encoders=[NgramEncoder(32)], trainer=CLAIM_TRAINER)
        case "fined_eval":
            heads = FinedTrainer(hidden=(8,), epochs=20, batch=16, rate=3e-3)
            return train(metric, read_dialogue_pairs(DIALOGUES), encoders=[NgramEncoder(32)], trainer=heads)
        case "nneval":
            trainer = Mlp(hidden=(72, 72), head="classes", epochs=60, batch=16)
            return train(metric, labelled(rated), scores=METRICS, trainer=trainer)
        case "perception_score":
            from metrologue.scorers.perception_score.examples import against_damaged
            from metrologue.scorers.perception_score.training import PerceptionTrainer

            texts = sorted({text for own in rated.references for text in own})
            steps = PerceptionTrainer(hidden=(16,), epochs=60, batch=16)
            return train(metric, against_damaged(texts), encoders=[NgramEncoder(64)], trainer=steps)
        case "ruber":
            trainer = Mlp(hidden=(16,), head="classes", epochs=60, batch=16)
            return train(metric, read_exchanges(DIALOGUES), encoders=[NgramEncoder(32)], trainer=trainer)
        case _:
            return train(metric, rated, encoders=[encoder])


def images_of(rated: Examples) -> dict[str, list[str]]:
    """The good texts for each sentence, as if all were captions of the same image."""
    found: dict[str, list[str]] = {}
    for text, [reference], target in zip(rated.predictions, rated.references, rated.targets, strict=True):
        found.setdefault(reference, []).extend([text] if target > 0.6 else [])
    return found


def bleurt(rated: Examples) -> TrainedModel:
    """A small transformer with a vocabulary of the sample, and random weights, trained on the sample alone."""
    import torch
    import transformers
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers

    from metrologue.scorers.bleurt.training import BleurtTrainer

    marks = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    words = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    words.normalizer, words.pre_tokenizer = normalizers.BertNormalizer(), pre_tokenizers.BertPreTokenizer()
    trainer = trainers.WordPieceTrainer(vocab_size=300, special_tokens=marks, show_progress=False)
    words.train_from_iterator(sorted({text for own in rated.references for text in own}), trainer)
    words.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    torch.manual_seed(0)
    shape = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
    with TemporaryDirectory() as made:
        folder = Path(made) / "a transformer of random weights"
        named = dict(zip(("pad_token", "unk_token", "cls_token", "sep_token", "mask_token"), marks, strict=True))
        transformers.PreTrainedTokenizerFast(
            tokenizer_object=words, model_max_length=64, **named
        ).save_pretrained(folder)  # fmt: skip
        config = transformers.BertConfig(vocab_size=words.get_vocab_size(), max_position_embeddings=64, **shape)
        transformers.BertModel(config).save_pretrained(folder)
        steps = BleurtTrainer(epochs=8, synthetic=400, pretraining=4, rate=2e-3, longest=64)
        return train("bleurt", rated, encoders=[folder], trainer=steps)


def main() -> None:
    """Write all of them."""
    for metric in homes():
        if part_of(metric, "training"):
            model = made(metric)
            model = replace(model, report={**model.report, "sample": SAID})
            print(save_model(model, folder_of(metric) / "sample"), model.name)


if __name__ == "__main__":
    main()
