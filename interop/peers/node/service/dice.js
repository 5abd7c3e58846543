// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
'use strict';

const MASK = (1n << 64n) - 1n;

// SplitMix64 (Steele, Lea, Flood 2014): output number n of a seed.
function splitMix(seed, n) {
  let z = (seed + (n + 1n) * 0x9e3779b97f4a7c15n) & MASK;
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & MASK;
  return z ^ (z >> 31n);
}

// Says which calls fail: the same ones as an eown-node of this name and seed.
class Dice {
  constructor(seed, name, rate, healthyFirst) {
    this.seed = [...Buffer.from(name)].reduce(
      (mixed, byte) => splitMix(mixed, BigInt(byte)), seed);
    this.rate = rate;
    this.healthyFirst = healthyFirst;
    this.thrown = 0n;
  }

  throw() {
    const n = this.thrown++;
    const unit = Number(splitMix(this.seed, n) >> 11n) * 2 ** -53;
    return n >= this.healthyFirst && unit < this.rate;
  }
}

module.exports = {Dice};
