// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
'use strict';

// One node of a call graph: a server, and a client for each of its callees.

const path = require('node:path');
const grpc = require('@grpc/grpc-js');
const {loadSync} = require('@grpc/proto-loader');
const {Counts} = require('./counts');
const {Dice} = require('./dice');
const errorClaim = require('./error_claim');

const GRACE_MS = 2000;
const DEFINITION = loadSync('eown/interop/v1/node.proto', {
  includeDirs: [path.join(__dirname, '../../../protos')],
  keepCase: true,
  longs: String,
})['eown.interop.v1.Node'];

const CONNECTION = {
  'grpc.use_local_subchannel_pool': 1,
  'grpc.initial_reconnect_backoff_ms': 50,
  'grpc.max_reconnect_backoff_ms': 200,
  'grpc.enable_http_proxy': 0,
  'grpc.service_config_disable_resolution': 1,
};

// The service config with the retry policy; one attempt: none.
function configOf(attempts, codes) {
  if (attempts === 1) return undefined;
  const retryPolicy = {maxAttempts: attempts, initialBackoff: '0.001s',
    maxBackoff: '0.002s', backoffMultiplier: 1, retryableStatusCodes: codes};
  return {methodConfig: [{name: [{}], retryPolicy}]};
}

class Node {
  constructor(options) {
    this.options = options;
    this.owned = ['observe', 'enforce'].includes(options.ownership);
    this.counts = new Counts(options.name, options.callee);
    this.dice = new Dice(options.seed, options.name, options['fail-rate'],
      options['healthy-first']);
    this.clients = options.callee.map((callee) => this.#clientOf(callee));
    this.server = this.#makeServer();
  }

  #clientOf(callee) {
    const config = configOf(this.options.attempts, this.options['retry-codes']);
    const interceptor = errorClaim.clientInterceptor({
      config,
      failOpen: callee.failOpen,
      onStopped: (why) => this.counts.retries_stopped[why]++,
    });
    return new grpc.Client(callee.target, grpc.credentials.createInsecure(), {
      ...CONNECTION,
      ...(config && {'grpc.service_config': JSON.stringify(config)}),
      interceptors: this.owned ? [interceptor] : [],
    });
  }

  #makeServer() {
    const interceptor = errorClaim.serverInterceptor({
      mode: this.options.ownership,
      service: this.options.name,
      onSent: (claim) => this.counts.claims_sent[claim]++,
    });
    const server = new grpc.Server({interceptors: this.owned ? [interceptor] : []});
    const Call = (call, answer) => this.#serve(call, answer);
    const Stats = (call, answer) => this.#serveStats(call, answer);
    server.addService(DEFINITION, {Call, Stats});
    const own = {...DEFINITION.Call, path: `/${this.options.name}/Call`};
    if (own.path !== DEFINITION.Call.path)
      server.addService({Call: own}, {Call});
    return server;
  }

  // Resolves to the port.
  listen() {
    return new Promise((resolve, reject) => this.server.bindAsync(
      this.options.listen, grpc.ServerCredentials.createInsecure(),
      (error, port) => error ? reject(error) : resolve(port)));
  }

  async #serve(call, answer) {
    this.counts.own.served++;
    const fails = this.dice.throw();
    const {error, nodes_below} = await this.#callCallees(call, fails);
    if (!error) {
      answer(null, {node: this.options.name, nodes_below});
      return;
    }
    this.counts.own.errors++;
    answer(error);
  }

  #serveStats(call, answer) {
    const json = this.counts.json('stats');
    if (call.request.reset) this.counts.reset();
    answer(null, {json});
  }

  // Calls them in order, no further than one that fails the call.
  async #callCallees(call, fails) {
    let failed = null, nodes_below = 0;
    const wanted = call.metadata.get('eown-node-callee');
    const unknown = wanted.find((name) =>
      !this.options.callee.some((callee) => callee.name === name));
    if (unknown !== undefined)
      return {error: {code: grpc.status.INVALID_ARGUMENT,
        details: `eown-node-callee: '${unknown}': expected the name of a callee ` +
          `of ${this.options.name}`}};
    for (const [i, callee] of this.options.callee.entries()) {
      if (wanted.length > 0 && !wanted.includes(callee.name)) continue;
      if (failed && !fails) break;
      const {error, reply} = await this.#callCallee(call, i);
      if (reply) nodes_below += 1 + (reply.nodes_below ?? 0);
      else if (!callee.failOpen) failed ??= error;
    }
    if (fails) this.counts.own.own_failures++;
    return {error: fails ? this.#ownError() : failed, nodes_below};
  }

  #ownError() {
    return {code: this.options['fail-status'],
      details: `${this.options.name} fails by itself`};
  }

  #callCallee(call, i) {
    this.counts.own.made++;
    this.counts.callees[i].calls++;
    const start = () => new Promise((resolve) => {
      this.#request(call, i, (error, reply) => {
        if (error) this.counts.failed(i, error.metadata);
        resolve(error
          ? {error: {code: error.code, details: error.details}} : {reply});
      });
    });
    return this.options.context === 'none'
      ? errorClaim.detached(start) : start();
  }

  #request(call, i, ended) {
    const tie = this.options.context === 'none'
      ? {deadline: call.getDeadline()} : {parent: call};
    this.clients[i].makeUnaryRequest(`/${this.options.callee[i].name}/Call`,
      DEFINITION.Call.requestSerialize, DEFINITION.Call.responseDeserialize,
      call.request, new grpc.Metadata(), tie, ended);
  }

  // Ends calls in progress, at most for a while, and then resolves.
  async stop() {
    await new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.server.forceShutdown();
        resolve();
      }, GRACE_MS);
      this.server.tryShutdown(() => {
        clearTimeout(timer);
        resolve();
      });
    });
    for (const client of this.clients) client.close();
  }
}

module.exports = {Node, DEFINITION, configOf};
