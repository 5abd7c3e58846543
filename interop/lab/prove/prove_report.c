/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "lab/base/failure.h"
#include "lab/base/table.h"
#include "prove.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_header(lab_table *table, const lab_proof *proof) {
  lab_table_init(table, 1 + LAB_ROLLOUT_N);
  lab_table_cell(table, "who runs eown");
  for (int i = 0; i < LAB_ROLLOUT_N; i++)
    lab_table_cell(table, "%s", lab_rollout_name((lab_rollout)i));
  lab_table_cell(table, "cases");
  for (int i = 0; i < LAB_ROLLOUT_N; i++)
    lab_table_cell(table, "%" PRIu64, proof->cases[i]);
}

static void add_invariant(lab_table *table, const lab_proof *proof,
                          lab_invariant invariant) {
  lab_table_cell(table, "%d %s", (int)invariant + 1,
                 lab_invariant_name(invariant));
  for (int i = 0; i < LAB_ROLLOUT_N; i++) {
    const lab_finding *finding = &proof->findings[invariant][i];
    if (finding->broken > 0)
      lab_table_cell(table, "%sbroken %" PRIu64, finding->must_hold ? "! " : "",
                     finding->broken);
    else
      lab_table_cell(table, "%s", "holds");
  }
}

static void print_example(const lab_finding *finding, lab_rollout rollout,
                          const lab_rules *rules) {
  char *drawing = lab_case_draw(&finding->example, rules);
  printf("   %s: broken in %" PRIu64 " cases%s; the smallest:\n",
         lab_rollout_name(rollout), finding->broken,
         finding->must_hold ? ", AND MUST NOT BE" : "");
  for (char *line = strtok(drawing, "\n"); line; line = strtok(NULL, "\n"))
    printf("      %s\n", line);
  free(drawing);
}

static void print_examples(const lab_proof *proof, lab_invariant invariant,
                           const lab_rules *rules) {
  printf("%d %s: %s\n", (int)invariant + 1, lab_invariant_name(invariant),
         lab_invariant_text(invariant, proof->retry_by));
  for (int i = 0; i < LAB_ROLLOUT_N; i++) {
    const lab_finding *finding = &proof->findings[invariant][i];
    bool expected = i == LAB_ROLLOUT_NOBODY && !finding->must_hold;
    if (finding->broken > 0 && !expected)
      print_example(finding, (lab_rollout)i, rules);
  }
}

void lab_proof_print(const lab_proof *proof, const lab_rules *rules) {
  lab_table table;
  add_header(&table, proof);
  for (int i = 0; i < LAB_INVARIANT_N; i++)
    add_invariant(&table, proof, (lab_invariant)i);
  lab_table_print(&table, stdout);
  putchar('\n');
  for (int i = 0; i < LAB_INVARIANT_N; i++)
    print_examples(proof, (lab_invariant)i, rules);
  printf("\n%" PRIu64 " cases: %" PRIu64 " call trees of up to %u services, "
         "%u attempts, by %s; %s\n",
         lab_proof_cases(proof), proof->trees, proof->services, proof->attempts,
         lab_retry_by_names[proof->retry_by],
         lab_proof_holds(proof) ? "what has to hold holds"
                                : "AN INVARIANT IS BROKEN");
}

/* Text of jansson's own making; the caller owns it. */
static json_t *example_object(const lab_case *of, const lab_rules *rules) {
  char *drawing = lab_case_draw(of, rules);
  json_t *callers = json_array();
  for (unsigned i = 1; i < of->tree.services; i++)
    json_array_append_new(callers, json_integer(of->tree.caller[i]));
  json_t *object =
      json_pack("{s:i,s:o,s:i,s:i,s:i,s:i,s:s}", "services",
                (int)of->tree.services, "callers", callers, "failing",
                (int)of->failing, "policy", (int)of->policy, "eown",
                (int)of->eown, "lost", (int)of->lost, "drawing", drawing);
  free(drawing);
  return object;
}

static json_t *finding_object(const lab_proof *proof, lab_invariant invariant,
                              lab_rollout rollout, const lab_rules *rules) {
  const lab_finding *finding = &proof->findings[invariant][rollout];
  json_t *object = json_pack(
      "{s:s,s:I,s:I,s:b,s:b}", "eown", lab_rollout_name(rollout), "cases",
      (json_int_t)proof->cases[rollout], "broken", (json_int_t)finding->broken,
      "holds", finding->broken == 0, "must_hold", finding->must_hold);
  if (finding->broken > 0)
    json_object_set_new(object, "counterexample",
                        example_object(&finding->example, rules));
  return object;
}

static json_t *invariant_object(const lab_proof *proof, lab_invariant invariant,
                                const lab_rules *rules) {
  json_t *rollouts = json_array();
  for (int i = 0; i < LAB_ROLLOUT_N; i++)
    json_array_append_new(
        rollouts, finding_object(proof, invariant, (lab_rollout)i, rules));
  return json_pack("{s:s,s:s,s:o}", "name", lab_invariant_name(invariant),
                   "text", lab_invariant_text(invariant, proof->retry_by),
                   "rollouts", rollouts);
}

void lab_proof_print_json(const lab_proof *proof, const lab_rules *rules) {
  json_t *invariants = json_array();
  for (int i = 0; i < LAB_INVARIANT_N; i++)
    json_array_append_new(invariants,
                          invariant_object(proof, (lab_invariant)i, rules));
  json_t *object = json_pack(
      "{s:i,s:i,s:s,s:I,s:I,s:b,s:o}", "services", (int)proof->services,
      "attempts", (int)proof->attempts, "retry_by",
      lab_retry_by_names[proof->retry_by], "trees", (json_int_t)proof->trees,
      "cases", (json_int_t)lab_proof_cases(proof), "holds",
      lab_proof_holds(proof), "invariants", invariants);
  char *text = json_dumps(object, JSON_COMPACT);
  if (!text)
    lab_fail("out of memory");
  puts(text);
  free(text);
  json_decref(object);
}
