// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
'use strict';

const grpc = require('@grpc/grpc-js');
const {currentInbound, within} = require('./context');
const {AttemptMetadata, dress, newAttempt, readTrailers} =
  require('./metadata');
const {covers, policyFor} = require('./policy');
const {retryVerdict} = require('./rules');

// For `interceptors` of a Client. Options, all of them optional:
//   mode       'enforce', or 'observe': loops count and stop nothing
//   config     the service config that the channel has, as an object
//   failOpen   true: the service carries on without this callee
//   alias      a second key for the claim
//   boundary   true: believes and sends nothing of the protocol
//   onStopped  told why a retry was not made: 'unclaimed'
function clientInterceptor(options = {}) {
  const {mode = 'enforce', config, failOpen = false, onStopped = () => {}} =
    options;

  // Records the end of a call, and leaves word for a loop around it.
  const end = (call, status) => {
    const {inbound, method, started, policy, attempt} = call;
    const outcome = {method, started, failOpen, code: status.code,
      attempts: attempt.count, policy: covers(policy, status.code),
      ...readTrailers(status.metadata, options)};
    inbound?.record(outcome);
    attempt.seen = {...outcome, mode, inbound};
    const failed = status.code !== grpc.status.OK;
    const verdict = retryVerdict(failed, outcome.claim);
    if (verdict === 'unclaimed' && outcome.policy === 'covers' &&
        outcome.attempts < policy.maxAttempts)
      onStopped(verdict);
  };

  return (callOptions, nextCall) => {
    const inbound = currentInbound();
    const method = callOptions.method_definition.path;
    const started = inbound?.sequence;
    // The connection's events run wherever it was made: back to our inbound.
    const back = (value, next) => within(inbound, next, value);
    const start = (metadata, listener, next) => {
      const attempt = metadata instanceof AttemptMetadata
        ? metadata.attempt : newAttempt();
      const call = {inbound, method, started, attempt,
        policy: policyFor(config, method)};
      const marked = inbound?.marked || inbound?.failedBefore(method);
      const onReceiveStatus = (status, next) => {
        end(call, status);
        back(status, next);
      };
      next(dress(metadata, attempt, {...options, marked}),
        {onReceiveMetadata: back, onReceiveMessage: back, onReceiveStatus});
    };
    return new grpc.InterceptingCall(nextCall(callOptions), {start});
  };
}

module.exports = {clientInterceptor};
