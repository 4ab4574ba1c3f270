"""The page in a browser: no serious finding of axe-core, nothing cut on a phone, and few pages of paper."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path

import pytest

from metrologue.comparison import compare
from metrologue.comparison.documents import load_cases, run_cases
from metrologue.comparison.harness import compare_metrics
from metrologue.comparison.report.page import render, write
from metrologue.comparison.which.fitting import misfit
from metrologue.files.parts import read_segments
from metrologue.scorers import list_scorers

pytestmark = pytest.mark.slow

LONG = "a system's name of 30 letters."
CHECK = """
const puppeteer = require("puppeteer-core"), fs = require("fs");
const [browser, page, axe] = process.argv.slice(2);
(async () => {
  const options = ["--no-sandbox", "--disable-gpu", "--disable-quic"];
  const opened = await puppeteer.launch({executablePath: browser, args: options});
  const found = {};
  for (const [width, scheme] of [[1200, "light"], [390, "light"], [1200, "dark"], [390, "dark"]]) {
    const tab = await opened.newPage();
    await tab.setViewport({width, height: 900});
    await tab.emulateMediaFeatures([{name: "prefers-color-scheme", value: scheme}]);
    await tab.goto("file://" + page);
    await tab.evaluate(fs.readFileSync(axe, "utf8"));
    const {violations} = await tab.evaluate(() => axe.run());
    found[width + " " + scheme] = {
      serious: violations.filter(each => ["serious", "critical"].includes(each.impact))
        .map(each => each.id + ": " + each.nodes[0].html),
      headline: await tab.evaluate(
        () => document.querySelector("header .disagreement .pair").getBoundingClientRect().bottom),
      overflow: await tab.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      unhinted: await tab.evaluate(() => [...document.querySelectorAll("table, svg")]
        .filter(each => each.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
        .filter(each => !each.closest(".wide")).length),
      background: await tab.evaluate(() => getComputedStyle(document.documentElement).backgroundColor),
    };
    await tab.evaluate(() => document.querySelectorAll("details").forEach(each => { each.open = true; }));
    found[width + " " + scheme].opened = await tab.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    await tab.goto("file://" + page + "#trace-1");
    found[width + " " + scheme].unfolded = await tab.evaluate(
      () => document.getElementById("trace-1").getBoundingClientRect().height);
    await tab.close();
  }
  console.log(JSON.stringify(found));
  await opened.close();
})();
"""


@pytest.fixture(scope="module")
def chromium() -> str:
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not found:
        pytest.skip("no Chromium: apt install chromium")
    return found


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory, root: Path) -> Path:
    """The whole report of the sample, with a long name of a system. Libraries are left out, because they take time."""
    folder = root / "comparison" / "sample"
    systems, references = read_segments(
        [str(folder / f"{name}.txt") for name in ("amber", "birch", "cedar")],
        [str(folder / f"reference_{number}.txt") for number in (1, 2)],
    )
    assert len(LONG) == 30
    metrics = [
        metric
        for metric in dict.fromkeys(["bleu", "rouge", "chrf", *list_scorers()])
        if not misfit(metric, {"amber": systems[0]}, references)
    ]
    study = compare_metrics(dict(zip([LONG, "birch", "cedar"], systems, strict=True)), references, metrics, ["nltk"])
    path = tmp_path_factory.mktemp("page") / "report.html"
    write(path, render(study, run_cases(load_cases()), command="metrologue report", built=True))
    return path


def test_axe_finds_nothing_serious_and_nothing_is_cut(page: Path, chromium: str, tmp_path: Path) -> None:
    node = shutil.which("node")
    modules = Path(os.environ.get("NODE_PATH") or "none")
    axe = modules / "axe-core" / "axe.min.js"
    if not (node and axe.is_file() and (modules / "puppeteer-core").is_dir()):
        pytest.skip("no node, or NODE_PATH has no axe-core: npm install axe-core puppeteer-core, in any folder")
    script = tmp_path / "check.js"
    script.write_text(CHECK, "utf-8")
    command = [node, str(script), chromium, str(page), str(axe)]
    printed = subprocess.run(command, capture_output=True, text=True, check=True, timeout=500).stdout
    found = json.loads(printed)
    assert len(found) == 4
    for view, seen in found.items():
        assert seen["serious"] == [], view
        assert seen["headline"] < 844, view
        assert seen["overflow"] == 0, view
        assert seen["unhinted"] == 0, view
        assert seen["opened"] == 0, f"{view}, with everything unfolded"
        assert seen["unfolded"] > 100, f"{view}: a link to a trace unfolds what it is in"
    assert found["390 light"]["background"] != found["390 dark"]["background"]


MEASURE = """<script>
const box = document.querySelector("header .disagreement .pair").getBoundingClientRect();
document.title = JSON.stringify({height: document.documentElement.scrollHeight, headline: box.bottom + scrollY,
  bars: document.querySelectorAll("header > .pair .bar").length,
  causes: document.querySelectorAll("header > .pair .causes li").length,
  overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth});
</script></body>"""


@pytest.mark.parametrize(("width", "screen", "most"), [(1200, 900, 30_000), (500, 844, 45_000)])
def test_the_first_screen_has_the_pair_and_its_causes(
    page: Path, chromium: str, tmp_path: Path, width: int, screen: int, most: int
) -> None:
    """Without node: the page measures itself. Chromium has no window below 500 pixels; the test above looks at 390."""
    path = tmp_path / "page.html"
    path.write_text(page.read_text("utf-8").replace("</body>", MEASURE), "utf-8")
    seen = json.loads(_title(chromium, path, tmp_path, f"{width},{screen}"))
    assert seen["bars"] == 2
    assert seen["causes"] >= 1
    assert seen["headline"] < screen
    assert 3_000 < seen["height"] < most
    assert seen["overflow"] == 0


def _title(chromium: str, path: Path, folder: Path, size: str) -> str:
    """The title of a page when its scripts have run."""
    done = subprocess.run(
        [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         f"--user-data-dir={folder / 'profile'}", f"--window-size={size}", "--dump-dom", path.as_uri()],
        capture_output=True, text=True, check=True, timeout=300,
    )  # fmt: skip
    return unescape(re.findall(r"<title>(.*?)</title>", done.stdout)[0])


def test_the_page_prints_on_twenty_pages(page: Path, chromium: str, tmp_path: Path) -> None:
    paper = tmp_path / "report.pdf"
    subprocess.run(
        [chromium, "--headless", "--no-sandbox", "--disable-gpu", f"--print-to-pdf={paper}", page.as_uri()],
        capture_output=True,
        check=True,
        timeout=300,
    )
    pages = len(re.findall(rb"/Type\s*/Page\b", paper.read_bytes()))
    assert 2 < pages <= 20


def test_a_small_page_does_not_scroll_sideways(chromium: str, tmp_path: Path) -> None:
    """Without node: the page tells its own width in its title."""
    found = compare({LONG: ["the cat, it sat"], "b": ["a cat"]}, ["the cat , it sat"], libraries=[])
    path = tmp_path / "page.html"
    told = "<script>document.title = document.documentElement.scrollWidth - innerWidth</script></body>"
    path.write_text(render(found).replace("</body>", told), "utf-8")
    assert int(_title(chromium, path, tmp_path, "500,800")) <= 0
