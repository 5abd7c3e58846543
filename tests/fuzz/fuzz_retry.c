/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* A retry loop fed with arbitrary trailers, ends and options: it ends, and its
 * answers hold together. The input: options, then calls, each of one byte of
 * status, one of flags and the trailers' length. */
#include "eown/retry.h"

#include "fuzz.h"

#include <string.h>

typedef struct input {
  const uint8_t *data;
  size_t size;
} input;

static uint8_t take(input *in) {
  if (in->size == 0)
    return 0;
  in->size--;
  return *in->data++;
}

static const char *take_bytes(input *in, size_t *length) {
  const char *bytes = (const char *)in->data;
  *length = take(in);
  if (in->size > 0)
    bytes = (const char *)in->data;
  if (*length > in->size)
    *length = in->size;
  in->data += *length;
  in->size -= *length;
  return *length > 0 ? bytes : "";
}

static eown_retry_options read_options(input *in) {
  eown_retry_options options;
  eown_retry_options_init(&options);
  options.max_attempts = (int8_t)take(in);
  options.codes = (eown_status_set)take(in) << 10 | take(in);
  options.initial_backoff_ms = (int8_t)take(in);
  options.max_backoff_ms = (int64_t)take(in) * 1000;
  options.backoff_multiplier = take(in) / 16.0;
  options.mode = (eown_mode)(take(in) % 4);
  options.trust_boundary = (take(in) & 1) != 0;
  return options;
}

static eown_retry_end read_end(input *in) {
  static const char *const keys[] = {EOWN_CLAIM_KEY, EOWN_CLAIM_DETAIL_KEY,
                                     "grpc-retry-pushback-ms", "x-alias",
                                     "other"};
  eown_retry_end end = {.status = (eown_status)take(in)};
  uint8_t flags = take(in);
  end.committed = (flags & 1) != 0;
  end.cancelled = (flags & 2) != 0;
  end.has_deadline = (flags & 4) != 0;
  end.left_ms = flags;
  for (unsigned i = 0; i < (flags >> 5); i++) {
    const char *key = keys[take(in) % 5];
    size_t length;
    const char *value = take_bytes(in, &length);
    eown_retry_end_feed(&end, "x-alias", key, strlen(key), value, length);
  }
  return end;
}

static void check(const eown_retry_loop *loop, const eown_retry_end *end,
                  eown_retry_answer answer) {
  FUZZ_ASSERT(answer.reason < EOWN_LOOP_N);
  FUZZ_ASSERT(answer.again == !loop->ended);
  if (!answer.again)
    return;
  FUZZ_ASSERT(end->status != EOWN_STATUS_OK);
  FUZZ_ASSERT(loop->calls < EOWN_RETRY_ATTEMPTS_MAX);
  FUZZ_ASSERT(end->pushback != EOWN_PUSHBACK_STOP);
  FUZZ_ASSERT(!end->has_deadline || answer.wait_ms < end->left_ms);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  input in = {data, size};
  eown_retry_options options = read_options(&in);
  char message[64];
  eown_retry_loop loop;
  FUZZ_ASSERT(eown_context_pool_init());
  eown_context *context = take(&in) & 1 ? eown_context_acquire() : NULL;
  eown_error error =
      eown_retry_options_check(&options, message, sizeof(message));
  FUZZ_ASSERT(error == eown_retry_init(&loop, context, &options));
  for (int i = 0; i <= EOWN_RETRY_ATTEMPTS_MAX && !loop.ended; i++) {
    eown_retry_begin(&loop, (uint64_t)i);
    eown_retry_end end = read_end(&in);
    check(&loop, &end,
          eown_retry_again(&loop, &end, (uint64_t)i, (uint32_t)in.size * 9973));
  }
  FUZZ_ASSERT(loop.ended);
  eown_retry_clear(&loop);
  eown_context_unref(context);
  return 0;
}
