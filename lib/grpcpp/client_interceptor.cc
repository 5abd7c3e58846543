// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include "client_interceptor.h"

#include <grpc/grpc.h>
#include <grpc/grpc_security.h>
#include <string.h>

#include <atomic>
#include <new>

#include "eown/pins.h"
#include "loops.h"
#include "order.h"
#include "process.h"
#include "ties.h"

namespace eown::grpcpp {
namespace {

using grpc::experimental::InterceptionHookPoints;
using grpc::experimental::InterceptorBatchMethods;

// A call was seen to have an auth context where it had a connection.
std::atomic<bool> connections_show{false};

} // namespace

Outbounds::Outbounds(const grpc::ChannelArguments &arguments,
                     const std::string &target)
    : options(arguments), policies(arguments) {
  if (options->retry_budget_percent < 0)
    return;
  budget = eown_budget_acquire(target.c_str(), options->retry_budget_percent,
                               options->retry_budget_min_per_second, nullptr);
  if (budget == nullptr)
    eown_count(EOWN_COUNTER_no_memory);
}

ClientInterceptor *
ClientInterceptor::Make(Outbounds *outbounds,
                        grpc::experimental::ClientRpcInfo *info) {
  size_t length = strlen(info->method());
  auto *place = static_cast<char *>(
      ::operator new(sizeof(ClientInterceptor) + length + 1, std::nothrow));
  if (place == nullptr) {
    eown_count(EOWN_COUNTER_no_memory);
    return nullptr;
  }
  char *path = place + sizeof(ClientInterceptor);
  memcpy(path, info->method(), length + 1);
  return new (place) ClientInterceptor(outbounds, info, path);
}

// The application's own word comes first, then the parent call's, then the
// thread's. The parent's is known only when the call exists.
ClientInterceptor::ClientInterceptor(Outbounds *outbounds,
                                     grpc::experimental::ClientRpcInfo *info,
                                     char *path)
    : outbounds_(outbounds), client_(info->client_context()),
      channel_(info->channel()), loop_(FindLoop(info->client_context())),
      path_(path), path_length_(static_cast<uint32_t>(strlen(path))) {
  eown_context *named = Find(client_->census_context());
  attached_ = named != nullptr;
  if (!attached_)
    named = eown_context_current();
  if (named != nullptr)
    Attach(named);
  HandOver(this);
}

ClientInterceptor::~ClientInterceptor() {
  TakeOver(this);
  eown_context_unref(context_);
}

void ClientInterceptor::Attach(eown_context *context) {
  eown_context *held = eown_context_try_ref(context);
  if (held == nullptr)
    return;
  eown_context_unref(context_);
  context_ = held;
  TakeOver(context_);
  started_ = eown_context_now(context_);
  repeats_ = eown_context_would_repeat(context_, path_, path_length_);
}

void ClientInterceptor::Intercept(InterceptorBatchMethods *methods) {
  if (methods->QueryInterceptionHookPoint(
          InterceptionHookPoints::PRE_SEND_INITIAL_METADATA))
    Start(methods);
  if (methods->QueryInterceptionHookPoint(
          InterceptionHookPoints::POST_RECV_STATUS))
    End(methods);
  methods->Proceed();
}

void ClientInterceptor::Count(eown_counter counter) const {
  eown_count_method(counter, path_, path_length_);
}

// --- the request
// ---------------------------------------------------------------

void ClientInterceptor::AskParent() {
  eown_context *parent = Find(grpc_census_call_get_context(client_->c_call()));
  if (parent != nullptr && parent != context_)
    Attach(parent);
}

void ClientInterceptor::Start(InterceptorBatchMethods *methods) {
  TakeOver(this);
  eown_count(EOWN_COUNTER_outbound_calls);
  if (!attached_)
    AskParent();
  if (context_ == nullptr && ProcessHasServer())
    Count(EOWN_COUNTER_context_drops);
  if (outbounds_->budget != nullptr)
    eown_budget_deposit(outbounds_->budget, Now());
  const Options &options = outbounds_->options;
  bool retry =
      repeats_ || (context_ != nullptr && eown_context_is_retry(context_));
  if (options->trust_boundary)
    RemoveForwarded(options->claim_key_alias,
                    methods->GetSendInitialMetadata());
  else if (retry)
    WriteMark(methods->GetSendInitialMetadata());
  HandOver(outbounds_);
  HandOver(this);
}

// --- the status
// ----------------------------------------------------------------

void ClientInterceptor::End(InterceptorBatchMethods *methods) {
  TakeOver(this);
  grpc::StatusCode code = methods->GetRecvStatus()->error_code();
  if (code != grpc::StatusCode::OK) {
    Fail(static_cast<eown_status>(code), *methods->GetRecvTrailingMetadata());
  } else {
    TellLoop(EOWN_CLAIM_MISSING, 1);
    eown_outcome outcome = {};
    if (context_ != nullptr && eown_context_now(context_) != 0)
      Record(&outcome);
    if (!connections_show.load(std::memory_order_relaxed))
      HasConnection();
  }
  eown_context_unref(context_);
  context_ = nullptr;
  HandOver(outbounds_);
  HandOver(this);
}

void ClientInterceptor::Fail(eown_status status, const Received &trailers) {
  const Options &options = outbounds_->options;
  Word word = ReadClaim(trailers, options->claim_key_alias, path_);
  if (options->trust_boundary)
    word.claim = EOWN_CLAIM_MISSING;
  eown_outcome outcome = {};
  outcome.status = status;
  outcome.claim = word.claim;
  uint32_t attempts = 1;
  outcome.policy = outbounds_->policies.For(channel_, path_, status, &attempts);
  TellLoop(word.claim, attempts);
  outcome.reached = Reached(status, trailers);
  outcome.detail = word.has_detail ? &word.detail : nullptr;
  Count(EOWN_COUNTER_outbound_errors);
  if (outcome.reached)
    eown_count_received(word.claim, path_, path_length_);
  else
    Count(EOWN_COUNTER_local);
  if (!outcome.reached)
    Count(EOWN_COUNTER_unreached);
  if (outcome.policy == EOWN_POLICY_NONE)
    Count(EOWN_COUNTER_refused_no_policy);
  else if (outcome.policy == EOWN_POLICY_NOT_LISTED)
    Count(EOWN_COUNTER_refused_status);
  if (context_ != nullptr)
    Record(&outcome);
}

// A policy that covers the status made all its attempts, or was held back: for
// the loop above it is the same.
void ClientInterceptor::TellLoop(eown_claim claim, uint32_t attempts) {
  if (loop_ == nullptr)
    return;
  loop_->seen = true;
  loop_->mode = outbounds_->options.mode();
  loop_->seen_claim = claim;
  loop_->method = path_;
  loop_->method_length = path_length_;
  loop_->budget = outbounds_->budget;
  loop_->chain_stop = outbounds_->options->chain_stop;
  loop_->attempts = attempts;
  HandOver(loop_);
}

// Whether a callee took part. A call that never had a connection has no auth
// context; but that is believed only of a gRPC that was seen to show one.
bool ClientInterceptor::Reached(eown_status status, const Received &trailers) {
  return status != EOWN_STATUS_UNAVAILABLE || !trailers.empty() ||
         HasConnection() || !connections_show.load(std::memory_order_relaxed);
}

bool ClientInterceptor::HasConnection() {
  grpc_auth_context *auth = grpc_call_auth_context(client_->c_call());
  if (auth == nullptr)
    return false;
  grpc_auth_context_release(auth);
  connections_show.store(true, std::memory_order_relaxed);
  return true;
}

// An edge pinned on the channel, where the inbound's name is known as well.
eown_edge_kind ClientInterceptor::Pinned() const {
  eown_edge_kind kind = EOWN_EDGE_UNKNOWN;
  const char *inbound = eown_context_method(context_);
  eown_edge edge = {inbound, strlen(inbound), path_, path_length_};
  eown_pins_find(outbounds_->options->pins, &edge, &kind);
  return kind;
}

// How many attempts gRPC made is not known here: the detail says 0.
void ClientInterceptor::Record(eown_outcome *outcome) {
  outcome->method = path_;
  outcome->method_length = path_length_;
  outcome->started = started_;
  if (outcome->status != EOWN_STATUS_OK)
    outcome->edge = Pinned();
  eown_context_record(context_, outcome);
}

} // namespace eown::grpcpp
