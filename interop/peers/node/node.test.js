// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
'use strict';

// The node as a process of its own, as the lab starts it.

const assert = require('node:assert/strict');
const {spawn, spawnSync} = require('node:child_process');
const path = require('node:path');
const readline = require('node:readline');
const test = require('node:test');
const grpc = require('@grpc/grpc-js');
const {Dice} = require('./dice');
const {DEFINITION} = require('./service');

const NODE = path.join(__dirname, 'node');

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
  assert.equal(lines[0].event, 'ready');
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

test('a chain of four serves 1, 1, 1, 2 with ownership and 1, 2, 4, 8 without', async () => {
  for (const [ownership, expected] of [['enforce', [1, 1, 1, 2]],
    ['observe', [1, 2, 4, 8]], ['stock', [1, 2, 4, 8]]]) {
    const nodes = [await start('--name', 'D', '--fail-rate', '1',
      `--ownership=${ownership}`)];
    for (const name of ['C', 'B', 'A'])
      nodes.unshift(await start('--name', name, '--attempts', '2', '--ownership',
        ownership, '--retry-codes', 'aborted,unavailable',
        '--callee', `${nodes[0].name}=${nodes[0].address}`));
    await askMany(nodes[0], 20);
    const ends = await Promise.all(nodes.map((node) => node.stop()));
    assert.deepEqual(ends.map((end) => end.served / 20), expected);
    const {claims_sent, retries_stopped, callees: [seen]} = ends[1];
    const owned = ownership !== 'stock';
    assert.equal(claims_sent.unclaimed, owned ? ends[1].served : 0);
    assert.equal(seen.unclaimed, owned ? seen.errors : 0);
    assert.equal(seen.missing, owned ? 0 : seen.errors);
    assert.equal(retries_stopped.unclaimed, ownership === 'enforce' ? 20 : 0);
  }
});

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
    retries_stopped: {unclaimed: 0, budget: 0, chain: 0},
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
    [['--attempts'], /--attempts/],
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
