"""Small causal language models with random weights, and tokenizers that are trained here: no network is needed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

__all__ = ["CONTEXT", "TEXT", "make_model", "make_tokenizer"]

CONTEXT = 32  # tokens that a model has positions for

TEXT = [
    "The cat sat on the mat and the dog sat on the log.",
    "The dog saw the cat, and the cat saw the dog.",
    "A bird sang in the tree while the cat and the dog slept.",
]


def make_tokenizer(folder: Path, words: bool = False, **special: Any) -> None:
    """A tokenizer of bytes with merges, as GPT-2 has it; or of words, with a token for unknown ones."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    named = [each for each in special.values() if str(each).startswith("<")]
    if words:
        tokenizer = Tokenizer(models.WordLevel(unk_token="<unk>"))
        tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
        trainer = trainers.WordLevelTrainer(special_tokens=["<unk>", *named], show_progress=False)
        special["unk_token"] = "<unk>"
    else:
        tokenizer = Tokenizer(models.BPE())
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        tokenizer.decoder = decoders.ByteLevel()
        alphabet = pre_tokenizers.ByteLevel.alphabet()
        trainer = trainers.BpeTrainer(
            vocab_size=300, special_tokens=named, initial_alphabet=alphabet, show_progress=False
        )
    tokenizer.train_from_iterator(TEXT, trainer)
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, **special).save_pretrained(folder)


def make_model(folder: Path, kind: str = "gpt2", seed: int = 0, words: bool = False, **special: Any) -> Path:
    """A folder with a model of one of three kinds, and its tokenizer with these special tokens."""
    import torch
    import transformers

    make_tokenizer(folder, words, **(special or {"bos_token": "<s>", "pad_token": "<pad>"}))
    shape = {"vocab_size": 310, "pad_token_id": None, "bos_token_id": 0, "eos_token_id": 0, "initializer_range": 0.2}
    torch.manual_seed(seed)
    models = {
        "gpt2": lambda: transformers.GPT2LMHeadModel(
            transformers.GPT2Config(n_positions=CONTEXT, n_embd=16, n_layer=2, n_head=2, **shape)
        ),
        "llama": lambda: transformers.LlamaForCausalLM(
            transformers.LlamaConfig(
                hidden_size=16,
                intermediate_size=16,
                num_hidden_layers=2,
                num_attention_heads=2,
                max_position_embeddings=CONTEXT,
                **shape,
            )
        ),
        "bloom": lambda: transformers.BloomForCausalLM(  # any number of positions
            transformers.BloomConfig(hidden_size=16, n_layer=2, n_head=2, **shape)
        ),
    }
    models[kind]().save_pretrained(folder)
    return folder
