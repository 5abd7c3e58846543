# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
# frozen_string_literal: true

require 'grpc'
require 'json'
require 'minitest/autorun'
require 'open3'
require 'timeout'

require 'eown/interop/v1/node_pb'
require 'node_dice'
require 'node_options'

NODE = File.join(__dir__, 'node')

# The node as a process: what it takes, serves, counts and prints.
class NodeTest < Minitest::Test
  DEADLINE_S = 20
  Messages = Eown::Interop::V1

  # A node that was started.
  class Running
    attr_reader :ready

    def initialize(*arguments)
      @output = IO.popen([NODE, *arguments])
      @ready = JSON.parse(@output.gets)
    end

    def address = "127.0.0.1:#{@ready['port']}"

    # Its counts and its exit status.
    def end(signal = 'TERM')
      return if @output.closed?

      Process.kill(signal, @output.pid)
      counts = Timeout.timeout(DEADLINE_S) { JSON.parse(@output.read) }
      @output.close
      [counts, $?.exitstatus]
    end

    def call(path, request, reply, **more)
      stub = GRPC::ClientStub.new(address, :this_channel_is_insecure)
      stub.request_response(path, request, request.class.method(:encode),
                            reply.method(:decode), **{ deadline: Time.now + DEADLINE_S }, **more)
    end
  end

  def teardown
    @nodes&.map { |node| Thread.new { node.end } }&.each(&:join)
  end

  def start(*arguments)
    (@nodes ||= []).push(Running.new(*arguments)).last
  end

  def call(running, path, **more)
    running.call(path, Messages::CallRequest.new(id: 1), Messages::CallReply, **more)
  end

  def test_counts_of_a_caller
    owner = start('--name', 'D', '--fail-rate', '1', '--fail-status', 'internal',
                  '--ownership', 'enforce')
    caller = start('--name', 'C', '--callee', "D=#{owner.address}", '--attempts', '2',
                   '--ownership', 'enforce')
    assert_equal({ 'event' => 'ready', 'name' => 'C', 'port' => caller.ready['port'],
                   'language' => 'Ruby', 'version' => RUBY_VERSION,
                   'grpc' => "ruby-grpc #{GRPC::VERSION}" }, caller.ready)
    error = assert_raises(GRPC::Internal) { call(caller, '/C/Call') }
    assert_equal 'D fails by itself', error.details
    assert_equal [counts_of_the_caller, 0], caller.end
    counts, status = owner.end('INT')
    assert_equal 0, status
    assert_equal [2, 2, 2], counts.values_at('served', 'errors', 'own_failures')
    assert_equal({ 'claimed' => 2, 'unclaimed' => 0 }, counts['claims_sent'])
  end

  def counts_of_the_caller
    { 'event' => 'exit', 'name' => 'C', 'served' => 1, 'errors' => 1,
      'own_failures' => 0, 'made' => 1,
      'retries_stopped' => { 'unclaimed' => 0, 'budget' => 0, 'chain' => 0,
                             'multiplied' => 0 },
      'claims_sent' => { 'claimed' => 0, 'unclaimed' => 1 },
      'callees' => [{ 'name' => 'D', 'calls' => 1, 'errors' => 1, 'claimed' => 1,
                      'unclaimed' => 0, 'missing' => 0, 'other' => 0 }] }
  end

  # How often each of A, B, C and D is called, and the counts of C; D fails.
  def chain(ownership, retry_by, *more)
    nodes = []
    [%w[D], %w[C D], %w[B C], %w[A B]].each do |name, callee|
      below = callee ? ['--callee', "#{callee}=#{nodes.last.address}"] : %w[--fail-rate 1]
      nodes << start('--name', name, '--ownership', ownership, '--retry-by', retry_by,
                     '--attempts', '2', *more, *below)
    end
    assert_raises(GRPC::Unavailable) { call(nodes.last, '/A/Call') }
    counts = nodes.map { |node| Thread.new { node.end.first } }.map(&:value).reverse
    [counts.map { |c| c['served'] }, counts[2]]
  end

  def test_loop_of_the_application
    served, counts = chain('enforce', 'application')
    assert_equal [1, 1, 1, 2], served
    assert_equal({ 'name' => 'D', 'calls' => 2, 'errors' => 2, 'claimed' => 2,
                   'unclaimed' => 0, 'missing' => 0, 'other' => 0 }, counts['callees'][0])
    assert_equal [2, { 'claimed' => 0, 'unclaimed' => 1 }],
                 counts.values_at('made', 'claims_sent')
  end

  def test_loop_above_a_policy
    served, counts = chain('enforce', 'both')
    assert_equal [1, 1, 1, 2], served
    assert_equal({ 'unclaimed' => 0, 'budget' => 0, 'chain' => 0, 'multiplied' => 1 },
                 counts['retries_stopped'])
    assert_equal [1, 4, 16, 64], chain('off', 'both').first
  end

  def test_without_ownership_all_retry
    %w[stock off observe].each do |ownership|
      assert_equal [1, 2, 4, 8], chain(ownership, 'application').first, ownership
    end
  end

  def test_unclaimed_stops_are_counted
    owner = start('--name', 'D', '--fail-rate', '1', '--ownership', 'enforce')
    middle = start('--name', 'C', '--callee', "D=#{owner.address}", '--ownership', 'enforce',
                   '--attempts', '2')
    root = start('--name', 'B', '--callee', "C=#{middle.address}", '--ownership', 'enforce',
                 '--attempts', '2', '--retry-by', 'application')
    assert_raises(GRPC::Unavailable) { call(root, '/B/Call') }
    assert_equal 1, root.end.first['retries_stopped']['unclaimed']
  end

  # Its own loop decides by what it hears; its errors are its own.
  def test_without_context
    served, counts = chain('enforce', 'application', '--context', 'none')
    assert_equal [1, 2, 4, 8], served
    assert_equal({ 'claimed' => 4, 'unclaimed' => 0 }, counts['claims_sent'])
  end

  def test_answers_are_added_up
    leaf = start('--name', 'D')
    middle = start('--name', 'C', '--callee', "D=#{leaf.address}")
    root = start('--name', 'B', '--callee', "C=#{middle.address}",
                 '--callee', "D=#{leaf.address}")
    { {} => 3, { 'eown-node-callee' => 'C' } => 2 }.each do |metadata, below|
      reply = call(root, '/eown.interop.v1.Node/Call', metadata: metadata)
      assert_equal ['B', below], [reply.node, reply.nodes_below]
    end
  end

  def test_call_without_a_deadline
    leaf = start('--name', 'D')
    [[], %w[--ownership enforce --attempts 2 --retry-by application]].each do |options|
      root = start('--name', 'C', '--callee', "D=#{leaf.address}", *options)
      assert_equal 1, call(root, '/C/Call', deadline: nil).nodes_below
    end
  end

  def test_callee_that_it_does_not_have
    leaf = start('--name', 'D')
    root = start('--name', 'B', '--callee', "D=#{leaf.address}", '--fail-rate', '1')
    ['X', ''].each do |name|
      error = assert_raises(GRPC::InvalidArgument) do
        call(root, '/B/Call', metadata: { 'eown-node-callee' => name })
      end
      assert_equal "eown-node-callee: '#{name}': expected the name of a callee of B",
                   error.details
    end
    counts, = root.end
    assert_equal [2, 2, 0, 0],
                 counts.values_at('served', 'errors', 'own_failures', 'made')
  end

  def test_fail_open_callee
    owner = start('--name', 'D', '--fail-rate', '1')
    caller = start('--name', 'C', '--callee', "D=#{owner.address},fail-open",
                   '--fail-rate', '1', '--healthy-first', '1')
    assert_equal 0, call(caller, '/C/Call').nodes_below
    error = assert_raises(GRPC::Unavailable) { call(caller, '/C/Call') }
    assert_equal 'C fails by itself', error.details
  end

  def test_stats_and_reset
    running = start('--name', 'D')
    call(running, '/D/Call')
    { true => 1, false => 0 }.each do |reset, served|
      reply = running.call('/eown.interop.v1.Node/Stats',
                           Messages::StatsRequest.new(reset: reset), Messages::StatsReply)
      assert_equal ['stats', served], JSON.parse(reply.json).values_at('event', 'served')
    end
  end

  def test_address_in_use
    running = start('--name', 'D')
    output, errors, status = Open3.capture3(NODE, '--listen', running.address)
    assert_equal ['', 1], [output, status.exitstatus]
    assert_includes errors, running.address
  end

  def test_unknown_option
    output, errors, status = Open3.capture3(NODE, '--parallel')
    assert_equal ['', 2], [output, status.exitstatus]
    assert_includes errors, '--parallel'
  end
end

# The command line.
class NodeOptionsTest < Minitest::Test
  BAD = {
    %w[--att 2] => '--att', %w[-n x] => '-n', %w[more] => 'more',
    %w[--name a/b] => '1 to 63 letters', %w[--listen 7000] => 'HOST:PORT',
    %w[--callee D=x:0] => 'NAME=HOST:PORT', %w[--callee D=x:1,fail] => 'NAME=HOST:PORT',
    %w[--fail-rate 2] => 'a number from 0 to 1',
    %w[--fail-rate -1] => "--fail-rate got '-1', expected a number from 0 to 1",
    %w[--seed -1] => "--seed got '-1', expected a whole number",
    %w[--seed=-1] => '--seed', %w[--seed] => '--seed', %w[--seed 1 -2] => '-2',
    %w[--fail-status OK] => 'other than OK',
    %w[--attempts 0] => 'a whole number from 1 to 100',
    %w[--retry-codes UNAVAILABLE,] => 'separated by commas',
    %w[--retry-by me] => 'grpc, application or both',
    %w[--ownership on] => 'stock, off, observe or enforce',
    %w[--context thread] => 'parent or none'
  }.freeze

  def test_bad_command_lines
    BAD.each do |arguments, expect|
      ended = nil
      _, told = capture_io do
        ended = assert_raises(SystemExit) { NodeOptions.parse(arguments) }
      end
      assert_equal 2, ended.status, arguments
      assert_includes told, expect
    end
  end

  def test_good_command_line
    options = NodeOptions.parse(%w[--callee D=localhost:1 --callee E=[::1]:2,fail-open
                                   --retry-codes internal,ABORTED --name=x])
    assert_equal [['D', 'localhost:1', false], ['E', '[::1]:2', true]],
                 options.callees.map(&:to_a)
    assert_equal [%w[INTERNAL ABORTED], 'x'], [options.retry_codes, options.name]
  end
end

# Which calls fail.
class DiceTest < Minitest::Test
  # The generator's published first outputs for seed 0.
  def test_split_mix
    dice = Dice.new(NodeOptions.parse([]))
    assert_equal [0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f],
                 Array.new(3) { |n| dice.send(:split_mix, 0, n) }
  end

  def test_rate
    { '0' => 0..0, '1' => 1000..1000, '0.3' => 250..350 }.each do |rate, expect|
      dice = Dice.new(NodeOptions.parse(['--fail-rate', rate]))
      failed = Array.new(1000) { dice.throw }.count(true)
      assert_includes expect, failed
    end
  end
end
