# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
# frozen_string_literal: true

require 'grpc'
require 'json'

require 'eown/interop/v1/node_pb'

require_relative 'error_claim'
require_relative 'retry_loop'

# A callee, its channel and its retry policy.
class Callee
  CHANNEL = { 'grpc.use_local_subchannel_pool' => 1, 'grpc.enable_http_proxy' => 0,
              'grpc.initial_reconnect_backoff_ms' => 50,
              'grpc.min_reconnect_backoff_ms' => 5000,
              'grpc.max_reconnect_backoff_ms' => 200 }.freeze
  ENCODE = Eown::Interop::V1::CallRequest.method(:encode)
  DECODE = Eown::Interop::V1::CallReply.method(:decode)

  attr_reader :name

  def initialize(callee, options, counts)
    @name = callee.name
    @fail_open = callee.fail_open
    @path = "/#{@name}/Call"
    @options = options
    @counts = counts
    @loop = retry_loop
    config = retry_policy
    arguments = config ? CHANNEL.merge('grpc.service_config' => config) : CHANNEL
    @stub = GRPC::ClientStub.new(
      callee.target, :this_channel_is_insecure, channel_args: arguments,
                                                interceptors: interceptors(config)
    )
  end

  def fail_open? = @fail_open

  # The reply, and the error where there is none.
  def call(request, inbound)
    reply = if @options.context == 'none'
              ErrorClaim.with(nil) { call_repeatedly(request) }
            else
              call_repeatedly(request, deadline: ErrorClaim.deadline_of(inbound))
            end
    [reply, nil]
  rescue GRPC::BadStatus => e
    [nil, e]
  end

  private

  # A service config with little backoff; nil: one attempt only.
  def retry_policy
    return unless @options.policy?

    JSON.generate(methodConfig: [{ name: [{}], retryPolicy: {
                    maxAttempts: @options.attempts, initialBackoff: '0.005s',
                    maxBackoff: '0.005s', backoffMultiplier: 1,
                    retryableStatusCodes: @options.retry_codes
                  } }])
  end

  def interceptors(config)
    return [] unless @options.intercepts?

    [ErrorClaim::ClientInterceptor.new(
      service_config: config, fail_open: @fail_open ? [@path] : [],
      observe: @options.ownership == 'observe', &@counts.method(:add)
    )]
  end

  # nil: none, or one by hand.
  def retry_loop
    return if !@options.loops? || @options.ownership == 'stock'

    RetryLoop.new(max_attempts: @options.attempts, codes: @options.retry_codes,
                  initial_backoff_ms: 1.5, max_backoff_ms: 1.5, backoff_multiplier: 1,
                  mode: @options.ownership, &@counts.method(:loop_ended))
  end

  def call_repeatedly(request, **where)
    return call_by_hand(request, where) unless @loop

    @loop.call(path: @path) { |given| send_request(request, **where, **given) }
  end

  # A loop as people write them, where the node is to loop.
  def call_by_hand(request, where)
    left = @options.loops? ? @options.attempts : 1
    begin
      left -= 1
      send_request(request, **where)
    rescue GRPC::BadStatus => e
      raise if left.zero? || !@options.retry_codes.include?(ErrorClaim::STATUS_NAMES[e.code])

      sleep(rand(0.001..0.002))
      retry
    end
  end

  def send_request(request, **more)
    @counts.add(:made)
    @counts.add(@name, :calls)
    @stub.request_response(@path, request, ENCODE, DECODE, **more)
  rescue GRPC::BadStatus => e
    note(e)
    raise
  end

  def note(error)
    @counts.add(@name, :errors)
    words = ErrorClaim.values(error.metadata, ErrorClaim::CLAIM)
    known = words.size == 1 && [ErrorClaim::CLAIMED, ErrorClaim::UNCLAIMED] & words != []
    @counts.add(@name, if known then words.first.to_sym
                       elsif words.empty? then :missing
                       else :other
                       end)
  end
end
