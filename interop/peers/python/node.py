# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
"""One node of a call graph, for interop tests and the storm lab."""
import contextvars
import signal
import time
from concurrent import futures

import grpc

import error_claim
import node_options
import node_service
import retry_loop

THREADS = 64


class CountedCall:
    """A call whose error is counted as the application gets it."""

    def __init__(self, call, note):
        self.cancel, self._call, self._note = call.cancel, call, note

    def result(self):
        try:
            return self._call.result()
        except grpc.RpcError as error:
            self._note(error)
            raise


class Callee(node_service.CalleeBase):
    def __init__(self, callee, options, counts):
        super().__init__(callee, options, counts)
        loop = self._loop_options()
        self._loop = retry_loop.RetryLoop(**loop) if loop else None

    def _channel(self, target, arguments, config):
        channel = grpc.insecure_channel(target, arguments)
        if not self._intercepted():
            return channel
        return grpc.intercept_channel(channel, error_claim.ClientInterceptor(
            config, **self._interceptor_options()))

    def future(self, request, **more):
        self._count()
        return CountedCall(self._multi_callable.future(request, **more), self.note)

    def call(self, request, inbound):
        """The reply, and the error where there is none."""
        untied = self._options.context == "none"
        run = contextvars.Context().run if untied else contextvars.copy_context().run
        try:
            if self._loop is not None:
                return run(self._loop.call, self, request, **self._tie(inbound)), None
            return run(self._call_by_hand, request, inbound), None
        except grpc.RpcError as error:
            return None, error

    def _call_by_hand(self, request, inbound):
        """A loop as people write them, where the node is to loop."""
        for left in reversed(range(self._calls_by_hand())):
            try:
                return self.future(request, **self._tie(inbound)).result()
            except grpc.RpcError as error:
                if left == 0 or not self._retries(error):
                    raise
            time.sleep(node_service.wait_s())


class Node(node_service.NodeBase):
    def __init__(self, options):
        super().__init__(options, Callee)

    def call(self, request, context):
        fails = self.arrive()
        callees, status = self.wanted(context)
        if status is not None:
            context.abort(*status)
        onward, outcome = self.onward(request), node_service.Outcome(fails)
        for callee in callees:
            outcome.add(callee, *callee.call(onward, context))
            if outcome.is_final():
                break
        status = self.end(fails, outcome.failed)
        if status is not None:
            context.abort(*status)
        return self.reply(outcome.below)

    def stats(self, request, _):
        return self.stats_reply(request)


def main():
    signals = {signal.SIGTERM, signal.SIGINT}
    signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    options = node_options.parse()
    node = Node(options)
    server = grpc.server(
        futures.ThreadPoolExecutor(THREADS), options=node_service.SERVER,
        interceptors=node_service.server_interceptors(
            error_claim.ServerInterceptor, options, node.counts))
    server.add_generic_rpc_handlers(node_service.handlers_of(node))
    port = node_service.listen(server, options.listen)
    server.start()
    node_service.announce(options, port)
    signal.sigwait(signals)
    server.stop(node_service.GRACE_S).wait()
    print(node.counts.json("exit"), flush=True)


if __name__ == "__main__":
    main()
