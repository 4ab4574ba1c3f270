"""Test sets. Their texts, and what is known of their documents, are those of an installed sacrebleu."""

from __future__ import annotations

import subprocess
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from metrologue.cli.sacrebleu.refusing import refuse

if TYPE_CHECKING:
    from metrologue.cli.sacrebleu.texts import Texts

__all__ = ["is_about", "part", "parts", "references", "show"]


def is_about(options: Namespace) -> bool:
    """Whether the call asks about test sets, and scores nothing."""
    return bool(options.list or options.citation or options.echo or options.download)


def show(arguments: Sequence[str]) -> int:
    """Let sacrebleu itself say what it has, and return its exit status."""
    _utilities()
    return subprocess.run([sys.executable, "-m", "sacrebleu", *arguments], check=False).returncode


def references(options: Namespace) -> list[list[str]]:
    """The files of references of each test set."""
    utilities = _utilities()
    found = []
    for name in options.test_set.split(","):
        pairs = utilities.get_langpairs_for_testset(name)
        if options.langpair not in pairs:
            known = f"{name} has {', '.join(pairs)}" if pairs else f"there is no test set {name!r}; --list has all"
            refuse(f"{options.langpair} cannot be scored: {known}.")
        found.append([str(path) for path in utilities.get_reference_files(name, options.langpair)])
    return found


def part(options: Namespace, texts: Texts) -> Texts:
    """The segments that --origlang and --subset choose; all segments without them."""
    return _part(options, texts, options.origlang, options.subset)


def _part(options: Namespace, texts: Texts, origin: str | None, subset: str | None) -> Texts:
    if origin is None and subset is None:
        return texts
    if options.test_set is None or options.langpair is None:
        refuse("--origlang and --subset choose from a test set: -t and -l.")
    columns = [*texts.systems.values(), *texts.references]
    chosen = _utilities().filter_subset(columns, options.test_set, options.langpair, origin, subset)
    count = len(texts.systems)
    systems = dict(zip(texts.systems, chosen[:count], strict=True))
    return replace(texts, systems=systems, references=chosen[count:])


def parts(options: Namespace, texts: Texts) -> Iterator[tuple[str, Texts]]:
    """The parts of a test set that --detail prints, each with its heading; those without segments are left out."""
    utilities = _utilities()
    origins = options.origlang or utilities.get_available_origlangs(options.test_set, options.langpair)
    subsets = (
        [options.subset] if options.subset else utilities.get_available_subsets(options.test_set, options.langpair)
    )
    for origin in origins:
        for subset in (None, *subsets):
            found = _part(options, texts, origin, subset)
            if all(found.systems.values()):
                kind, name = ("domain", "ALL") if subset is None else ("domain", subset)
                if subset and subset.startswith("country:"):
                    kind, name = "country", subset.removeprefix("country:")
                yield f"origlang={origin} {kind}={name}", found


def _utilities() -> Any:
    try:
        import sacrebleu.utils
    except ImportError:
        raise click.ClickException("test sets come with sacrebleu: pip install sacrebleu") from None
    return sacrebleu.utils
