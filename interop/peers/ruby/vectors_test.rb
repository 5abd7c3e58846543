# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
# frozen_string_literal: true

require 'json'
require 'minitest/autorun'

require 'error_claim_rules'
require 'retry_loop_rules'

# The conformance vectors of protos/vectors.json.
class VectorsTest < Minitest::Test
  VECTORS = File.expand_path('../../../protos/vectors.json', __dir__)

  def each(section)
    rows = JSON.parse(File.read(VECTORS)).fetch(section)
    refute_empty rows
    rows.each { |row| yield row, "#{section}: #{row}" }
  end

  # assert_equal that takes nil.
  def assert_same_value(expect, value, text)
    assert expect == value, "#{text}: got #{value.inspect}"
  end

  def test_all_sections_are_run
    sections = JSON.parse(File.read(VECTORS)).keys - ['version']
    tests = self.class.instance_methods.grep(/\Atest_/).map { |name| name[5..] }
    assert_equal sections.sort, (tests - ['all_sections_are_run']).sort
  end

  def test_loop
    each('loop') do |row, text|
      view = RetryLoopRules::View.new(**row.except('expect').transform_keys(&:to_sym))
      assert_equal row['expect'], RetryLoopRules.reason(view), text
    end
  end

  def test_backoff
    each('backoff') do |row, text|
      wait = RetryLoopRules.backoff_ms(*row.values_at('initial_ms', 'max_ms', 'multiplier',
                                                      'retry', 'random'))
      assert_in_delta row['expect_ms'], wait, 1e-6, text
    end
  end

  def test_marks
    each('marks') do |row, text|
      assert_equal row['expect'], ErrorClaim.marked?(ErrorClaim::MARK => row['values']), text
    end
  end

  def test_retry
    each('retry') do |row, text|
      assert_equal row['expect'], ErrorClaim.may_retry(
        row['error'], row['claim'], budget_empty: row['budget_empty'],
                                    chained: row['chained']
      ), text
    end
  end

  def test_criteria
    each('criteria') do |row, text|
      assert_equal row['expect'], ErrorClaim.criteria(
        row['claim'], row['retried'], row['policy'], application: row['application']
      ), text
    end
  end

  def test_claims
    each('claims') do |row, text|
      reasons = row['outbounds'].map do |outbound|
        ErrorClaim.reason_of(outbound['callee'] != 'ok', outbound['edge'] == 'fail_open',
                             outbound['criteria'])
      end
      reason = reasons.max || ErrorClaim::Reason::OWN
      said = { 'claim' => ErrorClaim.claim_of(reason),
               'reason' => ErrorClaim::Reason.lookup(reason).to_s.downcase }
      assert_equal row['expect'], said, text
    end
  end

  def test_values
    each('values') do |row, text|
      metadata = { ErrorClaim::CLAIM => row['values'], 'x-claim' => row['alias_values'] }
      claim = ErrorClaim.read_claim(metadata, 'x-claim') || 'missing'
      assert_equal row['expect'], claim, text
    end
  end

  def fields(detail)
    detail && { 'owner_service' => detail.owner_service,
                'owner_method' => detail.owner_method, 'hops' => detail.hops,
                'attempts' => detail.attempts, 'reason' => detail.reason.to_s.downcase }
  end

  def detail_of(row)
    row && ErrorClaim::Detail.new(**row.transform_keys(&:to_sym),
                                  reason: row['reason'].upcase.to_sym)
  end

  def test_details
    each('details') do |row, text|
      bytes = row['bytes'].unpack1('m')
      assert_same_value row['expect'], fields(ErrorClaim.parse_detail(bytes)), text
    end
  end

  def test_passed_on
    each('passed_on') do |row, text|
      passed = ErrorClaim.passed_on(detail_of(row['received']), *row.values_at('path', 'attempts'))
      assert_equal row['expect'], fields(passed), text
    end
  end
end

# What the vectors leave open.
class RulesTest < Minitest::Test
  def test_largest_detail_fits_and_hops_do_not_wrap
    received = ErrorClaim::Detail.new(owner_service: 's' * 120, owner_method: 'm' * 120,
                                      hops: 2**32 - 1)
    passed = ErrorClaim.passed_on(received, '/x/y', 2**32 - 1)
    assert_operator passed.to_proto.bytesize, :<=, ErrorClaim::DETAIL_BYTES
    assert_equal 2**32 - 1, passed.hops
    assert_equal 's' * 108, passed.owner_service
  end

  def test_names_become_printable
    detail = ErrorClaim.make_detail("caf\u00e9\n", '', 0, 0, ErrorClaim::Reason::OWN)
    assert_equal 'caf???', detail.owner_service
  end

  def test_policy_of_the_nearest_name
    covers = { 'retryableStatusCodes' => ['UNAVAILABLE'] }
    policies = ErrorClaim.retry_policies(
      'methodConfig' => [
        { 'name' => [{ 'service' => 's', 'method' => 'Get' }] },
        { 'name' => [{ 'service' => 's' }], 'retryPolicy' => covers },
        { 'name' => [{}], 'retryPolicy' => { 'retryableStatusCodes' => ['INTERNAL'] } }
      ]
    )
    [[policies, '/s/Get', 'none'], [policies, '/s/Put', 'covers'],
     [policies, '/t/Get', 'not_listed'],
     [ErrorClaim.retry_policies(nil), '/s/Get', 'none']].each do |given, path, expect|
      assert_equal expect, ErrorClaim.policy_of(given, path, 'UNAVAILABLE')
    end
  end

  def test_repeated_detail_is_ignored
    assert_nil ErrorClaim.read_detail({ ErrorClaim::DETAIL => ['', ''] })
    refute_nil ErrorClaim.read_detail({ ErrorClaim::DETAIL => '' })
  end

  def test_marks_of_grpc
    { '1' => true, '012' => true, '0' => false, 'many' => false, '1x' => false,
      '-1' => false, "\xb2".b => false, "\xb2" => false }.each do |value, expect|
      assert_equal expect, ErrorClaim.marked?(ErrorClaim::PREVIOUS => value), value.inspect
    end
  end

  def test_pushback
    { [] => ['none', 0], ['0'] => ['wait', 0], '70' => ['wait', 70], ['-1'] => ['stop', 0],
      ['soon'] => ['stop', 0], '' => ['stop', 0], %w[1 2] => ['wait', 2],
      %w[1 -1] => ['stop', 0], '9' * 99 => ['stop', 0] }.each do |values, expect|
      assert_equal expect, ErrorClaim.pushback_of(ErrorClaim::PUSHBACK => values)
    end
  end

  def test_alias_that_is_a_key_of_the_protocol
    assert_equal [nil, nil, nil, 'x-claim'],
                 [nil, '', ErrorClaim::CLAIM, 'X-Claim'].map { |key| ErrorClaim.alias_of(key) }
    [ErrorClaim::MARK, ErrorClaim::DETAIL, ErrorClaim::PUSHBACK, 'x-bin'].each do |key|
      error = assert_raises(ArgumentError) { ErrorClaim.alias_of(key) }
      assert_includes error.message, "claim_alias: got '#{key}', expected"
    end
  end

  def test_attempts_that_the_policy_makes
    [[2, 'none', 2], [9, 'none', 5], [3, 'stop', 1]].each do |most, pushback, expect|
      policies = ErrorClaim.retry_policies(
        'methodConfig' => [{ 'name' => [{}], 'retryPolicy' => {
          'maxAttempts' => most, 'retryableStatusCodes' => ['UNAVAILABLE']
        } }]
      )
      assert_equal expect, ErrorClaim.attempts_of(policies, '/s/m', 'UNAVAILABLE', pushback)
      assert_equal 1, ErrorClaim.attempts_of(policies, '/s/m', 'ABORTED', 'none')
    end
  end

  def test_ownership_is_left_out
    view = RetryLoopRules::View.new(status: 'listed', claim: 'unclaimed', calls_left: true,
                                    time_left: true, budget_empty: true, chained: true,
                                    attempts_left: false, pushback: 'stop')
    assert_equal 'pushback', RetryLoopRules.reason(view, owned: false)
  end
end
