// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
'use strict';

const assert = require('node:assert/strict');
const {readFileSync} = require('node:fs');
const path = require('node:path');
const test = require('node:test');
const {CODES: status} = require('./codes');
const {Reason, passedOn, readDetail, writeDetail} = require('./detail');
const {Inbound} = require('./inbound');
const {covers, policyFor} = require('./policy');
const rules = require('./rules');

const VECTORS = JSON.parse(readFileSync(
  path.join(__dirname, '../../../../protos/vectors.json'), 'utf8'));

// Runs `check` for each row of a section; there must be some.
function each(section, check) {
  test(`vectors: ${section}`, () => {
    assert.ok(VECTORS[section].length > 0);
    for (const [i, row] of VECTORS[section].entries()) {
      const {got, expect = row.expect} = check(row);
      assert.deepEqual(got, expect, `${section}[${i}] ${JSON.stringify(row)}`);
    }
  });
}

const reasonName = (reason) => Object.keys(Reason)
  .find((name) => Reason[name] === reason).toLowerCase();
const named = (detail) =>
  detail && {...detail, reason: reasonName(detail.reason)};

test('each section of the vectors is run', () => {
  const sections = Object.keys(VECTORS).filter((key) => key !== 'version');
  assert.deepEqual(sections.sort(),
    ['backoff', 'claims', 'criteria', 'details', 'loop', 'marks', 'passed_on',
      'retry', 'values']);
});

each('retry', (row) => ({
  got: rules.retryVerdict(row.error, row.claim, row.budget_empty, row.chained),
}));

each('criteria', (row) => ({
  got: rules.criteriaSatisfied(row.claim, row.retried, row.policy,
    row.application),
}));

each('claims', (row) => {
  const reasons = row.outbounds.map((one) => rules.reasonOf(
    one.callee !== 'ok', one.edge === 'fail_open', one.criteria));
  const reason = Math.max(Reason.OWN, ...reasons);
  return {got: {claim: rules.claimOf(reason), reason: reasonName(reason)}};
});

each('values', (row) => ({
  got: rules.readClaim(row.values, row.alias_values),
}));

each('details', (row) => ({
  got: named(readDetail(Buffer.from(row.bytes, 'base64'))),
}));

each('passed_on', (row) => ({
  got: named(passedOn(row.received, row.path, row.attempts)),
}));

const viewOf = (row) => ({status: row.status, claim: row.claim,
  committed: row.committed, callsLeft: row.calls_left, timeLeft: row.time_left,
  budgetEmpty: row.budget_empty, chained: row.chained,
  attemptsLeft: row.attempts_left, pushback: row.pushback});

each('loop', (row) => ({got: rules.loopReason(viewOf(row))}));

each('backoff', (row) => ({
  // Rounded, for the sake of binary fractions.
  got: Number(rules.backoffMs({initialMs: row.initial_ms, maxMs: row.max_ms,
    multiplier: row.multiplier}, row.retry, row.random).toFixed(6)),
  expect: row.expect_ms,
}));

each('marks', (row) => ({got: rules.readMark(row.values)}));

test('without ownership a loop does not know its four stops', () => {
  const stops = ['unclaimed', 'budget', 'chain', 'multiplied'];
  for (const row of VECTORS.loop) {
    const got = rules.loopReason(viewOf(row), false);
    const next = row.pushback === 'stop' ? 'pushback' : 'retry';
    assert.equal(got, stops.includes(row.expect) ? next : row.expect);
  }
});

test('an error that a loop was held back from retrying has had its retry', () => {
  const reasons = [...new Set(VECTORS.loop.map((row) => row.expect))];
  const others = ['ok', 'cancelled', 'status', 'retry'];
  for (const reason of reasons)
    assert.equal(rules.isHeldBack(reason), !others.includes(reason), reason);
  assert.equal(rules.isHeldBack('ended'), false);
});

test('a pushback is a wait, or says no', () => {
  for (const [values, expect] of [
    [[], {kind: 'none'}],
    [['0'], {kind: 'wait', ms: 0}],
    [['250'], {kind: 'wait', ms: 250}],
    ...[['-1'], ['-7'], ['soon'], [''], ['1.5'], ['0x10'], ['5 '], ['+5'],
      ['99999999999999999999'], ['5', '5'], ['-1', '5']]
      .map((no) => [no, {kind: 'stop'}]),
  ])
    assert.deepEqual(rules.readPushback(values), expect, `${values}`);
});

test('what is written is read back and fits', () => {
  const detail = {owner_service: 'é'.repeat(300), owner_method: 'x'.repeat(300),
    hops: 0xffffffff, attempts: 0xffffffff, reason: Reason.PROPAGATED};
  const bytes = writeDetail(
    passedOn(detail, '/a/b', detail.attempts));
  assert.ok(bytes.length <= 256);
  const read = readDetail(bytes);
  assert.equal(read.owner_service, '?'.repeat(108));
  assert.equal(read.hops, 0xffffffff);
});

test('the policy of the longest name that fits', () => {
  const policy = (attempts) => ({maxAttempts: attempts,
    retryableStatusCodes: ['UNAVAILABLE', 10]});
  const config = {methodConfig: [
    {name: [{service: 'a.S', method: 'M'}], retryPolicy: policy(4)},
    {name: [{}, {service: 'b.S', method: 'M'}], retryPolicy: policy(2)},
    {name: [{service: 'a.S'}], retryPolicy: policy(3)},
    {name: [{service: 'c.S'}]},
  ]};
  const attempts = (method) => policyFor(config, method)?.maxAttempts;
  assert.deepEqual(['/a.S/M', '/a.S/N', '/b.S/M', '/x/M', '/c.S/M']
    .map(attempts), [4, 3, 2, 2, undefined]);
  const found = policyFor(config, '/x/M');
  assert.equal(covers(found, status.UNAVAILABLE), 'covers');
  assert.equal(covers(found, status.ABORTED), 'covers');
  assert.equal(covers(found, status.INTERNAL), 'not_listed');
  assert.equal(covers(policyFor(config, '/c.S/M'), 14), 'none');
});

// Outbound calls as [method, started, code], then what is said of `code`.
function reasonAfter(code, ...calls) {
  const inbound = new Inbound('/a.S/M');
  for (const [method, started, ended] of calls)
    inbound.record({method, started, code: ended, claim: 'missing',
      detail: null, policy: 'none', attempts: 1, failOpen: false});
  return reasonName(inbound.decide(code).detail.reason);
}

test('a success settles only what failed before it was started', () => {
  const {UNAVAILABLE: bad, OK: ok} = status;
  assert.equal(reasonAfter(bad, ['/b/M', 0, bad]), 'at_least_once');
  assert.equal(reasonAfter(bad, ['/b/M', 0, bad], ['/b/M', 1, ok]), 'own');
  assert.equal(reasonAfter(bad, ['/b/M', 0, bad], ['/b/M', 0, ok]),
    'at_least_once');
  assert.equal(reasonAfter(bad, ['/b/M', 0, bad], ['/c/M', 1, ok]),
    'at_least_once');
});

test('calling again after a failure is a retry, side by side is none', () => {
  const {UNAVAILABLE: bad} = status;
  assert.equal(reasonAfter(bad, ['/b/M', 0, bad], ['/b/M', 1, bad]),
    'propagated');
  assert.equal(reasonAfter(bad, ['/b/M', 0, bad], ['/b/M', 0, bad]),
    'at_least_once');
});

test('a loop says that it was held back, and its attempts', () => {
  const {UNAVAILABLE: bad, INTERNAL} = status;
  const said = (method, code, heldBack) => {
    const inbound = new Inbound('/a.S/M');
    inbound.record({method: '/b/M', started: 0, code: bad, claim: 'missing',
      detail: null, policy: 'none', attempts: 1, failOpen: false});
    inbound.noteLoop(method, code, 5, heldBack);
    const {detail} = inbound.decide(bad);
    return [reasonName(detail.reason), detail.attempts];
  };
  assert.deepEqual(said('/b/M', bad, true), ['propagated', 5]);
  assert.deepEqual(said('/b/M', bad, false), ['at_least_once', 5]);
  assert.deepEqual(said('/b/M', INTERNAL, true), ['at_least_once', 5]);
  assert.deepEqual(said('/c/M', bad, true), ['at_least_once', 1]);
});

test('an answer counts only where the inbound ends with it', () => {
  const {NOT_FOUND, UNAVAILABLE} = status;
  assert.equal(reasonAfter(NOT_FOUND, ['/b/M', 0, NOT_FOUND]), 'propagated');
  assert.equal(reasonAfter(UNAVAILABLE, ['/b/M', 0, NOT_FOUND]), 'own');
});
