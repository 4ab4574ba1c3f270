"""What the Hub's own modules give, recorded again: the texts and the calls are those of the file that is there.

    python tests/bridge/record.py MODULES METRIC

MODULES is the folder ``metrics`` of a checkout of huggingface/evaluate, where ``bleu`` has ``nmt_bleu.py`` beside it:
``nmt/scripts/bleu.py`` of tensorflow/nmt. METRIC is the name of a module, such as wer. If the checkout is of another
commit, `source` in the file is to be changed by hand.
"""

from __future__ import annotations

import datetime
import json
import platform
import shutil
import sys
import tempfile
import warnings
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

__all__ = ["GOLDEN", "TOKENIZERS", "called", "recorded", "written"]

GOLDEN = Path(__file__).with_name("golden")
TOKENIZERS: dict[str, Callable[[str], list[str]]] = {
    "str.split": str.split,
    "list": list,
    "str.splitlines": str.splitlines,
}


def called(record: dict[str, Any], output: dict[str, Any]) -> dict[str, Any]:
    """The arguments of one call: texts, and options."""
    given = {**record["texts"][output["case"]], **output["arguments"]}
    return given | ({"tokenizer": TOKENIZERS[given["tokenizer"]]} if "tokenizer" in given else {})


def result_of(module: Any, arguments: dict[str, Any]) -> dict[str, Any]:
    """What a call gives, in plain values; or the error that it ends with."""
    try:
        found = module.compute(**arguments)
    except Exception as error:  # whatever the module raises
        return {"error": f"{type(error).__name__}: {error}"}
    return {"result": plain(found)}


def plain(value: Any) -> Any:
    """A result as JSON holds it."""
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [*map(plain, value)]
    return value.tolist() if hasattr(value, "tolist") else value


def recorded(record: dict[str, Any], modules: Path, name: str, folder: Path) -> dict[str, Any]:
    """The record of today: what a module gives for the same calls."""
    import evaluate

    if name == "meteor":
        from metrologue.comparison.libraries.nltk import wordnet

        wordnet()  # from here on nltk finds the WordNet that we do
    copy = shutil.copytree(modules / name, folder / name)
    module = evaluate.load(str(copy), seed=record.get("seed"), cache_dir=str(folder / "cache"))
    outputs = []
    for output in record["outputs"]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = result_of(module, called(record, output))
        rest = {key: value for key, value in output.items() if key not in ("result", "error")}
        outputs.append({**{key: rest.pop(key) for key in ("case", "arguments")}, **found, **rest})
    about = {
        "date": datetime.date.today().isoformat(),
        "python": platform.python_version(),
        "libraries": {each: version(each) for each in record["libraries"]},
        "outputs": outputs,
    }
    return {key: about.get(key, value) for key, value in record.items()}


def written(record: dict[str, Any]) -> str:
    """The record as JSON, with a line for each text and each call."""

    def line(value: Any) -> str:
        return json.dumps(value, ensure_ascii=False)

    lines = []
    for key, value in record.items():
        if key == "texts":
            parts = [f"  {line(name)}: {line(texts)}" for name, texts in value.items()]
            lines.append(' "texts": {\n' + ",\n".join(parts) + "\n }")
        elif key == "outputs":
            lines.append(' "outputs": [\n' + ",\n".join(f"  {line(each)}" for each in value) + "\n ]")
        else:
            lines.append(f" {line(key)}: {line(value)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main(modules: Path, name: str) -> None:
    path = GOLDEN / f"{name}.json"
    before = json.loads(path.read_text("utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        made = recorded(before, modules, name, Path(folder))
    if made != {**before, "date": made["date"]}:  # otherwise nothing but the day is new
        path.write_text(written(made), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
