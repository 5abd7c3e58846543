# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
"""An inbound call and the outbound calls made for it, without gRPC."""
import collections
import contextlib
import contextvars
import threading

from error_claim_rules import (
    FAULTS, UNCLAIMED, ErrorClaim, claim_of, make_detail, passed_on, reason_of, split)

_Failure = collections.namedtuple(
    "_Failure", "path at status attempts satisfied fail_open detail")
_current = contextvars.ContextVar("error_claim_inbound", default=None)


def current():
    """The inbound call this code runs for, or None. Threads that a handler
    starts find it where they run in a copy of its context (contextvars)."""
    return _current.get()


def set_current(inbound):
    _current.set(inbound)


class Inbound:
    """What one inbound call knows of the outbound calls made for it. The
    application may set `claim`, to CLAIMED or UNCLAIMED: its own word.
    `deadline` is one of time.monotonic(), or None."""

    def __init__(self, path="", retry=False, deadline=None):
        self.path, self.retry, self.deadline = path, retry, deadline
        self.claim = None
        self.cancelled = threading.Event()
        self._finished = False
        self._lock = threading.RLock()
        self._clock = 0  # failures so far
        self._failures = []
        self._open = {}  # outbound calls that have not ended, and what ends them
        self._hooks = {}  # what a cancellation calls

    # --- its own end ---

    def finish(self):
        """The handler is through: what comes now is no cancellation."""
        with self._lock:
            self._finished = True

    def cancel(self):
        """The caller does not want the answer any more."""
        with self._lock:
            if self._finished:
                return
            self.cancelled.set()
            hooks = list(self._hooks.values())
        for hook in hooks:
            hook()

    @contextlib.contextmanager
    def cancelling(self, hook):
        """Has hook() called where the call is cancelled meanwhile."""
        with self._lock:
            key = object()
            self._hooks[key] = hook
        try:
            if self.cancelled.is_set():
                hook()
            yield
        finally:
            with self._lock:
                del self._hooks[key]

    # --- its outbound calls ---

    def set_retried(self):
        """The application has retried, by its own means, what failed so far."""
        with self._lock:
            self._failures = [f._replace(satisfied=True) for f in self._failures]

    def start(self, path):
        """The moment an outbound call starts, and whether it repeats a failed one."""
        with self._lock:
            self.settle()
            return self._clock, self._attempts(path, self._clock) > 0

    def _attempts(self, path, started):
        return sum(f.attempts for f in self._failures
                   if f.path == path and f.at <= started and f.status in FAULTS)

    def watch(self, call, end):
        """Has end(call) called once when the call is over: at the latest before
        anything is decided, as a future's callbacks may come late."""
        with self._lock:
            self._open[id(call)] = (call, end)
        if call.done():
            self.settle()
        else:
            call.add_done_callback(lambda _: self.settle())

    def settle(self):
        with self._lock:
            for key, (call, end) in list(self._open.items()):
                if call.done():
                    del self._open[key]
                    end(call)

    def record(self, path, started, status, satisfied=False, fail_open=False,
               detail=None):
        """An outbound call ended. Its outcome stands in the place of failures on
        its edge from before its start; after one of these it was a retry.
        Returns what note_loop knows a failure by."""
        with self._lock:
            before = self._attempts(path, started)
            self._failures = [f for f in self._failures
                              if f.path != path or f.at > started]
            if status != "OK":
                self._clock += 1
                self._failures.append(_Failure(
                    path, self._clock, status, before + 1,
                    satisfied or before > 0, fail_open, detail))
            return self._clock

    def note_loop(self, failure, attempts, held_back):
        """A retry loop ended with this failure, after so many attempts."""
        with self._lock:
            self._failures = [
                f._replace(attempts=attempts, satisfied=f.satisfied or held_back)
                if f.at == failure else f for f in self._failures]

    # --- rule 3 ---

    def decide(self, status, service_name=None):
        """The claim and the detail for an error that leaves."""
        with self._lock:
            self.settle()
            reason, speaker = ErrorClaim.OWN, None
            for failure in self._failures:
                said = self._reason(failure, status)
                if said >= reason and said != ErrorClaim.OWN:
                    reason, speaker = said, failure
        claim = self.claim or claim_of(reason)
        reason = ErrorClaim.APPLICATION if self.claim else reason
        attempts = speaker.attempts if speaker else 0
        if claim == UNCLAIMED and speaker:
            return claim, passed_on(speaker.detail, speaker.path, attempts, reason)
        service, method = split(self.path)
        return claim, make_detail(service_name or service, method, 0, attempts, reason)

    @staticmethod
    def _reason(failure, status):
        passes = status not in FAULTS and failure.status == status
        return reason_of(failure.status in FAULTS or passes, failure.fail_open,
                         failure.satisfied or passes)
