// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
'use strict';

const {checkOptions, aNumber} = require('./check');

const WINDOW_S = 10;
const ROWS = {
  percent: {first: 20, ...aNumber(0, 1000)},
  minPerSecond: {first: 10, ...aNumber(0, 1e6)},
  now: {first: Date.now, good: (value) => typeof value === 'function',
    expected: 'a function that returns milliseconds'},
};

// A retry budget for several loops: over ten seconds, retries may make up
// `percent` of the first calls, and `minPerSecond` a second come on top.
class RetryBudget {
  constructor(options = {}) {
    this.options = checkOptions('RetryBudget', ROWS, options);
    this.buckets = Array.from({length: WINDOW_S},
      () => ({second: -1, firsts: 0, retries: 0}));
  }

  #bucket() {
    const second = Math.floor(this.options.now() / 1000);
    const bucket = this.buckets[second % WINDOW_S];
    if (bucket.second !== second)
      Object.assign(bucket, {second, firsts: 0, retries: 0});
    return bucket;
  }

  // Counts a first call.
  deposit() {
    this.#bucket().firsts++;
  }

  isEmpty() {
    const {second} = this.#bucket();
    const recent = this.buckets.filter((one) => one.second > second - WINDOW_S);
    const sum = (key) => recent.reduce((total, one) => total + one[key], 0);
    const {percent, minPerSecond} = this.options;
    const allowed = sum('firsts') * percent / 100 + minPerSecond * WINDOW_S;
    return sum('retries') + 1 > allowed;
  }

  // Counts a retry.
  withdraw() {
    this.#bucket().retries++;
  }
}

module.exports = {RetryBudget};
