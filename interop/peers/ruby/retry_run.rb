# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
# frozen_string_literal: true

require_relative 'error_claim'
require_relative 'retry_loop_rules'

# A call that a retry loop makes: by this it hears of what the interceptor saw.
class LoopCall
  attr_accessor :ended

  def initialize(path)
    @path = path
    @taken = false
    @lock = Mutex.new
    @actives = []
    @cancelled = false
  end

  # Other calls, such as another interceptor's own, are not the loop's.
  def take?(path)
    return false if @taken || !['', path].include?(@path)

    @taken = true
  end

  # gRPC makes the call.
  def made(active)
    @lock.synchronize { @actives << active }
    cancel if @cancelled
  end

  def cancel
    @cancelled = true
    @lock.synchronize { @actives.dup }.each do |active|
      active.cancel
    rescue StandardError
      nil # it has ended
    end
  end
end

# The calls that a retry loop makes in the place of one: begin and call; again once
# the call has ended. After a "no" it has ended and says so.
class RetryRun
  # reason: in a mode that observes, what enforce would say
  Answer = Struct.new(:again, :wait_ms, :reason)
  ENDED = Answer.new(false, 0, 'ended').freeze

  attr_reader :inbound

  def initialize(options, path: nil, timeout: nil, &on_reason)
    @options = options
    @path = path.to_s
    @on_reason = on_reason || proc {}
    @inbound = ErrorClaim.current || ErrorClaim::Inbound.new
    @deadline = [@inbound.deadline, timeout && (Time.now + timeout)].compact.min
    @calls = @attempts = @waits = @started = 0
    @lock = Mutex.new
    @ended = false
  end

  # What the call needs: a LoopCall, and the metadata and the deadline for the stub.
  def begin(metadata = {})
    @calls += 1
    @options.budget&.deposit
    @call = LoopCall.new(@path)
    more = @deadline ? { deadline: @deadline } : {}
    return @call, { metadata: metadata, **more } if @options.mode == 'off'

    @started, = @inbound.start(@path)
    marked = @calls > 1 || @inbound.marked?
    [@call, { metadata: ErrorClaim.request_metadata(
      metadata, marked, boundary: @options.trust_boundary, claim_alias: @options.claim_alias
    ), **more }]
  end

  # An Answer: whether to call again, and after how long a wait.
  def again(status, trailers = {}, committed: false)
    answer = @lock.synchronize do
      next ENDED if @ended || @call.nil?

      ended = settle(status, trailers)
      @call = nil
      decide(status, trailers, committed, ended).tap { |a| @ended = !a.again }
    end
    @on_reason.call(answer.reason) unless answer.equal?(ENDED)
    answer
  end

  # Waits as long as the answer says; false: cancelled meanwhile.
  def wait?(answer)
    @inbound.cancellation.sleep(answer.wait_ms / 1000.0) || give_up
  end

  # Cancelled between two calls, or while one was under way.
  def give_up
    told = @lock.synchronize { @ended.tap { @ended = true } }
    @on_reason.call('cancelled') unless told
    false
  end

  private

  # What the interceptor saw or, without it, is seen here.
  def settle(status, trailers)
    return @call.ended if @call.ended
    return ErrorClaim::Ended.new(@inbound, 0, nil, 1, false) if @options.mode == 'off'

    claim = ErrorClaim.read_claim(trailers, @options.claim_alias) unless @options.trust_boundary
    failure = @inbound.record(@path, @started, status,
                              satisfied: ErrorClaim.criteria(claim, false, 'none'),
                              detail: claim && ErrorClaim.read_detail(trailers))
    ErrorClaim::Ended.new(@inbound, failure, claim, 1, false)
  end

  def decide(status, trailers, committed, ended)
    @attempts += ended.attempts
    pushback, asked_ms = ErrorClaim.pushback_of(trailers)
    wait_ms = pushback == 'wait' ? asked_ms : backoff_ms
    view = view_of(status, committed, wait_ms, ended, pushback)
    enforced = @options.mode == 'enforce' && !ended.observe
    reason = RetryLoopRules.reason(view, owned: @options.mode != 'off')
    again = RetryLoopRules.reason(view, owned: enforced) == 'retry'
    again ? go_on(pushback) : tell_inbound(status, reason, ended)
    Answer.new(again, wait_ms, reason)
  end

  def go_on(pushback)
    @waits = pushback == 'wait' ? 0 : @waits + 1
    @options.budget&.withdraw
  end

  # Rule 2: a loop with two calls or more is a retry policy.
  def tell_inbound(status, reason, ended)
    return if status == 'OK' || @options.mode == 'off'

    held_back = @options.max_attempts > 1 && RetryLoopRules::HELD_BACK.include?(reason)
    ended.inbound.note_loop(ended.failure, @attempts, held_back)
  end

  def backoff_ms
    RetryLoopRules.backoff_ms(@options.initial_backoff_ms, @options.max_backoff_ms,
                              @options.backoff_multiplier, @waits + 1, rand)
  end

  def view_of(status, committed, wait_ms, ended, pushback)
    RetryLoopRules::View.new(
      status: kind(status), claim: ended.claim, committed: committed,
      calls_left: @calls < @options.max_attempts,
      time_left: @deadline.nil? || wait_ms / 1000.0 < @deadline - Time.now,
      budget_empty: @options.budget&.empty? || false,
      chained: @options.chain_stop && @inbound.marked?,
      attempts_left: @attempts < @options.max_attempts, pushback: pushback
    )
  end

  def kind(status)
    return 'ok' if status == 'OK'
    return 'cancelled' if status == 'CANCELLED' || @inbound.cancellation.cancelled?

    @options.codes.include?(status) ? 'listed' : 'other'
  end
end
