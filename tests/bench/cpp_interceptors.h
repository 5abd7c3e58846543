// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_TESTS_BENCH_CPP_INTERCEPTORS_H
#define EOWN_TESTS_BENCH_CPP_INTERCEPTORS_H

#include <grpcpp/support/client_interceptor.h>
#include <grpcpp/support/server_interceptor.h>

#include <memory>
#include <vector>

namespace bench {

using ClientFactories = std::vector<
    std::unique_ptr<grpc::experimental::ClientInterceptorFactoryInterface>>;
using ServerFactories = std::vector<
    std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface>>;

// One interceptor that does nothing but go on; none where `wanted` is false.
ClientFactories MakeClientFactories(bool wanted);
ServerFactories MakeServerFactories(bool wanted);

} // namespace bench

#endif // EOWN_TESTS_BENCH_CPP_INTERCEPTORS_H
