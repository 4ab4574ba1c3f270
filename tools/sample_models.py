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

from metrologue.learned import Examples, NgramEncoder, TrainedModel, read_examples, save_model, train
from metrologue.learned.store import SAMPLE
from metrologue.scorers.core.homes import folder_of, homes, part_of
from metrologue.scorers.factcc.corruptions import Edit, edited
from metrologue.scorers.factcc.examples import ClaimExamples
from metrologue.scorers.factcc.training import ClaimTrainer

CLAIM_TRAINER = ClaimTrainer(width=8, epochs=40, batch=8, rate=0.01, patience=8)
# What is said of each of them wherever it gives a number.
SAID = "an example model made from our own sentences; its numbers mean nothing"
# Metrics that need neither tables nor models.
METRICS = ("bleu:nltk", "chrf", "rouge", "ter", "token_f1")


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
    rated = read_examples(SAMPLE)
    match metric:
        case "bleurt":
            return bleurt(rated)
        case "composite":
            return train(metric, rated, scores=METRICS)
        case "factcc":
            return train(metric, claims(rated), encoders=[NgramEncoder(32)], trainer=CLAIM_TRAINER)
        case _:
            from research.tools.sample_models import made as made_of_research

            return made_of_research(metric)


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
