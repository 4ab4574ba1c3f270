"""Tokenizers that are sacrebleu's own classes: dictionaries and models that only it should describe."""

from __future__ import annotations

from metrologue.errors import InputError
from metrologue.tokenizers.functions import Function

__all__ = ["sacrebleu_tokenizer"]


def sacrebleu_tokenizer(name: str) -> Function:
    """One of sacrebleu's tokenizers, as its BLEU applies it: after ``str.rstrip()``, cut at blanks.

    Parameters
    ----------
    name : str
        sacrebleu's name: ``zh``, ``ja-mecab``, ``ko-mecab``, ``flores101``, ``flores200``, ``spBLEU-1K``.

    Raises
    ------
    InputError
        If sacrebleu or what the tokenizer needs is not installed; the message says how to get it.
    """
    try:
        from sacrebleu.metrics.bleu import _get_tokenizer

        tokenize = _get_tokenizer(name)()
    except Exception as error:  # sacrebleu raises ImportError, RuntimeError, or whatever its download raises
        raise InputError(
            f"tokenizer {name!r} needs sacrebleu ({error.__class__.__name__}: {str(error).strip() or 'no message'}). "
            "pip install 'sacrebleu[ja,ko]' sentencepiece; the SentencePiece models are downloaded on first use."
        ) from error
    return Function(name, lambda text: tokenize(text.rstrip()).split())
