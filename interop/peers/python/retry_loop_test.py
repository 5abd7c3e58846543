# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
"""The retry loop between real clients and servers."""
import queue
import threading

import grpc

import error_claim_rules as rules
from local_servers import DEADLINE_S, ServersTest, fail, policy
from retry_budget import RetryBudget
from retry_loop import RetryLoop
from retry_loop_rules import RetryOptions

LONG_MS = 3_600_000
REFUSED = ((rules.CLAIM, "unclaimed"), (rules.PUSHBACK, "-1"))


class LoopTest(ServersTest):
    def loop(self, **options):
        self.reasons = []
        return RetryLoop(**{"initial_backoff_ms": 1, "max_backoff_ms": 1,
                            "on_reason": self.reasons.append, **options})

    def fails(self, loop, call, request=b"", timeout=DEADLINE_S, **more):
        with self.assertRaises(grpc.RpcError) as caught:
            loop.call(call, request, timeout=timeout, **more)
        return caught.exception

    def calls(self, server):
        """Of a client with the interceptor, and of one without."""
        return self.tied(server, config=None), self.stock(server, None)

    def looping(self, loop, call, **options):
        """A server that passes on how the loop ended."""
        def handler(request, context):
            try:
                return loop.call(call, request)
            except grpc.RpcError as error:
                context.abort(error.code(), error.details())

        return self.claiming("C", handler, **options)


class Ends(LoopTest):
    def test_ok(self):
        left = [fail(), fail()]
        server = self.claiming("D", lambda r, c: left.pop()(r, c) if left else r)
        self.assertEqual(b"x", self.loop().call(self.tied(server, None), b"x"))
        self.assertEqual(["retry", "retry", "ok"], self.reasons)
        self.assertEqual([[], ["1"], ["1"]],
                         [rules.values(m, rules.MARK) for m in server.metadata])

    def test_attempts(self):
        server = self.claiming("D", fail())
        for call in self.calls(server):
            del server.metadata[:]
            error = self.fails(self.loop(max_attempts=4), call,
                               metadata=((rules.MARK, "1"), ("own", "kept")))
            self.assertEqual("down", error.details())
            self.assertEqual(["retry"] * 3 + ["attempts"], self.reasons)
            self.assertEqual([(["1"], ["kept"])] * 4, [
                (rules.values(m, rules.MARK), rules.values(m, "own"))
                for m in server.metadata])

    def test_status(self):
        server = self.claiming("D", fail(grpc.StatusCode.ABORTED))
        self.fails(self.loop(), self.tied(server, None))
        self.assertEqual((1, ["status"]), (server.served, self.reasons))
        self.fails(self.loop(codes=[grpc.StatusCode.ABORTED]), self.tied(server, None))
        self.assertEqual((4, "attempts"), (server.served, self.reasons[-1]))

    def test_unclaimed(self):
        server = self.server("D", fail(trailers=REFUSED[:1]))
        for served, call in enumerate(self.calls(server), 1):
            self.fails(self.loop(), call)
            self.assertEqual((served, ["unclaimed"]), (server.served, self.reasons))

    def test_unclaimed_is_not_believed_beyond_the_trust_boundary(self):
        server = self.server("D", fail(trailers=REFUSED[:1]))
        self.fails(self.loop(trust_boundary=True), self.stock(server, None),
                   metadata=((rules.MARK, "1"),))
        self.fails(self.loop(), self.tied(server, None, trust_boundary=True))
        self.assertEqual([[]] * 6, [rules.values(m, rules.MARK)
                                    for m in server.metadata])

    def test_alias(self):
        server = self.server("D", fail(trailers=(("x-claim", "unclaimed"),)))
        self.fails(self.loop(alias="x-claim"), self.stock(server, None))
        self.assertEqual(["unclaimed"], self.reasons)

    def test_pushback_that_waits(self):
        left = [fail(trailers=((rules.PUSHBACK, "1"),))]
        server = self.claiming("D", lambda r, c: left.pop()(r, c) if left else r)
        loop = self.loop(initial_backoff_ms=LONG_MS, max_backoff_ms=LONG_MS)
        self.assertEqual(b"x", loop.call(self.tied(server, None), b"x", DEADLINE_S))
        self.assertEqual(["retry", "ok"], self.reasons)

    def test_pushback_that_refuses(self):
        for value in ("-1", "never"):
            server = self.server("D", fail(trailers=((rules.PUSHBACK, value),)))
            self.fails(self.loop(), self.stock(server, None))
            self.assertEqual((1, ["pushback"]), (server.served, self.reasons))

    def test_deadline_before_the_next_call(self):
        server = self.claiming("D", fail())
        loop = self.loop(initial_backoff_ms=LONG_MS, max_backoff_ms=LONG_MS)
        self.fails(loop, self.tied(server, None))
        self.assertEqual((1, ["deadline"]), (server.served, self.reasons))

    def test_deadline_of_the_inbound(self):
        server = self.claiming("D", fail())
        loop = self.loop(initial_backoff_ms=LONG_MS, max_backoff_ms=LONG_MS)
        error = self.error(self.stock(self.looping(loop, self.tied(server, None))))
        self.assertEqual((["deadline"], ["unclaimed"]), (self.reasons, error.claims))

    def test_no_deadline_at_all(self):
        call = self.tied(self.claiming("D", lambda request, _: request), None)
        server = self.looping(self.loop(), call)
        self.assertEqual(b"x", self.stock(server, None)(b"x"))

    def test_budget(self):
        server, budget = self.claiming("D", fail()), RetryBudget(percent=0, most=1)
        loop = self.loop(budget=budget)
        self.fails(loop, self.tied(server, None))
        self.assertEqual((2, ["retry", "budget"]), (server.served, self.reasons))
        full = RetryBudget(percent=100, most=1)
        self.fails(self.loop(budget=full), self.tied(server, None))
        self.assertEqual(["retry", "retry", "attempts"], self.reasons)

    def test_chain(self):
        owner = self.claiming("D", fail())
        for chain_stop, reason in ((True, "chain"), (False, "attempts")):
            loop = self.loop(chain_stop=chain_stop)
            client = self.stock(self.looping(loop, self.tied(owner, None)), None)
            self.error(client, metadata=((rules.MARK, "1"),))
            self.assertEqual(reason, self.reasons[-1])
        self.assertEqual([["1"]] * 4, [rules.values(m, rules.MARK)
                                       for m in owner.metadata])

    def test_multiplied(self):
        for most, served in ((2, 2), (3, 4), (4, 4), (5, 6)):
            owner = self.claiming("D", fail())
            self.fails(self.loop(max_attempts=most), self.tied(owner, policy(2)))
            self.assertEqual((served, "multiplied"), (owner.served, self.reasons[-1]))

    def test_observing(self):
        server = self.server("D", fail(trailers=REFUSED[:1]))
        for mode in ("observe", "enforce"):
            del server.metadata[:]
            self.fails(self.loop(mode=mode),
                       self.tied(server, None, observe=mode == "enforce"))
            self.assertEqual((3, ["unclaimed", "unclaimed", "attempts"]),
                             (server.served, self.reasons))

    def test_off(self):
        server = self.server("D", fail(trailers=REFUSED[:1]))
        self.fails(self.loop(mode="off"), self.stock(server, None))
        self.assertEqual((3, "attempts"), (server.served, self.reasons[-1]))
        self.assertEqual([[]] * 3, [rules.values(m, rules.MARK)
                                    for m in server.metadata])


class Tied(LoopTest):
    """What the inbound call learns of a loop, and the loop of it."""

    def test_criteria(self):
        owner = self.claiming("D", fail())
        for config, attempts in ((None, 3), (policy(2), 4)):
            for call in self.calls(owner)[config is not None:]:
                call = call if config is None else self.tied(owner, config)
                error = self.error(self.stock(self.looping(self.loop(), call)))
                self.assertEqual((["unclaimed"], "PROPAGATED", attempts),
                                 (error.claims, error.reason, error.detail.attempts))

    def test_criteria_where_it_was_held_back(self):
        owner = self.server("D", fail(trailers=((rules.PUSHBACK, "-1"),)))
        for call in self.calls(owner):
            error = self.error(self.stock(self.looping(self.loop(), call)))
            self.assertEqual((["pushback"], ["unclaimed"], 1),
                             (self.reasons, error.claims, error.detail.attempts))

    def test_loop_of_one_call_is_no_policy(self):
        owner = self.claiming("D", fail())
        for call in self.calls(owner):
            loop = self.loop(max_attempts=1)
            error = self.error(self.stock(self.looping(loop, call), None))
            self.assertEqual((["attempts"], "AT_LEAST_ONCE"),
                             (self.reasons, error.reason))

    def test_status_that_is_not_retried(self):
        owner = self.claiming("D", fail(grpc.StatusCode.ABORTED))
        error = self.error(self.stock(
            self.looping(self.loop(), self.stock(owner, None)), None))
        self.assertEqual((["claimed"], "AT_LEAST_ONCE"), (error.claims, error.reason))

    def cancel_once(self, ready, server):
        future = self.stock(server, None).future(b"", timeout=DEADLINE_S)
        ready.get(timeout=DEADLINE_S)
        future.cancel()

    def test_cancelled_while_it_waits(self):
        reasons, owner = queue.Queue(), self.claiming("D", fail())
        loop = RetryLoop(initial_backoff_ms=LONG_MS, max_backoff_ms=LONG_MS,
                         on_reason=reasons.put)
        call = self.tied(owner, None)

        # Without a deadline, which would end it first.
        future = self.stock(self.looping(loop, call), None).future(b"")
        self.assertEqual("retry", reasons.get(timeout=DEADLINE_S))
        future.cancel()
        self.assertEqual("cancelled", reasons.get(timeout=DEADLINE_S))
        self.assertEqual(1, owner.served)

    def test_cancelled_while_it_calls(self):
        started, ended, reasons = queue.Queue(), threading.Event(), queue.Queue()

        def hangs(request, context):
            context.add_callback(ended.set)
            started.put(request)
            ended.wait(DEADLINE_S)

        call = self.tied(self.claiming("D", hangs), None)
        loop = RetryLoop(on_reason=reasons.put)
        self.cancel_once(started, self.looping(loop, call))
        self.assertEqual("cancelled", reasons.get(timeout=DEADLINE_S))
        self.assertTrue(ended.wait(DEADLINE_S))


class Streams(LoopTest):
    def replies(self, loop, call, request=b"x"):
        return list(loop.stream(call, request, timeout=DEADLINE_S))

    def test_before_the_first_message(self):
        def handler(request, context):
            if left:
                left.pop()(request, context)
            yield from (b"1", b"2")

        for config in (None, ()):
            left = [fail()]
            server = self.claiming("D", handler, kind="unary_stream")
            call = self.stock(server, None) if config else self.tied(server, None)
            self.assertEqual([b"1", b"2"], self.replies(self.loop(), call))
            self.assertEqual(["retry", "ok"], self.reasons)

    def test_after_the_first_message(self):
        def handler(request, context):
            yield b"1"
            fail()(request, context)

        server = self.claiming("D", handler, kind="unary_stream")
        for call in self.calls(server):
            with self.assertRaises(grpc.RpcError):
                self.replies(self.loop(), call)
            self.assertEqual(["committed"], self.reasons)

    def test_not_read_to_its_end(self):
        def handler(request, context):
            context.add_callback(ended.set)
            while not ended.is_set():
                yield b"1"

        ended = threading.Event()
        server = self.claiming("D", handler, kind="unary_stream")
        replies = self.loop().stream(self.tied(server, None), b"x")
        next(replies)
        replies.close()
        self.assertTrue(ended.wait(DEADLINE_S))
        self.assertEqual(["cancelled"], self.reasons)

    def test_requests_are_sent_anew(self):
        seen = []

        def handler(requests, context):
            seen.append(list(requests))
            fail()(requests, context)

        server = self.claiming("D", handler, kind="stream_unary")
        self.fails(self.loop(max_attempts=2), self.tied(server, None), [b"1", b"2"])
        self.assertEqual([[b"1", b"2"]] * 2, seen)
        with self.assertRaisesRegex(ValueError, "expected a message or a list"):
            self.loop().call(self.tied(server, None), iter([b"1"]))


class ByHand(LoopTest):
    def test_used_after_its_end(self):
        run = self.loop(max_attempts=1).run("/D/Call")
        self.assertEqual("ended", run.again("UNAVAILABLE").reason)  # nothing begun
        run.begin()
        self.assertEqual((False, "attempts"), run.again("UNAVAILABLE")[::2])
        for status in ("UNAVAILABLE", "OK"):
            run.begin()
            self.assertEqual((False, 0, "ended"), run.again(status))
        self.assertEqual(["attempts"], self.reasons)

    def test_waits(self):
        run = self.loop(max_attempts=9, initial_backoff_ms=100,
                        max_backoff_ms=400).run("/D/Call")
        for trailers, expect in (((), 100), ((), 200), ((), 400), ((), 400),
                                 (((rules.PUSHBACK, "7"),), 7), ((), 100)):
            run.begin()
            wait = run.again("UNAVAILABLE", trailers).wait_ms
            spread = 0 if trailers else expect * 0.2
            self.assertTrue(expect - spread <= wait <= expect + spread, (expect, wait))

    def test_other_calls_meanwhile_are_not_the_loops(self):
        owner = self.claiming("D", fail())
        other = self.claiming("E", fail())
        inner, run = self.tied(other, None), self.loop().run("/D/Call")
        loop_call, _ = run.begin()
        loop_call.start(self.error, inner)
        self.assertIsNone(loop_call.ended)
        loop_call.start(self.error, self.tied(owner, None))
        self.assertEqual("claimed", loop_call.ended.claim)

    def test_bad_options(self):
        for name, value, expected in (
                ("max_attempts", 0, "1 to 100"), ("max_attempts", 101, "1 to 100"),
                ("max_attempts", -1, "1 to 100"), ("max_attempts", 1.5, "whole"),
                ("max_attempts", True, "whole"), ("max_attempts", "3", "whole"),
                ("initial_backoff_ms", -1, "0 to 86400000"),
                ("initial_backoff_ms", float("nan"), "0 to 86400000"),
                ("max_backoff_ms", float("inf"), "0 to 86400000"),
                ("max_backoff_ms", None, "0 to 86400000"),
                ("backoff_multiplier", 0.5, "1 to 1000"),
                ("backoff_multiplier", float("nan"), "1 to 1000"),
                ("codes", ["OK"], "other than OK"), ("codes", ["DOWN"], "names of"),
                ("codes", "UNAVAILABLE", "names of"), ("codes", 14, "names of"),
                ("mode", "on", "off, observe or enforce")):
            shown = value[0] if isinstance(value, list) else value
            with self.subTest(name=name, value=value), self.assertRaises(
                    ValueError) as caught:
                RetryOptions(**{name: value})
            text = str(caught.exception)
            self.assertTrue(text.startswith(f"{name}: got {shown!r}, expected "), text)
            self.assertIn(expected, text)
        with self.assertRaisesRegex(ValueError, "percent: got 101"):
            RetryBudget(percent=101)
