"""What the tests of the package and those of research share: the caches, how hypothesis searches, and fixtures."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

# The caches of `evaluate` are this process's own. They are read when it is imported.
os.environ["HF_METRICS_CACHE"] = tempfile.mkdtemp(prefix="metrologue-tests-")
os.environ["HF_MODULES_CACHE"] = os.path.join(os.environ["HF_METRICS_CACHE"], "modules")
# A name of no model is looked for on the Hub, six times, where there is no network: for a minute. Tests marked
# `network` need HF_HUB_OFFLINE=0. This is read when huggingface_hub is imported.
os.environ.setdefault("HF_HUB_OFFLINE", "1")

import pytest
from amounts import EXAMPLES
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).parents[2]


class Unused(ModuleType):
    """What `evaluate` imports from its evaluator, which imports torch: seconds, for what no test uses."""

    def __getattr__(self, name: str) -> None:
        if name.startswith("__"):
            raise AttributeError(name)


sys.modules["evaluate.evaluator"] = Unused("evaluate.evaluator")

# The first example of a test may compile a kernel or import a library: no deadline. The same examples on every run:
# a failure on somebody's machine is one that everybody can see.
settings.register_profile(
    "metrologue",
    deadline=None,
    derandomize=True,
    max_examples=EXAMPLES,
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=True,
)
settings.load_profile("metrologue")


def pytest_unconfigure() -> None:
    shutil.rmtree(os.environ["HF_METRICS_CACHE"], ignore_errors=True)


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Of what is not a test, only the definitions in plain Python have examples."""
    helper = collection_path.suffix == ".py" and not collection_path.name.startswith(("test_", "plain."))
    return True if helper else None


@pytest.fixture
def ended_when(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Within this, a training ends when a function of its run and its file says so; the file is written before."""

    @contextmanager
    def ended(when: Callable[[Any, Path], bool]) -> Iterator[None]:
        from metrologue.learned.training import loop

        save = loop._Run._save

        def save_and_end(run: Any, path: Path) -> None:
            save(run, path)
            if when(run, path):
                raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr(loop._Run, "_save", save_and_end)
            yield

    return ended


@pytest.fixture
def torch() -> Any:
    """The package; a test that needs it is left out where it is missing."""
    return pytest.importorskip("torch", reason="torch is not installed: pip install 'metrologue[transformers]'")


@pytest.fixture(scope="session")
def root() -> Path:
    """The root of the repository."""
    return ROOT


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of public test data beside the repository, too large to live in it."""
    folder = ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(f"no folder {folder} with the public test data (WMT 2017 and others)")
    return folder
