// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	pb "eown/generated/interop/v1"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// The node as a process of its own, as the lab starts it.
type process struct {
	name    string
	channel *grpc.ClientConn
	command *exec.Cmd
	lines   *bufio.Scanner
}

func start(t *testing.T, words ...string) *process {
	p := &process{command: exec.Command("../node", words...)}
	pipe, err := p.command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.command.Process.Kill() })
	p.lines = bufio.NewScanner(pipe)
	var ready struct {
		Event, Name string
		Port        int
	}
	if !p.lines.Scan() || json.Unmarshal(p.lines.Bytes(), &ready) != nil || ready.Event != "ready" {
		t.Fatalf("%v: got %q, expected the event ready", words, p.lines.Text())
	}
	p.name = ready.Name
	p.channel, err = grpc.NewClient(fmt.Sprintf("127.0.0.1:%d", ready.Port),
		grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.channel.Close() })
	return p
}

func (p *process) callee() string { return p.name + "=" + p.channel.Target() }

func (p *process) stop(t *testing.T, signal syscall.Signal) (end figures) {
	t.Helper()
	p.command.Process.Signal(signal)
	if !p.lines.Scan() || json.Unmarshal(p.lines.Bytes(), &end) != nil || end.Event != "exit" {
		t.Errorf("got %q, expected the event exit", p.lines.Text())
	}
	if p.lines.Scan() {
		t.Errorf("got %q after the exit", p.lines.Text())
	}
	if err := p.command.Wait(); err != nil {
		t.Errorf("%s: %v", p.name, err)
	}
	return end
}

func ask(p *process, path string, words ...string) (*pb.CallReply, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	reply := new(pb.CallReply)
	err := p.channel.Invoke(metadata.AppendToOutgoingContext(ctx, words...), path,
		&pb.CallRequest{Id: 1}, reply)
	return reply, err
}

func askMany(p *process, n int) {
	var wait sync.WaitGroup
	for range n {
		wait.Go(func() { ask(p, "/"+p.name+"/Call") })
	}
	wait.Wait()
}

// D fails always; how often is each asked, and why do B and C stop?
func TestAChainOfFour(t *testing.T) {
	type served [4]uint64
	for name, row := range map[string]struct {
		served              served // per request
		unclaimed, multiply uint64 // stopped: by B for each call, by C
	}{
		"stock grpc":          {served{1, 2, 4, 8}, 0, 0},
		"stock application":   {served{1, 2, 4, 8}, 0, 0},
		"stock both":          {served{1, 4, 16, 64}, 0, 0},
		"off application":     {served{1, 2, 4, 8}, 0, 0},
		"off both":            {served{1, 4, 16, 64}, 0, 0},
		"observe grpc":        {served{1, 2, 4, 8}, 0, 0},
		"observe application": {served{1, 2, 4, 8}, 1, 0},
		"observe both":        {served{1, 4, 16, 64}, 1, 1},
		"enforce grpc":        {served{1, 1, 1, 2}, 1, 0},
		"enforce application": {served{1, 1, 1, 2}, 1, 0},
		"enforce both":        {served{1, 1, 1, 2}, 2, 1}, // by policy and loop
	} {
		t.Run(name, func(t *testing.T) {
			const requests = 5
			ownership, retryBy, _ := strings.Cut(name, " ")
			nodes := []*process{start(t, "--name", "D", "--fail-rate", "1", "--ownership="+ownership)}
			for _, name := range []string{"C", "B", "A"} {
				nodes = append([]*process{start(t, "--name", name, "--attempts", "2", "--ownership",
					ownership, "--retry-codes", "aborted,unavailable", "--retry-by", retryBy,
					"--callee", nodes[0].callee())}, nodes...)
			}
			askMany(nodes[0], requests)
			var got served
			var ends [4]figures
			for i, node := range nodes {
				ends[i] = node.stop(t, syscall.SIGTERM)
				got[i] = ends[i].Served / requests
			}
			if got != row.served {
				t.Errorf("served %v, expected %v", got, row.served)
			}
			b, c := &ends[1], &ends[2]
			checkClaims(t, b, ownership)
			if stops := b.RetriesStopped; stops.Unclaimed != row.unclaimed*b.Served || stops.Multiplied != 0 {
				t.Errorf("B stopped %+v of %d", stops, b.Served)
			}
			if stops := c.RetriesStopped; stops.Unclaimed != 0 || stops.Multiplied != row.multiply*c.Served {
				t.Errorf("C stopped %+v of %d", stops, c.Served)
			}
		})
	}
}

// What B counts of claims.
func checkClaims(t *testing.T, b *figures, ownership string) {
	t.Helper()
	seen := b.Callees[0]
	got := [3]uint64{b.ClaimsSent.Unclaimed, seen.Unclaimed, seen.Missing}
	expected := [3]uint64{b.Served, seen.Errors, 0}
	if ownership == "stock" || ownership == "off" {
		expected = [3]uint64{0, 0, seen.Errors}
	}
	if got != expected || seen.Calls != b.Made {
		t.Errorf("sent, seen, missing: %v, expected %v; %d of %d calls", got, expected, seen.Calls, b.Made)
	}
}

func TestTheReadyLine(t *testing.T) {
	got := readyLine("A", 7001)
	expected := fmt.Sprintf(`{"event":"ready","name":"A","port":7001,"language":"Go","version":"%s",`+
		`"grpc":"grpc-go %s"}`, runtime.Version()[2:], grpc.Version)
	if got != expected {
		t.Errorf("got %s, expected %s", got, expected)
	}
}

// A loop hands on the status of the callee as it came, and takes no more calls than
// it needs.
func TestALoopThatGetsItsAnswer(t *testing.T) {
	for _, ownership := range []string{"stock", "off", "observe", "enforce"} {
		flaky := start(t, "--name", "D", "--fail-rate", "0.5", "--seed", "3")
		caller := start(t, "--name", "C", "--attempts", "100", "--retry-by", "application",
			"--ownership", ownership, "--callee", flaky.callee())
		for range 20 {
			expectBelow(t, 1)(ask(caller, "/C/Call"))
		}
		c, d := caller.stop(t, syscall.SIGTERM), flaky.stop(t, syscall.SIGTERM)
		if c.Errors != 0 || d.Errors == 0 || c.Made != 20+d.Errors {
			t.Errorf("%s: made %d calls, %d failed", ownership, c.Made, d.Errors)
		}
	}
}

func TestOutboundCallsThatAreTiedToNothing(t *testing.T) {
	d := start(t, "--name", "D", "--fail-rate", "1", "--ownership", "enforce")
	c := start(t, "--name", "C", "--attempts", "2", "--retry-by", "both", "--ownership", "enforce",
		"--context", "none", "--callee", d.callee())
	_, err := ask(c, "/C/Call")
	expectError(t, err, codes.Unavailable, "D fails by itself")
	if end := c.stop(t, syscall.SIGTERM); end.ClaimsSent.Claimed != 1 {
		t.Errorf("got %+v, expected one claimed error", end.ClaimsSent)
	}
}

func expectBelow(t *testing.T, below uint32) func(*pb.CallReply, error) {
	return func(reply *pb.CallReply, err error) {
		t.Helper()
		if err != nil || reply.NodesBelow != below {
			t.Errorf("got %v, %v, expected %d nodes below", reply, err, below)
		}
	}
}

func expectError(t *testing.T, err error, code codes.Code, message string) {
	t.Helper()
	if status.Code(err) != code || status.Convert(err).Message() != message {
		t.Errorf("got %v, expected %v, %q", err, code, message)
	}
}

func TestCalleesAndCounts(t *testing.T) {
	good := start(t, "--name", "G")
	bad := start(t, "--name", "F", "--fail-rate", "1", "--fail-status", "internal",
		"--healthy-first", "1")
	both := start(t, "--name", "B", "--callee", bad.callee()+",fail-open", "--callee", good.callee())
	strict := start(t, "--name", "A", "--callee", bad.callee())

	expectBelow(t, 2)(ask(both, "/eown.interop.v1.Node/Call"))
	expectBelow(t, 1)(ask(both, "/B/Call"))
	expectBelow(t, 1)(ask(both, "/B/Call", "eown-node-callee", "G"))
	_, err := ask(both, "/B/Call", "eown-node-callee", "X")
	expectError(t, err, codes.InvalidArgument,
		"eown-node-callee: 'X': expected the name of a callee of B")
	_, err = ask(bad, "/F/Call", "eown-node-callee", "") // though it would fail by itself
	expectError(t, err, codes.InvalidArgument,
		"eown-node-callee: '': expected the name of a callee of F")
	_, err = ask(strict, "/A/Call")
	expectError(t, err, codes.Internal, "F fails by itself")

	stats := new(pb.StatsReply)
	err = both.channel.Invoke(context.Background(), "/eown.interop.v1.Node/Stats",
		&pb.StatsRequest{Reset_: true}, stats)
	expected := `{"event":"stats","name":"B","served":4,"errors":1,"own_failures":0,"made":5,` +
		`"retries_stopped":{"unclaimed":0,"budget":0,"chain":0,"multiplied":0},` +
		`"claims_sent":{"claimed":0,"unclaimed":0},"callees":[` +
		`{"name":"F","calls":2,"errors":1,"claimed":0,"unclaimed":0,"missing":1,"other":0},` +
		`{"name":"G","calls":3,"errors":0,"claimed":0,"unclaimed":0,"missing":0,"other":0}]}`
	if err != nil || stats.Json != expected {
		t.Errorf("got %v %s,\nexpected %s", err, stats.Json, expected)
	}
	if end := both.stop(t, syscall.SIGINT); end.Served != 0 || end.Callees[0].Name != "F" {
		t.Errorf("got %v, expected counts set to zero", end)
	}
}

func TestRefusals(t *testing.T) {
	for _, row := range []struct{ words, expected string }{
		{"--parallel", "-parallel"},
		{"--fail-rate 2", `"2" for flag -fail-rate: expected a number from 0 to 1`},
		{"--callee D", `"D" for flag -callee: expected NAME=HOST:PORT`},
		{"--fail-status OK", `"OK" for flag -fail-status`},
		{"--retry-codes UNAVAILABLE,SAD", `"UNAVAILABLE,SAD" for flag -retry-codes`},
		{"--context thread", `"thread" for flag -context: expected one of parent, none`},
		{"--attempts 0", `"0" for flag -attempts`},
		{"--attempts 101", `"101" for flag -attempts: expected a whole number from 1 to 100`},
		{"--attempts", "-attempts"},
		{"--retry-by loop", `"loop" for flag -retry-by: expected one of grpc, application, both`},
		{"--retry-by", "-retry-by"},
		{"word", `"word"`},
	} {
		var errors strings.Builder
		command := exec.Command("../node", strings.Fields(row.words)...)
		command.Stderr = &errors
		output, _ := command.Output()
		if code := command.ProcessState.ExitCode(); code != 2 || len(output) > 0 ||
			!strings.Contains(errors.String(), row.expected) {
			t.Errorf("%s: status %d, %s%s", row.words, code, output, errors.String())
		}
	}
	help, err := exec.Command("../node", "--help").Output()
	if err != nil || !strings.Contains(string(help), "--callee NAME=HOST:PORT") {
		t.Errorf("--help: %v, %s", err, help)
	}
}

// The same calls fail as in an eown-node of this name and seed: outputs of
// SplitMix64 for the seed 0 are published.
func TestDice(t *testing.T) {
	if first := splitMix(0, 0); first != 0xe220a8397b1dcdaf {
		t.Errorf("got %x", first)
	}
	failures := func(rate float64, healthyFirst uint64) (n int) {
		d := newDice(&options{name: "D", seed: 7, failRate: rate, healthyFirst: healthyFirst})
		for range 1000 {
			if d.throw() {
				n++
			}
		}
		return n
	}
	if half := failures(0.5, 0); half < 400 || half > 600 || half != failures(0.5, 0) {
		t.Errorf("got %d failures of 1000 at rate 0.5", half)
	}
	if n := failures(1, 990); n != 10 {
		t.Errorf("got %d failures, expected 10", n)
	}
}
