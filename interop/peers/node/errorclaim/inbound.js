// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
'use strict';

const {CODES, FAULTS} = require('./codes');
const {Reason, ownerOf, passedOn} = require('./detail');
const {claimOf, criteriaSatisfied, reasonOf} = require('./rules');

// One inbound call and what became of the outbound calls made for it.
class Inbound {
  #cancelListeners = new Set();

  constructor(method, deadline = Infinity) {
    this.method = method;
    this.deadline = deadline; // a Date or ms since 1970
    this.marked = false; // it is itself a retry
    this.claim = null; // as chosen by the application
    this.cancelled = false; // or over
    this.sequence = 0; // failures so far
    this.edges = new Map();
  }

  cancel() {
    this.cancelled = true;
    for (const listener of this.#cancelListeners) listener();
  }

  // Returns a function that takes the listener away.
  onCancel(listener) {
    this.#cancelListeners.add(listener);
    return () => this.#cancelListeners.delete(listener);
  }

  failedBefore(method) {
    const codes = this.edges.get(method)?.codes ?? [];
    return [...codes].some((code) => FAULTS.has(code));
  }

  // Takes the end of an outbound call. What failed before it was started is
  // settled by it, what failed beside it is not.
  record(outbound) {
    let edge = this.edges.get(outbound.method);
    const settles = edge && outbound.started >= edge.lastFailed;
    if (outbound.code === CODES.OK) {
      if (settles) this.edges.delete(outbound.method);
      return;
    }
    const again = this.failedBefore(outbound.method) &&
      outbound.started >= edge.firstFailed;
    this.sequence++;
    if (!edge || settles)
      edge = {codes: new Set(), satisfied: false, firstFailed: this.sequence};
    edge.codes.add(outbound.code);
    edge.satisfied ||= FAULTS.has(outbound.code) &&
      criteriaSatisfied(outbound.claim, outbound.attempts > 1 || again,
        outbound.policy, false);
    Object.assign(edge, {lastFailed: this.sequence, outbound});
    this.edges.set(outbound.method, edge);
  }

  // A loop of the application's ended with `code`, a failure of `method`: it
  // took `attempts` in all its calls, and the failure has had its retry where
  // the loop was held back.
  noteLoop(method, code, attempts, heldBack) {
    const edge = this.edges.get(method);
    if (!edge) return;
    edge.outbound = {...edge.outbound, attempts};
    edge.satisfied ||= heldBack && FAULTS.has(code) && edge.codes.has(code);
  }

  // The failures so far have had their retry, says the application.
  setRetried() {
    for (const edge of this.edges.values()) edge.satisfied = true;
  }

  // A status that answers the request counts only where it is handed on.
  #reasonOf(edge, code) {
    const failed = [...edge.codes].some((one) => FAULTS.has(one));
    const handedOn = !FAULTS.has(code) && edge.codes.has(code);
    return reasonOf(failed || handedOn, edge.outbound.failOpen,
      edge.satisfied || handedOn);
  }

  // The claim and the detail for the error that the inbound ends with.
  decide(code, service) {
    let reason = Reason.OWN, speaker = null;
    for (const edge of this.edges.values()) {
      const one = this.#reasonOf(edge, code);
      if (one > Reason.OWN && one >= reason)
        [reason, speaker] = [one, edge.outbound];
    }
    const claim = this.claim ?? claimOf(reason);
    if (this.claim) reason = Reason.APPLICATION;
    const attempts = speaker?.attempts ?? 0;
    const detail = claim === 'unclaimed' && speaker
      ? passedOn(speaker.detail, speaker.method, attempts)
      : {...ownerOf(this.method, service), hops: 0, attempts};
    return {claim, detail: {...detail, reason}};
  }
}

module.exports = {Inbound};
