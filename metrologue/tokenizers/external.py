"""Tokenizers that are sacrebleu's and nltk's own: dictionaries and models that only they should describe."""

from __future__ import annotations

import io

from metrologue.errors import InputError
from metrologue.tokenizers.functions import Function

__all__ = ["nltk_words", "sacrebleu_tokenizer"]


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


def nltk_words() -> Function:
    """``nltk.word_tokenize``, which the Hub's `meteor` applies: punkt's sentences, then Treebank's words.

    Raises
    ------
    InputError
        If nltk or its punkt data is neither there nor to be had; the message says how to get it.
    """
    try:
        import nltk

        try:
            nltk.word_tokenize("a")
        except LookupError:
            nltk.download("punkt_tab", quiet=True, print_error_to=io.StringIO())
            nltk.word_tokenize("a")
    except (ImportError, LookupError) as error:
        raise InputError(
            "tokenizer 'nltk-words' needs nltk and its data punkt_tab, which is not there and cannot be downloaded: "
            "pip install nltk, then python -m nltk.downloader punkt_tab, or set NLTK_DATA to a folder with "
            "tokenizers/punkt_tab."
        ) from error
    return Function("nltk-words", nltk.word_tokenize)
