"""Every tokenizer against the library that it mirrors, on any Unicode text."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from unicodedata import category as category_of

import pyarrow as pa
import pytest
from amounts import nth
from hypothesis import example, given
from hypothesis import strategies as st
from metrics.exact_match.plain import math_answer
from metrics.token_f1.plain import drop_words, normalized
from strategies import texts

from metrologue.comparison.libraries.lexical_diversity import lex_div
from metrologue.errors import InputError
from metrologue.scorers import Bleu, Scorer
from metrologue.segments import Segments
from metrologue.text.reading import words
from metrologue.text.tokenizers import canonical_name, get_tokenizer, list_tokenizers, register_tokenizer
from metrologue.text.tokenizers.unicode import category

sacrebleu = pytest.importorskip("sacrebleu.metrics.bleu", reason="sacrebleu is not installed")
sacrebleu_ter = pytest.importorskip("sacrebleu.metrics.ter", reason="sacrebleu is not installed")
bleuscore = pytest.importorskip("bleuscore", reason="bleuscore is not installed")
nltk_chrf = pytest.importorskip("nltk.translate.chrf_score", reason="nltk is not installed")
jiwer = pytest.importorskip("jiwer", reason="jiwer is not installed")
regex = pytest.importorskip("regex", reason="regex is not installed")
CHRF = pytest.importorskip("sacrebleu.metrics.chrf", reason="sacrebleu is not installed").CHRF


def as_sacrebleu(name: str) -> Callable[[str], list[str]]:
    """A text's tokens in sacrebleu's BLEU."""
    bleu = sacrebleu.BLEU(tokenize=name)
    return lambda text: bleu._preprocess_segment(text).split()


def as_the_hub() -> Callable[[str], list[str]]:
    """The Hub's 13a: sacrebleu's rules without `rstrip` before them."""
    tokenize = sacrebleu.BLEU().tokenizer
    return lambda text: tokenize(text).split()


def as_tercom(**options: bool) -> Callable[[str], list[str]]:
    """A text's tokens in sacrebleu's TER, case kept."""
    ter = sacrebleu_ter.TER(**options, case_sensitive=True)
    return lambda text: ter._preprocess_segment(text).split()


def as_lexicalrichness(text: str) -> list[str]:
    module = pytest.importorskip("lexicalrichness.lexicalrichness", reason="lexicalrichness is not installed")
    return module.tokenize(text)


def as_moses(language: str = "en", **options: bool) -> Callable[[str], list[str]]:
    def cut(text: str) -> list[str]:
        moses = pytest.importorskip("sacremoses", reason="sacremoses is not installed")
        line: str = moses.MosesTokenizer(language).tokenize(text, return_str=True, **({"escape": False} | options))
        return line.split()

    return cut


def as_tensor2tensor(text: str) -> list[str]:
    """The rules of t2t-bleu: a mark is split off unless digits are on both sides; a symbol always."""
    for pattern, cut in ((r"([^\d])(\p{P})", r"\1 \2 "), (r"(\p{P})([^\d])", r" \1 \2"), (r"(\p{S})", r" \1 ")):
        text = regex.sub(pattern, cut, text)
    return text.split()


ASCII_LOWER = {ord(letter): letter.lower() for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}


def as_lexical_diversity(text: str) -> list[str]:
    pytest.importorskip("lexical_diversity", reason="lexical-diversity is not installed")
    return lex_div().tokenize(text)


def as_scikit_learn(text: str) -> list[str]:
    module = pytest.importorskip("sklearn.feature_extraction.text", reason="scikit-learn is not installed")
    return module.CountVectorizer(lowercase=False).build_analyzer()(text)


def as_math(text: str) -> list[str]:
    answer, *failed = math_answer(text)
    return ["", text] if failed else [answer]


TERCOM = [
    dict(zip(("normalized", "no_punct", "asian_support"), chosen, strict=True))
    for chosen in itertools.product((False, True), repeat=3)
]


def tokens_of(name: str, batch: list[str]) -> list[list[str]]:
    tokens = get_tokenizer(name)(pa.array(batch, pa.large_string()))
    return [tokens.of_text(text) for text in range(len(batch))]


MIRRORED: dict[str, Callable[[str], list[str]]] = {
    "whitespace": str.split,
    "none": as_sacrebleu("none"),
    "blank": lambda text: text.split(" "),
    "blank:stripped=true": lambda text: text.strip().split(" "),
    "ascii-whitespace": re.compile("[^\t\n\f\r ]+").findall,
    "13a": as_sacrebleu("13a"),
    "13a-unstripped": as_the_hub(),
    "13a-rust": bleuscore.tokenizer_13a,
    "intl": as_sacrebleu("intl"),
    "char": as_sacrebleu("char"),
    "jiwer": lambda text: jiwer.transformations.wer_default([text])[0],
    "graphemes": regex.compile(r"\X").findall,
    "characters": list,
    "characters-stripped": lambda text: list(text.strip()),
    "char-nltk": lambda text: list(nltk_chrf._preprocess(text, ignore_whitespace=True)),
    "char-torchmetrics": lambda text: list(text.strip().replace(" ", "")),
    "chrf": lambda text: CHRF()._remove_punctuation(text),
    "text": lambda text: [text],
    "text:stripped=true": lambda text: [text.strip()],
    "scikit-learn": as_scikit_learn,
    "squad": normalized,
    "drop": drop_words,
    "math": as_math,
    "lexicalrichness": as_lexicalrichness,
    "lexical-diversity": as_lexical_diversity,
    "zh": as_sacrebleu("zh"),
    "moses": as_moses(),
    "moses:language=de,aggressive=true": as_moses("de", aggressive_dash_splits=True, escape=False),
    "moses:language=fr,escape=true": as_moses("fr", escape=True),
    "ascii-whitespace:lowercase=true": lambda text: re.findall("[^\t\n\f\r ]+", text.translate(ASCII_LOWER)),
    "compounds": lambda text: re.sub(r"(\S)-(\S)", r"\1 ##AT##-##AT## \2", text).split(),
    "t2t": as_tensor2tensor,
    **{canonical_name("tercom", **options): as_tercom(**options) for options in TERCOM},
}


@pytest.mark.parametrize("name", MIRRORED)
@given(batch=st.lists(texts(), max_size=4))
def test_generated_text(name: str, batch: list[str]) -> None:
    assert tokens_of(name, batch) == [MIRRORED[name](text) for text in batch]


# Texts that begin alike, end alike, are as long, or are each other.
alike = st.builds("{}{}{}".format, st.sampled_from(["", "one two "]), st.text("ab ", max_size=18), st.just(" three."))


@given(pool=st.lists(alike, min_size=1, max_size=6), data=st.data())
def test_a_text_that_comes_again(pool: list[str], data: st.DataObject) -> None:
    batch = data.draw(st.lists(st.sampled_from(pool), min_size=2, max_size=30))
    assert tokens_of("whitespace", batch) == [text.split() for text in batch]


@pytest.mark.parametrize("name", [name for name in MIRRORED if name.startswith("tercom")])
def test_rules_of_tercom(name: str) -> None:
    batch = [
        "it's", "it's\there", "it's\nhere", "it's \t", "'s\u3000's 's", "Tom's! 's.", "a\n-b", "a\n -b", "a-\n", "\n-",
        "3.5 3. .5 a.5 5.a ..5 5.. . 5", "1-2 a-2 -2 --", "&amp;quot; &a\n-mp; &lt;&gt;", "[x]{y}~`^_\\|@#$%*+=/<>&",
        "汉字、かな。カナ・（ｘ）．，", "㈀㋿㍿㌀ 豈﹅ ㇀⺀ 㐀䶿 \u3f22\u3f23", "ｶﾅ｡｢｣､･", "한국어.", "\x85'", "'s\x85",
    ]  # fmt: skip
    assert tokens_of(name, batch) == [MIRRORED[name](text) for text in batch]


@pytest.mark.slow
@pytest.mark.parametrize("name", MIRRORED)
def test_every_character_in_every_neighbourhood(name: str) -> None:
    mirrored = MIRRORED[name]
    # Of the planes that have no characters, or those of one's own only, both ends.
    points = [c for c in range(0x110000) if c >> 16 in (0, 1, 2, 3, 14) or not 0x80 <= c & 0xFFFF < 0xFF80]
    characters = [chr(c) for c in points if not 0xD800 <= c < 0xE000]
    for start in range(0, len(characters), 0x10000):
        batch = [f"{c} a{c}b 1{c}2 .{c}. 1.{c}5- {c}'s {c}{c}" for c in characters[start : start + 0x10000]]
        found = zip(batch, tokens_of(name, batch), map(mirrored, batch), strict=True)
        # Not the two lists: pytest would compare a million texts line by line.
        assert [(text, ours, theirs) for text, ours, theirs in found if ours != theirs][:5] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", MIRRORED)
def test_every_character_as_a_text(name: str) -> None:
    """Alone, at either end and between two letters; of the planes that have characters in use."""
    mirrored = MIRRORED[name]
    assigned = [chr(c) for c in range(0x30000) if category_of(chr(c)) not in ("Cn", "Co", "Cs")]
    # Of the ideographs and syllables, of which there are far more than of all others, one in twenty.
    few = [c for i, c in enumerate(assigned) if category_of(c) != "Lo" or ord(c) < 0x3000 or i % 20 == 0]
    batch = [text for c in few for text in (c, f"{c}a", f"a{c}", f"a{c}b")]
    found = zip(batch, tokens_of(name, batch), map(mirrored, batch), strict=True)
    assert [(text, ours, theirs) for text, ours, theirs in found if ours != theirs][:5] == []


@pytest.mark.parametrize("name", MIRRORED)
def test_long_texts(name: str) -> None:
    batch = ["a b. c, 1.5 " * 5_000, "x" * 100_000, "的" * 30_000, "." * 10_001, "1." * 10_001, " " * 10_000, ""]
    assert tokens_of(name, batch) == [MIRRORED[name](text) for text in batch]


@pytest.mark.parametrize("name", MIRRORED)
def test_real_text(name: str, newstest: tuple[dict[str, list[str]], list[str]]) -> None:
    texts = newstest[1][:: nth(8)]
    assert tokens_of(name, texts) == [MIRRORED[name](text) for text in texts]


@given(batch=st.lists(texts(), min_size=1, max_size=3))
def test_lower_case_is_python_s(batch: list[str]) -> None:
    view = Segments(batch, batch).read(words("whitespace", True))
    assert [view.tokens(i)[0] for i in range(len(batch))] == [text.lower().split() for text in batch]


@pytest.mark.parametrize("letter", ["N", "Nd", "P", "S"])
def test_categories_are_those_of_regex(letter: str) -> None:
    regex = pytest.importorskip("regex", reason="regex, which sacrebleu installs, is not there")
    pattern = regex.compile(rf"\p{{{letter}}}")
    expected = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000 and pattern.match(chr(c))]
    assert category(letter).tolist() == expected


@pytest.mark.parametrize("name", ["ja-mecab", "ko-mecab"])
def test_dictionaries_of_sacrebleu(name: str) -> None:
    batch = ["今日は良い天気です。", "오늘은 날씨가 좋습니다.", "", "one two", "今日は良い天気です。"]
    try:
        mirrored = as_sacrebleu(name)
    except RuntimeError:
        pytest.skip(f"{name} needs sacrebleu[{name[:2]}]")
    assert tokens_of(name, batch) == [mirrored(text) for text in batch]


@pytest.mark.slow  # MeCab takes nine seconds to find that it cannot
def test_a_text_that_mecab_cannot_hold_is_refused() -> None:
    try:
        tokens_of("ja-mecab", ["a"])
    except InputError:
        pytest.skip("ja-mecab needs sacrebleu[ja]")
    with pytest.raises(InputError, match="'ja-mecab' cannot read a text of 200,000 characters"):
        tokens_of("ja-mecab", ["a" * 200_000])


def test_a_missing_model_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    def no_network(*args: object, **options: object) -> None:
        raise OSError("no network")

    monkeypatch.setattr("sacrebleu.tokenizers.tokenizer_spm.SACREBLEU_DIR", str(tmp_path))
    monkeypatch.setattr("sacrebleu.tokenizers.tokenizer_spm.download_file", no_network)
    pytest.importorskip("sentencepiece", reason="sentencepiece is not installed")
    with pytest.raises(InputError, match=r"flores200.*no network.*pip install"):
        get_tokenizer("flores200")


def test_sentencepiece_model(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    """sacrebleu's own class over a model made here, since its own is downloaded."""
    sentencepiece = pytest.importorskip("sentencepiece", reason="sentencepiece is not installed")
    from pathlib import Path

    folder = Path(str(tmp_path)) / "models"
    folder.mkdir()
    corpus = ["the cat sat on the mat", "a dog and a cat ran", "measure what can be measured"] * 20
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(corpus), model_prefix=str(folder / "made"), vocab_size=26, minloglevel=2
    )
    (folder / "made.model").rename(folder / "sacrebleu_tokenizer_spm.model")
    monkeypatch.setattr("sacrebleu.tokenizers.tokenizer_spm.SACREBLEU_DIR", str(tmp_path))
    batch = ["the cat ran", "", "a mat and a measure "]
    assert tokens_of("flores101", batch) == [as_sacrebleu("flores101")(text) for text in batch]


def test_registered_functions() -> None:
    name = register_tokenizer("vowels", lambda text: [c for c in text if c in "aeiou"])
    assert name in list_tokenizers()
    assert name.startswith("vowels@")
    assert tokens_of("vowels", ["education", "", "rhythm", "education"]) == [list("euaio"), [], [], list("euaio")]
    register_tokenizer("odd", lambda text: [text, "", text + " "])
    assert tokens_of("odd", ["a b"]) == [["a b", "", "a b "]]
    register_tokenizer("whole", lambda text: text)
    with pytest.raises(InputError, match=r"whole.*must give a list"):
        tokens_of("whole", ["a"])
    with pytest.raises(InputError, match="taken"):
        register_tokenizer("13a", str.split)
    with pytest.raises(InputError, match=r"unknown.*register_tokenizer"):
        get_tokenizer("nothing")


def test_names_of_older_signatures_are_read() -> None:
    letters = {"N": "normalized", "P": "no_punct", "A": "asian_support"}
    for old in ("N", "P", "NP", "NA", "PA", "NPA"):
        name = f"tercom-{old}"
        assert canonical_name(name) == canonical_name("tercom", **{letters[letter]: True for letter in old})
        before = Bleu().signature.replace("tokenizer=13a", f"tokenizer={name}")
        assert Scorer.from_signature(before) == Bleu(tokenizer=name)
        with pytest.raises(InputError, match="taken"):
            register_tokenizer(name, str.split)


def test_options_have_one_spelling() -> None:
    for name in ("tercom", "tercom:normalized=false", "tercom:asian_support=false,normalized=false"):
        assert canonical_name(name) == "tercom"
    assert canonical_name("tercom:no_punct=true,normalized=true") == "tercom:normalized=true,no_punct=true"
    assert canonical_name("tercom:no_punct=true", normalized=True) == "tercom:normalized=true,no_punct=true"
    scorer = Bleu(tokenizer="meteor-1.5-norm:no_punct=true,language=de")
    assert Scorer.from_signature(scorer.signature) == scorer
    assert scorer.tokenizer == "meteor-1.5-norm:language=de,no_punct=true"
    name = register_tokenizer("mine:with", str.split, digest="1")
    assert canonical_name("mine:with") == name == "mine:with@1"


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("13a:lowercase=true", "`lowercase` is unknown; it has no options"),
        ("tercom:beam=3", "`beam` is unknown; its options are normalized, no_punct, asian_support"),
        ("tercom:normalized", "`normalized` is ''; false or true is expected"),
        ("meteor-1.5-norm:language=pl", "`language` is 'pl'; en or cz or fr or es or de or ru is expected"),
        ("nothing:normalized=true", "'nothing:normalized=true' is unknown; the nearest names are"),
    ],
)
def test_unknown_options(name: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        Bleu(tokenizer=name)


@pytest.mark.parametrize("name", ["13a", "13a-unstripped", "13a-rust", "mteval-v13a", "nist", "nist:lowercase=true"])
def test_entities_are_characters(name: str) -> None:
    tokenize = get_tokenizer(name)
    texts = ["a &quot;b&quot;", "a &amp; b", "a &lt;b&gt;", "a<skipped>b"]
    plain = ['a "b"', "a & b", "a <b>", "ab"]
    for text, expected in zip(texts, plain, strict=True):
        tokens = tokenize(pa.array([text, expected], pa.large_string()))
        assert tokens.of_text(0) == tokens.of_text(1) == list(expected.replace(" ", "") if expected != "ab" else ["ab"])


def as_rouge(text: str) -> list[str]:
    sentences = [" ".join(sentence.split()) for sentence in text.split(".") if sentence]
    return [word for sentence in sentences for word in sentence.split(" ")]


@given(batch=st.lists(st.one_of(texts(), st.text("ab. ", max_size=9)), min_size=1, max_size=4))
@example(batch=["a b. c", ". a", "", "a.  .b c."])
@example(batch=["", "a"])
def test_sentences_of_rouge_end_at_periods(batch: list[str]) -> None:
    tokens = get_tokenizer("rouge")(pa.array(batch, pa.large_string()))
    assert [tokens.of_text(place) for place in range(len(batch))] == [*map(as_rouge, batch)]
