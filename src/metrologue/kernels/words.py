"""Helpers for machine words: instructions that the compiler has no name for, and small functions."""

from __future__ import annotations

from typing import Any

from metrologue.kernels.arrays import Number, Offsets
from metrologue.native import helper, instruction

__all__ = [
    "array_at",
    "greater",
    "lesser",
    "longest_of",
    "prefetch",
    "read8",
    "square_root",
    "trailing_zeros",
    "write8",
]


@instruction
def read8(typing_context: Any, buffer: Any, index: Any) -> Any:
    """Eight bytes of an array, from any index on, as one word. numba itself has no unaligned read."""
    from numba.core.types import intp, uint64

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        place = builder.gep(array.data, [arguments[1]])
        word = context.get_value_type(uint64)
        return builder.load(builder.bitcast(place, word.as_pointer()), align=1)

    return uint64(buffer, intp), generate


@instruction
def write8(typing_context: Any, buffer: Any, index: Any, word: Any) -> Any:
    """Put a word into eight bytes of an array, from any index on."""
    from numba.core.types import intp, uint64, void

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        place = builder.gep(array.data, [arguments[1]])
        builder.store(arguments[2], builder.bitcast(place, arguments[2].type.as_pointer()), align=1)
        return context.get_dummy_value()

    return void(buffer, intp, uint64), generate


@instruction
def array_at(typing_context: Any, kind: Any, address: Any, length: Any) -> Any:
    """The array at an address in memory, with numbers of a kind such as ``np.uint8``."""
    from numba.core.types import Array, int64
    from numba.np.arrayobj import populate_array

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.return_type)(context, builder)
        data = builder.inttoptr(arguments[1], array.data.type)
        size = context.get_abi_sizeof(context.get_data_type(signature.return_type.dtype))
        step = context.get_constant(int64, size)
        populate_array(array, data, [arguments[2]], [step], step, None)
        return array._getvalue()

    return Array(kind.instance_type, 1, "C")(kind, int64, int64), generate


@instruction
def square_root(typing_context: Any, number: Any) -> Any:
    """The square root of a float, as the processor computes it. ``math.sqrt`` would call another library."""
    from numba.core.types import float64

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.call(builder.module.declare_intrinsic("llvm.sqrt", [arguments[0].type]), arguments)

    return float64(float64), generate


@instruction
def prefetch(typing_context: Any, array: Any, index: Any) -> Any:
    """Ask for an element of an array, which then comes from memory while other instructions run."""
    from llvmlite import ir
    from numba.core.types import intp, void

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        place = builder.bitcast(builder.gep(place, [arguments[1]]), ir.IntType(8).as_pointer())
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [place.type, number, number, number])
        function = builder.module.declare_intrinsic("llvm.prefetch", [place.type], kind)
        builder.call(function, [place, *map(number, (0, 3, 1))])  # for reading, into the nearest cache, of data
        return context.get_dummy_value()

    return void(array, intp), generate


@instruction
def trailing_zeros(typing_context: Any, word: Any) -> Any:
    """The number of low bits that are zero: 64 for 0."""
    from numba.core.types import boolean, uint64

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], context.get_constant(boolean, False))

    return uint64(uint64), generate


@helper
def greater(a: Number, b: Number) -> Number:
    """``max(a, b)``. numba would compile the built-in as a separate function."""
    return a if a > b else b


@helper
def lesser(a: Number, b: Number) -> Number:
    """``min(a, b)``."""
    return a if a < b else b


@helper
def longest_of(offsets: Offsets) -> Number:
    """The greatest difference of two neighbouring offsets."""
    longest = offsets[0] - offsets[0]
    for t in range(len(offsets) - 1):
        longest = greater(longest, offsets[t + 1] - offsets[t])
    return longest
