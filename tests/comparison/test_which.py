"""``metrologue which``: the search among settings, against each scorer on its own; and what is said of the answer."""

from __future__ import annotations

import json
import math
import re
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import metrologue
from metrologue.cli import main
from metrologue.comparison.which import evaluating
from metrologue.comparison.which.evaluating import evaluate
from metrologue.comparison.which.search import Printed, families, which
from metrologue.comparison.which.settings import (
    ALL,
    Setting,
    alternatives,
    missing_tokenizers,
    settings,
    telling,
    tokenizers_of,
)
from metrologue.errors import InputError
from metrologue.scorers import Bleu, get_scorer
from metrologue.scorers.core.many import wanted
from metrologue.scorers.core.numbers import perfect_score
from metrologue.scorers.core.options import choices_of, options_of
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


# Every metric that compares texts with references, and the quick ones among them.
EVERY = families("all")
EVERYDAY = ["bleu", "google_bleu", "meteor", "rouge", "chrf", "ter", "cer", "bertscore"]


def named(metrics: Sequence[str], slow: Sequence[str] = ()) -> list[Any]:
    """A parameter for each named variant of the metrics; those of `slow` run with the long tests."""
    pairs = [(metric, variant, []) for metric in metrics for variant in get_scorer(metric).variants()]
    pairs += [(metric, variant, [pytest.mark.slow]) for metric in slow for variant in get_scorer(metric).variants()]
    return [pytest.param(metric, variant, marks=marks, id=f"{metric}-{variant}") for metric, variant, marks in pairs]


def value_or_reason(metric: str, variant: str) -> float | str:
    try:
        return get_scorer(metric).variant(variant).corpus(PREDICTIONS, REFERENCES).value
    except InputError as error:
        return str(error).rstrip(".")


@pytest.mark.parametrize(("metric", "variant"), named(EVERYDAY, [each for each in EVERY if each not in EVERYDAY]))
def test_every_named_variant_is_found_from_its_own_number(metric: str, variant: str) -> None:
    """Or it is named among those that have no number here, with the reason."""
    value = value_or_reason(metric, variant)
    if isinstance(value, str):
        try:
            reasons = [*map(str, which(metric, "0.5", PREDICTIONS, REFERENCES, changes=0).not_tried)]
        except InputError as without:  # no variant has a number
            reasons = [str(without)]
        told = [each for each in reasons if f"{metric}:{variant}" in each]
        assert any(value in each for each in told), (value, reasons)
        return
    found = which(metric, repr(value), PREDICTIONS, REFERENCES, changes=0)
    same = [each for each in found.answers if each.values[0] == pytest.approx(value, rel=1e-11)]
    assert same
    assert same[0].setting.steps == 0
    numbers = same[0].scorer.corpus(PREDICTIONS, REFERENCES)
    assert value == pytest.approx(numbers.scores[same[0].name] * same[0].scale, rel=1e-11)


@pytest.mark.parametrize("metric", EVERY)
def test_every_choice_of_a_variant_goes_with_every_other_variant(metric: str) -> None:
    """A setting that cannot be made would be left out of the search."""
    kind = get_scorer(metric)
    fields = {name: Setting(metric, name, {"scale": 1.0}).scorer() for name in kind.variants()}
    for choice in choices_of(kind):
        for ours, scorer in fields.items():
            changes = {name: getattr(scorer, name) for name in choice.fields}
            for theirs in kind.variants():
                assert Setting(metric, theirs, changes).scorer(), (ours, choice)


@pytest.mark.parametrize("metric", QUICK)
def test_each_setting_has_the_number_of_its_scorer(metric: str) -> None:
    kind = get_scorer(metric)
    segments = Segments(PREDICTIONS, REFERENCES)
    # Functions that other tests have registered as tokenizers need not give the same tokens again.
    known = (each for each in settings(kind, alternatives(kind), 1) if "@" not in str(each.changes))
    some = [*known][::5]
    for setting, numbers in zip(some, evaluate(some, {ALL: segments}), strict=True):
        try:
            scorer = setting.scorer()
            expected = scorer.corpus(segments).scores
        except InputError:
            assert isinstance(numbers, InputError)
            continue
        assert numbers
        assert not isinstance(numbers, InputError)
        for name in wanted(scorer):
            unit = perfect_score(scorer) or 1.0
            assert numbers[name] * unit == pytest.approx(expected[name], rel=1e-12, abs=1e-300), (setting, name)


def test_rouge_has_the_numbers_of_its_scorers_too() -> None:
    kind, segments = get_scorer("rouge"), Segments(PREDICTIONS, REFERENCES)
    some = [each for each in settings(kind, alternatives(kind), 1) if each.steps == 0 or "aggregation" in each.changes]
    for setting, numbers in zip(some, evaluate(some, {ALL: segments}), strict=True):
        try:
            expected = setting.scorer().corpus(segments)
        except InputError:
            assert isinstance(numbers, InputError)
        else:
            assert numbers
            assert not isinstance(numbers, InputError)
            assert numbers[setting.scorer().primary] == pytest.approx(expected.value, rel=1e-12)


def test_every_variant_and_every_declared_value_is_a_setting() -> None:
    found = [*settings(Bleu, alternatives(Bleu), 1)]
    assert [each.variant for each in found if not each.steps] == [*Bleu.variants()]
    scorers = [each.scorer() for each in found]
    for name in ("smoothing", "zero_when", "reference_length", "aggregation"):
        assert {getattr(scorer, name) for scorer in scorers} == {*(options_of(Bleu)[name].one_of or ())}
    assert {getattr(scorer, "max_order") for scorer in scorers} == {1, 2, 3, 4}  # noqa: B009
    assert len({*scorers}) == len(scorers)


def test_changes_with_one_effect_are_tried_once() -> None:
    segments = Segments(["a b c d e", "x y z"], ["a b c d f", "x y w"])
    reduced, alike = telling(Bleu, alternatives(Bleu), lambda some: [*zip(evaluate(some, {ALL: segments}))])
    by_name = {choice.name: changes for choice, changes in reduced.items()}
    assert "reference length" not in by_name  # there is one reference
    assert "case" not in by_name  # there are no capitals
    assert {choice.name for choice in choices_of(Bleu)} >= {*by_name}
    tried = [*settings(Bleu, reduced, 1, alike=alike)]
    assert {each.variant for each in tried} == {*Bleu.variants()}
    changed = [evaluate([each], {ALL: segments})[0] for each in tried if each.steps]
    assert len(changed) < len([*settings(Bleu, reduced, 1)])


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
    found = metrologue.which("bleu", f"{value:.6f}", PREDICTIONS, REFERENCES, changes=max(1, len(changes)))
    assert any(answer.values[0] == pytest.approx(value, rel=1e-9) for answer in found.answers)
    for answer in found.answers:
        scores = answer.scorer.corpus(PREDICTIONS, REFERENCES).scores
        own = sum(scores[part] for part in answer.parts) / len(answer.parts) * answer.scale
        assert own == pytest.approx(answer.values[0], rel=1e-9)
        assert Printed.of(f"{value:.6f}").fits(own)


def test_named_variants_come_first_and_scales_do_not_matter() -> None:
    value = Bleu().corpus(PREDICTIONS, REFERENCES).value
    found = which("bleu", f"{value / 100:.4f}", PREDICTIONS, REFERENCES, changes=1)
    assert found.answers[0].setting == Setting("bleu", "evaluate")  # it prints on a scale of 1, with the same value
    assert found.answers[0].values[0] == pytest.approx(value / 100)
    assert found.near >= len(found.answers)


def test_swapped_texts_and_single_references_are_found() -> None:
    swapped = Bleu().corpus(REFERENCES, PREDICTIONS).value
    found = which("bleu", f"{swapped:.7f}", PREDICTIONS, REFERENCES, changes=1)
    assert "swapped" in {answer.setting.texts for answer in found.answers}
    both = [[a, b] for a, b in zip(REFERENCES, reversed(REFERENCES), strict=True)]
    second = Bleu().corpus(PREDICTIONS, [b for _, b in both]).value
    found = which("bleu", f"{second:.7f}", PREDICTIONS, both, changes=1)
    assert "reference 2 alone" in {answer.setting.texts for answer in found.answers}


def test_several_systems_leave_fewer_settings() -> None:
    systems = {"a": PREDICTIONS, "b": [text.lower() for text in PREDICTIONS]}
    numbers = {name: f"{Bleu().corpus(texts, REFERENCES).value:.0f}" for name, texts in systems.items()}
    alone = which("bleu", numbers["a"], PREDICTIONS, REFERENCES, changes=1)
    both = which("bleu", numbers, systems, REFERENCES, changes=1)
    assert both.answers[0].setting == Setting("bleu", "sacrebleu")
    assert sum(each.count for each in both.answers) < sum(each.count for each in alone.answers)
    assert both.chance < alone.chance


def test_if_nothing_fits_only_that_is_said() -> None:
    found = which("wer", "0.98765432", PREDICTIONS, REFERENCES)
    assert not found.answers
    assert len(found.nearest) == 3
    first, *_, last = found.lines()
    assert first == "0.98765432: no setting gives this number."
    assert re.fullmatch(r"Tried: [\d,]+ settings with [\d,]+ different numbers(; .* for lack of time)?\.", last)
    assert not any("metrologue score" in line for line in found.lines())


def test_time_is_a_limit_and_what_was_not_tried_is_said() -> None:
    some = [*settings(Bleu, alternatives(Bleu), 1)]
    numbers = evaluate(some, {ALL: Segments(PREDICTIONS, REFERENCES)}, until=0)
    assert [each.steps for each, own in zip(some, numbers, strict=True) if own is not None] == [0] * len(
        Bleu.variants()
    )
    value = f"{Bleu.variant('nltk').corpus(PREDICTIONS, REFERENCES).value:.6f}"
    found = which("bleu", value, PREDICTIONS, REFERENCES, seconds=0)
    assert found.answers[0].setting == Setting("bleu", "nltk")
    found = which("bleu", "0.98765432", PREDICTIONS, REFERENCES, seconds=0)
    assert not found.answers
    assert not found.all_listed
    assert found.untried == 0
    assert "at least 0 more were not tried, for lack of time" in [*found.lines()][-1]


def test_the_likeliest_settings_come_first_and_those_behind_them_are_not_tried() -> None:
    for changes, at_once in (({}, 0), ({"lowercase": True}, 1), ({"lowercase": True, "aggregation": "mean"}, 2)):
        value = f"{Bleu.variant('sacrebleu', **changes).corpus(PREDICTIONS, REFERENCES).value:.12f}"
        found = which("bleu:sacrebleu", value, PREDICTIONS, REFERENCES)
        assert (found.answers[0].setting.changes, found.changes) == (changes, at_once)
        assert ("changes=2 tries them" in [*found.lines()][-1]) == (at_once < 2)
        every = which("bleu:sacrebleu", value, PREDICTIONS, REFERENCES, changes=2)
        assert every.answers[0].setting == found.answers[0].setting
        assert every.tried > found.tried or at_once == 2


def test_an_interrupted_search_goes_on_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("METROLOGUE_CACHE", str(tmp_path))
    monkeypatch.setattr(evaluating, "_PAUSE", 0)
    systems = {"a": PREDICTIONS, "b": [text.lower() for text in PREDICTIONS]}
    table = {name: {"BLEU": "98.76"} for name in systems}
    counts = []

    def interrupting(description: str = "", total: int | None = None, advance: int = 0) -> None:
        counts.append(advance)
        if sum(counts) > 30:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        metrologue.which(table, systems, REFERENCES, changes=0, progress=interrupting)
    assert [*tmp_path.glob("which/*")]
    scored: list[Setting] = []
    scorer = Setting.scorer
    monkeypatch.setattr(Setting, "scorer", lambda own: scored.append(own) or scorer(own))
    again = metrologue.which(table, systems, REFERENCES, changes=0)
    rest = len(scored)
    assert not [*tmp_path.glob("which/*")]
    scored.clear()
    assert metrologue.which(table, systems, REFERENCES, changes=0).to_dict() == again.to_dict()
    assert len(scored) > rest
    assert not [*tmp_path.glob("which/*")]
    with pytest.raises(InputError, match="`model` is missing"):  # which is no interruption
        which("bertscore", "0.5", PREDICTIONS, REFERENCES)
    assert not [*tmp_path.glob("which/*")]


NO_NUMBERS = ["", "abc", "nan", "inf", None, True, math.nan, math.inf, [], "1,5", "54.0%", "1e400", "1e-400", 10**400]


@pytest.mark.parametrize("number", [*NO_NUMBERS, "0e400", "0e-400", f"27.{400 * '3'}"])
def test_what_is_no_number_is_refused(number: object) -> None:
    with pytest.raises(InputError, match=r"a finite number such as 27\.3 is expected"):
        which("bleu", number, PREDICTIONS, REFERENCES)


@pytest.mark.parametrize("number", ["-0", "-1", "0", 0.0, "1e99", "1e-99", 27, "+27.3"])
def test_every_other_number_has_an_answer(number: object) -> None:
    assert [*which("bleu", number, PREDICTIONS, REFERENCES, changes=0).lines()]


def test_a_number_with_all_its_digits_may_differ_in_the_last_ones() -> None:
    value = Bleu().corpus(PREDICTIONS, REFERENCES).value
    assert Printed.of(repr(math.nextafter(value, math.inf))).fits(value)
    assert not Printed.of("27.3").fits(27.36)
    assert Printed.of("0.12").fits(0.125)  # rounded to even, or up
    assert Printed.of("0.13").fits(0.125)


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
    shown = CliRunner().invoke(main, ["which", "bleu", value, "-p", a, "-r", b, "--changes", "1"])
    assert shown.exit_code == 0, shown.output
    assert f"metrologue score bleu --variant nltk -p {a} -r {b}\n" in shown.output
    told = CliRunner().invoke(
        main, ["which", "bleu", "-p", f"{a}={value}", "-p", f"{b}=1", "-r", b, "--format", "json", "--changes", "1"]
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
        own = [*files, "--reference-key", "text", "--changes", "1"]
        told = CliRunner().invoke(main, ["which", "bleu", f"{numbers.value:.6f}", *own, "--format", "json"])
        [found, *_] = [each for each in json.loads(told.output)["answers"] if each["texts"] == compared]
        command = shlex.split(found["command"])
        assert command[:2] == ["metrologue", "score"]
        printed = CliRunner().invoke(main, [*command[1:], "--format", "json"])
        assert printed.exit_code == 0, printed.output
        [system] = json.loads(printed.output)["systems"]
        assert system["value"] == float(f"{numbers.value:.6f}")


@pytest.mark.parametrize(
    ("metric", "variant", "changes", "number", "scale", "swapped"),
    [
        ("bleu", "sacrebleu", {}, "bleu", 0.01, False),
        ("bleu", "nltk", {}, "bleu", 100.0, True),
        ("bleu", "sacrebleu", {"tokenizer": "char"}, "bleu", 1.0, False),
        ("bleu", "pycocoevalcap", {}, "bleu_2", 1.0, False),
        ("rougeL", "rouge_score", {}, "rougeL_precision", 1.0, False),
        ("rougeL", "rouge_score", {}, "rougeL_precision", 1.0, True),
        ("rougeL", "rouge_score", {}, "rougeL_fmeasure", 100.0, False),
        ("rougeLsum", "rouge", {"tokenizer": "char"}, "rougeLsum_recall", 1.0, False),
        ("rougeSU4", "rouge-1.5.5", {}, "rougeSU4_fmeasure", 1.0, False),
        ("ter", "sacrebleu", {"normalized": True}, "ter", 1.0, False),
        ("wer", "jiwer", {}, "wer", 100.0, True),
    ],
)
def test_each_printed_command_prints_the_number(
    tmp_path: Path, metric: str, variant: str, changes: dict[str, Any], number: str, scale: float, swapped: bool
) -> None:
    kind = get_scorer(families(metric)[0])
    files = [lines(tmp_path / "a.txt", PREDICTIONS), lines(tmp_path / "b.txt", REFERENCES)]
    types = {} if kind.name != "rouge" or number in kind.variant(variant)._reported else {"types": kind().types}
    texts = (REFERENCES, PREDICTIONS) if swapped else (PREDICTIONS, REFERENCES)
    scores = kind.variant(variant, **changes, **types).corpus(*texts).scores
    printed = f"{scores[number] * scale:.6f}"
    own = ["-p", files[0], "-r", files[1], "--changes", str(max(int(swapped), len(changes)))]
    told = CliRunner().invoke(main, ["which", metric, printed, *own])
    commands = re.findall("^ +(metrologue .*)$", told.output, re.MULTILINE)
    assert commands, told.output
    for command in commands:
        output = CliRunner().invoke(main, shlex.split(command)[1:]).output
        found = [float(each) for each in re.findall(r"(?<![\w.-])\d+\.\d+", output)]
        assert any(Printed.of(printed).fits(each) for each in found), (command, output)


def test_systems_with_swapped_sides_have_a_command_each(tmp_path: Path) -> None:
    systems = {"a.txt": PREDICTIONS, "b.txt": [text.lower() for text in PREDICTIONS]}
    paths = {name: lines(tmp_path / name, texts) for name, texts in systems.items()}
    references = lines(tmp_path / "r.txt", REFERENCES)
    numbers = {name: f"{Bleu().corpus(REFERENCES, texts).value:.6f}" for name, texts in systems.items()}
    own = [part for name, path in paths.items() for part in ("-p", f"{path}={numbers[name]}")]
    told = CliRunner().invoke(main, ["which", "bleu", *own, "-r", references, "--changes", "1", "--format", "json"])
    [command] = [each["command"] for each in json.loads(told.output)["answers"] if each["texts"] == "swapped"]
    outputs = [CliRunner().invoke(main, shlex.split(each)[1:]).output for each in command.split(" && ")]
    assert len(outputs) == 2
    assert all(number in output for number, output in zip(numbers.values(), outputs, strict=True))


def test_the_call_in_python_gives_the_number() -> None:
    both = [[a, b] for a, b in zip(REFERENCES, reversed(REFERENCES), strict=True)]
    nist = "google_bleu"
    for metric, references, value in (
        ("bleu", REFERENCES, Bleu().corpus(REFERENCES, PREDICTIONS).value),
        ("bleu", both, Bleu().corpus(PREDICTIONS, [b for _, b in both]).value / 100),
        (nist, REFERENCES, get_scorer(nist)().corpus(REFERENCES, PREDICTIONS).value),
        ("bleu", REFERENCES, sum(Bleu().corpus(PREDICTIONS, REFERENCES).scores[f"bleu_{n}"] for n in range(1, 5)) / 4),
    ):
        answers = which(metric, f"{value:.12f}", PREDICTIONS, references, changes=1).answers
        assert answers
        for answer in answers:
            given = {"metrologue": metrologue, "predictions": PREDICTIONS, "references": references}
            found = eval(answer.call, given)
            assert getattr(found, "value", found) == pytest.approx(value, rel=1e-9), answer.call


@pytest.mark.parametrize(
    ("metric", "variant", "name", "parts"),
    [
        ("bleu", "pycocoevalcap", "mean of BLEU-1 to BLEU-4", [f"bleu_{n}" for n in (1, 2, 3, 4)]),
        (
            "rouge",
            "rouge_score",
            "mean of ROUGE-1, ROUGE-2 and ROUGE-L",
            [f"rouge{each}_fmeasure" for each in ("1", "2", "L")],
        ),
    ],
)
def test_means_that_people_print_are_found(metric: str, variant: str, name: str, parts: list[str]) -> None:
    scores = get_scorer(metric).variant(variant).corpus(PREDICTIONS, REFERENCES).scores
    value = sum(scores[part] for part in parts) / len(parts)
    found = which(metric, f"{value:.8f}", PREDICTIONS, REFERENCES, changes=0)
    assert found.answers[0].setting == Setting(metric, variant)
    assert f"its {name} ({', '.join(parts)})" in found.answers[0].about
    assert [*found.answers[0].parts] == parts


def test_every_tokenizer_of_this_machine_is_tried_and_the_common_one_is_told() -> None:
    value = Bleu(tokenizer="char").corpus(PREDICTIONS, REFERENCES).value
    found = which("bleu", f"{value:.6f}", PREDICTIONS, REFERENCES, changes=1)
    assert found.answers[0].setting.changes == {"tokenizer": "char"}
    assert {*tokenizers_of(Bleu)} >= {"char", "zh", "ja-mecab", "ko-mecab", "flores101", "nltk-words", "intl"}
    away = {name for names in missing_tokenizers(Bleu).values() for name in names}
    assert away <= {name for each in found.not_tried for name in each.names}
    [tried] = [
        [each["tokenizer"] for each in own] for choice, own in alternatives(Bleu).items() if choice.name == "tokenizer"
    ]
    assert {*tried} | away >= {*tokenizers_of(Bleu)}
    assert not {*tried} & away


def test_of_tokenizers_that_cut_the_texts_alike_the_likelier_is_told() -> None:
    """Chinese without Latin letters is the same characters for several tokenizers."""
    predictions, references = (
        ["猫坐在垫子上。今天天气很好。", "我喜欢吃苹果。"],
        ["猫坐在席子上。今天天气不错。", "我爱吃苹果。"],
    )
    value = Bleu(tokenizer="zh").corpus(predictions, references).value
    found = which("bleu:sacrebleu", f"{value:.4f}", predictions, references, changes=1)
    assert found.answers[0].setting.changes == {"tokenizer": "zh"}


def test_a_variant_without_a_number_is_named_with_the_reason() -> None:
    found = which("tesla", "0.5", PREDICTIONS, REFERENCES, changes=0)
    [line] = [each for each in found.lines() if each.startswith("Not tried: tesla:tesla-m, ")]
    assert "`parser` is missing" in line
    assert json.loads(json.dumps(found.to_dict()))["not_tried"]
    with pytest.raises(InputError, match=r"bertscore:bert-score.*`model` is missing"):
        which("bertscore", "0.5", PREDICTIONS, REFERENCES)


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
