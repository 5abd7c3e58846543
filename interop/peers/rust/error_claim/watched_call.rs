// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

//! What a client's layer tells the retry loop that made a call.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::inbound::Inbound;
use crate::rules::Claim;

/// One call of a loop, in the extensions of its request. A tower layer that
/// retries below the loop sends clones of the request, each with this.
#[derive(Clone, Default)]
pub(crate) struct WatchedCall(Arc<Mutex<Seen>>);

#[derive(Default)]
pub(crate) struct Seen {
    /// That passed the client's layer; 0: there is none.
    pub attempts: u32,
    pub path: String,
    /// Of the last attempt that ended, as is `claim`.
    pub code: i32,
    pub claim: Claim,
    pub observe: bool,
    pub inbound: Option<Inbound>,
}

impl WatchedCall {
    pub fn seen(&self) -> MutexGuard<'_, Seen> {
        let seen = self.0.lock();
        seen.unwrap_or_else(PoisonError::into_inner)
    }
}
