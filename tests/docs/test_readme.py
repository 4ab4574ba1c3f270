"""The README and the guides that it leads to: whatever they show runs, and gives what they say."""

import doctest
import importlib
import importlib.util
import json
import lzma
import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from click.testing import CliRunner
from small_encoder import Letters

import metrologue
from metrologue import representations
from metrologue.cli import main
from metrologue.comparison.libraries import Missing, get_library, hub
from metrologue.learned.store import SAMPLE
from metrologue.scorers import Bleu, get_scorer, list_scorers, make_scorer
from metrologue.scorers.core.needs import needs_of

GUIDES = (
    "templates/cite", "coming-from", "command-line", "comparing", "getting-started", "installing", "people", "speed",
)  # fmt: skip
SESSIONS = ("templates/cite", "coming-from", "getting-started", "people")
PAGES = ("README.md", *(f"docs/{name}.md" for name in GUIDES))


@pytest.fixture(scope="module")
def pages(root) -> dict[str, str]:
    return {page: (root / page).read_text("utf-8") for page in PAGES}


@pytest.fixture(scope="module")
def readme(pages) -> str:
    return pages["README.md"]


@pytest.fixture(scope="module")
def coming(pages) -> str:
    return pages["docs/coming-from.md"]


def test_the_first_screen_begins_with_what_a_clone_has(readme):
    first = blocks(readme, "sh")[0].splitlines()
    typed = [shlex.split(line, comments=True) for line in first]
    assert typed == [["python3", "-m", "venv", ".venv"], [".", ".venv/bin/activate"], ["pip", "install", "."]]


@pytest.mark.slow
@pytest.mark.network
def test_the_first_screen_runs_as_it_is_typed(root, tmp_path):
    """In a clone, which has neither a wheel nor a library of kernels, and in the environment that the lines make."""
    if not (root / ".git").exists():
        pytest.skip("a source distribution, which cannot be cloned")
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "--quiet", root, clone], check=True)
    screen = (clone / "README.md").read_text("utf-8").partition("\n## ")[0]
    for name, content in runpy.run_path(str(root / "tools" / "first_screen.py"))["FILES"].items():
        (clone / name).write_text(content, "utf-8")
    # The last line runs the sessions of Python.
    typed = "".join([*blocks(screen, "sh"), "python tools/first_screen.py\n"])
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    environment |= {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}",
        "METROLOGUE_CACHE": str(tmp_path / "cache"),
    }
    done = subprocess.run(["sh", "-e"], input=typed, cwd=clone, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert "lines of Python" in done.stdout


def test_the_readme_is_read(readme):
    assert len(readme.splitlines()) <= 150


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", ["README.md", *(f"docs/{name}.md" for name in SESSIONS)])
def test_sessions_print_what_they_show(pages, page):
    sessions = [block for block in blocks(pages[page], "python") if block.startswith(">>>")]
    test = doctest.DocTestParser().get_doctest("\n".join(sessions), {"metrologue": metrologue}, page, None, None)
    assert test.examples
    report = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=report.append)
    assert not report, "".join(report)


class Tokenizer:
    """A tokenizer in the manner of transformers: ids of words, -100 nowhere."""

    words = ("<pad>", "the", "cat", "sat", "on", "mat", "a")
    pad_token_id = 0

    def batch_decode(self, rows, skip_special_tokens):
        assert skip_special_tokens
        assert np.min(rows) >= 0
        return [" ".join(self.words[i] for i in row if i) for row in rows]


@pytest.mark.parametrize("page", ["README.md", "docs/coming-from.md"])
def test_training_script(pages, page):
    [script] = [block for block in blocks(pages[page], "python") if "compute_metrics" in block]
    namespace = {"tokenizer": Tokenizer()}
    exec(script, namespace)
    predictions = np.array([[1, 2, 3, 4, 1, 5, 0], [6, 2, 3, 4, 6, 5, -100]])
    labels = np.array([[1, 2, 3, 4, 6, 5, -100, -100], [6, 2, 3, 4, 6, 5, -100, -100]])
    texts = ["the cat sat on the mat", "a cat sat on a mat"]
    expected = Bleu.variant("sacrebleu").corpus(texts, ["the cat sat on a mat", "a cat sat on a mat"]).value
    assert namespace["compute_metrics"]((predictions, labels)) == {"sacrebleu": expected}


# The libraries, by the names of their sections, and their packages in Python.
LIBRARIES = {
    **{name: name for name in ("sacrebleu", "evaluate", "jiwer", "rouge_score", "nltk", "torchmetrics")},
    **{"scikit-learn": "sklearn", "lexicalrichness": "lexicalrichness", "kenlm": "kenlm"},
    "krippendorff, nltk's agreement": "nltk",
}
SMALL_MODEL = """\\data\\
ngram 1=5
ngram 2=3

\\1-grams:
-1\t<unk>\t0
0\t<s>\t-0.3
-0.7\t</s>\t0
-0.5\tthe\t-0.2
-0.8\tcat\t-0.1

\\2-grams:
-0.2\t<s> the
-0.3\tthe cat
-0.1\tcat </s>

\\end\\
"""


ROW = re.compile(r"^\| `(.*?)` \| `(.*?)` \|$", re.MULTILINE)  # of a table with two calls


def coming_from(page: str) -> dict[str, str]:
    """The sections on other libraries; what stands before the first one has the key ""."""
    return dict(re.findall(r"^(?:# .*|## (.*))\n((?:(?!##).*\n?)*)", page, re.MULTILINE))


def same(ours, theirs, tolerance) -> bool:
    """Whether numbers are equal, to rounding; those of objects by their names."""
    if isinstance(theirs, Mapping):
        return list(ours) == list(theirs) and all(same(ours[key], theirs[key], tolerance) for key in theirs)
    return np.shape(ours) == np.shape(theirs) and np.allclose(ours, theirs, rtol=tolerance, atol=0)


@pytest.mark.parametrize("library", LIBRARIES)
def test_both_sides_of_a_table_give_the_same(coming, library, request, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "news.arpa").write_text(SMALL_MODEL)
    sections = coming_from(coming)
    assert {name for name, text in sections.items() if ROW.search(text)} == {*LIBRARIES}
    if library == "evaluate":
        request.getfixturevalue("hub_modules")
        namespace = {"evaluate": SimpleNamespace(load=live)}
    else:
        namespace = {library: pytest.importorskip(LIBRARIES[library])}
    for block in blocks(sections[""] + sections[library], "python"):
        if not block.startswith(">>>") and "compute_metrics" not in block:
            exec(block, namespace)
    rows = ROW.findall(sections[library])
    assert len(rows) >= 3
    for theirs, ours in rows:
        found, expected = eval(ours, namespace), eval(theirs, namespace)
        assert same(found, expected, 1e-6 if library == "torchmetrics" else 1e-12), (ours, found, theirs, expected)


def live(name: str):
    """The Hub's own module."""
    if isinstance(module := hub.load(name), Missing):
        pytest.skip(f"the Hub's `{name}`: {module}")
    return module


def test_sacrebleus_command_and_ours_print_the_same(coming, tmp_path, monkeypatch):
    pytest.importorskip("sacrebleu")
    monkeypatch.chdir(tmp_path)
    sections, texts = coming_from(coming), {}
    [script] = blocks(sections[""], "python")
    exec(script, texts)
    for name in ("hyp", "ref"):
        (tmp_path / f"{name}.txt").write_text("".join(f"{line}\n" for line in texts[name]))
    [theirs, ours] = commands(sections["sacrebleu"])
    printed = subprocess.run([sys.executable, "-m", *theirs], capture_output=True, check=True, text=True).stdout
    found = json.loads(CliRunner().invoke(main, ours[1:]).stdout)
    for one, other in zip(found, json.loads(printed), strict=True):
        [system] = one["systems"]
        assert system["value"] == other["score"]
        assert make_scorer(other["signature"]) == make_scorer(one["signature"])
    # BLEU's four precisions, brevity penalty, ratio and both lengths.
    shown = [float(number) for number in re.findall(r"[\d.]+", json.loads(printed)[0]["verbose_score"])]
    keys = (*(f"precision_{n}" for n in (1, 2, 3, 4)), "brevity_penalty", "length_ratio")
    values = [found[0]["systems"][0]["scores"][key] for key in (*keys, "hypothesis_length", "reference_length")]
    assert values == pytest.approx(shown, abs=0.06)


def test_the_alignment_is_that_of_jiwer(coming):
    jiwer = pytest.importorskip("jiwer")
    [shown] = blocks(coming_from(coming)["jiwer"], "python")
    [(prediction, reference)] = re.findall(r'trace\("wer", "(.*?)", \["(.*?)"\]\)', shown)
    [chunks] = jiwer.process_words(reference, prediction).alignments
    letters = {"equal": "H", "substitute": "S", "insert": "I", "delete": "D"}
    expected = [
        letters[chunk.type]
        for chunk in chunks
        for _ in range(max(chunk.ref_end_idx - chunk.ref_start_idx, chunk.hyp_end_idx - chunk.hyp_start_idx))
    ]
    operations = metrologue.WordErrorRate().edits(prediction, reference).operations
    assert [step.kind for step in operations] == expected


@pytest.fixture(scope="module")
def drawn(root):
    """The module that draws the picture."""
    spec = importlib.util.spec_from_file_location("picture_of_metrologue", root / "docs" / "picture.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_picture_is_what_our_variants_compute(drawn):
    assert drawn.FILE.read_text("utf-8") == drawn.picture(), "docs/numbers.svg is out of date; run `make docs`"


def test_the_picture_is_of_the_sentence_that_the_readme_shows(readme, drawn):
    assert f'predictions = ["{drawn.shown().panels[0].texts[0][0]}"]' in readme
    assert f"![{drawn.description()}](docs/numbers.svg)" in readme


def commands(text: str) -> list[list[str]]:
    lines = [line for block in blocks(text, "sh") for line in block.splitlines()]
    return [shlex.split(line, comments=True) for line in lines]


def test_every_command_runs(pages, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for module in ("harness", "running.absent", "documents.run"):
        importlib.import_module(f"metrologue.comparison.{module}")
        monkeypatch.setattr(
            f"metrologue.comparison.{module}.adapters", lambda metric, with_model=False: [get_library("nltk")]
        )
    for name in ("hyp.txt", "other.txt", "ref.txt"):
        (tmp_path / name).write_text("".join(f"the {name} {i} is on the mat\n" for i in range(4)))
    for name in ("hyp.trn", "ref.trn"):
        (tmp_path / name).write_text("".join(f"the {name} {i} is on the mat (anna-{i})\n" for i in range(4)))
    (tmp_path / "outputs").mkdir()
    shutil.copy(tmp_path / "hyp.txt", tmp_path / "outputs")
    texts = [(tmp_path / name).read_text().splitlines() for name in ("hyp.txt", "ref.txt")]
    (tmp_path / "table.tsv").write_text(f"System\tBLEU\nhyp\t{metrologue.score('bleu', *texts).value:.2f}\n")
    (tmp_path / "news.arpa").write_text(SMALL_MODEL)
    (tmp_path / "out.tsv").write_text("a:0.5 :0.5\n" * 4)
    (tmp_path / "expected.tsv.xz").write_bytes(lzma.compress(b"a\n" * 4))
    images = {"images": [{"id": 1}], "annotations": [{"image_id": 1, "id": 1, "caption": "a cat on a mat"}]}
    (tmp_path / "nbest.jsonl").write_text('["a cat", "the cat"]\n')
    rated = [{"hypothesis": f"the {i} is on", "references": "the 1 is on it", "ratings": {"good": i}} for i in range(4)]
    (tmp_path / "judged.jsonl").write_bytes(SAMPLE.read_bytes())
    (tmp_path / "rated.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in rated))
    scored = "".join(f"{name}\t{i}\t0.{i}\n" for name in ("hyp", "other") for i in range(4))
    (tmp_path / "comet.tsv").write_text(f"system\tsegment\tcomet\n{scored}")
    rows = [{"system": name, "output": f"the {name} {i} is on"} for name in ("a", "b") for i in range(4)]
    (tmp_path / "all.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in rows))
    (tmp_path / "captions.json").write_text(json.dumps(images))
    (tmp_path / "results.json").write_text(json.dumps([{"image_id": 1, "caption": "a cat"}]))
    monkeypatch.setattr(representations, "open_encoder", lambda model: Letters())
    written = [command for page in pages.values() for command in commands(page)]
    ours = [command[1:] for command in written if command[0] == "metrologue"]
    assert {command[0] for command in ours} == {name for name, each in main.commands.items() if not each.hidden}
    for command in ours:
        if command[0] == "sacrebleu":  # which opens the streams of its process again
            subprocess.run([sys.executable, "-m", "metrologue", *command], check=True, capture_output=True)
            continue
        result = CliRunner().invoke(main, command)
        assert result.exit_code == 0, (command, result.output)


def test_every_target_is_in_the_makefile(pages, root):
    named = set(re.findall(r"(?:^|`)make ([a-z-]+)", "\n".join(pages.values()), re.MULTILINE))
    makefile = (root / "Makefile").read_text("utf-8")
    [phony] = re.findall(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    assert {"report", "test", "test-all", "bench", "lint"} <= named <= set(phony.split())
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in named)


def test_every_metric_is_in_the_index(root, monkeypatch):
    """With what it needs, and its variants; one of research with what it reached."""
    monkeypatch.syspath_prepend(str(root))
    page = importlib.import_module("docs.__main__").of_template("metrics")
    row = r"^\| (.*?), \[`(.*?)`\]\(.*?\) \| .* \| (.*?) \| (.*?) \|$"
    rows = re.findall(row, page, re.MULTILINE)
    kinds = map(get_scorer, list_scorers())
    expected = [
        (
            kind.title,
            kind.name,
            needs_of(kind),
            kind.about.research or ", ".join(f"`{each}`" for each in kind.variants()),
        )
        for kind in kinds
    ]
    assert sorted(rows, key=lambda row: row[1]) == expected
    _, _, research = page.partition("\n## Research\n")
    assert {name for _, name, _, _ in re.findall(row, research, re.MULTILINE)} == {
        kind.name for kind in map(get_scorer, list_scorers()) if kind.about.research
    }


def test_every_metric_has_a_task(root, monkeypatch):
    monkeypatch.syspath_prepend(str(root))
    tasks = importlib.import_module("metrologue.tasks")
    assert [*tasks.grouped(list_scorers())] == [*tasks.TASKS.values()]


def test_extras_are_those_of_the_package(pages, root):
    page = pages["docs/installing.md"]
    extras = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"].keys()
    sentence = page[page.index("Extras:") :].partition("\n\n")[0]
    assert set(re.findall(r"`([a-z-]+)` \(", sentence)) == extras - {"docs", "test", "lint"}


def test_links_lead_somewhere(pages, root):
    targets = [
        (page, target) for page, text in pages.items() for target in re.findall(r"\]\((?!https?:)([^)#]+)", text)
    ]
    assert len(targets) > len(pages)
    assert [(page, target) for page, target in targets if not (root / page).parent.joinpath(target).exists()] == []


def test_the_readme_leads_to_every_guide(readme):
    assert [name for name in GUIDES if f"(docs/{name}.md)" not in readme] == []
