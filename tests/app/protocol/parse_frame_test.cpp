#include "app/protocol/parse_frame.h"

#include <gtest/gtest.h>

#include <string>

namespace parley::app::protocol {
namespace {

namespace turn = orchestration::turn;

const std::string kId = "11111111-1111-4111-8111-111111111111";
const std::string kChat = "22222222-2222-4222-8222-222222222222";
const std::string kMessage = "33333333-3333-4333-8333-333333333333";
const std::string kCall = "44444444-4444-4444-8444-444444444444";

constexpr std::size_t kMaxBytes = max_frame_bytes(orchestration::turn::HubLimits{});

// {"type":…,"id":…,"conversation":…<more>}
std::string of_chat(const std::string& type, const std::string& more = "") {
  return R"({"type":")" + type + R"(","id":")" + kId + R"(","conversation":")" + kChat + "\"" + more + "}";
}

std::string of_call(const std::string& type, const std::string& more = "") {
  return of_chat(type, R"(,"message":")" + kMessage + R"(","call":")" + kCall + "\"" + more);
}

template <typename Command>
Command parsed(const std::string& text) {
  auto result = parse_frame(text, kMaxBytes);
  if (auto* error = std::get_if<ErrorFrame>(&result)) {
    ADD_FAILURE() << text << ": " << error->message;
    return {};
  }
  const auto& frame = std::get<ClientFrame>(result);
  EXPECT_EQ(command_id(frame), kId);
  const bool is_of_chat = text.find(kId + R"(","conversation":")" + kChat) != std::string::npos;
  EXPECT_EQ(command_conversation(frame), is_of_chat ? kChat : "") << text;
  EXPECT_TRUE(std::holds_alternative<Command>(frame)) << text;
  return std::holds_alternative<Command>(frame) ? std::get<Command>(frame) : Command{};
}

ErrorFrame refused(const std::string& text) {
  auto result = parse_frame(text, kMaxBytes);
  if (auto* error = std::get_if<ErrorFrame>(&result)) return *error;
  ADD_FAILURE() << text << " was accepted";
  return {};
}

TEST(ParseFrameTest, ReadsList) {
  const auto plain = parsed<ListCommand>(R"({"type":"list","id":")" + kId + R"(","before":null,"limit":20})");
  EXPECT_FALSE(plain.before);
  EXPECT_EQ(plain.limit, 20u);
  const auto next = parsed<ListCommand>(R"({"type":"list","id":")" + kId +
                                        R"(","before":{"updated_at":1700000000000,"conversation":")" + kChat +
                                        R"("},"limit":1})");
  ASSERT_TRUE(next.before);
  EXPECT_EQ(next.before->first, 1'700'000'000'000);
  EXPECT_EQ(next.before->second, kChat);
}

TEST(ParseFrameTest, ReadsCommandsOnAConversation) {
  EXPECT_EQ(parsed<CreateCommand>(of_chat("create", R"(,"title":"")")).conversation, kChat);
  EXPECT_EQ(parsed<RenameCommand>(of_chat("rename", R"(,"title":"A \u00e9")")).title, "A \xC3\xA9");
  EXPECT_EQ(parsed<DeleteCommand>(of_chat("delete")).conversation, kChat);
  EXPECT_EQ(parsed<UndeleteCommand>(of_chat("undelete")).conversation, kChat);
  EXPECT_EQ(parsed<CloseCommand>(of_chat("close")).conversation, kChat);
  EXPECT_EQ(parsed<StopCommand>(of_chat("stop")).conversation, kChat);
  EXPECT_EQ(parsed<OlderCommand>(of_chat("older", R"(,"limit":200,"before":")" + kMessage + "\"")).before,
            kMessage);
  EXPECT_EQ(parsed<RegenerateCommand>(of_chat("regenerate", R"(,"message":")" + kMessage + "\"")).message,
            kMessage);
  EXPECT_EQ(parsed<ContinueCommand>(of_chat("continue", R"(,"message":")" + kMessage + "\"")).message,
            kMessage);
  parsed<ModelsCommand>(R"({"type":"models","id":")" + kId + "\"}");
  parsed<ToolsCommand>(R"({"type":"tools","id":")" + kId + "\"}");
}

TEST(ParseFrameTest, ReadsCommandsOnACall) {
  using turn::CallDecision;
  const std::pair<const char*, CallDecision> decisions[] = {{"once", CallDecision::once},
                                                            {"chat", CallDecision::chat},
                                                            {"always", CallDecision::always},
                                                            {"deny", CallDecision::deny}};
  for (const auto& [word, decision] : decisions) {
    const auto command =
        parsed<DecideCommand>(of_call("decide", R"(,"decision":")" + std::string(word) + "\"")).decision;
    EXPECT_EQ(command.conversation + command.message + command.call, kChat + kMessage + kCall);
    EXPECT_EQ(command.decision, decision);
    EXPECT_EQ(command.definition, "") << "older clients do not say it";
  }
  const auto shown =
      parsed<DecideCommand>(of_call("decide", R"(,"decision":"once","definition":"hash")")).decision;
  EXPECT_EQ(shown.definition, "hash");
  EXPECT_EQ(
      parsed<DecideCommand>(of_call("decide", R"(,"decision":"once","definition":null)")).decision.definition,
      "");
  const auto cancel = parsed<CancelCallCommand>(of_call("cancel_call")).call;
  EXPECT_EQ(cancel.conversation + cancel.message + cancel.call, kChat + kMessage + kCall);
  const auto forget =
      parsed<ForgetApprovalCommand>(R"({"type":"forget_approval","tool":"weather","id":")" + kId + "\"}");
  EXPECT_EQ(forget.tool, "weather");
  const auto output = parsed<OutputCommand>(of_call("output", R"(,"offset":300000)")).request;
  EXPECT_EQ(output.conversation + output.message + output.call, kChat + kMessage + kCall);
  EXPECT_EQ(output.offset, 300'000u);
}

TEST(ParseFrameTest, ReadsWhichPartOfTheLogOfCallsIsWanted) {
  const std::string front = R"({"type":"audit","id":")" + kId + "\"";
  const auto newest = parsed<AuditCommand>(front + "}");
  EXPECT_EQ(newest.id, kId);
  EXPECT_FALSE(newest.request.before);
  EXPECT_EQ(newest.request.limit, 50u);
  const auto older = parsed<AuditCommand>(front + R"(,"before":4096,"limit":7})").request;
  EXPECT_EQ(older.before, 4096u);
  EXPECT_EQ(older.limit, 7u);
}

TEST(ParseFrameTest, ReadsWhatAClientHas) {
  EXPECT_FALSE(parsed<OpenCommand>(of_chat("open", R"(,"have":null)")).have);
  const auto open =
      parsed<OpenCommand>(of_chat("open", R"(,"have":{"instance":")" + kId + R"(","seq":12,"message":")" +
                                              kMessage + R"(","epoch":3,"offset":4096})"));
  ASSERT_TRUE(open.have);
  EXPECT_EQ(open.have->instance, kId);
  EXPECT_EQ(open.have->sequence, 12u);
  EXPECT_EQ(open.have->message, kMessage);
  EXPECT_EQ(open.have->epoch, 3);
  EXPECT_EQ(open.have->offset, 4096u);
  const auto idle =
      parsed<OpenCommand>(of_chat("open", R"(,"have":{"instance":")" + kId + R"(","seq":1,"message":null})"));
  EXPECT_EQ(idle.have->message, "");
}

TEST(ParseFrameTest, HasRoomForTheLongestMessageInTheLongestEscapes) {
  const std::size_t length = orchestration::turn::HubLimits{}.max_message_bytes;
  std::string escaped;
  for (std::size_t i = 0; i < length; ++i) escaped += "\\u0007";
  const std::string frame = of_chat("send", R"(,"text":")" + escaped + "\"");
  EXPECT_LE(frame.size(), kMaxBytes);
  EXPECT_EQ(parsed<SendCommand>(frame).text, std::string(length, '\a'));
  EXPECT_EQ(refused(frame + std::string(kMaxBytes, ' ')).code, ErrorCode::bad_frame);
}

TEST(ParseFrameTest, TellsAnAbsentParentFromNone) {
  EXPECT_EQ(parsed<SendCommand>(of_chat("send", R"(,"text":"hi")")).parent, std::nullopt);
  EXPECT_EQ(parsed<SendCommand>(of_chat("send", R"(,"text":"hi","parent":null)")).parent, "");
  EXPECT_EQ(parsed<SendCommand>(of_chat("send", R"(,"text":"hi","parent":")" + kMessage + "\"")).parent,
            kMessage);
}

TEST(ParseFrameTest, TellsAbsentSettingsFromResetOnes) {
  const auto none = parsed<SettingsCommand>(of_chat("settings"));
  EXPECT_FALSE(none.change.system_prompt || none.change.temperature || none.change.max_tokens ||
               none.change.tools);
  const auto reset =
      parsed<SettingsCommand>(of_chat("settings", R"(,"temperature":null,"max_tokens":null,"tools":null)"));
  ASSERT_TRUE(reset.change.temperature && reset.change.max_tokens && reset.change.tools);
  EXPECT_FALSE(reset.change.tools->has_value());
  EXPECT_FALSE(reset.change.temperature->has_value() || reset.change.max_tokens->has_value());
  const auto set = parsed<SettingsCommand>(
      of_chat("settings", R"(,"system_prompt":"","temperature":0.25,"max_tokens":64,"tools":["a","b"])"));
  EXPECT_EQ(**set.change.tools, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(set.change.conversation, kChat);
  EXPECT_EQ(set.change.system_prompt, "");
  EXPECT_EQ(**set.change.temperature, 0.25);
  EXPECT_EQ(**set.change.max_tokens, 64);
}

TEST(ParseFrameTest, IgnoresUnknownFields) { parsed<StopCommand>(of_chat("stop", R"(,"colour":{"a":[1]})")); }

TEST(ParseFrameTest, AnswersBadFramesWithoutAnId) {
  for (const std::string& text : {std::string("not json"), std::string("[]"), std::string("1"),
                                  std::string(3000, '['), of_chat("stop", R"(,"id":"x")")}) {
    const ErrorFrame error = refused(text);
    EXPECT_EQ(error.code, ErrorCode::bad_frame) << text;
    EXPECT_EQ(error.re, "");
    EXPECT_FALSE(error.message.empty());
  }
}

TEST(ParseFrameTest, AnswersUnknownTypesToTheirId) {
  const ErrorFrame error = refused(of_chat("explode"));
  EXPECT_EQ(error.code, ErrorCode::unknown_type);
  EXPECT_EQ(error.re, kId);
  EXPECT_NE(error.message.find("explode"), std::string::npos);
  EXPECT_EQ(refused(of_chat(std::string(5000, 'x'))).message.find("xxx"), std::string::npos);
}

TEST(ParseFrameTest, NamesTheFieldThatIsWrong) {
  struct Case {
    std::string text;
    std::string field;
  };
  const Case cases[] = {
      {R"({"id":")" + kId + "\"}", "`type`"},
      {R"({"type":7,"id":")" + kId + "\"}", "`type`"},
      {R"({"type":"stop","conversation":")" + kChat + "\"}", "`id`"},
      {R"({"type":"stop","id":"X","conversation":")" + kChat + "\"}", "`id`"},
      {R"({"type":"stop","id":")" + kId + "\"}", "`conversation`"},
      {of_chat("send"), "`text`"},
      {of_chat("send", R"(,"text":5)"), "`text`"},
      {of_chat("send", R"(,"text":"a","parent":"b")"), "`parent`"},
      {of_chat("rename"), "`title`"},
      {of_chat("older", R"(,"limit":3)"), "`before`"},
      {of_chat("older", R"(,"limit":201,"before":")" + kMessage + "\""), "`limit`"},
      {of_chat("older", R"(,"limit":1.5,"before":")" + kMessage + "\""), "`limit`"},
      {of_chat("settings", R"(,"temperature":2.1)"), "`temperature`"},
      {of_chat("settings", R"(,"temperature":"1")"), "`temperature`"},
      {of_chat("settings", R"(,"max_tokens":0)"), "`max_tokens`"},
      {of_chat("settings", R"(,"max_tokens":4294967297)"), "`max_tokens`"},
      {of_chat("settings", R"(,"system_prompt":null)"), "`system_prompt`"},
      {of_chat("settings", R"(,"tools":"all")"), "`tools`"},
      {of_chat("settings", R"(,"tools":["a",1])"), "`tools`"},
      {of_call("decide"), "`decision`"},
      {of_call("decide", R"(,"decision":"yes")"), "`decision`"},
      {of_call("decide", R"(,"decision":null)"), "`decision`"},
      {of_call("decide", R"(,"decision":"once","definition":1)"), "`definition`"},
      {of_chat("decide", R"(,"message":")" + kMessage + R"(","decision":"once")"), "`call`"},
      {of_chat("cancel_call", R"(,"call":")" + kCall + "\""), "`message`"},
      {R"({"type":"forget_approval","id":")" + kId + "\"}", "`tool`"},
      {of_call("output"), "`offset`"},
      {R"({"type":"audit","id":")" + kId + R"(","before":-1})", "`before`"},
      {R"({"type":"audit","id":")" + kId + R"(","limit":0})", "`limit`"},
      {of_call("output", R"(,"offset":-1)"), "`offset`"},
      {of_chat("open", R"(,"have":[])"), "`have`"},
      {of_chat("open", R"(,"have":{"seq":-1})"), "`have.instance`"},
      {of_chat("open", R"(,"have":{"instance":")" + kId + R"(","seq":-1})"), "`have.seq`"},
      {R"({"type":"list","id":")" + kId + R"(","before":{"updated_at":1}})", "`before.conversation`"},
  };
  for (const Case& wrong : cases) {
    const ErrorFrame error = refused(wrong.text);
    EXPECT_EQ(error.code, ErrorCode::invalid) << wrong.text;
    EXPECT_NE(error.message.find(wrong.field), std::string::npos) << wrong.text << ": " << error.message;
  }
}

TEST(ParseFrameTest, NamesTheFieldOfNaN) {
  const ErrorFrame error = refused(of_chat("settings", R"(,"temperature":NaN)"));
  EXPECT_EQ(error.code, ErrorCode::bad_frame);
  EXPECT_NE(error.message.find("`temperature`"), std::string::npos) << error.message;
}

}  // namespace
}  // namespace parley::app::protocol
