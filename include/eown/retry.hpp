// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_RETRY_HPP
#define EOWN_RETRY_HPP

#include <grpcpp/client_context.h>
#include <grpcpp/server_context.h>
#include <grpcpp/support/status.h>
#include <grpcpp/support/string_ref.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <thread>

#include "eown/retry.h"

// The application's own retry loop in C++: eown::Retry (eown/eown.hpp) for
// channels with the filters, eown::grpcpp::Retry (eown/grpcpp.hpp) for channels
// with the interceptors; both also serve channels with neither.
//
//   eown::Retry retry(inbound, options);  // inbound: null in a mere client
//   grpc::Status status;
//   do {
//     status = stub->Get(retry.Next(), request, &reply);
//   } while (retry.Again(status));
//
// Code that must not block asks retry.After(status) for the wait instead, and
// starts the next call with retry.Next() when it is over.
namespace eown {

// The set of some status codes: Codes(grpc::UNAVAILABLE, grpc::ABORTED).
template <typename... Code>
constexpr eown_status_set Codes(Code... codes) {
  return (0u | ... | (1u << static_cast<unsigned>(codes)));
}

// What a loop is told. Bad values are refused (BasicRetry::problem).
struct RetryOptions {
  int max_attempts = 3; // 1 to 100; gRPC's own retries below the loop count
  eown_status_set codes = Codes(grpc::StatusCode::UNAVAILABLE);
  std::chrono::milliseconds initial_backoff{100};
  std::chrono::milliseconds max_backoff{1000};
  double backoff_multiplier = 2;
  // Of the loop as a whole; the inbound's counts as well. A deadline that the
  // application gives to a ClientContext is one call's alone.
  std::chrono::system_clock::time_point deadline =
      std::chrono::system_clock::time_point::max();
  // Whether nobody waits for the answer any more, for example
  // [inbound] { return inbound->IsCancelled(); }. Asked after a failure, and
  // every 10 ms while Again waits.
  std::function<bool()> cancelled;

  // For channels without eown, see eown_retry_options. Borrowed.
  eown_mode mode = EOWN_MODE_ENFORCE;
  const char *method = nullptr;
  eown_budget *budget = nullptr;
  bool chain_stop = false;
  bool trust_boundary = false;
  const char *claim_key_alias = nullptr;
};

namespace internal {

inline eown_retry_options CoreOptions(const RetryOptions &from) {
  eown_retry_options to;
  eown_retry_options_init(&to);
  to.max_attempts = from.max_attempts;
  to.codes = from.codes;
  to.initial_backoff_ms = from.initial_backoff.count();
  to.max_backoff_ms = from.max_backoff.count();
  to.backoff_multiplier = from.backoff_multiplier;
  to.mode = from.mode;
  to.method = from.method;
  to.budget = from.budget;
  to.chain_stop = from.chain_stop;
  to.trust_boundary = from.trust_boundary;
  to.claim_key_alias = from.claim_key_alias;
  return to;
}

// The clock of the bindings.
inline uint64_t RetryNow() {
  using namespace std::chrono;
  return static_cast<uint64_t>(
      duration_cast<milliseconds>(steady_clock::now().time_since_epoch())
          .count());
}

inline uint32_t RetryRandom() {
  static thread_local std::mt19937 random{std::random_device{}()};
  return static_cast<uint32_t>(random());
}

inline void FeedTrailers(const grpc::ClientContext &client, const char *alias,
                         eown_retry_end *end) {
  for (const auto &item : client.GetServerTrailingMetadata())
    eown_retry_end_feed(end, alias, item.first.data(), item.first.size(),
                        item.second.data(), item.second.size());
}

} // namespace internal

// One loop. `Binding` knows how the inbound context is found, and what filters
// or an interceptor know of a call. For one thread at a time; it may move
// between threads. It must outlive its calls.
template <typename Binding>
class BasicRetry {
public:
  // `inbound` is the call being served, which must outlive the loop; null in a
  // client that serves nothing. It gives the loop its deadline, and the calls
  // of Next their parent.
  explicit BasicRetry(const grpc::ServerContext *inbound,
                      RetryOptions options = {})
      : BasicRetry(Binding::Find(inbound), std::move(options)) {
    server_ = inbound;
    base_ = inbound;
  }
  explicit BasicRetry(const grpc::CallbackServerContext *inbound,
                      RetryOptions options = {})
      : BasicRetry(Binding::Find(inbound), std::move(options)) {
    callback_server_ = inbound;
    base_ = inbound;
  }
  // For an inbound whose call the loop may outlive: the deadline is the
  // application's to set.
  explicit BasicRetry(eown_context *inbound, RetryOptions options = {})
      : options_(std::move(options)) {
    const eown_retry_options core = internal::CoreOptions(options_);
    char message[128] = "";
    eown_retry_options_check(&core, message, sizeof(message));
    problem_ = message;
    eown_retry_init(&loop_, inbound, &core);
  }
  explicit BasicRetry(std::nullptr_t, RetryOptions options = {})
      : BasicRetry(static_cast<eown_context *>(nullptr), std::move(options)) {}
  ~BasicRetry() { eown_retry_clear(&loop_); }
  BasicRetry(const BasicRetry &) = delete;
  BasicRetry &operator=(const BasicRetry &) = delete;

  // What is wrong with the options, as a sentence; "" where nothing is. With
  // bad options the loop makes one call and never retries.
  const std::string &problem() const { return problem_; }

  // The context of the next call: a child of the inbound call, tied and marked.
  // It is the loop's, until the next Next.
  grpc::ClientContext *Next() {
    if (server_ != nullptr)
      own_ = grpc::ClientContext::FromServerContext(*server_);
    else if (callback_server_ != nullptr)
      own_ = grpc::ClientContext::FromCallbackServerContext(*callback_server_);
    else
      own_ = std::make_unique<grpc::ClientContext>();
    Prepare(own_.get());
    return own_.get();
  }

  // The same for a context of the application's: ties and marks it. Each call
  // takes a new one; it must live until Again or After has seen it.
  void Prepare(grpc::ClientContext *client) {
    const bool mark = eown_retry_begin(&loop_, internal::RetryNow());
    if (mark)
      client->AddMetadata(EOWN_RETRY_MARK_KEY, EOWN_RETRY_MARK_VALUE);
    if (loop_.context != nullptr && client->census_context() == nullptr)
      client->set_census_context(
          reinterpret_cast<census_context *>(loop_.context));
    binding_.Begin(client);
  }

  // The call ended with `status`. Returns whether to call again, after having
  // waited for as long as that takes; blocks the thread. `committed`: the
  // application has a part of the answer, a message of a stream for example.
  bool Again(const grpc::Status &status, grpc::ClientContext *client,
             bool committed = false) {
    const auto wait = After(status, client, committed);
    return wait.has_value() && Sleep(*wait);
  }
  bool Again(const grpc::Status &status, bool committed = false) {
    return Again(status, own_.get(), committed);
  }

  // The same without waiting: how long to wait before the next call; nothing
  // where the loop has ended.
  std::optional<std::chrono::milliseconds> After(const grpc::Status &status,
                                                 grpc::ClientContext *client,
                                                 bool committed = false) {
    eown_retry_end end = {};
    end.status = static_cast<eown_status>(status.error_code());
    if (!status.ok())
      Describe(client, committed, &end);
    if (client != nullptr)
      binding_.Read(client, &end);
    const eown_retry_answer answer =
        eown_retry_again(&loop_, &end, internal::RetryNow(),
                         status.ok() ? 0 : internal::RetryRandom());
    reason_ = answer.reason;
    if (!answer.again)
      return std::nullopt;
    return std::chrono::milliseconds(answer.wait_ms);
  }
  std::optional<std::chrono::milliseconds> After(const grpc::Status &status,
                                                 bool committed = false) {
    return After(status, own_.get(), committed);
  }

  // Why the loop went on or ended, at the last call's end; eown_loop_name.
  eown_loop reason() const { return reason_; }

private:
  using TimePoint = std::chrono::system_clock::time_point;

  void Describe(const grpc::ClientContext *client, bool committed,
                eown_retry_end *end) const {
    end->committed = committed;
    end->cancelled = options_.cancelled && options_.cancelled();
    TimePoint deadline = options_.deadline;
    if (base_ != nullptr)
      deadline = std::min(deadline, base_->deadline());
    end->has_deadline = deadline != TimePoint::max();
    if (end->has_deadline)
      end->left_ms = Left(deadline);
    if (client != nullptr)
      internal::FeedTrailers(*client, options_.claim_key_alias, end);
  }

  static uint64_t Left(TimePoint deadline) {
    const TimePoint now = std::chrono::system_clock::now();
    if (deadline <= now)
      return 0;
    return static_cast<uint64_t>(
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - now)
            .count());
  }

  // Says whether somebody still waits for the answer.
  bool Sleep(std::chrono::milliseconds wait) {
    if (!options_.cancelled) {
      std::this_thread::sleep_for(wait);
      return true;
    }
    const auto end = std::chrono::steady_clock::now() + wait;
    constexpr std::chrono::milliseconds kStep(10);
    for (auto now = std::chrono::steady_clock::now(); now < end;
         now = std::chrono::steady_clock::now()) {
      if (options_.cancelled())
        return End();
      std::this_thread::sleep_until(std::min(end, now + kStep));
    }
    return !options_.cancelled() || End();
  }
  bool End() {
    reason_ = EOWN_LOOP_CANCELLED;
    eown_retry_clear(&loop_);
    return false;
  }

  RetryOptions options_;
  std::string problem_;
  const grpc::ServerContext *server_ = nullptr;
  const grpc::CallbackServerContext *callback_server_ = nullptr;
  const grpc::ServerContextBase *base_ = nullptr;
  eown_retry_loop loop_;
  eown_loop reason_ = EOWN_LOOP_OK;
  Binding binding_;
  std::unique_ptr<grpc::ClientContext> own_;
};

} // namespace eown

#endif // EOWN_RETRY_HPP
