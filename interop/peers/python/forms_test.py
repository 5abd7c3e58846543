# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
"""The four forms of calls, and the ways in which a handler fails."""
import grpc

from local_servers import DEADLINE_S, ServersTest, fail

FORMS = ("unary_unary", "unary_stream", "stream_unary", "stream_stream")


def replies_of(kind, end):
    """A handler of this form that ends so before its first reply."""
    def unary(request, context):
        return end(request, context)

    def streaming(request, context):
        end(request, context)
        yield from ()

    return streaming if kind.endswith("stream") else unary


def passing_of(kind, call):
    def handler(request, context):
        try:
            reply = call(iter([b"x"]) if kind.startswith("stream") else b"x",
                         timeout=DEADLINE_S)
            return reply if isinstance(reply, bytes) else list(reply)
        except grpc.RpcError as error:
            context.abort(error.code(), error.details())

    return replies_of(kind, handler)


class Forms(ServersTest):
    def each(self, end):
        """The error of each form; all leave as Trailers-Only, so that gRPC
        retries them."""
        for kind in FORMS:
            with self.subTest(kind=kind):
                server = self.claiming("D", replies_of(kind, end), kind=kind)
                request = [b"x"] if kind.startswith("stream") else b"x"
                error = self.error(self.stock(server), request)
                self.assertEqual((4, ["claimed"], "OWN"),
                                 (server.served, error.claims, error.reason))
                yield error

    def test_abort(self):
        for error in self.each(fail()):
            self.assertEqual((grpc.StatusCode.UNAVAILABLE, "down"), error[:2])

    def test_status_that_is_set(self):
        def end(_, context):
            context.set_code(grpc.StatusCode.UNAVAILABLE)
            context.set_details("down")
            return b"not sent"

        for error in self.each(end):
            self.assertEqual((grpc.StatusCode.UNAVAILABLE, "down"), error[:2])

    def test_exception_after_a_status(self):
        def end(_, context):
            context.set_code(grpc.StatusCode.UNAVAILABLE)
            raise KeyError("oops")

        with self.assertLogs("grpc._server", "ERROR"):
            self.assertEqual(4, len(list(self.each(end))))

    def test_passed_on(self):
        for kind in FORMS:
            with self.subTest(kind=kind):
                owner = self.claiming("D", replies_of(kind, fail()), kind=kind)
                server = self.claiming("C", passing_of(kind, self.tied(owner)),
                                       kind=kind)
                request = [b"x"] if kind.startswith("stream") else b"x"
                error = self.error(self.stock(server), request)
                self.assertEqual((1, 4, ["unclaimed"], "D"), (
                    server.served, owner.served, error.claims,
                    error.detail.owner_service))
