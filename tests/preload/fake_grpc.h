/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_PRELOAD_FAKE_GRPC_H
#define EOWN_TESTS_PRELOAD_FAKE_GRPC_H

void grpc_init(void);
const char *grpc_version_string(void);

/* Initialises gRPC twice, as the object that holds it finds it. */
void fake_user(void);

#endif /* EOWN_TESTS_PRELOAD_FAKE_GRPC_H */
