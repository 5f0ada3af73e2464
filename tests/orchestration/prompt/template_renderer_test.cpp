// What templates are given. Expected texts are what Python's jinja2 3.1.6, set up as transformers does
// (tests/goldens/jinja/make_jinja_goldens.py), makes of the same conversations.
#include "orchestration/prompt/template_renderer.h"

#include <gtest/gtest.h>

#include "orchestration/jinja/parse_json.h"
#include "orchestration/prompt/origins.h"
#include "tests/orchestration/prompt/chat_helper.h"

namespace parley::orchestration::prompt {
namespace {

class TemplateRendererTest : public testing::Test {
 protected:
  static MessagePart part(Role role, std::string text, std::size_t index = 0) {
    MessagePart made{role, {}, origin_of_message(index)};
    if (!text.empty()) made.content = {{std::move(text), made.origin}};
    return made;
  }
  static MessagePart call_part(std::string arguments) {
    MessagePart made = part(Role::assistant, "");
    made.calls = {{"k1", "get_weather", std::move(arguments)}};
    return made;
  }
  static MessageParts conversation() {
    MessagePart result = part(Role::tool, "14 °C");
    result.call_id = "k1";
    result.tool_name = "get_weather";
    return {part(Role::system, "Be brief."), part(Role::user, "Rain?"), call_part(kArguments), result};
  }
  static jinja::Value tools() {
    return jinja::parse_json(std::string(R"([{"type": "function", "function": {"name": "get_weather", )") +
                                 R"("description": "Weather of a city.", "parameters": )" +
                                 kWeatherTool.parameters_json + "}}]",
                             kToolsOrigin)
        .value();
  }
  static std::string render(std::string_view source, const MessageParts& parts,
                            const TemplateCapabilities& form = {},
                            const jinja::Value& offered = jinja::Value::none(),
                            GenerationPrompt beginning = GenerationPrompt::absent) {
    return TemplateRenderer(source, kFakeTokenizer).render(parts, form, offered, beginning).text;
  }

  static constexpr const char* kArguments = R"({"city": "Zürich \"West\"", "days": 2})";
  static constexpr std::string_view kShape = "{{ messages | tojson }}";
};

TEST_F(TemplateRendererTest, MessagesHaveTheShapeOfTransformers) {
  EXPECT_EQ(render(kShape, conversation()),
            R"([{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Rain?"}, )"
            R"({"role": "assistant", "content": "", "tool_calls": [{"id": "k1", "type": "function", )"
            R"("function": {"name": "get_weather", "arguments": {"city": "Zürich \"West\"", "days": 2}}}]}, )"
            R"({"role": "tool", "content": "14 °C", "name": "get_weather", "tool_call_id": "k1"}])");
}

TEST_F(TemplateRendererTest, ARealTemplateShowsToolsCallsAndResults) {
  EXPECT_EQ(
      render(golden_template("qwen2.5-coder-0.5b.jinja"), conversation(), {}, tools(),
             GenerationPrompt::present),
      "<|im_start|>system\nBe brief.\n\n# Tools\n\nYou may call one or more functions to assist with the "
      "user query.\n\nYou are provided with function signatures within <tools></tools> XML "
      "tags:\n<tools>\n{\"type\": \"function\", \"function\": {\"name\": \"get_weather\", \"description\": "
      "\"Weather of a city.\", \"parameters\": {\"type\": \"object\", \"properties\": {\"city\": {\"type\": "
      "\"string\"}}, \"required\": [\"city\"]}}}\n</tools>\n\nFor each function call, return a json object "
      "with function name and arguments within <tool_call></tool_call> XML tags:\n<tool_call>\n{\"name\": "
      "<function-name>, \"arguments\": "
      "<args-json-object>}\n</tool_call><|im_end|>\n<|im_start|>user\nRain?<|im_end|>\n<|im_start|>"
      "assistant\n<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Zürich "
      "\\\"West\\\"\", \"days\": 2}}\n</tool_call><|im_end|>\n<|im_start|>user\n<tool_response>\n14 "
      "°C\n</tool_response><|im_end|>\n<|im_start|>assistant\n");
}

TEST_F(TemplateRendererTest, ReasoningComesUnderItsFieldAndTheTemplateDecides) {
  MessagePart answer = part(Role::assistant, "No.");
  answer.reasoning = "Sunny.";
  TemplateCapabilities form;
  EXPECT_EQ(render(kShape, {answer}, form), R"([{"role": "assistant", "content": "No."}])");
  form.reasoning_field = "reasoning_content";
  const std::string qwen3 = golden_template("qwen3.jinja");
  EXPECT_EQ(render(qwen3, {part(Role::user, "Rain?"), answer}, form),
            "<|im_start|>user\nRain?<|im_end|>\n<|im_start|>assistant\n<think>\nSunny.\n</think>\n\nNo."
            "<|im_end|>\n");
  EXPECT_EQ(render(qwen3, {part(Role::user, "Rain?"), answer, part(Role::user, "Sure?")}, form,
                   jinja::Value::none(), GenerationPrompt::present),
            "<|im_start|>user\nRain?<|im_end|>\n<|im_start|>assistant\nNo.<|im_end|>\n<|im_start|>user\n"
            "Sure?<|im_end|>\n<|im_start|>assistant\n");
}

TEST_F(TemplateRendererTest, NamesThatTemplatesAskFor) {
  EXPECT_EQ(render("{{ bos_token }}|{{ eos_token }}|{{ documents is none }}|{{ documents }}|{{ "
                   "add_generation_prompt }}|{{ tools is none }}|{{ xml_tools is defined }}|{{ "
                   "enable_thinking is defined }}",
                   {}),
            "<s>|</s>|True|None|False|True|False|False");
  TemplateCapabilities form;
  form.xml_tools = true;
  EXPECT_EQ(render("{{ xml_tools }}", {}, form, tools()),
            "[{'name': 'get_weather', 'description': 'Weather of a city.', 'parameters': {'type': 'object', "
            "'properties': {'city': {'type': 'string'}}, 'required': ['city']}}]");
}

TEST_F(TemplateRendererTest, WithoutATemplateItIsChatMl) {
  EXPECT_EQ(render("", {part(Role::user, "Hi")}, {}, jinja::Value::none(), GenerationPrompt::present),
            "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n");
}

TEST_F(TemplateRendererTest, ContentMayBeTypedOrMissing) {
  TemplateCapabilities form;
  form.typed_content = true;
  EXPECT_EQ(render(kShape, {part(Role::user, "Hi")}, form),
            R"([{"role": "user", "content": [{"type": "text", "text": "Hi"}]}])");
  form = {};
  form.needs_null_content = true;
  EXPECT_EQ(render("{{ messages[0].content is none }}", {call_part("{}")}, form), "True");
  EXPECT_EQ(render("{{ messages[0].content is none }}", {part(Role::assistant, "")}, form), "False")
      << "only calls do without";
}

TEST_F(TemplateRendererTest, ArgumentsComeInTheFormThatTheTemplateTakes) {
  constexpr std::string_view kGiven = "{{ messages[0].tool_calls[0].function.arguments | tojson }}";
  TemplateCapabilities form;
  EXPECT_EQ(render(kGiven, {call_part("")}, form), "{}");
  EXPECT_EQ(render(kGiven, {call_part("[1]")}, form), R"({"raw": "[1]"})");
  EXPECT_EQ(render(kGiven, {call_part("{\"a\": ")}, form), R"({"raw": "{\"a\": "})");
  form.string_arguments = true;
  EXPECT_EQ(render(kGiven, {call_part("{\"a\": ")}, form), R"("{\"a\": ")");
  EXPECT_EQ(render(kGiven, {call_part("{\"a\": 1}")}, form), R"({"a": 1})");
  form.object_arguments = false;
  EXPECT_EQ(render(kGiven, {call_part("{\"a\":1}")}, form), R"("{\"a\":1}")");
}

TEST_F(TemplateRendererTest, OnlyWhatTheTemplateWritesIsTheTemplates) {
  const MessagePart question = part(Role::user, "<|im_end|>", 4);
  const jinja::Rendered rendered =
      TemplateRenderer("", kFakeTokenizer)
          .render({question}, {}, jinja::Value::none(), GenerationPrompt::absent);
  const std::string header = "<|im_start|>user\n";
  const std::size_t end = header.size() + 10;
  const std::vector<jinja::OriginRun> expected = {{0, header.size(), jinja::kTemplateOrigin},
                                                  {header.size(), end, origin_of_message(4)},
                                                  {end, rendered.text.size(), jinja::kTemplateOrigin}};
  EXPECT_EQ(rendered.runs, expected);
}

TEST_F(TemplateRendererTest, RefusalsAndMistakesAreTemplateErrors) {
  EXPECT_THROW(render("{% if %}", {}), jinja::TemplateError);
  EXPECT_THROW(render("{{ raise_exception('no tools') }}", {}), jinja::TemplateError);
}

}  // namespace
}  // namespace parley::orchestration::prompt
