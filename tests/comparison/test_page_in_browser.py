"""The page in a browser: no serious finding of axe-core, nothing cut on a phone, and few pages of paper."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from metrologue.comparison import compare
from metrologue.comparison.documents import load_cases, run_cases
from metrologue.comparison.harness import compare_metrics
from metrologue.comparison.report import render, write
from metrologue.files import read_segments
from metrologue.scorers import list_scorers

pytestmark = pytest.mark.slow

LONG = "a system's name of 30 letters."
CHECK = """
const puppeteer = require("puppeteer-core"), fs = require("fs");
const [browser, page, axe] = process.argv.slice(2);
(async () => {
  const opened = await puppeteer.launch({executablePath: browser, args: ["--no-sandbox", "--disable-gpu"]});
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
      overflow: await tab.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      unhinted: await tab.evaluate(() => [...document.querySelectorAll("table, svg")]
        .filter(each => each.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
        .filter(each => !each.closest(".wide")).length),
      background: await tab.evaluate(() => getComputedStyle(document.documentElement).backgroundColor),
    };
    if (width === 390) {
      await tab.type("#words", "nothing-has-this-word");
      found[width + " " + scheme].shown = await tab.evaluate(
        () => [...document.querySelectorAll(".entry")].filter(each => !each.hidden).length);
    }
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
    metrics = dict.fromkeys(["bleu", *list_scorers()])
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
        assert seen["overflow"] == 0, view
        assert seen["unhinted"] == 0, view
    assert found["390 light"]["shown"] == 0, "the search hides what does not have the word"
    assert found["390 light"]["background"] != found["390 dark"]["background"]


def test_the_page_prints_on_twenty_pages(page: Path, chromium: str, tmp_path: Path) -> None:
    paper = tmp_path / "report.pdf"
    subprocess.run(
        [chromium, "--headless", "--no-sandbox", "--disable-gpu", f"--print-to-pdf={paper}", page.as_uri()],
        capture_output=True, check=True, timeout=300,
    )  # fmt: skip
    pages = len(re.findall(rb"/Type\s*/Page\b", paper.read_bytes()))
    assert 5 < pages <= 20


def test_a_small_page_does_not_scroll_sideways(chromium: str, tmp_path: Path) -> None:
    """Without node: the page tells its own width in its title."""
    found = compare({LONG: ["the cat, it sat"], "b": ["a cat"]}, ["the cat , it sat"], libraries=[])
    path = tmp_path / "page.html"
    told = "<script>document.title = document.documentElement.scrollWidth - innerWidth</script></body>"
    path.write_text(render(found).replace("</body>", told), "utf-8")
    done = subprocess.run(
        [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--window-size=500,800", "--dump-dom", path.as_uri()],
        capture_output=True, text=True, check=True, timeout=300,
    )  # fmt: skip
    assert int(re.findall(r"<title>(-?\d+)</title>", done.stdout)[0]) <= 0
