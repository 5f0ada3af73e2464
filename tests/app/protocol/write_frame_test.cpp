#include "app/protocol/write_frame.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "inference/json/json.h"

namespace parley::app::protocol {
namespace {

using inference::json::JsonValue;
using inference::json::parse_json;

namespace sessions = orchestration::sessions;
namespace turn = orchestration::turn;

ModelView model() {
  ModelView view;
  view.info = {.name = "m",
               .architecture = "llama",
               .quantisation = "Q4_1",
               .file_bytes = 5'000'000'000,
               .max_context = 8192};
  view.progress = 0.4;
  return view;
}

turn::ConversationSummary summary() {
  turn::ConversationSummary summary;
  summary.conversation = {.id = "c",
                          .title = "T",
                          .settings = {},
                          .active_leaf = "x",
                          .created_at = 1,
                          .updated_at = 2,
                          .deleted = false};
  return summary;
}

sessions::Message answer() {
  sessions::Message message;
  message.id = "a";
  message.parent = "u";
  message.role = sessions::Role::assistant;
  message.text = "Hi";
  message.stop_reason = "stop";
  message.model = "m";
  message.token_ids = {1, 2};
  message.usage = {.prompt_tokens = 9, .cached_tokens = 3, .completion_tokens = 2};
  message.timings = {.first_token_ms = 1.5, .total_ms = 4, .tokens_per_second = 50};
  message.created_at = 7;
  return message;
}

const std::string kSummary =
    R"({"conversation":"c","title":"T","settings":{"system_prompt":"","temperature":null,"max_tokens":null,"tools":null},)"
    R"("created_at":1,"updated_at":2,"deleted":false,"answering":false})";
const std::string kTail =
    R"("status":"complete","error":null,"stop_reason":"stop","model":"m","epoch":0,"created_at":7,)"
    R"("usage":{"prompt_tokens":9,"cached_tokens":3,"completion_tokens":2},)"
    R"("timings":{"first_token_ms":1.5,"total_ms":4,"tokens_per_second":50,"reasoning_ms":0},"left_out_turns":0})";

TEST(WriteFrameTest, Hello) {
  HelloFrame hello;
  hello.server = "parley 0.1.0";
  hello.instance = "i";
  hello.time = 1'796'034'195'042;
  hello.temperature = 0.7f;
  hello.model = model();
  EXPECT_EQ(
      write_frame(hello),
      R"({"type":"hello","protocol":1,"server":"parley 0.1.0","instance":"i","time":1796034195042,)"
      R"("limits":{"frame_bytes":6691168,"message_bytes":1048576,"title_bytes":400,"system_prompt_bytes":65536},)"
      R"("defaults":{"temperature":0.7,"max_tokens":null},"model":{"name":"m","state":"loading","progress":0.4,)"
      R"("error":null,"architecture":"llama","quantisation":"Q4_1","file_bytes":5000000000,"max_context":8192}})");
}

TEST(WriteFrameTest, Answers) {
  EXPECT_EQ(write_frame(AckFrame{.re = "r", .message = {}}), R"({"type":"ack","re":"r"})");
  EXPECT_EQ(write_frame(AckFrame{.re = "r", .message = "m"}), R"({"type":"ack","re":"r","message":"m"})");
  EXPECT_EQ(write_frame(ErrorFrame{.re = {}, .code = ErrorCode::bad_frame, .message = "No."}),
            R"({"type":"error","re":null,"code":"bad_frame","message":"No."})");
  EXPECT_EQ(write_frame(ConversationsFrame{.re = "r", .items = {summary()}, .more = true}),
            R"({"type":"conversations","re":"r","items":[)" + kSummary + R"(],"more":true})");
  EXPECT_EQ(write_frame(MessagesFrame{.re = "r", .conversation = "c", .items = {}, .more = false}),
            R"({"type":"messages","re":"r","conversation":"c","items":[],"more":false})");
  EXPECT_EQ(write_frame(ModelsFrame{.re = "r", .items = {}}), R"({"type":"models","re":"r","items":[]})");
  EXPECT_EQ(write_frame(OutputFrame{.re = "r", .piece = {"a", 3, "te\"xt", 900}}),
            R"({"type":"output","re":"r","offset":3,"text":"te\"xt","bytes":900})");
}

TEST(WriteFrameTest, TheLogOfCalls) {
  AuditFrame frame;
  frame.re = "r";
  EXPECT_EQ(write_frame(frame), R"({"type":"audit","re":"r","items":[],"before":null,"damaged":0})");
  orchestration::tools::AuditEntry& entry = frame.page.entries.emplace_back();
  entry.at = 77;
  entry.record.time = std::chrono::system_clock::time_point(std::chrono::milliseconds(1'796'034'195'042));
  entry.record.tool = "weather";
  entry.record.source = "command";
  entry.record.arguments_hash = "not told";
  entry.record.decision = "auto";
  entry.record.end = "ok";
  entry.record.duration = std::chrono::milliseconds(12);
  frame.page.before = 55;
  frame.page.damaged_lines = 1;
  EXPECT_EQ(write_frame(frame),
            R"({"type":"audit","re":"r","items":[{"at":77,"time":1796034195042,"conversation":null,)"
            R"("tool":"weather","source":"command","decision":"auto","end":"ok","elapsed_ms":12}],)"
            R"("before":55,"damaged":1})");
}

TEST(WriteFrameTest, ToolsWithTheirServersAndProblems) {
  ToolsFrame frame;
  frame.re = "r";
  turn::OfferedTool& tool = frame.tools.tools.emplace_back();
  tool.name = "weather";
  tool.description = "Tells the weather.";
  tool.source = "command";
  tool.policy = orchestration::tools::Decision::automatic;
  tool.tokens = 42;
  tool.chosen = true;
  turn::ToolServer& server = frame.tools.servers.emplace_back();
  server.name = "files";
  server.state = turn::ToolServer::State::failed;
  server.error = "It exited with status 1.";
  server.tools = 2;
  server.log = {"one", "two"};
  frame.tools.problems = {"tools.json: no."};
  frame.tools.file = "/home/tools.json";
  frame.tools.off = "why";
  frame.profile = turn::ToolProfile::native;
  turn::ToolApproval& approval = frame.approvals.emplace_back();
  approval.tool = "weather";
  approval.source = "command";
  approval.chat = "c";
  approval.since = 1'796'034'195'042;
  approval.holds = false;
  EXPECT_EQ(
      write_frame(frame),
      R"({"type":"tools","re":"r","items":[{"name":"weather","description":"Tells the weather.",)"
      R"("source":"command","policy":"auto","tokens":42,"chosen":true}],"counted":false,"profile":"native",)"
      R"("approvals":[{"tool":"weather","source":"command","conversation":"c","since":1796034195042,)"
      R"("holds":false}],)"
      R"("servers":[{"name":"files","state":"failed","error":"It exited with status 1.","tools":2,)"
      R"("log":["one","two"]}],"problems":["tools.json: no."],"file":"/home/tools.json","off":"why"})");
}

TEST(WriteFrameTest, ToolsNameTheModelsProfile) {
  using turn::ToolProfile;
  const std::pair<ToolProfile, const char*> names[] = {
      {ToolProfile::native, "native"}, {ToolProfile::weak, "weak"}, {ToolProfile::none, "none"}};
  for (const auto& [profile, name] : names) {
    ToolsFrame frame;
    frame.re = "r";
    frame.profile = profile;
    EXPECT_EQ(write_frame(frame),
              R"({"type":"tools","re":"r","items":[],"counted":false,"profile":")" + std::string(name) +
                  R"(","approvals":[],"servers":[],"problems":[],"file":null,"off":null})");
  }
}

TEST(WriteFrameTest, EventsOfCalls) {
  turn::CallChanged changed;
  changed.sequence = 8;
  changed.message = "a";
  changed.index = 1;
  changed.call.call.id = "k";
  const std::string call =
      R"({"call":"k","name":"","source":"","state":"writing","arguments":"","preview":null,"definition":null,"result":"",)"
      R"("output_bytes":0,"images":[],"decision":null,"elapsed_ms":0,"started_at":null})";
  const std::string front =
      R"({"type":"call_changed","conversation":"c","seq":8,"message":"a","index":1,"call":)";
  EXPECT_EQ(write_frame(ConversationEventFrame{.conversation = "c", .event = changed}),
            front + call + R"(,"progress":null})");
  changed.call.progress.message = "half";
  EXPECT_EQ(write_frame(ConversationEventFrame{.conversation = "c", .event = changed}),
            front + call + R"(,"progress":{"message":"half","fraction":null}})");
  changed.call.progress = {.message = "", .fraction = 0.5};
  EXPECT_EQ(write_frame(ConversationEventFrame{.conversation = "c", .event = changed}),
            front + call + R"(,"progress":{"message":"","fraction":0.5}})");
  EXPECT_EQ(
      write_frame(
          ConversationEventFrame{.conversation = "c", .event = turn::ArgumentsDelta{"a", 1, 2, 3, "{\"x"}}),
      R"({"type":"arguments","conversation":"c","message":"a","epoch":1,"index":2,"offset":3,"text":"{\"x"})");
  EXPECT_EQ(write_frame(ConversationEventFrame{.conversation = "c", .event = turn::CallPreparing{"a", 1}}),
            R"({"type":"preparing","conversation":"c","message":"a","epoch":1})");
  EXPECT_EQ(write_frame(ToolsChangedFrame()), R"({"type":"tools_changed"})");
}

TEST(WriteFrameTest, NamesEveryErrorCode) {
  const std::pair<ErrorCode, const char*> names[] = {{ErrorCode::bad_frame, "bad_frame"},
                                                     {ErrorCode::unknown_type, "unknown_type"},
                                                     {ErrorCode::invalid, "invalid"},
                                                     {ErrorCode::not_found, "not_found"},
                                                     {ErrorCode::busy, "busy"},
                                                     {ErrorCode::too_long, "too_long"},
                                                     {ErrorCode::conflict, "conflict"},
                                                     {ErrorCode::unavailable, "unavailable"},
                                                     {ErrorCode::rate_limited, "rate_limited"},
                                                     {ErrorCode::internal, "internal"}};
  for (const auto& [code, name] : names) EXPECT_EQ(error_code_name(code), name);
}

TEST(WriteFrameTest, Events) {
  const std::string message =
      R"({"message":"a","parent":"u","role":"assistant","text":"Hi","calls":[],)" + kTail;
  EXPECT_EQ(write_frame(ConversationEventFrame{.conversation = "c",
                                               .event = turn::Snapshot{summary(), {answer()}, false, 4}}),
            R"({"type":"snapshot","conversation":"c","seq":4,"summary":)" + kSummary + R"(,"messages":[)" +
                message + R"(],"more":false})");
  EXPECT_EQ(
      write_frame(ConversationEventFrame{.conversation = "c", .event = turn::MessageAdded{5, answer()}}),
      R"({"type":"message_added","conversation":"c","seq":5,"message":)" + message + "}");
  EXPECT_EQ(
      write_frame(ConversationEventFrame{.conversation = "c", .event = turn::MessageChanged{6, answer(), 2}}),
      R"({"type":"message_changed","conversation":"c","seq":6,"message":{"message":"a","parent":"u","role":"assistant","calls":[],)" +
          kTail + R"(,"text_bytes":2})");
  EXPECT_EQ(write_frame(ConversationEventFrame{.conversation = "c",
                                               .event = turn::ConversationChanged{7, summary()}}),
            R"({"type":"changed","conversation":"c","seq":7,"summary":)" + kSummary + "}");
  EXPECT_EQ(
      write_frame(ConversationEventFrame{.conversation = "c", .event = turn::TextDelta{"a", 1, 2, "xyz"}}),
      R"({"type":"delta","conversation":"c","message":"a","epoch":1,"offset":2,"text":"xyz"})");
  EXPECT_EQ(write_frame(ListedFrame{summary()}), R"({"type":"listed","item":)" + kSummary + "}");
}

TEST(WriteFrameTest, AModelThatFailed) {
  ModelFrame frame{model()};
  frame.model.state = turn::ModelSlot::State::failed;
  frame.model.error = "The file is damaged.";
  const std::string text = write_frame(frame);
  EXPECT_NE(text.find(R"("state":"failed","progress":0.4,"error":"The file is damaged.")"), std::string::npos)
      << text;
}

TEST(WriteFrameTest, UserMessagesHaveNoFigures) {
  sessions::Message question;
  question.id = "u";
  question.text = "a\"\xFF";
  const std::string text =
      write_frame(MessagesFrame{.re = "r", .conversation = "c", .items = {question}, .more = true});
  EXPECT_NE(text.find(R"("parent":null,"role":"user","text":"a\")"
                      "\xEF\xBF\xBD\""),
            std::string::npos)
      << text;
  EXPECT_NE(text.find(R"("usage":null,"timings":null)"), std::string::npos) << text;
  EXPECT_TRUE(std::holds_alternative<JsonValue>(parse_json(text, {.max_bytes = 4096})));
}

}  // namespace
}  // namespace parley::app::protocol
