// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifdef __SANITIZE_THREAD__
extern "C" const char *__tsan_default_suppressions();

// What libraries without ThreadSanitizer do by themselves: it sees their calls
// of memmove and free, but not the locks around them. What gRPC C++ has in its
// headers is built with it here, and touches what those libraries hand over.
extern "C" const char *__tsan_default_suppressions() {
  return "called_from_lib:/libgrpc.so\n"
         "called_from_lib:/libgrpc++.so\n"
         "called_from_lib:/libgpr.so\n"
         "called_from_lib:/libprotobuf.so\n"
         "called_from_lib:/libabsl_graphcycles_internal.so\n"
         "called_from_lib:/libabsl_synchronization.so\n"
         "called_from_lib:/libabsl_cord.so\n"
         "called_from_lib:/libabsl_cord_internal.so\n"
         "called_from_lib:/libabsl_status.so\n"
         "called_from_lib:/libabsl_random_internal_pool_urbg.so\n"
         "called_from_lib:/libabsl_raw_hash_set.so\n"
         "called_from_lib:/libabsl_strings.so\n"
         "called_from_lib:/libabsl_time.so\n"
         "called_from_lib:/libabsl_time_zone.so\n"
         "called_from_lib:/libupb.so\n"
         "called_from_lib:/libcares.so\n"
         "called_from_lib:/libssl.so\n"
         "called_from_lib:/libcrypto.so\n"
         "race_top:^grpc::\n"
         "race:^grpc::internal::CallOpClientRecvStatus::FinishOp\n";
}
#endif
