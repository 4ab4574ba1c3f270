"""A trace of METEOR: its picture has the scorer's matches, its table their counts, and its formula is the number."""

import itertools
import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from metrologue import trace
from metrologue.scorers import Meteor, Scorer
from metrologue.text.lexicon import register_paraphrases, register_stems, register_synonyms
from metrologue.tracing import Alignment, Listing, Notes, Section, Table, Trace

# What everybody has: nothing of these needs the data of METEOR 1.5 or WordNet.
SYNONYMS = register_synonyms("trace-synonyms", [["kot", "kotek"], ["ganku", "płocie"], ["big", "large"]])
PARAPHRASES = register_paraphrases("trace-phrases", [["na złość", "na przekór"], ["a lot of", "many"]])
BARE = {"tokenizer": "whitespace", "language": "other", "function_words": None, "delta": 1.0}
OWN = {
    **BARE,
    "aligner": "paper",
    "synonyms": SYNONYMS,
    "paraphrases": PARAPHRASES,
    "stages": ("exact", "synonym", "paraphrase"),
}
TABLES = Meteor(**OWN, weights=(1.0, 0.8, 0.6))
EXACT = Meteor(**BARE, stages=("exact",), weights=(1.0,))
POLISH = "kot siedzi na złość", ["kotek na przekór siedział"]
ARABIC = "قال الرئيس إن الحكومة", ["قال رئيس إن الحكومة"]


def picture(section: Section | Trace) -> Alignment:
    (found,) = section.every(Alignment)
    return found


def matches(section: Section | Trace) -> list[tuple[str, str, str]]:
    """What found each match, and its words in both texts."""
    drawn = picture(section)
    return [(link.name, *map(" ".join, drawn.words(link))) for link in drawn.links]


def best(found: Trace) -> Section:
    """The section whose number is the score."""
    return max(found.sections, key=lambda section: section.values["meteor"])


def check(found: Trace, scorer: Meteor, prediction: str, references: list[str]) -> None:
    """The invariants of every trace."""
    assert found.value == scorer.corpus([prediction], [references]).value
    assert best(found).values["meteor"] == found.value
    for section, reference, alignment in zip(
        found.sections, references, scorer.alignments(prediction, references), strict=True
    ):
        drawn, numbers = picture(section), section.values
        assert numbers == scorer.corpus([prediction], [reference]).scores
        for row, words in zip(drawn.rows, (alignment.hypothesis, alignment.reference), strict=True):
            assert tuple(word.text for word in row) == words
        assert [len(chunks.spans) for chunks in section.every(Listing)] == (
            [numbers["chunk_count"]] if drawn.links else []
        )
        assert [(link.name, *link.starts, *link.lengths) for link in drawn.links] == [
            (m.stage, m.hypothesis, m.reference, m.hypothesis_length, m.reference_length) for m in alignment.matches
        ]
        cells = {row.cells[0][2:]: row.cells[2:] for table in section.every(Table) for row in table.rows}
        for row, side in enumerate(("hypothesis", "reference")):
            words = drawn.rows[row]
            assert len([word for word in words if word.link]) == sum(link.lengths[row] for link in drawn.links)
            for stage in scorer.stages:
                matched = [word for word in words if word.link and drawn.links[word.link - 1].name == stage]
                kinds = ("content", "function") if scorer.function_words is not None else ("content",)
                for place, kind in enumerate(kinds):
                    sizes = [
                        len(w.text) if scorer.unit == "characters" else 1
                        for w in matched
                        if w.function is (kind == "function")
                    ]
                    assert numbers[f"{stage}_{side}_{kind}_count"] == sum(sizes)
                    assert not cells or cells[stage][row * len(kinds) + place] == sum(sizes)
        if drawn.links:
            (notes,) = section.every(Notes)
            assert [line.split(" = ")[0] for line in notes.lines] == ["P", "R", "F", "penalty", "METEOR"]
            for line in notes.lines:
                *_, terms, value = line.split(" = ")
                if terms != "penalty":
                    number = eval(terms.replace("·", "*").replace("^", "**"))
                    assert number == pytest.approx(float(value), rel=1e-4, abs=1e-9)
    terms, value = re.fullmatch(r"METEOR = (.*) = (\S+)", found.formula).groups()
    assert float(value) == found.value
    assert eval(terms.replace("·", "*")) == pytest.approx(found.value, rel=1e-4, abs=1e-9)


OTHER = Meteor(
    **OWN, weights=(1, 1, 1), alpha=0.5, gamma=0.3, beta=2, aggregation="mean", unit="characters", penalize_whole=True
)


@pytest.mark.parametrize("scorer", [TABLES, EXACT, OTHER])
@pytest.mark.parametrize(
    "texts",
    [POLISH, ARABIC, ("", ["a"]), ("a", [""]), ("", [""]), ("a b c", ["a b c", "c b a", "x"]), ("猫 <b>", ["<b> 猫"])],
)
def test_matches_and_formulas_are_the_scorers(scorer: Meteor, texts: tuple[str, list[str]]) -> None:
    check(trace(scorer, *texts), scorer, *texts)


vocabulary = ["kot", "kotek", "na", "złość", "przekór", "big", "large", "many", "a", "lot", "of", "猫"]
words = st.lists(st.sampled_from(vocabulary), max_size=9)


@given(texts=st.lists(words.map(" ".join), min_size=2, max_size=4), scale=st.sampled_from([1.0, 100.0]))
def test_invariants_hold_for_any_text(texts: list[str], scale: float) -> None:
    scorer = Meteor(**OWN, weights=(1.0, 0.8, 0.6), scale=scale)
    found = trace(scorer, texts[0], texts[1:])
    check(found, scorer, texts[0], texts[1:])
    found.html()


def test_the_polish_notebooks_scheme() -> None:
    """One exact match, one of stems, one of synonyms and a phrase of two words; P = (w + w + w + 2w)/6."""
    tables = {
        "stemmer": register_stems("trace-stems", [["siedzieć", "siedzi", "siedział"]]),
        "synonyms": register_synonyms("trace-cats", [["kot", "kotek"]]),
    }
    scorer = Meteor(
        **{
            **OWN,
            **tables,
            "tokenizer": "meteor-1.5:lowercase=true",
            "stages": ("exact", "stem", "synonym", "paraphrase"),
        },
        weights=(1.0, 0.9, 0.8, 0.6),
    )
    texts = "Kot siedzi na ganku na złość", ["Kotek na przekór siedział na płocie"]
    found = trace(scorer, *texts)
    check(found, scorer, *texts)
    assert matches(found) == [
        ("synonym", "kot", "kotek"),
        ("stem", "siedzi", "siedział"),
        ("exact", "na", "na"),
        ("paraphrase", "na złość", "na przekór"),
    ]
    assert "P = (1·1 + 0.9·1 + 0.8·1 + 0.6·2)/6 = 0.65" in found.text()
    assert [word.text for word in picture(found).rows[0] if not word.link] == ["ganku"]


def test_the_matches_of_a_users_own_tables() -> None:
    found = trace(TABLES, *POLISH)
    assert matches(found) == [
        ("synonym", "kot", "kotek"),
        ("paraphrase", "na złość", "na przekór"),
    ]
    assert "hypothesis   kot siedzi na złość\n             1◆         2■ 2■" in found.text()
    assert "reference 1  kotek na przekór siedział\n             1◆    2■ 2■" in found.text()
    assert "P = (0.8·1 + 0.6·2)/4 = 0.5" in found.text()
    assert "2 chunks: kot · na złość" in found.text()
    assert found.table("Stages with reference 1").rows[2].cells == ("■ paraphrase", 0.6, 2, 2)
    assert re.search(r"^■ paraphrase +0.6 +2 +2$", found.text(), re.MULTILINE)


class Drawing(HTMLParser):
    """The elements of the picture."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.texts: list[tuple[float, float, str]] = []
        self.paths: list[dict[str, str]] = []
        self.svg: dict[str, str] = {}
        self._place: tuple[float, float] | None = None
        self.feed(page)

    def handle_starttag(self, tag, attrs) -> None:
        attributes = dict(attrs)
        if tag == "svg":
            self.svg = attributes
        if tag == "text":
            self._place = float(attributes["x"]), float(attributes["y"])
        if tag == "path":
            self.paths.append(attributes)

    def handle_startendtag(self, tag, attrs) -> None:
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag) -> None:
        self._place = None

    def handle_data(self, data) -> None:
        if self._place:
            self.texts.append((*self._place, data))


@pytest.mark.parametrize(("texts", "rightwards"), [(POLISH, True), (ARABIC, False)])
def test_the_picture_has_two_rows_and_a_line_for_each_match(texts: tuple[str, list[str]], rightwards: bool) -> None:
    found = trace(TABLES, *texts)
    page = found.html(style=False)
    drawing = Drawing(page)
    rows = sorted({y for _, y, _ in drawing.texts})
    assert len(rows) == 4, "two names and two rows of words"
    for y, text in ((rows[1], texts[0]), (rows[2], texts[1][0])):
        row = [(x, word) for x, own, word in drawing.texts if own == y]
        assert [word for _, word in sorted(row, reverse=not rightwards)] == text.split()
    width = float(drawing.svg["width"])
    assert all(0 <= x <= width for x, _, _ in drawing.texts)
    lines = [path for path in drawing.paths if path["class"] == "trace-link"]
    assert len(lines) == len(picture(found).links)
    middles = {word: x for x, _, word in drawing.texts}
    if rightwards:
        start, end = re.match(r"M(\S+) .*?(\S+) \S+$", lines[0]["d"]).groups()
        assert (float(start), float(end)) == (middles["kot"], middles["kotek"])
        assert len([path for path in drawing.paths if "trace-bar" in path["class"]]) == 2, "a bar at each phrase"
    assert drawing.svg["role"] == "img"
    assert drawing.svg["aria-label"] == "; ".join(
        f"{ours} – {theirs} ({name})" for name, ours, theirs in matches(found)
    )
    assert f'dir="{"ltr" if rightwards else "rtl"}"' in page


def test_stages_are_marked_without_colour() -> None:
    page = trace(TABLES, *POLISH).html(style=False)
    shapes = re.findall(r'class="trace-mark" transform="[^"]*" d="([^"]*)"', page)
    assert len(shapes) == 4
    assert len(set(shapes)) == 2, "both ends of a line have the shape of its stage"
    assert "◆</span> synonym" in page
    assert "kot – kotek (synonym)" in page


def test_function_words_are_marked_and_weighed_apart(tmp_path) -> None:
    path = tmp_path / "closed.txt"
    path.write_text("the\non\n", "utf-8")
    scorer = Meteor(**{**BARE, "function_words": str(path), "delta": 0.75}, stages=("exact",), weights=(1.0,))
    found = trace(scorer, "the cat sat on", ["the cat lay on"])
    check(found, scorer, "the cat sat on", ["the cat lay on"])
    assert [word.function for word in picture(found).rows[0]] == [True, False, False, True]
    assert "hypothesis   the cat sat on\n             1●ƒ 2●      3●ƒ" in found.text()
    assert "<em>slanted</em>: function word" in found.html()
    assert "P = (0.75·(1·1) + 0.25·(1·2))/(0.75·2 + 0.25·2) = 0.625" in found.text()
    assert 'class="trace-word trace-function"' in found.html()
    assert "trace-function" not in trace(EXACT, "the cat", ["the cat"]).html(style=False)
    assert "ƒ" not in trace(EXACT, "the cat", ["the cat"]).text()


def test_no_penalty_for_one_chunk_of_all_words() -> None:
    text = trace(EXACT, "a b c", ["a b c"]).text()
    assert "penalty = 0, as one chunk matches both texts completely" in text
    assert "1 chunk: a b c" in text
    penalized = trace(replace(EXACT, penalize_whole=True, beta=3.0), "a b c", ["a b c"])
    assert "penalty = 0.6·(1/((3 + 3)/2))^3 = 0.0222222" in penalized.text()
    check(penalized, replace(EXACT, penalize_whole=True, beta=3.0), "a b c", ["a b c"])
    assert "penalty = 0.6·(2/((2 + 2)/2))^0.2 = 0.6" in trace(EXACT, "a b", ["b a"]).text()


def test_nothing_matches() -> None:
    text = trace(EXACT, "", ["a b"]).text()
    assert "no word matches" in text
    assert "hypothesis   ∅" in text
    assert Drawing(trace(EXACT, "x", ["a b"]).html()).svg["aria-label"] == "no match"


def test_the_reference_that_counts_is_named() -> None:
    found = trace(EXACT, "a b", ["x", "a b", "a b"])
    assert [", which counts" in section.title for section in found.sections] == [False, True, False]
    assert ", which counts" not in trace(EXACT, "a b", ["a b"]).text()


def test_rows_are_broken_and_keep_their_columns_in_every_script() -> None:
    texts = " ".join(["猫", "مرحبا", "नमस्ते", "sat"] * 12)
    lines = trace(EXACT, texts, [texts]).text().split("\n")
    rows = [(line, below) for line, below in itertools.pairwise(lines) if line.startswith("hypothesis ")]
    assert len(rows) > 2
    for words, marks in rows:
        assert cell_len(words) <= 80
        starts = [[cell_len(line[: match.start()]) for match in re.finditer(r"\S+", line)] for line in (words, marks)]
        assert starts[0][1:] == starts[1]


def test_the_dictionary_is_ready_for_json() -> None:
    found = trace(TABLES, *POLISH)
    plain = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert plain["value"] == found.value
    assert Scorer.from_signature(plain["signature"]) == TABLES
    drawn = plain["blocks"][1]["blocks"][0]
    assert drawn["kind"] == "alignment"
    assert drawn["links"][1] == {"name": "paraphrase", "shape": "square", "starts": [2, 1], "lengths": [2, 2]}


def test_parts_of_a_reference_are_references() -> None:
    """By the line protocol a reference with bars is several, and each has its own picture."""
    scorer = replace(EXACT, protocol=True)
    found = trace(scorer, "a|||b c", ["d", "x ||| ab c"])
    check(found, scorer, "ab c", ["d", "x", "ab c"])
    references = [[word.text for word in picture(section).rows[1]] for section in found.sections]
    assert references == [["d"], ["x"], ["ab", "c"]]
    assert best(found) is found.sections[2]
