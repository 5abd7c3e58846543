// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

//! One node of a call graph, for the lab; see --help.

mod callee;
mod counts;
mod dice;
mod messages;
mod node;
mod options;

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use error_claim::{ServerLayer, ServerOptions};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::oneshot;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;

use crate::node::{Methods, Node};
use crate::options::{HELP, Options, Ownership, Refusal};

const GRACE: Duration = Duration::from_secs(2);

fn server_layer(options: &Options, node: &Node) -> Option<ServerLayer> {
    let observe = match options.ownership {
        Ownership::Stock | Ownership::Off => return None,
        Ownership::Observe => true,
        Ownership::Enforce => false,
    };
    let counts = Arc::clone(&node.counts);
    Some(ServerLayer::new(ServerOptions {
        service: Some(options.name.clone()),
        observe,
        on_sent: Some(Arc::new(move |claim| counts.sent(claim))),
        ..ServerOptions::default()
    }))
}

/// Serves until told to stop, and then ends calls in progress, at most for a
/// while.
async fn serve(
    node: Arc<Node>,
    layer: Option<ServerLayer>,
    listener: TcpListener,
) -> Result<(), String> {
    let mut terminate = signal(SignalKind::terminate()).map_err(|e| e.to_string())?;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(|e| e.to_string())?;
    let (stop, stopping) = oneshot::channel::<()>();
    let stopped = async {
        let _ = stopping.await; // a dropped sender stops as well
    };
    let incoming = TcpIncoming::from(listener).with_nodelay(Some(true));
    let methods = Methods::new(node);
    let serving = async {
        match layer {
            Some(layer) => {
                let server = Server::builder().layer(layer);
                let served = server.serve_with_incoming_shutdown(methods, incoming, stopped);
                served.await
            }
            None => {
                let server = Server::builder();
                let served = server.serve_with_incoming_shutdown(methods, incoming, stopped);
                served.await
            }
        }
    };
    tokio::pin!(serving);
    tokio::select! {
        served = &mut serving => return served.map_err(|error| error.to_string()),
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    drop(stop);
    match tokio::time::timeout(GRACE, serving).await {
        Ok(served) => served.map_err(|error| error.to_string()),
        Err(_) => Ok(()),
    }
}

fn ready_line(name: &str, port: u16) -> String {
    format!(
        r#"{{"event":"ready","name":"{name}","port":{port},"language":"Rust","version":"{}","grpc":"tonic {}"}}"#,
        env!("EOWN_RUST_VERSION"),
        env!("EOWN_TONIC_VERSION"),
    )
}

async fn run(options: Options) -> Result<(), String> {
    let node = Arc::new(Node::new(options.clone())?);
    let layer = server_layer(&options, &node);
    let listen = &options.listen;
    let named = |error: std::io::Error| format!("--listen {listen}: {error}");
    let listener = TcpListener::bind(listen).await.map_err(named)?;
    let port = listener.local_addr().map_err(named)?.port();
    println!("{}", ready_line(&options.name, port));
    serve(Arc::clone(&node), layer, listener).await?;
    println!("{}", node.counts.json("exit", false));
    Ok(())
}

fn fail(message: &str, status: u8) -> ExitCode {
    eprintln!("node: {message}");
    ExitCode::from(status)
}

fn main() -> ExitCode {
    let words = std::env::args_os().skip(1);
    let words = words.map(|word| word.to_string_lossy().into_owned());
    let options = match Options::read(words) {
        Ok(options) => options,
        Err(Refusal::Help) => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        Err(Refusal::Bad(message)) => return fail(&format!("{message}\nTry --help."), 2),
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let ran = runtime
        .map_err(|error| error.to_string())
        .and_then(|runtime| runtime.block_on(run(options)));
    match ran {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => fail(&message, 1),
    }
}
