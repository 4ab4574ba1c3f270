"""The plain Python that the benchmark compares us with gives the same numbers, with the hashes of mmh3."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.hashed_words.plain import murmur3
from metrologue.scorers import LikelihoodHashed


def test_the_peer_gives_the_same_number(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("mmh3")
    monkeypatch.syspath_prepend(str(root))
    from benchmarks.hashed import generated, plain

    lines, words = generated(lines=50)
    assert plain(lines, words) == pytest.approx(LikelihoodHashed().corpus(lines, words).value, rel=1e-12)
    ours = LikelihoodHashed(bits=2).corpus(["a:0.9 b:0.6"], ["b"]).value
    assert plain(["a:0.9 b:0.6"], ["b"], 2) == pytest.approx(ours)


@given(word=st.text(), seed=st.integers(0, 2**32 - 1))
def test_hashes_of_mmh3(word: str, seed: int) -> None:
    mmh3 = pytest.importorskip("mmh3")
    assert murmur3(word.encode(), seed) == mmh3.hash(word.encode(), seed, signed=False)
