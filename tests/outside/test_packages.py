"""Metrics of other packages: they are found by their entry points, and each fault costs its own metric alone."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

# A package's code: a metric called NAME, with words that are one word longer or shorter.
METRIC = '''
from dataclasses import dataclass
from typing import ClassVar
import numpy as np
from metrologue.author import About, PairScorer, Tokenized, Variant, by_name, counted, number, option, ratio

@dataclass(frozen=True, kw_only=True)
class Gap(Tokenized, PairScorer):
    """Difference of the lengths; lower is better."""

    name: ClassVar[str] = "NAME"
    about: ClassVar[About] = About(papers=("gap-2026",))
    floor: int = option(1, stage="score", choice="floor", least=1, greatest=9, about="The least length.")
    _columns = ("difference", "reference_length")
    numbers: ClassVar = (
        number("NAME", 0, float("inf"), better="lower", title="Gap", unit="", about="gap per word"),
        counted("difference", "words", about="words too many or too few"),
        counted("reference_length", "words", about="words of the references"),
    )
    _variants: ClassVar = {"gap": Variant("gap", "the package's own")}

    def _pair_statistics(self, segments):
        view = self._view(segments)
        hypotheses, references = view.pairs
        lengths = np.diff(view.offsets).astype(float)
        return np.column_stack([abs(lengths[hypotheses] - lengths[references]), lengths[references]])

    def _score(self, statistics):
        counts = by_name(self._columns, statistics)
        return {"NAME": ratio(counts["difference"], np.maximum(counts["reference_length"], self.floor)), **counts}
'''
TRACE = """
from metrologue.scorers.core.trace import trace_of

def build(scorer, segment):
    return trace_of(scorer, scorer.corpus(segment), "a formula of its own", [])
"""
IMPORTS = """
import warnings
import metrologue
from metrologue.errors import InputError
from metrologue.scorers import make_scorer
"""
PAPERS = "@misc{gap-2026,\n  title = {The gap},\n  author = {Nobody},\n  year = {2026}\n}\n"


def installed(site: Path, package: str, metric: str, code: str | None = None) -> Path:
    """A package as an installer leaves it in a folder, whose home brings one metric; the folder of the home."""
    home = site / package / metric
    home.mkdir(parents=True)
    (site / package / "__init__.py").touch()
    (home / "__init__.py").write_text(METRIC.replace("NAME", metric) if code is None else code)
    (home / "papers.bib").write_text(PAPERS)
    (home / "formula.tex").write_text("g = h - r\n% h : the words of the hypothesis\n")
    (home / "trace.py").write_text(TRACE)
    facts = site / f"{package}-0.3.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 0.3\n")
    (facts / "entry_points.txt").write_text(f"[metrologue.metrics]\n{metric} = {package}.{metric}:Gap\n")
    return home


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Runs code in a new process that has the packages of the folder `site`; what it prints."""
    (tmp_path / "site").mkdir()
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "site"))

    def result(code: str, folder: Path = tmp_path) -> str:
        done = subprocess.run([sys.executable, "-c", IMPORTS + code], capture_output=True, text=True, cwd=folder)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    return result


def test_a_home_of_a_package_is_a_home_like_any_other(run: Callable[..., str], tmp_path: Path) -> None:
    home = installed(tmp_path / "site", "outside", "gap")
    (home / "training.py").write_text("RECIPE = 'its recipe'\n")
    code = """
from metrologue.pages.formulas import definition_of
from metrologue.scorers.core.citing import bibtex, named_paper
from metrologue.scorers.core.homes import folder_of, homes, part_of
assert metrologue.score("gap", ["a b c"], ["a b"]).value == 0.5
assert "gap" in homes() and "gap" in metrologue.list_metrics() and "gap" in metrologue.scorers.list_scorers()
scorer = make_scorer("gap:gap", floor=2)
assert bibtex([scorer])[0].startswith("@misc{gap-2026")
assert named_paper("gap-2026") == "Nobody 2026"
assert definition_of("gap").lines == ("g = h - r",)
assert part_of("gap", "training").RECIPE == "its recipe" and part_of("gap", "network") is None
assert metrologue.trace(scorer, "a b c", ["a b"]).formula == "a formula of its own"
assert metrologue.load("gap").compute(predictions=["a b c"], references=["a b"]) == {"gap": 0.5}
print(folder_of("gap"), scorer.signature)
"""
    folder, signature = run(code).split(" ", 1)
    assert Path(folder) == home
    assert signature.startswith("gap|aggregation=corpus|")
    assert "|floor=2|package=outside-0.3|" in signature


def test_a_package_may_ship_a_module(run: Callable[..., str], tmp_path: Path) -> None:
    installed(tmp_path / "site", "outside", "gap")
    module = tmp_path / "site" / "outside" / "metrics" / "gap"
    module.mkdir(parents=True)
    (module / "gap.py").write_text(
        "import evaluate\nfrom metrologue.bridge import MetricModule\n\n"
        'class Gap(MetricModule, evaluate.Metric):\n    """The gap.\n\n    Returns:\n        gap: the gap.\n    """\n\n'
        '    metric = "gap"\n    default_variant = "gap"\n    reported = ("gap", "reference_length")\n'
    )
    code = """
from metrologue.bare_names import module_class
print(metrologue.module_path("gap"), module_class("gap").reported)
assert metrologue.load("gap").compute(predictions=["a"], references=["a b"]) == {"gap": 0.5, "reference_length": 2}
"""
    assert run(code) == f"{module} ('gap', 'reference_length')"


def test_a_package_that_is_missing_is_named(run: Callable[..., str], tmp_path: Path) -> None:
    signature = "gap|mirrors=gap|floor=2|package=outside-0.3|metrologue=0.1"
    code = f"try: make_scorer({signature!r})\nexcept InputError as error: print(error)"
    assert "comes with the package 'outside-0.3', which is not installed here" in run(code)
    installed(tmp_path / "site", "outside", "gap")
    assert run(f"print(make_scorer({signature!r}).floor)") == "2"
    off = "import os\nos.environ['METROLOGUE_PLUGINS'] = '0'\n"
    assert "is switched off by METROLOGUE_PLUGINS=0" in run(off + code)
    assert run(off + "print('gap' in metrologue.list_metrics())") == "False"


@pytest.mark.parametrize(
    ("code", "fault"),
    [
        ("import no_such_module", "outside 0.3: the metric 'gap' cannot be imported: ModuleNotFoundError: No module"),
        ("Gap = 3", "outside 0.3: the metric 'gap': outside.gap:Gap is not the class of a metric"),
        (METRIC.replace("NAME", "other"), "outside 0.3: the metric 'gap': outside.gap:Gap is the metric 'other'"),
        ("raise SystemError('stop')", "outside 0.3: the metric 'gap' cannot be imported: SystemError: stop"),
    ],
)
def test_a_package_with_a_fault_costs_its_own_metric(
    code: str, fault: str, run: Callable[..., str], tmp_path: Path
) -> None:
    installed(tmp_path / "site", "outside", "gap", code)
    installed(tmp_path / "site", "another", "distance")
    told = run("""
with warnings.catch_warnings(record=True) as found:
    warnings.simplefilter("always")
    names = metrologue.list_metrics()
    assert "distance" in names and "bleu" in names and "gap" not in names
    metrologue.list_metrics()
[one] = found
print(one.message)
try: metrologue.score("gap", ["a"], ["a"])
except InputError as error: print(error)
assert metrologue.score("distance", ["a b c"], ["a b"]).value == 0.5
assert metrologue.score("rouge1", ["a b c"], ["a b"]).value > 0  # which looks at all metrics
""")
    listed, scored = told.splitlines()
    assert listed.startswith(fault)
    assert listed.endswith("All other metrics work.")
    assert scored.startswith(fault)


def test_a_name_of_two_packages_is_refused(run: Callable[..., str], tmp_path: Path) -> None:
    installed(tmp_path / "site", "outside", "gap")
    installed(tmp_path / "site", "another", "gap")
    told = run("""
warnings.simplefilter("ignore")
assert "gap" not in metrologue.list_metrics()
try: metrologue.score("gap", ["a"], ["a"])
except InputError as error: print(error)
""")
    assert "'gap' is brought by several packages, another 0.3 and outside 0.3" in told


def test_a_name_of_ours_stays_ours(run: Callable[..., str], tmp_path: Path) -> None:
    installed(tmp_path / "site", "outside", "bleu")
    told = run("""
with warnings.catch_warnings(record=True) as found:
    warnings.simplefilter("always")
    assert "bleu" in metrologue.list_metrics()
print(found[0].message)
assert metrologue.scorers.get_scorer("bleu").__module__ == "metrologue.scorers.bleu"
try: import outside.bleu
except TypeError as error: print(error)
""")
    listed, imported = told.splitlines()
    assert "outside 0.3 brings a metric 'bleu', and metrologue has one of this name" in listed
    assert "metrologue.scorers.bleu" in imported


def test_nothing_is_imported_from_the_folder_in_which_a_user_stands(run: Callable[..., str], tmp_path: Path) -> None:
    here = tmp_path / "here"
    installed(here, "outside", "gap", "print('imported')")
    assert run("print('gap' in metrologue.list_metrics())", here) == "False"
    # Nor does a folder of its name there come before the package that is installed.
    installed(tmp_path / "site", "outside", "gap")
    told = run("try: metrologue.score('gap', ['a'], ['a'])\nexcept InputError as error: print(error)", here)
    assert "in the folder in which you stand, is not imported" in told
    assert "imported\n" not in f"{told}\n".replace("not imported", "")


def test_packages_are_not_read_for_a_name_of_ours(run: Callable[..., str]) -> None:
    code = """
import sys
for name in ("bleu", "bleu:nltk", "bleu[max_order=2]", "chrF2++", "BLEU"):
    metrologue.score(name, ["a b c d"], ["a b c d"])
    assert "importlib.metadata" not in sys.modules, name
"""
    run(code)
