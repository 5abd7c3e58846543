# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
"""The conformance vectors of protos/vectors.json."""
import base64
import json
import pathlib
import unittest

import error_claim_rules as rules
import retry_loop_rules

VECTORS = pathlib.Path(__file__).resolve().parents[3] / "protos" / "vectors.json"


def fields(detail):
    """A detail as the vectors write it."""
    if detail is None:
        return None
    return {"owner_service": detail.owner_service,
            "owner_method": detail.owner_method, "hops": detail.hops,
            "attempts": detail.attempts,
            "reason": rules.ErrorClaim.Reason.Name(detail.reason).lower()}


def detail_of(row):
    if row is None:
        return None
    reason = rules.ErrorClaim.Reason.Value(row["reason"].upper())
    return rules.ErrorClaim(**{**row, "reason": reason})


class Vectors(unittest.TestCase):
    def each(self, section, check):
        rows = json.loads(VECTORS.read_text())[section]
        self.assertTrue(rows)
        for row in rows:
            with self.subTest(section, row=row):
                check(row)

    def test_all_sections_are_run(self):
        sections = json.loads(VECTORS.read_text()).keys() - {"version"}
        self.assertEqual({name[len("test_"):] for name in dir(self)
                          if name.startswith("test_")} - {"all_sections_are_run"},
                         set(sections))

    def test_loop(self):
        def check(row):
            expect = row.pop("expect")
            self.assertEqual(expect, retry_loop_rules.loop_reason(**row))

        self.each("loop", check)

    def test_backoff(self):
        def check(row):
            expect = row.pop("expect_ms")
            self.assertAlmostEqual(expect, retry_loop_rules.backoff_ms(**row))

        self.each("backoff", check)

    def test_marks(self):
        self.each("marks", lambda row: self.assertIs(row["expect"], rules.is_marked(
            [(rules.MARK, value) for value in row["values"]])))

    def test_retry(self):
        self.each("retry", lambda row: self.assertEqual(
            row["expect"], rules.may_retry(row["error"], row["claim"],
                                           row["budget_empty"], row["chained"])))

    def test_criteria(self):
        self.each("criteria", lambda row: self.assertIs(
            row["expect"], rules.criteria(row["claim"], row["retried"],
                                          row["policy"], row["application"])))

    def test_claims(self):
        def check(row):
            reasons = [rules.reason_of(o["callee"] != "ok", o["edge"] == "fail_open",
                                       o["criteria"]) for o in row["outbounds"]]
            reason = max(reasons, default=rules.ErrorClaim.OWN)
            self.assertEqual(row["expect"], {
                "claim": rules.claim_of(reason),
                "reason": rules.ErrorClaim.Reason.Name(reason).lower()})

        self.each("claims", check)

    def test_values(self):
        def check(row):
            metadata = [(rules.CLAIM, value) for value in row["values"]]
            metadata += [("x-claim", value) for value in row["alias_values"]]
            claim = rules.read_claim(metadata, "x-claim")
            self.assertEqual(row["expect"], claim or "missing")

        self.each("values", check)

    def test_details(self):
        self.each("details", lambda row: self.assertEqual(
            row["expect"], fields(rules.parse_detail(base64.b64decode(row["bytes"])))))

    def test_passed_on(self):
        self.each("passed_on", lambda row: self.assertEqual(
            row["expect"], fields(rules.passed_on(
                detail_of(row["received"]), row["path"], row["attempts"]))))


class BeyondTheVectors(unittest.TestCase):
    def test_largest_detail_fits_and_hops_do_not_wrap(self):
        received = rules.ErrorClaim(owner_service="s" * 120, owner_method="m" * 120,
                                    hops=2**32 - 1)
        passed = rules.passed_on(received, "/x/y", 2**32 - 1)
        self.assertLessEqual(passed.ByteSize(), rules.DETAIL_BYTES)
        self.assertEqual(2**32 - 1, passed.hops)
        self.assertEqual("s" * 108, passed.owner_service)

    def test_names_become_printable(self):
        detail = rules.make_detail("caf\u00e9\n", "", 0, 0, rules.ErrorClaim.OWN)
        self.assertEqual("caf???", detail.owner_service)

    def test_policy_of_the_nearest_name(self):
        covers = {"retryableStatusCodes": ["UNAVAILABLE"]}
        policies = rules.retry_policies({"methodConfig": [
            {"name": [{"service": "s", "method": "Get"}]},
            {"name": [{"service": "s"}], "retryPolicy": covers},
            {"name": [{}], "retryPolicy": {"retryableStatusCodes": ["INTERNAL"]}}]})
        for path, expect in (("/s/Get", "none"), ("/s/Put", "covers"),
                             ("/t/Get", "not_listed")):
            self.assertEqual(expect, rules.policy_of(policies, path, "UNAVAILABLE"))
        self.assertEqual("none", rules.policy_of(
            rules.retry_policies(None), "/s/Get", "UNAVAILABLE"))

    def test_repeated_detail_is_ignored(self):
        twice = [(rules.DETAIL, b""), (rules.DETAIL, b"")]
        self.assertIsNone(rules.read_detail(twice))
        self.assertIsNotNone(rules.read_detail(twice[:1]))

    def test_marks_of_grpc(self):
        for value, expect in (("1", True), ("012", True), ("0", False),
                              ("many", False), ("\u00b2", False), ("", False),
                              ("9" * 5000, True), ("-1", False)):
            self.assertIs(expect, rules.is_marked([(rules.PREVIOUS, value)]), value)

    def test_pushback(self):
        for values, expect in (
                ((), ("none", 0)), (("0",), ("wait", 0)), (("70",), ("wait", 70)),
                (("-1",), ("stop", 0)), (("soon",), ("stop", 0)), (("",), ("stop", 0)),
                (("1", "2"), ("wait", 2)), (("1", "-1"), ("stop", 0)),
                (("9" * 5000,), ("stop", 0)), (("\u00b2",), ("stop", 0))):
            self.assertEqual(expect, rules.pushback_of(
                [(rules.PUSHBACK, value) for value in values]))

    def test_alias_that_is_a_key_of_the_protocol(self):
        self.assertEqual([None, None, None, "x-claim"], [
            rules.alias_of(key) for key in (None, "", rules.CLAIM, "X-Claim")])
        for key in (rules.MARK, rules.DETAIL, rules.PUSHBACK, "x-bin"):
            with self.assertRaisesRegex(ValueError, f"alias: got '{key}', expected"):
                rules.alias_of(key)

    def test_attempts_that_the_policy_makes(self):
        for most, pushback, expect in ((2, "none", 2), (9, "none", 5), (3, "stop", 1)):
            policies = rules.retry_policies({"methodConfig": [{"name": [{}],
                "retryPolicy": {"maxAttempts": most,
                                "retryableStatusCodes": ["UNAVAILABLE"]}}]})
            self.assertEqual(expect, rules.attempts_of(
                policies, "/s/m", "UNAVAILABLE", pushback))
            self.assertEqual(1, rules.attempts_of(policies, "/s/m", "ABORTED", "none"))

    def test_ownership_is_left_out(self):
        self.assertEqual("pushback", retry_loop_rules.loop_reason(
            "listed", rules.UNCLAIMED, False, True, True, True, True, False, "stop",
            owned=False))
        self.assertEqual("deadline", retry_loop_rules.loop_reason(
            "listed", rules.UNCLAIMED, False, True, False, False, False, True, "none",
            owned=False))
