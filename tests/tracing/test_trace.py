"""A trace lays out the scorer's own numbers: its tables sum to them, and its formula gives the score."""

import re
from html.parser import HTMLParser

import pytest
from layouts import SAMPLES, columns_of, sample_of
from needs import made
from rich.cells import cell_len

from metrologue import trace
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
    list_scorers,
)
from metrologue.tracing import Key, Table, visible

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


def test_columns_align_in_every_script() -> None:
    found = trace(Bleu.variant("nltk", max_order=2), SCRIPTS, [SCRIPTS.replace("の", "は"), SCRIPTS])
    blocks = found.text().split("\n\n")
    tables = [block.split("\n")[1:] for block in blocks if "-grams:" in block]
    assert [len(lines) - 1 for lines in tables] == [len(table.rows) for table in found.every(Table)]
    for lines in tables:
        assert len({cell_len(line) for line in lines}) == 1
    assert "[bold]x[/bold]" in found.text()
    assert ":smile:" in found.text()


def test_what_cannot_be_seen_is_shown() -> None:
    assert visible("\u202e\x85\u2028") == "\\u202e\\x85\\u2028"
    assert visible("نمی\u200cدانم") == "نمی\u200cدانم", "a joiner belongs to the spelling"
    assert visible("\xa0\u3000") == "\\xa0\\u3000"
    found = trace(Bleu(tokenizer="blank"), "\frac  a", ["b"])
    assert found.blocks[0].texts[0].sentences == (("\frac", "", "a"),)
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


def test_unknown_scorers_and_bad_texts_are_refused() -> None:
    with pytest.raises(InputError, match=r"`scorer` is <object .*>; a Scorer is expected"):
        trace(object(), "a", ["a"])
    with pytest.raises(InputError, match=r"references\[0\]"):
        trace(Bleu(), "a", [])
    with pytest.raises(InputError, match=r"predictions\[0\]"):
        trace(Bleu(), None, ["a"])


@pytest.mark.parametrize("name", list_scorers())
def test_every_metric_has_a_trace(name: str) -> None:
    """Its own, or the table of its numbers; and it is what the scorer says of itself."""
    scorer = made(name, **{"meteor": {"tokenizer": "whitespace"}, "self_bleu": {"alone": "zero"}}.get(name, {}))
    scorer = scorer.fit(scorer._to_segments(**columns_of(name, *SAMPLES[name]))) if name == "huse" else scorer
    corpus = columns_of(name, *sample_of(name, ["a b"], [["a c"]]))
    segment = {each: row for each, [row] in corpus.items()}
    texts = segment.pop("predictions"), segment.pop("references", None)
    found = trace(scorer, *texts, **segment)
    assert (found.metric, found.signature) == (name, scorer.signature)
    assert found.value == scorer.corpus(**corpus).value
    again = trace(scorer, *texts, **segment)
    assert found == again
    assert hash(found) == hash(again)


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


def test_another_metric_has_a_trace_at_once() -> None:
    """A metric that says nothing of traces has the table of its numbers."""

    class Length(DistinctN):
        """A scorer of another kind."""

    found = trace(Length(), "a b a", [])
    table = found.table("numbers of the segment")
    assert dict(zip(table.column(""), table.column("value"), strict=True)) == found.values
    assert found.values == DistinctN().corpus(["a b a"]).scores


def test_tables_and_columns_are_asked_for_by_name() -> None:
    found = trace(Bleu(max_order=1), "a", ["a"])
    assert found.table("1-grams").column("count") == (1,)
    with pytest.raises(InputError, match=r"'2-grams'; there are 1-grams"):
        found.table("2-grams")
    with pytest.raises(InputError, match=r"1-grams has no column 'hits'; it has n-gram, ref 1"):
        found.table("1-grams").column("hits")


def test_a_trace_says_what_its_marks_mean() -> None:
    legend = trace(Bleu(), TROOPS, PARTY).blocks[1]
    assert legend.keys[0] == Key(mark="●", meaning="counts in full")
    text, page = trace(Bleu(), TROOPS, PARTY).text(), trace(Bleu(), TROOPS, PARTY).html()
    for key in legend.keys:
        assert f"{key.mark} {key.meaning}" in text
        assert key.meaning in page.replace("&#39;", "'")


def test_words_of_a_page_have_the_colours_of_their_phrases_and_marks_are_beside_their_rows() -> None:
    page = trace("bleu", "the cat sat there today", ["a cat sat there", "the dog sat"]).html()
    before, _, folded = page.partition('<details class="trace-fold">')
    assert '<bdi class="trace-token trace-hue1">the</bdi>' in before
    assert before.count('trace-token trace-hue2">') == 7  # cat sat there, in both, and sat of the second reference
    assert '<bdi class="trace-token">today</bdi>' in before
    assert "One colour: one phrase" in before
    assert "counts in full" not in before
    assert "counts in full" in folded
    long = " ".join(f"w{n}" for n in range(1500))
    assert "One colour" not in trace("bleu", long, [long]).html()
