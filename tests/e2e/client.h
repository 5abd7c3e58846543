/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_E2E_CLIENT_H
#define EOWN_TESTS_E2E_CLIENT_H

#include "node.h"

#include <eown/claim.h>
#include <grpc/grpc.h>

/* What a plain client, without eown and without retries, got. */
typedef struct e2e_answer {
  grpc_status_code status;
  grpc_metadata_array trailers;
  grpc_slice message;
  grpc_call *call; /* keeps the trailers' texts */
} e2e_answer;

/* Calls the node once and waits. Free the answer with e2e_answer_clear.
 * `timeout_ms` 0: no deadline of the caller's own. */
void e2e_call(const e2e_node *node, int timeout_ms, e2e_answer *answer);

/* The same with request metadata that asks for one callee alone. */
void e2e_call_callee(const e2e_node *node, const char *callee,
                     e2e_answer *answer);

void e2e_answer_clear(e2e_answer *answer);

/* How often a key stands in the trailers. */
size_t e2e_answer_count(const e2e_answer *answer, const char *key);

/* Copies the value of the key's first entry; "" where there is none. */
void e2e_answer_text(const e2e_answer *answer, const char *key, char *text,
                     size_t size);

/* Copies the status message. */
void e2e_answer_message(const e2e_answer *answer, char *text, size_t size);

/* Reads the claim's detail; fails the test where there is none. */
void e2e_answer_detail(const e2e_answer *answer, eown_claim_detail *detail);

#endif /* EOWN_TESTS_E2E_CLIENT_H */
