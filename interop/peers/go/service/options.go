// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/grpc/codes"
)

type calleeOption struct {
	name, target string
	failOpen     bool
}

// The command line, as read.
type options struct {
	name, listen string
	callees      []calleeOption
	failRate     float64
	failStatus   codes.Code
	healthyFirst uint64
	seed         uint64
	attempts     uint64
	retryCodes   []codes.Code
	retryBy      string
	ownership    string
	context      string
}

var (
	nameForm   = regexp.MustCompile(`^[A-Za-z0-9._-]{1,63}$`)
	calleeForm = regexp.MustCompile(`^([A-Za-z0-9._-]{1,63})=([^,]+)(,fail-open)?$`)
	listenForm = regexp.MustCompile(`^.+:([0-9]{1,5})$`)
)

func isAddress(text string, lowest int) bool {
	parts := listenForm.FindStringSubmatch(text)
	if parts == nil {
		return false
	}
	port, _ := strconv.Atoi(parts[1])
	return port >= lowest && port <= 65535
}

func failureOf(text string) (code codes.Code, ok bool) {
	err := json.Unmarshal([]byte(strconv.Quote(strings.ToUpper(text))), &code)
	return code, err == nil && code != codes.OK
}

func expected(what string) error { return errors.New("expected " + what) }

func (o *options) takeName(text string) error {
	if o.name = text; nameForm.MatchString(text) {
		return nil
	}
	return expected("1 to 63 letters, digits, '-', '_' or '.'")
}

func (o *options) takeListen(text string) error {
	if o.listen = text; isAddress(text, 0) {
		return nil
	}
	return expected("HOST:PORT with a port from 0 to 65535")
}

func (o *options) takeCallee(text string) error {
	parts := calleeForm.FindStringSubmatch(text)
	if parts == nil || !isAddress(parts[2], 1) {
		return expected("NAME=HOST:PORT or NAME=HOST:PORT,fail-open")
	}
	o.callees = append(o.callees, calleeOption{parts[1], parts[2], parts[3] != ""})
	return nil
}

func (o *options) takeRate(text string) (err error) {
	o.failRate, err = strconv.ParseFloat(text, 64)
	if err != nil || !(o.failRate >= 0 && o.failRate <= 1) {
		return expected("a number from 0 to 1")
	}
	return nil
}

func (o *options) takeStatus(text string) (err error) {
	var ok bool
	if o.failStatus, ok = failureOf(text); ok {
		return nil
	}
	return expected("the name of a gRPC status code other than OK")
}

func (o *options) takeCodes(text string) error {
	o.retryCodes = nil
	for name := range strings.SplitSeq(text, ",") {
		code, ok := failureOf(name)
		if !ok {
			return expected("names of gRPC status codes other than OK, separated by commas")
		}
		o.retryCodes = append(o.retryCodes, code)
	}
	return nil
}

func takeNumber(into *uint64, min, max uint64) func(string) error {
	return func(text string) (err error) {
		*into, err = strconv.ParseUint(text, 10, 64)
		if err != nil || *into < min || *into > max {
			return expected(fmt.Sprintf("a whole number from %d to %d", min, max))
		}
		return nil
	}
}

func takeWord(into *string, words ...string) func(string) error {
	return func(text string) error {
		*into = text
		if slices.Contains(words, text) {
			return nil
		}
		return expected("one of " + strings.Join(words, ", "))
	}
}

const most = 1<<64 - 1

func (o *options) define(flags *flag.FlagSet) {
	flags.Func("name", "`NAME` of this node and of its service (node)", o.takeName)
	flags.Func("listen", "`HOST:PORT` to serve; port 0 picks one (127.0.0.1:0)", o.takeListen)
	flags.Func("callee", "`NAME=HOST:PORT[,fail-open]` of a node to call for each inbound call; may be repeated", o.takeCallee)
	flags.Func("fail-rate", "`RATE` of calls it fails by itself (0)", o.takeRate)
	flags.Func("fail-status", "`STATUS` of its own failures (UNAVAILABLE)", o.takeStatus)
	flags.Func("healthy-first", "the first `N` calls do not fail (0)", takeNumber(&o.healthyFirst, 0, most))
	flags.Func("seed", "`N` of its random numbers (1)", takeNumber(&o.seed, 0, most))
	flags.Func("attempts", "`K` at most for each call; 1: no retries (1)", takeNumber(&o.attempts, 1, 100))
	flags.Func("retry-codes", "retryable codes `A,B,..` (the seven faults)", o.takeCodes)
	flags.Func("retry-by", "`WHO` retries: grpc (a retry policy), application (a loop of its own) or both (grpc)",
		takeWord(&o.retryBy, "grpc", "application", "both"))
	flags.Func("ownership", "`MODE`: stock, off, observe or enforce (stock)",
		takeWord(&o.ownership, "stock", "off", "observe", "enforce"))
	flags.Func("context", "`WAY`: parent, or none: outbound calls are tied to nothing (parent)",
		takeWord(&o.context, "parent", "none"))
}

const usage = `Usage: node [OPTION...]
One node of a call graph, in Go with grpc-go: serves
/eown.interop.v1.Node/{Call,Stats} and /NAME/Call, and calls its callees for
each call. Prints a line of JSON when it is ready and one with its counts at its
exit, on SIGTERM or SIGINT.

`

const example = `
Example, the caller of a node D, with one retry and error ownership:
  node --name C --listen 127.0.0.1:7003 --callee D=127.0.0.1:7004 \
    --attempts 2 --retry-by application --ownership enforce
`

func printHelp(flags *flag.FlagSet) {
	fmt.Print(usage)
	flags.VisitAll(func(one *flag.Flag) {
		form, text := flag.UnquoteUsage(one)
		fmt.Printf("  --%s %s\n        %s\n", one.Name, form, text)
	})
	fmt.Print(example)
}

func refuse(message any) {
	fmt.Fprintf(os.Stderr, "node: %v\nTry --help.\n", message)
	os.Exit(2)
}

// readOptions reads the command line. A bad one ends the process with status 2.
func readOptions(words []string) *options {
	o := &options{name: "node", listen: "127.0.0.1:0", failStatus: codes.Unavailable,
		seed: 1, attempts: 1, retryBy: "grpc", ownership: "stock", context: "parent",
		retryCodes: []codes.Code{codes.Unknown, codes.DeadlineExceeded,
			codes.ResourceExhausted, codes.Aborted, codes.Internal, codes.Unavailable,
			codes.DataLoss}}
	flags := flag.NewFlagSet("node", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	o.define(flags)
	err := flags.Parse(words)
	switch {
	case err == flag.ErrHelp:
		printHelp(flags)
		os.Exit(0)
	case err != nil:
		refuse(err)
	case flags.NArg() > 0:
		refuse(fmt.Sprintf("got %q, expected options only", flags.Arg(0)))
	}
	return o
}
