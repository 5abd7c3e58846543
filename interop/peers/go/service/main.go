// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

// Program node is one node of a call graph, for the lab; see --help.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"

	"google.golang.org/grpc"
)

func readyLine(name string, port int) string {
	text, _ := json.Marshal(struct { // texts and numbers always go
		Event    string `json:"event"`
		Name     string `json:"name"`
		Port     int    `json:"port"`
		Language string `json:"language"`
		Version  string `json:"version"`
		GRPC     string `json:"grpc"`
	}{"ready", name, port, "Go", strings.TrimPrefix(runtime.Version(), "go"),
		"grpc-go " + grpc.Version})
	return string(text)
}

func run(o *options) error {
	n, err := newNode(o)
	if err != nil {
		return err
	}
	listener, port, err := listen(o.listen)
	if err != nil {
		return err
	}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT)
	served := make(chan error, 1)
	go func() { served <- n.server.Serve(listener) }()
	fmt.Println(readyLine(o.name, port))
	select {
	case err := <-served:
		return err
	case <-signals:
	}
	n.stop()
	fmt.Println(n.counts.json("exit", false))
	return nil
}

func main() {
	if err := run(readOptions(os.Args[1:])); err != nil {
		fmt.Fprintf(os.Stderr, "node: %v\n", err)
		os.Exit(1)
	}
}
