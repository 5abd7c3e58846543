// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_GRPC_SETTINGS_ARGS_H
#define EOWN_GRPC_SETTINGS_ARGS_H

#include "compat.h"
#include "eown/settings.h"

namespace eown {

// Reads the eown.* channel arguments into `settings`. A bad one is logged and
// counted, and stays at its default: a channel is never lost over a setting.
void ReadSettings(const grpc_channel_args *args, eown_settings *settings);

} // namespace eown

#endif // EOWN_GRPC_SETTINGS_ARGS_H
