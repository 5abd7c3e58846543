// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
'use strict';

const {AsyncLocalStorage} = require('node:async_hooks');

const storage = new AsyncLocalStorage();

// The inbound call that the running code belongs to, or undefined.
const currentInbound = () => storage.getStore();

// Runs `call` as part of an inbound call, or, where that is undefined, of none.
const within = (inbound, call, ...words) =>
  storage.run(inbound, call, ...words);

// Runs `call` tied to no inbound.
const detached = (call) => within(undefined, call);

// Chooses the claim of the current inbound's error: 'claimed' or 'unclaimed'.
function chooseClaim(claim) {
  const inbound = currentInbound();
  if (inbound) inbound.claim = claim;
}

// Says that the failures so far have had their retry.
const setRetried = () => currentInbound()?.setRetried();

module.exports = {currentInbound, within, detached, chooseClaim, setRetried};
