# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
# Sourced by the scripts of the Rust peer, with $here set: one place for all
# that cargo builds.
build=$(cd "$here/../../.." && pwd)/build/peers/rust
export CARGO_TARGET_DIR=$build CARGO_INCREMENTAL=0
unset CARGO_BUILD_TARGET
