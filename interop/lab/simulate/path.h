/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_PATH_H
#define EOWN_LAB_PATH_H

#include "fleet.h"
#include "rules.h"

#define LAB_PATH_MAX 64

/* A call path: service 0 is the root, each calls the next. */
typedef struct lab_path {
  uint32_t services;
  bool eown[LAB_PATH_MAX];
  bool lost[LAB_PATH_MAX];     /* has eown, but loses the context */
  bool no_retry[LAB_PATH_MAX]; /* of calls to the next */
} lab_path;

/* Makes a path with gaps drawn by `seed`. */
void lab_path_make(lab_path *path, uint32_t services, const lab_gaps *gaps,
                   uint64_t seed);

/* The storm radius: the most consecutive hops over which attempts multiply,
 * whichever service of the path always fails. */
typedef struct lab_path_radius {
  uint32_t stock; /* without eown, and with retries everywhere */
  uint32_t ownership;
} lab_path_radius;

lab_path_radius lab_path_find_radius(const lab_path *path,
                                     const lab_rules *rules);

/* Raises `most` to what `radius` has more. */
void lab_path_radius_most(lab_path_radius *most, const lab_path_radius *radius);

#endif /* EOWN_LAB_PATH_H */
