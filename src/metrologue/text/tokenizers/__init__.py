"""Tokenizers: how a text becomes tokens. Each one gives the same tokens as the library that it mirrors.

- ``whitespace`` (also ``none``): Python's ``str.split()``: nltk, pycocoevalcap, torchmetrics
- ``py-rouge``: the same: the words of a sentence in the `PyRouge` of rouge-metric 1.0
- ``13a``: sacrebleu 2.6: mteval-v13a, after ``str.rstrip()``
- ``13a-unstripped``: the Hub's `bleu`: the same without ``rstrip``, so a final ``-\\n`` is lost
- ``13a-rust``: bleuscore 0.2: also without ``rstrip``; U+001C to U+001F are not whitespace
- ``intl``: sacrebleu 2.6: mteval-v14, by Unicode categories
- ``mteval-intl``: mteval-v14.pl --international-tokenization -c: the same after the entities
- ``t2t``: t2t-bleu of tensor2tensor: intl, but only decimal digits are numbers
- ``compounds``: ``str.split()``, and a-b as a ##AT##-##AT## b: get_ende_bleu.sh
- ``char``: sacrebleu 2.6: every character except whitespace, for BLEU and for chrF
- ``char-nltk``: nltk's chrF: the same, but U+001C to U+001F are not whitespace
- ``char-torchmetrics``: torchmetrics' chrF: every character except U+0020, after ``str.strip()``
- ``chrf``: chrF++'s words: one mark is split off, at the end, otherwise the start
- ``characters``: every character, also whitespace: rapidfuzz, nltk and torchmetrics on a ``str``
- ``characters-stripped``: the same after ``str.strip()``: jiwer 4.0's characters
- ``graphemes``: extended grapheme clusters, by the package regex (extra ``graphemes``)
- ``jiwer``: jiwer 4.0's words: cut at U+0020, and at two or more whitespace characters
- ``blank``: ``str.split(" ")``, with empty tokens: pycocoevalcap's ROUGE and CIDEr; option ``stripped``: after
  ``str.strip()``
- ``rouge-score``: rouge_score 0.1.2, torchmetrics: ``str.lower()``, then runs of a-z and 0-9; option
  ``contractions``: "gonna" is "gon" and "na", as in py-rouge 1.1
- ``rouge-1.5.5``: ROUGE-1.5.5: the same, but only A to Z become lower case
- ``rouge``: `rouge` 1.0.1: ``str.split()`` between the periods
- ``rouge-chinese``: rouge-chinese 1.0.3: ``str.split()`` of the sentences that its marks end
- ``tercom``: sacrebleu 2.6's TER, case kept; options ``normalized``, ``no_punct`` and ``asian_support``; without the
  first two it equals ``whitespace``
- ``unicode-words``: words of any script, case-folded; each Han, kana or Thai character is a word
- ``uax29-words``: the words of Unicode's annex 29 as they are, by the package regex (extra ``graphemes``): "can't"
  and "3.5" are one word, a word of kana too
- ``squad``: SQuAD's script, torchmetrics: lower case, no ASCII punctuation, then ``str.split()`` without "a", "an"
  and "the"
- ``drop``: DROP's script: the same, and a hyphen separates, and a number is a float
- ``text``: the whole text as one token; option ``stripped``: after ``str.strip()``
- ``scikit-learn``: its CountVectorizer: two or more letters, digits and underscores; case kept
- ``zh``: sacrebleu 2.6: 13a without its entities, each Han character a token; so are U+2001 to U+2A6D (dashes,
  quotation marks, €), and none above U+FFFF is
- ``cjk``: ours: 13a, and each Han and kana character and full-width mark is a token
- ``ja-mecab``, ``ko-mecab``: sacrebleu's own classes, which need its extras
- ``flores101`` (also ``spm``), ``flores200``, ``spBLEU-1K``: sacrebleu's SentencePiece models, which it downloads on
  first use
- ``meteor-1.5``: METEOR 1.5 without normalization: Java's StringTokenizer; option ``lowercase`` (-lower): Java's
  lower case
- ``meteor-1.5-norm``: METEOR 1.5 with -norm, in lower case; options ``language`` (-l): en, cz, fr, es, de or ru; and
  ``no_punct`` (-noPunct)
- ``nltk-words``: ``nltk.word_tokenize``: the Hub's `meteor`
- ``nltk-tweets``: ``nltk.TweetTokenizer``: py-readability-metrics
- ``moses``: sacremoses' tokenizer, without escapes: EASSE (extra ``moses``); options ``language`` (-l),
  ``aggressive`` (-a), ``escape``; ``final_period``: as tokenizer.perl since 2018; ``compounds``: then as
  ``compounds``

Options come after a colon: ``tercom:normalized=true``, ``meteor-1.5-norm:language=de,no_punct=true``. By default they
are false, and the language is English.

A tokenizer is called with a string, which gives a list of tokens, or with a list of strings, which gives a list of such
lists: ``get_tokenizer("13a")("It's late.")``.

A tokenizer of your own is any function from a text to a list of tokens, registered under a name.
"""

from metrologue.text.tokenizers.base import Tokenizer, Tokens
from metrologue.text.tokenizers.registry import canonical_name, get_tokenizer, list_tokenizers, register_tokenizer

__all__ = ["Tokenizer", "Tokens", "canonical_name", "get_tokenizer", "list_tokenizers", "register_tokenizer"]
