"""The report holds every number that it is given, loads nothing, and is well-formed for any text."""

import re
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from metrologue.comparison.documents import VERDICTS, CaseResult, Figure, VariantCall, load_cases, run_cases
from metrologue.comparison.harness import compare, compare_metrics
from metrologue.comparison.report.page import VERDICT_MARKS, real_text, render, write
from metrologue.comparison.report.parts import Pair, best_systems, spread_plot
from metrologue.comparison.report.traces import TraceBook, absences
from metrologue.comparison.showing.plots import Step, waterfall
from metrologue.comparison.showing.results import Comparison
from metrologue.comparison.showing.sentences import headline, leads, people_sentence, sampling_note, shown_p
from metrologue.comparison.showing.verdict import verdict
from metrologue.files.parts import read_segments
from metrologue.scorers import Bleu

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
        self.scripts: list[str] = []
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
        where = self.styles if "style" in self._open else self.scripts if "script" in self._open else self.words
        where.append(data)

    def find(self, *tags: str) -> list[dict[str, str | None]]:
        return [attributes for tag, attributes in self.elements if tag in tags]

    @property
    def text(self) -> str:
        return " ".join("".join(self.words).split())


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    found = compare(SYSTEMS, REFERENCES, libraries=["nltk", "sacrebleu"])
    lost = [
        replace(n, value=None, missing="<not> here; pip install it") if n.label.startswith("nltk") else n
        for n in found.numbers
    ]
    return replace(found, numbers=lost)


@pytest.fixture(scope="module")
def cases() -> list[CaseResult]:
    chosen = ("bleu-identity", "bleu-clip", "bleu2-c4", "bleu-pycoco-c1", "bleu-latex-chars", "bleu-reference-count")
    return run_cases(case for case in load_cases() if case.id in chosen)


@pytest.fixture(scope="module")
def page(comparison: Comparison, cases: list[CaseResult]) -> str:
    return render(comparison, cases, command="metrologue report --out <file>")


@pytest.fixture(scope="module")
def parsed(page: str) -> Page:
    return Page(page)


def test_every_number_is_in_the_table(comparison: Comparison, parsed: Page) -> None:
    titles = " ".join(str(cell.get("title")) for cell in parsed.find("td"))
    for number in comparison.numbers:
        assert number.name in parsed.text
        if number.value is not None:
            assert f"{number.label}: {number.value!r}" in titles
            assert f"{100 * number.share:.2f}" in parsed.text
    assert "0–100" in parsed.text
    assert "0–1 " in parsed.text


def test_the_table_has_the_scorers_numbers_and_ranks(comparison: Comparison, parsed: Page) -> None:
    cells = [cell for cell in parsed.find("td") if "data-column" in cell]
    assert len(cells) == len(SYSTEMS) * len(comparison.columns)
    titles = {str(cell["title"]) for cell in cells}
    for name, variant in Bleu.variants().items():
        if variant.is_apart:
            continue
        scorer = Bleu.variant(name)
        values = {system: scorer.corpus(texts, REFERENCES).value for system, texts in SYSTEMS.items()}
        for value in values.values():
            assert any(f"metrologue {name}: {value!r}" in title for title in titles)
            rank = 1 + sum(other > value for other in values.values())
            assert re.search(rf"{100 * value / scorer.scale:.2f} \({rank}\)", parsed.text)


def test_what_is_missing_is_at_the_end_and_says_how_to_get_it(comparison: Comparison, parsed: Page) -> None:
    end = parsed.text.rsplit("What could not be run, and how to get it", 1)[1]
    assert "<not> here; pip install it" in end
    assert "nltk" in end.split("Made by")[0]
    sections = [section["aria-labelledby"] for section in parsed.find("section")]
    assert sections[-1] == "missing"
    calm = replace(comparison, numbers=[n for n in comparison.numbers if not n.missing])
    assert "could not be run" not in Page(render(calm)).text


def test_absences_are_grouped_by_their_reason(comparison: Comparison) -> None:
    [only] = absences([comparison])
    assert only.reason == "<not> here; pip install it"
    one = next(n for n in comparison.numbers if n.missing)
    single = replace(
        one, missing="raises LibraryError: x: takes one reference per segment; segment 1, counted from 1, has 2"
    )
    [reason] = [each.reason for each in absences([replace(comparison, numbers=[single, replace(single, name="y")])])]
    assert reason.endswith("give -r only once")


def test_the_headline_is_the_widest_spread(comparison: Comparison, parsed: Page) -> None:
    def spread(system: str) -> tuple[float, float]:
        shares = [100 * n.share for n in comparison.numbers if n.system == system and n.value is not None]
        return min(shares), max(shares)

    low, high = max(map(spread, SYSTEMS), key=lambda ends: ends[1] - ends[0])
    assert high - low > 1
    lead = parsed.text.split("On this page")[0]
    assert f"{low:.1f}" in lead
    assert f"{high:.1f}" in lead
    assert f"{high - low:.1f} points" in lead


def test_numbers_that_agree_are_no_headline() -> None:
    parsed = Page(render(compare({"same": ["a b c d e"]}, ["a b c d e"], libraries=["nltk"])))
    assert "All libraries give the same number for this segment." in parsed.text
    assert "apart." not in parsed.text
    assert not parsed.find("dl")


def test_one_pair_is_in_headline_plot_and_heavy_segments(sample: Comparison) -> None:
    pair, gap = Pair.of(sample), sample.widest
    assert (pair.low.name, pair.high.name) == (gap.variant_a, gap.variant_b)
    assert {(heavy.variant_a, heavy.variant_b, heavy.system) for heavy in sample.heaviest} == {
        (gap.variant_a, gap.variant_b, gap.system)
    }
    assert {(cause.variant_a, cause.variant_b) for cause in sample.causes} == {(gap.variant_a, gap.variant_b)}
    parsed = Page(render(sample))
    [waterfall_plot] = [svg for svg in parsed.find("svg") if f"from {gap.variant_a} at" in str(svg["aria-label"])]
    assert f"to {gap.variant_b} at {pair.most:.4g}" in str(waterfall_plot["aria-label"])
    assert f"From {gap.variant_a} to {gap.variant_b}:" in parsed.text
    shown = [share for _, share in pair.causes]
    assert sum(shown) == pytest.approx(pair.gap, rel=0.01)
    assert sum(part.share for part in gap.contributions) == pytest.approx(gap.gap)


def test_small_causes_are_folded(sample: Comparison) -> None:
    """A cause that the headline would show as +0.0 stands under the fold."""
    tiny = replace(sample.causes[0], choice="tiny", share=1e-5)
    pair = Pair.of(replace(sample, causes=[*sample.causes, tiny]))
    main, smaller = pair.told
    assert [cause.choice for cause in smaller] == ["tiny"]
    assert [cause.choice for cause in main] == [cause.choice for cause in sample.causes]


def test_the_bars_are_as_long_as_their_numbers(sample: Comparison) -> None:
    pair = Pair.of(sample)
    widths = re.findall(r'class="bar" style="width: ([\d.]+)%"', render(sample, built=True).split('class="orders"')[0])
    assert widths == [f"{pair.most:.2f}", f"{pair.least:.2f}"]


def test_precision_by_order_is_drawn_for_each_system(sample: Comparison) -> None:
    """As the pair's two variants count: the numbers are those of the scorers."""
    table = Page(render(sample)).text.partition("By order of n-grams N-gram precision")[2]
    for name in (sample.widest.variant_a, sample.widest.variant_b):
        for system in sample.systems:
            [number] = [n for n in sample.numbers if n.kind == "variant" and (n.name, n.system) == (name, system)]
            assert len(number.by_order) == 4
            shown = "".join(f"{100 * value:.1f}" for value in number.by_order)
            assert f"{system}{shown}" in table.partition(f"as {name} counts")[2]


def test_every_explanation_has_a_plot_or_a_table_with_its_contributions(comparison: Comparison, parsed: Page) -> None:
    labels = [str(svg["aria-label"]) for svg in parsed.find("svg")]
    assert comparison.explanations
    assert len(labels) > 1
    for gap in comparison.explanations:
        largest = gap.contributions[0]
        drawn = [label for label in labels if f"{gap.system}, from {gap.variant_a} " in label]
        assert f"{largest.choice}: " in (drawn[0] if drawn else parsed.text)
        assert f"{100 * largest.share:+.3g}".replace("-", "−") in (drawn[0].replace("-", "−") if drawn else parsed.text)
    for label in labels:
        assert not re.search(r"\bnan\b", label)


def test_flips_are_told(comparison: Comparison, parsed: Page) -> None:
    assert comparison.flips, "the sample text is made to flip"
    assert "The choice of library changes which system has the best number" in parsed.text
    best = best_systems(comparison)
    assert len(best) == 2
    assert sum(each.columns for each in best) == len(comparison.columns)
    same = dict.fromkeys(SYSTEMS, SYSTEMS["tokenized"])
    assert "changes which system" not in Page(render(compare(same, REFERENCES, libraries=[]))).text


def test_cases_that_score_no_text_are_on_the_page() -> None:
    chosen = {
        "shapley-3": "Shapley",
        "wmd-obama": "Kusner",
        "corr-usr": "docs/correlation.md",
        "quoted-fined": "Zhang",
    }
    results = run_cases(case for case in load_cases() if case.id in chosen)
    page = Page(render(cases=results))
    assert len(results) == len(chosen)
    assert all(words in page.text for words in chosen.values())


def test_every_figure_has_its_verdict(cases: list[CaseResult], parsed: Page) -> None:
    classes = Counter(str(cell["class"]) for cell in parsed.find("td") if "verdict" in str(cell.get("class")))
    expected = Counter(figure.verdict for case in cases for figure in case.figures)
    assert classes == {f"verdict verdict-{verdict}": count for verdict, count in expected.items()}
    assert len(expected) > 2
    for case in cases:
        assert case.case.section in parsed.text
        assert case.case.call in parsed.text
        for figure in case.figures:
            assert f"{figure.published:.8g}" in parsed.text
            assert figure.note in parsed.text
    assert VERDICT_MARKS.keys() == VERDICTS.keys()


def test_every_figure_links_to_its_trace(cases: list[CaseResult], parsed: Page) -> None:
    book = TraceBook()
    anchors = {case.case.id: book.of_case(case) for case in cases}
    labels = [str(link["aria-label"]) for link in parsed.find("a") if "trace" in str(link.get("aria-label"))]
    computed = [(case, figure) for case in cases for figure in case.figures if figure.variant is not None]
    assert len(computed) > 5
    for case, figure in computed:
        assert anchors[case.case.id]
        assert f"trace of {figure.name}, {case.case.call}" in labels
    quoted = [case for case in cases if all(figure.variant is None for figure in case.figures)]
    assert quoted
    assert not any(anchors[case.case.id] for case in quoted)


def test_the_heaviest_segments_have_traces_under_the_pair(comparison: Comparison, parsed: Page) -> None:
    heavy = comparison.heaviest[0]
    assert heavy.weight == max(each.weight for each in comparison.heaviest)
    labels = " ".join(str(link.get("aria-label")) for link in parsed.find("a"))
    for name in (heavy.variant_a, heavy.variant_b):
        assert f"trace of segment {heavy.segment + 1} as {name}, bleu" in labels
        assert f"Segment {heavy.segment + 1} as {name} reads it" in parsed.text


def test_traces_are_collapsed(cases: list[CaseResult], parsed: Page) -> None:
    folds = [fold for fold in parsed.find("details") if "id" in fold]
    assert len(folds) > len(cases) / 2
    assert not any("open" in attributes for attributes in parsed.find("details"))
    book = TraceBook()
    for case in cases:
        book.of_case(case)
    typeset = {str(each["title"]) for each in parsed.find("div") if "trace-formula" in str(each.get("class"))}
    for _, heading, found in book:
        assert heading in parsed.text
        assert found.formula in typeset
    assert len(parsed.find("style")) == 1, "the traces share the page's stylesheet"


def test_a_case_without_references() -> None:
    """A text of probabilities is compared with nothing, and its figures have a trace nevertheless."""
    (result,) = run_cases(case for case in load_cases() if case.id == "lm-forms-example")
    (anchor,) = TraceBook().of_case(result)
    page = render(None, [result])
    assert f'id="{anchor}"' in page
    assert "<q>0.03125 0.03125 0.03125</q></span>" in page


def test_equal_traces_are_shown_once(cases: list[CaseResult]) -> None:
    clip = next(case for case in cases if case.case.id == "bleu-clip")
    book = TraceBook()
    first, again = book.of_case(clip), book.of_case(replace(clip, case=replace(clip.case, id="again")))
    assert first == again == ["trace-1"]
    assert len(book) == 1


def test_no_id_of_a_case_is_a_heading(cases: list[CaseResult], page: str) -> None:
    headings = re.findall(r"<(?:h\d|summary|strong|th)\b[^>]*>(.*?)</", page, flags=re.DOTALL)
    assert len(headings) > 20
    for case in cases:
        assert not [heading for heading in headings if heading.strip() == case.case.id]


def test_whose_documents_the_figures_are_from(cases: list[CaseResult], parsed: Page) -> None:
    quotes = [quote for quote in parsed.find("q") if quote.get("lang")]
    assert len(quotes) == len(cases)
    for case in cases:
        assert case.case.document.title in parsed.text
        for text in case.case.predictions:
            assert " ".join(text.split())[:60] in parsed.text


def test_the_contents_list_every_section(comparison: Comparison, parsed: Page) -> None:
    links = {str(link["href"]) for link in parsed.find("a")}
    sections = {f"#{section['aria-labelledby']}" for section in parsed.find("section")}
    assert sections == {"#apart", "#bleu", "#documents", "#missing"} <= links


def test_the_script_asks_nobody(parsed: Page) -> None:
    assert "fetch" not in "".join(parsed.scripts)
    assert "http" not in "".join(parsed.scripts)


def test_two_documents_never_share_a_title() -> None:
    """The cases of a document may be in several files."""
    known = {case.document for case in load_cases()}
    assert len({document.title for document in known}) == len(known)
    assert len({document.code for document in known}) == len(known)
    chosen = [case for case in load_cases() if case.document.code == "LM"]
    results = [CaseResult(case=case, figures=(), version=None, missing=None, signature=None) for case in chosen]
    headings = re.findall(r"<summary><h3>(.*?)</h3>", render(cases=results))
    assert headings == ["Polish lecture on language models"]


def test_causes_are_sentences_with_an_example(comparison: Comparison, parsed: Page) -> None:
    assert comparison.causes
    for cause in comparison.causes:
        assert cause.sentence.endswith(".")
        assert " ".join("".join(text for text, _ in cause.pieces).split()) in parsed.text
    [tokenizer, *_] = [cause for cause in comparison.causes if cause.choice == "tokenizer"]
    assert "never match" in tokenizer.sentence


def test_a_built_sample_is_called_invented_once_and_real_figures_are_quoted(sample: Comparison) -> None:
    page = render(sample, built=True)
    parsed = Page(page)
    lead, real = parsed.text.split("On this page")[0], real_text()
    assert "amber, birch and cedar are invented." in lead
    assert parsed.text.count("invented") == 1
    assert f"{real['high'] - real['low']:.1f} points of BLEU, between {real['low']:.1f} by {real['low_label']}" in lead
    assert str(real["date"]) in lead
    assert real["command"] in lead
    assert "metrologue compare -p" in lead
    assert "invented" not in render(sample)


def test_shares_that_are_rounding_errors_are_not_shown(comparison: Comparison) -> None:
    gap = comparison.explanations[0]
    tiny = replace(gap, gap=1e-13, contributions=tuple(replace(p, share=1e-13) for p in gap.contributions))
    parsed = Page(render(replace(comparison, explanations=[tiny], causes=[])))
    assert not [svg for svg in parsed.find("svg") if "e-1" in str(svg["aria-label"])]
    assert "e-1" not in parsed.text.replace("pycocoevalcap", "").split("Signatures")[0].split("What matched")[0]


def test_the_page_loads_nothing(page: str, parsed: Page) -> None:
    assert [script for script in parsed.find("script") if script] == [], "one script, and it is inside"
    assert not parsed.find("link", "img", "iframe", "object", "embed", "base")
    for _, attributes in parsed.elements:
        for name, value in attributes.items():
            if name in {"src", "href", "xlink:href", "srcset", "data", "action"}:
                assert str(value).startswith("#")
    assert not re.search(r"@import|url\((?!#)", page)


def test_ids_are_unique_and_found(parsed: Page) -> None:
    ids = [attributes["id"] for _, attributes in parsed.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    labels = {f"#{section['aria-labelledby']}" for section in parsed.find("section")}
    anchors = {str(link["href"]) for link in parsed.find("a")}
    assert len(anchors) > 8
    assert labels | anchors <= {f"#{name}" for name in ids}


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
    parsed = Page(render(cases=[*cases, rouge]))
    assert [figure.verdict for figure in rouge.figures] == ["definition", "definition"]
    assert f"ROUGE , “{rouge.case.section}”" in parsed.text or f"ROUGE, {rouge.case.section}" in parsed.text
    book = TraceBook()
    book.of_case(rouge)
    [(_, _, found)] = book
    assert found.formula.startswith("rougeL_fmeasure = ")
    assert found.formula in {str(each.get("title")) for each in parsed.find("div")}


def test_a_case_that_our_scorer_refuses_has_no_trace(rouge: CaseResult) -> None:
    variant = replace(rouge.case.variant, name="rouge")
    case = replace(rouge.case, predictions=("",), variant=variant)
    figures = tuple(replace(figure, variant=None) for figure in rouge.figures)
    assert TraceBook().of_case(replace(rouge, case=case, figures=figures)) == []


def test_a_comparison_of_rouge() -> None:
    found = compare(SYSTEMS, REFERENCES, metric="rouge", libraries=[])
    parsed = Page(render(found))
    assert "Which of 2 systems is best?" in parsed.text
    assert "The number is rougeL_fmeasure ." in parsed.text.replace("fmeasure.", "fmeasure .")
    assert len(parsed.find("svg")) == 2
    first = parsed.text.partition("On this page")[0]
    assert "ROUGErougeL F, rouge-1.5.5" in first.replace(" ", "").replace("rougeLF,", "rougeL F, ")
    lone = Page(render(replace(found, systems=found.systems[:1], winners={}, apart=[]))).text
    assert "How far apart is “ROUGE” from “ROUGE”?" in lone
    assert "call their number “ROUGE” (rougeL F), and both" in lone
    for number in found.numbers:
        if number.value is None:  # a variant whose data is not installed
            continue
        assert f"{100 * number.value:.2f}" in parsed.text


def test_a_distance_is_shown_as_it_is() -> None:
    """Neighbours that change places are two edits to one variant and one to another; nowhere is it 200 points."""
    found = compare({"only": ["acbde", "abcd"]}, ["abcde", "wxyz"], metric="edit_distance", libraries=["rapidfuzz"])
    assert {n.value for n in found.numbers if n.value is not None} == {3.0, 2.5}
    parsed = Page(render(found))
    lead = parsed.text.split("Lower is better.")[0]
    assert "0.50 edit_distance apart." in lead
    assert "3.00" in lead
    assert "2.50" in lead
    assert "In edit_distance." in parsed.text
    spread, bars = (str(svg["aria-label"]) for svg in parsed.find("svg"))
    assert "in edit_distance: only 2.50 (" in spread
    assert "transpositions: adjacent → none +0.5" in bars


def test_a_rate_above_1_is_in_points() -> None:
    parsed = Page(render(compare({"only": ["a b c d"]}, ["a x"], metric="wer", libraries=[])))
    assert "150.00" in parsed.text
    assert "The number is" not in parsed.text


@pytest.mark.parametrize(("metric", "title"), [("chrf", "chrF"), ("wer", "WER"), ("edit_distance", "edit distance")])
def test_metrics_are_called_as_people_write_them(metric: str, title: str) -> None:
    found = compare({"only": ["a b c"]}, ["a b d"], metric=metric, libraries=[])
    assert f"How far apart is “{title}” from “{title}”?" in render(found)


def test_one_page_for_all_metrics() -> None:
    """The first metric with a gap is open, the others are folded, and each has a line in the table."""
    metrics = ["ter", "bleu", "rouge", "wer", "edit_distance", "chrf", "distinct_n", "nist_mt"]
    study = compare_metrics(
        {"a <b> c": ["a <b> c d e", "x y z"], "d": ["a c <b>", "y z x"]}, ["a c <b> d", "x y z w"], metrics, []
    )
    parsed = Page(render(study))
    assert not parsed.find("b")
    gaps = [each.metric for each in study.comparisons if each.widest]
    assert len(gaps) > 3
    labelled = [section["aria-labelledby"] for section in parsed.find("section") if "aria-labelledby" in section]
    assert [each for each in labelled if each != "missing"] == ["apart", "glance", gaps[0], "others"]
    folded = [fold["id"] for fold in parsed.find("details") if "metric" in str(fold.get("class"))]
    assert folded == [metric for metric in metrics if metric != gaps[0]]
    assert {f"#{metric}" for metric in metrics} <= {str(link["href"]) for link in parsed.find("a")}
    columns = {str(cell["data-column"]) for cell in parsed.find("td") if "data-column" in cell}
    assert columns == {f"{column.metric}:{column.name}" for column in study.matrix}
    assert all(svg["role"] == "img" and svg["aria-label"] for svg in parsed.find("svg"))
    assert len(parsed.find("style")) == 1
    built = Page(render(study, built=True))
    assert f"How far apart is “{'BLEU' if gaps[0] == 'bleu' else 'TER'}”" in built.text
    labelled = [section["aria-labelledby"] for section in built.find("section") if "aria-labelledby" in section]
    assert [each for each in labelled if each != "missing"] == ["glance", *gaps[:3], "others"]


def test_several_systems_begin_with_a_table_of_the_numbers_to_report() -> None:
    """With intervals, letters and the winner; then how far libraries are apart for the best system and the first."""
    texts = [f"the cat number {place} sat on the mat, and then it ran away" for place in range(40)]
    worse = [text.replace("then it ran", "it left") for text in texts]
    systems = {"worst": [text[:20] for text in texts], "good": texts, "middle": worse, "again": worse}
    study = compare_metrics(systems, [f"{text}." for text in texts], ["bleu", "ter"], [], resamples=200)
    bleu, ter = study.comparisons
    assert bleu.ranking[0] == ter.ranking[0] == "good"
    assert bleu.letters == {"worst": "c", "good": "a", "middle": "b", "again": "b"}
    assert [gap.system for gap in bleu.apart] == ["good", "worst"]
    text = Page(render(study)).text
    first, _, rest = text.partition("How far apart are the libraries?")
    assert "Which of 4 systems is best?" in first
    rows = re.findall(r"(worst|good|middle|again)([\d.]+) ([abc])", first)
    assert [name for name, _, _ in rows[:4]] == bleu.ranking
    for name, points, letter in rows[:4]:
        assert points == f"{bleu.points(bleu.reported[name]):.2f}"
        assert letter == bleu.letters[name]
    assert "good scores" in first
    assert "good, the best system" in rest
    assert "worst, the first system" in rest
    advice = verdict(bleu, winner=False)
    assert all(f"{bleu.shown(bleu.reported[name])} for {name}" in advice for name in systems)


def test_bleu_needs_no_name_of_its_number(parsed: Page) -> None:
    assert "The number is" not in parsed.text


def test_sections_without_data_are_left_out(cases: list[CaseResult]) -> None:
    headings = re.findall(r"<h2[^>]*>([^<]*)", render(cases=cases))
    assert headings == ["The documents’ figures"]
    assert "<h2" not in render()
    Page(render())


def test_one_system_needs_no_ranking(comparison: Comparison) -> None:
    found = compare({"only": ["a b c d e, f"]}, ["a b c d e , f"], libraries=[])
    parsed = Page(render(found))
    assert "the rank" not in parsed.text
    assert "only" not in parsed.text.split("Every library’s number")[0].replace("only the sums", "")
    assert parsed.find("svg")


def test_equal_input_gives_an_equal_page(comparison: Comparison, page: str, cases: list[CaseResult]) -> None:
    assert render(comparison, cases, command="metrologue report --out <file>") == page


def test_a_waterfall_draws_long_names_whole() -> None:
    long = "smoothing: " + " ".join(["smoothing=exp,"] * 8)
    plot = waterfall(("a", 10.0), [Step(label=long, size=2.0)], ("b", 12.0), 2.0, "points", "a plot")
    words = " ".join(re.findall(r"<text[^>]*>([^<]*)</text>", plot) + re.findall(r"<tspan[^>]*>([^<]*)</tspan>", plot))
    assert words.count("smoothing=exp,") == 8


def test_write_makes_the_folder(tmp_path: Path) -> None:
    path = tmp_path / "new" / "report.html"
    write(path, "<p>é</p>")
    assert path.read_bytes() == "<p>é</p>".encode()


@pytest.fixture(scope="module")
def sample(root: Path) -> Comparison:
    folder = root / "comparison" / "sample"
    names = ("amber", "birch", "cedar")
    systems, references = read_segments(
        [str(folder / f"{name}.txt") for name in names], [str(folder / f"reference_{number}.txt") for number in (1, 2)]
    )
    return compare(dict(zip(names, systems, strict=True)), references, "bleu", libraries=[])


def test_the_section_begins_with_what_intervals_and_tests_say(sample: Comparison) -> None:
    parsed = Page(render(sample))
    text = parsed.text
    assert headline(sample) in text
    assert people_sentence(sample) in text
    assert text.count(sampling_note(sample)) == 2, "above the tests, and in the footer"
    for own in leads(sample).values():
        for lead in own:
            low, high = (f"{limit:.1f}".replace("-", "−") for limit in lead.limits)
            assert f"{lead.difference:+.2f}, {shown_p(lead.p_value)}{low} to {high}" in text
    for number in sample.numbers:
        low, high = sample.limits(number)
        assert f"{low:.1f} to {high:.1f}" in text
    assert "This change is not significant" in text


def test_the_plot_draws_the_intervals(sample: Comparison) -> None:
    bare = replace(sample, numbers=[replace(number, interval=None) for number in sample.numbers])
    with_lines, without = (spread_plot(each).count("stroke-width: 1.6") for each in (sample, bare))
    assert (with_lines, without) == (len(sample.numbers), 0)


def test_only_clear_winners_are_bold(sample: Comparison) -> None:
    page = render(sample)
    for name, winner in sample.winners.items():
        best = f"<strong>{winner.system}</strong>" if winner.is_clear else f"{winner.system} ≈"
        assert f'<tr><th scope="row">{name}</th><td>{best}</td>' in page
    assert sum(winner.is_clear for winner in sample.winners.values()) == 5


def test_without_tests_nobody_wins(sample: Comparison) -> None:
    untested = replace(sample, winners={}, sampling=None, numbers=[replace(n, interval=None) for n in sample.numbers])
    page = re.sub(r"<math.*?</math>", "", render(untested), flags=re.DOTALL)  # a rounded number has the sign too
    parsed = Page(page)
    assert "These are single numbers, without an interval" in parsed.text
    assert "≈" not in parsed.text
    assert "may it be chance" not in parsed.text


def test_one_segment_says_why_it_has_no_interval() -> None:
    parsed = Page(render(compare({"only": ["a b c d e, f"]}, ["a b c d e , f"], libraries=[])))
    assert "One segment has no interval: resampling needs at least two." in parsed.text
