"""What the author's C++ program YiSi prints, recorded.

    python tests/metrics/yisi/record.py SOURCES

SOURCES is the folder ``src`` of the program, with the program ``yisi`` in it, built by

    g++ -std=c++11 -O2 -include vector -include string -include cstdint -include algorithm -I. yisi.cpp yisigraph.cpp \
        srlgraph.cpp srl.cpp srlutil.cpp sent.cpp util.cpp maxmatching.cpp lexsim.cpp lexweight.cpp \
        cmdlp/cmdlp.cpp cmdlp/iooption.cpp -o yisi

The program reads the parses of references for a single segment only. So with frames, each segment is a run of its own.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

TEXT = "the The cat cats Cat sat sits mat dog dogs barked barks loudly loud a one of in US über naïve 猫 . , -"
WORDS = TEXT.split()
TEXT = "die Die Katze Katzen saß sitzt Matte Hund Hunde bellte laut ein eine von in US über der . , -"
GERMAN = TEXT.split()
ROLES = ["A0", "A1", "A2", "AM-TMP", "AM-LOC", "AM-MNR", "A3", "AM-NEG", "AM-CAU", "R-A0"]
WIDTH, SEGMENTS, FRAMED = 8, 60, 24
COMMON = ["phrasesim-type=nwpr", "ngram-size=3", "mode=yisi", "alpha=0.8"]


def vectors(words: list[str], chance: random.Random) -> str:
    """Vectors of most words, in the text format of word2vec."""
    known = [word for word in words if chance.random() < 0.8]
    rows = [" ".join([word, *(f"{chance.gauss(0.2, 1):.3f}" for _ in range(WIDTH))]) for word in known]
    return "\n".join([f"{len(known)} {WIDTH}", *rows]) + "\n"


def text(words: list[str], chance: random.Random) -> str:
    return " ".join(chance.choices(words, k=chance.choice([1, 2, 3, 5, 8, 12])))


def changed(given: str, words: list[str], chance: random.Random) -> str:
    """The text with some words left out, replaced or moved."""
    found = [chance.choice(words) if chance.random() < 0.3 else word for word in given.split()]
    found = [word for word in found if chance.random() < 0.9] or [chance.choice(words)]
    if chance.random() < 0.3:
        chance.shuffle(found)
    return " ".join(found)


def parse(given: str, chance: random.Random) -> str:
    """A random parse in CoNLL-09: a tree, and predicates with arguments at some of its words."""
    words = given.split()
    order = [*range(len(words))]
    chance.shuffle(order)
    heads = dict.fromkeys(order[:1], 0)
    for count, child in enumerate(order[1:], start=1):
        heads[child] = 1 + min(order[:count], key=lambda head, child=child: abs(head - child) + 4 * chance.random())
    predicates = sorted(chance.sample(order, min(len(words), chance.choice([0, 1, 1, 2, 3]))))
    columns = []
    for predicate in predicates:
        others = [place for place in order if place != predicate]
        own = chance.sample(others, min(len(others), chance.choice([0, 1, 2, 2, 3])))
        columns.append([chance.choice(ROLES) if place in own else "_" for place in range(len(words))])
    rows = []
    for place, word in enumerate(words):
        is_predicate = place in predicates
        head = str(heads[place])
        row = [str(place + 1), word, "_", "_", "_", "_", "_", "_", head, head, "_", "_"]
        row += ["Y", f"{word}.01"] if is_predicate else ["_", "_"]
        rows.append("\t".join([*row, *(column[place] for column in columns)]))
    return "\n".join(rows) + "\n"


def printed(sources: Path, options: list[str], files: dict[str, str]) -> list[float]:
    """The scores of the segments, as the program writes them."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in files.items():
            (Path(folder) / name).write_text(content, "utf-8")
        options = [*options, *COMMON, "hyp-file=hyp", "sntscore-file=scores", "docscore-file=score"]
        (Path(folder) / "config").write_text("\n".join(options) + "\n", "utf-8")
        subprocess.run([sources / "yisi", "--config", "config"], cwd=folder, check=True, capture_output=True)
        return [float(line) for line in (Path(folder) / "scores").read_text().split()]


def record(sources: Path) -> dict[str, Any]:
    """What each file has beside the tool."""
    chance = random.Random(1)
    references = [text(WORDS, chance) for _ in range(SEGMENTS)]
    predictions = [changed(each, WORDS, chance) for each in references]
    originals = [text(GERMAN, chance) for _ in range(SEGMENTS)]
    english, german = vectors(WORDS, chance), vectors(GERMAN, chance)
    lines = {"hyp": "\n".join(predictions) + "\n", "ref": "\n".join(references) + "\n", "vec": english}
    foreign = {"hyp": lines["hyp"], "inp": "\n".join(originals) + "\n", "vec": english, "its.vec": german}
    one = ["lexsim-type=w2v", "outlexsim-path=vec", "reflexweight-type=learn", "ref-file=ref"]
    two = ["lexsim-type=biw2v", "outlexsim-path=vec", "inplexsim-path=its.vec", "inp-file=inp"]
    zero = ["lexsim-type=lcs", "reflexweight-type=learn", "ref-file=ref"]
    weighed = ["inplexweight-type=learn", "hyplexweight-type=learn"]
    texts: dict[str, Any] = {"predictions": predictions, "references": references}
    others = {**texts, "references": originals}
    found: dict[str, Any] = {
        "yisi-0": {**texts, "scores": printed(sources, zero, lines)},
        "yisi-1": {**texts, "vectors": english, "scores": printed(sources, one, lines)},
        "yisi-2": {
            **others, "vectors": english, "source_vectors": german,
            "scores": printed(sources, [*two, *weighed], foreign),
        },
    }  # fmt: skip
    labels = [f"labelconfig-path={(sources / 'yisi_srl.labelconfig').resolve()}", "beta=0.2"]
    parses = ["outsrl-type=read", "outsrl-path=hyp.conll"]
    for name, side, options in (("yisi-1-srl", "ref", one), ("yisi-2-srl", "inp", two)):
        its = references if side == "ref" else originals
        of_text = {each: parse(each, chance) for each in (*predictions[:FRAMED], *its[:FRAMED])}  # one for equal texts
        own = [(of_text[a], of_text[b]) for a, b in zip(predictions[:FRAMED], its[:FRAMED], strict=True)]
        scores = []
        for prediction, other, (first, second) in zip(predictions, its, own, strict=False):
            files = {"hyp": prediction + "\n", side: other + "\n", "vec": english, "its.vec": german}
            files |= {"hyp.conll": first + "\n", f"{side}.conll": second + "\n"}
            read = [f"{side}srl-type=read", f"{side}srl-path={side}.conll"]
            scores += printed(sources, [*options, *labels, *parses, *read], files)
        found[name] = {"predictions": predictions[:FRAMED], "references": its[:FRAMED], "vectors": english}
        found[name] |= {"source_vectors": german} if side == "inp" else {}
        found[name] |= {"parses": own, "scores": scores}
    return found


if __name__ == "__main__":
    for name, values in record(Path(sys.argv[1])).items():
        about = {"tool": "YiSi", "version": "2019-05-28, commit fd07bfc", "command": "yisi --config config"}
        made = json.dumps({**about, **values}, ensure_ascii=False, indent=1)
        Path(__file__).with_name(f"{name}.json").write_text(made + "\n", "utf-8")
