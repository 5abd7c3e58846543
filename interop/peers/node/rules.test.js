// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
'use strict';

const assert = require('node:assert/strict');
const {readFileSync} = require('node:fs');
const path = require('node:path');
const test = require('node:test');
const {status} = require('@grpc/grpc-js');
const rules = require('./rules');

const VECTORS = JSON.parse(readFileSync(
  path.join(__dirname, '../../../protos/vectors.json'), 'utf8'));

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

const reasonName = (reason) => Object.keys(rules.Reason)
  .find((name) => rules.Reason[name] === reason).toLowerCase();
const named = (detail) =>
  detail && {...detail, reason: reasonName(detail.reason)};

test('each section of the vectors is run', () => {
  const sections = Object.keys(VECTORS).filter((key) => key !== 'version');
  assert.deepEqual(sections.sort(),
    ['claims', 'criteria', 'details', 'passed_on', 'retry', 'values']);
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
  const reason = Math.max(rules.Reason.OWN, ...reasons);
  return {got: {claim: rules.claimOf(reason), reason: reasonName(reason)}};
});

each('values', (row) => ({
  got: rules.readClaim(row.values, row.alias_values),
}));

each('details', (row) => ({
  got: named(rules.readDetail(Buffer.from(row.bytes, 'base64'))),
}));

each('passed_on', (row) => ({
  got: named(rules.passedOn(row.received, row.path, row.attempts)),
}));

test('what is written is read back and fits', () => {
  const detail = {owner_service: 'é'.repeat(300), owner_method: 'x'.repeat(300),
    hops: 0xffffffff, attempts: 0xffffffff, reason: rules.Reason.PROPAGATED};
  const bytes = rules.writeDetail(
    rules.passedOn(detail, '/a/b', detail.attempts));
  assert.ok(bytes.length <= 256);
  const read = rules.readDetail(bytes);
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
  const attempts = (method) => rules.policyFor(config, method)?.maxAttempts;
  assert.deepEqual(['/a.S/M', '/a.S/N', '/b.S/M', '/x/M', '/c.S/M']
    .map(attempts), [4, 3, 2, 2, undefined]);
  const found = rules.policyFor(config, '/x/M');
  assert.equal(rules.covers(found, status.UNAVAILABLE), 'covers');
  assert.equal(rules.covers(found, status.ABORTED), 'covers');
  assert.equal(rules.covers(found, status.INTERNAL), 'not_listed');
  assert.equal(rules.covers(rules.policyFor(config, '/c.S/M'), 14), 'none');
});

// Outbound calls as [method, started, code], then what is said of `code`.
function reasonAfter(code, ...calls) {
  const inbound = new rules.Inbound('/a.S/M');
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

test('an answer counts only where the inbound ends with it', () => {
  const {NOT_FOUND, UNAVAILABLE} = status;
  assert.equal(reasonAfter(NOT_FOUND, ['/b/M', 0, NOT_FOUND]), 'propagated');
  assert.equal(reasonAfter(UNAVAILABLE, ['/b/M', 0, NOT_FOUND]), 'own');
});
