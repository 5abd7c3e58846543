# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
# frozen_string_literal: true

# Which calls fail: those of eown-node with the same seed, name and rate.
class Dice
  WORD = 2**64 - 1

  def initialize(options)
    @options = options
    @lock = Mutex.new
    @thrown = 0
    @seed = options.name.bytes.reduce(options.seed) { |seed, byte| split_mix(seed, byte) }
  end

  def throw
    n = @lock.synchronize { (@thrown += 1) - 1 }
    unit = (split_mix(@seed, n) >> 11) * 2.0**-53
    n >= @options.healthy_first && unit < @options.fail_rate
  end

  private

  # SplitMix64 (Steele, Lea, Flood 2014): output number n of a seed.
  def split_mix(seed, n)
    z = (seed + (n + 1) * 0x9e3779b97f4a7c15) & WORD
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9 & WORD
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb & WORD
    z ^ (z >> 31)
  end
end
