/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "model.h"

const char *const lab_mode_names[] = {
    [LAB_MODE_STOCK] = "stock",         [LAB_MODE_BUDGET] = "budget",
    [LAB_MODE_THROTTLE] = "throttle",   [LAB_MODE_CHAIN_STOP] = "chain_stop",
    [LAB_MODE_OWNERSHIP] = "ownership", [LAB_MODE_N] = NULL,
};

void lab_model_init(lab_model *model, const lab_fleet *fleet) {
  *model = (lab_model){
      .fleet = fleet,
      .rules = &lab_rules_core,
      .mode = LAB_MODE_OWNERSHIP,
      .attempts = 2,
      .budget = -1,
      .max_tokens = 10,
      .token_ratio = 0.1,
      .rate = 1000,
      .requests = 100000,
      .seed = 1,
      .threads = 1,
  };
}
