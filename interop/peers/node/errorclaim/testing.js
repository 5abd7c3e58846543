// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
'use strict';

// Servers and clients in this process, for the tests: methods by path, messages
// as bytes.

const test = require('node:test');
const grpc = require('@grpc/grpc-js');
const errorClaim = require('.');
const {readDetail} = require('./detail');

const bytes = (value) => value;
const CALL_MS = 20000;
const TEST_MS = 15000;

function methodOf(path, requestStream = false, responseStream = false) {
  return {path, requestStream, responseStream, requestSerialize: bytes,
    requestDeserialize: bytes, responseSerialize: bytes,
    responseDeserialize: bytes};
}

function configOf(maxAttempts, ...retryableStatusCodes) {
  return {methodConfig: [{name: [{}], retryPolicy: {maxAttempts,
    initialBackoff: '0.001s', maxBackoff: '0.002s', backoffMultiplier: 1,
    retryableStatusCodes}}]};
}

const failure = (code, details, trailers = {}) => {
  const metadata = new grpc.Metadata();
  for (const [key, values] of Object.entries(trailers))
    for (const value of [values].flat()) metadata.add(key, value);
  return {code, details, metadata};
};

// All that a test starts; close() ends it.
class Fixture {
  constructor() {
    this.all = [];
  }

  // Serves `handlers`, by path: async functions of the call that return bytes
  // or throw a failure. Resolves to the address.
  async serve(handlers, interceptors = []) {
    const server = new grpc.Server({interceptors});
    for (const [path, handler] of Object.entries(handlers))
      server.addService({Call: methodOf(path)}, {Call: (call, answer) => {
        handler(call).then((reply) => answer(null, reply ?? Buffer.alloc(0)),
          answer);
      }});
    return this.listen(server);
  }

  // D fails with `error`, without knowing the protocol; or, where that is a
  // function, with what it says of the call and its number (undefined: OK).
  // Counts what it serves and keeps the metadata of the requests.
  async failingCallee(error) {
    const callee = {served: 0, requests: []};
    callee.address = await this.serve({'/D/Call': async (inbound) => {
      callee.requests.push(inbound.metadata);
      const failed = typeof error === 'function'
        ? await error(inbound, ++callee.served) : (callee.served++, error);
      if (failed) throw failed;
    }});
    return callee;
  }

  // C passes on what D answers, with its trailers, as a careless handler does;
  // `options` are of its client, of its server, and of its handler's call.
  async serveCaller(callee, client = {}, server = {}, request = () => ({})) {
    const caller = {served: 0};
    const toCallee = this.client(callee.address, {config: client.config,
      interceptors: [errorClaim.clientInterceptor(client)]});
    caller.address = await this.serve({'/C/Call': async (inbound) => {
      caller.served++;
      return callOrThrow(toCallee, '/D/Call', request(inbound));
    }}, [errorClaim.serverInterceptor(server)]);
    return caller;
  }

  async listen(server) {
    this.all.push(() => server.forceShutdown());
    const port = await new Promise((resolve, reject) => server.bindAsync(
      '127.0.0.1:0', grpc.ServerCredentials.createInsecure(),
      (error, port) => error ? reject(error) : resolve(port)));
    return `127.0.0.1:${port}`;
  }

  client(address, {config, interceptors = []} = {}) {
    const client = new grpc.Client(address, grpc.credentials.createInsecure(), {
      'grpc.use_local_subchannel_pool': 1,
      'grpc.service_config_disable_resolution': 1,
      ...(config && {'grpc.service_config': JSON.stringify(config)}),
      interceptors,
    });
    this.all.push(() => client.close());
    return client;
  }

  close() {
    for (const end of this.all.reverse()) end();
  }
}

// Resolves to the status, of success as well, with `trailers` as an object.
// `metadata` are gRPC's or an object.
function call(client, path, {request = Buffer.alloc(0), metadata = {}} = {}) {
  const sent = metadata instanceof grpc.Metadata ? metadata
    : failure(0, '', metadata).metadata;
  return new Promise((resolve) => {
    let reply;
    client.makeUnaryRequest(path, bytes, bytes, request, sent,
      {deadline: Date.now() + CALL_MS}, (error, value) => { reply = value; })
      .on('status', ({code, details, metadata}) =>
        resolve({code, details, metadata, trailers: metadata.getMap(), reply}));
  });
}

// The same, but throws errors as they came: their trailers are copied by a
// handler that lets them through.
async function callOrThrow(client, path, options) {
  const ended = await call(client, path, options);
  if (ended.code !== grpc.status.OK) throw ended;
  return ended.reply;
}

const detailOf = (ended) =>
  readDetail(ended.metadata.get('error-claim-bin')[0]);

// A test with a fixture of its own; none takes long but for a fault.
function fixtureTest(name, body) {
  test(name, {timeout: TEST_MS}, async () => {
    const fixture = new Fixture();
    try {
      await body(fixture);
    } finally {
      fixture.close();
    }
  });
}

module.exports = {Fixture, bytes, call, callOrThrow, configOf, detailOf, failure,
  fixtureTest, methodOf};
