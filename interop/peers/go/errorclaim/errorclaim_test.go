// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

package errorclaim

import (
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	node "eown/interop/v1"
	pb "eown/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

var (
	background = context.Background()
	two        = configOf("2", "UNAVAILABLE")
)

// A callee D fails without knowing the protocol.
type callee struct {
	address string
	served  int32
	mu      sync.Mutex
	request metadata.MD // the last one's
}

func failing(t *testing.T, code codes.Code, trailer ...string) *callee {
	d := &callee{}
	d.address = serve(t, map[string]handler{"/D/Call": func(ctx context.Context, _ *node.CallRequest) error {
		atomic.AddInt32(&d.served, 1)
		d.mu.Lock()
		d.request, _ = metadata.FromIncomingContext(ctx)
		d.mu.Unlock()
		grpc.SetTrailer(ctx, metadata.Pairs(trailer...))
		return status.Error(code, "gone")
	}})
	return d
}

func (d *callee) marks() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return strings.Join(d.request.Get(markKey), "|")
}

// A caller C passes on what D answers, with its trailers.
type caller struct {
	address string
	served  int32
}

func passing(t *testing.T, d *callee, options ClientOptions, server Server) *caller {
	c := &caller{}
	channel := client(t, d.address, options)
	c.address = serve(t, map[string]handler{"/C/Call": func(ctx context.Context, _ *node.CallRequest) error {
		atomic.AddInt32(&c.served, 1)
		return passOn(ctx, channel, "/D/Call")
	}}, server.Options()...)
	return c
}

func TestClaimedIsRetriedInFull(t *testing.T) {
	var served int32
	server := Server{Service: "shop.Stock"}
	address := serve(t, map[string]handler{"/C/Call": func(ctx context.Context, _ *node.CallRequest) error {
		atomic.AddInt32(&served, 1)
		grpc.SetTrailer(ctx, metadata.Pairs("x-own", "a", "x-own", "b"))
		return status.Error(codes.Unavailable, "out: “of” %stock")
	}}, server.Options()...)
	ended := invoke(background, stock(t, address, "4", "UNAVAILABLE"), "/C/Call")
	expect(t, "served", atomic.LoadInt32(&served), int32(4))
	expect(t, "code", ended.status.Code(), codes.Unavailable)
	expect(t, "message", ended.status.Message(), "out: “of” %stock")
	expect(t, "x-own", ended.values("x-own"), "a|b")
	expect(t, "claim", ended.values(claimKey), "claimed")
	expect(t, "pushback", ended.values(pushbackKey), "")
	expect(t, "detail", ended.detail().String(), (&pb.ErrorClaim{OwnerService: "shop.Stock",
		OwnerMethod: "Call", Reason: pb.ErrorClaim_OWN}).String())
}

func TestUnclaimedIsNotRetriedByAStockClient(t *testing.T) {
	d := failing(t, codes.Unavailable)
	c := passing(t, d, ClientOptions{Config: two}, Server{})
	ended := invoke(background, stock(t, c.address, "4", "UNAVAILABLE"), "/C/Call")
	expect(t, "C served", c.served, int32(1))
	expect(t, "D served", d.served, int32(2))
	expect(t, "code", ended.status.Code(), codes.Unavailable)
	expect(t, "message", ended.status.Message(), "gone")
	expect(t, "claim", ended.values(claimKey), "unclaimed")
	expect(t, "pushback", ended.values(pushbackKey), "-1")
	expect(t, "detail", ended.detail().String(), (&pb.ErrorClaim{OwnerService: "D",
		OwnerMethod: "Call", Hops: 1, Attempts: 2, Reason: pb.ErrorClaim_PROPAGATED}).String())
}

func TestWithoutAPolicyForTheStatusSomebodyHasToRetry(t *testing.T) {
	d := failing(t, codes.Internal)
	c := passing(t, d, ClientOptions{Config: two}, Server{})
	ended := invoke(background, stock(t, c.address, "3", "INTERNAL"), "/C/Call")
	expect(t, "C served", c.served, int32(3))
	expect(t, "claim", ended.values(claimKey), "claimed")
	expect(t, "reason", ended.detail().Reason, pb.ErrorClaim_AT_LEAST_ONCE)
	expect(t, "attempts", ended.detail().Attempts, uint32(1))
}

func TestARetryThatEndsWithAnotherStatusIsARetry(t *testing.T) {
	var served int32
	d := &callee{address: serve(t, map[string]handler{"/D/Call": func(context.Context, *node.CallRequest) error {
		if atomic.AddInt32(&served, 1) == 1 {
			return status.Error(codes.Unavailable, "first")
		}
		return status.Error(codes.Internal, "second")
	}})}
	c := passing(t, d, ClientOptions{Config: two}, Server{})
	ended := invoke(background, dial(t, c.address), "/C/Call")
	expect(t, "code", ended.status.Code(), codes.Internal)
	expect(t, "claim", ended.values(claimKey), "unclaimed")
	expect(t, "attempts", ended.detail().Attempts, uint32(2))
}

func TestCopiedTrailersLeaveAsTheOwnWord(t *testing.T) {
	var stopped int32
	detail := "\n\x0ashop.Stock\x12\x03Get\x18\x03"
	d := failing(t, codes.Unavailable, claimKey, "unclaimed", detailKey, detail,
		pushbackKey, "-1", "x-own", "kept")
	c := passing(t, d, ClientOptions{Config: two,
		OnStopped: func() { atomic.AddInt32(&stopped, 1) }}, Server{})
	ended := invoke(background, stock(t, c.address, "4", "UNAVAILABLE"), "/C/Call")
	expect(t, "C served", c.served, int32(1))
	expect(t, "D served", d.served, int32(1))
	expect(t, "stopped", stopped, int32(1))
	expect(t, "claim", ended.values(claimKey), "unclaimed")
	expect(t, "pushback", ended.values(pushbackKey), "-1")
	expect(t, "x-own", ended.values("x-own"), "kept")
	expect(t, "detail", ended.detail().String(), (&pb.ErrorClaim{OwnerService: "shop.Stock",
		OwnerMethod: "Get", Hops: 4, Attempts: 1, Reason: pb.ErrorClaim_PROPAGATED}).String())
}

func TestCopiedClaimsAreNotSent(t *testing.T) {
	copied := metadata.Pairs(claimKey, "unclaimed", detailKey, "x")
	server := Server{}
	address := serve(t, map[string]handler{
		"/C/Fail": func(ctx context.Context, _ *node.CallRequest) error {
			grpc.SetTrailer(ctx, copied)
			return status.Error(codes.Unavailable, "own")
		},
		"/C/Serve": func(ctx context.Context, _ *node.CallRequest) error {
			return grpc.SetTrailer(ctx, copied)
		},
	}, server.Options()...)
	channel := dial(t, address)
	failed := invoke(background, channel, "/C/Fail")
	expect(t, "claim", failed.values(claimKey), "claimed")
	expect(t, "owner", failed.detail().OwnerService, "C")
	good := invoke(background, channel, "/C/Serve")
	expect(t, "code", good.status.Code(), codes.OK)
	expect(t, "claim with OK", good.values(claimKey), "")
	expect(t, "detail with OK", good.values(detailKey), "")
}

func TestAnOwnPushbackOnAClaimedErrorStays(t *testing.T) {
	var served int32
	server := Server{}
	address := serve(t, map[string]handler{"/C/Call": func(ctx context.Context, _ *node.CallRequest) error {
		atomic.AddInt32(&served, 1)
		grpc.SetTrailer(ctx, metadata.Pairs(pushbackKey, "3"))
		return status.Error(codes.Unavailable, "later")
	}}, server.Options()...)
	ended := invoke(background, stock(t, address, "4", "UNAVAILABLE"), "/C/Call")
	expect(t, "served", served, int32(4))
	expect(t, "pushback", ended.values(pushbackKey), "3")
}

func TestWhatIsNotBelievedIsNoError(t *testing.T) {
	for name, trailer := range map[string][]string{
		"a future word":   {claimKey, "shared"},
		"an empty word":   {claimKey, ""},
		"a repeated word": {claimKey, "unclaimed", claimKey, "unclaimed"},
		"a contradiction": {claimKey, "claimed", claimKey, "unclaimed"},
		"a long word":     {claimKey, strings.Repeat("unclaimed", 100)},
		"a bad detail":    {claimKey, "claimed", detailKey, "\x08"},
		"a long detail":   {claimKey, "claimed", detailKey, strings.Repeat("a", 300)},
	} {
		t.Run(name, func(t *testing.T) {
			c := passing(t, failing(t, codes.Unavailable, trailer...), ClientOptions{}, Server{})
			ended := invoke(background, dial(t, c.address), "/C/Call")
			expect(t, "code", ended.status.Code(), codes.Unavailable)
			expect(t, "claim", ended.values(claimKey), "claimed")
			expect(t, "detail", ended.detail().String(), (&pb.ErrorClaim{OwnerService: "C",
				OwnerMethod: "Call", Attempts: 1, Reason: pb.ErrorClaim_AT_LEAST_ONCE}).String())
		})
	}
}

func TestAnAliasIsReadAndWritten(t *testing.T) {
	const alias = "x-mesh-claim"
	d := failing(t, codes.Unavailable, alias, "unclaimed")
	c := passing(t, d, ClientOptions{Alias: alias}, Server{Alias: alias})
	ended := invoke(background, stock(t, c.address, "4", "UNAVAILABLE"), "/C/Call")
	expect(t, "C served", c.served, int32(1))
	expect(t, "alias", ended.values(alias), "unclaimed")
	expect(t, "claim", ended.values(claimKey), "unclaimed")
}

func TestTheFailureOfAFailOpenCalleeIsNoExcuse(t *testing.T) {
	d := failing(t, codes.Unavailable)
	c := passing(t, d, ClientOptions{Config: two, FailOpen: true}, Server{})
	ended := invoke(background, dial(t, c.address), "/C/Call")
	expect(t, "claim", ended.values(claimKey), "claimed")
	expect(t, "reason", ended.detail().Reason, pb.ErrorClaim_COINCIDENTAL)
}

func TestACalleeThatIsNotThereIsPassedOn(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listener.Close()
	d := &callee{address: listener.Addr().String()}
	c := passing(t, d, ClientOptions{Config: two}, Server{})
	ended := invoke(background, stock(t, c.address, "4", "UNAVAILABLE"), "/C/Call")
	expect(t, "code", ended.status.Code(), codes.Unavailable)
	expect(t, "C served", c.served, int32(1))
	expect(t, "claim", ended.values(claimKey), "unclaimed")
}

func TestObserveStopsNothing(t *testing.T) {
	d := failing(t, codes.Unavailable)
	c := passing(t, d, ClientOptions{Config: two}, Server{Observe: true})
	ended := invoke(background, stock(t, c.address, "4", "UNAVAILABLE"), "/C/Call")
	expect(t, "C served", c.served, int32(4))
	expect(t, "D served", d.served, int32(8))
	expect(t, "claim", ended.values(claimKey), "unclaimed")
	expect(t, "pushback", ended.values(pushbackKey), "")
}

func TestTrustBoundaryOfAServer(t *testing.T) {
	d := failing(t, codes.Unavailable)
	c := passing(t, d, ClientOptions{Config: two}, Server{Boundary: true})
	marked := metadata.AppendToOutgoingContext(background, markKey, "1")
	ended := invoke(marked, stock(t, c.address, "4", "UNAVAILABLE"), "/C/Call")
	expect(t, "C served", c.served, int32(4))
	for _, key := range []string{claimKey, detailKey, pushbackKey} {
		expect(t, key, ended.values(key), "")
	}
	expect(t, "marks", d.marks(), "")
}

func TestTrustBoundaryOfAClient(t *testing.T) {
	d := failing(t, codes.Unavailable, claimKey, "unclaimed")
	c := passing(t, d, ClientOptions{Boundary: true}, Server{})
	marked := metadata.AppendToOutgoingContext(background, markKey, "1")
	ended := invoke(marked, dial(t, c.address), "/C/Call")
	expect(t, "reason", ended.detail().Reason, pb.ErrorClaim_AT_LEAST_ONCE)
	expect(t, "marks", d.marks(), "")
	invoke(marked, client(t, d.address, ClientOptions{Boundary: true}), "/D/Call")
	expect(t, "marks that a handler copied", d.marks(), "")
}

func TestRetryMarks(t *testing.T) {
	for name, row := range map[string]struct {
		sent   []string
		expect string
	}{
		"handed on":      {[]string{markKey, "1"}, "1"},
		"gRPC's own":     {[]string{previousKey, "1"}, "1"},
		"another value":  {[]string{markKey, "yes"}, ""},
		"it comes twice": {[]string{markKey, "1", markKey, "1"}, ""},
		"none":           {nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			d := failing(t, codes.Unavailable)
			c := passing(t, d, ClientOptions{}, Server{})
			invoke(metadata.AppendToOutgoingContext(background, row.sent...),
				dial(t, c.address), "/C/Call")
			expect(t, "marks", d.marks(), row.expect)
		})
	}
}

func TestCallingAgainIsTheRetry(t *testing.T) {
	d := failing(t, codes.Unavailable)
	channel := client(t, d.address, ClientOptions{})
	server := Server{}
	address := serve(t, map[string]handler{"/C/Call": func(ctx context.Context, _ *node.CallRequest) error {
		invoke(ctx, channel, "/D/Call")
		return passOn(ctx, channel, "/D/Call")
	}}, server.Options()...)
	ended := invoke(background, dial(t, address), "/C/Call")
	expect(t, "marks", d.marks(), "1")
	expect(t, "claim", ended.values(claimKey), "unclaimed")
}

func TestASuccessClearsTheFailureBeforeIt(t *testing.T) {
	var served int32
	channel := client(t, serve(t, map[string]handler{"/D/Call": func(context.Context, *node.CallRequest) error {
		if atomic.AddInt32(&served, 1) == 1 {
			return status.Error(codes.Unavailable, "once")
		}
		return nil
	}}), ClientOptions{})
	server := Server{}
	address := serve(t, map[string]handler{"/C/Call": func(ctx context.Context, _ *node.CallRequest) error {
		invoke(ctx, channel, "/D/Call")
		invoke(ctx, channel, "/D/Call")
		return status.Error(codes.Unavailable, "own")
	}}, server.Options()...)
	ended := invoke(background, dial(t, address), "/C/Call")
	expect(t, "reason", ended.detail().Reason, pb.ErrorClaim_OWN)
}

func TestClaimKeysOfARequestAreRemoved(t *testing.T) {
	seen := make(chan metadata.MD, 1)
	server := Server{}
	address := serve(t, map[string]handler{"/C/Call": func(ctx context.Context, _ *node.CallRequest) error {
		md, _ := metadata.FromIncomingContext(ctx)
		seen <- md
		return nil
	}}, server.Options()...)
	invoke(metadata.AppendToOutgoingContext(background, claimKey, "unclaimed", detailKey, "x",
		"x-own", "kept"), dial(t, address), "/C/Call")
	md := <-seen
	expect(t, "claims", len(md.Get(claimKey))+len(md.Get(detailKey)), 0)
	expect(t, "x-own", strings.Join(md.Get("x-own"), "|"), "kept")
}

func TestTheApplicationChooses(t *testing.T) {
	channel := client(t, failing(t, codes.Unavailable).address, ClientOptions{})
	after := func(act func(context.Context)) handler {
		return func(ctx context.Context, _ *node.CallRequest) error {
			ended := invoke(ctx, channel, "/D/Call")
			act(ctx)
			return ended.status.Err()
		}
	}
	server := Server{}
	address := serve(t, map[string]handler{
		"/C/Choose":  after(func(ctx context.Context) { ChooseClaim(ctx, Unclaimed) }),
		"/C/Retried": after(SetRetried),
	}, server.Options()...)
	for path, reason := range map[string]pb.ErrorClaim_Reason{
		"/C/Choose": pb.ErrorClaim_APPLICATION, "/C/Retried": pb.ErrorClaim_PROPAGATED} {
		ended := invoke(background, dial(t, address), path)
		expect(t, path, ended.values(claimKey), "unclaimed")
		expect(t, path, ended.detail().Reason, reason)
	}
}

func TestConcurrentCallsKeepTheirOwnOutcomes(t *testing.T) {
	channel := client(t, serve(t, map[string]handler{"/D/Call": func(_ context.Context, request *node.CallRequest) error {
		time.Sleep(time.Duration(request.Id%7) * time.Millisecond)
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
	var wait sync.WaitGroup
	for i := 0; i < 200; i++ {
		wait.Add(1)
		go func(i int) {
			defer wait.Done()
			ended := invokeWith(background, c, "/C/Call", &node.CallRequest{Id: uint64(i)})
			expect(t, fmt.Sprint(i), ended.values(claimKey), []string{"claimed", "unclaimed"}[i%2])
		}(i)
	}
	wait.Wait()
}

// D and C with methods that stream their replies: one, and then an error.
func streaming(t *testing.T, service string, fail func(context.Context) error,
	options ...grpc.ServerOption) string {
	return serveDesc(t, &grpc.ServiceDesc{ServiceName: service, HandlerType: (*interface{})(nil),
		Streams: []grpc.StreamDesc{{StreamName: "Call", ServerStreams: true,
			Handler: func(_ interface{}, stream grpc.ServerStream) error {
				if err := stream.RecvMsg(new(node.CallRequest)); err != nil {
					return err
				}
				stream.SetTrailer(metadata.Pairs(claimKey, "copied"))
				stream.SendMsg(&node.CallReply{Node: service})
				return fail(stream.Context())
			}}}}, options...)
}

func receiveAll(ctx context.Context, channel *grpc.ClientConn, path string) (int, end) {
	stream, err := channel.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true}, path)
	if err != nil {
		return 0, end{status: status.Convert(err)}
	}
	stream.SendMsg(&node.CallRequest{})
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
	return replies, end{status.Convert(err), stream.Trailer()}
}

func TestStreams(t *testing.T) {
	d := streaming(t, "D", func(context.Context) error {
		return status.Error(codes.Unavailable, "in the middle")
	})
	channel := client(t, d, ClientOptions{Config: two})
	server := Server{}
	c := streaming(t, "C", func(ctx context.Context) error {
		_, ended := receiveAll(ctx, channel, "/D/Call")
		return ended.status.Err()
	}, server.Options()...)
	replies, ended := receiveAll(background, dial(t, c), "/C/Call")
	expect(t, "replies", replies, 1)
	expect(t, "message", ended.status.Message(), "in the middle")
	expect(t, "claim", ended.values(claimKey), "unclaimed")
	expect(t, "owner", ended.detail().GetOwnerService(), "D")
}

func TestABadConfigIsNamed(t *testing.T) {
	_, err := NewClient(ClientOptions{Config: "{"})
	if err == nil || !strings.Contains(err.Error(), `"{"`) {
		t.Errorf("got %v, expected an error with the config", err)
	}
}
