// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
'use strict';

const {setTimeout: sleep} = require('node:timers/promises');
const grpc = require('@grpc/grpc-js');
const {RetryLoop, clientInterceptor, detached} = require('../errorclaim');
const {codeOf} = require('../errorclaim/codes');
const {DEFINITION} = require('./definition');

const CONNECTION = {
  'grpc.use_local_subchannel_pool': 1,
  'grpc.initial_reconnect_backoff_ms': 50,
  'grpc.max_reconnect_backoff_ms': 200,
  'grpc.enable_http_proxy': 0,
  'grpc.service_config_disable_resolution': 1,
};

// The service config with the retry policy; undefined: gRPC makes no retries.
function configOf({attempts, 'retry-codes': codes, 'retry-by': by}) {
  if (attempts === 1 || by === 'application') return undefined;
  const retryPolicy = {maxAttempts: attempts, initialBackoff: '0.001s',
    maxBackoff: '0.002s', backoffMultiplier: 1, retryableStatusCodes: codes};
  return {methodConfig: [{name: [{}], retryPolicy}]};
}

// A callee of a node, called as the node's options say.
class Callee {
  #path;
  #count; // which one, in the counts
  #options;
  #counts;
  #client;

  constructor({name, target, failOpen}, count, options, counts) {
    Object.assign(this, {name, failOpen});
    this.#path = `/${name}/Call`;
    this.#count = count;
    this.#options = options;
    this.#counts = counts;
    this.#client = this.#connect(target);
  }

  #connect(target) {
    const {ownership} = this.#options;
    const owned = ownership === 'observe' || ownership === 'enforce';
    const config = configOf(this.#options);
    const interceptor = clientInterceptor({
      mode: ownership,
      config,
      failOpen: this.failOpen,
      onStopped: (reason) => this.#counts.stopped(reason),
    });
    return new grpc.Client(target, grpc.credentials.createInsecure(), {
      ...CONNECTION,
      ...(config && {'grpc.service_config': JSON.stringify(config)}),
      interceptors: owned ? [interceptor] : [],
    });
  }

  // Calls it for the inbound call `inbound`. Resolves to {reply} or, after the
  // retries there are, {error}.
  async call(inbound) {
    const call = () => this.#callInContext(inbound);
    try {
      const {context} = this.#options;
      return {reply: await (context === 'none' ? detached(call) : call())};
    } catch ({code, details}) {
      return {error: {code, details}};
    }
  }

  #callInContext(inbound) {
    const {'retry-by': by, ownership} = this.#options;
    if (by === 'grpc') return this.#callOnce(inbound);
    if (ownership === 'stock') return this.#callInPlainLoop(inbound);
    return this.#retryLoop(inbound)
      .run((metadata) => this.#callOnce(inbound, metadata));
  }

  #retryLoop(inbound) {
    const {attempts, 'retry-codes': codes, ownership, context} = this.#options;
    return new RetryLoop({
      maxAttempts: attempts,
      codes,
      initialBackoffMs: 1.5, // with its jitter from 1.2 to 1.8
      maxBackoffMs: 2,
      backoffMultiplier: 1,
      mode: ownership,
      method: this.#path,
      deadline: inbound.getDeadline(),
      parent: context === 'parent' ? inbound : undefined,
      onDecision: ({reason}) => this.#counts.stopped(reason),
    });
  }

  // As people write it: it looks at the status and the number of calls alone.
  async #callInPlainLoop(inbound) {
    const {attempts, 'retry-codes': names} = this.#options;
    const codes = names.map(codeOf);
    for (let calls = 1; ; calls++) {
      try {
        return await this.#callOnce(inbound);
      } catch (error) {
        if (calls === attempts || !codes.includes(error.code)) throw error;
      }
      await sleep(1 + Math.random());
    }
  }

  #callOnce(inbound, metadata = new grpc.Metadata()) {
    this.#counts.started(this.#count);
    const tie = this.#options.context === 'none'
      ? {deadline: inbound.getDeadline()} : {parent: inbound};
    const {requestSerialize, responseDeserialize} = DEFINITION.Call;
    return new Promise((resolve, reject) => this.#client.makeUnaryRequest(
      this.#path, requestSerialize, responseDeserialize, inbound.request,
      metadata, tie, (error, reply) => {
        if (!error) return resolve(reply);
        this.#counts.failed(this.#count, error.metadata);
        reject(error);
      }));
  }

  close() {
    this.#client.close();
  }
}

module.exports = {Callee};
