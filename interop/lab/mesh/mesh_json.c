/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "lab/base/failure.h"
#include "mesh.h"

#include <stdio.h>
#include <stdlib.h>

static json_t *integer(uint64_t value) {
  return json_integer((json_int_t)value);
}

/* `value` for each request: an integer where it is one. */
static json_t *per_request(uint64_t value, uint64_t requests) {
  return value % requests == 0 ? integer(value / requests)
                               : json_real((double)value / (double)requests);
}

/* The claim that all of the errors had, or null. */
static json_t *claim_of_all(const uint64_t *claims, uint64_t errors) {
  for (int i = 0; i < EOWN_CLAIM_N; i++)
    if (errors > 0 && claims[i] == errors)
      return json_string(eown_claim_name((eown_claim)i));
  return json_null();
}

static void put_claim(json_t *object, const char *key, eown_claim claim) {
  json_object_set_new(object, key, json_string(eown_claim_name(claim)));
}

static void put_program(json_t *object, const char *language,
                        const char *version, const lab_mesh_program *program) {
  json_object_set_new(object, language, json_string(program->language));
  json_object_set_new(object, version, json_string(program->version));
}

static json_t *pair_object(const lab_mesh *mesh, const lab_mesh_pair *pair) {
  json_t *object = json_object();
  json_object_set_new(object, "caller", json_string(pair->caller->peer->name));
  json_object_set_new(object, "ownership",
                      json_string(pair->caller->stock ? "stock" : "enforce"));
  json_object_set_new(object, "callee", json_string(pair->callee->peer->name));
  put_program(object, "caller_language", "caller_version",
              &pair->caller->program);
  put_program(object, "callee_language", "callee_version",
              &pair->callee->program);
  put_claim(object, "sends", pair->callee->sends);
  json_object_set_new(object, "claim", claim_of_all(pair->reads, pair->errors));
  json_object_set_new(object, "attempts",
                      per_request(pair->served, mesh->requests));
  json_object_set_new(object, "expected",
                      integer(lab_mesh_attempts_expected(pair)));
  json_object_set_new(object, "answers",
                      claim_of_all(pair->answers, mesh->requests));
  put_claim(object, "answers_expected", lab_mesh_answer_expected(pair));
  json_object_set_new(object, "pass",
                      json_boolean(lab_mesh_pair_passes(mesh, pair)));
  return object;
}

static json_t *chain_object(const lab_mesh *mesh, const lab_mesh_chain *chain) {
  json_t *expected = json_array(), *measured = json_array();
  for (size_t i = 0; i < LAB_MESH_CHAIN; i++) {
    json_array_append_new(expected, integer(chain->expected[i]));
    json_array_append_new(measured,
                          per_request(chain->served[i], mesh->chain_requests));
  }
  json_t *object = json_object();
  json_object_set_new(object, "peer", json_string(chain->peer->name));
  json_object_set_new(object, "case", json_string(chain->name));
  json_object_set_new(object, "expected", expected);
  json_object_set_new(object, "measured", measured);
  json_object_set_new(object, "pass",
                      json_boolean(lab_mesh_chain_passes(mesh, chain)));
  return object;
}

static json_t *make(const lab_mesh *mesh, const lab_mesh_result *result) {
  json_t *peers = json_array(), *pairs = json_array(), *chains = json_array();
  for (size_t i = 0; i < mesh->peers_count; i++)
    json_array_append_new(peers, json_string(mesh->peers[i]->name));
  for (size_t i = 0; i < result->pairs_count; i++)
    json_array_append_new(pairs, pair_object(mesh, &result->pairs[i]));
  for (size_t i = 0; i < result->chains_count; i++)
    json_array_append_new(chains, chain_object(mesh, &result->chains[i]));
  json_t *object = json_object();
  json_object_set_new(object, "peers", peers);
  json_object_set_new(object, "requests", integer(mesh->requests));
  json_object_set_new(object, "chain_requests", integer(mesh->chain_requests));
  json_object_set_new(object, "seconds", json_real(result->seconds));
  json_object_set_new(object, "pairs", pairs);
  json_object_set_new(object, "chains", chains);
  json_object_set_new(object, "pass",
                      json_boolean(lab_mesh_passes(mesh, result)));
  return object;
}

void lab_mesh_print_json(const lab_mesh *mesh, const lab_mesh_result *result) {
  json_t *object = make(mesh, result);
  char *text = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(9));
  if (!text)
    lab_fail("out of memory");
  puts(text);
  free(text);
  json_decref(object);
}
