/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "chain_options.h"
#include "lab/command.h"
#include "lab/real/certificate.h"

int lab_chain_command(int argc, char **argv) {
  lab_chain_options options;
  lab_chain_options_read(&options, argc, argv);
  if (options.make_certificates)
    options.chain.tls = lab_certificate_make();

  lab_progress progress;
  lab_progress_init(&progress, options.progress);
  lab_progress_label(&progress, "chain of %zu", options.chain.nodes);
  lab_progress_say(&progress);

  lab_chain_result result;
  lab_chain_run(&options.chain, &progress, &result);
  if (options.json)
    lab_chain_print_json(&options.chain, &result);
  else
    lab_chain_print_table(&options.chain, &result);
  lab_graph_clear(&result.graph);
  lab_chain_options_clear(&options);
  return 0;
}
