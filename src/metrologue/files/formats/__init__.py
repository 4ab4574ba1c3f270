"""The field's own files: a module for each family of formats.

Each module has `FORMATS`, and the folder is their registration. A format says by which names and by which structure it
is recognized, and gives ``Rows``.
"""
