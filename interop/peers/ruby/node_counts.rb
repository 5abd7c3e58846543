# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
# frozen_string_literal: true

require 'json'

# What a node counts.
class Counts
  NODE = %i[served errors own_failures made].freeze
  CALLEE = %i[calls errors claimed unclaimed missing other].freeze

  def initialize(options)
    @options = options
    @lock = Mutex.new
    reset
  end

  def reset
    @values = Hash.new(0)
  end

  def add(*key)
    @lock.synchronize { @values[key] += 1 }
  end

  # Of its own retry loop.
  def loop_ended(reason)
    add('stopped_unclaimed') if reason == 'unclaimed'
    add(reason) if reason == 'multiplied'
  end

  def json(event)
    JSON.generate(
      event: event, name: @options.name, **NODE.to_h { |key| [key, @values[[key]]] },
      retries_stopped: { unclaimed: @values[['stopped_unclaimed']], budget: 0, chain: 0,
                         multiplied: @values[['multiplied']] },
      claims_sent: { claimed: @values[['sent_claimed']],
                     unclaimed: @values[['sent_unclaimed']] },
      callees: @options.callees.map { |callee| of_callee(callee.name) }
    )
  end

  private

  def of_callee(name)
    { name: name, **CALLEE.to_h { |key| [key, @values[[name, key]]] } }
  end
end
