// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_TESTS_GRPCPP_TSAN_H
#define EOWN_TESTS_GRPCPP_TSAN_H

// gRPC is not built with ThreadSanitizer, which therefore cannot see that gRPC
// hands memory from one thread to another. RELEASE before it is handed over,
// ACQUIRE when it is taken.
#ifdef __SANITIZE_THREAD__
extern "C" void __tsan_acquire(void *address);
extern "C" void __tsan_release(void *address);
#define TEST_ACQUIRE(pointer) __tsan_acquire(static_cast<void *>(pointer))
#define TEST_RELEASE(pointer) __tsan_release(static_cast<void *>(pointer))
#else
#define TEST_ACQUIRE(pointer) (static_cast<void>(pointer))
#define TEST_RELEASE(pointer) (static_cast<void>(pointer))
#endif

// What a test prepares is handed to the handlers, and back, at this address.
inline char test_order;

#endif // EOWN_TESTS_GRPCPP_TSAN_H
