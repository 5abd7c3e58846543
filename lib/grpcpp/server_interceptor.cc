// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include "server_interceptor.h"

#include <string.h>

#include "claim_counters.h"
#include "eown/counters.h"
#include "order.h"
#include "process.h"
#include "server_memory.h"

namespace eown::grpcpp {
namespace {

using grpc::experimental::InterceptionHookPoints;
using grpc::experimental::InterceptorBatchMethods;

} // namespace

Service::Service(const grpc::ChannelArguments &settings) : options(settings) {
  table = ServerMemory(*options);
  if (table != nullptr)
    memory = eown_memory_table_view(table);
}

ServerInterceptor::ServerInterceptor(const Service *service, eown_mode mode,
                                     grpc::experimental::ServerRpcInfo *info)
    : service_(service), info_(info), mode_(mode) {
  HandOver(this);
}

ServerInterceptor::~ServerInterceptor() {
  TakeOver(this);
  Withdraw(tie_);
  eown_context_unref(context_);
}

void ServerInterceptor::Intercept(InterceptorBatchMethods *methods) {
  auto has = [methods](InterceptionHookPoints point) {
    return methods->QueryInterceptionHookPoint(point);
  };
  if (has(InterceptionHookPoints::POST_RECV_INITIAL_METADATA))
    return Receive(methods);
  if (has(InterceptionHookPoints::PRE_SEND_STATUS)) {
    Finish(methods);
  } else if (has(InterceptionHookPoints::PRE_SEND_INITIAL_METADATA)) {
    TakeOver(this);
    early_ = true;
    HandOver(this);
  }
  methods->Proceed();
}

// --- the request
// ---------------------------------------------------------------

// gRPC runs a sync handler, or a callback one up to its return, within Proceed:
// so the thread's context is set around it, and taken back in any case, on the
// same thread, whoever ran meanwhile. Where an interceptor of the application's
// goes on on another thread, or a completion queue hands the call to one,
// Proceed returns before the handler runs, and the handler's thread has none.
// The call may be over by then, and this object with it.
void ServerInterceptor::Receive(InterceptorBatchMethods *methods) {
  eown_context *context = Begin(methods->GetRecvInitialMetadata());
  eown_context_scope scope;
  eown_context_enter(&scope, context);
  methods->Proceed();
  eown_context_leave(&scope);
}

eown_context *ServerInterceptor::Begin(Received *metadata) {
  TakeOver(this);
  // With the filters below, all is done there.
  grpc_call *call = info_->server_context()->c_call();
  census_context *found = grpc_census_call_get_context(call);
  if (eown_context_is_context(found)) {
    mode_ = EOWN_MODE_OFF;
    HandOver(this);
    return Find(found);
  }
  eown_count(EOWN_COUNTER_inbound_calls);
  if (RemoveClaim(service_->options->claim_key_alias, metadata))
    eown_count(EOWN_COUNTER_stripped_claims);
  bool marked = IsMarkedRetry(*metadata);
  // Nor may the application forward it to where marks are believed.
  if (service_->options->trust_boundary)
    RemoveMark(metadata);
  Open(marked && !service_->options->trust_boundary);
  HandOver(service_);
  HandOver(this);
  return context_;
}

void ServerInterceptor::Open(bool retry) {
  if (retry)
    eown_count(EOWN_COUNTER_inbound_retries);
  context_ = eown_context_acquire();
  if (context_ == nullptr) {
    eown_count(EOWN_COUNTER_context_limit);
    return;
  }
  if (retry)
    eown_context_mark_retry(context_);
  // A sync server calls all methods that it does not know "unknown".
  const char *method = info_->method();
  if (method[0] == '/')
    eown_context_set_method(context_, method, strlen(method));
  HandOver(context_);
  tie_ = Publish(info_->server_context()->c_call(), context_);
}

// --- the answer
// ----------------------------------------------------------------

void ServerInterceptor::Finish(InterceptorBatchMethods *methods) {
  TakeOver(this);
  if (mode_ == EOWN_MODE_OFF)
    return;
  Sent *trailers = methods->GetSendTrailingMetadata();
  const bool copied = RemoveClaim(service_->options->claim_key_alias, trailers);
  if (copied)
    eown_count(EOWN_COUNTER_replaced_claims);
  grpc::StatusCode status = methods->GetSendStatus().error_code();
  if (status != grpc::StatusCode::OK)
    Say(status, copied, trailers);
  else if (context_ != nullptr && eown_context_now(context_) != 0)
    Decide(status, nullptr);
  else if (context_ != nullptr && eown_memory_sample(service_->table))
    Served();
  HandOver(service_);
  HandOver(this);
}

void ServerInterceptor::Served() {
  const char *method = eown_context_method(context_);
  eown_memory_table_served(service_->table, method, strlen(method), Now());
}

eown_decision ServerInterceptor::Decide(grpc::StatusCode status,
                                        eown_claim_detail *detail) {
  const Options &options = service_->options;
  eown_context_view view = {};
  view.faults = options->faults;
  view.own_unreachable = options->own_unreachable;
  view.service_name = options->service_name;
  view.pins = options->pins;
  view.memory = service_->table == nullptr ? nullptr : &service_->memory;
  view.now_ms = Now();
  return eown_context_decide(context_, static_cast<eown_status>(status), &view,
                             detail);
}

// A pushback that came along with a callee's claim is the callee's as well: it
// must not stop the retries of an error that is ours.
void ServerInterceptor::Say(grpc::StatusCode status, bool copied,
                            Sent *trailers) {
  eown_count(EOWN_COUNTER_inbound_errors);
  if (early_)
    eown_count(EOWN_COUNTER_early_headers);
  if (copied)
    RemoveStop(trailers);
  if (context_ == nullptr)
    return;
  eown_claim_detail detail;
  eown_decision decision = Decide(status, &detail);
  const Options &options = service_->options;
  if (options->trust_boundary)
    return;
  eown_count(SentCounter(decision));
  WriteClaim(decision.claim, detail, options->claim_key_alias, trailers);
  if (eown_rule_pushback(decision.claim, mode_ == EOWN_MODE_ENFORCE,
                         options->send_pushback))
    WriteStop(trailers);
}

} // namespace eown::grpcpp
