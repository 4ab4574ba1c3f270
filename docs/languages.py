"""The tables of docs/languages.md: what metrics and libraries make of sentences in twelve scripts, made here."""

from __future__ import annotations

import random
import warnings
from collections.abc import Mapping
from dataclasses import replace
from itertools import product

from metrologue.comparison.libraries import get_library
from metrologue.data.strings import of_strings
from metrologue.scorers import Scorer, get_scorer
from metrologue.scorers.core.engine import fields_for
from metrologue.text.normalizers import NORMALIZERS
from metrologue.text.scripts import LANGUAGES, letters_by_script
from metrologue.text.tokenizers import get_tokenizer
from studies.tables import table

# Who, when and what, and what stands between them.
Parts = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], str]
SENTENCES: Mapping[str, Parts] = {
    "en": (("the teacher", "a student", "the minister"), ("every morning", "on Monday"),
           ("reads a new book", "writes a long report"), " "),
    "ru": (("учитель", "студент", "министр"), ("каждое утро", "в понедельник"),
           ("читает новую книгу", "пишет длинный отчёт"), " "),
    "el": (("ο δάσκαλος", "ο μαθητής", "ο υπουργός"), ("κάθε πρωί", "τη Δευτέρα"),
           ("διαβάζει ένα νέο βιβλίο", "γράφει μια μεγάλη έκθεση"), " "),
    "ar": (("المعلم", "الطالب", "الوزير"), ("كل صباح", "يوم الاثنين"), ("يقرأ كتابا جديدا", "يكتب تقريرا طويلا"), " "),
    "he": (("המורה", "התלמיד", "השר"), ("בכל בוקר", "ביום שני"), ("קורא ספר חדש", "כותב דוח ארוך"), " "),
    "hi": (("शिक्षक", "छात्र", "मंत्री"), ("हर सुबह", "सोमवार को"), ("नई किताब पढ़ते हैं", "लंबी रिपोर्ट लिखते हैं"), " "),
    "ko": (("선생님은", "학생은", "장관은"), ("매일 아침", "월요일에"), ("새 책을 읽습니다", "긴 글을 씁니다"), " "),
    "zh": (("老师", "学生们", "部长"), ("每天早上", "星期一"), ("读一本新书", "写一份很长的报告"), ""),
    "ja": (("先生は", "学生は", "大臣は"), ("毎朝", "月曜日に"), ("新しい本を読みます", "長い報告書を書きます"), ""),
    "th": (("ครูของเรา", "นักเรียน", "รัฐมนตรี"), ("ทุกเช้า", "วันจันทร์"), ("อ่านหนังสือเล่มใหม่", "เขียนรายงานฉบับยาว"), ""),
    "km": (("គ្រូរបស់យើង", "សិស្ស", "រដ្ឋមន្ត្រី"), ("រៀងរាល់ព្រឹក", "ថ្ងៃចន្ទ"), ("អានសៀវភៅថ្មី", "សរសេររបាយការណ៍វែង"), ""),
    "my": (("ကျွန်ုပ်တို့၏ဆရာ", "ကျောင်းသား", "ဝန်ကြီး"), ("မနက်တိုင်း", "တနင်္လာနေ့"),
           ("စာအုပ်အသစ်ဖတ်သည်", "အစီရင်ခံစာရေးသည်"), ""),
}  # fmt: skip
_NAMES = {
    "en": "English", "ru": "Russian", "el": "Greek", "ar": "Arabic", "he": "Hebrew", "hi": "Hindi", "ko": "Korean",
    "zh": "Chinese", "ja": "Japanese", "th": "Thai", "km": "Khmer", "my": "Burmese",
}  # fmt: skip

# A library, its metric, the number that is shown, and what that is called.
_LIVE = (
    ("sacrebleu", "bleu", "bleu", "BLEU"), ("nltk", "bleu", "bleu", "BLEU"),
    ("pycocoevalcap", "bleu", "bleu", "BLEU"), ("rouge_score", "rouge", "rouge1_fmeasure", "ROUGE-1"),
    ("rouge", "rouge", "rouge1_fmeasure", "ROUGE-1"), ("jiwer", "wer", "wer", "WER"), ("jiwer", "cer", "cer", "CER"),
    ("sacrebleu", "ter", "ter", "TER"), ("sacrebleu", "chrf", "chrf", "chrF"),
)  # fmt: skip


def sentences(language: str) -> tuple[list[str], list[str]]:
    """Predictions and references: the same words, but predictions begin with the time."""
    *parts, between = SENTENCES[language]
    every = [*product(*parts)]
    random.Random(3).shuffle(every)
    return [between.join((when, who, what)) for who, when, what in every], [*map(between.join, every)]


def languages() -> str:
    """A row for each language: its script, what is found in it, and the scores before and after the advice."""
    rows = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for code, name in _NAMES.items():
            _, references = sentences(code)
            scripts = letters_by_script(of_strings(references))
            advised = fields_for(get_scorer("bleu"), LANGUAGES[code])
            found = len(get_tokenizer("13a")(of_strings(references)).ids) / len(references)
            cells = [_scores(get_scorer(metric), code) for metric in ("bleu", "ter", "rouge", "wer", "chrf")]
            tokenizer = f"`{advised['tokenizer']}`" if advised else "13a"
            rows.append([name, " and ".join(scripts), f"{found:.1f}", tokenizer, *cells])
    heads = ["language", "script", "tokens by 13a", "report BLEU by", "BLEU", "TER", "ROUGE-1", "WER", "chrF"]
    return table(heads, rows)


def _scores(kind: type[Scorer], language: str) -> str:
    """The score by default, and the one with the fields for the language, if that is another one."""
    plain = kind(scale=100.0, **({"types": ("rouge1",)} if kind.name == "rouge" else {}))
    fields = fields_for(kind, LANGUAGES[language])
    values = [scorer.corpus(*sentences(language)).value for scorer in (plain, replace(plain, **fields))]
    texts = [*dict.fromkeys(f"{value:.1f}" for value in values)]
    return " → ".join(texts)


# A sentence of each language with marks, capitals and digits, as a transcript may have it.
SPOKEN: Mapping[str, str] = {
    "en": "Mr. Smith's got twenty-two colours.", "ru": "Ёлка стоит 20 рублей, Анна!", "el": "Η Άννα έχει 20 βιβλία.",
    "ar": "قرأَ أحمدُ ٢٠ كتابًا في المدرسة الأولى؟", "he": "לְאַנָּה יֵשׁ 20 סְפָרִים.", "hi": "मेरी किताब ज़रूर पढ़िए।",
    "ko": "안나는 책이 20권 있다.", "zh": "我有２０本书。", "ja": "私はペンを２０本持っています。",
    "th": "ฉันมีหนังสือ 20 เล่ม",
    "km": "ខ្ញុំមានសៀវភៅ 20 ក្បាល។", "my": "ကျွန်တော့်မှာ စာအုပ် ၂၀ ရှိတယ်။",
}  # fmt: skip


def normalizers() -> str:
    """What the normalizers make of a sentence of each language: a row for each text that is made."""
    rows = []
    for code, sentence in SPOKEN.items():
        made: dict[str, list[str]] = {sentence: []}
        for name, normalizer in NORMALIZERS.items():
            made.setdefault(normalizer.make()([sentence])[0].strip(), []).append(f"`{name}`")
        rows += [[_NAMES[code], ", ".join(["as it is", *made.pop(sentence)]), sentence]]
        rows += [["", ", ".join(names), text] for text, names in made.items()]
    return table(["language", "normalizer", "text"], rows)


def libraries() -> str:
    """A row for each language: what the libraries themselves give for its sentences, from 0 to 100."""
    chosen = [(get_library(library), metric, number) for library, metric, number, _ in _LIVE]
    rows = []
    for code, name in _NAMES.items():
        texts = sentences(code)
        values = [100 / own.scale_of(metric) * own.scores(metric, *texts)[number] for own, metric, number in chosen]
        rows.append([name, *(f"{value:.1f}" for value in values)])
    heads = [f"{title}, {own.name} {own.status()}" for (own, *_), (*_, title) in zip(chosen, _LIVE, strict=True)]
    return table(["language", *heads], rows)
