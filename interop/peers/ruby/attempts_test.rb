# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
# frozen_string_literal: true

require 'local_servers'

# How often a client without the protocol tries, of four times.
class AttemptsTest < Minitest::Test
  include LocalServers

  def test_claimed_errors_are_retried
    server = claiming('D', failing(14, { 'own' => 'kept' }))
    error = error_of(stock(server))
    assert_equal 4, server.served
    assert_equal [14, 'down'], [error.code, error.message]
    assert_equal [['claimed'], ['kept'], []],
                 [error.claims, error.all('own'), error.pushbacks]
    assert_equal ['D', 'Call', 0, :OWN], [error.detail.owner_service,
                                          error.detail.owner_method, error.detail.hops,
                                          error.reason]
  end

  def test_errors_without_the_interceptor_are_retried
    server = server('D', failing)
    assert_equal [14, 'down', {}], error_of(stock(server)).to_a
    assert_equal 4, server.served
  end

  def test_unclaimed_errors_are_not
    owner = claiming('D', failing)
    server = claiming('C', passing(tied(owner)))
    error = error_of(stock(server))
    assert_equal [1, 4], [server.served, owner.served]
    assert_equal [14, 'down'], [error.code, error.message]
    assert_equal [['unclaimed'], ['-1']], [error.claims, error.pushbacks]
    assert_equal ['D', 'Call', 1, :PROPAGATED], [error.detail.owner_service,
                                                 error.detail.owner_method,
                                                 error.detail.hops, error.reason]
  end

  def test_hops_are_counted_over_the_chain
    owner = claiming('D', failing, service_name: 'shop.Stock')
    middle = claiming('C', passing(tied(owner)))
    root = claiming('B', passing(tied(middle)))
    error = error_of(stock(root))
    assert_equal [1, 1, 4], [root.served, middle.served, owner.served]
    assert_equal ['shop.Stock', 2], error.owner
  end

  def test_without_a_policy_the_caller_retries
    owner = claiming('D', failing)
    server = claiming('C', passing(tied(owner, config: nil)))
    error = error_of(stock(server))
    assert_equal [4, 4], [server.served, owner.served]
    assert_equal [['claimed'], :AT_LEAST_ONCE, ['C', 0]],
                 [error.claims, error.reason, error.owner]
  end

  def test_status_that_the_policy_does_not_list
    server = claiming('C', passing(tied(claiming('D', failing(13)))))
    assert_equal :AT_LEAST_ONCE, error_of(stock(server)).reason
  end

  def test_exception_of_the_handler
    [KeyError, NotImplementedError].each do |exception|
      server = claiming('D', proc { raise exception, 'oops' })
      error = error_of(stock(server, config: policy(codes: ['UNKNOWN'])))
      assert_equal 4, server.served
      assert_equal [2, "#{exception}: oops"], [error.code, error.message]
      assert_equal ['claimed'], error.claims
    end
  end

  def test_observe_stops_nothing
    events = Queue.new
    owner = claiming('D', failing)
    server = claiming('C', passing(tied(owner)), observe: true) { |event| events << event }
    error = error_of(stock(server))
    assert_equal [4, 16], [server.served, owner.served]
    assert_equal [['unclaimed'], []], [error.claims, error.pushbacks]
    assert_equal ['sent_unclaimed'] * 4, Array.new(events.size) { events.pop }
  end

  def test_fail_open_callee
    owner = claiming('D', failing)
    server = claiming('C', passing(tied(owner, fail_open: ['/D/*'])))
    error = error_of(stock(server))
    assert_equal 4, server.served
    assert_equal [['claimed'], :COINCIDENTAL], [error.claims, error.reason]
  end

  def test_unreachable_callee
    gone = claiming('D', failing)
    gone.target = '127.0.0.1:1'
    server = claiming('C', passing(tied(gone)))
    error = error_of(stock(server))
    assert_equal 1, server.served
    assert_equal ['D', 1], error.owner
  end

  def test_stopped_retries_are_told
    events = []
    owner = server('D', failing(14, { ErrorClaim::CLAIM => 'unclaimed',
                                      ErrorClaim::PUSHBACK => '-1' }))
    error_of(tied(owner) { |event| events << event })
    error_of(tied(owner, config: nil) { |event| events << event })
    assert_equal ['stopped_unclaimed'], events
  end
end
