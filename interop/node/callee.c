/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "callee.h"

#include "arguments.h"

#include <stdio.h>
#include <string.h>

#define PINS_SIZE 4096

static void set_connection(arguments *arguments) {
  arguments_set_integer(arguments, GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments_set_integer(arguments, GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 50);
  /* In spite of its name the time a connection may take to come about: too
   * little fails calls on a busy machine. */
  arguments_set_integer(arguments, GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, 5000);
  arguments_set_integer(arguments, GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 200);
  arguments_set_integer(arguments, GRPC_ARG_ENABLE_HTTP_PROXY, 0);
}

/* The pins given for channels, or NULL. */
static const char *pins_given(const options *options) {
  const char *pins = NULL;
  for (size_t i = 0; i < options->settings_n; i++)
    if ((options->settings[i].side & SIDE_CHANNEL) != 0 &&
        strcmp(options->settings[i].key, "eown.pins") == 0)
      pins = options->settings[i].value;
  return pins;
}

/* Puts the callee's own pin before those given: the first that fits wins. */
static void set_pins(arguments *arguments, const callee_option *option,
                     const options *options, char pins[PINS_SIZE]) {
  const char *given = pins_given(options);
  snprintf(pins, PINS_SIZE, "/%s/*=fail-open%s%s", option->name,
           given != NULL ? "," : "", given != NULL ? given : "");
  arguments_set_text(arguments, "eown.pins", pins);
}

static bool is_pinned(const callee_option *option, const options *options) {
  return option->fail_open && !options->unpinned &&
         options->ownership != OWNERSHIP_STOCK;
}

void callee_init(callee *callee, const callee_option *option,
                 const options *options, const char *service_config,
                 const eown_interop_tls *tls) {
  snprintf(callee->call_path, PATH_MAX_LENGTH, "/%s/Call", option->name);
  snprintf(callee->stream_path, PATH_MAX_LENGTH, "/%s/Stream", option->name);
  callee->name = option->name;
  callee->fail_open = option->fail_open;
  arguments arguments = {.n = 0};
  char pins[PINS_SIZE];
  set_connection(&arguments);
  if (service_config != NULL)
    arguments_set_text(&arguments, GRPC_ARG_SERVICE_CONFIG, service_config);
  if (options->tls != NULL)
    arguments_set_text(&arguments, GRPC_SSL_TARGET_NAME_OVERRIDE_ARG,
                       EOWN_INTEROP_TLS_NAME);
  arguments_set_ownership(&arguments, options, SIDE_CHANNEL);
  if (is_pinned(option, options))
    set_pins(&arguments, option, options, pins);
  grpc_channel_credentials *credentials = eown_interop_channel_credentials(tls);
  grpc_channel_args view = arguments_view(&arguments);
  callee->channel = grpc_channel_create(option->target, credentials, &view);
  grpc_channel_credentials_release(credentials);
}

void callee_clear(callee *callee) { grpc_channel_destroy(callee->channel); }
