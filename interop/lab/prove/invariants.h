/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_PROVE_INVARIANTS_H
#define EOWN_LAB_PROVE_INVARIANTS_H

#include "world.h"

/* Words used below. An error's path leads from the service that fails by itself
 * (its origin) up to the root. A service claims where it sends CLAIMED; the
 * owner of an error is the topmost service in the unbroken run of claims that
 * begins at the origin: each service that has not had a retry takes the error
 * over (at_least_once). The caller next to the owner is the owner's caller; as
 * every caller without a retry policy takes the error over, it is the first
 * caller with a retry policy on the way up from the origin. */
typedef enum lab_invariant {
  /* Where a caller with a retry policy sees a callee fail, at least one of the
   * errors that this failure carries is retried, by this caller or below it.
   * With one failing service this reads: an error that some retry policy on its
   * path covers is retried at least once. */
  LAB_INVARIANT_RETRIED,

  /* The same for each error by itself: every error that some retry policy on
   * its path covers is retried at least once. True where one service fails, but
   * where errors meet in one service (it fails by itself and a callee failed
   * too, or two callees did) one response carries them all, and the retry of
   * one speaks for the others: rule 3, "for at least one of these". */
  LAB_INVARIANT_EACH_RETRIED,

  /* No service gets more load than had nobody eown, and no caller with eown
   * makes more attempts than one maximum: those of a policy and of the loop
   * above it count together. */
  LAB_INVARIANT_LOAD,

  /* A caller that retries is next to the owner: no caller below it on the path
   * of any error it retries has a retry policy. So of all callers on one path
   * at most one retries. */
  LAB_INVARIANT_NEXT_TO_OWNER,

  /* Of the callers on one path at most 1 + g retry, where g counts the services
   * between the origin and the root that lose the context or have no eown.
   *
   * Where the application retries by loops of its own, at most 1 + g + h: h
   * counts the callers without eown, the root among them, whose callee on the
   * path is a caller with eown that keeps its context. Such a callee may pass
   * the error on unclaimed, with a pushback: gRPC's policy heeds the pushback,
   * a loop written by hand does not. Cut the path behind each gap: of a part
   * with eown and its context one caller retries, and a caller without eown
   * that closes the part retries as well. Where the part has no other callers
   * the two are one. Where all callers may retry and one service fails, it is
   * 1 + g + h exactly. */
  LAB_INVARIANT_GAPS,

  /* A claim never crosses two owners: on the way up the claims of an error are
   * first CLAIMED, then UNCLAIMED; nobody claims an error that a service below
   * it on the path has passed on unclaimed. */
  LAB_INVARIANT_ONE_OWNER,

  LAB_INVARIANT_N
} lab_invariant;

/* Says whether the invariant holds in this world. */
bool lab_invariant_holds(lab_invariant invariant, const lab_world *world);

/* A short name ("retried"), and what it says where the attempts are made so;
 * static text. */
const char *lab_invariant_name(lab_invariant invariant);
const char *lab_invariant_text(lab_invariant invariant, lab_retry_by by);

#endif /* EOWN_LAB_PROVE_INVARIANTS_H */
