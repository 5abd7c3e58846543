// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
'use strict';

// What the protocol says in metadata: read from it and written into it.

const grpc = require('@grpc/grpc-js');
const {readDetail, writeDetail} = require('./detail');
const {readClaim, readMark, readPushback} = require('./rules');

const CLAIM = 'error-claim';
const DETAIL = 'error-claim-bin';
const MARK = 'error-claim-retry';
const PUSHBACK = 'grpc-retry-pushback-ms';
const PREVIOUS = 'grpc-previous-rpc-attempts';

const claimKeys = (alias) => alias ? [CLAIM, DETAIL, alias] : [CLAIM, DETAIL];

function removeFrom(metadata, keys) {
  for (const key of keys) metadata.remove(key);
  return metadata;
}

const without = (metadata, keys) =>
  removeFrom(metadata ? metadata.clone() : new grpc.Metadata(), keys);

// The values of a key; Node.js joins those of a key that comes more than once.
const valuesOf = (metadata, key) =>
  metadata.get(key).flatMap((value) => value.split(', '));

const isMarked = (metadata) => readMark(valuesOf(metadata, MARK));

// Does the request say that it is a retry: of a loop, or of gRPC's own?
const isRetry = (metadata) => isMarked(metadata) ||
  valuesOf(metadata, PREVIOUS).some((value) => Number(value) > 0);

// The claim and the detail to believe in trailing metadata, and the callee's
// pushback.
function readTrailers(metadata = new grpc.Metadata(),
  {alias, boundary = false} = {}) {
  const pushback = readPushback(valuesOf(metadata, PUSHBACK));
  const claim = boundary ? 'missing'
    : readClaim(metadata.get(CLAIM), alias ? metadata.get(alias) : []);
  const details = metadata.get(DETAIL);
  const detail = claim !== 'missing' && details.length === 1
    ? readDetail(details[0]) : null;
  return {claim, detail, pushback};
}

// Takes out of trailing metadata what a handler copied from those of a callee:
// claim keys, the pushback made from them, and the number of the attempts that
// grpc-js adds to what it received.
function removeCopied(metadata, alias) {
  const keys = claimKeys(alias);
  const copied = keys.some((key) => metadata.get(key).length > 0);
  removeFrom(metadata, [...keys, PREVIOUS]);
  const refuses =
    readPushback(valuesOf(metadata, PUSHBACK)).kind === 'stop';
  if (copied && refuses) metadata.remove(PUSHBACK);
}

function sayIn(metadata, {claim, detail}, {alias, mode}) {
  metadata.set(CLAIM, claim);
  if (alias) metadata.set(alias, claim);
  metadata.set(DETAIL, writeDetail(detail));
  if (claim === 'unclaimed' && mode !== 'observe') metadata.set(PUSHBACK, '-1');
}

// The request metadata of one call, which count its attempts: for each retry,
// transparent ones aside, grpc-js sets the number of attempts before it in a
// clone. What the application put under that key is no count.
class AttemptMetadata extends grpc.Metadata {
  // A copy of `metadata` for `attempt`, {count, seen}; gRPC's retries get the
  // mark where `marks` says so.
  constructor(metadata, attempt, marks) {
    super(metadata?.getOptions());
    if (metadata) this.merge(metadata);
    this.attempt = attempt;
    this.marks = marks;
  }

  clone() {
    return new AttemptMetadata(this, this.attempt, this.marks);
  }

  set(key, value) {
    super.set(key, value);
    if (key !== PREVIOUS) return;
    this.attempt.count = Math.max(this.attempt.count, 1 + Number(value));
    if (this.marks) super.set(MARK, '1');
  }
}

const newAttempt = () => ({count: 1, seen: null});

// A copy of `metadata` to send: claim keys mean nothing in a request, and one
// mark is enough. At the trust boundary there is none, not even gRPC's own that
// the application forwards.
function dress(metadata, attempt, {marked, alias, boundary}) {
  const sent = new AttemptMetadata(metadata, attempt, !boundary);
  const marks = !boundary && (marked || isMarked(sent));
  removeFrom(sent, [...claimKeys(alias), MARK]);
  if (boundary) sent.remove(PREVIOUS);
  if (marks) sent.set(MARK, '1');
  return sent;
}

module.exports = {MARK, PREVIOUS, claimKeys, without, isRetry, readTrailers,
  removeCopied, sayIn, AttemptMetadata, newAttempt, dress};
