// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

//! The application's own retry loop.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep};
use tonic::Request;
use tonic::metadata::MetadataMap;

use crate::inbound::Inbound;
use crate::loop_call::{Ended, Prepared, Settled};
use crate::loop_rule::{Backoff, LoopReason, LoopStatus, LoopView, Pushback, loop_reason};
use crate::metadata::{has_timeout, remove_claims, write_mark};
use crate::retry_options::{BadOption, Mode, RetryOptions};
use crate::rules::{CANCELLED, OK};

/// Decides whether to call again, with or without the layers.
///
/// ```ignore
/// let mut retry = RetryLoop::new(RetryOptions::default())?;
/// let result = loop {
///     let mut request = Request::new(message.clone());
///     retry.prepare(&mut request);
///     let result = client.get(request).await;
///     if !retry.again(&result).await {
///         break result;
///     }
/// };
/// ```
///
/// A result that is OK need not be shown to `again`; then it is not counted.
/// Once ended, a loop stays so: `prepare` does nothing, `again` says no.
pub struct RetryLoop {
    options: Arc<RetryOptions>,
    inbound: Option<Inbound>,
    deadline: Option<Instant>,
    calls: u32,
    attempts: u32,
    /// Since the backoff last started anew.
    retries: u32,
    committed: bool,
    call: Option<Prepared>,
    ended: Option<LoopReason>,
}

impl RetryLoop {
    /// Ties its calls to the inbound that the task serves, if any.
    pub fn new(options: RetryOptions) -> Result<RetryLoop, BadOption> {
        RetryLoop::shared(Arc::new(options))
    }

    /// The same, for options that many loops have.
    pub fn shared(options: Arc<RetryOptions>) -> Result<RetryLoop, BadOption> {
        options.check()?;
        Ok(RetryLoop {
            deadline: options.deadline.map(|left| Instant::now() + left),
            options,
            inbound: Inbound::current(),
            calls: 0,
            attempts: 0,
            retries: 0,
            committed: false,
            call: None,
            ended: None,
        })
    }

    /// Ties its calls to this inbound instead.
    pub fn tied_to(mut self, inbound: &Inbound) -> RetryLoop {
        self.inbound = Some(inbound.clone());
        self
    }

    /// Why it ended; none: it did not, yet.
    pub fn ended(&self) -> Option<LoopReason> {
        self.ended
    }

    /// The application has a part of the answer: the call is not made again.
    pub fn commit(&mut self) {
        self.committed = true;
    }

    /// The next call begins: ties and marks its request.
    pub fn prepare<T>(&mut self, request: &mut Request<T>) {
        if self.ended.is_some() {
            return;
        }
        self.calls += 1;
        self.committed = false;
        let prepared = Prepared {
            started: self.started(),
            ..Prepared::default()
        };
        request.extensions_mut().insert(prepared.watched.clone());
        self.call = Some(prepared);
        if let Some(inbound) = &self.inbound {
            inbound.tie(request);
        }
        if let Some(budget) = self.options.budget.as_ref().filter(|_| self.calls == 1) {
            budget.deposit();
        }
        if self.options.mode != Mode::Off {
            self.mark(request.metadata_mut());
        }
        self.limit(request);
    }

    fn started(&self) -> u64 {
        let inbound = self.inbound.as_ref();
        inbound.map_or(0, |inbound| inbound.ledger().start(&self.options.path).0)
    }

    fn mark(&self, metadata: &mut MetadataMap) {
        let marked = self.inbound.as_ref().is_some_and(Inbound::is_marked);
        let mut headers = std::mem::take(metadata).into_headers();
        let boundary = self.options.boundary;
        write_mark(&mut headers, marked || self.calls > 1, boundary);
        if boundary {
            remove_claims(&mut headers, self.options.alias.as_ref());
        }
        *metadata = MetadataMap::from_headers(headers);
    }

    fn limit<T>(&self, request: &mut Request<T>) {
        if has_timeout(request.metadata().as_ref()) {
            return;
        }
        if let Some(deadline) = self.deadline {
            request.set_timeout(deadline.saturating_duration_since(Instant::now()));
        }
    }

    /// The call has ended. Says whether to make the next one, and returns only
    /// when its time has come. No, where none was prepared.
    pub async fn again<'a>(&mut self, ended: impl Into<Ended<'a>>) -> bool {
        let Some(wait) = self.decide(&ended.into()) else {
            return false;
        };
        self.wait(wait).await
    }

    async fn wait(&mut self, wait: Duration) -> bool {
        let Some(inbound) = self.inbound.clone() else {
            sleep(wait).await;
            return true;
        };
        tokio::select! {
            biased;
            () = inbound.cancelled() => {
                self.cancel();
                false
            }
            () = sleep(wait) => true,
        }
    }

    /// The wait before the next call; none: there is none.
    fn decide(&mut self, ended: &Ended<'_>) -> Option<Duration> {
        let prepared = self.call.take()?;
        let call = prepared.settle(ended, &self.options, self.inbound.as_ref());
        self.attempts += call.attempts;
        let wait = self.backoff(call.pushback);
        let mut view = self.view(&call, wait);
        let mut in_force = loop_reason(&view, call.mode == Mode::Enforce);
        let budget = self.options.budget.as_ref();
        if in_force == LoopReason::Retry && budget.is_some_and(|budget| !budget.withdraw()) {
            view.budget_empty = true;
            in_force = loop_reason(&view, call.mode == Mode::Enforce);
        }
        let reason = loop_reason(&view, call.mode != Mode::Off);
        if in_force == LoopReason::Retry {
            self.advance(call.pushback);
            self.tell(reason);
            return Some(wait);
        }
        self.tell_inbound(&call, reason);
        self.ended = Some(in_force);
        self.tell(reason);
        None
    }

    fn status(&self, call: &Settled) -> LoopStatus {
        let cancelled = call.inbound.as_ref().is_some_and(Inbound::is_cancelled);
        match call.code {
            OK => LoopStatus::Ok,
            CANCELLED => LoopStatus::Cancelled,
            _ if cancelled => LoopStatus::Cancelled,
            code if self.options.codes.iter().any(|c| *c as i32 == code) => LoopStatus::Listed,
            _ => LoopStatus::Other,
        }
    }

    fn view(&self, call: &Settled, wait: Duration) -> LoopView {
        let most = self.options.max_attempts;
        let budget = self.options.budget.as_ref();
        let marked = call.inbound.as_ref().is_some_and(Inbound::is_marked);
        LoopView {
            status: self.status(call),
            claim: call.claim,
            committed: self.committed,
            calls_left: self.calls < most,
            time_left: self.has_time(call, wait),
            budget_empty: budget.is_some_and(|budget| !budget.would_allow()),
            chained: self.options.chain_stop && marked,
            attempts_left: self.attempts < most,
            pushback: call.pushback,
        }
    }

    /// Before the loop's deadline and the inbound's.
    fn has_time(&self, call: &Settled, wait: Duration) -> bool {
        let next = Instant::now().checked_add(wait);
        let inbound = call.inbound.as_ref().and_then(Inbound::deadline);
        [self.deadline, inbound]
            .iter()
            .flatten()
            .all(|deadline| next.is_some_and(|next| next < *deadline))
    }

    fn backoff(&self, pushback: Pushback) -> Duration {
        if let Pushback::Wait(ms) = pushback {
            return Duration::from_millis(ms);
        }
        let backoff = Backoff {
            initial_ms: self.options.initial_backoff.as_secs_f64() * 1e3,
            max_ms: self.options.max_backoff.as_secs_f64() * 1e3,
            multiplier: self.options.backoff_multiplier,
        };
        let wait_ms = backoff.wait_ms(self.retries + 1, random());
        Duration::from_secs_f64(wait_ms / 1e3)
    }

    /// After a pushback the backoff starts anew.
    fn advance(&mut self, pushback: Pushback) {
        self.retries = match pushback {
            Pushback::Wait(_) => 0,
            _ => self.retries + 1,
        };
    }

    /// For rule 2: a loop of two calls or more is a retry policy.
    fn tell_inbound(&self, call: &Settled, reason: LoopReason) {
        if call.mode == Mode::Off || call.code == OK {
            return;
        }
        if let Some(inbound) = &call.inbound {
            let held_back = self.options.max_attempts > 1 && reason.is_held_back();
            let mut ledger = inbound.ledger();
            ledger.end_loop(&call.path, call.code, self.attempts, held_back);
        }
    }

    fn cancel(&mut self) {
        self.ended = Some(LoopReason::Cancelled);
        self.tell(LoopReason::Cancelled);
    }

    fn tell(&self, reason: LoopReason) {
        if let Some(on_reason) = &self.options.on_reason {
            on_reason(reason);
        }
    }
}

/// A loop that goes while it waits or while its call is on the way was given up
/// with its inbound.
impl Drop for RetryLoop {
    fn drop(&mut self) {
        let inbound = self.inbound.as_ref();
        if self.ended.is_none() && inbound.is_some_and(Inbound::is_cancelled) {
            self.cancel();
        }
    }
}

/// From 0 to 1.
fn random() -> f64 {
    let bits = RandomState::new().build_hasher().finish();
    bits as f64 / u64::MAX as f64
}
