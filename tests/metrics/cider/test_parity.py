"""CIDEr against what the authors' program returned, pickled tables, and pycocoevalcap with options that it breaks."""

from __future__ import annotations

import json
import pickle
from collections import Counter, OrderedDict, defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from compared import compared

from metrologue import explain
from metrologue.comparison.libraries import Missing, get_library
from metrologue.errors import InputError
from metrologue.scorers import Cider, NistMt
from metrologue.segments import Segments
from metrologue.text.lexicon.document_frequencies import read_frequencies

RECORDED = {
    name: json.loads(Path(__file__).with_name(f"{name}.json").read_text("utf-8")) for name in ("cider", "cider-d")
}


def table_of(references: list[list[str]]) -> dict[tuple[str, ...], float]:
    """Document frequencies of every other image, as the recorded runs had them."""
    counts: Counter[tuple[str, ...]] = Counter()
    for own in references[::2]:
        texts = [text.split() for text in own]
        counts.update({tuple(t[i : i + n]) for t in texts for n in range(1, 5) for i in range(len(t) - n + 1)})
    return {ngram: float(count) for ngram, count in counts.items()}


@pytest.mark.parametrize("variant", RECORDED)
@pytest.mark.parametrize("mode", ["corpus", "table"])
def test_what_the_authors_program_returned(variant: str, mode: str) -> None:
    recorded = RECORDED[variant]
    predictions, references = recorded["tokenized_predictions"], recorded["tokenized_references"]
    scorer = Cider.variant(variant, tokenizer="whitespace")
    if mode == "table":
        scorer = scorer.with_frequencies(table_of(references), 40504)
    assert scorer.corpus(predictions, references).value == pytest.approx(recorded[mode]["corpus"], rel=1e-12)
    rows = scorer.segments(predictions, references)
    assert rows == pytest.approx(recorded[mode]["segments"], rel=1e-12, abs=1e-15)
    compared(len(rows) + 1)


# Tables as the two programs have them, and as Python 2 and NumPy write them.


def saved(tmp_path: Path, content: object, protocol: int = 4) -> Path:
    path = tmp_path / "table.p"
    path.write_bytes(content if isinstance(content, bytes) else pickle.dumps(content, protocol))
    return path


COUNTS = {("a",): 3.0, ("a", "café"): 1.0}


@pytest.mark.parametrize("protocol", range(6))
@pytest.mark.parametrize(
    "kind",
    [
        dict,
        OrderedDict,
        lambda counts: Counter({key: int(value) for key, value in counts.items()}),
        lambda counts: defaultdict(float, counts),
        lambda counts: defaultdict(int, {key: np.float64(value) for key, value in counts.items()}),
        lambda counts: defaultdict(float, {key: np.int32(value) for key, value in counts.items()}),
        lambda counts: {key: np.dtype(">f4").type(value) for key, value in counts.items()},
        lambda counts: {tuple(token.encode() for token in key): value for key, value in counts.items()},
    ],
    ids=["dict", "ordered", "counter", "defaultdict", "float64", "int32", "float32", "bytes"],
)
def test_tables_of_every_kind(tmp_path: Path, kind: Any, protocol: int) -> None:
    assert read_frequencies(saved(tmp_path, kind(COUNTS), protocol)) == (COUNTS, None)
    whole = {"document_frequency": kind(COUNTS), "ref_len": np.float64(40504)}
    assert read_frequencies(saved(tmp_path, whole, protocol)) == (COUNTS, 40504.0)


# What Python 2.7's cPickle writes for defaultdict(float, {("a", "caf\xc3\xa9"): 2.0}): str are bytes.
PYTHON_2 = (
    b"\x80\x02ccollections\ndefaultdict\nq\x01c__builtin__\nfloat\nq\x02\x85q\x03Rq\x04"
    b"U\x01aU\x05caf\xc3\xa9\x86q\x05G@\x00\x00\x00\x00\x00\x00\x00s."
)
PYTHON_2_TEXT = (
    b"(dp1\nS'ref_len'\np2\nF40504.0\nsS'document_frequency'\np3\nccollections\ndefaultdict\np4\n(c__builtin__\nfloat\n"
    b"p5\ntp6\nRp7\n(S'a'\np8\nS'caf\\xe9'\np9\ntp10\nF2.0\nss."
)


def test_tables_of_python_2(tmp_path: Path) -> None:
    assert read_frequencies(saved(tmp_path, PYTHON_2)) == ({("a", "café"): 2.0}, None)
    latin = {("a", "café"): 2.0}, 40504.0  # a token that is not UTF-8 is Latin-1
    assert read_frequencies(saved(tmp_path, PYTHON_2_TEXT)) == latin


class Evil:
    def __init__(self, function: Any, *arguments: Any) -> None:
        self.parts = function, arguments

    def __reduce__(self) -> Any:
        return self.parts


@pytest.mark.parametrize(
    "content",
    [
        lambda path: Evil(path.touch),
        lambda path: Evil(eval, "open('evil', 'w')"),
        lambda path: {("a",): Evil(exec, "raise SystemExit")},
        lambda path: Evil(getattr, Path, "touch"),
        lambda path: {("a",): np.array([1.0])},
        lambda path: {("a",): np.float64},
    ],
    ids=["method", "eval", "exec", "getattr", "array", "class"],
)
def test_a_table_runs_no_code(tmp_path: Path, content: Any) -> None:
    victim = tmp_path / "victim"
    path = saved(tmp_path, content(victim))
    with pytest.raises(InputError, match=r"table\.p is not a pickled table .*a table has no code"):
        read_frequencies(path)
    assert not victim.exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is not a pickled table"),
        (b"\xff" * 20, "is not a pickled table"),
        (pickle.dumps(COUNTS)[:-5], "is not a pickled table"),
        (b"cnumpy\ndtype\n(S'V8'\nI0\nI1\ntR.", "is not a pickled table"),
        (b"P1\n.", "it refers to other data"),
        (b"c__builtin__\nfloat\n(dS'function'\nNsb.", "it changes a function"),
        (b"c__builtin__\nfloat\n(N(dS'function'\nNstb.", "it changes a function"),
        ([1], "is not a table of document frequencies: it holds"),
        ({"a": 1}, "the key 'a' is not a tuple of tokens"),
        ({("a", 1): 1}, "1 .*is not a str"),
        ({"document_frequency": 3, "ref_len": 2}, "`document_frequency` is not a dict, or `ref_len` is not a number"),
        ({"document_frequency": {}, "ref_len": "2"}, "`ref_len` is not a number"),
    ],
)
def test_files_that_hold_no_table(tmp_path: Path, content: object, message: str) -> None:
    with pytest.raises(InputError, match=rf"table\.p.*{message}"):
        read_frequencies(saved(tmp_path, content))
    with pytest.raises(InputError, match="cannot be read"):
        read_frequencies(tmp_path / "none.p")


def test_a_table_makes_the_recorded_scores(tmp_path: Path) -> None:
    """From a pickle, as it is for the authors' program."""
    recorded = RECORDED["cider-d"]
    predictions, references = recorded["tokenized_predictions"], recorded["tokenized_references"]
    content = {"ref_len": 40504.0, "document_frequency": defaultdict(float, table_of(references))}
    frequencies, documents = read_frequencies(saved(tmp_path, content, 2))
    assert documents is not None
    scorer = Cider.variant("cider-d", tokenizer="whitespace").with_frequencies(frequencies, documents)
    assert scorer.corpus(predictions, references).value == pytest.approx(recorded["table"]["corpus"], rel=1e-12)


def test_orders_that_pycocoevalcap_does_not_count() -> None:
    """It always counts orders 1 to 4: it fails if fewer are asked for, and adds zeros if more are."""
    library = get_library("pycocoevalcap")
    if isinstance(status := library.status("cider"), Missing):
        pytest.skip(f"pycocoevalcap: {status}")
    from pycocoevalcap.cider.cider import Cider as Live

    gts, res = {0: ["a b c d e f"], 1: ["a g"]}, {0: ["a b c d e x"], 1: ["a g"]}
    with pytest.raises(IndexError):
        Live(n=3).compute_score(gts, res)
    ours = Cider.variant("pycocoevalcap").corpus([res[0][0], res[1][0]], [gts[0][0], gts[1][0]]).value
    assert Live(n=4).compute_score(gts, res)[0] == pytest.approx(ours, rel=1e-12)
    assert Live(n=8).compute_score(gts, res)[0] == pytest.approx(ours / 2, rel=1e-12)
    compared(2)


@pytest.fixture(scope="module")
def flickr(shared_data: Path) -> list[dict[str, Any]]:
    """Captions of Flickr8k with five references, and the judgements of three experts."""
    path = shared_data / "flickr8k_expert" / "flickr8k_expert.jsonl"
    if not path.is_file():
        pytest.skip(f"no file {path}")
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_the_correlation_that_was_published(flickr: list[dict[str, Any]]) -> None:
    """0.581 with the judgements of all experts, by Elliott and Keller's script; the images are those of the data."""
    stats = pytest.importorskip("scipy.stats", reason="scipy is not installed: pip install scipy")
    predictions, references = [row["hypothesis"] for row in flickr], [row["references"] for row in flickr]
    images = [[*own] for own in dict.fromkeys(map(tuple, references))]
    assert len(images) == 1000
    fitted = Cider.variant("coco").fit(Segments([""] * 1000, images))
    scores = fitted.segments(predictions, references)
    judgements = np.array([row["human"]["expert"] for row in flickr])
    assert round(stats.spearmanr(np.tile(scores, 3), judgements.T.ravel()).statistic, 3) == 0.581


def test_tokens_make_the_gap(flickr: list[dict[str, Any]]) -> None:
    """pycocoevalcap's number without its tokenizer is lower, and the tokenizer is all that differs."""
    predictions, references = [row["hypothesis"] for row in flickr[:1000]], [row["references"] for row in flickr[:1000]]
    found = explain("cider:pycocoevalcap", "cider:coco", predictions, references)
    assert [part.choice for part in found.contributions] == ["tokenizer"]
    assert found.contributions[0].share == pytest.approx(found.gap, rel=1e-12)
    assert found.gap > 0
    parts = explain("cider:cider", "cider:coco", predictions, references).contributions
    assert {part.choice for part in parts} == {"clipping", "length penalty"}


@pytest.mark.slow
def test_captions_of_flickr(flickr: list[dict[str, Any]], java: object) -> None:
    """Each image, with pycocoevalcap's tokenizer in Java."""
    library = get_library("pycocoevalcap")
    if isinstance(status := library.status("coco_cider"), Missing):
        pytest.skip(f"pycocoevalcap: {status}")
    predictions, references = [row["hypothesis"] for row in flickr], [row["references"] for row in flickr]
    live = [row["cider"] for row in library.segments("coco_cider", predictions, references)]
    ours = Cider.variant("coco").segments(predictions, references)
    assert ours == pytest.approx(live, rel=1e-12, abs=1e-300)
    compared(len(live))


def test_saved_tables_and_other_files(tmp_path: Path) -> None:
    segments = Segments(["a", "b"], ["a c", "b"])
    fitted = Cider().fit(segments)
    assert fitted.document_frequency
    fitted.document_frequency.save(tmp_path / "own.arrow")
    assert Cider().with_table(tmp_path / "own.arrow") == fitted
    information = NistMt().fit(segments).information
    assert information
    information.save(tmp_path / "nist.arrow")
    with pytest.raises(InputError, match="a table for another metric or field"):
        Cider().with_table(tmp_path / "nist.arrow")
    with pytest.raises(InputError, match="does not say how many images it is made from; give `documents`"):
        Cider().with_table(saved(tmp_path, COUNTS))
    with pytest.raises(InputError, match="has n-grams of at most 2 tokens, but `max_order` is 4"):
        Cider().with_table(saved(tmp_path, COUNTS), 10)
    assert Cider(max_order=2).with_table(saved(tmp_path, COUNTS), 10).document_frequency
    with pytest.raises(InputError, match="none cannot be read"):
        Cider().with_table(tmp_path / "none")


def test_cocos_table_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("METROLOGUE_CACHE", str(tmp_path / "cache"))
    with pytest.raises(InputError, match="publish it in https://github"):
        Cider().with_table("coco-val-df")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "coco-val-df.p").write_bytes(pickle.dumps({("a",): 9.0, ("a", "cat", "sat", "down"): 1.0}))
    named = Cider().with_table("coco-val-df")
    assert named.document_frequency.table["documents"].item() == 40504
    assert Cider().with_table(tmp_path / "data" / "coco-val-df.p") == named
