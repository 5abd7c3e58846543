# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
"""The command line of a node: a part of eown-node's, with the same meanings."""
import argparse
import re
import typing

import grpc

from error_claim_rules import FAULTS

NAME = r"[A-Za-z0-9_.-]{1,63}"
STATUSES = {code.name: code for code in grpc.StatusCode if code.name != "OK"}


class Callee(typing.NamedTuple):
    name: str
    target: str
    fail_open: bool


def expect(good, text, expected):
    if not good:
        raise argparse.ArgumentTypeError(f"got '{text}', expected {expected}")


def one_of(*names):
    def take(text):
        expect(text in names, text, f"{', '.join(names[:-1])} or {names[-1]}")
        return text

    return take


def number(least, most):
    def take(text):
        good = text.isascii() and text.isdigit() and least <= int(text) <= most
        expect(good, text, f"a whole number from {least} to {most}")
        return int(text)

    return take


def name(text):
    expect(re.fullmatch(NAME, text), text, "1 to 63 letters, digits, '-', '_' or '.'")
    return text


def is_address(text, least_port):
    host, _, port = text.rpartition(":")
    return bool(host) and re.fullmatch("[0-9]{1,5}", port) is not None and (
        least_port <= int(port) <= 65535)


def address(text):
    expect(is_address(text, 0), text, "HOST:PORT with a port from 0 to 65535")
    return text


def callee(text):
    called, _, rest = text.partition("=")
    target, comma, edge = rest.partition(",")
    good = (re.fullmatch(NAME, called) and is_address(target, 1)
            and (edge == "fail-open" if comma else True))
    expect(good, text, "NAME=HOST:PORT or NAME=HOST:PORT,fail-open")
    return Callee(called, target, bool(comma))


def rate(text):
    good = re.fullmatch(r"[0-9]*\.?[0-9]+", text) and float(text) <= 1
    expect(good, text, "a number from 0 to 1")
    return float(text)


def status(text):
    expect(text.upper() in STATUSES, text,
           "the name of a gRPC status code other than OK, such as UNAVAILABLE")
    return STATUSES[text.upper()]


def statuses(text):
    names = text.upper().split(",")
    expect(all(word in STATUSES for word in names), text,
           "names of gRPC status codes other than OK, separated by commas")
    return names


# option, how its value is taken, default, the value's name, what it is
OPTIONS = (
    ("name", name, "node", "NAME", "of this node and of its service"),
    ("listen", address, "127.0.0.1:0", "HOST:PORT", "port 0 picks one"),
    ("callee", callee, None, "NAME=HOST:PORT[,fail-open]",
     "may be repeated; called in this order"),
    ("fail-rate", rate, 0.0, "RATE", "share of calls it fails by itself"),
    ("fail-status", status, grpc.StatusCode.UNAVAILABLE, "STATUS",
     "status of its own failures"),
    ("healthy-first", number(0, 2**64 - 1), 0, "N",
     "the first N calls do not fail by themselves"),
    ("seed", number(0, 2**64 - 1), 1, "N", "of its random numbers"),
    ("attempts", number(1, 100), 1, "K", "at most, of each call; 1: no retries"),
    ("retry-codes", statuses, sorted(FAULTS), "A,B", "retryable status codes"),
    ("retry-by", one_of("grpc", "application", "both"), "grpc", "WHO",
     "grpc, application or both: a retry policy, a loop of its own, or such a loop "
     "above such a policy"),
    ("ownership", one_of("stock", "off", "observe", "enforce"), "stock", "MODE",
     "stock, off, observe or enforce; stock and off: without the interceptor"),
    ("context", one_of("parent", "none"), "parent", "WAY",
     "parent or none; none: outbound calls are tied to no inbound"),
)


def parse(arguments=None):
    parser = argparse.ArgumentParser(
        prog="node", allow_abbrev=False,
        description="One node of a call graph, in Python.",
        epilog="It prints a line of JSON when it is ready, and one with its counts "
        "when SIGTERM or SIGINT ends it.")
    for option, take, default, value, text in OPTIONS:
        several = {"action": "append"} if option == "callee" else {}
        parser.add_argument("--" + option, type=take, default=default,
                            metavar=value, help=text, **several)
    options = parser.parse_args(arguments)
    options.callee = options.callee or []
    return options
