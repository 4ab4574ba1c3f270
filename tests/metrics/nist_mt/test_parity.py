"""NIST against what mteval-v13a.pl printed, nltk's tokenizer, and the numbers of the literature."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from compared import compared
from hypothesis import given
from hypothesis import strategies as st
from strategies import texts

from metrologue.errors import InputError
from metrologue.scorers import NistMt
from metrologue.text.tokenizers import get_tokenizer

H1 = "It is a guide to action which ensures that the military always obeys the commands of the party"
H2 = "It is to insure the troops forever hearing the activity guidebook that party direct"
R1 = "It is a guide to action that ensures that the military will forever heed Party commands"
R2 = "It is the guiding principle which guarantees the military forces always being under the command of the Party"
R3 = "It is the practical guide for the army always to heed the directions of the party"
ESCAPED = ["&lt;a&gt; &LT; &amp;lt;", "ΑΣ.Β ΣΑΣ", "&apos;&#124;&#91;x&#93;", "1.5 a.b -\nx"]
PRINTED = json.loads(Path(__file__).with_name("mteval-v13a.json").read_text("utf-8"))


@pytest.mark.parametrize(("option", "tokenizer"), [("plain", "mteval-v13a"), ("-c", "mteval-v13a:preserve_case=true")])
def test_mteval_as_it_prints(option: str, tokenizer: str) -> None:
    scorer = NistMt(tokenizer=tokenizer)
    predictions, references, printed = PRINTED["predictions"], PRINTED["references"], PRINTED[option]
    scores = scorer.corpus(predictions, references).scores
    assert [f"{scores[f'nist_{n}']:.4f}" for n in range(1, 6)] == printed["cumulative"]
    assert [f"{value:.4f}" for value in scorer.segments(predictions, references)] == printed["segments"]
    compared(len(printed["cumulative"]) + len(printed["segments"]))


def test_zero_is_false_in_perl() -> None:
    """Without that, the program's numbers do not come out: the third segment has bigrams that begin with 0."""
    plain = NistMt(zero_is_false=False).segments(PRINTED["predictions"], PRINTED["references"])
    assert f"{plain[2]:.4f}" != PRINTED["plain"]["segments"][2]


@pytest.mark.parametrize(
    ("variant", "predictions", "references", "value"),
    [
        ("nltk", [H1], [[R1, R2, R3]], 3.3709935957649324),
        ("nltk", [H2], [[R1, R2, R3]], 1.4619035460750132),
        ("nltk", [H1, H2], [[R1, R2, R3]] * 2, 2.6375187380292515),
        ("nltk", [H1], [R1], 2.4477124183006533),
        ("nltk", [R1], [R1], 4.008333333333334),
        ("mteval-v13a", [H1], [[R1, R2, R3]], 5.037920168751681),
        ("mteval-v13a", [H2], [[R1, R2, R3]], 2.1138745599641817),
        ("mteval-v13a", [H1, H2], [[R1, R2, R3]] * 2, 3.861760533245602),
        ("mteval-v13a", [H1], [R1], 2.4477124183006533),
        ("mteval-v13a", [R1], [R1], 4.008333333333334),
    ],
)
def test_worked_numbers(variant: str, predictions: list[str], references: list[object], value: float) -> None:
    """The programs agree on one reference and are 1.7 apart on three."""
    scorer = NistMt.variant(variant, tokenizer="whitespace")
    assert scorer.corpus(predictions, references).value == pytest.approx(value, rel=1e-12)


@pytest.mark.usefixtures("perluniprops")
@pytest.mark.parametrize("western", [True, False])
@pytest.mark.parametrize("lowercase", [True, False])
@given(
    batch=st.lists(
        st.one_of(
            texts(), st.sampled_from(["&lt;a&gt; &LT; &amp;lt;", "ΑΣ.Β ΣΑΣ", "&apos;&#124;&#91;x&#93;", "1.5 a.b -\nx"])
        )
    )
)
def test_the_tokenizer_is_nltks(western: bool, lowercase: bool, batch: list[str]) -> None:
    import pyarrow as pa
    from nltk.tokenize.nist import NISTTokenizer

    tokens = get_tokenizer("nist", western=western, lowercase=lowercase and western)(pa.array(batch, pa.large_string()))
    peer = NISTTokenizer()
    for i, text in enumerate(batch):
        assert tokens.of_text(i) == peer.tokenize(text, lowercase=lowercase, western_lang=western)


def test_input_that_has_no_score() -> None:
    with pytest.raises(InputError, match="the corpus has no n-gram of some order up to 5 in its predictions, and nltk"):
        NistMt.variant("nltk").corpus(["a b c"], ["a b c"])
    with pytest.raises(InputError, match="the corpus has no tokens in its references"):
        NistMt().corpus(["a"], [""])
    with pytest.raises(InputError, match=r"`max_order` is 0; an int from 1 to 100"):
        NistMt(max_order=0)
