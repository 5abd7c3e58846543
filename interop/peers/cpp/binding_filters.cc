// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
// The C-core filters of lib/grpc.
#include <iostream>

#include "eown/eown.hpp"
#include "owned.h"

namespace peer {
namespace {

class Filters : public Owned {
public:
  bool Start(const Options &options) override {
    stock_ = IsStock(options);
    if (stock_)
      return true;
    eown_error error = eown_grpc_init();
    if (error != EOWN_ERROR_OK) {
      std::cerr << "eown-peer-cpp: eown_grpc_init: " << eown_error_text(error)
                << "\n";
      return false;
    }
    eown::TieSyncHandlers();
    return true;
  }

  std::shared_ptr<grpc::Channel>
  Connect(const CalleeOption &callee, const Options &options,
          grpc::ChannelArguments arguments) override {
    if (!stock_)
      SetArguments(&arguments, callee, options);
    return Binding::Connect(callee, options, arguments);
  }

  void Extend(grpc::ServerBuilder *builder, const Options &options) override {
    if (stock_)
      return;
    builder->AddChannelArgument("eown.mode", options.ownership);
    builder->AddChannelArgument("eown.service_name", options.name);
  }

  void RunTied(grpc::ServerContextBase *inbound,
               const std::function<void()> &start) override {
    eown::Scope scope(inbound != nullptr && !stock_ ? eown::ContextOf(inbound)
                                                    : nullptr);
    start();
  }

  std::unique_ptr<Loop> MakeLoop(grpc::ServerContextBase *inbound,
                                 const Options &options) override {
    if (stock_)
      return MakeLoopByHand(options);
    return MakeOwnedLoop<eown::Retry>(
        inbound == nullptr ? nullptr : eown::ContextOf(inbound), inbound,
        options);
  }

private:
  bool stock_ = true;
};

} // namespace

const char kBindingName[] = "filters";

std::unique_ptr<Binding> MakeBinding() { return std::make_unique<Filters>(); }

} // namespace peer
