// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

//! One node of a call graph: the methods, and the calls made for them.

use std::convert::Infallible;
use std::future::{Future, Ready, ready};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use error_claim::metadata::timeout_of;
use tokio::time::Instant;
use tonic::body::Body;
use tonic::server::Grpc;
use tonic::{Request, Response, Status};
use tonic_prost::ProstCodec;
use tower_service::Service;

use crate::callee::Callee;
use crate::counts::Counts;
use crate::dice::Dice;
use crate::messages::{CallReply, CallRequest, StatsReply, StatsRequest};
use crate::options::Options;

pub struct Node {
    pub counts: Arc<Counts>,
    dice: Dice,
    callees: Vec<Callee>,
    options: Options,
}

impl Node {
    pub fn new(options: Options) -> Result<Node, String> {
        let names = options.callees.iter().map(|callee| callee.name.as_str());
        let counts = Arc::new(Counts::new(&options.name, names));
        let callees = options.callees.iter().enumerate();
        let callees = callees
            .map(|(index, callee)| Callee::new(&options, index, callee, &counts))
            .collect::<Result<_, _>>()?;
        Ok(Node {
            dice: Dice::new(
                &options.name,
                options.seed,
                options.fail_rate,
                options.healthy_first,
            ),
            counts,
            callees,
            options,
        })
    }

    async fn call(&self, request: Request<CallRequest>) -> Result<Response<CallReply>, Status> {
        self.counts.served.add();
        let answer = self.answer(request).await;
        if answer.is_err() {
            self.counts.errors.add();
        }
        answer.map(|nodes_below| {
            Response::new(CallReply {
                node: self.options.name.clone(),
                nodes_below,
            })
        })
    }

    async fn answer(&self, request: Request<CallRequest>) -> Result<u32, Status> {
        let fails = self.dice.throw();
        // A refusal is no failure of its own.
        let wanted = self.wanted(&request)?;
        let answer = self.call_callees(&wanted, &request, fails).await;
        if fails {
            self.counts.own_failures.add();
            let message = format!("{} fails by itself", self.options.name);
            return Err(Status::new(self.options.fail_status, message));
        }
        answer
    }

    /// Which callees to call: all, or the one that the request names.
    fn wanted(&self, request: &Request<CallRequest>) -> Result<Vec<&Callee>, Status> {
        let Some(name) = request.metadata().get("eown-node-callee") else {
            return Ok(self.callees.iter().collect());
        };
        let named = self.callees.iter().filter(|c| name == c.name.as_str());
        let named: Vec<&Callee> = named.collect();
        if named.is_empty() {
            return Err(Status::invalid_argument(format!(
                "eown-node-callee: '{}': expected the name of a callee of {}",
                String::from_utf8_lossy(name.as_bytes()),
                self.options.name
            )));
        }
        Ok(named)
    }

    /// Calls them in order, no further than one that fails the call.
    async fn call_callees(
        &self,
        wanted: &[&Callee],
        request: &Request<CallRequest>,
        fails: bool,
    ) -> Result<u32, Status> {
        let left = timeout_of(request.metadata().as_ref());
        let deadline = left.and_then(|left| Instant::now().checked_add(left));
        let mut answer = Ok(0);
        for callee in wanted {
            if answer.is_err() && !fails {
                break;
            }
            match (callee.call(request.get_ref(), deadline).await, &mut answer) {
                (Ok(reply), Ok(below)) => *below += 1 + reply.get_ref().nodes_below,
                (Err(status), Ok(_)) if !callee.fail_open => {
                    answer = Err(Status::new(status.code(), status.message()));
                }
                _ => {}
            }
        }
        answer
    }

    fn stats(&self, request: &StatsRequest) -> StatsReply {
        StatsReply {
            json: self.counts.json("stats", request.reset),
        }
    }
}

type Answer<T> = Pin<Box<dyn Future<Output = Result<Response<T>, Status>> + Send>>;

struct CallMethod(Arc<Node>);

impl Service<Request<CallRequest>> for CallMethod {
    type Response = Response<CallReply>;
    type Error = Status;
    type Future = Answer<CallReply>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Status>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<CallRequest>) -> Self::Future {
        let node = Arc::clone(&self.0);
        Box::pin(async move { node.call(request).await })
    }
}

struct StatsMethod(Arc<Node>);

impl Service<Request<StatsRequest>> for StatsMethod {
    type Response = Response<StatsReply>;
    type Error = Status;
    type Future = Ready<Result<Response<StatsReply>, Status>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Status>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<StatsRequest>) -> Self::Future {
        ready(Ok(Response::new(self.0.stats(request.get_ref()))))
    }
}

/// The methods by their paths, which are only known at run time.
#[derive(Clone)]
pub struct Methods(Arc<Node>);

impl Methods {
    pub fn new(node: Arc<Node>) -> Methods {
        Methods(node)
    }

    async fn serve(node: Arc<Node>, request: http::Request<Body>) -> http::Response<Body> {
        let own = format!("/{}/Call", node.options.name);
        match request.uri().path() {
            "/eown.interop.v1.Node/Stats" => {
                let mut grpc = Grpc::new(ProstCodec::default());
                grpc.unary(StatsMethod(node), request).await
            }
            path if path == own || path == "/eown.interop.v1.Node/Call" => {
                let mut grpc = Grpc::new(ProstCodec::default());
                grpc.unary(CallMethod(node), request).await
            }
            path => Status::unimplemented(format!("no method {path}")).into_http(),
        }
    }
}

impl Service<http::Request<Body>> for Methods {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<http::Response<Body>, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let node = Arc::clone(&self.0);
        Box::pin(async move { Ok(Methods::serve(node, request).await) })
    }
}
