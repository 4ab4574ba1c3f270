"""Claims with their sources as examples: with errors that are generated, or as a file has them."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Self

import numpy as np

from metrologue.errors import InputError
from metrologue.files.objects import json_lines
from metrologue.learned.examples import Examples, read_examples
from metrologue.origin import pip_install
from metrologue.scorers.factcc.corruptions import make_claims, parsed_sentences

Span = tuple[int, int]


@dataclass(frozen=True, eq=False)
class ClaimExamples(Examples):
    """Claims, each with its source as its only reference, and a label: 1 for a right claim.

    Attributes
    ----------
    errors, supports : tuple of n (int, int), optional
        Where the error is in the claim and the support in the source, in characters; (0, 0): unknown, or none.
    """

    errors: tuple[Span, ...] = ()
    supports: tuple[Span, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("errors", "supports"):
            if not getattr(self, name):
                object.__setattr__(self, name, ((0, 0),) * len(self))
            if len(getattr(self, name)) != len(self):
                raise InputError(
                    f"ClaimExamples: `{name}` has {len(getattr(self, name))} spans for {len(self)} claims."
                )
        if several := [row for row, own in enumerate(self.references) if len(own) != 1]:
            what = f" has {len(self.references[several[0]])} texts; a claim has one source."
            raise InputError.at("train", "references", several[0], what)

    @classmethod
    def of(cls, examples: Examples) -> Self:
        """The same claims, without places unless they have some."""
        if isinstance(examples, cls):
            return examples
        return cls(**{field.name: getattr(examples, field.name) for field in fields(Examples)})


def claim_examples(
    texts: Sequence[str],
    parser: Any,
    *,
    groups: Sequence[str] | None = None,
    others: int = 2,
    seed: int = 0,
    most: int | None = None,
) -> ClaimExamples:
    """Claims about texts: their sentences, right and with errors, in about equal numbers.

    Raises an InputError if no claim can be made.

    Parameters
    ----------
    texts : sequence of str
        The sources.
    parser : Parser, NamedParser, or str
        With entities, tags and lemmas, such as a pipeline of spaCy.
    groups : sequence of str, optional
        Of the texts; by default each is a group.
    others : int
        See ``make_claims``.
    most : int, optional
        How many claims at most; those of all kinds of errors are drawn alike.
    """
    made = make_claims(parsed_sentences(texts, parser), others=others, seed=seed)
    right = [claim for claim in made if claim.right]
    wrong = [claim for claim in made if not claim.right]
    if not right or not wrong:
        raise InputError(
            f"claim_examples: {len(right)} right and {len(wrong)} wrong claims can be made of {len(texts)} texts; give "
            "texts with sentences of 8 words or more, and a parser that marks entities and gives tags."
        )
    draw = np.random.default_rng(seed)
    half = min(len(right), len(wrong), (most or len(made)) // 2)
    kinds = {kind: sum(claim.kind == kind for claim in wrong) for kind in {claim.kind for claim in wrong}}
    # The chance of a claim falls with how often its kind was made, so that no kind prevails.
    weights = np.array([kinds[claim.kind] ** -0.5 for claim in wrong])
    chosen = draw.choice(len(wrong), half, replace=False, p=weights / weights.sum())
    rows = [right[i] for i in sorted(draw.choice(len(right), half, replace=False))] + [wrong[i] for i in sorted(chosen)]
    rows = [rows[i] for i in draw.permutation(len(rows))]
    return ClaimExamples(
        predictions=tuple(claim.text for claim in rows),
        references=tuple((texts[claim.source],) for claim in rows),
        targets=np.array([float(claim.right) for claim in rows]),
        groups=tuple(str(claim.source) if groups is None else groups[claim.source] for claim in rows),
        labels=True,
        errors=tuple(claim.span or (0, 0) for claim in rows),
        supports=tuple(claim.support for claim in rows),
    )


def read_claims(path: str | os.PathLike[str]) -> ClaimExamples:
    """Claims from JSON Lines.

    A line is a claim, with the keys ``prediction``, ``references`` (its source) and ``label``, and perhaps ``error``
    and ``support``, each two places in characters. Or it is a source, with the key ``text`` and perhaps ``group``;
    claims are then made of it, which needs spaCy and a pipeline for English. Raises an InputError if a line is neither,
    or there is no such pipeline.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "claims.jsonl"
    >>> lines = ['{"prediction": "Bo ran", "references": "Anna ran", "label": 0, "error": [0, 2]}',
    ...          '{"prediction": "Anna ran", "references": "Anna ran", "label": 1}']
    >>> _ = file.write_text(chr(10).join(lines))
    >>> found = read_claims(file)
    >>> found.targets, found.errors
    (array([0., 1.]), ((0, 2), (0, 0)))
    """
    records = [*json_lines(path)]
    if records and "text" in records[0].fields:
        grouped = all(record.fields.get("group") is not None for record in records)
        return claim_examples(
            [record.text("text") for record in records],
            _pipeline(),
            groups=[str(record.fields["group"]) for record in records] if grouped else None,
        )
    plain = read_examples(path)
    if not plain.labels:
        raise InputError(f"{os.fspath(path)}: no 'label'; give 1 for a right claim and 0 for a wrong one, or texts.")
    errors, supports = (
        tuple(_span(record.fields.get(key), record.where) for record in records) for key in ("error", "support")
    )
    return replace(ClaimExamples.of(plain), errors=errors, supports=supports)


def _span(given: Any, where: str) -> Span:
    if given is None:
        return 0, 0
    if not (isinstance(given, list) and len(given) == 2 and all(type(each) is int and each >= 0 for each in given)):
        raise InputError(f"{where}: a span is {json.dumps(given)}; two places in characters are expected.")
    return given[0], given[1]


def _pipeline() -> str:
    """An installed pipeline of spaCy for English."""
    try:
        import spacy
    except ImportError:
        raise InputError(f"train: errors are made with spaCy; {pip_install('spacy')}, and a pipeline.") from None
    installed = sorted(name for name in spacy.util.get_installed_models() if name.startswith("en_"))
    if not installed:
        raise InputError("train: spaCy has no pipeline for English; python -m spacy download en_core_web_sm.")
    return installed[0]
