#include "inference/grammar/mask_maker.h"

#include <gtest/gtest.h>

#include "inference/grammar/text_grammars.h"
#include "tests/inference/grammar/grammar_testing.h"

namespace parley::inference::grammar {
namespace {

// The slow, obvious twin: every token is tried by itself on a machine of its own that has read the same text.
// That no state is a dead end, so that "goes on" means "some completion exists", is what random_text() tests.
MaskWords slow_mask(const SmallVocabulary& vocabulary, const std::shared_ptr<const Grammar>& grammar,
                    std::string_view text) {
  GrammarMachine machine(grammar);
  const auto read = [&](GrammarMachine::State state, std::string_view bytes) {
    for (std::size_t i = 0; i < bytes.size() && state != GrammarMachine::kDead; ++i) {
      state = machine.next(state, static_cast<std::uint8_t>(bytes[i]));
    }
    return state;
  };
  const auto state = read(machine.start(), text);
  MaskWords mask(vocabulary.index()->num_words());
  for (TokenId token = 0; token < vocabulary.tokenizer().vocab_size(); ++token) {
    const bool is_allowed =
        token == vocabulary.end() ? machine.may_end(state)
        : vocabulary.index()->is_special(token)
            ? machine.next_token(state, token) != GrammarMachine::kDead
            : read(state, vocabulary.tokenizer().token_bytes(token)) != GrammarMachine::kDead;
    if (is_allowed) set_bit(mask, token);
  }
  return mask;
}

// Compares masks along random texts; every text must come to an end, be accepted, and be JSON.
void compare_along_random_texts(const std::shared_ptr<const Grammar>& grammar, unsigned seed, int num_texts) {
  const SmallVocabulary vocabulary;
  std::mt19937 random(seed);
  for (int i = 0; i < num_texts; ++i) {
    auto constraint = make_constraint(grammar, vocabulary.index());
    std::string text;
    MaskWords mask(vocabulary.index()->num_words());
    for (int step = 0; step < 40; ++step) {
      constraint->fill_mask(mask);
      ASSERT_EQ(tokens_of(mask), tokens_of(slow_mask(vocabulary, grammar, text))) << text;
      const std::vector<TokenId> tokens = tokens_of(mask);
      ASSERT_FALSE(tokens.empty()) << text;
      const TokenId token = tokens[random() % tokens.size()];
      if (token == vocabulary.end()) break;
      ASSERT_TRUE(constraint->allows(token));
      constraint->accept(token);
      text += vocabulary.tokenizer().token_bytes(token);
    }
  }
}

constexpr const char* kSchemas[] = {
    "true",
    R"({"type":"object","properties":{"name":{"type":"string"},"abc":{"type":"integer","minimum":-5,"maximum":130},
        "hello":{"enum":["a","abc","hello world"]}},"required":["name"],"additionalProperties":false})",
    R"({"type":"object","properties":{"a":{"type":"string","maxLength":12}},"additionalProperties":{"type":"null"}})",
    R"({"type":"array","items":{"anyOf":[{"type":"number","minimum":0.5},{"type":"string","pattern":"^(abc|12)+$"},
        {"type":"array","maxItems":2}]},"minItems":1})",
    R"({"type":"string","minLength":3,"maxLength":40})",
    R"({"$ref":"#/$defs/n","$defs":{"n":{"type":"object","properties":{"a":{"$ref":"#/$defs/n"},"b":{"type":"boolean"}},
        "minProperties":1,"maxProperties":1,"additionalProperties":false}}})",
    R"({"type":"string","format":"date-time"})",
    R"({"type":"object","properties":{"a":{"const":{"name":[1,null,"é"]}},"b":{}},"minProperties":2})",
};

TEST(MaskMaker, says_the_same_as_trying_each_token) {
  unsigned seed = 1;
  for (const char* schema : kSchemas) {
    SCOPED_TRACE(schema);
    compare_along_random_texts(compile_or_die(schema).grammar, seed++, 6);
  }
}

TEST(MaskMaker, says_the_same_for_patterns_and_choices) {
  for (const char* pattern : {"(abc|hello)+ world?", "[^\"]*", "(?:é|😀){2,5}x", "\\d{3}-?\\w*", ".*name.*"}) {
    SCOPED_TRACE(pattern);
    const auto made = make_regex_grammar(pattern);
    compare_along_random_texts(std::get<std::shared_ptr<const Grammar>>(made), 7, 6);
  }
  const std::vector<std::string> names{"abc", "hello", "hello world", "true"};
  compare_along_random_texts(make_choice_grammar(names), 8, 6);
}

TEST(MaskMaker, random_texts_are_json_and_end) {
  const SmallVocabulary vocabulary;
  std::mt19937 random(11);
  for (const char* schema : kSchemas) {
    const auto grammar = compile_or_die(schema).grammar;
    for (int i = 0; i < 15; ++i) {
      auto constraint = make_constraint(grammar, vocabulary.index());
      const std::string text = random_text(vocabulary, *constraint, random);
      EXPECT_TRUE(accepts(grammar, text)) << text;
      const auto parsed = json::parse_json(text, {.max_bytes = 1 << 20, .max_depth = 64});
      const auto* error = std::get_if<json::JsonError>(&parsed);
      // Two members of a name that the schema does not declare are the one thing that is left to the check
      // after.
      EXPECT_TRUE(error == nullptr || error->kind == json::JsonError::Kind::duplicate_key) << text;
    }
  }
}

TEST(MaskMaker, states_seen_before_are_not_worked_out_again) {
  const SmallVocabulary vocabulary;
  GrammarMachine machine(compile_or_die(R"({"type":"string"})").grammar);
  MaskMaker masks(*vocabulary.index(), machine);
  MaskWords first(vocabulary.index()->num_words());
  MaskWords second(vocabulary.index()->num_words(), ~std::uint64_t{0});
  const auto inside = machine.next(machine.start(), '"');
  masks.fill(inside, first);
  masks.fill(machine.next(inside, 'x'), second);
  EXPECT_EQ(first, second);
  EXPECT_EQ(masks.num_made(), 1u);
}

TEST(MaskMaker, rows_of_logits_may_be_longer_or_shorter_than_the_vocabulary) {
  const SmallVocabulary vocabulary;
  auto constraint = make_constraint(json_value_grammar(), vocabulary.index());
  MaskWords longer(vocabulary.index()->num_words() + 3, ~std::uint64_t{0});
  constraint->fill_mask(longer);
  EXPECT_EQ(longer.back(), 0u);
  EXPECT_TRUE(has_bit(longer, '{'));
  MaskWords shorter(2);
  constraint->fill_mask(shorter);
  EXPECT_TRUE(has_bit(shorter, '{'));
}

TEST(MaskMaker, a_grammar_that_explodes_still_gives_a_mask_in_time) {
  const SmallVocabulary vocabulary;
  const auto made = make_regex_grammar("(.*a.{30}|.*b.{25}|.*[a-e].{28})x");
  auto constraint = make_constraint(std::get<std::shared_ptr<const Grammar>>(made), vocabulary.index());
  MaskWords mask(vocabulary.index()->num_words());
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 200; ++i) {
    constraint->fill_mask(mask);
    const TokenId token = "abcde"[i * 7 % 5];
    ASSERT_TRUE(has_bit(mask, token));
    constraint->accept(token);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

}  // namespace
}  // namespace parley::inference::grammar
