"""Checkpoints of torch: whether they are whole, and how many values their pickles make.

This is found out from the instructions of a pickle alone: nothing of it is made, and nothing runs.
"""

from __future__ import annotations

import io
import os
import pickletools
from typing import Any, BinaryIO
from zipfile import ZipFile

from metrologue.files.regular import MOST_WEIGHTS, open_regular
from metrologue.files.wholeness import check_zip

__all__ = ["check_checkpoint", "check_pickle"]

_ZIP = b"PK\x03\x04"  # how torch tells a zip
# The bytes of the instructions in a zip, which are names, shapes and settings; the pickles of a file that is no zip.
_MOST_INSTRUCTIONS, _PICKLES = 1 << 26, 5

# So many values a pickle may have, if each one is counted wherever it stands.
_MOST = 10_000_000
_KEEP = ("PUT", "BINPUT", "LONG_BINPUT")
_TAKE = ("GET", "BINGET", "LONG_BINGET")
# They add to what is there already; all others that take something make a new value of it.
_FILL = ("APPEND", "APPENDS", "SETITEM", "SETITEMS", "ADDITEMS", "BUILD")

# A value as the list of those that it is made of. What is made of nothing, such as a text, is one and the same.
_Node = list[Any]
_LEAF: _Node = []
_EMPTY = ("EMPTY_LIST", "EMPTY_DICT", "EMPTY_SET")


def check_checkpoint(path: str | os.PathLike[str]) -> bool:
    """Whether a checkpoint of torch is a zip. Raises one of UNREADABLE if it is damaged, or makes too many values.

    The checksums of a zip are compared: torch reads numbers that were overwritten as they are.
    """
    with open_regular(path, "a checkpoint", MOST_WEIGHTS) as file:
        is_zip = file.read(len(_ZIP)) == _ZIP
        if is_zip:
            check_zip(file)
            with ZipFile(file) as whole:
                for part in whole.infolist():
                    if part.filename.endswith(".pkl"):
                        if part.file_size > _MOST_INSTRUCTIONS:
                            raise ValueError(f"{part.filename} has {part.file_size:,} bytes")
                        check_pickle(io.BytesIO(whole.read(part)))
        else:
            file.seek(0)
            for _ in range(_PICKLES):
                check_pickle(file)
    return is_zip


def check_pickle(file: BinaryIO) -> None:
    """Raise a ValueError if a pickle makes too many values: lists that stand in many places, each with many such lists.

    A few hundred bytes can stand for more values than any memory holds. To compare, to print or to hash them would
    take as long as if each were there. The file is read to the end of the pickle.

    Examples
    --------
    >>> import io, pickle
    >>> value = ("a",)
    >>> for _ in range(20):
    ...     value = (value,) * 10
    >>> check_pickle(io.BytesIO(pickle.dumps(value)))
    Traceback (most recent call last):
        ...
    ValueError: it has values within each other, which are more than 10,000,000 when they are written out
    """
    stack: list[_Node | None] = []  # None is a mark
    kept: dict[Any, _Node | None] = {}
    dropped: _Node = []
    try:
        for opcode, argument, _ in pickletools.genops(file):
            name = opcode.name
            if name == "MARK":
                stack.append(None)
            elif name in _KEEP or name == "MEMOIZE":
                kept[argument if name in _KEEP else len(kept)] = stack[-1]
            elif name in _TAKE:
                stack.append(kept[argument])
            elif name == "DUP":
                stack.append(stack[-1])
            elif name in _EMPTY:
                stack.append([])
            else:
                taken = _taken(opcode, stack)
                if name in _FILL:
                    target = stack[-1]
                    (dropped if target is None or target is _LEAF else target).extend(taken)
                elif opcode.stack_after:
                    stack.append(taken if opcode.stack_before else _LEAF)
                else:
                    dropped += taken
    except (LookupError, ValueError, TypeError) as error:
        raise ValueError(f"its instructions are damaged: {error}") from None
    _check_size([*dropped, *(each for each in stack if each is not None)])


def _taken(opcode: pickletools.OpcodeInfo, stack: list[_Node | None]) -> _Node:
    """What an instruction takes from the stack, but for the container that it fills."""
    before = [each.name for each in opcode.stack_before]
    taken: _Node = []
    if "mark" in before:
        while (top := stack.pop()) is not None:
            taken.append(top)
        before = before[: before.index("mark")]
    tops = [stack.pop() for _ in before[opcode.name in _FILL :]]
    return taken + [_LEAF if top is None else top for top in tops]


def _check_size(whole: _Node) -> None:
    """Raise a ValueError if a value is too many values, or holds itself."""
    sizes: dict[int, int] = {}
    waiting = [(whole, False)]
    while waiting:
        node, are_parts_known = waiting.pop()
        if are_parts_known:
            sizes[id(node)] = size = 1 + sum(sizes[id(each)] for each in node)
            if size > _MOST:
                raise ValueError(
                    f"it has values within each other, which are more than {_MOST:,} when they are written out"
                )
        elif id(node) not in sizes:
            sizes[id(node)] = _MOST  # until its parts are known: so a value that holds itself is too large
            waiting.append((node, True))
            waiting += [(each, False) for each in node]
