"""CodeBLEU of generated code, odd texts and refused ones, its plain definition, and what it warns of."""

from __future__ import annotations

import sys
import warnings
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import Corpus, TokenCorpus, corpora, spelled, token_corpora

from metrics.codebleu import plain
from metrologue.errors import InputError
from metrologue.scorers import Codebleu
from metrologue.scorers.codebleu import codebleu, trees
from metrologue.scorers.codebleu.keywords import KEYWORDS
from metrologue.scorers.codebleu.trees import LANGUAGES, VERSIONS, without_comments

pytestmark = pytest.mark.filterwarnings("ignore:Codebleu")

languages = st.sampled_from(sorted(LANGUAGES))
PIECES = [
    *"()[]{};:,.=+-*/<>!&|\"'`#@$\\\n\n\n\t 01ax",
    *("  ", "    ", "if ", "else", "elif ", "for ", "while ", "def ", "function ", "func ", "fn ", "class ", "return "),
    *(
        " in ",
        "let ",
        "var ",
        "int ",
        "//",
        "/*",
        "*/",
        '"""',
        "<?php ",
        "$a",
        "a = b",
        "x += 1",
        "i++",
        "end\n",
        "do\n",
    ),
    *("foreach", "until ", "unless ", "match ", "a: 1", "(a=1)", "é", "猫", "😀", "\u2028", "\0", "\r\n", "\u0301"),
]
codes = st.lists(st.sampled_from(PIECES), max_size=40).map("".join) | st.text(max_size=20)


@settings(max_examples=200)
@given(
    language=languages,
    texts=st.lists(st.tuples(codes, st.lists(codes, min_size=1, max_size=2)), min_size=1, max_size=2),
)
def test_no_text_ends_in_another_error(language: str, texts: list[tuple[str, list[str]]]) -> None:
    predictions, references = map(list, zip(*texts, strict=True))
    scores = Codebleu(language=language).corpus(predictions, references).scores
    assert all(0 <= score <= 1 for score in scores.values())


@given(language=languages, code=codes.filter(str.split))
def test_equal_texts_have_the_best_score(language: str, code: str) -> None:
    scores = Codebleu(language=language).corpus([code], [code]).scores
    assert scores["syntax_match"] == 1
    assert scores["dataflow_match"] in (0, 1)
    if len(code.split()) > 3:
        assert scores["ngram_match"] == 1
        assert scores["codebleu"] == pytest.approx(1)


@given(
    corpus=token_corpora.map(lambda corpus: spelled(corpus)) | corpora(),
    recall=st.booleans(),
    of_two=st.booleans(),
)
def test_weighted_ngrams(corpus: Corpus, recall: bool, of_two: bool) -> None:
    words: TokenCorpus = [text.split() for text in corpus[0]], [[text.split() for text in own] for own in corpus[1]]
    keywords = {"a", "b", *KEYWORDS["python"]}
    scorer = Codebleu(
        weighted_match="recall" if recall else "precision", weighted_length="two" if of_two else "closest"
    )
    expected = plain.weighted_ngram_match(*words, keywords - {"a", "b"}, recall, of_two)
    assert scorer.corpus(*corpus).scores["weighted_ngram_match"] == pytest.approx(expected, rel=1e-9)


@given(parts=st.lists(st.floats(0, 1), min_size=4, max_size=4), no_flow=st.sampled_from([0.0, 1.0]))
def test_the_sum_of_the_parts(parts: list[float], no_flow: float) -> None:
    import numpy as np

    weights = [0.1, 0.2, 0.3, 0.4]
    assert codebleu(np.array(parts), weights, no_flow) == pytest.approx(plain.codebleu(parts, weights, no_flow))


@pytest.mark.parametrize(
    ("code", "language", "expected"),
    [
        ('def f():\n    """Doc."""\n    return "a"  # end', "python", 'def f():\n    return "a"  '),
        ("x = (", "python", "x = ("),
        ("// one\nint x; /* two\n three */ char c = '\"';", "c", "int x;   char c = '\"';"),
        ('s = "http://a" // b', "javascript", 's = "http://a"  '),
        ("x = 1 # one", "ruby", "x = 1 # one"),
    ],
)
def test_comments(code: str, language: str, expected: str) -> None:
    assert without_comments(code, language) == expected


def test_names_do_not_matter_to_the_flow_of_data() -> None:
    code = "def f(a, b):\n    c = a + b\n    for d in c:\n        c += d\n    return c"
    other = code.translate(str.maketrans("abcd", "wzyx"))
    assert Codebleu().corpus([other.replace("xef", "def").replace("xn", "in")], [code]).scores["dataflow_match"] == 1


def test_syntax_errors_are_told_with_their_share() -> None:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        Codebleu().corpus(["def f(:\n    $$$ ???"], ["def f(a):\n    return a"])
    messages = [str(one.message) for one in told]
    assert any(
        "1 of 1 predictions have a syntax error" in message and "% of the bytes" in message for message in messages
    )
    assert not any("references have a syntax error" in message for message in messages)


def test_right_code_has_no_warning() -> None:
    code = "def f(a):\n    b = a\n    return b"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Codebleu().corpus([code], [code]).value == pytest.approx(1)


def test_references_without_data_flow_are_told() -> None:
    with pytest.warns(UserWarning, match="no data flow, and its match counts as 1"):
        assert Codebleu().corpus(["pass"], ["pass"]).scores["dataflow_match"] == 0


def test_another_grammar_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(VERSIONS, "python", "0.1.0")
    with pytest.warns(UserWarning, match=r"tree-sitter-python .* is installed, whose trees may differ"):
        Codebleu().corpus(["a = b"], ["a = b"])


@pytest.mark.parametrize("package", ["tree_sitter_ruby", "tree_sitter"])
def test_a_package_that_is_missing_is_named(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    trees._grammar.cache_clear()
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(InputError, match="language 'ruby' needs the packages tree-sitter and tree-sitter-ruby"):
        Codebleu(language="ruby").corpus(["a"], ["a"])
    trees._grammar.cache_clear()


def test_packages_that_do_not_fit_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import tree_sitter_ruby

    def language() -> Any:
        raise TypeError("an integer is required")

    trees._grammar.cache_clear()
    monkeypatch.setattr(tree_sitter_ruby, "language", language)
    with pytest.raises(InputError, match="tree-sitter and tree-sitter-ruby do not fit each other"):
        Codebleu(language="ruby").corpus(["a"], ["a"])
    trees._grammar.cache_clear()


@pytest.mark.parametrize("code", ["(" * 2000 + ")" * 2000, "a" + " + a" * 40_000])
def test_a_text_that_is_nested_too_deep_is_refused(code: str) -> None:
    with pytest.raises(InputError, match=r"`references\[0\]` is nested more than 900 levels deep"):
        Codebleu().corpus(["a"], [code])


def test_nested_loops_take_no_time_out_of_proportion() -> None:
    code = "\n".join(" " * depth + "while a:" for depth in range(40)) + " a = b"
    assert Codebleu().corpus([code], [code]).scores["dataflow_match"] == 1


def test_missing_references() -> None:
    with pytest.raises(InputError, match="`references` are missing"):
        Codebleu().corpus(["a"])


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"language": "cobol"}, "`language`"),
        ({"weights": (1.0, 2.0)}, "`weights`"),
        ({"weights": (-1.0, 0, 0, 0)}, "0"),
    ],
)
def test_wrong_fields(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Codebleu(**fields)
