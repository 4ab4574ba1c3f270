"""Numbers and JSON that no program should write, wherever a command reads them: one line says what came."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from metrologue.cli import main

# Numbers of JSON that are none of ours: beyond a float, beyond Python's ints of text, and what is no number at all.
IN_JSON = ["1" + "0" * 400, "-1" + "0" * 400, "9" * 5000, "1e400", "NaN", "Infinity", "-Infinity", "true", '"1_000"']
IN_TEXT = ["1" + "0" * 400, "9" * 5000, "1e400", "nan", "inf", "-infinity", "1_000", "true", "٣", "x", ""]
DEEP = "[" * 100_000


@pytest.fixture
def refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Runs a command in a folder with these files; gives the line that it ends with, the only one but for the usage."""
    monkeypatch.chdir(tmp_path)

    def run(*command: str, **files: str) -> str:
        for name, text in files.items():
            (tmp_path / name.replace("__", ".")).write_text(text, "utf-8")
        arguments = command[0].split() if len(command) == 1 else command
        result = CliRunner().invoke(main, arguments)
        assert isinstance(result.exception, SystemExit), (result.exception, result.output)
        assert result.exit_code == 2, result.output
        usage, error, told = result.stderr.rpartition("Error: ")
        assert not usage or usage.startswith("Usage: "), result.stderr
        assert len(told.splitlines()) == 1, result.stderr
        return error + told.strip()

    return run


RATED = '{"hypothesis": "a b", "references": ["a c"], "system": "x", "segment": 1, "ratings": {"good": %s}}\n'
TRAINED = '{"prediction": "a b", "references": ["a c"], "rating": %s}\n'


@pytest.mark.parametrize("number", IN_JSON)
def test_numbers_in_json(number: str, refused: Callable[..., str]) -> None:
    told = refused("mbr -c n.jsonl -m chrf", n__jsonl=f'{{"candidates": ["a", "b"], "weights": [1, {number}]}}\n')
    assert told.startswith("Error: n.jsonl:1: ")
    told = refused("mbr -c n.jsonl -m chrf --weights w.jsonl", n__jsonl='["a"]\n', w__jsonl=f"[{number}]\n")
    assert told.startswith("Error: w.jsonl:1: ")
    for rating in (number, f"[1, {number}]", f'{{"ann": {number}}}'):
        told = refused("meta --data d.jsonl -m chrf", d__jsonl=RATED % 3 + RATED % rating)
        assert told.startswith("Error: d.jsonl:2: ")
    scores = f'{{"system": "x", "segment": 1, "comet": {number}}}\n'
    told = refused("meta --data d.jsonl --scores-from s.jsonl", d__jsonl=RATED % 3, s__jsonl=scores)
    assert told.startswith("Error: s.jsonl:1: ")
    train = "train composite --data t.jsonl --encoder ngrams-8@2 --out model"
    assert refused(train, t__jsonl=TRAINED % 1 + TRAINED % number).startswith("Error: t.jsonl:2: ")


@pytest.mark.parametrize("number", [*IN_TEXT[:-1]])
def test_numbers_in_tables(number: str, refused: Callable[..., str]) -> None:
    table = f"system\tsegment\tcomet\nx\t1\t{number}\n"
    told = refused("meta --data d.jsonl --scores-from s.tsv", d__jsonl=RATED % 3, s__tsv=table)
    assert told.startswith("Error: s.tsv:2: comet is ")
    wmt = f"LP\tsource\ttranslation\treference\tHUMAN_score\nde-en\ta\tb\tc\t{number}\n"
    told = refused("meta --reader wmt-da --data w.tsv -m chrf", w__tsv=wmt)
    assert told.startswith("Error: w.tsv:2: HUMAN_score is ")


@pytest.mark.parametrize(
    "option",
    ["--scale {}:5", "--scale 1:{}", "--scale good={}:5", "--tie {}", "--level {}", "--least-agreement {}"],
)
@pytest.mark.parametrize("number", [*IN_TEXT[:-1]])
def test_numbers_of_meta(option: str, number: str, refused: Callable[..., str]) -> None:
    told = refused(f"meta --data d.jsonl -m chrf {option.format(number)}", d__jsonl=RATED % 3)
    assert told.startswith("Error: Invalid value for")
    assert option.split()[0] in told
    assert len(told) < 250


@pytest.mark.parametrize("number", [*IN_TEXT[:-1]])
@pytest.mark.parametrize("option", ["--scale {}:5", "--trainer mlp --hidden {}", "--trainer mlp --hidden 8,{}"])
def test_numbers_of_train(option: str, number: str, refused: Callable[..., str]) -> None:
    train = "train composite --data t.jsonl --encoder ngrams-8@2 --out model "
    told = refused(train + option.format(number), t__jsonl=TRAINED % 1)
    assert told.startswith("Error: Invalid value for")
    assert option.split()[-2] in told
    assert len(told) < 250


def _numeric_options(command: click.Command, *names: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Each option that takes a number, after the names of its command."""
    for option in command.params:
        if isinstance(option.type, (click.types.IntParamType, click.types.FloatParamType)):
            yield names, option.opts[0]
    for name, each in command.commands.items() if isinstance(command, click.Group) else ():
        yield from _numeric_options(each, *names, name)


@pytest.mark.parametrize("number", IN_TEXT)
def test_numbers_of_every_option(number: str, refused: Callable[..., str]) -> None:
    options = [*_numeric_options(main)]
    assert len(options) > 30
    for names, option in options:
        told = refused(*names, option, number)
        assert told.startswith("Error: Invalid value for")
        assert len(told) < 200


@pytest.mark.parametrize("text", [DEEP, '{"a":' * 100_000, "9" * 5000])
@pytest.mark.parametrize(
    "command",
    [
        "score bleu -p d.jsonl -r d.jsonl",
        "score bleu -p d.jsonl -r d.jsonl --prediction-key a",
        "score fed --contexts d.jsonl -p plain",
        "compare -p d.jsonl -r plain",
        "trace bleu -p d.jsonl -r plain --segment 1",
        "doctor -p d.jsonl -r plain",
        "mbr -c d.jsonl -m chrf",
        "mbr -c good.jsonl -m chrf --weights d.jsonl",
        "meta --data d.jsonl -m chrf",
        "meta --data d.jsonl --reader fed -m chrf",
        "meta --data d.jsonl --reader usr -m chrf",
        "meta --data d.jsonl --reader summeval -m chrf",
        "meta --data d.jsonl --reader flickr8k-expert -m chrf",
        "meta --data rated.jsonl --scores-from d.jsonl",
        "train composite --data d.jsonl --encoder ngrams-8@2 --out model",
        "coco --annotations d.jsonl --results d.jsonl",
    ],
)
def test_json_of_a_command(command: str, text: str, refused: Callable[..., str]) -> None:
    files = {"plain": "a b\n", "good__jsonl": '["a", "b"]\n', "rated__jsonl": RATED % 3, "references__jsonl": "\n"}
    told = refused(command, d__jsonl=f"{text}\n", **files)
    assert "d.jsonl" in told
    assert "not JSON that can be read" in told
    assert len(told) < 300
