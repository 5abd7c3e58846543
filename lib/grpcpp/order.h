// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_GRPCPP_ORDER_H
#define EOWN_GRPCPP_ORDER_H

namespace eown::grpcpp {

// gRPC calls one call's interceptor on several threads, one after the other.
// libgrpc is not built with ThreadSanitizer, which therefore cannot see the
// order: a hook says TakeOver first and HandOver last, of the interceptor and
// of what it has in common with others. Without ThreadSanitizer both are
// nothing.
#ifdef __SANITIZE_THREAD__
extern "C" void __tsan_acquire(void *address);
extern "C" void __tsan_release(void *address);
inline void TakeOver(const void *written) {
  __tsan_acquire(const_cast<void *>(written));
}
inline void HandOver(const void *written) {
  __tsan_release(const_cast<void *>(written));
}
#else
inline void TakeOver(const void *) {}
inline void HandOver(const void *) {}
#endif

} // namespace eown::grpcpp

#endif // EOWN_GRPCPP_ORDER_H
