# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
"""The error-claim protocol (protos/PROTOCOL.md) for gRPC services in Python:
rules 1 to 3, without memory and budget.

    channel = grpc.intercept_channel(
        grpc.insecure_channel(target, [("grpc.service_config", config)]),
        error_claim.ClientInterceptor(config))
    server = grpc.server(pool, interceptors=[error_claim.ServerInterceptor()])

gRPC for Python retries below its interceptors: there the pushback of an
unclaimed error stops the retry, and attempts cannot be counted. So an error that
the service config's retry policy covers counts as retried (rule 2). An
application that retries by itself asks may_retry(). A handler ends its errors
with context.abort() or an exception: after set_code() and a reply no client
retries, whatever the claim.
"""
import collections
import contextlib
import contextvars
import fnmatch
import functools
import threading

import grpc

from error_claim_rules import (
    CLAIM, CLAIMED, DETAIL, FAULTS, MARK, PUSHBACK, UNCLAIMED, ErrorClaim,
    claim_of, criteria, is_marked, make_detail, may_retry, passed_on, policy_of,
    read_claim, read_detail, reason_of, retry_policies, split)

__all__ = ("CLAIMED", "UNCLAIMED", "ClientInterceptor", "Inbound",
           "ServerInterceptor", "current", "may_retry")


# --- an inbound call and its outbound calls ----------------------------------

_Failure = collections.namedtuple(
    "_Failure", "path at status attempts satisfied fail_open detail")
_current = contextvars.ContextVar("error_claim_inbound", default=None)


def current():
    """The inbound call this code runs for, or None. Threads that a handler
    starts find it where they run in a copy of its context (contextvars)."""
    return _current.get()


class Inbound:
    """What one inbound call knows of the outbound calls made for it. The
    application may set `claim`, to CLAIMED or UNCLAIMED: its own word."""

    def __init__(self, path="", retry=False):
        self.path, self.retry, self.claim = path, retry, None
        self._lock = threading.RLock()
        self._clock = 0  # failures so far
        self._failures = []
        self._open = {}  # outbound calls that have not ended, and what ends them

    def set_retried(self):
        """The application has retried, by its own means, what failed so far."""
        with self._lock:
            self._failures = [f._replace(satisfied=True) for f in self._failures]

    def start(self, path):
        """The moment an outbound call starts, and whether it repeats a failed one."""
        with self._lock:
            self._settle()
            return self._clock, self._attempts(path, self._clock) > 0

    def _attempts(self, path, started):
        return sum(f.attempts for f in self._failures
                   if f.path == path and f.at <= started and f.status in FAULTS)

    def watch(self, call, end):
        """Has end(call) called once when the call is over: at the latest before
        anything is decided, as a future's callbacks may come late."""
        with self._lock:
            self._open[id(call)] = (call, end)
        call.add_done_callback(lambda _: self._settle())

    def _settle(self):
        with self._lock:
            for key, (call, end) in list(self._open.items()):
                if call.done():
                    del self._open[key]
                    end(call)

    def record(self, path, started, status, satisfied=False, fail_open=False,
               detail=None):
        """An outbound call ended. Its outcome stands in the place of failures on
        its edge from before its start; after one of these it was a retry."""
        with self._lock:
            before = self._attempts(path, started)
            self._failures = [f for f in self._failures
                              if f.path != path or f.at > started]
            if status != "OK":
                self._clock += 1
                self._failures.append(_Failure(
                    path, self._clock, status, before + 1,
                    satisfied or before > 0, fail_open, detail))

    def decide(self, status, service_name=None):
        """Rule 3: the claim and the detail for an error that leaves."""
        with self._lock:
            self._settle()
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


# --- gRPC ---------------------------------------------------------------------


class _Details(collections.namedtuple("_Details", (
        "method timeout metadata credentials wait_for_ready compression")),
               grpc.ClientCallDetails):
    pass


class ClientInterceptor(grpc.UnaryUnaryClientInterceptor,
                        grpc.UnaryStreamClientInterceptor,
                        grpc.StreamUnaryClientInterceptor,
                        grpc.StreamStreamClientInterceptor):
    """Ties outbound calls to the inbound one. `service_config` is the channel's;
    `fail_open`: patterns of paths ("/shop.Ads/*") that the service carries on
    without. `on_event` hears "stopped_unclaimed"."""

    def __init__(self, service_config=None, fail_open=(), trust_boundary=False,
                 alias=None, on_event=lambda event: None):
        self._policies = retry_policies(service_config)
        self._fail_open, self._trust_boundary = tuple(fail_open), trust_boundary
        self._alias, self._on_event = alias, on_event

    def _intercept(self, continuation, details, request):
        inbound = current() or Inbound()
        started, repeats = inbound.start(details.method)
        if (inbound.retry or repeats) and not self._trust_boundary:
            details = self._marked(details)
        call = continuation(details, request)
        inbound.watch(call, functools.partial(
            self._ended, inbound, details.method, started))
        return call

    intercept_unary_unary = intercept_unary_stream = _intercept
    intercept_stream_unary = intercept_stream_stream = _intercept

    @staticmethod
    def _marked(details):
        kept = [item for item in details.metadata or () if item[0] != MARK]
        given = {name: getattr(details, name, None) for name in _Details._fields}
        return _Details(**{**given, "metadata": [*kept, (MARK, "1")]})

    def _ended(self, inbound, path, started, call):
        status = getattr(call.code(), "name", "UNKNOWN")
        claim = detail = None
        if status != "OK" and not self._trust_boundary:
            claim = read_claim(call.trailing_metadata(), self._alias)
        if claim is not None:  # without a claim a detail means nothing
            detail = read_detail(call.trailing_metadata())
        policy = policy_of(self._policies, path, status)
        if claim == UNCLAIMED and policy == "covers":
            self._on_event("stopped_unclaimed")
        fail_open = any(fnmatch.fnmatchcase(path, p) for p in self._fail_open)
        inbound.record(path, started, status, criteria(claim, False, policy),
                       fail_open, detail)


class _Stripped:
    """A ServicerContext without the claim keys of the request."""

    def __init__(self, context, keys):
        self._context, self._keys = context, keys

    def __getattr__(self, name):
        return getattr(self._context, name)

    def invocation_metadata(self):
        return tuple(item for item in self._context.invocation_metadata()
                     if item[0] not in self._keys)


grpc.ServicerContext.register(_Stripped)


class ServerInterceptor(grpc.ServerInterceptor):
    """Says of each error that leaves whether this service caused it. `observe`:
    without pushback; `trust_boundary`: say and believe nothing. `on_event` hears
    "sent_claimed" and "sent_unclaimed"."""

    def __init__(self, service_name=None, observe=False, trust_boundary=False,
                 alias=None, on_event=lambda event: None):
        self._service_name, self._observe = service_name, observe
        self._trust_boundary, self._on_event = trust_boundary, on_event
        self._claim_keys = (CLAIM, alias) if alias else (CLAIM,)
        self._keys = {*self._claim_keys, DETAIL}

    def intercept_service(self, continuation, handler_call_details):
        handler = continuation(handler_call_details)
        if handler is None:
            return None
        kind = "_".join("stream" if streams else "unary" for streams in (
            handler.request_streaming, handler.response_streaming))
        serve = self._stream if handler.response_streaming else self._unary
        behavior = getattr(handler, kind)
        wrapped = functools.wraps(behavior)(functools.partial(
            serve, behavior, handler_call_details.method))
        make = getattr(grpc, kind + "_rpc_method_handler")
        return make(wrapped, handler.request_deserializer, handler.response_serializer)

    def _unary(self, behavior, path, request, context):
        with self._inbound(path, context) as (run, seen):
            return run(behavior, request, seen)

    def _stream(self, behavior, path, request, context):
        with self._inbound(path, context) as (run, seen):
            replies = run(iter, run(behavior, request, seen))
            end = object()
            while (reply := run(next, replies, end)) is not end:
                yield reply

    @contextlib.contextmanager
    def _inbound(self, path, context):
        metadata = context.invocation_metadata()
        inbound = Inbound(path, not self._trust_boundary and is_marked(metadata))
        home = contextvars.copy_context()
        home.run(_current.set, inbound)
        if any(item[0] in self._keys for item in metadata):
            context = _Stripped(context, self._keys)
        try:
            yield home.run, context
        except Exception:
            self._answer(inbound, context, context.code() or grpc.StatusCode.UNKNOWN)
            raise
        self._answer(inbound, context, context.code() or grpc.StatusCode.OK)

    def _answer(self, inbound, context, code):
        trailers = list(context.trailing_metadata() or ())
        kept = [item for item in trailers if item[0] not in self._keys]
        if code != grpc.StatusCode.OK and not self._trust_boundary:
            kept = self._speak(inbound, getattr(code, "name", "UNKNOWN"), kept)
        if kept != trailers:
            context.set_trailing_metadata(tuple(kept))

    def _speak(self, inbound, status, trailers):
        claim, detail = inbound.decide(status, self._service_name)
        self._on_event("sent_" + claim)
        if claim == UNCLAIMED and not self._observe:
            trailers = [item for item in trailers if item[0] != PUSHBACK]
            trailers.append((PUSHBACK, "-1"))
        return [*trailers, *((key, claim) for key in self._claim_keys),
                (DETAIL, detail.SerializeToString())]
