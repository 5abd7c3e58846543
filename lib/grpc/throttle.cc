// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include "throttle.h"

#if EOWN_GRPC_SINCE(62)
#include "src/core/client_channel/retry_throttle.h"
#else
#include "src/core/ext/filters/client_channel/retry_throttle.h"
#endif
#if EOWN_GRPC_SINCE(74)
#include "src/core/client_channel/client_channel_filter.h"
#include "src/core/client_channel/config_selector.h"
#include "src/core/client_channel/dynamic_filters.h"
#include "src/core/client_channel/retry_filter.h"
#elif EOWN_GRPC_SINCE(68)
#include "src/core/util/uri.h"
#else
#include "src/core/lib/uri/uri_parser.h"
#endif

#include "absl/strings/strip.h"

namespace eown {

#if EOWN_GRPC_SINCE(74)
using Bucket = retry::RetryThrottler;
#else
using Bucket = retry::ServerRetryThrottleData;
using Buckets = retry::ServerRetryThrottleMap;
#endif
#if EOWN_GRPC_SINCE(70)
using Tokens = std::atomic<intptr_t>;
using Successor = std::atomic<Bucket *>;
#else
using Tokens = gpr_atm;
using Successor = gpr_atm;
#endif

// gRPC shows a bucket's size but, until 1.71, not its level, and asking it
// whether a retry is allowed takes a token.
struct TokensTag {
  using type = Tokens Bucket::*;
  friend type Reach(TokensTag);
};
template struct Access<TokensTag, &Bucket::milli_tokens_>;

// A bucket that another size took the place of leads to its successor.
struct SuccessorTag {
  using type = Successor Bucket::*;
  friend type Reach(SuccessorTag);
};
template struct Access<SuccessorTag, &Bucket::replacement_>;

namespace {

#if EOWN_GRPC_SINCE(70)
intptr_t Level(const Bucket &bucket) {
  return (bucket.*Reach(TokensTag())).load(std::memory_order_relaxed);
}
const Bucket *Next(const Bucket &bucket) {
  return (bucket.*Reach(SuccessorTag())).load(std::memory_order_acquire);
}
#else
intptr_t Level(const Bucket &bucket) {
  return gpr_atm_no_barrier_load(&(bucket.*Reach(TokensTag())));
}
const Bucket *Next(const Bucket &bucket) {
  return reinterpret_cast<const Bucket *>(
      gpr_atm_acq_load(&(bucket.*Reach(SuccessorTag()))));
}
#endif

const Bucket *Latest(const Bucket *bucket) {
  while (bucket != nullptr && Next(*bucket) != nullptr)
    bucket = Next(*bucket);
  return bucket;
}

bool IsLow(const Bucket *bucket) {
  bucket = Latest(bucket);
  return bucket != nullptr &&
         Level(*bucket) - 1000 <=
             static_cast<intptr_t>(bucket->max_milli_tokens() / 2);
}

} // namespace

#if EOWN_GRPC_SINCE(74)

// The bucket is the retry filter's, the last of the filters that the channel
// made when it last heard of its service config.
struct ThrottlerTag {
  using type = grpc_core::RefCountedPtr<Bucket> grpc_core::RetryFilter::*;
  friend type Reach(ThrottlerTag);
};
template struct Access<ThrottlerTag, &grpc_core::RetryFilter::retry_throttler_>;
struct MutexTag {
  using type = grpc_core::Mutex grpc_core::ClientChannelFilter::*;
  friend type Reach(MutexTag);
};
template struct Access<MutexTag,
                       &grpc_core::ClientChannelFilter::resolution_mu_>;
#if EOWN_GRPC_SINCE(79)
struct SelectorTag {
  using type = grpc_core::RefCountedPtr<grpc_core::ConfigSelector>
      grpc_core::ClientChannelFilter::*;
  friend type Reach(SelectorTag);
};
template struct Access<SelectorTag,
                       &grpc_core::ClientChannelFilter::config_selector_>;
struct ChainTag {
  using type = absl::StatusOr<grpc_core::RefCountedPtr<grpc_core::FilterChain>>
      grpc_core::DefaultConfigSelector::*;
  friend type Reach(ChainTag);
};
template struct Access<ChainTag,
                       &grpc_core::DefaultConfigSelector::filter_chain_>;
#else
struct FiltersTag {
  using type = grpc_core::RefCountedPtr<grpc_core::DynamicFilters>
      grpc_core::ClientChannelFilter::*;
  friend type Reach(FiltersTag);
};
template struct Access<FiltersTag,
                       &grpc_core::ClientChannelFilter::dynamic_filters_>;
#endif

namespace {

#if EOWN_GRPC_SINCE(79)
constexpr auto &kRetryFilter = grpc_core::RetryFilter::kFilterVtable;
#else
constexpr auto &kRetryFilter = grpc_core::RetryFilter::kVtable;
#endif

using Filters = grpc_core::RefCountedPtr<grpc_core::DynamicFilters>;

Filters FiltersOf(const grpc_core::ClientChannelFilter &channel) {
  grpc_core::MutexLock lock(
      const_cast<grpc_core::Mutex *>(&(channel.*Reach(MutexTag()))));
#if EOWN_GRPC_SINCE(79)
  const auto &selector = channel.*Reach(SelectorTag());
  if (selector == nullptr || selector->name().name() != "default")
    return nullptr;
  const auto &chain =
      static_cast<const grpc_core::DefaultConfigSelector &>(*selector).*
      Reach(ChainTag());
  return chain.ok() && *chain != nullptr
             ? (*chain)->RefAsSubclass<grpc_core::DynamicFilters>()
             : nullptr;
#else
  return channel.*Reach(FiltersTag());
#endif
}

} // namespace

bool IsThrottled(const ThrottleKey &key) {
  if (key.client_channel == nullptr)
    return false;
  Filters filters = FiltersOf(*static_cast<grpc_core::ClientChannelFilter *>(
      key.client_channel->channel_data));
  if (filters == nullptr)
    return false;
  grpc_channel_element *last =
      grpc_channel_stack_last_element(filters->channel_stack());
  if (last->filter != &kRetryFilter)
    return false;
  auto *retry = static_cast<grpc_core::RetryFilter *>(last->channel_data);
  return IsLow((retry->*Reach(ThrottlerTag())).get());
}

#else

// gRPC finds a bucket only by making one, which refills one of another size.
struct BucketsTag {
  using type =
      std::map<std::string, grpc_core::RefCountedPtr<Bucket>> Buckets::*;
  friend type Reach(BucketsTag);
};
template struct Access<BucketsTag, &Buckets::map_>;
struct MutexTag {
  using type = grpc_core::Mutex Buckets::*;
  friend type Reach(MutexTag);
};
template struct Access<MutexTag, &Buckets::mu_>;

namespace {

// The bucket of `server`, which like its successors lives as long as the
// process; null: none.
const Bucket *FindBucket(const std::string &server) {
  auto *map = Buckets::Get();
  grpc_core::MutexLock lock(&(map->*Reach(MutexTag())));
  const auto &buckets = map->*Reach(BucketsTag());
  auto found = buckets.find(server);
  return found == buckets.end() ? nullptr : found->second.get();
}

} // namespace

bool IsThrottled(const ThrottleKey &key) {
  if (key.server_uri == nullptr)
    return false;
  absl::StatusOr<grpc_core::URI> uri = grpc_core::URI::Parse(key.server_uri);
  if (!uri.ok())
    return false;
  return IsLow(FindBucket(std::string(absl::StripPrefix(uri->path(), "/"))));
}

#endif

} // namespace eown
