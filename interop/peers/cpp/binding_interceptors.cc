// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
// The interceptors of lib/grpcpp.
#include "eown/grpcpp.hpp"
#include "owned.h"

namespace peer {
namespace {

class Interceptors : public Owned {
public:
  bool Start(const Options &options) override {
    stock_ = IsStock(options);
    return true;
  }

  std::shared_ptr<grpc::Channel>
  Connect(const CalleeOption &callee, const Options &options,
          grpc::ChannelArguments arguments) override {
    if (stock_)
      return Binding::Connect(callee, options, arguments);
    SetArguments(&arguments, callee, options);
    return eown::grpcpp::CreateChannel(
        callee.target, grpc::InsecureChannelCredentials(), arguments);
  }

  void Extend(grpc::ServerBuilder *builder, const Options &options) override {
    if (stock_)
      return;
    grpc::ChannelArguments settings;
    settings.SetString("eown.mode", options.ownership);
    settings.SetString("eown.service_name", options.name);
    eown::grpcpp::Install(builder, settings);
  }

  // They are above gRPC's retries and do not see what the pushback stopped.
  void AddCounts(uint64_t passed_on, nlohmann::ordered_json *object) override {
    Owned::AddCounts(passed_on, object);
    if (stock_)
      return;
    auto &unclaimed = (*object)["retries_stopped"]["unclaimed"];
    unclaimed = unclaimed.get<uint64_t>() + passed_on;
  }

  void RunTied(grpc::ServerContextBase *inbound,
               const std::function<void()> &start) override {
    eown::grpcpp::Scope scope(inbound != nullptr && !stock_
                                  ? eown::grpcpp::ContextOf(inbound)
                                  : nullptr);
    start();
  }

  std::unique_ptr<Loop> MakeLoop(grpc::ServerContextBase *inbound,
                                 const Options &options) override {
    if (stock_)
      return MakeLoopByHand(options);
    return MakeOwnedLoop<eown::grpcpp::Retry>(
        inbound == nullptr ? nullptr : eown::grpcpp::ContextOf(inbound),
        inbound, options);
  }

private:
  bool stock_ = true;
};

} // namespace

const char kBindingName[] = "interceptors";

std::unique_ptr<Binding> MakeBinding() {
  return std::make_unique<Interceptors>();
}

} // namespace peer
