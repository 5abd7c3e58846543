// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

//! The versions for the ready line: of the compiler, and of tonic in Cargo.lock.

use std::process::Command;
use std::{env, fs};

fn rust_version() -> Option<String> {
    let output = Command::new(env::var_os("RUSTC")?)
        .arg("--version")
        .output();
    let text = String::from_utf8(output.ok()?.stdout).ok()?;
    text.split(' ').nth(1).map(str::to_owned)
}

fn tonic_version(lock: &str) -> Option<&str> {
    let (_, entry) = lock.split_once("name = \"tonic\"\nversion = \"")?;
    entry.split('"').next()
}

fn main() {
    println!("cargo::rerun-if-changed=Cargo.lock");
    let lock = fs::read_to_string("Cargo.lock").expect("Cargo.lock");
    let rust = rust_version().expect("the version of rustc");
    let tonic = tonic_version(&lock).expect("the version of tonic in Cargo.lock");
    println!("cargo::rustc-env=EOWN_RUST_VERSION={rust}");
    println!("cargo::rustc-env=EOWN_TONIC_VERSION={tonic}");
}
