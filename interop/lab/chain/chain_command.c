/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "chain_options.h"
#include "lab/command.h"
#include "lab/page/pages.h"
#include "lab/real/certificate.h"

static void write_page(page_file *html, const lab_chain *chain,
                       const lab_chain_result *result) {
  json_t *object = lab_chain_make_json(chain, result);
  page_write_chain(html, object);
  json_decref(object);
}

int lab_chain_command(int argc, char **argv) {
  lab_chain_options options;
  lab_chain_options_read(&options, argc, argv);
  page_file *html = page_file_open(options.html);
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
  if (html)
    write_page(html, &options.chain, &result);
  lab_graph_clear(&result.graph);
  lab_chain_options_clear(&options);
  return 0;
}
