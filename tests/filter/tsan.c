/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "tsan.h"

#ifdef __SANITIZE_THREAD__
const char *__tsan_default_suppressions(void);

/* ThreadSanitizer sees what these libraries, built without it, do to memory by
 * memmove and free, but not the locks around it. */
const char *__tsan_default_suppressions(void) {
  return "called_from_lib:/libgrpc.so\n"
         "called_from_lib:/libgpr.so\n"
         "called_from_lib:/libabsl_graphcycles_internal.so\n"
         "called_from_lib:/libabsl_synchronization.so\n"
         "called_from_lib:/libabsl_cord.so\n"
         "called_from_lib:/libabsl_cord_internal.so\n"
         "called_from_lib:/libabsl_random_internal_pool_urbg.so\n"
         "race:absl::*::cord_internal\n"
         "called_from_lib:/libabsl_status.so\n"
         "called_from_lib:/libabsl_raw_hash_set.so\n"
         "called_from_lib:/libabsl_strings.so\n"
         "called_from_lib:/libabsl_time.so\n"
         "called_from_lib:/libabsl_time_zone.so\n"
         "called_from_lib:/libupb.so\n"
         "called_from_lib:/libcares.so\n"
         "called_from_lib:/libssl.so\n"
         "called_from_lib:/libcrypto.so\n"
         "thread:grpc_core::Thread\n";
}
#else
typedef int test_tsan_is_off;
#endif
