// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

package errorclaim

import (
	"context"
	"net"
	"strings"
	"testing"
	"time"

	node "eown/interop/v1"
	pb "eown/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// Servers and clients in this process: methods by path.

type handler func(ctx context.Context, request *node.CallRequest) error

func (h handler) method(path string) grpc.MethodDesc {
	_, method := splitPath(path)
	serve := func(ctx context.Context, request interface{}) (interface{}, error) {
		return &node.CallReply{Node: "fine"}, h(ctx, request.(*node.CallRequest))
	}
	return grpc.MethodDesc{MethodName: method, Handler: func(_ interface{}, ctx context.Context,
		decode func(interface{}) error, interceptor grpc.UnaryServerInterceptor) (interface{}, error) {
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
	desc := grpc.ServiceDesc{HandlerType: (*interface{})(nil)}
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

func dial(t *testing.T, address string, options ...grpc.DialOption) *grpc.ClientConn {
	channel, err := grpc.Dial(address, append(options, grpc.WithInsecure(), grpc.WithNoProxy())...)
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
	return end{status.Convert(err), trailer}
}

// passOn calls, and hands the trailers of an error on, as a careless handler does.
func passOn(ctx context.Context, channel *grpc.ClientConn, path string) error {
	ended := invoke(ctx, channel, path)
	if ended.status.Code() != codes.OK {
		grpc.SetTrailer(ctx, ended.trailer)
	}
	return ended.status.Err()
}

func expect(t *testing.T, what string, got, expected interface{}) {
	t.Helper()
	if got != expected {
		t.Errorf("%s: got %v, expected %v", what, got, expected)
	}
}
