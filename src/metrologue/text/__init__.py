"""How texts are read: tokenizers, the steps from text to tokens, stemmers, and tables of words.

It may import kernels, native, data, files and errors.
"""
