/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_FILTER_TSAN_H
#define EOWN_TESTS_FILTER_TSAN_H

/* gRPC is not built with ThreadSanitizer, which therefore cannot see that gRPC
 * hands memory from one thread to another. RELEASE a tag before its operation
 * starts, ACQUIRE it after the queue has returned it. */
#ifdef __SANITIZE_THREAD__
void __tsan_acquire(void *address);
void __tsan_release(void *address);
#define TEST_ACQUIRE(pointer) __tsan_acquire((void *)(pointer))
#define TEST_RELEASE(pointer) __tsan_release((void *)(pointer))
#else
#define TEST_ACQUIRE(pointer) ((void)(pointer))
#define TEST_RELEASE(pointer) ((void)(pointer))
#endif

#endif /* EOWN_TESTS_FILTER_TSAN_H */
