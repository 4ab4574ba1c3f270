"""The parts of docs/correlation.md on metrics of research, whose sources are beside this folder."""

from metrologue.scorers.core.research import project

project()  # from here on, they can be imported
