"""Files as input: texts, tables and objects, which are checked as they are read.

It may import data and what stands below it.
"""
