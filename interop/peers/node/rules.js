// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
'use strict';

// The rules of protos/PROTOCOL.md. They know gRPC's status codes, but no calls.

const path = require('node:path');
const {status} = require('@grpc/grpc-js');
const protobuf = require('protobufjs');

const PROTOS = path.join(__dirname, '../../../protos');
const DETAIL_MAX = 256;
const NAME_MAX = 108; // two such names and three numbers fit into a detail
const UINT32_MAX = 0xffffffff;

const ErrorClaim = new protobuf.Root()
  .loadSync(path.join(PROTOS, 'eown/v1/error_claim.proto'), {keepCase: true})
  .lookupType('eown.v1.ErrorClaim');
const Reason = ErrorClaim.lookupEnum('Reason').values;

const {UNKNOWN, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, ABORTED, INTERNAL,
  UNAVAILABLE, DATA_LOSS} = status;
const FAULTS = new Set([UNKNOWN, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, ABORTED,
  INTERNAL, UNAVAILABLE, DATA_LOSS]);

// Rule 1: may the attempt be retried, or what stops it?
function retryVerdict(error, claim, budgetEmpty = false, chained = false) {
  if (!error) return 'ok';
  if (claim === 'unclaimed') return 'unclaimed';
  if (budgetEmpty) return 'budget';
  return chained ? 'chain' : 'allowed';
}

// Rule 2: has this error had its retry? A policy that covers the status either
// retried, or something held it back.
function criteriaSatisfied(claim, retried, policy, application) {
  return application || claim === 'unclaimed' || retried || policy === 'covers';
}

// Rule 3, of one outbound. The highest reason of all outbounds speaks.
function reasonOf(failed, failOpen, satisfied) {
  if (!failed) return Reason.OWN;
  if (failOpen) return Reason.COINCIDENTAL;
  return satisfied ? Reason.PROPAGATED : Reason.AT_LEAST_ONCE;
}

const claimOf = (reason) =>
  reason === Reason.PROPAGATED ? 'unclaimed' : 'claimed';

// The claim that values of the key and of its alias make: one word, or none.
function readClaim(values, aliasValues = []) {
  if (values.length > 1 || aliasValues.length > 1) return 'missing';
  const [word, same = word] = [...values, ...aliasValues];
  const known = word === 'claimed' || word === 'unclaimed';
  return known && word === same ? word : 'missing';
}

// The detail in these bytes; null where they are none to be believed. A plain
// Reader, for the one that protobufjs takes for buffers reads names cut short.
function readDetail(bytes) {
  if (bytes.length > DETAIL_MAX) return null;
  try {
    const message = ErrorClaim.decode(new protobuf.Reader(bytes));
    const detail = ErrorClaim.toObject(message, {defaults: true});
    const names = detail.owner_service + detail.owner_method;
    if (!/^[ -~]*$/.test(names)) return null;
    if (!Object.values(Reason).includes(detail.reason)) detail.reason = 0;
    return detail;
  } catch {
    return null;
  }
}

const writeDetail = (detail) =>
  Buffer.from(ErrorClaim.encode(ErrorClaim.create(detail)).finish());

const cutName = (name) => name.slice(0, NAME_MAX).replace(/[^ -~]/g, '?');

function ownerOf(method, service = '') {
  const [, first, rest] = /^\/?([^/]*)\/?(.*)$/s.exec(method);
  return {owner_service: cutName(service || first), owner_method: cutName(rest)};
}

// What to say of an error that is only passed on.
function passedOn(received, method, attempts) {
  const named = received !== null && received.owner_service !== '';
  const owner = named ? received : {...ownerOf(method), hops: 0};
  return {
    owner_service: cutName(owner.owner_service),
    owner_method: cutName(owner.owner_method),
    hops: Math.min(owner.hops + 1, UINT32_MAX),
    attempts,
    reason: Reason.PROPAGATED,
  };
}

function fits(name, service, method) {
  if (!name.service) return !name.method;
  return name.service === service && (!name.method || name.method === method);
}

// The retry policy that a service config has for a method, or undefined: of
// several entries that fit, the one with the longest name counts.
function policyFor(config, path) {
  const [, service, method] = path.split('/');
  let policy, best = -1;
  for (const entry of config?.methodConfig ?? [])
    for (const name of entry.name) {
      const rank = (name.service ? 1 : 0) + (name.method ? 1 : 0);
      if (fits(name, service, method) && rank > best)
        [policy, best] = [entry.retryPolicy, rank];
    }
  return policy;
}

function covers(policy, code) {
  if (!policy) return 'none';
  const listed = policy.retryableStatusCodes.some((one) =>
    one === code || String(one).toUpperCase() === status[code]);
  return listed ? 'covers' : 'not_listed';
}

// One inbound call and what became of the outbound calls made for it.
class Inbound {
  constructor(method) {
    this.method = method;
    this.marked = false; // it is itself a retry
    this.claim = null;   // as chosen by the application
    this.sequence = 0;   // failures so far
    this.edges = new Map();
  }

  failedBefore(method) {
    const codes = this.edges.get(method)?.codes ?? [];
    return [...codes].some((code) => FAULTS.has(code));
  }

  // Takes the end of an outbound call. What failed before it was started is
  // settled by it, what failed beside it is not.
  record(outbound) {
    let edge = this.edges.get(outbound.method);
    const settles = edge && outbound.started >= edge.lastFailed;
    if (outbound.code === status.OK) {
      if (settles) this.edges.delete(outbound.method);
      return;
    }
    const again = this.failedBefore(outbound.method) &&
      outbound.started >= edge.firstFailed;
    this.sequence++;
    if (!edge || settles)
      edge = {codes: new Set(), satisfied: false, firstFailed: this.sequence};
    edge.codes.add(outbound.code);
    edge.satisfied ||= FAULTS.has(outbound.code) &&
      criteriaSatisfied(outbound.claim, outbound.attempts > 1 || again,
        outbound.policy, false);
    Object.assign(edge, {lastFailed: this.sequence, outbound});
    this.edges.set(outbound.method, edge);
  }

  // A status that answers the request counts only where it is handed on.
  #reasonOf(edge, code) {
    const failed = [...edge.codes].some((one) => FAULTS.has(one));
    const handedOn = !FAULTS.has(code) && edge.codes.has(code);
    return reasonOf(failed || handedOn, edge.outbound.failOpen,
      edge.satisfied || handedOn);
  }

  // The claim and the detail for the error that the inbound ends with.
  decide(code, service) {
    let reason = Reason.OWN, speaker = null;
    for (const edge of this.edges.values()) {
      const one = this.#reasonOf(edge, code);
      if (one > Reason.OWN && one >= reason)
        [reason, speaker] = [one, edge.outbound];
    }
    const claim = this.claim ?? claimOf(reason);
    if (this.claim) reason = Reason.APPLICATION;
    const attempts = speaker?.attempts ?? 0;
    const detail = claim === 'unclaimed' && speaker
      ? passedOn(speaker.detail, speaker.method, attempts)
      : {...ownerOf(this.method, service), hops: 0, attempts};
    return {claim, detail: {...detail, reason}};
  }
}

module.exports = {retryVerdict, criteriaSatisfied, reasonOf, claimOf, readClaim,
  readDetail, writeDetail, passedOn, policyFor, covers, Inbound, Reason};
