// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

//! A retry budget that loops share.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

const TENTHS: usize = 10;
const TENTH: Duration = Duration::from_secs(1);

/// Over a sliding window of 10 s, retries may make up `percent` of the first
/// calls, and `min_per_second` retries a second come on top, for low traffic.
pub struct Budget {
    ratio: f64,
    reserve: f64,
    began: Instant,
    buckets: Mutex<[Bucket; TENTHS]>,
}

/// What happened in a tenth of the window.
#[derive(Clone, Copy, Default)]
struct Bucket {
    epoch: u64,
    firsts: u32,
    retries: u32,
}

impl Budget {
    pub fn new(percent: f64, min_per_second: f64) -> Budget {
        let window = TENTH * TENTHS as u32;
        Budget {
            ratio: percent / 100.0,
            reserve: min_per_second * window.as_secs_f64(),
            began: Instant::now(),
            buckets: Mutex::default(),
        }
    }

    fn now(&self) -> u64 {
        self.began.elapsed().as_secs() / TENTH.as_secs()
    }

    fn buckets(&self) -> MutexGuard<'_, [Bucket; TENTHS]> {
        let buckets = self.buckets.lock();
        buckets.unwrap_or_else(PoisonError::into_inner)
    }

    fn allows(&self, buckets: &[Bucket], now: u64) -> bool {
        let current = |bucket: &&Bucket| bucket.epoch + TENTHS as u64 > now;
        let (firsts, retries) =
            buckets
                .iter()
                .filter(current)
                .fold((0.0, 0.0), |(firsts, retries), bucket| {
                    (
                        firsts + f64::from(bucket.firsts),
                        retries + f64::from(bucket.retries),
                    )
                });
        retries < self.ratio * firsts + self.reserve
    }

    fn bucket(buckets: &mut [Bucket; TENTHS], now: u64) -> &mut Bucket {
        let bucket = &mut buckets[now as usize % TENTHS];
        if bucket.epoch != now {
            *bucket = Bucket {
                epoch: now,
                ..Bucket::default()
            };
        }
        bucket
    }

    /// Counts a first call.
    pub fn deposit(&self) {
        Self::bucket(&mut self.buckets(), self.now()).firsts += 1;
    }

    /// Says whether a retry would be within the budget; changes nothing.
    pub fn would_allow(&self) -> bool {
        self.allows(&*self.buckets(), self.now())
    }

    /// Takes a retry; false, and nothing taken, where the budget is empty.
    pub fn withdraw(&self) -> bool {
        let now = self.now();
        let mut buckets = self.buckets();
        let allowed = self.allows(&*buckets, now);
        if allowed {
            Self::bucket(&mut buckets, now).retries += 1;
        }
        allowed
    }
}
