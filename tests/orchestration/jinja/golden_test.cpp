// Our engine against Python's jinja2 (tests/goldens/jinja).

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include <boost/json.hpp>

#include "orchestration/jinja/template.h"
#include "tests/orchestration/jinja/json_values.h"
#include "tests/orchestration/jinja/render_helper.h"

namespace parley::orchestration::jinja {
namespace {

namespace json = boost::json;

const std::string kGoldens = std::string(PARLEY_SOURCE_DIR) + "/tests/goldens/jinja/";
constexpr Origin kData = 7;

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string string_at(const json::value& object, std::string_view key) {
  return std::string(object.at(key).as_string());
}

TEST(Golden, SmallTemplatesRenderAsInPython) {
  const json::value golden = json::parse(read_file(kGoldens + "expressions.json"));
  const Value data = from_json(golden.at("data"), kData);
  std::size_t compared = 0;
  for (const json::value& item : golden.at("cases").as_array()) {
    const std::string source = string_at(item, "template");
    SCOPED_TRACE(source);
    const json::value* text = item.as_object().if_contains("text");
    try {
      const Rendered rendered = parse_template(source)->render(data, {});
      EXPECT_TRUE(text != nullptr) << "should fail: " << string_at(item, "error")
                                   << "\nrendered: " << rendered.text;
      EXPECT_EQ(rendered.text, text == nullptr ? rendered.text : std::string(text->as_string()));
    } catch (const TemplateError& error) {
      EXPECT_TRUE(text == nullptr) << "should render, but: " << error.what();
      if (source.find("raise_exception") != std::string::npos) {
        EXPECT_NE(std::string(error.what()).find("my own words: Hello World"), std::string::npos);
      }
    }
    ++compared;
  }
  EXPECT_GT(compared, 500u);
}

Value chat_context(const json::value& conversation, bool generation) {
  const json::value* tools = conversation.as_object().if_contains("tools");
  return context_of({
      {"messages", from_json(conversation.at("messages"), kData)},
      {"tools", tools == nullptr ? Value::none() : from_json(*tools, kData)},
      {"documents", Value::none()},
      {"add_generation_prompt", Value::boolean(generation)},
  });
}

const json::value& conversation_named(const json::value& golden, const json::value& name) {
  for (const json::value& conversation : golden.at("conversations").as_array()) {
    if (conversation.at("name") == name) return conversation;
  }
  throw std::out_of_range("no such conversation");
}

TEST(Golden, ChatTemplatesRenderAsInPython) {
  const json::value golden = json::parse(read_file(kGoldens + "chats.json"));
  std::size_t compared = 0;
  for (const json::value& item : golden.at("renders").as_array()) {
    SCOPED_TRACE(json::serialize(item));
    const auto parsed = parse_template(read_file(kGoldens + "templates/" + string_at(item, "template")));
    const json::value& conversation = conversation_named(golden, item.at("conversation"));
    const Value context = chat_context(conversation, item.at("generation").as_bool());
    const json::value* text = item.as_object().if_contains("text");
    try {
      const Rendered rendered = parsed->render(context, {});
      ASSERT_TRUE(text != nullptr);
      EXPECT_EQ(rendered.text, std::string(text->as_string()));
    } catch (const TemplateError& error) {
      EXPECT_TRUE(text == nullptr) << error.what();
    }
    ++compared;
  }
  EXPECT_EQ(compared, 4u * 12u * 2u);
}

}  // namespace
}  // namespace parley::orchestration::jinja
