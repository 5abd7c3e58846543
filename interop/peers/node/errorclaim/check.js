// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
'use strict';

const {inspect} = require('node:util');

// Rows of checkOptions for common kinds of options.
const aNumber = (least, most) => ({
  good: (value) => typeof value === 'number' && value >= least && value <= most,
  expected: `a number from ${least} to ${most}`,
});
const aWholeNumber = (least, most) => ({
  good: (value) => Number.isInteger(value) && value >= least && value <= most,
  expected: `a whole number from ${least} to ${most}`,
});
const aBoolean = {
  good: (value) => typeof value === 'boolean',
  expected: 'true or false',
};
const aFunction = {
  good: (value) => typeof value === 'function',
  expected: 'a function',
};
const oneOf = (...words) => ({
  good: (value) => words.includes(value),
  expected: `one of ${words.map((word) => `'${word}'`).join(', ')}`,
});

// The options of `owner`, with the first values of `rows` for those not given.
// A bad or an unknown one is refused: the error names it, its value and what
// was expected.
function checkOptions(owner, rows, options) {
  const given = Object.entries(options)
    .filter(([, value]) => value !== undefined);
  for (const [name, value] of given) {
    if (!Object.hasOwn(rows, name))
      throw new TypeError(`${owner}: unknown option '${name}', ` +
        `expected one of ${Object.keys(rows).join(', ')}`);
    if (!rows[name].good(value))
      throw new RangeError(`${owner}: ${name}: ` +
        `got ${inspect(value, {depth: 0})}, expected ${rows[name].expected}`);
  }
  const first = Object.entries(rows).map(([name, row]) => [name, row.first]);
  return {...Object.fromEntries(first), ...Object.fromEntries(given)};
}

module.exports = {checkOptions, aNumber, aWholeNumber, aBoolean, aFunction,
  oneOf};
