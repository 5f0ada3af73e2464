// What `parley render` prints for messages in OpenAI's form, against Python's jinja2 (tests/goldens/jinja).

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include <boost/json.hpp>

#include "app/cli/messages_document.h"
#include "orchestration/prompt/prompt_builder.h"
#include "tests/fakes/fake_tokenizer.h"

namespace parley::app::cli {
namespace {

using orchestration::prompt::GenerationPrompt;

std::string golden_file(const std::string& name) {
  std::ifstream file(std::string(PARLEY_SOURCE_DIR) + "/tests/goldens/jinja/" + name, std::ios::binary);
  EXPECT_TRUE(file) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

// Conversations that we show otherwise on purpose: arguments given as text to a template that wants an
// object, and tools, calls and results to one that shows none.
bool is_shown_otherwise(std::string_view chat_template, const boost::json::value& conversation) {
  const boost::json::string& name = conversation.at("name").as_string();
  if (chat_template == "qwen3.jinja") return false;
  if (name == "null content") return true;
  const bool has_tools = conversation.as_object().contains("tools");
  return chat_template == "smollm2-135m.jinja" && has_tools;
}

TEST(Render, PrintsWhatTransformersWould) {
  const boost::json::value golden = boost::json::parse(golden_file("chats.json"));
  const fakes::FakeTokenizer tokenizer;
  boost::json::object by_name;
  for (const auto& item : golden.at("conversations").as_array()) by_name[item.at("name").as_string()] = item;
  std::size_t compared = 0;
  for (const boost::json::value& item : golden.at("renders").as_array()) {
    const std::string chat_template(item.at("template").as_string());
    const boost::json::value& conversation = by_name[item.at("conversation").as_string()];
    const boost::json::value* text = item.as_object().if_contains("text");
    if (text == nullptr || is_shown_otherwise(chat_template, conversation)) continue;
    SCOPED_TRACE(chat_template + ", " + std::string(conversation.at("name").as_string()));
    const MessagesDocument document = parse_messages(boost::json::serialize(conversation), "golden");
    const auto builder =
        orchestration::prompt::make_prompt_builder(golden_file("templates/" + chat_template), tokenizer);
    const auto generation =
        item.at("generation").as_bool() ? GenerationPrompt::present : GenerationPrompt::absent;
    EXPECT_EQ(builder->render(document.messages, document.tools_json, generation),
              std::string(text->as_string()));
    ++compared;
  }
  EXPECT_GE(compared, 70u);
}

}  // namespace
}  // namespace parley::app::cli
