# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
"""local_servers on grpc.aio."""
import unittest

import grpc
import grpc.aio

import error_claim_aio
from local_servers import DEADLINE_S, Error, policy


def fail(code=grpc.StatusCode.UNAVAILABLE, trailers=(), message="down"):
    """A handler that always fails."""
    async def handler(_, context):
        context.set_trailing_metadata(trailers)
        await context.abort(code, message)

    return handler


async def echo(request, _):
    return request


def passing(call, copy=False):
    """A handler that passes on the error of the call it makes."""
    async def handler(request, context):
        try:
            return await call(request, timeout=DEADLINE_S)
        except grpc.RpcError as error:
            if copy:
                context.set_trailing_metadata(tuple(error.trailing_metadata()))
            await context.abort(error.code(), error.details())

    return handler


class Server(grpc.aio.ServerInterceptor):
    """Serves /NAME/Call, a method of this kind, and remembers the requests."""

    def __init__(self, name, handler, interceptors, kind):
        self.name, self.kind, self.metadata = name, kind, []
        self._server = grpc.aio.server(interceptors=[self, *interceptors])
        make = getattr(grpc, kind + "_rpc_method_handler")
        self._server.add_generic_rpc_handlers((
            grpc.method_handlers_generic_handler(name, {"Call": make(handler)}),))
        port = self._server.add_insecure_port("127.0.0.1:0")
        self.target = f"127.0.0.1:{port}"

    async def intercept_service(self, continuation, details):
        self.metadata.append(tuple(details.invocation_metadata))
        return await continuation(details)

    start = property(lambda self: self._server.start)
    stop = property(lambda self: self._server.stop)
    served = property(lambda self: len(self.metadata))


class AioTest(unittest.IsolatedAsyncioTestCase):
    async def server(self, name, handler, *interceptors, kind="unary_unary"):
        server = Server(name, handler, interceptors, kind)
        await server.start()
        self.addAsyncCleanup(server.stop, None)
        return server

    async def claiming(self, name, handler, kind="unary_unary", **options):
        return await self.server(
            name, handler, error_claim_aio.ServerInterceptor(**options), kind=kind)

    def method(self, server, config, interceptors=None):
        arguments = [("grpc.use_local_subchannel_pool", 1)]
        if config is not None:
            arguments.append(("grpc.service_config", config))
        channel = grpc.aio.insecure_channel(server.target, arguments,
                                            interceptors=interceptors)
        self.addAsyncCleanup(channel.close)
        return getattr(channel, server.kind)(f"/{server.name}/Call")

    def stock(self, server, config=policy()):
        return self.method(server, config)

    def tied(self, server, config=policy(), **options):
        return self.method(server, config, error_claim_aio.client_interceptors(
            config, **options))

    async def error(self, call, request=b"", **more):
        """Makes a call that must fail, and returns its error."""
        with self.assertRaises(grpc.RpcError) as caught:
            await replies_of(call(request, timeout=DEADLINE_S, **more))
        seen = caught.exception
        return Error(seen.code(), seen.details(), seen.trailing_metadata())


async def replies_of(call):
    if hasattr(call, "__aiter__"):
        return [reply async for reply in call]
    return await call
