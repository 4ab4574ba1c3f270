"""The site that `make docs` builds: every public name has its place, every link leads somewhere, nothing is fetched."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

import pytest
from axe import axe_source, serious
from browser import Browser, opened

import metrologue
from metrologue.cli import main
from metrologue.modules import list_benchmarks
from metrologue.pages.formulas import definition_of
from metrologue.scorers import list_scorers

pytestmark = pytest.mark.slow

if not (find_spec("material") and find_spec("mkdocstrings")):
    pytest.skip(
        "mkdocs-material and mkdocstrings are not installed: pip install 'metrologue[docs]'", allow_module_level=True
    )


class Page(HTMLParser):
    """The anchors of a page, its links, and what a browser loads for it."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.classes: set[str] = set()
        self.formulas = 0
        self.title, self.description = "", ""
        self._tag = ""
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.anchors |= {values[name] for name in ("id", "name") if name in values}
        self.classes |= {*values.get("class", "").split()}
        self.formulas += tag == "math" and values["display"] == "block"
        self._tag = tag
        if tag == "meta" and values.get("name") == "description":
            self.description = values["content"]
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        if tag == "link" and values.get("rel") != "canonical":
            self.loaded.append(values["href"])
        if "src" in values:
            self.loaded.append(values["src"])

    def handle_data(self, data: str) -> None:
        if self._tag == "title" and not self.title:
            self.title = data.strip()


@pytest.fixture(scope="module")
def site(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=root, env=os.environ | {"PYTHONPATH": str(root)}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    return {path: Page(path) for path in site.rglob("*.html")}


@pytest.mark.parametrize(
    "module",
    [
        "metrologue",
        *(f"metrologue.{each}" for each in ("scorers", "segments", "text.tokenizers", "inference", "language_models")),
    ],
)
def test_every_public_name_has_its_place(site: Path, pages: dict[Path, Page], module: str) -> None:
    from mkdocstrings import Inventory

    with (site / "objects.inv").open("rb") as file:
        inventory = Inventory.parse_sphinx(file)
    names = [f"{module}.{name}" for name in import_module(module).__all__]
    assert len(names) > 1
    assert [name for name in names if name not in inventory] == []
    for name in names:
        page, _, anchor = inventory[name].uri.replace("$", name).partition("#")
        assert anchor in pages[site / page].anchors


def test_every_metric_and_command_has_its_place(site: Path, pages: dict[Path, Page]) -> None:
    for name in list_scorers():
        assert {"variants", "fields", "signature"} <= pages[site / "docs" / "metrics" / f"{name}.html"].anchors
    linked = {(path.parent / link).resolve() for path, page in pages.items() for link in page.links if ":" not in link}
    others = *metrologue.list_comparisons(), *metrologue.list_statistics(), *list_benchmarks()
    for name in others:
        assert site / "metrics" / name / "index.html" in linked
    for name in (*metrologue.list_metrics(), *others):
        assert "limitations-and-bias" in pages[site / "metrics" / name / "index.html"].anchors
    assert {f"metrologue-{name}" for name in main.commands} <= pages[site / "api" / "command-line.html"].anchors


def test_links_lead_somewhere(site: Path, pages: dict[Path, Page]) -> None:
    checked, broken = 0, []
    for path, page in pages.items():
        if path.name == "404.html":  # its links begin at the root of a server
            continue
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            there = target.is_file() if not parts.fragment else unquote(parts.fragment) in pages[target].anchors
            checked += 1
            if not there:
                broken.append((str(path.relative_to(site)), link))
    assert checked > 1000
    assert broken == []


def test_a_browser_loads_nothing_from_elsewhere(site: Path, pages: dict[Path, Page]) -> None:
    loaded = {address for page in pages.values() for address in page.loaded}
    assert len(loaded) > 3
    assert [address for address in loaded if urlsplit(address).scheme not in {"", "data"} or address[:2] == "//"] == []
    sheets = "".join(path.read_text("utf-8") for path in site.rglob("*.css"))
    assert re.findall(r"url\(['\"]?(?:https?:|//)[^)]*|@import[^;]*", sheets) == []
    # The script would fetch a library for a chart of this class.
    assert not any("mermaid" in page.classes for page in pages.values())
    assert "flow" in pages[site / "docs" / "architecture.html"].classes


def test_every_page_has_a_title_and_a_description(site: Path, pages: dict[Path, Page]) -> None:
    said = {path: page for path, page in pages.items() if path.name != "404.html"}
    titles = [page.title for page in said.values()]
    assert sorted({title for title in titles if titles.count(title) > 1}) == []
    assert pages[site / "docs" / "metrics" / "bleu.html"].title == "BLEU: variants, fields, numbers - metrologue"
    assert [path for path, page in said.items() if not 5 < len(page.description) <= 160] == []


def test_formulas_are_typeset(site: Path, pages: dict[Path, Page]) -> None:
    for name in list_scorers():
        count = len(definition_of(name).lines)
        assert pages[site / "docs" / "metrics" / f"{name}.html"].formulas == count
        card = site / "metrics" / name / "index.html"
        assert card not in pages or pages[card].formulas == count
    for metric in ("meteor", "rouge"):
        assert f"../../docs/{metric}.svg" in pages[site / "metrics" / metric / "index.html"].loaded
        assert f"../{metric}.svg" in pages[site / "docs" / "metrics" / f"{metric}.html"].loaded


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with opened(tmp_path_factory.mktemp("browser")) as browser:
        yield browser


def test_no_page_is_wider_than_a_phone(site: Path, pages: dict[Path, Page], browser: Browser) -> None:
    browser.screen(390)
    wide = []
    for path in pages:
        browser.open(path.as_uri())
        if browser.run("document.documentElement.scrollWidth > document.documentElement.clientWidth"):
            wide.append(str(path.relative_to(site)))
    assert wide == []


def test_the_menu_is_seen_on_a_screen_of_1200_pixels(site: Path, browser: Browser) -> None:
    browser.screen(1200)
    browser.open((site / "metrics" / "bleu" / "index.html").as_uri())
    menu = "document.querySelector('.md-sidebar').getBoundingClientRect()"
    left, right = browser.run(f"[{menu}.left, {menu}.right]")
    assert 0 <= left < right < 400
    browser.screen(1000)
    assert browser.run(f"{menu}.right") <= 0


@pytest.mark.parametrize(("width", "dark"), [(1200, False), (390, True)], ids=["a light screen", "a dark phone"])
def test_nothing_serious_keeps_people_from_a_page(
    site: Path, pages: dict[Path, Page], browser: Browser, width: int, dark: bool
) -> None:
    axe = axe_source()
    browser.screen(width, dark=dark)
    found = {}
    for path in pages:
        if path.name != "404.html":  # its style sheets begin at the root of a server
            browser.open(path.as_uri())
            if problems := serious(browser, axe):
                found[str(path.relative_to(site))] = problems
    assert found == {}


def test_pages_are_light(root: Path, site: Path) -> None:
    """A first visit is less than 100 kB, and each further page less than 80 kB."""
    done = subprocess.run(
        [sys.executable, "-m", "studies.weights", str(site)], cwd=root, capture_output=True, text=True, check=True
    )
    (visit,) = re.findall(r"so ([\d,]+) kB for the first visit", done.stdout)
    (heaviest,) = re.findall(r"the heaviest page: ([\d,]+) kB", done.stdout)
    assert int(visit) < 100
    assert int(heaviest) < 80


def test_the_value_of_a_field_is_shown_and_not_its_declaration(site: Path) -> None:
    text = re.sub(r"<[^>]*>|\s+", "", (site / "api" / "bleu.html").read_text("utf-8"))
    assert "max_order:int=4," in text
    assert "option(" not in text


def test_the_menu_names_a_tutorial_once(site: Path) -> None:
    page = (site / "docs" / "tutorial" / "compare.html").read_text("utf-8")
    menu = re.sub(
        r"<[^>]*>|\s+", " ", page.partition('class="md-nav md-nav--primary"')[2].partition("</nav>\n</div>")[0]
    )
    assert "Compare four systems" in menu
    assert "Tutorial:" not in menu.partition("Guides")[0]


def test_a_page_shows_no_mark_of_a_table(site: Path) -> None:
    assert [path for path in (site / "api").glob("*.html") if "=======" in path.read_text("utf-8")] == []


@pytest.mark.parametrize(
    ("words", "page"),
    [
        ("install", "installing"), ("p-value", "significance"), ("bootstrap", "significance"),
        ("confidence interval", "significance"), ("chinese", "languages"), ("human judgements", "people"),
        ("sacrebleu signature", "coming-from"), ("speed", "speed"), ("latex", "command-line"),
        ("windows", "installing"),
    ],
)  # fmt: skip
def test_a_search_has_the_guide_first(words: str, page: str, site: Path, browser: Browser) -> None:
    browser.open(f"{(site / 'index.html').as_uri()}?q={quote(words)}")
    browser.wait("document.querySelectorAll('.md-search-result__item').length > 0", 60)
    first = browser.run("document.querySelector('.md-search-result__item a').href")
    assert first.startswith((site / "docs" / f"{page}.html").as_uri())


def test_the_commands_of_the_first_page_are_whole_on_a_screen_of_1200_pixels(site: Path, browser: Browser) -> None:
    browser.screen(1200)
    browser.open((site / "index.html").as_uri())
    cut = "[...document.querySelectorAll('pre code')].filter(each => each.scrollWidth > each.clientWidth + 1)"
    assert browser.run(f"{cut}.map(each => each.textContent)") == []


def test_search_works_without_a_server(site: Path, tmp_path: Path) -> None:
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if not browser:
        pytest.skip("no browser: apt install chromium")
    options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path}"]
    page = (site / "index.html").as_uri() + "?q=brevity"
    command = [browser, *options, "--virtual-time-budget=20000", "--dump-dom", page]
    shown = subprocess.run(command, capture_output=True, text=True, timeout=120).stdout
    assert re.search(r"\d+ matching documents", shown)
    assert f'href="{(site / "docs" / "metrics" / "bleu.html").as_uri()}?h=brevity' in shown
