#include "orchestration/tools/mcp_tool.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>
#include <variant>

#include "inference/json/json_writer.h"
#include "orchestration/tools/clean_output.h"
#include "orchestration/tools/definition_hash.h"
#include "orchestration/tools/picture.h"
#include "orchestration/tools/tool_content.h"
#include "orchestration/tools/tool_name.h"

namespace parley::orchestration::tools {
namespace {

using inference::json::JsonObject;
using mcp::CallOutcome;
using mcp::ContentBlock;

bool is_picture(const ContentBlock& block) {
  return is_picture_type(block.media_type) && !block.bytes.empty() && block.bytes.size() <= kMaxPictureBytes;
}

std::string size_words(const ContentBlock& block) {
  return (block.media_type.empty() ? "unknown type" : block.media_type) + ", " +
         std::to_string(block.bytes.size()) + " bytes";
}

// What stands in the text for a part; a picture is added to the result.
std::string shown(const ContentBlock& block, ToolResult& result) {
  if (is_picture(block) && result.images.size() < kMaxPictures) {
    result.images.push_back({.media_type = block.media_type, .bytes = block.bytes});
    return "[image " + std::to_string(result.images.size()) + "]";
  }
  switch (block.kind) {
    case ContentBlock::Kind::text:
      return block.text;
    case ContentBlock::Kind::image:
      return "[an image that cannot be shown: " + size_words(block) + "]";
    case ContentBlock::Kind::audio:
      return "[a sound that cannot be played: " + size_words(block) + "]";
    case ContentBlock::Kind::resource_link:
      return block.name + (block.name.empty() ? "" : ": ") + block.uri;
    case ContentBlock::Kind::resource:
      return block.bytes.empty() ? block.text : "[resource " + block.uri + ": " + size_words(block) + "]";
  }
  return {};
}

ToolResult::Status status_of(CallOutcome::Status status) {
  switch (status) {
    case CallOutcome::Status::ok:
      return ToolResult::Status::ok;
    case CallOutcome::Status::timed_out:
      return ToolResult::Status::timed_out;
    case CallOutcome::Status::cancelled:
      return ToolResult::Status::cancelled;
    default:
      return ToolResult::Status::error;
  }
}

std::string content_text(const CallOutcome& outcome, ToolResult& result) {
  std::string text;
  for (const ContentBlock& block : outcome.content) {
    if (!text.empty()) text += '\n';
    text += shown(block, result);
  }
  if (text.empty() && result.structured) text = inference::json::to_json_text(*result.structured);
  return text;
}

ToolProgress to_tool_progress(const mcp::Progress& progress) {
  ToolProgress told;
  told.message = progress.message;
  if (progress.progress && progress.total && *progress.total > 0) {
    told.fraction = std::clamp(*progress.progress / *progress.total, 0.0, 1.0);
  }
  return told;
}

// The server that answers is part of what a call does: another program or URL is another tool.
std::string hash_of(const ToolSpec& spec, const std::string& canonical, const McpServerEntry& entry) {
  DefinitionHash hash;
  hash.add(spec).add(canonical);
  if (const auto* launch = std::get_if<Launch>(&entry.transport)) {
    hash.add(*launch);
  } else {
    hash.add(std::get<McpHttp>(entry.transport).url);
  }
  return hash.hex();
}

class McpTool final : public Tool {
 public:
  McpTool(const std::shared_ptr<mcp::McpServer>& server, mcp::ToolDefinition definition,
          const McpServerEntry& entry, McpToolLimits limits)
      : server_(server),
        definition_(std::move(definition)),
        server_name_(entry.name),
        limits_(std::move(limits)) {
    spec_.name = mapped_name(entry.name, definition_.name);
    spec_.description = definition_.description.empty() ? definition_.title : definition_.description;
    spec_.parameters = definition_.input_schema;
    spec_.source = entry.source;
    spec_.timeout = entry.timeout;
    spec_.progress_extends = true;
    spec_.definition_hash = hash_of(spec_, definition_.canonical, entry);
  }

  const ToolSpec& spec() const override { return spec_; }

  CallPreview preview(const JsonObject& arguments) const override {
    return {.kind = "mcp",
            .words = {server_name_, without_controls(definition_.name)},
            .input = inference::json::to_json_text(arguments)};
  }

  ToolResult run(const JsonObject& arguments, const CallContext& context) override {
    mcp::CallOptions options;
    options.deadline = context.deadline;
    options.timeout = context.timeout;
    options.stop = context.stop;
    if (context.progress) {
      options.on_progress = [this, &context](const mcp::Progress& progress) {
        ToolProgress told = to_tool_progress(progress);
        told.message = redacted(std::move(told.message), limits_.secrets);
        context.progress(told);
      };
    }
    // Only while it runs: who drops the last pointer to a server waits for its end, and tools are dropped on
    // threads that must not.
    const std::shared_ptr<mcp::McpServer> server = server_.lock();
    if (server == nullptr) return gone();
    return to_tool_result(server->call(definition_, arguments, options), server_name_, limits_);
  }

 private:
  ToolResult gone() const {
    ToolResult result;
    result.status = ToolResult::Status::error;
    result.text = "The server " + server_name_ + " is not in the tools file any more, or is another now.";
    return result;
  }

  const std::weak_ptr<mcp::McpServer> server_;
  const mcp::ToolDefinition definition_;
  const std::string server_name_;
  const McpToolLimits limits_;
  ToolSpec spec_;
};

}  // namespace

ToolResult to_tool_result(const CallOutcome& outcome, const std::string& server,
                          const McpToolLimits& limits) {
  ToolResult result;
  result.status = status_of(outcome.status);
  std::string text;
  if (outcome.problem.empty()) {
    if (outcome.structured) result.structured = redacted_json(*outcome.structured, limits.secrets);
    text = content_text(outcome, result);
  } else {
    text = "The server " + server + " gave no result: " + outcome.problem + ".";
  }
  CutText clean = clean_output(text, limits.max_text, limits.secrets);
  result.text = std::move(clean.text);
  result.cut_bytes = clean.cut_bytes;
  return result;
}

std::shared_ptr<Tool> make_mcp_tool(const std::shared_ptr<mcp::McpServer>& server,
                                    mcp::ToolDefinition definition, const McpServerEntry& entry,
                                    McpToolLimits limits) {
  return std::make_shared<McpTool>(server, std::move(definition), entry, std::move(limits));
}

}  // namespace parley::orchestration::tools
