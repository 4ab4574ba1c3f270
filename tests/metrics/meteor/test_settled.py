"""The files of a table that has a digest are found once."""

from __future__ import annotations

import pytest

from metrologue.text.lexicon import sources, synonym_keys
from metrologue.text.lexicon.names import canonical_source


@pytest.mark.usefixtures("wordnet")
def test_a_table_with_a_digest_is_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    name = canonical_source("synonyms", "wordnet")
    first = synonym_keys(["geese", "cats", "running"], name)
    monkeypatch.delitem(sources.BUILT_IN, ("synonyms", "wordnet"))
    again = synonym_keys(["geese", "cats", "running"], name)
    assert [keys.keys.tolist() for keys in first] == [keys.keys.tolist() for keys in again]
