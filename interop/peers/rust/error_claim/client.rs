// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

//! The client's layer: notes for each inbound call how the calls made for it
//! ended, and marks retries.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http::{HeaderMap, HeaderName, StatusCode};
use http_body::{Body as _, Frame};
use tonic::body::Body;
use tonic::{Code, Status, TimeoutExpired};
use tower_layer::Layer;
use tower_service::Service;

use crate::inbound::Inbound;
use crate::ledger::Outbound;
use crate::metadata::{Received, code_of, remove_claims, write_mark};
use crate::rules::{CANCELLED, OK};
use crate::watched_call::WatchedCall;

type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// What a tower layer above this one retries.
#[derive(Clone, Debug, Default)]
pub struct RetryPolicy {
    pub max_attempts: u32,
    pub codes: Vec<Code>,
}

impl RetryPolicy {
    fn covers(&self, code: i32) -> bool {
        self.max_attempts > 1 && self.codes.iter().any(|listed| *listed as i32 == code)
    }
}

#[derive(Clone, Default)]
pub struct ClientOptions {
    /// tonic has none; to be told where a tower layer above this one retries.
    pub retry: Option<RetryPolicy>,
    /// The service carries on without this callee.
    pub fail_open: bool,
    /// A second key for the claim.
    pub alias: Option<HeaderName>,
    /// Retry loops above only count what they would stop.
    pub observe: bool,
    /// Believes and sends nothing of the protocol.
    pub boundary: bool,
}

/// To put around a channel. A call is tied to the inbound whose handle is in
/// the extensions of its request, else to the one that the task serves.
#[derive(Clone, Default)]
pub struct ClientLayer(Arc<ClientOptions>);

impl ClientLayer {
    pub fn new(options: ClientOptions) -> ClientLayer {
        ClientLayer(Arc::new(options))
    }
}

impl<S> Layer<S> for ClientLayer {
    type Service = OwnedChannel<S>;

    fn layer(&self, inner: S) -> OwnedChannel<S> {
        OwnedChannel {
            inner,
            options: Arc::clone(&self.0),
        }
    }
}

#[derive(Clone)]
pub struct OwnedChannel<S> {
    inner: S,
    options: Arc<ClientOptions>,
}

impl<S, B, R> Service<http::Request<B>> for OwnedChannel<S>
where
    S: Service<http::Request<B>, Response = http::Response<R>>,
    S::Error: Into<BoxError>,
    S::Future: Send + 'static,
    R: http_body::Body<Data = Bytes> + Send + 'static,
    R::Error: Into<BoxError>,
{
    type Response = http::Response<Body>;
    type Error = Status;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Status>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Status>> {
        let polled = self.inner.poll_ready(cx);
        polled.map_err(|error| Status::from_error(error.into()))
    }

    fn call(&mut self, mut request: http::Request<B>) -> Self::Future {
        let mut call = Call::start(&self.options, &mut request);
        let answer = self.inner.call(request);
        Box::pin(async move {
            match answer.await {
                Ok(response) => Ok(call.watch(response.map(Body::new))),
                Err(error) => {
                    let error = error.into();
                    let timed_out = is_timeout(&*error);
                    let status = Status::from_error(error);
                    let code = match timed_out {
                        true => Code::DeadlineExceeded,
                        false => status.code(),
                    };
                    call.end(code as i32, status.metadata().as_ref());
                    Err(status)
                }
            }
        })
    }
}

/// tonic says CANCELLED where a timeout passes at the client.
fn is_timeout(error: &(dyn std::error::Error + 'static)) -> bool {
    let chain = std::iter::successors(Some(error), |error| error.source());
    chain.into_iter().any(|error| error.is::<TimeoutExpired>())
}

/// An attempt in progress. Dropped before its end: the application gave up.
struct Call {
    options: Arc<ClientOptions>,
    inbound: Option<Inbound>,
    watched: Option<WatchedCall>,
    path: String,
    started: u64,
    ended: bool,
}

impl Call {
    fn start<B>(options: &Arc<ClientOptions>, request: &mut http::Request<B>) -> Call {
        let tied = request.extensions().get::<Inbound>().cloned();
        let mut call = Call {
            options: Arc::clone(options),
            inbound: tied.or_else(Inbound::current),
            watched: request.extensions().get::<WatchedCall>().cloned(),
            path: request.uri().path().to_owned(),
            started: 0,
            ended: false,
        };
        let again = call.tie();
        write_mark(request.headers_mut(), again, options.boundary);
        if options.boundary {
            remove_claims(request.headers_mut(), options.alias.as_ref());
        }
        call
    }

    /// Says whether the attempt is a retry, or made for one.
    fn tie(&mut self) -> bool {
        if let Some(watched) = &self.watched {
            let mut seen = watched.seen();
            seen.attempts += 1;
            seen.path.clone_from(&self.path);
            seen.observe = self.options.observe;
            seen.inbound.clone_from(&self.inbound);
        }
        let Some(inbound) = &self.inbound else {
            return false;
        };
        let (started, failed) = inbound.ledger().start(&self.path);
        self.started = started;
        failed || inbound.is_marked()
    }

    fn end(&mut self, code: i32, trailers: &HeaderMap) {
        if std::mem::replace(&mut self.ended, true) {
            return;
        }
        let options = &self.options;
        let received = if code == OK || options.boundary {
            Received::default()
        } else {
            Received::read(trailers, options.alias.as_ref())
        };
        if let Some(watched) = &self.watched {
            let mut seen = watched.seen();
            (seen.code, seen.claim) = (code, received.claim);
        }
        if let Some(inbound) = &self.inbound {
            inbound.ledger().record(Outbound {
                path: std::mem::take(&mut self.path),
                started: self.started,
                code,
                claim: received.claim,
                detail: received.detail,
                covered: options.retry.as_ref().is_some_and(|r| r.covers(code)),
                attempts: 1,
                fail_open: options.fail_open,
            });
        }
    }

    /// The status may be in the headers (Trailers-Only), else it comes last.
    fn watch(mut self, response: http::Response<Body>) -> http::Response<Body> {
        if let Some(code) = code_of(response.headers()) {
            self.end(code, response.headers());
            return response;
        }
        let code = code_without_status(response.status()) as i32;
        if response.body().is_end_stream() {
            self.end(code, &HeaderMap::new());
            return response;
        }
        response.map(|body| {
            Body::new(WatchedBody {
                call: self,
                code,
                body,
            })
        })
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        self.end(CANCELLED, &HeaderMap::new());
    }
}

/// The code for an answer that has none, as gRPC says.
fn code_without_status(http_status: StatusCode) -> Code {
    match http_status.as_u16() {
        400 => Code::Internal,
        401 => Code::Unauthenticated,
        403 => Code::PermissionDenied,
        404 => Code::Unimplemented,
        429 | 502 | 503 | 504 => Code::Unavailable,
        _ => Code::Unknown,
    }
}

struct WatchedBody {
    call: Call,
    /// Where the trailers have none.
    code: i32,
    body: Body,
}

impl http_body::Body for WatchedBody {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let this = &mut *self;
        let next = ready!(Pin::new(&mut this.body).poll_frame(cx));
        match &next {
            Some(Ok(frame)) => {
                if let Some(trailers) = frame.trailers_ref() {
                    this.call
                        .end(code_of(trailers).unwrap_or(this.code), trailers);
                }
            }
            Some(Err(status)) => this
                .call
                .end(status.code() as i32, status.metadata().as_ref()),
            None => this.call.end(this.code, &HeaderMap::new()),
        }
        Poll::Ready(next)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> http_body::SizeHint {
        self.body.size_hint()
    }
}
