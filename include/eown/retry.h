/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_RETRY_H
#define EOWN_RETRY_H

#include "eown/budget.h"
#include "eown/claim.h"
#include "eown/context.h"
#include "eown/error.h"
#include "eown/rules.h"
#include "eown/settings.h"
#include "eown/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The application's own retry loop: it calls again where a call failed, and
 * asks here whether it may and how long it has to wait. Time and randomness are
 * passed in; nothing is allocated, and nothing locked where the call ended
 * well. What gRPC is needed for is in eown/grpc.h; for C++ there is eown::Retry
 * (eown/eown.hpp, eown/grpcpp.hpp), which does all this.
 *
 *   eown_retry_loop loop;
 *   eown_retry_init(&loop, inbound, &options);
 *   eown_retry_answer answer;
 *   do {
 *     bool mark = eown_retry_begin(&loop, now);
 *     ... make the call, with EOWN_RETRY_MARK_KEY in its metadata where `mark`
 *     eown_retry_end end = {.status = status};
 *     ... eown_retry_end_feed(&end, ...) for each entry of its trailers
 *     answer = eown_retry_again(&loop, &end, now, random);
 *     ... wait answer.wait_ms where answer.again
 *   } while (answer.again);
 *   eown_retry_clear(&loop);
 *
 * A loop is for one thread at a time; it may move between threads. Two at once
 * are noticed, and the second is answered "no" (loop_misused). */

#define EOWN_RETRY_ATTEMPTS_MAX 100
#define EOWN_RETRY_WAIT_MAX_MS 86400000 /* a day */

/* What a loop is told. Make it with eown_retry_options_init. */
typedef struct eown_retry_options {
  int32_t max_attempts;  /* 1 (no retry) to EOWN_RETRY_ATTEMPTS_MAX; gRPC's own
                            retries below the loop count */
  eown_status_set codes; /* that are retried; OK and CANCELLED never are */
  int64_t initial_backoff_ms; /* 0 to EOWN_RETRY_WAIT_MAX_MS */
  int64_t max_backoff_ms;
  double backoff_multiplier; /* 1 to 1000 */

  /* The rest is for channels without eown's filters or interceptor, whose own
   * settings stand in its place where they are. */
  eown_mode mode;      /* eown_mode_override wins */
  const char *method;  /* the gRPC path called; borrowed. NULL: all such
                          loops are one edge, and counted in total only */
  eown_budget *budget; /* borrowed; NULL: none */
  bool chain_stop;     /* no retry where the inbound is one */
  bool trust_boundary; /* believe no claim and send no mark */
  const char
      *claim_key_alias; /* a second key of the claim; borrowed, or NULL */
} eown_retry_options;

/* Fills in the defaults: 3 attempts, UNAVAILABLE, a backoff of 100 ms that
 * doubles up to 1 s, mode enforce, nothing else. */
void eown_retry_options_init(eown_retry_options *options);

/* Says whether the options are good: OK, or INVALID_ARGUMENT, and then
 * `message` (of `size` bytes, may be NULL) gets a sentence that names the
 * option, the value and what was expected. */
eown_error eown_retry_options_check(const eown_retry_options *options,
                                    char *message, size_t size);

/* The callee's pushback (gRPC A6): none, a wait, or no retry at all. */
typedef enum eown_pushback {
  EOWN_PUSHBACK_NONE,
  EOWN_PUSHBACK_WAIT,
  EOWN_PUSHBACK_STOP, /* negative, or no number */
} eown_pushback;

/* How one call of the loop ended. Zero is a good start. */
typedef struct eown_retry_end {
  eown_status status;
  bool committed;    /* the application has a part of the answer */
  bool cancelled;    /* the inbound was cancelled */
  bool has_deadline; /* of the loop as a whole */
  uint64_t left_ms;  /* until that deadline */

  /* From its trailing metadata: eown_retry_end_feed. */
  eown_pushback pushback;
  uint64_t pushback_ms; /* of a wait */
  eown_claim_reader claim;
  const uint8_t *detail; /* borrowed until eown_retry_again */
  size_t detail_length;
  unsigned details;

  /* Filters or an interceptor saw the call, counted and recorded it: what
   * follows is theirs. */
  bool seen;
  eown_claim seen_claim;
  eown_mode mode;
  eown_context *context; /* of its inbound; borrowed, or NULL */
  const char *method;    /* borrowed; NULL: not known */
  size_t method_length;
  eown_budget *budget;
  bool chain_stop;
  uint32_t attempts; /* that gRPC made for this call; 0: counts as 1 */
} eown_retry_end;

/* What the loop does next. Small enough for two registers. */
typedef struct eown_retry_answer {
  uint64_t wait_ms; /* before the next call */
  eown_loop reason; /* where the mode is to observe: what enforce would say */
  bool again;
} eown_retry_answer;

/* A loop's state. A value of the caller's; its members are eown's. */
typedef struct eown_retry_loop {
  eown_retry_options options;
  eown_context *context;  /* a reference, or NULL */
  uint32_t calls;         /* begun */
  uint32_t attempts;      /* that they took, those of gRPC among them */
  uint32_t started;       /* the last one, in the context's order of events */
  double next_backoff_ms; /* without jitter */
  int busy;               /* a thread is in here */
  bool watched;           /* filters see the call */
  bool ended;
} eown_retry_loop;

/* Starts a loop for the inbound call of `context`, to which its calls are tied
 * (NULL: the thread's current one, if any); a reference is taken. `options` is
 * copied, NULL: the defaults. Where an option is bad (INVALID_ARGUMENT, counted
 * in bad_settings) the loop makes one call and never retries. */
eown_error eown_retry_init(eown_retry_loop *loop, eown_context *context,
                           const eown_retry_options *options);

/* Gives back what the loop holds. */
void eown_retry_clear(eown_retry_loop *loop);

/* The next call begins, at `now_ms` (any monotonic clock). Says whether its
 * request has to carry the retry mark. */
bool eown_retry_begin(eown_retry_loop *loop, uint64_t now_ms);

/* Takes one entry of the call's trailing metadata, of any key. `alias` may be
 * NULL. Key and value are borrowed, a detail until eown_retry_again. */
void eown_retry_end_feed(eown_retry_end *end, const char *alias,
                         const char *key, size_t key_length, const char *value,
                         size_t value_length);

/* The call has ended: decides and counts. `random` are 32 random bits, for the
 * backoff. After a "no" the loop has ended, and the answer stays "no". */
eown_retry_answer eown_retry_again(eown_retry_loop *loop,
                                   const eown_retry_end *end, uint64_t now_ms,
                                   uint32_t random);

/* The wait in ms before a retry whose backoff is `backoff_ms`: times a factor
 * from 0.8 to 1.2. Source: gRPC A6, as C-core has it. */
uint64_t eown_retry_jitter(double backoff_ms, uint32_t random);

#ifdef __cplusplus
}
#endif

#endif /* EOWN_RETRY_H */
