"""Small encoders: one of plain Python, and models of transformers with random weights. No network is needed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from metrologue.representations import TokenVectors

__all__ = ["LAYERS", "PLACES", "Letters", "make_encoder"]

LAYERS, PLACES = 3, 40  # of the models of transformers

_TEXT = [
    "the cat sat on the mat and the dog sat on the log",
    "a dog saw the cat , and the cat saw the dog .",
    "a bird sang in the tree while cats and dogs slept",
]


class Letters:
    """An encoder of words by their letters, turned round for a word that begins with a hyphen.

    On its layer 1, a word has a part of its left neighbour too.
    """

    name, layers = "letters@1", 1

    def encode_tokens(self, texts: Sequence[str], layers: Sequence[int]) -> TokenVectors:
        words = [text.split() for text in texts]
        flat = [word for own in words for word in own]
        letters = np.zeros((len(flat), 24), np.float32)
        for row, word in enumerate(flat):
            for letter in word.removeprefix("-"):
                letters[row, ord(letter) % 24] += -1 if word[0] == "-" else 1
        offsets = np.cumsum([0, *map(len, words)])
        first = np.isin(np.arange(len(flat)), offsets)
        before = np.where(first[:, None], 0, np.roll(letters, 1, axis=0))
        on_layer = {0: letters, 1: letters + np.float32(0.5) * before}
        return TokenVectors(
            layers=tuple(layers),
            vectors=np.array([on_layer[layer] for layer in layers], np.float32).reshape(len(layers), -1, 24),
            offsets=offsets,
            ids=np.array([crc32(word.encode()) for word in flat], np.int64),
            spans=np.zeros((len(flat), 2), np.int64),
            counted=np.ones(len(flat), np.bool_),
            left_out=np.zeros(len(texts), np.int64),
        )

    def of_words(self, words: Sequence[str]) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """A word of letters only has a vector, and so has one with a hyphen before."""
        known = np.array([word.removeprefix("-").isalpha() for word in words], np.bool_)
        found = [self.encode_tokens([word], (0,)).vectors[0].sum(axis=0) for word in words]
        return np.array(found, np.float32).reshape(-1, 24) * known[:, None], known

    def encode_texts(self, texts: Sequence[str]) -> NDArray[np.float32]:
        found = self.encode_tokens(texts, (0,))
        limits = zip(found.offsets[:-1], found.offsets[1:], strict=True)
        return np.array([found.vectors[0, a:b].sum(axis=0) for a, b in limits], np.float32).reshape(-1, 24)

    def tokens(self, text: str) -> list[str]:
        return text.split()


def make_encoder(folder: Path, kind: str = "bert", seed: int = 0, labels: int = 0) -> Path:
    """A folder with a model of one of three kinds and its tokenizer; with labels, one that classifies pairs."""
    import torch
    import transformers

    _make_tokenizer(folder, kind)
    torch.manual_seed(seed)
    shape = {
        "hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": LAYERS, "num_attention_heads": 2,
        "vocab_size": 320, "initializer_range": 0.4, "pad_token_id": 0,
    }  # fmt: skip
    if kind == "bert":
        config = transformers.BertConfig(max_position_embeddings=PLACES, num_labels=labels or 2, **shape)
        model = transformers.BertForSequenceClassification(config) if labels else transformers.BertModel(config)
    elif kind == "roberta":
        model = transformers.RobertaModel(
            transformers.RobertaConfig(max_position_embeddings=PLACES + 2, type_vocab_size=1, **shape)
        )
    else:
        shape = {"dim": 16, "hidden_dim": 32, "n_layers": LAYERS, "n_heads": 2, "vocab_size": 320}
        model = transformers.DistilBertModel(
            transformers.DistilBertConfig(max_position_embeddings=PLACES, initializer_range=0.4, **shape)
        )
    model.save_pretrained(folder)
    return folder


def _make_tokenizer(folder: Path, kind: str) -> None:
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    first, last = ("<s>", "</s>") if kind == "roberta" else ("[CLS]", "[SEP]")
    special = ["[PAD]", first, last, "[UNK]"]
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.train_from_iterator(
        _TEXT, trainers.WordPieceTrainer(vocab_size=300, special_tokens=special, show_progress=False)
    )
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{first} $A {last}", pair=f"{first} $A {last} $B:1 {last}:1", special_tokens=[(first, 1), (last, 2)]
    )
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, model_max_length=PLACES, pad_token="[PAD]", unk_token="[UNK]", cls_token=first,
        sep_token=last,
    ).save_pretrained(folder)  # fmt: skip
