#include "orchestration/mcp/call_result.h"

#include <gtest/gtest.h>

#include <string>

#include "orchestration/mcp/protocol.h"

namespace parley::orchestration::mcp {
namespace {

using inference::json::JsonValue;
using Status = CallOutcome::Status;
using Kind = ContentBlock::Kind;

CallOutcome outcome(const std::string& text) {
  const auto parsed = inference::json::parse_json(text, {.max_bytes = 1 << 22});
  return read_call_result(std::get<JsonValue>(parsed).as_object());
}

TEST(CallResult, each_kind_of_content_is_read) {
  const CallOutcome read = outcome(R"({"resultType":"complete","content":[
      {"type":"text","text":"a\u001b[31mb\u0000"},
      {"type":"image","data":"aGk=","mimeType":"image/png"},
      {"type":"audio","data":"aGk=","mimeType":"audio/wav"},
      {"type":"resource_link","uri":"file:///a\nb","name":"a","description":"d","mimeType":"text/x"},
      {"type":"resource","resource":{"uri":"x://1","text":"inside","mimeType":"text/plain"}},
      {"type":"resource","resource":{"uri":"x://2","blob":"aGk=","mimeType":"image/gif"}}]})");
  EXPECT_EQ(read.status, Status::ok);
  ASSERT_EQ(read.content.size(), 6u);
  EXPECT_EQ(read.content[0].text, "ab");
  EXPECT_EQ(read.content[1].kind, Kind::image);
  EXPECT_EQ(read.content[1].bytes, "hi");
  EXPECT_EQ(read.content[1].media_type, "image/png");
  EXPECT_EQ(read.content[2].kind, Kind::audio);
  EXPECT_EQ(read.content[3].uri, "file:///a b");
  EXPECT_EQ(read.content[3].name, "a");
  EXPECT_EQ(read.content[4].text, "inside");
  EXPECT_EQ(read.content[5].bytes, "hi");
}

TEST(CallResult, an_error_of_the_tool_keeps_its_words) {
  const CallOutcome read = outcome(R"({"content":[{"type":"text","text":"no such city"}],"isError":true})");
  EXPECT_EQ(read.status, Status::tool_error);
  EXPECT_EQ(read.content.at(0).text, "no such city");
}

TEST(CallResult, structured_content_may_be_any_value_and_stand_alone) {
  EXPECT_EQ(outcome(R"({"structuredContent":{"a":1}})").structured->as_object().at("a"), 1);
  EXPECT_TRUE(outcome(R"({"content":[],"structuredContent":[1]})").structured->is_array());
  EXPECT_EQ(outcome(R"({"structuredContent":null})").status, Status::ok);
}

TEST(CallResult, a_wish_for_input_is_refused_in_words) {
  const CallOutcome read = outcome(
      R"({"resultType":"input_required","requestState":"s","inputRequests":{"a":{"method":"elicitation/create"}}})");
  EXPECT_EQ(read.status, Status::failed);
  EXPECT_NE(read.problem.find("elicitation/create"), std::string::npos);
  EXPECT_EQ(outcome(R"({"resultType":"input_required"})").status, Status::failed);
  EXPECT_EQ(outcome(R"({"resultType":"input_required","inputRequests":{"a":7}})").status, Status::failed);
}

TEST(CallResult, unknown_kinds_are_not_guessed_at) {
  EXPECT_EQ(outcome(R"({"resultType":"task","content":[]})").status, Status::failed);
  EXPECT_EQ(outcome(R"({"resultType":null,"content":[]})").status, Status::ok);
  EXPECT_EQ(outcome("{}").status, Status::failed);
  EXPECT_EQ(outcome(R"({"content":"text"})").status, Status::failed);
}

TEST(CallResult, broken_content_becomes_a_note_in_its_place) {
  const CallOutcome read = outcome(R"({"content":[7,{"type":"image","data":"***"},{"type":"image"},
      {"type":"resource"},{"type":"resource","resource":{"blob":"!"}},{"type":"hologram"},{"type":"text"}]})");
  EXPECT_EQ(read.status, Status::ok);
  ASSERT_EQ(read.content.size(), 7u);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_TRUE(read.content[i].text.starts_with("[")) << i;
  EXPECT_NE(read.content[5].text.find("hologram"), std::string::npos);
}

TEST(CallResult, content_without_end_is_cut) {
  std::string blocks = R"({"type":"text","text":"a"})";
  for (int i = 0; i < 2000; ++i) blocks += R"(,{"type":"text","text":"a"})";
  const CallOutcome read = outcome(R"({"content":[)" + blocks + "]}");
  EXPECT_EQ(read.content.size(), kMaxContentBlocks + 1);
  EXPECT_NE(read.content.back().text.find("left out"), std::string::npos);
}

TEST(CallResult, failures_of_the_request_become_outcomes) {
  RequestFailure failure;
  failure.message = "exited with status 3";
  failure.kind = RequestFailure::Kind::closed;
  EXPECT_EQ(to_outcome(failure).problem, "it ended before it answered (exited with status 3)");
  failure.kind = RequestFailure::Kind::timed_out;
  EXPECT_EQ(to_outcome(failure).status, Status::timed_out);
  failure.kind = RequestFailure::Kind::cancelled;
  EXPECT_EQ(to_outcome(failure).status, Status::cancelled);
  failure.kind = RequestFailure::Kind::refused;
  failure.code = kMissingCapability;
  EXPECT_NE(to_outcome(failure).problem.find("does not offer"), std::string::npos);
}

}  // namespace
}  // namespace parley::orchestration::mcp
