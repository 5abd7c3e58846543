/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "lab/command.h"
#include "simulate_options.h"

int lab_simulate_command(int argc, char **argv) {
  static lab_simulate_options options;
  lab_simulate_options_read(&options, argc, argv);
  lab_simulation_run(&options.simulation);
  if (options.json)
    lab_simulation_print_json(&options.simulation);
  else
    lab_simulation_print(&options.simulation);
  lab_simulation_clear(&options.simulation);
  return 0;
}
