#include "app/protocol/frame_views.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "inference/json/json_writer.h"

namespace parley::app::protocol {
namespace {

using inference::json::JsonObject;
using inference::json::to_json_text;

namespace sessions = orchestration::sessions;
namespace turn = orchestration::turn;

TEST(FrameViewsTest, AModelHasItsStateAndFigures) {
  using State = turn::ModelSlot::State;
  const std::pair<State, const char*> states[] = {
      {State::loading, "loading"}, {State::ready, "ready"}, {State::failed, "failed"}};
  for (const auto& [state, name] : states) {
    ModelView model;
    model.state = state;
    EXPECT_EQ(view_of(model).at("state"), name);
  }
  ModelView broken;
  broken.info.name = "m";
  broken.info.architecture = "llama";
  broken.info.quantisation = "Q4_1";
  broken.info.file_bytes = 5'000'000'000;
  broken.info.max_context = 8192;
  broken.state = State::failed;
  broken.progress = 0.4;
  broken.error = "The file is damaged.";
  EXPECT_EQ(
      to_json_text(view_of(broken)),
      R"({"name":"m","state":"failed","progress":0.4,"error":"The file is damaged.","architecture":"llama",)"
      R"("quantisation":"Q4_1","file_bytes":5000000000,"max_context":8192})");
}

TEST(FrameViewsTest, AConversationSaysWhichSettingsAreItsOwn) {
  turn::ConversationSummary summary;
  summary.conversation.id = "c";
  summary.answering = true;
  const std::string own_none = to_json_text(view_of(summary).at("settings"));
  EXPECT_EQ(own_none, R"({"system_prompt":"","temperature":null,"max_tokens":null,"tools":null})");
  summary.conversation.settings.system_prompt = "Be kind.";
  summary.conversation.settings.temperature = 0.0;
  summary.conversation.settings.max_tokens = 5;
  summary.conversation.settings.tools = {"a", "b"};
  const JsonObject view = view_of(summary);
  const auto& settings = view.at("settings").as_object();
  EXPECT_EQ(settings.at("system_prompt"), "Be kind.");
  EXPECT_EQ(settings.at("temperature").to_number<double>(), 0);
  EXPECT_EQ(settings.at("max_tokens"), 5);
  EXPECT_EQ(to_json_text(settings.at("tools")), R"(["a","b"])");
  EXPECT_EQ(view.at("conversation"), "c");
  EXPECT_EQ(view.at("answering"), true);
  EXPECT_EQ(view.at("deleted"), false);
}

TEST(FrameViewsTest, AMessageHasTheStatusOfItsAnswer) {
  using Status = sessions::MessageStatus;
  const std::pair<Status, const char*> names[] = {{Status::complete, "complete"},
                                                  {Status::streaming, "streaming"},
                                                  {Status::stopped, "stopped"},
                                                  {Status::interrupted, "interrupted"},
                                                  {Status::failed, "failed"}};
  for (const auto& [status, name] : names) {
    sessions::Message message;
    message.status = status;
    EXPECT_EQ(view_of(message).at("status"), name);
  }
}

TEST(FrameViewsTest, ACallHasAllButItsBytes) {
  sessions::ToolCall call;
  call.id = "k";
  call.name = "weather";
  call.arguments = R"({"city":"x"})";
  call.source = "command";
  call.state = sessions::CallState::awaiting_approval;
  call.preview = {.kind = "command", .words = {"/bin/weather", "a b"}, .input = "in"};
  call.definition = "hash";
  call.result = "sun";
  call.output = "not told";
  call.output_bytes = 700;
  call.images = {{"image/png", "not told"}, {"image/gif", ""}};
  call.decision = "once";
  call.elapsed_ms = 1.5;
  call.started_at = 7;
  sessions::Message answer;
  answer.calls = {call};
  EXPECT_EQ(
      to_json_text(view_of(answer).at("calls")),
      R"([{"call":"k","name":"weather","source":"command","state":"awaiting_approval",)"
      R"("arguments":"{\"city\":\"x\"}","preview":{"kind":"command","words":["/bin/weather","a b"],)"
      R"("input":"in"},"definition":"hash","result":"sun","output_bytes":700,"images":["image/png","image/gif"],)"
      R"("decision":"once","elapsed_ms":1.5,"started_at":7}])");
}

TEST(FrameViewsTest, ACallHasItsState) {
  using State = sessions::CallState;
  const std::pair<State, const char*> names[] = {
      {State::writing, "writing"},     {State::awaiting_approval, "awaiting_approval"},
      {State::running, "running"},     {State::done, "done"},
      {State::failed, "failed"},       {State::denied, "denied"},
      {State::cancelled, "cancelled"}, {State::interrupted, "interrupted"}};
  for (const auto& [state, name] : names) {
    sessions::ToolCall call;
    call.state = state;
    EXPECT_EQ(view_of(call).at("state"), name);
  }
}

TEST(FrameViewsTest, ToolsHaveTheirPolicyAndServersTheirState) {
  using orchestration::tools::Decision;
  const std::pair<Decision, const char*> policies[] = {
      {Decision::automatic, "auto"}, {Decision::ask, "ask"}, {Decision::deny, "deny"}};
  for (const auto& [policy, name] : policies) {
    turn::OfferedTool tool;
    tool.policy = policy;
    EXPECT_EQ(view_of(tool).at("policy"), name);
  }
  using State = turn::ToolServer::State;
  const std::pair<State, const char*> states[] = {{State::starting, "starting"},
                                                  {State::ready, "ready"},
                                                  {State::failed, "failed"},
                                                  {State::restarting, "restarting"},
                                                  {State::off, "off"}};
  for (const auto& [state, name] : states) {
    turn::ToolServer server;
    server.state = state;
    EXPECT_EQ(view_of(server).at("state"), name);
    EXPECT_TRUE(view_of(server).at("error").is_null());
  }
}

TEST(FrameViewsTest, AQuestionHasNoParentNoFiguresAndNoReason) {
  sessions::Message question;
  question.id = "u";
  question.role = sessions::Role::user;
  const JsonObject view = view_of(question);
  EXPECT_EQ(view.at("role"), "user");
  for (const char* field : {"parent", "error", "stop_reason", "usage", "timings"}) {
    EXPECT_TRUE(view.at(field).is_null()) << field;
  }
}

TEST(FrameViewsTest, AnAnswerHasThemAll) {
  sessions::Message answer;
  answer.role = sessions::Role::assistant;
  answer.parent = "u";
  answer.stop_reason = "length";
  answer.error = "It broke.";
  answer.usage = {.prompt_tokens = 9, .cached_tokens = 3, .completion_tokens = 2};
  answer.timings = {.first_token_ms = 1.5, .total_ms = 4, .tokens_per_second = 50, .reasoning_ms = 2.5};
  answer.left_out_turns = 2;
  const JsonObject view = view_of(answer);
  EXPECT_EQ(view.at("role"), "assistant");
  EXPECT_EQ(view.at("parent"), "u");
  EXPECT_EQ(view.at("stop_reason"), "length");
  EXPECT_EQ(view.at("error"), "It broke.");
  EXPECT_EQ(view.at("left_out_turns"), 2);
  EXPECT_EQ(to_json_text(view.at("usage")), R"({"prompt_tokens":9,"cached_tokens":3,"completion_tokens":2})");
  EXPECT_EQ(to_json_text(view.at("timings")),
            R"({"first_token_ms":1.5,"total_ms":4,"tokens_per_second":50,"reasoning_ms":2.5})");
}

}  // namespace
}  // namespace parley::app::protocol
