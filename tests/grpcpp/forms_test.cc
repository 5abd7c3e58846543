// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
// In each form of server, outbound calls are tied to their inbound one.
#include <gtest/gtest.h>

#include "call.h"
#include "eown/counters.h"
#include "node.h"

namespace {

const Keys kEnforce = {{"eown.mode", "enforce"}};

struct Row {
  Form form;
  Method method;
  Line line;
  bool tied;
};

std::string Name(const testing::TestParamInfo<Row> &info) {
  static const char *const forms[] = {"Sync", "Callback", "Async",
                                      "GenericAsync", "GenericCallback"};
  static const char *const methods[] = {"Unary", "Download", "Upload", "Chat"};
  static const char *const lines[] = {"Plain", "FromServer", "Scope", "Attach"};
  const Row &row = info.param;
  return std::string(forms[static_cast<int>(row.form)]) +
         methods[static_cast<int>(row.method)] +
         lines[static_cast<int>(row.line)];
}

class Forms : public testing::TestWithParam<Row> {};

TEST_P(Forms, TieOutboundToInbound) {
  const Row &row = GetParam();
  Node owner(Form::kSync,
             {{"eown.mode", "enforce"}, {"eown.service_name", "the.Owner"}});
  owner.plan.own = {grpc::StatusCode::UNAVAILABLE, "down"};
  Node node(row.form, kEnforce);
  node.plan.line = row.line;
  node.plan.callee = owner.Channel(kEnforce, 2);
  eown_counters_reset();
  Result result = Call(node.Channel(kEnforce, 4), row.method);
  EXPECT_EQ(result.status.error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_EQ(result.status.error_message(), "down");
  uint64_t drops = eown_counter_read(EOWN_COUNTER_context_drops);
  if (row.tied) {
    EXPECT_EQ(result.Values("error-claim"), "unclaimed");
    EXPECT_STREQ(result.Detail().owner_service, "the.Owner");
    EXPECT_EQ(node.plan.served, 1);
    EXPECT_EQ(owner.plan.served, 2);
  } else {
    EXPECT_EQ(result.Values("error-claim"), "claimed");
    EXPECT_EQ(node.plan.served, 4);
  }
  // The test's own call has no inbound; the process serves, so it counts.
  EXPECT_EQ(drops, row.tied ? 1u : 5u);
}

constexpr Method kUnary = Method::kUnary, kDownload = Method::kDownload,
                 kUpload = Method::kUpload, kChat = Method::kChat;

INSTANTIATE_TEST_SUITE_P(
    Sync, Forms,
    testing::Values(Row{Form::kSync, kUnary, Line::kNone, true},
                    Row{Form::kSync, kDownload, Line::kNone, true},
                    Row{Form::kSync, kUpload, Line::kNone, true},
                    Row{Form::kSync, kChat, Line::kNone, true},
                    Row{Form::kSync, kUnary, Line::kFromServer, true},
                    Row{Form::kSync, kUnary, Line::kScope, true},
                    Row{Form::kSync, kUnary, Line::kAttach, true}),
    Name);

// Upload and Chat relay in a reaction, which runs on any thread.
INSTANTIATE_TEST_SUITE_P(
    Callback, Forms,
    testing::Values(Row{Form::kCallback, kUnary, Line::kNone, true},
                    Row{Form::kCallback, kDownload, Line::kNone, true},
                    Row{Form::kCallback, kUpload, Line::kNone, false},
                    Row{Form::kCallback, kUnary, Line::kFromServer, true},
                    Row{Form::kCallback, kDownload, Line::kFromServer, true},
                    Row{Form::kCallback, kUpload, Line::kFromServer, true},
                    Row{Form::kCallback, kChat, Line::kFromServer, true},
                    Row{Form::kCallback, kUpload, Line::kScope, true},
                    Row{Form::kCallback, kChat, Line::kScope, true},
                    Row{Form::kCallback, kChat, Line::kAttach, true}),
    Name);

INSTANTIATE_TEST_SUITE_P(
    Async, Forms,
    testing::Values(Row{Form::kAsync, kUnary, Line::kNone, false},
                    Row{Form::kAsync, kUnary, Line::kFromServer, true},
                    Row{Form::kAsync, kUnary, Line::kScope, true},
                    Row{Form::kAsync, kUnary, Line::kAttach, true}),
    Name);

INSTANTIATE_TEST_SUITE_P(
    Generic, Forms,
    testing::Values(Row{Form::kGenericAsync, kUnary, Line::kFromServer, true},
                    Row{Form::kGenericAsync, kChat, Line::kScope, true},
                    Row{Form::kGenericAsync, kUnary, Line::kAttach, true},
                    Row{Form::kGenericCallback, kUnary, Line::kFromServer,
                        true},
                    Row{Form::kGenericCallback, kUnary, Line::kScope, true},
                    Row{Form::kGenericCallback, kChat, Line::kAttach, true}),
    Name);

TEST(FormsSucceed, WithNothingAdded) {
  for (Form form : {Form::kSync, Form::kCallback, Form::kAsync,
                    Form::kGenericAsync, Form::kGenericCallback}) {
    Node callee(form, kEnforce);
    Node node(form, kEnforce);
    node.plan.callee = callee.Channel(kEnforce, 4);
    node.plan.line = Line::kFromServer;
    Result result = Call(node.Channel(kEnforce, 4));
    EXPECT_TRUE(result.status.ok()) << result.status.error_message();
    EXPECT_TRUE(result.trailers.empty());
    EXPECT_EQ(callee.plan.served, 1);
  }
}

} // namespace
