# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
# frozen_string_literal: true

require 'grpc'

# Whether the caller of an inbound call still wants its answer.
class Cancellation
  LONGEST_WAIT_S = 3600 # at a time

  # The block is called once somebody wants to know: it has cancel called.
  def initialize(&watch)
    @watch = watch
    @lock = Mutex.new
    @changed = ConditionVariable.new
    @cancelled = @finished = false
    @hooks = []
  end

  def cancelled? = @cancelled

  # The handler is through: what comes now is no cancellation.
  def finish
    @lock.synchronize { @finished = true }
  end

  def cancel
    hooks = @lock.synchronize do
      next [] if @finished || @cancelled

      @cancelled = true
      @changed.broadcast
      @hooks.dup
    end
    hooks.each(&:call)
  end

  # Has the hook called where the call is cancelled during the block.
  def during(hook)
    watch
    @lock.synchronize { @hooks << hook }
    hook.call if @cancelled
    yield
  ensure
    @lock.synchronize { @hooks.delete(hook) }
  end

  # Waits so long; false: cancelled meanwhile.
  def sleep(seconds)
    watch
    ends = now + seconds
    @lock.synchronize do
      while !@cancelled && (left = ends - now).positive?
        @changed.wait(@lock, [left, LONGEST_WAIT_S].min)
      end
      !@cancelled
    end
  end

  private

  def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

  def watch
    starts = @lock.synchronize do
      next if @finished

      @watch.tap { @watch = nil }
    end
    starts&.call(self)
  end
end

# gRPC for Ruby learns that a call was cancelled only as it answers. This asks
# before, in a thread of its own: the operation is then left out of the answer.
module EarlyClose
  RECV_CLOSE = GRPC::Core::CallOps::RECV_CLOSE_ON_SERVER

  # Has the block called once the call is over, answered or not.
  def watch_close
    @close_asked = true
    @close = Thread.new do
      ask_close
      yield
    end
  end

  def run_batch(operations)
    return super unless @close_asked && operations.key?(RECV_CLOSE)

    super(operations.reject { |operation, _| operation == RECV_CLOSE })
  end

  def close
    @close&.join unless Thread.current == @close
    super
  end

  private

  def ask_close
    plain_run_batch(RECV_CLOSE => nil)
  rescue GRPC::Core::CallError
    nil
  end
end

GRPC::Core::Call.class_eval do
  alias_method :plain_run_batch, :run_batch
  prepend EarlyClose
end
