// What real templates make of calls, and what Python makes of its literals (tests/goldens/calls).

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "orchestration/calls/literal_reader.h"
#include "tests/orchestration/calls/family_cases.h"

namespace parley::orchestration::calls {
namespace {

using inference::json::JsonArray;
using inference::json::JsonObject;
using inference::json::JsonValue;

std::string file_text(const std::string& path) {
  std::ifstream file(std::string(PARLEY_SOURCE_DIR) + "/tests/goldens/" + path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

JsonArray goldens(const std::string& name) {
  const std::string text = file_text("calls/" + name);
  return std::get<JsonValue>(inference::json::parse_json(text, {.max_bytes = text.size()})).get_array();
}

std::string text_at(const JsonObject& object, const char* key) {
  return std::string(object.at(key).get_string());
}

TEST(Goldens, TemplatesAreReadBack) {
  const JsonArray cases = goldens("calls.json");
  ASSERT_GE(cases.size(), 25u);
  for (const JsonValue& value : cases) {
    const JsonObject& c = value.get_object();
    SCOPED_TRACE(text_at(c, "template") + ": " + text_at(c, "name"));
    const std::string output = text_at(c, "output");
    const ReadOutput read = read_pieces(text_at(c, "format"), {output});
    EXPECT_EQ(read.content, text_at(c, "content"));
    EXPECT_EQ(read.reasoning, text_at(c, "reasoning"));
    const JsonArray& calls = c.at("calls").get_array();
    ASSERT_EQ(read.calls.size(), calls.size());
    for (std::size_t i = 0; i < calls.size(); ++i) {
      EXPECT_EQ(read.calls[i].name, text_at(calls[i].get_object(), "name"));
      // To the letter: rendered again, the message is what the model wrote.
      EXPECT_EQ(read.calls[i].arguments, text_at(calls[i].get_object(), "arguments"));
      EXPECT_EQ(read.calls[i].error, "");
    }
  }
}

TEST(Goldens, TemplatesNameTheirFormat) {
  for (const char* name : {"qwen2.5-coder-0.5b", "qwen2.5-coder-1.5b", "qwen3"}) {
    const CallFormat* format =
        format_of_template(file_text(std::string("jinja/templates/") + name + ".jinja"));
    ASSERT_NE(format, nullptr) << name;
    EXPECT_EQ(format->name, "hermes");
  }
  EXPECT_EQ(format_of_template(file_text("jinja/templates/smollm2-135m.jinja")), nullptr);
}

TEST(Goldens, LiteralsMeanWhatPythonSays) {
  const JsonArray cases = goldens("literals.json");
  ASSERT_GE(cases.size(), 25u);
  for (const JsonValue& value : cases) {
    const std::string python = text_at(value.get_object(), "python");
    const std::optional<std::string> json = json_of_literal(python);
    ASSERT_TRUE(json) << python;
    const auto parsed = inference::json::parse_json(*json, {.max_bytes = json->size()});
    ASSERT_TRUE(std::holds_alternative<JsonValue>(parsed)) << python << " became " << *json;
    const std::string expected = text_at(value.get_object(), "json");
    EXPECT_EQ(std::get<JsonValue>(parsed),
              std::get<JsonValue>(inference::json::parse_json(expected, {.max_bytes = 4096})))
        << python << " became " << *json;
  }
}

}  // namespace
}  // namespace parley::orchestration::calls
