"""The documents' cases: what they hold, what the run says of them, and that the run cannot be talked into anything."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from importlib import metadata, resources

import pytest

from metrologue.comparison import load_cases, run_cases
from metrologue.comparison.documents import (
    VERDICTS,
    Case,
    Figure,
    LibraryCall,
    VariantCall,
    judge,
)
from metrologue.comparison.libraries import Available, get_library
from metrologue.errors import InputError

CASES = {case.id: case for case in load_cases()}
# Verdicts of the figures whose library is not asked, or that are not simply reproduced.
DEFINITIONS = {
    "bleu-trace", "bleu-clip", "bleu1-clip-c1", "bleu1-clip-c2", "bleu1-clip-c3", "bleu1-clip-c4", "bleu2-c3",
    "bleu2-c4-second-reference", "bleu-of-the-ru",
}  # fmt: skip
ERRORS = {("bleu-p1-latex", "precision_1, in the cell's comment"), ("bleu2-c4", "precision_2")}
REPRODUCED = {
    "bleu-p1-latex", "bleu-p2", "bleu-p1", "bleu-of-the", "bleu-latex-chars", "bleu-identity", "bleu-evaluate-c1",
    "bleu-evaluate-c2", "bleu-sacrebleu-c1", "bleu-sacrebleu-c2", "bleu-nltk-c1", "bleu-nltk-c2", "bleu-pycoco-c1",
    "bleu-pycoco-c2",
}  # fmt: skip


def test_every_bleu_case_is_there():
    bleu = {case.id for case in CASES.values() if case.metric == "bleu"}
    assert bleu == DEFINITIONS | REPRODUCED | {case for case, _ in ERRORS} | {"bleu-reference-count"}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_case_gives_its_verdict(case: Case):
    (result,) = run_cases([case])
    runs = case.library is None or isinstance(get_library(case.library.name).status(), Available)
    for figure in result.figures:
        if case.quoted:
            expected = "quoted"
        elif not runs and case.id not in DEFINITIONS:
            expected = "unavailable"
        elif (case.id, figure.name) in ERRORS:
            expected = "document-errs"
        else:
            expected = "definition" if case.id in DEFINITIONS else "reproduced"
        assert figure.verdict == expected, figure
        if expected in {"reproduced", "definition"}:
            assert figure.variant == pytest.approx(figure.published, rel=1e-12, abs=0)
    assert result.as_expected
    assert bool(result.missing) != runs
    assert json.loads(json.dumps(result.to_dict(), allow_nan=False))["case"]["id"] == case.id


def test_published_figures_come_out_of_our_variants_without_any_library(monkeypatch):
    """The figures do not wait for a library: with none installed, each is still compared with our variant."""

    def absent(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", absent)
    for result in run_cases(CASES.values()):
        for figure in result.figures:
            if result.case.id in REPRODUCED and (result.case.id, figure.name) not in ERRORS:
                assert (figure.verdict, figure.note) == (
                    "unavailable",
                    "our variant equals the published figure",
                )
            elif result.case.id in DEFINITIONS:
                assert figure.verdict == "definition"
        if result.case.library:
            assert "pip install" in (result.missing or "")


def test_escapes_of_the_python_literals_are_kept():
    case = CASES["bleu-latex-chars"]
    assert case.predictions[0].startswith("\x0crac{1}")
    assert case.references[0][0].endswith("|i \x0dangle")
    # Spelled with a backslash instead, the very call gives another number.
    (spelled,) = run_cases([replace(case, predictions=("\\f" + case.predictions[0][1:],))])
    assert {figure.verdict for figure in spelled.figures} <= {"library-changed", "unavailable"}


def test_preparation_is_applied_to_both_sides():
    case = CASES["bleu1-clip-c4"]
    predictions, references = case.prepared()
    assert predictions == ["mat the cat is on a there"]
    assert references == [["the cat is on the mat", "there is a cat on the mat"]]
    (raw,) = run_cases([replace(case, prepare=())])
    assert [figure.verdict for figure in raw.figures] == ["mismatch"]


def test_wrong_variant_is_a_mismatch():
    case = CASES["bleu-nltk-c1"]
    (result,) = run_cases([replace(case, variant=VariantCall(name="sacrebleu", overrides={}, trace=False))])
    assert [figure.verdict for figure in result.figures] in (["mismatch"], ["unavailable"])
    assert result.as_expected == (result.missing is not None)


def test_crashing_library_is_told_and_stops_nothing():
    case = CASES["bleu-nltk-c1"]
    bad = replace(case, library=LibraryCall(name="nltk", call="bleu", options={"smooth": "method99"}))
    first, second = run_cases([bad, case])
    assert first.figures[0].verdict == "unavailable"
    assert first.missing
    if first.version:
        assert "AttributeError" in first.missing
        assert second.figures[0].verdict == "reproduced"


def test_progress_sees_each_case():
    seen: list[Case] = []
    run_cases([CASES["bleu-clip"], CASES["bleu-reference-count"]], progress=seen.append)
    assert [case.id for case in seen] == ["bleu-clip", "bleu-reference-count"]


HALF = Figure(name="bleu", quantity=("bleu",), published=0.5, tolerance=1e-6)
WRONG = replace(HALF, errs="a misprint")


@pytest.mark.parametrize(
    ("figure", "library", "variant", "options", "verdict"),
    [
        (HALF, 0.5, 0.5, {}, "reproduced"),
        (HALF, 0.5 * (1 + 9e-7), 0.5, {}, "reproduced"),
        (HALF, 0.5 * (1 + 2e-6), 0.5, {}, "mismatch"),
        (HALF, 0.4, 0.4, {}, "library-changed"),
        (HALF, 0.4, 0.5, {}, "mismatch"),
        (HALF, 0.5, 0.4, {}, "mismatch"),
        (HALF, 0.3, 0.4, {}, "mismatch"),
        (HALF, None, 0.5, {}, "mismatch"),
        (HALF, 0.5, None, {}, "mismatch"),
        (HALF, math.nan, 0.5, {}, "mismatch"),
        (HALF, None, 0.5, {"definition": True}, "definition"),
        (HALF, 0.5, 0.5, {"definition": True}, "definition"),
        (HALF, None, 0.4, {"definition": True}, "mismatch"),
        (HALF, 0.4, 0.5, {"definition": True}, "mismatch"),
        (HALF, 0.4, 0.4, {"definition": True}, "mismatch"),
        (HALF, None, 0.5, {"missing": "not here"}, "unavailable"),
        (HALF, None, 0.5, {"missing": "not here", "definition": True}, "definition"),
        (WRONG, 0.4, 0.4, {}, "document-errs"),
        (WRONG, 0.4, 0.3, {}, "mismatch"),
        (WRONG, 0.5, 0.5, {}, "mismatch"),
        (WRONG, 0.4, 0.5, {}, "mismatch"),
        (WRONG, None, 0.4, {}, "mismatch"),
        (WRONG, None, 0.4, {"definition": True}, "document-errs"),
        (WRONG, None, 0.5, {"definition": True}, "mismatch"),
        (WRONG, None, 0.4, {"missing": "not here"}, "unavailable"),
        (WRONG, None, 0.4, {"missing": "not here", "definition": True}, "unavailable"),
        (replace(HALF, published=0.0), 0.0, 1e-300, {}, "mismatch"),
        (replace(HALF, published=5.7e-155), 0.0, 0.0, {}, "library-changed"),
    ],
)
def test_verdict(figure, library, variant, options, verdict):
    found, note = judge(figure, library, variant, **options)
    assert found == verdict
    assert found in VERDICTS
    assert note or verdict in {"reproduced", "definition"}


@pytest.mark.parametrize(("variant", "word"), [(0.5, "equals"), (0.4, "differs from")])
def test_unavailable_library_does_not_hide_our_own_number(variant, word):
    assert judge(HALF, None, variant, missing="x") == ("unavailable", f"our variant {word} the published figure")


GOOD = """
[document]
code = "XX"
title = "a document"
language = "en"
[predictions]
one = ["a b"]
[references]
one = [["a b", "a c"]]
[[cases]]
id = "case"
metric = "bleu"
section = "1"
call = "by hand"
predictions = "one"
references = "one"
variant = { name = "nltk", overrides = { weights = [0.5, 0.5] } }
figures = [{ name = "bleu", published = "2/2" }]
"""


def test_cases_of_another_folder(tmp_path):
    (tmp_path / "notes.txt").write_text("not a case", encoding="utf-8")
    (tmp_path / "b.toml").write_text(GOOD.replace('"case"', '"other"'), encoding="utf-8")
    (tmp_path / "a.toml").write_text(GOOD, encoding="utf-8")
    cases = load_cases(tmp_path)
    assert [case.id for case in cases] == ["case", "other"]
    assert cases[0].figures == (Figure(name="bleu", quantity=("bleu",), published=1.0),)
    # No library is named, so the figure can only be worked out.
    assert [figure.verdict for figure in run_cases(cases)[0].figures] == ["definition"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('id = "case"\n', "", r"cases\[0\]: 'id' is a required property"),
        ('"2/2"', '"two"', r"cases\[0\]\.figures\[0\]\.published: 'two'"),
        ('"2/2"', '"2/2", tolerance = 0', r"cases\[0\]\.figures\[0\]\.tolerance"),
        ('"2/2"', '"2/2", expected = 1', r"'expected' was unexpected"),
        ('section = "1"', 'section = "1"\nquoted = "a paper"', r"cases\[0\]"),
        ('section = "1"', 'section = "1"\nprepare = ["shout"]', r"cases\[0\]\.prepare\[0\]: 'shout'"),
        ('variant = {', 'library = {', r"cases\[0\]"),
        ('[["a b", "a c"]]', '["a b"]', r"references\.one\[0\]: 'a b'"),
        ('predictions = "one"', 'predictions = "two"', r"case 'case' names predictions 'two'; there are one"),
        ("[document]", "[document", r"not a TOML file in UTF-8"),
    ],
)  # fmt: skip
def test_bad_data_is_refused_by_file_and_place(tmp_path, old, new, message):
    assert old in GOOD
    (tmp_path / "bad.toml").write_text(GOOD.replace(old, new), encoding="utf-8")
    with pytest.raises(InputError, match=f"^bad.toml: .*{message}"):
        load_cases(tmp_path)


def test_ids_are_unique_over_all_files(tmp_path):
    for name in ("a.toml", "b.toml"):
        (tmp_path / name).write_text(GOOD, encoding="utf-8")
    with pytest.raises(InputError, match=r"^b.toml: there are two cases 'case'"):
        load_cases(tmp_path)


def test_schema_is_a_schema():
    from jsonschema import Draft202012Validator

    schema = resources.files("metrologue.comparison.documents") / "schema.json"
    Draft202012Validator.check_schema(json.loads(schema.read_text(encoding="utf-8")))
