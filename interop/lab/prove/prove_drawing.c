/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "lab/base/failure.h"
#include "prove.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether a service at `depth` on this service's path, or the service itself,
 * has a later sibling: then its branch goes on. */
static bool goes_on(const lab_tree *tree, unsigned service, unsigned depth) {
  for (unsigned i = service + 1; i < tree->services; i++) {
    if (tree->depth[i] < depth)
      return false;
    if (tree->depth[i] == depth)
      return true;
  }
  return false;
}

static void draw_branches(FILE *file, const lab_tree *tree, unsigned service) {
  unsigned depth = tree->depth[service];
  for (unsigned i = 1; i < depth; i++)
    fputs(goes_on(tree, service, i) ? "|  " : "   ", file);
  if (depth > 0)
    fputs(goes_on(tree, service, depth) ? "|- " : "`- ", file);
  fputc((int)('A' + service), file);
  for (unsigned i = depth; i < tree->services; i++)
    fputs("   ", file);
}

static void draw_service(FILE *file, const lab_world *world, unsigned service) {
  const lab_case *of = world->of;
  draw_branches(file, &of->tree, service);
  fputs(lab_set_has(of->eown, service) ? "eown" : "stock", file);
  if (lab_set_has(of->policy, service))
    fputs(", may retry", file);
  if (lab_set_has(of->lost, service))
    fputs(", loses the context", file);
  if (lab_set_has(of->failing, service))
    fputs(", fails by itself", file);
  if (lab_set_has(world->failed, service))
    fprintf(file, ", sends %s", eown_claim_name(world->claims[service]));
  if (lab_set_has(world->retried, service))
    fputs(", is retried", file);
  fprintf(file, ": load %" PRIu32 " (stock %" PRIu32 ")\n",
          world->loads[service], world->stock_loads[service]);
}

char *lab_case_draw(const lab_case *of, const lab_rules *rules) {
  lab_world world;
  lab_world_play(&world, of, rules);
  char *text = NULL;
  size_t length = 0;
  FILE *file = open_memstream(&text, &length);
  if (!file)
    lab_fail("out of memory");
  for (unsigned i = 0; i < of->tree.services; i++)
    draw_service(file, &world, i);
  if (fclose(file) != 0)
    lab_fail("out of memory");
  return text;
}
