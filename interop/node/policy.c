/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "policy.h"

#include <jansson.h>

static json_t *code_names(eown_status_set codes) {
  json_t *names = json_array();
  for (int i = 0; i < EOWN_STATUS_N; i++)
    if (codes >> i & 1)
      json_array_append_new(names,
                            json_string(eown_status_name((eown_status)i)));
  return names;
}

char *policy_json(uint64_t attempts, eown_status_set codes) {
  json_t *config = json_pack(
      "{s:[{s:[{}],s:{s:I,s:s,s:s,s:i,s:o}}]}", "methodConfig", "name",
      "retryPolicy", "maxAttempts", (json_int_t)attempts, "initialBackoff",
      "0.001s", "maxBackoff", "0.002s", "backoffMultiplier", 1,
      "retryableStatusCodes", code_names(codes));
  char *text = config != NULL ? json_dumps(config, JSON_COMPACT) : NULL;
  json_decref(config);
  return text;
}
