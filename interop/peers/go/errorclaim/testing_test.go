// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

package errorclaim

import (
	"context"
	"errors"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	node "eown/generated/interop/v1"
	pb "eown/generated/v1"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// Servers and clients in this process: methods by path.

type handler func(ctx context.Context, request *node.CallRequest) error

func (h handler) method(path string) grpc.MethodDesc {
	_, method := splitPath(path)
	serve := func(ctx context.Context, request any) (any, error) {
		return &node.CallReply{Node: "fine"}, h(ctx, request.(*node.CallRequest))
	}
	return grpc.MethodDesc{MethodName: method, Handler: func(_ any, ctx context.Context,
		decode func(any) error, interceptor grpc.UnaryServerInterceptor) (any, error) {
		request := new(node.CallRequest)
		if err := decode(request); err != nil {
			return nil, err
		}
		if interceptor == nil {
			return serve(ctx, request)
		}
		return interceptor(ctx, request, &grpc.UnaryServerInfo{FullMethod: path}, serve)
	}}
}

// Serves these handlers, all of one service, and returns the address.
func serve(t *testing.T, handlers map[string]handler, options ...grpc.ServerOption) string {
	desc := grpc.ServiceDesc{HandlerType: (*any)(nil)}
	for path, h := range handlers {
		desc.ServiceName, _ = splitPath(path)
		desc.Methods = append(desc.Methods, h.method(path))
	}
	return serveDesc(t, &desc, options...)
}

func serveDesc(t *testing.T, desc *grpc.ServiceDesc, options ...grpc.ServerOption) string {
	server := grpc.NewServer(options...)
	server.RegisterService(desc, nil)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go server.Serve(listener)
	t.Cleanup(server.Stop)
	return listener.Addr().String()
}

func dial(t testing.TB, address string, options ...grpc.DialOption) *grpc.ClientConn {
	options = append(options, grpc.WithNoProxy(),
		grpc.WithTransportCredentials(insecure.NewCredentials()))
	channel, err := grpc.NewClient(address, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { channel.Close() })
	return channel
}

func configOf(attempts string, retryable ...string) string {
	return `{"methodConfig":[{"name":[{}],"retryPolicy":{"maxAttempts":` + attempts +
		`,"initialBackoff":"0.001s","maxBackoff":"0.002s","backoffMultiplier":1,` +
		`"retryableStatusCodes":["` + strings.Join(retryable, `","`) + `"]}}]}`
}

// A client with a retry policy that knows nothing of the protocol.
func stock(t *testing.T, address, attempts string, retryable ...string) *grpc.ClientConn {
	return dial(t, address, grpc.WithDefaultServiceConfig(configOf(attempts, retryable...)))
}

func client(t *testing.T, address string, options ClientOptions) *grpc.ClientConn {
	c, err := NewClient(options)
	if err != nil {
		t.Fatal(err)
	}
	return dial(t, address, c.Options()...)
}

// How a call ended.
type end struct {
	status  *status.Status
	trailer metadata.MD
}

// What the detail says; nil without one.
func (e end) detail() *pb.ErrorClaim {
	if details := e.trailer.Get(detailKey); len(details) == 1 {
		return readDetail(details[0])
	}
	return nil
}

func (e end) values(key string) string { return strings.Join(e.trailer.Get(key), "|") }

func invoke(ctx context.Context, channel *grpc.ClientConn, path string) end {
	return invokeWith(ctx, channel, path, &node.CallRequest{})
}

func invokeWith(ctx context.Context, channel *grpc.ClientConn, path string, request *node.CallRequest) end {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	var trailer metadata.MD
	err := channel.Invoke(ctx, path, request, new(node.CallReply), grpc.Trailer(&trailer))
	return end{statusOf(err), trailer}
}

// The status as it was sent: where its retries are exhausted, grpc-go says so
// around it.
func statusOf(err error) *status.Status {
	var sent interface{ GRPCStatus() *status.Status }
	if errors.As(err, &sent) {
		return sent.GRPCStatus()
	}
	return status.Convert(err)
}

// passOn calls, and hands the trailers of an error on, as a careless handler does.
func passOn(ctx context.Context, channel *grpc.ClientConn, path string) error {
	ended := invoke(ctx, channel, path)
	if ended.status.Code() != codes.OK {
		grpc.SetTrailer(ctx, ended.trailer)
	}
	return ended.status.Err()
}

func expect(t *testing.T, what string, got, expected any) {
	t.Helper()
	if got != expected {
		t.Errorf("%s: got %v, expected %v", what, got, expected)
	}
}

// A callee D that says how often it was called, and with what marks.
type callee struct {
	address string
	mu      sync.Mutex
	marks   []string // of each request, its values with | between them
}

// Serves /D/Call.
func calleeOf(t *testing.T, answer func(ctx context.Context, n int) error) *callee {
	d := &callee{}
	d.address = serve(t, map[string]handler{"/D/Call": func(ctx context.Context, _ *node.CallRequest) error {
		return answer(ctx, d.note(ctx))
	}})
	return d
}

// The number of the request, from 1.
func (d *callee) note(ctx context.Context) int {
	md, _ := metadata.FromIncomingContext(ctx)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.marks = append(d.marks, strings.Join(md.Get(markKey), "|"))
	return len(d.marks)
}

func (d *callee) served() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.marks)
}

// The marks of all requests, with commas between them.
func (d *callee) allMarks() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return strings.Join(d.marks, ",")
}

// Fails always, without knowing the protocol.
func failing(t *testing.T, code codes.Code, trailer ...string) *callee {
	return calleeOf(t, func(ctx context.Context, _ int) error {
		grpc.SetTrailer(ctx, metadata.Pairs(trailer...))
		return status.Error(code, "gone")
	})
}

// Fails the first n times.
func failingFirst(t *testing.T, n int, code codes.Code) *callee {
	return calleeOf(t, func(_ context.Context, i int) error {
		if i <= n {
			return status.Error(code, "gone")
		}
		return nil
	})
}

// A caller C serves /C/Call in this way.
type caller struct {
	address string
	served  atomic.Int32
}

func callerOf(t *testing.T, server Server, answer func(context.Context) error) *caller {
	c := &caller{}
	c.address = serve(t, map[string]handler{"/C/Call": func(ctx context.Context, _ *node.CallRequest) error {
		c.served.Add(1)
		return answer(ctx)
	}}, server.Options()...)
	return c
}

// Passes on what D answers, with its trailers.
func passing(t *testing.T, d *callee, options ClientOptions, server Server) *caller {
	channel := client(t, d.address, options)
	return callerOf(t, server, func(ctx context.Context) error {
		return passOn(ctx, channel, "/D/Call")
	})
}
