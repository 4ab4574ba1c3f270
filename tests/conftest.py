"""What all tests share: where the large files are, and how hypothesis searches."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).parents[1]

# The first example of a test may compile a kernel or import a library: no deadline. The same examples on every run:
# a failure on somebody's machine is one that everybody can see.
settings.register_profile(
    "metrologue",
    deadline=None,
    derandomize=True,
    max_examples=int(os.environ.get("METROLOGUE_EXAMPLES", "30")),
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=True,
)
settings.load_profile("metrologue")


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


@pytest.fixture(scope="session")
def newstest(shared_data: Path) -> tuple[dict[str, list[str]], list[str]]:
    """newstest2017 English-German: the 16 systems' outputs by name, and the reference, 3,004 segments each."""
    folder = shared_data / "wmt17_ende"
    if not folder.is_dir():
        pytest.skip(f"no folder {folder} with newstest2017")

    def lines(path: Path) -> list[str]:
        return path.read_text("utf-8").removesuffix("\n").split("\n")

    systems = {path.name: lines(path) for path in sorted((folder / "systems").iterdir())}
    return systems, lines(folder / "reference.de")
