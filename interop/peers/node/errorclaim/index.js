// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
'use strict';

// Error ownership for @grpc/grpc-js: the interceptors and the retry loop that
// speak the protocol of protos/PROTOCOL.md. They sit above gRPC's retries, so
// it is the pushback of the callee that stops such a retry, not they.

const {RetryBudget} = require('./budget');
const {clientInterceptor} = require('./client_interceptor');
const {chooseClaim, currentInbound, detached, setRetried} =
  require('./context');
const {RetryLoop} = require('./retry_loop');
const {serverInterceptor} = require('./server_interceptor');

module.exports = {serverInterceptor, clientInterceptor, currentInbound,
  detached, chooseClaim, setRetried, RetryLoop, RetryBudget};
