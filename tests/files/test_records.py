"""Texts from records: objects of JSON Lines, tab-separated values, Parquet, Arrow."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import ipc, parquet

from metrologue.cli import main
from metrologue.errors import InputError
from metrologue.files.lines import read_lines, stream_lines
from metrologue.files.parts import read_segments
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
        ["trace", "bleu", "--segment", "1"],
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


LAYOUTS = {".arrow": ipc.new_file, ".arrows": ipc.new_stream, ".feather": ipc.new_file, ".ipc": ipc.new_stream}


def in_arrow(layout: Any, content: pa.Table, compression: str | None = None) -> bytes:
    sink = pa.BufferOutputStream()
    with layout(sink, content.schema, options=ipc.IpcWriteOptions(compression=compression)) as writer:
        writer.write_table(content, max_chunksize=2)
    return sink.getvalue().to_pybytes()


@pytest.mark.parametrize("compression", [None, "zstd", "lz4"])
@pytest.mark.parametrize("suffix", LAYOUTS)
@pytest.mark.parametrize("layout", [ipc.new_file, ipc.new_stream])
def test_both_layouts_of_arrow(tmp_path: Path, suffix: str, layout: Any, compression: str | None) -> None:
    """The name does not say which layout it is: Hugging Face calls streams .arrow."""
    path = tmp_path / f"rows{suffix}"
    content = pa.table({key: [row[key] for row in ROWS] for key in ROWS[0]})
    path.write_bytes(in_arrow(layout, content, compression))
    [system], references = read_segments([path], [path], prediction_key="hyp", reference_key="ref")
    assert (system.to_pylist(), references.to_pylist()) == (HYPOTHESES, REFERENCES)
    path.write_bytes(in_arrow(layout, content.select(["hyp"]).slice(0, 0)))
    assert len(read_lines(path)) == 0


@pytest.mark.parametrize(
    "kind", [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string())], ids=str
)
def test_every_type_of_text(tmp_path: Path, kind: pa.DataType) -> None:
    """Polars writes views of strings, and pandas its categories as dictionaries."""
    texts = ["a", "longer than what a view holds itself", "", "猫", "a"]
    path = tmp_path / "x.arrow"
    path.write_bytes(in_arrow(ipc.new_file, pa.table({"a": pa.array(texts).cast(kind)})))
    lines = read_lines(path)
    assert (lines.type, lines.to_pylist()) == (pa.large_string(), texts)
    path.write_bytes(in_arrow(ipc.new_file, pa.table({"a": pa.array(["b", None]).cast(kind)})))
    with pytest.raises(InputError, match="row 1, counted from 0, has no text"):
        read_lines(path)


def test_a_long_batch_comes_in_parts(tmp_path: Path) -> None:
    texts = pa.array([str(i) for i in range(50_000)])
    with pa.OSFile(str(tmp_path / "x.arrow"), "wb") as file, ipc.new_file(file, pa.schema([("a", texts.type)])) as made:
        made.write_batch(pa.record_batch({"a": texts}))
    chunks = [*stream_lines(tmp_path / "x.arrow")]
    assert max(map(len, chunks)) == 1 << 14
    assert pa.concat_arrays(chunks).to_pylist() == texts.to_pylist()


@pytest.mark.parametrize("layout", [ipc.new_file, ipc.new_stream])
def test_an_arrow_file_that_is_cut_off_is_refused(tmp_path: Path, layout: Any) -> None:
    """Wherever it is cut: between two batches, only the missing mark of the end tells."""
    content = in_arrow(layout, pa.table({"a": ["b", "c", "d"]}))
    end = content.rindex(b"\xff\xff\xff\xff\0\0\0\0") + 8
    path = tmp_path / "x.arrow"
    path.write_bytes(content[:end])
    assert read_lines(path).to_pylist() == ["b", "c", "d"]  # an index after the end is not needed
    for size in range(end):
        path.write_bytes(content[:size])
        with pytest.raises(InputError, match=r"x\.arrow: not a valid Arrow file \(.+\)\.$"):
            [*stream_lines(path)]


@pytest.mark.parametrize("name", ["x.arrow", "x.parquet"])
def test_a_text_of_a_table_that_is_not_utf_8_is_refused(tmp_path: Path, name: str) -> None:
    content = pa.table({"a": ["QQQ"]})
    if name == "x.parquet":
        parquet.write_table(content, tmp_path / name, compression="none", write_statistics=False)
    else:
        (tmp_path / name).write_bytes(in_arrow(ipc.new_file, content))
    whole = (tmp_path / name).read_bytes()
    assert whole.count(b"QQQ") == 1
    (tmp_path / name).write_bytes(whole.replace(b"QQQ", b"Q\xffQ"))
    with pytest.raises(InputError, match=r"not a valid (Arrow|Parquet) file \(Invalid UTF8"):
        read_lines(tmp_path / name)


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".arrow", ".arrows", ".parquet"])
def test_a_flipped_bit_never_loses_a_row(tmp_path: Path, suffix: str) -> None:
    """A bit of a text can flip unseen. Everything else is refused, or does not matter."""
    content = pa.table({"id": [1, 2, 3], "a": ["QQQQ"] * 3})
    path = tmp_path / f"x{suffix}"
    if suffix == ".parquet":
        parquet.write_table(content, path, compression="none", write_statistics=False)
        whole = path.read_bytes()
    else:
        whole = in_arrow(LAYOUTS[suffix], content)
    for place in range(8 * len(whole)):
        flipped = bytearray(whole)
        flipped[place // 8] ^= 1 << place % 8
        path.write_bytes(flipped)
        with suppress(InputError):
            assert len(chunk_texts(path, "a")) == 3


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
        ("x.txt", "a\n", "a", "x.txt: the key 'a' is for files .jsonl, .tsv, .parquet, .arrow"),
        ("x.parquet", {"a": ["b"], "c": [1]}, None, "no key is given; there are 'a', 'c'"),
        ("x.parquet", {"a": ["b"], "c": [1]}, "d", "no column is called 'd'; there are 'a', 'c'"),
        ("x.parquet", {"a": ["b"], "c": [1]}, "c", "column 'c': the type is int64; a column of strings is expected"),
        ("x.parquet", {"a": ["b", None]}, "a", "column 'a': row 1, counted from 0, has no text"),
        ("x.parquet", {"a": [["b"]]}, "a", "a column of strings is expected"),
        ("x.parquet", "no table", "a", "x.parquet: not a valid Parquet file"),
        ("x.arrow", "no table", "a", "x.arrow: not a valid Arrow file"),
        ("x.feather", "FEA1 was another format", "a", "x.feather: not a valid Arrow file"),
        ("x.parquet.zst", "", "a", "x.parquet.zst: a Parquet file packs its columns itself; unpack the file"),
    ],
)
def test_what_has_no_text_is_refused(tmp_path: Path, name: str, content: Any, key: str | None, message: str) -> None:
    path = written(tmp_path / name, content)
    with pytest.raises(InputError) as caught:
        list(stream_lines(path, key=key))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("lists", "message"), [([["a"], []], "row 1, counted from 0, has no text"), ([["a", None]], "holds a null")]
)
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
