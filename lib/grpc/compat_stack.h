// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_GRPC_COMPAT_STACK_H
#define EOWN_GRPC_COMPAT_STACK_H

// What gRPC's versions differ in about filters and their place in a channel.
#include <algorithm>

#include "compat.h"

#if EOWN_GRPC_SINCE(60)
#include "src/core/ext/filters/http/client/http_client_filter.h"
#include "src/core/ext/filters/http/server/http_server_filter.h"
#endif

// The members of a filter for calls as promises, which these are not.
#if EOWN_GRPC_SINCE(65)
#define EOWN_NO_PROMISES
#elif EOWN_GRPC_SINCE(61)
#define EOWN_NO_PROMISES nullptr, nullptr,
#else
#define EOWN_NO_PROMISES nullptr,
#endif

#if EOWN_GRPC_SINCE(66)
#define EOWN_FILTER_NAME(name) GRPC_UNIQUE_TYPE_NAME_HERE(name)
#else
#define EOWN_FILTER_NAME(name) name
#endif

namespace eown {

inline absl::string_view NameOf(const grpc_channel_filter *filter) {
#if EOWN_GRPC_SINCE(66)
  return filter->name.name();
#else
  return filter->name;
#endif
}

// The arguments of a channel in gRPC's C form.
class Arguments {
public:
  explicit Arguments(const grpc_channel_element_args &args)
#if EOWN_GRPC_SINCE(53)
      : args_(args.channel_args.ToC()) {
  }
  const grpc_channel_args *get() const { return args_.get(); }

private:
  grpc_core::ChannelArgs::CPtr args_;
#else
      : args_(args.channel_args) {
  }
  const grpc_channel_args *get() const { return args_; }

private:
  const grpc_channel_args *args_;
#endif
};

// --- registration ------------------------------------------------------------

using ConfigBuilder = grpc_core::CoreConfiguration::Builder;

// RegisterBuilder aborts once a configuration exists, and gRPC has no question
// to ask before; so we look where it looks.
struct ConfigTag {
  using type = std::atomic<grpc_core::CoreConfiguration *> *;
  friend type Reach(ConfigTag);
};
template struct Access<ConfigTag, &grpc_core::CoreConfiguration::config_>;

#if EOWN_GRPC_SINCE(73)
struct ProducedTag {
  using type = std::atomic<bool> *;
  friend type Reach(ProducedTag);
};
template struct Access<
    ProducedTag, &grpc_core::CoreConfiguration::has_config_ever_been_produced_>;

inline bool TooLate() {
  return Reach(ConfigTag())->load(std::memory_order_acquire) != nullptr ||
         Reach(ProducedTag())->load(std::memory_order_acquire);
}
inline void AddBuilder(void (*build)(ConfigBuilder *)) {
  grpc_core::CoreConfiguration::RegisterPersistentBuilder(build);
}
#else
inline bool TooLate() {
  return Reach(ConfigTag())->load(std::memory_order_acquire) != nullptr;
}
inline void AddBuilder(void (*build)(ConfigBuilder *)) {
  grpc_core::CoreConfiguration::RegisterBuilder(build);
}
#endif

// Puts filters at the top of the stacks of a type, in the order of the calls:
// each above those before it. They must be above gRPC's HTTP filters, to see
// the status that these mapped. Another copy of this library may be in the
// process, linked into the program: its filters are not put there twice.
struct FilterAdder {
  ConfigBuilder *builder;
  bool (*wanted)(const grpc_core::ChannelArgs &);

  void Add(grpc_channel_stack_type type,
           const grpc_channel_filter &filter) const;
  // The same below `above`, which is added to the same stacks later.
  void AddBelow(grpc_channel_stack_type type, const grpc_channel_filter &filter,
                const grpc_channel_filter &above) const;
};

#if EOWN_GRPC_SINCE(60)

// Since 1.60 gRPC orders the filters itself, once for all channels.
struct AddedTag {
  using type =
      std::vector<std::unique_ptr<grpc_core::ChannelInit::FilterRegistration>> (
          grpc_core::ChannelInit::Builder::*)[GRPC_NUM_CHANNEL_STACK_TYPES];
  friend type Reach(AddedTag);
};
template struct Access<AddedTag, &grpc_core::ChannelInit::Builder::filters_>;
struct AddedFilterTag {
  using type = const grpc_channel_filter
      *const grpc_core::ChannelInit::FilterRegistration::*;
  friend type Reach(AddedFilterTag);
};
template struct Access<AddedFilterTag,
                       &grpc_core::ChannelInit::FilterRegistration::filter_>;

inline bool IsAdded(const ConfigBuilder &builder, grpc_channel_stack_type type,
                    const grpc_channel_filter &filter) {
  auto *init = const_cast<ConfigBuilder &>(builder).channel_init();
  for (const auto &added : (init->*Reach(AddedTag()))[type]) {
    const grpc_channel_filter *other = (*added).*Reach(AddedFilterTag());
    if (other != nullptr && NameOf(other) == NameOf(&filter))
      return true;
  }
  return false;
}

#if EOWN_GRPC_SINCE(66)
inline grpc_core::UniqueTypeName KeyOf(const grpc_channel_filter &filter) {
  return filter.name;
}
#else
inline const grpc_channel_filter *KeyOf(const grpc_channel_filter &filter) {
  return &filter;
}
#endif

inline void FilterAdder::Add(grpc_channel_stack_type type,
                             const grpc_channel_filter &filter) const {
  if (IsAdded(*builder, type, filter))
    return;
  auto &added = builder->channel_init()->RegisterFilter(type, &filter);
  added.If(wanted);
  if (type == GRPC_SERVER_CHANNEL) // its top is gRPC's own
    added.Before({KeyOf(grpc_core::HttpServerFilter::kFilter)});
  else
    added.BeforeAll();
#if EOWN_GRPC_SINCE(63)
  added.SkipV3(); // the stacks of calls as promises
#endif
}

inline void FilterAdder::AddBelow(grpc_channel_stack_type type,
                                  const grpc_channel_filter &filter,
                                  const grpc_channel_filter &above) const {
  if (IsAdded(*builder, type, filter))
    return;
  auto &added = builder->channel_init()->RegisterFilter(type, &filter);
  added.If(wanted)
      .After({KeyOf(above)})
      .Before({KeyOf(grpc_core::HttpClientFilter::kFilter)});
#if EOWN_GRPC_SINCE(63)
  added.SkipV3();
#endif
}

#else

inline bool IsAdded(grpc_core::ChannelStackBuilder *stack,
                    const grpc_channel_filter &filter) {
  const auto &filters = *stack->mutable_stack();
  return std::any_of(filters.begin(), filters.end(),
                     [&filter](const grpc_channel_filter *other) {
                       return NameOf(other) == NameOf(&filter);
                     });
}

inline void FilterAdder::Add(grpc_channel_stack_type type,
                             const grpc_channel_filter &filter) const {
  // Just above gRPC's built-in filters.
  constexpr int kPriority = GRPC_CHANNEL_INIT_BUILTIN_PRIORITY + 1;
  builder->channel_init()->RegisterStage(
      type, kPriority,
      [&filter, asked = wanted](grpc_core::ChannelStackBuilder *stack) {
        if (asked(stack->channel_args()) && !IsAdded(stack, filter))
          stack->PrependFilter(&filter);
        return true;
      });
}

inline void FilterAdder::AddBelow(grpc_channel_stack_type type,
                                  const grpc_channel_filter &filter,
                                  const grpc_channel_filter &) const {
  Add(type, filter);
}

#endif

} // namespace eown

#endif // EOWN_GRPC_COMPAT_STACK_H
