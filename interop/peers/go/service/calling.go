// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"time"

	pb "eown/generated/interop/v1"
	"eown/peer/errorclaim"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

const (
	shortestWait = time.Millisecond // of its loops
	longestWait  = 2 * time.Millisecond
)

// Which callees to call: all, or the one that the request names.
func (n *node) wanted(ctx context.Context) ([]int, error) {
	md, _ := metadata.FromIncomingContext(ctx)
	names := md.Get("eown-node-callee")
	var wanted []int
	for i, callee := range n.options.callees {
		if len(names) == 0 || names[0] == callee.name {
			wanted = append(wanted, i)
		}
	}
	if len(names) > 0 && len(wanted) == 0 {
		return nil, status.Errorf(codes.InvalidArgument,
			"eown-node-callee: '%s': expected the name of a callee of %s",
			names[0], n.options.name)
	}
	return wanted, nil
}

// Calls them in order, no further than one that fails the call.
func (n *node) callCallees(ctx context.Context, request *pb.CallRequest, wanted []int,
	fails bool) (uint32, error) {
	var below uint32
	var failed error
	for _, i := range wanted {
		if failed != nil && !fails {
			break
		}
		reply, err := n.callCallee(ctx, i, request)
		if err == nil {
			below += 1 + reply.NodesBelow
		} else if failed == nil && !n.options.callees[i].failOpen {
			failed = received(err)
		}
	}
	return below, failed
}

// The status as the callee sent it: where its retries are exhausted, grpc-go says
// so around it.
func received(err error) error {
	var sent interface{ GRPCStatus() *status.Status }
	if errors.As(err, &sent) {
		return sent.GRPCStatus().Err()
	}
	return err
}

// Nothing but the deadline of the inbound call.
func untied(ctx context.Context) (context.Context, context.CancelFunc) {
	if deadline, ok := ctx.Deadline(); ok {
		return context.WithDeadline(context.Background(), deadline)
	}
	return context.WithCancel(context.Background())
}

func (n *node) callCallee(ctx context.Context, i int, request *pb.CallRequest) (*pb.CallReply, error) {
	if n.options.context == "none" {
		var cancel context.CancelFunc
		ctx, cancel = untied(ctx)
		defer cancel()
	}
	switch {
	case n.options.retryBy == "grpc":
		reply, _, err := n.callOnce(ctx, i, request)
		return reply, err
	case n.options.ownership == "stock":
		return n.loopPlainly(ctx, i, request)
	}
	return n.loop(ctx, i, request)
}

func (n *node) callOnce(ctx context.Context, i int, request *pb.CallRequest) (
	reply *pb.CallReply, trailer metadata.MD, err error) {
	n.counts.add(&n.counts.Made)
	n.counts.add(&n.counts.Callees[i].Calls)
	reply = new(pb.CallReply)
	path := "/" + n.options.callees[i].name + "/Call"
	err = n.channels[i].Invoke(ctx, path, request, reply, grpc.Trailer(&trailer))
	if err != nil {
		n.counts.failed(i, trailer)
	}
	return reply, trailer, err
}

// A loop as people write them: it looks at the status and the number of calls.
func (n *node) loopPlainly(ctx context.Context, i int, request *pb.CallRequest) (*pb.CallReply, error) {
	for calls := uint64(1); ; calls++ {
		reply, _, err := n.callOnce(ctx, i, request)
		retryable := slices.Contains(n.options.retryCodes, status.Code(err))
		if err == nil || !retryable || calls >= n.options.attempts {
			return reply, err
		}
		time.Sleep(shortestWait + rand.N(longestWait-shortestWait))
	}
}

// The loop of errorclaim, in the node's mode.
func (n *node) loop(ctx context.Context, i int, request *pb.CallRequest) (*pb.CallReply, error) {
	retry, err := errorclaim.NewRetry(ctx, errorclaim.RetryOptions{
		MaxAttempts:    int(n.options.attempts),
		Codes:          n.options.retryCodes,
		InitialBackoff: (shortestWait + longestWait) / 2, // 1.2 to 1.8 ms
		MaxBackoff:     longestWait,
		Multiplier:     1,
		Mode:           errorclaim.Mode(n.options.ownership),
		OnStop:         n.counts.stopped,
	})
	if err != nil {
		return nil, status.Error(codes.Internal, err.Error())
	}
	for {
		reply, trailer, err := n.callOnce(retry.Context(), i, request)
		if !retry.Again(err, trailer) {
			return reply, err
		}
	}
}
