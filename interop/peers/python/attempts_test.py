# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
"""The interceptors between real clients and servers: how often is tried."""
import grpc

import error_claim_rules as rules
from local_servers import ServersTest, fail, passing, policy


class Attempts(ServersTest):
    """How often a client without the protocol tries, of four times."""

    def test_claimed_errors_are_retried(self):
        server = self.claiming("D", fail(trailers=(("own", "kept"),)))
        error = self.error(self.stock(server))
        self.assertEqual(4, server.served)
        self.assertEqual((grpc.StatusCode.UNAVAILABLE, "down"), error[:2])
        self.assertEqual((["claimed"], ["kept"], []), (
            error.claims, error.all("own"), error.all(rules.PUSHBACK)))
        self.assertEqual(("D", "Call", 0, "OWN"), (
            error.detail.owner_service, error.detail.owner_method,
            error.detail.hops, error.reason))

    def test_unclaimed_errors_are_not(self):
        owner = self.claiming("D", fail())
        server = self.claiming("C", passing(self.tied(owner)))
        error = self.error(self.stock(server))
        self.assertEqual((1, 4), (server.served, owner.served))
        self.assertEqual((grpc.StatusCode.UNAVAILABLE, "down"), error[:2])
        self.assertEqual((["unclaimed"], ["-1"]),
                         (error.claims, error.all(rules.PUSHBACK)))
        self.assertEqual(("D", "Call", 1, "PROPAGATED"), (
            error.detail.owner_service, error.detail.owner_method,
            error.detail.hops, error.reason))

    def test_hops_are_counted_over_the_chain(self):
        owner = self.claiming("D", fail(), service_name="shop.Stock")
        middle = self.claiming("C", passing(self.tied(owner)))
        root = self.claiming("B", passing(self.tied(middle)))
        error = self.error(self.stock(root))
        self.assertEqual((1, 1, 4), (root.served, middle.served, owner.served))
        self.assertEqual(("shop.Stock", 2),
                         (error.detail.owner_service, error.detail.hops))

    def test_without_a_policy_the_caller_retries(self):
        owner = self.claiming("D", fail())
        server = self.claiming("C", passing(self.tied(owner, config=None)))
        error = self.error(self.stock(server))
        self.assertEqual((4, 4), (server.served, owner.served))
        self.assertEqual((["claimed"], "AT_LEAST_ONCE", "C"), (
            error.claims, error.reason, error.detail.owner_service))

    def test_status_that_the_policy_does_not_list(self):
        owner = self.claiming("D", fail(grpc.StatusCode.INTERNAL))
        server = self.claiming("C", passing(self.tied(owner)))
        self.assertEqual("AT_LEAST_ONCE", self.error(self.stock(server)).reason)

    def test_exception_of_the_handler(self):
        def handler(_, context):
            raise KeyError("oops")

        server = self.claiming("D", handler)
        with self.assertLogs("grpc._server", "ERROR"):
            error = self.error(self.stock(server, policy(codes=("UNKNOWN",))))
        self.assertEqual(4, server.served)
        self.assertEqual(grpc.StatusCode.UNKNOWN, error.code)
        self.assertIn("oops", error.message)
        self.assertEqual(["claimed"], error.claims)

    def test_observe_stops_nothing(self):
        events = []
        owner = self.claiming("D", fail())
        server = self.claiming("C", passing(self.tied(owner)), observe=True,
                               on_event=events.append)
        error = self.error(self.stock(server))
        self.assertEqual((4, 16), (server.served, owner.served))
        self.assertEqual((["unclaimed"], []), (error.claims, error.all(rules.PUSHBACK)))
        self.assertEqual(["sent_unclaimed"] * 4, events)

    def test_fail_open_callee(self):
        owner = self.claiming("D", fail())
        server = self.claiming("C", passing(self.tied(owner, fail_open=("/D/*",))))
        error = self.error(self.stock(server))
        self.assertEqual(4, server.served)
        self.assertEqual((["claimed"], "COINCIDENTAL"), (error.claims, error.reason))

    def test_unreachable_callee(self):
        gone = self.claiming("D", fail())
        gone.target = "127.0.0.1:1"
        server = self.claiming("C", passing(self.tied(gone)))
        error = self.error(self.stock(server))
        self.assertEqual(1, server.served)
        self.assertEqual(("D", 1), (error.detail.owner_service, error.detail.hops))

    def test_stopped_retries_are_told(self):
        events = []
        owner = self.server("D", fail(trailers=((rules.CLAIM, "unclaimed"),
                                                (rules.PUSHBACK, "-1"))))
        self.error(self.tied(owner, on_event=events.append))
        self.error(self.tied(owner, config=None, on_event=events.append))
        self.assertEqual(["stopped_unclaimed"], events)
