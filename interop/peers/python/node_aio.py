# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
"""One node of a call graph, on grpc.aio."""
import asyncio
import signal

import grpc
import grpc.aio

import error_claim_aio
import node_options
import node_service
import retry_loop_aio
from error_claim_inbound import set_current


class CountedCall:
    """A call whose error is counted as the application gets it."""

    def __init__(self, call, note):
        self.cancel, self._call, self._note = call.cancel, call, note

    def __await__(self):
        try:
            return (yield from self._call.__await__())
        except grpc.RpcError as error:
            self._note(error)
            raise


class Callee(node_service.CalleeBase):
    def __init__(self, callee, options, counts):
        super().__init__(callee, options, counts)
        loop = self._loop_options()
        self._loop = retry_loop_aio.AioRetryLoop(**loop) if loop else None

    def _channel(self, target, arguments, config):
        interceptors = None
        if self._intercepted():
            interceptors = error_claim_aio.client_interceptors(
                config, **self._interceptor_options())
        return grpc.aio.insecure_channel(target, arguments, interceptors=interceptors)

    def __call__(self, request, **more):
        self._count()
        return CountedCall(self._multi_callable(request, **more), self.note)

    async def call(self, request, inbound):
        """The reply, and the error where there is none."""
        try:
            if self._options.context == "none":
                return await asyncio.create_task(self._untied(request, inbound)), None
            return await self._call(request, inbound), None
        except grpc.RpcError as error:
            return None, error

    async def _untied(self, request, inbound):
        set_current(None)  # in this task alone
        return await self._call(request, inbound)

    async def _call(self, request, inbound):
        if self._loop is not None:
            return await self._loop.call(self, request, **self._tie(inbound))
        return await self._call_by_hand(request, inbound)

    async def _call_by_hand(self, request, inbound):
        """A loop as people write them, where the node is to loop."""
        for left in reversed(range(self._calls_by_hand())):
            try:
                return await self(request, **self._tie(inbound))
            except grpc.RpcError as error:
                if left == 0 or not self._retries(error):
                    raise
            await asyncio.sleep(node_service.wait_s())


class Node(node_service.NodeBase):
    def __init__(self, options):
        super().__init__(options, Callee)

    async def call(self, request, context):
        fails = self.arrive()
        callees, status = self.wanted(context)
        if status is not None:
            await context.abort(*status)
        onward, outcome = self.onward(request), node_service.Outcome(fails)
        for callee in callees:
            outcome.add(callee, *await callee.call(onward, context))
            if outcome.is_final():
                break
        status = self.end(fails, outcome.failed)
        if status is not None:
            await context.abort(*status)
        return self.reply(outcome.below)

    async def stats(self, request, _):
        return self.stats_reply(request)


async def serve(options):
    node, ended = Node(options), asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    server = grpc.aio.server(
        options=node_service.SERVER, interceptors=node_service.server_interceptors(
            error_claim_aio.ServerInterceptor, options, node.counts))
    server.add_generic_rpc_handlers(node_service.handlers_of(node))
    port = node_service.listen(server, options.listen)
    await server.start()
    node_service.announce(options, port)
    await ended.wait()
    await server.stop(node_service.GRACE_S)
    print(node.counts.json("exit"), flush=True)


if __name__ == "__main__":
    asyncio.run(serve(node_options.parse()))
