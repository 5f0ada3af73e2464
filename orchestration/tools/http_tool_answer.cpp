#include "orchestration/tools/http_tool_answer.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "orchestration/fetch/request_rules.h"
#include "orchestration/tools/clean_output.h"
#include "orchestration/tools/http_tool_text.h"
#include "orchestration/tools/picture.h"

namespace parley::orchestration::tools {
namespace {

using fetch::FetchResponse;

constexpr int kFirstErrorStatus = 300;  // a redirect that was not followed is no answer
constexpr std::size_t kMaxErrorText = 2000;

ToolResult with_status(ToolResult::Status status, std::string text) {
  ToolResult result;
  result.status = status;
  result.text = std::move(text);
  return result;
}

ToolResult no_answer(const FetchResponse& response) {
  using End = FetchResponse::End;
  using Status = ToolResult::Status;
  if (response.end == End::timed_out) return with_status(Status::timed_out, shown_text(response.error));
  if (response.end == End::stopped) return with_status(Status::cancelled, "The call was stopped.");
  return with_status(Status::error, shown_text(response.error));
}

// Head and tail of what a longer one says, as of every other tool's output.
void add_text(ToolResult& result, std::string text, std::size_t max_bytes) {
  CutText cut = head_and_tail(std::move(text), max_bytes);
  result.text += cut.text;
  result.cut_bytes = cut.cut_bytes;
}

ToolResult error_answer(const FetchResponse& response, const MediaType& type,
                        const std::vector<std::string>& secrets) {
  ToolResult result = with_status(ToolResult::Status::error, "The server answered with HTTP status " +
                                                                 std::to_string(response.status) + ".");
  const std::string_view location = fetch::header_value(response.headers, "location");
  if (!location.empty()) result.text += " It points to " + shown_text(location, MediaType());
  if (response.body.empty() || !is_text(type, response.body)) return result;
  result.text += " It says: ";
  add_text(result, redacted(shown_text(response.body, type), secrets), kMaxErrorText);
  return result;
}

ToolResult image(const FetchResponse& response, const MediaType& type) {
  const std::string size = std::to_string(response.body.size()) + " bytes";
  if (response.cut) {
    return with_status(ToolResult::Status::error,
                       "The image is larger than " + size + ", so it was not taken.");
  }
  ToolResult result;
  result.images.push_back(ToolImage{.media_type = type.name, .bytes = response.body});
  result.text = "An image (" + type.name + ", " + size + ").";
  return result;
}

ToolResult other_data(const FetchResponse& response, const MediaType& type) {
  ToolResult result;
  result.text = "The server answered with " + std::to_string(response.body.size()) + " bytes" +
                (response.cut ? " or more" : "") + " of " +
                (type.name.empty() ? "data" : shown_text(type.name, MediaType())) +
                ", which cannot be shown as text.";
  return result;
}

}  // namespace

ToolResult result_of_answer(const FetchResponse& response, std::size_t max_output,
                            const std::vector<std::string>& secrets) {
  if (response.end != FetchResponse::End::complete) return no_answer(response);
  const MediaType type = parse_media_type(fetch::header_value(response.headers, "content-type"));
  if (response.status >= kFirstErrorStatus) return error_answer(response, type, secrets);
  if (response.body.empty()) {
    return with_status(ToolResult::Status::ok, "The server answered with HTTP status " +
                                                   std::to_string(response.status) + " and no content.");
  }
  if (is_picture_type(type.name)) return image(response, type);
  if (!is_text(type, response.body)) return other_data(response, type);
  ToolResult result;
  add_text(result, redacted(shown_text(response.body, type), secrets), max_output);
  if (!response.cut) return result;
  result.text +=
      "\n[the answer goes on; only its first " + std::to_string(response.body.size()) + " bytes were read]";
  // How much more there was, nobody knows: at least a byte.
  result.cut_bytes = std::max<std::size_t>(result.cut_bytes, 1);
  return result;
}

}  // namespace parley::orchestration::tools
