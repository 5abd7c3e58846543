# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
# frozen_string_literal: true

require 'grpc'

# gRPC for Ruby 1.51 sends initial metadata by themselves before the status of an
# error. No gRPC client retries what comes after initial metadata, so no error of
# a Ruby server is ever retried. With this, errors before which nothing was sent
# leave as Trailers-Only: initial metadata and status in one batch.
module TrailersOnly
  include GRPC::Core::CallOps

  def send_status(code = GRPC::Core::StatusCodes::OK, details = '',
                  assert_finished = false, metadata: {})
    operations = {
      SEND_STATUS_FROM_SERVER => Struct::Status.new(code, details, metadata)
    }
    @send_initial_md_mutex.synchronize do
      operations[SEND_INITIAL_METADATA] = @metadata_to_send unless @metadata_sent
      @metadata_sent = true
    end
    operations[RECV_CLOSE_ON_SERVER] = nil if assert_finished
    @call.run_batch(operations)
    set_output_stream_done
    nil
  end
end

GRPC::ActiveCall.prepend(TrailersOnly)
