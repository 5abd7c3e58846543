// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
'use strict';

const assert = require('node:assert/strict');
const http2 = require('node:http2');
const grpc = require('@grpc/grpc-js');
const errorClaim = require('.');
const {Reason} = require('./detail');
const {Fixture, bytes, call, callOrThrow, configOf, detailOf, failure, fixtureTest,
  methodOf} = require('./testing');

const {UNAVAILABLE, INTERNAL, OK} = grpc.status;
const FOUR = {config: configOf(4, 'UNAVAILABLE')};
const TWO = configOf(2, 'UNAVAILABLE');

fixtureTest('a claimed error is retried in full and arrives as it was', async (fixture) => {
  let served = 0;
  const address = await fixture.serve({'/C/Call': async () => {
    served++;
    throw failure(UNAVAILABLE, 'out: “of” %stock', {'x-own': ['a', 'b']});
  }}, [errorClaim.serverInterceptor({service: 'shop.Stock'})]);
  const ended = await call(fixture.client(address, FOUR), '/C/Call');
  assert.equal(served, 4);
  assert.equal(ended.code, UNAVAILABLE);
  assert.equal(ended.details, 'out: “of” %stock');
  assert.deepEqual(ended.metadata.get('x-own').join(), 'a, b');
  assert.deepEqual(ended.metadata.get('error-claim'), ['claimed']);
  assert.deepEqual(ended.metadata.get('grpc-retry-pushback-ms'), []);
  assert.deepEqual(detailOf(ended), {owner_service: 'shop.Stock',
    owner_method: 'Call', hops: 0, attempts: 0, reason: Reason.OWN});
});

fixtureTest('an unclaimed error is not retried by a stock client', async (fixture) => {
  const callee = await fixture.failingCallee(failure(UNAVAILABLE, 'gone'));
  const caller = await fixture.serveCaller(callee, {config: TWO});
  const ended = await call(fixture.client(caller.address, FOUR), '/C/Call');
  assert.equal(caller.served, 1);
  assert.equal(callee.served, 2);
  assert.equal(ended.code, UNAVAILABLE);
  assert.equal(ended.details, 'gone');
  assert.deepEqual(ended.metadata.get('error-claim'), ['unclaimed']);
  assert.deepEqual(ended.metadata.get('grpc-retry-pushback-ms'), ['-1']);
  assert.deepEqual(detailOf(ended), {owner_service: 'D', owner_method: 'Call',
    hops: 1, attempts: 2, reason: Reason.PROPAGATED});
});

fixtureTest('without a policy for the status somebody has to retry', async (fixture) => {
  const callee = await fixture.failingCallee(failure(INTERNAL, 'bug'));
  const caller = await fixture.serveCaller(callee, {config: TWO});
  const ended = await call(
    fixture.client(caller.address, {config: configOf(3, 'INTERNAL')}), '/C/Call');
  assert.equal(caller.served, 3);
  assert.equal(ended.trailers['error-claim'], 'claimed');
  assert.equal(detailOf(ended).reason, Reason.AT_LEAST_ONCE);
  assert.equal(detailOf(ended).attempts, 1);
});

fixtureTest('a retry that ends with another status is a retry', async (fixture) => {
  const errors = [UNAVAILABLE, INTERNAL];
  const address = await fixture.serve({'/D/Call': async () => {
    throw failure(errors.shift(), 'bad');
  }});
  const caller = await fixture.serveCaller({address}, {config: TWO});
  const ended = await call(fixture.client(caller.address), '/C/Call');
  assert.equal(ended.code, INTERNAL);
  assert.equal(ended.trailers['error-claim'], 'unclaimed');
  assert.equal(detailOf(ended).attempts, 2);
});

fixtureTest('copied trailers leave as the own word, with the owner named', async (fixture) => {
  const stopped = [];
  const detail = Buffer.from('CgpzaG9wLlN0b2NrEgNHZXQYAyACKAU=', 'base64');
  const callee = await fixture.failingCallee(failure(UNAVAILABLE, 'gone', {
    'error-claim': 'unclaimed', 'error-claim-bin': detail,
    'grpc-retry-pushback-ms': '-1', 'x-own': 'kept'}));
  const caller = await fixture.serveCaller(callee,
    {config: TWO, onStopped: (why) => stopped.push(why)});
  const ended = await call(fixture.client(caller.address, FOUR), '/C/Call');
  assert.deepEqual([callee.served, caller.served], [1, 1]);
  assert.deepEqual(stopped, ['unclaimed']);
  assert.deepEqual(ended.metadata.get('error-claim'), ['unclaimed']);
  assert.deepEqual(ended.metadata.get('grpc-retry-pushback-ms'), ['-1']);
  assert.equal(ended.metadata.get('error-claim-bin').length, 1);
  assert.deepEqual(detailOf(ended), {owner_service: 'shop.Stock',
    owner_method: 'Get', hops: 4, attempts: 1, reason: Reason.PROPAGATED});
  assert.equal(ended.trailers['x-own'], 'kept');
});

fixtureTest('copied claims are not sent with an own error, nor with OK', async (fixture) => {
  const copied = {'error-claim': 'unclaimed', 'error-claim-bin': Buffer.from('x')};
  const address = await fixture.serve({
    '/C/Call': async () => { throw failure(UNAVAILABLE, 'own', copied); },
  }, [errorClaim.serverInterceptor()]);
  const failed = await call(fixture.client(address), '/C/Call');
  assert.deepEqual(failed.metadata.get('error-claim'), ['claimed']);
  assert.equal(detailOf(failed).owner_service, 'C');

  const server = new grpc.Server({interceptors: [errorClaim.serverInterceptor()]});
  server.addService({Call: methodOf('/C/Call')}, {Call: (inbound, answer) =>
    answer(null, Buffer.from('fine'), failure(OK, '', copied).metadata)});
  const good = await call(fixture.client(await fixture.listen(server)), '/C/Call');
  assert.equal(good.code, OK);
  assert.equal(good.reply.toString(), 'fine');
  assert.deepEqual(good.metadata.get('error-claim'), []);
  assert.deepEqual(good.metadata.get('error-claim-bin'), []);
});

fixtureTest('an own pushback on a claimed error stays', async (fixture) => {
  let served = 0;
  const address = await fixture.serve({'/C/Call': async () => {
    served++;
    throw failure(UNAVAILABLE, 'later', {'grpc-retry-pushback-ms': '3'});
  }}, [errorClaim.serverInterceptor()]);
  const ended = await call(fixture.client(address, FOUR), '/C/Call');
  assert.equal(served, 4);
  assert.deepEqual(ended.metadata.get('grpc-retry-pushback-ms'), ['3']);
});

for (const [name, trailers] of Object.entries({
  'a future word': {'error-claim': 'shared'},
  'an empty word': {'error-claim': ''},
  'a repeated word': {'error-claim': ['unclaimed', 'unclaimed']},
  'a contradiction': {'error-claim': ['claimed', 'unclaimed']},
  'a long word': {'error-claim': 'unclaimed'.repeat(100)},
  'a bad detail': {'error-claim': 'claimed', 'error-claim-bin': Buffer.from([8])},
  'a long detail': {'error-claim': 'claimed', 'error-claim-bin': Buffer.alloc(300, 'a')},
}))
  fixtureTest(`${name} is no claim and no error`, async (fixture) => {
    const callee = await fixture.failingCallee(failure(UNAVAILABLE, 'x', trailers));
    const caller = await fixture.serveCaller(callee);
    const ended = await call(fixture.client(caller.address), '/C/Call');
    assert.equal(ended.code, UNAVAILABLE);
    assert.deepEqual(ended.metadata.get('error-claim'), ['claimed']);
    assert.deepEqual(detailOf(ended), {owner_service: 'C', owner_method: 'Call',
      hops: 0, attempts: 1, reason: Reason.AT_LEAST_ONCE});
  });

fixtureTest('an alias is read and written', async (fixture) => {
  const alias = 'x-mesh-claim';
  const callee = await fixture.failingCallee(failure(UNAVAILABLE, 'x', {[alias]: 'unclaimed'}));
  const caller = await fixture.serveCaller(callee, {alias}, {alias});
  const ended = await call(fixture.client(caller.address, FOUR), '/C/Call');
  assert.equal(caller.served, 1);
  assert.deepEqual(ended.metadata.get(alias), ['unclaimed']);
  assert.deepEqual(ended.metadata.get('error-claim'), ['unclaimed']);
});

fixtureTest('the failure of a fail-open callee is no excuse', async (fixture) => {
  const callee = await fixture.failingCallee(failure(UNAVAILABLE, 'x'));
  const caller = await fixture.serveCaller(callee, {config: TWO, failOpen: true});
  const ended = await call(fixture.client(caller.address), '/C/Call');
  assert.equal(ended.trailers['error-claim'], 'claimed');
  assert.equal(detailOf(ended).reason, Reason.COINCIDENTAL);
});

fixtureTest('a callee that is not there is passed on after its retry', async (fixture) => {
  const gone = new Fixture();
  const address = await gone.serve({});
  gone.close();
  const caller = await fixture.serveCaller({address}, {config: TWO});
  const ended = await call(fixture.client(caller.address, FOUR), '/C/Call');
  assert.equal(ended.code, UNAVAILABLE);
  assert.equal(caller.served, 1);
  assert.equal(ended.trailers['error-claim'], 'unclaimed');
});

fixtureTest('observe sends claims and stops nothing', async (fixture) => {
  const callee = await fixture.failingCallee(failure(UNAVAILABLE, 'x'));
  const caller = await fixture.serveCaller(callee, {config: TWO}, {mode: 'observe'});
  const ended = await call(fixture.client(caller.address, FOUR), '/C/Call');
  assert.equal(caller.served, 4);
  assert.equal(callee.served, 8);
  assert.equal(ended.trailers['error-claim'], 'unclaimed');
  assert.deepEqual(ended.metadata.get('grpc-retry-pushback-ms'), []);
});

fixtureTest('at the trust boundary nothing is sent', async (fixture) => {
  const callee = await fixture.failingCallee(failure(UNAVAILABLE, 'x'));
  const caller = await fixture.serveCaller(callee, {config: TWO}, {boundary: true});
  const ended = await call(fixture.client(caller.address, FOUR), '/C/Call',
    {metadata: {'error-claim-retry': '1'}});
  assert.equal(caller.served, 4);
  for (const key of ['error-claim', 'error-claim-bin', 'grpc-retry-pushback-ms'])
    assert.deepEqual(ended.metadata.get(key), []);
  assert.deepEqual(callee.requests[0].get('error-claim-retry'), []);
});

fixtureTest('at the trust boundary nothing is believed and no mark sent', async (fixture) => {
  const callee = await fixture.failingCallee(failure(UNAVAILABLE, 'x', {'error-claim': 'unclaimed'}));
  const caller = await fixture.serveCaller(callee, {boundary: true});
  const metadata = {'error-claim-retry': '1'};
  const ended = await call(fixture.client(caller.address), '/C/Call', {metadata});
  assert.equal(detailOf(ended).reason, Reason.AT_LEAST_ONCE);
  assert.deepEqual(callee.requests[0].get('error-claim-retry'), []);
  const copying = fixture.client(callee.address,
    {interceptors: [errorClaim.clientInterceptor({boundary: true})]});
  await call(copying, '/D/Call', {metadata});
  assert.deepEqual(callee.requests[1].get('error-claim-retry'), []);
});

for (const [name, metadata, expect] of [
  ['is handed on', {'error-claim-retry': '1'}, ['1']],
  ['is gRPC\'s own as well', {'grpc-previous-rpc-attempts': '1'}, ['1']],
  ['of another value is ignored', {'error-claim-retry': 'yes'}, []],
  ['that comes twice is one', {'error-claim-retry': ['1', '1']}, ['1']],
  ['that comes twice, once with another value', {'error-claim-retry': ['2', '1']}, ['1']],
  ['that comes twice from gRPC', {'grpc-previous-rpc-attempts': ['1', '2']}, ['1']],
  ['of no attempt before', {'grpc-previous-rpc-attempts': '0'}, []],
  ['is not sent without one', {}, []],
])
  fixtureTest(`a retry mark ${name}`, async (fixture) => {
    const callee = await fixture.failingCallee(failure(UNAVAILABLE, 'x'));
    const caller = await fixture.serveCaller(callee);
    await call(fixture.client(caller.address), '/C/Call', {metadata});
    assert.deepEqual(callee.requests[0].get('error-claim-retry'), expect);
  });

fixtureTest('calling again after a failure is marked and is the retry', async (fixture) => {
  const callee = await fixture.failingCallee(failure(UNAVAILABLE, 'x'));
  const toCallee = fixture.client(callee.address,
    {interceptors: [errorClaim.clientInterceptor()]});
  const address = await fixture.serve({'/C/Call': async () => {
    await call(toCallee, '/D/Call');
    return callOrThrow(toCallee, '/D/Call');
  }}, [errorClaim.serverInterceptor()]);
  const ended = await call(fixture.client(address), '/C/Call');
  assert.deepEqual(callee.requests[1].get('error-claim-retry'), ['1']);
  assert.equal(ended.trailers['error-claim'], 'unclaimed');
});

fixtureTest('a success clears the failure before it', async (fixture) => {
  let served = 0;
  const address = await fixture.serve({'/D/Call': async () => {
    if (served++ === 0) throw failure(UNAVAILABLE, 'once');
  }});
  const toCallee = fixture.client(address,
    {interceptors: [errorClaim.clientInterceptor()]});
  const caller = await fixture.serve({'/C/Call': async () => {
    await call(toCallee, '/D/Call');
    await callOrThrow(toCallee, '/D/Call');
    throw failure(UNAVAILABLE, 'own');
  }}, [errorClaim.serverInterceptor()]);
  const ended = await call(fixture.client(caller), '/C/Call');
  assert.equal(detailOf(ended).reason, Reason.OWN);
});

fixtureTest('claim keys of a request are removed', async (fixture) => {
  let seen;
  const address = await fixture.serve({'/C/Call': async (inbound) => {
    seen = inbound.metadata;
  }}, [errorClaim.serverInterceptor()]);
  await call(fixture.client(address), '/C/Call', {metadata: {'x-own': 'kept',
    'error-claim': 'unclaimed', 'error-claim-bin': Buffer.from('x')}});
  assert.deepEqual(seen.get('error-claim'), []);
  assert.deepEqual(seen.get('error-claim-bin'), []);
  assert.deepEqual(seen.get('x-own'), ['kept']);
});

fixtureTest('the application chooses, and says that it has retried', async (fixture) => {
  const callee = await fixture.failingCallee(failure(UNAVAILABLE, 'x'));
  const toCallee = fixture.client(callee.address,
    {interceptors: [errorClaim.clientInterceptor()]});
  const handler = (act) => async () => {
    const ended = await call(toCallee, '/D/Call');
    act();
    throw ended;
  };
  const address = await fixture.serve({
    '/C/Choose': handler(() => errorClaim.chooseClaim('unclaimed')),
    '/C/Retried': handler(() => errorClaim.setRetried()),
    '/C/Detached': async () =>
      errorClaim.detached(() => callOrThrow(toCallee, '/D/Call')),
  }, [errorClaim.serverInterceptor()]);
  const client = fixture.client(address, FOUR);
  const said = async (path) => {
    const ended = await call(client, path);
    return [ended.trailers['error-claim'], detailOf(ended).reason];
  };
  assert.deepEqual(await said('/C/Choose'), ['unclaimed', Reason.APPLICATION]);
  assert.deepEqual(await said('/C/Retried'), ['unclaimed', Reason.PROPAGATED]);
  assert.deepEqual(await said('/C/Detached'), ['claimed', Reason.OWN]);
});

// With callbacks, which run in the context of the connection, over connections
// that other calls have made.
fixtureTest('concurrent calls keep their own outcomes', async (fixture) => {
  const callee = await fixture.serve({'/D/Call': async ({request}) => {
    await new Promise((resolve) => setTimeout(resolve, request[0] % 7));
    if (request[0] % 2) throw failure(UNAVAILABLE, 'odd');
  }});
  const toCallee = fixture.client(callee,
    {config: TWO, interceptors: [errorClaim.clientInterceptor({config: TWO})]});
  const server = new grpc.Server({interceptors: [errorClaim.serverInterceptor()]});
  server.addService({Call: methodOf('/C/Call')}, {Call: (inbound, answer) => {
    const request = (number, ended) => toCallee.makeUnaryRequest('/D/Call',
      bytes, bytes, Buffer.from([number]), ended);
    // One that succeeds, then the one that may fail, from its callback.
    request(0, () => request(inbound.request[0],
      () => answer(failure(UNAVAILABLE, 'always'))));
  }});
  const client = fixture.client(await fixture.listen(server));
  const all = await Promise.all(Array.from({length: 200}, (_, i) =>
    call(client, '/C/Call', {request: Buffer.from([i])})));
  assert.deepEqual(all.map((ended) => ended.trailers['error-claim']),
    all.map((_, i) => i % 2 ? 'unclaimed' : 'claimed'));
});

fixtureTest('a stream that fails says whose error it is', async (fixture) => {
  const callee = await fixture.failingCallee(failure(UNAVAILABLE, 'x'));
  const toCallee = fixture.client(callee.address,
    {config: TWO, interceptors: [errorClaim.clientInterceptor({config: TWO})]});
  const server = new grpc.Server({interceptors: [errorClaim.serverInterceptor()]});
  server.addService({Call: methodOf('/C/Call', false, true)}, {Call: async (inbound) => {
    inbound.write(Buffer.from('one'));
    inbound.emit('error', await call(toCallee, '/D/Call'));
  }});
  const client = fixture.client(await fixture.listen(server));
  const replies = [];
  const ended = await new Promise((resolve) => client.makeServerStreamRequest(
    '/C/Call', bytes, bytes, Buffer.alloc(0))
    .on('data', (reply) => replies.push(String(reply)))
    .on('error', () => {}).on('status', resolve));
  assert.deepEqual(replies, ['one']);
  assert.equal(ended.code, UNAVAILABLE);
  assert.deepEqual(ended.metadata.get('error-claim'), ['unclaimed']);
});

fixtureTest('an error leaves as Trailers-Only', async (fixture) => {
  const address = await fixture.serve({'/C/Call': async () => {
    throw failure(UNAVAILABLE, 'own');
  }}, [errorClaim.serverInterceptor()]);
  const session = http2.connect(`http://${address}`);
  const request = session.request({':method': 'POST', ':path': '/C/Call',
    'content-type': 'application/grpc', te: 'trailers'});
  request.end(Buffer.alloc(5));
  const headers = await new Promise((resolve, reject) =>
    request.on('response', resolve).on('error', reject));
  session.destroy();
  assert.equal(headers['grpc-status'], String(UNAVAILABLE));
  assert.equal(headers['error-claim'], 'claimed');
});
