"""The texts of a call, read as sacrebleu reads them: whitespace at the end of a line is dropped."""

from __future__ import annotations

import gzip
import io
import sys
from argparse import Namespace
from typing import IO

from metrologue.cli.sacrebleu import testsets
from metrologue.cli.sacrebleu.refusing import refuse
from metrologue.cli.sacrebleu.texts import Texts
from metrologue.errors import InputError

__all__ = ["read_texts"]

# The exit status of sacrebleu for lines with too few or too many fields.
_FIELDS = 17


def read_texts(options: Namespace) -> Texts:
    """The texts that the options name. A wrong byte is an InputError with the file and the line."""
    files = testsets.references(options) if options.test_set else [options.refs]
    references: list[list[str]] = [[] for _ in range(max(len(files[0]), options.num_refs))]
    for of_set in files:
        for number, path in enumerate(of_set):
            if options.num_refs == 1:
                references[number] += _lines(path, options.encoding)
            else:
                for own, column in zip(references, _columns(path, options), strict=True):
                    own += column
    systems = _standard_input(options) if options.input is None else _named(options)
    source, _, target = (options.langpair or "").partition("-")
    return testsets.part(options, Texts(systems, references, (source, target)))


def _open(path: str, encoding: str) -> IO[str]:
    if path.endswith(".gz"):
        return gzip.open(path, "rt", encoding=encoding, newline="\n")
    return open(path, encoding=encoding, newline="\n")


def _lines(path: str, encoding: str) -> list[str]:
    found: list[str] = []
    try:
        with _open(path, encoding) as file:
            found += (line.rstrip() for line in file)
    except LookupError:
        refuse(f"there is no encoding {encoding!r}.")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: near line {len(found) + 1}: {error.reason}; the file is not {encoding}.") from error
    return found


def _columns(path: str, options: Namespace) -> list[list[str]]:
    """The references of a file that has several in each line."""
    rows = []
    for number, line in enumerate(_lines(path, options.encoding), 1):
        fields = line.split("\t", options.num_refs - 1)
        if len(fields) != options.num_refs:
            refuse(f"{path}:{number}: {len(fields)} fields; {options.num_refs} are expected.", _FIELDS)
        rows.append(fields)
    return [list(column) for column in zip(*rows, strict=True)] or [[] for _ in range(options.num_refs)]


def _standard_input(options: Namespace) -> dict[str, list[str]]:
    """The systems of standard input, separated by tabs."""
    lines = io.TextIOWrapper(sys.stdin.buffer, encoding=options.encoding)
    rows = [lines.readline().rstrip().split("\t")]
    for number, line in enumerate(lines, 2):
        rows.append([field.rstrip() for field in line.rstrip().split("\t")])
        if len(rows[-1]) != len(rows[0]):
            refuse(
                f"standard input, line {number}: {len(rows[-1])} fields; the first line has {len(rows[0])}.", _FIELDS
            )
    names = [f"System {number}" for number in range(1, len(rows[0]) + 1)]
    if options.paired_bs or options.paired_ar:
        names = ["Baseline", *(f"System {number}" for number in range(1, len(rows[0])))]
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))


def _named(options: Namespace) -> dict[str, list[str]]:
    """The systems of files. In a test, the first one is the baseline."""
    is_paired = options.paired_bs or options.paired_ar
    if not options.input:
        refuse("-i names no file.")
    first = options.input[0]
    own: dict[str, list[str]] = {}
    for path in options.input:
        if path in own and not (is_paired and path == first):
            refuse(f"{path!r} is given twice.")
        if path not in own:
            own[path] = _lines(path, options.encoding)
    return {f"Baseline: {path}" if is_paired and path == first else path: lines for path, lines in own.items()}
