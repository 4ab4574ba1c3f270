"""Files: every text survives, in one piece or in chunks, and a bad file is named with its line."""

import codecs
import gzip
import json
import lzma
import sys
import tracemalloc
import warnings
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrologue.errors import InputError, number_of
from metrologue.files import lines as files
from metrologue.files import parts
from metrologue.files.lines import Column, read_lines, stream_lines
from metrologue.files.parts import read_segments, stream_parts
from metrologue.segments import Segments
from metrologue.text.reading import words
from metrologue.writing import progress_bar

pytestmark = pytest.mark.filterwarnings("ignore:.* byte order mark")

# Characters at which str.splitlines cuts, or that are easily lost, among all others. U+0000 has tests of its own.
TRICKY = "\r\u2028\u2029\x85\x0b\x0c\x1c\x1d\x1e\ufeff é中🙂"
any_character = st.characters(exclude_categories=["Cs"], exclude_characters="\n\0")
text_line = st.text(st.sampled_from(TRICKY) | any_character, max_size=8)
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
    *whole, rest = content.removeprefix("\ufeff").split("\n")
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


def zstd(content: bytes) -> bytes:
    return pa.compress(content, codec="zstd", asbytes=True)


PACKINGS = {".gz": gzip.compress, ".xz": lzma.compress, ".zst": zstd}
packings = pytest.mark.parametrize(("suffix", "pack"), PACKINGS.items(), ids=PACKINGS)


@packings
def test_packed_files_are_told_by_suffix_or_by_content(write, suffix, pack):
    for name in (f"packed{suffix}", "packed.txt"):
        assert read_lines(write(name, pack("ą\nb".encode()))).to_pylist() == ["ą", "b"]


@packings
def test_parts_packed_one_by_one_are_one_file(write, suffix, pack):
    lines = [f"line {i}" for i in range(1000)]
    parts = "\n".join(lines).encode(), b"\nend\n", b""
    path = write(f"parts{suffix}", b"".join(map(pack, parts)))
    assert chunked(path, 100) == [*lines, "end"]


@packings
@pytest.mark.parametrize("chunk_bytes", [16, files.CHUNK_BYTES])
def test_a_packed_file_that_is_cut_off_is_refused(write, suffix, pack, chunk_bytes):
    """Wherever it is cut, and also if all lines could be read. Nothing is said of an empty file, except by xz."""
    content = pack(b"".join(b"%d\n" % i for i in range(200)))
    for size in range(1, len(content)):
        path = write(f"cut{suffix}", content[:size])
        with pytest.raises(InputError, match=rf"cut\{suffix}: not a valid (gzip|xz|zstd) file \(.+\); pack it again"):
            chunked(path, chunk_bytes)


def test_bytes_after_a_packed_text_are_refused(write):
    """After the checksum of a part, zstd and xz expect the next part."""
    with pytest.raises(InputError, match=r"hyp\.zst: not a valid zstd file"):
        read_lines(write("hyp.zst", zstd(b"a\n") + b"b\n"))


def test_packed_json_lines(write):
    assert read_lines(write("hyp.jsonl.gz", gzip.compress(b'"a\\nb"\n'))).to_pylist() == ["a\nb"]


@pytest.mark.parametrize("content", [b"no gzip at all\n", gzip.compress(b"a line\n" * 100, mtime=0)[:-12]])
def test_broken_gzip(write, content):
    with pytest.raises(InputError, match=r"hyp\.xz: not a valid xz file"):
        read_lines(write("hyp.xz", lzma.compress(b"a line\n" * 100)[:-12]))
    with pytest.raises(InputError, match=r"hyp\.gz: not a valid gzip file"):
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
        ('["a"]\n"b"\n', True, ":2: a str, but the lines before it have type list"),
        ('"a"\n["b"]\n', True, ":2: a list, but the lines before it have type str"),
        ('"a"\n"\\ud800"\n', False, ":2: half of a surrogate pair"),
        ('["a", "\\udc00\\ud800"]\n', True, ":1: half of a surrogate pair"),
        ('"a"\n' + "7" * 5_000, False, ":2: not JSON that can be read (Exceeds the limit"),
        ('["a"]\n["b", ' + "7" * 5_000 + "]", True, ":2: not JSON that can be read (Exceeds the limit"),
        ('"a"\n' + "[" * 100_000, False, ":2: not JSON that can be read (maximum recursion depth"),
        ('["a"]\n' + "[" * 100_000 + "]" * 100_000, True, ":2: not JSON that can be read (maximum recursion depth"),
        ('"a"\n' + '{"a":' * 100_000, True, ":2: not JSON that can be read (maximum recursion depth"),
        ('"a"\nNaN\n', False, ":2: NaN is not a JSON string."),
        ('["a"]\n["b", -Infinity]\n', True, ':2: ["b", -Infinity] is not'),
        ('"a"\n1e999\n', False, ":2: 1e999 is not a JSON string."),
        ('{"text": "a"}\n', True, ":1: an object, but no key is given; there are 'text'."),
        ('"a"\n{"text": "a", "text": "b"}\n', False, ":2: an object, but no key is given; there are 'text'."),
        ('"a"\n\ufeff"b"\n', False, ":2: not JSON"),
        ('"a"\n"b\0"\n', False, ":2: not JSON (Invalid control character"),
        ('[["a"]]\n', True, ':1: [["a"]] is not'),
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
    columns = [Column(path) for path in paths]
    systems, references = read_segments(paths[:2], paths[2:])
    parts = list(stream_parts(columns[:2], columns[2:], chunk_bytes=chunk_bytes))
    chunks = [(part.systems, part.references) for part in parts]
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
    with pytest.raises(InputError, match=r"ref\.jsonl: a file of lists .* give no other file with it"):
        read_segments([write("hyp.txt", "x\n")], paths)


@pytest.mark.parametrize("chunk_bytes", [1, 1000])
@pytest.mark.parametrize(("hypotheses", "references"), [("a\nb\nc\n", "a\n"), ("a\n", "a\nb\nc\n"), ("", "a\n")])
def test_unequal_counts_are_never_cut(write, hypotheses, references, chunk_bytes):
    paths = [write("hyp.txt", hypotheses), write("ref.txt", references)]
    with pytest.raises(InputError) as caught:
        list(stream_parts([Column(paths[0])], [Column(paths[1])], chunk_bytes=chunk_bytes))
    counts = len(expected(hypotheses)), len(expected(references))
    assert f"{paths[0]} has {number_of(counts[0], 'line')} but {paths[1]} has {counts[1]};" in str(caught.value)


def test_arguments(write):
    path = write("hyp.txt", "a\n")
    with pytest.raises(InputError, match=r"`predictions` is 'hyp\.txt'; give a list"):
        read_segments("hyp.txt", [path])
    with pytest.raises(InputError, match=r"`predictions` is \[\]; give a list"):
        read_segments([], [path])
    [texts], references = read_segments([path], [])
    assert (texts.to_pylist(), references) == (["a"], None)
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
    for _ in stream_parts([Column(path)], [Column(path)], chunk_bytes=1 << 16):
        pass
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < path.stat().st_size / 8


@pytest.mark.parametrize("chunk_bytes", [1, 1000])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_byte_order_mark_is_dropped_with_a_warning(write, pack, chunk_bytes):
    for name, content in [("hyp.txt", "a cat\n\ufeffa dog\n"), ("hyp.jsonl", '"a cat"\n"\ufeffa dog"\n')]:
        path = write(name, pack(codecs.BOM_UTF8 + content.encode()))
        with pytest.warns(UserWarning, match=rf"{name}: starts with a byte order mark \(U\+FEFF\)[^\n]*$") as caught:
            lines = chunked(path, chunk_bytes)
        assert lines == ["a cat", "\ufeffa dog"]  # only where a file starts is it a mark
        assert len(caught) == 1


def test_a_byte_order_mark_from_standard_input(write, monkeypatch):
    path = write("any.txt", codecs.BOM_UTF8 + b"a cat\n")
    with path.open() as file:
        monkeypatch.setattr(sys, "stdin", file)
        with pytest.warns(UserWarning, match="^-: starts with a byte order mark"):
            lines = read_lines("-")
    assert lines.to_pylist() == ["a cat"]


@pytest.mark.parametrize(("content", "lines"), [("\ufeff", []), ("\ufeff\n", [""]), ("\ufeff\ufeffa", ["\ufeffa"])])
def test_what_a_byte_order_mark_leaves(write, content, lines):
    path, sizes = write("hyp.txt", content), []
    assert [line for chunk in stream_lines(path, progress=sizes.append) for line in chunk.to_pylist()] == lines
    assert all(len(chunk) for chunk in stream_lines(path))
    assert sum(sizes) == path.stat().st_size


def test_no_mark_no_warning(write):
    with warnings.catch_warnings(action="error"):
        read_lines(write("hyp.txt", "\u2060a cat\n"))


def test_a_string_keeps_what_a_file_loses():
    """In Python, U+FEFF at the start of a text is a character like any other, as it is for other libraries."""
    assert Segments(["\ufeffa cat"], ["a"]).read(words("whitespace")).tokens_of(0) == ["\ufeffa", "cat"]


SCRIPTS = ["the cat\nsat\n", "кошка сидит на окне", "แมวนั่งบนเสื่อชช\nแมว\n", "ਬਿੱਲੀ ਮੈਟ\n", "a\n", "\na\n"]
ENCODINGS = [f"utf-{width}{end}" for width in (16, 32) for end in ("", "le", "be")]


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("text", SCRIPTS)
def test_wide_encodings_are_refused_by_name(write, text, encoding):
    """Most of these are valid UTF-8, full of control characters."""
    for name, pack in [("hyp.txt", bytes), ("hyp.gz", gzip.compress), ("hyp.jsonl", bytes)]:
        with pytest.raises(InputError) as caught:
            read_lines(write(name, pack(text.encode(encoding))))
        message = (
            f"{name}: {encoding.upper()} text, but UTF-8 is expected; convert the file: `iconv -f {encoding} -t utf-8`."
        )
        assert str(caught.value).endswith(message)


@given(lines=st.lists(st.text(any_character, min_size=8, max_size=20), min_size=1, max_size=9), data=st.data())
def test_a_stray_nul_is_a_character(scratch, lines, data):
    """Text with a NUL here and there stays text; only where controls fill a third of it is it something else."""
    lines = ["An ordinary line comes first.", *(line.translate(dict.fromkeys(range(32), " ")) for line in lines)]
    at = data.draw(st.integers(0, len(lines) - 1))
    where = data.draw(st.integers(0, len(lines[at])))
    lines[at] = lines[at][:where] + "\0" + lines[at][where:]
    path = scratch / "nul.txt"
    path.write_bytes("".join(line + "\n" for line in lines).encode())
    assert read_lines(path).to_pylist() == lines
    assert chunked(path, 1) == lines


@pytest.mark.parametrize("chunk_bytes", [1, 7, 1000])
@pytest.mark.parametrize("name", ["hyp.txt", "hyp.gz", "hyp.jsonl"])
def test_a_line_over_the_limit(write, monkeypatch, name, chunk_bytes):
    monkeypatch.setattr(files, "LINE_BYTES", 10)
    pack = gzip.compress if name.endswith("gz") else bytes
    fits = "".join(f'"{"x" * size}"{end}' for size in (8, 0, 8) for end in ("\n", "\r\n"))
    path = write(name, pack(fits.encode()))
    assert len(chunked(path, chunk_bytes)) == 6
    for end in ("", "\n", "\r\n", "\nmore\n"):
        path = write(name, pack(f'{fits}"{"x" * 9}"{end}'.encode()))
        with pytest.raises(InputError, match=rf"{name}:7: a line of more than 10 bytes; [^\n]*$"):
            chunked(path, chunk_bytes)


def test_a_line_without_an_end_is_not_read_to_it(write, monkeypatch):
    monkeypatch.setattr(files, "LINE_BYTES", 1000)
    path = write("hyp.gz", gzip.compress(b"x" * 20_000_000))
    tracemalloc.start()
    with pytest.raises(InputError, match=r"hyp\.gz:1: a line of more than 1,000 bytes"):
        chunked(path, 100)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2_000_000


def test_a_line_that_is_too_long_is_not_split(write, monkeypatch):
    """It is refused as soon as it is read: a copy of it would take as much memory again."""
    monkeypatch.setattr(files, "LINE_BYTES", 1000)
    monkeypatch.setattr(files, "_split", None)
    path = write("hyp.txt", b"a\nb\n" + b"x" * 1500)
    with pytest.raises(InputError, match=r"hyp\.txt:3: a line of more than 1,000 bytes"):
        chunked(path, 10)


def test_a_small_file_of_many_empty_lines(write):
    """They have hardly a byte each, but a row each in a scorer: a chunk has few of them."""
    path = write("hyp.xz", lzma.compress(b"\n" * 3_000_000 + b"end"))
    assert path.stat().st_size < 1000
    lengths = [len(chunk) for chunk in stream_lines(path, chunk_bytes=1 << 20)]
    assert max(lengths) == (1 << 20) // 16
    assert sum(lengths) == 3_000_001
    tracemalloc.start()
    for _ in stream_lines(path, chunk_bytes=1 << 20):
        pass
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20 << 20


def test_lines_without_a_counterpart_are_not_counted_for_ever(write, monkeypatch):
    monkeypatch.setattr(parts, "_MOST_COUNTED", 1000)
    paths = [write("ref.txt", b"a\nb\n"), write("hyp.xz", lzma.compress(b"\n" * 100_000))]
    for first, second, message in (
        (*paths, r"ref\.txt has 2 lines but .*hyp\.xz has more than 1002; each line needs its counterpart\.$"),
        (*paths[::-1], r"hyp\.xz has more than 1002 lines but .*ref\.txt has 2; each line needs its counterpart\.$"),
    ):
        with pytest.raises(InputError, match=message):
            [*stream_parts([Column(first)], [Column(second)], chunk_bytes=1600)]


@pytest.mark.parametrize("name", ["hyp.txt", "hyp.gz"])
def test_no_memory_for_a_chunk(write, name):
    content = b"a\n"
    path = write(name, gzip.compress(content) if name.endswith("gz") else content)
    with pytest.raises(
        InputError, match=rf"{name}:1: no memory for a chunk of {1 << 60:,} bytes and the rest of a line \(at most "
    ):
        chunked(path, 1 << 60)


def test_no_memory_for_what_is_made_of_a_chunk(write, monkeypatch):
    path, split = write("hyp.txt", "a\nb\nc\n"), files._split

    def full(block, path, first_line, most):
        if first_line == 2:
            raise pa.ArrowMemoryError("malloc of size 1000 failed")
        return split(block, path, first_line, most)

    monkeypatch.setattr(files, "_split", full)
    with pytest.raises(InputError, match=r"hyp\.txt:2: no memory for a chunk of 1 bytes"):
        chunked(path, 1)


def test_no_memory_for_a_whole_file(write, monkeypatch):
    def full(arrays):
        raise pa.ArrowMemoryError("malloc of size 1000 failed")

    paths = [write("hyp.txt", "a\nb\n"), write("ref.txt", "a\nb\n")]
    monkeypatch.setattr(files.pa, "concat_arrays", full)
    with pytest.raises(InputError, match=r"hyp\.txt: no memory for all lines at once; [^\n]*$"):
        read_lines(paths[0])
    with pytest.raises(InputError, match=r"hyp\.txt: no memory for all lines at once; [^\n]*$"):
        read_segments(paths[:1], paths[1:])


CONTENTS = {
    "text": "the cat\r\nsat 🙂\n\nна окне\n".encode(),
    "marked": codecs.BOM_UTF8 + "猫 on\nthe mat".encode(),
    "wide": "the cat\nsat\n".encode("utf-16"),
    "json": b'"the cat"\n"sat \\ud83d\\ude42"\r\n"\xc4\x85"\n',
    "lists": b'["the", "cat"]\n["sat"]\n',
    "numbers": b'"a"\n12e3\n[[{"a": NaN}]]\n' + b"[" * 2_000,
}


@st.composite
def spoilt(draw, content):
    """Bytes with up to four stretches of them cut, doubled or replaced by others."""
    for _ in range(draw(st.integers(1, 4))):
        start, stop = sorted(draw(st.tuples(*[st.integers(0, len(content))] * 2)))
        stretch = draw(st.sampled_from([b"", 2 * content[start:stop]]) | st.binary(max_size=6))
        content = content[:start] + stretch + content[stop:]
    return content


@given(data=st.data(), name=st.sampled_from(sorted(CONTENTS)), chunk_bytes=chunk_sizes, lists=st.booleans())
def test_any_bytes_are_read_or_refused(scratch, data, name, chunk_bytes, lists):
    """Whatever a file holds, its lines come out as text, or an InputError says where they do not."""
    content, pack = CONTENTS[name], data.draw(st.sampled_from([None, "before", "after"]))
    if pack == "before":
        content = data.draw(spoilt(gzip.compress(content, mtime=0)))
    else:
        content = data.draw(spoilt(content))
        content = gzip.compress(content) if pack else content
    path = scratch / f"spoilt.{data.draw(st.sampled_from(['txt', 'jsonl']))}{data.draw(st.sampled_from(['', '.gz']))}"
    path.write_bytes(content)
    found = [lines_or_none(path, lists, size) for size in (chunk_bytes, files.CHUNK_BYTES)]
    assert None in found or found[0] == found[1]


def lines_or_none(path: Path, lists: bool, chunk_bytes: int) -> list[str] | list[list[str]] | None:
    """The lines, or None for a file that is refused by its name."""
    try:
        chunks = list(stream_lines(path, lists=lists, chunk_bytes=chunk_bytes))
    except InputError as error:
        if not str(error).startswith(str(path)):
            raise
        return None
    for chunk in chunks:
        chunk.validate(full=True)
    return [line for chunk in chunks for line in chunk.to_pylist()]


def test_long_work_prints_a_line_for_each_metric_without_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = iter([0, 4, 5, 13, 14, 20, 90, 95, 99])
    monkeypatch.setattr("metrologue.writing.time.monotonic", lambda: next(seconds))
    with progress_bar(total=3) as update:
        update(description="bleu: nltk")
        update(description="bleu: sacrebleu", finished="bleu: sacrebleu, a.txt")
        update(finished="bleu: sacrebleu, b.txt")
        update(finished="bleu: sacrebleu, c.txt")
        update(description="meteor")
        update(rate="7 pairs/s")
        update(description="chrf")
    assert capsys.readouterr().err.splitlines() == [
        "13 s, bleu: sacrebleu, b.txt: done",
        "bleu: done, 16 s",
        "90 s, 7 pairs/s",
        "meteor: done, 75 s",
    ]
