/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef NODE_VALUES_H
#define NODE_VALUES_H

#include "options.h"

/* Where an option's value goes, and its bounds. */
typedef struct place {
  size_t offset; /* in struct options */
  uint64_t min;  /* of a number; the side of a setting */
  uint64_t max;
} place;

/* Takes the value of one option. Returns NULL, or what was expected instead
 * ("a number from 0 to 1"), valid until the next call. */
typedef const char *take_fn(options *options, const place *place,
                            const char *value);

take_fn take_address;
take_fn take_callee;
take_fn take_codes;
take_fn take_context;
take_fn take_flag;
take_fn take_name;
take_fn take_number;
take_fn take_ownership;
take_fn take_pushback;
take_fn take_rate;
take_fn take_retry_by;
take_fn take_setting;
take_fn take_status;
take_fn take_text;

#endif /* NODE_VALUES_H */
