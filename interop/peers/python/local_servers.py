# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
"""Real servers and clients of one method, in this process, for the tests."""
import collections
import json
import threading
import unittest
from concurrent import futures

import grpc

import error_claim
import error_claim_rules as rules

DEADLINE_S = 20


def policy(attempts=4, codes=("UNAVAILABLE",)):
    return json.dumps({"methodConfig": [{"name": [{}], "retryPolicy": {
        "maxAttempts": attempts, "initialBackoff": "0.005s", "maxBackoff": "0.005s",
        "backoffMultiplier": 1, "retryableStatusCodes": list(codes)}}]})


def fail(code=grpc.StatusCode.UNAVAILABLE, trailers=(), message="down"):
    """A handler that always fails."""
    def handler(_, context):
        context.set_trailing_metadata(trailers)
        context.abort(code, message)

    return handler


class Error(collections.namedtuple("Error", "code message trailers")):
    """What a client saw of a failed call."""

    def all(self, key):
        return rules.values(self.trailers, key)

    @property
    def claims(self):
        return self.all(rules.CLAIM)

    @property
    def detail(self):
        (data,) = self.all(rules.DETAIL)
        return rules.ErrorClaim.FromString(data)

    @property
    def reason(self):
        return rules.ErrorClaim.Reason.Name(self.detail.reason)


class Server:
    """Serves /NAME/Call, a method of this kind, and remembers the requests."""

    def __init__(self, test, name, handler, *interceptors, kind="unary_unary"):
        self.name, self.kind = name, kind
        self._handler, self._lock, self.metadata = handler, threading.Lock(), []
        server = grpc.server(futures.ThreadPoolExecutor(64), interceptors=interceptors)
        make = getattr(grpc, kind + "_rpc_method_handler")
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(
            name, {"Call": make(self._serve)}),))
        self.target = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
        server.start()
        test.addCleanup(lambda: server.stop(None).wait())

    def _serve(self, request, context):
        with self._lock:
            self.metadata.append(tuple(context.invocation_metadata()))
        return self._handler(request, context)

    @property
    def served(self):
        return len(self.metadata)


class ServersTest(unittest.TestCase):
    def server(self, name, handler, *interceptors, **more):
        return Server(self, name, handler, *interceptors, **more)

    def claiming(self, name, handler, kind="unary_unary", **options):
        return self.server(name, handler, error_claim.ServerInterceptor(**options),
                           kind=kind)

    def channel(self, server, config, *interceptors):
        arguments = [("grpc.use_local_subchannel_pool", 1)]
        if config is not None:
            arguments.append(("grpc.service_config", config))
        channel = grpc.insecure_channel(server.target, arguments)
        self.addCleanup(channel.close)
        return grpc.intercept_channel(channel, *interceptors)

    def method(self, server, channel):
        return getattr(channel, server.kind)(f"/{server.name}/Call")

    def stock(self, server, config=policy()):
        """A call by a client that knows nothing of the protocol."""
        return self.method(server, self.channel(server, config))

    def tied(self, server, config=policy(), **options):
        """A call by a client with the interceptor."""
        interceptor = error_claim.ClientInterceptor(config, **options)
        return self.method(server, self.channel(server, config, interceptor))

    def error(self, call, request=b"", **more):
        """Makes a call that must fail, and returns its error."""
        if isinstance(request, (list, tuple)):
            request = iter(request)
        with self.assertRaises(grpc.RpcError) as caught:
            reply = call(request, timeout=DEADLINE_S, **more)
            if not isinstance(reply, bytes):
                list(reply)
        seen = caught.exception
        return Error(seen.code(), seen.details(), seen.trailing_metadata())


def passing(call, copy=False, forward=()):
    """A handler that passes on the error of the call it makes; `forward`: the
    keys of its request's metadata that it forwards."""
    def handler(request, context):
        metadata = [item for item in context.invocation_metadata()
                    if item[0] in forward]
        try:
            return call(request, timeout=DEADLINE_S, metadata=metadata)
        except grpc.RpcError as error:
            if copy:
                context.set_trailing_metadata(error.trailing_metadata())
            context.abort(error.code(), error.details())

    return handler
