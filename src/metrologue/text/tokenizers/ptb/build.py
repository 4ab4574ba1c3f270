"""Write the automaton, when the package is built: ``python -m metrologue.text.tokenizers.ptb.build FOLDER``."""

from __future__ import annotations

import sys
from pathlib import Path

from metrologue.text.lexicon.table_cache import write_built
from metrologue.text.tokenizers.ptb import SOURCES, TABLE, make_automaton

if __name__ == "__main__":
    write_built(Path(sys.argv[1]) / TABLE.name, SOURCES, make_automaton)
