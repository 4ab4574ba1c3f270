"""WikiSplit's numbers (the Hub's `wiki_split`): SARI, BLEU and exact match, each by its own definition.

A text is a list of tokens. The tokens of all three are the same here.
"""

from statistics import fmean

from metrics.bleu.plain import bleu
from metrics.sari.plain import sari

Tokens = list[str]


def wiki_split(
    hypotheses: list[Tokens], references: list[list[Tokens]], sources: list[Tokens]
) -> tuple[float, float, float]:
    """SARI, BLEU of the corpus, and the share of the texts that equal one of their references, in per cent.

    >>> wiki_split(["a b c d".split()], [["a b c d".split()]], ["a b c d e".split()])
    (100.0, 100.0, 100.0)
    """
    exact = fmean(text in own for text, own in zip(hypotheses, references, strict=True))
    return sari(hypotheses, references, sources), 100 * bleu(hypotheses, references, [0.25] * 4), 100 * exact
