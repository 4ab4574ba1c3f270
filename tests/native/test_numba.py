"""What we rely on of numba, which is private there: a few modules, and bounds that are tested."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
import venv
from importlib.metadata import version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.version import Version


@pytest.fixture
def bounds(root: Path) -> SpecifierSet:
    """The versions of numba that the extra `kernels` allows. The build asks for the same."""
    extras = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    [line] = extras["kernels"]
    return Requirement(line).specifier


def test_only_the_compiler_and_instructions_name_numba(root: Path):
    """An instruction names types of numba inside its definition, which only the compiler runs."""
    naming = {
        str(path.relative_to(root / "src" / "metrologue"))
        for path in (root / "src" / "metrologue").rglob("*.py")
        if re.search(r"^\s*(import|from) (numba|llvmlite)", path.read_text("utf-8"), re.MULTILINE)
    }
    native = {"native/compiler.py", "native/kept.py", "native/llvm.py"}
    assert naming == native | {"inference/kernels.py", "kernels/words.py"}


def test_the_newest_version_that_is_allowed_is_the_one_that_is_tested(bounds: SpecifierSet):
    """The bound is the next minor version. Move it with a new numba, after the slow test below has passed."""
    installed = Version(version("numba"))
    assert installed in bounds
    assert Version(f"{installed.major}.{installed.minor + 1}") not in bounds


@pytest.mark.slow
@pytest.mark.network
def test_the_oldest_version_that_is_allowed_builds_the_library(bounds: SpecifierSet, root: Path, tmp_path: Path):
    [oldest] = [part.version for part in bounds if part.operator == ">="]
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", f"numba=={oldest}.*", "pyarrow"], check=True)
    command = [python, "-m", "metrologue.kernels.build", "--out", tmp_path]
    environment = {**os.environ, "PYTHONPATH": str(root / "src")}
    subprocess.run(command, env=environment, check=True)
    code = (
        "from pathlib import Path\nfrom metrologue.native import library\n"
        f"made = next(Path({str(tmp_path)!r}).glob('metrologue.kernels.*'))\nlibrary.path_of_library = lambda: made\n"
        "from metrologue.scorers import Bleu, Chrf, Ter\n"
        "print([kind().corpus(['a b c d e'], ['a b c d f']).value for kind in (Bleu, Chrf, Ter)])"
    )
    done = subprocess.run([python, "-c", code], env=environment, check=True, capture_output=True, text=True)
    from metrologue.scorers import Bleu, Chrf, Ter

    assert done.stdout.strip() == str([kind().corpus(["a b c d e"], ["a b c d f"]).value for kind in (Bleu, Chrf, Ter)])
