// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
'use strict';

// The four forms of calls, as a server and as a client, and many at once.

const assert = require('node:assert/strict');
const http2 = require('node:http2');
const grpc = require('@grpc/grpc-js');
const errorClaim = require('.');
const {Reason} = require('./detail');
const {bytes, configOf, detailOf, failure, fixtureTest, methodOf} =
  require('./testing');

const {INTERNAL, OK, UNAVAILABLE} = grpc.status;
const TWO = configOf(2, 'UNAVAILABLE');
const FORMS = [
  {form: 'unary', streams: [false, false], make: 'makeUnaryRequest'},
  {form: 'client streaming', streams: [true, false], make: 'makeClientStreamRequest'},
  {form: 'server streaming', streams: [false, true], make: 'makeServerStreamRequest'},
  {form: 'bidirectional', streams: [true, true], make: 'makeBidiStreamRequest'},
];

// Makes a call in a form: resolves to its status, with the replies.
function callAs({make, streams: [sends]}, client, path, message = Buffer.alloc(1),
  metadata = new grpc.Metadata()) {
  return new Promise((resolve) => {
    const replies = [];
    const words = [path, bytes, bytes, ...sends ? [] : [message], metadata, {}];
    const answered = (error, reply) => { if (reply) replies.push(reply); };
    if (make === 'makeUnaryRequest' || make === 'makeClientStreamRequest')
      words.push(answered);
    const call = client[make](...words);
    call.on('status', (status) => resolve({...status, replies,
      trailers: status.metadata.getMap()}));
    call.on('error', () => {}).on('data', (reply) => replies.push(reply));
    if (!sends) return;
    call.write(message);
    call.end(message);
  });
}

// Handles a call in a form: once its request is there, `act` of it and of its
// first message resolves to an error, or to nothing for OK. The rest of it runs
// where the events of the call run.
function handlerOf({streams: [receives, replies]}, act) {
  const finish = async (call, message, answer) => {
    const error = await act(call, message);
    if (!replies) return answer(error ?? null, Buffer.from('reply'));
    return error ? call.emit('error', error) : call.end();
  };
  if (!receives)
    return (call, answer) => void finish(call, call.request, answer);
  return (call, answer) => {
    const messages = [];
    call.on('data', (message) => messages.push(message));
    call.on('end', () => void finish(call, messages[0], answer));
  };
}

// Serves /NAME/Call in a form.
function serveAs(fixture, form, name, act, interceptors = []) {
  const server = new grpc.Server({interceptors});
  server.addService({Call: methodOf(`/${name}/Call`, ...form.streams)},
    {Call: handlerOf(form, act)});
  return fixture.listen(server);
}

const owned = (fixture, address, config) => fixture.client(address,
  {config, interceptors: [errorClaim.clientInterceptor({config})]});

for (const outer of FORMS)
  for (const inner of FORMS)
    fixtureTest(`${outer.form} passes on ${inner.form}`, async (fixture) => {
      let served = 0;
      const callee = await serveAs(fixture, inner, 'D', async () => {
        served++;
        return failure(UNAVAILABLE, 'gone');
      });
      const toCallee = owned(fixture, callee, TWO);
      const caller = await serveAs(fixture, outer, 'C',
        () => callAs(inner, toCallee, '/D/Call'), [errorClaim.serverInterceptor()]);
      const ended = await callAs(outer, fixture.client(caller,
        {config: configOf(4, 'UNAVAILABLE')}), '/C/Call');
      assert.equal(served, 2);
      assert.equal(ended.code, UNAVAILABLE);
      assert.equal(ended.details, 'gone');
      assert.deepEqual(ended.metadata.get('error-claim'), ['unclaimed']);
      assert.deepEqual(ended.metadata.get('grpc-retry-pushback-ms'), ['-1']);
      assert.deepEqual(detailOf(ended), {owner_service: 'D', owner_method: 'Call',
        hops: 1, attempts: 2, reason: Reason.PROPAGATED});
    });

for (const form of FORMS) {
  fixtureTest(`${form.form}: no claim with OK, none in the request`, async (fixture) => {
    let seen;
    const address = await serveAs(fixture, form, 'C', async (call) => {
      seen = call.metadata;
    }, [errorClaim.serverInterceptor()]);
    const {metadata} = failure(OK, '', {'error-claim': 'unclaimed'});
    const ended = await callAs(form, owned(fixture, address), '/C/Call',
      Buffer.from('m'), metadata);
    assert.equal(ended.code, OK);
    assert.deepEqual(ended.metadata.get('error-claim'), []);
    assert.deepEqual(seen.get('error-claim'), []);
  });

  fixtureTest(`${form.form}: an error leaves as Trailers-Only`, async (fixture) => {
    const address = await serveAs(fixture, form, 'C',
      async () => failure(UNAVAILABLE, 'own'), [errorClaim.serverInterceptor()]);
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

  // 60 calls: the odd ones have a callee that fails, the even ones fail alone.
  fixtureTest(`${form.form}: calls at once keep their own outcomes`, async (fixture) => {
    const callee = await serveAs(fixture, form, 'D', async (call, message) => {
      await new Promise((resolve) => setTimeout(resolve, message[0] % 7));
      return message[0] % 2 ? failure(UNAVAILABLE, 'odd') : undefined;
    });
    const toCallee = owned(fixture, callee, TWO);
    const caller = await serveAs(fixture, form, 'C', async (call, message) => {
      await callAs(form, toCallee, '/D/Call', Buffer.from([0]));
      await callAs(form, toCallee, '/D/Call', message);
      return failure(UNAVAILABLE, 'always');
    }, [errorClaim.serverInterceptor()]);
    const client = fixture.client(caller);
    const all = await Promise.all(Array.from({length: 60}, (_, i) =>
      callAs(form, client, '/C/Call', Buffer.from([i]))));
    assert.deepEqual(all.map((ended) => ended.trailers['error-claim']),
      all.map((_, i) => i % 2 ? 'unclaimed' : 'claimed'));
  });
}

// The second call comes on the connection that the first has made.
for (const form of FORMS.filter(({streams}) => streams[0]))
  fixtureTest(`${form.form}: a message belongs to its call`, async (fixture) => {
    const callee = await serveAs(fixture, FORMS[0], 'D',
      async () => failure(UNAVAILABLE, 'gone'));
    const toCallee = owned(fixture, callee, TWO);
    const server = new grpc.Server({interceptors: [errorClaim.serverInterceptor()]});
    server.addService({Call: methodOf('/C/Call', ...form.streams)},
      {Call: (inbound, answer) => inbound.once('data', async () => {
        const error = await callAs(FORMS[0], toCallee, '/D/Call');
        if (answer) answer(error);
        else inbound.emit('error', error);
      })});
    const client = fixture.client(await fixture.listen(server));
    for (let i = 0; i < 2; i++) {
      const ended = await callAs(form, client, '/C/Call');
      assert.equal(ended.trailers['error-claim'], 'unclaimed');
    }
  });

// gRPC tells the number of attempts in the initial metadata here.
for (const form of FORMS.filter(({streams}) => streams[1]))
  fixtureTest(`${form.form}: attempts count where a reply came before the error`, async (fixture) => {
    let served = 0;
    const callee = await serveAs(fixture, form, 'D', async (call) => {
      if (++served === 1) return failure(UNAVAILABLE, 'once');
      call.write(Buffer.from('part'));
      return failure(INTERNAL, 'later'); // not in the policy
    });
    const toCallee = owned(fixture, callee, TWO);
    const caller = await serveAs(fixture, form, 'C',
      () => callAs(form, toCallee, '/D/Call'), [errorClaim.serverInterceptor()]);
    const ended = await callAs(form, fixture.client(caller), '/C/Call');
    assert.equal(served, 2);
    assert.equal(ended.code, INTERNAL);
    assert.equal(ended.trailers['error-claim'], 'unclaimed');
    assert.equal(detailOf(ended).attempts, 2);
  });

fixtureTest('a transparent retry is no attempt', async (fixture) => {
  const server = http2.createServer();
  let streams = 0;
  server.on('stream', (stream) => {
    stream.on('error', () => {});
    if (++streams === 1) return stream.close(http2.constants.NGHTTP2_REFUSED_STREAM);
    stream.respond({':status': 200, 'content-type': 'application/grpc',
      'grpc-status': INTERNAL}, {endStream: true});
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const toCallee = owned(fixture, `127.0.0.1:${server.address().port}`, TWO);
  const caller = await serveAs(fixture, FORMS[0], 'C',
    () => callAs(FORMS[0], toCallee, '/D/Call'), [errorClaim.serverInterceptor()]);
  const ended = await callAs(FORMS[0], fixture.client(caller), '/C/Call');
  toCallee.close();
  server.close();
  assert.equal(streams, 2);
  assert.equal(detailOf(ended).attempts, 1);
  assert.equal(ended.trailers['error-claim'], 'claimed');
});
