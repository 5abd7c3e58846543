// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
'use strict';

const grpc = require('@grpc/grpc-js');
const {within} = require('./context');
const {Inbound} = require('./inbound');
const {MARK, PREVIOUS, claimKeys, isRetry, removeCopied, sayIn, without} =
  require('./metadata');

// For `interceptors` of a Server. Options, all of them optional:
//   mode      'enforce', or 'observe': claims, but no pushback
//   service   the name to own errors under, if not the method's service
//   alias     a second key for the claim
//   boundary  true: believes and sends nothing of the protocol
//   onSent    told each claim that is sent
function serverInterceptor(options = {}) {
  const {service, alias, boundary = false, onSent = () => {}} = options;

  // What the handler sees: at the trust boundary no mark to hand on either.
  const hidden = [...claimKeys(alias), ...boundary ? [MARK, PREVIOUS] : []];

  const answer = (inbound, status) => {
    const metadata = without(status.metadata, []);
    removeCopied(metadata, alias);
    if (status.code !== grpc.status.OK && !boundary) {
      const said = inbound.decide(status.code, service);
      sayIn(metadata, said, options);
      onSent(said.claim);
    }
    return {...status, metadata};
  };

  return (method, call) => {
    const inbound = new Inbound(method.path, call.getDeadline());
    const listener = {
      onReceiveMetadata: (metadata, next) => {
        inbound.marked = !boundary && isRetry(metadata);
        within(inbound, next, without(metadata, hidden));
      },
      onReceiveMessage: (message, next) => within(inbound, next, message),
      onReceiveHalfClose: (next) => within(inbound, next),
      onCancel: () => inbound.cancel(),
    };
    return new grpc.ServerInterceptingCall(call, {
      start: (next) => next(listener),
      sendMetadata: (metadata, next) =>
        next(without(metadata, claimKeys(alias))),
      sendStatus: (status, next) => next(answer(inbound, status)),
    });
  };
}

module.exports = {serverInterceptor};
