"""``metrologue which``: the search among settings, against each scorer on its own; and what is said of the answer."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

import metrologue
from metrologue.cli import main
from metrologue.comparison.evaluating import evaluate, wanted
from metrologue.comparison.settings import ALL, Setting, alternatives, settings, telling
from metrologue.comparison.which import Printed, families, which
from metrologue.errors import InputError
from metrologue.scorers import Bleu, get_scorer
from metrologue.scorers.core.options import choices_of
from metrologue.segments import Segments

PREDICTIONS = [
    "The cat, it sat on the mat; then it slept.",
    "a Dog ran home, quickly",
    "It rained all day (they say).",
    "We met at noon by the station.",
]
REFERENCES = [
    "The cat sat on the mat, and then it slept.",
    "A dog ran home quickly.",
    "It rained all day, they say.",
    "We met at the station at noon.",
]
QUICK = ["bleu", "google_bleu", "chrf", "ter", "wer", "cer", "nist_mt", "cider", "gtm", "dice", "edit_distance"]


@pytest.mark.parametrize("metric", QUICK)
def test_each_setting_has_the_number_of_its_scorer(metric: str) -> None:
    kind = get_scorer(metric)
    segments = Segments(PREDICTIONS, REFERENCES)
    some = [*settings(kind, alternatives(kind), 1)][::5]
    for setting, numbers in zip(some, evaluate(some, {ALL: segments}), strict=True):
        try:
            scorer = setting.scorer()
            expected = scorer.corpus(segments).scores
        except InputError:
            assert numbers == {}
            continue
        assert numbers is not None
        for name in wanted(scorer):
            unit = scorer._perfect_score or 1.0
            assert numbers[name] * unit == pytest.approx(expected[name], rel=1e-12, abs=1e-300), (setting, name)


def test_rouge_has_the_numbers_of_its_scorers_too() -> None:
    kind, segments = get_scorer("rouge"), Segments(PREDICTIONS, REFERENCES)
    some = [each for each in settings(kind, alternatives(kind), 1) if each.steps == 0 or "aggregation" in each.changes]
    for setting, numbers in zip(some, evaluate(some, {ALL: segments}), strict=True):
        try:
            expected = setting.scorer().corpus(segments)
        except InputError:
            assert numbers == {}
        else:
            assert numbers is not None
            assert numbers["rougeL_fmeasure"] == pytest.approx(expected.value, rel=1e-12)


def test_every_variant_and_every_declared_value_is_a_setting() -> None:
    found = [*settings(Bleu, alternatives(Bleu), 1)]
    assert [each.variant for each in found if not each.steps] == [*Bleu.variants()]
    scorers = [each.scorer() for each in found]
    for name in ("smoothing", "zero_when", "reference_length", "aggregation"):
        assert {getattr(scorer, name) for scorer in scorers} == {*(Bleu._options()[name].one_of or ())}
    assert {getattr(scorer, "max_order") for scorer in scorers} == {1, 2, 3, 4}  # noqa: B009
    assert len({*scorers}) == len(scorers)


def test_changes_with_one_effect_are_tried_once() -> None:
    segments = Segments(["a b c d e", "x y z"], ["a b c d f", "x y w"])
    reduced = telling(Bleu, alternatives(Bleu), lambda some: [*zip(evaluate(some, {ALL: segments}))])
    by_name = {choice.name: changes for choice, changes in reduced.items()}
    assert "reference length" not in by_name  # there is one reference
    assert "case" not in by_name  # there are no capitals
    assert {choice.name for choice in choices_of(Bleu)} >= {*by_name}


@pytest.mark.parametrize(
    ("variant", "changes"),
    [
        ("sacrebleu", {}),
        ("nltk", {"lowercase": True}),
        ("sacrebleu", {"aggregation": "mean", "smoothing": "floor"}),
        ("nltk", {"tokenizer": "intl", "max_order": 2}),
    ],
)
def test_a_setting_is_found_by_its_number(variant: str, changes: dict[str, object]) -> None:
    value = Bleu.variant(variant, **changes).corpus(PREDICTIONS, REFERENCES).value
    found = metrologue.which("bleu", f"{value:.6f}", PREDICTIONS, REFERENCES)
    assert any(answer.values[0] == pytest.approx(value, rel=1e-9) for answer in found.answers)
    for answer in found.answers:
        own = answer.scorer.corpus(PREDICTIONS, REFERENCES).scores[answer.name] * answer.scale
        assert own == pytest.approx(answer.values[0], rel=1e-9)
        assert Printed.of(f"{value:.6f}").fits(own)


def test_named_variants_come_first_and_scales_do_not_matter() -> None:
    value = Bleu().corpus(PREDICTIONS, REFERENCES).value
    found = which("bleu", f"{value / 100:.4f}", PREDICTIONS, REFERENCES)
    assert found.answers[0].setting == Setting("bleu", "evaluate")  # it prints on a scale of 1, with the same value
    assert found.answers[0].values[0] == pytest.approx(value / 100)
    assert found.near >= len(found.answers)


def test_swapped_texts_and_single_references_are_found() -> None:
    swapped = Bleu().corpus(REFERENCES, PREDICTIONS).value
    found = which("bleu", f"{swapped:.7f}", PREDICTIONS, REFERENCES)
    assert "swapped" in {answer.setting.texts for answer in found.answers}
    both = [[a, b] for a, b in zip(REFERENCES, reversed(REFERENCES), strict=True)]
    second = Bleu().corpus(PREDICTIONS, [b for _, b in both]).value
    found = which("bleu", f"{second:.7f}", PREDICTIONS, both, changes=1)
    assert "reference 2 alone" in {answer.setting.texts for answer in found.answers}


def test_several_systems_leave_fewer_settings() -> None:
    systems = {"a": PREDICTIONS, "b": [text.lower() for text in PREDICTIONS]}
    numbers = {name: f"{Bleu().corpus(texts, REFERENCES).value:.0f}" for name, texts in systems.items()}
    alone = which("bleu", numbers["a"], PREDICTIONS, REFERENCES)
    both = which("bleu", numbers, systems, REFERENCES)
    assert both.answers[0].setting == Setting("bleu", "sacrebleu")
    assert sum(each.count for each in both.answers) < sum(each.count for each in alone.answers)
    assert both.chance < alone.chance


def test_if_nothing_fits_the_nearest_are_told() -> None:
    found = which("wer", "0.98765432", PREDICTIONS, REFERENCES)
    assert not found.answers
    assert len(found.nearest) == 3
    assert "no setting gives this number. The nearest:" in next(iter(found.lines()))


def test_time_is_a_limit_and_what_was_not_tried_is_said() -> None:
    some = [*settings(Bleu, alternatives(Bleu), 1)]
    numbers = evaluate(some, {ALL: Segments(PREDICTIONS, REFERENCES)}, until=0)
    assert [each.steps for each, own in zip(some, numbers, strict=True) if own is not None] == [0] * len(
        Bleu.variants()
    )
    value = f"{Bleu.variant('nltk').corpus(PREDICTIONS, REFERENCES).value:.6f}"
    found = which("bleu", value, PREDICTIONS, REFERENCES, seconds=0)
    assert found.answers[0].setting == Setting("bleu", "nltk")
    assert found.untried
    assert "more were not tried, for lack of time" in [*found.lines()][-1]


@pytest.mark.parametrize("number", ["", "abc", "nan", "inf", None, True, float("nan"), []])
def test_what_is_no_number_is_refused(number: object) -> None:
    with pytest.raises(InputError, match=r"a finite number such as 27\.3 is expected"):
        which("bleu", number, PREDICTIONS, REFERENCES)


def test_metrics_of_other_inputs_are_refused() -> None:
    assert families("bleu") == ["bleu", "google_bleu"]
    assert {"rouge", "chrf", "meteor"} <= {*families("all")}
    with pytest.raises(InputError, match="distinct_n does not compare texts with references"):
        which("distinct_n", 0.5, PREDICTIONS, REFERENCES)
    with pytest.raises(InputError, match="no segments"):
        which("bleu", 1, [], [])
    with pytest.raises(InputError, match="`references` are missing"):
        which("bleu", 1, PREDICTIONS, None)
    with pytest.raises(InputError, match="different systems"):
        which("bleu", {"a": 1}, {"b": PREDICTIONS}, REFERENCES)


def lines(path: Path, texts: Sequence[str]) -> str:
    path.write_text("".join(f"{text}\n" for text in texts), "utf-8")
    return str(path)


def test_command(tmp_path: Path) -> None:
    a, b = lines(tmp_path / "a.txt", PREDICTIONS), lines(tmp_path / "b.txt", REFERENCES)
    value = f"{Bleu.variant('nltk').corpus(PREDICTIONS, REFERENCES).value:.4f}"
    shown = CliRunner().invoke(main, ["which", "bleu", value, "-p", a, "-r", b])
    assert shown.exit_code == 0, shown.output
    assert f"metrologue score bleu --variant nltk -p {a} -r {b}\n" in shown.output
    told = CliRunner().invoke(
        main, ["which", "bleu", "-p", f"{a}={value}", "-p", f"{b}=1", "-r", b, "--format", "json"]
    )
    found = json.loads(told.output)
    assert found["printed"] == {"a.txt": value, "b.txt": "1"}
    assert found["answers"][0]["variant"] == "nltk"
    assert "one number for each" in CliRunner().invoke(main, ["which", "bleu", "-p", a, "-r", b]).output
    assert "given twice" in CliRunner().invoke(main, ["which", "bleu", "-p", f"{a}=1", "-p", f"{a}=2", "-r", b]).output


def test_the_command_can_be_pasted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It prints the number, whatever was compared, and however the files are called."""
    monkeypatch.chdir(tmp_path)
    a, b, c = "my texts.txt", "b.jsonl", "c's.jsonl"
    lines(Path(a), PREDICTIONS)
    for name, texts in ((b, REFERENCES), (c, [f"{text} so" for text in PREDICTIONS])):
        lines(Path(name), [json.dumps({"text": text}) for text in texts])
    others = [json.loads(line)["text"] for line in Path(c).read_text("utf-8").splitlines()]
    for files, numbers, compared in (
        (["-p", a, "-r", b], Bleu(lowercase=True).corpus(PREDICTIONS, REFERENCES), "all"),
        (["-p", a, "-r", c], Bleu().corpus(others, PREDICTIONS), "swapped"),
        (["-p", a, "-r", b, "-r", c], Bleu().corpus(PREDICTIONS, others), "reference 2 alone"),
    ):
        own = [*files, "--reference-key", "text"]
        told = CliRunner().invoke(main, ["which", "bleu", f"{numbers.value:.6f}", *own, "--format", "json"])
        [found, *_] = [each for each in json.loads(told.output)["answers"] if each["texts"] == compared]
        command = shlex.split(found["command"])
        assert command[:2] == ["metrologue", "score"]
        printed = CliRunner().invoke(main, [*command[1:], "--format", "json"])
        assert printed.exit_code == 0, printed.output
        [system] = json.loads(printed.output)["systems"]
        assert system["value"] == pytest.approx(found["values"][0] / found["scale"], abs=1e-9)


def test_an_unknown_tokenizer_is_refused() -> None:
    with pytest.raises(InputError, match="tokenizer 'intk' is unknown; did you mean 'intl'"):
        which("bleu", 1, PREDICTIONS, REFERENCES, tokenizers=["intk"])


def test_a_number_of_a_metric_can_be_named() -> None:
    value = get_scorer("rouge")().corpus(PREDICTIONS, REFERENCES).scores["rouge2_recall"]
    found = which("rouge2", f"{value:.6f}", PREDICTIONS, REFERENCES, changes=0)
    assert found.answers
    assert {answer.name.partition("_")[0] for answer in found.answers} == {"rouge2"}
    assert families("rougeL") == ["rouge"]


def test_the_chance_of_a_hit_is_that_of_the_numbers_around_it() -> None:
    found = which("wer", "0.5", PREDICTIONS, REFERENCES, changes=0)
    # From 0.3 to 1.0 there are eight numbers with one decimal.
    assert found.chance * 8 == pytest.approx(round(found.chance * 8))
