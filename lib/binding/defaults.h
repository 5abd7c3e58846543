// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_BINDING_DEFAULTS_H
#define EOWN_BINDING_DEFAULTS_H

#include "eown/settings.h"

namespace eown {

// Gives `settings`, just made, the defaults that the environment sets:
// EOWN_SERVICE_NAME for eown.service_name and so on; EOWN_MODE is not one of
// them. Read once, at the first call; a bad value is logged and counted then.
// Safe on any thread.
void ApplyDefaults(eown_settings *settings);

} // namespace eown

#endif // EOWN_BINDING_DEFAULTS_H
