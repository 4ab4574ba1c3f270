"""Generated text: everything that a tokenizer or a counter could trip over."""

from __future__ import annotations

from hypothesis import strategies as st

BLANKS = " \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2003\u2028\u2029\u202f\u205f\u3000"
PIECES = [
    "the", "cat", "the the", "Σ", "ΟΔΟΣ", "İstanbul", "naïve", "e\u0301", "\u0301", "的", "猫在垫子上", "こんにちは",
    "한국어", "السلام", "١٢٣", "½", "👩‍👩‍👧", "🙂", "\u200b", "\u200d", "\x00", "a" * 40, "ä" * 17, "1,000.5", "3.14",
    "5-3", "2000.", ".5", "...", "5..5", "5.,.5", "-", "--", "0-", "-0", "don't", "«", "»", "„", "€", "§", "&quot;",
    "&amp;", "&lt;", "&gt;", "&amp;lt;", "&", "<", "<skipped>", "<skip<skipped>ped>", "-\n", "a-\n", ",", ".", ",,",
    "!?", "(x)", "[y]", "~", "_", "'",
]  # fmt: skip

characters = st.characters(exclude_categories=["Cs"])
pieces = st.one_of(st.sampled_from(PIECES), st.text(characters, min_size=1, max_size=4))
separators = st.one_of(st.just(" "), st.just(" "), st.just(""), st.sampled_from(list(BLANKS)))


@st.composite
def texts(draw: st.DrawFn, max_pieces: int = 12) -> str:
    """A text of any kind, the empty one included."""
    parts = draw(st.lists(st.tuples(pieces, separators), max_size=max_pieces))
    return draw(st.sampled_from(["", "", " ", "\n", "\u3000"])) + "".join(piece + blank for piece, blank in parts)


@st.composite
def related_texts(draw: st.DrawFn, count: int) -> list[str]:
    """Texts that share stretches of words, so that n-grams of every order match now and then."""
    words = draw(st.lists(st.one_of(st.sampled_from("abc"), pieces), min_size=1, max_size=12))
    related = []
    for _ in range(count):
        if draw(st.integers(0, 5)) == 0:
            related.append(draw(texts()))
            continue
        start, stop = sorted(draw(st.tuples(st.integers(0, len(words)), st.integers(0, len(words)))))
        kept = words[start:stop] * draw(st.sampled_from([1, 1, 1, 2, 3]))
        related.append(draw(separators).join(kept) if draw(st.booleans()) else " ".join(kept))
    return related


@st.composite
def corpora(draw: st.DrawFn, max_segments: int = 4, max_references: int = 3) -> tuple[list[str], list[list[str]]]:
    """Predictions, and for each of them one reference or more."""
    predictions, references = [], []
    for _ in range(draw(st.integers(1, max_segments))):
        prediction, *own = draw(related_texts(1 + draw(st.integers(1, max_references))))
        predictions.append(prediction)
        references.append(own)
    return predictions, references
