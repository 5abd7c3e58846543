# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
# frozen_string_literal: true

require 'grpc'
require 'json'

require 'eown/interop/v1/node_pb'

require_relative 'error_claim'

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
    @context = options.context
    @counts = counts
    config = retry_policy(options)
    arguments = config ? CHANNEL.merge('grpc.service_config' => config) : CHANNEL
    @stub = GRPC::ClientStub.new(
      callee.target, :this_channel_is_insecure, channel_args: arguments,
                                                interceptors: interceptors(config, options)
    )
  end

  def fail_open? = @fail_open

  # The reply, and the error where there is none.
  def call(request, inbound)
    @counts.add(:made)
    @counts.add(@name, :calls)
    reply = if @context == 'none'
              ErrorClaim.with(nil) { send_request(request) }
            else
              send_request(request, deadline: inbound.deadline)
            end
    [reply, nil]
  rescue GRPC::BadStatus => e
    note(e)
    [nil, e]
  end

  private

  # A service config almost without backoff; nil: one attempt only.
  def retry_policy(options)
    return if options.attempts == 1

    JSON.generate(methodConfig: [{ name: [{}], retryPolicy: {
                    maxAttempts: options.attempts, initialBackoff: '0.001s',
                    maxBackoff: '0.002s', backoffMultiplier: 1,
                    retryableStatusCodes: options.retry_codes
                  } }])
  end

  def interceptors(config, options)
    return [] unless options.intercepts?

    fail_open = @fail_open ? ["/#{@name}/*"] : []
    [ErrorClaim::ClientInterceptor.new(service_config: config, fail_open: fail_open,
                                       &@counts.method(:add))]
  end

  def send_request(request, **where)
    @stub.request_response("/#{@name}/Call", request, ENCODE, DECODE, **where)
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
