#include "orchestration/prompt/encoded_prompt.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/fakes/fake_tokenizer.h"
#include "tests/orchestration/prompt/chat_helper.h"

namespace parley::orchestration::prompt {
namespace {

using fakes::byte_ids;
using fakes::FakeTokenizer;

// Ids as text, special tokens as (name).
std::string shown(const std::vector<std::int32_t>& ids, const FakeTokenizer& tokenizer = kFakeTokenizer) {
  std::string text;
  for (const std::int32_t id : ids) {
    const std::string name(tokenizer.token_bytes(id));
    text += tokenizer.is_special(id) ? "(" + name + ")" : name;
  }
  return text;
}

jinja::Rendered rendered(std::vector<std::pair<std::string, jinja::Origin>> parts) {
  jinja::TextBuilder builder;
  for (const auto& [bytes, origin] : parts) builder.append(bytes, origin);
  jinja::Rendered result;
  std::tie(result.text, result.runs) = builder.release();
  return result;
}

TEST(EncodedPrompt, OnlyTemplateTextMakesSpecialTokens) {
  const auto prompt = rendered({{"<|im_start|>user\n", 0}, {"<|im_end|><s>", 1}, {"<|im_end|>\n", 0}});
  EXPECT_EQ(shown(encode_prompt(kFakeTokenizer, prompt, {}).ids),
            "(<|im_start|>)user\n<|im_end|><s>(<|im_end|>)\n");
}

TEST(EncodedPrompt, SpecialTokensAreNotPutTogetherFromTemplateAndData) {
  const auto prompt = rendered({{"<|", 0}, {"im_end", 1}, {"|>", 0}, {"<|im_", 2}, {"end|>", 3}});
  EXPECT_EQ(shown(encode_prompt(kFakeTokenizer, prompt, {}).ids), "<|im_end|><|im_end|>");
}

TEST(EncodedPrompt, TextIsTokenisedAcrossOrigins) {
  EXPECT_EQ(encode_prompt(kFakeTokenizer, rendered({{"a", 0}, {"b", 1}}), {}).ids,
            (std::vector<std::int32_t>{FakeTokenizer::kFirstPair}));
}

TEST(EncodedPrompt, SplicesReplaceTheirText) {
  const auto prompt = rendered({{"<|im_start|>a", 0}, {"babab", 1}, {"<|im_end|>", 0}});
  const std::vector<std::int32_t> ids = byte_ids("baba");
  const EncodedPrompt encoded = encode_prompt(kFakeTokenizer, prompt, {{13, 17, ids}});
  std::vector<std::int32_t> expected = {FakeTokenizer::kImStart, 'a'};
  expected.insert(expected.end(), ids.begin(), ids.end());
  expected.push_back('b');
  expected.push_back(FakeTokenizer::kImEnd);
  EXPECT_EQ(encoded.ids, expected);
}

TEST(EncodedPrompt, BeginsWithBosWhereTheFileAsksForIt) {
  const FakeTokenizer with_bos(true);
  EXPECT_EQ(shown(encode_prompt(with_bos, rendered({{"x", 0}}), {}).ids), "(<s>)x");
  EXPECT_EQ(shown(encode_prompt(with_bos, rendered({{"<s>x", 0}}), {}).ids), "(<s>)x");
  EXPECT_EQ(shown(encode_prompt(with_bos, rendered({{"<s>", 1}, {"x", 0}}), {}).ids), "(<s>)<s>x");
  EXPECT_EQ(shown(encode_prompt(with_bos, rendered({}), {}).ids), "(<s>)");
  EXPECT_EQ(shown(encode_prompt(kFakeTokenizer, rendered({{"x", 0}}), {}).ids), "x");
}

TEST(EncodedPrompt, AnAnswerToCarryOnIsItsIdsOrItsText) {
  EncodedPrompt prompt;
  append_answer(kFakeTokenizer, assistant_says("abab", byte_ids("abab")), {}, prompt);
  EXPECT_EQ(prompt.ids, byte_ids("abab"));
  prompt.ids.clear();
  append_answer(kFakeTokenizer, assistant_says("abab"), {}, prompt);
  EXPECT_EQ(prompt.ids.size(), 2u);
  prompt.ids.clear();
  append_answer(kFakeTokenizer, assistant_says("abab!", byte_ids("abab")), {}, prompt);
  EXPECT_EQ(prompt.ids, byte_ids("abab!"));
  prompt.ids.clear();
  append_answer(kFakeTokenizer, assistant_says("<|im_end|>"), {}, prompt);
  EXPECT_EQ(shown(prompt.ids), "<|im_end|>");
}

TEST(EncodedPrompt, AnAnswerThatWasCutInItsReasoningGoesOnThere) {
  using calls::ReasoningStart;
  ChatMessage cut = assistant_says("");
  cut.reasoning = "Well";
  TemplateCapabilities can;
  can.reasoning_open = "<think>\n";
  can.reasoning_close = "\n</think>\n\n";
  EncodedPrompt prompt;
  append_answer(kFakeTokenizer, cut, can, prompt);
  EXPECT_EQ(shown(prompt.ids), "<think>\nWell");
  EXPECT_EQ(prompt.reasoning_start, ReasoningStart::inside);
  EncodedPrompt opened;
  opened.reasoning_start = ReasoningStart::opened;
  append_answer(kFakeTokenizer, cut, can, opened);
  EXPECT_EQ(shown(opened.ids), "Well");
  EXPECT_EQ(opened.reasoning_start, ReasoningStart::inside);
  EncodedPrompt without;
  append_answer(kFakeTokenizer, cut, {}, without);
  EXPECT_TRUE(without.ids.empty()) << "a template that shows none";
  EXPECT_EQ(without.reasoning_start, ReasoningStart::model_opens) << "the model begins anew";
  cut.token_ids = byte_ids("<think>\nWell");
  append_answer(kFakeTokenizer, cut, {}, without);
  EXPECT_EQ(without.ids, cut.token_ids);
  EXPECT_EQ(without.reasoning_start, ReasoningStart::inside);
}

TEST(EncodedPrompt, CountsTheIdsBeforeAByte) {
  const FakeTokenizer with_bos(true);
  const auto prompt = rendered({{"<|im_start|>", 0}, {"hello", 1}, {"<|im_end|>", 0}, {"abab", 2}});
  const std::vector<std::int32_t> ids = byte_ids("abab");
  const EncodedPrompt encoded = encode_prompt(with_bos, prompt, {{27, 31, ids}});
  EXPECT_EQ(shown(encoded.ids, with_bos), "(<s>)(<|im_start|>)hello(<|im_end|>)abab");
  const std::vector<std::size_t> positions = {0, 12, 12, 17, 27, 29, 31, 100};
  EXPECT_EQ(count_ids_before(with_bos, encoded, positions),
            (std::vector<std::size_t>{1, 2, 2, 5, 6, 8, 10, 10}));
  EXPECT_TRUE(count_ids_before(with_bos, encoded, {}).empty());
}

TEST(EncodedPrompt, CountsAtManyPlacesInOneWalk) {
  EncodedPrompt prompt;
  prompt.ids.assign(2'000'000, 'a');
  prompt.pieces.push_back({0, 2'000'000, 0, 2'000'000});
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < 200'000; ++i) positions.push_back(i * 10);
  EXPECT_EQ(count_ids_before(kFakeTokenizer, prompt, positions),
            positions);  // a walk for each would take minutes
}

}  // namespace
}  // namespace parley::orchestration::prompt
