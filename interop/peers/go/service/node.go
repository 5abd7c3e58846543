// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"net"
	"time"

	pb "eown/generated/interop/v1"
	"eown/peer/errorclaim"

	"google.golang.org/grpc"
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
	desc := grpc.ServiceDesc{ServiceName: service, HandlerType: (*any)(nil),
		Methods: []grpc.MethodDesc{{MethodName: "Call", Handler: n.handler(
			service+"/Call", func() any { return new(pb.CallRequest) }, n.call)}}}
	if stats {
		desc.Methods = append(desc.Methods, grpc.MethodDesc{MethodName: "Stats",
			Handler: n.handler(service+"/Stats",
				func() any { return new(pb.StatsRequest) }, n.stats)})
	}
	n.server.RegisterService(&desc, n)
}

type methodHandler = func(any, context.Context, func(any) error,
	grpc.UnaryServerInterceptor) (any, error)

func (n *node) handler(path string, request func() any, serve grpc.UnaryHandler) methodHandler {
	return func(_ any, ctx context.Context, decode func(any) error,
		interceptor grpc.UnaryServerInterceptor) (any, error) {
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

func (n *node) call(ctx context.Context, request any) (any, error) {
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

func (n *node) stats(_ context.Context, request any) (any, error) {
	reset := request.(*pb.StatsRequest).Reset_
	return &pb.StatsReply{Json: n.counts.json("stats", reset)}, nil
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
