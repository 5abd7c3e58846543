// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

//! An inbound call: the context that ties outbound calls to it.

use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;
use tokio::time::Instant;

use crate::ledger::Ledger;
use crate::rules::Claim;

tokio::task_local! {
    static CURRENT: Option<Inbound>;
}

/// A handle of one inbound call. Calls made by the task that serves it are tied
/// to it. A task that the handler spawns is not: run its future in
/// [`Inbound::scope`], or give a request the handle with [`Inbound::tie`].
#[derive(Clone)]
pub struct Inbound(Arc<State>);

struct State {
    path: String,
    marked: bool,
    deadline: Option<Instant>,
    cancelled: watch::Sender<bool>,
    ledger: Mutex<Ledger>,
}

impl Inbound {
    /// `marked`: the call is itself a retry. [`crate::ServerLayer`] makes one
    /// for each call; elsewhere it is of use in tests, and for work that comes
    /// by other ways than gRPC.
    pub fn new(path: &str, marked: bool, deadline: Option<Instant>) -> Inbound {
        Inbound(Arc::new(State {
            path: path.to_owned(),
            marked,
            deadline,
            cancelled: watch::Sender::new(false),
            ledger: Mutex::default(),
        }))
    }

    /// The call that the current task serves.
    pub fn current() -> Option<Inbound> {
        CURRENT.try_with(Clone::clone).ok().flatten()
    }

    /// Runs a future as a part of this call, in any task.
    pub fn scope<F: Future>(&self, future: F) -> impl Future<Output = F::Output> + use<F> {
        CURRENT.scope(Some(self.clone()), future)
    }

    /// Runs a closure as a part of this call.
    pub fn sync_scope<R>(&self, run: impl FnOnce() -> R) -> R {
        CURRENT.sync_scope(Some(self.clone()), run)
    }

    /// Runs a future whose calls are tied to no inbound.
    pub fn untied<F: Future>(future: F) -> impl Future<Output = F::Output> + use<F> {
        CURRENT.scope(None, future)
    }

    /// Ties an outbound request to this call.
    pub fn tie<T>(&self, request: &mut tonic::Request<T>) {
        request.extensions_mut().insert(self.clone());
    }

    /// Sets the claim of the error that the call may end with.
    pub fn choose_claim(&self, claim: Claim) {
        self.ledger().choose(claim);
    }

    /// Says that the failures so far have had their retry.
    pub fn set_retried(&self) {
        self.ledger().set_retried();
    }

    pub fn path(&self) -> &str {
        &self.0.path
    }

    pub fn is_marked(&self) -> bool {
        self.0.marked
    }

    pub fn deadline(&self) -> Option<Instant> {
        self.0.deadline
    }

    pub fn is_cancelled(&self) -> bool {
        *self.0.cancelled.borrow()
    }

    /// Returns once the caller has given up; never, where it does not.
    pub async fn cancelled(&self) {
        // The sender lives as long as this handle: there is no other end.
        let _ = self.0.cancelled.subscribe().wait_for(|now| *now).await;
    }

    pub(crate) fn cancel(&self) {
        self.0.cancelled.send_replace(true);
    }

    pub(crate) fn ledger(&self) -> MutexGuard<'_, Ledger> {
        let ledger = self.0.ledger.lock();
        ledger.unwrap_or_else(PoisonError::into_inner)
    }
}
