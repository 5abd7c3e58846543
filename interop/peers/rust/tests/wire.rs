// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

//! The rules through servers and clients on loopback.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use error_claim::{Claim, ClientOptions, Inbound, Reason, RetryPolicy, ServerOptions};
use http::HeaderName;
use tonic::{Code, Request, Status};

use crate::messages::CallRequest;
use crate::testing::*;

const ALIAS: HeaderName = HeaderName::from_static("x-mesh-claim");

fn policy(code: Code) -> ClientOptions {
    ClientOptions {
        retry: Some(RetryPolicy {
            max_attempts: 2,
            codes: vec![code],
        }),
        ..ClientOptions::default()
    }
}

#[tokio::test]
async fn an_own_error_is_claimed() {
    let options = ServerOptions {
        service: Some("shop.Stock".to_owned()),
        ..ServerOptions::default()
    };
    let trailers = [("x-own", "a"), ("x-own", "b")];
    let method = unary(move |_| async move {
        let mut status = Status::unavailable("out: “of” %stock");
        *status.metadata_mut() = metadata(&trailers);
        Err(status)
    });
    let c = serve(method, Some(options)).await;
    let wire = raw(&c, "/C/Call", &[]).await;
    assert!(wire.is_trailers_only());
    assert_eq!(wire.claim(), "claimed");
    assert_eq!(wire.pushback(), "");
    assert_eq!(wire.values("x-own"), "a|b");
    let expected = detail("shop.Stock", "Call", 0, 0, Reason::Own);
    assert_eq!(wire.detail(), expected);
    let status = call(&c, "/C/Call").await.unwrap_err();
    assert_eq!(status.message(), "out: “of” %stock");
}

#[tokio::test]
async fn an_error_that_had_its_retry_is_passed_on() {
    let (d, _) = failing(Code::Unavailable, &[]).await;
    let c = passing(d, policy(Code::Unavailable), ServerOptions::default()).await;
    let wire = raw(&c, "/C/Call", &[]).await;
    assert!(wire.is_trailers_only());
    assert_eq!(wire.code(), Code::Unavailable);
    assert_eq!(wire.claim(), "unclaimed");
    assert_eq!(wire.pushback(), "-1");
    assert_eq!(wire.detail(), detail("D", "Call", 1, 1, Reason::Propagated));
}

#[tokio::test]
async fn without_a_policy_for_the_status_somebody_has_to_retry() {
    let (d, _) = failing(Code::Internal, &[]).await;
    let c = passing(d, policy(Code::Unavailable), ServerOptions::default()).await;
    let wire = raw(&c, "/C/Call", &[]).await;
    assert_eq!(wire.claim(), "claimed");
    assert_eq!(wire.pushback(), "");
    assert_eq!(
        wire.detail(),
        detail("C", "Call", 0, 1, Reason::AtLeastOnce)
    );
}

#[tokio::test]
async fn a_status_that_answers_counts_where_it_is_handed_on() {
    let (d, _) = failing(Code::NotFound, &[]).await;
    let c = passing(d, ClientOptions::default(), ServerOptions::default()).await;
    let wire = raw(&c, "/C/Call", &[]).await;
    assert_eq!(wire.claim(), "unclaimed");
    assert_eq!(wire.code(), Code::NotFound);
}

#[tokio::test]
async fn what_is_not_believed_is_no_error() {
    let long = "unclaimed".repeat(100);
    let long_detail = "YWFh".repeat(100);
    let rows: [&[(&str, &str)]; 8] = [
        &[("error-claim", "shared")],
        &[("error-claim", "")],
        &[("error-claim", "unclaimed"), ("error-claim", "unclaimed")],
        &[("error-claim", "claimed"), ("error-claim", "unclaimed")],
        &[("error-claim", &long)],
        &[("error-claim", "claimed"), ("error-claim-bin", "CA")],
        &[("error-claim", "claimed"), ("error-claim-bin", "%%")],
        &[
            ("error-claim", "claimed"),
            ("error-claim-bin", &long_detail),
        ],
    ];
    for trailers in rows {
        let (d, _) = failing(Code::Unavailable, trailers).await;
        let c = passing(d, ClientOptions::default(), ServerOptions::default()).await;
        let wire = raw(&c, "/C/Call", &[]).await;
        assert_eq!(wire.code(), Code::Unavailable, "{trailers:?}");
        let expected = detail("C", "Call", 0, 1, Reason::AtLeastOnce);
        assert_eq!(wire.detail(), expected, "{trailers:?}");
    }
}

#[tokio::test]
async fn the_owner_is_the_one_that_the_callee_names() {
    let trailers = [
        ("error-claim", "unclaimed"),
        ("error-claim-bin", "CgpzaG9wLlN0b2NrEgNHZXQYAw=="),
    ];
    let (d, _) = failing(Code::Unavailable, &trailers).await;
    let c = passing(d, ClientOptions::default(), ServerOptions::default()).await;
    let expected = detail("shop.Stock", "Get", 4, 1, Reason::Propagated);
    assert_eq!(raw(&c, "/C/Call", &[]).await.detail(), expected);
}

#[tokio::test]
async fn an_alias_is_read_and_written() {
    let (d, _) = failing(Code::Unavailable, &[(ALIAS.as_str(), "unclaimed")]).await;
    let client = ClientOptions {
        alias: Some(ALIAS),
        ..ClientOptions::default()
    };
    let server = ServerOptions {
        alias: Some(ALIAS),
        ..ServerOptions::default()
    };
    let c = passing(d, client, server).await;
    let wire = raw(&c, "/C/Call", &[]).await;
    assert_eq!(wire.values(ALIAS.as_str()), "unclaimed");
    assert_eq!(wire.claim(), "unclaimed");
}

#[tokio::test]
async fn the_failure_of_a_fail_open_callee_is_no_excuse() {
    let (d, _) = failing(Code::Unavailable, &[]).await;
    let client = ClientOptions {
        fail_open: true,
        ..policy(Code::Unavailable)
    };
    let c = passing(d, client, ServerOptions::default()).await;
    let wire = raw(&c, "/C/Call", &[]).await;
    assert_eq!(wire.claim(), "claimed");
    assert_eq!(wire.reason(), Reason::Coincidental);
}

#[tokio::test]
async fn a_callee_that_is_not_there_failed() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    drop(listener);
    let c = passing(
        dial(&address),
        policy(Code::Unavailable),
        ServerOptions::default(),
    )
    .await;
    let wire = raw(&c, "/C/Call", &[]).await;
    assert_eq!(wire.code(), Code::Unavailable);
    assert_eq!(wire.claim(), "unclaimed");
}

#[tokio::test]
async fn observe_sends_claims_and_no_pushback() {
    let (d, _) = failing(Code::Unavailable, &[]).await;
    let sent = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&sent);
    let server = ServerOptions {
        observe: true,
        on_sent: Some(Arc::new(move |claim| noted.lock().unwrap().push(claim))),
        ..ServerOptions::default()
    };
    let c = passing(d, policy(Code::Unavailable), server).await;
    let wire = raw(&c, "/C/Call", &[]).await;
    assert_eq!(wire.claim(), "unclaimed");
    assert_eq!(wire.pushback(), "");
    assert_eq!(*sent.lock().unwrap(), [Claim::Unclaimed]);
}

#[tokio::test]
async fn an_own_pushback_on_a_claimed_error_stays() {
    for pushback in ["3", "-1"] {
        let (c, _) = {
            let status = error(Code::Unavailable, &[("grpc-retry-pushback-ms", pushback)]);
            let method = unary(move |_| std::future::ready(Err(status.clone())));
            (serve(method, Some(ServerOptions::default())).await, ())
        };
        let wire = raw(&c, "/C/Call", &[]).await;
        assert_eq!(wire.claim(), "claimed");
        assert_eq!(wire.pushback(), pushback);
    }
}

#[tokio::test]
async fn ok_carries_no_claim() {
    let c = serve(unary(|_| async { fine() }), Some(ServerOptions::default())).await;
    let wire = raw(&c, "/C/Call", &[]).await;
    assert_eq!(wire.code(), Code::Ok);
    assert_eq!(wire.claim(), "");
    assert!(!wire.is_trailers_only());
}

/// The handler calls twice.
#[tokio::test]
async fn calling_again_is_the_retry() {
    let (d, witness) = failing(Code::Unavailable, &[]).await;
    let d = owned(d, ClientOptions::default());
    let method = unary(move |_| {
        let d = d.clone();
        async move {
            let _ = call(&d, "/D/Call").await;
            call(&d, "/D/Call").await
        }
    });
    let c = serve(method, Some(ServerOptions::default())).await;
    let wire = raw(&c, "/C/Call", &[]).await;
    assert_eq!(wire.claim(), "unclaimed");
    assert_eq!(witness.values("error-claim-retry"), "1");
}

#[tokio::test]
async fn a_success_clears_the_failure_before_it() {
    let (d, _) = callee(|n| match n {
        0 => Err(error(Code::Unavailable, &[])),
        _ => fine(),
    })
    .await;
    let d = owned(d, ClientOptions::default());
    let method = unary(move |_| {
        let d = d.clone();
        async move {
            let _ = call(&d, "/D/Call").await;
            call(&d, "/D/Call").await?;
            Err(Status::unavailable("own"))
        }
    });
    let c = serve(method, Some(ServerOptions::default())).await;
    assert_eq!(raw(&c, "/C/Call", &[]).await.reason(), Reason::Own);
}

#[tokio::test]
async fn the_application_has_the_last_word() {
    let rows: [(fn(&Inbound), Reason); 2] = [
        (|i| i.choose_claim(Claim::Unclaimed), Reason::Application),
        (Inbound::set_retried, Reason::Propagated),
    ];
    for (act, reason) in rows {
        let (d, _) = failing(Code::Unavailable, &[]).await;
        let d = owned(d, ClientOptions::default());
        let method = unary(move |request: Request<CallRequest>| {
            let d = d.clone();
            async move {
                let answer = call(&d, "/D/Call").await;
                act(request.extensions().get::<Inbound>().unwrap());
                answer
            }
        });
        let c = serve(method, Some(ServerOptions::default())).await;
        let wire = raw(&c, "/C/Call", &[]).await;
        assert_eq!(
            (wire.claim().as_str(), wire.reason()),
            ("unclaimed", reason)
        );
    }
}

/// How the handler makes its call, from a task of its own or untied.
#[tokio::test]
async fn the_context_of_spawned_tasks() {
    for (way, expected) in [
        ("scope", Reason::AtLeastOnce),
        ("tie", Reason::AtLeastOnce),
        ("spawn", Reason::Own),
        ("untied", Reason::Own),
    ] {
        let (d, _) = failing(Code::Unavailable, &[]).await;
        let d = owned(d, ClientOptions::default());
        let method = unary(move |_| {
            let d = d.clone();
            async move {
                let inbound = Inbound::current().unwrap();
                let mut request = request_with(&[]);
                if way == "tie" {
                    inbound.tie(&mut request);
                }
                let call = call_with(d, "/D/Call", request);
                match way {
                    "scope" => tokio::spawn(inbound.scope(call)).await.unwrap(),
                    "untied" => Inbound::untied(call).await,
                    _ => tokio::spawn(call).await.unwrap(),
                }
            }
        });
        let c = serve(method, Some(ServerOptions::default())).await;
        assert_eq!(raw(&c, "/C/Call", &[]).await.reason(), expected, "{way}");
    }
}

/// A proxy answers 503, without a status of gRPC's.
#[tokio::test]
async fn an_answer_without_a_status() {
    #[derive(Clone)]
    struct Proxy;
    impl tower_service::Service<http::Request<tonic::body::Body>> for Proxy {
        type Response = http::Response<tonic::body::Body>;
        type Error = Status;
        type Future = std::future::Ready<Result<Self::Response, Status>>;
        fn poll_ready(
            &mut self,
            _: &mut std::task::Context<'_>,
        ) -> std::task::Poll<Result<(), Status>> {
            std::task::Poll::Ready(Ok(()))
        }
        fn call(&mut self, _: http::Request<tonic::body::Body>) -> Self::Future {
            let answer = http::Response::builder().status(503);
            std::future::ready(Ok(answer.body(tonic::body::Body::empty()).unwrap()))
        }
    }
    let layer = error_claim::ClientLayer::default();
    let proxy = tower_layer::Layer::layer(&layer, Proxy);
    let method = unary(move |_| {
        let proxy = proxy.clone();
        async move { call(&proxy, "/D/Call").await }
    });
    let c = serve(method, Some(ServerOptions::default())).await;
    let wire = raw(&c, "/C/Call", &[]).await;
    assert_eq!(wire.code(), Code::Unavailable);
    assert_eq!(wire.reason(), Reason::AtLeastOnce);
}

/// tonic says CANCELLED where a timeout passes at the client; it is a failure.
#[tokio::test]
async fn a_timeout_is_a_failure() {
    let method = unary(|_| std::future::pending());
    let d = owned(serve(method, None).await, ClientOptions::default());
    let method = unary(move |_| {
        let d = d.clone();
        async move {
            let mut request = request_with(&[]);
            request.set_timeout(Duration::from_millis(20));
            let answer = call_with(d, "/D/Call", request).await;
            assert_eq!(answer.unwrap_err().code(), Code::Cancelled);
            Err(Status::unavailable("late"))
        }
    });
    let c = serve(method, Some(ServerOptions::default())).await;
    assert_eq!(raw(&c, "/C/Call", &[]).await.reason(), Reason::AtLeastOnce);
}

/// Calls in one process do not see each other's outcomes: the callee answers
/// only when all calls are there.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_calls_keep_their_own_outcomes() {
    const CALLS: u64 = 100;
    let all = Arc::new(tokio::sync::Barrier::new(CALLS as usize));
    let method = unary(move |request: Request<CallRequest>| {
        let all = Arc::clone(&all);
        async move {
            all.wait().await;
            match request.get_ref().id % 2 {
                0 => fine(),
                _ => Err(Status::unavailable("odd")),
            }
        }
    });
    let d = owned(serve(method, None).await, policy(Code::Unavailable));
    let method = unary(move |request: Request<CallRequest>| {
        let d = d.clone();
        async move {
            let message = request.into_inner();
            let _ = call_with(d, "/D/Call", Request::new(message)).await;
            Err(Status::unavailable("always"))
        }
    });
    let c = serve(method, Some(ServerOptions::default())).await;
    let calls = (0..CALLS).map(|id| {
        let c = c.clone();
        tokio::spawn(async move {
            let payload = Vec::new();
            let request = Request::new(CallRequest { id, payload });
            let status = call_with(c, "/C/Call", request).await.unwrap_err();
            let claim = status.metadata().get("error-claim").cloned();
            let expected = ["claimed", "unclaimed"][(id % 2) as usize];
            assert_eq!(claim.unwrap(), expected, "{id}");
        })
    });
    for call in calls.collect::<Vec<_>>() {
        call.await.unwrap();
    }
}
