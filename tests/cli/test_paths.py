"""A folder where an option takes a file, and a file where it takes a folder: a sentence, whatever the option."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from metrologue.cli import main
from metrologue.cli.meta import READERS
from metrologue.learned.store import SAMPLE

RATED = {"hypothesis": "a b", "references": ["a c"], "system": "x", "segment": 1, "ratings": {"good": 3}}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    Path("file").write_text("a b c d\n", "utf-8")
    Path("rated.jsonl").write_text(json.dumps(RATED) + "\n", "utf-8")


def refused(*arguments: str) -> str:
    result = CliRunner().invoke(main, arguments)
    assert isinstance(result.exception, SystemExit), (arguments, result.exception)
    assert result.exit_code == 2, (arguments, result.output)
    return result.stderr.splitlines()[-1]


def path_options(command: click.Command, *names: str) -> Iterator[tuple[tuple[str, ...], click.Path]]:
    """Each option that takes a path, after the names of its command, and what it takes."""
    for option in command.params:
        if isinstance(option, click.Option) and isinstance(option.type, click.Path):
            yield (*names, option.opts[0]), option.type
    for name, each in command.commands.items() if isinstance(command, click.Group) else ():
        yield from path_options(each, *names, name)


def test_every_option_for_a_path_takes_one_of_both() -> None:
    found = [*path_options(main)]
    assert len(found) > 30
    for names, taken in found:
        if taken.file_okay != taken.dir_okay:
            wrong, what = ("folder", "is a directory") if taken.file_okay else ("file", "is a file")
            assert what in refused(*names, wrong)
    either = {names for names, taken in found if taken.file_okay and taken.dir_okay}
    assert either == {("meta", "--data"), ("train", "--data"), ("train", "--test")}  # by their readers, below


@pytest.mark.parametrize("reader", READERS)
def test_a_reader_says_what_it_expects(reader: str) -> None:
    told = refused("meta", "--data", "folder", "--reader", reader, "-m", "chrf")
    assert told.startswith(("Error: folder is a folder", "Error: folder: the folder has no table"))
    assert told.endswith((" is expected.", "give one file. There are no files."))
    options = ["--encoder", "ngrams-8@2", "--out", "model"]
    assert refused("train", "composite", "--data", "folder", "--reader", reader, *options) == told
    assert not Path("model").exists()


def test_a_training_says_what_it_expects() -> None:
    expected = "Error: folder is a folder; a file in JSON Lines is expected."
    options = ["--encoder", "ngrams-8@2", "--out", "model"]
    assert refused("train", "composite", "--data", "folder", *options) == expected
    assert refused("train", "composite", "--data", str(SAMPLE), "--test", "folder", *options) == expected


@pytest.mark.parametrize(
    "arguments",
    [
        *(
            f"score {name} -p file -r file --model {given}"
            for name in ("wmd", "composite")
            for given in ("file", "folder")
        ),
        "score meteor -p file -r file --set paraphrases=folder",
        "score cider -p file -r file --set document_frequency=folder",
        "score spice -p file -r file --set parser=folder",
        "score meant -p file -r file --set frames=folder",
        "train composite --data rated.jsonl --encoder folder --out model",
        "train composite --data rated.jsonl --encoder ngrams-8@2 --out file",
    ],
)
def test_paths_in_fields(arguments: str) -> None:
    assert refused(*arguments.split()).startswith("Error: ")
