"""sacrebleu's own signatures: what it prints makes a scorer that gives its number."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import corpora

from metrologue.attribution import explain
from metrologue.errors import InputError
from metrologue.scorers import Bleu, Chrf, Scorer, Ter, get_scorer, list_scorers
from metrologue.scorers.core.homes import own_homes
from metrologue.scorers.core.options import spelled
from metrologue.scorers.core.variants import short_signature

metrics = pytest.importorskip("sacrebleu.metrics", reason="sacrebleu is not installed")

flag = st.booleans()
OPTIONS = {
    "BLEU": st.fixed_dictionaries(
        {
            "lowercase": flag,
            "tokenize": st.sampled_from(["13a", "intl", "char", "none", "zh"]),
            "smooth_method": st.sampled_from(["exp", "none", "floor", "add-k"]),
            "smooth_value": st.sampled_from([None, 0.25, 2.0]),
            "effective_order": flag,
        }
    ),
    "CHRF": st.fixed_dictionaries(
        {
            "char_order": st.integers(1, 7),
            "word_order": st.integers(0, 3),
            "beta": st.integers(1, 3),
            "lowercase": flag,
            "whitespace": flag,
            "eps_smoothing": flag,
        }
    ),
    "TER": st.fixed_dictionaries(dict.fromkeys(["normalized", "no_punct", "asian_support", "case_sensitive"], flag)),
}


@pytest.mark.parametrize("name", sorted(OPTIONS))
@pytest.mark.parametrize("short", [False, True])
def test_a_printed_signature_gives_the_number(name: str, short: bool) -> None:
    @settings(max_examples=15)
    @given(options=OPTIONS[name], corpus=corpora(max_references=2))
    def check(options: dict[str, Any], corpus: tuple[list[str], list[list[str]]]) -> None:
        predictions, references = corpus
        metric = getattr(metrics, name)(**options)
        columns = [[own[i % len(own)] for own in references] for i in range(2)]
        theirs = metric.corpus_score(predictions, columns)
        line = theirs.format(signature=metric.get_signature().format(short))
        ours = Scorer.from_signature(line).corpus(predictions, [[*own] for own in zip(*columns, strict=True)])
        assert ours.value == pytest.approx(theirs.score, rel=1e-12, abs=1e-12)

    check()


def test_defaults_are_the_variants() -> None:
    assert Scorer.from_signature("nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0") == Bleu()
    assert Scorer.from_signature("#:var|c:mixed|e:yes|nc:6|nw:2|s:no|v:2.6.0") == Chrf.variant("chrf++")
    assert Scorer.from_signature("nrefs:1|bs:1000|seed:12345|case:lc|tok:tercom|norm:no|punct:yes|asian:no") == Ter()


def test_mecab_comes_with_its_dictionary() -> None:
    scorer = Scorer.from_signature("nrefs:1|case:mixed|eff:no|tok:ja-mecab-0.996-IPA|smooth:exp|version:2.6.0")
    assert scorer == Bleu(tokenizer="ja-mecab")


def test_another_version_is_told() -> None:
    with pytest.warns(UserWarning, match=r"from sacrebleu 2\.0\.0; the numbers are those of 2\.6\.0"):
        assert Scorer.from_signature("nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.0.0") == Bleu()


@pytest.mark.parametrize(
    ("signature", "message"),
    [
        ("nrefs:1|case:mixed|version:2.6.0", "is not a sacrebleu signature of bleu, chrf or ter"),
        ("nrefs:1|case:upper|smooth:exp", "`case:upper`"),
        ("nrefs:1|tok:tercom2|norm:no", "`tok:tercom2`"),
        ("nrefs:1|smooth:linear", "`smooth:linear`"),
        ("nrefs:1|smooth:exp|punct:no", "the key 'punct'"),
        ("nrefs:1|nc:six|nw:0", "`nc:six`"),
    ],
)
def test_what_sacrebleu_does_not_write_is_refused(signature: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Scorer.from_signature(signature)


@pytest.mark.parametrize("name", list_scorers())
def test_a_short_signature_gives_the_scorer_back(name: str) -> None:
    kind = get_scorer(name)
    for variant in kind.variants():
        scorer = kind.variant(variant)
        assert Scorer.from_signature(short_signature(scorer)) == scorer
        package = [each for each in short_signature(scorer).split("|") if each.startswith("package=")]
        assert len(package) == (name not in own_homes())
        assert short_signature(scorer).count("|") == 3 + len(package)


def test_a_short_signature_says_only_what_differs() -> None:
    bleu = Bleu.variant("nltk", max_order=2, lowercase=True, smoothing="floor")
    parts = short_signature(bleu).split("|")
    assert parts[1:3] == ["variant=nltk", "mirrors=nltk-3.10.4"]
    assert sorted(parts[3:-1]) == ["lowercase=true", "max_order=2", f"smoothing={spelled('floor')}"]
    assert Scorer.from_signature(short_signature(bleu)) == bleu


def test_explain_takes_what_a_signature_makes() -> None:
    scorer = Scorer.from_signature("nrefs:1|case:lc|eff:no|tok:13a|smooth:exp|version:2.6.0")
    gap = explain(Bleu(), scorer, ["The cat sat on it"], ["the cat sat on it"])
    assert [part.choice for part in gap.contributions] == ["case"]
