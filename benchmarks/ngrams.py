"""N-gram models from ARPA files, against KenLM's Python binding. The model is estimated from the texts themselves."""

from __future__ import annotations

import math
import tempfile
from collections import Counter
from importlib.util import find_spec
from itertools import chain
from pathlib import Path

from benchmarks.texts import Corpus
from benchmarks.timing import Row, in_turn, row
from metrologue.files.lines import read_lines
from metrologue.language_models.arpa import ArpaModel

__all__ = ["estimated", "in_process"]

ORDER, DISCOUNT = 3, 0.5


def in_process(corpus: Corpus, rounds: int) -> list[Row]:
    """A text at a time, all texts of a list, and a file. KenLM's binding takes a text at a time."""
    if not find_spec("kenlm"):
        return []
    import kenlm

    settings = kenlm.Config()
    settings.show_progress, settings.arpa_complain = False, kenlm.ARPALoadComplain.NONE
    texts = [text for text in corpus.predictions if text]
    few = texts[:2000]
    with tempfile.TemporaryDirectory() as folder:
        path, file = Path(folder) / "model.arpa", Path(folder) / "texts.txt"
        path.write_text(estimated(texts[: len(texts) // 2]), "utf-8")
        file.write_text("".join(f"{text}\n" for text in texts), "utf-8")
        ours, theirs = ArpaModel(path), kenlm.Model(str(path), settings)

        def of_file() -> float:
            with file.open(encoding="utf-8") as lines:
                return math.fsum(theirs.score(line) for line in lines)

        seconds = in_turn(
            {
                "a text at a time": lambda: [ours.score_texts([text]) for text in few],
                "kenlm, a text at a time": lambda: [list(theirs.full_scores(text)) for text in few],
                "a list": lambda: ours.score_texts(texts),
                "kenlm, a list": lambda: [list(theirs.full_scores(text)) for text in texts],
                "a file": lambda: ours.score_texts(read_lines(file)).log_probabilities.sum(),
                "kenlm, a file": of_file,
            },
            rounds,
        )
    named = {
        "n-gram model, a text at a time": (seconds["a text at a time"], seconds["kenlm, a text at a time"], 0.5, 1),
        "n-gram model, a list of texts": (seconds["a list"], seconds["kenlm, a list"], 1, 2),
        "n-gram model, a file, sums only": (seconds["a file"], seconds["kenlm, a file"], 1, 1.5),
    }
    return [
        row(what, {"ours": own, "kenlm": peer}, "ours", "kenlm", floor, aim)
        for what, (own, peer, floor, aim) in named.items()
    ]


def estimated(texts: list[str]) -> str:
    """The ARPA file of a model with absolute discounting, which is good enough to be scored with."""
    counts: list[Counter[tuple[str, ...]]] = [Counter() for _ in range(ORDER)]
    for text in texts:
        words = ["<s>", *text.split(), "</s>"]
        for n, counted in enumerate(counts, 1):
            counted.update(zip(*(words[k:] for k in range(n)), strict=False))
    counts[0].update([("<unk>",)])
    total = sum(counts[0].values())
    after: Counter[tuple[str, ...]] = Counter(ngram[:-1] for ngram in chain(*counts[1:]))
    lines = ["\\data\\", *(f"ngram {n}={len(counted)}" for n, counted in enumerate(counts, 1))]
    for n, counted in enumerate(counts, 1):
        lines += ["", f"\\{n}-grams:"]
        for ngram, count in counted.items():
            of = counts[n - 2][ngram[:-1]] if n > 1 else total
            backoff = f"\t{math.log10(DISCOUNT * after[ngram] / count):.7g}" if n < ORDER and after[ngram] else ""
            lines.append(f"{math.log10((count - DISCOUNT) / of):.7g}\t{' '.join(ngram)}{backoff}")
    return "\n".join([*lines, "", "\\end\\", ""])
