"""``python -m metrologue`` is the command ``metrologue``."""

from metrologue.cli import main

main(prog_name="metrologue")
