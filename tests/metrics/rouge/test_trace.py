"""A trace of ROUGE: what it draws and lists sums up to the scorer's hits, and these to the scorer's numbers."""

import json
import math
import re
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrologue import trace
from metrologue.errors import InputError
from metrologue.scorers import Rouge, Scorer
from metrologue.tracing import Listing, Section, Span, Table, Text, Texts, Trace

PEER = "the cat sat on the mat\nit was happy"
MODELS = ["the cat sat on a mat\nit looked happy", "a cat was on the rug", "the mat the cat"]
TYPES = ("rouge1", "rouge3", "rougeL", "rougeLsum", "rougeW", "rougeS0", "rougeS4", "rougeSU1", "rougeS*", "rougeSU*")
RULES = ["best", "best-single", "best-recall", "best-1.5.5", "mean", "pooled", "best-each", "jackknife"]


def flat(text):
    return [token for sentence in text for token in sentence]


def marked(text: Text, states: tuple[str, ...] = ("matched", "clipped")) -> list[str]:
    """The tokens of a drawn text that are in the common subsequence."""
    return [span.tokens[0] for span in flat(text.sentences) if span.state in states]


def alignments(section: Section) -> list[tuple[Text, Text]]:
    """For each reference the hypothesis and the reference in which a subsequence is drawn."""
    texts = [text for block in section.every(Texts) for text in block.texts]
    return list(zip(texts[::2], texts[1::2], strict=True))


def runs(section: Section, reference: int) -> list[tuple[tuple[str, ...], bool]]:
    """The runs of hits with one reference, and whether they count."""
    found = [block.spans for block in section.every(Listing) if block.name == f"runs, reference {reference + 1}"]
    return [(span.tokens, not span.note.startswith("0")) for spans in found for span in spans]


def misses(section: Section) -> dict[str, list[str]]:
    listed = [block for block in section.every(Listing) if not block.name.startswith("runs")]
    return {block.name: [" ".join(span.tokens) for span in block.spans] for block in listed}


def units(section: Section) -> list[tuple[Span, tuple]]:
    """The n-grams that match, with the cells of their row."""
    return [(row.cells[0], row.cells[1:]) for table in section.every(Table) for row in table.rows]


def overlaps(section: Section) -> list[dict[str, float]]:
    """What is in common with each reference, by name."""
    sides = ("hits", "hypothesis", "reference", "compared")
    names = {"precisions": "precision", "recalls": "recall", "fmeasures": "fmeasure", **{side: side for side in sides}}
    columns = zip(*(section.values[name] for name in names), strict=True)
    return [dict(zip(names.values(), column, strict=True)) for column in columns]


def hits(scorer: Rouge, section: Section, reference: int) -> float:
    """What the drawn and listed matches sum up to."""
    if section.name == "rougeW":
        return math.fsum(len(tokens) ** scorer.lcs_weight * counts for tokens, counts in runs(section, reference))
    if pairs := alignments(section):
        return len(marked(pairs[reference][1], ("matched",)))
    return sum(sum(table.numbers(f"hits {reference + 1}")) for table in section.every(Table))


def skip_bigrams(length: int, gap: float) -> int:
    return sum(j - i <= gap + 1 for i, j in combinations(range(length), 2))


def total(scorer: Rouge, name: str, text, reference: bool) -> float:
    """What there is to hit in a text, counted anew."""
    tokens = flat(text)
    kind = name.removeprefix("rouge")
    if kind.isdigit():
        grams = [tuple(tokens[i : i + int(kind)]) for i in range(len(tokens) - int(kind) + 1)]
        return len(set(grams) if scorer.binary else grams)
    if kind.startswith("L"):
        by_sentence = kind == "Lsum" or scorer.lcs_of == "sentences"
        return len(set(tokens) if scorer.binary and by_sentence else tokens)
    if kind == "W":
        if reference and scorer.weight_rule == "runs":
            return sum(len(sentence) ** scorer.lcs_weight for sentence in text) ** scorer.lcs_weight
        return len(tokens) ** scorer.lcs_weight
    gap = math.inf if kind.endswith("*") else int(kind.strip("SU"))
    unigrams = {"all": len(tokens), "but-last": max(len(tokens) - 1, 0), "begin": min(len(tokens), gap + 1)}
    return skip_bigrams(len(tokens), gap) + ("U" in kind) * unigrams[scorer.skip_unigrams]


def f_of(scorer: Rouge, precision: float, recall: float) -> float:
    square = scorer.beta**2
    if not precision * recall:
        return 0.0
    if scorer.beta == math.inf:
        return recall
    return (1 + square) * precision * recall / (recall + square * precision + scorer.f_epsilon)


def measured(scorer: Rouge, name: str, found: float, hypothesis: float, reference: float) -> tuple[float, float, float]:
    has_root = name == "rougeW" or (scorer.root_of == "subsequences" and name in ("rougeL", "rougeLsum"))
    power = 1 / scorer.lcs_weight if has_root else 1.0
    precision, recall = ((found / all_of_it) ** power if all_of_it else 0.0 for all_of_it in (hypothesis, reference))
    if scorer.round_digits is not None:  # the Perl script makes F of what it prints
        precision, recall = round(precision, scorer.round_digits), round(recall, scorer.round_digits)
    return precision, recall, f_of(scorer, precision, recall)


def joined(scorer: Rouge, name: str, overlaps: list[dict[str, float]]) -> tuple[float, float, float]:
    """Precision, recall and F of all references, by the definition of each rule."""
    alone = [(o["precision"], o["recall"], o["fmeasure"]) for o in overlaps]
    rule = scorer.multi_reference

    def mean(triples):
        return tuple(math.fsum(column) / len(triples) for column in zip(*triples, strict=True))

    match rule:
        case "pooled":
            sides = ("hits", "hypothesis", "reference")
            result = measured(scorer, name, *(math.fsum(o[side] for o in overlaps) for side in sides))
        case "mean":
            result = mean(alone)
        case "best-each":
            precision, recall = max(p for p, _, _ in alone), max(r for _, r, _ in alone)
            result = precision, recall, f_of(scorer, precision, recall)
        case "jackknife":
            sets = [alone[:i] + alone[i + 1 :] for i in range(len(alone))] if len(alone) > 1 else [alone]
            result = mean([max(some, key=lambda triple: triple[2]) for some in sets])
        case "best-single":
            result = alone[max(range(len(alone)), key=lambda i: np.float32(overlaps[i]["fmeasure"]))]
        case _:
            by = {"best": "fmeasure", "best-recall": "recall", "best-1.5.5": "compared"}[rule]
            result = alone[max(range(len(alone)), key=lambda i: overlaps[i][by])]
    if scorer.aggregation == "mean-pr":
        result = (*result[:2], f_of(scorer, *result[:2]))
    return result


def check(found: Trace, scorer: Rouge, prediction: str, references: list[str]) -> None:
    """The invariants of every trace."""
    result = scorer.corpus([prediction], [references])
    close = {"rel": 1e-12, "abs": 1e-15} if scorer.round_digits is None else {"abs": 1.01 * 10**-scorer.round_digits}
    assert found.value == result.value
    assert tuple(section.name for section in found.sections) == scorer.types
    hypothesis, *others = (text.sentences for text in found.blocks[0].texts)
    assert len(others) == len(references)
    for one in found.sections:
        alone = overlaps(one)
        assert len(alone) == len(references)
        for index, overlap in enumerate(alone):
            assert hits(scorer, one, index) == pytest.approx(overlap["hits"], rel=1e-12)
            assert total(scorer, one.name, hypothesis, False) == pytest.approx(overlap["hypothesis"], rel=1e-12)
            assert total(scorer, one.name, others[index], True) == pytest.approx(overlap["reference"], rel=1e-12)
            numbers = measured(scorer, one.name, overlap["hits"], overlap["hypothesis"], overlap["reference"])
            assert (overlap["precision"], overlap["recall"], overlap["fmeasure"]) == pytest.approx(numbers, **close)
        numbers = joined(scorer, one.name, alone)
        for key, number in zip(("precision", "recall", "fmeasure"), numbers, strict=True):
            assert one.values[key] == pytest.approx(number, **close)
            assert result.scores[f"{one.name}_{key}"] == pytest.approx(scorer.scale * number, **close)
        for side in ("hits", "hypothesis", "reference"):
            assert found.values[f"{one.name}_{side}"] == pytest.approx(sum(overlap[side] for overlap in alone))
        for pair in alignments(one):
            ours, theirs = map(marked, pair)
            assert set(ours) == set(theirs)
            if one.name == "rougeL" and scorer.lcs_of == "texts":
                assert ours == theirs, "one subsequence, drawn in both texts"


@pytest.mark.parametrize("name", Rouge.variants())
@pytest.mark.parametrize("count", [1, 3])
def test_matches_sum_up_to_the_variants_numbers(name: str, count: int) -> None:
    scorer = Rouge.variant(name)
    check(trace(scorer, PEER, MODELS[:count]), scorer, PEER, MODELS[:count])


text = st.lists(
    st.lists(st.sampled_from([*"abcd", "猫"]), min_size=1, max_size=7).map(" ".join), min_size=1, max_size=3
)


@pytest.mark.usefixtures("punkt_data")
@given(
    name=st.sampled_from(list(Rouge.variants())),
    rule=st.sampled_from(RULES),
    weight=st.sampled_from([1.0, 1.2, 2.0]),
    choices=st.fixed_dictionaries(
        {
            "weight_rule": st.sampled_from(["runs", "paper"]),
            "skip_unigrams": st.sampled_from(["all", "but-last", "begin"]),
            "lcs_of": st.sampled_from(["texts", "sentences"]),
            "lcs_tie_break": st.sampled_from(["skip-reference", "skip-hypothesis"]),
            "binary": st.booleans(),
            "beta": st.sampled_from([0.0, 0.5, 1.0, 1.2, math.inf]),
        }
    ),
    texts=st.lists(st.tuples(text, st.sampled_from(["\n", " . ", " "])), min_size=2, max_size=4),
)
def test_invariants_hold_for_any_configuration(name, rule, weight, choices, texts) -> None:
    prediction, *models = (end.join(sentences) for sentences, end in texts)
    scorer = Rouge.variant(name, types=TYPES, multi_reference=rule, lcs_weight=weight, empty="zero", **choices)
    found = trace(scorer, prediction, models)
    check(found, scorer, prediction, models)
    assert found.text()
    assert found.html()


def test_the_papers_example_of_runs() -> None:
    """Lin 2004, section 3.3: two sentences with the same LCS, of which one has it in a row."""
    scorer = Rouge.variant("paper-2004", types=("rougeW",), lcs_weight=2.0)
    in_a_row, scattered = (
        trace(scorer, text, ["a b c d e f g"]).sections[0] for text in ("a b c d h i k", "a h b k c i d")
    )
    assert runs(in_a_row, 0) == [(("a", "b", "c", "d"), True)]
    assert runs(scattered, 0) == [((letter,), True) for letter in "abcd"]
    assert [section.values["hits"] for section in (in_a_row, scattered)] == [(16,), (4,)]


def test_the_union_of_sentences_is_drawn() -> None:
    """Lin 2004, section 3.2: w1 w2 of one sentence and w1 w3 w5 of the other make four of five hits."""
    found = trace(Rouge(types=("rougeLsum",)), "w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5", ["w1 w2 w3 w4 w5"])
    ((hypothesis, _),) = alignments(found.sections[0])
    assert "reference 1  ●w1 ●w2 ●w3 w4 ●w5" in found.text()
    assert [[span.tokens[0] for span in line if span.state != "apart"] for line in hypothesis.sentences] == [
        ["w1", "w2"],
        ["w1", "w3", "w5"],
    ]
    assert "reference 1: P = 4/10 = 0.4, R = 4/5 = 0.8, F = 0.533333" in found.text()


def test_what_is_used_up_is_marked_without_colour() -> None:
    scorer = Rouge(types=("rougeLsum", "rougeW"))
    found = trace(scorer, "a b", ["a b\na b c"])
    assert "reference 1  ●a ●b\n             ◐a ◐b c" in found.text()
    assert 'class="trace-token trace-clipped"' in found.html()
    assert found.sections[0].values["hits"] == (2,)


def test_a_run_that_the_script_loses() -> None:
    """ROUGE-1.5.5 adds a run up where its next token is in no subsequence; a used-up one hides the end."""
    found = trace(Rouge.variant("rouge-1.5.5", types=("rougeW",)), "a b", ["b\na b"])
    assert runs(found.sections[0], 0) == [(("b",), True), (("a",), False)]
    assert "runs, reference 1: b 1^1.2 = 1 · a 0, as its sentence ends before the run does" in found.text()


def test_n_grams_in_a_table_for_each_reference() -> None:
    found = trace(Rouge.variant("rouge-1.5.5", types=("rouge1",)), PEER, MODELS[:2])
    table = found.table("rouge1: 1-grams that match")
    assert table.header == ("1-gram", "hypothesis", "ref 1", "hits 1", "ref 2", "hits 2")
    assert table.rows[0].cells == (Span(tokens=("the",), state="clipped"), 2, 1, 1, 1, 1)
    assert table.rows[0].state == "clipped"
    assert re.search(r"^◐ the +2( +1){4}$", found.text(), re.MULTILINE)
    assert misses(found.sections[0]) == {"in the references only": ["a", "looked", "rug"]}
    assert "in the references only: a · looked · rug" in found.text()
    assert {row.state for row in table.rows} == {"matched", "clipped"}


def test_skip_bigrams_have_their_gaps() -> None:
    (one,) = trace(Rouge(types=("rougeSU4",)), "a x a b", ["a b a"]).sections
    cells = {unit.tokens: rest for unit, rest in units(one)}
    assert cells[("a", "b")] == ("2, gap 2 0", "1, gap 0", 1)
    assert cells[("a", "a")] == ("1, gap 1", "1, gap 1", 1)
    assert cells[("a",)] == (2, 2, 2)
    assert ("a", "x") not in cells


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("best", "together: reference 1, the first with the best F"),
        ("best-recall", "together: reference 3, the first with the best R"),
        ("best-1.5.5", "together: reference 3, the first with the best R as ROUGE-1.5.5 compares it"),
        ("mean", "together: the means of the references"),
        ("pooled", "together: hits and totals added up, P = (7 + 5 + 4)/(9 + 9 + 9) = "),
        ("best-each", "together: P of reference 1, R of reference 3, F of these"),
        ("jackknife", "reference 1 wins all but the set without it"),
    ],
)
def test_how_references_join_is_said(rule: str, words: str) -> None:
    found = trace(Rouge(types=("rouge1",), multi_reference=rule), PEER, [MODELS[0], f"{MODELS[1]} mat", MODELS[2]])
    assert words in found.text()
    assert words in found.html()


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(
    "options",
    [{}, {"beta": 1.2}, {"beta": math.inf}, {"f_epsilon": 1e-8}, {"scale": 100.0}, {"aggregation": "mean-pr"}],
)
def test_the_formula_gives_the_number(rule: str, options: dict) -> None:
    found = trace(Rouge(multi_reference=rule, **options), PEER, MODELS)
    key, terms, value = found.formula.split(" = ")
    assert key == "rougeL_fmeasure"
    assert float(value) == found.value
    assert eval(terms.replace("·", "*")) == pytest.approx(found.value, rel=1e-5)


def test_texts_are_shown_as_the_scorer_reads_them() -> None:
    pytest.importorskip("nltk", reason="nltk stems: pip install 'metrologue[compare]'")
    found = trace(Rouge(stemmer="porter", max_words=2), "killing gunmen now", ["killed them all"])
    assert found.blocks[0].texts == (
        Text(name="hypothesis", sentences=(("kill", "gunmen"),), size="2 tokens"),
        Text(name="reference 1", sentences=(("kill", "them"),), size="2 tokens"),
    )


def test_a_variant_that_refuses_a_text_has_no_trace_of_it() -> None:
    with pytest.raises(InputError, match=r"`predictions\[0\]` has no sentence"):
        trace(Rouge.variant("rouge"), "", ["a"])
    assert trace(Rouge(), "", ["a"]).value == 0


def test_long_lists_are_folded() -> None:
    scorer = Rouge(types=("rouge1", "rougeS*"))
    short = trace(scorer, "a b", ["a b c"]).html()
    assert re.findall(r"<summary>(.*)</summary>", short) == ["Signature: every choice"]
    words = " ".join(f"w{i}" for i in range(20))
    page = trace(scorer, words, [words]).html()
    assert re.findall(r"<summary>(.*)</summary>", page) == [
        "20 1-grams match",
        "190 skip-bigrams match",
        "Signature: every choice",
    ]


def test_the_dictionary_is_ready_for_json() -> None:
    found = trace(Rouge.variant("rouge-1.5.5"), PEER, MODELS)
    plain = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert plain["value"] == found.value
    assert Scorer.from_signature(plain["signature"]) == Rouge.variant("rouge-1.5.5")
    sections = [block for block in plain["blocks"] if block["kind"] == "section"]
    table = next(block for block in sections[0]["blocks"] if block["kind"] == "table")
    assert table["rows"][0]["cells"][0]["tokens"] == ["the"]
    drawn = next(block for block in sections[2]["blocks"] if block["kind"] == "texts")
    assert drawn["texts"][1]["sentences"][0][0] == {"tokens": ["the"], "state": "matched", "note": ""}


def test_each_type_is_traced_as_it_reads_the_text() -> None:
    """A period inside a word ends a sentence, but parts no words of a whole text."""
    scorer = Rouge(types=("rouge1", "rougeL", "rougeLsum"), tokenizer="whitespace", sentences="period")
    found = trace(scorer, "a.b c", ["b c", "a.b d"])
    assert found.blocks[0].texts[0].sentences == (("a",), ("b", "c"))
    totals = {section.name: section.values["hypothesis"] for section in found.sections}
    assert totals == {"rouge1": (2, 2), "rougeL": (2, 2), "rougeLsum": (3, 3)}
    for section in found.sections:
        for overlap in overlaps(section):
            assert overlap["precision"] == overlap["hits"] / overlap["hypothesis"]
