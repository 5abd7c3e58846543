/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "lab/command.h"
#include "lab/page/pages.h"
#include "simulate_options.h"

static void write_page(page_file *html, const lab_simulation *simulation) {
  json_t *object = lab_simulation_make_json(simulation);
  page_write_simulate(html, object);
  json_decref(object);
}

int lab_simulate_command(int argc, char **argv) {
  static lab_simulate_options options;
  lab_simulate_options_read(&options, argc, argv);
  page_file *html = page_file_open(options.html);
  lab_simulation_run(&options.simulation);
  if (options.json)
    lab_simulation_print_json(&options.simulation);
  else
    lab_simulation_print(&options.simulation);
  if (html)
    write_page(html, &options.simulation);
  lab_simulation_clear(&options.simulation);
  return 0;
}
