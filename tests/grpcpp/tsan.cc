// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include "tsan.h"

#ifdef __SANITIZE_THREAD__
extern "C" __attribute__((visibility("default"))) const char *
__tsan_default_suppressions();

// ThreadSanitizer sees what these libraries, built without it, do to memory by
// memmove and free, but not the order in which they do it. gRPC C++ is in part
// in its headers, so built with it here: what such a function touches, and what
// it calls of the standard library, is gRPC's business. What it calls of ours
// is not left out.
const char *__tsan_default_suppressions() {
  return "called_from_lib:/libgrpc.so\n"
         "called_from_lib:/libgrpc++.so\n"
         "called_from_lib:/libgpr.so\n"
         "called_from_lib:/libprotobuf.so\n"
         "called_from_lib:/libabsl_graphcycles_internal.so\n"
         "called_from_lib:/libabsl_synchronization.so\n"
         "called_from_lib:/libabsl_cord.so\n"
         "called_from_lib:/libabsl_cord_internal.so\n"
         "called_from_lib:/libabsl_random_internal_pool_urbg.so\n"
         "called_from_lib:/libabsl_status.so\n"
         "called_from_lib:/libabsl_raw_hash_set.so\n"
         "called_from_lib:/libabsl_strings.so\n"
         "called_from_lib:/libabsl_time.so\n"
         "called_from_lib:/libabsl_time_zone.so\n"
         "called_from_lib:/libupb.so\n"
         "called_from_lib:/libcares.so\n"
         "called_from_lib:/libssl.so\n"
         "called_from_lib:/libcrypto.so\n"
         "race:absl::*::cord_internal\n"
         "race_top:^grpc::\n"
         "race_top:^std::\n"
         "race_top:^__gnu_cxx::\n"
         "race_top:^google::protobuf::\n"
         "race_top:^eown::test::Probe::\n"
         "race:grpc::internal::*::CallOnDone\n"
         "race:grpc::internal::CallOpClientRecvStatus::FinishOp\n"
         "race:grpc::internal::CallbackUnaryCallImpl\n"
         "race:eown::test::Probe::Stub::async::\n"
         "thread:grpc_core::Thread\n";
}
#endif
