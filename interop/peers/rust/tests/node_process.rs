// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

//! The node as a process of its own, as the lab starts it.

use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Command, Stdio};

use tinyjson::JsonValue;
use tonic::client::Grpc;
use tonic::transport::Channel;
use tonic::{Code, Status};
use tonic_prost::ProstCodec;

use crate::messages::{CallReply, StatsReply, StatsRequest};
use crate::testing::*;

const NODE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/node");

struct Process {
    name: String,
    address: String,
    channel: Channel,
    child: Child,
    lines: BufReader<ChildStdout>,
}

fn start(line: &str) -> Process {
    let mut child = Command::new(NODE)
        .args(line.split_whitespace())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    let ready = next(&mut lines).expect("the event ready");
    assert_eq!(text(&ready, "event"), "ready", "{line}");
    assert_eq!(text(&ready, "language"), "Rust");
    assert!(text(&ready, "version").starts_with("1."), "{ready:?}");
    assert!(text(&ready, "grpc").starts_with("tonic 0."), "{ready:?}");
    let address = format!("127.0.0.1:{}", number(&ready, "port"));
    Process {
        name: text(&ready, "name"),
        channel: dial(&address),
        address,
        child,
        lines,
    }
}

fn next(lines: &mut impl BufRead) -> Option<JsonValue> {
    let mut line = String::new();
    lines.read_line(&mut line).unwrap();
    (!line.is_empty()).then(|| line.parse().unwrap())
}

fn text(json: &JsonValue, key: &str) -> String {
    json[key].get::<String>().unwrap().clone()
}

fn number(json: &JsonValue, key: &str) -> u32 {
    *json[key].get::<f64>().unwrap() as u32
}

impl Process {
    fn callee(&self) -> String {
        format!("{}={}", self.name, self.address)
    }

    /// Blocks this thread, while others have to see to the connections.
    fn stop(mut self, signal: &str) -> JsonValue {
        let pid = self.child.id().to_string();
        let sent = Command::new("kill").args([signal, &pid]).status();
        assert!(sent.unwrap().success());
        let end = next(&mut self.lines).expect("the event exit");
        assert_eq!(text(&end, "event"), "exit");
        assert!(next(&mut self.lines).is_none(), "more after the exit");
        assert!(self.child.wait().unwrap().success());
        end
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill(); // it may have ended
        let _ = self.child.wait();
    }
}

async fn ask(
    node: &Process,
    path: &'static str,
    entries: &[(&str, &str)],
) -> Result<CallReply, Status> {
    call_with(node.channel.clone(), path, request_with(entries)).await
}

async fn stats(node: &Process) -> String {
    let mut grpc = Grpc::new(node.channel.clone());
    grpc.ready().await.unwrap();
    let path = http::uri::PathAndQuery::from_static("/eown.interop.v1.Node/Stats");
    let request = tonic::Request::new(StatsRequest { reset: true });
    let codec = ProstCodec::<StatsRequest, StatsReply>::default();
    let reply = grpc.unary(request, path, codec).await.unwrap();
    reply.into_inner().json
}

/// A, B, C and D, which always fails; each but D makes two calls.
fn chain(ownership: &str) -> [Process; 4] {
    let d = start(&format!("--name D --fail-rate 1 --ownership {ownership}"));
    let caller = |name: &str, callee: &Process| {
        let callee = callee.callee();
        start(&format!(
            "--name {name} --attempts 2 --retry-by application \
             --retry-codes aborted,unavailable --ownership {ownership} --callee {callee}"
        ))
    };
    let c = caller("C", &d);
    let b = caller("B", &c);
    let a = caller("A", &b);
    [a, b, c, d]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_chain_of_four() {
    for (ownership, expected, stopped) in [
        ("enforce", [20, 20, 20, 40], 20),
        ("observe", [20, 40, 80, 160], 40),
        ("off", [20, 40, 80, 160], 0),
        ("stock", [20, 40, 80, 160], 0),
    ] {
        let nodes = chain(ownership);
        let a = &nodes[0].channel;
        let calls = (0..20).map(|_| call_with(a.clone(), "/A/Call", request_with(&[])));
        for call in calls.map(tokio::spawn).collect::<Vec<_>>() {
            let status = call.await.unwrap().unwrap_err();
            assert_eq!(status.code(), Code::Unavailable);
        }
        let ends = nodes.map(|node| node.stop("-TERM"));
        let served = ends.each_ref().map(|end| number(end, "served"));
        assert_eq!(served, expected, "{ownership}");
        check_claims(&ends[1], ownership, stopped);
    }
}

/// What B counts of claims.
fn check_claims(b: &JsonValue, ownership: &str, stopped: u32) {
    let owned = ownership == "enforce" || ownership == "observe";
    let (seen, served) = (&b["callees"][0], number(b, "served"));
    let errors = number(seen, "errors");
    assert_eq!(number(&b["retries_stopped"], "unclaimed"), stopped);
    assert_eq!(number(&b["retries_stopped"], "multiplied"), 0);
    let sent = number(&b["claims_sent"], "unclaimed");
    assert_eq!(sent, if owned { served } else { 0 });
    let expected = if owned { (errors, 0) } else { (0, errors) };
    let got = (number(seen, "unclaimed"), number(seen, "missing"));
    assert_eq!(got, expected, "{ownership}");
}

fn fails<T: std::fmt::Debug>(result: Result<T, Status>, code: Code, message: &str) {
    let status = result.unwrap_err();
    assert_eq!((status.code(), status.message()), (code, message));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn callees_and_counts() {
    let good = start("--name G");
    let bad = start("--name F --fail-rate 1 --fail-status internal --healthy-first 1");
    let both = start(&format!(
        "--name B --callee {},fail-open --callee {}",
        bad.callee(),
        good.callee()
    ));
    let strict = start(&format!("--name A --callee {}", bad.callee()));
    let below = |reply: Result<CallReply, Status>| reply.unwrap().nodes_below;

    assert_eq!(
        below(ask(&both, "/eown.interop.v1.Node/Call", &[]).await),
        2
    );
    assert_eq!(below(ask(&both, "/B/Call", &[]).await), 1);
    let named = |name| [("eown-node-callee", name)];
    assert_eq!(below(ask(&both, "/B/Call", &named("G")).await), 1);
    fails(
        ask(&both, "/B/Call", &named("X")).await,
        Code::InvalidArgument,
        "eown-node-callee: 'X': expected the name of a callee of B",
    );
    fails(
        ask(&bad, "/F/Call", &named("")).await, // though it would fail by itself
        Code::InvalidArgument,
        "eown-node-callee: '': expected the name of a callee of F",
    );
    let wire = raw(&strict.channel, "/A/Call", &[]).await;
    assert!(wire.is_trailers_only());
    fails(
        ask(&strict, "/A/Call", &[]).await,
        Code::Internal,
        "F fails by itself",
    );
    fails(
        ask(&strict, "/A/Stream", &[]).await,
        Code::Unimplemented,
        "no method /A/Stream",
    );

    let expected = concat!(
        r#"{"event":"stats","name":"B","served":4,"errors":1,"own_failures":0,"made":5,"#,
        r#""retries_stopped":{"unclaimed":0,"budget":0,"chain":0,"multiplied":0},"#,
        r#""claims_sent":{"claimed":0,"unclaimed":0},"callees":["#,
        r#"{"name":"F","calls":2,"errors":1,"claimed":0,"unclaimed":0,"missing":1,"other":0},"#,
        r#"{"name":"G","calls":3,"errors":0,"claimed":0,"unclaimed":0,"missing":0,"other":0}]}"#,
    );
    assert_eq!(stats(&both).await, expected);
    let end = both.stop("-INT");
    assert_eq!(number(&end, "served"), 0);
    assert_eq!(text(&end["callees"][0], "name"), "F");
}

/// Untied calls are known to no inbound: what they cause looks like an own
/// error.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_context_of_none() {
    let d = start("--name D --fail-rate 1");
    for (context, reason) in [("parent", "unclaimed"), ("none", "claimed")] {
        let c = start(&format!(
            "--name C --ownership enforce --context {context} --callee {} \
             --attempts 2 --retry-by application",
            d.callee()
        ));
        let wire = raw(&c.channel, "/C/Call", &[]).await;
        assert_eq!(wire.claim(), reason, "{context}");
    }
}

#[test]
fn a_bad_command_line_ends_with_2() {
    let run = |words: &[&str]| Command::new(NODE).args(words).output().unwrap();
    let refused = run(&["--attempts", "2"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(refused.stdout.is_empty());
    let message = String::from_utf8(refused.stderr).unwrap();
    assert!(
        message.starts_with("node: --retry-by grpc with"),
        "{message}"
    );
    let help = run(&["--help"]);
    assert!(help.status.success());
    assert!(String::from_utf8(help.stdout).unwrap().contains("--callee"));
}

#[test]
fn a_port_that_is_taken_is_named() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let output = Command::new(NODE).args(["--listen", &address]).output();
    let output = output.unwrap();
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains(&address), "{message}");
}
