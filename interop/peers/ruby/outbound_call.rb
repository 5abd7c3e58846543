# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
# frozen_string_literal: true

require 'grpc'

# An interceptor of gRPC for Ruby can't change the metadata of a call but in the
# caller's own hash, which may be frozen or in use elsewhere. So here a call has a
# rule that makes its metadata, and a retry loop gets hold of the call.
module OutboundCall
  # A block: from the metadata that the application gives, those that are sent.
  attr_writer :metadata_rule

  %i[request_response client_streamer server_streamer bidi_streamer].each do |form|
    define_method(form) do |request, metadata: {}, &block|
      Thread.current[:error_claim_loop_call]&.made(self)
      unless @metadata_rule.nil? || @metadata_sent
        @metadata_to_send = @metadata_rule.call(@metadata_to_send.merge(metadata))
        metadata = {}
      end
      super(request, metadata: metadata, &block)
    end
  end
end

GRPC::ActiveCall.prepend(OutboundCall)
