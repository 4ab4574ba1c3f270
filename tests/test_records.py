"""Texts from records: objects of JSON Lines, tab-separated values, Parquet."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from metrologue.cli import main
from metrologue.errors import InputError
from metrologue.files.lines import read_lines, read_segments, stream_lines
from metrologue.scorers import Bleu

ROWS = [
    {"id": 1, "hyp": "the cat sat down", "ref": ["the cat sat up", "a cat sat"]},
    {"id": 2, "hyp": "a dog ran off", "ref": ["the dog ran off", "a dog ran"]},
    {"id": 3, "hyp": "so it is, 猫", "ref": ["so it was, 猫", "so"]},
]
HYPOTHESES = [row["hyp"] for row in ROWS]
REFERENCES = [row["ref"] for row in ROWS]


@pytest.fixture
def jsonl(tmp_path: Path) -> Path:
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), "utf-8")
    return path


@pytest.fixture
def tsv(tmp_path: Path) -> Path:
    path = tmp_path / "rows.tsv"
    lines = ["id\thyp\tref", *(f"{row['id']}\t{row['hyp']}\t{row['ref'][0]}" for row in ROWS)]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


@pytest.fixture
def table(tmp_path: Path) -> Path:
    parquet.write_table(pa.table({key: [row[key] for row in ROWS] for key in ROWS[0]}), tmp_path / "rows.parquet")
    return tmp_path / "rows.parquet"


@pytest.mark.parametrize("name", ["jsonl", "table"])
def test_records_give_what_lists_give(name: str, request: pytest.FixtureRequest) -> None:
    path = request.getfixturevalue(name)
    [system], references = read_segments([path], [path], prediction_key="hyp", reference_key="ref")
    assert (system.to_pylist(), references.to_pylist()) == (HYPOTHESES, REFERENCES)
    assert Bleu().corpus(system, references) == Bleu().corpus(HYPOTHESES, REFERENCES)


@pytest.mark.parametrize("chunk_bytes", [1, 30, 1 << 20])
def test_a_column_of_tab_separated_values(tsv: Path, chunk_bytes: int) -> None:
    chunks = list(stream_lines(tsv, key="hyp", chunk_bytes=chunk_bytes))
    assert [text for chunk in chunks for text in chunk.to_pylist()] == HYPOTHESES
    assert all(len(chunk) for chunk in chunks)


def test_one_column_of_tab_separated_values_needs_no_key(tmp_path: Path) -> None:
    """Files of GEval have no header. Only the first line of a file says how many columns there are."""
    path = tmp_path / "out.tsv"
    path.write_text("a b\nc\td\n", "utf-8")
    assert read_lines(path).to_pylist() == ["a b", "c\td"]


@pytest.mark.parametrize(
    "command",
    [
        ["score", "bleu"],
        ["score", "wer", "--worst", "1"],
        ["trace", "bleu", "--segment", "0"],
        ["explain", "bleu", "nltk", "sacrebleu"],
        ["compare"],
    ],
)
@pytest.mark.parametrize("name", ["jsonl", "tsv", "table"])
def test_every_command_asks_for_the_key(command: list[str], name: str, request: pytest.FixtureRequest) -> None:
    path = str(request.getfixturevalue(name))
    result = CliRunner().invoke(main, [*command, "-p", path, "-r", path])
    assert (result.exit_code, result.stdout) == (2, "")
    assert "no key is given; there are 'id', 'hyp', 'ref'." in result.stderr
    assert Path(path).name in result.stderr


def test_a_message_lists_a_few_columns(tmp_path: Path) -> None:
    path = tmp_path / "x.tsv"
    path.write_text("\t".join(f"c{i}" * 100 for i in range(5000)), "utf-8")
    with pytest.raises(InputError, match="and 4980 more") as caught:
        read_lines(path)
    assert len(str(caught.value)) < 2000


@given(st.lists(st.text(st.characters(exclude_characters="\0\t\n\r", exclude_categories=["Cs"])), max_size=5))
def test_cells_are_what_lies_between_tabs(tmp_path_factory: pytest.TempPathFactory, cells: list[str]) -> None:
    path = tmp_path_factory.mktemp("tsv") / "x.tsv"
    path.write_bytes("".join(f"{line}\n" for line in ["a\tb", *(f"{cell}\tz{cell}" for cell in cells)]).encode())
    assert list(chunk_texts(path, "a")) == cells
    assert list(chunk_texts(path, "b")) == [f"z{cell}" for cell in cells]


def chunk_texts(path: Path, key: str) -> list[str]:
    return [text for chunk in stream_lines(path, key=key) for text in chunk.to_pylist()]


def test_one_column_of_parquet_needs_no_key(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    parquet.write_table(pa.table({"text": pa.array(["a", "b"], pa.large_string())}), path)
    assert [chunk.to_pylist() for chunk in stream_lines(path)] == [["a", "b"]]


def written(path: Path, content: str | dict[str, Any]) -> Path:
    if isinstance(content, str):
        path.write_text(content, "utf-8")
    else:
        parquet.write_table(pa.table(content), path)
    return path


@pytest.mark.parametrize(
    ("name", "content", "key", "message"),
    [
        ("x.jsonl", '{"a": "b"}\n', None, "x.jsonl:1: an object, but no key is given; there are 'a'"),
        ("x.jsonl", '{"a": "b"}\n{"b": "c"}\n', "a", "x.jsonl:2: an object without the key 'a'; there are 'b'"),
        ("x.jsonl", '{"a": 3}\n', "a", "x.jsonl:1: 3 is not a JSON string"),
        ("x.jsonl", '"b"\n', "a", "x.jsonl:1: not an object, but the key 'a' is given"),
        ("x.tsv", "a\tb\nc\td\n", "c", "x.tsv:1: no column is called 'c'; there are 'a', 'b'"),
        ("x.tsv", "a\tb\nc\td\n", None, "x.tsv:1: several columns, but no key is given; there are 'a', 'b'"),
        ("x.tsv", "a\ta\nc\td\n", "a", "x.tsv:1: 2 columns are called 'a'"),
        ("x.tsv", "a\tb\nc\td\ne\n", "a", "x.tsv:3: 1 cells, but the first line has 2"),
        ("x.txt", "a\n", "a", "x.txt: the key 'a' is for .jsonl, .tsv and .parquet"),
        ("x.parquet", {"a": ["b"], "c": [1]}, None, "no key is given; there are 'a', 'c'"),
        ("x.parquet", {"a": ["b"], "c": [1]}, "d", "no column is called 'd'; there are 'a', 'c'"),
        ("x.parquet", {"a": ["b"], "c": [1]}, "c", "column 'c': the type is int64; a column of strings is expected"),
        ("x.parquet", {"a": ["b", None]}, "a", "column 'a': row 1 has no text"),
        ("x.parquet", {"a": [["b"]]}, "a", "a column of strings is expected"),
        ("x.parquet", "no table", "a", "x.parquet: not a valid Parquet file"),
    ],
)
def test_what_has_no_text_is_refused(tmp_path: Path, name: str, content: Any, key: str | None, message: str) -> None:
    path = written(tmp_path / name, content)
    with pytest.raises(InputError) as caught:
        list(stream_lines(path, key=key))
    assert message in str(caught.value)


@pytest.mark.parametrize(("lists", "message"), [([["a"], []], "row 1 has no text"), ([["a", None]], "holds a null")])
def test_references_that_lack_a_text(tmp_path: Path, lists: Any, message: str) -> None:
    path = written(tmp_path / "x.parquet", {"a": lists})
    with pytest.raises(InputError, match=message):
        list(stream_lines(path, lists=True, key="a"))


@pytest.mark.parametrize("command", [["score", "bleu"], ["explain", "bleu", "nltk", "sacrebleu"]])
@pytest.mark.parametrize("name", ["jsonl", "tsv", "table"])
def test_the_command_line_takes_records(
    command: list[str], name: str, request: pytest.FixtureRequest, tmp_path: Path, write: Callable[..., str]
) -> None:
    path = str(request.getfixturevalue(name))
    keys = ["--prediction-key", "hyp", "--reference-key", "ref"]
    files = ["-p", write("hyp.txt", HYPOTHESES)]
    for i in range(1 if name == "tsv" else 2):
        files += ["-r", write(f"ref{i}.txt", [own[i] for own in REFERENCES])]
    found, expected = (
        CliRunner().invoke(main, [*command, *options, "--format", "json"])
        for options in (["-p", path, "-r", path, *keys], files)
    )
    assert found.exit_code == 0, found.output
    assert found.stdout.replace(path, files[1]) == expected.stdout


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, list[str]], str]:
    def write(name: str, lines: list[str]) -> str:
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), "utf-8")
        return str(tmp_path / name)

    return write
