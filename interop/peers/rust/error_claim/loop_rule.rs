// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

//! What an application's retry loop does when a call ended, and how long it
//! waits.

use crate::rules::Claim;

/// How a call of the loop ended, by its status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopStatus {
    Ok,
    /// CANCELLED, or the inbound was cancelled.
    Cancelled,
    /// One that the loop retries.
    Listed,
    Other,
}

/// The callee's pushback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pushback {
    None,
    /// In milliseconds.
    Wait(u64),
    /// Negative, or no number.
    Stop,
}

/// Why a loop ended, or that it calls again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LoopReason {
    Ok,
    Cancelled,
    Status,
    Committed,
    Attempts,
    Deadline,
    Unclaimed,
    Budget,
    Chain,
    Multiplied,
    Pushback,
    Retry,
}

impl LoopReason {
    pub fn word(self) -> &'static str {
        match self {
            LoopReason::Ok => "ok",
            LoopReason::Cancelled => "cancelled",
            LoopReason::Status => "status",
            LoopReason::Committed => "committed",
            LoopReason::Attempts => "attempts",
            LoopReason::Deadline => "deadline",
            LoopReason::Unclaimed => "unclaimed",
            LoopReason::Budget => "budget",
            LoopReason::Chain => "chain",
            LoopReason::Multiplied => "multiplied",
            LoopReason::Pushback => "pushback",
            LoopReason::Retry => "retry",
        }
    }

    /// A retry that the loop would have made was held back: for rule 2.
    pub fn is_held_back(self) -> bool {
        !matches!(
            self,
            LoopReason::Ok | LoopReason::Cancelled | LoopReason::Status | LoopReason::Retry
        )
    }
}

/// What the loop sees when a call ended.
#[derive(Clone, Copy, Debug)]
pub struct LoopView {
    pub status: LoopStatus,
    pub claim: Claim,
    /// The application has a part of the answer.
    pub committed: bool,
    pub calls_left: bool,
    /// After the wait before the next call.
    pub time_left: bool,
    pub budget_empty: bool,
    /// Chain stop is on, and the inbound is itself a retry.
    pub chained: bool,
    /// The calls together took less than the maximum of attempts.
    pub attempts_left: bool,
    pub pushback: Pushback,
}

/// The first row that fits. Where ownership is not enforced its rows are left
/// out.
pub fn loop_reason(view: &LoopView, enforced: bool) -> LoopReason {
    let rows = [
        (view.status == LoopStatus::Ok, LoopReason::Ok),
        (view.status == LoopStatus::Cancelled, LoopReason::Cancelled),
        (view.status == LoopStatus::Other, LoopReason::Status),
        (view.committed, LoopReason::Committed),
        (!view.calls_left, LoopReason::Attempts),
        (!view.time_left, LoopReason::Deadline),
        (
            enforced && view.claim == Claim::Unclaimed,
            LoopReason::Unclaimed,
        ),
        (enforced && view.budget_empty, LoopReason::Budget),
        (enforced && view.chained, LoopReason::Chain),
        (enforced && !view.attempts_left, LoopReason::Multiplied),
        (view.pushback == Pushback::Stop, LoopReason::Pushback),
    ];
    rows.iter()
        .find(|(fits, _)| *fits)
        .map_or(LoopReason::Retry, |(_, reason)| *reason)
}

/// Reads a pushback. One that is repeated is taken for no number.
pub fn read_pushback(values: &[&[u8]]) -> Pushback {
    let value = match values {
        [] => return Pushback::None,
        [one] => *one,
        _ => return Pushback::Stop,
    };
    let digits = !value.is_empty() && value.iter().all(u8::is_ascii_digit);
    match str::from_utf8(value).map(str::parse) {
        Ok(Ok(wait)) if digits => Pushback::Wait(wait),
        _ => Pushback::Stop,
    }
}

/// The backoff before each retry, in milliseconds.
#[derive(Clone, Debug)]
pub struct Backoff {
    pub initial_ms: f64,
    pub max_ms: f64,
    pub multiplier: f64,
}

impl Backoff {
    /// Before the `retry`-th one (from 1); `random` is from 0 to 1.
    pub fn wait_ms(&self, retry: u32, random: f64) -> f64 {
        let grown = self.initial_ms * self.multiplier.powf(f64::from(retry) - 1.0);
        grown.min(self.max_ms) * (0.8 + 0.4 * random)
    }
}
