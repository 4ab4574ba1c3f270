"""Lexical data: synonyms, paraphrases, function words and stems.

The data is looked up once for each type, and returned as arrays of numbers for kernels. Data that others own is not
part of this package. It comes from where it is installed: WordNet from nltk's data or Debian's packages, and the tables
of METEOR 1.5 from its jar, which pycocoevalcap contains. Your own tables come from text files. Large tables are
converted once, to an Arrow file in the cache.

- ``wordnet``: the synonyms of nltk's METEOR: all one-word names of all synsets of a word
- ``meteor-1.5``: the tables of METEOR 1.5: synonyms (English), paraphrases, function words of a language
- ``sklearn``: English stop words of scikit-learn; ``spacy``, ``nltk`` and ``rouge-1.5.5`` are others
- a path or a name: a table of your own: ``register_synonyms``, ``_paraphrases``, ``_function_words``, ``_stems``
"""

from metrologue.deferred import from_stub

__all__, __getattr__, __dir__ = from_stub(__name__, __file__)
