// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"time"

	"eown/peer/errorclaim"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials/insecure"
)

// The service config with the retry policy; without one: none.
func configOf(o *options) string {
	if o.attempts == 1 || o.retryBy == "application" {
		return ""
	}
	numbers, _ := json.Marshal(o.retryCodes) // numbers always go
	return fmt.Sprintf(`{"methodConfig":[{"name":[{}],"retryPolicy":{`+
		`"maxAttempts":%d,"initialBackoff":"0.001s","maxBackoff":"0.002s",`+
		`"backoffMultiplier":1,"retryableStatusCodes":%s}}]}`, o.attempts, numbers)
}

func (n *node) owned() bool {
	return n.options.ownership == "observe" || n.options.ownership == "enforce"
}

func (n *node) dial(callee calleeOption) (*grpc.ClientConn, error) {
	reconnect := backoff.Config{BaseDelay: 50 * time.Millisecond, Multiplier: 1.6,
		Jitter: 0.2, MaxDelay: 200 * time.Millisecond}
	options := []grpc.DialOption{
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithNoProxy(), grpc.WithDisableServiceConfig(),
		grpc.WithConnectParams(grpc.ConnectParams{Backoff: reconnect,
			MinConnectTimeout: 5 * time.Second})}
	config := configOf(n.options)
	if n.owned() {
		client, err := errorclaim.NewClient(errorclaim.ClientOptions{
			Config:    config,
			FailOpen:  callee.failOpen,
			OnStopped: func() { n.counts.stopped(errorclaim.ReasonUnclaimed) },
		})
		if err != nil {
			return nil, err
		}
		options = append(options, client.Options()...)
	} else if config != "" {
		options = append(options, grpc.WithDefaultServiceConfig(config))
	}
	return grpc.NewClient(callee.target, options...)
}
