# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
# frozen_string_literal: true

require 'optparse'

require_relative 'error_claim_rules'

# The command line of a node: a part of eown-node's, with the same meanings.
module NodeOptions
  NAME = /[A-Za-z0-9_.-]{1,63}/
  STATUSES = %w[CANCELLED UNKNOWN INVALID_ARGUMENT DEADLINE_EXCEEDED NOT_FOUND
                ALREADY_EXISTS PERMISSION_DENIED RESOURCE_EXHAUSTED
                FAILED_PRECONDITION ABORTED OUT_OF_RANGE UNIMPLEMENTED INTERNAL
                UNAVAILABLE DATA_LOSS UNAUTHENTICATED].freeze
  DEFAULTS = { name: 'node', listen: '127.0.0.1:0', callees: [], fail_rate: 0.0,
               fail_status: 'UNAVAILABLE', healthy_first: 0, seed: 1, attempts: 1,
               retry_codes: ErrorClaim::FAULTS, retry_by: 'grpc', ownership: 'stock',
               context: 'parent' }.freeze

  Callee = Struct.new(:name, :target, :fail_open)
  Options = Struct.new(*DEFAULTS.keys) do
    def intercepts? = %w[observe enforce].include?(ownership)
    def policy? = attempts > 1 && retry_by != 'application'
    def loops? = attempts > 1 && retry_by != 'grpc'
  end

  module_function

  def expect(good, text, expected)
    raise OptionParser::InvalidArgument, "got '#{text}', expected #{expected}" unless good
  end

  def one_of(*names)
    lambda do |text|
      expect(names.include?(text), text, "#{names[0..-2].join(', ')} or #{names.last}")
      text
    end
  end

  def number(least, most)
    lambda do |text|
      good = text.match?(/\A[0-9]+\z/) && text.to_i.between?(least, most)
      expect(good, text, "a whole number from #{least} to #{most}")
      text.to_i
    end
  end

  def name(text)
    expect(text.match?(/\A#{NAME}\z/), text, "1 to 63 letters, digits, '-', '_' or '.'")
    text
  end

  def address?(text, least_port)
    port = text[/\A.+:([0-9]{1,5})\z/, 1]
    !port.nil? && port.to_i.between?(least_port, 65_535)
  end

  def address(text)
    expect(address?(text, 0), text, 'HOST:PORT with a port from 0 to 65535')
    text
  end

  def callee(text)
    parts = text.match(/\A(#{NAME})=([^,]*)(,fail-open)?\z/)
    expect(parts && address?(parts[2], 1), text,
           'NAME=HOST:PORT or NAME=HOST:PORT,fail-open')
    Callee.new(parts[1], parts[2], !parts[3].nil?)
  end

  def rate(text)
    good = text.match?(/\A[0-9]*\.?[0-9]+\z/) && text.to_f <= 1
    expect(good, text, 'a number from 0 to 1')
    text.to_f
  end

  def status(text)
    expect(STATUSES.include?(text.upcase), text,
           'the name of a gRPC status code other than OK, such as UNAVAILABLE')
    text.upcase
  end

  def statuses(text)
    names = text.upcase.split(',', -1)
    expect(!names.empty? && (names - STATUSES).empty?, text,
           'names of gRPC status codes other than OK, separated by commas')
    names
  end

  # member, how its value is taken, option, what it is
  OPTIONS = [
    [:name, method(:name), '--name NAME', 'of this node and of its service'],
    [:listen, method(:address), '--listen HOST:PORT', 'port 0 picks one'],
    [:callees, method(:callee), '--callee NAME=HOST:PORT[,fail-open]',
     'may be repeated; called in this order'],
    [:fail_rate, method(:rate), '--fail-rate RATE', 'share of calls it fails by itself'],
    [:fail_status, method(:status), '--fail-status STATUS', 'status of its own failures'],
    [:healthy_first, number(0, 2**64 - 1), '--healthy-first N',
     'the first N calls do not fail by themselves'],
    [:seed, number(0, 2**64 - 1), '--seed N', 'of its random numbers'],
    [:attempts, number(1, 100), '--attempts K', 'at most, of each call; 1: no retries'],
    [:retry_codes, method(:statuses), '--retry-codes A,B', 'retryable status codes'],
    [:retry_by, one_of('grpc', 'application', 'both'), '--retry-by WHO',
     'grpc, application or both: a retry policy, a loop of its own, or such a loop ' \
     'above such a policy'],
    [:ownership, one_of('stock', 'off', 'observe', 'enforce'), '--ownership MODE',
     'stock, off, observe or enforce; stock and off: without the interceptor'],
    [:context, one_of('parent', 'none'), '--context WAY',
     'parent or none; none: outbound calls are tied to no inbound']
  ].freeze

  def parser(options)
    OptionParser.new do |parser|
      parser.banner = "Usage: node [options]\n\nOne node of a call graph, in Ruby. It " \
                      "prints a line of JSON when it is ready,\nand one with its counts " \
                      "when SIGTERM or SIGINT ends it.\n\n"
      parser.on('-h', '--help', 'this text') do
        puts parser
        exit
      end
      OPTIONS.each do |member, take, option, text|
        parser.on(option, text) do |value|
          taken = take.call(value)
          options[member] = member == :callees ? [*options.callees, taken] : taken
        end
      end
    end
  end

  # The word after an option is its value, whatever it starts with.
  def refuse_abbreviations(arguments)
    valued = OPTIONS.map { |_, _, option, _| option[/\S+/] }
    words = arguments.dup
    while (word = words.shift)
      option, joined = word.split('=', 2)
      known = !word.start_with?('-') || ['-h', '--help', *valued].include?(option)
      raise OptionParser::InvalidOption, option unless known

      words.shift if valued.include?(option) && !joined
    end
  end

  # A bad command line ends the process with status 2.
  def parse(arguments)
    options = Options.new(*DEFAULTS.values)
    refuse_abbreviations(arguments)
    rest = parser(options).parse(arguments)
    raise OptionParser::InvalidOption, rest.first unless rest.empty?

    options
  rescue OptionParser::ParseError => e
    warn "node: #{e.message}"
    exit 2
  end
end
