// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

//! The application's retry loop, by itself and within a server.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use error_claim::{
    Budget, ClientOptions, Inbound, LoopReason, Mode, Reason, RetryLoop, RetryOptions,
    ServerOptions,
};
use tokio::sync::mpsc;
use tonic::transport::Channel;
use tonic::{Code, Request, Status};

use crate::messages::{CallReply, CallRequest};
use crate::testing::*;

const HOUR: Duration = Duration::from_secs(3600);

/// The reasons that loops gave, in their order.
#[derive(Clone, Default)]
pub struct Reasons(Arc<Mutex<Vec<&'static str>>>);

impl Reasons {
    /// A loop of two calls that waits hardly at all and tells its reasons.
    pub fn options(&self) -> RetryOptions {
        let reasons = Arc::clone(&self.0);
        RetryOptions {
            max_attempts: 2,
            initial_backoff: Duration::from_micros(100),
            on_reason: Some(Arc::new(move |reason| {
                reasons.lock().unwrap().push(reason.word());
            })),
            path: "/D/Call".to_owned(),
            ..RetryOptions::default()
        }
    }

    pub fn take(&self) -> Vec<&'static str> {
        std::mem::take(&mut *self.0.lock().unwrap())
    }
}

pub async fn run(call: &Caller, options: RetryOptions) -> Result<CallReply, Status> {
    let mut retry = RetryLoop::new(options).unwrap();
    loop {
        let mut request = request_with(&[]);
        retry.prepare(&mut request);
        let result = call(request).await;
        if !retry.again(&result).await {
            return result;
        }
    }
}

/// A server whose handler runs such a loop and passes its end on.
pub async fn looping(call: Caller, options: RetryOptions, server: ServerOptions) -> Channel {
    let method = unary(move |_| {
        let (call, options) = (Arc::clone(&call), options.clone());
        async move { run(&call, options).await }
    });
    serve(method, Some(server)).await
}

/// With the client's layer, and without.
fn both(d: &Channel) -> [Caller; 2] {
    let layer = owned(d.clone(), ClientOptions::default());
    [caller(layer), caller(d.clone())]
}

#[tokio::test]
async fn it_calls_until_its_maximum() {
    let (d, witness) = failing(Code::Unavailable, &[]).await;
    for call in both(&d) {
        let reasons = Reasons::default();
        let options = RetryOptions {
            max_attempts: 3,
            ..reasons.options()
        };
        let before = witness.served();
        assert!(run(&call, options).await.is_err());
        assert_eq!(witness.served() - before, 3);
        assert_eq!(reasons.take(), ["retry", "retry", "attempts"]);
    }
}

#[tokio::test]
async fn retries_are_marked_and_first_calls_are_not() {
    let (d, witness) = failing(Code::Unavailable, &[]).await;
    for call in both(&d) {
        for (max_attempts, mode, mark) in [
            (1, Mode::Enforce, ""),
            (2, Mode::Enforce, "1"),
            (3, Mode::Observe, "1"),
            (2, Mode::Off, ""),
        ] {
            let options = RetryOptions {
                max_attempts,
                mode,
                ..Reasons::default().options()
            };
            let _ = run(&call, options).await;
            assert_eq!(witness.values("error-claim-retry"), mark, "{max_attempts}");
        }
    }
}

#[tokio::test]
async fn it_ends_well() {
    let (d, witness) = callee(|n| match n {
        0 => Err(error(Code::Unavailable, &[("error-claim", "claimed")])),
        _ => fine(),
    })
    .await;
    let reasons = Reasons::default();
    let [call, _] = both(&d);
    assert!(run(&call, reasons.options()).await.is_ok());
    assert_eq!(witness.served(), 2);
    assert_eq!(reasons.take(), ["retry", "ok"]);
}

/// One call, and then the reason says no.
#[tokio::test]
async fn what_ends_it_at_once() {
    const PUSHBACK: &str = "grpc-retry-pushback-ms";
    let rows: [(Code, &[(&str, &str)], &str); 7] = [
        (Code::NotFound, &[], "status"),
        (Code::NotFound, &[("error-claim", "unclaimed")], "status"),
        (Code::Cancelled, &[], "cancelled"),
        (
            Code::Unavailable,
            &[("error-claim", "unclaimed")],
            "unclaimed",
        ),
        (Code::Unavailable, &[(PUSHBACK, "-1")], "pushback"),
        (Code::Unavailable, &[(PUSHBACK, "soon")], "pushback"),
        (
            Code::Unavailable,
            &[("error-claim", "unclaimed"), (PUSHBACK, "-1")],
            "unclaimed",
        ),
    ];
    for (code, trailers, reason) in rows {
        let (d, witness) = failing(code, trailers).await;
        for call in both(&d) {
            let reasons = Reasons::default();
            let before = witness.served();
            assert!(run(&call, reasons.options()).await.is_err());
            assert_eq!(reasons.take(), [reason], "{trailers:?}");
            assert_eq!(witness.served() - before, 1, "{trailers:?}");
        }
    }
}

#[tokio::test]
async fn codes_are_those_of_the_options() {
    let (d, witness) = failing(Code::Aborted, &[]).await;
    let options = RetryOptions {
        codes: vec![Code::Internal, Code::Aborted],
        ..Reasons::default().options()
    };
    let [call, _] = both(&d);
    assert!(run(&call, options).await.is_err());
    assert_eq!(witness.served(), 2);
}

/// A pushback stands in the place of a backoff of an hour.
#[tokio::test]
async fn it_waits_as_the_pushback_says() {
    for pushback in ["0", "5"] {
        let trailers = [("grpc-retry-pushback-ms", pushback)];
        let (d, witness) = failing(Code::Unavailable, &trailers).await;
        for call in both(&d) {
            let options = RetryOptions {
                initial_backoff: HOUR,
                max_backoff: HOUR,
                deadline: Some(HOUR / 2),
                ..Reasons::default().options()
            };
            let before = witness.served();
            assert!(run(&call, options).await.is_err());
            assert_eq!(witness.served() - before, 2, "{pushback}");
        }
    }
}

/// A third wait would go beyond the deadline, were it not the first again.
#[tokio::test]
async fn a_pushback_starts_the_backoff_anew() {
    let (d, _) = callee(|n| {
        let pushback = [("grpc-retry-pushback-ms", "0")];
        let trailers = if n == 1 { &pushback[..] } else { &[] };
        Err(error(Code::Unavailable, trailers))
    })
    .await;
    let reasons = Reasons::default();
    let options = RetryOptions {
        max_attempts: 4,
        backoff_multiplier: 1000.0,
        max_backoff: HOUR,
        initial_backoff: Duration::from_millis(1),
        deadline: Some(HOUR / 10),
        ..reasons.options()
    };
    let [call, _] = both(&d);
    assert!(run(&call, options).await.is_err());
    assert_eq!(reasons.take(), ["retry", "retry", "retry", "attempts"]);
}

fn slow(reasons: &Reasons) -> RetryOptions {
    RetryOptions {
        initial_backoff: HOUR,
        max_backoff: HOUR,
        ..reasons.options()
    }
}

#[tokio::test]
async fn it_does_not_wait_beyond_its_deadline() {
    let reasons = Reasons::default();
    let options = RetryOptions {
        deadline: Some(HOUR / 2),
        ..slow(&reasons)
    };
    let (d, witness) = failing(Code::Unavailable, &[]).await;
    for call in both(&d) {
        assert!(run(&call, options.clone()).await.is_err());
        assert_eq!(reasons.take(), ["deadline"]);
        assert_ne!(witness.values("grpc-timeout"), "");
    }
}

#[tokio::test]
async fn a_timeout_of_the_request_stays() {
    let options = RetryOptions {
        deadline: Some(HOUR),
        ..RetryOptions::default()
    };
    let mut retry = RetryLoop::new(options).unwrap();
    let mut request = request_with(&[("grpc-timeout", "7S")]);
    retry.prepare(&mut request);
    assert_eq!(request.metadata().get("grpc-timeout").unwrap(), "7S");
}

/// Nor beyond that of the inbound: which then has had its retry.
#[tokio::test]
async fn it_does_not_wait_beyond_the_inbounds_deadline() {
    let (d, _) = failing(Code::Unavailable, &[]).await;
    for call in both(&d) {
        let reasons = Reasons::default();
        let c = looping(call, slow(&reasons), ServerOptions::default()).await;
        let wire = raw(&c, "/C/Call", &[("grpc-timeout", "60S")]).await;
        assert_eq!(reasons.take(), ["deadline"]);
        assert_eq!(wire.claim(), "unclaimed");
        assert_eq!(wire.detail(), detail("D", "Call", 1, 1, Reason::Propagated));
    }
}

/// Its end is told to the inbound: for rule 2, and the detail.
#[tokio::test]
async fn where_it_was_held_back_the_error_has_had_its_retry() {
    const PUSHBACK: &str = "grpc-retry-pushback-ms";
    let rows: [(Code, &[(&str, &str)], u32, &str, Reason, u32); 5] = [
        (Code::Unavailable, &[], 3, "attempts", Reason::Propagated, 3),
        (
            Code::Unavailable,
            &[],
            1,
            "attempts",
            Reason::AtLeastOnce,
            1,
        ),
        (
            Code::Unavailable,
            &[(PUSHBACK, "-1")],
            2,
            "pushback",
            Reason::Propagated,
            1,
        ),
        (
            Code::Unavailable,
            &[("error-claim", "unclaimed")],
            1,
            "attempts",
            Reason::Propagated,
            1,
        ),
        (Code::Internal, &[], 2, "status", Reason::AtLeastOnce, 1),
    ];
    for (code, trailers, max_attempts, last, reason, attempts) in rows {
        let (d, _) = failing(code, trailers).await;
        for call in both(&d) {
            let reasons = Reasons::default();
            let options = RetryOptions {
                max_attempts,
                ..reasons.options()
            };
            let c = looping(call, options, ServerOptions::default()).await;
            let wire = raw(&c, "/C/Call", &[]).await;
            assert_eq!(reasons.take().last(), Some(&last), "{trailers:?}");
            let got = wire.detail();
            assert_eq!((got.reason(), got.attempts), (reason, attempts), "{last}");
        }
    }
}

#[tokio::test]
async fn without_ownership_it_tells_nothing() {
    let (d, witness) = failing(Code::Unavailable, &[("error-claim", "unclaimed")]).await;
    let reasons = Reasons::default();
    let options = RetryOptions {
        mode: Mode::Off,
        ..reasons.options()
    };
    let c = looping(caller(d), options, ServerOptions::default()).await;
    assert_eq!(raw(&c, "/C/Call", &[]).await.reason(), Reason::Own);
    assert_eq!(reasons.take(), ["retry", "attempts"]);
    assert_eq!(witness.served(), 2);
}

/// Nor where the client's layer recorded its call.
#[tokio::test]
async fn without_ownership_it_satisfies_nothing() {
    let (d, _) = failing(Code::Unavailable, &[("grpc-retry-pushback-ms", "-1")]).await;
    let [call, _] = both(&d);
    for (mode, reason) in [
        (Mode::Off, Reason::AtLeastOnce),
        (Mode::Enforce, Reason::Propagated),
    ] {
        let options = RetryOptions {
            mode,
            ..Reasons::default().options()
        };
        let c = looping(Arc::clone(&call), options, ServerOptions::default()).await;
        assert_eq!(raw(&c, "/C/Call", &[]).await.reason(), reason, "{mode:?}");
    }
}

/// It counts what it would stop. The layer's word goes before the loop's.
#[tokio::test]
async fn observe_stops_nothing() {
    let (d, witness) = failing(Code::Unavailable, &[("error-claim", "unclaimed")]).await;
    let observing = ClientOptions {
        observe: true,
        ..ClientOptions::default()
    };
    let layer = caller(owned(d.clone(), observing));
    for (call, mode) in [(layer, Mode::Enforce), (caller(d), Mode::Observe)] {
        let reasons = Reasons::default();
        let options = RetryOptions {
            mode,
            ..reasons.options()
        };
        let before = witness.served();
        assert!(run(&call, options).await.is_err());
        assert_eq!(witness.served() - before, 2);
        assert_eq!(reasons.take(), ["unclaimed", "attempts"]);
    }
}

#[tokio::test]
async fn chain_stop() {
    let (d, witness) = failing(Code::Unavailable, &[]).await;
    for call in both(&d) {
        for (sent, reason, calls) in [
            (&[("error-claim-retry", "1")][..], "chain", 1),
            (&[], "attempts", 2),
        ] {
            let reasons = Reasons::default();
            let options = RetryOptions {
                chain_stop: true,
                ..reasons.options()
            };
            let c = looping(Arc::clone(&call), options, ServerOptions::default()).await;
            let before = witness.served();
            let wire = raw(&c, "/C/Call", sent).await;
            assert_eq!(reasons.take().last(), Some(&reason));
            assert_eq!(witness.served() - before, calls);
            assert_eq!(wire.claim(), "unclaimed");
        }
    }
}

/// Room for one retry in ten seconds.
#[tokio::test]
async fn an_empty_budget() {
    let (d, witness) = failing(Code::Unavailable, &[]).await;
    let [call, _] = both(&d);
    let reasons = Reasons::default();
    let options = RetryOptions {
        max_attempts: 5,
        budget: Some(Arc::new(Budget::new(0.0, 0.1))),
        ..reasons.options()
    };
    assert!(run(&call, options.clone()).await.is_err());
    assert_eq!(reasons.take(), ["retry", "budget"]);
    assert_eq!(witness.served(), 2);
    let observing = RetryOptions {
        mode: Mode::Off,
        ..options
    };
    assert!(run(&call, observing).await.is_err());
    assert_eq!(witness.served(), 7); // without ownership it does not count
}

#[test]
fn a_budget_grows_with_first_calls() {
    let budget = Budget::new(20.0, 0.0);
    assert!(!budget.would_allow());
    for _ in 0..10 {
        budget.deposit();
    }
    let retries = (0..10).filter(|_| budget.withdraw()).count();
    assert_eq!(retries, 2);
    assert!(!budget.would_allow());
}

#[tokio::test]
async fn a_boundary_and_an_alias() {
    let trailers = [("x-mesh-claim", "unclaimed")];
    let (d, witness) = failing(Code::Unavailable, &trailers).await;
    let call = caller(d);
    for (boundary, reason, calls) in [(false, "unclaimed", 1), (true, "attempts", 2)] {
        let reasons = Reasons::default();
        let options = RetryOptions {
            alias: Some(http::HeaderName::from_static("x-mesh-claim")),
            boundary,
            ..reasons.options()
        };
        let before = witness.served();
        assert!(run(&call, options).await.is_err());
        assert_eq!(reasons.take().last(), Some(&reason));
        assert_eq!(witness.served() - before, calls);
        assert_eq!(witness.values("error-claim-retry"), "");
    }
}

/// The caller gives up while the loop waits: its handler is dropped, or a task
/// of its own hears of it.
#[tokio::test]
async fn it_is_cancelled_with_its_inbound() {
    for spawned in [false, true] {
        let (d, witness) = failing(Code::Unavailable, &[]).await;
        let (told, mut reasons) = mpsc::unbounded_channel();
        let options = RetryOptions {
            on_reason: Some(Arc::new(move |reason| {
                told.send(reason).unwrap();
            })),
            ..slow(&Reasons::default())
        };
        let call = caller(owned(d, ClientOptions::default()));
        let method = unary(move |request: Request<CallRequest>| {
            let (call, options) = (Arc::clone(&call), options.clone());
            async move {
                if !spawned {
                    return run(&call, options).await;
                }
                let inbound = request.extensions().get::<Inbound>().unwrap();
                let task = inbound.scope(async move { run(&call, options).await });
                tokio::spawn(task).await.unwrap()
            }
        });
        let c = serve(method, Some(ServerOptions::default())).await;
        let caller = tokio::spawn(async move { call_with(c, "/C/Call", request_with(&[])).await });
        let mut next = async || {
            let next = tokio::time::timeout(Duration::from_secs(20), reasons.recv());
            next.await.expect("a reason in time")
        };
        assert_eq!(next().await, Some(LoopReason::Retry));
        caller.abort();
        assert_eq!(next().await, Some(LoopReason::Cancelled));
        assert_eq!(witness.served(), 1);
    }
}

#[tokio::test]
async fn an_inbound_that_is_given_by_hand() {
    let inbound = Inbound::new("/C/Call", true, None);
    let options = RetryOptions {
        chain_stop: true,
        ..Reasons::default().options()
    };
    let mut retry = RetryLoop::new(options).unwrap().tied_to(&inbound);
    let mut request = request_with(&[("error-claim-retry", "1"), ("error-claim-retry", "1")]);
    retry.prepare(&mut request);
    let headers = request.metadata().as_ref();
    assert_eq!(values(headers, "error-claim-retry"), "1");
    assert!(request.extensions().get::<Inbound>().is_some());
    assert!(!retry.again(&error(Code::Unavailable, &[])).await);
    assert_eq!(retry.ended(), Some(LoopReason::Chain));
}

/// An error before the first message is retried, one after it is not.
#[tokio::test]
async fn server_streaming() {
    for (first, calls, reason) in [(false, 2, "attempts"), (true, 1, "committed")] {
        let witness = Witness::default();
        let seen = witness.clone();
        let method = Method::ServerStreaming(Arc::new(move |request| {
            seen.see(&request);
            let reply = first.then(|| Ok(CallReply::default()));
            let fails = Err(error(Code::Unavailable, &[]));
            let replies = reply.into_iter().chain([fails]);
            let replies = Replies::new(tokio_stream::iter(replies.collect::<Vec<_>>()));
            Box::pin(async move { Ok(replies) })
        }));
        let d = owned(serve(method, None).await, ClientOptions::default());
        let reasons = Reasons::default();
        let mut retry = RetryLoop::new(reasons.options()).unwrap();
        let mut grpc = tonic::client::Grpc::new(d);
        loop {
            let mut request = request_with(&[]);
            retry.prepare(&mut request);
            let path = http::uri::PathAndQuery::from_static("/D/Call");
            let codec = tonic_prost::ProstCodec::<CallRequest, CallReply>::default();
            grpc.ready().await.unwrap();
            let replies = grpc.server_streaming(request, path, codec).await;
            let status = match replies {
                Err(status) => status,
                Ok(replies) => {
                    let mut replies = replies.into_inner();
                    loop {
                        match replies.message().await {
                            Ok(Some(_)) => retry.commit(),
                            Ok(None) => unreachable!("it ends with an error"),
                            Err(status) => break status,
                        }
                    }
                }
            };
            if !retry.again(&status).await {
                break;
            }
        }
        assert_eq!(witness.served(), calls, "first {first}");
        assert_eq!(reasons.take().last(), Some(&reason));
    }
}

#[tokio::test]
async fn used_after_its_end() {
    let reasons = Reasons::default();
    let mut retry = RetryLoop::new(reasons.options()).unwrap();
    let status = error(Code::Unavailable, &[]);
    assert!(!retry.again(&status).await); // no call was prepared
    assert_eq!(retry.ended(), None);
    retry.prepare(&mut request_with(&[]));
    assert!(retry.again(&status).await);
    assert!(!retry.again(&status).await); // nor was the second one
    retry.prepare(&mut request_with(&[]));
    assert!(!retry.again(&status).await);
    assert_eq!(retry.ended(), Some(LoopReason::Attempts));
    let mut late = request_with(&[]);
    retry.prepare(&mut late);
    assert!(late.metadata().is_empty());
    assert!(!retry.again(&status).await);
    assert!(!retry.again(&Ok::<(), Status>(())).await);
    assert_eq!(retry.ended(), Some(LoopReason::Attempts));
    assert_eq!(reasons.take(), ["retry", "attempts"]);
}

#[test]
fn bad_options_are_named() {
    let good = RetryOptions::default;
    let refused = |options: RetryOptions| match RetryLoop::new(options) {
        Ok(_) => "none".to_owned(),
        Err(bad) => bad.to_string(),
    };
    assert_eq!(refused(good()), "none");
    let attempts = |max_attempts| {
        refused(RetryOptions {
            max_attempts,
            ..good()
        })
    };
    let expected = "expected a whole number from 1 to 100";
    assert_eq!(attempts(0), format!("max_attempts: got 0, {expected}"));
    assert_eq!(attempts(101), format!("max_attempts: got 101, {expected}"));
    assert_eq!(attempts(100), "none");
    for (multiplier, text) in [
        (0.5, "0.5"),
        (f64::NAN, "NaN"),
        (1e9, "1000000000.0"),
        (-1.0, "-1.0"),
    ] {
        let options = RetryOptions {
            backoff_multiplier: multiplier,
            ..good()
        };
        let expected = "expected a number from 1 to 1000";
        let expected = format!("backoff_multiplier: got {text}, {expected}");
        assert_eq!(refused(options), expected);
    }
    let long = HOUR * 25;
    for (options, name) in [
        (
            RetryOptions {
                initial_backoff: long,
                ..good()
            },
            "initial_backoff",
        ),
        (
            RetryOptions {
                max_backoff: long,
                ..good()
            },
            "max_backoff",
        ),
        (
            RetryOptions {
                deadline: Some(long),
                ..good()
            },
            "deadline",
        ),
    ] {
        let expected = format!("{name}: got 90000s, expected a time from 0ns to 86400s");
        assert_eq!(refused(options), expected);
    }
    let codes = RetryOptions {
        codes: vec![Code::Unavailable, Code::Ok],
        ..good()
    };
    let expected = "codes: got [Unavailable, Ok], \
        expected codes other than Ok and Cancelled, which are never retried";
    assert_eq!(refused(codes), expected);
}
