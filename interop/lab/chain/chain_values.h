/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_CHAIN_VALUES_H
#define EOWN_LAB_CHAIN_VALUES_H

#include "chain_options.h"

#include <argp.h>

/* Takes the value of one option ("--nodes"); ends the program through argp
 * where it is not of its form. `value` is NULL for flags. */
typedef void lab_chain_take(lab_chain_options *options,
                            struct argp_state *state, const char *option,
                            const char *value);

lab_chain_take lab_take_nodes;
lab_chain_take lab_take_fail;
lab_chain_take lab_take_status;
lab_chain_take lab_take_fail_open;
lab_chain_take lab_take_kill;
lab_chain_take lab_take_peer;
lab_chain_take lab_take_attempts;
lab_chain_take lab_take_no_retry;
lab_chain_take lab_take_budget;
lab_chain_take lab_take_mode;
lab_chain_take lab_take_stock;
lab_chain_take lab_take_drop;
lab_chain_take lab_take_no_claims;
lab_chain_take lab_take_context;
lab_chain_take lab_take_setting;
lab_chain_take lab_take_requests;
lab_chain_take lab_take_retry_by;
lab_chain_take lab_take_concurrency;
lab_chain_take lab_take_stream;
lab_chain_take lab_take_tls;
lab_chain_take lab_take_seed;
lab_chain_take lab_take_json;
lab_chain_take lab_take_html;
lab_chain_take lab_take_progress;
lab_chain_take lab_take_binary;

#endif /* EOWN_LAB_CHAIN_VALUES_H */
