# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
# frozen_string_literal: true

require 'json'
require 'minitest/autorun'

require 'error_claim'

# Real servers and clients of one service, in this process, for the tests.
module LocalServers
  DEADLINE_S = 20

  # A message that is its own bytes.
  class Bytes < String
    def self.encode(message) = message.to_s
    def self.decode(bytes) = new(bytes)
  end

  # What a client saw of a failed call.
  Error = Struct.new(:code, :message, :trailers) do
    def all(key) = ErrorClaim.values(trailers, key)
    def claims = all(ErrorClaim::CLAIM)
    def pushbacks = all(ErrorClaim::PUSHBACK)
    def detail = ErrorClaim::Detail.decode(all(ErrorClaim::DETAIL).first)
    def reason = detail.reason
    def owner = [detail.owner_service, detail.hops]
  end

  # Serves NAME/Call, and under NAME/Stream, Gather and Talk the other forms.
  class Server
    attr_reader :name, :stub_class
    attr_accessor :target
    attr_reader :metadata # of the requests

    def initialize(name, handler, interceptors)
      @name = name
      @handler = handler
      @metadata = Queue.new
      @server = GRPC::RpcServer.new(pool_size: 64, poll_period: 0.2,
                                    interceptors: interceptors)
      @target = "127.0.0.1:#{@server.add_http2_port('127.0.0.1:0', :this_port_is_insecure)}"
      service = make_service
      @stub_class = service.rpc_stub_class
      @server.handle(make_handlers(service).new)
      start
    end

    def stop
      @server.stop
      @thread.join
    end

    def serve(request, call)
      @metadata << call.metadata.dup
      @handler.call(request, call)
    end

    def served = @metadata.size

    # Of this key, in the requests in the order of arrival.
    def values(key)
      Array.new(served) { @metadata.pop }.map { |m| ErrorClaim.values(m, key) }
    end

    private

    def start
      @thread = Thread.new { @server.run }
      @server.wait_till_running
    end

    def make_service
      name = @name
      Class.new do
        include GRPC::GenericService
        self.service_name = name
        self.marshal_class_method = :encode
        self.unmarshal_class_method = :decode
        rpc :Call, Bytes, Bytes
        rpc :Stream, Bytes, stream(Bytes)
        rpc :Gather, stream(Bytes), Bytes
        rpc :Talk, stream(Bytes), stream(Bytes)
      end
    end

    def make_handlers(service)
      server = self
      Class.new(service) do
        define_method(:call) { |request, call| Bytes.new(server.serve(request, call).to_s) }
        define_method(:stream) { |request, call| server.serve(request, call) }
        define_method(:gather) do |call|
          Bytes.new(server.serve(call.each_remote_read.to_a, call).to_s)
        end
        define_method(:talk) { |requests, call| server.serve(requests.to_a, call) }
      end
    end
  end

  def teardown
    @servers&.map { |server| Thread.new { server.stop } }&.each(&:join)
  end

  def server(name, handler, *interceptors)
    (@servers ||= []).push(Server.new(name, handler, interceptors)).last
  end

  def claiming(name, handler, **options, &on_event)
    server(name, handler, ErrorClaim::ServerInterceptor.new(**options, &on_event))
  end

  def policy(attempts = 4, codes: ['UNAVAILABLE'])
    JSON.generate(methodConfig: [{ name: [{}], retryPolicy: {
                    maxAttempts: attempts, initialBackoff: '0.001s', maxBackoff: '0.002s',
                    backoffMultiplier: 1, retryableStatusCodes: codes
                  } }])
  end

  # A handler that always fails.
  def failing(code = 14, trailers = {}, message: 'down')
    proc { raise GRPC::BadStatus.new_status_exception(code, message, trailers.dup) }
  end

  # A handler that passes on what it calls, errors as they are.
  def passing(stub, **more)
    proc { |request, _| stub.call(request, deadline: deadline, **more) }
  end

  # The same, with the metadata of its request.
  def forwarding(stub)
    proc do |request, call|
      kept = call.metadata.select { |key, _| key.match?(/claim|previous|own/) }
      stub.call(request, deadline: deadline, metadata: kept.freeze)
    end
  end

  def deadline = Time.now + DEADLINE_S

  def stub(server, config, *interceptors)
    arguments = { 'grpc.use_local_subchannel_pool' => 1 }
    arguments['grpc.service_config'] = config if config
    server.stub_class.new(server.target, :this_channel_is_insecure,
                          channel_args: arguments, interceptors: interceptors)
  end

  # A client that knows nothing of the protocol.
  def stock(server, config: policy)
    stub(server, config)
  end

  # A client with the interceptor.
  def tied(server, config: policy, **options, &on_event)
    stub(server, config, ErrorClaim::ClientInterceptor.new(
                           service_config: config, **options, &on_event
                         ))
  end

  # Makes a call that must fail, and returns its error.
  def error_of(stub, request = '', **more)
    error_in { stub.call(Bytes.new(request), deadline: deadline, **more) }
  end

  # The error that the block must raise.
  def error_in(&block)
    seen = assert_raises(GRPC::BadStatus, &block)
    Error.new(seen.code, seen.details, seen.metadata)
  end
end
