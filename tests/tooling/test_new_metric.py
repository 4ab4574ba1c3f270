"""`make new`: what it makes is a metric that works, and what it refuses is left as it was."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

# What a metric lives in.
FOLDERS = ("comparison", "docs", "metrics", "research", "src", "studies", "tests", "tools")
FILES = ("CHANGELOG.md", "CITATION.cff", "Makefile", "README.md", "pyproject.toml")

# What is edited by hand so that a metric, called kept, reads the text that was shortened.
SCORER, PLAIN = "src/metrologue/scorers/kept/__init__.py", "tests/metrics/kept/plain.py"
WITH_SOURCES = {
    SCORER: (
        (
            "core.shapes import PairScorer, Tokenized",
            "core.scorer import Scorer\nfrom metrologue.scorers.core.shapes import Tokenized",
        ),
        ("class Kept(Tokenized, PairScorer):", "class Kept(Tokenized, Scorer):"),
        (
            "core.numbers import",
            "core.inputs import REFERENCES, Input, texts\nfrom metrologue.scorers.core.numbers import",
        ),
        (
            "    about:",
            """\
    inputs: ClassVar[tuple[Input, ...]] = (
        texts("predictions"),
        texts("sources", about="the text before it was shortened"),
        REFERENCES,
    )
    about:""",
        ),
        (
            """\
    def _pair_statistics(self, segments: Segments) -> Floats:
        \"""Tokens of each pair of texts: that match, of the longer text.\"""
        view = self._view(segments)
        hypotheses, references = view.pairs
        lengths = np.diff(view.offsets)
        matches = paired_counts(view.paired, 1, False)
        return np.column_stack([matches, np.maximum(lengths[hypotheses], lengths[references])])
""",
            """\
    def _statistics(self, segments: Segments) -> Floats:
        \"""Tokens of each source: that the text has, all.\"""
        pairs = {"predictions": segments.predictions, "references": segments.columns["sources"]}
        view = self._view(Segments.of_columns(pairs))
        _, sources = view.pairs
        matches = paired_counts(view.paired, 1, False)
        return np.column_stack([matches, np.diff(view.offsets)[sources]])
""",
        ),
        ('corpus(["a b c d"], ["a b"])', 'corpus(["a b"], ["a"], sources=["a b c d"])'),
    ),
    PLAIN: (
        ("counts(hypothesis: Tokens, reference: Tokens)", "counts(hypothesis: Tokens, source: Tokens)"),
        (
            "(Counter(hypothesis) & Counter(reference)).total(), max(len(hypothesis), len(reference))",
            "(Counter(hypothesis) & Counter(source)).total(), len(source)",
        ),
        (
            "kept(hypotheses: list[Tokens], references: list[list[Tokens]])",
            "kept(hypotheses: list[Tokens], references: list[list[Tokens]], sources: list[Tokens])",
        ),
        ('kept([["a", "b", "c", "d"]], [[["a", "b"]]])', 'kept([["a", "b"]], [[["a"]]], [["a", "b", "c", "d"]])'),
        (
            """\
    best = [
        max((counts(hypothesis, reference) for reference in own), key=lambda pair: score(*pair))
        for hypothesis, own in zip(hypotheses, references, strict=True)
    ]
""",
            "    best = [*map(counts, hypotheses, sources)]\n",
        ),
    ),
    "tests/metrics/kept/test_properties.py": (
        ('corpus(["a b c d"], ["a b"])', 'corpus(["a b"], ["a"], sources=["a b c d"])'),
    ),
    "metrics/kept/README.md": (
        (
            'kept.compute(predictions=["the cat sat", "a dog"], references=["the cat sat down", "a dog"])',
            'texts = {"predictions": ["the cat sat", "a dog"], "references": ["the cat", "a dog"]}\n'
            '>>> kept.compute(**texts, sources=["the cat sat down", "a dog"])',
        ),
        ("- **tokenizer** (", "- **sources** (`list[str]`): the texts before they were shortened.\n- **tokenizer** ("),
        (
            'predictions=["a b c d"], references=["a b"], per_segment',
            'predictions=["a b"], references=["a"], sources=["a b c d"], per_segment',
        ),
    ),
}


@pytest.fixture(scope="module")
def tool(root: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("new_metric", root / "tools" / "new_metric.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def copied(root: Path, folder: Path) -> Path:
    """The parts of the tree that a metric lives in, as a tree of their own."""
    for name in FOLDERS:
        shutil.copytree(root / name, folder / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    for name in FILES:
        shutil.copyfile(root / name, folder / name)
    return folder


def run(tree: Path, *command: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tree / "src"), str(tree)])}
    return subprocess.run([sys.executable, *command], cwd=tree, env=environment, capture_output=True, text=True)


def contents(tree: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in tree.rglob("*") if path.is_file() and "__pycache__" not in path.parts}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "small letters, digits and single underscores are expected, a letter first"),
        ("Dice", "small letters"),
        ("2gram", "a letter first"),
        ("a__b", "single underscores"),
        ("a_", "single underscores"),
        ("../dice", "small letters"),
        ("dîce", "small letters"),
        ("a\n", "small letters"),
        ("lambda", "no keyword of Python"),
        ("a" * 21, "at most 20"),
        ("bleu", "metrologue.scorers has a Bleu already"),
        ("totals", "metrologue.scorers has a Totals already"),
        ("sacrebleu", "metrics/sacrebleu/README.md is there already"),
        ("core", "src/metrologue/scorers/core/__init__.py is there already"),
    ],
)
def test_names_that_are_refused(tool: ModuleType, root: Path, name: str, message: str) -> None:
    with pytest.raises(tool.Refused, match=message) as refused:
        tool.check(root, name)
    assert f"NAME is {name!r}; " in str(refused.value)


def test_a_name_that_is_refused_changes_nothing(root: Path, tmp_path: Path) -> None:
    tree = copied(root, tmp_path)
    before = contents(tree)
    done = run(tree, "tools/new_metric.py", "sacrebleu")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("NAME is 'sacrebleu'; ")
    assert contents(tree) == before


@pytest.mark.slow
def test_a_run_that_ends_midway_leaves_nothing_and_can_be_run_again(root: Path, tmp_path: Path) -> None:
    tree = copied(root, tmp_path)
    goldens = tree / "tools" / "goldens.py"
    working = goldens.read_text("utf-8")
    goldens.write_text("raise SystemExit('no goldens today')", "utf-8")
    before = contents(tree)
    done = run(tree, "tools/new_metric.py", "share")
    assert done.returncode == 1
    assert "no goldens today" in done.stderr
    assert contents(tree) == before
    assert not (tree / "metrics" / "share").exists()
    goldens.write_text(working, "utf-8")
    assert run(tree, "tools/new_metric.py", "share").returncode == 0


def test_what_is_made_works_at_once(root: Path, tmp_path: Path) -> None:
    """Its tests, its modules and its pages; the names are the shortest and the longest ones."""
    tree = copied(root, tmp_path)
    for name in ("q", "abcdefgh_jklmnopqrst"):
        made = run(tree, "tools/new_metric.py", name)
        assert made.returncode == 0, made.stderr
        listed = {tree / line for line in made.stdout.splitlines()}
        assert listed >= {*tree.rglob(f"{name}.py"), *(path for path in tree.rglob(f"{name}/*.*") if path.is_file())}
        assert all(path.is_file() for path in listed)
    code = "import metrologue as m; print(m.AbcdefghJklmnopqrst.name, m.Q().corpus(['a b'], ['a']).value)"
    named = run(tree, "-c", code)
    assert named.stdout == "abcdefgh_jklmnopqrst 0.5\n", named.stderr
    stale = run(tree, "-m", "docs", "--check")
    assert stale.returncode == 0, stale.stdout
    if importlib.util.find_spec("ruff"):
        for command in (["check"], ["format", "--check"]):
            done = run(tree, "-m", "ruff", *command, "--no-cache", ".")
            assert done.returncode == 0, done.stdout


@pytest.mark.slow
def test_what_is_made_passes_its_tests(root: Path, tmp_path: Path) -> None:
    tree = copied(root, tmp_path)
    assert run(tree, "tools/new_metric.py", "share").returncode == 0
    everywhere = ("tests/parity/test_contract.py", "tests/properties/test_scorers.py", "tests/bridge", "tests/spaces")
    for folders in (["tests/metrics/share", "src/metrologue/scorers/share"], ["-k", "share or Share", *everywhere]):
        done = run(tree, "-m", "pytest", "-q", "-p", "no:cacheprovider", *folders)
        assert done.returncode == 0, done.stdout
    assert run(tree, "-m", "metrologue", "score", "--help").returncode == 0
    if importlib.util.find_spec("mypy"):
        done = run(tree, "-m", "mypy", "src/metrologue/scorers/share")
        assert done.returncode == 0, done.stdout


@pytest.mark.slow
def test_a_metric_with_a_third_text_passes_its_tests(root: Path, tmp_path: Path) -> None:
    """What is edited is its own files; the tests of all metrics give what it requires."""
    tree = copied(root, tmp_path)
    assert run(tree, "tools/new_metric.py", "kept").returncode == 0
    for file, changes in WITH_SOURCES.items():
        text = (tree / file).read_text("utf-8")
        for before, after in changes:
            assert text.count(before) == 1, (file, before)
            text = text.replace(before, after)
        (tree / file).write_text(text, "utf-8")
    for command in (["tools/goldens.py", "kept"], ["-m", "docs"]):
        done = run(tree, *command)
        assert done.returncode == 0, done.stderr
    rooms = ("bridge", "inference", "integrations", "metrics", "parity", "properties", "tracing")
    files = ("docs/test_docs", "package/test_messages", "package/test_names", "package/test_startup")
    places = [*(f"tests/{room}" for room in rooms), *(f"tests/{file}.py" for file in files)]
    done = run(tree, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--metric", "kept", "src/metrologue", *places)
    assert done.returncode == 0, done.stdout
