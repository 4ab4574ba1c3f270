"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

CODE = "def f(a, b):\n    c = a + b\n    for d in c:\n        c += d\n    return c"

VALUES = {"language": "java", "weights": (0.1, 0.1, 0.4, 0.4)}
LADDER = {
    "perfect": ([CODE], [[CODE]]),
    "near": ([CODE.replace("c += d", "c = d + 1")], [[CODE]]),
    "wrong": (["1"], [[CODE]]),
}
LOOSE = {("codebleu", 0)}  # no matching flow counts as 1
