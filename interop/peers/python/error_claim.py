# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
"""The error-claim protocol (protos/PROTOCOL.md) for gRPC services in Python:
rules 1 to 3, without memory.

    channel = grpc.intercept_channel(
        grpc.insecure_channel(target, [("grpc.service_config", config)]),
        error_claim.ClientInterceptor(config))
    server = grpc.server(pool, interceptors=[error_claim.ServerInterceptor()])

gRPC for Python retries below its interceptors: there the pushback of an
unclaimed error stops the retry, and attempts cannot be counted. So an error that
the service config's retry policy covers counts as retried (rule 2). An
application that retries by itself does so with retry_loop.RetryLoop. For grpc.aio
see error_claim_aio.
"""
import collections
import contextlib
import contextvars
import functools

import grpc

from error_claim_inbound import Inbound, current, set_current
from error_claim_rules import CLAIMED, UNCLAIMED, may_retry
from error_claim_sides import Answers, Outbounds

__all__ = ("CLAIMED", "UNCLAIMED", "ClientInterceptor", "Inbound",
           "ServerInterceptor", "current", "may_retry")


class _Details(collections.namedtuple("_Details", (
        "method timeout metadata credentials wait_for_ready compression")),
               grpc.ClientCallDetails):
    pass


class ClientInterceptor(Outbounds, grpc.UnaryUnaryClientInterceptor,
                        grpc.UnaryStreamClientInterceptor,
                        grpc.StreamUnaryClientInterceptor,
                        grpc.StreamStreamClientInterceptor):
    def _intercept(self, continuation, details, request):
        outbound, metadata = self.start(details.method, details.metadata)
        given = {name: getattr(details, name, None) for name in _Details._fields}
        call = continuation(_Details(**{**given, "metadata": metadata}), request)
        outbound.inbound.watch(call, functools.partial(self._ended, outbound))
        return call

    intercept_unary_unary = intercept_unary_stream = _intercept
    intercept_stream_unary = intercept_stream_stream = _intercept

    def _ended(self, outbound, call):
        self.end(outbound, getattr(call.code(), "name", "UNKNOWN"),
                 call.trailing_metadata())


class _Context:
    """A ServicerContext that hides from the handler what it must not forward."""

    def __init__(self, context, answers):
        self._context, self._answers = context, answers

    def __getattr__(self, name):
        return getattr(self._context, name)

    def invocation_metadata(self):
        return self._answers.visible(self._context.invocation_metadata())


grpc.ServicerContext.register(_Context)


class ServerInterceptor(Answers, grpc.ServerInterceptor):
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
            reply = run(behavior, request, seen)
        if _failed(context):  # or gRPC sends a reply first, and no client retries
            context.abort(context.code(), context.details() or "")
        return reply

    def _stream(self, behavior, path, request, context):
        with self._inbound(path, context) as (run, seen):
            replies = run(iter, run(behavior, request, seen))
            end = object()
            while (reply := run(next, replies, end)) is not end:
                yield reply

    @contextlib.contextmanager
    def _inbound(self, path, context):
        inbound = self.arrive(path, context)
        if not context.add_callback(inbound.cancel):
            inbound.cancel()
        home = contextvars.copy_context()
        home.run(set_current, inbound)
        try:
            yield home.run, _Context(context, self)
        except Exception:
            self._answer(inbound, context, context.code() or grpc.StatusCode.UNKNOWN)
            raise
        self._answer(inbound, context, context.code() or grpc.StatusCode.OK)

    def _answer(self, inbound, context, code):
        inbound.finish()
        trailers = tuple(context.trailing_metadata() or ())
        leaving = self.trailers(inbound, getattr(code, "name", "UNKNOWN"), trailers)
        if leaving != trailers:
            context.set_trailing_metadata(leaving)


def _failed(context):
    return context.code() not in (None, grpc.StatusCode.OK)
