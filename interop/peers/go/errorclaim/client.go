// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

package errorclaim

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
)

// ClientOptions are of one channel. There is none to observe: a Client stops
// nothing.
type ClientOptions struct {
	Config    string // the service config to give to the channel
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

// Options are those for grpc.NewClient; the service config is among them.
func (c *Client) Options() []grpc.DialOption {
	options := []grpc.DialOption{grpc.WithChainUnaryInterceptor(c.unary),
		grpc.WithChainStreamInterceptor(c.stream), grpc.WithStatsHandler(attemptCounter{})}
	if c.options.Config != "" {
		options = append(options, grpc.WithDefaultServiceConfig(c.options.Config))
	}
	return options
}

// A call is an outbound call in progress.
type call struct {
	client   *Client
	in       *inbound
	retry    *Retry // the loop that makes it, if any
	outbound outbound
	policy   *retryPolicy
	attempts attempts
	ended    sync.Once
}

func (c *Client) start(ctx context.Context, path string) (context.Context, *call) {
	out := &call{client: c, in: inboundOf(ctx), retry: retryOf(ctx),
		policy: c.config.policyFor(path)}
	out.outbound = outbound{path: path, failOpen: c.options.FailOpen}
	again := false
	if out.in != nil {
		out.outbound.started, again = out.in.start(path)
	}
	ctx = metadata.NewOutgoingContext(ctx, c.request(ctx, again))
	return out.attempts.count(ctx), out
}

// The metadata of the request, with one mark or none, whatever the application
// forwards.
func (c *Client) request(ctx context.Context, again bool) metadata.MD {
	md, _ := metadata.FromOutgoingContext(ctx)
	md = metadata.Join(md)
	marked := again || hasMark(md.Get(markKey))
	md.Delete(markKey)
	if c.options.Boundary {
		removeClaim(md, c.options.Alias)
	} else if marked {
		md.Set(markKey, "1")
	}
	return md
}

func (c *call) end(err error, trailer metadata.MD) {
	c.ended.Do(func() { c.record(err, trailer) })
}

func (c *call) record(err error, trailer metadata.MD) {
	out, options := &c.outbound, &c.client.options
	out.code = codeOf(err)
	out.claim = Missing
	if out.code != codes.OK && !options.Boundary {
		out.claim, out.detail = readTrailer(trailer, options.Alias)
	}
	out.covered = c.policy.covers(out.code)
	out.attempts = c.attempts.made()
	if c.in != nil {
		c.in.record(*out)
	}
	if c.retry != nil {
		c.retry.saw(*out, trailer)
	}
	stopped := out.claim == Unclaimed && out.covered && c.policy.hasLeft(out.attempts)
	if stopped && options.OnStopped != nil {
		options.OnStopped()
	}
}

func (c *Client) unary(ctx context.Context, path string, request, reply any,
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

// An error of SendMsg other than io.EOF is the client's own and ends the call.
func (w *watchedStream) SendMsg(message any) error {
	err := w.ClientStream.SendMsg(message)
	if err != nil && err != io.EOF {
		w.out.end(err, nil)
	}
	return err
}

func (w *watchedStream) RecvMsg(message any) error {
	err := w.ClientStream.RecvMsg(message)
	switch {
	case err == io.EOF || err == nil && w.single:
		w.out.end(nil, nil)
	case err != nil:
		w.out.end(err, w.Trailer())
	case w.out.retry != nil:
		w.out.retry.Commit()
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
