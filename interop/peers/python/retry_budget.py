# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
"""A retry budget, to be shared by retry loops."""
import threading


class RetryBudget:
    """Each call adds `percent` of a retry to it, up to `most` retries."""

    def __init__(self, percent=10, most=10):
        if not 0 <= percent <= 100:
            raise ValueError(f"percent: got {percent!r}, expected 0 to 100")
        if not 0 <= most <= 1_000_000:
            raise ValueError(f"most: got {most!r}, expected 0 to 1000000")
        self._percent, self._most, self._left = percent, most * 100, most * 100
        self._lock = threading.Lock()

    def deposit(self):
        """A call is made."""
        with self._lock:
            self._left = min(self._left + self._percent, self._most)

    def is_empty(self):
        return self._left < 100

    def withdraw(self):
        """A call is made again."""
        with self._lock:
            self._left = max(self._left - 100, 0)
