/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_SETTINGS_READERS_H
#define EOWN_SETTINGS_READERS_H

#include "eown/settings.h"

/* A value on its way into the settings. */
typedef struct eown__assignment {
  eown_settings *settings;
  const char *value;
} eown__assignment;

/* Reads the value; on an error nothing has changed. */
eown_error eown__settings_read(eown_setting setting,
                               eown__assignment *assignment);

#endif /* EOWN_SETTINGS_READERS_H */
