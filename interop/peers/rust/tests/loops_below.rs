// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

//! A loop above a tower layer that retries: all attempts count.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use error_claim::{ClientOptions, Mode, Reason, RetryOptions, ServerOptions};
use tonic::body::Body;
use tonic::{Code, Status};
use tower_service::Service;

use crate::loops::{Reasons, looping, run};
use crate::testing::*;

/// Makes an attempt, and another one where it failed.
#[derive(Clone)]
struct Twice<S>(S);

impl<S> Service<http::Request<Body>> for Twice<S>
where
    S: Service<http::Request<Body>, Response = http::Response<Body>, Error = Status>,
    S: Clone + Send + 'static,
    S::Future: Send,
{
    type Response = http::Response<Body>;
    type Error = Status;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Status>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Status>> {
        self.0.poll_ready(cx)
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let mut inner = self.0.clone();
        let (parts, _) = request.into_parts();
        let again = http::Request::from_parts(parts.clone(), empty_message());
        let first = self
            .0
            .call(http::Request::from_parts(parts, empty_message()));
        Box::pin(async move {
            let answer = first.await?;
            if !answer.headers().contains_key("grpc-status") {
                return Ok(answer);
            }
            std::future::poll_fn(|cx| inner.poll_ready(cx)).await?;
            inner.call(again).await
        })
    }
}

#[tokio::test]
async fn attempts_below_the_loop_count() {
    let (d, witness) = failing(Code::Unavailable, &[]).await;
    let call = caller(Twice(owned(d, ClientOptions::default())));
    for (max_attempts, mode, last, served) in [
        (2, Mode::Enforce, "multiplied", 2),
        (4, Mode::Enforce, "multiplied", 4),
        (3, Mode::Enforce, "multiplied", 4),
        (2, Mode::Observe, "attempts", 4),
    ] {
        let reasons = Reasons::default();
        let options = RetryOptions {
            max_attempts,
            mode,
            ..reasons.options()
        };
        let before = witness.served();
        assert!(run(&call, options).await.is_err());
        assert_eq!(
            reasons.take().last(),
            Some(&last),
            "{max_attempts} {mode:?}"
        );
        assert_eq!(witness.served() - before, served, "{max_attempts} {mode:?}");
    }
}

#[tokio::test]
async fn and_the_error_has_had_its_retry() {
    let (d, witness) = failing(Code::Unavailable, &[]).await;
    let call = caller(Twice(owned(d, ClientOptions::default())));
    let options = Reasons::default().options();
    let c = looping(call, options, ServerOptions::default()).await;
    let wire = raw(&c, "/C/Call", &[]).await;
    assert_eq!(wire.detail(), detail("D", "Call", 1, 2, Reason::Propagated));
    assert_eq!(witness.values("error-claim-retry"), "1");
}

/// The layer alone, without a loop: calling again is the retry.
#[tokio::test]
async fn a_layer_that_retries_has_retried() {
    let (d, witness) = failing(Code::Unavailable, &[]).await;
    let d = Twice(owned(d, ClientOptions::default()));
    let method = unary(move |_| {
        let d = d.clone();
        async move { call(&d, "/D/Call").await }
    });
    let c = serve(method, Some(ServerOptions::default())).await;
    assert_eq!(raw(&c, "/C/Call", &[]).await.claim(), "unclaimed");
    assert_eq!(witness.served(), 2);
    assert_eq!(witness.values("error-claim-retry"), "1");
}
