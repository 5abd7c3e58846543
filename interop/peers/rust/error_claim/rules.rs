// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

//! The rules 1 to 3, and what is believed of values.

use crate::detail::Reason;

/// What a callee says of its error; `Missing`: nothing that can be believed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Claim {
    #[default]
    Missing,
    Claimed,
    Unclaimed,
}

impl Claim {
    /// The word on the wire, and in the vectors.
    pub fn word(self) -> &'static str {
        match self {
            Claim::Missing => "missing",
            Claim::Claimed => "claimed",
            Claim::Unclaimed => "unclaimed",
        }
    }
}

/// Status codes by their numbers.
pub const OK: i32 = 0;
pub const CANCELLED: i32 = 1;

/// UNKNOWN, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, ABORTED, INTERNAL,
/// UNAVAILABLE and DATA_LOSS: the outbound failed.
pub fn is_fault(code: i32) -> bool {
    matches!(code, 2 | 4 | 8 | 10 | 13 | 14 | 15)
}

/// Rule 1: may the attempt be retried, or what stops it?
pub fn retry_verdict(
    failed: bool,
    claim: Claim,
    budget_empty: bool,
    chained: bool,
) -> &'static str {
    match () {
        _ if !failed => "ok",
        _ if claim == Claim::Unclaimed => "unclaimed",
        _ if budget_empty => "budget",
        _ if chained => "chain",
        _ => "allowed",
    }
}

/// Rule 2: has this error had its retry? A policy that covers the status either
/// retried, or something held it back.
pub fn criteria_satisfied(claim: Claim, retried: bool, covered: bool, application: bool) -> bool {
    application || claim == Claim::Unclaimed || retried || covered
}

/// Rule 3, of one outbound. The highest reason of all outbounds speaks.
pub fn reason_of(failed: bool, fail_open: bool, satisfied: bool) -> Reason {
    match () {
        _ if !failed => Reason::Own,
        _ if fail_open => Reason::Coincidental,
        _ if satisfied => Reason::Propagated,
        _ => Reason::AtLeastOnce,
    }
}

pub fn claim_of(reason: Reason) -> Claim {
    if reason == Reason::Propagated {
        Claim::Unclaimed
    } else {
        Claim::Claimed
    }
}

/// The claim that values of the key and of its alias make: one word, or none.
pub fn read_claim(values: &[&[u8]], alias_values: &[&[u8]]) -> Claim {
    let word = match (values, alias_values) {
        ([one], []) | ([], [one]) => one,
        ([one], [other]) if one == other => one,
        _ => return Claim::Missing,
    };
    match *word {
        b"claimed" => Claim::Claimed,
        b"unclaimed" => Claim::Unclaimed,
        _ => Claim::Missing,
    }
}

/// Do values of the retry mark say that the request is a retry?
pub fn is_marked<'a>(values: impl IntoIterator<Item = &'a [u8]>) -> bool {
    values.into_iter().any(|value| value == b"1")
}
