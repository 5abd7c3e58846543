// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

//! The server's layer: says of each error whose it is.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http::{HeaderMap, HeaderName};
use http_body::{Body as _, Frame};
use tokio::time::Instant;
use tonic::Status;
use tonic::body::Body;
use tower_layer::Layer;
use tower_service::Service;

use crate::inbound::Inbound;
use crate::metadata::{
    MARK_KEY, code_of, is_retry, remove_claims, remove_copied_stop, timeout_of, write_claim,
    write_stop,
};
use crate::rules::{Claim, OK};

pub type OnSent = Arc<dyn Fn(Claim) + Send + Sync>;

#[derive(Clone, Default)]
pub struct ServerOptions {
    /// To own errors under, if not the method's service.
    pub service: Option<String>,
    /// A second key for the claim.
    pub alias: Option<HeaderName>,
    /// Sends claims, but no pushback.
    pub observe: bool,
    /// Believes and sends nothing of the protocol.
    pub boundary: bool,
    /// Told each claim that is sent.
    pub on_sent: Option<OnSent>,
}

/// For `Server::builder().layer(...)`, or around a single service. A handler
/// gets the [`Inbound`] from [`Inbound::current`] or from the extensions of its
/// request.
#[derive(Clone, Default)]
pub struct ServerLayer(Arc<ServerOptions>);

impl ServerLayer {
    pub fn new(options: ServerOptions) -> ServerLayer {
        ServerLayer(Arc::new(options))
    }
}

impl<S> Layer<S> for ServerLayer {
    type Service = OwnedService<S>;

    fn layer(&self, inner: S) -> OwnedService<S> {
        OwnedService {
            inner,
            options: Arc::clone(&self.0),
        }
    }
}

impl ServerOptions {
    fn arrive<B>(&self, request: &mut http::Request<B>) -> Inbound {
        let headers = request.headers();
        let marked = !self.boundary && is_retry(headers);
        // A timeout beyond what the clock can hold is none.
        let deadline = timeout_of(headers).and_then(|left| Instant::now().checked_add(left));
        let inbound = Inbound::new(request.uri().path(), marked, deadline);
        remove_claims(request.headers_mut(), self.alias.as_ref());
        if self.boundary {
            request.headers_mut().remove(MARK_KEY);
        }
        request.extensions_mut().insert(inbound.clone());
        inbound
    }

    /// The trailing metadata to leave in place of the handler's own.
    fn answer(&self, inbound: &Inbound, trailers: &mut HeaderMap) {
        let copied = remove_claims(trailers, self.alias.as_ref());
        let Some(code) = code_of(trailers).filter(|code| *code != OK) else {
            return;
        };
        if copied {
            remove_copied_stop(trailers);
        }
        if self.boundary {
            return;
        }
        let service = self.service.as_deref();
        let (claim, detail) = inbound.ledger().decide(inbound.path(), code, service);
        write_claim(trailers, self.alias.as_ref(), claim, &detail);
        if claim == Claim::Unclaimed && !self.observe {
            write_stop(trailers);
        }
        if let Some(on_sent) = &self.on_sent {
            on_sent(claim);
        }
    }
}

#[derive(Clone)]
pub struct OwnedService<S> {
    inner: S,
    options: Arc<ServerOptions>,
}

impl<S, B, R> Service<http::Request<B>> for OwnedService<S>
where
    S: Service<http::Request<B>, Response = http::Response<R>> + Clone + Send + 'static,
    S::Future: Send,
    S::Error: Send,
    B: Send + 'static,
    R: http_body::Body<Data = Bytes> + Send + 'static,
    R::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    type Response = http::Response<Body>;
    type Error = S::Error;
    type Future = Serving<S::Error>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, mut request: http::Request<B>) -> Self::Future {
        // The clone that was made ready takes the call.
        let next = self.inner.clone();
        let mut inner = std::mem::replace(&mut self.inner, next);
        let inbound = self.options.arrive(&mut request);
        let handled = inbound.scope(async move {
            let response = inner.call(request).await?;
            Ok(Handled::new(response.map(Body::new)).await)
        });
        Serving {
            answerer: Some(Answerer {
                inbound,
                options: Arc::clone(&self.options),
                answered: false,
            }),
            handled: Box::pin(handled),
        }
    }
}

/// Answers for one inbound. Dropped before that: the caller has given up.
struct Answerer {
    inbound: Inbound,
    options: Arc<ServerOptions>,
    answered: bool,
}

impl Answerer {
    fn answer(&mut self, trailers: &mut HeaderMap) {
        self.options.answer(&self.inbound, trailers);
        self.answered = true;
    }
}

impl Drop for Answerer {
    fn drop(&mut self) {
        if !self.answered {
            self.inbound.cancel();
        }
    }
}

type First = Option<Option<Result<Frame<Bytes>, Status>>>;

/// What a handler answers, and the first frame where it is there at once.
struct Handled {
    response: http::Response<Body>,
    first: First,
}

impl Handled {
    async fn new(mut response: http::Response<Body>) -> Handled {
        let first = poll_fn(|cx| {
            let polled = Pin::new(response.body_mut()).poll_frame(cx);
            Poll::Ready(match polled {
                Poll::Ready(frame) => Some(frame),
                Poll::Pending => None,
            })
        });
        let first = first.await;
        Handled { response, first }
    }

    /// The trailers of an error that comes before all else.
    fn take_error(&mut self) -> Option<HeaderMap> {
        let Some(Some(Ok(frame))) = &self.first else {
            return None;
        };
        let code = frame.trailers_ref().and_then(code_of)?;
        if code == OK {
            return None;
        }
        self.first.take()??.ok()?.into_trailers().ok()
    }

    /// Errors leave as Trailers-Only where nothing was sent before.
    fn settle(mut self, mut answerer: Answerer) -> http::Response<Body> {
        let error = self.take_error();
        let (mut parts, body) = self.response.into_parts();
        let trailers_only = error.is_some() || code_of(&parts.headers).is_some();
        parts.headers.extend(error.unwrap_or_default());
        if trailers_only {
            answerer.answer(&mut parts.headers);
            return http::Response::from_parts(parts, Body::empty());
        }
        remove_claims(&mut parts.headers, answerer.options.alias.as_ref());
        let body = OwnedBody {
            answerer,
            first: self.first,
            body,
        };
        http::Response::from_parts(parts, Body::new(body))
    }
}

type HandledFuture<E> = Pin<Box<dyn Future<Output = Result<Handled, E>> + Send>>;

/// A call that is served. Where it is dropped, the inbound is cancelled before
/// what the handler holds goes.
pub struct Serving<E> {
    answerer: Option<Answerer>,
    handled: HandledFuture<E>,
}

impl<E> Future for Serving<E> {
    type Output = Result<http::Response<Body>, E>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let handled = ready!(self.handled.as_mut().poll(cx));
        let mut answerer = self.answerer.take().expect("polled after its end");
        Poll::Ready(match handled {
            Ok(handled) => Ok(handled.settle(answerer)),
            Err(error) => {
                answerer.answered = true;
                Err(error)
            }
        })
    }
}

/// The handler's messages, and the trailers as they have to be.
struct OwnedBody {
    answerer: Answerer,
    first: First,
    body: Body,
}

impl http_body::Body for OwnedBody {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let this = &mut *self;
        let mut next = match this.first.take() {
            Some(first) => first,
            None => {
                let body = Pin::new(&mut this.body);
                let polled = this.answerer.inbound.sync_scope(|| body.poll_frame(cx));
                ready!(polled)
            }
        };
        match &mut next {
            Some(Ok(frame)) => {
                if let Some(trailers) = frame.trailers_mut() {
                    this.answerer.answer(trailers);
                }
            }
            Some(Err(_)) | None => this.answerer.answered = true,
        }
        Poll::Ready(next)
    }
}
