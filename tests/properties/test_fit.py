"""``fit``: a scorer that holds a table, which is saved, loaded, named by a signature and found again."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
import pytest
from numpy.typing import NDArray

from metrologue.errors import InputError
from metrologue.scorers import Bleu
from metrologue.scorers.core.capabilities import Fitted
from metrologue.scorers.core.configuration import Configuration
from metrologue.scorers.core.numbers import number
from metrologue.scorers.core.options import option
from metrologue.scorers.core.scorer import Scorer
from metrologue.segments import Segments
from metrologue.text.lexicon.resource import Resource
from metrologue.text.reading import words

PREDICTIONS = ["the cat sat", "a dog", "cat"]
REFERENCES = ["the cat", "the dog", "the cat sat"]


@pytest.fixture(scope="module")
def rarity() -> Iterator[type[Scorer]]:
    """A metric that sums 1 / count of each predicted word that the references have."""

    @dataclass(frozen=True, kw_only=True)
    class Rarity(Scorer, Fitted):
        name: ClassVar[str] = "rarity_here"  # it is unregistered afterwards: a metric of the package has another name
        numbers: ClassVar = (number("rarity", 0, 1, better="higher", about="mean of 1 / count of the words"),)
        tokenizer: str = option("whitespace", stage="read", choice="tokenizer", kind="tokenizer")
        seen: Resource | None = option(None, stage="pairs", choice="table", kind="fitted")

        @property
        def _columns(self) -> tuple[str, ...]:
            return ("sum", "words")

        def _fit(self, segments: Segments) -> dict[str, dict[str, Any]]:
            view = segments.read(words(self.tokenizer))
            counts = np.bincount(view.ids[view.offsets[len(view)] :], minlength=view.type_count)
            return {"seen": {"words": view.spellings(), "counts": counts}}

        def _statistics(self, segments: Segments) -> NDArray[np.float64]:
            view = segments.read(words(self.tokenizer))
            assert self.seen
            counts = dict(zip(self.seen.table.text("words").to_pylist(), self.seen.table["counts"], strict=True))
            rows = [[word for word in view.tokens(i)[0] if counts.get(word)] for i in range(len(view))]
            return np.array([[sum(1 / counts[word] for word in row), len(row)] for row in rows], float).reshape(-1, 2)

        def _score(self, statistics: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
            return {"rarity": statistics[..., 0] / np.maximum(statistics[..., 1], 1)}

    yield Rarity
    del Configuration._registered["rarity_here"]


def expected() -> float:
    # the: 3 times, cat: 2, sat: 1, dog: 1
    return (1 / 3 + 1 / 2 + 1 + 1 + 1 / 2) / 5


def test_a_scorer_without_a_table_makes_it_of_what_it_scores(rarity: Any) -> None:
    assert rarity().corpus(PREDICTIONS, REFERENCES).value == pytest.approx(expected(), rel=1e-12)
    assert rarity().corpus(PREDICTIONS, REFERENCES).signature.count("seen=null") == 1
    # In threads, and for each segment alone, it is the table of all of them.
    assert rarity().corpus(PREDICTIONS, REFERENCES, threads=3).value == pytest.approx(expected(), rel=1e-12)
    assert rarity().segments(PREDICTIONS, REFERENCES)[2] == 0.5


def test_a_fitted_scorer_is_a_new_one_and_keeps_its_table(rarity: Any) -> None:
    plain = rarity()
    fitted = plain.fit(Segments(PREDICTIONS, REFERENCES))
    assert plain.seen is None
    assert fitted.seen.name == "rarity_here-seen"
    assert fitted.corpus(["cat"], ["zebra"]).value == 0.5
    assert plain.corpus(["cat"], ["zebra"]).value == 0.0
    again = plain.fit(Segments(PREDICTIONS[:1] * 3, REFERENCES))
    assert again != fitted


def test_batches_need_one_table(rarity: Any) -> None:
    with pytest.raises(InputError, match=r"Rarity: `seen` must be the same for all batches; fit\(segments\) makes it"):
        rarity().accumulate(PREDICTIONS, REFERENCES)
    fitted = rarity().fit(Segments(PREDICTIONS, REFERENCES))
    totals = fitted.accumulate(PREDICTIONS[:1], REFERENCES[:1])
    totals = fitted.accumulate(PREDICTIONS[1:], REFERENCES[1:], totals)
    assert fitted.score_totals(totals).value == pytest.approx(expected(), rel=1e-12)


def test_a_table_is_saved_loaded_and_found_by_signature(rarity: Any, tmp_path: Path) -> None:
    fitted = rarity().fit(Segments(PREDICTIONS, REFERENCES))
    signature, path = fitted.signature, tmp_path / "seen.arrow"
    fitted.seen.save(path)
    assert Scorer.from_signature(signature) == fitted
    del fitted
    gc.collect()
    with pytest.raises(
        InputError, match=r"from_signature: `seen`: the table 'rarity_here-seen@\w{12}' is not in use here"
    ):
        Scorer.from_signature(signature)
    loaded = Scorer.from_signature(signature, seen=str(path))
    assert loaded.signature == signature
    assert loaded.corpus(["cat"], ["zebra"]).value == 0.5
    by_hand = rarity(seen=Resource.load(path))
    assert by_hand == loaded
    assert rarity(seen=str(by_hand.seen)) == loaded


def test_a_table_is_found_after_an_equal_one_is_gone(rarity: Any, tmp_path: Path) -> None:
    fitted = rarity().fit(Segments(PREDICTIONS, REFERENCES))
    fitted.seen.save(tmp_path / "seen.arrow")
    loaded = Resource.load(tmp_path / "seen.arrow")
    assert loaded == fitted.seen
    del loaded
    gc.collect()
    assert Scorer.from_signature(fitted.signature) == fitted


def test_another_table_than_the_signature_names(rarity: Any, tmp_path: Path) -> None:
    one, other = (rarity().fit(Segments(texts, texts)) for texts in (["a"], ["b"]))
    assert one != other
    other.seen.save(tmp_path / "other.arrow")
    with pytest.raises(
        InputError, match=r"`seen`: .*other\.arrow holds the table rarity_here-seen@\w+, not rarity_here-seen@"
    ):
        Scorer.from_signature(one.signature, seen=str(tmp_path / "other.arrow"))


def test_nothing_to_fit() -> None:
    with pytest.raises(InputError, match="Bleu: has nothing to fit"):
        Bleu().fit(Segments(["a"], ["a"]))


def test_fitting_without_references(rarity: Any) -> None:
    with pytest.raises(InputError, match="Rarity: `references` are missing"):
        rarity().fit(Segments(["a"]))


@pytest.mark.parametrize("content", [b"", b"ARROW1", b"{}", b"\xff" * 64])
def test_files_that_hold_no_table(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "bad.arrow").write_bytes(content)
    with pytest.raises(InputError, match=r"Resource\.load: .*bad\.arrow holds no saved table"):
        Resource.load(tmp_path / "bad.arrow")
    with pytest.raises(InputError, match="holds no saved table"):
        Resource.load(tmp_path / "none.arrow")


def test_an_arrow_file_of_another_kind(tmp_path: Path) -> None:
    with pa.OSFile(str(tmp_path / "other.arrow"), "wb") as sink, pa.ipc.new_file(sink, pa.schema([("a", "int8")])) as f:
        f.write_batch(pa.record_batch([pa.array([1], "int8")], ["a"]))
    with pytest.raises(InputError, match="holds no saved table"):
        Resource.load(tmp_path / "other.arrow")


def test_the_digest_is_of_the_content_and_of_what_it_was_made_with() -> None:
    table = {"keys": ["a", "b"], "values": np.arange(2.0)}
    one = Resource.of("x", table)
    assert one == Resource.of("x", dict(table))
    assert one != Resource.of("x", {**table, "values": np.arange(2)})
    assert one != Resource.of("x", {**table, "keys": ["ab", ""]})
    assert one != Resource.of("x", table, {"tokenizer": "13a"})
    assert one != Resource.of("y", table)
    with pytest.raises(InputError, match="cannot be part of a signature"):
        Resource.of("x|y", table)


def test_a_table_of_another_reading_or_metric(rarity: Any) -> None:
    seen = rarity().fit(Segments(PREDICTIONS, REFERENCES)).seen
    with pytest.raises(InputError, match=r"`seen` was fitted with tokenizer=whitespace, not tokenizer=13a"):
        rarity(tokenizer="13a", seen=seen)
    with pytest.raises(InputError, match=r"`seen` is idf@\w+, a table for another metric or field"):
        rarity(seen=Resource.of("idf", {"words": ["a"]}))


def test_a_value_that_is_no_table(rarity: Any) -> None:
    with pytest.raises(InputError, match=r"Rarity: `seen` is 3; None or a Resource that fit made, or the name of one"):
        rarity(seen=3)
