// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include "owned.h"

#include <initializer_list>

#include "eown/counters.h"

namespace peer {
namespace {

uint64_t Sum(std::initializer_list<eown_counter> counters) {
  uint64_t sum = 0;
  for (eown_counter counter : counters)
    sum += eown_counter_read(counter);
  return sum;
}

} // namespace

void Owned::AddCounts(uint64_t, nlohmann::ordered_json *object) {
  (*object)["retries_stopped"] = {
      {"unclaimed", Sum({EOWN_COUNTER_stopped_unclaimed,
                         EOWN_COUNTER_loop_stopped_unclaimed})},
      {"budget",
       Sum({EOWN_COUNTER_stopped_budget, EOWN_COUNTER_loop_stopped_budget})},
      {"chain",
       Sum({EOWN_COUNTER_stopped_chain, EOWN_COUNTER_loop_stopped_chain})},
      {"multiplied", Sum({EOWN_COUNTER_loop_stopped_multiplied})}};
  (*object)["claims_sent"] = {
      {"claimed",
       Sum({EOWN_COUNTER_sent_own, EOWN_COUNTER_sent_coincidental,
            EOWN_COUNTER_sent_unreachable, EOWN_COUNTER_sent_at_least_once,
            EOWN_COUNTER_sent_application_claimed})},
      {"unclaimed", Sum({EOWN_COUNTER_sent_propagated,
                         EOWN_COUNTER_sent_application_unclaimed})}};
  for (int i = 0; i < EOWN_COUNTER_N; i++) {
    auto counter = static_cast<eown_counter>(i);
    (*object)["eown"][eown_counter_name(counter)] = eown_counter_read(counter);
  }
}

void Owned::ResetCounts() { eown_counters_reset(); }

eown::RetryOptions Owned::LoopOptions(const Options &options) {
  eown::RetryOptions loop;
  loop.max_attempts = static_cast<int>(options.attempts);
  loop.codes = 0;
  for (grpc::StatusCode code : options.retry_codes)
    loop.codes |= eown::Codes(code);
  loop.initial_backoff = std::chrono::milliseconds(1);
  loop.max_backoff = std::chrono::milliseconds(2);
  eown_mode_parse(options.ownership.c_str(), &loop.mode);
  return loop;
}

void Owned::SetArguments(grpc::ChannelArguments *arguments,
                         const CalleeOption &callee, const Options &options) {
  arguments->SetString("eown.mode", options.ownership);
  arguments->SetString("eown.service_name", options.name);
  if (callee.fail_open)
    arguments->SetString("eown.pins", "/" + callee.name + "/*=fail-open");
}

} // namespace peer
