"""The page on versions: which version of a library each variant mirrors, and what `make drift` has found."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from metrologue.scorers import get_scorer, list_scorers

__all__ = ["versions"]

_MOST = 40  # characters of an option
_RECORD = Path(__file__).with_name("versions.json")
_HEAD = """# Which version gives which number?

A variant gives the number of one version of a library. `make drift` installs other versions of each library beside that
one, runs the same calls in both, and compares each number. This page is made of what it found; `python -m docs` writes
it.

- [Other versions](#other-versions): what a paper's number means that was computed with an older version.
- [Variants](#variants): the version that each variant mirrors, and what the newest version changes.

## Other versions

The texts are a readable pair of sentences and generated ones, among them empty texts, odd characters and repeated
words, so the shares do not say how many numbers of a real corpus change. "Default" is the library's call as the variant
makes it; under "options", the tests draw other ones. A number is changed if it differs by more than 1e-12; so a library
that rounds differently changes every number. "Not given" are numbers that the version refuses to compute and the
present one does, with the error. All other libraries are the present ones, so it may be that the two do not fit.

"""
_TABLE = (
    "| version | variant | default | options | an example: the older number, the present one |\n" + "| --- " * 5 + "|\n"
)
_VARIANTS = "| variant | mirrors | live | newest | checked | numbers that changed |\n" + "| --- " * 6 + "|\n"


def versions() -> str:
    """The page."""
    record: dict[str, Any] = json.loads(_RECORD.read_text("utf-8")) if _RECORD.is_file() else {}
    variants = [
        _variant(name, variant, facts.library, facts.version, (facts.live or "").rpartition(".")[0], record)
        for name in list_scorers()
        for variant, facts in get_scorer(name).variants().items()
        if facts.library != "metrologue"
    ]
    older = [_older(library, kept["older"]) for library, kept in record.items() if kept["older"]]
    return _HEAD + "\n".join(older) + "\n## Variants\n\n" + _VARIANTS + "".join(map(_line, variants))


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


def _older(library: str, entries: dict[str, Any]) -> str:
    """The section of a library."""
    present = next(iter(entries.values()))["present"]
    rows = [row for version in sorted(entries, key=_in_order) for row in _version(version, entries[version])]
    return f"### {library}, compared with {present}\n\n{_TABLE}{''.join(map(_line, rows))}"


def _in_order(version: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", version)]


def _version(version: str, entry: dict[str, Any]) -> Iterator[list[str]]:
    """The rows of a version: one for each variant with another number, and one for all others."""
    if "reason" in entry:
        yield [version, "-", "-", "-", f"It cannot be compared: {_safe(entry['reason'])}"]
        return
    same = []
    for name, found in entry["variants"].items():
        both = found["default"], found["options"]
        if not any(each[key] for each in both for key in ("changed", "lost", "gained")):
            same.append(_named(name))
        else:
            yield [version, _named(name), *map(_counts, both), _example(found)]
    if same:
        yield [version, ", ".join(same), "the same", "the same", ""]


def _counts(found: dict[str, int]) -> str:
    """What changed under one kind of options."""
    told = [f"{found['changed']} of {found['numbers']} changed"] if found["changed"] else []
    told += [f"{found['lost']} not given"] if found["lost"] else []
    told += [f"{found['gained']} given by it alone"] if found["gained"] else []
    return ", ".join(told) or ("the same" if found["numbers"] else "-")


def _example(found: dict[str, Any]) -> str:
    told = []
    if example := found["example"]:
        present, other = example["numbers"]
        options = "".join(f", `{_short(f'{key}={value!r}')}`" for key, value in example["options"].items())
        told.append(f"{example['name']}{options}: {_number(other, present)}, {_number(present, other)}")
    if found["why"]:
        told.append("`{}`".format(found["why"].replace("`", "'")))
    return _safe("; ".join(told))


def _short(text: str) -> str:
    return text if len(text) <= _MOST else f"{text[:_MOST]}…"


def _number(value: float, beside: float) -> str:
    """A number in as few digits as tell it from the one beside it."""
    short, other = f"{value:.4g}", f"{beside:.4g}"
    return short if short != other else repr(value)


def _safe(text: str) -> str:
    return text.replace("|", "\\|")


def _named(name: str) -> str:
    """A variant of a metric, as ``str(Contract)`` gives it."""
    metric = max((each for each in list_scorers() if name.startswith(f"{each}-")), key=len)
    return f"`{metric}` `{name.removeprefix(metric)[1:]}`"


def _variant(metric: str, variant: str, library: str, version: str, live: str, record: dict[str, Any]) -> list[str]:
    """A line of the table. A variant without a live call mirrors a paper, or a program whose numbers are recorded."""
    first = [f"[`{metric}`](metrics/{metric}.md) `{variant}`", f"{library} {version}"]
    if not live:
        return [*first, "no", "-", "-", "-"]
    entry = record.get(live, {}).get("newest")
    if not entry:
        return [*first, "yes", "?", "not yet", "-"]
    return [*first, "yes", entry["other"], entry["checked"], _changes(entry, f"{metric}-{variant}")]


def _changes(entry: dict[str, Any], variant: str) -> str:
    if entry["other"] == entry["present"]:
        return "the same version"
    if "reason" in entry or (found := entry["variants"].get(variant)) is None:
        return "not compared"
    both = found["default"], found["options"]
    numbers, bits, changed, lost = (sum(each[key] for each in both) for key in ("numbers", "bits", "changed", "lost"))
    told = f"{changed} of {numbers}" + f", and {bits - changed} by their last bits" * (bits > changed)
    return told + f", and {lost} not given" * bool(lost)
