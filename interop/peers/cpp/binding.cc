// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include "binding.h"

namespace peer {

void Binding::AddCounts(uint64_t, nlohmann::ordered_json *object) {
  (*object)["retries_stopped"] = {
      {"unclaimed", 0}, {"budget", 0}, {"chain", 0}};
  (*object)["claims_sent"] = {{"claimed", 0}, {"unclaimed", 0}};
}

} // namespace peer
