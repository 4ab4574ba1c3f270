"""Columns as inputs of scorers, and packages that are missing."""

from __future__ import annotations

import pyarrow as pa
import pytest

from metrologue.errors import InputError
from metrologue.integrations.columns import chosen_columns, required
from metrologue.scorers import Accuracy, Bleu, DistinctN, Perplexity

CODES = pa.dictionary(pa.int32(), pa.string())
SCHEMA = pa.schema({"hyp": pa.string(), "ref": pa.list_(pa.large_string()), "code": CODES, "n": pa.int8()})


def test_a_package_that_is_missing() -> None:
    with pytest.raises(InputError, match=r"pyspork is not installed: pip install .*\[spark\]"):
        required("pyspork", "spark")
    assert required("json", "none").loads("1") == 1


def test_which_columns() -> None:
    both = {"predictions": "hyp", "references": "ref"}
    assert chosen_columns("f", Bleu(), SCHEMA, "hyp", "ref", {}) == both
    assert chosen_columns("f", Bleu(), SCHEMA, "hyp", "code", {})["references"] == "code"
    assert chosen_columns("f", DistinctN(), SCHEMA, "hyp", "not there", {}) == {"predictions": "hyp"}
    assert chosen_columns("f", Accuracy(), SCHEMA, "n", "n", {"sample_weight": "n"})["sample_weight"] == "n"


@pytest.mark.parametrize(
    ("scorer", "columns", "message"),
    [
        (Bleu(), ("hpy", "ref"), "f: `predictions` is 'hpy', and no column is called so; did you mean 'hyp'"),
        (Bleu(), ("hyp", None), "f: `references` is None, and no column is called so; there are hyp, ref"),
        (Bleu(), ("hyp", "n"), r"f: the column 'hyp' \(predictions\) is of string, but 'n' \(references\) of int8;"),
        ("bleu", ("hyp", "ref"), "f: `scorer` is 'bleu'; a Scorer is expected"),
    ],
)
def test_columns_that_do_not_suit(scorer, columns, message) -> None:
    with pytest.raises(InputError, match=message):
        chosen_columns("f", scorer, SCHEMA, *columns, {})


def test_an_input_that_there_is_not() -> None:
    with pytest.raises(InputError, match="f: perplexity has no input 'weights'; there are predictions, mask"):
        chosen_columns("f", Perplexity(), SCHEMA, "n", None, {"weights": "n"})
