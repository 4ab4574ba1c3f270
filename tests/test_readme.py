"""The README: whatever it shows runs, and gives what it says."""

import doctest
import re
import shlex
import tomllib

import numpy as np
import pytest
from click.testing import CliRunner

from metrologue.cli import main
from metrologue.comparison.libraries import get_library
from metrologue.scorers import Bleu, get_scorer, list_scorers


@pytest.fixture(scope="module")
def readme(root) -> str:
    return (root / "README.md").read_text("utf-8")


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def test_sessions_print_what_they_show(readme):
    sessions = [block for block in blocks(readme, "python") if block.startswith(">>>")]
    test = doctest.DocTestParser().get_doctest("\n".join(sessions), {}, "README.md", None, None)
    assert len(test.examples) > 5
    report = []
    doctest.DocTestRunner().run(test, out=report.append)
    assert not report, "".join(report)


class Tokenizer:
    """A tokenizer in the manner of transformers: ids of words, -100 nowhere."""

    words = ("<pad>", "the", "cat", "sat", "on", "mat", "a")
    pad_token_id = 0

    def batch_decode(self, rows, skip_special_tokens):
        assert skip_special_tokens
        assert np.min(rows) >= 0
        return [" ".join(self.words[i] for i in row if i) for row in rows]


def test_training_script(readme):
    [script] = [block for block in blocks(readme, "python") if "compute_metrics" in block]
    namespace = {"tokenizer": Tokenizer()}
    exec(script, namespace)
    predictions = np.array([[1, 2, 3, 4, 1, 5, 0], [6, 2, 3, 4, 6, 5, -100]])
    labels = np.array([[1, 2, 3, 4, 6, 5, -100, -100], [6, 2, 3, 4, 6, 5, -100, -100]])
    texts = ["the cat sat on the mat", "a cat sat on a mat"]
    expected = Bleu.variant("sacrebleu").corpus(texts, ["the cat sat on a mat", "a cat sat on a mat"]).value
    assert namespace["compute_metrics"]((predictions, labels)) == {"sacrebleu": expected}


def commands(text: str) -> list[list[str]]:
    lines = [line for block in blocks(text, "sh") for line in block.splitlines()]
    return [shlex.split(line, comments=True) for line in lines]


def test_every_command_runs(readme, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for module in ("harness", "libraries"):
        monkeypatch.setattr(f"metrologue.comparison.{module}.adapters", lambda metric: [get_library("nltk")])
    for name in ("hyp.txt", "other.txt", "ref.txt"):
        (tmp_path / name).write_text("".join(f"the {name} {i} is on the mat\n" for i in range(4)))
    ours = [command[1:] for command in commands(readme) if command[0] == "metrologue"]
    assert {command[0] for command in ours} == set(main.commands)
    for command in ours:
        result = CliRunner().invoke(main, command)
        assert result.exit_code == 0, (command, result.output)


def test_every_target_is_in_the_makefile(readme, root):
    named = set(re.findall(r"(?:^|`)make ([a-z-]+)", readme, re.MULTILINE))
    makefile = (root / "Makefile").read_text("utf-8")
    [phony] = re.findall(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    assert {"report", "test", "test-all", "bench", "lint"} <= named <= set(phony.split())
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in named)


def test_every_metric_is_in_the_index(readme):
    rows = re.findall(r"^\| \[`(.*?)`\]\(.*?\) \| .* \| (.*?) \|$", readme, re.MULTILINE)
    assert rows == [(name, ", ".join(f"`{each}`" for each in get_scorer(name).variants())) for name in list_scorers()]


def test_extras_are_those_of_the_package(readme, root):
    extras = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"].keys()
    sentence = readme[readme.index("Extras:") :].partition("\n\n")[0]
    assert set(re.findall(r"`([a-z]+)` \(", sentence)) == extras - {"test", "lint"}


def test_links_lead_somewhere(readme, root):
    targets = re.findall(r"\]\((?!https?:)([^)#]+)", readme)
    assert targets
    assert [target for target in targets if not (root / target).is_file()] == []
