# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
"""The rules of the error-claim protocol (protos/PROTOCOL.md), without gRPC:
what is believed, what is retried, what is said. Metadata are pairs of key and
value, status codes go by their names."""
import json

from google.protobuf.message import DecodeError

from eown.v1.error_claim_pb2 import ErrorClaim

CLAIM, DETAIL = "error-claim", "error-claim-bin"
MARK, PUSHBACK = "error-claim-retry", "grpc-retry-pushback-ms"
CLAIMED, UNCLAIMED = "claimed", "unclaimed"
FAULTS = frozenset(("UNKNOWN", "DEADLINE_EXCEEDED", "RESOURCE_EXHAUSTED",
                    "ABORTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS"))
DETAIL_BYTES, NAME_BYTES, MOST = 256, 108, 2**32 - 1


# --- what is received -------------------------------------------------------


def values(metadata, key):
    return [value for name, value in metadata or () if name == key]


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
    counts = values(metadata, "grpc-previous-rpc-attempts")
    return "1" in values(metadata, MARK) or any(count.isdigit() and int(count) > 0
                                                for count in counts)


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


def policy_of(policies, path, status):
    """Whether a policy "covers" the status, or has it "not_listed"; or "none"."""
    service, method = split(path)
    names = ((service, method), (service, ""), ("", ""))
    policy = next((policies[name] for name in names if name in policies), None)
    if not policy:
        return "none"
    return "covers" if status in policy["retryableStatusCodes"] else "not_listed"


# --- what is sent -----------------------------------------------------------


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
