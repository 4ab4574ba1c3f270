"""What the programs that print CodeBLEU give for pairs of functions in all of their languages, recorded.

    pip install codebleu==0.7.0 tree-sitter==0.22.3 tree-sitter-c==0.21.4 tree-sitter-c-sharp==0.21.3 \
tree-sitter-cpp==0.22.3 tree-sitter-go==0.21.2 tree-sitter-java==0.21.0 tree-sitter-javascript==0.21.4 \
tree-sitter-php==0.22.8 tree-sitter-python==0.21.0 tree-sitter-ruby==0.21.0 tree-sitter-rust==0.21.2
    python tests/metrics/codebleu/record.py codebleu > tests/metrics/codebleu/codebleu.json
    python tests/metrics/codebleu/record.py codexglue CODEXGLUE > tests/metrics/codebleu/codexglue.json
    python tests/metrics/codebleu/record.py xlcost XLCOST > tests/metrics/codebleu/xlcost.json

CODEXGLUE and XLCOST are the folders CodeBLEU of the evaluators in microsoft/CodeXGLUE (50a4830) and
reddy-lab-code-research/XLCoST (0250d91). All programs put names into a set, whose order differs from process to
process. Here such a set is one in the order in which names are found; nothing else is changed. The scripts ask for a
binding of 2020, which is imitated with the binding and the grammars above.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import sys
import types
from collections.abc import Iterable
from pathlib import Path
from typing import Any

# Of each language, functions that do about the same.
TEXTS = json.loads(Path(__file__).with_name("texts.json").read_text("utf-8"))


class InOrder(list[Any]):
    """In place of a set: its members in the order in which they come."""

    def __init__(self, items: Iterable[Any] = ()) -> None:
        super().__init__(dict.fromkeys(items))

    def add(self, item: Any) -> None:
        if item not in self:
            self.append(item)


def imitated() -> None:
    """The binding of 2020: ``Language`` takes a library and a name, and nodes have ``sexp``."""
    import tree_sitter as real

    class Node:
        def __init__(self, node: Any) -> None:
            self.node = node

        def __getattr__(self, name: str) -> Any:
            return getattr(self.node, name)

        @property
        def children(self) -> list[Node]:
            return [*map(Node, self.node.children)]

        def child_by_field_name(self, name: str) -> Node | None:
            child = self.node.child_by_field_name(name)
            return child and Node(child)

        def sexp(self) -> str:
            return str(self.node)

    class Tree:
        def __init__(self, tree: Any) -> None:
            self.root_node = Node(tree.root_node)

    class Parser:
        def set_language(self, language: Any) -> None:
            self.parser = real.Parser(language)

        def parse(self, text: bytes) -> Tree:
            return Tree(self.parser.parse(text))

    def language(_: str, name: str) -> Any:
        module = importlib.import_module(f"tree_sitter_{name}")
        return real.Language(getattr(module, "language_php" if name == "php" else "language")())

    binding: Any = types.ModuleType("tree_sitter")
    binding.Parser, binding.Language = Parser, language
    sys.modules["tree_sitter"] = binding


def by_script(folder: Path) -> Any:
    """What the script of a folder prints, as a function."""
    imitated()
    sys.path.insert(0, str(folder))
    parts = {
        name: importlib.import_module(name)
        for name in ("bleu", "weighted_ngram_match", "syntax_match", "dataflow_match")
    }
    for module in (parts["dataflow_match"], importlib.import_module("parser.DFG")):
        module.set = InOrder  # type: ignore[attr-defined]

    def scores(references: list[list[str]], predictions: list[str], language: str) -> dict[str, float]:
        words = [text.split() for text in predictions]
        others = [[text.split() for text in own] for own in references]
        keywords = [line.strip() for line in (folder / "keywords" / f"{language}.txt").read_text("utf-8").splitlines()]
        weighted = [[[own, {word: 1 if word in keywords else 0.2 for word in own}] for own in each] for each in others]
        found = [
            parts["bleu"].corpus_bleu(others, words),
            parts["weighted_ngram_match"].corpus_bleu(weighted, words),
            parts["syntax_match"].corpus_syntax_match(references, predictions, language),
            parts["dataflow_match"].corpus_dataflow_match(references, predictions, language),
        ]
        names = ("ngram_match", "weighted_ngram_match", "syntax_match", "dataflow_match")
        whole = 0.25 * found[0] + 0.25 * found[1] + 0.25 * found[2] + 0.25 * found[3]
        return {"codebleu": whole, **dict(zip(names, found, strict=True))}

    return scores, sorted(path.stem for path in (folder / "keywords").iterdir())


def by_package() -> Any:
    """What the package codebleu gives."""
    from codebleu import calc_codebleu, dataflow_match
    from codebleu.parser import DFG
    from codebleu.utils import AVAILABLE_LANGS

    for module in (dataflow_match, DFG):
        module.set = InOrder

    def scores(references: list[list[str]], predictions: list[str], language: str) -> dict[str, float]:
        found = calc_codebleu(references, predictions, language)
        return {name.removesuffix("_score"): value for name, value in found.items()}

    return scores, AVAILABLE_LANGS


def main(program: str, *folders: str) -> dict[str, Any]:
    """All pairs of different texts of each language, each alone and all as a corpus; then two references for each."""
    scores, languages = by_package() if program == "codebleu" else by_script(Path(folders[0]).resolve())
    cases = []
    for language in sorted(languages):
        texts = TEXTS[language]
        pairs = [(one, [other]) for one in texts for other in texts]
        both = [(one, [texts[0], texts[1]]) for one in texts] + [("", [texts[0]]), (texts[0], [texts[2]])]
        for corpus in (*([pair] for pair in pairs), *([pair] for pair in both), pairs, both):
            predictions, references = map(list, zip(*corpus, strict=True))
            cases.append(
                {
                    "language": language,
                    "predictions": predictions,
                    "references": references,
                    "scores": scores(references, predictions, language),
                }
            )
    return {"tool": program, "command": f"python tests/metrics/codebleu/record.py {program}", "cases": cases}


if __name__ == "__main__":
    with contextlib.redirect_stdout(sys.stderr):  # the scripts print warnings
        recorded = main(*sys.argv[1:])
    print(json.dumps(recorded, ensure_ascii=False))
