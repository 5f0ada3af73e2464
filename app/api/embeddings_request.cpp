#include "app/api/embeddings_request.h"

#include <utility>

#include "app/api/json_body.h"
#include "app/protocol/field_reader.h"

namespace parley::app::api {
namespace {

using inference::json::JsonArray;
using inference::json::JsonObject;
using inference::json::JsonValue;

constexpr std::size_t kMaxInputs = 2048;  // OpenAI's own limit

void read_inputs(const JsonValue* input, protocol::FieldReader& reader, EmbeddingsRequest& request) {
  if (input != nullptr && input->is_string()) {
    request.inputs.emplace_back(input->get_string());
  } else if (input != nullptr && input->is_array()) {
    const JsonArray& inputs = input->get_array();
    if (inputs.size() > kMaxInputs) {
      return reader.refuse("input",
                           "has more than " + std::to_string(kMaxInputs) + " texts; send them in parts");
    }
    for (const auto& text : inputs) {
      if (!text.is_string())
        return reader.refuse("input", "takes texts, not token ids: ids differ from model to model");
      request.inputs.emplace_back(text.get_string());
    }
  } else {
    return reader.refuse("input", "is missing: a text, or a list of texts");
  }
  if (request.inputs.empty()) reader.refuse("input", "is an empty list");
  for (const auto& text : request.inputs) {
    if (text.find_first_not_of(" \t\r\n") == std::string::npos)
      return reader.refuse("input", "holds an empty text");
  }
}

}  // namespace

std::variant<EmbeddingsRequest, ApiError> parse_embeddings_request(std::string_view body, int dim) {
  auto parsed = parse_body(body);
  if (auto* error = std::get_if<ApiError>(&parsed)) return std::move(*error);
  const JsonObject& object = std::get<JsonObject>(parsed);
  protocol::FieldReader reader(object);
  EmbeddingsRequest request;
  request.model = reader.optional_text("model").value_or("");
  read_inputs(reader.find("input"), reader, request);
  const std::string format = reader.optional_text("encoding_format").value_or("float");
  request.as_base64 = format == "base64";
  if (format != "float" && format != "base64") reader.refuse("encoding_format", "is \"float\" or \"base64\"");
  const auto dimensions = reader.optional_integer("dimensions", {.min = 1, .max = 1 << 20});
  if (dimensions && *dimensions != dim) {
    reader.refuse("dimensions", "cannot be chosen with this model: it gives " + std::to_string(dim));
  }
  if (reader.error()) return invalid_field(*reader.error());
  return request;
}

}  // namespace parley::app::api
