# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
# frozen_string_literal: true

require 'grpc'

require_relative 'cancellation'
require_relative 'error_claim_rules'
require_relative 'outbound_call'
require_relative 'trailers_only'

# The error-claim protocol (protos/PROTOCOL.md) for gRPC services in Ruby: rules 1
# to 3, without memory.
#
#   stub = Shop::Stock::Stub.new(
#     target, credentials, channel_args: { 'grpc.service_config' => config },
#     interceptors: [ErrorClaim::ClientInterceptor.new(service_config: config)])
#   server = GRPC::RpcServer.new(interceptors: [ErrorClaim::ServerInterceptor.new])
#
# gRPC for Ruby retries below its interceptors: there the pushback of an unclaimed
# error stops the retry, and attempts cannot be counted. So an error that the
# service config's retry policy covers counts as retried (rule 2). An application
# that retries by itself does so with RetryLoop.
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

  # The deadline of an inbound call, or nil. gRPC for Ruby gives a time before 1970
  # where there is none.
  def self.deadline_of(call)
    deadline = call.deadline
    deadline if deadline.is_a?(Time) && deadline.to_i.positive?
  end

  Failure = Struct.new(:path, :at, :status, :attempts, :satisfied, :fail_open, :detail)

  # What one inbound call knows of the outbound calls made for it. The application
  # may set `claim`, to CLAIMED or UNCLAIMED: its own word.
  class Inbound
    attr_reader :path, :claim_alias, :deadline, :cancellation
    attr_accessor :claim

    # deadline: a Time, or nil; claim_alias: no business of the application.
    def initialize(path = '', marked: false, claim_alias: nil, deadline: nil,
                   cancellation: Cancellation.new)
      @path = path
      @marked = marked
      @claim_alias = claim_alias
      @deadline = deadline
      @cancellation = cancellation
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
    # edge from before its start; after one of these it was a retry. Returns what
    # note_loop knows a failure by.
    def record(path, started, status, satisfied: false, fail_open: false, detail: nil)
      @lock.synchronize do
        before = attempts(path, started)
        @failures.reject! { |failure| failure.path == path && failure.at <= started }
        next @clock if status == 'OK'

        @failures << Failure.new(path, @clock += 1, status, before + 1,
                                 satisfied || before.positive?, fail_open, detail)
        @clock
      end
    end

    # A retry loop ended with this failure, after so many attempts.
    def note_loop(at, attempts, held_back)
      @lock.synchronize do
        @failures.select { |failure| failure.at == at }.each do |failure|
          failure.attempts = attempts
          failure.satisfied ||= held_back
        end
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

  # How an outbound call ended, as the interceptor saw it: for a retry loop.
  Ended = Struct.new(:inbound, :failure, :claim, :attempts, :observe)

  # One outbound call, from its start on.
  class Outbound
    attr_reader :path, :inbound, :started, :loop_call

    def initialize(path)
      @path = path
      @inbound = ErrorClaim.current || Inbound.new
      @started, @repeats = @inbound.start(path)
      loop_call = Thread.current[:error_claim_loop_call]
      @loop_call = loop_call if loop_call&.take?(path)
    end

    def marked? = @repeats || @inbound.marked?
  end

  # Ties outbound calls to the inbound one. `service_config` is the channel's;
  # `fail_open`: patterns of paths ('/shop.Ads/*') that the service carries on
  # without; `observe`: retry loops above stop nothing. A block hears
  # 'stopped_unclaimed'.
  class ClientInterceptor < GRPC::ClientInterceptor
    def initialize(service_config: nil, fail_open: [], trust_boundary: false,
                   claim_alias: nil, observe: false, &on_event)
      super()
      @policies = ErrorClaim.retry_policies(service_config)
      @fail_open = Array(fail_open)
      @trust_boundary = trust_boundary
      @claim_alias = ErrorClaim.alias_of(claim_alias)
      @observe = observe
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
      outbound = Outbound.new(path)
      call.instance_variable_get(:@wrapped).metadata_rule = lambda do |metadata|
        ErrorClaim.request_metadata(metadata, outbound.marked?, boundary: @trust_boundary,
                                                                claim_alias: @claim_alias)
      end
      outbound
    end

    def watch(outbound)
      result = yield
      ended(outbound, 'OK')
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

      ended(outbound, 'OK')
      stream
    rescue GRPC::BadStatus => e
      failed(outbound, e)
      raise
    end

    def failed(outbound, error)
      ended(outbound, STATUS_NAMES.fetch(error.code, 'UNKNOWN'), error.metadata || {})
    end

    def ended(outbound, status, trailers = {})
      path = outbound.path
      claim = ErrorClaim.read_claim(trailers, @claim_alias) unless @trust_boundary
      policy = ErrorClaim.policy_of(@policies, path, status)
      @on_event.call('stopped_unclaimed') if claim == UNCLAIMED && policy == 'covers'
      failure = outbound.inbound.record(
        path, outbound.started, status,
        satisfied: ErrorClaim.criteria(claim, false, policy),
        fail_open: @fail_open.any? { |p| File.fnmatch(p, path) },
        detail: claim && ErrorClaim.read_detail(trailers)
      )
      tell_loop(outbound, status, trailers, failure, claim)
    end

    def tell_loop(outbound, status, trailers, failure, claim)
      return unless outbound.loop_call

      pushback, = ErrorClaim.pushback_of(trailers)
      attempts = ErrorClaim.attempts_of(@policies, outbound.path, status, pushback)
      outbound.loop_call.ended = Ended.new(outbound.inbound, failure, claim, attempts,
                                           @observe)
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
      @claim_alias = ErrorClaim.alias_of(claim_alias)
      @hidden = [CLAIM, DETAIL, @claim_alias].compact
      @hidden += [MARK, PREVIOUS] if trust_boundary # no handler may forward them
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
        call.output_metadata.replace(ErrorClaim.own_trailers(call.output_metadata, @claim_alias))
        result
      rescue GRPC::Core::CallError
        raise # gRPC sends no status
      rescue StandardError, NotImplementedError => e
        raise answer(inbound, as_status(e))
      ensure
        inbound.cancellation.finish
      end
    end

    def arrive(call, method)
      marked = !@trust_boundary && ErrorClaim.marked?(call.metadata)
      @hidden.each { |key| call.metadata.delete(key) }
      Inbound.new(path_of(method), marked: marked, claim_alias: @claim_alias,
                                   deadline: ErrorClaim.deadline_of(call),
                                   cancellation: cancellation_of(call))
    end

    def cancellation_of(call)
      core = call.instance_variable_get(:@wrapped).instance_variable_get(:@call)
      Cancellation.new { |cancellation| core.watch_close { cancellation.cancel } }
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
      trailers = ErrorClaim.own_trailers(error.metadata, @claim_alias)
      status = STATUS_NAMES.fetch(error.code, 'UNKNOWN')
      speak(inbound, status, trailers) unless @trust_boundary
      GRPC::BadStatus.new_status_exception(error.code, error.details, trailers)
    end

    def speak(inbound, status, trailers)
      claim, detail = inbound.decide(status, @service_name)
      @on_event.call("sent_#{claim}")
      trailers[PUSHBACK] = '-1' if claim == UNCLAIMED && !@observe
      [CLAIM, @claim_alias].compact.each { |key| trailers[key] = claim }
      trailers[DETAIL] = detail.to_proto
    end
  end

  # An OK answer is sent before its interceptors are back: gRPC reads its trailers
  # here, where no claims are left.
  module OwnTrailers
    def output_metadata
      inbound = ErrorClaim.current
      return super unless inbound

      super.replace(ErrorClaim.own_trailers(super, inbound.claim_alias))
    end
  end

  GRPC::ActiveCall.prepend(OwnTrailers)
end
