# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
# Sourced by the scripts of the Go peer, with $here set: the toolchain that is
# installed and no other, and a build cache of its own.
build=$(cd "$here/../../.." && pwd)/build/peers/go
export GOTOOLCHAIN=local GO111MODULE=on GOWORK=off GOCACHE=$build/cache
# Without optimisation: that is a third less to do, and nothing here is timed.
flags=(-buildvcs=false -mod=readonly '-gcflags=all=-N -l')
