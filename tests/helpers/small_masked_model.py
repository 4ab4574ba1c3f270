"""A small masked language model with random weights, and a tokenizer that is trained here: no network is needed."""

from __future__ import annotations

from pathlib import Path

__all__ = ["make_masked_model"]

_TEXT = ["the cat sat on the mat and the dog sat on the log", "_go a dog saw the cat . _eos", "did you see a bird ?"]


def make_masked_model(folder: Path, places: int = 200, seed: int = 0) -> Path:
    """A folder with a RoBERTa of two layers and its tokenizer of pieces of words."""
    import torch
    import transformers
    from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers

    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    tokenizer = Tokenizer(models.WordPiece(unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.train_from_iterator(
        _TEXT, trainers.WordPieceTrainer(vocab_size=200, special_tokens=special, show_progress=False)
    )
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", unk_token="<unk>", bos_token="<s>", eos_token="</s>",
        cls_token="<s>", sep_token="</s>", mask_token="<mask>",
    ).save_pretrained(folder)  # fmt: skip
    torch.manual_seed(seed)
    shape = {
        "hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2,
        "vocab_size": 200, "initializer_range": 0.4, "type_vocab_size": 1, "max_position_embeddings": places + 2,
    }  # fmt: skip
    config = transformers.RobertaConfig(pad_token_id=1, bos_token_id=0, eos_token_id=2, **shape)
    transformers.RobertaForMaskedLM(config).save_pretrained(folder)
    return folder
