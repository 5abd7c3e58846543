# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
"""A node's own failures."""
import itertools


class Dice:
    """Which calls fail: those of eown-node with the same seed, name and rate."""
    WORD = 2**64 - 1

    def __init__(self, options):
        self._options, self._thrown = options, itertools.count()
        self._seed = options.seed
        for byte in options.name.encode():
            self._seed = self._split_mix(self._seed, byte)

    def _split_mix(self, seed, n):
        """SplitMix64 (Steele, Lea, Flood 2014): output number n of a seed."""
        z = seed + (n + 1) * 0x9e3779b97f4a7c15 & self.WORD
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9 & self.WORD
        z = (z ^ z >> 27) * 0x94d049bb133111eb & self.WORD
        return z ^ z >> 31

    def throw(self):
        n = next(self._thrown)
        unit = (self._split_mix(self._seed, n) >> 11) * 2.0**-53
        return n >= self._options.healthy_first and unit < self._options.fail_rate
