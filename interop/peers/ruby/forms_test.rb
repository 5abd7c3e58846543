# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
# frozen_string_literal: true

require 'local_servers'

# The four forms of calls.
class FormsTest < Minitest::Test
  include LocalServers

  FORMS = {
    call: proc { |stub, more| stub.call(LocalServers::Bytes.new('x'), **more) },
    stream: proc { |stub, more| stub.stream(LocalServers::Bytes.new('x'), **more).to_a },
    gather: proc { |stub, more| stub.gather([LocalServers::Bytes.new('x')], **more) },
    talk: proc { |stub, more| stub.talk([LocalServers::Bytes.new('x')], **more).to_a }
  }.freeze

  # Errors leave as Trailers-Only, so that gRPC retries them.
  def test_errors_of_its_own
    FORMS.each do |name, form|
      server = claiming('D', failing)
      error = error_in { form.call(stock(server), { deadline: deadline }) }
      assert_equal [4, ['claimed'], :OWN], [server.served, error.claims, error.reason], name
    end
  end

  def test_passed_on
    FORMS.each do |name, form|
      owner = claiming('D', failing)
      stub = tied(owner)
      server = claiming('C', proc { form.call(stub, { deadline: deadline }) })
      error = error_in { form.call(stock(server), { deadline: deadline }) }
      assert_equal [1, 4, ['unclaimed'], ['D', 1]],
                   [server.served, owner.served, error.claims, error.owner], name
    end
  end

  # Of the operation view as well.
  def test_marks
    owner = claiming('D', proc { [] })
    metadata = { 'error-claim-retry' => %w[1 1], 'own' => 'kept' }.freeze
    FORMS.each do |name, form|
      form.call(tied(owner), { metadata: metadata })
      request = owner.metadata.pop
      assert_equal %w[1 kept], request.values_at(ErrorClaim::MARK, 'own'), name
    end
    tied(owner).call(LocalServers::Bytes.new, return_op: true, metadata: metadata).execute
    assert_equal [['1']], owner.values(ErrorClaim::MARK)
  end
end
