# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
"""Metadata that the application forwards or copies from one call to another."""
import grpc

import error_claim_rules as rules
from local_servers import ServersTest, fail, passing, policy

KEYS = (rules.MARK, rules.PREVIOUS, rules.CLAIM, rules.DETAIL, "x-claim", "own")


class Forwarded(ServersTest):
    def marks(self, server):
        return [rules.values(m, rules.MARK) for m in server.metadata]

    def flaky(self, code):
        """A callee that fails once."""
        left = [fail(code)]
        return self.claiming("D", lambda r, c: left.pop()(r, c) if left else r)

    def test_previous_attempts_of_another_call_are_none_of_this(self):
        aborted = grpc.StatusCode.ABORTED
        owner, events = self.flaky(aborted), []
        gateway = self.claiming(
            "C", passing(self.tied(owner, config=None), forward=KEYS),
            on_event=events.append)
        call = self.stock(gateway, policy(2, ("ABORTED",)))
        self.assertEqual(b"x", call(b"x", metadata=((rules.PREVIOUS, "1"),)))
        self.assertEqual((2, 2, ["sent_claimed"]),
                         (gateway.served, owner.served, events))

    def test_gateway_that_forwards_them_has_not_retried(self):
        owner = self.claiming("D", fail(grpc.StatusCode.ABORTED))
        gateway = self.claiming(
            "C", passing(self.tied(owner, config=None), forward=KEYS))
        error = self.error(self.stock(gateway, None),
                           metadata=((rules.PREVIOUS, "1"),))
        self.assertEqual((["claimed"], "AT_LEAST_ONCE", 1),
                         (error.claims, error.reason, error.detail.attempts))

    def test_one_mark_however_often_it_is_forwarded(self):
        for marks in (("1",), ("1", "1"), ("2", "1"), ("1", "")):
            owner = self.claiming("D", lambda request, _: request)
            metadata = [(rules.MARK, mark) for mark in marks]
            self.tied(owner)(b"", metadata=metadata)  # for no inbound
            gateway = self.claiming("C", passing(self.tied(owner), forward=KEYS))
            self.stock(gateway)(b"", metadata=metadata)
            plain = self.server("C", passing(self.tied(owner), forward=KEYS))
            self.stock(plain)(b"", metadata=metadata)
            self.assertEqual([["1"]] * 3, self.marks(owner), marks)

    def test_mark_that_is_none_goes_no_further(self):
        owner = self.claiming("D", lambda request, _: request)
        gateway = self.claiming("C", passing(self.tied(owner), forward=KEYS))
        self.stock(gateway)(b"", metadata=((rules.MARK, "2"), (rules.MARK, "0")))
        self.assertEqual([[]], self.marks(owner))

    def test_retry_with_a_forwarded_mark(self):
        owner = self.flaky(grpc.StatusCode.UNAVAILABLE)
        call = self.tied(owner, config=None)

        def handler(request, context):
            self.error(call, metadata=((rules.MARK, "1"),))
            return call(request, metadata=((rules.MARK, "1"), (rules.MARK, "1")))

        self.stock(self.claiming("C", handler))(b"")
        self.assertEqual([["1"], ["1"]], self.marks(owner))

    def test_copied_refusal_does_not_leave_with_a_claimed_error(self):
        """The callee's claim is not believed, as it comes twice."""
        for copied in (((rules.CLAIM, "unclaimed"), (rules.CLAIM, "unclaimed")),
                       ((rules.DETAIL, b"x"),), (("x-claim", "maybe"),)):
            for pushback in ("-1", "no"):
                owner = self.server("D", fail(trailers=(
                    *copied, (rules.PUSHBACK, pushback), ("own", "kept"))))
                call = self.tied(owner, config=None, alias="x-claim")
                server = self.claiming("C", passing(call, copy=True), alias="x-claim")
                error = self.error(self.stock(server))
                self.assertEqual(
                    (4, ["claimed"], ["claimed"], [], ["kept"]),
                    (server.served, error.claims, error.all("x-claim"),
                     error.all(rules.PUSHBACK), error.all("own")))

    def test_own_refusal_is_left_alone(self):
        server = self.claiming("D", fail(trailers=((rules.PUSHBACK, "-1"),)))
        error = self.error(self.stock(server))
        self.assertEqual((1, ["claimed"], ["-1"]), (
            server.served, error.claims, error.all(rules.PUSHBACK)))

    def test_copied_wait_is_left_alone(self):
        owner = self.claiming("D", fail(trailers=((rules.PUSHBACK, "3"),)))
        server = self.claiming("C", passing(self.tied(owner, None), copy=True))
        error = self.error(self.stock(server, None))
        self.assertEqual((["claimed"], ["3"]),
                         (error.claims, error.all(rules.PUSHBACK)))

    def test_observing_copies_no_refusal(self):
        owner = self.claiming("D", fail(trailers=((rules.PUSHBACK, "-1"),)))
        server = self.claiming("C", passing(self.tied(owner), copy=True), observe=True)
        error = self.error(self.stock(server, None))
        self.assertEqual((["unclaimed"], []), (error.claims, error.all(rules.PUSHBACK)))

    def test_client_at_the_trust_boundary_sends_nothing_of_it(self):
        owner = self.server("D", lambda request, _: request)
        call = self.tied(owner, trust_boundary=True, alias="x-claim")
        gateway = self.server("C", passing(call, forward=KEYS))
        self.stock(gateway)(b"", metadata=(
            (rules.MARK, "1"), (rules.MARK, "1"), (rules.PREVIOUS, "1"),
            (rules.CLAIM, "claimed"), (rules.DETAIL, b"x"), ("x-claim", "claimed"),
            ("own", "kept")))
        self.assertEqual([("own", "kept")], [
            tuple(item) for item in owner.metadata[0] if item[0] in KEYS])

    def test_server_at_the_trust_boundary_lets_nothing_through(self):
        owner = self.server("D", fail(trailers=(
            (rules.CLAIM, "unclaimed"), (rules.DETAIL, b"x"), (rules.PUSHBACK, "-1"),
            ("x-claim", "unclaimed"), ("own", "kept"))))
        server = self.claiming(
            "C", passing(self.tied(owner, None), copy=True, forward=KEYS),
            trust_boundary=True, alias="x-claim")
        error = self.error(self.stock(server, None), metadata=(
            (rules.MARK, "1"), (rules.PREVIOUS, "1"), (rules.CLAIM, "claimed")))
        self.assertEqual([("own", "kept")], [tuple(item) for item in error.trailers])
        self.assertEqual([], [item for item in owner.metadata[0] if item[0] in KEYS])

    def test_malformed_previous_attempts_are_no_error(self):
        server = self.claiming("C", lambda request, _: request)
        call = self.stock(server)
        for value in ("9" * 5000, "x", "-1"):
            self.assertEqual(b"x", call(b"x", metadata=((rules.PREVIOUS, value),)))

    def test_alias_that_is_the_claim_key_itself(self):
        server = self.claiming("C", fail(), alias=rules.CLAIM)
        self.assertEqual(["claimed"], self.error(self.stock(server)).claims)
