"""What ``--set`` and ``--variant`` take: fields, variants and signatures, and no more than they say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from metrologue.cli import main
from metrologue.scorers import Bleu, Cider, Meteor, NistMt, Rouge, Scorer
from metrologue.scorers.core.options import fitted_fields
from metrologue.segments import Segments

METEOR = "meteor|stages=[exact,synonym]|weights=[1,1]|function_words=null|aligner=paper"


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    (tmp_path / "hyp.txt").write_text("The kot sat on\n", "utf-8")
    (tmp_path / "ref.txt").write_text("the kotek sat on\n", "utf-8")
    return ["-p", str(tmp_path / "hyp.txt"), "-r", str(tmp_path / "ref.txt")]


@pytest.fixture
def table(tmp_path: Path) -> str:
    (tmp_path / "polish.txt").write_text("kot kotek\n", "utf-8")
    return str(tmp_path / "polish.txt")


def run(*arguments: str) -> Any:
    return CliRunner().invoke(main, ["score", *arguments])


def scored(*arguments: str) -> Scorer:
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return Scorer.from_signature(json.loads(result.stdout)["signature"])


def refused(*arguments: str) -> str:
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert len(result.stderr) < 2000
    return str(result.stderr)


@pytest.mark.parametrize(
    ("text", "value"), [("true", True), ("Yes", True), ("1", True), ("False", False), ("NO", False), ("0", False)]
)
def test_a_boolean_is_spelled_as_people_spell_it(files: list[str], text: str, value: bool) -> None:
    assert scored("bleu", *files, "--set", f"lowercase={text}") == Bleu(lowercase=value)
    assert scored("bleu", *files, "--variant", f"bleu|lowercase={text}") == Bleu(lowercase=value)


def test_values_are_read_by_the_type_of_their_field(files: list[str]) -> None:
    assert scored("bleu", *files, "--set", "weights=[1]", "--set", "tokenizer=none") == Bleu(
        weights=(1.0,), tokenizer="none"
    )
    assert scored("rouge", *files, "--set", "types=[rouge1]", "--set", "max_words=null") == Rouge(types=("rouge1",))
    assert scored("bleu", *files, "--set", "scale=1e2") == Bleu()


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("lowercase=maybe", "--lowercase is 'maybe'; True or False is expected"),
        ("lowercase=2", "--lowercase is '2'; True or False is expected"),
        ("max_order=true", "--set max_order is 'true'; an int is expected"),
        ("max_order=1000000000", "--set max_order is 1000000000; an int from 1 to 100"),
        ("max_order=" + "9" * 5000, "--set max_order is '999"),
        ("max_order=" + "[" * 100_000, "--set max_order is '[[["),
        ("weights=" + "[" * 50_000 + "]" * 50_000, "--set weights is "),
        ("weights=abc", "--set weights is 'abc'; a list of finite numbers"),
        ("weights=0,5", "--set weights is '0,5'; a list of finite numbers"),
        ("scale=1e400", "--set scale is inf"),
        ("scale=NaN", "--set scale is nan"),
    ],
)
def test_values_that_are_refused(files: list[str], setting: str, message: str) -> None:
    assert message in refused("bleu", *files, "--set", setting)


def test_a_field_that_is_set_twice(files: list[str]) -> None:
    assert "'max_order' is set twice" in refused("bleu", *files, "--set", "max_order=1", "--set", "max_order=2")
    assert "has one field twice" in refused("bleu", *files, "--variant", "bleu|max_order=1|max_order=2")


@pytest.mark.parametrize("command", ["score", "trace", "explain"])
def test_a_signature_of_another_metric(files: list[str], command: str) -> None:
    arguments = (
        ["explain", "bleu", "nltk", "rouge|scale=1"]
        if command == "explain"
        else [command, "bleu", "--variant", "rouge|scale=1"]
    )
    result = CliRunner().invoke(main, [*arguments, *files, *(["--segment", "1"] if command == "trace" else [])])
    assert result.exit_code == 2
    assert "the signature belongs to 'rouge', but the metric is 'bleu'" in result.stderr


def test_a_table_is_given_by_its_path_but_not_in_a_signature(files: list[str], table: str) -> None:
    settings = ["stages=[exact,synonym]", "weights=[1,1]", "function_words=null", "aligner=paper", f"synonyms={table}"]
    made = scored("meteor", *files, *(part for setting in settings for part in ("--set", setting)))
    assert isinstance(made, Meteor)
    assert made.synonyms.startswith("polish@")
    for name in (table, "/etc/passwd", "../polish.txt", "nowhere@0123456789ab"):
        message = refused("meteor", *files, "--variant", f"{METEOR}|synonyms={name}")
        assert "the signature names" in message
        assert "synonyms=PATH" in message
    unseen = f"{METEOR}|synonyms=unseen@{made.synonyms.partition('@')[2]}"
    again = scored("meteor", *files, "--variant", unseen, "--set", f"synonyms={table}")
    assert again == Scorer.from_signature(unseen)


def test_a_fitted_table_is_given_by_its_file(files: list[str], tmp_path: Path) -> None:
    """With it, files are streamed, and a single line has the weights of the whole corpus."""
    corpus = Segments(["a", "b"], ["the cat sat", "the kotek"])
    for fitted in (Cider(max_order=1).fit(corpus), NistMt(max_order=1).fit(corpus)):
        [field] = fitted_fields(type(fitted))
        getattr(fitted, field).save(tmp_path / "table.arrow")
        setting = ["--set", "max_order=1", "--set", f"{field}={tmp_path / 'table.arrow'}"]
        assert scored(fitted.name, *files, *setting) == fitted
    (tmp_path / "table.arrow").write_bytes(b"none")
    damaged = refused("cider", *files, "--set", f"document_frequency={tmp_path / 'table.arrow'}")
    assert "table.arrow holds no saved table" in damaged


@pytest.mark.parametrize(
    ("metric", "setting", "field", "value"),
    [
        ("rouge", "types=rougeL", "types", ("rougeL",)),
        ("rouge", "types=rouge1,rougeL", "types", ("rouge1", "rougeL")),
        ("wer", "transforms=punctuation,strip", "transforms", ("punctuation", "strip")),
        ("confusion_matrix", "labels=null", "labels", None),
        ("confusion_matrix", "labels=the kotek sat on", "labels", ("the kotek sat on",)),
    ],
)
def test_a_list_may_come_without_its_brackets(
    files: list[str], metric: str, setting: str, field: str, value: Any
) -> None:
    assert getattr(scored(metric, "--set", setting, *files), field) == value


@pytest.mark.parametrize(
    ("metric", "option"),
    [("bertscore", "--model"), ("wmd", "--model"), ("bleurt", "--model"), ("spice", "--set parser")],
)
def test_a_field_that_is_missing_is_named_with_its_option(files: list[str], metric: str, option: str) -> None:
    told = refused(metric, *files)
    assert option in told
