# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
"""The interceptors of grpc.aio between real clients and servers."""
import asyncio
import functools

import grpc
import grpc.aio

import error_claim
import error_claim_rules as rules
from aio_servers import AioTest, echo, fail, passing, replies_of
from local_servers import DEADLINE_S, policy

UNAVAILABLE = grpc.StatusCode.UNAVAILABLE
FORMS = ("unary_unary", "unary_stream", "stream_unary", "stream_stream")


def handlers_of(kind, end):
    """Handlers of this form, of every kind that gRPC knows, that end so before
    their first reply; `end` may be a coroutine function."""
    async def unary(request, context):
        return await end(request, context)

    async def generator(request, context):
        for reply in await end(request, context) or ():
            yield reply

    async def writer(request, context):
        for reply in await end(request, context) or ():
            await context.write(reply)

    return (generator, writer) if kind.endswith("stream") else (unary,)


def threads_of(kind, end):
    def unary(request, context):
        return end(request, context)

    def generator(request, context):
        end(request, context)
        yield from ()

    return (generator,) if kind.endswith("stream") else (unary,)


def request_of(kind):
    return [b"x"] if kind.startswith("stream") else b"x"


class Forms(AioTest):
    async def each(self, end, handlers=handlers_of, claims=("claimed",)):
        """All errors leave as Trailers-Only, so that gRPC retries them."""
        for kind in FORMS:
            for handler in handlers(kind, end):
                with self.subTest(kind=kind, handler=handler.__name__):
                    server = await self.claiming("D", handler, kind=kind)
                    error = await self.error(self.stock(server), request_of(kind))
                    self.assertEqual((4, list(claims), "OWN", UNAVAILABLE), (
                        server.served, error.claims, error.reason, error.code))

    async def test_abort(self):
        await self.each(fail())

    async def test_abort_with_trailers(self):
        async def end(_, context):
            await context.abort(UNAVAILABLE, "down", (
                (rules.CLAIM, "unclaimed"), (rules.PUSHBACK, "-1")))

        await self.each(end)

    async def test_status_that_is_set(self):
        for code in (UNAVAILABLE, 14):
            async def end(_, context, code=code):
                context.set_code(code)
                context.set_details("down")

            await self.each(end)

    async def test_exception(self):
        async def end(_, context):
            context.set_code(UNAVAILABLE)
            raise KeyError("oops")

        with self.assertLogs("grpc._cython.cygrpc", "ERROR"):
            await self.each(end)

    async def test_handlers_in_threads(self):
        def abort(_, context):
            context.abort(UNAVAILABLE, "down")

        def status(_, context):
            context.set_code(UNAVAILABLE)
            return b""

        for end in (abort, status):
            await self.each(end, handlers=threads_of)

    async def test_passed_on(self):
        for kind in FORMS:
            owner = await self.claiming("D", handlers_of(kind, fail())[0], kind=kind)
            call = self.tied(owner)

            async def end(_, context, call=call, kind=kind):
                try:
                    return await replies_of(call(request_of(kind), timeout=DEADLINE_S))
                except grpc.RpcError as error:
                    await context.abort(error.code(), error.details())

            for served, handler in enumerate(handlers_of(kind, end), 1):
                with self.subTest(kind=kind, handler=handler.__name__):
                    server = await self.claiming("C", handler, kind=kind)
                    error = await self.error(self.stock(server), request_of(kind))
                    self.assertEqual((1, 4 * served, ["unclaimed"], "D"), (
                        server.served, owner.served, error.claims,
                        error.detail.owner_service))

    async def test_success_carries_no_claim(self):
        async def end(_, context):
            context.set_trailing_metadata(((rules.CLAIM, "claimed"), ("own", "kept")))
            return b"x"

        for kind in FORMS:
            for handler in handlers_of(kind, end):
                if kind.endswith("stream"):
                    async def ends(r, c):
                        await end(r, c)
                        return [b"x"]

                    handler = handlers_of(kind, ends)[0]
                server = await self.claiming("D", handler, kind=kind)
                call = self.stock(server)(request_of(kind))
                self.assertIn(await replies_of(call), (b"x", [b"x"]))
                self.assertEqual([("own", "kept")], [
                    tuple(item) for item in await call.trailing_metadata()])

    async def test_stream_that_fails_in_its_middle(self):
        async def handler(request, context):
            yield request
            await fail()(request, context)

        owner = await self.claiming("D", handler, kind="unary_stream")
        call = self.tied(owner)

        async def onward(request, context):
            try:
                async for reply in call(request):
                    yield reply
            except grpc.RpcError as error:
                await context.abort(error.code(), error.details())

        server = await self.claiming("C", onward, kind="unary_stream")
        error = await self.error(self.stock(server))
        self.assertEqual((["unclaimed"], "D", 1, 1), (
            error.claims, error.detail.owner_service, server.served, owner.served))

    async def test_requests_that_are_written(self):
        # The error comes after the last request: grpc.aio reports INTERNAL where
        # a write meets the end of the call.
        async def end(requests, context):
            async for _ in requests:
                pass
            await fail()(requests, context)

        server = await self.claiming(
            "D", handlers_of("stream_unary", end)[0], kind="stream_unary")
        call = self.tied(server)()
        for _ in range(3):
            await call.write(b"x")
        await call.done_writing()
        self.assertEqual(UNAVAILABLE, await call.code())


class Wire(AioTest):
    async def test_unclaimed_errors_are_not_retried(self):
        owner = await self.claiming("D", fail())
        server = await self.claiming("C", passing(self.tied(owner), copy=True))
        error = await self.error(self.stock(server))
        self.assertEqual((1, 4, ["unclaimed"], ["-1"], "PROPAGATED"), (
            server.served, owner.served, error.claims, error.all(rules.PUSHBACK),
            error.reason))

    async def test_observe(self):
        owner = await self.claiming("D", fail())
        server = await self.claiming("C", passing(self.tied(owner)), observe=True)
        error = await self.error(self.stock(server))
        self.assertEqual((4, 16, ["unclaimed"], []), (
            server.served, owner.served, error.claims, error.all(rules.PUSHBACK)))

    async def test_copied_refusal(self):
        owner = await self.server("D", fail(trailers=(
            (rules.CLAIM, "maybe"), (rules.PUSHBACK, "-1"), ("own", "kept"))))
        server = await self.claiming("C", passing(self.tied(owner, None), copy=True))
        error = await self.error(self.stock(server))
        self.assertEqual((4, ["claimed"], [], ["kept"]), (
            server.served, error.claims, error.all(rules.PUSHBACK), error.all("own")))

    async def test_marks_are_passed_on_once(self):
        owner = await self.claiming("D", echo)
        call = self.tied(owner)

        async def gateway(request, context):
            return await call(request, metadata=context.invocation_metadata())

        client = self.stock(await self.claiming("C", gateway))
        for marks, expect in ((("1",), ["1"]), (("1", "1"), ["1"]), (("2",), [])):
            await client(b"", metadata=[*((rules.MARK, mark) for mark in marks)])
            self.assertEqual(expect, rules.values(owner.metadata[-1], rules.MARK))

    async def test_trust_boundary(self):
        trailers = ((rules.CLAIM, "unclaimed"), (rules.PUSHBACK, "-1"))
        owner = await self.server("D", fail(trailers=trailers))
        call = self.tied(owner, None, trust_boundary=True)

        async def gateway(request, context):
            await passing(functools.partial(
                call, metadata=((rules.MARK, "1"), (rules.CLAIM, "claimed"))),
                copy=True)(request, context)

        server = await self.claiming("C", gateway, trust_boundary=True)
        error = await self.error(self.stock(server, None),
                                 metadata=((rules.MARK, "1"),))
        self.assertEqual((), tuple(error.trailers))
        self.assertEqual([], [item for item in owner.metadata[0]
                              if item[0].startswith("error-claim")])

    async def test_claims_in_a_request_do_not_reach_the_handler(self):
        async def handler(_, context):
            keys = [key for key, _ in context.invocation_metadata()]
            return b"seen" if rules.CLAIM in keys else b"hidden"

        server = await self.claiming("D", handler)
        self.assertEqual(b"hidden", await self.stock(server)(
            b"", metadata=((rules.CLAIM, "claimed"),)))

    async def test_previous_attempts_of_another_call(self):
        left = [fail(grpc.StatusCode.ABORTED)]

        async def once(request, context):
            return await left.pop()(request, context) if left else request

        owner, events = await self.claiming("D", once), []
        call = self.tied(owner, None)

        async def gateway(request, context):
            kept = [i for i in context.invocation_metadata() if i[0] == rules.PREVIOUS]
            return await passing(functools.partial(
                call, metadata=tuple(kept)))(request, context)

        server = await self.claiming("C", gateway, on_event=events.append)
        client = self.stock(server, policy(2, ("ABORTED",)))
        await client(b"", metadata=((rules.PREVIOUS, "1"),))
        self.assertEqual((2, ["sent_claimed"]), (owner.served, events))


class Correlation(AioTest):
    async def test_a_hundred_inbound_calls_at_once(self):
        """None ends before all have called."""
        there, all_there = [], asyncio.Event()
        call = self.tied(await self.claiming("D", fail()), policy(2))

        async def handler(request, context):
            if request == b"callee":
                await self.error(call)
            there.append(request)
            if len(there) == 100:
                all_there.set()
            await asyncio.wait_for(all_there.wait(), DEADLINE_S)
            await fail()(request, context)

        client = self.stock(await self.claiming("C", handler), None)
        errors = await asyncio.gather(*(
            self.error(client, (b"own", b"callee")[n % 2]) for n in range(100)))
        self.assertEqual(["OWN", "PROPAGATED"] * 50, [e.reason for e in errors])

    async def test_tasks_of_a_handler(self):
        call = self.tied(await self.claiming("D", fail()))

        async def handler(request, context):
            await asyncio.gather(*(self.error(call) for _ in range(3)))
            await fail()(request, context)

        server = await self.claiming("C", handler)
        self.assertEqual(["unclaimed"], (await self.error(self.stock(server))).claims)

    async def test_success_clears_a_failure(self):
        left = [fail()]

        async def once(request, context):
            return await left.pop()(request, context) if left else request

        owner = await self.claiming("D", once)
        call = self.tied(owner, None)

        async def handler(request, context):
            await self.error(call)
            await call(request)
            await fail()(request, context)

        server = await self.claiming("C", handler)
        self.assertEqual("OWN", (await self.error(self.stock(server, None))).reason)
        self.assertEqual([[], ["1"]], [rules.values(m, rules.MARK)
                                       for m in owner.metadata])

    async def test_outside_of_inbound_calls(self):
        self.assertIsNone(error_claim.current())
        server = await self.claiming("D", fail())
        self.assertEqual(["claimed"], (await self.error(self.tied(server))).claims)
        self.assertIsNone(error_claim.current())
