"""ARPA models: equal to KenLM per token, on recorded and on live numbers, and to the definition."""

from __future__ import annotations

import gzip
import json
import lzma
import os
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from click.testing import CliRunner
from compared import compared
from hypothesis import given
from strategies import texts

from language_models import plain
from language_models.models import arpa_text, random_model, random_text
from metrologue import cache
from metrologue.cli import main
from metrologue.errors import InputError
from metrologue.language_models import open_model
from metrologue.language_models.arpa import ArpaModel, tables
from metrologue.language_models.arpa.kernels.ngram_models import score_texts
from metrologue.language_models.kenlm_binary import KenlmModel

GOLDEN = json.loads(Path(__file__).with_name("kenlm.json").read_text("utf-8"))
MODELS = GOLDEN["models"]

TOY = """\
\\data\\
ngram 1=6
ngram 2=4
ngram 3=1

\\1-grams:
-1.0\t<unk>
-99\t<s>\t-0.5
-0.7\t</s>
-0.6\ta\t-0.3
-0.8\tb\t-0.2
-0.9\tc\t-0.1

\\2-grams:
-0.2\t<s> a\t-0.15
-0.4\ta b\t-0.05
-0.3\tb c
-0.5\tc </s>

\\3-grams:
-0.1\t<s> a b

\\end\\
"""


def written(folder: Path, text: str | bytes, name: str = "model.arpa") -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def full_scores(model: ArpaModel, text: str) -> list[tuple[float, int, bool]]:
    scores, lengths = model.full_scores([text])
    return list(zip(scores.log_probabilities.tolist(), lengths.tolist(), scores.unknown.tolist(), strict=True))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("arpa")


@pytest.fixture(scope="module")
def toy(folder: Path) -> ArpaModel:
    return ArpaModel(written(folder, TOY, "toy.arpa"))


@pytest.mark.parametrize("number", range(len(MODELS)))
def test_recorded_scores(number: int, folder: Path) -> None:
    case = MODELS[number]
    model = ArpaModel(written(folder, case["arpa"]))
    long = model.full_scores(pa.array([" ".join(case["texts"] * 300), *case["texts"]], pa.large_string()))[0]
    for i, (text, expected) in enumerate(zip(case["texts"], case["full_scores"], strict=True), 1):
        assert full_scores(model, text) == [tuple(each) for each in expected]
        start, stop = long.offsets[i : i + 2]
        assert long.log_probabilities[start:stop].tolist() == [each[0] for each in expected]
        assert len(model.tokens(text)) == len(expected)


@pytest.mark.parametrize("seed", range(40))
def test_live_scores(seed: int, folder: Path) -> None:
    kenlm: Any = pytest.importorskip(
        "kenlm", reason="the package kenlm is not installed; the recorded numbers are kept"
    )
    random = Random(1000 + seed)
    pruned = seed % 2 == 1
    while True:
        size = random.choice([3, 12]) if pruned else random.choice([5, 60, 300])
        text = arpa_text(
            random_model(random, 2 + seed % 5, pruned=pruned, unknown=seed % 3 > 0, size=size), "# a\n\n#b\n"
        )
        path = written(folder, text)
        settings = kenlm.Config()
        settings.show_progress, settings.arpa_complain = False, kenlm.ARPALoadComplain.NONE
        try:
            theirs = kenlm.Model(str(path), settings)
            break
        except OSError as error:  # KenLM has limited room for suffixes that the file leaves out
            if not pruned or "probing_multiplier" not in str(error):
                raise
    model = _model_of(text)
    for bos in (True, False):
        for eos in (True, False):
            ours = ArpaModel(path, bos=bos, eos=eos)
            for _ in range(15):
                line = random_text(random, model)
                expected = [*theirs.full_scores(line, bos=bos, eos=eos)]
                assert full_scores(ours, line) == expected
                compared(2 * len(expected))


def _model_of(text: str) -> Any:
    ngrams = plain.ngrams_of(text)
    return [{ngram: None for ngram in ngrams if len(ngram) == n} for n in range(1, max(map(len, ngrams)) + 1)]


@given(line=texts())
def test_any_text(line: str, toy: ArpaModel, folder: Path) -> None:
    kenlm: Any = pytest.importorskip("kenlm", reason="the package kenlm is not installed")
    line = line.replace("\0", "")  # the package takes it for the end of the word
    assert full_scores(toy, line) == [*kenlm.Model(str(folder / "toy.arpa")).full_scores(line)]


def test_a_nul_is_part_of_a_word(toy: ArpaModel) -> None:
    assert toy.tokens("a\0b c") == ["a\0b", "c", "</s>"]
    assert full_scores(toy, "a\0b")[0][2]


@pytest.mark.parametrize("order", [1, 2, 3, 5, 9])
@pytest.mark.parametrize("pruned", [False, True])
def test_definition(order: int, pruned: bool, folder: Path) -> None:
    random = Random(order)
    text = arpa_text(random_model(random, order, pruned=pruned, positive=False))
    ngrams, ours = plain.ngrams_of(text), ArpaModel(written(folder, text))
    assert ours.order == order
    model = _model_of(text)
    for _ in range(30):
        line = random_text(random, model)
        expected = plain.sentence(ngrams, ours.tokens(line)[:-1])
        assert ours.score_texts([line]).log_probabilities == pytest.approx(expected, rel=1e-5, abs=1e-6)


def test_texts_in_one_call_and_in_slices(toy: ArpaModel) -> None:
    lines = ["a b c", "", "猫", "a x b", "b"]
    column = pa.array(lines, pa.large_string())
    for texts_ in (column, column.slice(1, 3), column.slice(5), pa.array([], pa.large_string())):
        scores = toy.score_texts(texts_)
        apart = [toy.score_texts([line]).log_probabilities for line in texts_.to_pylist()]
        assert np.diff(scores.offsets).tolist() == [*map(len, apart)]
        assert scores.log_probabilities.tolist() == [number for each in apart for number in each]


def test_words_of_any_length_between_whitespace_of_any_kind(toy: ArpaModel) -> None:
    """Words are cut eight bytes at a time."""
    words = ["a" * length for length in (1, 2, 3, 7, 8, 9, 15, 16, 17, 24)]
    texts_ = [f"{' ' * shift}{left}{chr(code)}{right}" for code in range(0x80) for left, right, shift in (
        ("a", "b", 0), ("a" * 6, "b" * 9, 1), ("a" * 7, "b", 2), ("a" * 8, "b", 3), ("", "c", 7), ("a" * 16, "", 0),
    )]  # fmt: skip
    texts_ += [" ".join(words[i:]) for i in range(len(words))]
    scores = toy.score_texts(texts_)
    assert np.diff(scores.offsets).tolist() == [len(toy.tokens(text)) for text in texts_]
    known = [word in ("a", "b", "c", "<s>", "</s>") for text in texts_ for word in toy.tokens(text)]
    assert (~scores.unknown).tolist() == known


@pytest.mark.parametrize("order", [1, 2, 3, 6])
@pytest.mark.parametrize("boundaries", [True, False])
def test_texts_over_several_blocks(order: int, boundaries: bool, folder: Path) -> None:
    random = Random(order)
    text = arpa_text(random_model(random, order, size=200))
    model, drawn = ArpaModel(written(folder, text, f"{order}.arpa")), _model_of(text)
    model = model if boundaries else model.without_boundaries()
    lines = [random_text(random, drawn) for _ in range(300)]
    lines += [" ".join(lines), "", " ".join(lines[:100]), *lines]
    scores, lengths = model.full_scores(lines)
    apart = [full_scores(model, line) for line in lines]
    assert len(scores.log_probabilities) > 3000
    assert list(zip(scores.log_probabilities.tolist(), lengths.tolist(), scores.unknown.tolist(), strict=True)) == [
        token for each in apart for token in each
    ]


def test_the_kernel_refuses_other_arrays(toy: ArpaModel) -> None:
    buffer, offsets = np.zeros(8, np.uint8), np.array([0, 1])
    for wrong in ((buffer.view(np.int8), offsets), (buffer, offsets.astype(np.float64)), (buffer[::2], offsets)):
        with pytest.raises(TypeError, match="contiguous"):
            score_texts(*wrong, *toy._kept.tables[:3], True, True)


@pytest.mark.parametrize("number", range(len(MODELS)))
def test_the_summary_of_query(number: int, folder: Path) -> None:
    path = written(folder, MODELS[number]["arpa"])
    for recorded in MODELS[number]["query"]:
        text = written(folder, recorded["input"], "text.txt")
        options = ["--no-boundaries"] * ("-n" in recorded["options"])
        result = CliRunner().invoke(main, ["score", "perplexity", "--model", str(path), "-p", str(text), *options])
        assert result.exit_code == 0, result.output
        printed = "".join(f"{line}\n" for line in result.stdout.splitlines()[:4])
        if recorded["about"] == "no newline at the end":
            # KenLM counts the words of that line, and adds nothing for them; we score it like any other line.
            assert printed != recorded["output"]
        else:
            assert printed == recorded["output"]


def test_other_formats(folder: Path) -> None:
    path, text = written(folder, TOY, "toy.arpa"), written(folder, "a b c\na x b\n", "text.txt")
    command = ["score", "perplexity", "--model", str(path), "-p", str(text)]

    def run(*options: str, status: int = 0) -> str:
        result = CliRunner().invoke(main, [*command, *options])
        assert result.exit_code == status, result.output
        return result.output if status else result.stdout

    [system] = json.loads(run("--format", "json"))["systems"]
    assert system["scores"]["perplexity"] == pytest.approx(3.651741, rel=1e-6)
    assert system["scores"]["perplexity_excluding_oovs"] == pytest.approx(2.727183, rel=1e-6)
    assert float(run("--format", "tsv").splitlines()[1].split("\t")[1]) == system["value"]
    assert [line.split("\t")[2][:7] for line in run("--per-segment").splitlines()[1:]] == ["1.93865", "6.87859"]
    assert run("-p", str(text)).count("3.6517") == 2
    assert "oov=exclude" in run("--set", "oov=exclude")
    assert "bleu" in run("bleu", "-r", str(text)), "a metric that takes no model may stand beside one that does"


BAD = {
    "no header": ("hello", ":1: 'hello', but \\data\\ is expected"),
    "empty": ("", "the end of the file, but \\data\\ is expected"),
    "no counts": (TOY.replace("ngram ", "\\ngram "), "the header has no counts"),
    "counts not in order": (TOY.replace("ngram 2", "ngram 3"), ":3: 'ngram 3=4', but the count `ngram 2=…`"),
    "a huge count": (TOY.replace("3=1", "3=123456789012"), "more than the file can hold"),
    "a count of thousands of digits": (TOY.replace("3=1", f"3={'9' * 5000}"), ":4: 'ngram 3=999"),
    "too few": (TOY.replace("2=4", "2=5"), ":20: there are 4 2-grams, but the header promises 5"),
    "too many": (TOY.replace("2=4", "2=3"), ":18: there are more than the 3 2-grams that the header promises"),
    "no section": (TOY.replace("\\2-grams:", "\\4-grams:"), "'\\\\4-grams:', but \\2-grams: is expected"),
    "no end": (TOY.replace("\\end\\", ""), "the end of the file, but \\end\\ is expected"),
    "after the end": (TOY + "more\n", ":24: 'more' comes after \\end\\"),
    "not a number": (TOY.replace("-0.8\tb", "minus\tb"), ":11, column 1: 'minus' is not a number"),
    "half a number": (TOY.replace("-0.8\tb", "-0.8x\tb"), "'-0.8x' is not a number"),
    "NaN": (TOY.replace("-0.8\tb", "NaN\tb"), "'NaN' is not a number"),
    "positive": (TOY.replace("-0.8\tb", "0.8\tb"), ":11: 0.8: a log-probability cannot be positive"),
    "no word": (TOY.replace("-0.8\tb\t-0.2", "-0.8"), ":11, column 5: no word after the number"),
    "too few words": (TOY.replace("a b\t-0.05", "a"), ":16, column 7: 1 word where 2 are expected"),
    "too many words": (TOY.replace("<s> a b\n", "<s> a b c\n"), ":21, column 13: a TAB and a back-off"),
    "a space before the back-off": (TOY.replace("\t-0.15", " -0.15"), ":15, column 11: a TAB and a back-off"),
    "a bad back-off": (TOY.replace("\t-0.15", "\tx"), ":15, column 12: 'x' is not a number; a back-off"),
    "an empty back-off": (TOY.replace("\t-0.15", "\t"), "'' is not a number; a back-off"),
    "an infinite back-off": (TOY.replace("\t-0.15", "\t-inf"), "a back-off cannot be infinite"),
    "a back-off of the longest": (TOY.replace("<s> a b\n", "<s> a b\t-1\n"), "3-grams are the longest"),
    "a word that is not listed": (TOY.replace("c </s>", "d </s>"), ":18: the word 'd' is not among the 1-grams"),
    "a word twice": (TOY.replace("\tc\t", "\ta\t"), ":12: the word 'a' comes twice"),
    "unknown twice": (TOY.replace("\tc\t", "\t<UNK>\t"), "'<UNK>' comes twice"),
    "an n-gram twice": (TOY.replace("-0.3\tb c", "-0.3\ta b"), ":17: the 2-gram 'a b' comes twice"),
    "no context": (TOY.replace("<s> a b\n", "b b c\n"), ":21: 'b b' begins a 3-gram, but is not among the 2-grams"),
    "no sentence": (TOY.replace("<s>", "<x>"), "<s> is not among the 1-grams"),
    "no end of sentence": (TOY.replace("</s>", "<x>"), "</s> is not among the 1-grams"),
    "not UTF-8": (TOY.encode().replace(b"\tb\t", b"\t\xff\t"), ":11: byte 6 of the line (0xff) is not UTF-8"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_files(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("METROLOGUE_CACHE", str(tmp_path / "cache"))
    text, message = BAD[name]
    path = written(tmp_path, text)
    with pytest.raises(InputError) as caught:
        ArpaModel(path)
    assert str(path) in str(caught.value)
    assert message in str(caught.value)
    assert [*(tmp_path / "cache").glob("arpa/*")] == []


def test_packed_files(tmp_path: Path) -> None:
    expected = full_scores(ArpaModel(written(tmp_path, TOY)), "a b c")
    zstd = pa.compress(TOY.encode(), codec="zstd", asbytes=True)
    gz, xz = gzip.compress(TOY.encode()), lzma.compress(TOY.encode())
    for name, packed in (("a.arpa.gz", gz), ("a.arpa.xz", xz), ("a.arpa.zst", zstd)):
        assert full_scores(ArpaModel(written(tmp_path, packed, name)), "a b c") == expected
        with pytest.raises(InputError, match="not a valid"):
            ArpaModel(written(tmp_path, packed[:-20], name))
    windows = written(tmp_path, TOY.replace("\n", "\r\n"))
    assert full_scores(ArpaModel(windows), "a b c") == expected


@pytest.mark.parametrize(
    "number", ["-0.30103000402450562", "-1.00000005960464477539", "-1.000000059604644775390625", "-1e-40"]
)
def test_numbers_are_rounded_once(number: str, tmp_path: Path) -> None:
    ours = full_scores(ArpaModel(written(tmp_path, TOY.replace("-0.6\ta", f"{number}\ta"))), "x a")
    near = np.float32(float(number))
    assert ours[1][0] in (
        float(near),
        float(np.nextafter(near, np.float32(0))),
        float(np.nextafter(near, np.float32(-np.inf))),
    )
    kenlm: Any = pytest.importorskip("kenlm", reason="the package kenlm is not installed")
    assert ours == [*kenlm.Model(str(tmp_path / "model.arpa")).full_scores("x a")]


def test_a_model_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("METROLOGUE_CACHE", str(tmp_path / "cache"))
    path = written(tmp_path, TOY)
    expected = full_scores(ArpaModel(path), "a b c")
    [made] = (tmp_path / "cache" / "arpa").iterdir()

    def read(*arguments: object) -> None:
        raise AssertionError("the file is read again")

    with monkeypatch.context() as patch:
        patch.setattr(tables, "ArpaFile", read)
        assert full_scores(ArpaModel(path), "a b c") == expected
    made.write_bytes(made.read_bytes()[:-8])  # a file that was cut off is made again
    assert full_scores(ArpaModel(path), "a b c") == expected


def test_an_interrupt_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("METROLOGUE_CACHE", str(tmp_path / "cache"))

    def interrupt(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(tables, "add_ngrams", interrupt)
    with pytest.raises(KeyboardInterrupt):
        ArpaModel(written(tmp_path, TOY))
    assert [*(tmp_path / "cache" / "arpa").iterdir()] == []


def test_a_cache_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "cache").write_text("a file in place of the folder")
    monkeypatch.setenv("METROLOGUE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "_made", {})
    path = written(tmp_path, TOY)
    first = ArpaModel(path)
    assert "for this process only" in capsys.readouterr().err
    assert full_scores(ArpaModel(path), "a") == full_scores(first, "a")
    assert len(cache._made) == 1


CAPPED = """
import resource, sys
from metrologue.language_models.arpa import ArpaModel
ArpaModel(sys.argv[1])
data = next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmData"))
resource.setrlimit(resource.RLIMIT_DATA, (1024 * data + (48 << 20),) * 2)
try:
    bytearray(49 << 20)
except MemoryError:
    print("capped")
print(ArpaModel(sys.argv[2]).score_texts(["w1 w2 w3"]).offsets.tolist())
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux has this limit of memory")
def test_memory_is_bounded(tmp_path: Path) -> None:
    # The first run compiles what the second one needs, which takes memory of its own.
    small = written(tmp_path, f"# {os.urandom(8).hex()}\n{TOY}")
    subprocess.run([sys.executable, "-c", CAPPED, small, small], capture_output=True, check=True)
    large = tmp_path / "large.arpa"
    words = 1000
    pairs = [(i, (i * 7 + k) % words) for i in range(words) for k in range(600)]
    with large.open("w") as file:
        file.write(
            f"\\data\\\nngram 1={words + 2}\nngram 2={len(pairs)}\nngram 3={2 * len(pairs)}\n\n"
            "\\1-grams:\n-9\t<s>\n-9\t</s>\n"
        )
        file.writelines(f"-3.14159\tw{i}\t-0.5\n" for i in range(words))
        file.write("\n\\2-grams:\n")
        file.writelines(f"-2.7182818\tw{i} w{j}\t-0.25125\n" for i, j in pairs)
        file.write("\n\\3-grams:\n")
        file.writelines(f"-1.4142135623730951\tw{i} w{j} w{(j * 7 + k) % words}\n" for i, j in pairs for k in (0, 1))
        file.write("\n\\end\\\n")
    assert large.stat().st_size > 48 << 20
    ran = subprocess.run([sys.executable, "-c", CAPPED, small, large], capture_output=True, text=True, check=False)
    assert ran.stdout == "capped\n[0, 4]\n", ran.stderr


def test_names(folder: Path, toy: ArpaModel) -> None:
    assert toy.name.startswith("toy.arpa@")
    assert toy.without_boundaries().name == f"{toy.name}-nobos-noeos"
    assert ArpaModel(folder / "toy.arpa", eos=False).name == f"{toy.name}-noeos"
    assert ArpaModel(written(folder, TOY, "a b=|c.arpa")).name.startswith("a_b__c.arpa@")
    assert isinstance(open_model(folder / "toy.arpa"), ArpaModel)


def test_another_process_opens_the_file(folder: Path, toy: ArpaModel) -> None:
    content = pickle.dumps(toy.without_boundaries())
    assert len(content) < 1000
    copied = pickle.loads(content)
    assert copied.name == toy.without_boundaries().name
    assert full_scores(copied, "a b") == full_scores(toy.without_boundaries(), "a b")


def test_threads_share_a_model(toy: ArpaModel) -> None:
    lines = ["a b c", "b a", "c", "x a b c"] * 50
    expected = [full_scores(toy, line) for line in lines]
    with ThreadPoolExecutor(4) as pool:
        assert [*pool.map(lambda line: full_scores(toy, line), lines)] == expected


def test_binary_files(folder: Path) -> None:
    import base64

    pytest.importorskip("kenlm", reason="the package kenlm, which reads its binary files, is not installed")
    case = next(each for each in MODELS if each["binary"])
    path = written(folder, base64.b64decode(case["binary"]), "model.binary")
    model = open_model(path)
    assert isinstance(model, KenlmModel)
    scores = model.score_texts(case["texts"])
    assert scores.log_probabilities.tolist() == [token[0] for text in case["full_scores"] for token in text]
    assert scores.unknown.tolist() == [token[2] for text in case["full_scores"] for token in text]
    assert model.without_boundaries().score_texts(["a b", ""]).offsets.tolist() == [0, 2, 2]
    with pytest.raises(InputError, match="cannot be read as a model of KenLM"):
        KenlmModel(written(folder, path.read_bytes()[:100], "cut.binary"))


def test_binary_files_without_the_package(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "kenlm", None)
    with pytest.raises(InputError, match=r"pip install .*\[kenlm\]"):
        KenlmModel(written(folder, b"mmap lm", "model.binary"))
