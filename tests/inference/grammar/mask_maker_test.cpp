#include "inference/grammar/mask_maker.h"

#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>

#include "inference/grammar/text_grammars.h"
#include "inference/grammar/tool_call_grammar.h"
#include "tests/inference/grammar/grammar_testing.h"

namespace parley::inference::grammar {
namespace {

// Whether the token counts as one symbol, or as its bytes.
bool is_symbol(const SmallVocabulary& vocabulary, GrammarMachine& machine, GrammarMachine::State state,
               TokenId token) {
  const std::vector<TokenId> named = machine.named_tokens(state);
  return vocabulary.index()->is_special(token) || std::find(named.begin(), named.end(), token) != named.end();
}

GrammarMachine::State read_token(const SmallVocabulary& vocabulary, GrammarMachine& machine,
                                 GrammarMachine::State state, TokenId token) {
  if (is_symbol(vocabulary, machine, state, token)) return machine.next_token(state, token);
  for (const char byte : vocabulary.tokenizer().token_bytes(token)) {
    state = machine.next(state, static_cast<std::uint8_t>(byte));
    if (state == GrammarMachine::kDead) break;
  }
  return state;
}

// The slow, obvious twin: every token is tried by itself on a machine of its own that has read the same text.
// That no state is a dead end, so that "goes on" means "some completion exists", is what random_text() tests.
MaskWords slow_mask(const SmallVocabulary& vocabulary, const std::shared_ptr<const Grammar>& grammar,
                    const std::vector<TokenId>& text) {
  GrammarMachine machine(grammar);
  auto state = machine.start();
  for (const TokenId token : text) state = read_token(vocabulary, machine, state, token);
  MaskWords mask(vocabulary.index()->num_words());
  for (TokenId token = 0; token < vocabulary.tokenizer().vocab_size(); ++token) {
    const bool is_allowed = token == vocabulary.end()
                                ? machine.may_end(state)
                                : read_token(vocabulary, machine, state, token) != GrammarMachine::kDead;
    if (is_allowed) set_bit(mask, token);
  }
  return mask;
}

// Bytes are many; every other time one of the pieces is taken, if one may come.
TokenId draw(const std::vector<TokenId>& tokens, std::mt19937& random) {
  const auto pieces = std::find_if(tokens.begin(), tokens.end(), [](TokenId token) { return token >= 256; });
  const auto num_pieces = static_cast<std::size_t>(tokens.end() - pieces);
  if (num_pieces > 0 && random() % 2 == 0)
    return *(pieces + static_cast<std::ptrdiff_t>(random() % num_pieces));
  return tokens[random() % tokens.size()];
}

// Pieces of all classes of text, and such that are nearly of one.
const SmallVocabulary& words_vocabulary() {
  static const SmallVocabulary kVocabulary(
      std::vector<std::string>{"name",
                               "camelCase",
                               "Title",
                               "UPPER",
                               "snake_case",
                               "a-b",
                               "x1",
                               "a1b2",
                               "12",
                               " word",
                               " two words here",
                               "end ",
                               "path/to",
                               "a.b",
                               "@example.org",
                               "https://",
                               "é",
                               "naïve",
                               "日本",
                               " 日本",
                               "\xE3\x80\x80",
                               "a\xC2\xA0"
                               "b",
                               "\xE2\x80\xA8",
                               "\xE6\x97",
                               "a<b",
                               "<tool",
                               "[x]",
                               "`code`",
                               "{\"",
                               "\"}",
                               "\", \"",
                               "\\n",
                               "\\u00",
                               "a\"",
                               "  ",
                               "    ",
                               "abcdefghijklm",
                               "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz",
                               "the quick brown fox jumps over it",
                               "AbCdEfGhIjKlMnOpQrStUv",
                               "0123456789abcdef",
                               "a sentence, with a comma and an end."});
  return kVocabulary;
}

// Compares masks along random texts.
void compare_along_random_texts(const std::shared_ptr<const Grammar>& grammar, unsigned seed, int num_texts,
                                const SmallVocabulary& vocabulary = SmallVocabulary()) {
  std::mt19937 random(seed);
  for (int i = 0; i < num_texts; ++i) {
    auto constraint = make_constraint(grammar, vocabulary.index());
    std::vector<TokenId> text;
    MaskWords mask(vocabulary.index()->num_words());
    for (int step = 0; step < 40; ++step) {
      SCOPED_TRACE(vocabulary.tokenizer().decode(text, true));
      constraint->fill_mask(mask);
      const std::vector<TokenId> tokens = tokens_of(mask);
      ASSERT_EQ(tokens, tokens_of(slow_mask(vocabulary, grammar, text)));
      ASSERT_FALSE(tokens.empty());
      const TokenId token = draw(tokens, random);
      if (token == vocabulary.end()) break;
      ASSERT_TRUE(constraint->allows(token));
      constraint->accept(token);
      text.push_back(token);
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

TEST(MaskMaker, says_the_same_where_keys_come_in_order) {
  std::string members;
  for (int i = 0; i < 80; ++i)
    members += (i > 0 ? ",\"" : "\"") + std::string(i % 3, 'a') + std::to_string(i) + "\":true";
  for (const char* rest :
       {R"("required":["a40","a64"],"additionalProperties":false)", R"("required":["aa77"])"}) {
    const std::string schema = R"({"type":"object","properties":{)" + members + "}," + rest + "}";
    compare_along_random_texts(compile_or_die(schema).grammar, 51, 8);
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

// Each class of text, without end and bounded, and states that are nearly of one.
TEST(MaskMaker, says_the_same_where_tokens_are_taken_by_their_class) {
  unsigned seed = 21;
  for (const char* pattern : {"[a-z]+", "[a-z0-9-]+", "[A-Za-z]+", "[A-Za-z_][A-Za-z0-9_]{0,20}",
                              "[a-zA-Z ]+", "\\S+", "[^/]+", "[^,@]+@?", ".+", ".{0,12}", ".{20,}",
                              "[a-z]{1,11}", "[A-Z]{2}-[0-9]{4}", "[^<>]{0,40}", "([a-z]+ )*[a-z]+"}) {
    SCOPED_TRACE(pattern);
    const auto bare = make_regex_grammar(pattern);
    compare_along_random_texts(std::get<std::shared_ptr<const Grammar>>(bare), seed, 3, words_vocabulary());
    const std::string schema =
        std::string(R"({"type":"object","properties":{"name":{"type":"string","pattern":)") +
        boost::json::serialize(json::JsonValue("^" + std::string(pattern) + "$")) + "}}}";
    compare_along_random_texts(compile_or_die(schema).grammar, seed + 100, 3, words_vocabulary());
    ++seed;
  }
}

TEST(MaskMaker, says_the_same_in_prose_with_calls_in_it) {
  const json::JsonValue parameters =
      parse_or_die(R"({"type":"object","properties":{"name":{"type":"string"}}})");
  const std::vector<OfferedTool> tools{{"name", &parameters}, {"now", nullptr}};
  for (const CallStart start : {CallStart::at_marker, CallStart::at_once}) {
    for (const char* open : {"<tool_call>", "tool:", ""}) {
      SCOPED_TRACE(open);
      ToolCallOptions options;
      options.start = start;
      options.format.open = open;
      const auto made = make_tool_call_grammar(tools, options, *words_vocabulary().index());
      compare_along_random_texts(std::get<SchemaGrammar>(made).grammar, 31, 6, words_vocabulary());
    }
  }
}

TEST(MaskMaker, says_the_same_where_text_is_banned) {
  for (const BannedText& banned :
       {BannedText{.openings = {"{\"name\"", "[x]"}, .anywhere = {"<tool_call>", "a-b"}},
        BannedText{.openings = {}, .anywhere = {"<tool"}}, BannedText{}}) {
    compare_along_random_texts(make_banned_text_grammar(banned, *words_vocabulary().index()), 41, 6,
                               words_vocabulary());
  }
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

// More states than masks are kept, so that some are made again, and in another order.
TEST(MaskMaker, masks_that_were_let_go_are_made_again_as_they_were) {
  const SmallVocabulary& vocabulary = words_vocabulary();
  GrammarMachine machine(
      compile_or_die(R"({"type":"string","pattern":"^([a-c]{1,900}|[^/]{2,700})$"})").grammar);
  MaskMaker masks(*vocabulary.index(), machine);
  std::vector<GrammarMachine::State> states{machine.next(machine.start(), '"')};
  for (int i = 0; i < 650; ++i)
    states.push_back(machine.next(states.back(), "abcz"[i % 4 == 3 && i > 300 ? 3 : i % 3]));
  std::vector<MaskWords> first;
  for (const auto state : states) masks.fill(state, first.emplace_back(vocabulary.index()->num_words()));
  MaskMaker others(*vocabulary.index(), machine);
  for (std::size_t i = states.size(); i-- > 0;) {
    MaskWords again(vocabulary.index()->num_words(), ~std::uint64_t{0});
    masks.fill(states[i], again);
    ASSERT_EQ(again, first[i]) << i;
    others.fill(states[i], again);
    ASSERT_EQ(again, first[i]) << i;
  }
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
