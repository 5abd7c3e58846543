# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
# Usage: relay.rb NAME FORM CALLEE=HOST:PORT
# The same service in Ruby, without generated code. FORM is plain, or thread: the
# outbound call is made on a thread of its own.
require 'grpc'

NAME, FORM, CALLEE, TARGET = ARGV[0], ARGV[1], *ARGV[2].split('=', 2)
CONFIG = '{"methodConfig":[{"name":[{}],"retryPolicy":{"maxAttempts":2,' \
         '"initialBackoff":"0.001s","maxBackoff":"0.001s",' \
         '"backoffMultiplier":1,"retryableStatusCodes":["UNAVAILABLE"]}}]}'

# A message: any bytes.
class Bytes
  attr_reader :text

  def initialize(text)
    @text = text
  end

  def self.encode(bytes)
    bytes.text
  end

  def self.decode(text)
    new(text)
  end
end

class Relay
  include GRPC::GenericService
  self.marshal_class_method = :encode
  self.unmarshal_class_method = :decode
  self.service_name = NAME
  rpc :Call, Bytes, Bytes

  def initialize
    @stub = GRPC::ClientStub.new(TARGET, :this_channel_is_insecure,
                                 channel_args: {
                                   'grpc.service_config' => CONFIG,
                                   'grpc.enable_http_proxy' => 0
                                 })
  end

  def call(request, _call)
    FORM == 'thread' ? Thread.new { pass(request) }.value : pass(request)
  end

  def pass(request)
    @stub.request_response("/#{CALLEE}/Call", request,
                           Bytes.method(:encode), Bytes.method(:decode))
  end
end

Thread.report_on_exception = false
$stdout.sync = true
server = GRPC::RpcServer.new(pool_size: 4)
port = server.add_http2_port('127.0.0.1:0', :this_port_is_insecure)
server.handle(Relay.new)
puts %({"event":"ready","port":#{port}})
server.run_till_terminated_or_interrupted(['TERM'])
puts '{"event":"exit"}'
