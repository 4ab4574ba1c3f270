"""YiSi against its definition over lists of words, with frames and with vectors, and what is refused."""

from __future__ import annotations

import tracemalloc
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_encoder import Letters
from strategies import Corpus, TokenCorpus, corpora, spelled, token_corpora

import metrologue
from metrics.yisi.plain import Frame as Plain
from metrics.yisi.plain import covered, of_frames, substring, weights, yisi
from metrologue import InputError, Yisi
from metrologue.representations.frames import ROLES, FrameFile, FunctionLabeller, role_class
from metrologue.segments import Segments

close = {"rel": 1e-12, "abs": 1e-15}
LABELS = ("V", "A0", "A1", "A2", "AM-TMP", "AM-LOC", "AM-CAU", "AM-MNR")


@given(corpus=token_corpora, order=st.integers(1, 4), alpha=st.sampled_from([0.0, 0.5, 0.8, 1.0]))
def test_definition(corpus: TokenCorpus, order: int, alpha: float) -> None:
    expected = yisi(*corpus, order=order, alpha=alpha)
    scorer = Yisi(order=order, alpha=alpha)
    assert scorer.segments(Segments(*spelled(corpus))) == pytest.approx(expected, **close)
    assert scorer.corpus(*spelled(corpus)).value == pytest.approx(np.mean(expected), **close)


@given(corpus=corpora())
def test_definition_with_texts_of_any_kind(corpus: Corpus) -> None:
    words = [text.split() for text in corpus[0]], [[text.split() for text in own] for own in corpus[1]]
    assert Yisi().segments(*corpus) == pytest.approx(yisi(*words), **close)


spans = st.tuples(st.integers(0, 5), st.integers(1, 3))


@st.composite
def framed(draw: st.DrawFn) -> tuple[list[str], list[Plain]]:
    """Words, and frames at some of them. No two predicates are alike, nor two arguments of one, which would tie."""
    text = draw(st.lists(st.sampled_from(["a", "b", "ab", "abc", "cat", "cats"]), min_size=9, max_size=9))
    kinds = st.integers(1, len(ROLES) - 1)
    frame = st.tuples(spans, st.lists(st.tuples(kinds, spans), max_size=3, unique_by=itemgetter(1)))
    return text, [
        [(0, start, start + length), *((kind, at, at + size) for kind, (at, size) in arguments)]
        for (start, length), arguments in draw(st.lists(frame, max_size=3, unique_by=itemgetter(0)))
    ]


def labeller(*texts: tuple[list[str], list[Plain]]) -> FunctionLabeller:
    known = {tuple(words): frames for words, frames in reversed(texts)}

    def label(given: list[list[str]]) -> Any:
        return [
            [{"pred": frame[0][1:], "args": [(LABELS[kind], *span) for kind, *span in frame[1:]]} for frame in own]
            for own in (known[tuple(text)] for text in given)
        ]

    return FunctionLabeller("known", label, str(abs(hash(str(known)))))


@given(hypothesis=framed(), reference=framed())
def test_definition_with_frames(
    hypothesis: tuple[list[str], list[Plain]], reference: tuple[list[str], list[Plain]]
) -> None:
    """Ties between assignments are decided in one way here and in another way there, so no two words are alike."""
    own, its = hypothesis[0], [f"{word}{'xyzuvwpqr'[place] * (place + 1)}" for place, word in enumerate(reference[0])]
    own = [f"{word}{'rqpwvuzyx'[place] * (place + 2)}" for place, word in enumerate(own)]
    texts = (own, hypothesis[1]), (its, reference[1])
    role_weights = (0.25, 1.0, 2.0, 1.0, 0.5, 1.0, 1.0, 3.0)
    weight = weights([its])

    def similar(one: list[str], other: list[str]) -> Any:
        def of_spans(a: tuple[int, int, int], b: tuple[int, int, int]) -> float:
            return covered(one[a[1] : a[2]], other[b[1] : b[2]], 3, substring, weight)

        return of_spans

    precision = of_frames(hypothesis[1], reference[1], [*role_weights], similar(own, its), True)
    recall = of_frames(reference[1], hypothesis[1], [*role_weights], similar(its, own), False)
    scorer = Yisi(beta=1.0, frames=labeller(*texts), role_weights=role_weights)
    found = scorer.corpus([" ".join(own)], [" ".join(its)])
    assert found.scores["recall"] == pytest.approx(recall, abs=1e-9)
    assert found.scores["precision"] == pytest.approx(precision, abs=1e-9)


def test_two_tokenizers_of_the_same_texts() -> None:
    """Both find three types here, whose spellings differ."""
    segments = Segments(["b. b"], ["c. b"])
    values = [Yisi(tokenizer=each).corpus(segments).value for each in ("whitespace", "13a")]
    assert values == [Yisi(tokenizer=each).corpus(["b. b"], ["c. b"]).value for each in ("whitespace", "13a")]


def test_a_long_text_takes_no_square_of_room() -> None:
    """The similarities are those of its distinct words; of all words, they would be 288 million bytes."""
    text, other = "the cat sat on the mat " * 1_000, "the cat sat on a mat " * 1_000
    tracemalloc.start()
    value = Yisi(order=1).corpus([text], [other]).value
    assert tracemalloc.get_traced_memory()[1] < 20e6
    tracemalloc.stop()
    assert value == pytest.approx(Yisi(order=1).corpus([text[:23]], [other[:21]]).value, rel=1e-12)


def test_worked_numbers() -> None:
    scorer = Yisi(order=1)
    texts = ["the cats sat on a mat", "the dog barks loud"], ["the cat sat on the mat", "a dog barked loudly"]
    scores = scorer.segment_scores(*texts)
    assert scores["precision"] == pytest.approx([0.8900443827, 0.7029404633], abs=1e-10)
    assert scores["recall"] == pytest.approx([0.9761904762, 0.7151515152], abs=1e-10)
    assert scores["yisi"] == pytest.approx([0.9576525190, 0.7126754826], abs=1e-10)
    assert Yisi().segments(*texts) == pytest.approx([0.8102711092, 0.7108060793], abs=1e-10)


def test_several_references_give_the_greatest_precision_and_recall() -> None:
    scorer = Yisi(order=1, weights="uniform")
    scores = scorer.corpus(["a b"], [["a", "a b c d"]]).scores
    assert (scores["precision"], scores["recall"]) == (1.0, 1.0)


def test_texts_without_words() -> None:
    assert Yisi().segments(["", "a", "", " "], ["a", "", "", "b"]).tolist() == [0.0] * 4


def test_the_table_is_that_of_the_texts_that_it_was_fitted_to() -> None:
    fitted = Yisi().fit(Segments(["x"] * 3, ["the cat", "The dog", "a dog"]))
    assert fitted.counts is not None
    assert fitted.counts.table.text("words").to_pylist() == ["The", "a", "cat", "dog", "the"]
    one, all_of_them = fitted.segments(["the bird"], ["the dog"]), Yisi().segments(["the bird"], ["the dog"])
    assert one != pytest.approx(all_of_them)
    assert Yisi.from_signature(fitted.signature) == fitted


def small_vectors(folder: Path, name: str, rows: str) -> Path:
    (folder / name).write_text(rows, "utf-8")
    return folder / name


def test_words_in_lower_case_and_words_without_a_vector(tmp_path: Path) -> None:
    path = small_vectors(tmp_path, "vectors.txt", "cat 1 0\ndog 0 1\nbird 3 4\n")
    scorer = Yisi(vectors=path, weights="uniform", order=1)
    texts = ["Cat", "CAT", "bird", "mouse", "mouse"], ["cat", "dog", "dog", "Mouse", "rat"]
    assert scorer.segments(*texts) == pytest.approx([1, 0, 0.8, 1, 0], rel=1e-7)


class Contextual(Letters):
    """The small encoder without vectors of single words."""

    @property
    def of_words(self) -> Any:
        raise AttributeError


def test_vectors_of_two_languages(tmp_path: Path) -> None:
    english = small_vectors(tmp_path, "en.txt", "cat 1 0\ndie 0 1\n")
    german = small_vectors(tmp_path, "de.txt", "Katze 1 0\ndie 1 0\n")
    scorer = Yisi.variant("yisi-2", vectors=english, source_vectors=german)
    # "die" has another meaning in each language; "Obama" has a vector in neither.
    assert scorer.segments(["cat", "die", "Obama"], ["Katze", "die", "Obama"]) == pytest.approx([1, 0, 1])
    wide = small_vectors(tmp_path, "wide.txt", "Katze 1 0 0\n")
    with pytest.raises(
        InputError, match=r"`vectors` en.txt@.* has 2 numbers for a word, but `source_vectors` .* has 3"
    ):
        Yisi.variant("yisi-2", vectors=english, source_vectors=wide).corpus(["cat"], ["Katze"])
    with pytest.raises(InputError, match="`source_vectors` letters@1 has no vectors of words"):
        Yisi(vectors=english, source_vectors=Contextual()).corpus(["cat"], ["Katze"])


def test_vectors_in_context() -> None:
    scorer = Yisi(vectors=Contextual(), order=1, weights="uniform")
    assert scorer.corpus(["cat dog"], ["cat dog"]).value == pytest.approx(1)
    assert scorer.corpus(["cat"], ["-cat"]).value == 0
    first, last = Yisi(vectors=Contextual(), layer=0), Yisi(vectors=Contextual())
    texts = ["a cat sat", "the dog"], ["a dog sat", "a dog"]
    assert first.corpus(*texts).value != last.corpus(*texts).value
    assert (
        first.corpus(*texts).value == Yisi(vectors=Contextual(), layer=0).pairwise(texts[0], texts[1]).diagonal().mean()
    )
    with pytest.raises(InputError, match="`layer` is 2; an int to 1"):
        Yisi(vectors=Contextual(), layer=2).corpus(*texts)
    metrologue.trace(scorer, "cat dog", ["dog"])


CONLL = """\
1	a	a	a	DT	DT	_	_	2	2	NMOD	NMOD	_	_	_
2	cat	cat	cat	NN	NN	_	_	3	3	SBJ	SBJ	_	_	A0
3	sat	sit	sit	VB	VB	_	_	0	0	ROOT	ROOT	Y	sit.01	_
"""


def test_frames_are_found_by_tokens(tmp_path: Path) -> None:
    path = tmp_path / "some.conll09"
    path.write_text(f"{CONLL}\n{CONLL.replace('cat', 'dog')}", "utf-8")
    scorer = Yisi(frames=path, beta=0.5)
    assert scorer.corpus(["a cat sat"], ["a dog sat"]).value < 1
    assert scorer.corpus(["a cat sat"], ["a cat sat"]).value == pytest.approx(1)
    with pytest.raises(InputError, match=r"Yisi: `references\[1\]` has no parse in some.conll09@.*; one of the same 2"):
        scorer.corpus(["a cat sat", "a dog sat"], ["a cat sat", "a dog"])
    assert scorer.corpus(["", "a cat sat"], ["a cat sat", "a cat sat"]).value == pytest.approx(0.5)
    matrix = scorer.pairwise(["a cat sat", "a dog sat"], ["a cat sat"])
    assert matrix[0, 0] == pytest.approx(1)
    assert "assigned to each other" in metrologue.trace(scorer, "a cat sat", ["a dog sat"]).text()


def test_several_references_with_frames(tmp_path: Path) -> None:
    """An argument counts with the reference that has the most similar one."""
    path = tmp_path / "some.jsonl"
    path.write_text(
        '{"text": "a b c", "frames": [{"pred": [1, 2], "args": [["A0", 0, 1], ["A1", 2, 3]]}]}\n'
        '{"text": "a b x", "frames": [{"pred": [1, 2], "args": [["A0", 0, 1]]}]}\n'
        '{"text": "y b c", "frames": [{"pred": [1, 2], "args": [["A1", 2, 3]]}]}\n',
        "utf-8",
    )
    scorer = Yisi(frames=path, beta=1.0, role_weights=(1.0,) * 8)
    assert scorer.corpus(["a b c"], [["a b x", "y b c"]]).scores["precision"] == pytest.approx(1)
    assert scorer.corpus(["a b c"], ["a b x"]).scores["precision"] == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.conll09", "1\ta\n", "line 1 of .* has 2 columns; 14 are expected"),
        ("a.conll09", CONLL.replace("\t2\t2\t", "\t9\t9\t"), "line 1 of .* has 15 columns"),
        ("a.conll09", CONLL.replace("\tA0\n", "\n"), "line 2 of .* has 14 columns; 15 are expected"),
        ("a.conll09", CONLL.replace("A0", "who"), "has the role 'who'"),
        ("a.conll09", "\n".join(row.rsplit("\t", 1)[0] for row in CONLL.splitlines()), "1 predicates, but 0 columns"),
        ("a.jsonl", "{}", "line 1 of .* has no"),
        ("a.jsonl", '{"text": "a", "frames": [{"pred": [0, 2]}]}', "a span from 0 to 2, but 1 tokens"),
        ("a.jsonl", '{"text": "a", "frames": [{"args": []}]}', "line 1 of .* has the frame"),
    ],
)
def test_files_that_are_refused(tmp_path: Path, name: str, content: str, message: str) -> None:
    (tmp_path / name).write_text(content, "utf-8")
    with pytest.raises(InputError, match=message):
        Yisi(frames=tmp_path / name)


def test_parses_and_their_texts(tmp_path: Path) -> None:
    parses, texts = tmp_path / "some.conll09", tmp_path / "some.txt"
    parses.write_text(CONLL, "utf-8")
    texts.write_text("A cat sat\n", "utf-8")
    assert FrameFile(parses, texts=[texts]).label([["A", "cat", "sat"], ["a", "cat", "sat"]])[1] is None
    texts.write_text("a cat sat\na dog\n", "utf-8")
    with pytest.raises(InputError, match=r"has 1 parses, but .* has 2 lines"):
        FrameFile(parses, texts=[texts])
    texts.write_text("a cat\n", "utf-8")
    with pytest.raises(InputError, match=r"parse 1 of .* has 3 tokens, but line 1 of .* has 2"):
        FrameFile(parses, texts=[texts])
    with pytest.raises(InputError, match="`texts` has 2 files; one for each of 1"):
        FrameFile(parses, texts=[texts, texts])
    with pytest.raises(InputError, match="cannot be read"):
        FrameFile(tmp_path / "none")


def test_what_is_refused() -> None:
    with pytest.raises(InputError, match="`frames` are missing"):
        Yisi.variant("yisi-1-srl").corpus(["a"], ["a"])
    with pytest.raises(InputError, match=r"`role_weights` is .* a list of 8 numbers"):
        Yisi(role_weights=(1.0, 2.0))
    with pytest.raises(InputError, match="`frames` is 3; None or a labeller"):
        Yisi(frames=3)
    none = FunctionLabeller("none", lambda texts: [], "1")
    with pytest.raises(InputError, match="2 texts went in, but frames of 0 came back"):
        Yisi(frames=none, beta=0.5).corpus(["a"], ["b"])
    with pytest.raises(InputError, match="`frames` have words"):
        Yisi(frames=none, vectors=Contextual()).corpus(["a"], ["b"])


def test_role_classes() -> None:
    expected = {
        "predicate": ("V", "C-V", "TARGET"), "agent": ("A0", "R-A0", "ARG0-BY", "arg0-agt"),
        "patient": ("A1", "C-ARG1-ON", "arg1-tem"), "beneficiary": ("A2", "ARGM-BNF", "arg3-exp"),
        "time": ("AM-TMP", "C-R-AM-TMP", "ARG2-TMP", "TMP", "ARGM-TM"),
        "place": ("A3", "R-A4", "ARGM-TO", "DIR", "arg3-ori"), "cause": ("AM-PNC", "ARGM-PRP", "argM-cau"),
        "manner": ("AM-MNR", "A5", "AA", "ARGM-ON", "MOD", "R-ARGA", "AM-TM", "O", "PADDING", "UNAVAILABLE"),
    }  # fmt: skip
    found = {ROLES[index]: labels for index, labels in enumerate(expected.values())}
    assert found == expected
    assert {label: role_class(label) for own in expected.values() for label in own} == {
        label: index for index, own in enumerate(expected.values()) for label in own
    }
