// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
'use strict';

// What one node counts, in the shape in which it prints it.
class Counts {
  constructor(name, callees) {
    this.name = name;
    this.calleeNames = callees.map((callee) => callee.name);
    this.reset();
  }

  reset() {
    this.own = {served: 0, errors: 0, own_failures: 0, made: 0};
    this.retries_stopped = {unclaimed: 0, budget: 0, chain: 0, multiplied: 0};
    this.claims_sent = {claimed: 0, unclaimed: 0};
    this.callees = this.calleeNames.map((name) => ({name, calls: 0, errors: 0,
      claimed: 0, unclaimed: 0, missing: 0, other: 0}));
  }

  // A call of a callee begins.
  started(callee) {
    this.own.made++;
    this.callees[callee].calls++;
  }

  // Why a retry was not made; other reasons than ownership's do not count.
  stopped(reason) {
    if (reason in this.retries_stopped) this.retries_stopped[reason]++;
  }

  // What the application sees of the claim in the trailing metadata.
  failed(callee, metadata) {
    const values = metadata.get('error-claim');
    const word = values.length === 0 ? 'missing' : String(values);
    const known = ['claimed', 'unclaimed', 'missing'].includes(word);
    this.callees[callee].errors++;
    this.callees[callee][known ? word : 'other']++;
  }

  json(event) {
    const {name, own, retries_stopped, claims_sent, callees} = this;
    return JSON.stringify(
      {event, name, ...own, retries_stopped, claims_sent, callees});
  }
}

module.exports = {Counts};
