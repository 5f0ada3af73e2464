#include "app/api/output_format_fields.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace parley::app::api {
namespace {

using inference::json::JsonObject;
using inference::json::JsonValue;
using orchestration::turn::OutputFormat;
using orchestration::turn::UncheckedParts;

JsonObject format_body(const std::string& text) {
  auto value = inference::json::parse_json(text, {.max_bytes = 100000});
  return std::get<JsonValue>(std::move(value)).as_object();
}

OutputFormat format_taken(const std::string& text) {
  const JsonObject body = format_body(text);
  protocol::FieldReader fields(body);
  const OutputFormat format = read_output_format(fields);
  EXPECT_FALSE(fields.error()) << text << ": " << fields.error()->message;
  return format;
}

std::string format_blamed(const std::string& text) {
  const JsonObject body = format_body(text);
  protocol::FieldReader fields(body);
  read_output_format(fields);
  return fields.error() ? fields.error()->field : "";
}

TEST(OutputFormatFieldsTest, TakesTheFormsOfOpenAi) {
  using Kind = OutputFormat::Kind;
  EXPECT_EQ(format_taken("{}").kind, Kind::free);
  EXPECT_EQ(format_taken(R"({"response_format":null,"guided_regex":null})").kind, Kind::free);
  EXPECT_EQ(format_taken(R"({"response_format":{"type":"text"}})").kind, Kind::free);
  EXPECT_EQ(format_taken(R"({"response_format":{"type":"json_object"}})").kind, Kind::json_object);
  const OutputFormat schema = format_taken(
      R"({"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"type":"object"}}}})");
  EXPECT_EQ(schema.kind, Kind::json_schema);
  EXPECT_EQ(schema.schema, JsonValue(JsonObject{{"type", "object"}}));
  EXPECT_EQ(schema.unchecked, UncheckedParts::refuse) << "nothing passes without a word";
  EXPECT_EQ(format_taken(
                R"({"response_format":{"type":"json_schema","json_schema":{"schema":true,"strict":false}}})")
                .unchecked,
            UncheckedParts::accept);
  const OutputFormat regex = format_taken(R"({"guided_regex":"[a-z]+"})");
  EXPECT_EQ(regex.kind, Kind::regex);
  EXPECT_EQ(regex.pattern, "[a-z]+");
}

TEST(OutputFormatFieldsTest, NamesTheFieldThatIsWrong) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"response_format":"json"})", "response_format"},
      {R"({"response_format":{}})", "response_format.type"},
      {R"({"response_format":{"type":"yaml"}})", "response_format.type"},
      {R"({"response_format":{"type":"json_schema"}})", "response_format.json_schema"},
      {R"({"response_format":{"type":"json_schema","json_schema":{}}})",
       "response_format.json_schema.schema"},
      {R"({"response_format":{"type":"json_schema","json_schema":{"schema":[]}}})",
       "response_format.json_schema.schema"},
      {R"({"response_format":{"type":"json_schema","json_schema":{"schema":{},"strict":1}}})",
       "response_format.json_schema.strict"},
      {R"({"guided_regex":1})", "guided_regex"},
      {R"({"guided_regex":"a","response_format":{"type":"json_object"}})", "guided_regex"}};
  for (const auto& [text, field] : cases) EXPECT_EQ(format_blamed(text), field) << text;
  EXPECT_EQ(format_blamed(R"({"guided_regex":")" + std::string(20000, 'a') + "\"}"), "guided_regex");
}

}  // namespace
}  // namespace parley::app::api
