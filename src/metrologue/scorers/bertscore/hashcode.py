"""What bert-score calls a setting."""

from __future__ import annotations

from importlib import metadata

from metrologue.scorers.bertscore import BertScore

_VERSION = "0.3.12"  # what the package bert-score 0.3.13 says of itself


def hashcode(scorer: BertScore, is_rescaled: bool, own_baseline: bool = True, fast_tokenizer: bool = False) -> str:
    """The hash of a setting, as bert-score prints it; it has the model's name where bert-score has its path.

    Examples
    --------
    >>> hashcode(BertScore(layer=17), False).partition("(")[0]
    'None_L17_no-idf_version=0.3.12'
    """
    try:
        version = metadata.version("transformers")
    except metadata.PackageNotFoundError:
        version = "none"
    name = str(scorer.model).partition("@")[0]
    found = f"{name}_L{scorer.layer}_{'idf' if scorer.idf else 'no-idf'}"
    found += f"_version={_VERSION}(hug_trans={version})"
    if is_rescaled:
        found += "-custom-rescaled" if own_baseline else "-rescaled"
    return found + "_fast-tokenizer" * fast_tokenizer
