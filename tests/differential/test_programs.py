"""ROUGE-1.5.5 and METEOR 1.5 under options drawn at random; they start slowly: all texts go to each in one run."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Any

import pytest
from compared import compared
from hypothesis import given, settings
from strategies import corpora

from metrologue.comparison.libraries import Library, Missing, get_library
from metrologue.scorers import Meteor, Rouge, Scorer

pytestmark = pytest.mark.slow

Corpus = tuple[list[str], list[list[str]]]
RUNS = max(4, settings().max_examples // 8)
# METEOR's protocol drops these at either end of a text.
CONTROLS = "".join(map(chr, range(0x21)))


@pytest.fixture(scope="module")
def batch() -> Corpus:
    """All that hypothesis generates, as one corpus."""
    predictions: list[str] = []
    references: list[list[str]] = []

    @given(corpus=corpora())
    def collect(corpus: Corpus) -> None:
        predictions.extend(text.strip(CONTROLS) for text in corpus[0])
        references.extend([text.strip(CONTROLS) for text in own] for own in corpus[1])

    collect()
    return predictions, references


def live(name: str) -> Library:
    library = get_library(name)
    if isinstance(status := library.status(), Missing):
        pytest.skip(f"{name}: {status}")
    return library


def assert_alike(
    scorer: Scorer, library: Library, corpus: Corpus, options: dict[str, Any], keys: Sequence[str], places: int | None
) -> None:
    """The numbers of all segments and of the corpus, as they are printed or to 12 digits."""

    def alike(ours: float, theirs: float) -> bool:
        return f"{ours:.5f}" == f"{theirs:.5f}" if places else math.isclose(ours, theirs, rel_tol=1e-12)

    rows = library.segments(scorer.name, *corpus, **options)
    total = library.scores(scorer.name, *corpus, **options)
    ours, whole = scorer.segment_scores(*corpus), scorer.corpus(*corpus).scores
    assert {key: (whole[key], total[key]) for key in keys if not alike(whole[key], total[key])} == {}
    for key in keys:
        pairs = enumerate(zip(ours[key], (row[key] for row in rows), strict=True))
        assert {index: pair for index, pair in pairs if not alike(*pair)} == {}, key
    compared(len(keys) * (len(rows) + 1))


@pytest.mark.parametrize("seed", range(RUNS))
def test_rouge_155(seed: int, batch: Corpus) -> None:
    """Each reference has a word: the script dies of ROUGE-W without one."""
    chance = random.Random(seed)
    order, gap, alpha = chance.randint(1, 6), chance.choice([None, 0, 1, 4, 11]), chance.choice([0.0, 0.3, 0.5, 1.0])
    skip = "*" if gap is None else gap
    options: dict[str, Any] = {"max_order": order, "gap": gap, "alpha": alpha, "weight": chance.choice([1.0, 1.2, 2.5])}
    fields: dict[str, Any] = {
        "types": (
            *(f"rouge{n}" for n in range(1, order + 1)), "rougeL", "rougeLsum", "rougeW",
            f"rougeS{skip}", f"rougeSU{skip}",
        ),
        "beta": math.sqrt(1 / alpha - 1) if alpha else math.inf,
        "weight": options["weight"],
    }  # fmt: skip
    for theirs, ours in (
        ({"multi_ref": "best"}, {"references": "best-1.5.5"}),
        ({"stem": True}, {"stemmer": "porter-1.5.5"}),
        ({"drop_stop_words": True}, {"stop_words": True}),
        chance.choice([({"word_limit": 7}, {"max_words": 7}), ({"byte_limit": 25}, {"max_bytes": 25})]),
    ):
        if chance.random() < 0.5:
            options |= theirs
            fields |= ours
    corpus = batch[0], [[f"gunman {text}" for text in own] for own in batch[1]]
    scorer = Rouge.variant("rouge-1.5.5", **fields)
    assert_alike(scorer, live("rouge-1.5.5"), corpus, options, list(scorer.range), places=5)


@pytest.mark.parametrize("seed", range(RUNS))
def test_meteor_15(seed: int, batch: Corpus) -> None:
    """Without its paraphrases, whose table takes long to load."""
    chance = random.Random(seed)
    language = chance.choice(["en", "en", "de", "fr", "es", "ru", "cz"])
    known = ("exact", "stem", "synonym") if language == "en" else ("exact",) if language == "cz" else ("exact", "stem")
    stages = tuple(chance.sample(known, chance.randint(1, len(known))))
    weights = tuple(chance.choice([0.1, 0.5, 0.8, 1.0]) for _ in stages)
    parameters = tuple(round(chance.uniform(*ends), 2) for ends in ((0, 1), (0, 4), (0, 1), (0, 1)))
    form = chance.choice(["", "lower", "norm"])
    options = {"language": language, "modules": stages, "weights": weights, "parameters": parameters}
    fields = {"language": language, "stages": stages, "weights": weights}
    fields |= dict(zip(("alpha", "beta", "gamma", "delta"), parameters, strict=True))
    if form:
        options[form] = True
        fields["tokenizer"] = f"meteor-1.5-{form if form == 'lower' else language}"
    if chance.random() < 0.5:
        options["characters"], fields["unit"] = True, "characters"
    scorer = Meteor.variant("meteor-1.5", **fields)
    keys = [key for key in scorer.range if key not in ("f1", "penalty")]  # which its protocol does not give
    assert_alike(scorer, live("meteor-1.5"), batch, options, keys, places=None)
