"""A trace lays out the scorer's own numbers: its tables sum to them, and its formula gives the score."""

import json
import math
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from metrologue.errors import InputError
from metrologue.scorers import (
    Bleu,
    CharacterErrorRate,
    Chrf,
    DistinctN,
    GoogleBleu,
    Meteor,
    Rouge,
    Scorer,
    Ter,
    WordErrorRate,
    get_scorer,
    list_scorers,
)
from metrologue.trace import BleuTrace, trace, visible

PARTY = [
    "It is a guide to action that ensures that the military will forever heed Party commands.",
    "It is the guiding principle which guarantees the military forces always being under the command of the Party.",
    "It is the practical guide for the army always to heed the directions of the party.",
]
TROOPS = "It is to insure the troops forever hearing the activity guidebook that party direct."
ACTION = "It is a guide to action which ensures that the miliatry always obeys the commands of the party"
MAT = ["the cat is on the mat", "there is a cat on the mat"]
# Wide, right-to-left, combining and invisible characters, and markup of rich, HTML and LaTeX.
SCRIPTS = "猫 が マット の 上 の 上 مرحبا بالعالم e\u0301te\u0301 नमस्ते [bold]x[/bold] <b> :smile: \u202e \x85"


def check(found: BleuTrace, scorer: Bleu, prediction: str, references: list[str]) -> None:
    """The invariants of every trace."""
    result = scorer.corpus([prediction], [references])
    assert found.value == result.value
    assert [table.order for table in found.orders] == list(range(1, scorer.max_order + 1))
    for table in found.orders:
        assert sum(row.clipped for row in table.rows) == result.scores[f"clipped_count_{table.order}"] == table.clipped
        counted = sum(row.hypothesis for row in table.rows)
        assert max(counted, int(scorer.floor_totals)) == result.scores[f"count_{table.order}"] == table.total
    if found.value:
        logs = math.fsum(table.weight * math.log(table.precision) for table in found.orders if table.weight)
        assert math.isclose(found.scale * found.brevity.penalty * math.exp(logs), found.value, rel_tol=1e-9)
    else:
        assert any("zero rule" in remark for remark in found.remarks) or not found.brevity.penalty


@pytest.mark.parametrize("name", Bleu.variants())
@pytest.mark.parametrize("prediction", [TROOPS, PARTY[0], "of the", ACTION.upper()])
def test_tables_and_formula_are_the_scorers(name: str, prediction: str) -> None:
    scorer = Bleu.variant(name)
    check(trace(scorer, prediction, PARTY), scorer, prediction, PARTY)


@given(
    name=st.sampled_from(list(Bleu.variants())),
    smoothing=st.sampled_from(["none", "tiny", "floor", "add-k", "exp", "chen-cherry-4"]),
    flags=st.fixed_dictionaries(
        {key: st.booleans() for key in ("effective_order", "auto_reweigh", "skip_zero", "floor_totals")}
    ),
    weights=st.one_of(
        st.just([0.25] * 4), st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=1, max_size=5).filter(any)
    ),
    texts=st.lists(st.lists(st.sampled_from("abc猫"), min_size=1, max_size=8).map(" ".join), min_size=2, max_size=4),
)
def test_invariants_hold_for_any_configuration(name, smoothing, flags, weights, texts) -> None:
    scorer = Bleu.variant(name, smoothing=smoothing, weights=tuple(weights), **flags)
    check(trace(scorer, texts[0], texts[1:]), scorer, texts[0], texts[1:])


def test_weights_of_few_words() -> None:
    scorer = Bleu.variant("nltk", auto_reweigh=True)
    found = trace(scorer, "a b", ["a b c"])
    check(found, scorer, "a b", ["a b c"])
    assert [table.weight for table in found.orders] == [0.5, 0.5, 0, 0]


def test_the_polish_notebooks_table() -> None:
    found = trace(Bleu.variant("nltk", weights=(0.25, 0.25)), ACTION, [ACTION] * 3)
    assert found.formula == "BLEU = 1.000 · exp(0.25·ln(18/18) + 0.25·ln(17/17)) = 1.0"
    assert [table.title for table in found.orders] == ["1-grams: 18/18 = 1.000", "2-grams: 17/17 = 1.000"]
    assert [len(table.rows) for table in found.orders] == [16, 17]
    the = next(row for row in found.orders[0].rows if row.ngram == ("the",))
    assert found.header == ("n-gram", "ref 1", "ref 2", "ref 3", "max ref", "count", "clipped", "contribution")
    assert found.orders[0].cells(the) == ("● the", "3", "3", "3", "3", "3", "3", "3/18")
    assert found.brevity.sentence == "brevity penalty 1.000: c = 18, r = 18 (closest of the references' 18, 18, 18)"


def test_clipping_is_marked_without_colour() -> None:
    found = trace(Bleu.variant("nltk", max_order=1), " ".join(["the"] * 7), MAT)
    (table,) = found.orders
    (row,) = table.rows
    assert table.cells(row) == ("◐ the", "2", "1", "2", "7", "2", "2/7")
    assert row.state == "clipped"
    assert "◐ the" in found.text()
    assert 'class="trace-clipped"' in found.html()
    assert {r.state for t in trace(Bleu(), TROOPS, PARTY).orders for r in t.rows} == {"matched", "missing"}


def test_smoothing_is_shown_before_and_after() -> None:
    third = trace(Bleu.variant("sacrebleu"), TROOPS, PARTY).orders[2]
    assert third.smoothed
    assert third.title == f"3-grams: 0/13 = 0.000, after smoothing {1 / 26:.12g}"
    assert third.term == f"{1 / 26:#.4g}"
    assert not any(table.smoothed for table in trace(Bleu.variant("evaluate"), TROOPS, PARTY).orders)


def test_a_zero_says_why() -> None:
    found = trace(Bleu.variant("torchmetrics"), TROOPS, PARTY)
    assert found.value == 0
    assert found.remarks[1] == "0, because no 3-gram, 4-gram matches (zero rule: any-order)"


def test_orders_that_do_not_exist_are_left_out() -> None:
    found = trace(Bleu(effective_order=True), "a b", ["a b c d"])
    assert [table.weight for table in found.orders] == [0.5, 0.5, 0, 0]
    assert found.orders[2].title == "3-grams: 0/0, left out"
    assert "0/0)" not in found.formula
    zero = trace(Bleu(effective_order=True), "x y", ["a b c d"])
    assert zero.formula == "BLEU = 100 · 0.3679 · exp(0.5·ln(0/2) + 0.5·ln(0/1)) = 0.0"


@pytest.mark.parametrize(("rule", "length"), [("shortest", 3), ("longest", 6), ("closest", 5), ("average", 14 / 3)])
def test_the_reference_length_names_its_rule(rule: str, length: float) -> None:
    found = trace(
        Bleu(tokenizer="whitespace", reference_length=rule), "a b c d e", ["a b c", "a b c d e", "a b c d e f"]
    )
    assert found.brevity.reference_lengths == (3, 5, 6)
    assert found.brevity.reference_length == pytest.approx(length)
    assert f"({rule} of the references' 3, 5, 6)" in found.brevity.sentence


def test_columns_align_in_every_script() -> None:
    found = trace(Bleu.variant("nltk", max_order=2), SCRIPTS, [SCRIPTS.replace("の", "は"), SCRIPTS])
    blocks = found.text().split("\n\n")
    tables = [block.split("\n")[1:] for block in blocks if "-grams:" in block]
    assert [len(lines) - 1 for lines in tables] == [len(table.rows) for table in found.orders]
    for lines in tables:
        assert len({cell_len(line) for line in lines}) == 1
    assert "[bold]x[/bold]" in found.text()
    assert ":smile:" in found.text()


def test_what_cannot_be_seen_is_shown() -> None:
    assert visible("\u202e\x85\u2028") == "\\u202e\\x85\\u2028"
    assert visible("نمی\u200cدانم") == "نمی\u200cدانم", "a joiner belongs to the spelling"
    assert visible("\xa0\u3000") == "\\xa0\\u3000"
    found = trace(Bleu(tokenizer="blank"), "\frac  a", ["b"])
    assert found.hypothesis == ("\frac", "", "a")
    assert "○ \\x0crac" in found.text()
    assert "○ ∅" in found.text()


class Balance(HTMLParser):
    """Fails on an end tag without its start tag, and lists the tags."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag, attrs) -> None:
        self.open.append(tag)
        self.tags.add(tag)

    def handle_endtag(self, tag) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("style", [True, False])
@pytest.mark.parametrize(
    "scorer",
    [
        Bleu(tokenizer="whitespace"),
        Rouge(tokenizer="whitespace", types=("rouge1", "rougeLsum", "rougeS4")),
        Meteor(tokenizer="whitespace", stages=("exact",), weights=(1.0,), function_words=None),
        CharacterErrorRate(),
        Ter(case_sensitive=True),
        WordErrorRate(),
        Chrf(char_order=0, word_order=1, word_tokenizer="whitespace"),
    ],
    ids=lambda scorer: scorer.name,
)
def test_html_escapes_the_texts(scorer: Scorer, style: bool) -> None:
    attack = '<script>alert("x")</script> <img/src=x> &amp; \'"'
    page = trace(scorer, attack, [attack, f"{attack} y"]).html(style=style)
    parser = Balance()
    parser.feed(page)
    assert not parser.open
    assert not parser.tags & {"script", "img"}
    assert ("style" in parser.tags) is style
    assert "&lt;script&gt;" in page
    assert "&amp;amp;" in page


def test_the_dictionary_is_ready_for_json() -> None:
    found = trace(Bleu.variant("nltk"), TROOPS, PARTY)
    plain = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert plain["value"] == found.value
    assert plain["orders"][0]["rows"][0] == {
        "ngram": ["It"], "references": [1, 1, 1], "maximum": 1, "hypothesis": 1, "clipped": 1,
    }  # fmt: skip


def test_unknown_scorers_and_bad_texts_are_refused() -> None:
    with pytest.raises(InputError, match=r"`scorer` is <object .*>; a Scorer is expected"):
        trace(object(), "a", ["a"])
    with pytest.raises(InputError, match=r"references\[0\]"):
        trace(Bleu(), "a", [])
    with pytest.raises(InputError, match=r"predictions\[0\]"):
        trace(Bleu(), None, ["a"])


@pytest.mark.parametrize("name", list_scorers())
def test_every_metric_has_a_trace(name: str) -> None:
    assert trace.dispatch(get_scorer(name)) is not trace.dispatch(object)


def test_a_metric_without_a_picture_shows_its_columns() -> None:
    found = trace(GoogleBleu(), "the cat sat", ["the cat", "a cat sat down"])
    assert found.formula == "google_bleu = 0.5"
    assert "match_count                 3            3         3" in found.text()
    assert "<td>3</td>" in found.html()
    assert "reference 2" in found.html()
    assert trace(DistinctN(), "a b a", []).value == 1.0
    assert "reference" not in trace(DistinctN(), "a b a", ["x"]).text()


def test_a_right_to_left_text_is_laid_out_so() -> None:
    page = trace(Bleu(max_order=1), "שלום, a", ["a שלום"]).html(style=False)
    assert re.findall(r'<dd dir="(\w+)">', page) == ["rtl", "ltr"]


def test_another_metric_brings_its_own_trace() -> None:
    class Length:
        """A scorer of another kind."""

    @trace.register
    def _(scorer: Length, prediction: str, references: list[str]) -> int:
        return len(prediction)

    assert trace(Length(), "abc", []) == 3
    assert isinstance(trace(Bleu(), "a", ["a"]), BleuTrace)
