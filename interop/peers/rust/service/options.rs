// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

//! The command line.

use tonic::Code;

#[derive(Clone, Debug, PartialEq)]
pub struct CalleeOption {
    pub name: String,
    pub target: String,
    pub fail_open: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetryBy {
    Grpc,
    Application,
    Both,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ownership {
    Stock,
    Off,
    Observe,
    Enforce,
}

#[derive(Clone, Debug)]
pub struct Options {
    pub name: String,
    pub listen: String,
    pub callees: Vec<CalleeOption>,
    pub fail_rate: f64,
    pub fail_status: Code,
    pub healthy_first: u64,
    pub seed: u64,
    pub attempts: u32,
    pub retry_codes: Vec<Code>,
    pub retry_by: RetryBy,
    pub ownership: Ownership,
    /// Outbound calls are tied to their inbound.
    pub tied: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            name: "node".to_owned(),
            listen: "127.0.0.1:0".to_owned(),
            callees: Vec::new(),
            fail_rate: 0.0,
            fail_status: Code::Unavailable,
            healthy_first: 0,
            seed: 1,
            attempts: 1,
            retry_codes: vec![
                Code::Unknown,
                Code::DeadlineExceeded,
                Code::ResourceExhausted,
                Code::Aborted,
                Code::Internal,
                Code::Unavailable,
                Code::DataLoss,
            ],
            retry_by: RetryBy::Grpc,
            ownership: Ownership::Stock,
            tied: true,
        }
    }
}

/// What else than options a command line may ask for.
#[derive(Debug)]
pub enum Refusal {
    Help,
    Bad(String),
}

pub const HELP: &str = "\
Usage: node [OPTION...]
One node of a call graph, in Rust with tonic: serves
/eown.interop.v1.Node/{Call,Stats} and /NAME/Call, and calls its callees for
each call. Prints a line of JSON when it is ready and one with its counts at its
exit, on SIGTERM or SIGINT.

  --name NAME           of this node and of its service (node)
  --listen HOST:PORT    to serve; port 0 picks one (127.0.0.1:0)
  --callee NAME=HOST:PORT[,fail-open]
                        a node to call for each inbound call; may be repeated
  --fail-rate RATE      of calls it fails by itself (0)
  --fail-status STATUS  of its own failures (UNAVAILABLE)
  --healthy-first N     the first N calls do not fail (0)
  --seed N              of its random numbers (1)
  --attempts K          calls at most to a callee; 1: no retry (1)
  --retry-codes A,B,..  retryable codes (the seven faults)
  --retry-by WHO        grpc, application or both (grpc); tonic has no retry
                        policy: more than one attempt needs application
  --ownership MODE      stock, off, observe or enforce (stock)
  --context WAY         parent, or none: outbound calls are tied to nothing
                        (parent)
  --help                this text

Example, the caller of a node D, with one retry and error ownership:
  node --name C --listen 127.0.0.1:7003 --callee D=127.0.0.1:7004 \\
    --attempts 2 --retry-by application --ownership enforce
";

const CODES: [(&str, Code); 16] = [
    ("CANCELLED", Code::Cancelled),
    ("UNKNOWN", Code::Unknown),
    ("INVALID_ARGUMENT", Code::InvalidArgument),
    ("DEADLINE_EXCEEDED", Code::DeadlineExceeded),
    ("NOT_FOUND", Code::NotFound),
    ("ALREADY_EXISTS", Code::AlreadyExists),
    ("PERMISSION_DENIED", Code::PermissionDenied),
    ("RESOURCE_EXHAUSTED", Code::ResourceExhausted),
    ("FAILED_PRECONDITION", Code::FailedPrecondition),
    ("ABORTED", Code::Aborted),
    ("OUT_OF_RANGE", Code::OutOfRange),
    ("UNIMPLEMENTED", Code::Unimplemented),
    ("INTERNAL", Code::Internal),
    ("UNAVAILABLE", Code::Unavailable),
    ("DATA_LOSS", Code::DataLoss),
    ("UNAUTHENTICATED", Code::Unauthenticated),
];

fn code_named(text: &str) -> Option<Code> {
    let mut codes = CODES.iter();
    let found = codes.find(|(name, _)| text.eq_ignore_ascii_case(name));
    found.map(|(_, code)| *code)
}

fn is_name(text: &str) -> bool {
    let fits = |c: u8| c.is_ascii_alphanumeric() || b"-_.".contains(&c);
    (1..=63).contains(&text.len()) && text.bytes().all(fits)
}

fn is_address(text: &str, lowest_port: u16) -> bool {
    text.rsplit_once(':').is_some_and(|(host, port)| {
        let digits = port.bytes().all(|c| c.is_ascii_digit());
        let port = port.parse::<u16>();
        !host.is_empty() && digits && port.is_ok_and(|port| port >= lowest_port)
    })
}

type Taken<T> = Result<T, String>;

fn take_name(text: &str) -> Taken<String> {
    let expected = "1 to 63 letters, digits, '-', '_' or '.'";
    let name = Some(text).filter(|text| is_name(text));
    name.map(str::to_owned).ok_or(expected.to_owned())
}

fn take_listen(text: &str) -> Taken<String> {
    let expected = "HOST:PORT with a port from 0 to 65535";
    let address = Some(text).filter(|text| is_address(text, 0));
    address.map(str::to_owned).ok_or(expected.to_owned())
}

fn take_callee(text: &str) -> Taken<CalleeOption> {
    let callee = || {
        let (name, rest) = text.split_once('=')?;
        let (target, fail_open) = match rest.strip_suffix(",fail-open") {
            Some(target) => (target, true),
            None => (rest, false),
        };
        let fits = is_name(name) && !target.contains(',') && is_address(target, 1);
        fits.then(|| CalleeOption {
            name: name.to_owned(),
            target: target.to_owned(),
            fail_open,
        })
    };
    callee().ok_or("NAME=HOST:PORT or NAME=HOST:PORT,fail-open".to_owned())
}

fn take_rate(text: &str) -> Taken<f64> {
    let rate = text.parse().ok().filter(|rate| (0.0..=1.0).contains(rate));
    rate.ok_or("a number from 0 to 1".to_owned())
}

fn take_status(text: &str) -> Taken<Code> {
    code_named(text).ok_or("the name of a gRPC status code other than OK".to_owned())
}

fn take_codes(text: &str) -> Taken<Vec<Code>> {
    let codes: Option<Vec<Code>> = text.split(',').map(code_named).collect();
    codes.ok_or("names of gRPC status codes other than OK, separated by commas".to_owned())
}

fn take_number(text: &str, least: u64, most: u64) -> Taken<u64> {
    let number = text.parse().ok();
    let number = number.filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| format!("a whole number from {least} to {most}"))
}

fn take_word<T: Copy>(text: &str, words: &[(&str, T)]) -> Taken<T> {
    let found = words.iter().find(|(word, _)| *word == text);
    let names: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
    let expected = || format!("one of {}", names.join(", "));
    found.map(|(_, value)| *value).ok_or_else(expected)
}

const RETRY_BY: [(&str, RetryBy); 3] = [
    ("grpc", RetryBy::Grpc),
    ("application", RetryBy::Application),
    ("both", RetryBy::Both),
];

const OWNERSHIP: [(&str, Ownership); 4] = [
    ("stock", Ownership::Stock),
    ("off", Ownership::Off),
    ("observe", Ownership::Observe),
    ("enforce", Ownership::Enforce),
];

const NAMES: [&str; 12] = [
    "--name",
    "--listen",
    "--callee",
    "--fail-rate",
    "--fail-status",
    "--healthy-first",
    "--seed",
    "--attempts",
    "--retry-codes",
    "--retry-by",
    "--ownership",
    "--context",
];

impl Options {
    fn take(&mut self, option: &str, text: &str) -> Taken<()> {
        match option {
            "--name" => self.name = take_name(text)?,
            "--listen" => self.listen = take_listen(text)?,
            "--callee" => self.callees.push(take_callee(text)?),
            "--fail-rate" => self.fail_rate = take_rate(text)?,
            "--fail-status" => self.fail_status = take_status(text)?,
            "--healthy-first" => self.healthy_first = take_number(text, 0, u64::MAX)?,
            "--seed" => self.seed = take_number(text, 0, u64::MAX)?,
            "--attempts" => self.attempts = take_number(text, 1, 100)? as u32,
            "--retry-codes" => self.retry_codes = take_codes(text)?,
            "--retry-by" => self.retry_by = take_word(text, &RETRY_BY)?,
            "--ownership" => self.ownership = take_word(text, &OWNERSHIP)?,
            "--context" => self.tied = take_word(text, &[("parent", true), ("none", false)])?,
            _ => unreachable!("{option} is among NAMES"),
        }
        Ok(())
    }

    fn check(self) -> Result<Options, Refusal> {
        if self.attempts == 1 || self.retry_by == RetryBy::Application {
            return Ok(self);
        }
        let word = RETRY_BY.iter().find(|(_, by)| *by == self.retry_by);
        Err(Refusal::Bad(format!(
            "--retry-by {} with --attempts {}: tonic has no retry policy, \
             expected --retry-by application",
            word.map_or("", |(word, _)| word),
            self.attempts
        )))
    }

    /// Reads the words of a command line, without the program's name.
    pub fn read(words: impl Iterator<Item = String>) -> Result<Options, Refusal> {
        let mut options = Options::default();
        let mut words = words;
        while let Some(word) = words.next() {
            if word == "--help" || word == "-h" {
                return Err(Refusal::Help);
            }
            let (option, value) = match word.split_once('=') {
                Some((option, value)) => (option, Some(value.to_owned())),
                None => (word.as_str(), None),
            };
            if !NAMES.contains(&option) {
                let message = format!("got \"{word}\", expected an option of --help");
                return Err(Refusal::Bad(message));
            }
            let Some(value) = value.or_else(|| words.next()) else {
                return Err(Refusal::Bad(format!("{option}: expected a value")));
            };
            options.take(option, &value).map_err(|expected| {
                Refusal::Bad(format!("{option}: got \"{value}\", expected {expected}"))
            })?;
        }
        options.check()
    }
}
