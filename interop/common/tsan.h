/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_INTEROP_COMMON_TSAN_H
#define EOWN_INTEROP_COMMON_TSAN_H

/* gRPC is not built with ThreadSanitizer, which therefore cannot see that a
 * completion queue hands memory from one thread to another. RELEASE the tag
 * before the operation starts, ACQUIRE it after the queue has returned it. */
#if defined(__SANITIZE_THREAD__)
#define EOWN_INTEROP_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define EOWN_INTEROP_TSAN 1
#endif
#endif

#ifdef EOWN_INTEROP_TSAN
#ifdef __cplusplus
extern "C" {
#endif
void __tsan_acquire(void *address);
void __tsan_release(void *address);
#ifdef __cplusplus
}
#endif
#define EOWN_INTEROP_ACQUIRE(pointer) __tsan_acquire((void *)(pointer))
#define EOWN_INTEROP_RELEASE(pointer) __tsan_release((void *)(pointer))
#else
#define EOWN_INTEROP_ACQUIRE(pointer) ((void)(pointer))
#define EOWN_INTEROP_RELEASE(pointer) ((void)(pointer))
#endif

#endif /* EOWN_INTEROP_COMMON_TSAN_H */
