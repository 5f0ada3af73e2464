#include "orchestration/prompt/normalised_messages.h"

#include <gtest/gtest.h>

#include "orchestration/jinja/parse_json.h"
#include "tests/orchestration/prompt/chat_helper.h"

namespace parley::orchestration::prompt {
namespace {

TemplateCapabilities able() {
  TemplateCapabilities can;
  can.tools = can.calls = can.prose_beside_calls = can.parallel_calls = can.results = true;
  return can;
}

// "role:content{calls};"
std::string shown(const std::vector<ChatMessage>& messages, const TemplateCapabilities& can,
                  const NormaliseOptions& options = {}) {
  std::string text;
  for (const MessagePart& part : normalise(messages, can, options)) {
    text += "suat"[static_cast<int>(part.role)];
    text += ':';
    for (const TextPiece& piece : part.content) text += piece.bytes;
    for (const MessageCall& call : part.calls) text += "{" + call.id + " " + call.name + "}";
    if (!part.call_id.empty()) text += " of " + part.call_id;
    if (!part.tool_name.empty()) text += " by " + part.tool_name;
    text += ';';
  }
  return text;
}

MessageCall call_of(std::string id, std::string name) { return {std::move(id), std::move(name), "{}"}; }

const std::vector<ChatMessage> kTwoCalls = {user_says("u"),
                                            assistant_calls({call_of("a", "f"), call_of("b", "g")}, "prose"),
                                            tool_says("2", "b"), tool_says("1", "a"), assistant_says("done")};

TEST(NormalisedMessages, ShowCallsAndTheirResultsInOrder) {
  EXPECT_EQ(shown(kTwoCalls, able()), "u:u;a:prose{a f}{b g};t:1 of a by f;t:2 of b by g;a:done;");
}

TEST(NormalisedMessages, SplitCallsForTemplatesThatTakeOne) {
  TemplateCapabilities can = able();
  can.parallel_calls = false;
  EXPECT_EQ(shown(kTwoCalls, can), "u:u;a:prose{a f};t:1 of a by f;a:{b g};t:2 of b by g;a:done;");
}

TEST(NormalisedMessages, PutProseInAMessageOfItsOwnWhereCallsDriveItOut) {
  TemplateCapabilities can = able();
  can.prose_beside_calls = false;
  EXPECT_EQ(shown(kTwoCalls, can), "u:u;a:prose;a:{a f}{b g};t:1 of a by f;t:2 of b by g;a:done;");
}

TEST(NormalisedMessages, MakeIdsByTheTemplatesRule) {
  TemplateCapabilities can = able();
  can.id_rule = calls::IdRule::nine_alphanumerics;
  EXPECT_EQ(shown(kTwoCalls, can),
            "u:u;a:prose{call00000 f}{call00001 g};t:1 of call00000 by f;t:2 of call00001 by g;a:done;");
  can.id_rule = calls::IdRule::functions_and_count;
  EXPECT_EQ(shown(kTwoCalls, can),
            "u:u;a:prose{functions.f:0 f}{functions.g:1 g};t:1 of functions.f:0 by f;t:2 of functions.g:1 by "
            "g;a:done;");
  EXPECT_EQ(shown({assistant_calls({call_of("", "f")})}, able()), "a:{ f};");
  can = able();
  can.ids_shown = true;
  EXPECT_EQ(shown({assistant_calls({call_of("", "f")})}, can), "a:{call_0 f};");
}

TEST(NormalisedMessages, GiveACallWithoutAResultOne) {
  EXPECT_EQ(shown({assistant_calls({call_of("a", "f")}), user_says("v")}, able()),
            "a:{a f};t:There is no result: the call was interrupted. of a by f;u:v;");
  EXPECT_EQ(shown({assistant_calls({call_of("a", "f"), call_of("b", "g")}), tool_says("2", "b")}, able()),
            "a:{a f}{b g};t:There is no result: the call was interrupted. of a by f;t:2 of b by g;");
}

TEST(NormalisedMessages, PutAResultWithoutACallInTheUsersMouth) {
  EXPECT_EQ(shown({user_says("u"), tool_says("x")}, able()), "u:u;u:<tool_response>\nx\n</tool_response>;");
}

TEST(NormalisedMessages, WriteAsTextWhatTheTemplateDoesNotShow) {
  TemplateCapabilities can = able();
  can.calls = can.results = false;
  EXPECT_EQ(
      shown(kTwoCalls, can),
      "u:u;a:prose\n<tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n</tool_call>\n<tool_call>\n{\"name\": "
      "\"g\", \"arguments\": {}}\n</tool_call>;u:<tool_response>\n1\n</tool_response>\n<tool_response>\n2\n"
      "</tool_response>;a:done;");
}

TEST(NormalisedMessages, RestateResultsWhenAsked) {
  NormaliseOptions options;
  options.results = ResultForm::restated_question;
  EXPECT_EQ(
      shown(kTwoCalls, able(), options),
      "u:u;a:prose{a f}{b g};u:f({}) returned: 1\ng({}) returned: 2\n\nUsing only this, answer in a plain "
      "sentence: u. If a call failed, say so and do not guess.;a:done;");
}

TEST(NormalisedMessages, LeaveAReplayedAnswerToItsIds) {
  NormaliseOptions options;
  options.replayed = {false, true};
  EXPECT_EQ(shown(kTwoCalls, able(), options), "u:u;a:qzreplayed;t:1 of a by f;t:2 of b by g;a:done;");
}

TEST(NormalisedMessages, ListToolsInTheSystemTextWhereTheTemplateDoesNot) {
  NormaliseOptions options;
  options.tools = *jinja::parse_json(R"([{"name": "f"}])", 9);
  TemplateCapabilities can;
  const std::string with_system = shown({system_says("s"), user_says("u")}, can, options);
  EXPECT_TRUE(with_system.starts_with("s:s\n\n# Tools\n")) << with_system;
  EXPECT_TRUE(with_system.ends_with("</tool_call>;u:u;")) << with_system;
  EXPECT_TRUE(shown({user_says("u")}, can, options).starts_with("s:# Tools\n"));
  can.system = false;
  const std::string merged = shown({user_says("u")}, can, options);
  EXPECT_TRUE(merged.starts_with("u:# Tools\n") && merged.ends_with("</tool_call>\n\nu;")) << merged;
  EXPECT_EQ(shown({user_says("u")}, able(), options), "u:u;");
}

TEST(NormalisedMessages, MergeWithTheNextQuestionAResultThatWasLeftUnanswered) {
  TemplateCapabilities can;
  can.users_in_a_row = false;
  EXPECT_EQ(
      shown({user_says("u"), assistant_calls({call_of("a", "f")}), tool_says("1"), user_says("v")}, can),
      "u:u;a:<tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n</tool_call>;u:<tool_response>\n1\n"
      "</tool_response>\n\nv;");
}

}  // namespace
}  // namespace parley::orchestration::prompt
