// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

//! Metadata that an application forwards, in both directions.

use error_claim::{ClientOptions, Reason, ServerOptions};
use tonic::{Code, Request};

use crate::messages::CallRequest;
use crate::testing::*;

/// A gateway without retries that forwards what its caller sent, and hands on
/// the callee's trailers.
async fn gateway(
    d: tonic::transport::Channel,
    client: ClientOptions,
    server: ServerOptions,
) -> tonic::transport::Channel {
    let d = owned(d, client);
    let method = unary(move |request: Request<CallRequest>| {
        let d = d.clone();
        async move { call_with(d, "/D/Call", request).await }
    });
    serve(method, Some(server)).await
}

#[tokio::test]
async fn a_forwarded_count_of_attempts_is_no_retry() {
    let (d, witness) = callee(|n| match n {
        0 => Err(error(Code::Aborted, &[])),
        _ => fine(),
    })
    .await;
    let c = gateway(d, ClientOptions::default(), ServerOptions::default()).await;
    let sent = [("grpc-previous-rpc-attempts", "1")];
    let wire = raw(&c, "/C/Call", &sent).await;
    assert_eq!(witness.values("grpc-previous-rpc-attempts"), "1");
    assert_eq!(wire.code(), Code::Aborted);
    assert_eq!(wire.claim(), "claimed");
    assert_eq!(
        wire.detail(),
        detail("C", "Call", 0, 1, Reason::AtLeastOnce)
    );
    assert_eq!(wire.pushback(), ""); // so its caller's retry may happen
    assert_eq!(raw(&c, "/C/Call", &sent).await.code(), Code::Ok);
}

#[tokio::test]
async fn exactly_one_mark_goes_out() {
    const MARK: (&str, &str) = ("error-claim-retry", "1");
    let rows: [(&[(&str, &str)], &str); 7] = [
        (&[MARK], "1"),
        (&[MARK, MARK], "1"),
        (&[("error-claim-retry", "2"), MARK], "1"),
        (&[("grpc-previous-rpc-attempts", "1")], "1"),
        (&[("grpc-previous-rpc-attempts", "0")], ""),
        (&[("error-claim-retry", "yes")], ""),
        (&[], ""),
    ];
    for (sent, expected) in rows {
        let (d, witness) = failing(Code::Unavailable, &[]).await;
        let c = gateway(d, ClientOptions::default(), ServerOptions::default()).await;
        raw(&c, "/C/Call", sent).await;
        assert_eq!(witness.values("error-claim-retry"), expected, "{sent:?}");
    }
}

#[tokio::test]
async fn a_mark_is_handed_on_where_nothing_is_forwarded() {
    let (d, witness) = failing(Code::Unavailable, &[]).await;
    let c = passing(d, ClientOptions::default(), ServerOptions::default()).await;
    raw(&c, "/C/Call", &[("error-claim-retry", "1")]).await;
    assert_eq!(witness.values("error-claim-retry"), "1");
}

/// What a callee set leaves only as the sender's own word.
#[tokio::test]
async fn copied_claims_and_pushbacks_do_not_leave() {
    let rows: [(&[(&str, &str)], bool, &str, &str); 5] = [
        // An unclaimed error that is passed on stops the retries.
        (
            &[
                ("error-claim", "unclaimed"),
                ("grpc-retry-pushback-ms", "-1"),
            ],
            true,
            "unclaimed",
            "-1",
        ),
        // The handler calls nobody: its error is its own.
        (
            &[
                ("error-claim", "unclaimed"),
                ("error-claim-bin", "CgE"),
                ("grpc-retry-pushback-ms", "-1"),
            ],
            false,
            "claimed",
            "",
        ),
        (
            &[("error-claim-bin", "CgE"), ("grpc-retry-pushback-ms", "-1")],
            false,
            "claimed",
            "",
        ),
        (
            &[("error-claim", "claimed"), ("grpc-retry-pushback-ms", "7")],
            false,
            "claimed",
            "7",
        ),
        // An unclaimed error has one pushback, whatever was set.
        (
            &[
                ("error-claim", "unclaimed"),
                ("grpc-retry-pushback-ms", "7"),
                ("grpc-retry-pushback-ms", "-1"),
            ],
            true,
            "unclaimed",
            "-1",
        ),
    ];
    for (trailers, calls, claim, pushback) in rows {
        let c = if calls {
            let (d, _) = failing(Code::Unavailable, trailers).await;
            passing(d, ClientOptions::default(), ServerOptions::default()).await
        } else {
            let status = error(Code::Unavailable, trailers);
            let method = unary(move |_| std::future::ready(Err(status.clone())));
            serve(method, Some(ServerOptions::default())).await
        };
        let wire = raw(&c, "/C/Call", &[]).await;
        assert_eq!(wire.claim(), claim, "{trailers:?}");
        assert_eq!(wire.pushback(), pushback, "{trailers:?}");
        let owner = if calls { "D" } else { "C" };
        assert_eq!(wire.detail().owner_service, owner, "{trailers:?}");
    }
}

#[tokio::test]
async fn claim_keys_of_a_request_are_removed() {
    let witness = Witness::default();
    let seen = witness.clone();
    let method = unary(move |request| {
        seen.see(&request);
        std::future::ready(fine())
    });
    let c = serve(method, Some(ServerOptions::default())).await;
    let sent = [
        ("error-claim", "unclaimed"),
        ("error-claim-bin", "CgE"),
        ("x-own", "kept"),
    ];
    raw(&c, "/C/Call", &sent).await;
    assert_eq!(witness.served(), 1);
    assert_eq!(witness.values("error-claim"), "");
    assert_eq!(witness.values("error-claim-bin"), "");
    assert_eq!(witness.values("x-own"), "kept");
}

const ALL: [(&str, &str); 3] = [
    ("error-claim", "unclaimed"),
    ("error-claim-bin", "CgE"),
    ("grpc-retry-pushback-ms", "-1"),
];

#[tokio::test]
async fn trust_boundary_of_a_server() {
    let (d, witness) = failing(Code::Unavailable, &ALL).await;
    let server = ServerOptions {
        boundary: true,
        ..ServerOptions::default()
    };
    let c = gateway(d, ClientOptions::default(), server).await;
    let wire = raw(&c, "/C/Call", &[("error-claim-retry", "1")]).await;
    assert_eq!(wire.code(), Code::Unavailable);
    for (key, _) in ALL {
        assert_eq!(wire.values(key), "", "{key}");
    }
    assert_eq!(witness.served(), 1);
    assert_eq!(witness.values("error-claim-retry"), "");
}

#[tokio::test]
async fn trust_boundary_of_a_client() {
    let (d, witness) = failing(Code::Unavailable, &ALL).await;
    let client = ClientOptions {
        boundary: true,
        ..ClientOptions::default()
    };
    let d = owned(d, client);
    let forwarded = [
        ("error-claim-retry", "1"),
        ("error-claim", "claimed"),
        ("error-claim-bin", "CgE"),
        ("x-own", "kept"),
    ];
    let method = unary(move |_| {
        let call = call_with(d.clone(), "/D/Call", request_with(&forwarded));
        async move { Err(error(call.await.unwrap_err().code(), &[])) }
    });
    let c = serve(method, Some(ServerOptions::default())).await;
    let wire = raw(&c, "/C/Call", &[("error-claim-retry", "1")]).await;
    assert_eq!(wire.reason(), Reason::AtLeastOnce); // it believes no claim
    assert_eq!(witness.served(), 1);
    for key in ["error-claim-retry", "error-claim", "error-claim-bin"] {
        assert_eq!(witness.values(key), "", "{key}");
    }
    assert_eq!(witness.values("x-own"), "kept");
}
