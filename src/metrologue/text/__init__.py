"""How texts are read: tokenizers, the steps from text to tokens, stemmers, and tables of words.

It may import files and what stands below them.
"""
