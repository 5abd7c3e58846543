/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "lab/command.h"

#include <argp.h>

/* `eown-lab radius` without the rest of the lab, and so without gRPC. */
int main(int argc, char **argv) {
  argp_err_exit_status = 2;
  if (argc < 2)
    return 2;
  argv[1] = (char *)"eown-lab radius";
  return lab_radius_command(argc - 1, argv + 1);
}
