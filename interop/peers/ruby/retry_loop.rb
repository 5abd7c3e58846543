# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
# frozen_string_literal: true

require_relative 'retry_budget'
require_relative 'retry_run'

# A retry loop around a stub that keeps to error ownership.
#
#   again = RetryLoop.new(max_attempts: 3, codes: ['UNAVAILABLE'])
#   reply = again.call(timeout: 2) { |options| stub.get(request, **options) }
#   again.stream(timeout: 2) { |options| stub.list(request, **options) }.each { ... }
#
# The block makes one call, with the options that it is given (metadata and
# deadline). It works with the interceptors (error_claim) and without; `path` is
# what is called then. It is free of state: one serves all threads.
class RetryLoop
  # options: of RetryOptions. The block hears why each call was the last one, or
  # 'retry'.
  def initialize(**options, &on_reason)
    @options = RetryOptions.new(**options)
    @on_reason = on_reason
  end

  # For loops by hand: a RetryRun.
  def run(path: nil, timeout: nil)
    RetryRun.new(@options, path: path, timeout: timeout, &@on_reason)
  end

  # The result of the block. `timeout`: in seconds, of all the calls together; each
  # ends with the inbound call's deadline as well.
  def call(path: nil, timeout: nil, metadata: {}, &block)
    run = run(path: path, timeout: timeout)
    loop do
      result = once(run, metadata, &block)
      run.again('OK')
      return result
    rescue GRPC::BadStatus => e
      raise unless goes_on?(run, e)
    end
  end

  # The messages of the stream that the block returns: it is made again up to the
  # first of them.
  def stream(path: nil, timeout: nil, metadata: {}, &block)
    run = run(path: path, timeout: timeout)
    Enumerator.new { |out| replies(run, metadata, out, &block) }
  end

  private

  def replies(run, metadata, out, &block)
    committed = false
    once(run, metadata) do |options|
      block.call(options).each do |reply|
        committed = true
        out << reply
      end
    end
    run.again('OK')
  rescue GRPC::BadStatus => e
    raise unless goes_on?(run, e, committed: committed)

    retry
  end

  # One call; what ends it but a status is the application's, or an interrupt.
  def once(run, metadata)
    loop_call, options = run.begin(metadata)
    tied(run, loop_call) do
      run.inbound.cancellation.during(loop_call.method(:cancel)) do
        ended = false
        result = yield options
        ended = true
        result
      rescue GRPC::BadStatus
        ended = true
        raise
      ensure
        abandon(run, loop_call) unless ended
      end
    end
  end

  def abandon(run, loop_call)
    loop_call.cancel
    run.give_up
  end

  # An enumerator may run in a fiber of its own, which knows of no inbound call.
  def tied(run, loop_call, &block)
    previous = Thread.current[:error_claim_loop_call]
    Thread.current[:error_claim_loop_call] = loop_call
    return yield if ErrorClaim.current

    ErrorClaim.with(run.inbound, &block)
  ensure
    Thread.current[:error_claim_loop_call] = previous
  end

  def goes_on?(run, error, committed: false)
    status = ErrorClaim::STATUS_NAMES.fetch(error.code, 'UNKNOWN')
    answer = run.again(status, error.metadata || {}, committed: committed)
    answer.again && run.wait?(answer)
  end
end
