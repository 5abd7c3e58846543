// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

// Package errorclaim is error ownership for grpc-go, as protos/PROTOCOL.md says:
// here the interceptors, in the other files the rules, which know no servers and
// clients. The interceptors sit above gRPC's retries, so it is the pushback of
// the callee that stops a retry, not they.
package errorclaim

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	pb "eown/v1"
	"github.com/golang/protobuf/proto"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

const (
	claimKey    = "error-claim"
	detailKey   = "error-claim-bin"
	markKey     = "error-claim-retry"
	pushbackKey = "grpc-retry-pushback-ms"
	previousKey = "grpc-previous-rpc-attempts"
)

// --- server --------------------------------------------------------------------

// A Server says of each error whose it is. The zero value is of use; all is
// read only once it serves.
type Server struct {
	Service  string      // to own errors under, if not the method's service
	Alias    string      // a second key for the claim
	Observe  bool        // sends claims, but no pushback
	Boundary bool        // believes and sends nothing of the protocol
	OnSent   func(Claim) // told each claim that is sent
}

// Options are those of the grpc.Server.
func (s *Server) Options() []grpc.ServerOption {
	return []grpc.ServerOption{grpc.UnaryInterceptor(s.unary),
		grpc.StreamInterceptor(s.stream)}
}

func (s *Server) arrive(ctx context.Context, path string) (context.Context, *inbound) {
	in := &inbound{path: path, edges: map[string]*edge{}}
	md, _ := metadata.FromIncomingContext(ctx)
	previous, _ := strconv.Atoi(strings.Join(md.Get(previousKey), ","))
	marked := previous > 0 || strings.Join(md.Get(markKey), ",") == "1"
	in.marked = marked && !s.Boundary
	ctx = metadata.NewIncomingContext(ctx, s.withoutClaim(md))
	return context.WithValue(ctx, inboundKey{}, in), in
}

func (s *Server) withoutClaim(md metadata.MD) metadata.MD {
	md = md.Copy()
	delete(md, claimKey)
	delete(md, detailKey)
	delete(md, strings.ToLower(s.Alias))
	return md
}

// The trailing metadata to leave in place of the handler's own.
func (s *Server) answer(in *inbound, err error, trailer metadata.MD) metadata.MD {
	trailer = s.withoutClaim(trailer)
	if err == nil || s.Boundary {
		return trailer
	}
	claim, detail := in.decide(status.Code(err), s.Service)
	trailer.Set(claimKey, string(claim))
	if s.Alias != "" {
		trailer.Set(s.Alias, string(claim))
	}
	if bytes, failed := proto.Marshal(detail); failed == nil {
		trailer.Set(detailKey, string(bytes))
	}
	if claim == Unclaimed && !s.Observe {
		trailer.Set(pushbackKey, "-1")
	}
	if s.OnSent != nil {
		s.OnSent(claim)
	}
	return trailer
}

// heldTrailer keeps back what a handler puts into its trailer.
type heldTrailer struct {
	grpc.ServerTransportStream
	mu sync.Mutex
	md metadata.MD
}

func (h *heldTrailer) SetTrailer(md metadata.MD) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.md = metadata.Join(h.md, md)
	return nil
}

func hold(ctx context.Context) (context.Context, *heldTrailer) {
	held := &heldTrailer{ServerTransportStream: grpc.ServerTransportStreamFromContext(ctx)}
	return grpc.NewContextWithServerTransportStream(ctx, held), held
}

func (s *Server) unary(ctx context.Context, request interface{},
	info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (interface{}, error) {
	ctx, in := s.arrive(ctx, info.FullMethod)
	ctx, held := hold(ctx)
	reply, err := handler(ctx, request)
	held.ServerTransportStream.SetTrailer(s.answer(in, err, held.md))
	return reply, err
}

type heldStream struct {
	grpc.ServerStream
	ctx  context.Context
	held *heldTrailer
}

func (h *heldStream) Context() context.Context       { return h.ctx }
func (h *heldStream) SetTrailer(trailer metadata.MD) { h.held.SetTrailer(trailer) }

func (s *Server) stream(server interface{}, stream grpc.ServerStream,
	info *grpc.StreamServerInfo, handler grpc.StreamHandler) error {
	ctx, in := s.arrive(stream.Context(), info.FullMethod)
	ctx, held := hold(ctx)
	err := handler(server, &heldStream{stream, ctx, held})
	stream.SetTrailer(s.answer(in, err, held.md))
	return err
}

// --- client --------------------------------------------------------------------

// ClientOptions are of one channel.
type ClientOptions struct {
	// Config is the service config to give to the channel. grpc-go 1.33 takes
	// retry policies only with GRPC_GO_RETRY=on in the environment.
	Config    string
	FailOpen  bool   // the service carries on without this callee
	Alias     string // a second key for the claim
	Boundary  bool   // believes and sends nothing of the protocol
	OnStopped func() // told of each retry that an unclaimed error stopped
}

// A Client notes for each inbound call how the calls made for it ended.
type Client struct {
	options ClientOptions
	config  serviceConfig
}

// NewClient reads the service config.
func NewClient(options ClientOptions) (*Client, error) {
	client := &Client{options: options}
	if options.Config == "" {
		return client, nil
	}
	if err := json.Unmarshal([]byte(options.Config), &client.config); err != nil {
		return nil, fmt.Errorf("service config %q: %v", options.Config, err)
	}
	return client, nil
}

// Options are those for grpc.Dial; the service config is among them.
func (c *Client) Options() []grpc.DialOption {
	options := []grpc.DialOption{grpc.WithUnaryInterceptor(c.unary),
		grpc.WithStreamInterceptor(c.stream), grpc.WithStatsHandler(attemptCounter{})}
	if c.options.Config != "" {
		options = append(options, grpc.WithDefaultServiceConfig(c.options.Config))
	}
	return options
}

// A call is an outbound call in progress.
type call struct {
	client   *Client
	in       *inbound
	outbound outbound
	policy   *retryPolicy
	attempts uint32
	ended    sync.Once
}

func (c *Client) start(ctx context.Context, path string) (context.Context, *call) {
	out := &call{client: c, in: inboundOf(ctx), policy: c.config.policyFor(path)}
	out.outbound = outbound{path: path, failOpen: c.options.FailOpen}
	md, _ := metadata.FromOutgoingContext(ctx)
	md = md.Copy()
	if c.options.Boundary {
		delete(md, markKey)
	} else if out.in != nil {
		started, retry := out.in.start(path)
		out.outbound.started = started
		if retry {
			md.Set(markKey, "1")
		}
	}
	ctx = metadata.NewOutgoingContext(ctx, md)
	return context.WithValue(ctx, attemptsKey{}, &out.attempts), out
}

func (c *call) end(err error, trailer metadata.MD) {
	out, options := &c.outbound, &c.client.options
	out.code = status.Code(err)
	out.claim = Missing
	if err != nil && !options.Boundary {
		out.claim, out.detail = readTrailer(trailer, options.Alias)
	}
	out.covered = c.policy.covers(out.code)
	out.attempts = atomic.LoadUint32(&c.attempts)
	if c.policy == nil && out.attempts > 1 {
		out.attempts = 1 // the others were transparent
	}
	if c.in != nil {
		c.in.record(*out)
	}
	verdict := retryVerdict(out.code != codes.OK, out.claim, false, false)
	left := c.policy != nil && int(out.attempts) < c.policy.MaxAttempts
	if verdict == "unclaimed" && out.covered && left && options.OnStopped != nil {
		options.OnStopped()
	}
}

func readTrailer(trailer metadata.MD, alias string) (Claim, *pb.ErrorClaim) {
	var aliasValues []string
	if alias != "" {
		aliasValues = trailer.Get(alias)
	}
	claim := readClaim(trailer.Get(claimKey), aliasValues)
	details := trailer.Get(detailKey)
	if claim == Missing || len(details) != 1 {
		return claim, nil
	}
	return claim, readDetail(details[0])
}

func (c *Client) unary(ctx context.Context, path string, request, reply interface{},
	channel *grpc.ClientConn, invoke grpc.UnaryInvoker, options ...grpc.CallOption) error {
	var trailer metadata.MD
	ctx, out := c.start(ctx, path)
	options = append(options[:len(options):len(options)], grpc.Trailer(&trailer))
	err := invoke(ctx, path, request, reply, channel, options...)
	out.end(err, trailer)
	return err
}

type watchedStream struct {
	grpc.ClientStream
	out    *call
	single bool // one reply ends the call
}

func (w *watchedStream) RecvMsg(message interface{}) error {
	err := w.ClientStream.RecvMsg(message)
	if err == io.EOF || err == nil && w.single {
		w.out.ended.Do(func() { w.out.end(nil, nil) })
	} else if err != nil {
		w.out.ended.Do(func() { w.out.end(err, w.Trailer()) })
	}
	return err
}

func (c *Client) stream(ctx context.Context, desc *grpc.StreamDesc, channel *grpc.ClientConn,
	path string, open grpc.Streamer, options ...grpc.CallOption) (grpc.ClientStream, error) {
	ctx, out := c.start(ctx, path)
	stream, err := open(ctx, desc, channel, path, options...)
	if err != nil {
		out.end(err, nil)
		return nil, err
	}
	return &watchedStream{stream, out, !desc.ServerStreams}, nil
}
