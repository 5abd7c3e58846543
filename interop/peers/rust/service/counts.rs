// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

//! What a node counts, and the JSON of it.

use std::sync::atomic::{AtomicU64, Ordering};

use error_claim::{Claim, LoopReason};
use tonic::metadata::MetadataMap;

#[derive(Default)]
pub struct Counter(AtomicU64);

impl Counter {
    pub fn add(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    fn read(&self, reset: bool) -> u64 {
        if reset {
            self.0.swap(0, Ordering::Relaxed)
        } else {
            self.0.load(Ordering::Relaxed)
        }
    }
}

#[derive(Default)]
pub struct CalleeCounts {
    name: String,
    pub calls: Counter,
    errors: Counter,
    claimed: Counter,
    unclaimed: Counter,
    missing: Counter,
    other: Counter,
}

impl CalleeCounts {
    /// What the application sees of the claim in the trailing metadata.
    pub fn failed(&self, trailers: &MetadataMap) {
        self.errors.add();
        let mut values = trailers.get_all("error-claim").iter();
        let value = values.next().map(|value| value.as_bytes());
        match (value, values.next()) {
            (None, _) => self.missing.add(),
            (Some(b"claimed"), None) => self.claimed.add(),
            (Some(b"unclaimed"), None) => self.unclaimed.add(),
            _ => self.other.add(),
        }
    }

    fn json(&self, reset: bool) -> String {
        format!(
            r#"{{"name":"{}","calls":{},"errors":{},"claimed":{},"unclaimed":{},"missing":{},"other":{}}}"#,
            self.name,
            self.calls.read(reset),
            self.errors.read(reset),
            self.claimed.read(reset),
            self.unclaimed.read(reset),
            self.missing.read(reset),
            self.other.read(reset),
        )
    }
}

#[derive(Default)]
struct Stopped {
    unclaimed: Counter,
    budget: Counter,
    chain: Counter,
    multiplied: Counter,
}

#[derive(Default)]
pub struct Counts {
    name: String,
    pub served: Counter,
    pub errors: Counter,
    pub own_failures: Counter,
    pub made: Counter,
    stopped: Stopped,
    claimed: Counter,
    unclaimed: Counter,
    pub callees: Vec<CalleeCounts>,
}

impl Counts {
    pub fn new<'a>(name: &str, callees: impl Iterator<Item = &'a str>) -> Counts {
        let named = |name: &str| CalleeCounts {
            name: name.to_owned(),
            ..CalleeCounts::default()
        };
        Counts {
            name: name.to_owned(),
            callees: callees.map(named).collect(),
            ..Counts::default()
        }
    }

    pub fn sent(&self, claim: Claim) {
        match claim {
            Claim::Unclaimed => self.unclaimed.add(),
            _ => self.claimed.add(),
        }
    }

    pub fn stopped(&self, reason: LoopReason) {
        match reason {
            LoopReason::Unclaimed => self.stopped.unclaimed.add(),
            LoopReason::Budget => self.stopped.budget.add(),
            LoopReason::Chain => self.stopped.chain.add(),
            LoopReason::Multiplied => self.stopped.multiplied.add(),
            _ => {}
        }
    }

    /// Names need no escapes: the options see to that.
    pub fn json(&self, event: &str, reset: bool) -> String {
        let callees: Vec<String> = self.callees.iter().map(|c| c.json(reset)).collect();
        format!(
            concat!(
                r#"{{"event":"{}","name":"{}","served":{},"errors":{},"own_failures":{},"made":{},"#,
                r#""retries_stopped":{{"unclaimed":{},"budget":{},"chain":{},"multiplied":{}}},"#,
                r#""claims_sent":{{"claimed":{},"unclaimed":{}}},"callees":[{}]}}"#,
            ),
            event,
            self.name,
            self.served.read(reset),
            self.errors.read(reset),
            self.own_failures.read(reset),
            self.made.read(reset),
            self.stopped.unclaimed.read(reset),
            self.stopped.budget.read(reset),
            self.stopped.chain.read(reset),
            self.stopped.multiplied.read(reset),
            self.claimed.read(reset),
            self.unclaimed.read(reset),
            callees.join(","),
        )
    }
}
