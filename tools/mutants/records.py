"""What became of each change: a file of lines of JSON that is only appended to."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

from tools.mutants.mutations import Mutant

__all__ = ["Outcome", "Records"]


@dataclass(frozen=True)
class Outcome:
    """What the tests said.

    Attributes
    ----------
    result : str
        "killed", "timeout" or "survived".
    by : str
        The first test that failed.
    seconds : float
        Of the processor.
    ran : tuple of str
        The files and folders of tests that ran.
    """

    result: str
    by: str
    seconds: float
    ran: tuple[str, ...]


class Records:
    """The outcomes so far that still hold."""

    def __init__(self, path: Path, root: Path) -> None:
        self.path, self.root = path, root
        self.lines: dict[str, dict[str, object]] = {}
        if path.is_file():
            for line in path.read_text("utf-8").splitlines():
                entry = json.loads(line)
                self.lines[entry["key"]] = entry

    def add(self, mutant: Mutant, outcome: Outcome, tree: Path) -> None:
        """Keep an outcome of the files and tests as they are in `tree`."""
        entry = {"key": mutant.key, "path": mutant.path, "file": _digest(tree, mutant.path), **asdict(outcome)}
        if outcome.result == "survived":
            entry["tests"] = _digest(tree, *outcome.ran)
        self.lines[mutant.key] = entry
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")

    def outcome(self, mutant: Mutant) -> Outcome | None:
        """What is known; None if the file, or the tests that it survived, are others now."""
        entry = self.lines.get(mutant.key)
        if entry is None or entry["file"] != _digest(self.root, mutant.path):
            return None
        ran: tuple[str, ...] = tuple(entry["ran"])  # type: ignore[arg-type]
        if entry["result"] == "survived" and entry["tests"] != _digest(self.root, *ran):
            return None
        return Outcome(str(entry["result"]), str(entry["by"]), float(str(entry["seconds"])), ran)

    def noticed(self, path: str) -> Counter[str]:
        """How many changes of a file each file of tests noticed."""
        return Counter(str(each["by"]).partition("::")[0] for each in self.lines.values() if each["path"] == path)


def _digest(root: Path, *paths: str) -> str:
    digest = sha256()
    for path in map(root.joinpath, paths):
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]
