# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
# frozen_string_literal: true

require 'local_servers'

# What passes, what is replaced, what is ignored.
class WireTest < Minitest::Test
  include LocalServers

  def test_success_is_left_alone
    owner = claiming('D', proc { |request, _| request.reverse })
    operation = stock(claiming('C', passing(tied(owner)))).call(
      LocalServers::Bytes.new('abc'), return_op: true
    )
    assert_equal 'cba', operation.execute
    assert_equal({}, operation.trailing_metadata)
  end

  def test_success_carries_no_claim
    handler = proc do |request, call|
      call.output_metadata.merge!(ErrorClaim::CLAIM => 'claimed', 'own' => 'kept',
                                  ErrorClaim::DETAIL => '')
      request
    end
    operation = stock(claiming('D', handler)).call(LocalServers::Bytes.new('abc'),
                                                   return_op: true)
    operation.execute
    assert_equal({ 'own' => 'kept' }, operation.trailing_metadata)
  end

  def test_copied_trailers_are_replaced
    owner = server('D', failing(14, { ErrorClaim::CLAIM => 'claimed', 'own' => 'kept',
                                      ErrorClaim::DETAIL => "\n\u0001X",
                                      ErrorClaim::PUSHBACK => '70' }))
    server = claiming('C', passing(tied(owner, config: policy(2))))
    error = error_of(stock(server))
    assert_equal 1, server.served
    assert_equal [['unclaimed'], ['-1'], ['kept']],
                 [error.claims, error.pushbacks, error.all('own')]
    assert_equal ['X', 1], error.owner
  end

  def test_own_pushback_with_a_claimed_error
    server = claiming('D', failing(14, { ErrorClaim::PUSHBACK => '3' }))
    error = error_of(stock(server))
    assert_equal 4, server.served
    assert_equal [['claimed'], ['3']], [error.claims, error.pushbacks]
  end

  def test_values_that_cannot_be_believed
    [{ ErrorClaim::CLAIM => %w[unclaimed unclaimed] }, { ErrorClaim::CLAIM => 'shared' },
     { ErrorClaim::CLAIM => '' }, { ErrorClaim::CLAIM => 'unclaimed' * 50 },
     { ErrorClaim::DETAIL => "\xff".b }].each do |trailers|
      owner = server('D', failing(14, trailers))
      error = error_of(stock(claiming('C', passing(tied(owner, config: nil)))))
      assert_equal [14, 'down'], [error.code, error.message], trailers
      assert_equal [['claimed'], :AT_LEAST_ONCE], [error.claims, error.reason], trailers
    end
  end

  def test_bad_detail_leaves_the_claim
    owner = server('D', failing(14, { ErrorClaim::CLAIM => 'unclaimed',
                                      ErrorClaim::DETAIL => "\xff".b }))
    error = error_of(stock(claiming('C', passing(tied(owner, config: nil)))))
    assert_equal [['unclaimed'], ['D', 1]], [error.claims, error.owner]
  end

  def test_detail_without_a_claim_is_ignored
    detail = ErrorClaim::Detail.new(owner_service: 'X', hops: 3).to_proto
    { {} => ['D', 1], { ErrorClaim::CLAIM => 'shared' } => ['D', 1],
      { ErrorClaim::CLAIM => %w[unclaimed unclaimed] } => ['D', 1],
      { ErrorClaim::CLAIM => 'claimed', 'x-claim' => 'unclaimed' } => ['D', 1],
      { ErrorClaim::CLAIM => 'claimed' } => ['X', 4] }.each do |claims, expect|
      trailers = { ErrorClaim::DETAIL => detail, ErrorClaim::PUSHBACK => '-1' }
      owner = server('D', failing(14, claims.merge(trailers)))
      error = error_of(stock(claiming('C', passing(tied(owner, claim_alias: 'x-claim')))))
      assert_equal [['unclaimed'], expect], [error.claims, error.owner], claims
    end
  end

  def test_alias
    owner = server('D', failing(14, { 'x-claim' => 'unclaimed' }))
    call = passing(tied(owner, config: nil, claim_alias: 'x-claim'))
    error = error_of(stock(claiming('C', call, claim_alias: 'x-claim')))
    assert_equal [['unclaimed'], ['unclaimed']], [error.claims, error.all('x-claim')]
  end

  def test_server_at_the_trust_boundary
    owner = claiming('D', failing)
    call = tied(owner)
    handler = proc do
      error_of(call)
      failing.call
    end
    server = claiming('C', handler, trust_boundary: true)
    error = error_of(stock(server), metadata: { ErrorClaim::MARK => '1' })
    assert_equal 4, server.served
    assert_equal({}, error.trailers)
    assert_equal [[]], owner.values(ErrorClaim::MARK).first(1)
  end

  def test_client_at_the_trust_boundary
    owner = server('D', failing(14, { ErrorClaim::CLAIM => 'unclaimed' }))
    server = claiming('C', passing(tied(owner, config: nil, trust_boundary: true)))
    error = error_of(stock(server, config: nil), metadata: { ErrorClaim::MARK => '1' })
    assert_equal :AT_LEAST_ONCE, error.reason
    assert_equal [[]], owner.values(ErrorClaim::MARK)
  end

  def test_claims_in_a_request_do_not_reach_the_handler
    server = claiming('D', failing)
    error_of(stock(server, config: nil), metadata: {
               ErrorClaim::CLAIM => 'unclaimed', ErrorClaim::DETAIL => 'x', 'own' => 'kept'
             })
    metadata = server.metadata.pop
    assert_equal 'kept', metadata['own']
    refute_includes metadata, ErrorClaim::CLAIM
    refute_includes metadata, ErrorClaim::DETAIL
  end

  # The caller's metadata are frozen, as constants are.
  def test_marks_are_passed_on
    owner = claiming('D', proc { |request, _| request })
    call = stock(claiming('C', passing(tied(owner), metadata: { 'own' => 'kept' }.freeze)))
    ['1', '2', nil].each do |value|
      call.call(LocalServers::Bytes.new, metadata: { ErrorClaim::MARK => value }.compact)
    end
    assert_equal [['1'], [], []], owner.values(ErrorClaim::MARK)
  end

  def test_retry_by_grpc_is_a_mark
    owner = claiming('D', proc { |request, _| request })
    call = tied(owner)
    handler = proc do |request, _|
      call.call(request)
      failing.call
    end
    error_of(stock(claiming('C', handler), config: policy(2)))
    assert_equal [[], ['1']], owner.values(ErrorClaim::MARK)
  end
end
