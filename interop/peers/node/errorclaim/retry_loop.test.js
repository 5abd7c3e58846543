// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
'use strict';

const assert = require('node:assert/strict');
const test = require('node:test');
const grpc = require('@grpc/grpc-js');
const errorClaim = require('.');
const {within} = require('./context');
const {Reason} = require('./detail');
const {Inbound} = require('./inbound');
const {bytes, call, callOrThrow, configOf, detailOf, failure, fixtureTest,
  methodOf} = require('./testing');

const {RetryBudget, RetryLoop} = errorClaim;
const {ABORTED, CANCELLED, INTERNAL, OK, UNAVAILABLE} = grpc.status;
const MARK = 'error-claim-retry';
const UNCLAIMED = {'error-claim': 'unclaimed'};
const LONG_MS = 20000; // longer than a test may take

// A loop that waits no longer than it has to, and notes its decisions.
function loopOf(options = {}) {
  const reasons = [];
  const loop = new RetryLoop({initialBackoffMs: 0, method: '/D/Call',
    onDecision: ({reason}) => reasons.push(reason), ...options});
  return Object.assign(loop, {reasons});
}

const callAgain = (loop, client, metadata) => loop.run(
  (sent) => callOrThrow(client, '/D/Call', {metadata: sent}), metadata);

// The code that a promise is rejected with, or OK.
const codeFrom = (promise) => promise.then(() => OK, (error) => error.code);

// With the client interceptor and without.
const WAYS = [
  {way: 'with the interceptor', owned: true},
  {way: 'without the interceptor', owned: false},
];
const clientOf = (fixture, {owned}, address, {config, ...options} = {}) =>
  fixture.client(address, {config, interceptors: owned
    ? [errorClaim.clientInterceptor({config, ...options})] : []});

// A service C with the server interceptor whose handler is `act`.
const serveOwned = (fixture, act, options = {}) => fixture.serve(
  {'/C/Call': act}, [errorClaim.serverInterceptor(options)]);

for (const way of WAYS) {
  const loopTest = (name, body) => fixtureTest(`${name}, ${way.way}`, body);

  loopTest('calls again up to its maximum, with the mark', async (fixture) => {
    const callee = await fixture.failingCallee(failure(UNAVAILABLE, 'x'));
    const loop = loopOf({maxAttempts: 3});
    const client = clientOf(fixture, way, callee.address);
    assert.equal(await codeFrom(callAgain(loop, client)), UNAVAILABLE);
    assert.deepEqual(loop.reasons, ['retry', 'retry', 'attempts']);
    assert.equal(loop.reason, 'attempts');
    assert.deepEqual(callee.requests.map((got) => got.get(MARK)),
      [[], ['1'], ['1']]);
  });

  loopTest('ends with the first success', async (fixture) => {
    const callee = await fixture.failingCallee((inbound, served) =>
      served === 1 ? failure(UNAVAILABLE, 'once') : undefined);
    const loop = loopOf();
    await callAgain(loop, clientOf(fixture, way, callee.address));
    assert.deepEqual(loop.reasons, ['retry', 'ok']);
    assert.equal(callee.served, 2);
  });

  loopTest('a success after a failure settles it', async (fixture) => {
    const callee = await fixture.failingCallee((inbound, served) =>
      served === 1 ? failure(UNAVAILABLE, 'once') : undefined);
    const client = clientOf(fixture, way, callee.address);
    const address = await serveOwned(fixture, async () => {
      await callAgain(loopOf(), client);
      throw failure(UNAVAILABLE, 'own');
    });
    const ended = await call(fixture.client(address), '/C/Call');
    assert.equal(detailOf(ended).reason, Reason.OWN);
  });

  loopTest('retries the statuses it is told', async (fixture) => {
    for (const [code, codes, served] of [[INTERNAL, undefined, 1],
      [ABORTED, ['aborted', INTERNAL], 2], [INTERNAL, ['aborted', INTERNAL], 2],
      [UNAVAILABLE, ['aborted'], 1], [UNAVAILABLE, [], 1]]) {
      const callee = await fixture.failingCallee(failure(code, 'x'));
      const loop = loopOf({maxAttempts: 2, codes});
      await codeFrom(callAgain(loop, clientOf(fixture, way, callee.address)));
      assert.equal(callee.served, served);
      assert.equal(loop.reason, served === 1 ? 'status' : 'attempts');
    }
  });

  loopTest('ends with an unclaimed error', async (fixture) => {
    const callee = await fixture.failingCallee(failure(UNAVAILABLE, 'x', UNCLAIMED));
    const loop = loopOf();
    await codeFrom(callAgain(loop, clientOf(fixture, way, callee.address)));
    assert.deepEqual([callee.served, loop.reason], [1, 'unclaimed']);
  });

  loopTest('reads an alias', async (fixture) => {
    const callee = await fixture.failingCallee(
      failure(UNAVAILABLE, 'x', {'x-mesh': 'unclaimed'}));
    const alias = 'x-mesh';
    const loop = loopOf({alias});
    await codeFrom(callAgain(loop, clientOf(fixture, way, callee.address, {alias})));
    assert.equal(loop.reason, 'unclaimed');
  });

  loopTest('observes: counts, and goes on', async (fixture) => {
    const callee = await fixture.failingCallee(failure(UNAVAILABLE, 'x', UNCLAIMED));
    const loop = loopOf({mode: 'observe'});
    await codeFrom(callAgain(loop, clientOf(fixture, way, callee.address)));
    assert.equal(callee.served, 3);
    assert.deepEqual(loop.reasons, ['unclaimed', 'unclaimed', 'attempts']);
    assert.deepEqual(callee.requests[1].get(MARK), ['1']);
  });

  loopTest('off: a loop like any other', async (fixture) => {
    const callee = await fixture.failingCallee(failure(UNAVAILABLE, 'x', UNCLAIMED));
    const loop = loopOf({mode: 'off'});
    await codeFrom(callAgain(loop, clientOf(fixture, way, callee.address)));
    assert.deepEqual(loop.reasons, ['retry', 'retry', 'attempts']);
    if (!way.owned)
      assert.ok(callee.requests.every((got) => got.get(MARK).length === 0));
  });

  loopTest('believes and sends nothing at the trust boundary', async (fixture) => {
    const callee = await fixture.failingCallee(failure(UNAVAILABLE, 'x', UNCLAIMED));
    const loop = loopOf({boundary: true});
    const client = clientOf(fixture, way, callee.address, {boundary: true});
    await codeFrom(callAgain(loop, client, failure(OK, '', {[MARK]: '1'}).metadata));
    assert.equal(loop.reason, 'attempts');
    assert.deepEqual(callee.requests.map((got) => got.get(MARK)), [[], [], []]);
  });

  // grpc-js takes a pushback that is no number for one of 0 ms.
  loopTest('heeds a pushback that says no', async (fixture) => {
    for (const [pushback, stock] of [['-1', 1], ['soon', 4]]) {
      const callee = await fixture.failingCallee(
        failure(UNAVAILABLE, 'x', {'grpc-retry-pushback-ms': pushback}));
      const loop = loopOf();
      await codeFrom(callAgain(loop, clientOf(fixture, way, callee.address)));
      assert.deepEqual([callee.served, loop.reason], [1, 'pushback']);
      callee.served = 0;
      await call(fixture.client(callee.address,
        {config: configOf(4, 'UNAVAILABLE')}), '/D/Call');
      assert.equal(callee.served, stock);
    }
  });

  loopTest('counts the attempts of gRPC\'s own policy', async (fixture) => {
    for (const [ours, theirs, served, reasons] of [
      [2, 2, 2, ['multiplied']], [3, 2, 4, ['retry', 'multiplied']],
      [2, 3, 3, ['multiplied']], [5, 2, 6, ['retry', 'retry', 'multiplied']],
    ]) {
      const callee = await fixture.failingCallee(failure(UNAVAILABLE, 'x'));
      const config = configOf(theirs, 'UNAVAILABLE');
      const client = clientOf(fixture, way, callee.address, {config});
      let loop;
      const address = await serveOwned(fixture, () => {
        loop = loopOf({maxAttempts: ours});
        return callAgain(loop, client);
      });
      const ended = await call(fixture.client(address), '/C/Call');
      assert.equal(callee.served, served);
      assert.deepEqual(loop.reasons, reasons);
      assert.equal(ended.trailers['error-claim'], 'unclaimed');
      assert.equal(detailOf(ended).attempts, served);
    }
  });

  loopTest('its maximum holds for calls where attempts may multiply', async (fixture) => {
    const callee = await fixture.failingCallee(failure(UNAVAILABLE, 'x'));
    const config = configOf(2, 'UNAVAILABLE');
    const loop = loopOf({maxAttempts: 2, mode: 'observe'});
    await codeFrom(callAgain(loop, clientOf(fixture, way, callee.address, {config})));
    assert.equal(callee.served, 4);
    assert.deepEqual(loop.reasons, ['multiplied', 'attempts']);
  });

  // Held back before its first retry, by each reason for which the error still
  // has had its retry; with one call at most the loop is no retry policy.
  const full = {deposit() {}, isEmpty: () => true, withdraw() {}};
  for (const [reason, options, {trailers = {}, facts, marked} = {}] of [
    ['committed', {}, {facts: {committed: true}}],
    ['deadline', {initialBackoffMs: LONG_MS, maxBackoffMs: LONG_MS,
      deadline: new Date(Date.now() + LONG_MS / 2)}],
    ['budget', {budget: full}],
    ['chain', {chainStop: true}, {marked: true}],
    ['pushback', {}, {trailers: {'grpc-retry-pushback-ms': '-1'}}],
    ['status', {codes: ['ABORTED']}],
    ['attempts', {maxAttempts: 1}],
  ])
    loopTest(`held back by ${reason}`, async (fixture) => {
      const callee = await fixture.failingCallee(failure(UNAVAILABLE, 'x', trailers));
      const client = clientOf(fixture, way, callee.address);
      let loop;
      const address = await serveOwned(fixture, async () => {
        loop = loopOf(options);
        const ended = await call(client, '/D/Call', {metadata: loop.begin()});
        assert.equal(await loop.again(ended, facts), false);
        throw failure(ended.code, 'passed on');
      });
      const ended = await call(fixture.client(address), '/C/Call',
        {metadata: marked ? {[MARK]: '1'} : {}});
      const covered = !['status', 'attempts'].includes(reason);
      assert.deepEqual(loop.reasons, [reason]);
      assert.equal(ended.trailers['error-claim'], covered ? 'unclaimed' : 'claimed');
      assert.equal(detailOf(ended).reason,
        covered ? Reason.PROPAGATED : Reason.AT_LEAST_ONCE);
      assert.equal(detailOf(ended).owner_service, covered ? 'D' : 'C');
    });

  loopTest('does not retry a stream once a message came', async (fixture) => {
    const server = new grpc.Server();
    let served = 0;
    server.addService({Call: methodOf('/D/Call', false, true)}, {Call: (inbound) => {
      if (++served > 1) inbound.write(Buffer.from('part'));
      inbound.emit('error', failure(UNAVAILABLE, 'x'));
    }});
    const client = clientOf(fixture, way, await fixture.listen(server));
    const loop = loopOf({maxAttempts: 5});
    const read = async (metadata) => {
      let messages = 0;
      try {
        const call = client.makeServerStreamRequest('/D/Call', bytes, bytes,
          Buffer.alloc(0), metadata);
        for await (const message of call) messages += message.length > 0;
      } catch (error) {
        return {error, messages};
      }
    };
    let ended, again;
    do {
      ended = await read(loop.begin());
      again = await loop.again(ended.error, {committed: ended.messages > 0});
    } while (again);
    assert.deepEqual(loop.reasons, ['retry', 'committed']);
    assert.equal(served, 2);
  });

  // 60 calls at once, of which each has a loop of its own.
  loopTest('loops at once keep their own counts', async (fixture) => {
    const callee = await fixture.failingCallee(async ({request}) => {
      await new Promise((resolve) => setTimeout(resolve, request[0] % 5));
      return request[0] % 2 ? failure(UNAVAILABLE, 'odd') : undefined;
    });
    const client = clientOf(fixture, way, callee.address);
    const address = await serveOwned(fixture, async ({request}) => {
      await codeFrom(loopOf({maxAttempts: 2 + request[0] % 3}).run((metadata) =>
        callOrThrow(client, '/D/Call', {request, metadata})));
      throw failure(UNAVAILABLE, 'always');
    });
    const toCaller = fixture.client(address);
    const all = await Promise.all(Array.from({length: 60}, (_, i) =>
      call(toCaller, '/C/Call', {request: Buffer.from([i])})));
    assert.deepEqual(
      all.map((ended) => [ended.trailers['error-claim'], detailOf(ended).attempts]),
      all.map((_, i) => i % 2 ? ['unclaimed', 2 + i % 3] : ['claimed', 0]));
  });
}

fixtureTest('the weaker mode of loop and channel holds', async (fixture) => {
  for (const [channel, own, served] of [['observe', 'enforce', 3],
    ['enforce', 'observe', 3], ['enforce', 'enforce', 1]]) {
    const callee = await fixture.failingCallee(failure(UNAVAILABLE, 'x', UNCLAIMED));
    const client = clientOf(fixture, WAYS[0], callee.address, {mode: channel});
    await codeFrom(callAgain(loopOf({mode: own}), client));
    assert.equal(callee.served, served);
  }
});

fixtureTest('without its metadata it still counts and reads', async (fixture) => {
  const callee = await fixture.failingCallee(failure(UNAVAILABLE, 'x'));
  const client = fixture.client(callee.address);
  const loop = loopOf({maxAttempts: 2});
  let again;
  do again = await loop.again(await call(client, '/D/Call')); while (again);
  assert.deepEqual([callee.served, loop.reason], [2, 'attempts']);
});

fixtureTest('the calls of a marked inbound are marked', async (fixture) => {
  const callee = await fixture.failingCallee(failure(UNAVAILABLE, 'x'));
  const client = fixture.client(callee.address);
  const address = await serveOwned(fixture, () =>
    callAgain(loopOf({maxAttempts: 2}), client));
  await call(fixture.client(address), '/C/Call', {metadata: {[MARK]: '1'}});
  assert.deepEqual(callee.requests.map((got) => got.get(MARK)), [['1'], ['1']]);
});

test('the wait is the backoff, or the pushback', () => {
  const loop = loopOf({maxAttempts: 9, initialBackoffMs: 100, maxBackoffMs: 350,
    backoffMultiplier: 2, random: () => 0.5});
  const waits = [[], [], '7', [], [], [], '0', []].map((pushback) => loop.decide(
    failure(UNAVAILABLE, '', {'grpc-retry-pushback-ms': pushback})).waitMs);
  assert.deepEqual(waits.map(Math.round), [100, 200, 7, 100, 200, 350, 0, 100]);
  const least = loopOf({initialBackoffMs: 100, random: () => 0});
  assert.equal(Math.round(least.decide(failure(UNAVAILABLE)).waitMs), 80);
});

test('the wait has to fit into the time that is left', () => {
  const after = (options, error = failure(UNAVAILABLE)) => loopOf({
    initialBackoffMs: 100, random: () => 0.5, now: () => 1000, ...options,
  }).decide(error).reason;
  const parent = {getDeadline: () => new Date(1100)};
  const pushback = (ms) => failure(UNAVAILABLE, '', {'grpc-retry-pushback-ms': ms});
  assert.equal(after({deadline: 1101}), 'retry');
  assert.equal(after({deadline: 1100}), 'deadline');
  assert.equal(after({deadline: new Date(1100)}), 'deadline');
  assert.equal(after({deadline: 1101, parent}), 'deadline');
  assert.equal(after({deadline: 1101}, pushback('101')), 'deadline');
  assert.equal(after({deadline: 1100}, pushback('99')), 'retry');
  for (const [deadline, expected] of [[1101, 'retry'], [1100, 'deadline']])
    assert.equal(within(new Inbound('/C/Call', deadline), () => after({})), expected);
});

fixtureTest('the deadline of the inbound call is the loop\'s', async (fixture) => {
  const callee = await fixture.failingCallee(failure(UNAVAILABLE, 'x'));
  const client = fixture.client(callee.address);
  const waiting = {initialBackoffMs: 2 * LONG_MS, maxBackoffMs: 2 * LONG_MS};
  const loops = [];
  const handler = (options) => async (inbound) => {
    const loop = loopOf({...waiting, ...options(inbound)});
    loops.push(loop);
    return callAgain(loop, client);
  };
  const owned = await serveOwned(fixture, handler(() => ({})));
  const stock = await fixture.serve({'/C/Call': handler((parent) => ({parent}))});
  for (const address of [owned, stock])
    assert.equal((await call(fixture.client(address), '/C/Call')).code, UNAVAILABLE);
  assert.deepEqual(loops.map((loop) => loop.reasons), [['deadline'], ['deadline']]);
});

// The inbound is cancelled while the loop waits.
fixtureTest('a loop ends when its inbound call is cancelled', async (fixture) => {
  const callee = await fixture.failingCallee(failure(UNAVAILABLE, 'x'));
  const client = fixture.client(callee.address);
  for (const owned of [true, false]) {
    callee.served = 0;
    let ended, outbound;
    const reasons = [];
    const handler = async (parent) => {
      const loop = loopOf({initialBackoffMs: LONG_MS, maxBackoffMs: LONG_MS,
        ...!owned && {parent},
        onDecision: ({reason}) => {
          reasons.push(reason);
          if (reason === 'retry') setImmediate(() => outbound.cancel());
        }});
      ended = codeFrom(callAgain(loop, client));
      return ended;
    };
    const address = owned ? await serveOwned(fixture, handler)
      : await fixture.serve({'/C/Call': handler});
    const code = await new Promise((resolve) => {
      outbound = fixture.client(address).makeUnaryRequest('/C/Call', bytes, bytes,
        Buffer.alloc(0), (error) => resolve(error.code));
    });
    assert.equal(code, CANCELLED);
    assert.equal(await ended, UNAVAILABLE);
    assert.deepEqual(reasons, ['retry', 'cancelled']);
    assert.equal(callee.served, 1);
  }
});

test('a call that was cancelled is not made again', async () => {
  const loop = loopOf({codes: ['CANCELLED']});
  assert.equal(await loop.again(failure(CANCELLED)), false);
  assert.equal(loop.reason, 'cancelled');
  const inbound = new Inbound('/C/Call');
  const other = within(inbound, () => loopOf());
  inbound.cancel();
  assert.equal(other.decide(failure(UNAVAILABLE)).reason, 'cancelled');
});

test('after its end it says so', async () => {
  const loop = loopOf({maxAttempts: 1});
  loop.begin();
  assert.equal(await loop.again(failure(UNAVAILABLE)), false);
  assert.deepEqual(loop.decide(failure(UNAVAILABLE)),
    {again: false, waitMs: 0, reason: 'ended'});
  assert.deepEqual(loop.decide(null).reason, 'ended');
  assert.equal(await loop.again(failure(UNAVAILABLE)), false);
  assert.ok(loop.begin() instanceof grpc.Metadata);
  assert.equal(loop.reason, 'attempts');
  assert.deepEqual(loop.reasons, ['attempts']);
});

test('what is no error of a call ends the loop', async () => {
  const loop = loopOf({codes: ['UNKNOWN', 'INTERNAL']});
  const bug = new TypeError('bug');
  await assert.rejects(loop.run(async () => { throw bug; }), bug);
  assert.equal(loop.reason, 'status');
  const other = loopOf();
  assert.equal(other.decide({code: 'ECONNRESET'}).reason, 'status');
  assert.equal(loopOf().decide({code: UNAVAILABLE}).reason, 'retry');
});

test('a budget of several loops', () => {
  let now = 0;
  const budget = new RetryBudget({percent: 50, minPerSecond: 0.1, now: () => now});
  const retry = () => {
    const loop = loopOf({budget, maxAttempts: 2});
    loop.begin();
    return loop.decide(failure(UNAVAILABLE)).reason;
  };
  // One, and half as many as there were calls.
  assert.deepEqual(Array.from({length: 6}, retry),
    ['retry', 'retry', 'budget', 'retry', 'budget', 'retry']);
  now = 5000;
  assert.equal(retry(), 'budget');
  now = 12000; // the first six are forgotten
  assert.deepEqual([retry(), retry()], ['retry', 'retry']);
  assert.throws(() => new RetryBudget({percent: -1}),
    /RetryBudget: percent: got -1, expected a number from 0 to 1000/);
});

test('a wait longer than a timer takes is no short one', async (t) => {
  const real = globalThis.setTimeout;
  t.after(() => { globalThis.setTimeout = real; });
  const asked = [];
  globalThis.setTimeout = (then, ms) => {
    asked.push(ms);
    return real(then, 0);
  };
  const pushback = 2 ** 31 + 5;
  assert.ok(await loopOf().again(
    failure(UNAVAILABLE, '', {'grpc-retry-pushback-ms': String(pushback)})));
  assert.deepEqual(asked, [2 ** 31 - 1, 6]);
});

test('bad options are refused, and named', () => {
  for (const [name, value, expected] of [
    ['maxAttempts', -1, 'a whole number from 1 to 100'],
    ['maxAttempts', 0, 'a whole number from 1 to 100'],
    ['maxAttempts', 101, 'a whole number from 1 to 100'],
    ['maxAttempts', 1.5, 'a whole number from 1 to 100'],
    ['maxAttempts', '3', 'a whole number from 1 to 100'],
    ['codes', ['UNAVAILABLE', 'LATER'], 'gRPC status codes'],
    ['codes', 'UNAVAILABLE', 'gRPC status codes'],
    ['codes', [17], 'gRPC status codes'],
    ['initialBackoffMs', -1, 'a number from 0 to 86400000'],
    ['initialBackoffMs', Infinity, 'a number from 0 to 86400000'],
    ['maxBackoffMs', NaN, 'a number from 0 to 86400000'],
    ['maxBackoffMs', 86400001, 'a number from 0 to 86400000'],
    ['backoffMultiplier', NaN, 'a number from 1 to 1000'],
    ['backoffMultiplier', 0.5, 'a number from 1 to 1000'],
    ['deadline', new Date(NaN), 'a Date or milliseconds'],
    ['deadline', 'soon', 'a Date or milliseconds'],
    ['mode', 'on', "'off', 'observe', 'enforce'"],
    ['budget', {}, 'deposit, isEmpty and withdraw'],
    ['chainStop', 1, 'true or false'],
    ['parent', {}, 'a call that a server got'],
    ['onDecision', 'log', 'a function'],
  ])
    assert.throws(() => new RetryLoop({[name]: value}), (error) =>
      error instanceof RangeError && error.message.includes(`${name}: got `) &&
      error.message.includes(expected), `${name}: ${value}`);
  assert.throws(() => new RetryLoop({max_attempts: 3}),
    /unknown option 'max_attempts', expected one of maxAttempts, codes/);
  assert.equal(new RetryLoop({maxAttempts: undefined}).reason, null);
});
