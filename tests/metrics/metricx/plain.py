"""MetricX by its definition (Juraska et al. 2023, 2024): what is read, and the rating of the decoder's vector."""

from collections.abc import Callable

Vector = list[float]


def read(text: str, source: str | None, reference: str | None, year: int = 24) -> str:
    """What the encoder reads, with the texts in the order of that year."""
    parts = {"candidate": text, "source": source, "reference": reference}
    order = ("source", "candidate", "reference") if year == 24 else ("candidate", "source", "reference")
    return " ".join(f"{name}: {parts[name]}" for name in order if parts[name] is not None)


def metricx(
    texts: list[str], references: list[str], sources: list[str], *, vector: Callable[[str], Vector], weights: Vector
) -> list[float]:
    """The rating of each translation, of the decoder's vector after it has read one token of padding."""
    scores = []
    for text, reference, source in zip(texts, references, sources, strict=True):
        own = vector(read(text, source, reference))
        scores.append(min(max(sum(a * b for a, b in zip(own, weights, strict=True)), 0.0), 25.0))
    return scores
