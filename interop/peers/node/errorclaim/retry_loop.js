// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
'use strict';

// The application's own retry loop. With the client interceptor it takes the
// interceptor's word for what a call was; without, it reads the trailers.

const {checkOptions, aBoolean, aFunction, aNumber, aWholeNumber, oneOf} =
  require('./check');
const {CODES, codeOf} = require('./codes');
const {currentInbound} = require('./context');
const {AttemptMetadata, dress, newAttempt, readTrailers} =
  require('./metadata');
const {backoffMs, isHeldBack, loopReason} = require('./rules');

const WAIT_MAX_MS = 86400000; // a day
const TIMER_MAX_MS = 2 ** 31 - 1; // setTimeout takes no longer one
const MODES = ['off', 'observe', 'enforce']; // the weaker ones first

const isTime = (value) => !Number.isNaN(Number(value)) &&
  (typeof value === 'number' || value instanceof Date);
const isBudget = (value) => ['deposit', 'isEmpty', 'withdraw']
  .every((name) => typeof value?.[name] === 'function');
const isCall = (value) => typeof value?.getDeadline === 'function';
const isCodes = (value) => Array.isArray(value) &&
  value.every((code) => codeOf(code) !== undefined);

// The options of a RetryLoop.
const ROWS = {
  // Calls, and attempts of all of them together.
  maxAttempts: {first: 3, ...aWholeNumber(1, 100)},
  codes: {first: ['UNAVAILABLE'], good: isCodes,
    expected: 'an array of names or numbers of gRPC status codes'},
  initialBackoffMs: {first: 100, ...aNumber(0, WAIT_MAX_MS)},
  maxBackoffMs: {first: 1000, ...aNumber(0, WAIT_MAX_MS)},
  backoffMultiplier: {first: 2, ...aNumber(1, 1000)},
  // Of the loop as a whole; the inbound call's holds as well.
  deadline: {first: Infinity, good: isTime,
    expected: 'a Date or milliseconds since 1970'},
  // A channel's interceptor that has a weaker one wins.
  mode: {first: 'enforce', ...oneOf(...MODES)},
  budget: {first: null, good: isBudget,
    expected: 'an object with deposit, isEmpty and withdraw'},
  // No retry where the inbound call is one.
  chainStop: {first: false, ...aBoolean},
  // The inbound call of grpc-js, where its server has no interceptor.
  parent: {first: null, good: isCall, expected: 'a call that a server got'},
  // Told each decision, {again, waitMs, reason}. Where the mode is to observe,
  // the reason is what enforce would say.
  onDecision: {first: () => {}, ...aFunction},

  // For channels without the client interceptor: the path that is called, a
  // second key for the claim, and whether to believe and send nothing.
  method: {first: '', good: (value) => typeof value === 'string',
    expected: "a path like '/package.Service/Method'"},
  alias: {first: undefined, good: (value) => typeof value === 'string',
    expected: 'the name of a metadata key'},
  boundary: {first: false, ...aBoolean},

  now: {first: Date.now, ...aFunction},
  random: {first: Math.random, ...aFunction},
};

const ENDED = Object.freeze({again: false, waitMs: 0, reason: 'ended'});

// Decides whether to call again. For one call of the application's:
//
//   const retry = new RetryLoop({maxAttempts: 4});
//   for (;;) {
//     try {
//       return await get(request, retry.begin(metadata));
//     } catch (error) {
//       if (!await retry.again(error)) throw error;
//     }
//   }
//
// or, the same: `retry.run((sent) => get(request, sent), metadata)`.
class RetryLoop {
  #options;
  #codes;
  #inbound = currentInbound();
  #calls = 0;
  #attempts = 0;
  #backoffs = 0; // since the start, or since a pushback
  #call = null; // the one in progress
  #reason = null;

  // Throws where an option is bad.
  constructor(options = {}) {
    this.#options = checkOptions('RetryLoop', ROWS, options);
    this.#codes = new Set(this.#options.codes.map(codeOf));
  }

  // Why it has ended; null where it has not.
  get reason() {
    return this.#reason;
  }

  // The next call begins: returns the metadata to make it with, a copy of
  // `metadata`, which may be left out. They carry the mark where it is a retry.
  begin(metadata) {
    const attempt = newAttempt();
    this.#calls++;
    this.#call = {attempt, started: this.#inbound?.sequence};
    if (this.#calls === 1) this.#options.budget?.deposit();
    if (this.#options.mode === 'off')
      return new AttemptMetadata(metadata, attempt, false);
    const marked = this.#calls > 1 || this.#inbound?.marked;
    return dress(metadata, attempt, {...this.#options, marked});
  }

  // The call has ended, with `error` or, where that is null, well. Says at once
  // whether to call again, after which wait, and why: {again, waitMs, reason}.
  // committed: the application has a part of the answer. A loop that has ended
  // says so ('ended').
  decide(error, {committed = false} = {}) {
    if (this.#reason) return ENDED;
    if (!this.#call) this.begin();
    const end = this.#endOf(error);
    this.#call = null;
    this.#attempts += end.attempts;
    const answer = this.#answerTo(end, committed);
    this.#options.onDecision(answer);
    if (answer.again) this.#prepare(end);
    else this.#finish(end, answer.reason);
    return answer;
  }

  // The same, and waits: resolves to whether to call again.
  async again(error, facts) {
    const {again, waitMs} = this.decide(error, facts);
    if (!again) return false;
    await this.#wait(waitMs);
    if (!this.#isCancelled()) return true;
    this.#reason = 'cancelled';
    this.#options.onDecision({again: false, waitMs: 0, reason: 'cancelled'});
    return false;
  }

  // Makes `call` with the metadata to send until it succeeds or the loop ends;
  // resolves to its reply, or rejects with the last error.
  async run(call, metadata) {
    for (;;) {
      let reply;
      try {
        reply = await call(this.begin(metadata));
      } catch (error) {
        if (!await this.again(error)) throw error;
        continue;
      }
      this.decide(null);
      return reply;
    }
  }

  // What the call was: by the interceptor's word, or by the trailers.
  #endOf(error) {
    const {attempt: {seen, count}, started} = this.#call;
    const code = error ? error.code : CODES.OK;
    const {mode, method} = this.#options;
    if (seen) {
      const weaker = Math.min(MODES.indexOf(mode), MODES.indexOf(seen.mode));
      return {...seen, code, mode: MODES[weaker]};
    }
    const end = {method, started, failOpen: false, code, attempts: count,
      policy: 'none', ...readTrailers(error?.metadata, this.#options), mode,
      inbound: this.#inbound};
    // What is no gRPC error was no call.
    if (mode !== 'off' && typeof code === 'number') end.inbound?.record(end);
    return end;
  }

  #answerTo(end, committed) {
    const waitMs = end.pushback.kind === 'wait' ? end.pushback.ms
      : backoffMs(this.#backoff(), this.#backoffs + 1, this.#options.random());
    const view = this.#viewOf(end, committed, waitMs);
    const again = loopReason(view, end.mode === 'enforce') === 'retry';
    const reason = loopReason(view, end.mode !== 'off');
    return {again, waitMs: again ? waitMs : 0, reason};
  }

  #backoff() {
    const {initialBackoffMs, maxBackoffMs, backoffMultiplier} = this.#options;
    return {initialMs: initialBackoffMs, maxMs: maxBackoffMs,
      multiplier: backoffMultiplier};
  }

  #viewOf(end, committed, waitMs) {
    const {maxAttempts, budget, chainStop} = this.#options;
    return {
      status: this.#statusOf(end.code),
      claim: end.claim,
      committed,
      callsLeft: this.#calls < maxAttempts,
      timeLeft: waitMs < this.#leftMs(),
      budgetEmpty: budget !== null && budget.isEmpty(),
      chained: chainStop && Boolean(end.inbound?.marked),
      attemptsLeft: this.#attempts < maxAttempts,
      pushback: end.pushback.kind,
    };
  }

  #statusOf(code) {
    if (code === CODES.OK) return 'ok';
    if (code === CODES.CANCELLED || this.#isCancelled()) return 'cancelled';
    return this.#codes.has(code) ? 'listed' : 'other';
  }

  #isCancelled() {
    return Boolean(this.#inbound?.cancelled || this.#options.parent?.cancelled);
  }

  #leftMs() {
    const {deadline, parent, now} = this.#options;
    const ends = [deadline, this.#inbound?.deadline, parent?.getDeadline()];
    return Math.min(...ends.map((end) => Number(end ?? Infinity))) - now();
  }

  #prepare(end) {
    this.#backoffs = end.pushback.kind === 'wait' ? 0 : this.#backoffs + 1;
    if (end.mode !== 'off') this.#options.budget?.withdraw();
  }

  // A loop that allows two calls is a retry policy: tells the inbound call
  // whether it was held back.
  #finish(end, reason) {
    this.#reason = reason;
    if (end.mode === 'off' || end.code === CODES.OK) return;
    const heldBack = this.#options.maxAttempts > 1 && isHeldBack(reason);
    end.inbound?.noteLoop(end.method, end.code, this.#attempts, heldBack);
  }

  // Resolves after `ms`, or as soon as the inbound call is cancelled.
  #wait(ms) {
    return new Promise((resolve) => {
      const {parent} = this.#options;
      let timer, left = Math.ceil(ms);
      const done = () => {
        clearTimeout(timer);
        forget?.();
        parent?.removeListener('cancelled', done);
        resolve();
      };
      const sleep = () => {
        const part = Math.min(left, TIMER_MAX_MS);
        left -= part;
        timer = setTimeout(left > 0 ? sleep : done, part);
      };
      const forget = this.#inbound?.onCancel(done);
      parent?.on('cancelled', done);
      sleep();
      if (this.#isCancelled()) done();
    });
  }
}

module.exports = {RetryLoop};
