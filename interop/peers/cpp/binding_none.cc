// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
// No binding: the node knows nothing of eown, as a service that was built
// before it came.
#include "binding.h"

namespace peer {

const char kBindingName[] = "none";

std::unique_ptr<Binding> MakeBinding() { return std::make_unique<Binding>(); }

} // namespace peer
