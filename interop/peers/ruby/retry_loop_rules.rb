# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
# frozen_string_literal: true

require_relative 'error_claim_rules'

# The application's own retry loop by the protocol (protos/PROTOCOL.md), without
# gRPC: what it decides, how long it waits, what it can be told.
module RetryLoopRules
  # Ends after which the call has had its retry, or the loop held it back.
  HELD_BACK = %w[committed attempts deadline unclaimed budget chain multiplied
                 pushback].freeze
  STATUSES = %w[CANCELLED UNKNOWN INVALID_ARGUMENT DEADLINE_EXCEEDED NOT_FOUND
                ALREADY_EXISTS PERMISSION_DENIED RESOURCE_EXHAUSTED
                FAILED_PRECONDITION ABORTED OUT_OF_RANGE UNIMPLEMENTED INTERNAL
                UNAVAILABLE DATA_LOSS UNAUTHENTICATED].freeze
  MODES = %w[off observe enforce].freeze
  WAIT_MAX_MS = 86_400_000

  # What decides. `status` is 'ok', 'cancelled', 'listed' or 'other', `pushback`
  # 'none', 'wait' or 'stop'.
  View = Struct.new(:status, :claim, :committed, :calls_left, :time_left, :budget_empty,
                    :chained, :attempts_left, :pushback, keyword_init: true)

  module_function

  # Why the loop ends, or 'retry'. `owned`: ownership decides too.
  def reason(view, owned: true)
    rows = { 'ok' => view.status == 'ok', 'cancelled' => view.status == 'cancelled',
             'status' => view.status != 'listed', 'committed' => view.committed,
             'attempts' => !view.calls_left, 'deadline' => !view.time_left }
    rows.update(owned_rows(view)) if owned
    rows['pushback'] = view.pushback == 'stop'
    rows.key(true) || 'retry'
  end

  def owned_rows(view)
    { 'unclaimed' => view.claim == ErrorClaim::UNCLAIMED, 'budget' => view.budget_empty,
      'chain' => view.chained, 'multiplied' => !view.attempts_left }
  end

  # gRPC's wait before the retry of this number (from 1); `random`: 0 to 1.
  def backoff_ms(initial_ms, max_ms, multiplier, again, random)
    [initial_ms * multiplier.to_f**(again - 1), max_ms].min * (0.8 + 0.4 * random)
  end
end

# What a retry loop is told. `budget`: of what retries may cost, such as a
# RetryBudget; `chain_stop`: no retry for an inbound call that is one. `claim_alias`
# and `trust_boundary` are for stubs without the interceptor.
class RetryOptions
  DEFAULTS = { max_attempts: 3, codes: ['UNAVAILABLE'], initial_backoff_ms: 100,
               max_backoff_ms: 1000, backoff_multiplier: 2, mode: 'enforce',
               budget: nil, chain_stop: false, claim_alias: nil,
               trust_boundary: false }.freeze
  attr_reader(*DEFAULTS.keys)

  def initialize(**options)
    unknown = options.keys - DEFAULTS.keys
    refuse(unknown.first, options[unknown.first], 'no such option') unless unknown.empty?
    DEFAULTS.merge(options).each { |name, value| instance_variable_set("@#{name}", value) }
    check
    @claim_alias = ErrorClaim.alias_of(@claim_alias)
  end

  private

  def check
    number(:max_attempts, 1, 100, whole: true)
    number(:initial_backoff_ms, 0, RetryLoopRules::WAIT_MAX_MS)
    number(:max_backoff_ms, 0, RetryLoopRules::WAIT_MAX_MS)
    number(:backoff_multiplier, 1, 1000)
    mode_known = RetryLoopRules::MODES.include?(@mode)
    refuse(:mode, @mode, 'off, observe or enforce') unless mode_known
    check_codes
  end

  def number(name, least, most, whole: false)
    value = instance_variable_get("@#{name}")
    kinds = whole ? [Integer] : [Integer, Float]
    good = kinds.any? { |kind| value.is_a?(kind) } && value >= least && value <= most
    refuse(name, value, "a #{'whole ' if whole}number from #{least} to #{most}") unless good
  end

  def check_codes
    expected = 'names of gRPC status codes other than OK'
    refuse(:codes, @codes, expected) unless @codes.is_a?(Array)
    unknown = @codes - RetryLoopRules::STATUSES
    refuse(:codes, unknown.first, expected) unless unknown.empty?
  end

  def refuse(name, value, expected)
    raise ArgumentError, "#{name}: got #{value.inspect}, expected #{expected}"
  end
end
