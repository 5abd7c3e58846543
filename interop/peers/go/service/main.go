// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

// Program node is one node of a call graph, for the lab; see --help.
package main

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

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
	fmt.Printf("{\"event\":\"ready\",\"name\":%q,\"port\":%d}\n", o.name, port)
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
