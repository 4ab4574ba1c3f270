"""Scripts without spaces: hints, advice by language, the doctor and the verdict. The sentences are generated."""

from __future__ import annotations

import json
import random
import sys
import warnings
from itertools import product
from pathlib import Path
from unicodedata import normalize

import numpy as np
import pytest
from click.testing import CliRunner, Result
from sacrebleu.metrics import BLEU

import metrologue
from metrologue.cli import main
from metrologue.comparison.showing.verdict import verdict
from metrologue.data.strings import of_strings
from metrologue.errors import InputError
from metrologue.inference import confidence_interval
from metrologue.scorers import get_scorer
from metrologue.scorers.core.engine import fields_for
from metrologue.scorers.core.numbers import perfect_score
from metrologue.scorers.core.registry import make_scorer
from metrologue.text.scripts import _WITHOUT_SPACES, LANGUAGES, _script, joined_words, may_join_words
from metrologue.text.tokenizers import get_tokenizer

# Subjects, times and predicates of sentences without spaces, by language.
PARTS = {
    "zh": (["他", "我们", "老师", "学生们"], ["昨天", "去年夏天", "每天晚上"], ["买了一本新书", "完成了那份报告"]),
    "th": (["ครูของเรา", "นักเรียน"], ["เมื่อวานนี้", "ทุกวันจันทร์"], ["ซื้อหนังสือเล่มใหม่", "อ่านรายงานฉบับนั้น"]),
    "km": (["គ្រូរបស់យើង", "សិស្ស"], ["ម្សិលមិញ", "រៀងរាល់ថ្ងៃ"], ["បានទិញសៀវភៅថ្មី", "បានអានរបាយការណ៍"]),
    "lo": (["ຄູຂອງພວກເຮົາ", "ນັກຮຽນ"], ["ມື້ວານນີ້", "ທຸກໆມື້"], ["ຊື້ປຶ້ມໃໝ່", "ອ່ານບົດລາຍງານ"]),
    "my": (["ကျွန်ုပ်တို့၏ဆရာ", "ကျောင်းသား"], ["မနေ့က", "နေ့တိုင်း"], ["စာအုပ်အသစ်ဝယ်ခဲ့သည်", "အစီရင်ခံစာဖတ်သည်"]),
    "ja": (["私たちの先生は", "学生は"], ["昨日", "毎週月曜日に"], ["新しい本を買いました", "その報告書を読みます"]),
}  # fmt: skip


def sentences(language: str) -> tuple[list[str], list[str]]:
    """Predictions and references: the same words, but the time comes first in predictions."""
    parts = [*product(*PARTS[language])]
    random.Random(3).shuffle(parts)
    return ["".join((b, a, c)) for a, b, c in parts], ["".join(each) for each in parts]


@pytest.mark.parametrize("language", PARTS)
def test_the_script_is_told_with_the_language_whose_advice_holds(language: str) -> None:
    found = joined_words(of_strings(sentences(language)[1]), "13a")
    assert found is not None
    assert found.language.code == language
    assert joined_words(of_strings(sentences(language)[1]), "char") is None


@pytest.mark.parametrize("text", ["The cat sat.", "Кошка сидела на коврике.", "고양이가 앉았다.", "القطة جلست"])
def test_scripts_with_spaces_have_no_hint(text: str) -> None:
    assert joined_words(of_strings([text]), "whitespace") is None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        metrologue.score("bleu", [text], [text])


def test_no_letter_of_a_script_without_spaces_is_overlooked() -> None:
    letters = {chr(point): script for point in range(0x80, sys.maxunicode) if (script := _script(chr(point)))}
    overlooked = {script for letter, script in letters.items() if not may_join_words(letter.encode())}
    assert not overlooked & _WITHOUT_SPACES.keys()
    assert {"Latin", "Cyrillic", "Arabic", "Devanagari"} <= overlooked


@pytest.mark.parametrize("metric", ["bleu", "ter", "wer", "nist_mt", "google_bleu", "cider", "gtm"])
def test_a_metric_of_words_says_what_finds_them(metric: str) -> None:
    with pytest.warns(UserWarning, match=r"letters are Han, and the tokenizer .* finds .* gives \d"):
        metrologue.score(metric, *sentences("zh"))


SHORT = (["打开客厅空调", "关灯", "好的"], ["客厅打开空调", "关掉灯", "好"])


@pytest.mark.parametrize(
    "metric", ["bleu", "ter", "wer", "google_bleu", "token_f1", "self_bleu", "lexical_diversity", "cuad", "distinct_n"]
)
def test_short_texts_without_spaces_are_told(metric: str) -> None:
    kind = get_scorer(metric)
    given = SHORT if len(kind.inputs) > 1 else ([*SHORT[0]],)
    with pytest.warns(UserWarning, match="letters are Han, and the tokenizer"):
        metrologue.score(metric, *given)


def test_the_words_of_chrf_are_told_and_its_characters_are_right() -> None:
    with pytest.warns(UserWarning, match=r"the tokenizer chrf finds .*word_order=0 gives (.*)\.") as told:
        metrologue.score("chrf", *SHORT, word_order=2)
    assert str(told[0].message).endswith(f"{metrologue.score('chrf', *SHORT).value:.2f}.")


@pytest.mark.parametrize("metric", ["exact_match", "exact_match:squad", "text_duplicates", "chrf", "cer"])
@pytest.mark.filterwarnings("error")
def test_whole_texts_and_characters_need_no_words(metric: str) -> None:
    texts = ["北京大学在哪里呢今天", "上海的天气怎么样"]
    metrologue.score(metric, texts, *([] if metric == "text_duplicates" else [texts[::-1]]))


@pytest.mark.parametrize(
    "text", ["我们 讨论 了 环境 政策", "ครู ของ เรา อ่าน หนังสือ", "コンピュータ を 使う", "好", "42 %", "f(x) = 日"]
)
def test_words_that_spaces_part_have_no_hint(text: str) -> None:
    assert joined_words(of_strings([text]), "13a") is None


def test_the_number_of_the_hint_is_the_number_of_its_setting() -> None:
    with pytest.warns(UserWarning, match="tokenizer='zh' gives (.*)\\.") as told:
        metrologue.score("bleu", *sentences("zh"))
    value = metrologue.score(metrologue.recommended("bleu", language="zh"), *sentences("zh")).value
    assert str(told[0].message).endswith(f" gives {value:.2f}.")


def test_languages_have_the_tokenizers_of_sacrebleu() -> None:
    assert {code: LANGUAGES[code].tokenizer for code in BLEU._TOKENIZER_MAP} == BLEU._TOKENIZER_MAP


def test_each_metric_has_its_own_fields_for_a_language() -> None:
    assert metrologue.recommended("ter", language="ja").asian_support
    assert metrologue.recommended("wer", language="th").tokenizer == "char"
    assert metrologue.recommended("wer", language="ko").tokenizer == "jiwer"
    assert metrologue.recommended("meteor", language="de").language == "de"
    assert metrologue.recommended("rouge", language="ar").tokenizer == "unicode-words"
    assert metrologue.recommended("bleu", language="zh", tokenizer="char").tokenizer == "char"
    for metric, language in product(("chrf", "cer"), LANGUAGES):
        assert metrologue.recommended(metric, language=language) == get_scorer(metric)()


def test_an_unknown_language_names_one_that_exists() -> None:
    with pytest.raises(InputError, match=r"`language` is 'zz'; did you mean .*'zh'"):
        metrologue.recommended("bleu", language="zz")


def test_the_doctor_names_the_tokenizer() -> None:
    faults = {each.fault: each for each in metrologue.doctor(*sentences("zh"))}
    assert faults["words not found"].repair == "with tokenizer='zh'"
    assert faults["words not found"].effect > 50
    assert "other language or test set" not in faults


@pytest.mark.parametrize("metric", ["bleu", "ter", "wer", "rouge", "chrf", "nist_mt", "meteor"])
def test_a_verdict_never_advises_a_number_without_words(metric: str) -> None:
    hypotheses, references = sentences("zh")
    systems = {"mine": hypotheses, "theirs": references[::-1]}
    found = metrologue.compare(systems, references, metric, libraries=[], resamples=100)
    kind = get_scorer(metric)
    if metric == "chrf":  # its characters are the right units
        assert verdict(found).startswith("Report sacrebleu: ")
        return
    assert "100% of the letters are Han" in verdict(found)
    for system, texts in systems.items():
        name = verdict(found).partition("Report ")[2].split()[0]
        advised = kind.variant(name, **fields_for(kind, LANGUAGES["zh"]))
        segments = metrologue.Segments(texts, references)
        interval = confidence_interval(advised, segments, resamples=100)
        unit = 100 / (perfect_score(advised) or 100)
        value = unit * advised.corpus(segments).value
        assert f"{value:.2f} [{unit * interval.low:.2f}, {unit * interval.high:.2f}] for {system}" in verdict(found)


def test_a_verdict_has_the_tokenizer_of_a_language() -> None:
    found = metrologue.compare(*sentences("zh"), libraries=[], variants=["sacrebleu", "nltk"], confidence=None)
    value = get_scorer("bleu")(tokenizer="zh").corpus(*sentences("zh")).value
    assert f"Report sacrebleu with tokenizer='zh', {value:.2f}: " in verdict(found)
    told = metrologue.compare(["a b"], ["a b"], libraries=[], confidence=None, language="ko")
    assert "tokenizer='" in verdict(told)
    plain = metrologue.compare(["a b"], ["a b"], libraries=[], confidence=None, language="de")
    assert verdict(plain).startswith("Report sacrebleu 0.00 ")


COMPOSED = ["Le café près de l'hôtel était fermé.", "Les élèves ont étudié la forêt, ﬁn.", "Rien n'a changé."]
OTHERS = ["Le café de l'hôtel était fermé.", "Des élèves ont étudié la forêt, ﬁn.", "Rien n'a changé."]
APART = [normalize("NFD", text) for text in OTHERS]


@pytest.mark.parametrize(
    "metric", ["bleu", "chrf", "ter", "wer", "rouge", "cider", "gtm", "token_f1", "distinct_n", "lexical_diversity"]
)
@pytest.mark.parametrize("form", ["NFC", "NFKC"])
def test_a_unicode_form_is_as_if_the_texts_had_it(metric: str, form: str) -> None:
    scorer, plain = (make_scorer(metric, **each) for each in ({"unicode": form}, {}))
    theirs = [[normalize(form, text) for text in texts] for texts in (OTHERS, COMPOSED)]
    for given in ([APART, COMPOSED], [metrologue.Segments(APART, COMPOSED)]):
        assert scorer.corpus(*given).value == plain.corpus(*theirs).value
        assert scorer.segments(*given) == pytest.approx(plain.segments(*theirs), abs=0)
    if scorer._is_fitted:
        batches = scorer.accumulate(APART[1:], COMPOSED[1:], scorer.accumulate(APART[:1], COMPOSED[:1]))
        assert scorer.score_totals(batches).value == plain.corpus(*theirs).value
        traced = metrologue.trace(scorer, APART[0], COMPOSED[:1])
        assert traced.formula == metrologue.trace(plain, theirs[0][0], theirs[1][:1]).formula
    if scorer.input("references") and scorer.input("references").required:
        assert np.array_equal(scorer.pairwise(APART, COMPOSED), plain.pairwise(*theirs))


def test_the_form_of_normal_text_costs_no_copy() -> None:
    segments = metrologue.Segments(COMPOSED, [*COMPOSED])
    assert segments.in_form("NFC") is segments
    assert segments.in_form("NFKC") is segments.in_form("NFKC")
    shared = segments.with_predictions(APART).in_form("NFKC")
    assert shared.references is segments.in_form("NFKC").references


def test_the_form_is_a_choice_that_explains_and_that_the_doctor_finds() -> None:
    [part] = metrologue.explain("bleu", "bleu|unicode=NFC", APART, COMPOSED).contributions
    assert part.choice == "Unicode form"
    faults = {each.fault: each for each in metrologue.doctor(APART * 10, OTHERS * 10)}
    assert faults["two Unicode forms"].repaired == pytest.approx(100)
    assert not [each for each in metrologue.doctor(OTHERS * 10, OTHERS * 10) if each.fault == "two Unicode forms"]
    value = metrologue.score("bleu", APART, COMPOSED, unicode="NFC").value
    answer = metrologue.which("bleu", f"{value:.4f}", APART, COMPOSED).answers[0]
    assert answer.setting.changes in ({"unicode": "NFC"}, {"unicode": "NFKC"})


def test_cjk_has_kana_too_and_whole_planes() -> None:
    cut = get_tokenizer("cjk")
    assert cut("東京に住むﾃｽﾄ 3.5万𠀀。“it’s”") == [*"東京に住むﾃｽﾄ", "3.5", *"万𠀀。", "“it’s”"]
    assert get_tokenizer("zh")("東京に住む𠀀“a”") == [*"東京に住", "む𠀀", "“", "a", "”"]


def test_a_function_may_be_the_tokenizer() -> None:
    value = metrologue.score("bleu", ["a-b-c-d-e"], ["a-b-c-d-f"], tokenizer=lambda text: text.split("-")).value
    assert value == metrologue.score("bleu", ["a b c d e"], ["a b c d f"]).value


def test_the_command_line_takes_a_language(tmp_path: Path) -> None:
    for name, texts in zip("hr", sentences("zh"), strict=True):
        (tmp_path / name).write_text("\n".join(texts) + "\n", "utf-8")
    files = ["-p", str(tmp_path / "h"), "-r", str(tmp_path / "r")]

    def run(*arguments: str) -> Result:
        return CliRunner().invoke(main, [*arguments, *files])

    value = metrologue.score("bleu", *sentences("zh"), tokenizer="zh").value
    found = run("score", "bleu", "chrf", "--language", "zh", "--format", "json")
    assert json.loads(found.stdout)[0]["systems"][0]["value"] == value
    assert "bleu, zh: --set tokenizer=zh: sacrebleu's choice for WMT." in found.stderr
    assert "chrf, zh: nothing changes." in found.stderr
    assert "tokenizer='zh'" in run("compare", "--no-live", "--language", "zh").stdout
    assert "zh" in run("which", "bleu:sacrebleu", f"{value:.2f}", "--language", "zh").stdout
    for command in ("score", "compare"):
        refused = run(command, *["bleu"] * (command == "score"), "--language", "xx")
        assert refused.exit_code == 2
        assert "'xx'" in refused.stderr
