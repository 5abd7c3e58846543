// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
package eown.node;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

/** Says which calls fail: the same ones as an eown-node of this name and seed. */
final class Dice {
  private final long seed;
  private final long healthyFirst; // unsigned
  private final double rate;
  private final AtomicLong thrown = new AtomicLong();

  Dice(String name, long seed, long healthyFirst, double rate) {
    long mixed = seed;
    for (byte c : name.getBytes(StandardCharsets.UTF_8)) {
      mixed = splitMix(mixed, c);
    }
    this.seed = mixed;
    this.healthyFirst = healthyFirst;
    this.rate = rate;
  }

  /** SplitMix64 (Steele, Lea, Flood 2014): output number n of a seed. */
  static long splitMix(long seed, long n) {
    long z = seed + (n + 1) * 0x9e3779b97f4a7c15L;
    z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
    z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
    return z ^ z >>> 31;
  }

  boolean fails() {
    long n = thrown.getAndIncrement();
    double unit = (splitMix(seed, n) >>> 11) * 0x1p-53;
    return Long.compareUnsigned(n, healthyFirst) >= 0 && unit < rate;
  }
}
