#include "orchestration/tools/read_http_body.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "orchestration/tools/argv_template.h"

namespace parley::orchestration::tools {
namespace {

using inference::json::JsonArray;
using inference::json::JsonObject;
using inference::json::JsonValue;

std::string without_variables(std::string_view text) {
  std::string rest;
  while (!text.empty()) {
    const std::size_t begin = std::min(text.find("${"), text.size());
    rest += text.substr(0, begin);
    text.remove_prefix(begin);
    text.remove_prefix(std::min(text.find('}'), text.size()));
  }
  return rest;
}

class BodyReader {
 public:
  BodyReader(EntryReader& fields, const JsonObject& parameters) : fields_(fields) {
    const JsonValue* properties = parameters.if_contains("properties");
    if (properties != nullptr && properties->is_object()) properties_ = &properties->get_object();
  }

  JsonValue read(const JsonValue& part) {
    if (part.is_string()) return read_text(part.get_string());
    if (part.is_array()) {
      JsonArray array;
      for (const JsonValue& element : part.get_array()) array.push_back(read(element));
      return JsonValue(std::move(array));
    }
    if (!part.is_object()) return part;
    JsonObject object;
    for (const auto& field : part.get_object()) object.emplace(field.key(), read(field.value()));
    return JsonValue(std::move(object));
  }

 private:
  JsonValue read_text(std::string_view text) {
    for (const std::string& name : placeholders_of(without_variables(text))) {
      if (properties_ != nullptr && properties_->contains(name)) continue;
      std::string sentence = "{" + name;
      sentence += "} is no property of \"parameters\" and is sent as it stands; if that is meant, { ";
      fields_.warn("body", sentence.append(name).append(" } does not look like one"));
    }
    Expansion expansion = fields_.state().variables.expand(text, DollarNames::left_alone);
    if (!expansion.problem.empty()) fields_.refuse("body", std::move(expansion.problem));
    return JsonValue(std::string_view(expansion.text));
  }

  EntryReader& fields_;
  const JsonObject* properties_ = nullptr;
};

}  // namespace

JsonValue read_http_body(EntryReader& fields, const JsonObject& parameters) {
  const JsonValue* body = fields.find("body");
  return body == nullptr ? JsonValue() : BodyReader(fields, parameters).read(*body);
}

}  // namespace parley::orchestration::tools
