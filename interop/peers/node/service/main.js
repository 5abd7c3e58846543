// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
'use strict';

const {readOptions} = require('./options');

// gRPC is loaded only for a node that runs: --help and errors are quick.
const load = () => ({
  ...require('./node'),
  version: require('@grpc/grpc-js/package.json').version,
});

const print = (text) => new Promise((done) => {
  process.stdout.write(`${text}\n`, done);
});

async function main() {
  const options = readOptions(process.argv.slice(2));
  process.stdout.on('error', () => {}); // whoever read it is gone
  const {Node, version} = load();
  const node = new Node(options);
  const port = await node.listen();
  const stopped = new Promise((stop) => {
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
  });
  await print(JSON.stringify({event: 'ready', name: options.name, port,
    language: 'Node.js', version: process.versions.node,
    grpc: `grpc-js ${version}`}));
  await stopped;
  await node.stop();
  await print(node.counts.json('exit'));
  process.exit(0);
}

main().catch((error) => {
  process.stderr.write(`node: ${error.message}\n`);
  process.exit(1);
});
