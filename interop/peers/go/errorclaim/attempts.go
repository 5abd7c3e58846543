// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

package errorclaim

import (
	"context"
	"sync/atomic"

	"google.golang.org/grpc/stats"
)

type attemptsKey struct{}

// attemptCounter sees each attempt's headers go out. It can't tell a transparent
// retry from another.
type attemptCounter struct{}

func (attemptCounter) HandleRPC(ctx context.Context, event stats.RPCStats) {
	attempts, ours := ctx.Value(attemptsKey{}).(*uint32)
	if _, sent := event.(*stats.OutHeader); sent && ours {
		atomic.AddUint32(attempts, 1)
	}
}

func (attemptCounter) TagRPC(ctx context.Context, _ *stats.RPCTagInfo) context.Context {
	return ctx
}

func (attemptCounter) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context {
	return ctx
}

func (attemptCounter) HandleConn(context.Context, stats.ConnStats) {}
