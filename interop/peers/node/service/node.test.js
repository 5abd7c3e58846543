// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
'use strict';

// The node: as a process of its own, as the lab starts it, or in this one.

const assert = require('node:assert/strict');
const {spawn, spawnSync} = require('node:child_process');
const path = require('node:path');
const readline = require('node:readline');
const test = require('node:test');
const grpc = require('@grpc/grpc-js');
const {Dice} = require('./dice');
const {DEFINITION} = require('./definition');
const {Node} = require('./node');
const {readOptions} = require('./options');

const CALLS = 5; // of each chain
const NODE = path.join(__dirname, '../node');

// Starts a node and waits until it is ready.
async function start(...words) {
  const child = spawn(NODE, words, {stdio: ['ignore', 'pipe', 'inherit']});
  const lines = [];
  const ended = new Promise((resolve) => child.on('close', resolve));
  const reader = readline.createInterface({input: child.stdout});
  await new Promise((resolve, reject) => {
    reader.on('line', (line) => resolve(lines.push(JSON.parse(line))));
    child.on('close', () => reject(new Error(`${words}: ended early`)));
  });
  assert.deepEqual(lines[0], {event: 'ready', name: lines[0].name,
    port: lines[0].port, language: 'Node.js', version: process.versions.node,
    grpc: `grpc-js ${require('@grpc/grpc-js/package.json').version}`});
  return {
    name: lines[0].name,
    address: `127.0.0.1:${lines[0].port}`,
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      assert.equal(await ended, 0);
      assert.equal(lines.length, 2);
      return lines[1];
    },
  };
}

// The same in this process, which is quicker.
async function startHere(...words) {
  const options = readOptions(words);
  const node = new Node(options);
  return {
    name: options.name,
    address: `127.0.0.1:${await node.listen()}`,
    async stop() {
      await node.stop();
      return JSON.parse(node.counts.json('exit'));
    },
  };
}

function ask(node, {path = `/${node.name}/Call`, method = DEFINITION.Call,
  request = {id: '1'}, metadata = {}} = {}) {
  const client = new grpc.Client(node.address, grpc.credentials.createInsecure());
  return new Promise((resolve) => client.makeUnaryRequest(path,
    method.requestSerialize, method.responseDeserialize, request,
    grpc.Metadata.fromHttp2Headers(metadata), (error, reply) => {
      client.close();
      resolve({error, reply});
    }));
}

async function askMany(node, n) {
  for (let i = 0; i < n; i += 16)
    await Promise.all(Array.from({length: Math.min(16, n - i)}, () => ask(node)));
}

// What the nodes of a chain serve for each call of A, where D always fails and
// all others make two attempts.
for (const [ownership, by, expected, begin = startHere] of [
  ['enforce', 'grpc', [1, 1, 1, 2], start],
  ['observe', 'grpc', [1, 2, 4, 8]],
  ['stock', 'grpc', [1, 2, 4, 8]],
  ['enforce', 'application', [1, 1, 1, 2]],
  ['observe', 'application', [1, 2, 4, 8]],
  ['off', 'application', [1, 2, 4, 8]],
  ['stock', 'application', [1, 2, 4, 8]],
  ['enforce', 'both', [1, 1, 1, 2], start],
  ['off', 'both', [1, 4, 16, 64]],
  ['stock', 'both', [1, 4, 16, 64]],
])
  test(`a chain of four: ${ownership}, retries by ${by}`, async () => {
    const nodes = [await begin('--name', 'D', '--fail-rate', '1',
      `--ownership=${ownership}`)];
    for (const name of ['C', 'B', 'A'])
      nodes.unshift(await begin('--name', name, '--attempts', '2', '--ownership',
        ownership, '--retry-by', by, '--retry-codes', 'aborted,unavailable',
        '--callee', `${nodes[0].name}=${nodes[0].address}`));
    await askMany(nodes[0], CALLS);
    const ends = await Promise.all(nodes.map((node) => node.stop()));
    assert.deepEqual(ends.map((end) => end.served / CALLS), expected);
    const [, b, c] = ends;
    const owned = ['enforce', 'observe'].includes(ownership);
    const seen = b.callees[0];
    assert.equal(b.claims_sent.unclaimed, owned ? b.served : 0);
    assert.equal(seen.unclaimed, owned ? seen.errors : 0);
    assert.equal(seen.missing, owned ? 0 : seen.errors);
    assert.deepEqual([b.retries_stopped, c.retries_stopped],
      stopsOf(ownership, by, b));
  });

// The retries that B and C stopped. An observing loop counts where it would stop.
function stopsOf(ownership, by, b) {
  const stops = (stopped) =>
    ({unclaimed: 0, budget: 0, chain: 0, multiplied: 0, ...stopped});
  if (ownership === 'enforce')
    return [stops({unclaimed: by === 'both' ? 2 * CALLS : CALLS}),
      stops({multiplied: by === 'both' ? CALLS : 0})];
  const observes = ownership === 'observe' && by === 'application';
  return [stops({unclaimed: observes ? b.served : 0}), stops()];
}

test('callees, their failures and the counts', async () => {
  const good = await start('--name', 'G');
  const bad = await start('--name', 'F', '--fail-rate', '1', '--fail-status',
    'internal', '--healthy-first', '1');
  const both = await start('--name', 'B', '--callee', `F=${bad.address},fail-open`,
    '--callee', `G=${good.address}`);
  const first = await ask(both, {path: '/eown.interop.v1.Node/Call'});
  assert.deepEqual(first.reply, {node: 'B', nodes_below: 2});
  assert.equal((await ask(both)).reply.nodes_below, 1);
  const alone = await ask(both, {metadata: {'eown-node-callee': 'G'}});
  assert.equal(alone.reply.nodes_below, 1);
  const none = await ask(both, {metadata: {'eown-node-callee': 'X'}});
  assert.equal(none.error.code, grpc.status.INVALID_ARGUMENT);
  assert.equal(none.error.details,
    "eown-node-callee: 'X': expected the name of a callee of B");
  const empty = await ask(bad, {metadata: {'eown-node-callee': ''}});
  assert.equal(empty.error.details, // though it would fail by itself
    "eown-node-callee: '': expected the name of a callee of F");
  const strict = await start('--name', 'A', '--callee', `F=${bad.address}`);
  const {error} = await ask(strict);
  assert.equal(error.code, grpc.status.INTERNAL);
  assert.equal(error.details, 'F fails by itself');
  const stats = await ask(both, {path: '/eown.interop.v1.Node/Stats',
    method: DEFINITION.Stats, request: {reset: true}});
  assert.deepEqual(JSON.parse(stats.reply.json), {event: 'stats', name: 'B',
    served: 4, errors: 1, own_failures: 0, made: 5,
    retries_stopped: {unclaimed: 0, budget: 0, chain: 0, multiplied: 0},
    claims_sent: {claimed: 0, unclaimed: 0},
    callees: [
      {name: 'F', calls: 2, errors: 1, claimed: 0, unclaimed: 0, missing: 1, other: 0},
      {name: 'G', calls: 3, errors: 0, claimed: 0, unclaimed: 0, missing: 0, other: 0},
    ]});
  assert.equal((await both.stop('SIGINT')).served, 0);
  await Promise.all([good.stop(), bad.stop(), strict.stop()]);
});

test('what it does not know it refuses, and names it', () => {
  for (const [words, expected] of [
    [['--parallel'], /--parallel/],
    [['--fail-rate', '2'], /--fail-rate.*'2'.*0 to 1/],
    [['--callee', 'D'], /--callee.*'D'.*NAME=HOST:PORT/],
    [['--fail-status', 'OK'], /--fail-status.*'OK'/],
    [['--context', 'thread'], /--context.*'thread'.*parent or none/],
    [['--retry-by', 'hand'], /--retry-by.*'hand'.*grpc, application or both/],
    [['--attempts'], /--attempts/],
    [['--attempts', '101'], /--attempts.*'101'.*1 to 100/],
    [['--retry-codes', 'LATER'], /--retry-codes.*'LATER'/],
    [['word'], /'word'/],
  ]) {
    const {status, stderr, stdout} = spawnSync(NODE, words, {encoding: 'utf8'});
    assert.equal(status, 2);
    assert.match(stderr, expected);
    assert.equal(stdout, '');
  }
  const help = spawnSync(NODE, ['--help'], {encoding: 'utf8'});
  assert.equal(help.status, 0);
  assert.match(help.stdout, /--callee NAME=HOST:PORT/);
  assert.match(help.stdout, /--retry-by WHO/);
});

// The same calls fail as in an eown-node of this name and seed: outputs of
// SplitMix64 for the seed 0 are published.
test('the dice', () => {
  const thrown = (dice) => Array.from({length: 1000}, () => dice.throw());
  const half = () => new Dice(7n, 'D', 0.5, 0n);
  assert.deepEqual(thrown(half()), thrown(half()));
  const failed = thrown(half()).filter(Boolean).length;
  assert.ok(failed > 400 && failed < 600);
  const first = 0xe220a8397b1dcdaf; // of the seed 0; an empty name keeps a seed
  const at = (rate) => new Dice(0n, '', rate, 0n).throw();
  assert.equal(at(first / 2 ** 64 - 1e-9), false);
  assert.equal(at(first / 2 ** 64 + 1e-9), true);
  assert.deepEqual(thrown(new Dice(1n, 'D', 1, 990n)).indexOf(true), 990);
});
