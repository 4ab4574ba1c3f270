"""What a notebook and a terminal show of results: short text, and HTML that is whole and escaped."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser
from typing import Any

import pytest

import metrologue
from metrologue import Bleu, ConfusionMatrix
from metrologue.attribution import shown_share
from metrologue.inference import paired_test
from metrologue.inference.resampling import few_segments
from metrologue.scorers import WordErrorRate as Wer
from metrologue.segments import Segments
from metrologue.tracing.notebook import Markup, bar, block, note, table

PREDICTIONS = ["the cat, she sat down", "a dog ran"]
REFERENCES = ["the cat, she sat up", "a dog ran off"]


class Shown(HTMLParser):
    """The text of a fragment, and whether its elements are closed in order."""

    def __init__(self, fragment: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text: list[str] = []
        self.count = 0
        self.feed(fragment)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        assert tag in {"div", "table", "caption", "thead", "tbody", "tr", "th", "td", "span", "p"}
        self.open.append(tag)
        self.count += 1

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


CELLS = {
    "Result": 'metrologue.score("bleu", hyp, ref)',
    "Explanation": 'metrologue.explain("bleu:nltk", "bleu", hyp, ref)',
    "Trace": 'metrologue.trace("bleu", hyp[0], [ref[0]])',
    "Comparison": 'metrologue.compare({"a": hyp, "b": ref}, ref, libraries=[], variants=["nltk", "sacrebleu"])',
}


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    """What a notebook shows of each of the four: text by its type."""
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    start = f"import metrologue\nhyp, ref = {PREDICTIONS}, {REFERENCES}"
    cells = [nbformat.v4.new_code_cell(code) for code in (start, *CELLS.values())]
    folder = {"metadata": {"path": str(tmp_path_factory.mktemp("notebook"))}}
    notebook = nbformat.v4.new_notebook(cells=cells)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3", resources=folder).execute()
    shown: dict[str, dict[str, str]] = {}
    for kind, cell in zip(CELLS, notebook.cells[1:], strict=True):
        [result] = (output for output in cell.outputs if output.output_type == "execute_result")
        shown[kind] = dict(result.data)
    return shown


def test_a_notebook_shows_each_of_the_four(outputs: dict[str, dict[str, str]]) -> None:
    variables = {"metrologue": metrologue, "hyp": PREDICTIONS, "ref": REFERENCES}
    for kind, code in CELLS.items():
        expected = eval(code, variables)
        assert type(expected).__name__ == kind
        assert outputs[kind] == {"text/plain": repr(expected), "text/html": expected._repr_html_()}
        assert outputs[kind]["text/plain"].startswith(f"<{kind} ")
        assert "\n" not in outputs[kind]["text/plain"]


def test_result() -> None:
    result = Bleu().corpus(PREDICTIONS, REFERENCES)
    assert repr(result) == f"<Result bleu = {result.value:.4f}, one of {len(result.scores)} in .scores>"
    text = Shown(result._repr_html_()).text
    assert text[0] == f"bleu = {result.value:.4f}"
    assert {*result.scores} <= {*text}
    assert text[text.index("count_1") + 1] == "9"  # with the comma
    assert text[-1] == result.signature


def test_only_what_this_library_made_is_html() -> None:
    """Labels and names of systems come from files. Only a ``Markup`` is put into a page as it is."""
    label = "<span><img src=x onerror=alert(1)></span>"
    shown = ConfusionMatrix().corpus([label, "b"], ["b", label])._repr_html_()
    assert Shown(shown).text.count(label) == 2
    assert "<img" not in shown
    assert Shown(table(label, [label], [[label, bar(1, 1)]])).text == [label] * 3
    assert label in Shown(block(label, note(label))).text
    assert isinstance(bar(1, 1), Markup)
    for decayed in (bar(1, 1)[:-1], bar(1, 1) + "", f"{bar(1, 1)}", bar(1, 1).replace("x", "y")):
        assert not isinstance(decayed, Markup)


def test_explanation() -> None:
    gap = metrologue.explain("bleu:nltk", "bleu", PREDICTIONS, REFERENCES)
    a, b = gap.value_a, gap.value_b / 100  # on a scale of 1, as the shares are
    assert repr(gap).startswith(f"<Explanation from {a:.4f} to {b:.4f}: tokenizer +")
    assert "and 1 more" in repr(gap)
    text = Shown(gap._repr_html_()).text
    idle = [part.choice for part in gap.contributions if shown_share(part.share) == "0"]
    assert idle
    assert text[text.index(", ".join(idle)) + 1] == "no effect here"
    for part in gap.contributions:
        if part.choice not in idle:
            assert text[text.index(part.choice) + 1 : text.index(part.choice) + 3] == [part.a, part.b]
    assert repr(metrologue.explain("bleu", "bleu", PREDICTIONS, REFERENCES)).endswith(": nothing>")


def test_trace() -> None:
    trace = metrologue.trace("bleu", PREDICTIONS[0], [REFERENCES[0]])
    assert repr(trace) == f"<Trace of bleu = {trace.value:.4f}, shown by .text() and .html()>"
    shown = trace._repr_html_()
    assert shown.count("<style>") == 1  # a notebook may show this trace alone
    assert f'title="{trace.formula}"' in shown
    assert f"≈{trace.value:.6g}" in unescape(re.sub(r"<[^>]*>", "", shown))


def test_comparison() -> None:
    systems = {"<b>": PREDICTIONS, "b": REFERENCES}
    found = metrologue.compare(systems, REFERENCES, libraries=[], variants=["nltk", "sacrebleu", "evaluate"])
    assert repr(found) == "<Comparison of bleu: 6 numbers for 2 systems of 2 segments>"
    assert all(repr(gap).startswith("<Gap from") for gap in found.explanations)
    shown = Shown(found._repr_html_())
    assert "<b>" in shown.text
    row = shown.text.index("metrologue nltk")
    # Of a text that is its reference, all numbers are one.
    assert [shown.text[row + i] for i in (2, 4)] == ["a", "a"]
    assert sum(gap.variant_a in "".join(shown.text) for gap in found.explanations) == len(found.explanations)


def test_what_is_no_number_is_told() -> None:
    found = metrologue.compare({"a": PREDICTIONS}, REFERENCES, libraries=[], variants=["nltk"])
    absent = replace(found.numbers[0], value=None, missing="fails <here>")
    assert "metrologue nltk: fails <here>" in Shown(replace(found, numbers=[absent], groups=[])._repr_html_()).text


@pytest.mark.parametrize(
    ("value", "left", "width"), [(1, "50.0%", "50.0%"), (-0.5, "25.0%", "25.0%"), (0, "50.0%", "0.0%")]
)
def test_a_bar_begins_in_the_middle(value: float, left: str, width: str) -> None:
    assert f"left:{left};width:{width}" in bar(value, 1)
    assert "width:0.0%" in bar(0, 0)


def test_a_result_with_intervals_shows_them() -> None:
    result = Bleu().corpus(["a b c d", "e f g h", "i j k l"], ["a b c d", "e f g x", "i j k l"], confidence=0.9)
    assert result.interval is not None
    assert str(result.interval) in repr(result)
    text = Shown(result._repr_html_()).text
    assert "0.9 interval" in text
    place = text.index("precision_1")
    assert text[place + 2] == str(result.intervals["precision_1"])
    assert text[-3:] == [result.signature, result.interval.signature, few_segments(3)]
    assert "interval" not in Bleu().corpus(PREDICTIONS, REFERENCES)._repr_html_()


@pytest.mark.parametrize(("method", "correction"), [("bootstrap", None), ("randomization", "holm")])
def test_paired_results_are_a_table_and_lines(method: str, correction: str | None) -> None:
    first = Segments(["a b", "c d", "e f"] * 4, ["a b", "c x", "e x"] * 4)
    systems = {"first": first, "<2>": first.with_predictions(["a x", "c d", "y f"] * 4), "third": first}
    found = paired_test(Wer(), "first", systems, method=method, resamples=200, correction=correction)
    assert isinstance(found, list)
    one, other = found
    interval = f" {one.difference_interval}" if one.difference_interval else ""
    after = f" ({one.corrected_p_value:.4f} after holm)" if correction else ""
    line = f"<2> − first = {one.difference:+.4f}{interval}, p = {one.p_value:.4f}{after}"
    assert str(one) == line
    assert repr(one) == f"<PairedResult {line}>"
    assert str(found) == f"{line}\n{other}"
    text = Shown(found._repr_html_()).text
    assert text[0] == "Compared with first"
    assert {"<2>", "third", "baseline", f"{one.difference:+.4f}", f"{one.p_value:.4f}{after}"} <= {*text}
    assert text[-2:] == [one.signature, few_segments(12)] if method == "bootstrap" else text[-1] == one.signature
    assert Shown(one._repr_html_()).text[0] == "Compared with first"
    assert "third" not in one._repr_html_()
    assert "no paired results" in type(found)()._repr_html_()
