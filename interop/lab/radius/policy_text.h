/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_RADIUS_POLICY_TEXT_H
#define EOWN_LAB_RADIUS_POLICY_TEXT_H

#include "policy.h"

/* Takes one setting of the policy ("attempts", "budget", "eown", "no-retry",
 * "no-retry-service", "fail-open"), from the command line or a file. Returns
 * NULL, or what was expected in the value's place; static text. `origin` names
 * the place in later messages. */
const char *radius_policy_take(radius_policy *policy, const char *key,
                               const char *value, const char *origin);

/* Reads a policy file: the settings as on the command line, one a line, without
 * the dashes ("no-retry A-B"); blank lines and lines that begin with '#' are
 * passed over. Ends the program with status 2 where it is bad. */
void radius_policy_read(radius_policy *policy, const char *path);

#endif /* EOWN_LAB_RADIUS_POLICY_TEXT_H */
