// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
'use strict';

const {codeOf} = require('./codes');

function fits(name, service, method) {
  if (!name.service) return !name.method;
  return name.service === service && (!name.method || name.method === method);
}

// The retry policy that a service config has for a method, or undefined: of
// several entries that fit, the one with the longest name counts.
function policyFor(config, path) {
  const [, service, method] = path.split('/');
  let policy, best = -1;
  for (const entry of config?.methodConfig ?? [])
    for (const name of entry.name) {
      const rank = (name.service ? 1 : 0) + (name.method ? 1 : 0);
      if (fits(name, service, method) && rank > best)
        [policy, best] = [entry.retryPolicy, rank];
    }
  return policy;
}

function covers(policy, code) {
  if (!policy) return 'none';
  const listed = policy.retryableStatusCodes
    .some((one) => codeOf(one) === code);
  return listed ? 'covers' : 'not_listed';
}

module.exports = {policyFor, covers};
