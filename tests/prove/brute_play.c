/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "brute_case.h"

typedef struct answer {
  bool error;
  brute_word word;
} answer;

static answer call(const brute_fleet *of, int service, bool stock,
                   brute_seen *seen);

/* The outbound calls of one caller to one callee, to their end. */
typedef struct outbound {
  answer last;
  int made;
} outbound;

/* An unclaimed error stops eown by rule 1 and other policies by its pushback.
 */
static void play_call(const brute_fleet *of, int caller, int callee, bool stock,
                      brute_seen *seen, outbound *out) {
  int within = 0;
  bool again = true;
  while (again) {
    out->last = call(of, callee, stock, seen);
    out->made++;
    within++;
    again = of->policies && out->last.error && of->policy[caller] &&
            within < of->attempts && out->last.word != UNCLAIMS;
  }
}

/* A loop of eown's heeds the claim and counts all attempts; any other looks at
 * its own count alone. */
static outbound play_outbound(const brute_fleet *of, int caller, int callee,
                              bool stock, brute_seen *seen) {
  bool eown = of->eown[caller] && !stock;
  outbound out = {0};
  bool again = true;
  for (int calls = 1; again; calls++) {
    play_call(of, caller, callee, stock, seen, &out);
    again = of->loops && out.last.error && of->policy[caller] &&
            calls < of->attempts;
    if (again && eown)
      again = out.last.word != UNCLAIMS && out.made < of->attempts;
  }
  seen->retried[callee] |= out.made > 1;
  if (out.made > seen->most[callee])
    seen->most[callee] = out.made;
  return out;
}

/* Calls a service; `stock`: nobody has eown. */
static answer call(const brute_fleet *of, int service, bool stock,
                   brute_seen *seen) {
  bool eown = of->eown[service] && !stock;
  bool below = false, had_its_retry = false;
  seen->load[service]++;
  for (int callee = service + 1; callee < of->services; callee++) {
    if (of->caller[callee] != service)
      continue;
    outbound out = play_outbound(of, service, callee, stock, seen);
    below |= out.last.error;
    had_its_retry |= out.last.error && (out.last.word == UNCLAIMS ||
                                        out.made > 1 || of->policy[service]);
  }
  answer own = {.error = below || of->fails[service]};
  if (own.error && eown) {
    bool passes_on = below && had_its_retry && !of->lost[service];
    own.word = passes_on ? UNCLAIMS : CLAIMS;
  }
  seen->failed[service] = own.error;
  seen->said[service] = own.word;
  return own;
}

void brute_play(const brute_fleet *of, bool stock, brute_seen *seen) {
  call(of, 0, stock, seen);
}
