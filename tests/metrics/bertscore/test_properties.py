"""BERTScore against its definition over lists of tokens, and its settings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_encoder import Letters
from strategies import TokenCorpus, corpora_of, spelled

import metrologue
from metrics.bertscore.plain import Text, bertscore
from metrologue import BertScore, InputError, trace
from metrologue.representations import FunctionEncoder
from metrologue.scorers.core.scorer import Scorer
from metrologue.segments import Segments
from metrologue.tracing import Alignment, Matrix, Section

PREDICTIONS = ["the cat sat on the mat", "a dog", "", "one two three"]
REFERENCES = [["a cat sat", "the cat is on the mat"], ["the dog"], ["a text"], ["three two one", "", "one two"]]
token_corpora = corpora_of(st.lists(st.sampled_from(["a", "b", "ab", "abc", "bcd", "e"]), max_size=7))
close = {"rel": 1e-6, "abs": 1e-6}


def letters(**fields: Any) -> BertScore:
    return BertScore(model=Letters(), **fields)


def vectors(words: list[str]) -> Text:
    found = Letters().encode_tokens([" ".join(words)], (1,))
    return [(word, vector.tolist()) for word, vector in zip(words, found.vectors[0], strict=True)]


@given(corpus=token_corpora, idf=st.booleans())
def test_definition(corpus: TokenCorpus, idf: bool) -> None:
    expected = bertscore(
        [vectors(text) for text in corpus[0]], [[vectors(text) for text in own] for own in corpus[1]], idf
    )
    rows = letters(idf=idf).segment_scores(Segments(*spelled(corpus)))
    found = np.column_stack([rows["precision"], rows["recall"], rows["f1"]])
    assert found == pytest.approx(np.array(expected), **close)
    whole = letters(idf=idf).corpus(Segments(*spelled(corpus))).scores
    assert [whole["precision"], whole["recall"], whole["f1"]] == pytest.approx(found.mean(axis=0), **close)


@given(corpus=token_corpora, idf=st.booleans())
def test_all_pairs_are_those_of_segments(corpus: TokenCorpus, idf: bool) -> None:
    hypotheses, references = spelled(corpus)
    flat = [text for own in references for text in own]
    fitted = letters(idf=idf)
    if idf:
        fitted = fitted.fit(Segments(flat, flat))
    expected = [[fitted.segments([one], [other])[0] for other in flat] for one in hypotheses]
    assert letters(idf=idf).pairwise(hypotheses, flat) == pytest.approx(np.array(expected), **close)
    alone = letters().pairwise(hypotheses)
    assert isinstance(alone, np.ndarray)
    assert alone == pytest.approx(alone.T, **close)


def test_texts_are_encoded_once() -> None:
    asked: list[str] = []

    def vectors_of(texts: list[str]) -> list[Any]:
        asked.extend(texts)
        return [[[len(word), 1.0] for word in text.split()] for text in texts]

    scorer = BertScore(model=FunctionEncoder("counted", vectors_of, "1"))
    scorer.pairwise(["a b", "c"], ["a", "c", "dd e"])
    scorer.corpus(["a b", "c"], ["c", "dd e"])
    scorer.corpus(["dd e"], [["a b", "c"]])
    assert sorted(asked) == ["a", "a b", "c", "dd e"]


@pytest.mark.parametrize("rule", ["best-each", "best", "mean", "first"])
def test_several_references(rule: str) -> None:
    alone = [
        letters().segment_scores([PREDICTIONS[3]] * 3, REFERENCES[3])[key] for key in ("precision", "recall", "f1")
    ]
    joined = letters(multi_reference=rule).corpus([PREDICTIONS[3]], [REFERENCES[3]]).scores
    at = int(np.argmax(alone[2]))
    expected = {
        "best-each": [each.max() for each in alone],
        "best": [each[at] for each in alone],
        "mean": [each.mean() for each in alone],
        "first": [each[0] for each in alone],
    }
    assert [joined[key] for key in ("precision", "recall", "f1")] == pytest.approx(expected[rule], **close)


def test_rescaling_by_a_file(tmp_path: Path) -> None:
    path = tmp_path / "baseline.tsv"
    path.write_text("LAYER,P,R,F\n0,0.1,0.2,0.3\n1,0.5,0.25,0.4\n")
    plain, scaled = letters(), letters().with_baseline(path)
    assert scaled.baseline == (0.5, 0.25, 0.4)
    before, after = (each.corpus(PREDICTIONS, REFERENCES).scores for each in (plain, scaled))
    for key, baseline in zip(("precision", "recall", "f1"), scaled.baseline, strict=True):
        assert after[key] == pytest.approx((before[key] - baseline) / (1 - baseline))
    with pytest.raises(InputError, match="has no baseline for layer 7; it has 0, 1"):
        BertScore(layer=7).with_baseline(path)
    with pytest.raises(InputError, match="a baseline is that of a layer"):
        BertScore().with_baseline(path)
    for text, message in [
        ("LAYER;P\n", "has no baselines"),
        ("LAYER,P,R,F\n1,x,0,0\n", "no layer with three"),
        ("", ""),
    ]:
        path.write_text(text)
        with pytest.raises(InputError, match=message):
            letters().with_baseline(path)


def test_a_signature_names_the_encoder() -> None:
    scorer = letters(layer=0, idf=True, baseline=(0.5, 0.25, 0.4))
    assert "|model=letters@1|" in scorer.signature
    assert Scorer.from_signature(scorer.signature) == scorer
    fitted = scorer.fit(Segments(PREDICTIONS, REFERENCES))
    assert Scorer.from_signature(fitted.signature) == fitted
    with pytest.raises(InputError, match=r"`model`: the encoder 'other@2' is not in use here; open it with open_enc"):
        Scorer.from_signature(scorer.signature.replace("letters@1", "other@2"))


def test_a_table_serves_all_layers_and_no_other_encoder() -> None:
    table = letters(idf=True, layer=0).fit(Segments(PREDICTIONS, REFERENCES)).document_frequency
    assert letters(idf=True, layer=1, document_frequency=table).corpus(PREDICTIONS, REFERENCES).value == pytest.approx(
        letters(idf=True).corpus(PREDICTIONS, REFERENCES).value
    )
    other = FunctionEncoder("other", lambda texts: [[[1.0]] for _ in texts], "1")
    with pytest.raises(InputError, match="fitted with model=letters@1, not model=other@1"):
        BertScore(model=other, idf=True, document_frequency=table)


def test_bad_input() -> None:
    with pytest.raises(InputError, match="`layer` is 2; an int from 0 to 1 is expected"):
        letters(layer=2)
    with pytest.raises(InputError, match=r"`baseline` is \(0\.5,\); None or a list of 3"):
        letters(baseline=(0.5,))
    with pytest.raises(InputError, match="`model`: open_encoder: there is no file or folder 'no/such/folder'"):
        BertScore(model="no/such/folder")
    with pytest.raises(InputError, match="`model` is 3; None or an encoder"):
        BertScore(model=3)
    nothing = FunctionEncoder("nan", lambda texts: [[[float("nan")]] for _ in texts], "1")
    with pytest.raises(InputError, match="nan@1 gives a number that is not finite for the text 'a'"):
        BertScore(model=nothing).corpus(["a"], ["b"])
    unequal = FunctionEncoder("unequal", lambda texts: [[[1.0] * len(text)] for text in texts], "1")
    with pytest.raises(InputError, match=r"unequal@1: `texts\[0\]` has vectors of 1 numbers, but others have 2"):
        BertScore(model=unequal).corpus(["a"], ["bb"])
    with pytest.raises(InputError, match="does not say which tokens are of one type"):
        BertScore(model=FunctionEncoder("f", lambda t: [[[1.0]] for _ in t], "1"), idf=True).corpus(["a"], ["b"])


def test_an_empty_text_scores_0_and_is_told() -> None:
    with pytest.warns(UserWarning, match="2 texts have no token, so their pairs score 0"):
        rows = letters().segment_scores(["", "a", "b c"], ["a", " ", "b c"])
    assert rows["f1"] == pytest.approx([0, 0, 1])
    with pytest.warns(UserWarning, match="idf comes from a single reference"):
        assert letters(idf=True).corpus(["a b"], ["a b"]).value == 0


@pytest.mark.parametrize("idf", [False, True])
@pytest.mark.parametrize("key", ["precision", "recall", "f1"])
def test_shares_of_tokens_sum_to_the_score(key: str, idf: bool) -> None:
    table = letters(idf=True).fit(Segments(PREDICTIONS, REFERENCES)).document_frequency
    for fields in ({}, {"baseline": (0.5, 0.25, 0.4), "scale": 100.0}):
        scorer = letters(idf=idf, document_frequency=table, **fields)
        for prediction, references in [(PREDICTIONS[0], REFERENCES[0][:1]), (PREDICTIONS[3], REFERENCES[3])]:
            shares = scorer.token_shares(prediction, references, key)
            alone = [scorer.segment_scores([prediction], [each]) for each in references]
            best = max(alone, key=lambda scores: scores["f1"][0])
            assert sum(share.share for share in shares) == pytest.approx(best[key][0], **close)
    assert letters().token_shares("", "a") == ()
    with pytest.raises(InputError, match="no number is called 'f2'; did you mean 'f1'"):
        letters().token_shares("a", "a", "f2")


def test_a_trace_draws_the_strongest_matches() -> None:
    found = trace(letters(), "a bad cab", ["a cab", "cab"])
    [first, _] = found.every(Section)
    [matrix] = first.every(Matrix)
    assert (matrix.labels, matrix.columns) == (("a", "bad", "cab"), ("a", "cab"))
    assert matrix.marked == ((0, 0), (1, 1), (2, 1))
    [picture] = first.every(Alignment)
    assert [link.starts for link in picture.links] == [(0, 0), (1, 1), (2, 1)]
    shares = found.table("tokens with reference 1").numbers("share of F1")
    assert sum(shares) == pytest.approx(found.values["f1"])
    assert "*" in found.text()
    assert found.html().count('class="trace-cell"') == 6 + 3
    long = trace(letters(), "a " * 50, ["b"])
    assert "50 and 1 tokens; a map of cosines is shown for 1 to 40" in long.text()
    assert trace(letters(idf=True), "", ["b"]).value == 0


def test_explain_by_one_encoding() -> None:
    runs: list[tuple[int, ...]] = []

    class Told(Letters):
        name = "told@1"

        def encode_tokens(self, texts: Any, layers: Any) -> Any:
            runs.append(tuple(layers))
            return super().encode_tokens(texts, layers)

    first = BertScore(model=Told(), layer=1, multi_reference="first")
    second = BertScore(model=Told(), layer=0, idf=True, baseline=(0.5, 0.5, 0.5))
    gap = metrologue.explain(first, second, PREDICTIONS, REFERENCES)
    assert {part.choice for part in gap.contributions} == {"layer", "idf", "rescaling", "several references"}
    assert gap.value_a == pytest.approx(first.corpus(PREDICTIONS, REFERENCES).value)
    assert gap.value_b == pytest.approx(second.corpus(PREDICTIONS, REFERENCES).value)
    assert sum(part.share for part in gap.contributions) == pytest.approx(gap.gap)
    assert runs == [(0, 1)]


def test_explain_between_encoders() -> None:
    other = FunctionEncoder("other", lambda t: [[[len(w), 1.0] for w in text.split()] for text in t], "1")
    gap = metrologue.explain(letters(), BertScore(model=other), PREDICTIONS, REFERENCES)  # it has no layer 1
    assert [part.choice for part in gap.contributions] == ["encoder"]
    gap = metrologue.explain(letters(layer=0), BertScore(model=other), PREDICTIONS, REFERENCES)
    assert gap.contributions[0].share == pytest.approx(gap.gap)
