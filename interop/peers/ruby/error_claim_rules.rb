# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
# frozen_string_literal: true

require 'json'

require 'eown/v1/error_claim_pb'

# The rules of the error-claim protocol (protos/PROTOCOL.md), without gRPC: what is
# believed, what is retried, what is said. Metadata are a hash whose values are
# strings or, under a repeated key, arrays; status codes go by their names.
module ErrorClaim
  Detail = Eown::V1::ErrorClaim
  Reason = Detail::Reason

  CLAIM = 'error-claim'
  DETAIL = 'error-claim-bin'
  MARK = 'error-claim-retry'
  PUSHBACK = 'grpc-retry-pushback-ms'
  PREVIOUS = 'grpc-previous-rpc-attempts'
  CLAIMED = 'claimed'
  UNCLAIMED = 'unclaimed'
  FAULTS = %w[UNKNOWN DEADLINE_EXCEEDED RESOURCE_EXHAUSTED ABORTED INTERNAL
              UNAVAILABLE DATA_LOSS].freeze
  DETAIL_BYTES = 256
  NAME_BYTES = 108
  MOST = 2**32 - 1
  GRPC_ATTEMPTS_MAX = 5 # more attempts gRPC's policies never make

  module_function

  # --- what is received -------------------------------------------------------

  def values(metadata, key)
    Array((metadata || {})[key])
  end

  # CLAIMED, UNCLAIMED or, where nothing can be believed, nil.
  def read_claim(metadata, claim_alias = nil)
    found = [CLAIM, claim_alias].compact.map { |key| values(metadata, key) }
    words = found.flatten.uniq
    return if found.any? { |under_key| under_key.size > 1 } || words.size != 1

    words.first if [CLAIMED, UNCLAIMED].include?(words.first)
  end

  def read_detail(metadata)
    found = values(metadata, DETAIL)
    parse_detail(found.first) if found.size == 1
  end

  # A Detail, or nil where it must be ignored.
  def parse_detail(bytes)
    return if bytes.bytesize > DETAIL_BYTES

    detail = Detail.decode(bytes)
    return unless "#{detail.owner_service}#{detail.owner_method}".match?(/\A[ -~]*\z/)

    detail.reason = :NONE if detail.reason.is_a?(Integer)
    detail
  rescue Google::Protobuf::ParseError
    nil
  end

  # A second key for the claim, as it is on the wire, or nil.
  def alias_of(key)
    claim_alias = key.to_s.downcase
    if [DETAIL, MARK, PUSHBACK, PREVIOUS].include?(claim_alias) || claim_alias.end_with?('-bin')
      raise ArgumentError, "claim_alias: got '#{key}', expected a key of its own, for text"
    end

    claim_alias unless ['', CLAIM].include?(claim_alias)
  end

  # Whether a request is a retry, by this protocol's mark or by gRPC's.
  def marked?(metadata)
    values(metadata, MARK).include?('1') ||
      values(metadata, PREVIOUS).any? { |count| count.b.match?(/\A0*[1-9][0-9]*\z/n) }
  end

  # The callee's pushback (gRPC A6): 'none', 'wait' or 'stop', and the wait in ms.
  # What is no number says no, as in gRPC.
  def pushback_of(metadata)
    found = values(metadata, PUSHBACK)
    return ['none', 0] if found.empty?
    return ['stop', 0] unless found.all? { |value| value.to_s.b.match?(/\A[0-9]{1,18}\z/n) }

    ['wait', found.last.to_i]
  end

  # --- the rules ----------------------------------------------------------------

  # Rule 1: 'ok', 'allowed', or why an attempt must not be retried.
  def may_retry(failed, claim, budget_empty: false, chained: false)
    return 'ok' unless failed
    return 'unclaimed' if claim == UNCLAIMED
    return 'budget' if budget_empty

    chained ? 'chain' : 'allowed'
  end

  # Rule 2: whether a failed outbound call has had its retry.
  def criteria(claim, retried, policy, application: false)
    claim == UNCLAIMED || retried || policy == 'covers' || application
  end

  # Rule 3 for one outbound call; of several the greatest reason speaks.
  def reason_of(failed, fail_open, satisfied)
    return Reason::OWN unless failed
    return Reason::COINCIDENTAL if fail_open

    satisfied ? Reason::PROPAGATED : Reason::AT_LEAST_ONCE
  end

  def claim_of(reason)
    reason == Reason::PROPAGATED ? UNCLAIMED : CLAIMED
  end

  # The retry policies of a service config (JSON text or hash) by service, method.
  def retry_policies(service_config)
    service_config = JSON.parse(service_config) if service_config.is_a?(String)
    methods = (service_config || {}).fetch('methodConfig', [])
    methods.each_with_object({}) do |entry, policies|
      entry.fetch('name', []).each do |name|
        policies[name.values_at('service', 'method').map(&:to_s)] = entry['retryPolicy']
      end
    end
  end

  def policy_for(policies, path)
    service, method = split(path)
    name = [[service, method], [service, ''], ['', '']].find { |n| policies.key?(n) }
    policies[name]
  end

  # Whether a policy 'covers' the status, or has it 'not_listed'; or 'none'.
  def policy_of(policies, path, status)
    policy = policy_for(policies, path)
    return 'none' unless policy

    policy['retryableStatusCodes'].include?(status) ? 'covers' : 'not_listed'
  end

  # How many attempts a failed call took, for those who can't see them: where gRPC's
  # policy covers the status and nobody stopped it, all that it allows.
  def attempts_of(policies, path, status, pushback)
    return 1 if policy_of(policies, path, status) != 'covers' || pushback == 'stop'

    policy_for(policies, path).fetch('maxAttempts', 1).clamp(1, GRPC_ATTEMPTS_MAX)
  end

  # --- what is sent ---------------------------------------------------------------

  # The metadata of an outbound call: with one mark where it is a retry or the
  # application forwarded one. Beyond a trust boundary goes nothing.
  def request_metadata(metadata, again, boundary: false, claim_alias: nil)
    given = metadata.to_h.transform_keys(&:to_s)
    return given.except(CLAIM, DETAIL, MARK, PREVIOUS, claim_alias) if boundary

    marked = again || values(given, MARK).include?('1')
    marked ? given.merge(MARK => '1') : given.except(MARK)
  end

  # The trailing metadata of a handler without what it copied from a callee: the
  # claim keys and, with them, a pushback that says no.
  def own_trailers(metadata, claim_alias = nil)
    given = metadata.to_h.transform_keys(&:to_s)
    own = given.except(CLAIM, DETAIL, claim_alias)
    copied = own.size < given.size
    copied && pushback_of(own).first == 'stop' ? own.except(PUSHBACK) : own
  end

  # Service and method of a gRPC path; what is none names the service.
  def split(path)
    path.match(%r{\A/([^/]*)/(.*)\z}m)&.captures || [path, '']
  end

  def printable(text)
    text.b[0, NAME_BYTES].gsub(/[^ -~]/n, '?').force_encoding('UTF-8')
  end

  def make_detail(service, method, hops, attempts, reason)
    Detail.new(owner_service: printable(service), owner_method: printable(method),
               hops: [hops, MOST].min, attempts: attempts, reason: reason)
  end

  # The detail of an unclaimed error, from that of the callee (or nil).
  def passed_on(received, path, attempts, reason = Reason::PROPAGATED)
    if received.nil? || received.owner_service.empty?
      return make_detail(*split(path), 1, attempts, reason)
    end

    make_detail(received.owner_service, received.owner_method, received.hops + 1,
                attempts, reason)
  end
end
