/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "peer.h"

const lab_peer lab_peers[] = {
    {.name = "c", .text = "eown-node: C on C-core, with eown's filters"},
    {
        .name = "python",
        .folder = "python",
        .text = "Python, Debian's grpcio, interceptors",
    },
    {
        .name = "ruby",
        .folder = "ruby",
        .text = "Ruby, interceptors",
    },
    {
        .name = "node",
        .folder = "node",
        .text = "Node.js (grpc-js), interceptors",
    },
    {
        .name = "go",
        .folder = "go",
        .text = "Go, interceptors",
    },
    {
        .name = "cpp",
        .folder = "cpp",
        .text = "C++, synchronous, interceptors",
    },
    {
        .name = "cpp-callback",
        .folder = "cpp",
        .arguments = {"--form", "callback"},
        .text = "C++, callbacks, interceptors",
    },
    {
        .name = "cpp-async",
        .folder = "cpp",
        .arguments = {"--form", "async"},
        .text = "C++, completion queues, interceptors",
    },
    {
        .name = "cpp-generic",
        .folder = "cpp",
        .arguments = {"--form", "generic"},
        .text = "C++, generic service and stub, interceptors",
    },
    {
        .name = "cpp-filters",
        .folder = "cpp",
        .arguments = {"--binding", "filters"},
        .text = "C++, synchronous, with eown's filters",
    },
    {
        .name = "cpp-plain",
        .folder = "cpp",
        .arguments = {"--binding", "none"},
        .stock = true,
        .text = "C++, synchronous, without ownership",
    },
    {
        .name = "cpp183",
        .folder = "cpp183",
        .text = "C++ on gRPC 1.83, synchronous, interceptors",
    },
    {
        .name = "java",
        .folder = "java",
        .text = "Java (grpc-java), interceptors",
    },
    {
        .name = "rust",
        .folder = "rust",
        .loops_only = true,
        .text = "Rust (tonic), tower layers; its callers loop",
    },
    {
        .name = "python-current",
        .folder = "python_current",
        .text = "Python, grpcio of today, interceptors",
    },
    {
        .name = "python-aio",
        .folder = "python_current",
        .arguments = {"--form", "aio"},
        .text = "Python, grpc.aio of today, interceptors",
    },
};

const size_t lab_peers_count = sizeof(lab_peers) / sizeof(*lab_peers);
