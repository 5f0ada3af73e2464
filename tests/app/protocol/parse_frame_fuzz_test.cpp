// Mutated frames: whatever comes in, parsing ends, and every refusal is a frame that can be sent.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "app/protocol/parse_frame.h"
#include "app/protocol/write_frame.h"
#include "inference/json/json.h"
#include "tests/fakes/mutator.h"

namespace parley::app::protocol {
namespace {

using inference::json::JsonValue;
using inference::json::parse_json;

std::vector<std::string> seeds() {
  const std::string id = R"("id":"11111111-1111-4111-8111-111111111111")";
  const std::string chat = id + R"(,"conversation":"22222222-2222-4222-8222-222222222222")";
  return {
      R"({"type":"list",)" + id +
          R"(,"before":{"updated_at":1,"conversation":"22222222-2222-4222-8222-222222222222"},"limit":20})",
      R"({"type":"create",)" + chat + R"(,"title":"Gr\u00fc\u00dfe \ud83d\ude00"})",
      R"({"type":"open",)" + chat +
          R"(,"have":{"instance":"11111111-1111-4111-8111-111111111111","seq":3,"message":null,"epoch":0,"offset":17}})",
      R"({"type":"send",)" + chat + R"(,"text":"hello","parent":null})",
      R"({"type":"settings",)" + chat + R"(,"temperature":0.5,"max_tokens":1e2,"system_prompt":"x"})",
      R"({"type":"models",)" + id + "}",
  };
}

TEST(ParseFrameFuzzTest, AnyBytesGiveAFrameOrAnErrorThatCanBeSent) {
  tests::fakes::Mutator mutator(seeds(), 20260112);
  std::size_t accepted = 0;
  for (std::size_t round = 0; round < tests::fakes::fuzz_rounds(40'000); ++round) {
    const std::string text = mutator.next();
    auto result = parse_frame(text, 1u << 20);
    auto* error = std::get_if<ErrorFrame>(&result);
    if (error == nullptr) {
      ++accepted;
      continue;
    }
    ASSERT_FALSE(error->message.empty()) << text;
    const auto sent = parse_json(write_frame(*error), {.max_bytes = 1 << 16});
    ASSERT_TRUE(std::holds_alternative<JsonValue>(sent)) << text;
  }
  EXPECT_GT(accepted, 0u);  // else the mutations are too wild to reach the field checks
}

}  // namespace
}  // namespace parley::app::protocol
