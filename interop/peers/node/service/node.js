// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
'use strict';

// One node of a call graph: a server, and its callees.

const grpc = require('@grpc/grpc-js');
const {serverInterceptor} = require('../errorclaim');
const {Callee} = require('./callee');
const {Counts} = require('./counts');
const {DEFINITION} = require('./definition');
const {Dice} = require('./dice');

const GRACE_MS = 2000;

class Node {
  constructor(options) {
    this.options = options;
    this.counts = new Counts(options.name, options.callee);
    this.dice = new Dice(options.seed, options.name, options['fail-rate'],
      options['healthy-first']);
    this.callees = options.callee.map(
      (callee, i) => new Callee(callee, i, options, this.counts));
    this.server = this.#makeServer();
  }

  #makeServer() {
    const {ownership} = this.options;
    const interceptor = serverInterceptor({
      mode: ownership,
      service: this.options.name,
      onSent: (claim) => this.counts.claims_sent[claim]++,
    });
    const owned = ownership === 'observe' || ownership === 'enforce';
    const server = new grpc.Server({interceptors: owned ? [interceptor] : []});
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
      !this.callees.some((callee) => callee.name === name));
    if (unknown !== undefined)
      return {error: {code: grpc.status.INVALID_ARGUMENT,
        details: `eown-node-callee: '${unknown}': expected the name of a callee ` +
          `of ${this.options.name}`}};
    for (const callee of this.callees) {
      if (wanted.length > 0 && !wanted.includes(callee.name)) continue;
      if (failed && !fails) break;
      const {error, reply} = await callee.call(call);
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
    for (const callee of this.callees) callee.close();
  }
}

module.exports = {Node};
