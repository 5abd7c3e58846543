# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
"""The counts of a node."""
import json
import threading


class Counts:
    """What a node counts."""
    NODE = ("served", "errors", "own_failures", "made")
    CALLEE = ("calls", "errors", "claimed", "unclaimed", "missing", "other")

    def __init__(self, options):
        self._options, self._lock = options, threading.Lock()
        self.reset()

    def reset(self):
        self._values = {}

    def add(self, *key):
        with self._lock:
            self._values[key] = self._values.get(key, 0) + 1

    def get(self, *key):
        return self._values.get(key, 0)

    def loop_ended(self, reason):
        """Of its own retry loop."""
        if reason == "unclaimed":
            self.add("stopped_unclaimed")
        elif reason == "multiplied":
            self.add(reason)

    def json(self, event):
        callees = [{"name": callee.name,
                    **{key: self.get(callee.name, key) for key in self.CALLEE}}
                   for callee in self._options.callee]
        return json.dumps({
            "event": event, "name": self._options.name,
            **{key: self.get(key) for key in self.NODE},
            "retries_stopped": {"unclaimed": self.get("stopped_unclaimed"),
                                "budget": 0, "chain": 0,
                                "multiplied": self.get("multiplied")},
            "claims_sent": {"claimed": self.get("sent_claimed"),
                            "unclaimed": self.get("sent_unclaimed")},
            "callees": callees}, separators=(",", ":"))
