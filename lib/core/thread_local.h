/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_THREAD_LOCAL_H
#define EOWN_THREAD_LOCAL_H

/* For the few bytes per thread that every call reads: at a fixed distance from
 * the thread's pointer, so that no call of __tls_get_addr is needed. A library
 * loaded later (dlopen) finds room in the surplus that libc keeps for this. */
#define EOWN__THREAD_LOCAL                                                     \
  _Thread_local __attribute__((tls_model("initial-exec")))

#endif /* EOWN_THREAD_LOCAL_H */
