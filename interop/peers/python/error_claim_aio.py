# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
"""error_claim for grpc.aio.

    channel = grpc.aio.insecure_channel(
        target, [("grpc.service_config", config)],
        interceptors=error_claim_aio.client_interceptors(config))
    server = grpc.aio.server(interceptors=[error_claim_aio.ServerInterceptor()])

Tasks that a handler starts find its inbound call, as they run in a copy of its
context. Handlers that are no coroutines are served as well.
"""
import contextlib
import contextvars
import functools
import inspect

import grpc
import grpc.aio

from error_claim_inbound import set_current
from error_claim_sides import Answers, Outbounds


# --- the client's side ----------------------------------------------------------


def client_interceptors(*args, **options):
    """An interceptor for each form of call; the arguments are those of
    Outbounds."""
    outbounds = Outbounds(*args, **options)
    return [form(outbounds) for form in (_UnaryUnary, _UnaryStream, _StreamUnary,
                                         _StreamStream)]


class _Interceptor:
    def __init__(self, outbounds):
        self._outbounds = outbounds

    async def _intercept(self, continuation, details, request):
        path = details.method
        path = path.decode() if isinstance(path, bytes) else path
        outbound, metadata = self._outbounds.start(path, details.metadata)
        details = details._replace(metadata=grpc.aio.Metadata(*metadata))
        try:
            call = await continuation(details, request)
        except grpc.aio.AioRpcError as error:  # of an interceptor below
            self._outbounds.end(outbound, error.code().name, error.trailing_metadata())
            raise
        outbound.inbound.watch(call, functools.partial(self._ended, outbound))
        return call

    def _ended(self, outbound, call):
        self._outbounds.end(outbound, _at_once(call.code()).name,
                            _at_once(call.trailing_metadata()))


def _at_once(coroutine):
    """The result of a coroutine that need not wait: the call has ended."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        return end.value
    coroutine.close()
    raise RuntimeError(f"{coroutine} waits, though its call has ended")


class _UnaryUnary(_Interceptor, grpc.aio.UnaryUnaryClientInterceptor):
    intercept_unary_unary = _Interceptor._intercept


class _UnaryStream(_Interceptor, grpc.aio.UnaryStreamClientInterceptor):
    intercept_unary_stream = _Interceptor._intercept


class _StreamUnary(_Interceptor, grpc.aio.StreamUnaryClientInterceptor):
    intercept_stream_unary = _Interceptor._intercept


class _StreamStream(_Interceptor, grpc.aio.StreamStreamClientInterceptor):
    intercept_stream_stream = _Interceptor._intercept


# --- the server's side ----------------------------------------------------------

_CODES = {code.value[0]: code for code in grpc.StatusCode}


def _as_code(code):
    """grpc.aio takes numbers as well."""
    return _CODES.get(code, code)


class _Context:
    """A servicer context that says whose an error is as it leaves. Not all of
    gRPC's can be asked for their code and trailers: it keeps them."""

    def __init__(self, context, answers, path):
        self._context, self._answers = context, answers
        self._code, self._details, self._trailers = None, "", ()
        self._left = False
        self.inbound = answers.arrive(path, context)

    def __getattr__(self, name):
        return getattr(self._context, name)

    def invocation_metadata(self):
        return self._answers.visible(self._context.invocation_metadata())

    def code(self):
        return self._code

    def set_code(self, code):
        self._code = _as_code(code)
        self._context.set_code(code)

    def details(self):
        return self._details

    def set_details(self, details):
        self._details = details
        self._context.set_details(details)

    def trailing_metadata(self):
        return self._trailers

    def set_trailing_metadata(self, metadata):
        self._trailers = tuple(metadata)
        self._context.set_trailing_metadata(self._trailers)

    def failed(self):
        return self._code not in (None, grpc.StatusCode.OK)

    def leave(self, code, trailers=()):
        """The trailing metadata that leave: those of the first end."""
        if not self._left:
            self._left = True
            self.inbound.finish()
            self.set_trailing_metadata(self._answers.trailers(
                self.inbound, getattr(_as_code(code), "name", "UNKNOWN"),
                tuple(trailers or self._trailers)))
        return self._trailers

    @contextlib.contextmanager
    def serving(self):
        """Around the handler."""
        try:
            yield
        except Exception:
            self.leave(self._code if self.failed() else grpc.StatusCode.UNKNOWN)
            raise
        except BaseException:  # the call was cancelled, or its stream closed
            self.inbound.cancel()
            raise
        self.leave(self._code or grpc.StatusCode.OK)


class _AioContext(_Context):
    async def abort(self, code, details="", trailing_metadata=()):
        await self._context.abort(code, details, self.leave(code, trailing_metadata))

    async def abort_with_status(self, status):
        await self.abort(status.code, status.details, status.trailing_metadata)


class _ThreadContext(_Context):
    """Of a handler that is no coroutine."""

    def abort(self, code, details="", trailing_metadata=()):
        self._context.abort(code, details, self.leave(code, trailing_metadata))

    def abort_with_status(self, status):
        self.abort(status.code, status.details, status.trailing_metadata)


grpc.aio.ServicerContext.register(_AioContext)
grpc.ServicerContext.register(_ThreadContext)


class ServerInterceptor(Answers, grpc.aio.ServerInterceptor):
    async def intercept_service(self, continuation, handler_call_details):
        handler = await continuation(handler_call_details)
        if handler is None:
            return None
        kind = "_".join("stream" if streams else "unary" for streams in (
            handler.request_streaming, handler.response_streaming))
        behavior = getattr(handler, kind)
        wrapped = functools.wraps(behavior)(
            self._wrap(behavior, handler_call_details.method,
                       handler.response_streaming))
        make = getattr(grpc, kind + "_rpc_method_handler")
        return make(wrapped, handler.request_deserializer, handler.response_serializer)

    def _wrap(self, behavior, path, streams):
        """A handler of the same form, as gRPC tells the forms apart."""
        if inspect.iscoroutinefunction(behavior):
            return _coroutine(behavior, lambda c: _AioContext(c, self, path), streams)
        if inspect.isasyncgenfunction(behavior):
            return _generator(behavior, lambda c: _AioContext(c, self, path))
        in_thread = _thread_stream if streams else _thread_unary
        return in_thread(behavior, lambda c: _ThreadContext(c, self, path))


def _coroutine(behavior, context_of, streams):
    async def serve(request, context):
        seen = context_of(context)
        set_current(seen.inbound)  # each call has a task, and a context, of its own
        with seen.serving():
            reply = await behavior(request, seen)
        if seen.failed() and not streams:  # or gRPC sends a reply first
            await seen.abort(seen.code(), seen.details())
        return reply

    return serve


def _generator(behavior, context_of):
    async def serve(request, context):
        seen = context_of(context)
        set_current(seen.inbound)
        with seen.serving():
            async with contextlib.aclosing(behavior(request, seen)) as replies:
                async for reply in replies:
                    yield reply

    return serve


def _thread_unary(behavior, context_of):
    def serve(request, context):
        seen, home = context_of(context), contextvars.copy_context()
        home.run(set_current, seen.inbound)
        with seen.serving():
            reply = home.run(behavior, request, seen)
        if seen.failed():
            seen.abort(seen.code(), seen.details())
        return reply

    return serve


def _thread_stream(behavior, context_of):
    def serve(request, context):
        seen, home, end = context_of(context), contextvars.copy_context(), object()
        home.run(set_current, seen.inbound)
        with seen.serving():
            replies = home.run(iter, home.run(behavior, request, seen))
            while (reply := home.run(next, replies, end)) is not end:
                yield reply

    return serve
