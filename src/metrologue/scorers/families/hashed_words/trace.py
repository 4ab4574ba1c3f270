"""The trace of the hashed metrics: the buckets of one line, or the surprisal of the words of several lines."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from metrologue.scorers.core.result import Result
from metrologue.scorers.core.trace import trace_of
from metrologue.scorers.families.hashed_words import HashedWords, Masses
from metrologue.segments import Segments
from metrologue.tracing import Block, Cell, Notes, Row, Span, Table, Trace, surprisal_curve, surprisal_text, visible

# A table has at most this many items or lines, a text at most this many words.
MOST_ROWS, MOST_WORDS = 20, 500


def build(scorer: HashedWords, segments: Segments) -> Trace:
    """The trace of one line, or of several lines that follow one another.

    One line: the mass of each item with its bucket, and the parts of the right word's probability. Several lines: their
    words by surprisal, the surprisal line by line, and the lines that cost most.
    """
    result = scorer.corpus(segments)
    masses = scorer._masses(segments)
    if len(segments) == 1:
        remarks, blocks, values = _one_line(scorer, segments, masses)
    else:
        remarks, blocks, values = _lines(scorer, segments, masses)
    trace = trace_of(scorer, result, _formula(scorer, result, values), blocks, remarks)
    return replace(trace, values={**result.scores, **values})


def _formula(scorer: HashedWords, result: Result, values: dict[str, float]) -> str:
    """The metric's formula with its numbers."""
    scale = "" if scorer.scale == 1.0 else f"{scorer.scale:g} · "
    if "probability" in values:
        p = values["probability"]
        parts = {"log_loss_hashed": f"-ln {p:.6g}", "likelihood_hashed": "p", "perplexity_hashed": f"1/{p:.6g}"}
    else:
        loss = f"{result.scores['log_loss_hashed'] / scorer.scale:.6g}"
        mean = f"mean of {result.scores['lines']:g} values of -ln p"
        parts = {"log_loss_hashed": mean, "likelihood_hashed": f"e^-{loss}", "perplexity_hashed": f"e^{loss}"}
    return f"{scorer.primary} = {scale}{parts[scorer.primary]} = {result.value}"


Parts = tuple[tuple[str, ...], tuple[Block, ...], dict[str, float]]


def _one_line(scorer: HashedWords, segments: Segments, masses: Masses) -> Parts:
    """The remarks, blocks and values of one line."""
    line, [word] = segments.pair(0)
    items = line.replace("\r", "").split(" ")
    names, size, divisor = [_name(item) for item in items], 1 << scorer.bits, float(masses.divisor[0])
    shares = masses.of_items / divisor
    in_bucket = np.array([name != "" for name in names]) & (masses.buckets == masses.right[0])
    is_word = np.array([name == word.replace("\r", "") for name in names]) & (":" in line)
    values = {
        "word": float(shares[in_bucket & is_word].sum()),
        "others": float(shares[in_bucket & ~is_word].sum()),
        "share": float(masses.spread[0]) / divisor / size,
        "probability": math.exp(min(float(masses.logs(scorer.bits)[0]), 0.0)),
    }
    values["bits"] = _bits(masses, scorer)[0]
    order = np.argsort(~in_bucket * 2.0 - shares, kind="stable")[:MOST_ROWS].tolist()
    rows = [
        Row(
            cells=(
                _shown_name(names[i], i),
                items[i].rpartition(":")[2],
                "all" if names[i] == "" else int(masses.buckets[i]),
                float(shares[i]),
            ),
            state=("matched" if is_word[i] else "clipped") if in_bucket[i] else "",
        )
        for i in order
    ]
    left_out = f", the {len(rows)} of {len(items)} that weigh most" if len(rows) < len(items) else ""
    parts = (
        ("the word itself", values["word"]),
        ("other words in its bucket" if ":" in line else "its bucket", values["others"]),
        ("its part of what all buckets share", values["share"]),
        ("probability", values["probability"]),
        ("bits of surprisal", values["bits"]),
    )
    blocks = (
        Notes(lines=_rules(scorer, segments, masses, line, word)),
        Table(
            name="probability",
            header=("", "value"),
            rows=tuple(Row(cells=part) for part in parts),
            caption="the right word",
        ),
        Table(
            name="items",
            header=("word", "number", "bucket", "probability"),
            rows=tuple(rows),
            caption=f"the line{left_out}",
            meanings=(("matched", "the right word"), ("clipped", "another word in its bucket")),
        ),
    )
    return (), blocks, values


def _name(item: str) -> str | None:
    """The word of an item; None for a number without a word."""
    word, colon, _ = item.rpartition(":")
    return word if colon else None


def _shown_name(name: str | None, bucket: int) -> Cell:
    """What the first column of the items shows."""
    if name is None:
        return f"bucket {bucket}"
    return Span(tokens=(name,)) if name else "any word"


def _rules(scorer: HashedWords, segments: Segments, masses: Masses, line: str, word: str) -> tuple[str, ...]:
    """The treatment of the line, in sentences."""
    number, size, divisor = scorer.first_line + segments.first, 1 << scorer.bits, float(masses.divisor[0])
    kind = "log-probabilities or logits" if ":" in line else "log-probabilities, one for each bucket"
    lines = [
        f"The right word is {visible(word)}. It falls into the bucket {int(masses.right[0])} of {size}; the number of "
        f"the line, {number}, is the seed of the hash.",
        f"The numbers are {'probabilities' if masses.are_probabilities[0] else kind}.",
    ]
    if abs(divisor - 1) > 1e-6:
        lines.append(f"They are divided by their total, {divisor:.6g}.")
    if masses.spread[0] > 0:
        lines.append(f"All buckets share {float(masses.spread[0]) / divisor:.6g}.")
    return tuple(lines)


def _lines(scorer: HashedWords, segments: Segments, masses: Masses) -> Parts:
    """The remarks, blocks and values of several lines."""
    words = segments.texts("references").to_pylist()
    bits = np.array(_bits(masses, scorer))
    first = scorer.first_line + segments.first
    text, legend = surprisal_text("words", words[:MOST_WORDS], bits[:MOST_WORDS].tolist())
    remarks = [f"Lines {first} to {first + len(words) - 1}."]
    if len(words) > MOST_WORDS:
        remarks.append(f"The text has the first {MOST_WORDS} words.")
    if impossible := int(np.isinf(bits).sum()):
        remarks.append(f"Words with probability 0: {impossible}. The curve leaves them out.")
    order = np.argsort(-bits, kind="stable")[:MOST_ROWS].tolist()
    costs = [(words[i], first + i, float(bits[i])) for i in order]
    rows = tuple(Row(cells=(Span(tokens=(word,)), line, cost, 2.0**-cost)) for word, line, cost in costs)
    worst = Table(
        name="worst", header=("word", "line", "bits", "probability"), rows=rows, caption="the words that cost most",
    )  # fmt: skip
    blocks = (text, surprisal_curve("line", first, bits.tolist()), worst, legend)
    return tuple(remarks), blocks, {"mean_bits": float(bits.mean())}


def _bits(masses: Masses, scorer: HashedWords) -> list[float]:
    """The surprisal of each line's word in bits."""
    bits: list[float] = np.maximum(-masses.logs(scorer.bits) / math.log(2), 0.0).tolist()
    return bits
