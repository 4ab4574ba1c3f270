"""A trace of edits: its columns spell both texts, its letters are what the scorer counts, its formula is the number."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from strategies import related_texts

from metrologue import trace
from metrologue.errors import InputError
from metrologue.scorers import (
    CharacterErrorRate,
    EditDistance,
    MatchErrorRate,
    Scorer,
    Ter,
    WordErrorRate,
    WordInformationLost,
    WordInformationPreserved,
    get_scorer,
)
from metrologue.scorers.families.edits import Shift
from metrologue.tracing import Column, Grid, Section, Texts, Trace

NAMES = ("wer", "cer", "mer", "wil", "wip", "edit_distance", "ter")
VARIANTS = [(name, variant) for name in NAMES for variant in get_scorer(name).variants()]
SNOVER = (
    "this week the saudis denied information published in the new york times",
    "saudi arabia denied this week information published in the american new york times",
)
ARABIC = "قال الرئيس إن الحكومة سوف تعمل", "قال رئيس الوزراء إن الحكومة تعمل"
HEBREW = "שלום עולם טוב", "שלם עולם טובה"
COMBINED = "e\u0301te\u0301 猫が👩‍👩‍👧 \u200dx", "ete\u0301 猫 👩‍👧 x\u202e"


def columns(section: Section | Trace) -> tuple[Column, ...]:
    (grid,) = section.every(Grid)
    return grid.columns


def letters(section: Section | Trace) -> dict[str, int]:
    (grid,) = section.every(Grid)
    return {letter: grid.letters.get(letter, 0) for letter in "HSDIT"}


def spelled(section: Section) -> tuple[list[str], list[str]]:
    """The units of both texts, column by column."""
    ours, theirs = (
        [unit for c in columns(section) for unit in getattr(c, side)] for side in ("hypothesis", "reference")
    )
    return ours, theirs


def steps(section: Section) -> list[str]:
    """The names of the shifts that are drawn."""
    return [text.name for block in section.every(Texts) for text in block.texts]


def check(found: Trace, scorer: Scorer, prediction: str, references: list[str]) -> None:
    """The invariants of every trace."""
    assert found.value == scorer.corpus([prediction], [references]).value
    assert len(found.sections) == len(references)
    for section, reference in zip(found.sections, references, strict=True):
        edits = scorer.edits(prediction, reference)
        ours, theirs = spelled(section)
        shifted, kept = (ours, theirs) if getattr(scorer, "shifted", "") != "reference" else (theirs, ours)
        sides = (edits.hypothesis, edits.reference)
        before, other = sides if shifted is ours else sides[::-1]
        drawn = columns(section)
        if "T" not in {column.letter for column in drawn}:
            assert kept == list(other)
        assert sorted(shifted) == sorted(before)
        assert len(steps(section)) == len(edits.shifts)
        if not edits.shifts:
            assert shifted == list(before) or "T" in {column.letter for column in drawn}
        if edits.shifts:
            after = tuple(before)
            for shift in edits.shifts:
                after = shift.apply(after)
            assert shifted == list(after)
        assert [column.letter for column in drawn] == [operation.kind for operation in edits.operations]
        for column in drawn:
            equal = column.hypothesis == column.reference
            assert equal == (column.letter == "H")
            assert (len(column.hypothesis), len(column.reference)) == {"D": (0, 1), "I": (1, 0), "T": (2, 2)}.get(
                column.letter, (1, 1)
            )
            if column.letter == "T":
                assert column.hypothesis == column.reference[::-1]
    terms, value = re.fullmatch(r"\w+ = (.*) = (\S+)", found.formula).groups()
    assert float(value) == found.value
    assert eval(terms.replace("·", "*")) == pytest.approx(found.value, rel=1e-5)


def letters_are_counted(found: Trace, scorer: Scorer) -> None:
    """The drawn letters are those that make the number."""
    for section in found.sections:
        counts, drawn = section.values, letters(section)
        if isinstance(scorer, EditDistance):
            costs = {
                "S": scorer.substitution_cost,
                "D": scorer.deletion_cost,
                "I": scorer.insertion_cost,
                "T": 1,
                "H": 0,
            }
            cost = sum(costs[letter] * number for letter, number in drawn.items())
            assert cost == pytest.approx(counts["edit_distance"])
        else:
            names = {"H": "hits", "S": "substitutions", "D": "deletions", "I": "insertions"}
            assert {name: drawn[letter] for letter, name in names.items()} == {
                name: counts[name] for name in names.values()
            }
            assert len(steps(section)) == counts.get("shifts", 0)


@pytest.mark.parametrize(("name", "variant"), VARIANTS)
@pytest.mark.parametrize("texts", [SNOVER, ARABIC, HEBREW, COMBINED, ("a b", "b a"), ("", "a b")])
def test_columns_and_formula_are_the_scorers(name: str, variant: str, texts: tuple[str, str]) -> None:
    scorer = get_scorer(name).variant(variant)
    try:
        found = trace(scorer, texts[0], [texts[1], "a b c", texts[0] or "c"])
    except InputError:
        assert not all(texts), "only empty texts are refused"
        return
    check(found, scorer, texts[0], [texts[1], "a b c", texts[0] or "c"])
    if getattr(scorer, "hits", "aligned") == "aligned" and (texts[0] or variant != "torchmetrics"):
        letters_are_counted(found, scorer)


@given(
    name=st.sampled_from(NAMES),
    texts=related_texts(3),
    costs=st.tuples(*[st.sampled_from([0.5, 1.0, 2.0])] * 3),
    transpositions=st.sampled_from(["none", "adjacent", "any"]),
    normalization=st.sampled_from(["none", "maximum", "longer", "sum"]),
)
def test_invariants_hold_for_any_text(name, texts, costs, transpositions, normalization) -> None:
    scorer = get_scorer(name)()
    if name == "edit_distance":
        insertion, deletion, substitution = costs
        scorer = EditDistance(
            insertion_cost=insertion,
            deletion_cost=deletion,
            substitution_cost=substitution,
            transpositions=transpositions,
            normalization=normalization,
        )
    found = trace(scorer, texts[0], texts[1:])
    check(found, scorer, texts[0], texts[1:])
    letters_are_counted(found, scorer)
    found.html()


def test_the_formulas() -> None:
    texts = "the cat sit on mat today", ["the cat sat on the mat"]
    assert trace(WordErrorRate(), *texts).formula == "wer = (3 + 0 + 0)/6 = 0.5"
    assert trace(MatchErrorRate(), *texts).formula == "mer = (3 + 0 + 0)/(3 + 3 + 0 + 0) = 0.5"
    assert trace(WordInformationPreserved(), *texts).formula == "wip = (3/6)·(3/6) = 0.25"
    assert trace(WordInformationLost(scale=100), *texts).formula == "wil = 100·(1 - (3/6)·(3/6)) = 75.0"
    assert trace(Ter(), *SNOVER[:1], [SNOVER[1]]).formula.startswith("ter = 100·(2 + 1 + 0 + 1)/13 = 30.769")
    found = trace(EditDistance(normalization="longer", substitution_cost=2), "horse", ["ros"])
    assert found.formula == "normalized_distance = (2·1 + 2)/5 = 0.8"
    assert found.remarks == ("distance = 2·S + D + I, divided by the length of the longer text",)


def starts(line: str) -> list[int]:
    """The cells of a terminal at which the words of a line start."""
    return [cell_len(line[: match.start()]) for match in re.finditer(r"\S+", line)]


def test_blocks_keep_their_columns_in_every_script() -> None:
    words = ["the", "猫", "sat", "שלום", "on", "قال", "e\u0301", "नमस्ते"] * 6
    others = [*words[:9], "x", "猫猫", *words[10:20], *words[21:]]
    text = trace(WordErrorRate(), " ".join(words), [" ".join(others)]).text()
    blocks = [block.split("\n") for block in text.split("\n\n") if block.startswith("hypothesis ")]
    assert len(blocks) > 1
    drawn: list[list[str]] = [[], []]
    for ours, theirs, *letters in blocks:
        assert max(map(cell_len, (ours, theirs))) <= 80
        columns = set(starts(ours)) | set(starts(theirs))
        assert all(set(starts(line)) <= columns for line in letters)
        wrong = {start for line in letters for start in starts(line)}
        assert set(starts(ours)[1:]) - wrong == set(starts(theirs)[2:]) - wrong, "words that hit stand below each other"
        drawn[0] += ours.replace("\u200e", "").split()[1:]
        drawn[1] += theirs.replace("\u200e", "").split()[2:]
    assert drawn == [words, others]


def test_edits_are_marked_by_letters() -> None:
    found = trace(WordErrorRate(), "the cat sit on mat today", ["the cat sat on the mat"])
    assert (
        "hypothesis   the cat sit on mat today\nreference 1  the cat sat on the mat\n                     S      S   S"
    ) in found.text()
    page = found.html(style=False)
    assert page.count('class="trace-edit trace-S"') == 3
    assert "<bdi>S</bdi>" in page
    assert [key.mark for key in found.blocks[0].keys] == ["H", "S"]
    assert '<span class="trace-key trace-S">S</span> substitute' in page


def test_a_side_without_a_unit_is_blank() -> None:
    text = trace(WordErrorRate(), "a x", ["a b x c"]).text()
    assert "hypothesis   a   x\nreference 1  a b x c\n               D   D" in text
    assert "hypothesis\nreference 1  a b\n             D D" in trace(WordErrorRate(), "", ["a b"]).text()
    assert "hypothesis 0 words, reference 0 words" in trace(WordErrorRate(), "", [""]).text()


def test_shifts_are_numbered_in_their_order() -> None:
    found = trace(Ter(), SNOVER[0], [SNOVER[1]])
    assert Ter().edits(*SNOVER).shifts == (Shift(start=0, length=2, target=3),)
    text = found.text()
    assert "shift 1  ‸1 the saudis denied [1 this week 1] information" in text
    assert "[1   1]" in text, "a bracket around the two words in the columns"
    assert '<bdi class="trace-token trace-shifted">[1 this week 1]</bdi>' in found.html()
    assert '<bdi class="trace-token trace-origin">‸1</bdi>' in found.html()
    assert "took the block from the caret" in text
    assert "caret" not in trace(Ter(), "a b", ["a c"]).text()


def test_a_caret_after_the_block() -> None:
    found = trace(Ter(), "b c d a", ["a b c d"])
    (step,) = [line.split() for line in found.text().split("\n") if line.startswith("shift ")]
    assert step[:2] == ["shift", "1"]
    assert " ".join(step[2:]) in ("[1 a 1] b c d ‸1", "‸1 a [1 b c d 1]")


def test_the_reference_is_shifted_where_the_library_turns_them_round() -> None:
    found = trace(Ter.variant("torchmetrics"), SNOVER[0], [SNOVER[1]])
    ours, theirs = spelled(found.sections[0])
    assert ours == SNOVER[0].split()
    assert theirs != SNOVER[1].split()
    assert sorted(theirs) == sorted(SNOVER[1].split())


def test_counts_without_an_alignment_are_told() -> None:
    texts = "the cat sit on mat today", ["the cat sat on the mat"]
    assert "counted in another way" not in trace(WordErrorRate(), *texts).text()
    found = trace(WordErrorRate(hits="fewest"), "a b c d", ["b c d a"])
    assert "H = 2, S = 2, D = 0, I = 0" in found.text()
    assert "wer = (2 + 0 + 0)/4 = 0.5" in found.formula


def test_the_reference_that_counts_is_named() -> None:
    found = trace(WordErrorRate(), "a b c", ["x y z", "a b d", "a b e"])
    assert [section.name for section in found.sections] == ["reference 1", "reference 2", "reference 3"]
    assert [", which counts" in section.title for section in found.sections] == [False, True, False]
    mean = trace(EditDistance(multi_reference="mean"), "abc", ["abc", "axyc"])
    assert "which counts" not in mean.text()
    assert mean.formula == "edit_distance = (0 + 2)/2 = 1.0"
    refused = trace(WordErrorRate.variant("evaluate"), "a", ["", "a"])
    assert refused.value == 0
    assert "reference 1: no score with this reference alone" in refused.text()


def test_transposed_units_stand_in_one_column() -> None:
    found = trace(EditDistance(transpositions="any"), "ca", ["abc"])
    assert [(c.letter, c.hypothesis, c.reference) for c in columns(found)] == [
        ("T", ("c", "a"), ("a", "c")),
        ("D", (), ("b",)),
    ]
    assert found.formula == "edit_distance = 1 + 1 = 2.0"


def test_characters_are_told_apart_and_joined_on_a_page() -> None:
    found = trace(CharacterErrorRate(), "e\u0301 b", ["e b"])
    assert [c.letter for c in columns(found)] == ["H", "I", "H", "H"]
    assert "hypothesis   e◌\u0301␣b\nreference 1  e ␣b\n              I" in found.text()
    arabic = trace(CharacterErrorRate(), "القطة", ["القط"]).html(style=False)
    assert "<bdi>القط</bdi><bdi>القط</bdi><bdi></bdi>" in arabic, "letters of a hit stay one word"
    assert "characters" in trace(CharacterErrorRate(), "a", ["a"]).text()
    assert "grapheme cluster" in trace(EditDistance(tokenizer="graphemes"), "e\u0301", ["e"]).text()


@pytest.mark.parametrize(("texts", "direction"), [(ARABIC, "rtl"), (HEBREW, "rtl"), (SNOVER, "ltr"), (("", ""), "ltr")])
def test_columns_run_where_the_text_runs(texts: tuple[str, str], direction: str) -> None:
    page = trace(WordErrorRate(), texts[0], [texts[1]]).html(style=False)
    assert re.findall(r'<ol class="trace-edits" dir="(\w+)"', page) == [direction]


def test_the_dictionary_is_ready_for_json() -> None:
    found = trace(Ter(), SNOVER[0], [SNOVER[1], "a b"])
    plain = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert plain["value"] == found.value
    assert Scorer.from_signature(plain["signature"]) == Ter()
    section = plain["blocks"][2]
    assert (section["kind"], section["values"]["shifts"]) == ("section", 1)
    assert [block["kind"] for block in section["blocks"]] == ["notes", "texts", "grid"]
    assert section["blocks"][2]["columns"][0] == {
        "letter": "S",
        "hypothesis": ["the"],
        "reference": ["saudi"],
        "shift": 0,
        "bracket": "",
    }
