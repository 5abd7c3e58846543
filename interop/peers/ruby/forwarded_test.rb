# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
# frozen_string_literal: true

require 'local_servers'

# Metadata that the application forwards or copies from one call to another.
class ForwardedTest < Minitest::Test
  include LocalServers

  ALL = { ErrorClaim::MARK => '1', ErrorClaim::PREVIOUS => '1', ErrorClaim::CLAIM => 'claimed',
          ErrorClaim::DETAIL => 'x', 'x-claim' => 'claimed', 'own' => 'kept' }.freeze

  # A callee that fails once.
  def flaky(code)
    left = [failing(code)]
    claiming('D', proc { |request, _| (left.pop || proc { request }).call })
  end

  def echo = proc { |request, _| request }

  def call(stub, metadata)
    stub.call(LocalServers::Bytes.new('x'), metadata: metadata)
  end

  def test_previous_attempts_of_another_call_are_none_of_this
    owner = flaky(10)
    events = Queue.new
    gateway = claiming('C', forwarding(tied(owner, config: nil))) { |event| events << event }
    client = stock(gateway, config: policy(2, codes: ['ABORTED']))
    assert_equal 'x', call(client, { ErrorClaim::PREVIOUS => '1' })
    assert_equal [2, 2, 'sent_claimed', 0],
                 [gateway.served, owner.served, events.pop, events.size]
  end

  def test_gateway_that_forwards_them_has_not_retried
    gateway = claiming('C', forwarding(tied(claiming('D', failing(10)), config: nil)))
    error = error_of(stock(gateway, config: nil), metadata: { ErrorClaim::PREVIOUS => '1' })
    assert_equal [['claimed'], :AT_LEAST_ONCE, 1],
                 [error.claims, error.reason, error.detail.attempts]
  end

  def test_one_mark_however_often_it_is_forwarded
    ['1', %w[1 1], %w[2 1], ['1', '']].each do |marks|
      owner = claiming('D', echo)
      forwarded = { ErrorClaim::MARK => marks }
      call(tied(owner), forwarded) # for no inbound
      call(tied(owner), forwarded.transform_keys(&:to_sym))
      call(stock(claiming('C', forwarding(tied(owner)))), forwarded)
      call(stock(server('C', forwarding(tied(owner)))), forwarded)
      assert_equal [['1']] * 4, owner.values(ErrorClaim::MARK), marks
    end
  end

  def test_mark_that_is_none_goes_no_further
    owner = claiming('D', echo)
    call(stock(claiming('C', forwarding(tied(owner)))), { ErrorClaim::MARK => %w[2 0] })
    assert_equal [[]], owner.values(ErrorClaim::MARK)
  end

  # What the application gives does not stand in the place of the mark.
  def test_retry_with_a_forwarded_value
    owner = flaky(14)
    stub = tied(owner, config: nil)
    server = claiming('C', proc do
      error_of(stub, metadata: { ErrorClaim::MARK => '0' })
      call(stub, { ErrorClaim::MARK => '0' })
    end)
    call(stock(server), {})
    assert_equal [[], ['1']], owner.values(ErrorClaim::MARK)
  end

  # The callee's claim is not believed.
  def test_copied_refusal_does_not_leave_with_a_claimed_error
    [{ ErrorClaim::CLAIM => %w[unclaimed unclaimed] }, { ErrorClaim::DETAIL => 'x' },
     { 'x-claim' => 'maybe' }].product(%w[-1 no]).each do |copied, pushback|
      owner = server('D', failing(14, { **copied, ErrorClaim::PUSHBACK => pushback,
                                        'own' => 'kept' }))
      stub = tied(owner, config: nil, claim_alias: 'x-claim')
      server = claiming('C', passing(stub), claim_alias: 'x-claim')
      error = error_of(stock(server))
      assert_equal [4, ['claimed'], ['claimed'], [], ['kept']],
                   [server.served, error.claims, error.all('x-claim'), error.pushbacks,
                    error.all('own')], copied
    end
  end

  def test_own_refusal_and_copied_wait_are_left_alone
    error = error_of(stock(claiming('D', failing(14, { ErrorClaim::PUSHBACK => '-1' }))))
    assert_equal [['claimed'], ['-1']], [error.claims, error.pushbacks]
    owner = claiming('D', failing(14, { ErrorClaim::PUSHBACK => '3' }))
    error = error_of(stock(claiming('C', passing(tied(owner, config: nil))), config: nil))
    assert_equal [['claimed'], ['3']], [error.claims, error.pushbacks]
  end

  def test_observing_copies_no_refusal
    owner = claiming('D', failing(14, { ErrorClaim::PUSHBACK => '-1' }))
    error = error_of(stock(claiming('C', passing(tied(owner)), observe: true), config: nil))
    assert_equal [['unclaimed'], []], [error.claims, error.pushbacks]
  end

  def test_client_at_the_trust_boundary_sends_nothing_of_it
    owner = server('D', echo)
    stub = tied(owner, trust_boundary: true, claim_alias: 'x-claim')
    call(stock(server('C', forwarding(stub))), ALL)
    assert_equal({ 'own' => 'kept' }, owner.metadata.pop.slice(*ALL.keys))
  end

  def test_server_at_the_trust_boundary_lets_nothing_through
    owner = server('D', failing(14, { ErrorClaim::CLAIM => 'unclaimed', 'own' => 'kept',
                                      'x-claim' => 'unclaimed', ErrorClaim::DETAIL => 'x',
                                      ErrorClaim::PUSHBACK => '-1' }))
    gateway = claiming('C', forwarding(tied(owner, config: nil)), trust_boundary: true,
                                                                  claim_alias: 'x-claim')
    error = error_of(stock(gateway, config: nil), metadata: ALL)
    assert_equal({ 'own' => 'kept' }, error.trailers)
    assert_equal({ 'own' => 'kept' }, owner.metadata.pop.slice(*ALL.keys))
  end

  def test_alias_that_is_the_claim_key_itself
    server = claiming('C', failing, claim_alias: ErrorClaim::CLAIM)
    assert_equal ['claimed'], error_of(stock(server)).claims
    assert_equal ['claimed'], error_of(stock(claiming('C', failing, claim_alias: ''))).claims
  end
end
