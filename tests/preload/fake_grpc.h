/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_PRELOAD_FAKE_GRPC_H
#define EOWN_TESTS_PRELOAD_FAKE_GRPC_H

#include <stdatomic.h>
#include <stdbool.h>

void grpc_init(void);
void grpc_call_start_batch(void);
const char *grpc_version_string(void);

/* A plugin says that its constructor runs. */
extern atomic_bool fake_is_loading;

/* Initialises gRPC twice, as the object that holds it finds it. */
void fake_user(void);

#endif /* EOWN_TESTS_PRELOAD_FAKE_GRPC_H */
