# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
"""The node as a process: what it takes, serves, counts and prints."""
import contextlib
import io
import json
import os
import pathlib
import platform
import signal
import subprocess
import unittest

import grpc

import node_dice
import node_options
from eown.interop.v1 import node_pb2

PEER = pathlib.Path(os.environ.get("EOWN_PEER", pathlib.Path(__file__).parent))
NODE = PEER.resolve() / "node"
DEADLINE_S = 20


class Running:
    """A node that was started."""

    def __init__(self, command, arguments):
        self._process = subprocess.Popen([*command, *arguments], text=True,
                                         stdout=subprocess.PIPE)
        self.ready = json.loads(self._process.stdout.readline())
        self.address = f"127.0.0.1:{self.ready['port']}"

    def end(self, number=signal.SIGTERM):
        self._process.send_signal(number)
        output, _ = self._process.communicate(timeout=DEADLINE_S)
        return json.loads(output), self._process.returncode

    def call(self, path, request, reply, **more):
        with grpc.insecure_channel(self.address) as channel:
            method = channel.unary_unary(
                path, request_serializer=type(request).SerializeToString,
                response_deserializer=reply.FromString)
            return method(request, **{"timeout": DEADLINE_S, **more})


class NodeTest(unittest.TestCase):
    command = [NODE]

    def start(self, *arguments):
        running = Running(self.command, arguments)
        self.addCleanup(lambda: running._process.poll() is None and running.end())
        return running

    def fails(self, running, path, code, **more):
        with self.assertRaises(grpc.RpcError) as caught:
            running.call(path, node_pb2.CallRequest(id=1), node_pb2.CallReply, **more)
        self.assertEqual(code, caught.exception.code())
        return caught.exception.details()

    def test_counts_of_a_caller(self):
        owner = self.start("--name", "D", "--fail-rate", "1", "--fail-status",
                           "internal", "--ownership", "enforce")
        caller = self.start("--name", "C", "--callee", f"D={owner.address}",
                            "--attempts", "2", "--ownership", "enforce")
        self.assertEqual({
            "event": "ready", "name": "C", "port": caller.ready["port"],
            "language": "Python", "version": platform.python_version(),
            "grpc": "grpcio " + grpc.__version__}, caller.ready)
        message = self.fails(caller, "/C/Call", grpc.StatusCode.INTERNAL)
        self.assertEqual("D fails by itself", message)
        counts, status = caller.end()
        self.assertEqual(0, status)
        self.assertEqual({
            "event": "exit", "name": "C", "served": 1, "errors": 1,
            "own_failures": 0, "made": 1,
            "retries_stopped": {"unclaimed": 0, "budget": 0, "chain": 0,
                                "multiplied": 0},
            "claims_sent": {"claimed": 0, "unclaimed": 1},
            "callees": [{"name": "D", "calls": 1, "errors": 1, "claimed": 1,
                         "unclaimed": 0, "missing": 0, "other": 0}]}, counts)
        counts, status = owner.end(signal.SIGINT)
        self.assertEqual((0, 2, 2, 2), (status, counts["served"], counts["errors"],
                                        counts["own_failures"]))
        self.assertEqual({"claimed": 2, "unclaimed": 0}, counts["claims_sent"])

    def chain(self, ownership, retry_by, *more):
        """How often each of A, B, C and D is called, and the counts of C; D
        fails."""
        nodes, options = [], ("--ownership", ownership, "--retry-by", retry_by,
                              "--attempts", "2", *more)
        for name, callee in (("D", None), ("C", "D"), ("B", "C"), ("A", "B")):
            below = ("--callee", f"{callee}={nodes[-1].address}") if callee else (
                "--fail-rate", "1")
            nodes.append(self.start("--name", name, *options, *below))
        self.fails(nodes[-1], "/A/Call", grpc.StatusCode.UNAVAILABLE)
        counts = [node.end()[0] for node in reversed(nodes)]
        return [c["served"] for c in counts], counts[2]

    def test_loop_of_the_application(self):
        served, counts = self.chain("enforce", "application")
        self.assertEqual([1, 1, 1, 2], served)
        self.assertEqual({"name": "D", "calls": 2, "errors": 2, "claimed": 2,
                          "unclaimed": 0, "missing": 0, "other": 0},
                         counts["callees"][0])
        self.assertEqual((2, {"claimed": 0, "unclaimed": 1}),
                         (counts["made"], counts["claims_sent"]))

    def test_loop_above_a_policy(self):
        served, counts = self.chain("enforce", "both")
        self.assertEqual([1, 1, 1, 2], served)
        self.assertEqual({"unclaimed": 0, "budget": 0, "chain": 0, "multiplied": 1},
                         counts["retries_stopped"])
        self.assertEqual([1, 4, 16, 64], self.chain("off", "both")[0])

    def test_without_ownership_all_retry(self):
        for ownership in ("stock", "off", "observe"):
            served, counts = self.chain(ownership, "application")
            self.assertEqual([1, 2, 4, 8], served, ownership)
        self.assertEqual(0, counts["retries_stopped"]["unclaimed"])

    def test_unclaimed_stops_are_counted(self):
        owner = self.start("--name", "D", "--fail-rate", "1", "--ownership", "enforce")
        middle = self.start("--name", "C", "--callee", f"D={owner.address}",
                            "--ownership", "enforce", "--attempts", "2")
        root = self.start("--name", "B", "--callee", f"C={middle.address}",
                          "--ownership", "enforce", "--attempts", "2",
                          "--retry-by", "application")
        self.fails(root, "/B/Call", grpc.StatusCode.UNAVAILABLE)
        self.assertEqual(1, root.end()[0]["retries_stopped"]["unclaimed"])

    def test_without_context(self):
        """Its own loop decides by what it hears; its errors are its own."""
        served, counts = self.chain("enforce", "application", "--context", "none")
        self.assertEqual([1, 2, 4, 8], served)
        self.assertEqual({"claimed": 4, "unclaimed": 0}, counts["claims_sent"])

    def test_answers_are_added_up(self):
        leaf = self.start("--name", "D")
        middle = self.start("--name", "C", "--callee", f"D={leaf.address}")
        root = self.start("--name", "B", "--callee", f"C={middle.address}",
                          "--callee", f"D={leaf.address}")
        for metadata, below in (((), 3), ((("eown-node-callee", "C"),), 2)):
            reply = root.call("/eown.interop.v1.Node/Call", node_pb2.CallRequest(),
                              node_pb2.CallReply, metadata=metadata)
            self.assertEqual(("B", below), (reply.node, reply.nodes_below))

    def test_call_without_a_deadline(self):
        leaf = self.start("--name", "D")
        for options in ((), ("--ownership", "enforce", "--attempts", "2",
                             "--retry-by", "application")):
            root = self.start("--name", "C", "--callee", f"D={leaf.address}", *options)
            reply = root.call("/C/Call", node_pb2.CallRequest(), node_pb2.CallReply,
                              timeout=None)
            self.assertEqual(1, reply.nodes_below)

    def test_callee_that_it_does_not_have(self):
        leaf = self.start("--name", "D")
        root = self.start("--name", "B", "--callee", f"D={leaf.address}",
                          "--fail-rate", "1")
        for name in ("X", ""):
            message = self.fails(root, "/B/Call", grpc.StatusCode.INVALID_ARGUMENT,
                                 metadata=(("eown-node-callee", name),))
            self.assertEqual(f"eown-node-callee: '{name}': expected the name of a "
                             "callee of B", message)
        counts, _ = root.end()
        self.assertEqual((2, 2, 0, 0), tuple(counts[key] for key in (
            "served", "errors", "own_failures", "made")))

    def test_fail_open_callee(self):
        owner = self.start("--name", "D", "--fail-rate", "1")
        caller = self.start("--name", "C", "--callee", f"D={owner.address},fail-open",
                            "--fail-rate", "1", "--healthy-first", "1")
        reply = caller.call("/C/Call", node_pb2.CallRequest(), node_pb2.CallReply)
        self.assertEqual(0, reply.nodes_below)
        self.assertEqual("C fails by itself",
                         self.fails(caller, "/C/Call", grpc.StatusCode.UNAVAILABLE))

    def test_stats_and_reset(self):
        running = self.start("--name", "D")
        running.call("/D/Call", node_pb2.CallRequest(), node_pb2.CallReply)
        for reset, served in ((True, 1), (False, 0)):
            reply = running.call("/eown.interop.v1.Node/Stats",
                                 node_pb2.StatsRequest(reset=reset),
                                 node_pb2.StatsReply)
            counts = json.loads(reply.json)
            self.assertEqual(("stats", served), (counts["event"], counts["served"]))

    def test_unknown_option(self):
        done = subprocess.run([*self.command, "--parallel"],
                              capture_output=True, text=True,
                              timeout=DEADLINE_S, check=False)
        self.assertEqual((2, ""), (done.returncode, done.stdout))
        self.assertIn("--parallel", done.stderr)

    def test_address_in_use(self):
        running = self.start("--name", "D")
        done = subprocess.run([*self.command, "--listen", running.address],
                              text=True, capture_output=True,
                              timeout=DEADLINE_S, check=False)
        self.assertEqual((1, ""), (done.returncode, done.stdout))
        self.assertIn(running.address, done.stderr)


if "EOWN_PEER" in os.environ:  # the peer that has both forms
    class AioNodeTest(NodeTest):
        command = [NODE, "--form", "aio"]

    class FormTest(unittest.TestCase):
        def test_bad_form(self):
            for arguments in (("--form", "async"), ("--form",), ("--form=",)):
                done = subprocess.run([NODE, *arguments], capture_output=True,
                                      text=True, timeout=DEADLINE_S, check=False)
                self.assertEqual((2, ""), (done.returncode, done.stdout))
                self.assertIn("expected sync or aio", done.stderr)


class OptionsTest(unittest.TestCase):
    def test_bad_command_lines(self):
        for arguments, expect in (
                (("--att", "2"), "--att"), (("more",), "more"),
                (("--name", "a/b"), "1 to 63 letters"),
                (("--listen", "7000"), "HOST:PORT"),
                (("--callee", "D=x:0"), "NAME=HOST:PORT"),
                (("--callee", "D=x:1,fail"), "NAME=HOST:PORT"),
                (("--fail-rate", "2"), "a number from 0 to 1"),
                (("--fail-status", "OK"), "other than OK"),
                (("--attempts", "0"), "a whole number from 1 to 100"),
                (("--retry-codes", "UNAVAILABLE,"), "separated by commas"),
                (("--retry-by", "me"), "grpc, application or both"),
                (("--ownership", "on"), "stock, off, observe or enforce"),
                (("--context", "thread"), "parent or none")):
            with self.subTest(arguments=arguments):
                told = io.StringIO()
                with contextlib.redirect_stderr(told), self.assertRaises(
                        SystemExit) as ended:
                    node_options.parse(arguments)
                self.assertEqual(2, ended.exception.code)
                self.assertIn(expect, told.getvalue())

    def test_good_command_line(self):
        options = node_options.parse([
            "--callee", "D=localhost:1", "--callee", "E=[::1]:2,fail-open",
            "--retry-codes", "internal,ABORTED", "--retry-by", "both"])
        self.assertEqual([("D", "localhost:1", False), ("E", "[::1]:2", True)],
                         options.callee)
        self.assertEqual((["INTERNAL", "ABORTED"], "both"),
                         (options.retry_codes, options.retry_by))


class DiceTest(unittest.TestCase):
    def test_split_mix(self):
        """The generator's published first outputs for seed 0."""
        dice = node_dice.Dice(node_options.parse([]))
        self.assertEqual([0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f],
                         [dice._split_mix(0, n) for n in range(3)])

    def test_rate(self):
        for rate, least, most in (("0", 0, 0), ("1", 1000, 1000), ("0.3", 250, 350)):
            dice = node_dice.Dice(node_options.parse(["--fail-rate", rate]))
            failed = sum(dice.throw() for _ in range(1000))
            self.assertTrue(least <= failed <= most, (rate, failed))
