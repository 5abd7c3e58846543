# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
"""The calls that a retry loop makes in the place of one, without gRPC."""
import random
import threading
import time
import typing

from error_claim_inbound import Inbound, current
from error_claim_rules import (
    alias_of, criteria, pushback_of, read_claim, read_detail, request_metadata)
from error_claim_sides import Ended, LoopCall
from retry_loop_rules import HELD_BACK, backoff_ms, loop_reason

LONGEST_WAIT_S = 3600  # at a time


class Answer(typing.NamedTuple):
    again: bool
    wait_ms: float
    reason: str  # in a mode that observes: what enforce would say


ENDED = Answer(False, 0, "ended")


class Run:
    """One use of a loop: begin() and call; again() once the call has ended. After
    a "no" it has ended and says so. `deadline` is one of time.monotonic()."""

    def __init__(self, options, path=None, timeout=None,
                 on_reason=lambda reason: None):
        self._options, self._path, self._on_reason = options, path or "", on_reason
        self._inbound = current() or Inbound()
        self._alias = alias_of(options.alias)
        deadlines = [self._inbound.deadline]
        if timeout is not None:
            deadlines.append(time.monotonic() + timeout)
        self._deadline = min((d for d in deadlines if d is not None), default=None)
        self._calls = self._attempts = self._waits = 0
        self._started, self._call, self._lock = 0, None, threading.Lock()
        self._ended = False

    @property
    def inbound(self):
        return self._inbound

    def time_left(self):
        """In seconds; None: no deadline."""
        if self._deadline is None:
            return None
        return max(0, self._deadline - time.monotonic())

    # --- a call begins ---

    def begin(self, metadata=None):
        """What the call needs: a LoopCall, and the metadata of its request."""
        self._calls += 1
        if self._options.budget is not None:
            self._options.budget.deposit()
        self._call = LoopCall(self._path)
        if self._options.mode == "off":
            return self._call, metadata
        self._started, _ = self._inbound.start(self._path)
        return self._call, request_metadata(
            metadata, self._calls > 1 or self._inbound.retry,
            self._options.trust_boundary, self._alias)

    # --- it ends ---

    def again(self, status, trailers=(), committed=False):
        """An Answer: whether to call again, and after how long a wait."""
        with self._lock:
            if self._ended or self._call is None:
                return ENDED
            ended = self._settle(status, trailers)
            self._call = None
            answer = self._decide(status, trailers, committed, ended)
            self._ended = not answer.again
        self._on_reason(answer.reason)
        return answer

    def _settle(self, status, trailers):
        """What the interceptor saw or, without it, is seen here."""
        if self._call.outbound is not None:
            self._call.outbound.inbound.settle()
        if self._call.ended is not None:
            return self._call.ended
        if self._options.mode == "off":
            return Ended(self._inbound, 0, None, 1, False)
        claim = detail = None
        if status != "OK" and not self._options.trust_boundary:
            claim = read_claim(trailers, self._alias)
        if claim is not None:
            detail = read_detail(trailers)
        failure = self._inbound.record(self._path, self._started, status,
                                       criteria(claim, False, "none"), False, detail)
        return Ended(self._inbound, failure, claim, 1, False)

    def _decide(self, status, trailers, committed, ended):
        self._attempts += ended.attempts
        pushback, asked_ms = pushback_of(trailers)
        wait_ms = asked_ms if pushback == "wait" else self._backoff_ms()
        seen = self._view(status, committed, wait_ms, ended, pushback)
        mode = self._options.mode
        enforced = mode == "enforce" and not ended.observe
        reason = loop_reason(*seen, owned=mode != "off")
        again = loop_reason(*seen, owned=enforced) == "retry"
        if again:
            self._waits = 0 if pushback == "wait" else self._waits + 1
            if self._options.budget is not None:
                self._options.budget.withdraw()
        elif status != "OK" and mode != "off":
            held_back = self._options.max_attempts > 1 and reason in HELD_BACK
            ended.inbound.note_loop(ended.failure, self._attempts, held_back)
        return Answer(again, wait_ms, reason)

    def _backoff_ms(self):
        options = self._options
        return backoff_ms(options.initial_backoff_ms, options.max_backoff_ms,
                          options.backoff_multiplier, self._waits + 1,
                          random.random())

    def _view(self, status, committed, wait_ms, ended, pushback):
        options, left = self._options, self.time_left()
        budget = options.budget
        return (self._kind(status), ended.claim, committed,
                self._calls < options.max_attempts,
                left is None or wait_ms < left * 1000,
                budget is not None and budget.is_empty(),
                options.chain_stop and self._inbound.retry,
                self._attempts < options.max_attempts, pushback)

    def _kind(self, status):
        if status == "OK":
            return "ok"
        if status == "CANCELLED" or self._inbound.cancelled.is_set():
            return "cancelled"
        return "listed" if status in self._options.codes else "other"

    # --- between two calls ---

    def wait(self, answer):
        """Waits as long as the answer says; false: cancelled meanwhile."""
        until = time.monotonic() + answer.wait_ms / 1000
        while (left := until - time.monotonic()) > 0:
            if self._inbound.cancelled.wait(min(left, LONGEST_WAIT_S)):
                break
        if self._inbound.cancelled.is_set():
            return self.give_up()
        return True

    def give_up(self):
        """Cancelled between two calls, or while one was under way."""
        with self._lock:
            ended, self._ended = self._ended, True
        if not ended:
            self._on_reason("cancelled")
        return False
