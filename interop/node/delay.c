/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "delay.h"

static struct timespec due_in(uint64_t ms) {
  struct timespec due;
  clock_gettime(CLOCK_MONOTONIC, &due);
  due.tv_sec += (time_t)(ms / 1000);
  due.tv_nsec += (long)(ms % 1000) * 1000000;
  if (due.tv_nsec >= 1000000000) {
    due.tv_sec++;
    due.tv_nsec -= 1000000000;
  }
  return due;
}

static bool is_before(const struct timespec *a, const struct timespec *b) {
  return a->tv_sec < b->tv_sec ||
         (a->tv_sec == b->tv_sec && a->tv_nsec < b->tv_nsec);
}

static bool is_past(const struct timespec *due) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return !is_before(&now, due);
}

static delayed *pop(delay *delay) {
  delayed *item = delay->first;
  delay->first = item->next;
  if (delay->first == NULL)
    delay->last = NULL;
  return item;
}

/* Most are due last: their waits are equally long. */
static void push(delay *delay, delayed *item) {
  delayed **place = &delay->first;
  if (delay->last != NULL && !is_before(&item->due, &delay->last->due))
    place = &delay->last->next;
  while (*place != NULL && !is_before(&item->due, &(*place)->due))
    place = &(*place)->next;
  item->next = *place;
  *place = item;
  if (item->next == NULL)
    delay->last = item;
}

/* Waits for the next item that is due; NULL: the delay stops. */
static delayed *wait_due(delay *delay) {
  for (;;) {
    if (delay->first == NULL && delay->stopping)
      return NULL;
    if (delay->first == NULL)
      pthread_cond_wait(&delay->changed, &delay->lock);
    else if (delay->flushing || is_past(&delay->first->due))
      return pop(delay);
    else
      pthread_cond_timedwait(&delay->changed, &delay->lock, &delay->first->due);
  }
}

static void *run(void *arg) {
  delay *delay = arg;
  pthread_mutex_lock(&delay->lock);
  for (delayed *item; (item = wait_due(delay)) != NULL;) {
    pthread_mutex_unlock(&delay->lock);
    event_batch(item->event, item->call, NULL, 0);
    pthread_mutex_lock(&delay->lock);
  }
  pthread_mutex_unlock(&delay->lock);
  return NULL;
}

bool delay_start(delay *delay) {
  *delay = (struct delay){0};
  pthread_condattr_t clock;
  pthread_condattr_init(&clock);
  pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
  pthread_cond_init(&delay->changed, &clock);
  pthread_condattr_destroy(&clock);
  pthread_mutex_init(&delay->lock, NULL);
  return pthread_create(&delay->thread, NULL, run, delay) == 0;
}

void delay_add(delay *delay, delayed *item, uint64_t wait_ms, grpc_call *call,
               event *event) {
  *item = (delayed){.due = due_in(wait_ms), .call = call, .event = event};
  pthread_mutex_lock(&delay->lock);
  push(delay, item);
  pthread_cond_signal(&delay->changed);
  pthread_mutex_unlock(&delay->lock);
}

static void set_and_wake(delay *delay, bool *flag) {
  pthread_mutex_lock(&delay->lock);
  *flag = true;
  pthread_cond_signal(&delay->changed);
  pthread_mutex_unlock(&delay->lock);
}

void delay_flush(delay *delay) { set_and_wake(delay, &delay->flushing); }

void delay_stop(delay *delay) {
  set_and_wake(delay, &delay->stopping);
  pthread_join(delay->thread, NULL);
  pthread_cond_destroy(&delay->changed);
  pthread_mutex_destroy(&delay->lock);
}
