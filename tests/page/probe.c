/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "probe.h"

#include "browser.h"
#include "folder.h"
#include "gtest_c.h"

#include <stdlib.h>
#include <string.h>

static const char frame_head[] =
    "<!DOCTYPE html><html lang=en><title>probe</title><pre id=found></pre>\n"
    "<script>const all = [];\n"
    "addEventListener('message', (event) => { all.push(event.data);\n"
    "  document.getElementById('found').textContent = '@' + "
    "encodeURIComponent(JSON.stringify(all)) + '@'; });</script>\n";

/* The page with the script at its end, and without the policy that forbids
 * scripts. */
static char *make_copy(const char *path, size_t number) {
  static const char policy[] = "http-equiv=\"Content-Security-Policy\"";
  char *page = page_file_read(path);
  char *script = page_file_read(PAGE_PROBE);
  char *name = page_format("probe%zu.html", number);
  char *copy = page_folder_path(name);
  char *forbidden = strstr(page, policy);
  if (forbidden)
    memset(forbidden, ' ', strlen(policy));
  char *changed = page_format("%s<script>%s</script>", page, script);
  page_file_write(copy, changed);
  free(changed);
  free(copy);
  free(script);
  free(page);
  return name;
}

static char *make_frame(const char *const *paths, size_t count) {
  char *frame = page_format("%s", frame_head);
  for (size_t i = 0; i < count; i++) {
    char *name = make_copy(paths[i], i);
    char *longer = page_format(
        "%s<iframe width=360 height=800 src=%s></iframe>\n", frame, name);
    free(frame);
    free(name);
    frame = longer;
  }
  char *path = page_folder_path("probe.html");
  page_file_write(path, frame);
  free(frame);
  return path;
}

/* Undoes encodeURIComponent. */
static json_t *decode(const char *text) {
  char *plain = strdup(text);
  size_t used = 0;
  for (const char *at = text; *at && *at != '@'; at++) {
    unsigned code = 0;
    if (*at == '%' && sscanf(at + 1, "%2x", &code) == 1) {
      plain[used++] = (char)code;
      at += 2;
    } else {
      plain[used++] = *at;
    }
  }
  json_t *found = json_loadb(plain, used, 0, NULL);
  free(plain);
  return found;
}

json_t *page_probe(const char *const *paths, size_t count, bool dark) {
  e2e_run run;
  char *path = make_frame(paths, count);
  page_browser_open(path, dark, &run);
  const char *begin = strstr(run.output, "<pre id=\"found\">@");
  json_t *found = begin ? decode(strchr(begin, '@') + 1) : NULL;
  if (!found)
    FAIL_TEST("the scripts said nothing: %s", run.errors);
  CHECK_EQ(count, json_array_size(found));
  CHECK_FALSE(page_browser_complained(&run));
  e2e_run_clear(&run);
  free(path);
  return found;
}
