"""A page has a box for each input that a metric declares, and what is written there reaches every part of the page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from small_metric import small_metric

import metrologue
from metrologue import InputError
from metrologue.pages.boxes import boxes, require_short
from metrologue.pages.examples import opening, opening_inputs
from metrologue.pages.links import from_link
from metrologue.pages.page_parts import (
    compared_texts,
    explain_texts,
    file_text,
    opening_variants,
    show_texts,
    which_texts,
)
from metrologue.scorers import Scorer, get_scorer, list_scorers

PREDICTIONS, REFERENCES = "the Cat sat\na dog", "the cat sat\na cat\n\na dog"
SOURCES, REMARKS = "the cat sat on the mat\na dog", "good\nso\n\nno"
ROWS = {
    "predictions": ["the Cat sat", "a dog"],
    "references": [["the cat sat", "a cat"], ["a dog"]],
    "sources": ["the cat sat on the mat", "a dog"],
}
MISSING = "Kept: `sources` are missing; the text before it was shortened."


@pytest.fixture(autouse=True)
def kept() -> Iterator[None]:
    with small_metric():
        yield


def test_a_page_shows_what_python_says() -> None:
    whole = metrologue.score("kept", **ROWS)
    shown = show_texts("kept", "metrologue", PREDICTIONS, REFERENCES, sources=SOURCES)
    assert (shown.scores, shown.signature) == (whole.scores, whole.signature)
    assert metrologue.trace("kept", **ROWS, segment=0).html() in shown.trace
    assert "a dog" in show_texts("kept", "metrologue", PREDICTIONS, REFERENCES, 1, sources=SOURCES).words
    # Of a segment, a remark is a group of turns.
    with_remarks = show_texts("kept", "metrologue", PREDICTIONS, REFERENCES, sources=SOURCES, remarks=REMARKS)
    assert with_remarks.scores == whole.scores
    told = show_texts("kept", "metrologue", PREDICTIONS, REFERENCES, sources=SOURCES, remarks="a\n\nb\n\nc")
    assert "remarks: 3 groups of lines for 2 predictions; write one remark per line" in told.numbers


def test_two_variants_are_explained() -> None:
    why = explain_texts("kept", "metrologue", "lowercase", PREDICTIONS, REFERENCES, sources=SOURCES)
    gap = metrologue.explain("kept", "kept:lowercase", **ROWS)
    assert "<strong>case</strong>" in why
    assert f"{100 * gap.gap:+.1f}"[:4] in why
    variants = opening_variants("kept", "metrologue", PREDICTIONS, REFERENCES, sources=SOURCES)
    assert variants == ("metrologue", "lowercase")


def test_what_is_missing_is_told_once_and_as_in_python() -> None:
    with pytest.raises(InputError) as refused:
        metrologue.score("kept", ROWS["predictions"], ROWS["references"])
    assert str(refused.value) == MISSING
    for empty in ({}, {"sources": ""}, {"sources": " \n"}):
        shown = show_texts("kept", "metrologue", PREDICTIONS, REFERENCES, **empty)
        assert shown.numbers == f'<p class="parts">{MISSING}</p>'
        assert (shown.trace, shown.scores) == ("", {})
        assert explain_texts("kept", "metrologue", "lowercase", PREDICTIONS, REFERENCES, **empty) == ""
        with pytest.raises(InputError, match="`sources` are missing; the text before it was shortened"):
            compared_texts("bootstrap", "kept", PREDICTIONS, PREDICTIONS, REFERENCES, **empty)
    shown = show_texts("bleu", "nltk", "a", "")
    assert "Bleu: `references` are missing; the metric compares texts with them." in shown.numbers
    shown = show_texts("kept", "metrologue", PREDICTIONS, REFERENCES, sources="a\nb\nc")
    assert "2 predictions but 3 sources" in shown.numbers
    assert "there is no input" in show_texts("bleu", "nltk", "a", "a", sources="a").numbers


def test_two_systems_are_compared() -> None:
    found = compared_texts("bootstrap", "kept", PREDICTIONS, "the cat sat\na dog", REFERENCES, sources=SOURCES)
    assert found.values["difference"] == pytest.approx(1 / 8)


def test_a_printed_number_is_found() -> None:
    found = which_texts("kept", "0.75", PREDICTIONS, REFERENCES, sources=SOURCES)
    assert "metrologue score kept --variant lowercase" in found
    assert MISSING in which_texts("kept", "0.75", PREDICTIONS, REFERENCES)


def test_a_link_holds_every_box() -> None:
    shown = show_texts("kept", "metrologue", PREDICTIONS, REFERENCES, sources=SOURCES, remarks=REMARKS)
    link = shown.words.partition('href="')[2].partition('"')[0].replace("&amp;", "&")
    given = from_link(link, boxes(["kept"]))
    assert (given["sources"], given["remarks"], given["predictions"]) == (SOURCES, REMARKS, PREDICTIONS)
    assert from_link(link).keys() == given.keys() - {"sources", "remarks"}


def test_what_a_page_opens_with_has_a_score() -> None:
    """What a metric needs and has no example of is made."""
    inputs = opening_inputs("kept")
    assert inputs["remarks"] == ""
    assert 0 < show_texts("kept", "metrologue", *opening("kept"), **inputs).scores["kept"] < 1
    for metric in list_scorers():
        inputs = opening_inputs(metric)
        assert inputs.keys() == boxes([metric]).keys()
        assert all(inputs[name] for name, each in boxes([metric]).items() if each.required)


@pytest.mark.parametrize("metric", [name for name in list_scorers() if get_scorer(name).input("contexts")])
def test_metrics_of_responses_open_with_contexts(metric: str) -> None:
    given, inputs = opening(metric), opening_inputs(metric)
    assert {name: text != "" for name, text in inputs.items()} == dict.fromkeys(boxes([metric]), True)
    shown = show_texts(metric, next(iter(get_scorer(metric).variants())), *given, **inputs)
    # The texts make segments: what may be missing is a model.
    assert shown.scores or any(told in shown.numbers for told in ("`model` is missing", "needs a language model"))


@pytest.mark.parametrize(
    ("metric", "name", "file", "content", "text"),
    [
        ("usr", "contexts", "a.txt", "Hi!\tDo you?\nHi!\n", "Hi!\nDo you?\n\nHi!"),
        ("usr", "contexts", "a.jsonl", '["Hi!", "Do you?"]\n["Hi!"]\n', "Hi!\nDo you?\n\nHi!"),
        ("usr", "contexts", "a.jsonl", '"Hi!\\nDo you?"\n"Hi!"\n', "Hi!\nDo you?\n\nHi!"),
        # As it stands in the box.
        ("usr", "contexts", "a.txt", "Hi!\nDo you?\n\nHi!\n", "Hi!\nDo you?\n\nHi!"),
        ("usr", "predictions", "a.txt", "Hi!\nDo you?\n\nHi!\n", "Hi!\nDo you?\n\nHi!"),
        # A segment for each line, as the page says.
        ("usr", "predictions", "a.txt", "I do.\nNo.\n", "I do.\n\nNo."),
        ("kept", "sources", "a.txt", "a\tb\n\nc\n", "a\tb\n\nc"),
        ("bleu", "references", "a.jsonl", '["a", "b"]\n["c"]\n', "a\nb\n\nc"),
    ],
)
def test_a_file_fills_the_box_of_an_input(
    metric: str, name: str, file: str, content: str, text: str, tmp_path: Path
) -> None:
    (tmp_path / file).write_text(content, "utf-8")
    assert file_text(str(tmp_path / file), metric, name) == text


def test_a_file_that_a_box_cannot_hold_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('"Hi!\\nDo you?"\n""\n', "utf-8")
    with pytest.raises(InputError, match="contexts: segment 2 has no line, but the page takes one at least for each"):
        file_text(str(tmp_path / "a.jsonl"), "usr", "contexts")
    (tmp_path / "a.jsonl").write_text('"a\\nb"\n', "utf-8")
    with pytest.raises(InputError, match=r"^a\.jsonl: segment 1 has several lines"):
        file_text(str(tmp_path / "a.jsonl"), "kept", "sources")


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """The page of the metric, which has no folder."""
    pytest.importorskip("gradio", reason="gradio is not installed: pip install 'metrologue[space]'")
    from metrologue.pages.gradio_page import build

    module = SimpleNamespace(description="Words that are kept. It is small.", metric="kept", config_name="metrologue")
    monkeypatch.setattr("metrologue.pages.gradio_page.load", lambda name: module)
    return build("kept", str(tmp_path / "app.py"))


def handlers_of(page: Any) -> dict[str, Callable[..., Any]]:
    return {getattr(each.fn, "__name__", ""): each.fn for each in page.fns.values()}


def test_a_page_has_a_box_and_an_upload_for_each(page: Any) -> None:
    import gradio

    found = [each for each in page.blocks.values() if isinstance(each, gradio.Textbox | gradio.File) and each.visible]
    texts = {each.label: (each.info, each.value) for each in found if isinstance(each, gradio.Textbox)}
    about, value = texts["Sources, one per line"]
    assert (about, value) == ("The text before it was shortened.", opening_inputs("kept")["sources"])
    remarks = "Remarks (optional), one per line; an empty line before those of the next prediction"
    assert texts[remarks] == ("What people said of it.", "")
    files = [each.label for each in found if isinstance(each, gradio.File)]
    assert files == ["Predictions", "References", "Sources", "Remarks (optional)"]
    boxes_of = {each._id for each in found if isinstance(each, gradio.Textbox) and each.info}
    for name in ("show", "explain"):
        [*targets] = [each.targets for each in page.fns.values() if getattr(each.fn, "__name__", "") == name]
        assert {(box, "change") for box in boxes_of} <= {target for each in targets for target in each}


def test_what_is_written_reaches_every_part(page: Any) -> None:
    handlers = handlers_of(page)
    shown = handlers["show"]("kept", "metrologue", PREDICTIONS, REFERENCES, 0, None, None, "lowercase", SOURCES, "")
    alone = show_texts("kept", "metrologue", PREDICTIONS, REFERENCES, 0, None, "lowercase", sources=SOURCES)
    assert shown == (alone.numbers, alone.words, *alone[2:])
    why = handlers["explain"]("kept", "metrologue", "lowercase", PREDICTIONS, REFERENCES, None, None, SOURCES, None)
    assert why == explain_texts("kept", "metrologue", "lowercase", PREDICTIONS, REFERENCES, sources=SOURCES)
    found = handlers["search"]("kept", "0.75", PREDICTIONS, REFERENCES, False, SOURCES, "")
    assert "--variant lowercase" in found
    typed = handlers["choose"]("kept", PREDICTIONS, REFERENCES, 0, None, SOURCES, REMARKS)
    assert [each["value"] for each in typed[7:9]] == [SOURCES, REMARKS]
    assert typed[-1] == alone.scores
    opened = handlers["restore"]("")
    assert [each["value"] for each in opened[9:11]] == [*opening_inputs("kept").values()]
    assert opened[-1]["kept"] > 0
    link = "?predictions=a&references=a&sources=a+b&remarks=x"
    linked = handlers["restore"](link)
    assert [each["value"] for each in linked[9:11]] == ["a b", "x"]
    assert linked[-1]["kept"] == 0.5


def test_the_page_of_a_test_has_the_boxes_of_the_metric(tmp_path: Path) -> None:
    gradio = pytest.importorskip("gradio", reason="gradio is not installed: pip install 'metrologue[space]'")
    from metrologue.pages.gradio_page import build_comparison

    handlers = handlers_of(build_comparison("paired_bootstrap", str(tmp_path / "app.py")))
    names = [*boxes(name for name in list_scorers() if get_scorer(name).input("references"))]
    given = ["the cat sat on the mat\na dog" if name == "sources" else "" for name in names]
    texts = "the Cat sat\na dog", "the cat sat\na dog", "the cat sat\na dog"
    assert handlers["compare"]("kept", *texts, *given)[-1]["difference"] == pytest.approx(1 / 8)
    assert handlers["compare"]("wer", *texts, *given)[-1]["difference"] != 0
    with pytest.raises(gradio.Error, match="`sources` are missing"):
        handlers["compare"]("kept", *texts, *[""] * len(names))
    chosen = dict(zip(names, handlers["choose"]("kept", texts[0], *[""] * len(names)), strict=True))
    assert {name for name, each in chosen.items() if each["visible"]} == {"sources", "remarks"}
    assert chosen["sources"]["value"].startswith("the Cat sat ")
    assert (
        dict(zip(names, handlers["choose"]("kept", texts[0], *given), strict=True))["sources"]["value"]
        == given[names.index("sources")]
    )


@pytest.mark.parametrize("metric", [name for name in list_scorers() if get_scorer(name).about.growth])
def test_texts_that_would_keep_a_page_busy_are_refused_before_anything_is_computed(
    metric: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind, variants = get_scorer(metric), [*get_scorer(metric).variants()]
    growth = kind.about.growth
    assert growth is not None
    inputs = dict.fromkeys(boxes([metric]), "")
    longest = ("a " if growth.unit == "words" else "a") * growth.longest
    require_short(kind, {"predictions": [longest], "references": ["b"]})
    long = f"{longest}a"

    def computed(*_: object, **__: object) -> None:
        raise AssertionError("it was computed")

    monkeypatch.setattr(Scorer, "corpus", computed)
    monkeypatch.setattr(Scorer, "statistics", computed)
    for first, second in ((f"a\n{long}", "a\na"), ("a\na", f"a\n{long}")):
        told = f"segment 2, with {growth.longest + 1:,} {growth.unit}: {kind.title} would keep"
        assert told in unescape(show_texts(metric, variants[0], first, second, **inputs).numbers)
        assert explain_texts(metric, variants[0], "another", first, second, **inputs) == ""
        assert opening_variants(metric, variants[0], first, second, **inputs) == (variants[0],) * 2
        assert told in unescape(which_texts(metric, "0.5", first, second, **inputs))
        assert "would keep" in which_texts("bleu", "0.5", first, second, every=True)
        with pytest.raises(InputError, match="segment 2"):
            compared_texts("bootstrap", metric, first, "a\na", second, **inputs)
        with pytest.raises(InputError, match="segment 2"):
            compared_texts("bootstrap", metric, "a\na", first, second, **inputs)


def test_a_page_has_the_numbers_of_texts_that_are_too_long_to_be_traced() -> None:
    text = "a b " * 4_000
    shown = show_texts("bleu", "evaluate", text, text)
    assert shown.scores["bleu"] == 1
    assert "These texts have 32,000 characters; a page traces 20,000" in shown.trace
    assert "<mark" not in shown.words
    assert "a page traces 20,000" not in show_texts("bleu", "evaluate", f"a b\n{text}", f"a b\n{text}").trace


def test_speakers_are_counted_too() -> None:
    """A page refuses a session whose speakers, each compared with each, would take all memory."""
    assert "takes 1,000 of them" in unescape(show_texts("cpwer", "meeteval", "a", "\n".join(["b"] * 12_000)).numbers)
    many = "\n\n".join("\n".join(["b"] * 400) for _ in range(7))
    assert "segment 7, with 401 texts" in unescape(show_texts("cpwer", "meeteval", "\n".join("a" * 7), many).numbers)
    assert show_texts("cpwer", "meeteval", "b", "\n".join(["b"] * 20)).scores["missed_speakers"] == 19


def test_a_search_of_any_metric_says_what_it_did_not_try(monkeypatch: pytest.MonkeyPatch) -> None:
    from metrologue.pages import page_parts

    monkeypatch.setattr(page_parts, "_SEARCH", 0.01)
    page = which_texts("rouge", "0.5", "the cat sat", "the cat ran", every=True)
    told = re.search(r"Not tried, for lack of time: (.*?)\. A search", page)
    assert told is not None
    assert {"bleu", "chrf", "ter"} <= {*told[1].split(", ")}
    assert "rouge" not in told[1].split(", ")
    assert "0.5:" in page


@pytest.mark.parametrize("number", ["9" * 5000, "9" * 18, "0", "-1", "1e400", "٣", "²", ""])
def test_a_number_in_a_link(number: str) -> None:
    pytest.importorskip("gradio", reason="gradio is not installed: pip install 'metrologue[space]'")
    from metrologue.pages.answers import Answers

    restored = Answers({"bleu": "sacrebleu"}, ()).restore(f"?metric=bleu&predictions=a&references=a&segment={number}")
    assert restored[1] == (10**15 if number == "9" * 18 else 1)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf"), 1e300, 10**400])
def test_a_number_that_no_box_sends(number: float) -> None:
    gradio = pytest.importorskip("gradio", reason="gradio is not installed: pip install 'metrologue[space]'")
    from metrologue.pages.guarded import _check

    with pytest.raises(gradio.Error, match="at most 15 digits"):
        _check(number)
    _check(3)
