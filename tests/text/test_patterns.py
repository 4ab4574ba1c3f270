"""Regular expressions of the package: time grows with the text, not with its square, whatever the text is."""

from __future__ import annotations

import ast
import importlib
import itertools
import pkgutil
import re
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any
from unicodedata import normalize

import pyarrow as pa
import pytest
from amounts import nth
from growth import takes_less
from hypothesis import given
from hypothesis import strategies as st

import metrologue
from metrologue.text.stemmers import snowball
from metrologue.text.tokenizers import composed, get_tokenizer, java_case
from metrologue.text.tokenizers.characters import CHARACTERS
from metrologue.text.tokenizers.composed import COMPOSED
from metrologue.text.tokenizers.meteor import METEOR
from metrologue.text.tokenizers.spans import SPANS

LONG = 20_000


def modules() -> Iterator[ModuleType]:
    """Every module of the package that can be imported here."""
    for found in pkgutil.walk_packages(metrologue.__path__, "metrologue."):
        if found.name != "metrologue.__main__" and not found.name.startswith("metrologue.metrics"):
            yield importlib.import_module(found.name)


def is_pattern(thing: Any) -> bool:
    return type(thing).__name__ == "Pattern" and hasattr(thing, "finditer")


def within(thing: Any, depth: int = 4) -> Iterator[Any]:
    """The patterns in a value: in containers, in what a function closes over, behind a bound method.

    A pattern of bytes is given as one of characters.
    """
    if is_pattern(thing):
        of_bytes = isinstance(thing.pattern, bytes)
        yield re.compile(thing.pattern.decode("latin-1"), re.ASCII) if of_bytes else thing
    elif is_pattern(getattr(thing, "__self__", None)):
        yield thing.__self__
    elif depth and isinstance(thing, list | tuple | set | frozenset):
        yield from itertools.chain.from_iterable(within(part, depth - 1) for part in thing)
    elif depth and isinstance(thing, dict):
        yield from itertools.chain.from_iterable(within(part, depth - 1) for part in thing.values())
    elif depth and isinstance(thing, FunctionType) and thing.__closure__:
        yield from itertools.chain.from_iterable(within(cell.cell_contents, depth - 1) for cell in thing.__closure__)
    elif depth and hasattr(thing, "function"):
        yield from within(thing.function, depth - 1)


def inline(module: ModuleType) -> Iterator[Any]:
    """The patterns that a module hands to `re` where it uses them; each is written out, so that it is seen here."""
    assert module.__file__
    source = Path(module.__file__).read_text("utf-8")
    if not re.search(r"\bre\.(?!compile\b|escape\b)", source):
        return
    for node in ast.walk(ast.parse(source)):
        called = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func
        if (
            called
            and isinstance(called.value, ast.Name)
            and called.value.id == "re"
            and called.attr not in ("compile", "escape")
        ):
            assert isinstance(node, ast.Call)
            assert isinstance(node.args[0], ast.Constant), f"{module.__name__}:{node.lineno}: compile it by a name"
            whole = called.attr == "fullmatch"  # which begins nowhere but at the start
            yield re.compile(rf"\A(?:{node.args[0].value})\Z" if whole else node.args[0].value)


@pytest.fixture(scope="module")
def patterns() -> dict[str, Any]:
    """All patterns, by where they are and what they are. Every module of the package is imported, also the pages."""
    pytest.importorskip("gradio", reason="gradio is not installed: pip install 'metrologue[space]'")
    found: dict[str, tuple[str, Any]] = {}
    for module in modules():
        things = [*vars(module).items(), *((f"line {n}", each) for n, each in enumerate(inline(module)))]
        for name, thing in things:
            for pattern in within(thing):
                found.setdefault(pattern.pattern, (f"{module.__name__}.{name}: {ascii(pattern.pattern)[:50]}", pattern))
    for pattern in within(composed._cut()):  # made when it is used
        found.setdefault(pattern.pattern, ("the words of unicode-words", pattern))
    return dict(found.values())


def letters(pattern: str) -> list[str]:
    """Characters that a pattern speaks of, and one that it does not: of a class, the first that comes."""
    return [*dict.fromkeys([*re.findall(r"\w|[^\w\[\]()?*+|\\^:{}]", pattern)][:8]), "\x00"]


def assert_linear(work: Callable[[str], object], units: list[str], begin: str = "", end: str = "") -> None:
    """Eight times the text takes far less than 64 times as long; a time that explodes shows in a few characters."""

    def on(unit: str, length: int) -> Callable[[], object]:
        text = begin + unit * (length // len(unit)) + end
        return lambda: work(text)

    for unit in units:
        assert takes_less(on(unit, 30), on(unit, 10), 10), unit
        assert takes_less(on(unit, LONG), on(unit, LONG // 8), 24), unit


def test_all_are_found(patterns: dict[str, Any]) -> None:
    assert len(patterns) > 25
    for known in (java_case._BETWEEN_BREAKS, snowball._FINNISH, composed._IGNORABLE):
        assert known in patterns.values()


def assert_pattern_linear(name: str, pattern: Any, units: list[str], ends: tuple[str, ...]) -> None:
    for end in ends:
        try:
            assert_linear(lambda text: deque(pattern.finditer(text), 0), units, end=end)
        except AssertionError as error:
            error.add_note(name)
            raise


def test_patterns(patterns: dict[str, Any]) -> None:
    for name, pattern in patterns.items():
        known = letters(pattern.pattern)
        units = [*known, *map("".join, itertools.permutations(known[:4], 2))]
        assert_pattern_linear(name, pattern, units, ends=("\x00",))


@pytest.mark.slow
def test_patterns_on_longer_pieces(patterns: dict[str, Any]) -> None:
    for name, pattern in patterns.items():
        known = letters(pattern.pattern)
        pairs = map("".join, itertools.product(known, repeat=2))
        units = [*pairs, *map("".join, itertools.product(known[:5], repeat=3))]
        assert_pattern_linear(name, pattern, units, ends=("", "\x00"))


# What tokenizers and stemmers have rules for.
PIECES = [
    "1\u200d", "a\u200d", "Σ\u0301", "Σ'", "Σ.", "a-", "1,", "\u0301", "\u0301\u0316", "\x00", "\u2003",
    "\xa0", " ", "\n", "\n-", "\t", ".", "..", ". ", "DOT", "DOTMULTI", "DOTMULTI.", ".DOT", ",", "'",
    "''", "'s ", "-", "--", "- ", "1-", "&", "&amp;", "&amp;quot;", "<skipped>", "<skip", "-\n", "🇦",
    "👩\u200d", "한", "क\u094d", "\u0600", "\r", "ﷺ", "ก\u0e31", "猫\u302a", "İ", "ß",
]  # fmt: skip


WITH_OPTIONS = [
    "tercom:normalized=true,no_punct=true,asian_support=true",
    "tercom:no_punct=true",
    "meteor-1.5:lowercase=true",
    *(f"meteor-1.5-norm:language={code}" for code in ("cz", "fr", "es", "de", "ru")),
    "meteor-1.5-norm:no_punct=true",
]


@pytest.mark.parametrize("name", [*SPANS, *CHARACTERS, *COMPOSED, *METEOR, "uax29-words", *WITH_OPTIONS][:: nth(2)])
def test_tokenizers(name: str) -> None:
    if name.startswith("meteor-1.5-norm"):
        pytest.importorskip("pycocoevalcap", reason="no METEOR jar: pip install pycocoevalcap")
    tokenize = get_tokenizer(name)
    tokenize(pa.array(["a"], pa.large_string()))
    assert_linear(lambda text: tokenize(pa.array([text], pa.large_string())), PIECES, begin="Σ", end="x")


@pytest.mark.parametrize("language", ["da", "de", "fi", "fr", "hu", "nl", "pt", "ru"])
def test_stemmers(language: str) -> None:
    pytest.importorskip("Stemmer", reason="PyStemmer is not installed: pip install PyStemmer")
    pieces = [
        "d", "s", "t", "ds", "den", "een", "ttenkin", "å", "é", "ë", "gu", "guë", "aaë", "par", "bë", "ss", "niss",
        "uç", "èè", "ё", "ő",
    ]  # fmt: skip
    for end in ("", "ë", "guë", "en", "éé"):
        assert_linear(lambda word: snowball.meteor_stems([word], language), pieces, begin="ë", end=end)


def test_words_of_java_as_they_are_defined() -> None:
    """The definition leaves open which part takes a mark, so that to search by it takes twice as long for each."""
    word, number = "a[ef]*(?:[bw]?f*a[ef]*)*", "n[ef]*(?:[bd]?f*n[ef]*)*"
    defined = re.compile(f"(?:{word})?(?:{number}{word})*(?:{number})?")
    for length in range(6):
        for kinds in map("".join, itertools.product("aefnbwdx", repeat=length)):
            spans = [match.span() for match in defined.finditer(kinds) if match[0]]
            assert spans == [match.span() for match in java_case._BETWEEN_BREAKS.finditer(kinds)], kinds


def test_endings_as_they_are_defined() -> None:
    defined = re.compile("(?:d+(?=en)|s+(?=iin|een)|tt+(?=en))(?=(?:iin|een|en)(?:ko|pa)?$)|[^a-zäö]")
    for parts in itertools.product(["d", "s", "t", "tt", "en", "een", "iin", "ko", "å"], repeat=5):
        text = "".join(parts)
        assert defined.findall(text) == snowball._FINNISH.findall(text)
        assert defined.sub("_", text) == snowball._FINNISH.sub("_", text)


others = st.sampled_from(["\u200d", "\u0301", "a", "\u0600", "👩", "\r"])
flags = st.lists(st.one_of(st.integers(1, 99).map("🇦".__mul__), others), max_size=6).map("".join)


@given(text=flags)
def test_runs_of_flags(text: str) -> None:
    regex = pytest.importorskip("regex", reason="regex is not installed: pip install regex")
    tokens = get_tokenizer("graphemes")(pa.array([text], pa.large_string()))
    assert tokens.of_text(0) == regex.findall(r"\X", text)


@given(
    text=st.lists(
        st.sampled_from("aé\u0301\u0316\u0345\u0f73\u0f71각ﬁ가\u11a8\u0344\u1e9b\u0323ยำ猫"), min_size=60
    ).map("".join)
)
def test_runs_of_marks(text: str) -> None:
    assert composed._normalized(3 * text) == normalize("NFKC", 3 * text)
