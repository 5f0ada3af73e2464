#include "app/api/generation_fields.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <variant>

namespace parley::app::api {
namespace {

using Read = std::variant<GenerationFields, protocol::FieldError>;

Read read(const std::string& fields, const orchestration::turn::GenerationOptions& defaults = {}) {
  auto parsed = inference::json::parse_json("{" + fields + "}", {.max_bytes = 1 << 20});
  const auto* value = std::get_if<inference::json::JsonValue>(&parsed);
  if (value == nullptr) {
    ADD_FAILURE() << fields << ": " << std::get<inference::json::JsonError>(parsed).message;
    return protocol::FieldError{};
  }
  protocol::FieldReader reader(value->as_object());
  auto result = read_generation_fields(reader, defaults);
  if (reader.error()) return *reader.error();
  return result;
}

GenerationFields taken(const std::string& fields,
                       const orchestration::turn::GenerationOptions& defaults = {}) {
  Read result = read(fields, defaults);
  if (const auto* error = std::get_if<protocol::FieldError>(&result)) {
    ADD_FAILURE() << fields << ": " << error->message;
    return {};
  }
  return std::get<GenerationFields>(std::move(result));
}

// The field that is to blame.
std::string blamed(const std::string& fields) {
  const Read result = read(fields);
  const auto* error = std::get_if<protocol::FieldError>(&result);
  if (error == nullptr) return "none";
  EXPECT_NE(error->message.find("`" + error->field + "`"), std::string::npos) << error->message;
  return error->field;
}

TEST(GenerationFieldsTest, WhatIsNotSaidHasItsDefault) {
  orchestration::turn::GenerationOptions defaults;
  defaults.sampling.temperature = 0.3f;
  defaults.sampling.top_k = 7;
  defaults.max_tokens = 77;
  defaults.stop = {"x"};
  for (const std::string fields :
       {"", R"("temperature":null,"top_k":null,"stop":null,"seed":null,"max_tokens":null,"stream":null,)"
            R"("stream_options":null,"tools":null,"tool_choice":null,"response_format":null,"n":null)"}) {
    const GenerationFields result = taken(fields, defaults);
    EXPECT_EQ(result.options.sampling.temperature, 0.3f);
    EXPECT_EQ(result.options.sampling.top_k, 7);
    EXPECT_EQ(result.options.sampling.seed, std::nullopt);
    EXPECT_EQ(result.options.max_tokens, 77);
    EXPECT_EQ(result.options.stop, std::vector<std::string>{"x"});
    EXPECT_FALSE(result.stream);
    EXPECT_EQ(result.model, "");
  }
}

TEST(GenerationFieldsTest, TakesWhatAsksForNothing) {
  taken(R"("n":1,"best_of":1.0,"tools":[],"functions":[],"tool_choice":"none","function_call":"auto",)"
        R"("response_format":{"type":"text"},"logit_bias":{},"presence_penalty":0,"frequency_penalty":0.0,)"
        R"("modalities":["text"],"echo":false,"suffix":"","parallel_tool_calls":true,"new":{"a":1})");
}

TEST(GenerationFieldsTest, RefusesWhatItCannotDo) {
  const std::pair<const char*, const char*> fields[] = {{"n", "2"},
                                                        {"n", "\"1\""},
                                                        {"best_of", "3"},
                                                        {"function_call", R"({"name":"a"})"},
                                                        {"functions", "[{}]"},
                                                        {"logit_bias", R"({"1":2})"},
                                                        {"presence_penalty", "0.5"},
                                                        {"frequency_penalty", "-1"},
                                                        {"modalities", R"(["audio"])"},
                                                        {"audio", "{}"},
                                                        {"web_search_options", "{}"},
                                                        {"chat_template", R"("x")"},
                                                        {"chat_template_kwargs", R"({"a":1})"},
                                                        {"echo", "true"},
                                                        {"suffix", R"("s")"}};
  for (const auto& [name, value] : fields) {
    EXPECT_EQ(blamed("\"" + std::string(name) + "\":" + value), name) << value;
  }
}

TEST(GenerationFieldsTest, ChecksEveryNumber) {
  for (const std::string name : {"temperature", "top_p", "min_p", "repeat_penalty", "repetition_penalty",
                                 "max_tokens", "max_completion_tokens", "top_k", "seed"}) {
    for (const std::string value :
         {"-2", "1e308", "1e30", "\"1\"", "[]", "{}", "true", "9223372036854775808"}) {
      if (name == "seed" && value == "-2") continue;  // seeds may be negative
      EXPECT_EQ(blamed("\"" + name + "\":" + value), name) << value;
    }
  }
  const std::pair<const char*, const char*> beyond[] = {
      {"max_tokens", "0"},  {"max_tokens", "1.5"},      {"max_tokens", "2147483648"}, {"temperature", "2.01"},
      {"top_p", "1.00001"}, {"repeat_penalty", "0.05"}, {"top_k", "2147483648"},      {"min_p", "-0.001"}};
  for (const auto& [name, value] : beyond) {
    EXPECT_EQ(blamed("\"" + std::string(name) + "\":" + value), name) << value;
  }
}

TEST(GenerationFieldsTest, ReadsSampling) {
  const auto sampling =
      taken(R"("temperature":0,"top_p":0.5,"min_p":0.1,"repetition_penalty":1.5,"seed":42)").options.sampling;
  EXPECT_EQ(sampling.temperature, 0.0f);
  EXPECT_EQ(sampling.top_p, 0.5f);
  EXPECT_EQ(sampling.min_p, 0.1f);
  EXPECT_EQ(sampling.repeat_penalty, 1.5f);
  EXPECT_EQ(sampling.seed, 42u);
  EXPECT_EQ(taken(R"("seed":-1)").options.sampling.seed, 18446744073709551615u);
  EXPECT_EQ(taken(R"("top_k":-1)").options.sampling.top_k, 0) << "off";
}

TEST(GenerationFieldsTest, TheNewerNameOfALengthWins) {
  EXPECT_EQ(taken(R"("max_completion_tokens":5,"max_tokens":9)").options.max_tokens, 5);
  EXPECT_EQ(taken(R"("max_tokens":9.0)").options.max_tokens, 9);
}

TEST(GenerationFieldsTest, ChecksStops) {
  EXPECT_EQ(taken(R"("stop":["a","","b"])").options.stop, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(taken(R"("stop":"x")").options.stop, std::vector<std::string>{"x"});
  std::string many;
  for (int i = 0; i < 16; ++i) many += i == 0 ? "\"a\"" : ",\"a\"";
  EXPECT_EQ(taken("\"stop\":[" + many + "]").options.stop.size(), 16u);
  for (const std::string& stop : {"[" + many + ",\"a\"]", "\"" + std::string(1025, 'a') + "\"",
                                  std::string("[1]"), std::string("5"), std::string("[null]")}) {
    EXPECT_EQ(blamed("\"stop\":" + stop), "stop") << stop.substr(0, 20);
  }
}

TEST(GenerationFieldsTest, ChecksStreaming) {
  EXPECT_TRUE(taken(R"("stream":true,"stream_options":{"include_usage":true})").include_usage);
  EXPECT_FALSE(taken(R"("stream":true,"stream_options":{})").include_usage);
  EXPECT_EQ(blamed(R"("stream":1)"), "stream");
  EXPECT_EQ(blamed(R"("stream_options":{})"), "stream_options");
  EXPECT_EQ(blamed(R"("stream":true,"stream_options":{"include_usage":"yes"})"),
            "stream_options.include_usage");
}

}  // namespace
}  // namespace parley::app::api
