"""No tracked file has a path of the machine on which it was written."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

# The homes of people, and folders that only some machines have. The brackets keep this file out.
_PATH = re.compile(r"(?<![\w.~)])/(?:wor[k]|far[m]|tmp/bash_jo[b]\w*|roo[t]|hom[e]/\w[\w-]*)(?![\w-])")
_OF_NOBODY = re.compile(r"/hom[e]/(me|you|user|USER|NAME)(?![\w-])")


def _machine_paths(text: str) -> list[str]:
    return [found[0] for found in _PATH.finditer(text) if not _OF_NOBODY.fullmatch(found[0])]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('Path("/wor{}k/shared/data")', ["/wor{}k"]),
        ("see /tmp/bash_jo{}bs.0/1/stdout", ["/tmp/bash_jo{}bs"]),
        ("file:///hom{}e/anna/x and /roo{}t", ["/hom{}e/anna", "/roo{}t"]),
        ("/hom{}e/me/metrologue", []),
        ("stand/VERB/0/roo{}t, /wor{}kspace, a/wor{}k, ~/wor{}k", []),
    ],
)
def test_what_is_a_path_of_a_machine(text: str, found: list[str]) -> None:
    assert _machine_paths(text.replace("{}", "")) == [each.replace("{}", "") for each in found]


def test_no_tracked_file_has_a_path_of_a_machine(root: Path) -> None:
    if not (root / ".git").exists():
        pytest.skip("no checkout of git: there is no list of the tracked files")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, check=True).stdout
    paths = [root / name for name in listed.decode().split("\0") if name]
    texts = {path: path.read_bytes().decode("utf-8", "replace") for path in paths if path.is_file()}
    assert len(texts) > 100
    assert {str(path.relative_to(root)): found for path, text in texts.items() if (found := _machine_paths(text))} == {}
