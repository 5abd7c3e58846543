// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"time"

	pb "eown/interop/v1"
	"eown/peer/errorclaim"
	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

const grace = 2 * time.Second

// A node is a server, and a channel to each of its callees.
type node struct {
	options  *options
	counts   *counts
	dice     *dice
	channels []*grpc.ClientConn
	server   *grpc.Server
}

// The service config with the retry policy; one attempt: none.
func configOf(attempts uint64, retryCodes []string) string {
	if attempts == 1 {
		return ""
	}
	names, _ := json.Marshal(retryCodes) // texts always go
	return fmt.Sprintf(`{"methodConfig":[{"name":[{}],"retryPolicy":{`+
		`"maxAttempts":%d,"initialBackoff":"0.001s","maxBackoff":"0.002s",`+
		`"backoffMultiplier":1,"retryableStatusCodes":%s}}]}`, attempts, names)
}

func newNode(o *options) (*node, error) {
	n := &node{options: o, counts: newCounts(o), dice: newDice(o)}
	for _, callee := range o.callees {
		channel, err := n.dial(callee)
		if err != nil {
			return nil, fmt.Errorf("--callee %s: %v", callee.name, err)
		}
		n.channels = append(n.channels, channel)
	}
	n.server = grpc.NewServer(n.serverOptions()...)
	n.register("eown.interop.v1.Node", true)
	if o.name != "eown.interop.v1.Node" {
		n.register(o.name, false)
	}
	return n, nil
}

func (n *node) owned() bool {
	return n.options.ownership == "observe" || n.options.ownership == "enforce"
}

func (n *node) dial(callee calleeOption) (*grpc.ClientConn, error) {
	reconnect := backoff.Config{BaseDelay: 50 * time.Millisecond, Multiplier: 1.6,
		Jitter: 0.2, MaxDelay: 200 * time.Millisecond}
	config := configOf(n.options.attempts, n.options.retryCodes)
	options := []grpc.DialOption{grpc.WithInsecure(), grpc.WithNoProxy(),
		grpc.WithDisableServiceConfig(), grpc.WithConnectParams(
			grpc.ConnectParams{Backoff: reconnect, MinConnectTimeout: 5 * time.Second})}
	if n.owned() {
		client, err := errorclaim.NewClient(errorclaim.ClientOptions{
			Config:    config,
			FailOpen:  callee.failOpen,
			OnStopped: func() { n.counts.add(&n.counts.RetriesStopped.Unclaimed) },
		})
		if err != nil {
			return nil, err
		}
		options = append(options, client.Options()...)
	} else if config != "" {
		options = append(options, grpc.WithDefaultServiceConfig(config))
	}
	return grpc.Dial(callee.target, options...)
}

func (n *node) serverOptions() []grpc.ServerOption {
	if !n.owned() {
		return nil
	}
	server := &errorclaim.Server{
		Service: n.options.name,
		Observe: n.options.ownership == "observe",
		OnSent:  n.counts.sent,
	}
	return server.Options()
}

// --- serving -------------------------------------------------------------------

// The names of the services are only known at run time, so they are described
// here and not by generated code.
func (n *node) register(service string, stats bool) {
	desc := grpc.ServiceDesc{ServiceName: service, HandlerType: (*interface{})(nil),
		Methods: []grpc.MethodDesc{{MethodName: "Call", Handler: n.handler(
			service+"/Call", func() interface{} { return new(pb.CallRequest) }, n.call)}}}
	if stats {
		desc.Methods = append(desc.Methods, grpc.MethodDesc{MethodName: "Stats",
			Handler: n.handler(service+"/Stats",
				func() interface{} { return new(pb.StatsRequest) }, n.stats)})
	}
	n.server.RegisterService(&desc, n)
}

type methodHandler = func(interface{}, context.Context, func(interface{}) error,
	grpc.UnaryServerInterceptor) (interface{}, error)

func (n *node) handler(path string, request func() interface{}, serve grpc.UnaryHandler) methodHandler {
	return func(_ interface{}, ctx context.Context, decode func(interface{}) error,
		interceptor grpc.UnaryServerInterceptor) (interface{}, error) {
		in := request()
		if err := decode(in); err != nil {
			return nil, err
		}
		if interceptor == nil {
			return serve(ctx, in)
		}
		info := &grpc.UnaryServerInfo{Server: n, FullMethod: "/" + path}
		return interceptor(ctx, in, info, serve)
	}
}

func (n *node) call(ctx context.Context, request interface{}) (interface{}, error) {
	n.counts.add(&n.counts.Served)
	fails := n.dice.throw()
	wanted, err := n.wanted(ctx)
	fails = fails && err == nil // a refusal is no failure of its own
	var below uint32
	if err == nil {
		below, err = n.callCallees(ctx, request.(*pb.CallRequest), wanted, fails)
	}
	if fails {
		n.counts.add(&n.counts.OwnFailures)
		err = status.Errorf(n.options.failStatus, "%s fails by itself", n.options.name)
	}
	if err != nil {
		n.counts.add(&n.counts.Errors)
		return nil, err
	}
	return &pb.CallReply{Node: n.options.name, NodesBelow: below}, nil
}

func (n *node) stats(_ context.Context, request interface{}) (interface{}, error) {
	reset := request.(*pb.StatsRequest).Reset_
	return &pb.StatsReply{Json: n.counts.json("stats", reset)}, nil
}

// --- calling -------------------------------------------------------------------

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
			failed = err
		}
	}
	return below, failed
}

// Nothing but the deadline of the inbound call.
func untied(ctx context.Context) (context.Context, context.CancelFunc) {
	if deadline, ok := ctx.Deadline(); ok {
		return context.WithDeadline(context.Background(), deadline)
	}
	return context.Background(), func() {}
}

func (n *node) callCallee(ctx context.Context, i int, request *pb.CallRequest) (*pb.CallReply, error) {
	if n.options.context == "none" {
		var cancel context.CancelFunc
		ctx, cancel = untied(ctx)
		defer cancel()
	}
	n.counts.add(&n.counts.Made)
	n.counts.add(&n.counts.Callees[i].Calls)
	reply := new(pb.CallReply)
	var trailer metadata.MD
	path := "/" + n.options.callees[i].name + "/Call"
	err := n.channels[i].Invoke(ctx, path, request, reply, grpc.Trailer(&trailer))
	if err != nil {
		n.counts.failed(i, trailer)
	}
	return reply, err
}

// --- life ----------------------------------------------------------------------

// Ends calls in progress, at most for a while.
func (n *node) stop() {
	timer := time.AfterFunc(grace, n.server.Stop)
	n.server.GracefulStop()
	timer.Stop()
	for _, channel := range n.channels {
		channel.Close()
	}
}

func listen(address string) (net.Listener, int, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, 0, err
	}
	return listener, listener.Addr().(*net.TCPAddr).Port, nil
}
