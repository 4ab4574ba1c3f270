"""Kernels: Python functions over arrays that run as machine code.

``build`` compiles those that it is given, when the package is built, into one shared library in this folder.
``library`` loads it. ``kernel`` has the decorators and the call, ``arrays`` says how machine code reads NumPy's arrays.
``compiler`` is the only module that uses numba. It is imported to build the library, or to run a kernel that was edited
since.

It may import the cache and what stands below it, and no kernel.
"""

from metrologue.native.kernel import Helper, Instruction, Kernel, helper, instruction, kernel

__all__ = ["Helper", "Instruction", "Kernel", "helper", "instruction", "kernel"]
