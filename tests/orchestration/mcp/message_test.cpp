#include "orchestration/mcp/message.h"

#include <gtest/gtest.h>

#include <string>

#include "inference/json/json_writer.h"

namespace parley::orchestration::mcp {
namespace {

using inference::json::JsonObject;
using inference::json::JsonValue;

template <typename Kind>
Kind only(const std::string& text) {
  const std::vector<Message> messages = parse_messages(text);
  EXPECT_EQ(messages.size(), 1u) << text;
  const auto* message = std::get_if<Kind>(&messages.front());
  EXPECT_NE(message, nullptr) << text;
  return message == nullptr ? Kind{} : *message;
}

TEST(Message, an_answer_has_its_id_and_its_result) {
  const auto answer = only<Answer>(R"({"jsonrpc":"2.0","id":7,"result":{"a":1}})");
  EXPECT_EQ(answer.id, 7);
  EXPECT_EQ(std::get<JsonObject>(answer.outcome).at("a"), JsonValue(1));
}

TEST(Message, an_error_has_code_words_and_data) {
  const auto answer =
      only<Answer>(R"({"id":7,"error":{"code":-32022,"message":"no","data":{"supported":[]}}})");
  const auto& error = std::get<RpcError>(answer.outcome);
  EXPECT_EQ(error.code, -32022);
  EXPECT_EQ(error.message, "no");
  EXPECT_TRUE(error.data.is_object());
}

TEST(Message, an_error_may_have_no_id) {
  EXPECT_EQ(only<Answer>(R"({"error":{"code":1,"message":""}})").id, std::nullopt);
  EXPECT_EQ(only<Answer>(R"({"id":null,"error":{"code":1,"message":""}})").id, std::nullopt);
}

TEST(Message, ids_that_are_not_ours_are_no_answers) {
  for (const char* id : {"\"7\"", "7.5", "null", "[7]", "true", "99999999999999999999"}) {
    EXPECT_EQ(only<Unreadable>(std::string(R"({"id":)") + id + R"(,"result":{}})").id, std::nullopt) << id;
  }
}

TEST(Message, requests_keep_their_id_as_it_was) {
  EXPECT_EQ(only<ServerRequest>(R"({"id":"a","method":"ping"})").id, JsonValue("a"));
  EXPECT_EQ(only<ServerRequest>(R"({"id":0,"method":"ping"})").id, JsonValue(0));
  EXPECT_EQ(only<Notification>(R"({"method":"x","params":{"a":true}})").params.at("a"), JsonValue(true));
  EXPECT_TRUE(only<Notification>(R"({"method":"x","params":[1]})").params.empty());
  only<Unreadable>(R"({"id":{},"method":"ping"})");
}

TEST(Message, what_is_no_message_says_why) {
  for (const char* text :
       {"", "hello", "{", "1", "null", "\"x\"", "[]", "{}", R"({"id":1})", R"({"id":1,"result":3})",
        R"({"method":7})", "\xFF\xFE", R"({"id":1,"result":{}} tail)"}) {
    EXPECT_FALSE(only<Unreadable>(text).reason.empty()) << text;
  }
}

TEST(Message, a_batch_is_several_messages) {
  const auto messages = parse_messages(R"([{"id":1,"result":{}},{"method":"a"},5])");
  ASSERT_EQ(messages.size(), 3u);
  EXPECT_TRUE(std::holds_alternative<Answer>(messages[0]));
  EXPECT_TRUE(std::holds_alternative<Notification>(messages[1]));
  EXPECT_TRUE(std::holds_alternative<Unreadable>(messages[2]));
}

TEST(Message, the_id_of_an_answer_that_cannot_be_read_is_found) {
  const std::string deep = std::string(10000, '[') + std::string(10000, ']');
  EXPECT_EQ(only<Unreadable>(R"({"id": 12, "result":{"a":)" + deep + "}}").id, 12);
  EXPECT_EQ(only<Unreadable>(R"({"result":{"id":3,"a":)" + deep + R"(},"x":"\"id\":4","id":13})").id, 13);
  EXPECT_EQ(only<Unreadable>(R"({"id":5,"result":{"a":1,"a":2}})").id, 5);
  EXPECT_EQ(only<Unreadable>(R"({"result":{"id":3,"a":)" + deep + "}}").id, std::nullopt);
  EXPECT_EQ(only<Unreadable>(R"({"id")").id, std::nullopt);
  EXPECT_EQ(only<Unreadable>(R"({"id":)").id, std::nullopt);
  EXPECT_EQ(only<Unreadable>(R"({"a\)").id, std::nullopt);
}

TEST(Message, a_message_beyond_the_limit_is_refused_whole) {
  const std::string huge = R"({"id":4,"result":{"a":")" + std::string(kMaxMessageBytes, 'x') + "\"}}";
  EXPECT_EQ(only<Unreadable>(huge).id, 4);
}

TEST(Message, what_we_write_is_one_line_and_reads_back) {
  const std::string request = request_text(3, "tools/call", {{"name", "a\nb"}});
  EXPECT_EQ(request, R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"a\nb"}})");
  EXPECT_EQ(notification_text("notifications/initialized", {}),
            R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  EXPECT_EQ(result_text("p1", {}), R"({"jsonrpc":"2.0","id":"p1","result":{}})");
  EXPECT_EQ(std::get<RpcError>(only<Answer>(error_text(8, -32601, "no")).outcome).code, -32601);
}

// Every cut and every changed byte of a message is read without a fault.
TEST(Message, damage_is_harmless) {
  const std::string text =
      R"([{"id":1,"result":{"a":["\u00e9",{"b":null}]}},{"method":"m","params":{"x":-1.5e3}}])";
  for (std::size_t at = 0; at < text.size(); ++at) {
    EXPECT_FALSE(parse_messages(text.substr(0, at)).empty());
    for (const char c : {'"', '{', '\\', '\0', '\xC3', '9'}) {
      std::string damaged = text;
      damaged[at] = c;
      EXPECT_FALSE(parse_messages(damaged).empty());
    }
  }
}

}  // namespace
}  // namespace parley::orchestration::mcp
