"""Random ARPA files, and texts for them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from random import Random

__all__ = ["WORDS", "arpa_text", "random_model", "random_text"]

WORDS = [
    "a", "b", "the", "cat", "Katze", "猫", "кот", "قطة", "e\u0301", "é", "👩\u200d👩\u200d👧", "a\u00a0b", "x\u2028y",
    "\u200b", "\u3000", "x\x1cy", "\x85", "<s", "unk", "<Unk>", "-0.5", "\\data\\", "0123456", "01234567", "012345678",
    "a" * 70, "ä" * 17,
]  # fmt: skip
SPACES = [" ", " ", " ", "  ", "\t", "\n", "\r", "\x0b", "\x0c", " \r\n"]

Model = list[dict[tuple[str, ...], tuple[str, str | None]]]


def _number(random: Random) -> str:
    value = -random.expovariate(0.5)
    kinds: list[Callable[[float], str]] = [repr, "{:.6f}".format, "{:.7g}".format, "{:.3e}".format, "{:.25f}".format]
    return random.choice([*[kind(value) for kind in kinds], "-1", "0", "-0", "-.5", "-3."])


def random_model(
    random: Random, order: int, *, pruned: bool = False, unknown: bool = True, size: int = 60, positive: bool = True
) -> Model:
    """The n-grams of each order with log-probability and back-off, as text; a back-off may be missing.

    With `pruned`, suffixes of n-grams may be missing. Without `unknown`, there is no ``<unk>``.
    """
    words = random.sample(WORDS, random.randint(2, 8))
    vocabulary = [*words, "<s>", "</s>", *["<unk>"] * unknown]
    random.shuffle(vocabulary)

    def entry(longest: bool) -> tuple[str, str | None]:
        if longest:
            return _number(random), random.choice([None, None, "0", "-0.0"])
        sign = "-" if positive and random.random() < 0.2 else ""
        backoff = _number(random)
        return _number(random), random.choice([None, backoff, backoff, backoff[1:] if sign and "-" in backoff else "0"])

    model: Model = [{(word,): entry(order == 1) for word in vocabulary}]
    if order > 1 and ("<s>",) in model[0]:
        model[0]["<s>",] = ("-99", model[0]["<s>",][1])
    for n in range(2, order + 1):
        starts = [ngram for ngram in model[-1] if ngram[-1] != "</s>"]
        found = [(*start, word) for start, word in product(starts, vocabulary) if word != "<s>"]
        if not pruned and n > 2:
            found = [ngram for ngram in found if ngram[1:] in model[-1]]
        chosen = random.sample(found, min(len(found), random.randint(0, size)))
        model.append({ngram: entry(n == order) for ngram in chosen})
    return model


def arpa_text(model: Model, comment: str = "") -> str:
    """The text of an ARPA file."""
    lines = [*comment.splitlines(), "\\data\\", *(f"ngram {n}={len(each)}" for n, each in enumerate(model, 1)), ""]
    for n, ngrams in enumerate(model, 1):
        lines.append(f"\\{n}-grams:")
        for ngram, (number, backoff) in ngrams.items():
            lines.append(f"{number}\t{' '.join(ngram)}" + ("" if backoff is None else f"\t{backoff}"))
        lines.append("")
    return "\n".join([*lines, "\\end\\", ""])


def random_text(random: Random, model: Model) -> str:
    """A text with n-grams of the model, unknown words and whitespace of all kinds."""
    parts: list[str] = []
    for _ in range(random.randint(0, 8)):
        kind = random.random()
        if kind < 0.6:
            ngrams = [*random.choice([each for each in model if each])]
            parts += [word for word in random.choice(ngrams) if word not in ("<s>", "</s>")]
        elif kind < 0.9:
            parts.append(random.choice(WORDS))
        else:
            parts.append(random.choice(["oov", "<unk>", "<UNK>", "猫猫", "<s>", "</s>"]))
    text = "".join(random.choice(SPACES) + part for part in parts)
    return text[1:] if random.random() < 0.5 else text + random.choice(SPACES)
