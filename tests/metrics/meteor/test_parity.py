"""Meteor against nltk and against METEOR 1.5 itself, live: generated text, real text, several references, all tasks.

The program takes seconds to start and a gigabyte for English, so that what hypothesis generates goes to it in one
batch. Its paraphrase table is loaded only where a setting is about it.
"""

from __future__ import annotations

import gzip
import html
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from amounts import everyday, nth
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import corpora

from metrologue.comparison.libraries import Library, Missing, get_library
from metrologue.errors import InputError
from metrologue.scorers import Meteor
from metrologue.scorers.meteor import STAGES, TASKS
from metrologue.text.lexicon import meteor_jar

pytestmark = pytest.mark.usefixtures("lexical_data")

Corpus = tuple[list[str], list[list[str]]]


@dataclass(frozen=True)
class Setting:
    """One call of a library, and the field values that mirror it."""

    library: str = "meteor-1.5"
    options: dict[str, Any] = field(default_factory=dict)
    fields: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return ",".join([self.library, *(f"{key}={value}" for key, value in self.options.items())]).replace(" ", "")

    def scorer(self, **fields: Any) -> Meteor:
        return Meteor.variant(self.library, **self.fields, **fields)

    @property
    def live(self) -> Library:
        library = get_library(self.library)
        status = library.status()
        if isinstance(status, Missing):
            pytest.skip(f"{self.library}: {status}")
        return library


def single_words(task: str | None = None, language: str = "en", **options: Any) -> Setting:
    """METEOR 1.5 without its paraphrases, which only English is sure to have, and so ready in a second."""
    fields = Meteor.variant("meteor-1.5", task=task, language=language)
    stages = tuple(stage for stage in fields.stages if stage != "paraphrase")
    weights = fields.weights[: len(stages)]  # the program takes as many as there are modules, from the first one on
    chosen = {"task": task} if task else {}
    return Setting(
        options={**chosen, "language": language, "modules": stages, **options},
        fields={**chosen, "language": language, "stages": stages, "weights": weights},
    )


ENGLISH = Setting(options={"norm": True}, fields={"tokenizer": "meteor-1.5-norm"})
JAR = [
    ENGLISH,
    Setting(),
    Setting(options={"lower": True}, fields={"tokenizer": "meteor-1.5:lowercase=true"}),
    Setting(
        options={"parameters": (0.9, 3.0, 0.5, 0.7)},
        fields={"alpha": 0.9, "beta": 3.0, "gamma": 0.5, "delta": 0.7},
    ),
    Setting(options={"parameters": (0.3, 0.2, 0.6, 0.75)}, fields={"alpha": 0.3}),
    Setting(options={"weights": (1.0, 0.5)}, fields={"weights": (1.0, 0.5)}),
    Setting(
        options={"parameters": (0.5, 1.0, 0.9, 0.2), "weights": (0.9, 0.1, 0.3, 0.7), "norm": True, "characters": True},
        fields={
            "alpha": 0.5,
            "beta": 1.0,
            "gamma": 0.9,
            "delta": 0.2,
            "weights": (0.9, 0.1, 0.3, 0.7),
            "unit": "characters",
            "tokenizer": "meteor-1.5-norm",
        },
    ),
    Setting(
        options={"modules": ("paraphrase", "synonym", "exact"), "weights": (1.0, 0.5, 0.25)},
        fields={"stages": ("paraphrase", "synonym", "exact"), "weights": (1.0, 0.5, 0.25)},
    ),
    *(Setting(options={"task": task}, fields={"task": task}) for task in TASKS),
]
# Without the table of paraphrases, all tasks and all languages.
QUICK = [
    *(single_words(task) for task in TASKS),
    *(single_words(language=language) for language in ("de", "fr", "es", "ru", "cz", "pt", "fi", "other")),
    *(single_words("li", language) for language in ("de", "it")),
]


def same(ours: float, theirs: float) -> bool:
    return bool(np.isclose(ours, theirs, rtol=1e-12, atol=0))


def differences(setting: Setting, predictions: list[str], references: list[list[str]]) -> dict[Any, Any]:
    """Where our numbers are not those of METEOR 1.5: counts to a unit, scores to 1e-12, of segments and of them all."""
    keys = [key for key in setting.scorer().range if key not in ("f1", "penalty")]  # which its protocol does not give
    rows = setting.live.segments("meteor", predictions, references, **setting.options)
    ours = setting.scorer().segment_scores(predictions, references)
    found = {
        (index, key): (ours[key][index], row[key])
        for index, row in enumerate(rows)
        for key in keys
        if not same(ours[key][index], row[key])
    }
    total = setting.live.scores("meteor", predictions, references, **setting.options)
    scores = setting.scorer().corpus(predictions, references).scores
    return found | {key: (scores[key], total[key]) for key in keys if not same(scores[key], total[key])}


@pytest.fixture(scope="module")
def batch() -> Corpus:
    """All that hypothesis generates, as one corpus; the program's protocol drops control characters at either end."""
    trimmed = "".join(map(chr, range(0x21)))
    predictions, references = [], []

    @given(corpus=corpora())
    def collect(corpus: Corpus) -> None:
        predictions.extend(text.strip(trimmed) for text in corpus[0])
        references.extend([text.strip(trimmed) for text in texts] for texts in corpus[1])

    collect()
    return predictions, references


@pytest.mark.parametrize(
    "setting",
    # Everyday METEOR's own default, the task with other weights, and languages with and without a stemmer.
    everyday([ENGLISH, *QUICK, *JAR[1:]], [ENGLISH, QUICK[0], *QUICK[len(TASKS) :: 4]].__contains__, ids=str),
)
def test_generated_text(setting: Setting, batch: Corpus) -> None:
    assert not differences(setting, *batch)


def test_with_a_beta_of_0_the_program_tells_the_score_only() -> None:
    """The F-measure is the score of statistics without chunks; then they, too, have the whole penalty."""
    setting, texts = (
        single_words(language="cz", parameters=(0.5, 0.0, 0.3, 0.7), weights=(1.0,)),
        (["a b c"], [["a c"]]),
    )
    theirs = setting.live.scores("meteor", *texts, **setting.options)
    ours = setting.scorer(alpha=0.5, beta=0.0, gamma=0.3, delta=0.7).corpus(*texts).scores
    assert all(same(ours[key], theirs[key]) for key in ("meteor", "chunk_count"))
    assert {"precision", "recall", "fmean"}.isdisjoint(theirs)


def lines(path: Path) -> list[str]:
    return path.read_text("utf-8").removesuffix("\n").split("\n")


def russian_english(folder: Path) -> Corpus:
    """News: two systems, one reference."""
    references = [[text] for text in lines(folder / "newstest2020-ruen.ref.en.txt")]
    return lines(folder / "newstest2020-ruen.OnlineA.txt") + lines(folder / "newstest2020-ruen.OnlineB.txt"), [
        *references,
        *references,
    ]


def xray(folder: Path) -> Corpus:
    """METEOR's own example for its pictures: two systems, one reference."""
    references = [[text] for text in lines(folder / "xray" / "reference")]
    return lines(folder / "xray" / "system1.hyp") + lines(folder / "xray" / "system2.hyp"), references + references


def captions(folder: Path) -> Corpus:
    """Captions, five references each."""
    rows = [json.loads(line) for line in lines(folder / "flickr8k_expert.jsonl")]
    return [row["hypothesis"] for row in rows], [row["references"] for row in rows]


def german(folder: Path) -> Corpus:
    """German news; the second reference of every other segment is another system's output."""
    first, second, *_ = sorted((folder / "systems").iterdir())
    columns = (lines(path) for path in (first, folder / "reference.de", second))
    return (
        lines(first),
        [[reference, other][: 1 + i % 2] for i, (_, reference, other) in enumerate(zip(*columns, strict=True))],
    )


ENGLISH_TEXT: dict[str, Callable[[Path], Corpus]] = {
    "newstest2020_ruen_400": russian_english,
    "meteor_java_example": xray,
    "flickr8k_expert": captions,
}


@pytest.fixture(scope="module", params=ENGLISH_TEXT)
def english(request: pytest.FixtureRequest, shared_data: Path) -> Corpus:
    folder = shared_data / request.param
    if not folder.is_dir():
        pytest.skip(f"no folder {folder}")
    return ENGLISH_TEXT[request.param](folder)


def sample(corpus: Corpus, count: int) -> Corpus:
    """About so many of the segments, from all parts of the corpus."""
    step = max(1, len(corpus[0]) // count)
    return corpus[0][::step], corpus[1][::step]


class TestRealText:
    def test_a_sample(self, english: Corpus) -> None:
        assert not differences(ENGLISH, *sample(english, 200 // nth(3)))

    @pytest.mark.slow
    def test_all_segments(self, english: Corpus) -> None:
        """Over 11,000 segments in all, and none that differs."""
        assert not differences(ENGLISH, *english)

    @pytest.mark.slow
    @pytest.mark.parametrize("setting", JAR[1:], ids=str)
    def test_all_settings(self, setting: Setting, english: Corpus) -> None:
        assert not differences(setting, *sample(english, 400))

    @pytest.mark.parametrize("task", everyday([None, "li"], lambda task: task is None))
    def test_german(self, task: str | None, shared_data: Path) -> None:
        setting = single_words(task, "de", norm=True)
        setting.fields["tokenizer"] = "meteor-1.5-norm:language=de"
        assert not differences(setting, *sample(german(shared_data / "wmt17_ende"), 1_000 // nth(10)))

    @pytest.mark.parametrize("lower", everyday([False, True], lambda lower: not lower))
    def test_russian(self, lower: bool, shared_data: Path) -> None:
        """Russian news as if a text were a translation of the one after it: function words and a few more match."""
        texts = lines(shared_data / "newstest2020_ruen_400" / "newstest2020-ruen.src.ru.txt")[:: nth(4)]
        setting = single_words(language="ru", **{"lower" if lower else "norm": True})
        setting.fields["tokenizer"] = "meteor-1.5:lowercase=true" if lower else "meteor-1.5-norm:language=ru"
        assert not differences(setting, texts, [[text, texts[i - 2]] for i, text in enumerate(texts[-1:] + texts[:-1])])

    def test_paraphrases_of_any_language(self, shared_data: Path, tmp_path: Path) -> None:
        """A table in METEOR's own format, made of neighbouring words of the text itself, doubles and both ways."""
        predictions, references = sample(german(shared_data / "wmt17_ende"), 300)
        rows = []
        for prediction, (reference, *_) in zip(predictions, references, strict=True):
            ours, theirs = prediction.split(), reference.split()
            for place in range(0, min(len(ours), len(theirs)) - 3, 3):
                pair = " ".join(ours[place : place + 1 + place % 3]), " ".join(theirs[place : place + 2])
                rows += [pair, pair[::-1], pair][: 1 + place % 4]
        path = tmp_path / "paraphrase-de.gz"
        path.write_bytes(gzip.compress("".join(f"0.1\n{a}\n{b}\n" for a, b in rows).encode()))
        setting = Setting(
            options={"language": "de", "paraphrases": str(path)}, fields={"language": "de", "paraphrases": str(path)}
        )
        assert not differences(setting, predictions, references)
        found = setting.scorer().corpus(predictions, references).scores["paraphrase_reference_content_count"]
        assert found > 100

    def test_published_scores(self, shared_data: Path) -> None:
        """All 2,525 segment scores and the system score of METEOR's own example."""
        folder = shared_data / "meteor_java_example"
        texts, reference = (segments(folder / f"{name}.sgm") for name in ("test", "ref"))
        published = {
            (document, segment): float(score)
            for _, _, document, segment, score in (line.split("\t") for line in lines(folder / "meteor-seg.scr"))
        }
        assert len(published) == len(texts) == 2_525
        meteor = Meteor.variant("pycocoevalcap")
        corpus = [texts[place] for place in published], [reference[place] for place in published]
        np.testing.assert_allclose(meteor.segments(*corpus), [*published.values()], rtol=1e-12)
        assert f"\t{meteor.corpus(*corpus).value}\n" in (folder / "meteor-sys.scr").read_text("utf-8")


def segments(path: Path) -> dict[tuple[str, str], str]:
    """The segments of an SGML file by document and number."""
    documents = re.findall(r'<doc\b[^>]*docid="([^"]*)"[^>]*>(.*?)</doc>', path.read_text("utf-8"), re.S | re.I)
    return {
        (document, number): html.unescape(text)
        for document, body in documents
        for number, text in re.findall(r'<seg id="?(\d+)"?>(.*?)</seg>', body, re.S | re.I)
    }


class TestPycocoevalcap:
    def test_pooled_score(self, shared_data: Path) -> None:
        corpus = sample(captions(shared_data / "flickr8k_expert"), 100)
        setting = Setting("pycocoevalcap")
        ours = setting.scorer().corpus(*corpus)
        assert same(ours.value, setting.live.scores("meteor", *corpus)["meteor"])

    @pytest.mark.slow
    def test_segments(self, shared_data: Path) -> None:
        corpus = sample(captions(shared_data / "flickr8k_expert"), 100)
        setting = Setting("pycocoevalcap")
        theirs = [row["meteor"] for row in setting.live.segments("meteor", *corpus)]
        np.testing.assert_allclose(setting.scorer().segments(*corpus), theirs, rtol=1e-12)

    def test_what_the_protocol_does_to_texts(self) -> None:
        """Bars part texts there, runs of spaces are halved, and control characters at either end are lost."""
        pieces = [
            "the",
            "cats",
            "sat",
            "U.S.",
            "x.",
            "1,5",
            "'s",
            "|",
            "||",
            "|||",
            "||||",
            "  ",
            "\x0b",
            "\x1f",
            "\xa0",
        ]
        words = st.lists(st.sampled_from(pieces), max_size=8)
        texts = st.builds(str.join, st.sampled_from(["", " ", "  "]), words)
        predictions, references = ["a|||b", "a b", "|||", ""], [["ab"], ["x|||a b"], ["a"], ["|||a"]]

        @settings(max_examples=400 // nth(4))
        @given(prediction=texts, others=st.lists(texts, min_size=1, max_size=3), own=st.booleans())
        def collect(prediction: str, others: list[str], own: bool) -> None:
            predictions.append(prediction)
            references.append([prediction + others[0], *others] if own else others)

        collect()
        setting = Setting("pycocoevalcap")
        theirs = [row["meteor"] for row in setting.live.segments("meteor", predictions, references)]
        np.testing.assert_allclose(setting.scorer().segments(predictions, references), theirs, rtol=1e-12)
        assert same(
            setting.scorer().corpus(predictions, references).value,
            setting.live.scores("meteor", predictions, references)["meteor"],
        )

    def test_bars_are_text_to_the_program_itself(self) -> None:
        """It reads files line by line; only what pycocoevalcap tells it has bars between texts."""
        for prediction, reference in (("a|||b", "ab"), ("a b", "x ||| a b")):
            assert Meteor.variant("pycocoevalcap").corpus([prediction], [reference]).value == 1
            assert Meteor.variant("pycocoevalcap", protocol=False).corpus([prediction], [reference]).value < 1


NLTK = Setting("nltk")


def assert_nltk_parity(setting: Setting, predictions: list[str], references: list[list[str]]) -> None:
    theirs = [row["meteor"] for row in setting.live.segments("meteor", predictions, references, **setting.options)]
    np.testing.assert_allclose(setting.scorer().segments(predictions, references), theirs, rtol=1e-12)
    mean = setting.live.scores("meteor", predictions, references, **setting.options)["meteor"]
    assert same(setting.scorer().corpus(predictions, references).value, mean)


class TestNltk:
    @pytest.mark.slow
    def test_all_segments(self, english: Corpus) -> None:
        assert_nltk_parity(NLTK, *english)

    def test_matches_and_chunks(self, english: Corpus) -> None:
        predictions, references = sample(english, 50)
        for prediction, (reference, *_) in zip(predictions, references, strict=True):
            theirs = NLTK.live.scores("align_words", [prediction], [[reference]])
            ours = NLTK.scorer().segment_scores([prediction], [reference])
            if theirs["hypothesis_match_count"]:  # of no matches nltk counts one chunk, and never uses it
                assert {key: ours[key][0] for key in theirs} == theirs


HYPOTHESIS = "It is a guide to action which ensures that the military always obeys the commands of the party"
REFERENCE = "It is a guide to action that ensures that the military will forever heed Party commands"


class TestPublishedFigures:
    """One pair of sentences, four numbers."""

    @pytest.mark.parametrize(
        ("scorer", "figures"),
        [
            (Meteor.variant("nltk"), {"meteor": 0.6944444444444445, "hypothesis_match_count": 12, "chunk_count": 6}),
            (
                Meteor.variant("meteor-1.0"),
                {
                    "meteor": 0.779640587332895, "precision": 13 / 18, "recall": 13 / 16, "f1": 0.7647058823529411,
                    "fmean": 0.8024691358024691, "penalty": 0.02844788347746928, "chunk_count": 5,
                },
            ),
            (
                JAR[3].scorer(),
                {
                    "meteor": 0.7646945652306834, "precision": 0.6930232558139536, "recall": 0.7750000000000001,
                    "f1": 0.731722772277228, "fmean": 0.7659398059862368, "penalty": 0.0016257684296093072,
                    "chunk_count": 2, "hypothesis_match_count": 13, "reference_match_count": 14,
                    "exact_hypothesis_content_count": 4, "exact_hypothesis_function_count": 6,
                    "paraphrase_hypothesis_content_count": 2, "paraphrase_hypothesis_function_count": 1,
                    "paraphrase_reference_content_count": 2, "paraphrase_reference_function_count": 2,
                    "stem_hypothesis_content_count": 0, "synonym_hypothesis_content_count": 0,
                },
            ),
            (Meteor.variant("pycocoevalcap"), {"meteor": 0.44736091739438233}),
        ],
    )  # fmt: skip
    def test_digit_for_digit(self, scorer: Meteor, figures: dict[str, float]) -> None:
        scores = scorer.corpus([HYPOTHESIS], [REFERENCE]).scores
        assert {key: scores[key] for key in figures} == figures


class TestWhatIsPeculiar:
    """Of the programs, pinned: the day this fails, one has changed."""

    @pytest.mark.parametrize(
        ("word", "other", "language"), [("Aa", "BB", "en"), ("boy.", "bowl", "en"), ("доля", "дома", "ru")]
    )
    def test_words_of_one_hash_are_one_word(self, word: str, other: str, language: str) -> None:
        setting = single_words(language=language)
        assert not differences(setting, [f"{word} x"], [[f"{other} y"]])
        for aligner, count in (("beam", 1), ("paper", 0), ("greedy", 0)):
            scores = setting.scorer(aligner=aligner).corpus([word], [other]).scores
            assert scores["hypothesis_match_count"] == count

    def test_the_task_util_counts_words(self) -> None:
        """METEOR 1.5 says that util counts characters, and does not."""
        setting = single_words("util")
        live = setting.live.scores("meteor", ["abc de"], [["abc f"]], **setting.options)
        assert live["hypothesis_length"] == 2
        assert setting.scorer().unit == "words"

    def test_nltk_looks_up_synonyms_of_stems(self) -> None:
        """So "always" and "forever" do not match: WordNet knows no "alway"."""
        assert NLTK.live.segments("meteor", ["always"], [["forever"]])[0]["meteor"] == 0
        assert Meteor.variant("nltk").corpus(["always"], ["forever"]).value == 0
        words = Meteor.variant("nltk", stages=("exact", "synonym"), weights=(1, 1))
        assert words.corpus(["always"], ["forever"]).value == 0.5  # one chunk of one word: the penalty is gamma

    def test_a_whole_match_adds_no_chunk_to_others(self) -> None:
        """A segment matched whole in one chunk has no penalty, and adds no chunk to the sum of several."""
        corpus = ["a b c", "a x b"], [["a b c"], ["a y b"]]
        setting = single_words()
        assert not differences(setting, *corpus)
        scores = setting.scorer().corpus(*corpus).scores
        assert (scores["chunk_count"], scores["whole_count"]) == (3, 1)
        assert scores["penalty"] == pytest.approx(0.6 * (2 / 5) ** 0.2)
        assert Meteor.variant("nltk").corpus(["a b"], ["a b"]).value == 1 - 0.5 / 2**3

    @pytest.mark.parametrize(("hypothesis", "reference"), [("", "a"), ("a", ""), ("", ""), ("a", "b")])
    def test_without_a_match_the_score_is_zero(self, hypothesis: str, reference: str) -> None:
        """METEOR 1.5 prints NaN for what it cannot divide; here that is 0, as its score is."""
        assert not differences(single_words(), [hypothesis], [[reference]])
        for variant in ("nltk", "evaluate", "meteor-1.0"):
            scores = Meteor.variant(variant).corpus([hypothesis], [reference]).scores
            assert all(scores[key] == 0 for key in ("meteor", "precision", "recall", "f1", "fmean", "penalty"))

    def test_function_words_are_english(self) -> None:
        """METEOR 1.5 reads the list of its default language, and no other unless it is given the file."""
        setting = single_words(language="de")
        assert not differences(setting, ["und the"], [["und the"]])
        assert setting.scorer().corpus(["und the"], ["und the"]).scores["hypothesis_function_length"] == 1

    def test_a_language_without_data(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        """The scorer can be made and named, and says what it misses when it is used."""
        (tmp_path / "meteor-1.5.jar").symlink_to(meteor_jar())
        monkeypatch.setenv("METEOR_JAR", str(tmp_path / "meteor-1.5.jar"))
        scorer = Meteor.variant("meteor-1.5", language="de")
        assert "|language=de|" in scorer.signature
        with pytest.raises(InputError, match=r"paraphrase-de\.gz"):
            scorer.corpus(["a"], ["b"])

    @pytest.mark.parametrize("stage", everyday(STAGES, lambda stage: stage != "paraphrase"))
    def test_each_stage_alone(self, stage: str) -> None:
        setting = Setting(
            options={"modules": (stage,), "weights": (0.5,), "lower": True},
            fields={"stages": (stage,), "weights": (0.5,), "tokenizer": "meteor-1.5:lowercase=true"},
        )
        assert not differences(setting, [HYPOTHESIS, "running cats"], [[REFERENCE], ["run cat"]])


@pytest.mark.parametrize(
    ("prediction", "references", "older", "newer"),
    [
        # "run" matches "running" by its stem, and again as a synonym.
        ("run", ["buy running big buy homes"], 0.21739130434782608, 0.10869565217391304),
        ("purchase cars always", ["runs cars a runs", "car"], 0.8333333333333334, 0.4166666666666667),
        ("purchases speak dogs large runs", ["quickly run runs purchase", "dog kid talking dog talks"],
         0.36585365853658536, 0.24390243902439024),
        # The stem "talk" has synonyms that "talking" has not.
        ("run talking purchases", ["children speaks quickly fast"], 0.0, 0.12820512820512822),
        ("cars child the speak", ["dog run child talks"], 0.125, 0.25),
        # "quickly" is a synonym of "quick"; its stem "quickli" is not a word.
        ("quickly home", ["quick orders orders"], 0.17241379310344826, 0.0),
    ],
)  # fmt: skip
def test_nltk_up_to_3_6_2(prediction: str, references: list[str], older: float, newer: float) -> None:
    """These are numbers of nltk 3.6.2 with WordNet 3.0. Since 3.6.3 a word matches once, and synonyms are of stems."""
    for variant, number in (("nltk-3.6.2", older), ("nltk", newer)):
        assert same(Meteor.variant(variant).segments([prediction], [references])[0], number)
