// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

//! All tests of the Rust peer. tonic has no retry policy, so what needs one is
//! left out, or done with a tower layer that retries.

#![allow(clippy::type_complexity)] // of tables

mod correlation;
mod forms;
mod forwarded;
mod loops;
mod loops_below;
mod node_options;
mod node_process;
mod protos;
mod testing;
mod vectors;
mod wire;

// Of the node, which is a program.
#[path = "../service/dice.rs"]
mod dice;
#[path = "../service/messages.rs"]
mod messages;
#[path = "../service/options.rs"]
mod options;
