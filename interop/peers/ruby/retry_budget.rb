# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
# frozen_string_literal: true

# A retry budget, to be shared by retry loops: each call adds `percent` of a retry
# to it, up to `most` retries.
class RetryBudget
  def initialize(percent: 10, most: 10)
    unless percent.between?(0, 100)
      raise ArgumentError, "percent: got #{percent}, expected 0 to 100"
    end
    unless most.between?(0, 1_000_000)
      raise ArgumentError, "most: got #{most}, expected 0 to 1000000"
    end

    @percent = percent
    @left = @most = most * 100
    @lock = Mutex.new
  end

  # A call is made.
  def deposit
    @lock.synchronize { @left = [@left + @percent, @most].min }
  end

  def empty? = @left < 100

  # A call is made again.
  def withdraw
    @lock.synchronize { @left = [@left - 100, 0].max }
  end
end
