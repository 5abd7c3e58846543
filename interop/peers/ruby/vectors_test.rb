# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
# frozen_string_literal: true

require 'json'
require 'minitest/autorun'

require 'error_claim_rules'

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

  def test_marks
    previous = 'grpc-previous-rpc-attempts'
    [[ErrorClaim::MARK, '1', true], [ErrorClaim::MARK, '2', false], [previous, '1', true],
     [previous, '0', false], [previous, 'many', false]].each do |key, value, expect|
      assert_equal expect, ErrorClaim.marked?({ key => value }), "#{key}: #{value}"
    end
  end
end
