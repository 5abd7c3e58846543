# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
"""The interceptors between real clients and servers: what belongs together."""
import contextvars
import threading
from concurrent import futures

import grpc

import error_claim
import error_claim_rules as rules
from local_servers import DEADLINE_S, ServersTest, fail, passing, policy


class Correlation(ServersTest):
    """Which outbound calls an error is put down to."""

    def flaky(self, *outcomes):
        """A callee that fails (False) or answers (True), in this order."""
        left = list(outcomes)
        return self.claiming(
            "D", lambda r, c: r if left.pop(0) else fail()(r, c))

    def calling(self, call, times, end=fail()):
        """A server that calls `times` times, then ends by itself."""
        def handler(request, context):
            for _ in range(times):
                try:
                    call(request)
                except grpc.RpcError:
                    pass
            return end(request, context)

        return self.claiming("C", handler)

    def test_success_clears_a_failure(self):
        owner = self.flaky(False, True)
        server = self.calling(self.tied(owner, config=None), 2)
        self.assertEqual("OWN", self.error(self.stock(server, None)).reason)
        self.assertEqual([[], ["1"]], [rules.values(m, rules.MARK)
                                       for m in owner.metadata])

    def test_retry_by_the_application(self):
        server = self.calling(self.tied(self.flaky(False, False), config=None), 2)
        error = self.error(self.stock(server, None))
        self.assertEqual((["unclaimed"], 2), (error.claims, error.detail.attempts))

    def test_success_that_started_before_says_nothing(self):
        inbound = error_claim.Inbound("/C/Call")
        first, _ = inbound.start("/D/Call")
        inbound.record("/D/Call", first, "UNAVAILABLE", satisfied=True)
        inbound.record("/D/Call", first, "OK")
        self.assertEqual("unclaimed", inbound.decide("UNAVAILABLE")[0])

    def test_calls_side_by_side_are_no_retry(self):
        inbound = error_claim.Inbound("/C/Call")
        first, _ = inbound.start("/D/Call")
        for _ in range(2):
            inbound.record("/D/Call", first, "UNAVAILABLE")
        self.assertEqual("claimed", inbound.decide("UNAVAILABLE")[0])

    def test_answers_are_failures_only_where_they_are_passed_on(self):
        answer = grpc.StatusCode.NOT_FOUND
        owner = self.claiming("D", fail(answer))
        passed = self.claiming("C", passing(self.tied(owner)))
        error = self.error(self.stock(passed))
        self.assertEqual((answer, ["unclaimed"]), (error.code, error.claims))
        other = self.calling(self.tied(owner), 1)
        self.assertEqual("OWN", self.error(self.stock(other)).reason)

    def test_futures(self):
        owner = self.claiming("D", fail())
        call = self.tied(owner)

        def handler(request, context):
            for future in [call.future(request) for _ in range(3)]:
                try:
                    future.result(DEADLINE_S)
                except grpc.RpcError as error:
                    context.abort(error.code(), error.details())

        server = self.claiming("C", handler)
        for _ in range(20):
            self.assertEqual(["unclaimed"], self.error(self.stock(server)).claims)
        self.assertEqual(20, server.served)

    def test_streams(self):
        def handler(request, context):
            yield request
            fail()(request, context)

        owner = self.claiming("D", handler, kind="unary_stream")
        call = self.tied(owner)

        def onward(request, context):
            try:
                yield from call(request)
            except grpc.RpcError as error:
                context.abort(error.code(), error.details())

        server = self.claiming("C", onward, kind="unary_stream")
        error = self.error(self.stock(server))
        self.assertEqual((["unclaimed"], "D"),
                         (error.claims, error.detail.owner_service))
        self.assertEqual((1, 1), (server.served, owner.served))

    def test_the_application_has_the_last_word(self):
        def handler(request, context):
            error_claim.current().claim = error_claim.UNCLAIMED
            fail()(request, context)

        server = self.claiming("D", handler)
        error = self.error(self.stock(server))
        self.assertEqual(1, server.served)
        self.assertEqual((["unclaimed"], "APPLICATION"), (error.claims, error.reason))

    def test_the_application_has_retried(self):
        call = self.tied(self.claiming("D", fail()), config=None)

        def end(request, context):
            error_claim.current().set_retried()
            fail()(request, context)

        self.assertEqual(["unclaimed"],
                         self.error(self.stock(self.calling(call, 1, end))).claims)

    def test_outside_of_inbound_calls(self):
        self.assertIsNone(error_claim.current())
        self.assertEqual(["claimed"],
                         self.error(self.tied(self.claiming("D", fail()))).claims)

    def test_threads_of_a_handler(self):
        call = self.tied(self.claiming("D", fail()))

        def handler(request, context):
            home = contextvars.copy_context()
            thread = threading.Thread(target=lambda: home.run(
                self.error, call, request))
            thread.start()
            thread.join()
            fail()(request, context)

        self.assertEqual(["unclaimed"],
                         self.error(self.stock(self.claiming("C", handler))).claims)

    def test_fifty_inbound_calls_at_once(self):
        """None ends before all have called."""
        together = threading.Barrier(50)
        call = self.tied(self.claiming("D", fail()), policy(2))

        def handler(request, context):
            together.wait(DEADLINE_S)
            if request == b"callee":
                self.error(call)
            together.wait(DEADLINE_S)
            fail()(request, context)

        client = self.stock(self.claiming("C", handler), None)
        kinds = [(b"own", b"callee")[n % 2] for n in range(50)]
        with futures.ThreadPoolExecutor(50) as pool:
            errors = list(pool.map(lambda kind: self.error(client, kind), kinds))
        self.assertEqual(["OWN", "PROPAGATED"] * 25, [e.reason for e in errors])

    def test_inbound_calls_do_not_mix(self):
        owner = self.claiming("D", lambda request, context: (
            request if request == b"own" else fail()(request, context)))
        call = self.tied(owner, policy(2))

        def handler(request, context):
            call(b"own")  # meanwhile others are served
            passing(call)(request, context)
            fail(message="own")(request, context)

        client = self.stock(self.claiming("C", handler), None)
        kinds = [(b"own", b"callee")[n * n % 7 % 2] for n in range(400)]
        with futures.ThreadPoolExecutor(16) as pool:
            errors = pool.map(lambda kind: self.error(client, kind), kinds)
        for kind, error in zip(kinds, errors):
            expect = "OWN" if kind == b"own" else "PROPAGATED"
            self.assertEqual(expect, error.reason)
