/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_UNIT_RULES_ORACLE_H
#define EOWN_TESTS_UNIT_RULES_ORACLE_H

#include "eown/rules.h"

/* Rules 1 to 3 a second time, written from the text of the design (and the
 * published matrix) and not from the library: one `if` per row, first row that
 * fits. */
eown_retry oracle_retry(bool error, eown_claim claim, bool budget_empty,
                        bool chained);
bool oracle_criteria(eown_claim claim, bool retried, eown_policy policy,
                     bool application);
eown_decision oracle_matrix(eown_callee callee, bool inbound_failed,
                            eown_edge_kind edge, bool criteria);
int oracle_rank(eown_reason reason);

/* The loop's answer, as a reader of the protocol's table would find it. */
eown_loop oracle_loop(const eown_loop_view *view, bool owns);

#endif /* EOWN_TESTS_UNIT_RULES_ORACLE_H */
