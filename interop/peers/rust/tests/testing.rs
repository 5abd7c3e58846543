// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

//! Servers and clients in this process.

use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use bytes::Bytes;
use error_claim::client::OwnedChannel;
use error_claim::{
    Claim, ClientLayer, ClientOptions, ErrorClaim, Reason, Received, ServerLayer, ServerOptions,
};
use http::{HeaderMap, HeaderName, HeaderValue};
use http_body::Body as _;
use tokio::net::TcpListener;
use tokio_stream::Stream;
use tonic::body::Body;
use tonic::client::GrpcService;
use tonic::metadata::MetadataMap;
use tonic::server::Grpc;
use tonic::transport::server::TcpIncoming;
use tonic::transport::{Channel, Endpoint, Server};
use tonic::{Code, Request, Response, Status, Streaming};
use tonic_prost::ProstCodec;
use tower_layer::Layer;
use tower_service::Service;

use crate::messages::{CallReply, CallRequest};

pub type Answer<T> = Pin<Box<dyn Future<Output = Result<T, Status>> + Send>>;

/// The replies of a stream. A type of its own: as an alias the compiler cannot
/// tell that it is good for any lifetime.
pub struct Replies(Pin<Box<dyn Stream<Item = Result<CallReply, Status>> + Send>>);

impl Replies {
    pub fn new(replies: impl Stream<Item = Result<CallReply, Status>> + Send + 'static) -> Replies {
        Replies(Box::pin(replies))
    }
}

impl Stream for Replies {
    type Item = Result<CallReply, Status>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.as_mut().poll_next(cx)
    }
}

type Handler<Q, A> = Arc<dyn Fn(Request<Q>) -> Answer<A> + Send + Sync>;

/// A method, in one of the four forms.
#[derive(Clone)]
pub enum Method {
    Unary(Handler<CallRequest, CallReply>),
    ServerStreaming(Handler<CallRequest, Replies>),
    ClientStreaming(Handler<Streaming<CallRequest>, CallReply>),
    Bidirectional(Handler<Streaming<CallRequest>, Replies>),
}

pub fn unary<F>(handler: impl Fn(Request<CallRequest>) -> F + Send + Sync + 'static) -> Method
where
    F: Future<Output = Result<CallReply, Status>> + Send + 'static,
{
    Method::Unary(Arc::new(move |request| Box::pin(handler(request))))
}

struct Handling<Q, A>(Handler<Q, A>);

impl<Q, A: Send + 'static> Service<Request<Q>> for Handling<Q, A> {
    type Response = Response<A>;
    type Error = Status;
    type Future = Answer<Response<A>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Status>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Q>) -> Self::Future {
        let answer = (self.0)(request);
        Box::pin(async move { answer.await.map(Response::new) })
    }
}

/// One method, under all paths.
#[derive(Clone)]
struct Serving(Method);

impl Service<http::Request<Body>> for Serving {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<http::Response<Body>, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let method = self.0.clone();
        Box::pin(async move {
            let codec = ProstCodec::<CallReply, CallRequest>::default();
            let mut grpc = Grpc::new(codec);
            Ok(match method {
                Method::Unary(h) => grpc.unary(Handling(h), request).await,
                Method::ServerStreaming(h) => grpc.server_streaming(Handling(h), request).await,
                Method::ClientStreaming(h) => grpc.client_streaming(Handling(h), request).await,
                Method::Bidirectional(h) => grpc.streaming(Handling(h), request).await,
            })
        })
    }
}

async fn listen() -> (TcpIncoming, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let incoming = TcpIncoming::from(listener).with_nodelay(Some(true));
    (incoming, address)
}

/// Serves until the test ends; with the layer where there are options.
pub async fn serve(method: Method, options: Option<ServerOptions>) -> Channel {
    let (incoming, address) = listen().await;
    let serving = Serving(method);
    match options {
        Some(options) => {
            let server = Server::builder().layer(ServerLayer::new(options));
            tokio::spawn(async move { server.serve_with_incoming(serving, incoming).await });
        }
        None => {
            tokio::spawn(async move {
                let server = Server::builder();
                server.serve_with_incoming(serving, incoming).await
            });
        }
    }
    dial(&address)
}

pub fn dial(address: &str) -> Channel {
    let endpoint = Endpoint::from_shared(format!("http://{address}")).unwrap();
    endpoint.connect_lazy()
}

pub fn owned(channel: Channel, options: ClientOptions) -> OwnedChannel<Channel> {
    ClientLayer::new(options).layer(channel)
}

pub fn metadata(entries: &[(&str, &str)]) -> MetadataMap {
    let mut headers = HeaderMap::new();
    for (key, value) in entries {
        let key: HeaderName = key.parse().unwrap();
        headers.append(key, HeaderValue::from_str(value).unwrap());
    }
    MetadataMap::from_headers(headers)
}

pub fn error(code: Code, trailers: &[(&str, &str)]) -> Status {
    Status::with_metadata(code, "gone", metadata(trailers))
}

pub fn request_with(entries: &[(&str, &str)]) -> Request<CallRequest> {
    let mut request = Request::new(CallRequest::default());
    *request.metadata_mut() = metadata(entries);
    request
}

/// A unary call of a service, with its channel in whatever layers.
pub async fn call_with<S>(
    channel: S,
    path: &'static str,
    request: Request<CallRequest>,
) -> Result<CallReply, Status>
where
    S: GrpcService<Body>,
    S::ResponseBody: http_body::Body + Send + 'static,
    <S::ResponseBody as http_body::Body>::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let mut grpc = tonic::client::Grpc::new(channel);
    let ready = grpc.ready().await;
    ready.map_err(|error| Status::from_error(error.into()))?;
    let path = http::uri::PathAndQuery::from_static(path);
    let reply = grpc.unary(request, path, ProstCodec::default()).await;
    reply.map(Response::into_inner)
}

pub async fn call<S>(channel: &S, path: &'static str) -> Result<CallReply, Status>
where
    S: GrpcService<Body> + Clone,
    S::ResponseBody: http_body::Body + Send + 'static,
    <S::ResponseBody as http_body::Body>::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    call_with(channel.clone(), path, request_with(&[])).await
}

/// A way to call D, through whatever layers.
pub type Caller = Arc<dyn Fn(Request<CallRequest>) -> Answer<CallReply> + Send + Sync>;

pub fn caller<S>(channel: S) -> Caller
where
    S: GrpcService<Body> + Clone + Send + Sync + 'static,
    S::Future: Send,
    S::Error: Send,
    S::ResponseBody: http_body::Body + Send + 'static,
    <S::ResponseBody as http_body::Body>::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    Arc::new(move |request| Box::pin(call_with(channel.clone(), "/D/Call", request)))
}

/// A callee that counts its calls and keeps the headers of the last one.
#[derive(Clone, Default)]
pub struct Witness {
    served: Arc<AtomicU32>,
    last: Arc<Mutex<HeaderMap>>,
}

impl Witness {
    pub fn served(&self) -> u32 {
        self.served.load(Ordering::SeqCst)
    }

    /// Counts this one; says how many came before.
    pub fn see<T>(&self, request: &Request<T>) -> u32 {
        *self.last.lock().unwrap() = request.metadata().clone().into_headers();
        self.served.fetch_add(1, Ordering::SeqCst)
    }

    pub fn values(&self, key: &str) -> String {
        values(&self.last.lock().unwrap(), key)
    }
}

pub fn values(headers: &HeaderMap, key: &str) -> String {
    let all = headers.get_all(key).iter();
    let all: Vec<&str> = all.map(|value| value.to_str().unwrap()).collect();
    all.join("|")
}

/// A stock callee that answers its n-th call, from 0, so.
pub async fn callee(
    answer: impl Fn(u32) -> Result<CallReply, Status> + Send + Sync + 'static,
) -> (Channel, Witness) {
    let witness = Witness::default();
    let seen = witness.clone();
    let method = unary(move |request| std::future::ready(answer(seen.see(&request))));
    (serve(method, None).await, witness)
}

/// A stock callee that always fails so.
pub async fn failing(code: Code, trailers: &[(&str, &str)]) -> (Channel, Witness) {
    let status = error(code, trailers);
    callee(move |_| Err(status.clone())).await
}

/// A caller that passes on how its call of /D/Call ends, trailers and all, as
/// `?` does.
pub async fn passing(d: Channel, client: ClientOptions, server: ServerOptions) -> Channel {
    let d = owned(d, client);
    let method = unary(move |_| {
        let d = d.clone();
        async move { call(&d, "/D/Call").await }
    });
    serve(method, Some(server)).await
}

/// What is on the wire.
#[derive(Debug, Default)]
pub struct Wire {
    pub headers: HeaderMap,
    pub data: usize,
    trailers: HeaderMap,
}

impl Wire {
    pub fn is_trailers_only(&self) -> bool {
        self.headers.contains_key("grpc-status")
    }

    fn last(&self) -> &HeaderMap {
        if self.is_trailers_only() {
            &self.headers
        } else {
            &self.trailers
        }
    }

    pub fn values(&self, key: &str) -> String {
        values(self.last(), key)
    }

    pub fn claim(&self) -> String {
        self.values("error-claim")
    }

    pub fn pushback(&self) -> String {
        self.values("grpc-retry-pushback-ms")
    }

    pub fn code(&self) -> Code {
        Code::from_bytes(self.values("grpc-status").as_bytes())
    }

    pub fn detail(&self) -> ErrorClaim {
        let received = Received::read(self.last(), None);
        assert_ne!(received.claim, Claim::Missing, "{self:?}");
        received.detail.expect("a detail")
    }

    pub fn reason(&self) -> Reason {
        self.detail().reason()
    }
}

/// An empty message, framed.
pub fn empty_message() -> Body {
    Body::new("\0\0\0\0\0".to_owned())
}

/// One message to any method; for what no client of tonic's shows.
pub async fn raw(channel: &Channel, path: &str, entries: &[(&str, &str)]) -> Wire {
    let mut channel = channel.clone();
    poll_fn(|cx| Service::poll_ready(&mut channel, cx))
        .await
        .unwrap();
    let mut request = http::Request::post(path).body(empty_message()).unwrap();
    *request.headers_mut() = metadata(entries).into_headers();
    let headers = request.headers_mut();
    headers.insert("content-type", HeaderValue::from_static("application/grpc"));
    headers.insert("te", HeaderValue::from_static("trailers"));
    let answer = Service::call(&mut channel, request).await.unwrap();
    let (parts, mut body) = answer.into_parts();
    let mut wire = Wire {
        headers: parts.headers,
        ..Wire::default()
    };
    while let Some(frame) = poll_fn(|cx| Pin::new(&mut body).poll_frame(cx)).await {
        match frame.unwrap().into_data() {
            Ok(data) => wire.data += Bytes::len(&data),
            Err(frame) => wire.trailers = frame.into_trailers().unwrap(),
        }
    }
    wire
}

pub fn fine() -> Result<CallReply, Status> {
    Ok(CallReply::default())
}

pub fn detail(service: &str, method: &str, hops: u32, attempts: u32, reason: Reason) -> ErrorClaim {
    ErrorClaim {
        owner_service: service.to_owned(),
        owner_method: method.to_owned(),
        hops,
        attempts,
        reason: reason as i32,
    }
}
