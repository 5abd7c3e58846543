# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
"""The retry loop of grpc.aio; what it decides is tested in retry_loop_test."""
import asyncio

import grpc

import error_claim_rules as rules
from aio_servers import AioTest, fail, passing
from local_servers import DEADLINE_S, policy
from retry_loop_aio import AioRetryLoop

LONG_MS = 3_600_000


class LoopTest(AioTest):
    def loop(self, **options):
        self.reasons = []
        return AioRetryLoop(**{"initial_backoff_ms": 1, "max_backoff_ms": 1,
                               "on_reason": self.reasons.append, **options})

    async def fails(self, loop, call, request=b"", **more):
        with self.assertRaises(grpc.RpcError):
            await loop.call(call, request, timeout=DEADLINE_S, **more)
        return self.reasons[-1]

    async def flaky(self, times):
        left = [fail()] * times

        async def handler(request, context):
            return await left.pop()(request, context) if left else request

        return await self.claiming("D", handler)

    async def test_ok(self):
        for tied in (True, False):
            server = await self.flaky(2)
            call = (self.tied if tied else self.stock)(server, None)
            self.assertEqual(b"x", await self.loop().call(
                call, b"x", metadata=((rules.MARK, "1"), ("own", "kept"))))
            self.assertEqual(["retry", "retry", "ok"], self.reasons)
            self.assertEqual([["1"]] * 3, [rules.values(m, rules.MARK)
                                           for m in server.metadata])

    async def test_ends(self):
        unclaimed = fail(trailers=((rules.CLAIM, "unclaimed"),))
        refused = fail(trailers=((rules.PUSHBACK, "-1"),))
        waits = {"initial_backoff_ms": LONG_MS, "max_backoff_ms": LONG_MS}
        for reason, handler, served, options in (
                ("attempts", fail(), 3, {}), ("unclaimed", unclaimed, 1, {}),
                ("attempts", unclaimed, 3, {"mode": "observe"}),
                ("attempts", unclaimed, 3, {"mode": "off"}),
                ("pushback", refused, 1, {}), ("deadline", fail(), 1, waits),
                ("status", fail(grpc.StatusCode.ABORTED), 1, {})):
            for make in (self.tied, self.stock):
                with self.subTest(reason=reason, options=options, make=make):
                    server = await self.server("D", handler)
                    self.assertEqual(reason, await self.fails(
                        self.loop(**options), make(server, None)))
                    self.assertEqual(served, server.served)

    async def test_multiplied(self):
        server = await self.claiming("D", fail())
        self.assertEqual("multiplied", await self.fails(
            self.loop(max_attempts=2), self.tied(server, policy(2))))
        self.assertEqual(2, server.served)

    async def test_criteria(self):
        owner = await self.claiming("D", fail())
        for call in (self.tied(owner, None), self.stock(owner, None)):
            loop = self.loop()
            server = await self.claiming("C", passing(
                lambda request, timeout, c=call, on=loop: on.call(c, request, timeout)))
            error = await self.error(self.stock(server))
            self.assertEqual((1, ["unclaimed"], 3), (
                server.served, error.claims, error.detail.attempts))

    async def cancelled(self, started, handler):
        """The reasons of a loop whose inbound call is cancelled once started."""
        reasons = asyncio.Queue()

        async def onward(request, context):
            loop = AioRetryLoop(initial_backoff_ms=LONG_MS, max_backoff_ms=LONG_MS,
                                on_reason=reasons.put_nowait)
            return await loop.call(call, request)

        call = self.tied(await self.claiming("D", handler), None)
        server = await self.claiming("C", onward)
        inbound = self.stock(server, None)(b"")
        self.assertEqual("retry", await asyncio.wait_for(
            reasons.get() if started is None else started.get(), DEADLINE_S))
        inbound.cancel()
        return await asyncio.wait_for(reasons.get(), DEADLINE_S)

    async def test_cancelled_while_it_waits(self):
        self.assertEqual("cancelled", await self.cancelled(None, fail()))

    async def test_cancelled_while_it_calls(self):
        started, ended = asyncio.Queue(), asyncio.Event()

        async def hangs(_, context):
            started.put_nowait("retry")
            try:
                await asyncio.Event().wait()
            finally:
                ended.set()

        self.assertEqual("cancelled", await self.cancelled(started, hangs))
        await asyncio.wait_for(ended.wait(), DEADLINE_S)

    async def test_streams(self):
        for before, reason in ((0, "ok"), (1, "committed")):
            left = [fail()]

            async def handler(request, context, before=before, left=left):
                for _ in range(before):
                    yield b"0"
                if left:
                    await left.pop()(request, context)
                yield b"1"

            server = await self.claiming("D", handler, kind="unary_stream")
            seen, replies = [], self.loop().stream(self.tied(server, None), b"x")
            try:
                async for reply in replies:
                    seen.append(reply)
            except grpc.RpcError:
                pass
            self.assertEqual((reason, [[b"1"], [b"0"]][before]),
                             (self.reasons[-1], seen))

    async def test_requests_are_sent_anew(self):
        seen = []

        async def handler(requests, context):
            seen.append([request async for request in requests])
            await fail()(requests, context)

        server = await self.claiming("D", handler, kind="stream_unary")
        await self.fails(self.loop(max_attempts=2), self.tied(server, None),
                         [b"1", b"2"])
        self.assertEqual([[b"1", b"2"]] * 2, seen)

    async def test_many_at_once(self):
        server, loop = await self.claiming("D", fail()), self.loop(max_attempts=2)
        call = self.tied(server, None)
        await asyncio.gather(*(self.fails(loop, call) for _ in range(50)))
        self.assertEqual((100, 50, 50), (
            server.served, self.reasons.count("retry"), self.reasons.count("attempts")))
