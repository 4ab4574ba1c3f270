"""BLEU against what the programs of older tables printed, and Moses' tokens against tokenizer.perl's."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from compared import compared

from metrics.bleu.record import CASES
from metrologue.attribution import explain
from metrologue.comparison.documents.load import load_cases
from metrologue.scorers import Bleu
from metrologue.text.tokenizers import get_tokenizer

HERE = Path(__file__).parent
MOSES = "moses:language=de,final_period=true"
# The variant, the options of its program, and the fields that mirror them.
PRINTED: list[tuple[str, str, dict[str, Any]]] = [
    ("multi-bleu", "", {}),
    ("multi-bleu", "-lc", {"tokenizer": "ascii-whitespace:lowercase=true"}),
    ("multi-bleu-detok", "", {}),
    ("multi-bleu-detok", "-lc", {"lowercase": True}),
    ("get-ende-bleu", "", {}),
    ("get-ende-bleu", "moses", {"tokenizer": MOSES}),
    ("get-ende-bleu", "moses, lowercase", {"tokenizer": f"{MOSES},lowercase=true"}),
    ("get-ende-bleu", "moses -a", {"tokenizer": f"{MOSES},aggressive=true"}),
    ("t2t-bleu", "", {}),
    ("t2t-bleu", "uncased", {"lowercase": True}),
    ("fairseq-score", "", {}),
    ("mteval-v13a", "", {}),
    ("mteval-v13a", "-c", {"tokenizer": "mteval-v13a:preserve_case=true"}),
    ("mteval-v14", "", {}),
    ("mteval-v14", "-c", {"lowercase": False}),
    ("mteval-v14", "-c, not international", {"lowercase": False, "tokenizer": "mteval-v13a:preserve_case=true"}),
]
# A case of the documents, two variants, and the choices by which their scores differ there.
EXPLAINED = [
    ("bleu-p1-latex", "multi-bleu", "get-ende-bleu", {"tokenizer"}),
    ("bleu-sacrebleu-c1", "fairseq-score", "multi-bleu-detok", {"tokenizer"}),
    ("bleu-sacrebleu-c2", "multi-bleu", "t2t-bleu", {"zero rule", "smoothing", "tokenizer"}),
]


@pytest.mark.parametrize(("variant", "options", "fields"), PRINTED)
def test_bleu_is_what_the_program_prints(variant: str, options: str, fields: dict[str, Any]) -> None:
    if variant == "get-ende-bleu":
        pytest.importorskip("sacremoses", reason="sacremoses is not installed: pip install 'metrologue[moses]'")
    printed = json.loads((HERE / f"{variant}.json").read_text("utf-8"))["printed"][options]
    scorer = Bleu.variant(variant, **fields)
    ours = {name: scorer.corpus(*CASES[name]).value for name in printed}
    digits = {len(number.partition(".")[2]) for number in printed.values()}
    assert {name: f"{value:.{max(digits)}f}" for name, value in ours.items()} == printed
    compared(len(printed))


def test_every_option_that_was_recorded_is_compared() -> None:
    recorded = [(path.stem, json.loads(path.read_text("utf-8"))) for path in HERE.glob("*.json")]
    every = {(name, options) for name, content in recorded for options in content.get("printed", ())}
    assert every == {(variant, options) for variant, options, _ in PRINTED}


@pytest.mark.parametrize(
    ("options", "tokenizer"),
    [
        ("-l de", "moses:language=de,escape=true"),
        ("-l en -no-escape", "moses"),
        ("-l de -a", "moses:language=de,aggressive=true,escape=true"),
        ("-l fr -a -no-escape", "moses:language=fr,aggressive=true"),
    ],
)
def test_moses_cuts_as_its_program_does(options: str, tokenizer: str) -> None:
    pytest.importorskip("sacremoses", reason="sacremoses is not installed: pip install 'metrologue[moses]'")
    recorded = json.loads((HERE / "moses-tokens.json").read_text("utf-8"))
    cut = get_tokenizer(tokenizer, final_period=True)
    lines = recorded["tokens"][options]
    assert cut(recorded["texts"]) == [line.split() for line in lines]
    compared(len(lines))


def test_before_november_2018_a_number_kept_the_point_that_ends_a_text() -> None:
    """sacremoses, and so EASSE, follow the older tokenizer.perl."""
    pytest.importorskip("sacremoses", reason="sacremoses is not installed: pip install 'metrologue[moses]'")
    text = "Gabby war #2."
    assert get_tokenizer("moses", language="de")(text)[-1] == "2."
    assert get_tokenizer("moses", language="de", final_period=True)(text)[-2:] == ["2", "."]


@pytest.mark.parametrize(("case", "one", "other", "choices"), EXPLAINED)
def test_what_makes_the_difference_on_a_document_s_text(case: str, one: str, other: str, choices: set[str]) -> None:
    [text] = [each for each in load_cases() if each.id == case]
    scorers = [Bleu.variant(name) for name in (one, other)]
    corpus = [*text.predictions], [[*own] for own in text.references]
    found = explain(*scorers, *corpus)
    first, second = (scorer.corpus(*corpus).value / scorer.scale for scorer in scorers)
    shares = {each.choice: each.share for each in found.contributions}
    assert first != second
    assert math.isclose(sum(shares.values()), second - first, rel_tol=1e-12)
    assert {choice for choice, share in shares.items() if abs(share) > 1e-9} == choices
