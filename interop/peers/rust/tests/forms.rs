// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

//! The four forms of calls, as a server and as a client.

use std::sync::Arc;

use error_claim::client::OwnedChannel;
use error_claim::{ClientOptions, Inbound, Reason, RetryPolicy, ServerOptions};
use tokio_stream::StreamExt;
use tonic::transport::Channel;
use tonic::{Code, Request, Response, Status, Streaming};
use tonic_prost::ProstCodec;

use crate::messages::{CallReply, CallRequest};
use crate::testing::*;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    Unary,
    ServerStreaming,
    ClientStreaming,
    Bidirectional,
}

const FORMS: [Form; 4] = [
    Form::Unary,
    Form::ServerStreaming,
    Form::ClientStreaming,
    Form::Bidirectional,
];

type Replying = Arc<dyn Fn() -> Answer<CallReply> + Send + Sync>;

/// One reply where `first`, and then how `end` ends, polled with the stream;
/// after a reply not before the server has sent that.
fn replies(first: bool, end: Replying) -> Replies {
    let reply = tokio_stream::iter(first.then(|| Ok(CallReply::default())));
    let end = tokio_stream::once(()).then(move |()| {
        let end = Arc::clone(&end);
        async move {
            if first {
                tokio::task::yield_now().await;
            }
            end().await
        }
    });
    Replies::new(reply.chain(end))
}

/// A method of this form that ends as `end` does; a stream of replies sends one
/// before, where `first`.
fn method(form: Form, first: bool, end: Replying) -> Method {
    match form {
        Form::Unary => Method::Unary(Arc::new(move |_| end())),
        Form::ClientStreaming => Method::ClientStreaming(Arc::new(move |_| end())),
        Form::ServerStreaming => Method::ServerStreaming(Arc::new(move |_| {
            let replies = replies(first, Arc::clone(&end));
            Box::pin(async move { Ok(replies) })
        })),
        Form::Bidirectional => Method::Bidirectional(Arc::new(move |_| {
            let replies = replies(first, Arc::clone(&end));
            Box::pin(async move { Ok(replies) })
        })),
    }
}

async fn read(
    replies: Result<Response<Streaming<CallReply>>, Status>,
) -> Result<CallReply, Status> {
    let mut replies = replies?.into_inner();
    while replies.message().await?.is_some() {}
    fine()
}

async fn call_form(channel: OwnedChannel<Channel>, form: Form) -> Result<CallReply, Status> {
    let mut grpc = tonic::client::Grpc::new(channel);
    grpc.ready().await?;
    let path = http::uri::PathAndQuery::from_static("/D/Call");
    let one = Request::new(CallRequest::default());
    let many = Request::new(tokio_stream::once(CallRequest::default()));
    let codec = ProstCodec::default();
    match form {
        Form::Unary => grpc.unary(one, path, codec).await.map(Response::into_inner),
        Form::ClientStreaming => {
            let reply = grpc.client_streaming(many, path, codec).await;
            reply.map(Response::into_inner)
        }
        Form::ServerStreaming => read(grpc.server_streaming(one, path, codec).await).await,
        Form::Bidirectional => read(grpc.streaming(many, path, codec).await).await,
    }
}

fn unavailable() -> Replying {
    Arc::new(|| Box::pin(async { Err(error(Code::Unavailable, &[("error-claim", "copied")])) }))
}

#[tokio::test]
async fn errors_before_the_first_reply_are_trailers_only() {
    for form in FORMS {
        let c = serve(
            method(form, false, unavailable()),
            Some(ServerOptions::default()),
        )
        .await;
        let wire = raw(&c, "/C/Call", &[]).await;
        assert!(wire.is_trailers_only(), "{form:?}: {wire:?}");
        assert_eq!(wire.data, 0);
        assert_eq!(wire.code(), Code::Unavailable, "{form:?}");
        assert_eq!(wire.claim(), "claimed", "{form:?}");
        assert_eq!(wire.detail(), detail("C", "Call", 0, 0, Reason::Own));
    }
}

#[tokio::test]
async fn errors_after_a_reply_are_in_the_trailers() {
    for form in [Form::ServerStreaming, Form::Bidirectional] {
        let c = serve(
            method(form, true, unavailable()),
            Some(ServerOptions::default()),
        )
        .await;
        let wire = raw(&c, "/C/Call", &[]).await;
        assert!(!wire.is_trailers_only(), "{form:?}: {wire:?}");
        assert_eq!(wire.data, 5, "{form:?}");
        assert_eq!(wire.claim(), "claimed", "{form:?}");
    }
}

#[tokio::test]
async fn replies_go_through() {
    for form in FORMS {
        let end: Replying = Arc::new(|| Box::pin(async { fine() }));
        let c = serve(method(form, true, end), Some(ServerOptions::default())).await;
        let wire = raw(&c, "/C/Call", &[]).await;
        let two = matches!(form, Form::ServerStreaming | Form::Bidirectional);
        assert_eq!(wire.data, if two { 10 } else { 5 }, "{form:?}");
        assert_eq!(wire.code(), Code::Ok, "{form:?}");
        assert_eq!(wire.claim(), "", "{form:?}");
    }
}

/// Each form of C calls each form of D, before and after a first reply; also
/// what a stream does while it is read belongs to its inbound.
#[tokio::test]
async fn each_form_calls_each_form() {
    for (outer, inner) in FORMS.iter().flat_map(|a| FORMS.map(|b| (*a, b))) {
        for first in [false, true] {
            let d = serve(method(inner, first, unavailable()), None).await;
            let client = ClientOptions {
                retry: Some(RetryPolicy {
                    max_attempts: 2,
                    codes: vec![Code::Unavailable],
                }),
                ..ClientOptions::default()
            };
            let d = owned(d, client);
            let end: Replying = Arc::new(move || {
                assert!(Inbound::current().is_some());
                Box::pin(call_form(d.clone(), inner))
            });
            let c = serve(method(outer, first, end), Some(ServerOptions::default())).await;
            let wire = raw(&c, "/C/Call", &[]).await;
            let what = format!("{outer:?} calls {inner:?}, first {first}");
            assert_eq!(wire.code(), Code::Unavailable, "{what}");
            assert_eq!(wire.claim(), "unclaimed", "{what}");
            assert_eq!(wire.pushback(), "-1", "{what}");
            assert_eq!(
                wire.detail(),
                detail("D", "Call", 1, 1, Reason::Propagated),
                "{what}"
            );
        }
    }
}
