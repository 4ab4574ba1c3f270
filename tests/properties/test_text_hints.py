"""Hints about characters: told where a number deceives, and silent in every script, in formulas, code and emoji."""

from __future__ import annotations

import random
import re
import warnings
from typing import Any

import pytest

import metrologue
from metrologue.scorers.core.text_hints import TEARING, torn_words
from metrologue.text.tokenizers import get_tokenizer
from metrologue.text.tokenizers.registry import canonical_name, cuts_words, list_tokenizers, missing_for

HINDI = (["मेरा नाम राम है", "राम घर गया"], ["मेरी नाव रामू हो", "राम घर गई"])
PLAIN = ["the cat sat on the mat", "a dog ran to the house"], ["the cat sat on a mat", "a dog ran to a house"]

# Texts without a fault: twelve scripts, formulas, code, emoji and numbers. Each line is another one's neighbour.
RIGHT = {
    "Latin": ["L’été, à Genève – « oui » !", "Der „alte“ Mann schläft heute.", "Żółw śpi pod dębem, a kot je."],
    "Cyrillic": ["Сегодня холодно, COVID-19 и 3D.", "Он купил iPhone в Москве.", "Дети играли в парке «Сокол»."],
    "Greek": ["Ο δάσκαλος διαβάζει βιβλίο.", "Η γάτα κοιμάται στο χαλί.", "Πού είναι ο Γιώργος;"],
    "Arabic": ["ذهب الولد إلى المدرسة", "قرأ الطالب كتابا جديدا", "كتب المعلم تقريرا طويلا"],
    "Persian": ["می‌خواهم به خانه بروم", "کتاب‌ها روی میز است", "او نامه‌ای نوشت"],
    "Hebrew": ["הילד הלך לבית הספר", "המורה קורא ספר חדש", "השר כותב דוח ארוך"],
    "Hindi": ["राम घर गया", "छात्र नई किताब पढ़ता है", "मंत्री रिपोर्ट लिखते हैं"],
    "Korean": ["선생님은 매일 책을 읽습니다", "학생은 월요일에 글을 씁니다", "장관은 긴 글을 씁니다"],
    "Chinese, parted": ["老师 每天 读 书", "学生 写 报告", "部长 读 一 本 书"],
    "Thai, parted": ["ครู อ่าน หนังสือ", "นักเรียน เขียน รายงาน", "รัฐมนตรี อ่าน รายงาน"],
    "Khmer, parted": ["គ្រូ អាន សៀវភៅ", "សិស្ស សរសេរ", "រដ្ឋមន្ត្រី អាន"],
    "Burmese, parted": ["ဆရာ စာ ဖတ်", "ကျောင်းသား ရေး", "ဝန်ကြီး ဖတ်"],
    "formulas": ["E = mc², Δx ≥ ħ/2", "αx + βy = Ωm ∈ ℝ", "f(x₁) = ∫ sin θ dθ, 5 μm"],
    "code": ["if (a[0] < b) { x ## y; }", "@@ -1,2 +3,4 @@ def f(x): return x", "<b>bold</b> [1] #tag @name a_b"],
    "emoji": ["👨‍👩‍👧 are here ❤️", "🏳️‍🌈 and 👍🏽 today", "so 😀 it is 🙂"],
    "numbers": ["1,234.5 − 6 × 10⁻³ = 50 %", "3.14 and 2,718 of 10", "on 2024-01-02 at 10:30"],
}


def told(metric: str, *texts: Any, **fields: Any) -> str:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        metrologue.score(metric, *texts, **fields)
    return " | ".join(str(each.message) for each in caught)


@pytest.mark.parametrize("script", RIGHT)
@pytest.mark.parametrize("metric", ["bleu", "wer", "ter", "chrf", "rouge:unicode", "google_bleu"])
def test_texts_that_are_right_have_no_hint(metric: str, script: str) -> None:
    texts = RIGHT[script]
    assert told(metric, texts, texts) == ""
    assert told(metric, texts, [texts[1], texts[0], texts[2]]) == ""
    assert told(metric, [" ".join(text.split()[:-1]) for text in texts], texts) == ""


DECEIVING = {
    "no-break spaces": lambda text: text.replace(" ", "\u00a0"),
    "zero-width": lambda text: text.replace("e", "e\u200b"),
    "direction marks": lambda text: "\u200f" + text,
    "joints of BPE": lambda text: text.replace("he", "h@@ e"),
    "marks of SentencePiece": lambda text: "▁" + text.replace(" ", " ▁"),
    "special tokens": lambda text: f"<s> {text} </s>",
    "full-width": lambda text: text.translate({point: point + 0xFEE0 for point in range(0x41, 0x7B)}),
    "Cyrillic letters": lambda text: text.replace("a", "а"),
}  # fmt: skip


@pytest.mark.parametrize("name", DECEIVING)
def test_the_number_of_a_hint_is_that_of_the_texts_as_they_look(name: str) -> None:
    texts, sound = [*map(DECEIVING[name], PLAIN[0])], PLAIN[0]
    hint = told("wer", texts, PLAIN[1])
    before, after = re.findall(r"the score is ([\d.]+), and ([\d.]+) with", hint)[0]
    assert name in hint
    assert float(before) == pytest.approx(metrologue.score("wer", texts, PLAIN[1]).value, abs=0.005)
    assert float(after) == pytest.approx(metrologue.score("wer", sound, PLAIN[1]).value, abs=0.005)
    assert told("wer", texts, [*map(DECEIVING[name], PLAIN[1])]) == ""  # both sides have it
    with pytest.warns(UserWarning, match=name):
        metrologue.scorers.WordErrorRate().segments(texts, PLAIN[1])


def test_what_changes_no_score_is_not_told() -> None:
    """sacrebleu cuts texts at no-break spaces, too."""
    texts = [text.replace(" ", "\u00a0") for text in PLAIN[0]]
    assert told("bleu", texts, PLAIN[1]) == ""


SCRIPTS = [
    "राम",
    "ذَهَبَ",
    "שָׁלוֹם",
    "தமிழ்",
    "น้ำ",
    "холодно",
    "βιβλίο",
    "żółw",
    "고양이",
    "老师",
    "စာဖတ်သည်",
    "គ្រូរបស់",
    "tiếng",
]


@pytest.mark.parametrize("tokenizer", [*filter(cuts_words, list_tokenizers(registered=False))])
def test_tokenizers_that_are_not_looked_at_keep_every_word_together(tokenizer: str) -> None:
    if missing := missing_for(canonical_name(tokenizer)):
        pytest.skip(missing)
    tokenize = get_tokenizer(tokenizer)
    from metrologue.data.strings import of_strings

    found = torn_words(SCRIPTS, lambda words: [tokenize(of_strings([word])).of_text(0) for word in words])
    assert bool(found.cut or found.gone > 0.1) == (tokenizer in TEARING)


@pytest.mark.parametrize("normalizer", ["whisper-basic", "whisper-english"])
def test_a_normalizer_that_cuts_words_at_their_marks(normalizer: str) -> None:
    pytest.importorskip("whisper_normalizer")
    pointed, bare = ["ذَهَبَ الوَلَدُ إِلَى"], ["ذهب الولد إلى"]
    for texts in (HINDI, (["שָׁלוֹם עוֹלָם"], ["שָׁלוֹם"]), (pointed, pointed), (["ครูอยู่ ที่นี่"], ["ครูอยู่ ที่นั่น"])):
        assert f"the normalizer '{normalizer}'" in told(
            "wer", *texts, normalizer=normalizer
        ) or "letters are Thai" in told("wer", *texts, normalizer=normalizer)
    for silent in (PLAIN, (bare, bare), (RIGHT["Latin"], RIGHT["Latin"]), (RIGHT["Cyrillic"], RIGHT["Cyrillic"])):
        assert told("wer", *silent, normalizer=normalizer) == ""
    hint = told("wer", *HINDI, normalizer="whisper-basic")
    assert hint.endswith(f"normalizer=None gives {metrologue.score('wer', *HINDI).value:.2f}.")


def test_a_tokenizer_that_cuts_words_at_their_marks() -> None:
    assert "'राम' away" in told("word_count", ["राम घर गया"])
    assert told("word_count", ["le café est là", "Он пришёл"]) == ""


def test_marks_that_13a_leaves_on_words() -> None:
    danda = ["राम घर गया ।", "सीता बाजार गई ।"] * 3, ["राम घर गया।", "सीता बाजार गई।"] * 3
    value = metrologue.score("bleu", *danda, tokenizer="intl").value
    assert f"and {value:.2f} with tokenizer='intl'" in told("bleu", *danda)
    assert "intl" in told("bleu", ["أين ذهب الولد اليوم ؟"] * 2, ["أين ذهب الولد اليوم؟"] * 2)
    assert told("bleu", danda[1], danda[1]) == ""
    assert told("bleu", *danda, tokenizer="intl") == ""
    assert told("bleu", danda[0], danda[0][::-1]) == told("bleu", danda[1], danda[1][::-1]) == ""


def test_shuffled_words_are_no_characters() -> None:
    words = PLAIN[0][0].split()
    random.Random(2).shuffle(words)
    assert told("wer", [" ".join(words)], [PLAIN[1][0]]) == ""


def test_answers_that_the_normalization_empties() -> None:
    assert "1 of 2 references is empty after the normalization" in told("token_f1", ["A", "B"], ["A", "B"])
    assert "'the'" in told("exact_match:squad", ["cat"], [["the", "cat"]])
    for silent in ((["the cat", ""], ["a cat", ""]), (["B"], ["B"]), (["vitamin A"], ["vitamin A"])):
        assert told("token_f1", *silent) == told("exact_match", *silent) == ""
    assert told("exact_match", ["A"], ["A"]) == ""


def test_numbers_that_differ_by_a_point_alone() -> None:
    assert "'3.14' and '314'" in told("token_f1", ["3.14"], ["314"])
    for silent in (("1,000", "1000"), ("3.14", "3.14"), ("3.14", "2.72"), ("in 1999.", "in 1999"), ("U.S.", "US")):
        assert told("token_f1", [silent[0]], [silent[1]]) == ""


def test_images_with_the_same_references() -> None:
    assert "the same references" in told("cider", ["a cat", "a dog"], [["a cat sat", "the cat"]] * 2)
    assert told("cider", ["a cat", "a dog"], [["a cat sat", "the cat"], ["a dog", "the cat"]]) == ""


SUMMARIES = ["The cat sat. It slept all day long.", "He went home. She stayed there."]
TURNED = ["It slept all day long. The cat sat.", "She stayed there. He went home."]


@pytest.mark.parametrize("mark", [" ", "<n>", r"\n"])
def test_sentences_that_no_newline_parts(mark: str) -> None:
    texts, others = ([text.replace(". ", f".{mark}") for text in each] for each in (SUMMARIES, TURNED))
    parted = [[text.replace(". ", ".\n") for text in each] for each in (SUMMARIES, TURNED)]
    value = metrologue.score("rouge", *parted).scores["rougeLsum_fmeasure"]
    assert f"it is {value:.4f}." in told("rouge", texts, others)
    assert told("rouge", *parted) == ""
    assert told("rouge", texts, texts) == ""  # equal texts have 1 either way
    assert told("rouge[rougeL]", texts, others) == ""
    assert told("rouge", ["Mr. Smith paid 3.5 kg e.g. to J. Doe", "so it is"], ["Dr. No paid", "it is so"]) == ""
