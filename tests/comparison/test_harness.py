"""compare: equal numbers are grouped, gaps explained, and neither a missing nor a failing library stops it."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from importlib import metadata
from itertools import pairwise

import pytest

from metrologue.comparison import compare
from metrologue.comparison.findings.records import Number
from metrologue.comparison.harness import compare_metrics
from metrologue.comparison.libraries import LibraryError, adapters
from metrologue.comparison.libraries.nltk import Nltk
from metrologue.errors import InputError
from metrologue.scorers import Bleu, LogLossHashed, get_scorer
from metrologue.scorers.core.variants import Variant

REFERENCES = [
    ["the cat sat down, then the dog left the house", "the cat sat, then the dog left"],
    ["a man walks along the river bank at night", "at night a man walks by the river"],
]
# One has its commas apart, which 13a mends; the other has a wrong word.
APART = ["the cat sat down , then the dog left the house", "a man walks along the river bank at night"]
WRONG = ["the cat sat down, then the cow left the house", "a man walks along the river bank at night"]


def number(value: float | None, resolution: float = 1e-9, unit: float | None = 1.0) -> Number:
    return Number(kind="variant", name="x", version=None, system="s", value=value, unit=unit, resolution=resolution)


@pytest.fixture(scope="module")
def both():
    return compare({"apart": APART, "wrong": WRONG}, REFERENCES)


def test_numbers_are_equal_as_finely_as_the_coarser_column_computes():
    assert number(54.0, unit=100.0).equals(number(0.54))
    assert not number(0.54).equals(number(0.54 * (1 + 1e-7)))
    assert number(0.54).equals(number(0.54 * (1 + 1e-7), resolution=1e-6))
    assert not number(0.54).equals(number(0.54 * (1 + 1e-5), resolution=1e-6))
    assert number(0.0).equals(number(0.0))
    assert not number(0.0).equals(number(5e-155))
    assert not number(None).equals(number(None))
    assert number(3.5, unit=None).equals(number(3.5, unit=None))


def test_each_library_is_in_the_group_of_the_variant_that_mirrors_it(both):
    live = [n for n in both.numbers if n.kind == "library" and n.value is not None and n.name in Bleu.variants()]
    if not live:
        pytest.skip("no library is installed: pip install 'metrologue[compare]'")
    for found in live:
        (group,) = [g for g in both.groups if g.system == found.system and found.label in g.members]
        assert f"metrologue {found.name}" in group.members
        assert group.value == pytest.approx(found.share, rel=1e-6)


def test_groups_partition_the_numbers_in_ascending_order(both):
    for system in both.systems:
        groups = [group for group in both.groups if group.system == system]
        assert [group.value for group in groups] == sorted(group.value for group in groups)
        members = sorted(member for group in groups for member in group.members)
        assert members == sorted(n.label for n in both.numbers if n.system == system and n.value is not None)
    assert len([group for group in both.groups if group.system == "apart"]) > 1


def test_gaps_lead_from_group_to_group(both):
    """All gaps of the system whose numbers differ most are explained there, and others once, where they are widest."""
    spans, explained = {}, {(gap.variant_a, gap.variant_b): gap for gap in both.explanations}
    assert len({frozenset(names) for names in explained}) == len(both.explanations)
    for system in both.systems:
        groups = [g for g in both.groups if g.system == system and any("metrologue" in m for m in g.members)]
        spans[system] = groups[-1].value - groups[0].value
        for low, high in pairwise(groups):
            if high.value - low.value < 1e-9:  # two libraries compute finer than our variants are compared
                continue
            names = [next(m.removeprefix("metrologue ") for m in g.members if "metrologue" in m) for g in (low, high)]
            gap = explained.get((names[0], names[1])) or explained[names[1], names[0]]
            if gap.system == system:
                assert gap.gap == pytest.approx(high.value - low.value, abs=1e-9)
            else:
                assert gap.gap >= high.value - low.value or gap.system == both.causes[0].system
            assert math.fsum(part.share for part in gap.contributions) == pytest.approx(gap.gap, abs=1e-12)
    assert both.causes[0].system == max(spans, key=spans.get)


def test_systems_that_change_places_are_named(both):
    (flip,) = both.flips
    assert (flip.first, flip.second) == ("apart", "wrong")
    assert "metrologue sacrebleu" in flip.prefer_first
    assert "metrologue nltk" in flip.prefer_second
    # A library and the variant that mirrors it are one column of the matrix.
    name_of = {number.label: number.name for number in both.numbers}
    votes = [len({name_of[label] for label in labels}) for labels in (flip.prefer_first, flip.prefer_second)]
    assert both.votes("apart", "wrong") == tuple(votes)
    assert both.votes("wrong", "apart") == tuple(votes[::-1])
    ranking = {column: order.systems for order in both.orders for column in order.columns}
    assert ranking["metrologue sacrebleu"] == ["apart", "wrong"]
    assert ranking["metrologue nltk"] == ["wrong", "apart"]
    assert len(ranking) == len({n.label for n in both.numbers if n.value is not None})


def test_one_system_has_no_order():
    found = compare({"apart": APART}, REFERENCES, libraries=[])
    assert found.orders == found.flips == []


def test_systems_with_one_score_do_not_flip():
    found = compare({"one": APART, "two": APART}, REFERENCES, libraries=[])
    assert found.flips == []
    assert [order.systems for order in found.orders] == [["one", "two"]]


def test_json_and_markdown_hold_every_number(both):
    data = json.loads(both.to_json(), parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    assert data["systems"] == ["apart", "wrong"]
    assert data["segments"] == 2
    assert [n["value"] for n in data["numbers"]] == [n.value for n in both.numbers]
    assert data["explanations"][0]["contributions"][0].keys() >= {"choice", "share"}
    text = both.to_markdown()
    for found in both.numbers:
        assert found.label in text
        assert (found.missing or f"{100 * found.share:.6g}") in text
    widths = {line.count(" | ") for line in text.splitlines() if line.startswith("| ")}
    assert widths <= {2, 3, 4}  # tables of parts have other columns


def test_a_number_of_rouge_is_compared_with_what_the_libraries_give_for_it():
    """Libraries run. A variant that has no such number is left out, and rows say which number it is."""
    study = compare_metrics({"a": APART, "b": WRONG}, REFERENCES, ["rouge2"], ["rouge_score", "pycocoevalcap"])
    [found] = study.comparisons
    assert (found.metric, found.primary, found.number_name) == ("rouge", "rouge2_fmeasure", "rouge2_fmeasure")
    scorer = get_scorer("rouge").variant("rouge_score")
    numbers = {(n.kind, n.name, n.system): n for n in found.numbers}
    for system, texts in {"a": APART, "b": WRONG}.items():
        expected = scorer.corpus(texts, REFERENCES).scores["rouge2_fmeasure"]
        assert numbers["variant", "rouge_score", system].value == expected
        live = numbers["library", "rouge_score", system]
        assert live.missing or live.residual == 0.0
        assert numbers["library", "pycocoevalcap", system].missing
    assert not any(name == "pycocoevalcap" for kind, name, _ in numbers if kind == "variant")
    assert "| rouge2_fmeasure | metrologue rouge_score |" in study.to_markdown()
    with pytest.raises(InputError, match="no number is called"):
        compare_metrics({"a": APART}, REFERENCES, ["rougeZ"], [])


def test_pipes_in_names_do_not_break_the_table():
    text = compare({"a|b": APART}, REFERENCES, libraries=[], variants=["nltk"]).to_markdown()
    assert "a\\|b" in text


def test_missing_libraries_are_told_and_stop_nothing(monkeypatch):
    def absent(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", absent)
    found = compare({"apart": APART}, REFERENCES, processes=0)
    libraries = [n for n in found.numbers if n.kind == "library"]
    assert [n.name for n in libraries] == [library.name for library in adapters("bleu")]
    assert all(n.value is None and "pip install" in n.missing for n in libraries)
    assert [n.name for n in found.numbers if n.value is not None] == [
        name for name, variant in Bleu.variants().items() if not variant.is_apart
    ]


@pytest.mark.parametrize(
    ("returned", "reason"),
    [(ZeroDivisionError("by zero"), "raises ZeroDivisionError: by zero"), (math.nan, "gives nan")],
)
def test_failing_library_is_told_and_stops_nothing(monkeypatch, returned, reason):
    def score_bleu(self, predictions, references):
        if isinstance(returned, Exception):
            raise returned
        return {"bleu": returned}

    monkeypatch.setattr(Nltk, "score_bleu", score_bleu)
    monkeypatch.setattr(Nltk, "distributions", ("numpy",))
    found = compare({"apart": APART}, REFERENCES, libraries=["nltk"], variants=["nltk"], processes=0)
    library, variant = found.numbers
    assert (library.value, library.missing) == (None, reason)
    assert variant.value == Bleu.variant("nltk").corpus(APART, REFERENCES).value
    assert [group.members for group in found.groups] == [["metrologue nltk"]]
    json.loads(found.to_json())


def test_variant_refuses_what_its_library_cannot_score():
    found = compare({"empty": [""]}, [["a"]], libraries=[], variants=["evaluate", "nltk"])
    refused, scored = found.numbers
    assert refused.value is None
    assert "Bleu" in refused.missing
    assert scored.value == 0


def test_progress_counts_every_number():
    seen = []
    compare(
        {"apart": APART, "wrong": WRONG},
        REFERENCES,
        libraries=[],
        variants=["nltk", "sacrebleu"],
        progress=lambda what, done, total: seen.append((what, done, total)),
    )
    assert seen == [
        ("metrologue nltk, apart", 1, 4),
        ("metrologue sacrebleu, apart", 2, 4),
        ("metrologue nltk, wrong", 3, 4),
        ("metrologue sacrebleu, wrong", 4, 4),
    ]


@pytest.mark.parametrize(
    ("systems", "references", "options", "message"),
    [
        ({}, REFERENCES, {}, "`systems` is empty"),
        ({"apart": []}, [], {}, "no segments"),
        ({"apart": APART, "short": APART[:1]}, REFERENCES, {}, "compare, short: 1 prediction but 2 references"),
        ({"apart": APART}, REFERENCES, {"metric": "blue"}, "no metric is called 'blue'"),
        ({"apart": APART}, REFERENCES, {"variants": ["perl"]}, "no variant is called 'perl'"),
    ],
)
def test_bad_input_is_refused(systems, references, options, message):
    with pytest.raises(InputError, match=message):
        compare(systems, references, libraries=[], **options)


def test_unknown_library_is_refused():
    with pytest.raises(LibraryError, match="no adapter is called 'perl'"):
        compare({"apart": APART}, REFERENCES, libraries=["perl"])


def test_label_says_whose_number_it_is():
    ours = number(0.5)
    assert ours.label == "metrologue x"
    assert replace(ours, kind="library", version="1.2").label == "x 1.2"
    assert replace(ours, kind="library").label == "x"


def test_library_without_the_primary_number_is_told(monkeypatch):
    monkeypatch.setattr(Nltk, "score_bleu", lambda *args: {"other": 0.5})
    (found,) = compare({"apart": APART}, REFERENCES, libraries=["nltk"], variants=[], processes=0).numbers
    assert found.value is None
    assert found.missing in ("gives no bleu", str(Nltk().status()))


def test_variants_that_measure_another_quantity() -> None:
    """The first variant says what is compared; a normalized distance is no distance."""
    systems = {"mine": ["horse"]}
    found = compare(
        systems, ["ros"], metric="edit_distance", libraries=[], variants=["rapidfuzz", "rapidfuzz-normalized"]
    )
    assert [(n.value, n.missing) for n in found.numbers] == [
        (3.0, None),
        (None, "gives normalized_distance, which is another quantity"),
    ]
    assert (found.primary, found.in_points) == ("edit_distance", False)
    alone = compare(systems, ["ros"], metric="edit_distance", libraries=[], variants=["rapidfuzz-normalized"])
    assert [n.value for n in alone.numbers] == [0.6]
    assert (alone.primary, alone.in_points) == ("normalized_distance", True)


def test_a_distance_is_on_no_scale() -> None:
    found = compare({"mine": ["horse", "abcd"]}, ["ros", "xyzw"], metric="edit_distance")
    known = [n for n in found.numbers if n.value is not None]
    assert {(n.value, n.share, n.unit) for n in known} == {(3.5, 3.5, None)}
    assert [(group.value, len(group.members)) for group in found.groups] == [(3.5, len(known))]
    text = found.to_markdown()
    assert "| edit_distance | metrologue rapidfuzz | 3.5 [3, 4] |" in text
    assert "Equal numbers, in edit_distance:" in text
    rate = compare({"mine": ["a b c d"]}, ["a x"], metric="wer", libraries=[])
    assert rate.in_points
    assert {(n.name == "is21_deep_bias", n.value, n.share, n.unit) for n in rate.numbers} == {
        (False, 1.5, 1.5, 1.0),
        (True, 150.0, 1.5, 100.0),
    }
    assert "| wer | metrologue jiwer | 150 |" in rate.to_markdown()


def test_processes_give_what_one_gives() -> None:
    """Several processes: the same comparison, in the same order, and each number is told of once."""
    systems = {"a": ["the cat sat on the mat", "a dog"], "b": ["the cat sat", "the dog ran"]}
    references = ["the cat sat on a mat", "the dog ran"]
    told: list[tuple[str, int, int]] = []
    one, several = (
        compare(systems, references, libraries=["sacrebleu", "nltk"], variants=["nltk", "sacrebleu"], **options)
        for options in ({"processes": 0}, {"processes": 2, "progress": lambda *each: told.append(each)})
    )
    assert several == one
    assert [number.label.split()[0] for number in one.numbers[:4]] == ["sacrebleu", "nltk", "metrologue", "metrologue"]
    assert [done for _, done, _ in told] == [*range(1, 9)]
    assert {total for _, _, total in told} == {8}


def test_printed_decimals_tell_numbers_apart() -> None:
    """ROUGE-1.5.5 prints five decimals: what differs in them is another number."""

    def number(value: float, digits: int | None) -> Number:
        kind = "variant" if digits is None else "library"
        return Number(kind=kind, name="x", version=None, system="s", value=value, unit=1.0, printed_digits=digits)

    printed = number(0.69838, 5)
    assert printed.equals(number(0.6983778, None))
    assert number(0.6983778, None).equals(printed)
    assert not printed.equals(number(0.69841, None))
    assert not printed.equals(number(0.69839, 5))


def test_the_decimals_of_a_library_are_those_of_its_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    class Printing(Nltk):
        printed_digits = 2

    monkeypatch.setattr("metrologue.comparison.harness.get_library", lambda name: Printing())
    found = compare({"a": ["a b c d e"]}, ["a b c d x"], libraries=["nltk"], variants=["nltk"], processes=0)
    assert [each.printed_digits for each in found.numbers] == [2, None]


def test_infinite_numbers_have_no_gap(monkeypatch):
    """With two buckets, the words B and zebra of line 1 share one; with 1,024, zebra is impossible."""
    few = {bits: Variant("GEval", f"{bits} bits", {"bits": bits}) for bits in (1, 2)}
    monkeypatch.setattr(LogLossHashed, "_variants", {**LogLossHashed._variants, "few": few[1], "more": few[2]})
    systems = {"sure": ["B:1", "A:0.5 :0.5"], "careful": ["B:0.5 :0.5", "A:0.5 :0.5"]}
    found = compare(systems, [["zebra"], ["A"]], "log_loss_hashed")
    numbers = {(number.system, number.name): number.value for number in found.numbers}
    assert numbers["sure", "geval"] == math.inf
    assert math.isfinite(numbers["sure", "few"])
    assert all(math.isfinite(numbers["careful", name]) for name in ("geval", "few", "more"))
    gaps = {(gap.system, gap.variant_a, gap.variant_b) for gap in found.explanations}
    assert {system for system, *_ in gaps} <= {"sure", "careful"}
    assert ("sure", "few", "geval") not in gaps
    assert any(system == "careful" for system, *_ in gaps)
    plain = json.loads(found.to_json(), parse_constant=lambda constant: pytest.fail(constant))
    assert "Infinity" in {number["value"] for number in plain["numbers"]}
    assert "inf" in found.to_markdown()
