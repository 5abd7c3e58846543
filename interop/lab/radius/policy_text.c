/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "policy_text.h"

#include "input.h"
#include "lab/base/failure.h"
#include "lab/base/option.h"

#include <stdlib.h>
#include <string.h>

typedef const char *take(radius_policy *policy, radius_rule_kind kind,
                         const char *value, const char *origin);

static const char *take_attempts(radius_policy *policy, radius_rule_kind kind,
                                 const char *value, const char *origin) {
  (void)kind;
  (void)origin;
  if (value[0] < '1' || value[0] > '0' + (int)RADIUS_ATTEMPTS_MAX || value[1])
    return "a whole number from 1 to 5";
  policy->attempts = (unsigned)(value[0] - '0');
  return NULL;
}

static const char *take_budget(radius_policy *policy, radius_rule_kind kind,
                               const char *value, const char *origin) {
  (void)kind;
  (void)origin;
  double percent = 0;
  if (!lab_number_parse(value, &percent) || percent < 0 || percent > 1000)
    return "a number from 0 to 1000";
  policy->budget = percent / 100;
  return NULL;
}

static const char *take_service(radius_policy *policy, radius_rule_kind kind,
                                const char *value, const char *origin) {
  if (!*value)
    return "the name of a service";
  radius_policy_add(policy, kind, value, NULL, origin);
  return NULL;
}

/* A list may be given in parts; the last of all, none and a list counts. */
static const char *take_eown(radius_policy *policy, radius_rule_kind kind,
                             const char *value, const char *origin) {
  static const char expected[] =
      "all, none or names of services with commas between them";
  if (!strcmp(value, "all") || !strcmp(value, "none")) {
    policy->rollout = *value == 'a' ? RADIUS_ROLLOUT_ALL : RADIUS_ROLLOUT_NONE;
    return NULL;
  }
  policy->rollout = RADIUS_ROLLOUT_LIST;
  for (const char *at = value;; at++) {
    size_t length = strcspn(at, ",");
    if (!length)
      return expected;
    char *name = lab_format("%.*s", (int)length, at);
    radius_policy_add(policy, kind, name, NULL, origin);
    free(name);
    at += length;
    if (!*at)
      return NULL;
  }
}

/* "A-B", or "A->B" where names have dashes of their own. */
static const char *take_edge(radius_policy *policy, radius_rule_kind kind,
                             const char *value, const char *origin) {
  const char *arrow = strstr(value, "->");
  const char *dash = arrow ? arrow : strchr(value, '-');
  if (!dash)
    return "CALLER-CALLEE";
  const char *callee = dash + (arrow ? 2 : 1);
  if (!arrow && strchr(callee, '-'))
    return "'CALLER->CALLEE', as there is more than one dash";
  if (dash == value || !*callee)
    return "CALLER-CALLEE";
  char *caller = lab_format("%.*s", (int)(dash - value), value);
  radius_policy_add(policy, kind, caller, callee, origin);
  free(caller);
  return NULL;
}

static const struct setting {
  const char *key;
  radius_rule_kind kind;
  take *take;
} settings[] = {
    {"attempts", 0, take_attempts},
    {"budget", 0, take_budget},
    {"eown", RADIUS_RULE_EOWN, take_eown},
    {"no-retry", RADIUS_RULE_NO_RETRY, take_edge},
    {"no-retry-service", RADIUS_RULE_NO_RETRY_SERVICE, take_service},
    {"fail-open", RADIUS_RULE_FAIL_OPEN, take_edge},
};

const char *radius_policy_take(radius_policy *policy, const char *key,
                               const char *value, const char *origin) {
  for (size_t i = 0; i < sizeof(settings) / sizeof(*settings); i++)
    if (!strcmp(key, settings[i].key))
      return settings[i].take(policy, settings[i].kind, value, origin);
  return "attempts, budget, eown, no-retry, no-retry-service or fail-open";
}

static void take_line(radius_policy *policy, radius_place place, char *line) {
  char *key = line + strspn(line, " \t");
  if (!*key || *key == '#')
    return;
  char *value = key + strcspn(key, " \t");
  if (*value)
    *value++ = '\0';
  value += strspn(value, " \t");
  for (size_t end = strlen(value); end && strchr(" \t", value[end - 1]);)
    value[--end] = '\0';
  char *origin = lab_format("%s:%zu: %s", place.path, place.line, key);
  const char *expected = radius_policy_take(policy, key, value, origin);
  if (expected)
    radius_refuse(place, "%s '%s' is not valid: expected %s", key, value,
                  expected);
  free(origin);
}

void radius_policy_read(radius_policy *policy, const char *path) {
  radius_input input;
  radius_text line;
  radius_input_open(&input, path);
  while (radius_input_line(&input, &line)) {
    char *copy = lab_format("%.*s", (int)line.length, line.start);
    take_line(policy, input.place, copy);
    free(copy);
    radius_input_advance(&input);
  }
  radius_input_close(&input);
}
