"""Generated text: everything that a tokenizer or a counter could trip over."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st
from layouts import CLASSIFICATION, Columns, columns_of, of_family

Corpus = tuple[list[str], list[list[str]]]
TokenCorpus = tuple[list[list[str]], list[list[list[str]]]]

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
def corpora(draw: st.DrawFn, max_segments: int = 4, max_references: int = 3) -> Corpus:
    """Predictions, and for each of them one reference or more."""
    predictions, references = [], []
    for _ in range(draw(st.integers(1, max_segments))):
        prediction, *own = draw(related_texts(1 + draw(st.integers(1, max_references))))
        predictions.append(prediction)
        references.append(own)
    return predictions, references


def in_columns(segments: list[tuple[str, list[str]]]) -> Corpus:
    """Predictions and references, each a list of its own."""
    return [prediction for prediction, _ in segments], [references for _, references in segments]


def corpora_of(texts: st.SearchStrategy[str], max_references: int = 3) -> st.SearchStrategy[Corpus]:
    """Corpora of such texts."""
    segments = st.tuples(texts, st.lists(texts, min_size=1, max_size=max_references))
    return st.lists(segments, min_size=1, max_size=4).map(in_columns)


def spelled(corpus: TokenCorpus, separator: str = " ") -> Corpus:
    """The texts of a corpus of token lists."""
    hypotheses, references = corpus
    return [*map(separator.join, hypotheses)], [[*map(separator.join, own)] for own in references]


def words_of(columns: Columns) -> list[Any]:
    """Each column as metrics/*/plain.py take it: the words of each text, or of each of its references."""

    def words(row: str | list[str]) -> list[Any]:
        return row.split() if isinstance(row, str) else [*map(words, row)]

    return [[*map(words, rows)] for rows in columns.values()]


# Texts as lists of tokens, as metrics/*/plain.py take them: few types, so that there is much to match.
token_lists = st.lists(st.sampled_from("abcd"), max_size=10)
token_corpora = corpora_of(token_lists)

# Short words with marks at their ends, so that words lose one, texts are shorter than an order, and references tie.
MARKED_WORDS = ("a", "b", "ab", "(a", "b)", "(ab)", "!", "?!", "a,", "«a»", "Aa", "é", "e\u0301", "的", "🙂", "ß", "İ")
short_texts = st.lists(
    st.tuples(st.sampled_from(MARKED_WORDS), st.sampled_from(["", " ", " ", "\n", "\x1c", "\u2003"])), max_size=8
).map(lambda parts: "".join(map("".join, parts)))
short_corpora = corpora_of(short_texts, max_references=4)

# Few words, some of them again and again, so that there is always something to shift; sentences longer than the beam.
SHIFTED_WORDS = ("a", "a", "A", "b", "c", "the", "Of", "it's", "U.S.", "5-3", "1,000", "(x)", "猫が", "。")
sentences = st.one_of(
    st.lists(st.sampled_from(SHIFTED_WORDS), max_size=14),
    st.lists(st.sampled_from("abcdefghijklmnop"), min_size=8, max_size=12),
    st.permutations("abcdefghij"),
).map(" ".join)
shuffled_corpora = corpora_of(sentences)

# What tercom's rules are about, joined in every way: marks beside digits, letters, entities and each other.
MARKS = (
    "5", "5", "12", "a", "It", "PLC", "é", "٣", "½", "猫", "ア", "々", "\u3200", "\u3f22", ".", ".", ",", ",", "'s",
    "'s", "'", '"', "-", "\n-", "--", "–", "?", ":", ";", "!", "(", ")", "[", "/", "$", "%", "&", "&amp;", "&quot;",
    "&lt;", "&amp;lt;", "<", "~", "。", "、", "．", "，", "（", "「", "･", ".,5", "e.g.,", "No.,", "it's.", "PLC's,",
    "it's's ", "-5-", "5.5",
)  # fmt: skip
marked = st.lists(st.one_of(st.sampled_from(MARKS), st.just(" "), st.sampled_from(BLANKS)), max_size=16).map("".join)
marked_corpora = st.one_of(
    corpora_of(marked),
    st.lists(marked, min_size=1, max_size=4).map(lambda texts: (texts, [[text] for text in texts])),
)

# Few words, so that common subsequences tie and words come again; blanks and stops, so that there are sentences.
SUMMARY_WORDS = (
    "a", "a", "b", "b", "c", "the", "of", "cat", "cats", "running", "children", "Better", "it's", "U.S.", "5-3", "café",
    "$5", "кот",
)  # fmt: skip
summaries = st.lists(
    st.tuples(st.sampled_from(SUMMARY_WORDS), st.sampled_from([" "] * 8 + ["\n", "\n", ". ", ".", "\n\n", "\t"])),
    max_size=30,
).map(lambda parts: "".join(map("".join, parts)))
summary_corpora = corpora_of(summaries)

# Blanks of every kind between and around the words, alone and in runs.
blanks = st.text(st.sampled_from(BLANKS + "   "), max_size=3)
blank_texts = st.tuples(
    blanks, st.lists(st.tuples(st.sampled_from(["a", "b", "ab", "é", "的"]), blanks), max_size=8)
).map(lambda parts: parts[0] + "".join(map("".join, parts[1])))
blank_corpora = corpora_of(blank_texts, max_references=1)

# Few letters, so that there are many ways from one text to the other.
few_letters = st.one_of(st.text("abcd", max_size=12), st.text("ab"))
letter_corpora = corpora_of(few_letters, max_references=1)


@st.composite
def hashed_lines(draw: st.DrawFn) -> Corpus:
    """Lines in GEval's layout, with their words: probabilities, log-probabilities or logits; few words, one empty."""
    word = st.sampled_from(["a", "b", "b:c", "źdźbło", "猫", "zebra"])
    items = st.tuples(st.one_of(word, word, st.just("")), st.floats(0, 1))
    below = st.floats(0, 0.3)
    layouts = [
        st.lists(items, min_size=1, max_size=5),
        st.lists(st.tuples(word, below), min_size=1, max_size=3),
        st.lists(st.tuples(word, below.map(lambda value: value - 2)), min_size=1, max_size=3),
        st.lists(st.tuples(st.one_of(word, st.just("")), st.floats(-9, 9)), min_size=1, max_size=5),
    ]
    count = draw(st.integers(1, 4))
    lines = [" ".join(f"{own}:{value!r}" for own, value in draw(draw(st.sampled_from(layouts)))) for _ in range(count)]
    return lines, [[draw(word)] for _ in range(count)]


probabilities = st.one_of(st.floats(0, 1), st.sampled_from([0.0, 5e-324, 1e-300, 0.5, 1.0, 1.0 + 1e-7]))


@st.composite
def probability_lines(draw: st.DrawFn) -> Corpus:
    """Lines of probabilities, with whitespace of several kinds between and around them."""
    blanks = st.sampled_from([" ", " ", "  ", "\t", "\n", " \r\n"])
    count = draw(st.integers(1, 4))
    lines = [
        "".join(map("".join, draw(st.lists(st.tuples(probabilities.map(repr), blanks), max_size=6))))
        for _ in range(count)
    ]
    return lines, [["a"]] * count


@st.composite
def label_corpora(draw: st.DrawFn, max_size: int = 9) -> Corpus:
    """Labels of a few kinds, two of them or more, that one side may lack."""
    known = draw(
        st.sampled_from([("0", "1"), ("1",), ("0", "1", "2"), ("1", "é", "", "a b", "猫\0猫"), ("ham", "spam")])
    )
    label = st.sampled_from(known)
    pairs = draw(st.lists(st.tuples(label, label), min_size=1, max_size=max_size))
    return [ours for ours, _ in pairs], [[right] for _, right in pairs]


@st.composite
def tag_corpora(draw: st.DrawFn) -> Corpus:
    """Tags of entities in IOBES, and one entity on either side at least."""
    tags = st.sampled_from(["O", "O", "B-PER", "I-PER", "B-LOC", "I-LOC", "E-LOC", "S-PER", "B", "B-A-B"])
    lengths = draw(st.lists(st.integers(1, 6), min_size=1, max_size=4))
    sides = [
        [" ".join(["B-PER", "E-PER", *draw(st.lists(tags, min_size=n, max_size=n))]) for n in lengths] for _ in range(2)
    ]
    return sides[0], [[text] for text in sides[1]]


@st.composite
def graph_lines(draw: st.DrawFn) -> Corpus:
    """Scene graphs in JSON, of few words: some are synonyms, some are colors, counts or sizes."""
    word = st.sampled_from(["dog", "cat", "sofa", "couch", "red", "two", "big", "large", "on", "in", "日"])
    graph = st.lists(st.one_of(*(st.tuples(*[word] * size) for size in (1, 2, 3))), max_size=5).map(json.dumps)
    count = draw(st.integers(1, 4))
    return [draw(graph) for _ in range(count)], [draw(st.lists(graph, min_size=1, max_size=3)) for _ in range(count)]


@st.composite
def judged_lines(draw: st.DrawFn) -> Corpus:
    """Lines with a judgement, a log-probability and a length, some of them alike, and who wrote each text."""
    one = st.tuples(st.sampled_from([1, 2.5, 4]), st.sampled_from([-0.5, -2, -9.25]), st.sampled_from([1, 2, 3]))
    rows = draw(st.lists(st.tuples(one, st.sampled_from(["model", "human"])), min_size=1, max_size=9))
    return [" ".join(map(str, row)) for row, _ in rows], [[author] for _, author in rows]


@st.composite
def triple_lines(draw: st.DrawFn) -> Corpus:
    """Lines with triples; each reference has one at least."""
    phrase = st.lists(st.sampled_from(["a", "b", "c", "the"]), min_size=1, max_size=3).map(" ".join)
    triple = st.tuples(phrase, phrase, phrase).map(" | ".join)
    reference = st.lists(triple, min_size=1, max_size=3).map("; ".join)
    pairs = draw(
        st.lists(
            st.tuples(st.lists(triple, max_size=3).map("; ".join), st.lists(reference, min_size=1, max_size=3)),
            min_size=1,
            max_size=4,
        )
    )
    return [own for own, _ in pairs], [others for _, others in pairs]


# What a metric reads that does not read texts of any kind.
_TEXTS_OF = {
    "seqeval": tag_corpora(),
    **dict.fromkeys(of_family("hashed_words"), hashed_lines()),
    **dict.fromkeys(of_family("token_probabilities"), probability_lines()),
    **dict.fromkeys(CLASSIFICATION, label_corpora()),
    "spice": graph_lines(),
    "huse": judged_lines(),
    "peak": triple_lines(),
}


def generated_columns(metric: str) -> st.SearchStrategy[Columns]:
    """Generated input for a metric, by the names of what it takes."""
    return _TEXTS_OF.get(metric, corpora()).map(lambda corpus: columns_of(metric, *corpus))


# What a tokenizer of English newspapers has rules for.
NEWSPAPER = [
    "a", "b", "A", "B", "ab", "Ab", "AB", "abc", "the", "The", "I", "1", "2", "12", "123", "1234", "1990", "é", "É",
    "ü", "ß", "a1", "1a", "don", "can", "not", "n", "t", "s", "ll", "re", "d", "m", "can't", "it's", "O'N", "d'a", "Mr",
    "Inc", "Jan", "U.S.", "A.", "a.", "e.g.", "No", "Co", "etc", "vs", "p.m.", "gonna", "cannot", "wanna", "'tis",
    "'em", "www.", ".com", "http://", "@", "#", "$", "%", "&", "&amp;", "&lt;", "&quot;", "&apos;", "&#39;", "*", "(",
    ")", "[", "]", "{", "}", "<", ">", "<b>", "</b>", "<a", "-", "--", "---", "–", "—", "_", "__", "=", "+", "/", "\\/",
    "\\", "|", "~", "^", "`", "``", "'", "''", "\"", "“", "”", "‘", "’", "«", "»", ",", ".", "..", "...", "…", ".", ".",
    ";", ":", "!", "?", "?!", "!!", ":)", ":-(", ";)", "^_^", "£", "€", "¢", "¥", "½", "¾", "1/2", "3-1/2", "10:30",
    "1,000", "3.14", ".5", "5%", "$5", "US$", "555-1234", "(555)", "+1", "AT&T", "C++", "C#", "x-y", "WWW.", ".Net",
    ".COM/x", "21-year-old", "and/or", "a/b/c", "a@b.c", "x.txt", "anti-", "'90s", "90", "°", "²", "·", "•", "\xad",
    "\u2009", "‐", "\u0301", "\x85", "日", "я", "🙂",
]  # fmt: skip


# Entities of HTML and SGML: of those with a common name, and of those that are no entity.
ENTITIES = (
    "amp", "lt", "gt", "quot", "apos", "nbsp", "ndash", "mdash", "md", "ht", "tl", "ur", "lr", "qc", "ql", "qr", "odq",
    "cdq", "eacute", "Ouml", "agrave", "acirc", "ntilde", "shy", "lsquo", "rdquo", "hellip", "copy", "#39", "#x27",
    "#8211", "x", "",
)  # fmt: skip


@st.composite
def entities(draw: st.DrawFn) -> str:
    """An entity in any case, now and then without its semicolon."""
    name = draw(st.sampled_from(ENTITIES))
    upper = draw(st.one_of(st.just(0), st.just(0), st.just(-1), st.integers(0, (1 << len(name)) - 1)))
    cased = "".join(letter.upper() if upper >> at & 1 else letter for at, letter in enumerate(name))
    return f"&{cased}" + draw(st.sampled_from([";", ";", ";", ""]))


@st.composite
def newspaper_texts(draw: st.DrawFn, max_pieces: int = 9) -> str:
    """A text of words, numbers, addresses, marks and their neighbours, most of them in the Latin script."""
    letters = st.characters(exclude_characters="\n\r\v\f\u2028\u2029\x00", exclude_categories=["Cs"])
    known = st.sampled_from(NEWSPAPER)
    piece = st.one_of(known, known, known, entities(), st.sampled_from("  \u00a0\xad"), letters)
    return "".join(draw(st.lists(piece, max_size=max_pieces)))
