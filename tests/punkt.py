"""A small model of where sentences end, for nltk's ``word_tokenize``, where nltk's own `punkt_tab` cannot be had."""

from __future__ import annotations

from pathlib import Path

__all__ = ["make_punkt"]

# Enough for the trainer to see two abbreviations.
TEXT = """
Dr. Brown met Mr. Green at noon. They spoke of the party. Mr. Brown and dr. Green left. It was late. The cat slept.
Mr. Gray was there too. The dog barked. He had seen dr. Brown before. Nobody knew why. The rain had not stopped.
"""


def make_punkt(folder: Path) -> None:
    """Train the model and put it where nltk looks once `folder` is on ``nltk.data.path``, which it is afterwards."""
    import nltk
    from nltk.tokenize.punkt import PunktTrainer, save_punkt_params

    nltk.data.path.append(str(folder))
    target = folder / "tokenizers" / "punkt_tab" / "english"
    target.parent.mkdir(parents=True)
    save_punkt_params(PunktTrainer(TEXT).get_params(), str(target))
