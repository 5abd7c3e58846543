// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

//! What a retry loop is told.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use http::HeaderName;
use tonic::Code;

use crate::budget::Budget;
use crate::loop_rule::LoopReason;

pub const ATTEMPTS_MAX: u32 = 100;
pub const WAIT_MAX: Duration = Duration::from_secs(24 * 3600);
const MULTIPLIER_MAX: f64 = 1000.0;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    /// Without ownership: neither marks nor claims count.
    Off,
    /// Counts what ownership would stop, and stops none of it.
    Observe,
    #[default]
    Enforce,
}

pub type OnReason = Arc<dyn Fn(LoopReason) + Send + Sync>;

/// The defaults: 3 calls, UNAVAILABLE, a backoff of 100 ms that doubles up to
/// 1 s, enforce, nothing else.
#[derive(Clone)]
pub struct RetryOptions {
    /// 1 (no retry) to 100. Attempts that a layer below the loop makes count.
    pub max_attempts: u32,
    /// That are retried; OK and CANCELLED never are.
    pub codes: Vec<Code>,
    pub initial_backoff: Duration,
    pub max_backoff: Duration,
    /// 1 to 1000.
    pub backoff_multiplier: f64,
    /// Of the loop as a whole, from its start. A request without a timeout of
    /// its own gets what is left.
    pub deadline: Option<Duration>,
    pub mode: Mode,
    pub budget: Option<Arc<Budget>>,
    /// No retry where the inbound is one.
    pub chain_stop: bool,
    /// Told the reason after each call; where the mode is to observe, the one
    /// that enforce would have.
    pub on_reason: Option<OnReason>,

    /// The path of the method called. This and what follows is for channels
    /// without `ClientLayer`, which knows better.
    pub path: String,
    /// A second key for the claim.
    pub alias: Option<HeaderName>,
    /// Believes no claim and sends no mark.
    pub boundary: bool,
}

impl Default for RetryOptions {
    fn default() -> RetryOptions {
        RetryOptions {
            max_attempts: 3,
            codes: vec![Code::Unavailable],
            initial_backoff: Duration::from_millis(100),
            max_backoff: Duration::from_secs(1),
            backoff_multiplier: 2.0,
            deadline: None,
            mode: Mode::Enforce,
            budget: None,
            chain_stop: false,
            on_reason: None,
            path: String::new(),
            alias: None,
            boundary: false,
        }
    }
}

/// An option that cannot be: its name, its value, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadOption {
    pub option: &'static str,
    pub value: String,
    pub expected: String,
}

impl fmt::Display for BadOption {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (option, value, expected) = (self.option, &self.value, &self.expected);
        write!(out, "{option}: got {value}, expected {expected}")
    }
}

impl std::error::Error for BadOption {}

fn check(
    option: &'static str,
    value: impl fmt::Debug,
    fits: bool,
    expected: String,
) -> Result<(), BadOption> {
    let value = format!("{value:?}");
    let bad = BadOption {
        option,
        value,
        expected,
    };
    if fits { Ok(()) } else { Err(bad) }
}

fn check_wait(option: &'static str, wait: Duration) -> Result<(), BadOption> {
    let expected = format!("a time from 0ns to {WAIT_MAX:?}");
    check(option, wait, wait <= WAIT_MAX, expected)
}

impl RetryOptions {
    pub(crate) fn check(&self) -> Result<(), BadOption> {
        check(
            "max_attempts",
            self.max_attempts,
            (1..=ATTEMPTS_MAX).contains(&self.max_attempts),
            format!("a whole number from 1 to {ATTEMPTS_MAX}"),
        )?;
        let never = self.codes.iter().find(|code| **code as i32 <= 1);
        check(
            "codes",
            &self.codes,
            never.is_none(),
            "codes other than Ok and Cancelled, which are never retried".to_owned(),
        )?;
        check_wait("initial_backoff", self.initial_backoff)?;
        check_wait("max_backoff", self.max_backoff)?;
        if let Some(deadline) = self.deadline {
            check_wait("deadline", deadline)?;
        }
        check(
            "backoff_multiplier",
            self.backoff_multiplier,
            (1.0..=MULTIPLIER_MAX).contains(&self.backoff_multiplier),
            format!("a number from 1 to {MULTIPLIER_MAX}"),
        )
    }
}
