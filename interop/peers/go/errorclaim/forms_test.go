// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

package errorclaim

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"
	"testing"

	node "eown/generated/interop/v1"
	pb "eown/generated/v1"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/stats"
	"google.golang.org/grpc/status"
)

// The forms of calls: unary by the unary interceptors, the others by those of
// streams.
var forms = map[string]grpc.StreamDesc{
	"unary":            {},
	"client streaming": {ClientStreams: true},
	"server streaming": {ServerStreams: true},
	"bidirectional":    {ClientStreams: true, ServerStreams: true},
}

// Serves SERVICE/Call in this form: reads all requests, sends replies of which
// there may be none, and ends.
func serveForm(t *testing.T, form, service string, replies int,
	answer func(ctx context.Context, setTrailer func(metadata.MD)) error, options ...grpc.ServerOption) string {
	if form == "unary" {
		return serve(t, map[string]handler{"/" + service + "/Call": func(ctx context.Context, _ *node.CallRequest) error {
			return answer(ctx, func(md metadata.MD) { grpc.SetTrailer(ctx, md) })
		}}, options...)
	}
	desc := forms[form]
	desc.StreamName = "Call"
	desc.Handler = func(_ any, stream grpc.ServerStream) error {
		for {
			if err := stream.RecvMsg(new(node.CallRequest)); err == io.EOF {
				break
			} else if err != nil {
				return err
			}
		}
		for range replies {
			if err := stream.SendMsg(&node.CallReply{Node: service}); err != nil {
				return err
			}
		}
		return answer(stream.Context(), stream.SetTrailer)
	}
	return serveDesc(t, &grpc.ServiceDesc{ServiceName: service, HandlerType: (*any)(nil),
		Streams: []grpc.StreamDesc{desc}}, options...)
}

// Calls in this form, with two requests where it can: replies, and the end.
func callForm(ctx context.Context, channel *grpc.ClientConn, form, path string) (int, end) {
	if form == "unary" {
		return 0, invoke(ctx, channel, path)
	}
	desc := forms[form]
	stream, err := channel.NewStream(ctx, &desc, path)
	if err != nil {
		return 0, end{status: statusOf(err)}
	}
	sent := stream.SendMsg(&node.CallRequest{})
	if desc.ClientStreams && sent == nil {
		stream.SendMsg(&node.CallRequest{})
	}
	stream.CloseSend()
	replies := 0
	for err == nil {
		if err = stream.RecvMsg(new(node.CallReply)); err == nil {
			replies++
		}
	}
	if err == io.EOF {
		err = nil
	}
	return replies, end{statusOf(err), stream.Trailer()}
}

// A chain in one form: D fails and is retried by C, whose caller knows no claims.
func TestAllForms(t *testing.T) {
	for form := range forms {
		t.Run(form, func(t *testing.T) {
			var cServed, dServed atomic.Int32
			d := serveForm(t, form, "D", 0, func(context.Context, func(metadata.MD)) error {
				dServed.Add(1)
				return status.Error(codes.Unavailable, "gone")
			})
			channel := client(t, d, ClientOptions{Config: two})
			server := Server{}
			c := serveForm(t, form, "C", 0, func(ctx context.Context, setTrailer func(metadata.MD)) error {
				cServed.Add(1)
				_, ended := callForm(ctx, channel, form, "/D/Call")
				setTrailer(metadata.Pairs(claimKey, "copied", "x-own", "kept"))
				return ended.status.Err()
			}, server.Options()...)
			_, ended := callForm(background, stock(t, c, "4", "UNAVAILABLE"), form, "/C/Call")
			expect(t, "C served", cServed.Load(), int32(1))
			expect(t, "D served", dServed.Load(), int32(2))
			expect(t, "message", ended.status.Message(), "gone")
			expect(t, "claim", ended.values(claimKey), "unclaimed")
			expect(t, "pushback", ended.values(pushbackKey), "-1")
			expect(t, "x-own", ended.values("x-own"), "kept")
			expect(t, "detail", ended.detail().String(), (&pb.ErrorClaim{OwnerService: "D", OwnerMethod: "Call",
				Hops: 1, Attempts: 2, Reason: pb.ErrorClaim_PROPAGATED}).String())
		})
	}
}

// A claimed error leaves as Trailers-Only: a stock caller retries all forms.
func TestAllFormsAreRetriedInFull(t *testing.T) {
	for form := range forms {
		t.Run(form, func(t *testing.T) {
			var served atomic.Int32
			server := Server{}
			c := serveForm(t, form, "C", 0, func(context.Context, func(metadata.MD)) error {
				served.Add(1)
				return status.Error(codes.Unavailable, "own")
			}, server.Options()...)
			_, ended := callForm(background, stock(t, c, "3", "UNAVAILABLE"), form, "/C/Call")
			expect(t, "served", served.Load(), int32(3))
			expect(t, "claim", ended.values(claimKey), "claimed")
		})
	}
}

// Nor does an answer that came well leave a failure behind.
func TestAllFormsCanEndWell(t *testing.T) {
	for form := range forms {
		t.Run(form, func(t *testing.T) {
			fine := func(context.Context, func(metadata.MD)) error { return nil }
			channel := client(t, serveForm(t, form, "D", 1, fine), ClientOptions{Config: two})
			c := callerOf(t, Server{}, func(ctx context.Context) error {
				_, ended := callForm(ctx, channel, form, "/D/Call")
				expect(t, "code", ended.status.Code(), codes.OK)
				return status.Error(codes.Unavailable, "own")
			})
			ended := invoke(background, dial(t, c.address), "/C/Call")
			expect(t, "reason", ended.detail().Reason, pb.ErrorClaim_OWN)
			expect(t, "attempts", ended.detail().Attempts, uint32(0))
		})
	}
}

func TestAStreamThatFailsInTheMiddle(t *testing.T) {
	d := serveForm(t, "server streaming", "D", 1, func(context.Context, func(metadata.MD)) error {
		return status.Error(codes.Unavailable, "in the middle")
	})
	channel := client(t, d, ClientOptions{Config: two})
	server := Server{}
	c := serveForm(t, "server streaming", "C", 1, func(ctx context.Context, _ func(metadata.MD)) error {
		_, ended := callForm(ctx, channel, "server streaming", "/D/Call")
		return ended.status.Err()
	}, server.Options()...)
	replies, ended := callForm(background, dial(t, c), "server streaming", "/C/Call")
	expect(t, "replies", replies, 1)
	expect(t, "message", ended.status.Message(), "in the middle")
	expect(t, "claim", ended.values(claimKey), "unclaimed")
	expect(t, "owner", ended.detail().GetOwnerService(), "D")
	expect(t, "attempts", ended.detail().GetAttempts(), uint32(1))
}

// An error of the client's own ends a stream as well.
func TestARequestThatIsTooLarge(t *testing.T) {
	d := serveForm(t, "client streaming", "D", 0, nil)
	channel := client(t, d, ClientOptions{})
	c := callerOf(t, Server{}, func(ctx context.Context) error {
		desc := forms["client streaming"]
		stream, err := channel.NewStream(ctx, &desc, "/D/Call", grpc.MaxCallSendMsgSize(1))
		if err != nil {
			return err
		}
		return stream.SendMsg(&node.CallRequest{Payload: make([]byte, 100)})
	})
	ended := invoke(background, dial(t, c.address), "/C/Call")
	expect(t, "code", ended.status.Code(), codes.ResourceExhausted)
	expect(t, "reason", ended.detail().Reason, pb.ErrorClaim_AT_LEAST_ONCE)
}

func TestTransparentRetriesAreNotCounted(t *testing.T) {
	var made attempts
	ctx := made.count(background)
	for _, event := range []stats.RPCStats{&stats.Begin{Client: true},
		&stats.Begin{Client: true, IsTransparentRetryAttempt: true},
		&stats.OutHeader{Client: true}, &stats.Begin{Client: true}} {
		attemptCounter{}.HandleRPC(ctx, event)
		attemptCounter{}.HandleRPC(background, event)
	}
	expect(t, "attempts", made.made(), uint32(2))
}

// The application's own interceptors stay in force.
func TestBesideOtherInterceptors(t *testing.T) {
	var served, called atomic.Int32
	d := failing(t, codes.Unavailable)
	client, err := NewClient(ClientOptions{Config: two})
	if err != nil {
		t.Fatal(err)
	}
	channel := dial(t, d.address, append(client.Options(), grpc.WithUnaryInterceptor(
		func(ctx context.Context, path string, request, reply any, channel *grpc.ClientConn,
			invoke grpc.UnaryInvoker, options ...grpc.CallOption) error {
			called.Add(1)
			return invoke(ctx, path, request, reply, channel, options...)
		}))...)
	server := Server{}
	address := serve(t, map[string]handler{"/C/Call": func(ctx context.Context, _ *node.CallRequest) error {
		return passOn(ctx, channel, "/D/Call")
	}}, append(server.Options(), grpc.UnaryInterceptor(func(ctx context.Context, request any,
		_ *grpc.UnaryServerInfo, handle grpc.UnaryHandler) (any, error) {
		served.Add(1)
		return handle(ctx, request)
	}))...)
	ended := invoke(background, dial(t, address), "/C/Call")
	expect(t, "claim", ended.values(claimKey), "unclaimed")
	expect(t, "served", fmt.Sprint(served.Load(), called.Load()), "1 1")
}

// The code of a context's error is the one that gRPC sends for it.
func TestTheErrorOfAContextIsPassedOn(t *testing.T) {
	d := calleeOf(t, func(context.Context, int) error { return context.Canceled })
	c := passing(t, d, ClientOptions{}, Server{})
	ended := invoke(background, dial(t, c.address), "/C/Call")
	expect(t, "code", ended.status.Code(), codes.Canceled)
	expect(t, "claim", ended.values(claimKey), "unclaimed")

	channel := client(t, d.address, ClientOptions{})
	c = callerOf(t, Server{}, func(ctx context.Context) error {
		invoke(ctx, channel, "/D/Call")
		return context.Canceled
	})
	ended = invoke(background, dial(t, c.address), "/C/Call")
	expect(t, "claim", ended.values(claimKey), "unclaimed")
}

// So many calls at once that all are in C together: none sees another's outcome.
func TestConcurrentCallsKeepTheirOwnOutcomes(t *testing.T) {
	const calls = 60
	var arrived atomic.Int32
	all := make(chan struct{})
	channel := client(t, serve(t, map[string]handler{"/D/Call": func(_ context.Context, request *node.CallRequest) error {
		if arrived.Add(1) == calls {
			close(all)
		}
		<-all
		if request.Id%2 == 1 {
			return status.Error(codes.Unavailable, "odd")
		}
		return nil
	}}), ClientOptions{Config: two})
	server := Server{}
	c := dial(t, serve(t, map[string]handler{"/C/Call": func(ctx context.Context, request *node.CallRequest) error {
		invokeWith(ctx, channel, "/D/Call", request)
		return status.Error(codes.Unavailable, "always")
	}}, server.Options()...))
	ends := make(chan string, calls)
	for i := range calls {
		go func() {
			ended := invokeWith(background, c, "/C/Call", &node.CallRequest{Id: uint64(i)})
			ends <- fmt.Sprintf("%d %s %d", i%2, ended.values(claimKey), ended.detail().GetAttempts())
		}()
	}
	for range calls {
		if got := <-ends; got != "0 claimed 0" && got != "1 unclaimed 2" {
			t.Error(got)
		}
	}
}
