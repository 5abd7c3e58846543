# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
# frozen_string_literal: true

# One node of a call graph, for interop tests and the storm lab.

require 'grpc'
require 'json'

require 'eown/interop/v1/node_pb'

require_relative 'error_claim'
require_relative 'node_callee'
require_relative 'node_counts'
require_relative 'node_dice'
require_relative 'node_options'
require_relative 'trailers_only'

Messages = Eown::Interop::V1

# What serves the calls.
class Node
  CALLEE_KEY = 'eown-node-callee'

  attr_reader :counts

  def initialize(options)
    @options = options
    @dice = Dice.new(options)
    @counts = Counts.new(options)
    @callees = options.callees.map { |callee| Callee.new(callee, options, @counts) }
  end

  def call(request, call)
    @counts.add(:served)
    fails = @dice.throw
    onward = Messages::CallRequest.new(id: request.id, payload: request.payload)
    failed, below = call_callees(onward, call, fails)
    give_up(fails, failed)
    Messages::CallReply.new(node: @options.name, nodes_below: below)
  end

  def stats(request)
    reply = Messages::StatsReply.new(json: @counts.json('stats'))
    @counts.reset if request.reset
    reply
  end

  private

  # The first error that counts, and the answers got.
  def call_callees(onward, call, fails)
    failed = nil
    below = 0
    wanted(call).each do |callee|
      reply, error = callee.call(onward, call)
      below += 1 + reply.nodes_below if reply
      failed ||= error unless callee.fail_open?
      break if failed && !fails
    end
    [failed, below]
  end

  def wanted(call)
    only = ErrorClaim.values(call.metadata, CALLEE_KEY)
    (only - @callees.map(&:name)).each { |name| refuse(name) }
    only.empty? ? @callees : @callees.select { |callee| only.include?(callee.name) }
  end

  def refuse(name)
    @counts.add(:errors)
    raise GRPC::InvalidArgument,
          "#{CALLEE_KEY}: '#{name}': expected the name of a callee of #{@options.name}"
  end

  # Status and message of the callee's error go on, its trailers do not.
  def give_up(fails, failed)
    return unless fails || failed

    @counts.add(:errors)
    raise GRPC::BadStatus.new_status_exception(failed.code, failed.details) unless fails

    @counts.add(:own_failures)
    code = GRPC::Core::StatusCodes.const_get(@options.fail_status)
    raise GRPC::BadStatus.new_status_exception(code, "#{@options.name} fails by itself")
  end
end

# An object with the handlers of a service: its calls are the node's.
def service(node, name, **rpcs)
  described = Class.new do
    include GRPC::GenericService
    self.service_name = name
    self.marshal_class_method = :encode
    self.unmarshal_class_method = :decode
    rpcs.each { |rpc_name, messages| rpc rpc_name, *messages }
  end
  Class.new(described) do
    define_method(:call) { |request, call| node.call(request, call) }
    define_method(:stats) { |request, _| node.stats(request) }
  end.new
end

# The services of a node: its own, and the one that all nodes have.
def services_of(node, name)
  call = [Messages::CallRequest, Messages::CallReply]
  stats = [Messages::StatsRequest, Messages::StatsReply]
  [service(node, name, Call: call),
   service(node, 'eown.interop.v1.Node', Call: call, Stats: stats)]
end

THREADS = 128
GRACE_S = 2

def make_server(options, counts)
  interceptors = []
  if options.intercepts?
    interceptors << ErrorClaim::ServerInterceptor.new(
      service_name: options.name, observe: options.ownership == 'observe',
      &counts.method(:add)
    )
  end
  GRPC::RpcServer.new(pool_size: THREADS, poll_period: GRACE_S,
                      interceptors: interceptors, server_args: { 'grpc.so_reuseport' => 0 })
end

# The port; ends the process where it cannot be had.
def listen(server, address)
  port = server.add_http2_port(address, :this_port_is_insecure)
  port.positive? ? port : abort("node: --listen: cannot serve #{address}")
rescue RuntimeError
  abort("node: --listen: cannot serve #{address}")
end

def announce(server, name, port)
  server.wait_till_running
  $stdout.puts(JSON.generate(event: 'ready', name: name, port: port, language: 'Ruby',
                             version: RUBY_VERSION, grpc: "ruby-grpc #{GRPC::VERSION}"))
end

def main
  $stdout.sync = true
  options = NodeOptions.parse(ARGV)
  node = Node.new(options)
  server = make_server(options, node.counts)
  services_of(node, options.name).each { |service| server.handle(service) }
  port = listen(server, options.listen)
  ready = Thread.new { announce(server, options.name, port) }
  server.run_till_terminated_or_interrupted(%w[SIGTERM SIGINT], 1)
  ready.join
  $stdout.puts(node.counts.json('exit'))
end

main if $PROGRAM_NAME == __FILE__
