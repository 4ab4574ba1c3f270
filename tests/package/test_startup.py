"""What a new process loads before its first number. Time is measured by the checks of a release; modules are exact."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrologue.data.intake import as_text
from metrologue.data.strings import of_numbers, of_strings
from metrologue.errors import InputError
from metrologue.scorers import Scorer
from metrologue.scorers.core.homes import homes, own_homes, package_of_home
from tools.stub import STUB, stub

# What is slow to import, and not needed for a score of lists or of text files.
SLOW = (
    "click", "concurrent.futures", "datasets", "difflib", "evaluate", "html", "importlib.metadata",
    "importlib.resources", "jinja2", "llvmlite", "numba", "pandas", "pyarrow", "rich", "scipy", "tempfile",
    "torch",
)  # fmt: skip


def loaded(code: str, folder: Path) -> set[str]:
    """The modules that a new process has loaded after this code."""
    code += "\nimport sys\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=folder)
    return set(done.stdout.splitlines()[-1].split())


def test_a_first_score_of_lists_loads_nothing_slow(tmp_path: Path) -> None:
    found = loaded("import metrologue\nmetrologue.score('bleu', ['a b c d e'], ['a b c d f'])", tmp_path)
    assert found & {*SLOW} == set()
    # Nor other metrics, stemmers and lexical data.
    others = {package_of_home(name) for name in homes()} - {"metrologue.scorers.bleu"}
    assert found & others == set()
    assert found & {"metrologue.inference", "metrologue.text.lexicon.lookup", "metrologue.text.stemmers"} == set()


SCORE_ALL = """
import sys, warnings
import metrologue
from layouts import columns_of
from metrologue.scorers import list_scorers

warnings.simplefilter("ignore")
from types import SimpleNamespace
from metrologue.representations import WordVectors
keyed = SimpleNamespace(index_to_key=["cat", "dogs"], vectors=[[1.0, 0.0], [0.0, 1.0]])
vectors = WordVectors.of_keyed_vectors(keyed)
words = dict.fromkeys(("rouge_we", "wmd"), {"vectors": vectors})
words |= {"meant": {"beta": 0.0}, "smd": {"vectors": vectors, "sentences": "newline"}}  # nltk may load pandas
words["readability"] = {"sentences": "lines"}
words["word_length"] = {"tokenizer": "whitespace"}
texts = ["the cat sat on the mat .", "dogs run fast", "\u00e9t\u00e9 3.5", "a", "a b"]
other_texts = [text + " today" for text in texts]
labels, probabilities, hashed = (["a", "b"], ["a", "a"]), ([[0.5, 0.25], [0.5]],), (["cat:1", "dog:1"], ["cat", "dog"])
inputs = {
    **dict.fromkeys(("accuracy", "confusion_matrix", "f1", "matthews_correlation", "precision", "recall"), labels),
    "seqeval": labels,
    **dict.fromkeys(("cross_entropy", "likelihood", "perplexity"), probabilities),
    **dict.fromkeys(("likelihood_hashed", "log_loss_hashed", "perplexity_hashed"), hashed),
    "peak": ([[("a b", "c", "d")]], [[[("a", "c", "d"), ("e", "f", "g")], [("a", "c", "d")]]]),
    "huse": ([[i % 5, -i, 1 + i % 3] for i in range(18)], ["human", "model"] * 9),
    "spice": ([[("cat",), ("cat", "red")]], [[[("cat",)], [("cat", "on", "mat")]]]),
}
from metrologue.representations import FunctionEncoder
encoder = FunctionEncoder("lengths", lambda texts: [[[len(w), 1] for w in text.split()] for text in texts], "1")
fields = {name: {"average": "macro"} for name in ("f1", "precision", "recall")}
from metrologue.representations import FunctionEntailment
fields["nli_faithfulness"] = {"model": FunctionEntailment("none", lambda premise, text: (0, 1, 0), "1")}
fields |= {name: {"model": encoder} for name in ("bertscore", "moverscore", "semantic_similarity")}
from metrologue.learned import sample_model
from metrologue.learned.store import sampled
fields |= {name: {"model": sample_model(name)} for name in sampled()}
from metrologue.learned import PairFunction
lengths = PairFunction("lengths", "1", lambda references, texts: [float(len(text)) for text in texts])
fields["bleurt"] = {"model": lengths.model("bleurt")}
for name in list_scorers():
    # METEOR converts its tables when it is first used; the others need a model or a function.
    if name not in ("bartscore", "comet", "fed", "judged", "meteor", "metricx", "unieval", "usr"):
        columns = columns_of(name, *inputs.get(name, (texts, other_texts)))
        metrologue.score(name, **columns, **fields.get(name, {}), **words.get(name, {}))
        assert "pandas" not in sys.modules, name
metrologue.score("bleu", texts, other_texts, confidence=0.95)
"""


def test_a_first_command_loads_nothing_slow(tmp_path: Path) -> None:
    for name in ("hyp.txt", "ref.txt"):
        (tmp_path / name).write_text("a b c d e\n", "utf-8")
    code = (
        "import sys\nfrom metrologue.cli import main\n"
        "main(['score', 'bleu', '-p', 'hyp.txt', '-r', 'ref.txt'], standalone_mode=False)"
    )
    found = loaded(code, tmp_path)
    assert found & ({*SLOW} - {"click", "difflib"}) == set()
    assert found & {"metrologue.cli.compare", "metrologue.comparison", "metrologue.inference"} == set()


def test_no_metric_loads_pandas_for_lists(root: Path, tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    ours = f"import sys\nsys.path.append({str(root / 'tests' / 'helpers')!r})"
    assert "pandas" not in loaded(ours + SCORE_ALL, tmp_path)


def test_each_home_has_its_metric() -> None:
    """The folder's name is the metric's; the stub, which type checkers read, has its class."""
    for name in homes():
        assert (kind := Scorer._registered[name]).name == name
        assert kind.__module__ == package_of_home(name)
        assert (kind.__module__ == f"metrologue.scorers.{name}") is (name in own_homes())
    assert STUB.read_text("utf-8") == stub(), "make docs"


class Louder(str):
    """A str that says something else than its text."""

    __slots__ = ()

    def __str__(self) -> str:
        return "not this"

    def __len__(self) -> int:
        return 99

    def encode(self, *arguments: object) -> bytes:  # type: ignore[override]
        return b"nor this"


class TestTexts:
    @pytest.mark.parametrize(
        "texts",
        [
            [],
            [""],
            ["", "a", ""],
            ["é", "", "a\U0001f642b", "\x00", "\r\n\u2028"],
            [f"line {i}" for i in range(2000)],
            [f"line {i}" + "é" * (i % 300 == 299) for i in range(2000)],
            ["é" * 256, *["a"] * 256, "ü", "a" * 100_000],
        ],
        ids=range(7),
    )
    def test_of_strings_is_what_arrow_makes(self, texts: list[str]) -> None:
        found = of_strings(texts)
        found.validate(full=True)
        assert found.equals(pa.array(texts, pa.large_string()))

    def test_a_subclass_of_str_counts_as_its_text(self) -> None:
        texts = [Louder("a"), "b", np.str_("é"), Louder("ü")]
        assert as_text(texts, "predictions", "Bleu").to_pylist() == ["a", "b", "é", "ü"]
        assert as_text([Louder("only")], "predictions", "Bleu").to_pylist() == ["only"]
        assert as_text(np.array(["a", "ü"]).tolist(), "predictions", "Bleu").to_pylist() == ["a", "ü"]

    @pytest.mark.parametrize(
        ("value", "message"),
        [
            ("a\ud800", r"`predictions\[300\]` holds a lone surrogate"),
            (Louder("a\udfff"), r"`predictions\[300\]` holds a lone surrogate"),
            (None, r"`predictions\[300\]` is None; drop the segment"),
            (float("nan"), r"`predictions\[300\]` is float nan; drop the segment"),
            (b"a", r"`predictions\[300\]` is bytes b'a'; a str is expected"),
            (3, r"`predictions\[300\]` is int 3; a str is expected"),
        ],
    )
    @pytest.mark.parametrize("around", ["a", "é"])
    def test_what_is_no_text_is_named(self, value: object, message: str, around: str) -> None:
        with pytest.raises(InputError, match=message):
            as_text([*[around] * 300, value, around], "predictions", "Bleu")


@given(st.lists(st.text(), max_size=20), st.integers(1, 300))
def test_of_strings_of_any_text(texts: list[str], times: int) -> None:
    assert of_strings(texts * times).equals(pa.array(texts * times, pa.large_string()))


@pytest.mark.parametrize("kind", [np.int32, np.int64, np.uint64, np.float64, np.float32])
def test_of_numbers_is_what_arrow_makes(kind: type) -> None:
    values = np.arange(12).astype(kind)
    for part in (values, values[3:7], values[::2], values[:0]):
        found = of_numbers(part)
        found.validate(full=True)
        assert found.equals(pa.array(part))
