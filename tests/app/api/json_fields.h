#pragma once
// Readers of request fields, for tests: JSON in, what was read or the field to blame out.

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

#include "app/protocol/field_reader.h"
#include "inference/json/json.h"

namespace parley::app::api {

inline inference::json::JsonObject object_of(std::string_view text) {
  auto parsed = inference::json::parse_json(text, {.max_bytes = 16 << 20});
  if (const auto* error = std::get_if<inference::json::JsonError>(&parsed)) {
    ADD_FAILURE() << error->message << ": " << text.substr(0, 200);
    return {};
  }
  return std::get<inference::json::JsonValue>(std::move(parsed)).as_object();
}

// `read`(FieldReader&, const JsonObject&), which must find nothing wrong.
template <typename Read>
auto read_well(const std::string& text, Read read) {
  const auto body = object_of(text);
  protocol::FieldReader fields(body);
  auto result = read(fields, body);
  EXPECT_FALSE(fields.error()) << text << ": " << fields.error()->message;
  return result;
}

// The field that is to blame; the sentence names it and says what to do. Empty: nothing was wrong.
template <typename Read>
std::string blame(const std::string& text, Read read) {
  const auto body = object_of(text);
  protocol::FieldReader fields(body);
  read(fields, body);
  if (!fields.error()) return {};
  EXPECT_EQ(fields.error()->message.find("`" + fields.error()->field + "` "), 0u) << fields.error()->message;
  EXPECT_TRUE(fields.error()->message.ends_with('.'));
  return fields.error()->field;
}

}  // namespace parley::app::api
