#include "orchestration/tools/mcp_tool.h"

#include <gtest/gtest.h>

#include <string>

namespace parley::orchestration::tools {
namespace {

using inference::json::JsonObject;
using inference::json::JsonValue;
using mcp::CallOutcome;
using mcp::ContentBlock;

// Gives what the test says, and keeps what it was asked.
class FakeMcpServer final : public mcp::McpServer {
 public:
  mcp::ServerStatus status() const override { return {}; }
  std::shared_ptr<const mcp::ToolList> tools() override { return std::make_shared<mcp::ToolList>(); }
  std::vector<mcp::LogLine> log() const override { return {}; }
  CallOutcome call(const mcp::ToolDefinition& tool, const JsonObject& arguments,
                   const mcp::CallOptions& how) override {
    asked_tool = tool.name;
    asked_arguments = arguments;
    asked_timeout = how.timeout;
    asked_deadline = how.deadline;
    if (how.on_progress) how.on_progress({.progress = 1, .total = 4, .message = "quarter of hunter2"});
    return outcome;
  }

  CallOutcome outcome;
  std::string asked_tool;
  JsonObject asked_arguments;
  std::chrono::milliseconds asked_timeout{0};
  std::chrono::steady_clock::time_point asked_deadline;
};

mcp::ToolDefinition definition(const std::string& name) {
  const JsonObject value = {
      {"name", name}, {"description", "Reads"}, {"inputSchema", JsonObject{{"type", "object"}}}};
  return std::get<mcp::ToolDefinition>(mcp::read_tool_definition(value));
}

McpServerEntry entry() {
  McpServerEntry entry;
  entry.name = "files";
  entry.source = "mcp:files";
  entry.timeout = std::chrono::milliseconds(1234);
  entry.transport = McpHttp{.url = "http://127.0.0.1:9000/mcp", .headers = {}};
  return entry;
}

ContentBlock block(ContentBlock::Kind kind, const std::string& text, const std::string& media_type = "",
                   const std::string& bytes = "") {
  ContentBlock made;
  made.kind = kind;
  made.text = text;
  made.media_type = media_type;
  made.bytes = bytes;
  return made;
}

CallOutcome ok(std::vector<ContentBlock> content) {
  CallOutcome outcome;
  outcome.status = CallOutcome::Status::ok;
  outcome.content = std::move(content);
  return outcome;
}

struct McpToolTest : testing::Test {
  std::shared_ptr<Tool> tool(const std::string& name = "read.file") {
    return make_mcp_tool(server, definition(name), entry(), {.max_text = 1000, .secrets = {"hunter2"}});
  }

  std::shared_ptr<FakeMcpServer> server = std::make_shared<FakeMcpServer>();
};

TEST_F(McpToolTest, is_named_after_its_server_and_says_where_it_is_from) {
  const auto made = tool();
  EXPECT_EQ(made->spec().name, "files_read_file");
  EXPECT_EQ(made->spec().description, "Reads");
  EXPECT_EQ(made->spec().source, "mcp:files");
  EXPECT_EQ(made->spec().parameters.at("type"), "object");
  EXPECT_EQ(made->spec().timeout, std::chrono::milliseconds(1234));
  EXPECT_TRUE(made->spec().progress_extends);
}

TEST_F(McpToolTest, its_hash_hangs_on_definition_and_server) {
  const std::string hash = tool()->spec().definition_hash;
  EXPECT_EQ(hash.size(), 64u);
  EXPECT_EQ(tool()->spec().definition_hash, hash);
  mcp::ToolDefinition changed = definition("read.file");
  changed.canonical += " ";
  EXPECT_NE(make_mcp_tool(server, changed, entry(), {})->spec().definition_hash, hash);
  McpServerEntry elsewhere = entry();
  std::get<McpHttp>(elsewhere.transport).url = "http://127.0.0.1:9001/mcp";
  EXPECT_NE(make_mcp_tool(server, definition("read.file"), elsewhere, {})->spec().definition_hash, hash);
  Launch launch;
  launch.argv = {"server"};
  elsewhere.transport = launch;
  const std::string local =
      make_mcp_tool(server, definition("read.file"), elsewhere, {})->spec().definition_hash;
  launch.argv = {"server", "--more"};
  elsewhere.transport = launch;
  EXPECT_NE(make_mcp_tool(server, definition("read.file"), elsewhere, {})->spec().definition_hash, local);
}

TEST_F(McpToolTest, previews_server_tool_and_whole_arguments) {
  const CallPreview preview = tool()->preview({{"path", std::string(5000, 'x')}});
  EXPECT_EQ(preview.kind, "mcp");
  EXPECT_EQ(preview.words, (std::vector<std::string>{"files", "read.file"}));
  EXPECT_GT(preview.input.size(), 5000u);
}

TEST_F(McpToolTest, calls_by_the_raw_name_with_its_limits_and_passes_progress_on) {
  server->outcome = ok({block(ContentBlock::Kind::text, "done")});
  std::vector<ToolProgress> seen;
  CallContext context;
  context.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  context.timeout = std::chrono::milliseconds(1234);
  context.progress = [&](const ToolProgress& progress) { seen.push_back(progress); };
  const ToolResult result = tool()->run({{"path", "a"}}, context);
  EXPECT_EQ(result.status, ToolResult::Status::ok);
  EXPECT_EQ(result.text, "done");
  EXPECT_EQ(server->asked_tool, "read.file");
  EXPECT_EQ(server->asked_arguments.at("path"), "a");
  EXPECT_EQ(server->asked_timeout, std::chrono::milliseconds(1234));
  EXPECT_EQ(server->asked_deadline, context.deadline);
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].fraction, 0.25);
  EXPECT_EQ(seen[0].message, "quarter of [redacted]");
}

TEST_F(McpToolTest, parts_become_text_and_pictures) {
  ContentBlock link = block(ContentBlock::Kind::resource_link, "");
  link.name = "a.txt";
  link.uri = "file:///a.txt";
  const ToolResult result = to_tool_result(
      ok({block(ContentBlock::Kind::text, "one"), block(ContentBlock::Kind::image, "", "image/png", "PNG"),
          block(ContentBlock::Kind::image, "", "image/svg+xml", "<svg/>"),
          block(ContentBlock::Kind::audio, "", "audio/wav", "RIFF"), link,
          block(ContentBlock::Kind::resource, "inside"),
          block(ContentBlock::Kind::resource, "", "image/gif", "GIF")}),
      "files", {});
  EXPECT_EQ(result.text,
            "one\n[image 1]\n[an image that cannot be shown: image/svg+xml, 6 bytes]\n"
            "[a sound that cannot be played: audio/wav, 4 bytes]\na.txt: file:///a.txt\ninside\n[image 2]");
  ASSERT_EQ(result.images.size(), 2u);
  EXPECT_EQ(result.images[1].bytes, "GIF");
}

TEST_F(McpToolTest, secrets_are_gone_from_text_and_structure) {
  CallOutcome outcome = ok({});
  outcome.structured = JsonObject{{"key", "it is hunter2"}};
  const ToolResult result = to_tool_result(outcome, "files", {.max_text = 1000, .secrets = {"hunter2"}});
  EXPECT_EQ(result.structured->as_object().at("key"), "it is [redacted]");
  EXPECT_EQ(result.text, R"({"key":"it is [redacted]"})");
}

TEST_F(McpToolTest, long_text_keeps_head_and_tail) {
  const ToolResult result =
      to_tool_result(ok({block(ContentBlock::Kind::text, "begin" + std::string(100000, 'x') + "end")}),
                     "files", {.max_text = 100, .secrets = {}});
  EXPECT_TRUE(result.text.starts_with("begin"));
  EXPECT_TRUE(result.text.ends_with("end"));
  EXPECT_GT(result.cut_bytes, 90000u);
}

TEST_F(McpToolTest, each_failure_is_a_sentence_that_names_the_server) {
  using From = CallOutcome::Status;
  using To = ToolResult::Status;
  const std::pair<From, To> pairs[] = {
      {From::failed, To::error}, {From::timed_out, To::timed_out}, {From::cancelled, To::cancelled}};
  for (const auto& [from, to] : pairs) {
    CallOutcome outcome;
    outcome.status = from;
    outcome.problem = "no answer in time";
    const ToolResult result = to_tool_result(outcome, "files", {});
    EXPECT_EQ(result.status, to);
    EXPECT_EQ(result.text, "The server files gave no result: no answer in time.");
  }
  CallOutcome failed = ok({block(ContentBlock::Kind::text, "no such file")});
  failed.status = From::tool_error;
  EXPECT_EQ(to_tool_result(failed, "files", {}).status, To::error);
  EXPECT_EQ(to_tool_result(failed, "files", {}).text, "no such file");
}

}  // namespace
}  // namespace parley::orchestration::tools
