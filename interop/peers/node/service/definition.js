// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
'use strict';

const path = require('node:path');
const {loadSync} = require('@grpc/proto-loader');

// The service of protos/eown/interop/v1/node.proto.
const DEFINITION = loadSync('eown/interop/v1/node.proto', {
  includeDirs: [path.join(__dirname, '../../../../protos')],
  keepCase: true,
  longs: String,
})['eown.interop.v1.Node'];

module.exports = {DEFINITION};
