"""Labels, names of systems and of files, and texts that are HTML: pages show them as they are, and no script runs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import Browser, opened
from click.testing import CliRunner

import metrologue
from metrologue.cli import main
from metrologue.inference import paired_test
from metrologue.scorers import F1, ConfusionMatrix, get_scorer
from metrologue.scorers import WordErrorRate as Wer
from metrologue.segments import Segments

pytestmark = pytest.mark.slow

# Each sets `window.ran` if it is taken for HTML: in text, in an attribute, in a title, in a style or in an SVG.
HOSTILE = [
    '<span><img src=x onerror="window.ran=1"></span>',
    "<script>window.ran=2</script>",
    '"><img src=x onerror=window.ran=3>',
    "'><svg onload=window.ran=4>",
    "</title><script>window.ran=5</script>",
    "--><img src=x onerror=window.ran=6><!--",
    "</style></textarea></svg><img src=x onerror=window.ran=7>",
    "]]><iframe srcdoc='<script>parent.ran=8</script>'>",
    '<a href="javascript:window.ran=9" autofocus onfocus="window.ran=9">x</a>',
    "{{ 7*7 }}{% raw %}${window.ran=10}",
    "&lt;img src=x onerror=window.ran=11&gt;",
]
RAN = "String(window.ran)"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with opened(tmp_path_factory.mktemp("browser")) as found:
        yield found


def seen(browser: Browser) -> str:
    """The text of the page, that of closed folds too, after what might load has loaded or failed."""
    browser.run("new Promise(done => setTimeout(done, 1000))")
    assert browser.run(RAN) == "undefined"
    return str(browser.run("document.body.textContent"))


def require_all(text: str, *parts: str) -> None:
    missing = [part for part in parts if "".join(part.split()) not in "".join(text.split())]
    assert not missing


def test_the_browser_would_run_them(browser: Browser, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    for text in HOSTILE[:2]:
        page.write_text(text, "utf-8")
        browser.open(page.as_uri())
        browser.wait(f"{RAN} !== 'undefined'")


def outputs() -> dict[str, Any]:
    """What a notebook shows, of hostile labels, names and texts."""
    labels, turned = HOSTILE, [*HOSTILE[1:], HOSTILE[0]]
    texts = Segments(HOSTILE, turned)
    systems = {HOSTILE[0]: texts, HOSTILE[2]: texts.with_predictions(turned)}
    traced = ("bleu", "wer", "ter", "meteor:nltk", "chrf", "rouge", "edit_distance", "gtm", "ribes", "masi")
    return {
        "labels": ConfusionMatrix().corpus(labels, turned),
        "a label": F1(pos_label=HOSTILE[0]).corpus(HOSTILE[:1] * 2, [HOSTILE[0], HOSTILE[1]]),
        "names": paired_test(Wer(), HOSTILE[0], systems, resamples=100, correction="holm"),
        "one name": paired_test(Wer(), HOSTILE[0], systems, resamples=100)[0],
        "comparison": metrologue.compare(
            dict.fromkeys(HOSTILE[:3], HOSTILE), turned, "bleu", [], ["nltk", "sacrebleu"]
        ),
        "explanation": metrologue.explain("bleu:nltk", "bleu", HOSTILE, turned),
        "matrix": metrologue.trace("confusion_matrix", labels, turned),
        **{name: metrologue.trace(name, HOSTILE[0], [HOSTILE[1], HOSTILE[2]]) for name in traced if has(name)},
    }


def has(name: str) -> bool:
    """Whether a metric has what it needs here."""
    metric, _, variant = name.partition(":")
    return not (variant and get_scorer(metric).variants()[variant].needs)


def test_what_a_notebook_shows(browser: Browser, tmp_path: Path) -> None:
    shown = outputs()
    page = tmp_path / "notebook.html"
    parts = [f"<section id={i}>{each._repr_html_()}</section>" for i, each in enumerate(shown.values())]
    page.write_text(f"<!doctype html><meta charset=utf-8>{''.join(parts)}", "utf-8")
    browser.open(page.as_uri())
    seen(browser)
    texts = {name: browser.run(f"document.getElementById('{i}').textContent") for i, name in enumerate(shown)}
    require_all(texts["labels"], *HOSTILE)
    require_all(texts["names"], HOSTILE[0], HOSTILE[2])
    require_all(texts["one name"], HOSTILE[0], HOSTILE[2])
    require_all(texts["comparison"], *HOSTILE[:3])
    require_all(texts["matrix"], *HOSTILE)
    for name in ("wer", "ter"):
        require_all(texts[name], "onerror")
    assert browser.run("document.querySelectorAll('img, iframe, script, a').length") == 0


def test_the_report(browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [name.replace("/", "_") for name in HOSTILE[:4]]
    turned = [*HOSTILE[1:], HOSTILE[0]]
    for number, name in enumerate(names):
        (tmp_path / name).write_text("".join(f"{text}\n" for text in HOSTILE[number:] + HOSTILE[:number]), "utf-8")
    (tmp_path / "ref").write_text("".join(f"{text}\n" for text in turned), "utf-8")
    page = tmp_path / "report.html"
    files = [part for name in names for part in ("-p", str(tmp_path / name))]
    arguments = ["compare", *files, "-r", str(tmp_path / "ref"), "--metric", "bleu", "--metric", "wer",
                 "--library", "jiwer", "--library", "sacrebleu", "--out", str(page)]  # fmt: skip
    monkeypatch.setattr(sys, "argv", ["metrologue", *arguments])
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 0, done.output
    browser.open(page.as_uri())
    text = seen(browser)
    require_all(text, *names, HOSTILE[0])
    assert browser.run("document.querySelectorAll('img, iframe, [onerror], [onload], [onfocus]').length") == 0


@pytest.fixture(params=["bleu", "confusion_matrix", "likelihood_hashed"])
def space(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a metric's page, which opens with hostile texts, labels, or words in a message."""
    gradio = pytest.importorskip("gradio", reason="no gradio: pip install 'metrologue[space]'")
    pytest.importorskip("evaluate", reason="no evaluate: pip install 'metrologue[space]'")
    from metrologue.pages import answers, gradio_page

    patched = pytest.MonkeyPatch()
    patched.setenv("GRADIO_ANALYTICS_ENABLED", "False")
    lines = "\n".join(HOSTILE)
    texts = (HOSTILE[0], lines) if request.param == "bleu" else (lines, lines)
    for module in (answers, gradio_page):
        patched.setattr(module, "opening", lambda metric: texts)
    page = gradio_page.build(request.param, str(Path(metrologue.__file__).parent / "metrics" / "app.py"))
    _, address, _ = page.launch(prevent_thread_lock=True, quiet=True, share=False, server_name="127.0.0.1")
    yield address
    gradio.close_all(verbose=False)
    patched.undo()


def test_a_space(browser: Browser, space: str) -> None:
    browser.open(space)
    # What a box holds is its value, not text of the page.
    browser.wait(r"/<span><img/.test(document.body.textContent.replace(/\s/g, ''))")  # tokens have spaces between them
    seen(browser)
    made = "document.querySelectorAll('.numbers img, .trace img, .numbers script, .trace script, [onerror]').length"
    assert browser.run(made) == 0
