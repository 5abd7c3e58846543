/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_PRELOAD_COUNTERS_FILE_H
#define EOWN_PRELOAD_COUNTERS_FILE_H

/* The counters of a program that cannot show them itself, in a file:
 * EOWN_COUNTERS names it (%p in it: the process id). Written every five seconds
 * and at the end of the process, aside and renamed, as Prometheus text: the
 * textfile collector of its node exporter takes it as it is. */
void eown_counters_file_start(void);

#endif /* EOWN_PRELOAD_COUNTERS_FILE_H */
