"""What each tokenizer does, in a phrase for people who compare two of them."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["SENTENCES", "meaning_of_tokenizer"]

# Sentences that show where tokenizers differ: marks and numbers, another script, and text without spaces.
SENTENCES = (
    "It's a well-known fact, she said: 3.5 % of U.S. users can't.",
    "Он сказал: «Привет, мир!»",
    "我喜欢猫，也喜欢狗。",
)

_MEANINGS: Mapping[str, str] = {
    "whitespace": "words between whitespace; marks of punctuation stay at their word",
    "ascii-whitespace": "words between ASCII whitespace; marks of punctuation stay at their word",
    "blank": "words between single spaces; two spaces have an empty word between them",
    "jiwer": "words between spaces or runs of whitespace; marks of punctuation stay at their word",
    "13a": "separates ASCII punctuation, but no apostrophe, no hyphen after a letter, no point or comma in a number",
    "13a-unstripped": "as 13a, without stripping the end of the text first",
    "13a-rust": "as 13a, without stripping the end of the text first; rare control characters are no whitespace",
    "mteval-v13a": "as 13a, in lower case unless `preserve_case`",
    "nist": "as 13a, with the entities of XML decoded; without `western`, words between whitespace",
    "intl": "separates the marks and symbols of all scripts, except marks between digits",
    "mteval-intl": "as intl, with the entities of XML decoded first",
    "t2t": "as intl, but only decimal digits count as numbers, and the end of the text is not stripped first",
    "compounds": "words between whitespace, and compounds cut at a hyphen, which is the token ##AT##-##AT##",
    "zh": "as 13a, and each Han character is a token",
    "cjk": "as 13a, and each Han or kana character and full-width mark is a token",
    "rouge-score": "lower case, then runs of a-z and 0-9; everything else separates, other letters too",
    "rouge-1.5.5": "runs of A-Z, a-z and 0-9, in lower case; everything else separates, other letters too",
    "rouge": "cuts at each full stop, then words between whitespace",
    "rouge-chinese": "words between whitespace; 。！？ ? …… and ...... end a word and a sentence",
    "chrf": "words between whitespace, with one mark split off the end, otherwise the start",
    "tercom": "words between whitespace; with `normalized`, punctuation is separated, and with `no_punct`, removed",
    "unicode-words": "words of any script without marks or case; each Han, kana or Thai character is a word",
    "uax29-words": "words of any script as Unicode's annex 29 finds them, without marks",
    "squad": "lower case, without ASCII punctuation, and without a, an and the",
    "drop": "as squad, but a hyphen separates, and numbers are compared by their value",
    "math": "the whole text is one token; an answer in LaTeX is spelled as the MATH benchmark compares it",
    "scikit-learn": "two or more letters, digits or underscores; everything else separates",
    "lexicalrichness": "lower case, without digits and hyphens; punctuation separates",
    "lexical-diversity": "lower case, without punctuation",
    "text": "the whole text is one token",
    "characters": "every character, whitespace too",
    "characters-stripped": "every character, whitespace too, but not at the ends",
    "char": "every character except whitespace",
    "char-nltk": "every character except whitespace; rare control characters are no whitespace",
    "char-torchmetrics": "every character except the space",
    "graphemes": "every character as readers see it, such as a letter with its accents",
    "ja-mecab": "Japanese words by MeCab's dictionary",
    "ko-mecab": "Korean words by MeCab's dictionary",
    "flores101": "pieces of words in 101 languages, by a SentencePiece model",
    "flores200": "pieces of words in 200 languages, by a SentencePiece model",
    "spBLEU-1K": "pieces of words in 1,000 languages, by a SentencePiece model",
    "nltk-words": "sentences, then words of Penn's Treebank: marks are separated, and can't becomes ca and n't",
    "nltk-tweets": "words, single marks, emoticons, hashtags and addresses; can't stays one word",
    "moses": "separates punctuation by the rules of Moses for the language; in English, 's is cut from its word",
    "ptb": "words of Penn's Treebank by Stanford's program: can't becomes ca and n't; marks are dropped by default",
    "meteor-1.5": "words between ASCII whitespace; marks of punctuation stay at their word",
    "meteor-1.5-norm": "lower case, with punctuation separated by METEOR's rules for the language",
}


def meaning_of_tokenizer(tokenizer: str) -> str:
    """What a tokenizer does, as a phrase; empty for one that was registered. Options do not change the phrase.

    Examples
    --------
    >>> meaning_of_tokenizer("whitespace")
    'words between whitespace; marks of punctuation stay at their word'
    """
    from metrologue.errors import InputError
    from metrologue.text.tokenizers.registry import canonical_name

    try:
        return _MEANINGS.get(canonical_name(tokenizer).partition(":")[0], "")
    except InputError:
        return ""
