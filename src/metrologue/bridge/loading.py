"""Loading a module of this package, also where `evaluate` has no place for its copy."""

from __future__ import annotations

import importlib
import sys
import textwrap
from functools import cache
from importlib import resources, util
from pathlib import Path
from types import ModuleType
from typing import Any

from metrologue.cache import temporary_folder
from metrologue.errors import InputError
from metrologue.scorers import get_scorer
from metrologue.scorers.core.numbers import declared_numbers


def load(path: str, config_name: str | None = None, **options: Any) -> Any:
    """``evaluate.load(path, config_name, **options)``.

    `evaluate` copies the file of a module into its cache. Where nothing can be written, the file is taken as it lies.

    Parameters
    ----------
    path : str
        The folder of a module in this package.
    config_name : str, optional
    **options
        As for ``evaluate.load``.
    """
    import evaluate  # takes over a second

    try:
        return evaluate.load(path, config_name, **options)
    except OSError:
        return class_of(path)(config_name=config_name, **options)


def class_of(path: str) -> Any:
    """The class of the module in a folder of this package, from the file as it lies."""
    name = Path(path).name
    if Path(path).parent == Path(str(resources.files("metrologue")), "metrics"):
        module = importlib.import_module(f"metrologue.metrics.{name}.{name}")
    else:
        module = _module_of_file(Path(path, f"{name}.py"))
    kinds = (each for each in vars(module).values() if isinstance(each, type))
    [kind] = (each for each in kinds if each.__module__ == module.__name__)
    return kind


def _module_of_file(file: Path) -> ModuleType:
    """The module in a file that lies in no package of ours, imported once."""
    name = f"_metrologue_module_{file.stem}"
    known = sys.modules.get(name)
    if known is not None and known.__file__ == str(file):
        return known
    spec = util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise ImportError(f"{file} is no module")
    module = sys.modules[name] = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# What is told of a metric whose package has no module for it.
_DERIVED = '''"""{name} for `evaluate`, made from the declarations of its metric."""

import evaluate

from metrologue.bridge import MetricModule


class {kind}(MetricModule, evaluate.Metric):
    """{title}.

{about}

    Returns:
        {number} (`float`): {told}.

    Examples:

        >>> import metrologue
        >>> {name} = metrologue.load("{name}")
    """

    metric = "{name}"
    default_variant = "{variant}"
'''


@cache
def derived_module(name: str) -> str:
    """The folder of a module that is made from a metric's declarations, in a folder of this process.

    Parameters
    ----------
    name : str
        A metric whose package has no module for it.
    """
    kind = get_scorer(name)
    variant = next(iter(kind.variants()), None)
    if variant is None:
        raise InputError(f"load: {name} has no variant; its class needs one in `_variants`, which the module gives.")
    scorer = kind.variant(variant)
    told = next((each.about for each in declared_numbers(kind) if each.name == scorer.primary), scorer.primary)
    about = (vars(kind).get("__doc__") or kind.__name__).strip().partition("\n\n")[0]
    text = _DERIVED.format(
        name=name, kind=kind.__name__, title=kind.title, about=_quoted(about, "    "), number=scorer.primary,
        told=_quoted(told), variant=variant,
    )  # fmt: skip
    folder = temporary_folder("modules") / name
    folder.mkdir()
    (folder / f"{name}.py").write_text(text, "utf-8")
    return str(folder)


def _quoted(text: str, indent: str = "") -> str:
    """A text as a docstring can have it; `evaluate` takes what follows a # for a comment."""
    plain = " ".join(text.split()).replace("\\", "\\\\").replace('"""', "'''").replace("#", "number ")
    return textwrap.fill(plain, 110, initial_indent=indent, subsequent_indent=indent) if indent else plain
