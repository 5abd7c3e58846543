# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
# frozen_string_literal: true

require 'local_servers'
require 'retry_loop'
require 'timeout'

# What the tests of the loop share.
module Loops
  include LocalServers

  LONG_MS = 3_600_000
  LONG = { initial_backoff_ms: LONG_MS, max_backoff_ms: LONG_MS }.freeze
  UNCLAIMED = { ErrorClaim::CLAIM => 'unclaimed' }.freeze

  def looping(**options)
    reasons = @reasons = Queue.new
    RetryLoop.new(initial_backoff_ms: 1, max_backoff_ms: 1, **options) { |r| reasons << r }
  end

  def reasons = Array.new(@reasons.size) { @reasons.pop }

  def next_reason
    Timeout.timeout(LocalServers::DEADLINE_S) { @reasons.pop }
  end

  def call(again, stub, timeout: DEADLINE_S, metadata: {})
    again.call(path: '/D/Call', timeout: timeout, metadata: metadata) do |options|
      stub.call(LocalServers::Bytes.new('x'), **options)
    end
  end

  # The reasons of a loop that fails.
  def ends(again, stub, **more)
    error_in { call(again, stub, **more) }
    reasons
  end

  # A client with the interceptor, and one without.
  def clients(server) = [tied(server, config: nil), stock(server, config: nil)]

  def flaky(times)
    left = [failing] * times
    claiming('D', proc { |request, _| (left.pop || proc { request }).call })
  end
end

# Why a loop ends.
class RetryLoopTest < Minitest::Test
  include Loops

  def test_ok
    server = flaky(2)
    assert_equal 'x', call(looping, tied(server, config: nil))
    assert_equal %w[retry retry ok], reasons
    assert_equal [[], ['1'], ['1']], server.values(ErrorClaim::MARK)
  end

  def test_attempts
    clients(server = claiming('D', failing)).each do |stub|
      assert_equal %w[retry retry retry attempts],
                   ends(looping(max_attempts: 4), stub,
                        metadata: { ErrorClaim::MARK => '1' }.freeze)
      assert_equal [['1']] * 4, server.values(ErrorClaim::MARK)
    end
  end

  def test_status
    server = claiming('D', failing(10))
    assert_equal ['status'], ends(looping, tied(server, config: nil))
    assert_equal %w[retry retry attempts],
                 ends(looping(codes: ['ABORTED']), tied(server, config: nil))
  end

  def test_unclaimed
    server = server('D', failing(14, UNCLAIMED))
    clients(server).each { |stub| assert_equal ['unclaimed'], ends(looping, stub) }
    assert_equal 2, server.served
    server = server('D', failing(14, { 'x-claim' => 'unclaimed' }))
    assert_equal ['unclaimed'],
                 ends(looping(claim_alias: 'x-claim'), stock(server, config: nil))
  end

  def test_nothing_is_believed_beyond_the_trust_boundary
    server = server('D', failing(14, UNCLAIMED))
    ends(looping(trust_boundary: true), stock(server, config: nil),
         metadata: { ErrorClaim::MARK => '1' })
    ends(looping, tied(server, config: nil, trust_boundary: true))
    assert_equal [[]] * 6, server.values(ErrorClaim::MARK)
  end

  def test_pushback
    left = [failing(14, { ErrorClaim::PUSHBACK => '1' })]
    server = claiming('D', proc { |request, _| (left.pop || proc { request }).call })
    assert_equal 'x', call(looping(**LONG), tied(server, config: nil))
    assert_equal %w[retry ok], reasons
    %w[-1 never].each do |value|
      server = server('D', failing(14, { ErrorClaim::PUSHBACK => value }))
      assert_equal ['pushback'], ends(looping, stock(server, config: nil))
    end
  end

  def test_deadline
    stub = tied(claiming('D', failing), config: nil)
    assert_equal ['deadline'], ends(looping(**LONG), stub)
    again = looping(**LONG)
    server = claiming('C', proc { call(again, stub, timeout: nil) })
    assert_equal ['unclaimed'], error_of(stock(server)).claims
    assert_equal ['deadline'], reasons
  end

  def test_budget
    stub = tied(claiming('D', failing), config: nil)
    budget = RetryBudget.new(percent: 0, most: 1)
    assert_equal %w[retry budget], ends(looping(budget: budget), stub)
    full = RetryBudget.new(percent: 100, most: 1)
    assert_equal %w[retry retry attempts], ends(looping(budget: full), stub)
  end

  def test_chain
    owner = claiming('D', failing)
    stub = tied(owner, config: nil)
    { true => %w[chain], false => %w[retry retry attempts] }.each do |stop, expect|
      again = looping(chain_stop: stop)
      server = claiming('C', proc { call(again, stub) })
      error_of(stock(server, config: nil), metadata: { ErrorClaim::MARK => '1' })
      assert_equal expect, reasons
    end
    assert_equal [['1']] * 4, owner.values(ErrorClaim::MARK)
  end

  def test_multiplied
    { 2 => 2, 3 => 4, 4 => 4, 5 => 6 }.each do |most, served|
      owner = claiming('D', failing)
      assert_equal 'multiplied', ends(looping(max_attempts: most),
                                      tied(owner, config: policy(2))).last
      assert_equal served, owner.served
    end
  end

  def test_observing_and_off
    server = server('D', failing(14, UNCLAIMED))
    expect = %w[unclaimed unclaimed attempts]
    assert_equal expect, ends(looping(mode: 'observe'), tied(server, config: nil))
    assert_equal expect, ends(looping, tied(server, config: nil, observe: true))
    server.values(ErrorClaim::MARK)
    assert_equal %w[retry retry attempts],
                 ends(looping(mode: 'off'), stock(server, config: nil))
    assert_equal [[]] * 3, server.values(ErrorClaim::MARK)
  end

  def test_fifty_at_once
    server = claiming('D', failing)
    stub = tied(server, config: nil)
    again = looping(max_attempts: 2)
    Array.new(50) { Thread.new { error_in { call(again, stub) } } }.each(&:join)
    assert_equal({ 'retry' => 50, 'attempts' => 50 }, reasons.tally)
    assert_equal 100, server.served
  end
end

# What the inbound call learns of a loop, and the loop of it.
class TiedRetryLoopTest < Minitest::Test
  include Loops

  def error_through(again, stub)
    error_of(stock(claiming('C', proc { call(again, stub) }), config: nil))
  end

  def test_criteria
    owner = claiming('D', failing)
    [*clients(owner).product([3]), [tied(owner, config: policy(2)), 4]].each do |stub, count|
      error = error_through(looping, stub)
      assert_equal [['unclaimed'], :PROPAGATED, count],
                   [error.claims, error.reason, error.detail.attempts]
    end
  end

  def test_criteria_where_it_was_held_back
    clients(server('D', failing(14, { ErrorClaim::PUSHBACK => '-1' }))).each do |stub|
      error = error_through(looping, stub)
      assert_equal [['unclaimed'], 1], [error.claims, error.detail.attempts]
    end
  end

  def test_no_criteria
    clients(claiming('D', failing)).each do |stub|
      assert_equal :AT_LEAST_ONCE, error_through(looping(max_attempts: 1), stub).reason
    end
    stub = stock(claiming('D', failing(10)), config: nil)
    assert_equal :AT_LEAST_ONCE, error_through(looping, stub).reason
  end

  def test_cancelled_while_it_waits
    again = looping(**LONG)
    stub = tied(claiming('D', failing), config: nil)
    server = claiming('C', proc { call(again, stub, timeout: nil) })
    operation = stock(server, config: nil).call(LocalServers::Bytes.new, return_op: true)
    client = Thread.new { error_in { operation.execute } }
    assert_equal 'retry', next_reason
    operation.cancel
    assert_equal 'cancelled', next_reason
    assert_equal 1, client.value.code
  end

  def test_cancelled_while_it_calls
    started = Queue.new
    ended = Queue.new
    again = looping
    owner = claiming('D', proc do
      started << true
      Timeout.timeout(LocalServers::DEADLINE_S) { ended.pop }
    end)
    stub = tied(owner, config: nil)
    server = claiming('C', proc { call(again, stub, timeout: nil) })
    operation = stock(server, config: nil).call(LocalServers::Bytes.new, return_op: true)
    client = Thread.new { error_in { operation.execute } }
    started.pop
    operation.cancel
    assert_equal 'cancelled', next_reason
    client.join
  ensure
    ended << true
  end

  # The operation that was asked for early is left out of the answer.
  def test_answer_after_a_loop
    stub = tied(flaky(1), config: nil)
    again = looping
    server = claiming('C', proc { call(again, stub) })
    assert_equal 'x', stock(server).call(LocalServers::Bytes.new('x'), deadline: deadline)
    assert_equal %w[retry ok], reasons
  end
end

# Streams, and loops by hand.
class OtherRetryLoopTest < Minitest::Test
  include Loops

  def replies(again, stub)
    again.stream(path: '/D/Stream', timeout: DEADLINE_S) do |options|
      stub.stream(LocalServers::Bytes.new('x'), **options)
    end
  end

  def test_stream_that_fails_before_its_first_message
    left = [failing] * 2
    server = claiming('D', proc do
      (left.pop || proc {}).call
      [LocalServers::Bytes.new('1'), LocalServers::Bytes.new('2')]
    end)
    assert_equal %w[1 2], replies(looping, tied(server, config: nil)).to_a
    assert_equal %w[retry retry ok], reasons
  end

  def test_stream_that_fails_in_its_middle
    server = claiming('D', proc do
      Enumerator.new { |out| (out << LocalServers::Bytes.new('1')) && failing.call }
    end)
    clients(server).each do |stub|
      seen = []
      error_in { replies(looping, stub).each { |reply| seen << reply } }
      assert_equal [['committed'], ['1']], [reasons, seen]
    end
  end

  # In a fiber of its own, for an inbound call.
  def test_stream_that_is_enumerated
    owner = claiming('D', failing)
    stub = tied(owner, config: nil)
    again = looping
    error = error_of(stock(claiming('C', proc { replies(again, stub).next }), config: nil))
    assert_equal [['unclaimed'], 3], [error.claims, error.detail.attempts]
  end

  def test_stream_that_is_not_read_to_its_end
    server = claiming('D', proc { Array.new(9) { LocalServers::Bytes.new('1') } })
    assert_equal '1', replies(looping, tied(server, config: nil)).first
    assert_equal ['cancelled'], reasons
  end

  def test_used_after_its_end
    run = looping(max_attempts: 1).run(path: '/D/Call')
    assert_equal 'ended', run.again('UNAVAILABLE').reason # nothing begun
    run.begin
    assert_equal 'attempts', run.again('UNAVAILABLE').reason
    %w[UNAVAILABLE OK].each do |status|
      run.begin
      assert_equal [false, 0, 'ended'], run.again(status).to_a
    end
    assert_equal ['attempts'], reasons
  end

  def test_waits
    run = looping(max_attempts: 9, initial_backoff_ms: 100,
                  max_backoff_ms: 400).run(path: '/D/Call')
    [[{}, 80..120], [{}, 160..240], [{}, 320..480], [{}, 320..480],
     [{ ErrorClaim::PUSHBACK => '7' }, 7..7], [{}, 80..120]].each do |trailers, expect|
      run.begin
      assert_includes expect, run.again('UNAVAILABLE', trailers).wait_ms
    end
  end

  BAD = [[:max_attempts, 0, '1 to 100'], [:max_attempts, 101, '1 to 100'],
         [:max_attempts, -1, '1 to 100'], [:max_attempts, 1.5, 'whole'],
         [:max_attempts, '3', 'whole'], [:initial_backoff_ms, -1, '0 to 86400000'],
         [:initial_backoff_ms, Float::NAN, '0 to 86400000'],
         [:max_backoff_ms, Float::INFINITY, '0 to 86400000'],
         [:max_backoff_ms, nil, '0 to 86400000'], [:backoff_multiplier, 0.5, '1 to 1000'],
         [:backoff_multiplier, Float::NAN, '1 to 1000'], [:codes, 'UNAVAILABLE', 'names of'],
         [:mode, 'on', 'off, observe or enforce'], [:mood, 1, 'no such option']].freeze

  def test_bad_options
    BAD.each do |name, value, expect|
      error = assert_raises(ArgumentError) { RetryLoop.new(**{ name => value }) }
      assert_includes error.message, "#{name}: got #{value.inspect}, expected"
      assert_includes error.message, expect
    end
    %w[OK DOWN].each do |code|
      error = assert_raises(ArgumentError) { RetryLoop.new(codes: [code]) }
      assert_includes error.message, "codes: got \"#{code}\", expected names of"
    end
    assert_raises(ArgumentError) { RetryBudget.new(percent: 101) }
  end
end
