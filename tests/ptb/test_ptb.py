"""The tokenizer `ptb` against the Java program, and against its definition in plain Python."""

from __future__ import annotations

import itertools
import json
import shutil
import warnings
from collections.abc import Sequence
from html.entities import html5
from pathlib import Path
from string import ascii_lowercase

import pyarrow as pa
import pytest
from growth import takes_less
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies import newspaper_texts, texts

from metrologue.errors import InputError
from metrologue.scorers import Bleu, Cider, Dice, Rouge, Scorer
from metrologue.text.tokenizers import get_tokenizer
from metrologue.text.tokenizers.ptb import PUNCTUATION, PennTreebank
from ptb.plain import tokens as plain_tokens
from ptb.program import LINE_ENDS, jar, run
from ptb.record import GOLDEN

RECORDED = json.loads(GOLDEN.read_text("utf-8"))["texts"]
CASED = PennTreebank(lowercase=False, punctuation=True, cut="blank")
LOWER = PennTreebank(punctuation=True, cut="blank")

# Capitals that Unicode got after version 13, which Java 17 has. They are in lower case only where Python is newer.
NEWER = {0x2C2F, 0xA7C0, 0xA7CB, 0xA7CC, 0xA7D0, 0xA7D6, 0xA7D8, 0xA7DA, 0xA7DC}


def lines(tokenizer: PennTreebank, given_texts: Sequence[str]) -> list[str]:
    """The tokens of each text between spaces."""
    found: list[str] = tokenizer.lines(pa.array(given_texts, pa.large_string())).to_pylist()
    return found


def one(text: str, **options: bool | str) -> list[str]:
    return get_tokenizer("ptb", **options)(pa.array([text], pa.large_string())).of_text(0)


@pytest.fixture(scope="session")
def program() -> Path:
    """The jar of the program, if Java can run it."""
    file = jar()
    if file is None or shutil.which("java") is None:
        pytest.skip("no Java or no pycocoevalcap: the tokens are not compared with the program itself")
    return file


def assert_equal(program: Path, given_texts: Sequence[str]) -> None:
    """The program and the tokenizer give the same tokens, in either case."""
    for tokenizer, options in ((CASED, ()), (LOWER, ("-lowerCase",))):
        pairs = zip(given_texts, run(program, given_texts, *options), lines(tokenizer, given_texts), strict=True)
        different = [(text, theirs, ours) for text, theirs, ours in pairs if theirs != ours]
        assert not different, f"{len(different)} of {len(given_texts)} texts: {different[:5]}"


def one_line(text: str) -> str:
    return "".join([" " if mark in LINE_ENDS or mark == "\0" else mark for mark in text])


def generated(count: int) -> list[str]:
    """This many texts of hypothesis, for a single run of the program."""
    found: list[str] = []

    @settings(max_examples=count, database=None)
    @given(st.one_of(newspaper_texts(), newspaper_texts(), texts()))
    def collect(text: str) -> None:
        found.append(one_line(text))

    collect()
    return found


@pytest.mark.parametrize("case", RECORDED, ids=lambda case: case["text"][:20])
def test_recorded(case: dict[str, str]) -> None:
    assert lines(CASED, [case["text"]]) == [case["tokens"]]
    assert lines(LOWER, [case["text"]]) == [case["lowercase"]]


def test_records_are_the_programs(program: Path) -> None:
    given_texts = [case["text"] for case in RECORDED]
    assert run(program, given_texts) == [case["tokens"] for case in RECORDED]


def test_generated(program: Path) -> None:
    assert_equal(program, generated(300))


@pytest.mark.slow
def test_many_generated(program: Path) -> None:
    assert_equal(program, generated(20_000))


def test_entities(program: Path) -> None:
    """Every entity that HTML names, and every one of two letters, in several cases, alone and between letters."""
    names = {name.rstrip(";") for name in html5} | {*map("".join, itertools.product(ascii_lowercase, repeat=2))}
    cased = sorted({case for name in names for case in (name, name.lower(), name.upper(), name.title())})
    assert_equal(program, [frame.format(name) for name in cased for frame in ("&{};", "&{}", "a&{};b")])


@pytest.mark.slow
def test_entities_of_few_letters(program: Path) -> None:
    for length in range(1, 5):
        assert_equal(program, [f"&{''.join(name)};" for name in itertools.product(ascii_lowercase, repeat=length)])


@pytest.mark.slow
def test_all_short_texts(program: Path) -> None:
    alphabet = "aA1.'-,/:\"!?(&$#@_%;<> `~*=+"
    for length in range(1, 5):
        assert_equal(program, ["".join(marks) for marks in itertools.product(alphabet, repeat=length)])


@pytest.mark.slow
@pytest.mark.parametrize(
    "frame", ["x {} y", "a{}b", "1{}2", "{}'s", "x-{}", "Inc. {}x", "{}{}", "#{}", "http://a.com/{}"]
)
def test_every_character(program: Path, frame: str) -> None:
    marks = [chr(point) for point in range(1, 0x10400) if not 0xD800 <= point < 0xE000 and point not in NEWER]
    assert_equal(program, [frame.replace("{}", mark) for mark in marks if mark not in LINE_ENDS])


@pytest.mark.slow
def test_real_texts(program: Path, shared_data: Path) -> None:
    found = set()
    for pattern in (
        "wmt17_ende/**/*.*",
        "wmt17_da/*/**/newstest*",
        "newstest2020*/*.txt",
        "nlg_eval_examples/*.txt",
        "e2e_metrics_example/*.txt",
        "bert_score_example/*.txt",
    ):
        for file in shared_data.glob(pattern):
            if file.is_file() and file.suffix != ".md":
                found |= {one_line(line) for line in file.read_text("utf-8").split("\n")}
    for name in ("flickr8k_expert/flickr8k_expert.jsonl", "summeval/summeval.jsonl", "summeval/references.jsonl"):
        file = shared_data / name
        rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()] if file.is_file() else []
        for row in rows:
            values = itertools.chain.from_iterable(v if isinstance(v, list) else [v] for v in row.values())
            found |= {one_line(value) for value in values if isinstance(value, str)}
    if len(found) < 1000:
        pytest.skip("no real texts beside the repository")
    assert_equal(program, sorted(found))


@settings(max_examples=60)
@given(text=st.one_of(newspaper_texts(), texts()))
@example(text="U.S.  Mr. X etc.")
def test_definition(text: str) -> None:
    assert lines(CASED, [text]) == [" ".join(plain_tokens(text))]


@pytest.mark.slow
@settings(max_examples=2000)
@given(text=st.one_of(newspaper_texts(), texts()))
def test_definition_on_many(text: str) -> None:
    assert lines(CASED, [text]) == [" ".join(plain_tokens(text))]


@pytest.mark.parametrize("unit", ["a&", "&#", "a'", "\u200d", "n't", "<!a", "a/", "1/2", "-;'!&"])
def test_time_is_linear(unit: str) -> None:
    """A search that goes on to the end of the text, from each place of it, is not made again and again."""
    few = unit * (40_000 // len(unit))
    assert takes_less(lambda: lines(CASED, [few * 4]), lambda: lines(CASED, [few]), 8)


@pytest.mark.parametrize("size", [257, 512])
def test_long_searches(size: int) -> None:
    """What a search remembers at its blocks does not change a token."""
    for unit in ("a&", "&#é", "a'\u200d", "<!a "):
        for end in ("", ".com", ">", " etc."):
            text = ((unit * size)[:size] + end) * 2 + "a"
            assert lines(CASED, [text, "a.b"]) == [" ".join(plain_tokens(each)) for each in (text, "a.b")]


IN_ANY_CASE = {
    "a D' b": "a D' b", "L'1": "L' 1", "J'-a": "J' - a", "d' l' j'": "d' l' j'", "D\u2019 b": "D\u2019 b",
    "a &gt; b": "a > b", "a &GT; b": "a > b", "a &lt; b": "a < b", "a &LT; b": "a < b",
}  # fmt: skip


def test_prefixes_and_entities_in_any_case() -> None:
    assert lines(CASED, [*IN_ANY_CASE]) == [*IN_ANY_CASE.values()]


def test_prefixes_and_entities_are_the_programs(program: Path) -> None:
    assert_equal(program, [*IN_ANY_CASE])


def test_soft_hyphens_depend_on_the_rule() -> None:
    """A name of a file keeps its soft hyphen, a word loses it, and the text itself is not changed."""
    array = pa.array(["a\xadb.c a\xadb.c) \xad", "a\xadb"], pa.large_string())
    assert CASED(array).of_text(0) == ["a\xadb.c", "ab.c", "-RRB-", "-"]
    assert CASED(array).of_text(1) == ["ab"]
    assert array.to_pylist() == ["a\xadb.c a\xadb.c) \xad", "a\xadb"]


def test_captions() -> None:
    """The default drops punctuation as pycocoevalcap does. Its list has brackets in capitals, so others stay."""
    assert one('A man\'s dog (brown), sat: "hi" -- ...') == [
        "a",
        "man",
        "'s",
        "dog",
        "-lrb-",
        "brown",
        "-rrb-",
        "sat",
        "hi",
    ]
    assert one("(A)", lowercase=False) == ["A"]
    assert one("A, b.", punctuation=True) == ["a", ",", "b."]
    assert all(not one(mark) for mark in PUNCTUATION if not mark.startswith("-") or len(mark) < 3)


def test_cut() -> None:
    """Within a telephone number the program writes no-break spaces. str.split() cuts there, but split(" ") does not."""
    assert one("call 555 123 4567") == ["call", "555", "123", "4567"]
    assert one("call 555 123 4567", cut="blank") == ["call", "555\u00a0123\u00a04567"]
    assert one(".") == []
    assert one(".", cut="blank") == [""]


@given(batch=st.lists(st.one_of(newspaper_texts(), st.just("")), max_size=5))
def test_batch(batch: list[str]) -> None:
    """A text's tokens do not depend on the other texts, nor on where the array begins."""
    array = pa.array(["before", *batch], pa.large_string())
    tokens = CASED(array.slice(1))
    assert [tokens.of_text(i) for i in range(len(batch))] == [
        CASED(array[i + 1 : i + 2]).of_text(0) for i in range(len(batch))
    ]


def test_unknown_option() -> None:
    with pytest.raises(InputError, match="`cut` is 'x'; whitespace or blank is expected"):
        get_tokenizer("ptb:cut=x")


@pytest.mark.parametrize("scorer", [Cider(), Bleu.variant("coco"), Rouge.variant("coco"), Dice(tokenizer="ptb")])
def test_dropped_characters_are_counted(scorer: Scorer) -> None:
    with pytest.warns(UserWarning, match=r"ptb drops characters that it does not know, 3 in all: 🙂 \(2\), 𐎀 \(1\)\.$"):
        scorer.corpus(["a cat 🙂 sat – here", "a 𐎀 dog 🙂"], ["a cat sat", "a “dog” in a café\u00a0…"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scorer.corpus(["a cat – here", "a dog"], ["a cat sat", "a “dog” in a café\u00a0… 漢字 e\u0301"])
