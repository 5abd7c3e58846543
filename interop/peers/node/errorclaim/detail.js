// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
'use strict';

// The detail of a claim: eown.v1.ErrorClaim, and whom it names.

const path = require('node:path');
const protobuf = require('protobufjs');

const PROTOS = path.join(__dirname, '../../../../protos');
const DETAIL_MAX = 256;
const NAME_MAX = 108; // two such names and three numbers fit into a detail
const UINT32_MAX = 0xffffffff;

const ErrorClaim = new protobuf.Root()
  .loadSync(path.join(PROTOS, 'eown/v1/error_claim.proto'), {keepCase: true})
  .lookupType('eown.v1.ErrorClaim');
const Reason = ErrorClaim.lookupEnum('Reason').values;

// The detail in these bytes; null where they are none to be believed. A plain
// Reader, for the one that protobufjs takes for buffers reads names cut short.
function readDetail(bytes) {
  if (bytes.length > DETAIL_MAX) return null;
  try {
    const message = ErrorClaim.decode(new protobuf.Reader(bytes));
    const detail = ErrorClaim.toObject(message, {defaults: true});
    const names = detail.owner_service + detail.owner_method;
    if (!/^[ -~]*$/.test(names)) return null;
    if (!Object.values(Reason).includes(detail.reason)) detail.reason = 0;
    return detail;
  } catch {
    return null;
  }
}

const writeDetail = (detail) =>
  Buffer.from(ErrorClaim.encode(ErrorClaim.create(detail)).finish());

const cutName = (name) => name.slice(0, NAME_MAX).replace(/[^ -~]/g, '?');

function ownerOf(method, service = '') {
  const [, first, rest] = /^\/?([^/]*)\/?(.*)$/s.exec(method);
  return {owner_service: cutName(service || first), owner_method: cutName(rest)};
}

// What to say of an error that is only passed on.
function passedOn(received, method, attempts) {
  const named = received !== null && received.owner_service !== '';
  const owner = named ? received : {...ownerOf(method), hops: 0};
  return {
    owner_service: cutName(owner.owner_service),
    owner_method: cutName(owner.owner_method),
    hops: Math.min(owner.hops + 1, UINT32_MAX),
    attempts,
    reason: Reason.PROPAGATED,
  };
}

module.exports = {Reason, readDetail, writeDetail, ownerOf, passedOn};
