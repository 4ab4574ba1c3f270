"""The report holds every number that it is given, loads nothing, and is well-formed for any text."""

import re
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from metrologue import trace
from metrologue.comparison.documents import VERDICTS, CaseResult, Figure, VariantCall, load_cases, run_cases
from metrologue.comparison.findings import Comparison
from metrologue.comparison.harness import compare
from metrologue.comparison.plots import Step, waterfall
from metrologue.comparison.report import VERDICT_MARKS, document_traces, render, write
from metrologue.scorers import get_scorer

pytest.importorskip("matplotlib", reason="matplotlib draws the report's plots: pip install 'metrologue[compare]'")

# 13a does not see that the first system's output is left tokenized; a tokenizer that splits at blanks sees little else.
REFERENCES = [["the cat sat on the mat, quietly.", "one cat was on the mat."], ["it is a very small dog."]]
SYSTEMS = {
    "tokenized": ["the cat sat on the mat , quietly .", "it is a very small dog ."],
    "<b>plain</b> & $x$ 猫": ["a cat sat on the mat, quietly.", "it is a very old dog."],
}
VOID = {"meta", "br", "link", "img", "input", "hr"}


class Page(HTMLParser):
    """The page's elements, in order; fails where tags are not balanced."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.styles: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert not self._open

    def handle_startendtag(self, tag, attrs) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_starttag(self, tag, attrs) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data) -> None:
        (self.styles if "style" in self._open else self.words).append(data)

    def find(self, *tags: str) -> list[dict[str, str | None]]:
        return [attributes for tag, attributes in self.elements if tag in tags]

    @property
    def text(self) -> str:
        return " ".join("".join(self.words).split())


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    found = compare(SYSTEMS, REFERENCES, libraries=["nltk", "sacrebleu"])
    lost = [replace(n, value=None, missing="<not> here; pip install it") if n.label.startswith("nltk") else n
            for n in found.numbers]  # fmt: skip
    return replace(found, numbers=lost)


@pytest.fixture(scope="module")
def cases() -> list[CaseResult]:
    chosen = ("bleu-identity", "bleu-clip", "bleu2-c4", "bleu-pycoco-c1", "bleu-latex-chars", "bleu-reference-count")
    return run_cases(case for case in load_cases() if case.id in chosen)


@pytest.fixture(scope="module")
def page(comparison: Comparison, cases: list[CaseResult]) -> str:
    return render(comparison, cases, document_traces(cases), command="metrologue report --out <file>")


@pytest.fixture(scope="module")
def parsed(page: str) -> Page:
    return Page(page)


def test_every_number_is_in_the_table(comparison: Comparison, parsed: Page) -> None:
    for number in comparison.numbers:
        assert number.name in parsed.text
        if number.value is not None:
            assert f"{number.value:#.6g}" in parsed.text
            assert f"{100 * number.share:.2f}" in parsed.text
    rows = [words.strip() for words in parsed.words]
    for name in {number.name for number in comparison.numbers}:
        assert rows.count(name) >= len(SYSTEMS)


def test_what_is_missing_says_how_to_get_it(parsed: Page) -> None:
    assert "<not> here; pip install it" in parsed.text
    assert parsed.text.count("not run") == len(SYSTEMS)


def test_the_headline_is_the_widest_spread(comparison: Comparison, parsed: Page) -> None:
    def spread(system: str) -> tuple[float, float]:
        shares = [100 * n.share for n in comparison.numbers if n.system == system and n.value is not None]
        return min(shares), max(shares)

    low, high = max(map(spread, SYSTEMS), key=lambda ends: ends[1] - ends[0])
    assert high - low > 1
    lead = parsed.text.split("The numbers")[0]
    assert f"{low:.1f}" in lead
    assert f"{high:.1f}" in lead
    assert f"{high - low:.1f} points" in lead


def test_numbers_that_agree_are_no_headline() -> None:
    lead = render(compare({"same": ["a b c d e"]}, ["a b c d e"], libraries=["nltk"])).split("<main>")[0]
    assert "agree" in lead
    assert "a gap of" not in lead


def test_every_explanation_has_a_plot_with_its_contributions(comparison: Comparison, parsed: Page) -> None:
    labels = [str(svg["aria-label"]) for svg in parsed.find("svg")]
    assert len(labels) == 1 + len(comparison.explanations)
    assert len(comparison.explanations) > 1
    for gap, label in zip(comparison.explanations, labels[1:], strict=True):
        assert gap.system in label
        largest = gap.contributions[0]
        assert f"{largest.choice}: " in label
        assert f"{100 * largest.share:+.3g}" in label
    for label in labels:
        assert not re.search(r"\bnan\b", label)


def test_flips_are_marked(comparison: Comparison, parsed: Page) -> None:
    assert comparison.flips, "the sample text is made to flip"
    flipped = [cell for cell in parsed.find("td") if "flip" in str(cell.get("class"))]
    assert flipped
    assert parsed.text.count("⇅") == len(flipped) + 1
    calm = render(replace(comparison, orders=comparison.orders[:1], flips=[]))
    assert "⇅" not in calm


def test_every_figure_has_its_verdict(cases: list[CaseResult], parsed: Page) -> None:
    classes = Counter(str(cell["class"]) for cell in parsed.find("td") if "verdict" in str(cell.get("class")))
    expected = Counter(figure.verdict for case in cases for figure in case.figures)
    assert classes == {f"verdict verdict-{verdict}": count for verdict, count in expected.items()}
    assert len(expected) > 2
    for case in cases:
        assert case.case.id in parsed.text
        for figure in case.figures:
            assert f"{figure.published:.8g}" in parsed.text
            assert figure.note in parsed.text
    assert VERDICT_MARKS.keys() == VERDICTS.keys()


def test_traces_of_the_documents_are_collapsed(cases: list[CaseResult], parsed: Page) -> None:
    traces = document_traces(cases)
    assert len([fold for fold in parsed.find("details") if "class" not in fold]) == len(traces) > 1
    assert not any("open" in attributes for attributes in parsed.find("details"))
    for heading, found in traces.items():
        assert heading in parsed.text
        assert " ".join(found.formula.split()) in parsed.text
    assert len(parsed.find("style")) == 1, "the traces share the page's stylesheet"
    assert "::details-content" in parsed.styles[0], "and are printed open"


def test_equal_traces_are_shown_once(cases: list[CaseResult]) -> None:
    clip = next(case for case in cases if case.case.id == "bleu-clip")
    again = replace(clip, case=replace(clip.case, id="again"))
    assert list(document_traces([clip, again])) == ["bleu-clip, again"]


def test_the_page_loads_nothing(page: str, parsed: Page) -> None:
    assert not parsed.find("script", "link", "img", "iframe", "object", "embed", "base")
    for _, attributes in parsed.elements:
        for name, value in attributes.items():
            if name in {"src", "href", "xlink:href", "srcset", "data", "action"}:
                assert str(value).startswith("#")
    assert not re.search(r"@import|url\((?!#)", page)


def test_ids_are_unique_and_found(parsed: Page) -> None:
    ids = [attributes["id"] for _, attributes in parsed.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    links = {str(use["xlink:href"]) for use in parsed.find("use")}
    clips = set(re.findall(r"url\((#[^)]+)\)", str([attributes for _, attributes in parsed.elements])))
    labels = {f"#{section['aria-labelledby']}" for section in parsed.find("section")}
    assert links
    assert links | clips | labels <= {f"#{name}" for name in ids}


def test_plots_and_tables_are_accessible(parsed: Page) -> None:
    assert all(svg["role"] == "img" and svg["aria-label"] for svg in parsed.find("svg"))
    assert all(cell.get("scope") for cell in parsed.find("th"))
    regions = [box for box in parsed.find("div") if box.get("role") == "region"]
    assert len(regions) == len(parsed.find("table"))
    assert all(box["aria-label"] and box["tabindex"] == "0" for box in regions)
    assert parsed.find("html") == [{"lang": "en"}]
    assert len(parsed.find("h1")) == 1


def test_plots_follow_the_pages_colours(page: str) -> None:
    plots = "".join(re.findall(r"<svg.*?</svg>", page, flags=re.DOTALL))
    assert "var(--ink)" in page
    assert "var(--up)" in plots
    assert set(re.findall(r"#[0-9a-f]{6}\b", re.sub(r'="#\w+"|\(#\w+\)', "", plots))) <= {"#ffffff"}
    assert "<style" not in plots


def test_texts_are_escaped(page: str, parsed: Page) -> None:
    assert "<b>plain" not in page
    assert not parsed.find("b")
    assert "<b>plain</b> & $x$ 猫" in parsed.text
    assert "metrologue report --out <file>" in parsed.text


def test_the_footer_has_versions_and_signatures(comparison: Comparison, parsed: Page) -> None:
    footer = parsed.text.split("Made by")[1]
    for number in comparison.numbers:
        assert number.signature is None or number.signature in footer
    assert "sacrebleu 2." in footer


@pytest.fixture(scope="module")
def rouge() -> CaseResult:
    """A case of another metric."""
    case = next(case for case in load_cases() if case.id == "bleu-clip")
    figures = tuple(
        Figure(name=name, quantity=(f"rouge1_{name}",), published=published)
        for name, published in (("precision", 2 / 7), ("recall", 1 / 3))
    )
    variant = VariantCall(name="rouge_score", overrides={}, trace=False)
    case = replace(
        case, id="rouge-clip", metric="rouge", library=None, variant=variant, definition=True, figures=figures
    )
    [result] = run_cases([case])
    return result


def test_cases_of_two_metrics(cases: list[CaseResult], rouge: CaseResult) -> None:
    both = [*cases, rouge]
    traces = document_traces(both)
    parsed = Page(render(cases=both, traces=traces))
    title = rouge.case.document.title
    assert f"BLEU: {title}" in parsed.text
    assert f"ROUGE: {title}" in parsed.text
    assert [figure.verdict for figure in rouge.figures] == ["definition", "definition"]
    assert traces["rouge-clip"].formula.startswith("rougeL_fmeasure = ")
    assert " ".join(traces["rouge-clip"].formula.split()) in parsed.text
    assert f"BLEU: {title}" not in Page(render(cases=cases)).text


def test_a_case_that_our_scorer_refuses_has_no_trace(rouge: CaseResult) -> None:
    variant = replace(rouge.case.variant, name="rouge")
    case = replace(rouge.case, predictions=("",), variant=variant)
    figures = tuple(replace(figure, variant=None) for figure in rouge.figures)
    assert document_traces([replace(rouge, case=case, figures=figures)]) == {}


def test_a_comparison_of_rouge() -> None:
    found = compare(SYSTEMS, REFERENCES, metric="rouge", libraries=[])
    parsed = Page(render(found))
    assert "How far apart is “ROUGE” from “ROUGE”?" in parsed.text
    assert "The number is rougeL_fmeasure." in parsed.text
    assert len(parsed.find("svg")) == 1 + len(found.explanations) > 2
    for number in found.numbers:
        assert f"{number.value:#.6g}" in parsed.text


def test_a_distance_is_shown_as_it_is() -> None:
    """Neighbours that change places are two edits to one variant and one to another; nowhere is it 200 points."""
    found = compare({"only": ["acbde", "abcd"]}, ["abcde", "wxyz"], metric="edit_distance", libraries=["rapidfuzz"])
    assert {n.value for n in found.numbers if n.value is not None} == {3.0, 2.5}
    page = render(found)
    parsed = Page(page)
    lead = parsed.text.split("The numbers")[0]
    assert re.search(r"gives 2\.5, .* 3\.0 ?\. That is a gap of 0\.5 that", lead)
    assert "points" not in page.split("</style>")[1]
    assert "3.00000" in parsed.text
    rows = [cell for cell in parsed.find("th") if cell.get("colspan")]
    assert {cell["colspan"] for cell in rows} == {"1"}
    spread, *bars = (str(svg["aria-label"]) for svg in parsed.find("svg"))
    assert "in edit_distance: only 2.50 (" in spread
    assert ["-0.5" in label or "+0.5" in label for label in bars] == [True]
    assert re.search(r"From \S+ to \S+: \+0\.5\. ", parsed.text)


def test_a_rate_above_1_is_in_points() -> None:
    parsed = Page(render(compare({"only": ["a b c d"]}, ["a x"], metric="wer", libraries=[])))
    assert "150.00" in parsed.text
    assert "The number is" not in parsed.text


@pytest.mark.parametrize(("metric", "title"), [("chrf", "chrF"), ("wer", "WER"), ("edit_distance", "edit distance")])
def test_metrics_are_called_as_people_write_them(metric: str, title: str) -> None:
    found = compare({"only": ["a b c"]}, ["a b d"], metric=metric, libraries=[])
    assert f"How far apart is “{title}” from “{title}”?" in render(found)


def test_traces_of_all_kinds_share_a_page() -> None:
    scorers = [get_scorer(name)() for name in ("bleu", "rouge", "wer", "edit_distance", "ter", "chrf")]
    exact = get_scorer("meteor")(tokenizer="whitespace", stages=("exact",), weights=(1.0,), function_words=None)
    traces = {scorer.name: trace(scorer, "a <b> c", ["a c <b>", "x"]) for scorer in (*scorers, exact)}
    parsed = Page(render(traces=traces))
    assert not parsed.find("b")
    for found in traces.values():
        assert " ".join(found.formula.split()) in parsed.text
    assert all(svg["role"] == "img" and svg["aria-label"] for svg in parsed.find("svg"))
    assert len(parsed.find("svg")) == 2, "a picture for each reference"
    assert len(parsed.find("style")) == 1


def test_bleu_needs_no_name_of_its_number(parsed: Page) -> None:
    assert "The number is" not in parsed.text


def test_sections_without_data_are_left_out(cases: list[CaseResult]) -> None:
    headings = re.findall(r"<h2[^>]*>([^<]*)", render(cases=cases))
    assert headings == ["The documents' figures"]
    assert "<h2" not in render()
    Page(render())


def test_one_system_needs_no_ranking(comparison: Comparison) -> None:
    found = compare({"only": ["a b c d e, f"]}, ["a b c d e , f"], libraries=[])
    parsed = Page(render(found))
    assert "Which system wins" not in parsed.text
    assert parsed.find("svg")


def test_equal_input_gives_an_equal_page(comparison: Comparison, page: str, cases: list[CaseResult]) -> None:
    assert render(comparison, cases, document_traces(cases), command="metrologue report --out <file>") == page


def test_a_waterfall_draws_long_names_whole() -> None:
    long = "smoothing: " + " ".join(["smoothing=exp,"] * 8)
    plot = waterfall(("a", 10.0), [Step(label=long, size=2.0)], ("b", 12.0), 2.0, "points", "a plot")
    words = " ".join(re.findall(r"<text[^>]*>([^<]*)</text>", plot) + re.findall(r"<tspan[^>]*>([^<]*)</tspan>", plot))
    assert words.count("smoothing=exp,") == 8


def test_write_makes_the_folder(tmp_path: Path) -> None:
    path = tmp_path / "new" / "report.html"
    write(path, "<p>é</p>")
    assert path.read_bytes() == "<p>é</p>".encode()
