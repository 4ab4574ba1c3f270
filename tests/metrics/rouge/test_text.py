"""What ROUGE does to text, against the libraries themselves: tokens, sentences, limits, stems and stop words."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import unicodedata
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import texts

from metrologue.errors import InputError
from metrologue.text.lexicon.word_lists import rouge_exceptions as exceptions
from metrologue.text.lexicon.word_lists import rouge_words as stop_words
from metrologue.text.reading.maps import stemmed, without
from metrologue.text.stemmers import porter
from metrologue.text.tokenizers import get_tokenizer
from metrologue.text.tokenizers.base import Tokens
from metrologue.text.tokenizers.composed import _IGNORABLE
from metrologue.text.tokenizers.external import uax29_words
from metrologue.text.tokenizers.registry import missing_for
from metrologue.text.tokenizers.sentences import (
    Sentences,
    first_bytes,
    first_of_stripped,
    first_words,
    split_sentences,
)

word_tokenize = pytest.importorskip("nltk", reason="nltk is not installed").word_tokenize
nltk_porter = pytest.importorskip("nltk.stem.porter", reason="nltk is not installed")
rouge_score = pytest.importorskip("rouge_score.rouge_scorer", reason="rouge-score is not installed")
rouge = pytest.importorskip("rouge", reason="rouge is not installed")
rouge_metric = pytest.importorskip("rouge_metric", reason="rouge-metric is not installed")

# A text's tokens, and those of each of its sentences.
Cut = tuple[list[str], list[list[str]]]
Perl = Callable[..., list[Cut]]

lines = st.lists(st.one_of(texts(6), st.sampled_from(["", " ", "\t", "\r", " a b", "a  b ", "ä ö"])), max_size=5)
batches = st.lists(st.one_of(texts(), lines.map("\n".join), lines.map(".".join)), max_size=4)

# The words that a stemmer could see: each ending behind stems of every shape, twice.
ENDINGS = (
    "s es ies sses ss ed ied eed ing y ational tional enci anci izer bli alli entli eli ousli ization ation ator alism "
    "iveness fulness ousness aliti iviti biliti logi icate ative alize iciti ical ful ness al ance ence er ic able "
    "ible ant ement ment ent sion tion ion ou ism ate iti ous ive ize e ll l at bl iz tt zz fulli"
)
STEMS = "a y yy sy tr oat troubl ratt hopp fil fizz yell sky enjoy depart profess r2 3d toy syzyg caress geo"
WORDS = [
    *(stem + ending for stem in STEMS.split() for ending in ENDINGS.split()),
    *(stem + one + two for stem in STEMS.split()[4:9] for one in ENDINGS.split() for two in ENDINGS.split()),
    "sky",
    "dying",
    "news",
    "innings",
    "exceed",
    "yyyy",
    "x" * 500,
    "xy" * 200,
    "y" * 301,
]


def tokens_of(name: str, batch: list[str]) -> Tokens:
    return get_tokenizer(name)(pa.array(batch, pa.large_string()))


def listed(tokens: Tokens) -> list[list[str]]:
    return [tokens.of_text(text) for text in range(len(tokens.offsets) - 1)]


def sentences_of(batch: list[str], rule: str) -> Sentences:
    return split_sentences(pa.array(batch, pa.large_string()), rule)


def grouped(sentences: Sentences) -> list[list[str]]:
    texts = sentences.texts.to_pylist()
    return [texts[start:stop] for start, stop in pairwise(sentences.offsets)]


def as_rouge(text: str) -> list[str]:
    """The sentences that `rouge` hands to its metrics, seen from such a metric."""
    seen: list[list[str]] = []
    scorer = rouge.Rouge(metrics=["rouge-1"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(
            rouge.Rouge.AVAILABLE_METRICS, "rouge-1", lambda hyp, ref, **_: seen.append(hyp) or dict.fromkeys("rpf", 0)
        )
        scorer.get_scores([text], [text])
    return seen[0]


def as_rouge_score(text: str) -> list[str]:
    """The sentences that rouge_score's rougeLsum hands to its tokenizer."""
    seen: list[str] = []

    class Recorder:
        def tokenize(self, sentence: str) -> list[str]:
            seen.append(sentence)
            return [sentence]

    rouge_score.RougeScorer(["rougeLsum"], tokenizer=Recorder()).score(text, "")
    return seen


PERL = """
{ local $/; open(F, '<', shift) || die; $script = <F>; close(F); }
$script =~ s/\\A.*?^(?=sub )//ms;
eval $script . <<'END' or die $@;
    ($words, $bytes, $opt_m, $keep, $data) = @ARGV;
    $opt_m = undef unless $opt_m;
    $useStopwords = $keep;
    open(F, '<', "$data/smart_common_words.txt") || die; while (<F>) { chomp; $stopwords{$_} = 1 } close(F);
    for $list (sort glob("$data/WordNet-2.0-Exceptions/*.exc")) {
        open(F, '<', $list) || die; while (<F>) { @f = split; $exceptiondb{$f[0]} = $f[1] } close(F);
    }
    &initialise();
    while ($path = <STDIN>) {
        chomp($path);
        my ($text, @tokens, @sentences, @cut);
        &readText($path, \\$text, "SPL", $words, $bytes);
        &tokenizeText($text, \\@tokens);
        &readText_LCS($path, \\@sentences, "SPL", $words, $bytes);
        &tokenizeText_LCS(\\@sentences, \\@cut);
        print join(" ", @tokens), "\\t", join("", map { "|" . join(" ", @$_) } @cut), "\\n";
    }
    1;
END
"""


@pytest.fixture(scope="module")
def perl(tmp_path_factory: pytest.TempPathFactory) -> Perl:
    """The script's own subroutines: each text's tokens, and those of its sentences."""
    if shutil.which("perl") is None:
        pytest.skip("perl is not installed")
    home = Path(rouge_metric.__file__).parent / "RELEASE-1.5.5"
    folder = tmp_path_factory.mktemp("perl")

    def run(batch: list[str], words: int = 0, size: int = 0, stem: bool = False, stop: bool = False) -> list[Cut]:
        paths = [folder / str(i) for i in range(len(batch))]
        for path, text in zip(paths, batch, strict=True):
            path.write_bytes(text.encode())
        options = [str(int(option)) for option in (words, size, stem, not stop)]
        done = subprocess.run(
            ["perl", "-e", PERL, home / "ROUGE-1.5.5.pl", *options, home / "data"],
            input="".join(f"{path}\n" for path in paths),
            text=True,
            capture_output=True,
            check=True,
        )
        halves = [line.split("\t") for line in done.stdout.splitlines()]
        return [(whole.split(), [part.split() for part in parts.split("|")[1:]]) for whole, parts in halves]

    return run


def as_py_rouge(text: str) -> list[str]:
    """py-rouge's words. nltk's model finds one sentence in a text without marks, so that it is not needed."""
    kept = re.sub("[^a-z0-9]", " ", text.lower()).replace("cannot", "_cannot_")
    words: list[str] = word_tokenize(kept, preserve_line=True)
    return [word.replace("_cannot_", "cannot") for word in words]


MIRRORED: dict[str, Callable[[str], list[str]]] = {
    "rouge-score:contractions=true": as_py_rouge,
    "rouge-score": lambda text: rouge_score.tokenizers.DefaultTokenizer().tokenize(text),
    "rouge": lambda text: rouge.rouge_score._split_into_words(as_rouge(text)),
    "py-rouge": rouge_metric.PyRouge._default_tokenizer,
}


@pytest.mark.parametrize("name", MIRRORED)
@given(batch=batches)
def test_tokens(name: str, batch: list[str]) -> None:
    assert listed(tokens_of(name, batch)) == [MIRRORED[name](text) for text in batch]


@pytest.mark.parametrize("name", MIRRORED)
def test_tokens_of_every_character(name: str) -> None:
    characters = [chr(c) for c in range(0x110000) if not 0xD800 <= c < 0xE000]
    batch = ["b".join(characters[start : start + 2000]) for start in range(0, len(characters), 2000)]
    assert listed(tokens_of(name, batch)) == [MIRRORED[name](text) for text in batch]


@given(st.lists(st.sampled_from(["gonna", "gimme", "Gotta", "lemmed", "wanna", "cannot", "cannots", "-", " "])))
def test_contractions(parts: list[str]) -> None:
    text = " ".join(parts)
    assert listed(tokens_of("rouge-score:contractions=true", [text])) == [as_py_rouge(text)]


@given(batch=batches)
def test_tokens_of_perl(perl: Perl, batch: list[str]) -> None:
    tokens = tokens_of("rouge-1.5.5", batch)
    assert listed(tokens) == [whole for whole, _ in perl(batch)]


@given(batch=batches)
def test_sentences(batch: list[str]) -> None:
    assert grouped(sentences_of(batch, "newline")) == [as_rouge_score(text) for text in batch]
    assert grouped(sentences_of(batch, "none")) == [[text] for text in batch]
    periods = sentences_of(batch, "period")
    assert [[" ".join(s.split()) for s in own] for own in grouped(periods)] == [as_rouge(text) for text in batch]
    # Each sentence on its own, as ROUGE-L wants them.
    expected = [sentence.split(" ") for text in batch for sentence in as_rouge(text)]
    assert listed(get_tokenizer("rouge")(periods.texts)) == expected


def test_part_of_an_array() -> None:
    whole = pa.array(["no.\n", "a b\nc", "", "d.e"], pa.large_string())
    part = whole.slice(1, 3)
    assert grouped(split_sentences(part, "newline")) == [["a b", "c"], [], ["d.e"]]
    assert grouped(first_words(split_sentences(part, "none"), 2)) == [["a b"], [""], ["d.e"]]
    assert grouped(first_bytes(split_sentences(part, "period"), 3)) == [["a b"], [], ["d", "e"]]
    assert listed(get_tokenizer("rouge")(part)) == [["a", "b", "c"], [], ["d", "e"]]


@given(batch=batches, limit=st.integers(1, 12))
def test_limits(perl: Perl, batch: list[str], limit: int) -> None:
    def both(text: Sentences, sentences: Sentences) -> list[Cut]:
        cut = [get_tokenizer("rouge-1.5.5")(part.texts) for part in (text, sentences)]
        whole = Tokens(cut[0].ids, cut[0].offsets[text.offsets], cut[0].buffer, cut[0].starts, cut[0].lengths)
        each = listed(cut[1])
        return [
            (tokens, each[start:stop])
            for tokens, (start, stop) in zip(listed(whole), pairwise(sentences.offsets), strict=True)
        ]

    split = sentences_of(batch, "newline")
    words = first_words(split, limit)
    assert both(words, words) == perl(batch, words=limit)
    assert both(first_bytes(split, limit), first_bytes(split, limit, each=True)) == perl(batch, size=limit)


@given(batch=batches)
def test_porter(batch: list[str]) -> None:
    expected = [rouge_score.tokenizers.DefaultTokenizer(use_stemmer=True).tokenize(text) for text in batch]
    assert listed(stemmed(tokens_of("rouge-score", batch), "porter")) == expected


# What Porter's rules look for.
PARTS = [
    "ational", "tional", "enci", "anci", "izer", "bli", "entli", "eli", "ousli", "ization", "ation", "ator", "alli",
    "alism", "iveness", "fulness", "ousness", "aliti", "iviti", "biliti", "fulli", "logi", "icate", "ative", "alize",
    "iciti", "ical", "ful", "ness", "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent",
    "ou", "ism", "ate", "iti", "ous", "ive", "ize", "sion", "tion", "ed", "ing", "eed", "ied", "ies", "sses", "ss",
    "ll", "at", "bl", "iz", *"aeiouybcdfglmnstwxyzY", "é", "猫",
]  # fmt: skip
many_words = st.lists(st.lists(st.sampled_from(PARTS), max_size=6).map("".join), max_size=60)


@given(words=many_words)
def test_porter_is_nltk_s(words: list[str]) -> None:
    by_nltk = nltk_porter.PorterStemmer()
    assert porter(words) == [by_nltk.stem(word) for word in words]


@given(words=many_words)
def test_the_original_porter_is_nltk_s(words: list[str]) -> None:
    """Of words that are stemmed: ROUGE leaves those of three letters alone."""
    longer = [word for word in words if len(word) > 3]
    by_nltk = nltk_porter.PorterStemmer("ORIGINAL_ALGORITHM")
    assert porter(longer, "original") == [by_nltk.stem(word) for word in longer]


@given(words=many_words)
def test_porter_is_the_script_s(perl: Perl, words: list[str]) -> None:
    irregular = exceptions().keys()
    plain = [word.lower() for word in words if word.isascii() and len(word) > 3 and word.lower() not in irregular]
    [(whole, _)] = perl([" ".join(plain)], stem=True)
    assert porter(plain, "1.5.5") == whole


def test_stems_of_many_words(perl: Perl) -> None:
    forms = exceptions()
    words = [*WORDS, *forms, *sorted(stop_words())]
    batch = [" ".join(words[start : start + 100]) for start in range(0, len(words), 100)]
    assert listed(stemmed(tokens_of("rouge-1.5.5", batch), "porter-1.5.5")) == [
        whole for whole, _ in perl(batch, stem=True)
    ]
    regular = " ".join(word for word in WORDS if word not in forms)
    [(whole, _)] = perl([regular], stem=True)
    assert stemmed(tokens_of("whitespace", [regular]), "porter-1.5.5-regular").of_text(0) == whole
    by_rouge_score = rouge_score.tokenizers.DefaultTokenizer(use_stemmer=True).tokenize
    assert listed(stemmed(tokens_of("rouge-score", batch), "porter")) == [by_rouge_score(text) for text in batch]


def test_irregular_forms() -> None:
    forms = exceptions()
    assert [forms[form] for form in ("geese", "better", "comics")] == ["goose", "well", "comic_strip"]
    tokens = tokens_of("rouge-1.5.5", ["Geese, better!"])
    assert stemmed(tokens, "porter-1.5.5").of_text(0) == ["goose", "well"]
    assert stemmed(tokens, "porter-1.5.5-regular").of_text(0) == ["gees", *porter(["better"], "1.5.5")]


@given(batch=batches)
def test_stop_words(perl: Perl, batch: list[str]) -> None:
    batch = [*batch, "The cats are said to be on some of the mats, mr. X's"]
    left = without(tokens_of("rouge-1.5.5", batch), stop_words())
    assert listed(left) == [whole for whole, _ in perl(batch, stop=True)]
    assert listed(stemmed(left, "porter-1.5.5")) == [whole for whole, _ in perl(batch, stem=True, stop=True)]


def test_equal_stems_are_one_type() -> None:
    tokens = stemmed(tokens_of("rouge-score", ["running run", "runs ran"]), "porter")
    assert tokens.ids.tolist() == [0, 0, 0, 1]
    assert tokens.ids.dtype == "int32"
    assert stemmed(tokens_of("whitespace", ["a catty"]), "porter", longer_than=5).of_text(0) == ["a", "catty"]
    assert listed(stemmed(tokens_of("rouge-score", ["", "?"]), "porter")) == [[], []]


def test_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    tokens = tokens_of("whitespace", ["running"])
    with pytest.raises(InputError, match=r"lancaster.*porter-1\.5\.5"):
        stemmed(tokens, "lancaster")
    with pytest.raises(InputError, match=r"tabs.*newline"):
        sentences_of(["a"], "tabs")
    with pytest.raises(InputError, match=r"first_words.*1 or more"):
        first_words(sentences_of(["a"], "none"), 0)
    with pytest.raises(InputError, match=r"smart_common_words.*pip install rouge-metric"):
        stop_words(tmp_path)
    monkeypatch.setenv("ROUGE_EVAL_HOME", str(tmp_path))
    with pytest.raises(InputError, match=r"Exceptions.*ROUGE_EVAL_HOME"):
        stemmed(tokens, "porter-1.5.5")
    monkeypatch.delenv("ROUGE_EVAL_HOME")
    monkeypatch.setattr("metrologue.text.lexicon.word_lists.find_spec", lambda name: None)
    with pytest.raises(InputError, match="rouge-metric, which is not installed"):
        stop_words()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("我爱北京，ABC２０２４！", "我 爱 北 京 abc2024"),
        ("ひらがなｶﾞｷﾞ カー", "ひ ら が な ガ ギ カ ー"),
        ("ภาษาไทยที่ดี ๒๕๖๐", "ภ า ษ า ไ ท ย ที่ ดี ๒๕๖๐"),
        ("မြန်မာ", "မြ န် မာ"),
        ("한국어 문장이다.", "한국어 문장이다"),
        ("السَّلام عليكم، ١٢٣", "السَّلام عليكم ١٢٣"),
        ("می\u200cخواهم", "میخواهم"),
        ("हिन्दी में", "हिन्दी में"),
        ("Ёлка — ЁЛКА; «ёж»", "ёлка ёлка ёж"),
        ("Zażółć gęślą JAŹŃ", "zażółć gęślą jaźń"),
        ("Straße STRASSE ΟΔΟΣ οδος", "strasse strasse οδοσ οδοσ"),
        ("l’été don't it´s ﬁn 3.14 m² a_b", "l été don t it s fin 3 14 m2 a b"),
        ("co\u00adop\ufe0f ❤️ ✈︎ 👩‍👩‍👧 #️⃣ ≮ <\u0338 b\u200bc", "coop b c"),
        ("A.\x00B\u2028c\u3000d", "a b c d"),
    ],
)
def test_words_of_any_script(text: str, words: str) -> None:
    expected = unicodedata.normalize("NFKC", words).split(" ")
    for form in ("NFC", "NFD"):
        assert tokens_of("unicode-words", ["", unicodedata.normalize(form, text), "-"]).of_text(1) == expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The quick (“brown”) fox can’t jump 32.3 feet, right?", "The quick brown fox can’t jump 32.3 feet right"),
        ("can't o'clock 'tis dogs' e.g. example.com a,b", "can't o'clock tis dogs e.g example.com a b"),  # WB6, WB7
        ("3,456.789 3. .5 1,a 3a a3 $2,000", "3,456.789 3 5 1 a 3a a3 2,000"),  # WB8 to WB12
        ("snake_case __a 3_4 _ a\u202fb", "snake_case __a 3_4 a\u202fb"),  # WB13a, WB13b
        ("カタカナ ｶﾞｷﾞ ひら 漢字 カ漢", "カタカナ ｶﾞｷﾞ ひ ら 漢 字 カ 漢"),  # WB13
        ('צה״ל צה"ל ג\' a"b', "צה״ל צה\"ל ג' a b"),  # WB7a to WB7c
        ("e\u0301te\u0301 a\u200db co\u00adop \u0301a", "e\u0301te\u0301 a\u200db co\u00adop a"),  # WB4
        ("👩\u200d🚀a 🏳\ufe0f\u200d🌈 1\ufe0f\u20e3 🇵🇱b🇨🇳🇯 🇵", "a 1\ufe0f\u20e3 b"),  # WB3c, WB15, WB16
        ("a\r\nb\u2028c  d\u3000e\x85f", "a b c d e f"),  # WB3 to WB3d
        ("한국어 문장이다. क्षेत्र में", "한국어 문장이다 क्षेत्र में"),
        ("", ""),
    ],
)
def test_words_of_unicode_s_annex_29(text: str, words: str) -> None:
    pytest.importorskip("regex", reason="regex is not installed: pip install 'metrologue[graphemes]'")
    assert tokens_of("uax29-words", [text, "-", text]).of_text(2) == words.split(" ") * bool(words)


def test_without_regex_its_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "regex", None)
    with pytest.raises(InputError, match=r"'uax29-words' needs the package regex: pip install .*graphemes"):
        uax29_words()
    monkeypatch.setattr("metrologue.text.tokenizers.external.find_spec", lambda name: None)
    assert "graphemes" in missing_for("uax29-words")


@given(batch=batches)
def test_segments_of_annex_29_are_cut_at_regex_s_boundaries(batch: list[str]) -> None:
    regex = pytest.importorskip("regex", reason="regex is not installed: pip install 'metrologue[graphemes]'")
    boundaries = regex.compile(r"\b", regex.VERSION1 | regex.WORD)
    expected = [[part for part in boundaries.split(text) if any(map(str.isalnum, part))] for text in batch]
    assert listed(tokens_of("uax29-words", batch)) == expected


@given(batch=batches)
def test_canonically_equivalent_texts_have_equal_words(batch: list[str]) -> None:
    tokens = listed(tokens_of("unicode-words", batch))
    for form in ("NFC", "NFD"):
        assert listed(tokens_of("unicode-words", [unicodedata.normalize(form, text) for text in batch])) == tokens


@given(batch=batches)
def test_words_of_ascii_text_are_rouge_s(batch: list[str]) -> None:
    plain = [text.encode("ascii", "replace").decode() for text in batch]
    assert listed(tokens_of("unicode-words", plain)) == listed(tokens_of("rouge-score", plain))


def test_ignorable_characters_are_unicode_s() -> None:
    regex = pytest.importorskip("regex", reason="regex, which sacrebleu installs, is not there")
    pattern = regex.compile(r"\p{Default_Ignorable_Code_Point}")
    characters = [chr(c) for c in range(0x110000) if not 0xD800 <= c < 0xE000]
    assert [c for c in characters if _IGNORABLE.match(c)] == [c for c in characters if pattern.match(c)]


spaced = st.lists(st.text(" .<ab\né", max_size=12), max_size=4)


@given(batch=spaced)
def test_a_space_and_a_period_end_a_sentence(batch: list[str]) -> None:
    found = split_sentences(pa.array(batch, pa.large_string()), "spaced-period")
    pages = [[f"{part} ." for part in text.split(" .")[:-1]] + text.split(" .")[-1:] for text in batch]
    kept = [[sentence for part in parts if (sentence := part.partition("<")[0])] for parts in pages]
    assert [found.texts.to_pylist()[one:two] for one, two in pairwise(found.offsets.tolist())] == kept


@given(batch=spaced, limit=st.integers(1, 9))
def test_the_first_of_stripped_lines(batch: list[str], limit: int) -> None:
    lines = sentences_of(batch, "newline")
    stripped = [[line.strip() for line in text.split("\n")] for text in batch]
    by_words = first_of_stripped(lines, words=limit)
    by_characters = first_of_stripped(lines, characters=limit)
    for number, own in enumerate(stripped):
        first, last = by_words.offsets[number : number + 2]
        assert " ".join(by_words.texts.to_pylist()[first:last]).split() == " ".join(own).split()[:limit]
        first, last = by_characters.offsets[number : number + 2]
        assert "".join(by_characters.texts.to_pylist()[first:last]) == "".join(own)[:limit]
