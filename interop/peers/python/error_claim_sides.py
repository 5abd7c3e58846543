# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
"""What the interceptors of both forms, sync and aio, share: what a client makes
of its outbound calls and a server of its errors, without gRPC."""
import contextvars
import fnmatch
import time
import typing

from error_claim_inbound import Inbound, current
from error_claim_rules import (
    CLAIM, DETAIL, MARK, PREVIOUS, PUSHBACK, UNCLAIMED, alias_of, attempts_of,
    criteria, is_marked, own_trailers, policy_of, pushback_of, read_claim,
    read_detail, request_metadata, retry_policies, without)

_loop_call = contextvars.ContextVar("error_claim_loop_call", default=None)


# --- a call that a retry loop makes -------------------------------------------


class Ended(typing.NamedTuple):
    """How an outbound call ended, as the interceptor saw it."""
    inbound: Inbound
    failure: int  # Inbound.record
    claim: str
    attempts: int
    observe: bool


class LoopCall:
    """By this a retry loop hears of what the interceptor saw of its call."""

    def __init__(self, path=""):
        self._path, self.outbound, self.ended = path, None, None

    def start(self, make, *args, **more):
        """Makes the call, where the interceptor can find this."""
        token = _loop_call.set(self)
        try:
            return make(*args, **more)
        finally:
            _loop_call.reset(token)

    def take(self, outbound):
        """Other calls, such as another interceptor's own, are not the loop's."""
        if self.outbound is None and self._path in ("", outbound.path):
            self.outbound = outbound
            return True
        return False


# --- the client's side ----------------------------------------------------------


class Outbound:
    """One outbound call, from its start on."""

    def __init__(self, path):
        self.path, self.inbound = path, current() or Inbound()
        self.started, self.repeats = self.inbound.start(path)
        call = _loop_call.get()
        self.loop_call = call if call is not None and call.take(self) else None


class Outbounds:
    """Ties outbound calls to the inbound one. `service_config` is the channel's;
    `fail_open`: patterns of paths ("/shop.Ads/*") that the service carries on
    without; `observe`: retry loops above stop nothing. `on_event` hears
    "stopped_unclaimed"."""

    def __init__(self, service_config=None, fail_open=(), trust_boundary=False,
                 alias=None, on_event=lambda event: None, observe=False):
        self._policies = retry_policies(service_config)
        self._fail_open = (fail_open,) if isinstance(fail_open, str) else fail_open
        self._trust_boundary, self._observe = trust_boundary, observe
        self._alias, self._on_event = alias_of(alias), on_event

    def start(self, path, metadata):
        """The outbound call, and the metadata of its request."""
        outbound = Outbound(path)
        return outbound, request_metadata(
            metadata, outbound.inbound.retry or outbound.repeats,
            self._trust_boundary, self._alias)

    def end(self, outbound, status, trailers):
        path, claim, detail = outbound.path, None, None
        if status != "OK" and not self._trust_boundary:
            claim = read_claim(trailers, self._alias)
        if claim is not None:  # without a claim a detail means nothing
            detail = read_detail(trailers)
        policy = policy_of(self._policies, path, status)
        if claim == UNCLAIMED and policy == "covers":
            self._on_event("stopped_unclaimed")
        failure = outbound.inbound.record(
            path, outbound.started, status, criteria(claim, False, policy),
            any(fnmatch.fnmatchcase(path, p) for p in self._fail_open), detail)
        if outbound.loop_call is not None:
            attempts = attempts_of(self._policies, path, status,
                                   pushback_of(trailers)[0])
            outbound.loop_call.ended = Ended(outbound.inbound, failure, claim,
                                             attempts, self._observe)


# --- the server's side ----------------------------------------------------------

YEAR_S = 366 * 24 * 3600


def time_remaining(context):
    """That of an inbound call, or None. Where there is no deadline, some versions
    of gRPC give a time so long that no call can be made with it."""
    left = context.time_remaining()
    return left if left is not None and left < YEAR_S else None


class Answers:
    """Says of each error that leaves whether this service caused it. `observe`:
    without pushback; `trust_boundary`: say and believe nothing. `on_event` hears
    "sent_claimed" and "sent_unclaimed"."""

    def __init__(self, service_name=None, observe=False, trust_boundary=False,
                 alias=None, on_event=lambda event: None):
        self._service_name, self._observe = service_name, observe
        self._trust_boundary, self._on_event = trust_boundary, on_event
        self._alias = alias_of(alias)
        self._hidden = {CLAIM, DETAIL, self._alias}
        if trust_boundary:  # no handler may forward them to where they count
            self._hidden |= {MARK, PREVIOUS}

    def arrive(self, path, context):
        left = time_remaining(context)
        deadline = None if left is None else time.monotonic() + left
        metadata = context.invocation_metadata()
        retry = not self._trust_boundary and is_marked(metadata)
        return Inbound(path, retry, deadline)

    def visible(self, metadata):
        """What a handler sees of the metadata of its request."""
        return tuple(without(metadata, self._hidden))

    def trailers(self, inbound, status, trailers):
        """The trailing metadata that leave with the status."""
        own = own_trailers(trailers, self._alias)
        if status == "OK" or self._trust_boundary:
            return tuple(own)
        claim, detail = inbound.decide(status, self._service_name)
        self._on_event("sent_" + claim)
        if claim == UNCLAIMED and not self._observe:
            own = [*without(own, {PUSHBACK}), (PUSHBACK, "-1")]
        keys = (CLAIM, self._alias) if self._alias else (CLAIM,)
        return (*own, *((key, claim) for key in keys),
                (DETAIL, detail.SerializeToString()))
