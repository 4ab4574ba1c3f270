"""WikiSplit's numbers against those of the three metrics, and of the Hub's module."""

from __future__ import annotations

from pathlib import Path

import evaluate
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import Corpus, corpora, spelled

import metrologue
from metrics.wiki_split.plain import wiki_split
from metrologue.errors import InputError
from metrologue.scorers import Bleu, ExactMatch, Sari, WikiSplit

# One-letter words that are no article, and some that all have in common, so that every order has a match.
triples = st.lists(
    st.tuples(*[st.lists(st.sampled_from("bcde"), max_size=4).map(lambda own: [*"fghi", *own])] * 4),
    min_size=1,
    max_size=3,
)


@given(rows=triples)
def test_definition(rows: list[tuple[list[str], ...]]) -> None:
    hypotheses, sources, *others = map(list, zip(*rows, strict=True))
    corpus = hypotheses, [list(own) for own in zip(*others, strict=True)]
    scores = WikiSplit().corpus(*spelled(corpus), sources=[*map(" ".join, sources)]).scores
    assert [*scores.values()] == pytest.approx(wiki_split(*corpus, sources), rel=1e-12)


@given(corpus=corpora())
def test_each_number_is_that_of_its_metric(corpus: Corpus) -> None:
    predictions, references = corpus
    sources = [own[-1] for own in references]
    scores = WikiSplit().corpus(predictions, references, sources=sources).scores
    assert scores == {
        "sari": Sari().corpus(predictions, references, sources=sources).value,
        "sacrebleu": Bleu().corpus(predictions, references).value,
        "exact": ExactMatch.variant("squad").corpus(predictions, references).value,
    }
    rows = WikiSplit().segment_scores(predictions, references, sources=sources)
    assert rows["exact"].tolist() == ExactMatch.variant("squad").segments(predictions, references).tolist()


def test_the_hubs_module(hub_modules: Path) -> None:
    pytest.importorskip("sacremoses", reason="sacremoses is not installed: pip install 'metrologue[moses]'")
    texts = {
        "sources": ["About 95 species are currently accepted .", "The cat perched on it."],
        "predictions": ["About 95 you now get in .", "Cat sat on it"],
        "references": [["About 95 species are currently known .", "95 are."], ["The cat sat on it.", ""]],
    }
    found = evaluate.load(str(hub_modules / "wiki_split")).compute(**texts)
    ours = metrologue.load("wiki_split").compute(**texts)
    assert [*ours] == [*found]
    assert ours == pytest.approx(found, rel=1e-12)
    assert ours["exact"] == 50


def test_missing_sources() -> None:
    with pytest.raises(InputError, match="WikiSplit: `sources` are missing; the sentences before they were split"):
        WikiSplit().corpus(["a"], ["a"])
