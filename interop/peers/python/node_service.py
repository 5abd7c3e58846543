# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
"""What the nodes of both forms, sync and aio, share: which callees are called,
how it is counted, what is served and printed."""
import json
import platform
import random
import sys

import grpc

from eown.interop.v1 import node_pb2
from error_claim_rules import CLAIM, CLAIMED, UNCLAIMED, values
from error_claim_sides import time_remaining
from node_counts import Counts
from node_dice import Dice

SERVICE = "eown.interop.v1.Node"
CALLEE_KEY = "eown-node-callee"
GRACE_S = 2
CHANNEL = (("grpc.use_local_subchannel_pool", 1), ("grpc.enable_http_proxy", 0),
           ("grpc.initial_reconnect_backoff_ms", 50),
           ("grpc.min_reconnect_backoff_ms", 5000),
           ("grpc.max_reconnect_backoff_ms", 200))
SERVER = (("grpc.so_reuseport", 0),)


def retry_policy(options):
    """A service config with little backoff; None: one attempt only. gRPC 1.72 and
    later lose retries whose backoff comes out as 0 ms."""
    if options.attempts == 1 or options.retry_by == "application":
        return None
    return json.dumps({"methodConfig": [{"name": [{}], "retryPolicy": {
        "maxAttempts": options.attempts, "initialBackoff": "0.005s",
        "maxBackoff": "0.005s", "backoffMultiplier": 1,
        "retryableStatusCodes": options.retry_codes}}]})


def wait_s():
    """Before its own loop calls again."""
    return random.uniform(0.001, 0.002)


class CalleeBase:
    """A callee: its channel, its retries, what became of the calls."""

    def __init__(self, callee, options, counts):
        self.name, self.fail_open = callee.name, callee.fail_open
        self._options, self._counts = options, counts
        self._loops = options.attempts > 1 and options.retry_by != "grpc"
        self._method = f"/{callee.name}/Call"  # a retry loop asks for it
        config = retry_policy(options)
        arguments = [*CHANNEL]
        if config is not None:
            arguments.append(("grpc.service_config", config))
        channel = self._channel(callee.target, arguments, config)
        self._multi_callable = channel.unary_unary(
            self._method, request_serializer=node_pb2.CallRequest.SerializeToString,
            response_deserializer=node_pb2.CallReply.FromString)

    def _intercepted(self):
        return self._options.ownership in ("observe", "enforce")

    def _interceptor_options(self):
        return {"fail_open": (self._method,) if self.fail_open else (),
                "observe": self._options.ownership == "observe",
                "on_event": self._counts.add}

    def _loop_options(self):
        """Of the retry loop; None: none, or one by hand."""
        if not self._loops or self._options.ownership == "stock":
            return None
        return {"max_attempts": self._options.attempts,
                "codes": self._options.retry_codes, "initial_backoff_ms": 1.5,
                "max_backoff_ms": 1.5, "backoff_multiplier": 1,
                "mode": self._options.ownership,
                "on_reason": self._counts.loop_ended}

    def _calls_by_hand(self):
        return self._options.attempts if self._loops else 1

    def _retries(self, error):
        return error.code().name in self._options.retry_codes

    def _tie(self, inbound):
        """What a call takes from the inbound one."""
        if self._options.context == "none":
            return {}
        return {"timeout": time_remaining(inbound)}

    def _count(self):
        self._counts.add("made")
        self._counts.add(self.name, "calls")

    def note(self, error):
        self._counts.add(self.name, "errors")
        words = values(error.trailing_metadata(), CLAIM)
        known = len(words) == 1 and words[0] in (CLAIMED, UNCLAIMED)
        self._counts.add(self.name,
                         words[0] if known else "other" if words else "missing")


class Outcome:
    """What the callees of one inbound call answered."""

    def __init__(self, fails):
        self._fails, self.failed, self.below = fails, None, 0

    def add(self, callee, reply, error):
        if error is None:
            self.below += 1 + reply.nodes_below
        elif not callee.fail_open:
            self.failed = self.failed or error

    def is_final(self):
        return self.failed is not None and not self._fails


class NodeBase:
    def __init__(self, options, callee_type):
        self.options, self._dice = options, Dice(options)
        self.counts = Counts(options)
        self._callees = [callee_type(c, options, self.counts) for c in options.callee]

    def arrive(self):
        """Whether the call that arrived fails by itself."""
        self.counts.add("served")
        return self._dice.throw()

    @staticmethod
    def onward(request):
        return node_pb2.CallRequest(id=request.id, payload=request.payload)

    def wanted(self, context):
        """The callees to call, and the status to end with where one is none."""
        only = values(context.invocation_metadata(), CALLEE_KEY)
        for name in only:
            if name not in (callee.name for callee in self._callees):
                self.counts.add("errors")
                return [], (grpc.StatusCode.INVALID_ARGUMENT,
                            f"{CALLEE_KEY}: '{name}': expected the name of a callee "
                            f"of {self.options.name}")
        return [c for c in self._callees if not only or c.name in only], None

    def end(self, fails, failed):
        """The status to end with, or None."""
        if not fails and failed is None:
            return None
        self.counts.add("errors")
        if not fails:
            return failed.code(), failed.details()
        self.counts.add("own_failures")
        return self.options.fail_status, self.options.name + " fails by itself"

    def reply(self, below):
        return node_pb2.CallReply(node=self.options.name, nodes_below=below)

    def stats_reply(self, request):
        reply = node_pb2.StatsReply(json=self.counts.json("stats"))
        if request.reset:
            self.counts.reset()
        return reply


def handlers_of(node):
    """The services of a node: its own, and the one that all nodes have."""
    call = grpc.unary_unary_rpc_method_handler(
        node.call, node_pb2.CallRequest.FromString,
        node_pb2.CallReply.SerializeToString)
    stats = grpc.unary_unary_rpc_method_handler(
        node.stats, node_pb2.StatsRequest.FromString,
        node_pb2.StatsReply.SerializeToString)
    return (grpc.method_handlers_generic_handler(node.options.name, {"Call": call}),
            grpc.method_handlers_generic_handler(
                SERVICE, {"Call": call, "Stats": stats}))


def server_interceptors(kind, options, counts):
    if options.ownership not in ("observe", "enforce"):
        return ()
    return (kind(options.name, observe=options.ownership == "observe",
                 on_event=counts.add),)


def listen(server, address):
    """The port; ends the process where it cannot be had."""
    try:
        port = server.add_insecure_port(address)
    except RuntimeError:
        port = 0
    if port == 0:
        sys.exit(f"node: --listen: cannot serve {address}")
    return port


def announce(options, port):
    print(json.dumps({
        "event": "ready", "name": options.name, "port": port, "language": "Python",
        "version": platform.python_version(), "grpc": "grpcio " + grpc.__version__},
                     separators=(",", ":")), flush=True)
