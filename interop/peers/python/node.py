# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
"""One node of a call graph, for interop tests and the storm lab."""
import contextvars
import itertools
import json
import signal
import sys
import threading
from concurrent import futures

import grpc

import error_claim
import node_options
from eown.interop.v1 import node_pb2
from error_claim_rules import CLAIM, CLAIMED, UNCLAIMED, values

SERVICE = "eown.interop.v1.Node"
CALLEE_KEY = "eown-node-callee"
THREADS = 64
GRACE_S = 2
CHANNEL = (("grpc.use_local_subchannel_pool", 1), ("grpc.enable_http_proxy", 0),
           ("grpc.initial_reconnect_backoff_ms", 50),
           ("grpc.min_reconnect_backoff_ms", 5000),
           ("grpc.max_reconnect_backoff_ms", 200))


class Counts:
    NODE = ("served", "errors", "own_failures", "made")
    CALLEE = ("calls", "errors", "claimed", "unclaimed", "missing", "other")

    def __init__(self, options):
        self._options, self._lock = options, threading.Lock()
        self.reset()

    def reset(self):
        self._values = {}

    def add(self, *key):
        with self._lock:
            self._values[key] = self._values.get(key, 0) + 1

    def get(self, *key):
        return self._values.get(key, 0)

    def json(self, event):
        callees = [{"name": callee.name,
                    **{key: self.get(callee.name, key) for key in self.CALLEE}}
                   for callee in self._options.callee]
        return json.dumps({
            "event": event, "name": self._options.name,
            **{key: self.get(key) for key in self.NODE},
            "retries_stopped": {"unclaimed": self.get("stopped_unclaimed"),
                                "budget": 0, "chain": 0},
            "claims_sent": {"claimed": self.get("sent_claimed"),
                            "unclaimed": self.get("sent_unclaimed")},
            "callees": callees}, separators=(",", ":"))


class Dice:
    """Which calls fail: those of eown-node with the same seed, name and rate."""
    WORD = 2**64 - 1

    def __init__(self, options):
        self._options, self._thrown = options, itertools.count()
        self._seed = options.seed
        for byte in options.name.encode():
            self._seed = self._split_mix(self._seed, byte)

    def _split_mix(self, seed, n):
        """SplitMix64 (Steele, Lea, Flood 2014): output number n of a seed."""
        z = seed + (n + 1) * 0x9e3779b97f4a7c15 & self.WORD
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9 & self.WORD
        z = (z ^ z >> 27) * 0x94d049bb133111eb & self.WORD
        return z ^ z >> 31

    def throw(self):
        n = next(self._thrown)
        unit = (self._split_mix(self._seed, n) >> 11) * 2.0**-53
        return n >= self._options.healthy_first and unit < self._options.fail_rate


def retry_policy(options):
    """A service config almost without backoff; None: one attempt only."""
    if options.attempts == 1:
        return None
    return json.dumps({"methodConfig": [{"name": [{}], "retryPolicy": {
        "maxAttempts": options.attempts, "initialBackoff": "0.001s",
        "maxBackoff": "0.002s", "backoffMultiplier": 1,
        "retryableStatusCodes": options.retry_codes}}]})


class Callee:
    def __init__(self, callee, options, counts):
        self.name, self.fail_open = callee.name, callee.fail_open
        self._counts, self._context = counts, options.context
        config = retry_policy(options)
        arguments = [*CHANNEL]
        if config is not None:
            arguments.append(("grpc.service_config", config))
        channel = grpc.insecure_channel(callee.target, arguments)
        if options.ownership in ("observe", "enforce"):
            fail_open = (f"/{callee.name}/*",) if callee.fail_open else ()
            channel = grpc.intercept_channel(channel, error_claim.ClientInterceptor(
                config, fail_open, on_event=counts.add))
        self._call = channel.unary_unary(
            f"/{callee.name}/Call",
            request_serializer=node_pb2.CallRequest.SerializeToString,
            response_deserializer=node_pb2.CallReply.FromString)

    def call(self, request, inbound):
        """The reply, and the error where there is none."""
        self._counts.add("made")
        self._counts.add(self.name, "calls")
        try:
            if self._context == "none":
                return contextvars.Context().run(self._call, request), None
            return self._call(request, timeout=inbound.time_remaining()), None
        except grpc.RpcError as error:
            self._note(error)
            return None, error

    def _note(self, error):
        self._counts.add(self.name, "errors")
        words = values(error.trailing_metadata(), CLAIM)
        known = len(words) == 1 and words[0] in (CLAIMED, UNCLAIMED)
        self._counts.add(self.name,
                         words[0] if known else "other" if words else "missing")


class Node:
    def __init__(self, options):
        self._options, self._dice = options, Dice(options)
        self.counts = Counts(options)
        self._callees = [Callee(c, options, self.counts) for c in options.callee]

    def call(self, request, context):
        self.counts.add("served")
        fails = self._dice.throw()
        onward = node_pb2.CallRequest(id=request.id, payload=request.payload)
        failed, below = None, 0
        for callee in self._wanted(context):
            reply, error = callee.call(onward, context)
            if error is None:
                below += 1 + reply.nodes_below
            elif not callee.fail_open:
                failed = failed or error
            if failed and not fails:
                break
        self._end(fails, failed, context)
        return node_pb2.CallReply(node=self._options.name, nodes_below=below)

    def _wanted(self, context):
        only = values(context.invocation_metadata(), CALLEE_KEY)
        for name in only:
            if name not in (callee.name for callee in self._callees):
                self._refuse(name, context)
        return [c for c in self._callees if not only or c.name in only]

    def _refuse(self, name, context):
        self.counts.add("errors")
        context.abort(grpc.StatusCode.INVALID_ARGUMENT,
                      f"{CALLEE_KEY}: '{name}': expected the name of a callee of "
                      f"{self._options.name}")

    def _end(self, fails, failed, context):
        if not fails and failed is None:
            return
        self.counts.add("errors")
        if fails:
            self.counts.add("own_failures")
            context.abort(self._options.fail_status,
                          self._options.name + " fails by itself")
        context.abort(failed.code(), failed.details())

    def stats(self, request, context):
        reply = node_pb2.StatsReply(json=self.counts.json("stats"))
        if request.reset:
            self.counts.reset()
        return reply


def handlers_of(node, name):
    """The services of a node: its own, and the one that all nodes have."""
    call = grpc.unary_unary_rpc_method_handler(
        node.call, node_pb2.CallRequest.FromString,
        node_pb2.CallReply.SerializeToString)
    stats = grpc.unary_unary_rpc_method_handler(
        node.stats, node_pb2.StatsRequest.FromString,
        node_pb2.StatsReply.SerializeToString)
    return (grpc.method_handlers_generic_handler(name, {"Call": call}),
            grpc.method_handlers_generic_handler(
                SERVICE, {"Call": call, "Stats": stats}))


def make_server(options, counts):
    interceptors = ()
    if options.ownership in ("observe", "enforce"):
        interceptors = (error_claim.ServerInterceptor(
            options.name, observe=options.ownership == "observe",
            on_event=counts.add),)
    return grpc.server(futures.ThreadPoolExecutor(THREADS), interceptors=interceptors,
                       options=(("grpc.so_reuseport", 0),))


def listen(server, address):
    """The port; ends the process where it cannot be had."""
    try:
        port = server.add_insecure_port(address)
    except RuntimeError:
        port = 0
    if port == 0:
        sys.exit(f"node: --listen: cannot serve {address}")
    return port


def main():
    signals = {signal.SIGTERM, signal.SIGINT}
    signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    options = node_options.parse()
    node = Node(options)
    server = make_server(options, node.counts)
    server.add_generic_rpc_handlers(handlers_of(node, options.name))
    port = listen(server, options.listen)
    server.start()
    print(json.dumps({"event": "ready", "name": options.name, "port": port},
                     separators=(",", ":")), flush=True)
    signal.sigwait(signals)
    server.stop(GRACE_S).wait()
    print(node.counts.json("exit"), flush=True)


if __name__ == "__main__":
    main()
