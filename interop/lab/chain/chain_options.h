/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_CHAIN_OPTIONS_H
#define EOWN_LAB_CHAIN_OPTIONS_H

#include "chain.h"

/* What the command line of `chain` says. */
typedef struct lab_chain_options {
  lab_chain chain;
  lab_arguments settings; /* borrowed by the chain */
  const lab_peer *peer;   /* of the nodes without one of their own */
  char *binary;           /* owned; borrowed by the chain */
  bool failure_chosen;    /* --fail or --kill */
  bool make_certificates; /* --tls without a folder */
  const char *html;       /* the page to write; NULL: none */
  bool json;
  bool progress;
} lab_chain_options;

/* Reads the command line; ends the program with status 2 where it is bad. The
 * chain borrows from `*options`, which must stay where it is. */
void lab_chain_options_read(lab_chain_options *options, int argc, char **argv);

void lab_chain_options_clear(lab_chain_options *options);

#endif /* EOWN_LAB_CHAIN_OPTIONS_H */
