// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
'use strict';

// The command line of the node: one row for each option, with how its value is
// read and what is expected of it.

const {CODES} = require('../errorclaim/codes');

const NAME = '[A-Za-z0-9._-]{1,63}';
const FAULTS = ['UNKNOWN', 'DEADLINE_EXCEEDED', 'RESOURCE_EXHAUSTED', 'ABORTED',
  'INTERNAL', 'UNAVAILABLE', 'DATA_LOSS'];

// Readers return undefined for a value that is not as expected.
const readName = (text) => new RegExp(`^${NAME}$`).test(text) ? text : undefined;

function readAddress(text, lowest = 0) {
  const port = /^.+:([0-9]{1,5})$/.exec(text)?.[1];
  return port >= lowest && port <= 65535 ? text : undefined;
}

function readCallee(text) {
  const parts = new RegExp(`^(${NAME})=([^,]+)(,fail-open)?$`).exec(text);
  if (!parts || !readAddress(parts[2], 1)) return undefined;
  return {name: parts[1], target: parts[2], failOpen: Boolean(parts[3])};
}

function readRate(text) {
  const rate = text.trim() === '' ? NaN : Number(text);
  return rate >= 0 && rate <= 1 ? rate : undefined;
}

// 64 bits, so a BigInt.
function readNumber(text) {
  const number = /^[0-9]{1,20}$/.test(text) ? BigInt(text) : -1n;
  return number >= 0n && number < 1n << 64n ? number : undefined;
}

function readAttempts(text) {
  const number = readNumber(text);
  return number >= 1n && number <= 100n ? Number(number) : undefined;
}

const isFailure = (name) => name !== 'OK' && Object.hasOwn(CODES, name);

const readStatus = (text, name = text.toUpperCase()) =>
  isFailure(name) ? CODES[name] : undefined;

function readCodes(text) {
  const names = text.toUpperCase().split(',');
  return names.every(isFailure) ? names : undefined;
}

const oneOf = (...words) => (text) => words.includes(text) ? text : undefined;

const A_STATUS = 'the name of a gRPC status code other than OK';
const A_NUMBER = 'a whole number of at most 64 bits';
const ROWS = {
  name: {form: 'NAME', text: 'of this node and of its service (node)',
    first: 'node', read: readName,
    expected: "1 to 63 letters, digits, '-', '_' or '.'"},
  listen: {form: 'HOST:PORT', text: 'to serve; port 0 picks one (127.0.0.1:0)',
    first: '127.0.0.1:0', read: (text) => readAddress(text),
    expected: 'HOST:PORT with a port from 0 to 65535'},
  callee: {form: 'NAME=HOST:PORT[,fail-open]',
    text: 'a node to call for each inbound call; may be repeated',
    first: [], repeats: true, read: readCallee,
    expected: 'NAME=HOST:PORT or NAME=HOST:PORT,fail-open'},
  'fail-rate': {form: 'RATE', text: 'share of calls it fails by itself (0)',
    first: 0, read: readRate, expected: 'a number from 0 to 1'},
  'fail-status': {form: 'STATUS', text: 'of its own failures (UNAVAILABLE)',
    first: CODES.UNAVAILABLE, read: readStatus, expected: A_STATUS},
  'healthy-first': {form: 'N', text: 'the first N calls do not fail (0)',
    first: 0n, read: readNumber, expected: A_NUMBER},
  seed: {form: 'N', text: 'of its random numbers (1)',
    first: 1n, read: readNumber, expected: A_NUMBER},
  attempts: {form: 'K', text: 'attempts of a call at most; 1: no retries (1)',
    first: 1, read: readAttempts, expected: 'a whole number from 1 to 100'},
  'retry-codes': {form: 'A,B,..', text: 'retryable codes (the seven faults)',
    first: FAULTS, read: readCodes,
    expected: `${A_STATUS}, or several with commas`},
  'retry-by': {form: 'WHO',
    text: 'grpc: a retry policy; application: a loop; both (grpc)',
    first: 'grpc', read: oneOf('grpc', 'application', 'both'),
    expected: 'grpc, application or both'},
  ownership: {form: 'MODE', text: 'stock, off, observe or enforce (stock)',
    first: 'stock', read: oneOf('stock', 'off', 'observe', 'enforce'),
    expected: 'stock, off, observe or enforce'},
  context: {form: 'WAY', text: 'parent; none: outbound calls are tied to nothing',
    first: 'parent', read: oneOf('parent', 'none'), expected: 'parent or none'},
};

const forms = Object.entries(ROWS).map(([name, row]) =>
  `  --${name} ${row.form}`.padEnd(40) + row.text);
const HELP = `Usage: node [OPTION...]
One node of a call graph, in Node.js with @grpc/grpc-js: serves
/eown.interop.v1.Node/{Call,Stats} and /NAME/Call, and calls its callees for
each call. Prints a line of JSON when it is ready and one with its counts at its
exit, on SIGTERM or SIGINT.

${forms.join('\n')}
  --help                                this text

Example, the caller of a node D, with one retry and error ownership:
  node --name C --listen 127.0.0.1:7003 --callee D=127.0.0.1:7004 \\
    --attempts 2 --ownership enforce
`;

function refuse(message) {
  process.stderr.write(`node: ${message}\nTry --help.\n`);
  process.exit(2);
}

function take(options, name, text) {
  const row = ROWS[name];
  if (!row) refuse(`unknown option '--${name}'`);
  if (text === undefined) refuse(`--${name}: expected ${row.expected}`);
  const value = row.read(text);
  if (value === undefined)
    refuse(`--${name}: got '${text}', expected ${row.expected}`);
  options[name] = row.repeats ? [...options[name], value] : value;
}

// Reads the command line. A bad one ends the process with status 2.
function readOptions(words) {
  const options = Object.fromEntries(
    Object.entries(ROWS).map(([name, row]) => [name, row.first]));
  const left = [...words];
  while (left.length > 0) {
    const word = left.shift();
    const [, name, joined] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (name === 'help') {
      process.stdout.write(HELP);
      process.exit(0);
    }
    if (name === undefined) refuse(`got '${word}', expected options only`);
    take(options, name, joined ?? (name in ROWS ? left.shift() : undefined));
  }
  return options;
}

module.exports = {readOptions};
