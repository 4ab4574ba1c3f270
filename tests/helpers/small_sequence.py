"""Small sequence-to-sequence models with random weights, and their tokenizers: no network is needed."""

from __future__ import annotations

from pathlib import Path

__all__ = ["make_sequence_model"]

_TEXT = [
    "the cat sat on the mat and the dog sat on the log .",
    "question : is this a fluent paragraph ? Yes No claim summary document reference response",
]


def make_sequence_model(folder: Path, kind: str = "bart", places: int = 40) -> Path:
    """A folder with a BART or a T5 of one layer, and its tokenizer of pieces of words."""
    import torch
    import transformers
    from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers

    special = ["<s>", "<pad>", "</s>", "<unk>"] if kind == "bart" else ["<pad>", "</s>", "<unk>"]
    tokenizer = Tokenizer(models.WordPiece(unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.train_from_iterator(
        _TEXT, trainers.WordPieceTrainer(vocab_size=160, special_tokens=special, show_progress=False)
    )
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>" if kind == "bart" else "$A </s>",
        special_tokens=[(mark, special.index(mark)) for mark in ("<s>", "</s>") if mark in special],
    )
    marks = {"pad_token": "<pad>", "unk_token": "<unk>", "eos_token": "</s>"}
    transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, **marks).save_pretrained(folder)
    torch.manual_seed(1)
    if kind == "bart":
        layers = {f"{side}_{what}": size for side in ("encoder", "decoder")
                  for what, size in (("layers", 1), ("attention_heads", 2), ("ffn_dim", 32))}  # fmt: skip
        model = transformers.BartForConditionalGeneration(
            transformers.BartConfig(vocab_size=160, d_model=16, max_position_embeddings=places, init_std=0.4, **layers)
        )
    else:
        model = transformers.T5ForConditionalGeneration(
            transformers.T5Config(
                vocab_size=160, d_model=16, d_kv=8, d_ff=32, num_layers=1, num_heads=2, pad_token_id=0, eos_token_id=1,
                decoder_start_token_id=0, initializer_factor=4.0,
            )
        )  # fmt: skip
    model.save_pretrained(folder)
    return folder
