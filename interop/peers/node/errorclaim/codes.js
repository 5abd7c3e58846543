// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
'use strict';

// gRPC's status codes, so that the rules need no gRPC.
const CODES = Object.freeze({
  OK: 0,
  CANCELLED: 1,
  UNKNOWN: 2,
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  ALREADY_EXISTS: 6,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  ABORTED: 10,
  OUT_OF_RANGE: 11,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  DATA_LOSS: 15,
  UNAUTHENTICATED: 16,
});

// The code of a name in any case or of a number; undefined where it is neither.
function codeOf(word) {
  const codes = Object.values(CODES);
  return codes.includes(word) ? word : CODES[String(word).toUpperCase()];
}

// Codes that say that a callee failed; others are its answer.
const FAULTS = new Set(['UNKNOWN', 'DEADLINE_EXCEEDED', 'RESOURCE_EXHAUSTED',
  'ABORTED', 'INTERNAL', 'UNAVAILABLE', 'DATA_LOSS'].map(codeOf));

module.exports = {CODES, FAULTS, codeOf};
