"""compare: intervals and p-values are those of the scorers, and sentences say what they mean."""

from __future__ import annotations

import json
import warnings
from dataclasses import replace
from pathlib import Path

import pytest

from metrologue.comparison import Comparison, compare
from metrologue.comparison.findings.number import Flip, Sampling
from metrologue.comparison.harness import compare_metrics
from metrologue.comparison.showing.sentences import (
    flip_sentence,
    headline,
    leads,
    people_sentence,
    sampling_note,
    shown_difference,
    shown_p,
    winner_sentence,
)
from metrologue.errors import InputError
from metrologue.files.parts import read_segments
from metrologue.inference import confidence_interval, pairwise_tests, winners
from metrologue.scorers import Bleu, WordErrorRate, get_scorer
from metrologue.scorers.core.numbers import perfect_score
from metrologue.segments import Segments

NAMES = ("amber", "birch", "cedar")
Texts = tuple[dict[str, list[str]], list[list[str]]]


@pytest.fixture(scope="module")
def texts(root: Path) -> Texts:
    folder = root / "comparison" / "sample"
    systems, references = read_segments(
        [str(folder / f"{name}.txt") for name in NAMES], [str(folder / f"reference_{i}.txt") for i in (1, 2)]
    )
    return dict(zip(NAMES, systems, strict=True)), references


@pytest.fixture(scope="module")
def segments(texts: Texts) -> dict[str, Segments]:
    first = Segments(texts[0]["amber"], texts[1], shared=True)
    return {name: first.with_predictions(each) for name, each in texts[0].items()}


@pytest.fixture(scope="module")
def bleu(texts: Texts) -> Comparison:
    return compare(*texts, "bleu", ["nltk", "sacrebleu"])


def test_intervals_are_those_of_the_variants(bleu: Comparison, segments: dict[str, Segments]) -> None:
    live = 0
    for number in bleu.numbers:
        if number.value is None:
            assert number.interval is None
            continue
        expected = confidence_interval(Bleu.variant(number.name), segments[number.system])
        assert number.interval == expected, number.label
        unit = 100 / (number.unit or 1)
        assert bleu.limits(number) == pytest.approx((unit * expected.low, unit * expected.high), rel=1e-12)
        live += number.kind == "library"
    assert live or not any(n.kind == "library" and n.value is not None for n in bleu.numbers)


def test_winners_are_those_of_the_paired_tests(bleu: Comparison, segments: dict[str, Segments]) -> None:
    scorers = {name: Bleu.variant(name) for name, each in Bleu.variants().items() if not each.is_apart}
    assert bleu.winners == winners(scorers, segments)
    assert {test.seed for winner in bleu.winners.values() for test in winner.tests} == {12345}
    for name, own in leads(bleu).items():
        scale = 100 / (perfect_score(scorers[name]) or 1)
        for lead, test in zip(own, bleu.winners[name].tests, strict=True):
            assert lead.difference == pytest.approx(-scale * test.difference, rel=1e-12)
            assert lead.p_value == test.corrected_p_value
            assert lead.limits is not None
            assert lead.limits[0] <= lead.difference <= lead.limits[1]
            assert test.difference_interval is not None
            assert lead.limits[1] == pytest.approx(-scale * test.difference_interval.low, rel=1e-12)


def test_a_change_of_order_is_tested(bleu: Comparison, segments: dict[str, Segments]) -> None:
    (flip,) = (flip for flip in bleu.flips if (flip.first, flip.second) == ("amber", "birch"))
    for name, test in flip.tests.items():
        assert test in pairwise_tests(Bleu.variant(name), segments)
        assert {test.system, test.baseline} == {"amber", "birch"}
    name, test = flip.strongest(first=False) or pytest.fail("a column prefers birch")
    assert (name, test.corrected_p_value < 0.05) == ("nltk", True)
    assert not flip.is_significant
    told = flip_sentence(bleu, flip)
    assert (
        "amber leads birch under get-ende-bleu (+8.04, p = 0.178), and birch beats amber under nltk (+18.99, p = "
        in told
    )
    assert told.endswith(
        "Only one of the two is significant, so that the libraries do not clearly contradict each other."
    )
    sides = {name: replace(each, corrected_p_value=0.01) for name, each in flip.tests.items()}
    assert replace(flip, tests=sides).is_significant
    assert flip_sentence(bleu, replace(flip, tests=sides)).endswith("the choice of library decides.")
    sides = {name: replace(each, corrected_p_value=0.5) for name, each in flip.tests.items()}
    assert flip_sentence(bleu, replace(flip, tests=sides)).endswith("Neither is significant: the order may be chance.")
    nobody = Flip(first="amber", second="birch", prefer_first=["x"], prefer_second=["y"])
    assert (flip_sentence(bleu, nobody), nobody.is_significant) == ("", False)


def test_the_headline_says_whose_library_prefers_whom(bleu: Comparison) -> None:
    told = headline(bleu)
    assert told.startswith("The choice of library changes which system has the best number: amber under sacrebleu, ")
    assert told.endswith(
        "; birch under nltk, pycocoevalcap, torchmetrics, multi-bleu and fairseq-score. This change is not "
        "significant: no two libraries contradict each other with p below 0.05."
    )
    sides = [
        replace(flip, tests={name: replace(each, corrected_p_value=0.01) for name, each in flip.tests.items()})
        for flip in bleu.flips
    ]
    assert headline(replace(bleu, flips=sides)).endswith(" and fairseq-score. This change is significant.")
    assert winner_sentence(leads(bleu)["sacrebleu"]).startswith(
        "amber beats cedar (+44.90, p = 0.003), but not birch ("
    )
    assert winner_sentence(leads(bleu)["nltk"]).startswith("birch beats amber (+18.99, p = 0.007) and cedar (+36.44, ")


def test_the_headline_of_agreement_and_of_doubt(texts: Texts) -> None:
    ter = compare(*texts, "ter", [])
    assert headline(ter) == "birch scores highest under sacrebleu and torchmetrics, always significantly (p <= 0.003)."
    assert leads(ter)["sacrebleu"][0].difference < 0, "less is better"
    systems, references = texts
    two = {name: systems[name] for name in ("amber", "birch")}
    one = compare(two, references, "bleu", [], ["sacrebleu"])
    told = headline(one)
    assert told.startswith("amber has the best number under sacrebleu, but its lead over birch may be chance (p = 0.2")
    assert (
        winner_sentence(leads(one)["sacrebleu"])
        == f"amber leads birch {leads(one)['sacrebleu'][0].shown}, which may be chance"
    )
    same = compare({"a": systems["amber"], "b": systems["amber"]}, references, "bleu", [], ["sacrebleu", "nltk"])
    assert headline(same) == "All systems have the same number under sacrebleu and nltk."


def test_equal_systems_lead_nobody(texts: Texts) -> None:
    systems, references = texts
    three = {"a": systems["amber"], "b": systems["amber"], "c": systems["cedar"]}
    found = compare(three, references, "bleu", [], ["sacrebleu", "nltk"])
    assert headline(found) == "a and b have the best number under sacrebleu and nltk: it is the same."
    told = winner_sentence(leads(found)["sacrebleu"])
    assert told == f"a beats c {leads(found)['sacrebleu'][1].shown}, but not b (the same number)"
    assert people_sentence(found).startswith("Under sacrebleu, a is 44.90 points of BLEU before c. ")


def test_the_tests_of_many_pairs_have_enough_resamples(texts: Texts) -> None:
    systems, references = texts
    worst = [""] * len(systems["amber"])
    many = {str(i): systems["amber"] for i in range(8)} | {"worst": worst}
    found = compare(many, references, "wer", [], ["jiwer"], resamples=100)
    (winner,) = found.winners.values()
    assert [test.system for test in winner.tests if test.is_significant()] == ["worst"]
    assert len(winner.tests) + len(winner.others) == 36
    assert sampling_note(found).endswith(
        "p-values by the paired bootstrap of 2,880 resamples, after Holm's correction for all pairs of systems."
    )


def test_the_headline_where_libraries_agree_on_the_winner_only(bleu: Comparison) -> None:
    clear = bleu.winners["nltk"]
    doubtful = replace(
        clear,
        undecided=("amber",),
        tests=tuple(replace(t, corrected_p_value=0.3) if t.system == "amber" else t for t in clear.tests),
    )
    few = replace(bleu, winners={"nltk": clear, "torchmetrics": doubtful})
    assert headline(few) == (
        "birch has the best number under nltk and torchmetrics, but its lead over amber is significant only under nltk."
    )
    most = replace(bleu, winners={"nltk": clear, "pycocoevalcap": clear, "torchmetrics": doubtful})
    assert headline(most) == (
        "birch wins under nltk and pycocoevalcap; under torchmetrics its lead over amber may be chance."
    )


def test_one_system_has_intervals_only(texts: Texts) -> None:
    found = compare({"amber": texts[0]["amber"]}, texts[1], "bleu", [], ["sacrebleu"])
    (number,) = found.numbers
    assert number.interval is not None
    low, high = number.interval.low, number.interval.high
    assert headline(found) == (
        f"sacrebleu gives {number.value:.2f}; the 95 % interval of this number goes from {low:.2f} to {high:.2f}."
    )
    assert (found.winners, people_sentence(found)) == ({}, "")
    assert "p-values" not in sampling_note(found)
    assert f"[{low:.4g}, {high:.4g}]" in found.to_markdown()


def test_one_segment_has_no_interval_and_says_so() -> None:
    found = compare({"a": ["a b c d"], "b": ["a b c x"]}, ["a b c d"], "bleu", [])
    assert all(number.interval is None for number in found.numbers)
    assert (found.winners, sampling_note(found)) == ({}, "")
    assert headline(found) == "One segment has no interval: resampling needs at least two."
    assert headline(found) in found.to_markdown()


def test_metrics_of_what_is_distinct_have_intervals_too(texts: Texts) -> None:
    systems, references = texts
    found = compare(*texts, "distinct_n", [], ["metrologue"])
    scorer = get_scorer("distinct_n").variant("metrologue")
    for number in found.numbers:
        own = scorer.corpus(systems[number.system], references, confidence=0.95).interval
        assert (number.interval.low, number.interval.high) == (own.low, own.high)
    assert headline(found)


def test_few_segments_are_told_of(bleu: Comparison) -> None:
    assert "rough" not in sampling_note(bleu)
    found = compare({"a": ["a b", "c d"], "b": ["a b", "c x"]}, ["a b", "c d"], "wer", [])
    assert sampling_note(found).endswith("With only 2 segments, all of this is rough.")


def test_intervals_and_tests_can_be_left_out(texts: Texts) -> None:
    bare = compare(*texts, "wer", [], confidence=None)
    assert all(number.interval is None for number in bare.numbers)
    assert (bare.winners, bare.sampling, headline(bare)) == ({}, None, "")
    assert "[" not in bare.to_markdown()
    untested = compare(*texts, "wer", [], tests=False)
    assert untested.winners == {}
    assert untested.numbers[0].interval is not None
    assert headline(untested).startswith("jiwer gives amber ")
    assert "*" not in untested.to_markdown()


def test_level_resamples_and_seed_are_those_given(texts: Texts, segments: dict[str, Segments]) -> None:
    found = compare(*texts, "wer", [], ["jiwer"], confidence=0.8, resamples=300, seed=7)
    expected = confidence_interval(WordErrorRate(), segments["birch"], level=0.8, resamples=300, seed=7)
    assert found.numbers[1].interval == expected
    assert {(test.resamples, test.seed) for test in found.winners["jiwer"].tests} == {(300, 7)}
    assert found.winners["jiwer"].tests[0].difference_interval.level == 0.8
    assert sampling_note(found).startswith("80 % intervals: 300 resamples of the segments, seed 7, the same for all")
    assert found.sampling == Sampling(level=0.8, resamples=300, seed=7)


def test_json_has_limits_settings_and_p_values(bleu: Comparison) -> None:
    data = json.loads(bleu.to_json())
    for plain, number in zip(data["numbers"], bleu.numbers, strict=True):
        if number.interval is None:
            assert plain["interval"] is plain["points_interval"] is None
        else:
            assert plain["interval"] == number.interval.to_dict()
            assert {"low", "high", "level", "resamples", "seed", "method"} <= plain["interval"].keys()
            assert plain["points_interval"] == list(bleu.limits(number) or ())
    assert data["sampling"] == {"level": 0.95, "resamples": 1000, "seed": 12345, "tests": True}
    for name, winner in bleu.winners.items():
        plain = data["winners"][name]
        assert (plain["system"], plain["is_clear"]) == (winner.system, winner.is_clear)
        assert [test["p_value"] for test in plain["tests"]] == [test.p_value for test in winner.tests]
    assert [flip["is_significant"] for flip in data["flips"]] == [flip.is_significant for flip in bleu.flips]


def test_markdown_has_every_sentence_and_marks_clear_winners_only(bleu: Comparison) -> None:
    text = bleu.to_markdown()
    for told in (
        headline(bleu),
        people_sentence(bleu),
        sampling_note(bleu),
        *map(winner_sentence, leads(bleu).values()),
    ):
        assert told
        assert told in text
    rows = {line.split(" | ")[1]: line for line in text.splitlines() if line.startswith("| bleu")}
    assert "(1*)" in rows["metrologue nltk"]
    assert "(1*)" not in rows["metrologue sacrebleu"]
    assert "(1)" in rows["metrologue sacrebleu"]


def test_what_a_difference_means_to_people_is_told_where_the_paper_covers_it(texts: Texts, bleu: Comparison) -> None:
    told = people_sentence(bleu)
    assert told.startswith("Under sacrebleu, amber is 7.30 points of BLEU before birch, which may be chance. ")
    assert told.endswith("in an estimated 85 % of pairs of systems, the largest share that is reached.")
    chrf = people_sentence(compare(*texts, "chrf", [], ["sacrebleu"]))
    assert "points of chrF before birch" in chrf
    assert chrf.endswith(
        "a difference of 2.12 points or more in an estimated 85 % of pairs of systems; 90 % would need 3.05 points."
    )
    near = [texts[0]["amber"][0].as_py() + " x", *texts[0]["amber"][1:].to_pylist()]
    close = compare({"a": texts[0]["amber"], "b": near}, texts[1], "bleu", [], ["sacrebleu"])
    assert people_sentence(close).endswith("a difference below 0.27 points no more often than with the toss of a coin.")
    same = compare({"a": texts[0]["amber"], "b": texts[0]["amber"]}, texts[1], "bleu", [], ["sacrebleu"])
    assert people_sentence(same) == "", "there is no difference"
    for metric, variants in (("wer", None), ("bleu", ["nltk"])):
        assert people_sentence(compare(*texts, metric, [], variants)) == ""


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"confidence": 0.0}, "the level of confidence is 0.0; a number above 0 and below 1"),
        ({"confidence": 1.0}, "the level of confidence is 1.0"),
        ({"confidence": "x"}, "the level of confidence is 'x'"),
        ({"resamples": 1}, "resamples: 1 is not an int from 2"),
        ({"seed": -1}, "seed: -1 is not an int from 0"),
    ],
)
def test_bad_arguments_are_refused_before_the_work(change: dict[str, object], message: str, texts: Texts) -> None:
    for call in (compare, compare_metrics):
        with pytest.raises(InputError) as raised:
            call(*texts, "bleu" if call is compare else ["bleu"], [], **change)  # type: ignore[operator]
        assert message in str(raised.value)


def test_systems_of_unequal_length_are_refused() -> None:
    with pytest.raises(InputError, match=r"compare, b: 1 prediction but 2 references"):
        compare({"a": ["a", "b"], "b": ["a"]}, ["a", "b"], "bleu", [])


def test_few_resamples_are_warned_of_once(texts: Texts) -> None:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        compare(*texts, "wer", [], resamples=50)
    assert [str(each.message) for each in told] == ["50 resamples are few: the limits change with the seed; use 1000."]


@pytest.mark.parametrize(
    ("value", "text"), [(0.0001, "p < 0.001"), (0.000999, "p = 0.001"), (0.0496, "p = 0.0496"), (0.25, "p = 0.250")]
)
def test_p_values_are_short_and_say_on_which_side_they_are(value: float, text: str) -> None:
    assert shown_p(value) == text


@pytest.mark.parametrize(("value", "text"), [(0.0, "+0.00"), (-18.944, "−18.94"), (0.0123, "+0.012"), (-0.1, "−0.10")])
def test_differences_have_a_sign(value: float, text: str) -> None:
    assert shown_difference(value) == text
