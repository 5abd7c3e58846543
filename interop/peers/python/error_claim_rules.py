# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
"""The rules of the error-claim protocol (protos/PROTOCOL.md), without gRPC:
what is believed, what is retried, what is said. Metadata are pairs of key and
value, status codes go by their names."""
import json
import re

from google.protobuf.message import DecodeError

from eown.v1.error_claim_pb2 import ErrorClaim

CLAIM, DETAIL = "error-claim", "error-claim-bin"
MARK, PUSHBACK = "error-claim-retry", "grpc-retry-pushback-ms"
PREVIOUS = "grpc-previous-rpc-attempts"
CLAIMED, UNCLAIMED = "claimed", "unclaimed"
FAULTS = frozenset(("UNKNOWN", "DEADLINE_EXCEEDED", "RESOURCE_EXHAUSTED",
                    "ABORTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS"))
DETAIL_BYTES, NAME_BYTES, MOST = 256, 108, 2**32 - 1
GRPC_ATTEMPTS_MAX = 5  # more attempts gRPC's policies never make


# --- what is received -------------------------------------------------------


def values(metadata, key):
    return [value for name, value in metadata or () if name == key]


def without(metadata, keys):
    return [item for item in metadata or () if item[0] not in keys]


def alias_of(key):
    """A second key for the claim, as it is on the wire, or None."""
    alias = (key or "").lower()
    if alias in (DETAIL, MARK, PUSHBACK, PREVIOUS) or alias.endswith("-bin"):
        raise ValueError(f"alias: got '{key}', expected a key of its own, for text")
    return None if alias in ("", CLAIM) else alias


def read_claim(metadata, alias=None):
    """CLAIMED, UNCLAIMED or, where nothing can be believed, None."""
    found = [values(metadata, key) for key in (CLAIM, alias) if key]
    words = {word for under_key in found for word in under_key}
    if any(len(under_key) > 1 for under_key in found) or len(words) != 1:
        return None
    return words.pop() if words <= {CLAIMED, UNCLAIMED} else None


def read_detail(metadata):
    found = values(metadata, DETAIL)
    return parse_detail(found[0]) if len(found) == 1 else None


def parse_detail(data):
    """An ErrorClaim, or None where it must be ignored."""
    if len(data) > DETAIL_BYTES:
        return None
    try:
        detail = ErrorClaim.FromString(data)
    except (DecodeError, ValueError):
        return None
    if not all(" " <= c <= "~" for c in detail.owner_service + detail.owner_method):
        return None
    if detail.reason not in ErrorClaim.Reason.values():
        detail.reason = ErrorClaim.NONE
    return detail


def is_marked(metadata):
    """Whether a request is a retry, by this protocol's mark or by gRPC's."""
    counts = values(metadata, PREVIOUS)
    return "1" in values(metadata, MARK) or any(
        re.fullmatch("0*[1-9][0-9]*", count) for count in counts)


def pushback_of(metadata):
    """The callee's pushback (gRPC A6): "none", "wait" or "stop", and the wait in
    ms. What is no number says no, as in gRPC."""
    found = values(metadata, PUSHBACK)
    if not found:
        return "none", 0
    if not all(re.fullmatch("[0-9]{1,18}", value) for value in found):
        return "stop", 0
    return "wait", int(found[-1])


# --- the rules --------------------------------------------------------------


def may_retry(failed, claim, budget_empty=False, chained=False):
    """Rule 1: "ok", "allowed", or why an attempt must not be retried."""
    if not failed:
        return "ok"
    if claim == UNCLAIMED:
        return "unclaimed"
    return "budget" if budget_empty else "chain" if chained else "allowed"


def criteria(claim, retried, policy, application=False):
    """Rule 2: whether a failed outbound call has had its retry."""
    return claim == UNCLAIMED or retried or policy == "covers" or application


def reason_of(failed, fail_open, satisfied):
    """Rule 3 for one outbound call; of several the greatest reason speaks."""
    if not failed:
        return ErrorClaim.OWN
    if fail_open:
        return ErrorClaim.COINCIDENTAL
    return ErrorClaim.PROPAGATED if satisfied else ErrorClaim.AT_LEAST_ONCE


def claim_of(reason):
    return UNCLAIMED if reason == ErrorClaim.PROPAGATED else CLAIMED


def retry_policies(service_config):
    """The retry policies of a service config (JSON text or object) by name."""
    if isinstance(service_config, str):
        service_config = json.loads(service_config)
    return {(name.get("service", ""), name.get("method", "")): entry.get("retryPolicy")
            for entry in (service_config or {}).get("methodConfig", ())
            for name in entry.get("name", ())}


def policy_for(policies, path):
    service, method = split(path)
    names = ((service, method), (service, ""), ("", ""))
    return next((policies[name] for name in names if name in policies), None)


def policy_of(policies, path, status):
    """Whether a policy "covers" the status, or has it "not_listed"; or "none"."""
    policy = policy_for(policies, path)
    if not policy:
        return "none"
    return "covers" if status in policy["retryableStatusCodes"] else "not_listed"


def attempts_of(policies, path, status, pushback):
    """How many attempts a failed call took, for those who can't see them: where
    gRPC's policy covers the status and nobody stopped it, all that it allows."""
    if policy_of(policies, path, status) != "covers" or pushback == "stop":
        return 1
    most = policy_for(policies, path).get("maxAttempts", 1)
    return max(1, min(most, GRPC_ATTEMPTS_MAX))


# --- what is sent -----------------------------------------------------------


def request_metadata(metadata, retry, boundary=False, alias=None):
    """The metadata of an outbound call: with one mark where it is a retry or the
    application forwarded one. Beyond a trust boundary goes nothing."""
    if boundary:
        return without(metadata, {CLAIM, DETAIL, MARK, PREVIOUS, alias})
    marked = retry or "1" in values(metadata, MARK)
    return without(metadata, {MARK}) + [(MARK, "1")] * marked


def own_trailers(metadata, alias=None):
    """The trailing metadata of a handler without what it copied from a callee:
    the claim keys and, with them, a pushback that says no."""
    keys = {CLAIM, DETAIL, alias}
    own = without(metadata, keys)
    copied = len(own) < len(list(metadata or ()))
    if copied and pushback_of(own)[0] == "stop":
        own = without(own, {PUSHBACK})
    return own


def split(path):
    """Service and method of a gRPC path; what is none names the service."""
    service, slash, method = path[1:].partition("/")
    return (service, method) if path[:1] == "/" and slash else (path, "")


def make_detail(service, method, hops, attempts, reason):
    def name(text):
        return "".join(chr(byte) if 32 <= byte <= 126 else "?"
                       for byte in text.encode()[:NAME_BYTES])

    return ErrorClaim(owner_service=name(service), owner_method=name(method),
                      hops=min(hops, MOST), attempts=attempts, reason=reason)


def passed_on(received, path, attempts, reason=ErrorClaim.PROPAGATED):
    """The detail of an unclaimed error, from that of the callee (or None)."""
    if received is None or not received.owner_service:
        return make_detail(*split(path), 1, attempts, reason)
    return make_detail(received.owner_service, received.owner_method,
                       received.hops + 1, attempts, reason)
