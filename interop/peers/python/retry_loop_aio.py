# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
"""retry_loop for grpc.aio.

    loop = AioRetryLoop(max_attempts=3)
    reply = await loop.call(stub.Get, request, timeout=2)
    async for reply in loop.stream(stub.List, request, timeout=2): ...
"""
import asyncio

import grpc
import grpc.aio

from retry_loop import Requests, RetryLoopBase, end_of, path_of


class AioRetryLoop(RetryLoopBase):
    def start(self, run, method, requests, metadata, more):
        loop_call, metadata = run.begin(metadata)
        return loop_call.start(
            method, requests.anew(), timeout=run.time_left(),
            metadata=grpc.aio.Metadata(*metadata or ()), **more)

    async def call(self, method, request, timeout=None, metadata=None, **more):
        """See RetryLoop.call."""
        requests, run = Requests(request), self.run(path_of(method), timeout)
        while True:
            call = self.start(run, method, requests, metadata, more)
            try:
                reply = await call
            except grpc.RpcError as error:
                if not await self._goes_on(run, run.again(*end_of(error))):
                    raise
            except BaseException:
                self._give_up(run, call)
                raise
            else:
                run.again("OK")
                return reply

    def stream(self, method, request, timeout=None, metadata=None, **more):
        """See RetryLoop.stream."""
        requests, run = Requests(request), self.run(path_of(method), timeout)
        return self._replies(run, method, requests, metadata, more)

    async def _replies(self, run, method, requests, metadata, more):
        while True:
            call, committed = self.start(run, method, requests, metadata, more), False
            try:
                async for reply in call:
                    committed = True
                    yield reply
            except grpc.RpcError as error:
                answer = run.again(*end_of(error), committed)
                if not await self._goes_on(run, answer):
                    raise
            except BaseException:
                self._give_up(run, call)
                raise
            else:
                run.again("OK")
                return

    @staticmethod
    async def _goes_on(run, answer):
        if not answer.again:
            return False
        try:
            await asyncio.sleep(answer.wait_ms / 1000)
        except asyncio.CancelledError:
            run.give_up()
            raise
        return not run.inbound.cancelled.is_set() or run.give_up()

    @staticmethod
    def _give_up(run, call):
        """The inbound was cancelled, or the application reads no further."""
        call.cancel()
        run.give_up()
