"""GEval's hashed metrics, as the tool defines them, with all buckets of a line in a list."""

from math import exp, fsum, inf, log


def murmur3(data: bytes, seed: int) -> int:
    """MurmurHash3, 32 bits."""

    def turned(value: int, bits: int) -> int:
        value &= 0xFFFFFFFF
        return (value << bits | value >> (32 - bits)) & 0xFFFFFFFF

    state = seed & 0xFFFFFFFF
    for start in range(0, len(data), 4):
        block = data[start : start + 4]
        state ^= turned(int.from_bytes(block, "little") * 0xCC9E2D51, 15) * 0x1B873593 & 0xFFFFFFFF
        if len(block) == 4:
            state = turned(state, 13) * 5 + 0xE6546B64 & 0xFFFFFFFF
    state ^= len(data)
    state = (state ^ state >> 16) * 0x85EBCA6B & 0xFFFFFFFF
    state = (state ^ state >> 13) * 0xC2B2AE35 & 0xFFFFFFFF
    return state ^ state >> 16


def number_of(text: str) -> float:
    """A number as GEval reads it: with an exponent below -308, the power of ten is 0.

    >>> number_of("1e-308") > 0, number_of("5e-324"), number_of("0.5")
    (True, 0.0, 0.5)
    """
    exponent = text.lower().partition("e")[2]
    return 0.0 if exponent and int(exponent) < -308 else float(text)


def is_off(total: float) -> bool:
    """Whether a total needs to be corrected."""
    return total > 1 or total < 1 - 1e-8


def log_probability(line: str, word: str, number: int, bits: int = 10) -> float:
    """The log-probability of a word by the line with this number.

    >>> round(exp(log_probability("a:0.6 b:0.2", "a", 1)), 6)
    0.600195
    """
    size = 1 << bits
    line, word = line.replace("\r", ""), word.replace("\r", "")  # as GEval reads any file
    gold = murmur3(word.encode(), number) % size
    if ":" not in line:
        logs = [number_of(item) for item in line.split(" ")]
        assert len(logs) == size
        buckets = [exp(value) for value in logs]
    else:
        pairs = [item.rsplit(":", 1) for item in line.split(" ")]
        items = [(own, number_of(value)) for own, value in pairs]
        has_any = any(not own for own, _ in items)
        if all(0 <= value <= 1 for _, value in items) and any(value > 0 for _, value in items):
            total = fsum(value for _, value in items)
            if is_off(total) and (total > 1 or has_any):
                items = [(own, value / total) for own, value in items]
        else:
            items = [(own, exp(value)) for own, value in items]
            has_any = has_any or any(value > 1 for _, value in items)
        total = fsum(value for _, value in items)
        if is_off(total) and 0 < total < 1 and not has_any:
            items.append(("", 1 - total))
        buckets = [0.0] * size
        for own, value in items:
            if own:
                buckets[murmur3(own.encode(), number) % size] += value
            else:
                buckets = [bucket + value / size for bucket in buckets]
    total = fsum(buckets)
    probability = buckets[gold] / total if is_off(total) else buckets[gold]
    return log(probability) if probability > 0 else -inf


def log_loss_hashed(lines: list[str], words: list[str], bits: int = 10) -> float:
    """The mean of -ln p. The first line has the number 1.

    >>> round(log_loss_hashed(["tak:10 nie:8.9", "niebieski:0 żółty:1.5 czerwony:-0.5"], ["tak", "niebieski"], 8), 12)
    1.046845518672
    """
    logs = [log_probability(*pair, number, bits) for number, pair in enumerate(zip(lines, words, strict=True), 1)]
    return -fsum(logs) / len(logs) if -inf not in logs else inf


def likelihood_hashed(lines: list[str], words: list[str], bits: int = 10) -> float:
    """The geometric mean of the probabilities."""
    return exp(-log_loss_hashed(lines, words, bits))


def perplexity_hashed(lines: list[str], words: list[str], bits: int = 10) -> float:
    """The inverse of the likelihood."""
    return exp(log_loss_hashed(lines, words, bits))
