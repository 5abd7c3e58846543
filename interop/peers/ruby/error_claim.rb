# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
# frozen_string_literal: true

require 'grpc'

require_relative 'error_claim_rules'
require_relative 'trailers_only'

# The error-claim protocol (protos/PROTOCOL.md) for gRPC services in Ruby: rules 1
# to 3, without memory and budget.
#
#   stub = Shop::Stock::Stub.new(
#     target, credentials, channel_args: { 'grpc.service_config' => config },
#     interceptors: [ErrorClaim::ClientInterceptor.new(service_config: config)])
#   server = GRPC::RpcServer.new(interceptors: [ErrorClaim::ServerInterceptor.new])
#
# gRPC for Ruby retries below its interceptors: there the pushback of an unclaimed
# error stops the retry, and attempts cannot be counted. So an error that the
# service config's retry policy covers counts as retried (rule 2). An application
# that retries by itself asks ErrorClaim.may_retry.
module ErrorClaim
  STATUS_NAMES = GRPC::Core::StatusCodes.constants.to_h do |name|
    [GRPC::Core::StatusCodes.const_get(name), name.to_s]
  end.freeze

  # The inbound call that this thread (or fiber) runs for, or nil.
  def self.current
    Thread.current[:error_claim_inbound]
  end

  # Runs the block for an inbound call: in threads and fibers a handler starts.
  def self.with(inbound)
    previous = current
    Thread.current[:error_claim_inbound] = inbound
    yield
  ensure
    Thread.current[:error_claim_inbound] = previous
  end

  Failure = Struct.new(:path, :at, :status, :attempts, :satisfied, :fail_open, :detail)

  # What one inbound call knows of the outbound calls made for it. The application
  # may set `claim`, to CLAIMED or UNCLAIMED: its own word.
  class Inbound
    attr_reader :path, :keys
    attr_accessor :claim

    # keys: of claims, which are no business of the application.
    def initialize(path = '', marked: false, keys: [])
      @path = path
      @marked = marked
      @keys = keys
      @lock = Mutex.new
      @clock = 0 # failures so far
      @failures = []
    end

    # Whether this inbound call is a retry itself.
    def marked? = @marked

    # The application has retried, by its own means, what failed so far.
    def retried!
      @lock.synchronize { @failures.each { |failure| failure.satisfied = true } }
    end

    # The moment an outbound call starts, and whether it repeats a failed one.
    def start(path)
      @lock.synchronize { [@clock, attempts(path, @clock).positive?] }
    end

    # An outbound call ended. Its outcome stands in the place of failures on its
    # edge from before its start; after one of these it was a retry.
    def record(path, started, status, satisfied: false, fail_open: false, detail: nil)
      @lock.synchronize do
        before = attempts(path, started)
        @failures.reject! { |failure| failure.path == path && failure.at <= started }
        next if status == 'OK'

        @failures << Failure.new(path, @clock += 1, status, before + 1,
                                 satisfied || before.positive?, fail_open, detail)
      end
    end

    # Rule 3: the claim and the detail for an error that leaves.
    def decide(status, service_name = nil)
      reason, speaker = @lock.synchronize { strongest(status) }
      said = claim || ErrorClaim.claim_of(reason)
      reason = Reason::APPLICATION if claim
      attempts = speaker ? speaker.attempts : 0
      if said == UNCLAIMED && speaker
        return said, ErrorClaim.passed_on(speaker.detail, speaker.path, attempts, reason)
      end

      service, method = ErrorClaim.split(path)
      [said, ErrorClaim.make_detail(service_name || service, method, 0, attempts, reason)]
    end

    private

    def attempts(path, started)
      @failures.sum do |failure|
        earlier = failure.path == path && failure.at <= started
        earlier && FAULTS.include?(failure.status) ? failure.attempts : 0
      end
    end

    def strongest(status)
      @failures.reduce([Reason::OWN, nil]) do |strongest, failure|
        reason = reason_for(failure, status)
        stronger = reason != Reason::OWN && reason >= strongest.first
        stronger ? [reason, failure] : strongest
      end
    end

    def reason_for(failure, status)
      passes = !FAULTS.include?(status) && failure.status == status
      ErrorClaim.reason_of(FAULTS.include?(failure.status) || passes,
                           failure.fail_open, failure.satisfied || passes)
    end
  end

  # Ties outbound calls to the inbound one. `service_config` is the channel's;
  # `fail_open`: patterns of paths ('/shop.Ads/*') that the service carries on
  # without. A block hears 'stopped_unclaimed'.
  class ClientInterceptor < GRPC::ClientInterceptor
    def initialize(service_config: nil, fail_open: [], trust_boundary: false,
                   claim_alias: nil, &on_event)
      super()
      @policies = ErrorClaim.retry_policies(service_config)
      @fail_open = fail_open
      @trust_boundary = trust_boundary
      @claim_alias = claim_alias
      @on_event = on_event || proc {}
    end

    def request_response(call: nil, method: nil, **)
      watch(start(method, call)) { yield }
    end

    def client_streamer(call: nil, method: nil, **)
      watch(start(method, call)) { yield }
    end

    def server_streamer(call: nil, method: nil, **, &stream)
      replies(start(method, call), &stream)
    end

    def bidi_streamer(call: nil, method: nil, **, &stream)
      replies(start(method, call), &stream)
    end

    private

    def start(path, call)
      inbound = ErrorClaim.current || Inbound.new
      started, repeats = inbound.start(path)
      mark(call) if (inbound.marked? || repeats) && !@trust_boundary
      [inbound, path, started]
    end

    # In the call's own metadata: the caller's may be frozen or in use elsewhere.
    def mark(call)
      active = call.instance_variable_get(:@wrapped)
      active.merge_metadata_to_send(MARK => '1') unless active.metadata_sent
    end

    def watch(outbound)
      result = yield
      ended(*outbound, 'OK')
      result
    rescue GRPC::BadStatus => e
      failed(outbound, e)
      raise
    end

    # A stream that is not read in a block ends when it has been read.
    def replies(outbound)
      stream = yield
      if stream.is_a?(Enumerator)
        return Enumerator.new { |out| watch(outbound) { stream.each { |r| out << r } } }
      end

      ended(*outbound, 'OK')
      stream
    rescue GRPC::BadStatus => e
      failed(outbound, e)
      raise
    end

    def failed(outbound, error)
      ended(*outbound, STATUS_NAMES.fetch(error.code, 'UNKNOWN'), error.metadata)
    end

    def ended(inbound, path, started, status, trailers = {})
      trailers = {} if @trust_boundary
      claim = ErrorClaim.read_claim(trailers, @claim_alias)
      policy = ErrorClaim.policy_of(@policies, path, status)
      @on_event.call('stopped_unclaimed') if claim == UNCLAIMED && policy == 'covers'
      inbound.record(path, started, status,
                     satisfied: ErrorClaim.criteria(claim, false, policy),
                     fail_open: @fail_open.any? { |p| File.fnmatch(p, path) },
                     detail: claim && ErrorClaim.read_detail(trailers))
    end
  end
  # Says of each error that leaves whether this service caused it. `observe`: without
  # pushback; `trust_boundary`: say and believe nothing. A block hears 'sent_claimed'
  # and 'sent_unclaimed'.
  class ServerInterceptor < GRPC::ServerInterceptor
    def initialize(service_name: nil, observe: false, trust_boundary: false,
                   claim_alias: nil, &on_event)
      super()
      @service_name = service_name
      @observe = observe
      @trust_boundary = trust_boundary
      @claim_keys = [CLAIM, claim_alias].compact
      @keys = [*@claim_keys, DETAIL]
      @on_event = on_event || proc {}
    end

    def request_response(call: nil, method: nil, **, &handler)
      serve(call, method, &handler)
    end

    alias client_streamer request_response
    alias server_streamer request_response
    alias bidi_streamer request_response

    private

    def serve(call, method, &handler)
      inbound = arrive(call, method)
      begin
        result = ErrorClaim.with(inbound, &handler)
        @keys.each { |key| call.output_metadata.delete(key) }
        result
      rescue GRPC::Core::CallError
        raise # gRPC sends no status
      rescue StandardError, NotImplementedError => e
        raise answer(inbound, as_status(e))
      end
    end

    def arrive(call, method)
      marked = !@trust_boundary && ErrorClaim.marked?(call.metadata)
      @keys.each { |key| call.metadata.delete(key) }
      Inbound.new(path_of(method), marked: marked, keys: @keys)
    end

    # gRPC names the method by its handler.
    def path_of(method)
      service = method.receiver.class
      name = service.rpc_descs.keys.find do |rpc|
        GRPC::GenericService.underscore(rpc.to_s) == method.name.to_s
      end
      "/#{service.service_name}/#{name}"
    end

    # The status that gRPC makes of an exception.
    def as_status(error)
      return error if error.is_a?(GRPC::BadStatus)
      return GRPC::DeadlineExceeded.new('late') if error.is_a?(GRPC::Core::OutOfTime)

      GRPC.logger.warn(error)
      GRPC::Unknown.new("#{error.class}: #{error.message}")
    end

    def answer(inbound, error)
      trailers = (error.metadata || {}).reject { |key, _| @keys.include?(key.to_s) }
      status = STATUS_NAMES.fetch(error.code, 'UNKNOWN')
      speak(inbound, status, trailers) unless @trust_boundary
      GRPC::BadStatus.new_status_exception(error.code, error.details, trailers)
    end

    def speak(inbound, status, trailers)
      claim, detail = inbound.decide(status, @service_name)
      @on_event.call("sent_#{claim}")
      if claim == UNCLAIMED && !@observe
        trailers.delete_if { |key, _| key.to_s == PUSHBACK }
        trailers[PUSHBACK] = '-1'
      end
      @claim_keys.each { |key| trailers[key] = claim }
      trailers[DETAIL] = detail.to_proto
    end
  end

  # An OK answer is sent before its interceptors are back: gRPC reads its trailers
  # here, where no claims are left.
  module OwnTrailers
    def output_metadata
      keys = ErrorClaim.current&.keys || []
      super.delete_if { |key, _| keys.include?(key.to_s) }
    end
  end

  GRPC::ActiveCall.prepend(OwnTrailers)
end
