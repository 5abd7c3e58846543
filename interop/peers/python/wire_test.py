# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
"""The interceptors between real clients and servers: what they send and believe."""
import grpc

import error_claim_rules as rules
from local_servers import ServersTest, fail, passing, policy


class Wire(ServersTest):
    """What passes, what is replaced, what is ignored."""

    def test_success_is_left_alone(self):
        owner = self.claiming("D", lambda request, _: request[::-1])
        server = self.claiming("C", passing(self.tied(owner)))
        reply, call = self.stock(server).with_call(b"abc")
        self.assertEqual(b"cba", reply)
        self.assertEqual((), tuple(call.trailing_metadata()))

    def test_success_carries_no_claim(self):
        def handler(request, context):
            context.set_trailing_metadata(((rules.CLAIM, "claimed"), ("own", "kept"),
                                           (rules.DETAIL, b"")))
            return request

        _, call = self.stock(self.claiming("D", handler)).with_call(b"abc")
        self.assertEqual([("own", "kept")],
                         [tuple(item) for item in call.trailing_metadata()])

    def test_copied_trailers_are_replaced(self):
        trailers = ((rules.CLAIM, "claimed"), (rules.DETAIL, b"\x0a\x01X"),
                    (rules.PUSHBACK, "70"), ("own", "kept"))
        owner = self.server("D", fail(trailers=trailers))
        server = self.claiming("C", passing(self.tied(owner, policy(2)), copy=True))
        error = self.error(self.stock(server))
        self.assertEqual(1, server.served)
        self.assertEqual((["unclaimed"], ["-1"], ["kept"]), (
            error.claims, error.all(rules.PUSHBACK), error.all("own")))
        self.assertEqual(("X", 1), (error.detail.owner_service, error.detail.hops))

    def test_own_pushback_with_a_claimed_error(self):
        server = self.claiming("D", fail(trailers=((rules.PUSHBACK, "3"),)))
        error = self.error(self.stock(server))
        self.assertEqual(4, server.served)
        self.assertEqual((["claimed"], ["3"]),
                         (error.claims, error.all(rules.PUSHBACK)))

    def test_values_that_cannot_be_believed(self):
        twice = ((rules.CLAIM, "unclaimed"), (rules.CLAIM, "unclaimed"))
        for trailers in (twice, ((rules.CLAIM, "shared"),), ((rules.CLAIM, ""),),
                         ((rules.CLAIM, "unclaimed" * 50),),
                         ((rules.DETAIL, b"\xff"),)):
            with self.subTest(trailers=trailers):
                owner = self.server("D", fail(trailers=trailers))
                server = self.claiming("C", passing(self.tied(owner, config=None)))
                error = self.error(self.stock(server))
                self.assertEqual((grpc.StatusCode.UNAVAILABLE, "down"), error[:2])
                self.assertEqual((["claimed"], "AT_LEAST_ONCE"),
                                 (error.claims, error.reason))

    def test_bad_detail_leaves_the_claim(self):
        owner = self.server("D", fail(trailers=((rules.CLAIM, "unclaimed"),
                                                (rules.DETAIL, b"\xff"))))
        server = self.claiming("C", passing(self.tied(owner, config=None)))
        error = self.error(self.stock(server))
        self.assertEqual((["unclaimed"], "D", 1), (
            error.claims, error.detail.owner_service, error.detail.hops))

    def test_detail_without_a_claim_is_ignored(self):
        twice = ((rules.CLAIM, "unclaimed"), (rules.CLAIM, "unclaimed"))
        contradictory = ((rules.CLAIM, "claimed"), ("x-claim", "unclaimed"))
        detail = rules.ErrorClaim(owner_service="X", hops=3).SerializeToString()
        for claims, owner_and_hops in (
                ((), ("D", 1)), (((rules.CLAIM, "shared"),), ("D", 1)),
                (twice, ("D", 1)), (contradictory, ("D", 1)),
                (((rules.CLAIM, "claimed"),), ("X", 4))):
            with self.subTest(claims=claims):
                owner = self.server("D", fail(trailers=(
                    *claims, (rules.DETAIL, detail), (rules.PUSHBACK, "-1"))))
                server = self.claiming("C", passing(self.tied(owner, alias="x-claim")))
                error = self.error(self.stock(server))
                self.assertEqual((["unclaimed"], *owner_and_hops), (
                    error.claims, error.detail.owner_service, error.detail.hops))

    def test_alias(self):
        owner = self.server("D", fail(trailers=(("x-claim", "unclaimed"),)))
        call = self.tied(owner, config=None, alias="x-claim")
        server = self.claiming("C", passing(call, copy=True), alias="x-claim")
        error = self.error(self.stock(server))
        self.assertEqual((["unclaimed"], ["unclaimed"]),
                         (error.claims, error.all("x-claim")))

    def test_server_at_the_trust_boundary(self):
        owner = self.claiming("D", fail())
        server = self.claiming("C", passing(self.tied(owner)), trust_boundary=True)
        error = self.error(self.stock(server), metadata=((rules.MARK, "1"),))
        self.assertEqual(4, server.served)
        self.assertEqual(([], [], []), (error.claims, error.all(rules.DETAIL),
                                        error.all(rules.PUSHBACK)))
        self.assertEqual([], rules.values(owner.metadata[0], rules.MARK))

    def test_client_at_the_trust_boundary(self):
        owner = self.server("D", fail(trailers=((rules.CLAIM, "unclaimed"),)))
        call = self.tied(owner, config=None, trust_boundary=True)
        server = self.claiming("C", passing(call))
        error = self.error(self.stock(server, None), metadata=((rules.MARK, "1"),))
        self.assertEqual("AT_LEAST_ONCE", error.reason)
        self.assertEqual([], rules.values(owner.metadata[0], rules.MARK))

    def test_claims_in_a_request_do_not_reach_the_handler(self):
        server = self.claiming("D", fail())
        self.error(self.stock(server, None), metadata=(
            (rules.CLAIM, "unclaimed"), (rules.DETAIL, b"x"), ("own", "kept")))
        keys = [key for key, _ in server.metadata[0]]
        self.assertIn("own", keys)
        self.assertNotIn(rules.CLAIM, keys)
        self.assertNotIn(rules.DETAIL, keys)

    def test_marks_are_passed_on(self):
        owner = self.claiming("D", lambda request, _: request)
        server = self.claiming("C", passing(self.tied(owner)))
        call = self.stock(server)
        for value, expect in (("1", ["1"]), ("2", []), (None, [])):
            call(b"", metadata=((rules.MARK, value),) if value else ())
            self.assertEqual(expect, rules.values(owner.metadata[-1], rules.MARK))

    def test_retry_by_grpc_is_a_mark(self):
        owner = self.claiming("D", lambda request, _: request)
        call = self.tied(owner)

        def handler(request, context):
            call(request)
            context.abort(grpc.StatusCode.UNAVAILABLE, "down")

        self.error(self.stock(self.claiming("C", handler), policy(2)))
        self.assertEqual([[], ["1"]], [rules.values(m, rules.MARK)
                                       for m in owner.metadata])
