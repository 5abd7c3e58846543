// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

use std::sync::atomic::{AtomicU64, Ordering};

/// SplitMix64 (Steele, Lea, Flood 2014): output number `n` of a seed.
pub fn split_mix(seed: u64, n: u64) -> u64 {
    let mut z = seed.wrapping_add(n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Says which calls fail: the same ones as in an eown-node of this name and
/// seed.
pub struct Dice {
    seed: u64,
    rate: f64,
    healthy_first: u64,
    thrown: AtomicU64,
}

impl Dice {
    pub fn new(name: &str, seed: u64, rate: f64, healthy_first: u64) -> Dice {
        let seed = name
            .bytes()
            .fold(seed, |seed, c| split_mix(seed, u64::from(c)));
        Dice {
            seed,
            rate,
            healthy_first,
            thrown: AtomicU64::new(0),
        }
    }

    pub fn throw(&self) -> bool {
        let n = self.thrown.fetch_add(1, Ordering::Relaxed);
        let unit = (split_mix(self.seed, n) >> 11) as f64 / (1u64 << 53) as f64;
        n >= self.healthy_first && unit < self.rate
    }
}
