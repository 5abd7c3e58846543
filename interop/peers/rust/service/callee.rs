// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

//! A callee, and the loops around it.

use std::sync::Arc;
use std::time::Duration;

use error_claim::{ClientLayer, ClientOptions, Inbound, Mode, RetryLoop, RetryOptions};
use tokio::time::{Instant, sleep};
use tonic::client::Grpc;
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Request, Response, Status};
use tonic_prost::ProstCodec;
use tower_layer::Layer;

use crate::counts::Counts;
use crate::messages::{CallReply, CallRequest};
use crate::options::{CalleeOption, Options, Ownership, RetryBy};

/// With the client's layer or without.
enum Client {
    Owned(Grpc<error_claim::client::OwnedChannel<Channel>>),
    Plain(Grpc<Channel>),
}

enum Retries {
    None,
    Loop(Arc<RetryOptions>),
    Stock { attempts: u32, codes: Vec<Code> },
}

pub struct Callee {
    pub name: String,
    pub fail_open: bool,
    index: usize,
    path: http::uri::PathAndQuery,
    client: Client,
    retries: Retries,
    tied: bool,
    counts: Arc<Counts>,
}

const WAIT_MIN: Duration = Duration::from_millis(1);
const WAIT_MAX: Duration = Duration::from_millis(2);

fn retries(options: &Options, mode: Option<Mode>, counts: &Arc<Counts>) -> Retries {
    if options.retry_by == RetryBy::Grpc || options.attempts == 1 {
        return Retries::None; // options refuse more attempts of gRPC
    }
    let codes = options.retry_codes.clone();
    let Some(mode) = mode else {
        let attempts = options.attempts;
        return Retries::Stock { attempts, codes };
    };
    let counts = Arc::clone(counts);
    Retries::Loop(Arc::new(RetryOptions {
        max_attempts: options.attempts,
        codes: codes
            .into_iter()
            .filter(|c| *c != Code::Cancelled)
            .collect(),
        // 1 to 2 ms with the random factor
        initial_backoff: Duration::from_micros(1500),
        max_backoff: WAIT_MAX,
        backoff_multiplier: 1.0,
        mode,
        on_reason: Some(Arc::new(move |reason| counts.stopped(reason))),
        ..RetryOptions::default()
    }))
}

fn mode_of(ownership: Ownership) -> Option<Mode> {
    match ownership {
        Ownership::Stock => None,
        Ownership::Off => Some(Mode::Off),
        Ownership::Observe => Some(Mode::Observe),
        Ownership::Enforce => Some(Mode::Enforce),
    }
}

impl Callee {
    /// The `index`-th of the options. Connects when it is first called.
    pub fn new(
        options: &Options,
        index: usize,
        callee: &CalleeOption,
        counts: &Arc<Counts>,
    ) -> Result<Callee, String> {
        let named = |what: &str| format!("--callee {}: {what}", callee.name);
        let endpoint = Endpoint::from_shared(format!("http://{}", callee.target));
        let endpoint = endpoint.map_err(|error| named(&error.to_string()))?;
        let channel = endpoint.connect_timeout(Duration::from_secs(5));
        let channel = channel.connect_lazy();
        let mode = mode_of(options.ownership);
        let client = match mode.filter(|mode| *mode != Mode::Off) {
            None => Client::Plain(Grpc::new(channel)),
            Some(mode) => {
                let layer = ClientLayer::new(ClientOptions {
                    fail_open: callee.fail_open,
                    observe: mode == Mode::Observe,
                    ..ClientOptions::default()
                });
                Client::Owned(Grpc::new(layer.layer(channel)))
            }
        };
        let path = format!("/{}/Call", callee.name).parse();
        Ok(Callee {
            name: callee.name.clone(),
            fail_open: callee.fail_open,
            index,
            path: path.map_err(|_| named("its name is no path"))?,
            client,
            retries: retries(options, mode, counts),
            tied: options.tied,
            counts: Arc::clone(counts),
        })
    }

    /// One call, counted.
    async fn attempt(&self, request: Request<CallRequest>) -> Result<Response<CallReply>, Status> {
        let counts = &self.counts.callees[self.index];
        self.counts.made.add();
        counts.calls.add();
        let path = self.path.clone();
        let codec = ProstCodec::default();
        let result = match &self.client {
            Client::Owned(grpc) => {
                let mut grpc = grpc.clone();
                grpc.ready().await?;
                grpc.unary(request, path, codec).await
            }
            Client::Plain(grpc) => {
                let mut grpc = grpc.clone();
                let ready = grpc.ready().await;
                ready.map_err(|error| Status::from_error(Box::new(error)))?;
                grpc.unary(request, path, codec).await
            }
        };
        if let Err(status) = &result {
            counts.failed(status.metadata());
        }
        result
    }

    async fn call_in_loops(
        &self,
        message: &CallRequest,
        deadline: Option<Instant>,
    ) -> Result<Response<CallReply>, Status> {
        let request = || {
            let mut request = Request::new(message.clone());
            if let Some(deadline) = deadline {
                request.set_timeout(deadline.saturating_duration_since(Instant::now()));
            }
            request
        };
        match &self.retries {
            Retries::None => self.attempt(request()).await,
            Retries::Loop(options) => self.call_in_loop(options, request).await,
            Retries::Stock { attempts, codes } => {
                self.call_in_stock_loop(*attempts, codes, request).await
            }
        }
    }

    async fn call_in_loop(
        &self,
        options: &Arc<RetryOptions>,
        make: impl Fn() -> Request<CallRequest>,
    ) -> Result<Response<CallReply>, Status> {
        let retry = RetryLoop::shared(Arc::clone(options));
        let mut retry = retry.map_err(|bad| Status::internal(bad.to_string()))?;
        loop {
            let mut request = make();
            retry.prepare(&mut request);
            let result = self.attempt(request).await;
            if !retry.again(&result).await {
                return result;
            }
        }
    }

    /// As people write them.
    async fn call_in_stock_loop(
        &self,
        attempts: u32,
        codes: &[Code],
        make: impl Fn() -> Request<CallRequest>,
    ) -> Result<Response<CallReply>, Status> {
        let mut left = attempts;
        loop {
            let result = self.attempt(make()).await;
            left -= 1;
            match &result {
                Err(status) if left > 0 && codes.contains(&status.code()) => sleep(WAIT_MIN).await,
                _ => return result,
            }
        }
    }

    pub async fn call(
        &self,
        message: &CallRequest,
        deadline: Option<Instant>,
    ) -> Result<Response<CallReply>, Status> {
        let call = self.call_in_loops(message, deadline);
        if self.tied {
            call.await
        } else {
            Inbound::untied(call).await
        }
    }
}
