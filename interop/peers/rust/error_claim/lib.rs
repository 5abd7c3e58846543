// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

//! Error ownership for tonic, as protos/PROTOCOL.md says: [`ServerLayer`] and
//! [`ClientLayer`] around services and channels, and [`RetryLoop`] for the
//! application's own retries. tonic has no retry policy: retries are the
//! application's, or those of a tower layer above `ClientLayer`.
//!
//! `rules`, `loop_rule`, `detail` and `ledger` know no gRPC.

pub mod budget;
pub mod client;
pub mod detail;
pub mod inbound;
pub mod ledger;
mod loop_call;
pub mod loop_rule;
pub mod metadata;
pub mod retry_loop;
pub mod retry_options;
pub mod rules;
pub mod server;
mod watched_call;

pub use budget::Budget;
pub use client::{ClientLayer, ClientOptions, RetryPolicy};
pub use detail::{ErrorClaim, Reason};
pub use inbound::Inbound;
pub use loop_call::Ended;
pub use loop_rule::LoopReason;
pub use metadata::Received;
pub use retry_loop::RetryLoop;
pub use retry_options::{BadOption, Mode, RetryOptions};
pub use rules::Claim;
pub use server::{ServerLayer, ServerOptions};
