// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

//! One call of a retry loop: on its way, and as it ended.

use http::HeaderMap;
use tonic::Status;

use crate::inbound::Inbound;
use crate::ledger::Outbound;
use crate::loop_rule::Pushback;
use crate::metadata::{Received, pushback_of};
use crate::retry_options::{Mode, RetryOptions};
use crate::rules::{CANCELLED, Claim, OK};
use crate::watched_call::{Seen, WatchedCall};

/// How a call ended: made from its `Status`, or from its `Result`.
pub struct Ended<'a>(Option<&'a Status>);

impl<'a> From<&'a Status> for Ended<'a> {
    fn from(status: &'a Status) -> Self {
        Ended(Some(status))
    }
}

impl<'a, T> From<&'a Result<T, Status>> for Ended<'a> {
    fn from(result: &'a Result<T, Status>) -> Self {
        Ended(result.as_ref().err())
    }
}

impl Ended<'_> {
    fn code(&self) -> i32 {
        self.0.map_or(OK, |status| status.code() as i32)
    }

    fn trailers(&self) -> Option<&HeaderMap> {
        self.0.map(|status| status.metadata().as_ref())
    }
}

/// A call on its way.
#[derive(Default)]
pub(crate) struct Prepared {
    pub watched: WatchedCall,
    /// What the ledger said at its start.
    pub started: u64,
}

/// A call that ended, once it is clear whose word counts: that of a client's
/// layer, where one saw it.
pub(crate) struct Settled {
    pub code: i32,
    pub path: String,
    pub claim: Claim,
    pub mode: Mode,
    pub inbound: Option<Inbound>,
    pub attempts: u32,
    pub pushback: Pushback,
}

impl Prepared {
    pub fn settle(
        &self,
        ended: &Ended<'_>,
        options: &RetryOptions,
        inbound: Option<&Inbound>,
    ) -> Settled {
        let trailers = ended.trailers();
        let call = Settled {
            code: ended.code(),
            path: options.path.clone(),
            claim: Claim::Missing,
            mode: options.mode,
            inbound: inbound.cloned(),
            attempts: 1,
            pushback: trailers.map_or(Pushback::None, pushback_of),
        };
        let seen = self.watched.seen();
        if seen.attempts == 0 {
            return call.record(trailers, options, self.started);
        }
        call.with(&seen)
    }
}

impl Settled {
    fn with(self, seen: &Seen) -> Settled {
        Settled {
            // The layer tells a timeout from other cancellations.
            code: match self.code {
                CANCELLED if seen.code != OK => seen.code,
                code => code,
            },
            path: seen.path.clone(),
            claim: seen.claim,
            mode: match seen.observe {
                true => self.mode.min(Mode::Observe),
                false => self.mode,
            },
            inbound: seen.inbound.clone().or(self.inbound),
            attempts: seen.attempts,
            pushback: self.pushback,
        }
    }

    /// No layer saw the call: what it would have done.
    fn record(
        mut self,
        trailers: Option<&HeaderMap>,
        options: &RetryOptions,
        started: u64,
    ) -> Settled {
        if self.mode == Mode::Off {
            return self;
        }
        let trailers = trailers.filter(|_| !options.boundary);
        let read = |trailers| Received::read(trailers, options.alias.as_ref());
        let received = trailers.map_or_else(Received::default, read);
        self.claim = received.claim;
        if let Some(inbound) = &self.inbound {
            inbound.ledger().record(Outbound {
                path: self.path.clone(),
                started,
                code: self.code,
                claim: received.claim,
                detail: received.detail,
                attempts: 1,
                ..Outbound::default()
            });
        }
        self
    }
}
