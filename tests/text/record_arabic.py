"""What the Open Universal Arabic ASR Leaderboard makes of texts, recorded.

git clone https://github.com/Natural-Language-Processing-Elm/open_universal_arabic_asr_leaderboard FOLDER
python tests/text/record_arabic.py FOLDER

writes ``arabic_leaderboard.json`` beside this file. Only the function ``normalize_arabic_text`` of eval.py is run,
since the file itself imports a toolkit.
"""

from __future__ import annotations

import ast
import json
import random
import re
import sys
from pathlib import Path

COMMIT = "8fce859"
WORDS = (
    'أحمد إلى آخر ٱلله مؤمن رئيس سماء ء هدى مدرسة كتـــاب مُحَمَّدٌ و وكتب ١٢٣ ٤٥٦٫٧ پاريس ڤيديو هذا، ماذا؟ نعم؛ "قال" '
    "(نعم) "
    "a_b C! لا\u0670 شيئا قرآن\u0653 و\tهو"
)


def generated(count: int) -> list[str]:
    """Texts of a few words with all letters that a rule is about."""
    draw = random.Random(0)
    return [draw.choice([" ", "  "]).join(draw.choices(WORDS.split(" "), k=draw.randint(0, 6))) for _ in range(count)]


def main(folder: Path) -> None:
    tree = ast.parse((folder / "eval.py").read_text("utf-8"))
    wanted = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "normalize_arabic_text"]
    names: dict[str, object] = {"re": re}
    exec(compile(ast.Module(wanted, []), "eval.py", "exec"), names)
    normalize = names["normalize_arabic_text"]
    texts = [WORDS, *WORDS.split(" "), *generated(100)]
    recorded = {
        "tool": "normalize_arabic_text in eval.py of open_universal_arabic_asr_leaderboard",
        "version": COMMIT,
        "command": "normalize_arabic_text(text)",
        "texts": texts,
        "normalized": [*map(normalize, texts)],  # type: ignore[call-overload]  # a function of theirs
    }
    place = Path(__file__).with_name("arabic_leaderboard.json")
    place.write_text(json.dumps(recorded, ensure_ascii=False, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
