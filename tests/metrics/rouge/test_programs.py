"""ROUGE against what other packages printed, and what is broken in them."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from compared import compared
from parity.real_text import real_text

from metrics.rouge.record import Corpus, cases, single
from metrologue.attribution import explain
from metrologue.comparison.documents.load import load_cases
from metrologue.errors import InputError
from metrologue.scorers import Rouge
from metrologue.text.tokenizers import get_tokenizer

HERE = Path(__file__).parent
# The variant, the options of its program, and the fields that mirror them.
PRINTED: list[tuple[str, str, dict[str, Any]]] = [
    ("py-rouge", "", {}),
    ("py-rouge", "no stems, no limit, alpha 0.2", {"stemmer": None, "max_bytes": None, "beta": 2.0}),
    ("py-rouge", "25 characters", {"max_bytes": 25}),
    ("py-rouge-readme", "", {}),
    ("py-rouge-readme", "best", {"multi_reference": "best-1.5.5"}),
    ("rouge-chinese", "", {}),
    ("rougescore", "", {}),
    ("files2rouge", "", {}),
    ("files2rouge", "--no_stemming", {"stemmer": None}),
]
# A case of the documents, two variants, and the choices by which their scores differ there.
EXPLAINED = [
    ("rouge-police-kill", "rouge_score", "py-rouge", {"stemmer"}),
    ("rouge-fox", "py-rouge", "py-rouge-readme", {"weighted subsequence"}),
    ("rouge-fox", "rougescore", "sumeval", {"stop words"}),
]


def recorded(variant: str, options: str, shared_data: Path) -> Iterator[tuple[str, Corpus, dict[str, float]]]:
    every = {**cases(), **{f"real {name}": corpus for name, corpus in real_text(shared_data, 20).items()}}
    printed = json.loads((HERE / f"{variant}.json").read_text("utf-8"))["printed"][options]
    for name, numbers in printed.items():
        yield name, every[name], numbers


def by_name_of_file(corpus: Corpus) -> Corpus:
    """The segments as files2rouge has them, which sorts their files, such as s.10.txt before s.2.txt."""
    order = sorted(range(len(corpus[0])), key=lambda index: f"s.{index}.txt")
    return [corpus[0][index] for index in order], [corpus[1][index] for index in order]


@pytest.mark.parametrize(("variant", "options", "fields"), PRINTED)
def test_rouge_is_what_the_program_prints(
    variant: str, options: str, fields: dict[str, Any], shared_data: Path
) -> None:
    scorer = Rouge.variant(variant, **fields)
    wrong, count = [], 0
    for name, corpus, numbers in recorded(variant, options, shared_data):
        if variant in ("rouge-chinese", "files2rouge"):
            corpus = single(corpus)
        if variant == "files2rouge":
            corpus = by_name_of_file(corpus)
        if variant.startswith("py-rouge"):
            numbers = without_short(corpus, numbers, weighted="rougeW" in scorer.types)
        ours = scorer.corpus(*corpus).scores
        wrong += [
            (name, key, ours[key], theirs)
            for key, theirs in numbers.items()
            if not math.isclose(ours[key], theirs, rel_tol=1e-12)
        ]
        count += len(numbers)
    assert wrong == []
    compared(count)


def without_short(corpus: Corpus, numbers: dict[str, float], weighted: bool) -> dict[str, float]:
    """The numbers of py-rouge without those that short references break, and its ROUGE-W only if it has a weight."""
    cut = get_tokenizer("rouge-score")
    shortest = min((len(cut(text)) for texts in corpus[1] if len(texts) > 1 for text in texts), default=9)
    kept = {key: value for key, value in numbers.items() if not key[5].isdigit() or int(key[5]) <= shortest + 1}
    assert weighted or all(numbers[key] == numbers[key.replace("W", "L")] for key in numbers)
    return {key: value for key, value in kept.items() if weighted or "W" not in key}


def test_py_rouge_counts_less_than_nothing_in_a_short_reference(shared_data: Path) -> None:
    """A text of m words has m - n + 1 n-grams there, also if this is negative: one word has -1 trigrams."""
    theirs = next(own for name, _, own in recorded("py-rouge-readme", "", shared_data) if name == "English short")
    assert theirs["rouge3_recall"] == 2 / (3 - 1)
    assert Rouge.variant("py-rouge-readme").corpus(*cases()["English short"]).scores["rouge3_recall"] == 2 / 3


@pytest.mark.parametrize("text", ["", " \n "])
def test_rouge_chinese_refuses_a_text_without_a_word(text: str) -> None:
    scorer = Rouge.variant("rouge-chinese")
    with pytest.raises(InputError, match="`predictions\\[0\\]` has no word"):
        scorer.corpus([text], ["我们 喜欢 猫"])
    with pytest.raises(InputError, match="`references\\[0\\]` has no word"):
        scorer.corpus(["我们 喜欢 猫"], [text])


def test_every_option_that_was_recorded_is_compared() -> None:
    recorded = [(path.stem, json.loads(path.read_text("utf-8"))) for path in HERE.glob("*.json")]
    every = {(name, options) for name, content in recorded for options in content["printed"]}
    assert every == {(variant, options) for variant, options, _ in PRINTED}


def test_sumeval_stems_references_only() -> None:
    """Its list has the irregular forms of WordNet, which no word of a summary equals afterwards."""
    calculator = pytest.importorskip("sumeval.metrics.rouge", reason="sumeval is not installed").RougeCalculator
    assert calculator(stemming=True).rouge_1("geese", ["geese"]) == 0
    assert Rouge.variant("sumeval", stemmer="porter-1.5.5").corpus(["geese"], ["geese"]).value == 1


@pytest.mark.parametrize(("case", "one", "other", "choices"), EXPLAINED)
def test_what_makes_the_difference_on_a_document_s_text(case: str, one: str, other: str, choices: set[str]) -> None:
    [text] = [each for each in load_cases() if each.id == case]
    scorers = [Rouge.variant(name) for name in (one, other)]
    corpus = [*text.predictions], [[*own] for own in text.references]
    found = explain(*scorers, *corpus)
    first, second = (scorer.corpus(*corpus).value / scorer.scale for scorer in scorers)
    shares = {each.choice: each.share for each in found.contributions}
    assert first != second
    assert math.isclose(sum(shares.values()), second - first, rel_tol=1e-12)
    assert {choice for choice, share in shares.items() if abs(share) > 1e-9} == choices
