/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "lab/base/failure.h"
#include "lab/command.h"
#include "lab/page/pages.h"
#include "radius.h"

#include <stdlib.h>

static void read_files(const radius_options *options, radius_fleet *fleet) {
  radius_builder builder = {.fleet = fleet};
  for (size_t i = 0; i < options->files.count; i++)
    radius_read(&builder, options->files.items[i], options->format);
  radius_builder_clear(&builder);
}

static void write_page(page_file *html, const radius_survey *survey,
                       const radius_advice *advice) {
  json_t *object = radius_make_json(survey, advice);
  page_write_radius(html, object);
  json_decref(object);
}

int lab_radius_command(int argc, char **argv) {
  radius_options options;
  radius_fleet fleet = {0};
  radius_survey survey;
  radius_advice advice;
  radius_options_read(&options, argc, argv);
  page_file *html = page_file_open(options.html);
  read_files(&options, &fleet);
  bool *eown = lab_allocate(fleet.names.count, sizeof(*eown));
  radius_policy_apply(&options.policy, &fleet, eown);
  radius_survey_run(&survey, &fleet, &options.policy, eown);
  radius_advice_find(&advice, &survey, &options.policy, eown, options.top);
  if (options.json)
    radius_print_json(&survey, &advice);
  else
    radius_print_tables(&options, &survey, &advice);
  if (html)
    write_page(html, &survey, &advice);
  radius_advice_clear(&advice);
  radius_survey_clear(&survey);
  radius_fleet_clear(&fleet);
  radius_options_clear(&options);
  free(eown);
  return 0;
}
