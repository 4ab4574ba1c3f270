"""A Space in a browser: its first screen on a phone and on a desk, what a link restores, and an example on a click."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from browser import Browser, opened
from small_metric import small_metric

from metrologue.pages.examples import examples
from metrologue.pages.links import to_link

pytestmark = pytest.mark.slow

ANSWERED = "!!document.querySelector('#answers .bars') && !document.body.innerText.includes('processing |')"
BOTTOM = (
    "Math.max(...[...document.querySelectorAll('#examples, .bars, .link')].map(e => e.getBoundingClientRect().bottom))"
)
SIZES = [(390, 844), (1200, 900)]


@pytest.fixture(scope="module")
def address(root: Path) -> Iterator[str]:
    pytest.importorskip("gradio", reason="gradio is not installed: pip install 'metrologue[space]'")
    from metrologue.pages.gradio_page import build

    demo = build("bleu", str(root / "metrics" / "bleu" / "app.py"))
    _, url, _ = demo.launch(prevent_thread_lock=True, quiet=True)
    yield url
    demo.close()


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with opened(tmp_path_factory.mktemp("browser")) as found:
        yield found


def sized(browser: Browser, width: int, height: int) -> None:
    browser._asked("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_first_screen(address: str, browser: Browser, width: int, height: int) -> None:
    sized(browser, width, height)
    browser.open("about:blank")
    browser.open(address)
    browser.wait(ANSWERED, 120)
    assert browser.run(BOTTOM) <= height
    assert browser.run("document.documentElement.scrollWidth") <= width
    shown = browser.run(
        "[...document.querySelectorAll('.bars dt')].map(e => e.innerText).join(', ').split(', ').length"
    )
    assert shown == 8  # every library
    assert browser.run("document.querySelectorAll('.texts mark').length") > 4
    titles = browser.run("[...document.querySelectorAll('#examples button')].map(e => e.innerText)")
    assert titles == [each.title for each in examples("bleu")]
    assert browser.run("document.querySelectorAll('.trace-formula mfrac').length") == 4


def test_a_link_restores_the_texts(address: str, browser: Browser) -> None:
    sized(browser, 390, 844)
    given = {
        "metric": "bleu",
        "variant": "nltk",
        "against": "coco",
        "predictions": "a “cat” & 犬",
        "references": "a dog",
    }
    browser.open(address.rstrip("/") + "/" + to_link(given))
    browser.wait(ANSWERED, 120)
    boxes = browser.run("[...document.querySelectorAll('#texts textarea')].map(e => e.value)")
    assert boxes == [given["predictions"], given["references"]]
    assert browser.run("document.querySelector('.bars b').innerText") == "nltk"
    assert browser.run("document.querySelector('.link a').getAttribute('href')") == to_link(given)
    browser.run("document.querySelectorAll('#examples button')[1].click()")
    browser.wait(f"document.body.innerText.includes({examples('bleu')[1].predictions!r})", 60)
    browser.wait("document.body.innerText.includes('Why sacrebleu and evaluate differ')", 60)


@pytest.fixture(scope="module")
def of_sources(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The page of a metric that needs sources; it has no folder."""
    pytest.importorskip("gradio", reason="gradio is not installed: pip install 'metrologue[space]'")
    from metrologue.pages.gradio_page import build

    module = SimpleNamespace(description="Words that are kept. It is small.", metric="kept", config_name="metrologue")
    with small_metric(), pytest.MonkeyPatch.context() as patched:
        patched.setattr("metrologue.pages.gradio_page.load", lambda name: module)
        demo = build("kept", str(tmp_path_factory.mktemp("kept") / "app.py"))
        _, url, _ = demo.launch(prevent_thread_lock=True, quiet=True)
        yield url
        demo.close()


BOX = "[...document.querySelectorAll('#texts label')].find(e => /^Sources/.test(e.innerText)).querySelector('textarea')"
NUMBER = "document.querySelector('.bars strong')?.innerText"


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_required_text_has_a_box(of_sources: str, browser: Browser, width: int, height: int) -> None:
    sized(browser, width, height)
    browser.open("about:blank")
    browser.open(of_sources)
    browser.wait(ANSWERED, 120)
    assert browser.run("document.documentElement.scrollWidth") <= width
    assert browser.run("document.querySelectorAll('#texts textarea').length") == 4
    assert "The text before it was shortened." in browser.run("document.querySelector('#texts').innerText")
    write = "const box = {}; box.value = {!r}; box.dispatchEvent(new Event('input', {{bubbles: true}}));"
    browser.run(f"{{ {write.format(BOX, 'guide nobody')} }}")
    browser.wait(f"{NUMBER} === '50.00'", 60)
    browser.run(f"{{ {write.format(BOX, '')} }}")
    browser.wait("document.body.innerText.includes('Kept: `sources` are missing; the text before it was')", 60)
