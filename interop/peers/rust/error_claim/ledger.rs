// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

//! What became of the outbound calls made for one inbound call.

use std::collections::{HashMap, HashSet};

use crate::detail::{ErrorClaim, Reason, owner_of, passed_on};
use crate::rules::{Claim, OK, claim_of, criteria_satisfied, is_fault, reason_of};

/// One outbound call as it ended.
#[derive(Clone, Debug, Default)]
pub struct Outbound {
    pub path: String,
    /// What `Ledger::start` said.
    pub started: u64,
    pub code: i32,
    pub claim: Claim,
    pub detail: Option<ErrorClaim>,
    /// By a retry policy.
    pub covered: bool,
    pub attempts: u32,
    pub fail_open: bool,
}

/// What failed on one method since it last succeeded.
struct Edge {
    codes: HashSet<i32>,
    satisfied: bool,
    first_failed: u64,
    last_failed: u64,
    last: Outbound,
}

impl Edge {
    fn has_fault(&self) -> bool {
        self.codes.iter().any(|code| is_fault(*code))
    }

    /// A status that answers the request counts only where it is handed on.
    fn reason(&self, code: i32) -> Reason {
        let handed_on = !is_fault(code) && self.codes.contains(&code);
        reason_of(
            self.has_fault() || handed_on,
            self.last.fail_open,
            self.satisfied || handed_on,
        )
    }
}

/// The edges of one inbound call.
#[derive(Default)]
pub struct Ledger {
    chosen: Option<Claim>,
    failures: u64,
    edges: HashMap<String, Edge>,
}

impl Ledger {
    /// Where a call that starts now stands, and whether its edge failed before.
    pub fn start(&self, path: &str) -> (u64, bool) {
        let edge = self.edges.get(path);
        (self.failures, edge.is_some_and(Edge::has_fault))
    }

    /// Takes the end of an outbound call. What failed before it was started is
    /// settled by it, what failed beside it is not.
    pub fn record(&mut self, outbound: Outbound) {
        let before = self.edges.get(&outbound.path);
        let settles = before.is_some_and(|edge| outbound.started >= edge.last_failed);
        if outbound.code == OK {
            if settles {
                self.edges.remove(&outbound.path);
            }
            return;
        }
        let again =
            before.is_some_and(|edge| edge.has_fault() && outbound.started >= edge.first_failed);
        if settles {
            self.edges.remove(&outbound.path);
        }
        self.fail(outbound, again);
    }

    fn fail(&mut self, outbound: Outbound, again: bool) {
        self.failures += 1;
        let satisfied = is_fault(outbound.code)
            && criteria_satisfied(
                outbound.claim,
                outbound.attempts > 1 || again,
                outbound.covered,
                false,
            );
        let edge = self
            .edges
            .entry(outbound.path.clone())
            .or_insert_with(|| Edge {
                codes: HashSet::new(),
                satisfied: false,
                first_failed: self.failures,
                last_failed: 0,
                last: Outbound::default(),
            });
        edge.codes.insert(outbound.code);
        edge.satisfied |= satisfied;
        edge.last_failed = self.failures;
        edge.last = outbound;
    }

    /// A retry loop gave up on this edge after so many attempts.
    pub fn end_loop(&mut self, path: &str, code: i32, attempts: u32, held_back: bool) {
        let Some(edge) = self.edges.get_mut(path) else {
            return;
        };
        if edge.last.code == code {
            edge.last.attempts = attempts;
        }
        edge.satisfied |= held_back && is_fault(code);
    }

    /// The application sets the claim; `Missing` takes it back.
    pub fn choose(&mut self, claim: Claim) {
        self.chosen = (claim != Claim::Missing).then_some(claim);
    }

    /// The failures so far have had their retry.
    pub fn set_retried(&mut self) {
        for edge in self.edges.values_mut() {
            edge.satisfied = true;
        }
    }

    fn speaker(&self, code: i32) -> Option<(Reason, &Edge)> {
        self.edges
            .values()
            .map(|edge| (edge.reason(code), edge))
            .filter(|(reason, _)| *reason > Reason::Own)
            .max_by_key(|(reason, edge)| (*reason, edge.last_failed))
    }

    /// The claim and the detail for the error that the inbound ends with.
    pub fn decide(&self, path: &str, code: i32, service: Option<&str>) -> (Claim, ErrorClaim) {
        let speaker = self.speaker(code);
        let mut reason = speaker.map_or(Reason::Own, |(reason, _)| reason);
        let mut claim = claim_of(reason);
        if let Some(chosen) = self.chosen {
            (claim, reason) = (chosen, Reason::Application);
        }
        let mut detail = owner_of(path, service);
        if let Some((_, edge)) = speaker {
            if claim == Claim::Unclaimed {
                detail = passed_on(edge.last.detail.as_ref(), &edge.last.path);
            }
            detail.attempts = edge.last.attempts;
        }
        detail.set_reason(reason);
        (claim, detail)
    }
}
