# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
"""The application's own retry loop by the protocol (protos/PROTOCOL.md), without
gRPC: what it decides, how long it waits, what it can be told."""
import dataclasses
import typing

from error_claim_rules import UNCLAIMED

# Ends after which the call has had its retry, or the loop held it back.
HELD_BACK = frozenset(("committed", "attempts", "deadline", "unclaimed", "budget",
                       "chain", "multiplied", "pushback"))
STATUSES = frozenset((
    "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND",
    "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED",
    "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL",
    "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED"))
ATTEMPTS_MAX, WAIT_MAX_MS, MULTIPLIER_MAX = 100, 86_400_000, 1000


def loop_reason(status, claim, committed, calls_left, time_left, budget_empty,
                chained, attempts_left, pushback, owned=True):
    """Why the loop ends, or "retry". `status` is "ok", "cancelled", "listed" or
    "other", `pushback` "none", "wait" or "stop"; `owned`: ownership decides too."""
    rows = (("ok", status == "ok"),
            ("cancelled", status == "cancelled"),
            ("status", status != "listed"),
            ("committed", committed),
            ("attempts", not calls_left),
            ("deadline", not time_left),
            ("unclaimed", owned and claim == UNCLAIMED),
            ("budget", owned and budget_empty),
            ("chain", owned and chained),
            ("multiplied", owned and not attempts_left),
            ("pushback", pushback == "stop"))
    return next((reason for reason, holds in rows if holds), "retry")


def backoff_ms(initial_ms, max_ms, multiplier, retry, random):
    """gRPC's wait before the retry of this number (from 1); `random`: 0 to 1."""
    try:
        wait = initial_ms * float(multiplier) ** (retry - 1)
    except OverflowError:
        wait = max_ms
    return min(wait, max_ms) * (0.8 + 0.4 * random)


@dataclasses.dataclass(frozen=True)
class RetryOptions:
    """What a loop is told. `budget`: of what retries may cost, such as a
    RetryBudget; `chain_stop`: no retry for an inbound call that is one. `alias`
    and `trust_boundary` are for channels without the interceptor."""
    max_attempts: int = 3
    codes: typing.Sequence = ("UNAVAILABLE",)
    initial_backoff_ms: float = 100
    max_backoff_ms: float = 1000
    backoff_multiplier: float = 2
    mode: str = "enforce"
    budget: typing.Any = None
    chain_stop: bool = False
    alias: typing.Optional[str] = None
    trust_boundary: bool = False

    def __post_init__(self):
        self._expect_number("max_attempts", 1, ATTEMPTS_MAX, whole=True)
        self._expect_number("initial_backoff_ms", 0, WAIT_MAX_MS)
        self._expect_number("max_backoff_ms", 0, WAIT_MAX_MS)
        self._expect_number("backoff_multiplier", 1, MULTIPLIER_MAX)
        if self.mode not in ("off", "observe", "enforce"):
            _refuse("mode", self.mode, "off, observe or enforce")
        object.__setattr__(self, "codes", _names_of(self.codes))

    def _expect_number(self, name, least, most, whole=False):
        value = getattr(self, name)
        kinds = int if whole else (int, float)
        good = isinstance(value, kinds) and not isinstance(value, bool)
        if not good or not least <= value <= most:  # no NaN is between
            _refuse(name, value, f"a {'whole ' if whole else ''}number from "
                    f"{least} to {most}")


def _refuse(name, value, expected):
    raise ValueError(f"{name}: got {value!r}, expected {expected}")


def _names_of(codes):
    """Status codes by their names, from names or values of grpc.StatusCode."""
    expected = "names of gRPC status codes other than OK"
    if isinstance(codes, str) or not hasattr(codes, "__iter__"):
        _refuse("codes", codes, expected)
    names = [getattr(code, "name", code) for code in codes]
    for name in names:
        if name not in STATUSES:
            _refuse("codes", name, expected)
    return frozenset(names)
