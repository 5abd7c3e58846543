// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
'use strict';

// The rules of protos/PROTOCOL.md. They have no memory and know no gRPC.

const {Reason} = require('./detail');

// Rule 1: may the attempt be retried, or what stops it?
function retryVerdict(error, claim, budgetEmpty = false, chained = false) {
  if (!error) return 'ok';
  if (claim === 'unclaimed') return 'unclaimed';
  if (budgetEmpty) return 'budget';
  return chained ? 'chain' : 'allowed';
}

const verdictOf = (view) =>
  retryVerdict(true, view.claim, view.budgetEmpty, view.chained);

// Rule 1 for the application's own loop, in the order in which it is asked:
// `owns` marks the stops of ownership, `held` the ends after which the error
// has had its retry.
const LOOP = [
  {reason: 'ok', holds: (view) => view.status === 'ok'},
  {reason: 'cancelled', holds: (view) => view.status === 'cancelled'},
  {reason: 'status', holds: (view) => view.status !== 'listed'},
  {reason: 'committed', held: true, holds: (view) => view.committed},
  {reason: 'attempts', held: true, holds: (view) => !view.callsLeft},
  {reason: 'deadline', held: true, holds: (view) => !view.timeLeft},
  {reason: 'unclaimed', held: true, owns: true,
    holds: (view) => verdictOf(view) === 'unclaimed'},
  {reason: 'budget', held: true, owns: true,
    holds: (view) => verdictOf(view) === 'budget'},
  {reason: 'chain', held: true, owns: true,
    holds: (view) => verdictOf(view) === 'chain'},
  {reason: 'multiplied', held: true, owns: true,
    holds: (view) => !view.attemptsLeft},
  {reason: 'pushback', held: true, holds: (view) => view.pushback === 'stop'},
  {reason: 'retry', holds: () => true},
];

const HELD_BACK = new Set(
  LOOP.filter((row) => row.held).map((row) => row.reason));

// What the loop does next, and why: 'retry', or the reason of its end.
function loopReason(view, owns = true) {
  return LOOP.find((row) => (owns || !row.owns) && row.holds(view)).reason;
}

// Has the error that a loop ended with for this reason had its retry (rule 2)?
const isHeldBack = (reason) => HELD_BACK.has(reason);

// The wait in ms before retry number `retry` (from 1); `random` is from 0 to 1.
function backoffMs({initialMs, maxMs, multiplier}, retry, random) {
  const backoff = Math.min(initialMs * multiplier ** (retry - 1), maxMs);
  return backoff * (0.8 + 0.4 * random);
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

// Do these values of the retry mark say that the call is a retry?
const readMark = (values) => values.includes('1');

// The callee's pushback: 'none', 'wait' (then with `ms`), or 'stop' where it is
// negative, no number, or more than one.
function readPushback(values) {
  if (values.length === 0) return {kind: 'none'};
  const ms = Number(values[0]);
  const waits = values.length === 1 && /^[0-9]+$/.test(values[0]) &&
    Number.isSafeInteger(ms);
  return waits ? {kind: 'wait', ms} : {kind: 'stop'};
}

module.exports = {retryVerdict, loopReason, isHeldBack, backoffMs,
  criteriaSatisfied, reasonOf, claimOf, readClaim, readMark, readPushback};
