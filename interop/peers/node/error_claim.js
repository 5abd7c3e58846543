// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
'use strict';

// Error ownership for @grpc/grpc-js: the interceptors that speak the protocol of
// protos/PROTOCOL.md. They sit above gRPC's retries, so it is the pushback of the
// callee that stops a retry, not they.

const {AsyncLocalStorage} = require('node:async_hooks');
const grpc = require('@grpc/grpc-js');
const {Inbound, covers, policyFor, readClaim, readDetail, retryVerdict,
  writeDetail} = require('./rules');

const CLAIM = 'error-claim';
const DETAIL = 'error-claim-bin';
const MARK = 'error-claim-retry';
const PUSHBACK = 'grpc-retry-pushback-ms';
const PREVIOUS = 'grpc-previous-rpc-attempts';

const storage = new AsyncLocalStorage();

// The inbound call that the running code belongs to, or undefined.
const currentInbound = () => storage.getStore();

// Runs `call` tied to no inbound.
const detached = (call) => storage.run(undefined, call);

// Chooses the claim of the current inbound's error: 'claimed' or 'unclaimed'.
function chooseClaim(claim) {
  const inbound = currentInbound();
  if (inbound) inbound.claim = claim;
}

// Says that the failures so far have had their retry.
function setRetried() {
  for (const edge of currentInbound()?.edges.values() ?? [])
    edge.satisfied = true;
}

const keysOf = (alias) => alias ? [CLAIM, DETAIL, alias] : [CLAIM, DETAIL];

function without(metadata, keys) {
  const copy = metadata ? metadata.clone() : new grpc.Metadata();
  for (const key of keys) copy.remove(key);
  return copy;
}

function sayIn(metadata, said, options) {
  metadata.set(CLAIM, said.claim);
  if (options.alias) metadata.set(options.alias, said.claim);
  metadata.set(DETAIL, writeDetail(said.detail));
  if (said.claim === 'unclaimed' && options.mode !== 'observe')
    metadata.set(PUSHBACK, '-1');
}

// For `interceptors` of a Server. Options, all of them optional:
//   mode      'enforce', or 'observe': claims, but no pushback
//   service   the name to own errors under, if not the method's service
//   alias     a second key for the claim
//   boundary  true: believes and sends nothing of the protocol
//   onSent    told each claim that is sent
function serverInterceptor(options = {}) {
  const {service, alias, boundary = false, onSent = () => {}} = options;
  const answer = (inbound, status) => {
    const metadata = without(status.metadata, keysOf(alias));
    if (status.code !== grpc.status.OK && !boundary) {
      const said = inbound.decide(status.code, service);
      sayIn(metadata, said, options);
      onSent(said.claim);
    }
    return {...status, metadata};
  };
  return (method, call) => {
    const inbound = new Inbound(method.path);
    const within = (value, next) => storage.run(inbound, next, value);
    const onReceiveMetadata = (metadata, next) => {
      const retry = Number(metadata.get(PREVIOUS)[0]) > 0 ||
        String(metadata.get(MARK)) === '1';
      inbound.marked = retry && !boundary;
      within(without(metadata, keysOf(alias)), next);
    };
    return new grpc.ServerInterceptingCall(call, {
      start: (next) => next({
        onReceiveMetadata,
        onReceiveMessage: within,
        onReceiveHalfClose: (next) => storage.run(inbound, next),
      }),
      sendStatus: (status, next) => next(answer(inbound, status)),
    });
  };
}

// What the end of an outbound call says. grpc-js tells of earlier attempts in
// the trailing metadata; without a policy that is only a copied key.
function outcomeOf(status, policy, alias, boundary) {
  const get = (key) => status.metadata?.get(key) ?? [];
  const claim = boundary ? 'missing'
    : readClaim(get(CLAIM), alias ? get(alias) : []);
  const details = get(DETAIL);
  const previous = policy ? Number(get(PREVIOUS)[0] ?? 0) : 0;
  return {
    code: status.code,
    claim,
    detail: claim !== 'missing' && details.length === 1
      ? readDetail(details[0]) : null,
    policy: covers(policy, status.code),
    attempts: 1 + Math.min(previous || 0, (policy?.maxAttempts ?? 1) - 1),
  };
}

// For `interceptors` of a Client. Options, all of them optional:
//   config     the service config that the channel has, as an object
//   failOpen   true: the service carries on without this callee
//   alias      a second key for the claim
//   boundary   true: believes and sends nothing of the protocol
//   onStopped  told why a retry was not made: 'unclaimed'
function clientInterceptor(options = {}) {
  const {config, failOpen = false, alias, boundary = false,
    onStopped = () => {}} = options;
  return (callOptions, nextCall) => {
    const inbound = currentInbound();
    const method = callOptions.method_definition.path;
    const started = inbound?.sequence;
    const policy = policyFor(config, method);
    const within = (value, next) => storage.run(inbound, next, value);
    const onReceiveStatus = (status, next) => {
      const outcome = outcomeOf(status, policy, alias, boundary);
      inbound?.record({method, started, failOpen, ...outcome});
      const verdict = retryVerdict(status.code !== grpc.status.OK,
        outcome.claim);
      if (verdict === 'unclaimed' && outcome.policy === 'covers' &&
          outcome.attempts < policy.maxAttempts)
        onStopped(verdict);
      within(status, next);
    };
    const start = (metadata, listener, next) => {
      const marks = inbound?.marked || inbound?.failedBefore(method);
      const sent = without(metadata, []);
      if (boundary) sent.remove(MARK);
      else if (marks) sent.set(MARK, '1');
      // The connection's events run wherever it was made: back to our inbound.
      next(sent, {onReceiveMetadata: within, onReceiveMessage: within,
        onReceiveStatus});
    };
    return new grpc.InterceptingCall(nextCall(callOptions), {start});
  };
}

module.exports = {serverInterceptor, clientInterceptor, currentInbound,
  detached, chooseClaim, setRetried};
