"""The variants of hLEPOR: the papers, the package on PyPI, and nltk."""

from __future__ import annotations

from metrologue.scorers.core.variants import Variant

VARIANTS = {
    "hlepor": Variant("Han", "hLEPOR: the harmonic mean of the factors, over words between whitespace in lower case"),
    "lepor": Variant("Han", "LEPOR: the product of the factors", {"combination": "product"}, version="2012"),
    "nlepor": Variant(
        "Han", "nLEPOR: the product of the factors, with n-grams up to 4 and uniform weights; both are unverified",
        {"combination": "product", "max_order": 4},
    ),
    "pypi": Variant(
        "hLepor",
        "the package on PyPI, over nltk's word_tokenize of stripped texts in lower case; without separate_punctuation, "
        "the tokenizer is 'blank:stripped=true'",
        {
            "tokenizer": "nltk-words:stripped=true", "context_window": "slice", "preference": "nearest-index",
            "equal_in_order": True, "empty": "error-of-nothing", "arithmetic": "numpy",
        },
        live="pypi.hlepor", needs=("punkt",),
    ),
    "nltk": Variant(
        "nltk", "sentence_lepor over word_tokenize: a product, in which a difference of lengths is rewarded",
        {
            "tokenizer": "nltk-words", "lowercase": False, "combination": "product", "alpha": 1.0, "beta": 1.0,
            "epsilon": 2.0**-52, "length_ratio": "shorter-by-longer", "context": 1, "context_match": "same-place",
            "context_window": "without-first", "preference": "farthest", "exclusive": False, "positions": "matches",
            "empty": "error",
        },
        live="nltk.hlepor", needs=("punkt",),
    ),
}  # fmt: skip
