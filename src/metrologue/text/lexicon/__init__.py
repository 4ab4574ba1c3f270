"""Lexical data: synonyms, paraphrases, function words and stems.

The data is looked up once for each type, and returned as arrays of numbers for kernels. Data that others own is not
part of this package. It comes from where it is installed: WordNet from nltk's data or Debian's packages, and the tables
of METEOR 1.5 from its jar, which pycocoevalcap contains. Your own tables come from text files. Large tables are
converted once, to an Arrow file in the cache.

===================  ===============================================================================================
``wordnet``          the synonyms of nltk's METEOR: all one-word names of all synsets of a word
``meteor-1.5``       the tables of METEOR 1.5: synonyms (English), paraphrases, function words of a language
``sklearn``          English stop words of scikit-learn; ``spacy``, ``nltk`` and ``rouge-1.5.5`` are others
a path or a name     a table of your own: ``register_synonyms``, ``_paraphrases``, ``_function_words``, ``_stems``
===================  ===============================================================================================
"""

from typing import TYPE_CHECKING

from metrologue.deferred import deferred

if TYPE_CHECKING:
    from metrologue.text.lexicon.hashes import java_hashes
    from metrologue.text.lexicon.locate import LANGUAGES, meteor_jar, wordnet_reader
    from metrologue.text.lexicon.lookup import function_words, phrase_words, phrases, stop_words, synonym_keys
    from metrologue.text.lexicon.names import canonical_source, named_source
    from metrologue.text.lexicon.own_tables import (
        register_function_words,
        register_paraphrases,
        register_stems,
        register_stop_words,
        register_synonyms,
    )
    from metrologue.text.lexicon.paraphrases import Phrases
    from metrologue.text.lexicon.synonyms import Keys

__all__ = [
    "LANGUAGES",
    "Keys",
    "Phrases",
    "canonical_source",
    "function_words",
    "java_hashes",
    "meteor_jar",
    "named_source",
    "phrase_words",
    "phrases",
    "register_function_words",
    "register_paraphrases",
    "register_stems",
    "register_stop_words",
    "register_synonyms",
    "stop_words",
    "synonym_keys",
    "wordnet_reader",
]

# Where each name is defined.
_HOMES = {
    "hashes": ["java_hashes"],
    "locate": ["LANGUAGES", "meteor_jar", "wordnet_reader"],
    "lookup": ["function_words", "phrase_words", "phrases", "stop_words", "synonym_keys"],
    "names": ["canonical_source", "named_source"],
    "own_tables": [
        "register_function_words",
        "register_paraphrases",
        "register_stems",
        "register_stop_words",
        "register_synonyms",
    ],
    "paraphrases": ["Phrases"],
    "synonyms": ["Keys"],
}
__getattr__ = deferred(__name__, {name: f"{__name__}.{module}" for module in _HOMES for name in _HOMES[module]})


def __dir__() -> list[str]:
    return __all__
