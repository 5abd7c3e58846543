# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
"""A retry loop around a stub that keeps to error ownership.

    loop = RetryLoop(max_attempts=3, codes=("UNAVAILABLE",))
    reply = loop.call(stub.Get, request, timeout=2)
    for reply in loop.stream(stub.List, request, timeout=2): ...

It works with the interceptors (error_claim) and without. It is free of state:
one serves all threads.
"""
import grpc

from retry_loop_rules import RetryOptions
from retry_run import Run


def path_of(method):
    """The path that a stub's method calls, or None."""
    path = getattr(method, "_method", None)
    return path.decode() if isinstance(path, bytes) else path


def end_of(error):
    """Status and trailing metadata of an error; not each has them."""
    code = error.code() if hasattr(error, "code") else grpc.StatusCode.UNKNOWN
    trailers = error.trailing_metadata() if hasattr(error, "trailing_metadata") else ()
    return getattr(code, "name", "UNKNOWN"), trailers


class Requests:
    """Requests that can be sent again."""

    def __init__(self, request):
        if hasattr(request, "__next__") or hasattr(request, "__anext__"):
            raise ValueError(f"request: got {request!r}, expected a message or a "
                             "list or tuple of messages, to be sent again")
        self._request = request

    def anew(self):
        streams = isinstance(self._request, (list, tuple))
        return iter(self._request) if streams else self._request


class RetryLoopBase:
    """`options` are those of RetryOptions. `on_reason` hears why each call was
    the last one, or "retry"."""

    def __init__(self, on_reason=lambda reason: None, **options):
        self._options, self._on_reason = RetryOptions(**options), on_reason

    def run(self, path=None, timeout=None):
        """For loops by hand, around calls of any kind: a Run."""
        return Run(self._options, path, timeout, self._on_reason)

    def start(self, run, method, requests, metadata, more):
        loop_call, metadata = run.begin(metadata)
        return loop_call.start(method, requests.anew(), timeout=run.time_left(),
                               metadata=metadata, **more)


class RetryLoop(RetryLoopBase):
    def call(self, method, request, timeout=None, metadata=None, **more):
        """The reply of a unary or client streaming method. `timeout`: of all the
        calls together; each ends with the inbound call's deadline as well."""
        requests, run = Requests(request), self.run(path_of(method), timeout)
        while True:
            call = self.start(run, method.future, requests, metadata, more)
            try:
                reply = self._result(run, call)
            except grpc.RpcError as error:
                answer = run.again(*end_of(error))
                if not answer.again or not run.wait(answer):
                    raise
            else:
                run.again("OK")
                return reply

    @staticmethod
    def _result(run, call):
        try:
            with run.inbound.cancelling(call.cancel):
                return call.result()
        except grpc.RpcError:
            raise
        except BaseException:  # cancelled, or the thread is interrupted
            call.cancel()
            run.give_up()
            raise

    def stream(self, method, request, timeout=None, metadata=None, **more):
        """The replies of a streaming method: it is called again up to the first
        of them."""
        requests, run = Requests(request), self.run(path_of(method), timeout)
        return self._replies(run, method, requests, metadata, more)

    def _replies(self, run, method, requests, metadata, more):
        while True:
            call, committed = self.start(run, method, requests, metadata, more), False
            try:
                with run.inbound.cancelling(call.cancel):
                    for reply in call:
                        committed = True
                        yield reply
            except grpc.RpcError as error:
                answer = run.again(*end_of(error), committed)
                if not answer.again or not run.wait(answer):
                    raise
            except BaseException:  # the application reads no further
                call.cancel()
                run.give_up()
                raise
            else:
                run.again("OK")
                return
