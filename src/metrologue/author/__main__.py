"""``python -m metrologue.author new NAME DIR``: a package with a metric that works."""

import argparse
import sys
from pathlib import Path

from metrologue.author.package import new_package
from metrologue.errors import InputError


def main() -> int:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m metrologue.author", description="For authors of metrics.")
    commands = parser.add_subparsers(required=True)
    new = commands.add_parser("new", help="make a package with a metric that works")
    new.add_argument("name", metavar="NAME", help="of the metric, such as word_share")
    new.add_argument("folder", metavar="DIR", type=Path, help="a folder that is new or empty")
    given = parser.parse_args()
    try:
        for path in new_package(given.name, given.folder):
            print(path)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
