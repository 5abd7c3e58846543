// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
'use strict';

// Metadata that an application hands on as it got them: requests to callees,
// trailers to the caller.

const assert = require('node:assert/strict');
const test = require('node:test');
const grpc = require('@grpc/grpc-js');
const errorClaim = require('.');
const {Reason} = require('./detail');
const {AttemptMetadata, newAttempt} = require('./metadata');
const {call, configOf, detailOf, failure, fixtureTest, methodOf} =
  require('./testing');

const {ABORTED, INTERNAL, OK, UNAVAILABLE} = grpc.status;
const FOUR = {config: configOf(4, 'UNAVAILABLE')};
const TWO = configOf(2, 'UNAVAILABLE');
const CLAIM = 'error-claim';
const DETAIL = 'error-claim-bin';
const MARK = 'error-claim-retry';
const PUSHBACK = 'grpc-retry-pushback-ms';
const PREVIOUS = 'grpc-previous-rpc-attempts';

// A gateway's handler calls with what it got.
const forward = (inbound) => ({metadata: inbound.metadata});

fixtureTest('a forwarded number of attempts is no retry of the gateway', async (fixture) => {
  const once = () => fixture.failingCallee((inbound, served) =>
    served === 1 ? failure(ABORTED, 'once') : undefined);
  const metadata = {[PREVIOUS]: '1'};
  const gateway = await fixture.serveCaller(await once(), {}, {}, forward);
  const stock = fixture.client(gateway.address, {config: configOf(2, 'ABORTED')});
  assert.equal((await call(stock, '/C/Call', {metadata})).code, OK);
  assert.equal(gateway.served, 2);

  const other = await fixture.serveCaller(await once(), {}, {}, forward);
  const ended = await call(fixture.client(other.address), '/C/Call', {metadata});
  assert.equal(ended.trailers[CLAIM], 'claimed');
  assert.equal(detailOf(ended).reason, Reason.AT_LEAST_ONCE);
  assert.equal(detailOf(ended).attempts, 1);
});

fixtureTest('a number of attempts in trailers is the callee\'s', async (fixture) => {
  const callee = await fixture.failingCallee(
    failure(INTERNAL, 'bug', {[PREVIOUS]: '1'}));
  const caller = await fixture.serveCaller(callee, {config: TWO});
  const ended = await call(fixture.client(caller.address), '/C/Call');
  assert.equal(ended.trailers[CLAIM], 'claimed');
  assert.equal(detailOf(ended).attempts, 1);
});

fixtureTest('what grpc-js notes in trailers is not handed on', async (fixture) => {
  const callee = await fixture.failingCallee(failure(UNAVAILABLE, 'x'));
  const caller = await fixture.serveCaller(callee, {config: TWO});
  const ended = await call(fixture.client(caller.address), '/C/Call');
  assert.equal(callee.served, 2);
  assert.equal(detailOf(ended).attempts, 2);
  assert.deepEqual(ended.metadata.get(PREVIOUS), []);
});

// The number is set, not added, in a clone of a clone.
test('attempts are counted where gRPC sets their number', () => {
  const forwarded = new grpc.Metadata();
  forwarded.add(PREVIOUS, '3');
  const attempt = newAttempt();
  const sent = new AttemptMetadata(forwarded, attempt, true).clone();
  assert.equal(attempt.count, 1);
  assert.deepEqual(sent.get(MARK), []);
  sent.clone().set(PREVIOUS, '2');
  sent.clone().set(PREVIOUS, '1'); // a transparent retry's, say
  assert.equal(attempt.count, 3);
  assert.deepEqual(sent.get(PREVIOUS), ['3']);
});

for (const [name, mark, first, retried] of [
  ['no mark', [], [], ['1']],
  ['one mark', ['1'], ['1'], ['1']],
  ['two marks', ['1', '1'], ['1'], ['1']],
  ['marks of which one counts', ['yes', '1'], ['1'], ['1']],
  ['another value', ['yes'], [], ['1']],
])
  fixtureTest(`forwarded: ${name}`, async (fixture) => {
    const callee = await fixture.failingCallee(failure(UNAVAILABLE, 'x'));
    const caller = await fixture.serveCaller(callee, {config: TWO}, {}, forward);
    await call(fixture.client(caller.address), '/C/Call',
      {metadata: {[MARK]: mark, 'x-own': 'kept'}});
    assert.deepEqual(callee.requests.map((got) => got.get(MARK)),
      [first, retried]);
    assert.deepEqual(callee.requests[1].get('x-own'), ['kept']);

    callee.requests.length = 0;
    const loop = new errorClaim.RetryLoop({maxAttempts: 2, initialBackoffMs: 0});
    const request = failure(OK, '', {[MARK]: mark}).metadata;
    await assert.rejects(loop.run(async (metadata) => {
      throw await call(fixture.client(callee.address), '/D/Call', {metadata});
    }, request));
    assert.deepEqual(callee.requests.map((got) => got.get(MARK)),
      [first, retried]);
    assert.deepEqual(request.get(MARK), mark); // the application's own
  });

fixtureTest('claim keys of a request are not handed on', async (fixture) => {
  const callee = await fixture.failingCallee(failure(UNAVAILABLE, 'x'));
  const client = fixture.client(callee.address,
    {interceptors: [errorClaim.clientInterceptor({alias: 'x-mesh'})]});
  await call(client, '/D/Call', {metadata: {[CLAIM]: 'unclaimed',
    [DETAIL]: Buffer.from('x'), 'x-mesh': 'unclaimed', 'x-own': 'kept'}});
  for (const key of [CLAIM, DETAIL, 'x-mesh'])
    assert.deepEqual(callee.requests[0].get(key), [], key);
  assert.deepEqual(callee.requests[0].get('x-own'), ['kept']);
});

// Of its own errors: the callee's word was copied from elsewhere.
for (const [name, trailers, expected, served] of [
  ['with a claim', {[CLAIM]: 'unclaimed', [PUSHBACK]: '-1'}, [], 4],
  ['with a detail', {[DETAIL]: Buffer.from('x'), [PUSHBACK]: '-1'}, [], 4],
  ['with an alias', {'x-mesh': 'unclaimed', [PUSHBACK]: '-1'}, [], 4],
  ['twice', {[CLAIM]: 'unclaimed', [PUSHBACK]: ['-1', '-1']}, [], 4],
  ['that is a wait', {[CLAIM]: 'claimed', [PUSHBACK]: '1'}, ['1'], 4],
  ['without claim keys', {[PUSHBACK]: '-1'}, ['-1'], 1],
])
  fixtureTest(`a pushback copied ${name}, of a claimed error`, async (fixture) => {
    const caller = {served: 0};
    const address = await fixture.serve({'/C/Call': async () => {
      caller.served++;
      throw failure(UNAVAILABLE, 'own', trailers);
    }}, [errorClaim.serverInterceptor({alias: 'x-mesh'})]);
    const ended = await call(fixture.client(address, FOUR), '/C/Call');
    assert.deepEqual(ended.metadata.get(CLAIM), ['claimed']);
    assert.deepEqual(ended.metadata.get(PUSHBACK), expected);
    assert.equal(caller.served, served);
  });

fixtureTest('observe adds no pushback and hands on no copied one', async (fixture) => {
  const callee = await fixture.failingCallee(failure(UNAVAILABLE, 'x',
    {[CLAIM]: 'unclaimed', [PUSHBACK]: '-1'}));
  const caller = await fixture.serveCaller(callee, {}, {mode: 'observe'});
  const ended = await call(fixture.client(caller.address), '/C/Call');
  assert.deepEqual(ended.metadata.get(CLAIM), ['unclaimed']);
  assert.deepEqual(ended.metadata.get(PUSHBACK), []);
});

fixtureTest('claim keys in initial metadata are removed', async (fixture) => {
  const copied = failure(OK, '', {[CLAIM]: 'unclaimed', 'x-own': 'kept'}).metadata;
  const server = new grpc.Server({interceptors: [errorClaim.serverInterceptor()]});
  server.addService({Call: methodOf('/C/Call')}, {Call: (inbound, answer) => {
    inbound.sendMetadata(copied);
    answer(null, Buffer.alloc(0));
  }});
  const client = fixture.client(await fixture.listen(server));
  const got = await new Promise((resolve) => client.makeUnaryRequest('/C/Call',
    (value) => value, (value) => value, Buffer.alloc(0), () => {})
    .on('metadata', resolve));
  assert.deepEqual(got.get(CLAIM), []);
  assert.deepEqual(got.get('x-own'), ['kept']);
});

const FORWARDED = {[MARK]: ['1', '1'], [CLAIM]: 'unclaimed',
  [DETAIL]: Buffer.from('x'), 'x-mesh': 'unclaimed', [PREVIOUS]: '1'};

fixtureTest('a client at the trust boundary sends none of it', async (fixture) => {
  const callee = await fixture.failingCallee(failure(UNAVAILABLE, 'x'));
  const options = {boundary: true, alias: 'x-mesh', config: TWO};
  const client = fixture.client(callee.address, {config: TWO,
    interceptors: [errorClaim.clientInterceptor(options)]});
  await call(client, '/D/Call', {metadata: FORWARDED});
  assert.equal(callee.served, 2);
  for (const request of callee.requests)
    for (const key of [MARK, CLAIM, DETAIL, 'x-mesh'])
      assert.deepEqual(request.get(key), [], key);
  // The second is gRPC's own retry, and its own word.
  assert.deepEqual(callee.requests.map((got) => got.get(PREVIOUS)), [[], ['1']]);
});

fixtureTest('a server at the trust boundary sends and hands on none', async (fixture) => {
  const callee = await fixture.failingCallee(failure(UNAVAILABLE, 'x',
    {[CLAIM]: 'unclaimed', [DETAIL]: Buffer.from('x'), [PUSHBACK]: '-1'}));
  const caller = await fixture.serveCaller(callee, {}, {boundary: true}, forward);
  const ended = await call(fixture.client(caller.address, FOUR), '/C/Call',
    {metadata: {[MARK]: '1', [PREVIOUS]: '1', [CLAIM]: 'unclaimed'}});
  assert.equal(caller.served, 4);
  for (const key of [CLAIM, DETAIL, PUSHBACK])
    assert.deepEqual(ended.metadata.get(key), [], key);
  for (const key of [MARK, PREVIOUS])
    assert.deepEqual(callee.requests[0].get(key), [], key);
});
