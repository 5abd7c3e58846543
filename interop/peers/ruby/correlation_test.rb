# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
# frozen_string_literal: true

require 'local_servers'

# Which outbound calls an error is put down to.
class CorrelationTest < Minitest::Test
  include LocalServers

  # A callee that fails (false) or answers (true), in this order.
  def flaky(*outcomes)
    claiming('D', proc { |request, _| outcomes.shift ? request : failing.call })
  end

  # A server that calls `times` times, then ends by itself.
  def calling(stub, times, ending = failing)
    claiming('C', proc do |request, call|
      times.times do
        stub.call(request)
      rescue GRPC::BadStatus
        next
      end
      ending.call(request, call)
    end)
  end

  def test_success_clears_a_failure
    owner = flaky(false, true)
    server = calling(tied(owner, config: nil), 2)
    assert_equal :OWN, error_of(stock(server, config: nil)).reason
    assert_equal [[], ['1']], owner.values(ErrorClaim::MARK)
  end

  def test_retry_by_the_application
    server = calling(tied(flaky(false, false), config: nil), 2)
    error = error_of(stock(server, config: nil))
    assert_equal [['unclaimed'], 2], [error.claims, error.detail.attempts]
  end

  def test_success_that_started_before_says_nothing
    inbound = ErrorClaim::Inbound.new('/C/Call')
    first, = inbound.start('/D/Call')
    inbound.record('/D/Call', first, 'UNAVAILABLE', satisfied: true)
    inbound.record('/D/Call', first, 'OK')
    assert_equal 'unclaimed', inbound.decide('UNAVAILABLE').first
  end

  def test_calls_side_by_side_are_no_retry
    inbound = ErrorClaim::Inbound.new('/C/Call')
    first, = inbound.start('/D/Call')
    2.times { inbound.record('/D/Call', first, 'UNAVAILABLE') }
    assert_equal 'claimed', inbound.decide('UNAVAILABLE').first
  end

  def test_answers_are_failures_only_where_they_are_passed_on
    owner = claiming('D', failing(5))
    error = error_of(stock(claiming('C', passing(tied(owner)))))
    assert_equal [5, ['unclaimed']], [error.code, error.claims]
    assert_equal :OWN, error_of(stock(calling(tied(owner), 1))).reason
  end

  # Read in a block, and as an enumerator.
  def test_streams
    replies = proc { |request, _| Enumerator.new { |out| out << request && failing.call } }
    stub = tied(claiming('D', replies))
    in_block = proc { |request, _| [].tap { |all| stub.stream(request) { |r| all << r } } }
    enumerated = proc { |request, _| stub.stream(request).to_a }
    [in_block, enumerated].each do |handler|
      server = claiming('C', handler)
      seen = assert_raises(GRPC::Unavailable) do
        stock(server).stream(LocalServers::Bytes.new('x'), deadline: deadline).to_a
      end
      error = LocalServers::Error.new(seen.code, seen.details, seen.metadata)
      assert_equal [['unclaimed'], ['D', 1]], [error.claims, error.owner]
      assert_equal 1, server.served
    end
  end

  def test_the_application_has_the_last_word
    server = claiming('D', proc do
      ErrorClaim.current.claim = ErrorClaim::UNCLAIMED
      failing.call
    end)
    error = error_of(stock(server))
    assert_equal 1, server.served
    assert_equal [['unclaimed'], :APPLICATION], [error.claims, error.reason]
  end

  def test_the_application_has_retried
    stub = tied(claiming('D', failing), config: nil)
    server = calling(stub, 1, proc do
      ErrorClaim.current.retried!
      failing.call
    end)
    assert_equal ['unclaimed'], error_of(stock(server)).claims
  end

  def test_outside_of_inbound_calls
    assert_nil ErrorClaim.current
    assert_equal ['claimed'], error_of(tied(claiming('D', failing))).claims
  end

  def test_threads_of_a_handler
    stub = tied(claiming('D', failing))
    server = claiming('C', proc do |request, _|
      inbound = ErrorClaim.current
      Thread.new { ErrorClaim.with(inbound) { error_of(stub, request) } }.join
      failing.call
    end)
    assert_equal ['unclaimed'], error_of(stock(server)).claims
  end

  # None ends before all have called.
  def test_fifty_inbound_calls_at_once
    there = Queue.new
    go_on = Queue.new
    stub = tied(claiming('D', failing), config: policy(2))
    client = stock(claiming('C', proc do |request, _|
      error_of(stub) if request == 'callee'
      there << request
      go_on.pop
      failing.call
    end), config: nil)
    threads = Array.new(50) do |n|
      Thread.new { error_of(client, %w[own callee][n % 2]).reason }
    end
    50.times { there.pop }
    go_on.close
    assert_equal %i[OWN PROPAGATED] * 25, threads.map(&:value)
  end

  def test_inbound_calls_do_not_mix
    owner = claiming('D', proc { |request, _| request == 'own' ? request : failing.call })
    stub = tied(owner, config: policy(2))
    client = stock(claiming('C', proc do |request, _|
      stub.call(LocalServers::Bytes.new('own')) # meanwhile others are served
      stub.call(request)
      failing(14, message: 'own').call
    end), config: nil)
    threads = Array.new(16) do |thread|
      Thread.new do
        Array.new(25) do |n|
          kind = (n * n + thread) % 7 > 3 ? 'own' : 'callee'
          [kind, error_of(client, kind).reason]
        end
      end
    end
    threads.flat_map(&:value).each do |kind, reason|
      assert_equal kind == 'own' ? :OWN : :PROPAGATED, reason
    end
  end
end
