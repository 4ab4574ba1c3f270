"""Files: every text survives, in one piece or in chunks, and a bad file is named with its line."""

import gzip
import json
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrologue.errors import InputError
from metrologue.files import read_lines, read_segments, stream_lines, stream_segments

# Characters at which str.splitlines cuts, or that are easily lost, among all others.
TRICKY = "\r\u2028\u2029\x85\x0b\x0c\x1c\x1d\x1e\0\ufeff é中🙂"
text_line = st.text(st.sampled_from(TRICKY) | st.characters(exclude_categories=["Cs"]), max_size=8).map(
    lambda text: text.replace("\n", "")
)
text_lines = st.lists(text_line, max_size=12)
chunk_sizes = st.integers(1, 40)


@pytest.fixture
def write(tmp_path):
    """A function that writes bytes (or text) to a file of a temporary folder and returns its path."""

    def write(name: str, content: bytes | str) -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.fixture(scope="module")
def scratch(tmp_path_factory):
    return tmp_path_factory.mktemp("lines")


def expected(content: str) -> list[str]:
    """The rule in its plainest form."""
    *whole, rest = content.split("\n")
    return [line.removesuffix("\r") for line in whole] + ([rest] if rest else [])


def chunked(path: Path, chunk_bytes: int) -> list[str]:
    return [line for chunk in stream_lines(path, chunk_bytes=chunk_bytes) for line in chunk.to_pylist()]


@given(lines=text_lines, end=st.sampled_from(["\n", "\r\n"]), final=st.booleans(), chunk_bytes=chunk_sizes)
def test_any_text_survives(scratch, lines, end, final, chunk_bytes):
    content = end.join(lines) + (end if final else "")
    path = scratch / "any.txt"
    path.write_bytes(content.encode())
    assert read_lines(path).to_pylist() == expected(content)
    assert chunked(path, chunk_bytes) == expected(content)


@given(lines=st.lists(st.text(st.characters(exclude_categories=["Cs"])), max_size=8), chunk_bytes=chunk_sizes)
def test_json_lines_keep_every_character(scratch, lines, chunk_bytes):
    path = scratch / "any.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert read_lines(path).to_pylist() == lines
    assert chunked(path, chunk_bytes) == lines


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        ("", []),
        ("\n", [""]),
        ("\r\n", [""]),
        ("\n\n", ["", ""]),
        ("a", ["a"]),
        ("a\n", ["a"]),
        ("a\n\n", ["a", ""]),
        ("a\r\r\n\nb\r", ["a\r", "", "b\r"]),
        ("a\u2028b\x85c\x1cd\n", ["a\u2028b\x85c\x1cd"]),
    ],
)
def test_where_lines_end(write, content, lines):
    assert read_lines(write("hyp.txt", content)).to_pylist() == lines


@pytest.mark.parametrize("name", ["packed.gz", "packed.txt"])
def test_gzip_is_told_by_suffix_or_by_content(write, name):
    assert read_lines(write(name, gzip.compress("ą\nb".encode()))).to_pylist() == ["ą", "b"]


def test_packed_json_lines(write):
    assert read_lines(write("hyp.jsonl.gz", gzip.compress(b'"a\\nb"\n'))).to_pylist() == ["a\nb"]


@pytest.mark.parametrize("content", [b"no gzip at all\n", gzip.compress(b"a line\n" * 100, mtime=0)[:-12]])
def test_broken_gzip(write, content):
    with pytest.raises(InputError, match=r"hyp\.gz: not a sound gzip file"):
        read_lines(write("hyp.gz", content))


@pytest.mark.parametrize("chunk_bytes", [1, 1000])
@pytest.mark.parametrize(
    ("content", "line", "byte"),
    [
        (b"ok\nb\xffd\n", 2, "byte 2 of the line (0xff)"),
        (b"ok\r\n\xc3\n\xa9\n", 2, "byte 1 of the line (0xc3)"),  # whole only if the lines were joined
        (b"ok\n\xed\xa0\x80", 2, "byte 1 of the line (0xed)"),  # half a surrogate pair
    ],
)
def test_bad_byte_is_named_with_its_line(write, content, line, byte, chunk_bytes):
    with pytest.raises(InputError) as caught:
        list(stream_lines(write("hyp.txt", content), chunk_bytes=chunk_bytes))
    assert f"hyp.txt:{line}: {byte}" in str(caught.value)


@pytest.mark.parametrize(
    ("content", "lists", "message"),
    [
        ('"a"\nb\n', False, ":2: not JSON"),
        ('"a"\n\n"b"\n', False, ":2: not JSON"),
        ('"a"\n3\n', False, ":2: 3 is not a JSON string."),
        ('"a"\nnull\n', True, ":2: null is not a JSON string or a list"),
        ('["a"]\n', False, ":1: "),
        ('["a"]\n[]\n', True, ":2: [] is not"),
        ('["a"]\n["b", 5]\n', True, ':2: ["b", 5] is not'),
        ('["a"]\n"b"\n', True, ":2: a str, but the lines before are of type list"),
        ('"a"\n["b"]\n', True, ":2: a list, but the lines before are of type str"),
        ('"a"\n"\\ud800"\n', False, ":2: half of a surrogate pair"),
    ],
)
@pytest.mark.parametrize("chunk_bytes", [1, 1000])
def test_bad_json_is_named_with_its_line(write, content, lists, message, chunk_bytes):
    with pytest.raises(InputError) as caught:
        list(stream_lines(write("ref.jsonl", content), lists=lists, chunk_bytes=chunk_bytes))
    assert f"ref.jsonl{message}" in str(caught.value)


@given(
    files=st.integers(0, 9).flatmap(
        lambda n: st.tuples(*[st.lists(text_line, min_size=n, max_size=n) for _ in range(4)])
    ),
    chunk_bytes=chunk_sizes,
)
def test_a_stream_equals_the_whole(scratch, files, chunk_bytes):
    paths = [scratch / f"file{i}" for i in range(4)]
    for path, lines in zip(paths, files, strict=True):
        path.write_text("".join(line + "\n" for line in lines), newline="")
    systems, references = read_segments(paths[:2], paths[2:])
    chunks = list(stream_segments(paths[:2], paths[2:], chunk_bytes=chunk_bytes))
    lines = [expected("".join(line + "\n" for line in lines)) for lines in files]
    for i in range(2):
        assert systems[i].to_pylist() == lines[i]
        assert [line for chunk, _ in chunks for line in chunk[i].to_pylist()] == lines[i]
    pairs = [list(pair) for pair in zip(lines[2], lines[3], strict=True)]
    assert references.to_pylist() == pairs
    assert [pair for _, chunk in chunks for pair in chunk.to_pylist()] == pairs


def test_references_as_lists(write):
    path = write("ref.jsonl", '["a", "b"]\n["c"]\n')
    _, references = read_segments([write("hyp.txt", "x\ny\n")], [path])
    assert references.to_pylist() == [["a", "b"], ["c"]]


def test_a_file_of_lists_comes_alone(write):
    paths = [write("ref.jsonl", '["a", "b"]\n'), write("ref.txt", "c\n")]
    with pytest.raises(InputError, match=r"ref\.jsonl: a file of lists .* give it alone"):
        read_segments([write("hyp.txt", "x\n")], paths)


@pytest.mark.parametrize("chunk_bytes", [1, 1000])
@pytest.mark.parametrize(("hypotheses", "references"), [("a\nb\nc\n", "a\n"), ("a\n", "a\nb\nc\n"), ("", "a\n")])
def test_unequal_counts_are_never_cut(write, hypotheses, references, chunk_bytes):
    paths = [write("hyp.txt", hypotheses), write("ref.txt", references)]
    with pytest.raises(InputError) as caught:
        list(stream_segments(paths[:1], paths[1:], chunk_bytes=chunk_bytes))
    counts = len(expected(hypotheses)), len(expected(references))
    assert f"{paths[0]} has {counts[0]} lines but {paths[1]} has {counts[1]};" in str(caught.value)


def test_arguments(write):
    path = write("hyp.txt", "a\n")
    with pytest.raises(InputError, match=r"`predictions` is 'hyp\.txt'; give a list"):
        read_segments("hyp.txt", [path])
    with pytest.raises(InputError, match=r"`references` is \[\]; give a list"):
        read_segments([path], [])
    with pytest.raises(InputError, match="'-' is given twice"):
        read_segments(["-"], ["-"])
    with pytest.raises(FileNotFoundError):
        read_lines("no such file")


def test_progress_counts_every_byte(write):
    path = write("hyp.txt", "one\r\ntwo\r\nthree")
    sizes = []
    list(stream_lines(path, chunk_bytes=4, progress=sizes.append))
    assert len(sizes) > 1
    assert sum(sizes) == path.stat().st_size


def test_a_stream_needs_the_memory_of_a_chunk(write):
    path = write("big.txt", b"a line of some length\n" * 400_000)
    tracemalloc.start()
    for _ in stream_segments([path], [path], chunk_bytes=1 << 16):
        pass
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < path.stat().st_size / 8
