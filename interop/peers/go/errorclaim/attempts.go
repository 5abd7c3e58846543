// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

package errorclaim

import (
	"context"
	"sync/atomic"

	"google.golang.org/grpc/stats"
)

// The attempts of one call, without transparent retries.
type attempts struct{ n atomic.Uint32 }

type attemptsKey struct{}

func (a *attempts) count(ctx context.Context) context.Context {
	return context.WithValue(ctx, attemptsKey{}, a)
}

func (a *attempts) made() uint32 { return a.n.Load() }

// attemptCounter is the stats.Handler that sees each attempt begin.
type attemptCounter struct{}

func (attemptCounter) HandleRPC(ctx context.Context, event stats.RPCStats) {
	begin, begins := event.(*stats.Begin)
	if !begins || begin.IsTransparentRetryAttempt {
		return
	}
	if a, ours := ctx.Value(attemptsKey{}).(*attempts); ours {
		a.n.Add(1)
	}
}

func (attemptCounter) TagRPC(ctx context.Context, _ *stats.RPCTagInfo) context.Context {
	return ctx
}

func (attemptCounter) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context {
	return ctx
}

func (attemptCounter) HandleConn(context.Context, stats.ConnStats) {}
