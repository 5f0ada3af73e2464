#include "orchestration/tools/tool_content.h"

#include <optional>
#include <string_view>
#include <utility>

#include "inference/json/fields.h"
#include "inference/json/json_writer.h"
#include "orchestration/mcp/base64.h"
#include "orchestration/tools/clean_output.h"
#include "orchestration/tools/picture.h"

namespace parley::orchestration::tools {
namespace {

using inference::json::JsonArray;
using inference::json::JsonObject;
using inference::json::JsonValue;
using inference::json::text_view;

class ContentReader {
 public:
  explicit ContentReader(ToolResult& result) : result_(result) {}

  void read(const JsonValue& block) {
    if (!block.is_object()) return add_line("[a part that cannot be read]");
    const JsonObject& object = block.get_object();
    const std::string_view type = text_view(object, "type");
    if (type == "text") return add_line(text_view(object, "text"));
    if (type == "image") return add_image(object);
    if (type == "resource_link") return add_link(object);
    if (type == "resource") return add_resource(object);
    add_line("[a part of type \"" + std::string(type.substr(0, 40)) + "\", which cannot be shown]");
  }

  std::string take_text() { return std::move(text_); }

 private:
  void add_line(std::string_view line) {
    if (!text_.empty()) text_ += '\n';
    text_ += line;
  }

  void add_image(const JsonObject& object) {
    const std::string_view media_type = text_view(object, "mimeType");
    if (!is_picture_type(media_type) || result_.images.size() == kMaxPictures ||
        text_view(object, "data").size() / 4 * 3 > kMaxPictureBytes) {
      return add_line("[an image that cannot be shown]");
    }
    auto bytes = mcp::from_base64(text_view(object, "data"));
    if (!bytes || bytes->empty()) return add_line("[an image that cannot be read]");
    result_.images.push_back({.media_type = std::string(media_type), .bytes = std::move(*bytes)});
    add_line("[image " + std::to_string(result_.images.size()) + "]");
  }

  void add_link(const JsonObject& object) {
    const std::string_view name = text_view(object, "name");
    add_line(std::string(name) + (name.empty() ? "" : ": ") + std::string(text_view(object, "uri")));
  }

  void add_resource(const JsonObject& object) {
    const JsonValue* resource = object.if_contains("resource");
    if (resource == nullptr || !resource->is_object()) return add_line("[a resource that cannot be read]");
    const JsonValue* text = resource->get_object().if_contains("text");
    if (text != nullptr && text->is_string()) return add_line(text->get_string());
    add_line("[resource " + std::string(text_view(resource->get_object(), "uri")) + "]");
  }

  ToolResult& result_;
  std::string text_;
};

}  // namespace

JsonValue redacted_json(const JsonValue& value, const std::vector<std::string>& secrets) {
  const auto clean = [&](std::string_view text) { return redacted(without_controls(text), secrets); };
  if (value.is_string()) return JsonValue(std::string_view(clean(value.get_string())));
  if (value.is_array()) {
    JsonArray array;
    for (const JsonValue& item : value.get_array()) array.push_back(redacted_json(item, secrets));
    return array;
  }
  if (value.is_object()) {
    JsonObject object;
    for (const auto& field : value.get_object()) {
      object.insert_or_assign(clean(field.key()), redacted_json(field.value(), secrets));
    }
    return object;
  }
  return value;
}

ToolResult content_result(const JsonValue& value, std::size_t max_text,
                          const std::vector<std::string>& secrets) {
  ToolResult result;
  const JsonObject* object = value.is_object() ? &value.get_object() : nullptr;
  const JsonValue* content = object == nullptr ? &value : object->if_contains("content");
  ContentReader reader(result);
  if (content != nullptr && content->is_array()) {
    for (const JsonValue& block : content->get_array()) reader.read(block);
  }
  const JsonValue* structured = object == nullptr ? nullptr : object->if_contains("structuredContent");
  if (structured != nullptr && !structured->is_null())
    result.structured = redacted_json(*structured, secrets);
  std::string text = reader.take_text();
  if (text.empty() && result.structured) text = inference::json::to_json_text(*result.structured);
  const bool readable = (content != nullptr && content->is_array()) || result.structured;
  if (!readable) text = "The tool's result has neither \"content\" nor \"structuredContent\".";
  CutText clean = clean_output(text, max_text, secrets);
  result.text = std::move(clean.text);
  result.cut_bytes = clean.cut_bytes;
  const JsonValue* is_error = object == nullptr ? nullptr : object->if_contains("isError");
  const bool failed = !readable || (is_error != nullptr && *is_error == JsonValue(true));
  if (failed) result.status = ToolResult::Status::error;
  return result;
}

}  // namespace parley::orchestration::tools
