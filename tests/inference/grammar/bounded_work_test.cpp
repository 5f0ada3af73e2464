// What hostile grammars cost: counted in the machine's own units, of which one is about a nanosecond, so that
// neither the machine that the test runs on nor its load matters.

#include <gtest/gtest.h>

#include "inference/grammar/forced_run.h"
#include "inference/grammar/mask_maker.h"
#include "tests/inference/grammar/grammar_testing.h"

namespace parley::inference::grammar {
namespace {

using State = GrammarMachine::State;

constexpr std::size_t kMaskWork = 25'000'000;  // the limit of a mask, and the step that passes it
constexpr std::size_t kTextWork =
    5'000'000;  // of a token of 64 bytes with as many places as there may be: a few ms

std::string numbered(const char* prefix, int i) {
  const std::string number = std::to_string(100'000 + i);
  return prefix + number.substr(1);
}

std::string wide_schema(int num_members, const char* rest = "") {
  std::string schema = R"({"type":"object","properties":{)";
  for (int i = 0; i < num_members; ++i) {
    schema += (i > 0 ? ",\"" : "\"") + numbered("p", i) + "\":true";
  }
  return schema + "}" + rest + "}";
}

struct Reader {
  explicit Reader(const std::shared_ptr<const Grammar>& grammar)
      : machine(grammar), masks(*vocabulary.index(), machine), state(machine.start()) {}

  // The most that one byte takes; stops where nothing goes on.
  std::size_t read(std::string_view text) {
    std::size_t most = 0;
    for (const char byte : text) {
      const std::size_t before = machine.work();
      const State next = machine.next(state, static_cast<std::uint8_t>(byte));
      most = std::max(most, machine.work() - before);
      if (next == GrammarMachine::kDead) {
        ADD_FAILURE() << "refused: " << byte << " of " << text.substr(0, 100);
        break;
      }
      state = next;
    }
    return most;
  }
  std::size_t fill_mask() {
    const std::size_t before = machine.work();
    masks.fill(state, mask);
    return machine.work() - before;
  }
  std::size_t force() {
    const std::size_t before = machine.work();
    forced_run(machine, state, *vocabulary.index(), {});
    return machine.work() - before;
  }

  SmallVocabulary vocabulary;
  GrammarMachine machine;
  MaskMaker masks;
  State state;
  MaskWords mask = MaskWords(vocabulary.index()->num_words());
};

// A key is one place, however many there are.
TEST(BoundedWork, of_objects_with_thousands_of_optional_members_does_not_grow) {
  for (const int num_members : {100, 5'000, 15'000}) {
    SCOPED_TRACE(num_members);
    Reader reader(compile_or_die(wide_schema(num_members)).grammar);
    EXPECT_LT(reader.fill_mask(), 100'000u);
    for (int i = 0; i < 40; ++i) {
      const std::string text = (i == 0 ? "{\"" : ",\"") + numbered("p", i * 2) + "\":true";
      for (const char byte : text) {
        EXPECT_LT(reader.read(std::string_view(&byte, 1)), 2'000u) << i << ": " << byte;
        EXPECT_LT(reader.fill_mask(), 3'000'000u) << i << ": " << byte;
        EXPECT_LT(reader.force(), 100'000u);
      }
      EXPECT_TRUE(has_bit(reader.mask, '}') && has_bit(reader.mask, ','));
    }
    EXPECT_LT(reader.machine.memory(), std::size_t{4} << 20);
  }
}

TEST(BoundedWork, keys_in_order_are_what_they_were) {
  const auto grammar =
      compile_or_die(wide_schema(5'000, R"(,"required":["p04000"],"additionalProperties":false)")).grammar;
  EXPECT_TRUE(accepts(grammar, R"({"p00001":1,"p04000":1,"p04999":[]})"));
  EXPECT_TRUE(accepts(grammar, R"({"p04000":1})"));
  EXPECT_FALSE(accepts(grammar, R"({"p00001":1})"));
  EXPECT_FALSE(accepts(grammar, R"({"p04001":1})"));
  EXPECT_FALSE(accepts(grammar, R"({"p00002":1,"p00001":1,"p04000":1})"));
  EXPECT_FALSE(accepts(grammar, R"({"p04000":1,"p04000":1})"));
  Reader reader(grammar);
  reader.read(R"({"p03000":1,"p0)");
  reader.fill_mask();
  EXPECT_TRUE(has_bit(reader.mask, '3') && has_bit(reader.mask, '4'));
  EXPECT_FALSE(has_bit(reader.mask, '2')) << "all of them are over";
  reader.read("4000\":1,\"p0");
  EXPECT_EQ(reader.machine.next(reader.state, '3'), GrammarMachine::kDead);
  EXPECT_FALSE(accepts(grammar, R"({"p00001":1,"p0000":1})"));
}

std::string array_enum(int num_values) {
  std::string schema = R"({"enum":[)";
  const std::string alike = "[\"" + std::string(5000, 'x') + "\",";
  schema += alike + "0]";
  for (int i = 1; i < num_values; ++i)
    schema += ",[\"" + std::string(60, 'x') + "\"," + std::to_string(i) + "]";
  return schema + "]}";
}

TEST(BoundedWork, of_many_arrays_that_begin_alike_is_within_the_limits) {
  Reader reader(compile_or_die(array_enum(990)).grammar);
  EXPECT_LT(reader.fill_mask(), kMaskWork);
  EXPECT_LT(reader.force(), kTextWork + 1'000'000);
  EXPECT_LT(reader.read("[\"" + std::string(60, 'x') + "\",98"), kTextWork / 10);
  EXPECT_LT(reader.fill_mask(), kMaskWork);
  EXPECT_TRUE(has_bit(reader.mask, '7'));
  reader.read("9]");
  EXPECT_TRUE(reader.machine.may_end(reader.state));
}

TEST(BoundedWork, of_more_of_them_is_refused_with_the_limit) {
  EXPECT_EQ(error_of(array_enum(1001)),
            "The schema allows more than 1000 alternatives at one place: branches, or arrays and objects of "
            "an enum.");
  std::string nested = R"({"anyOf":[)";
  for (int i = 0; i < 20; ++i) {
    nested += i > 0 ? ",{\"anyOf\":[" : "{\"anyOf\":[";
    for (int j = 0; j < 60; ++j)
      nested += (j > 0 ? ",{\"const\":\"" : "{\"const\":\"") + numbered("c", i * 60 + j) + "\"}";
    nested += "]}";
  }
  EXPECT_NE(error_of(nested + "]}").find("more than 1000 alternatives"), std::string::npos);
}

// Each array may be one of two that are alike but for their end, level by level: twice as many places a
// level.
constexpr const char* kDoubling = R"({"$ref":"#/$defs/n","$defs":{"n":{"anyOf":[
    {"type":"array","prefixItems":[{"$ref":"#/$defs/n"},{"const":1}],"items":false,"minItems":2},
    {"type":"array","prefixItems":[{"$ref":"#/$defs/n"},{"const":2}],"items":false,"minItems":2},
    {"type":"null"}]}}})";

TEST(BoundedWork, of_places_that_double_is_within_the_limits_and_texts_still_end) {
  const auto grammar = compile_or_die(kDoubling).grammar;
  Reader reader(grammar);
  for (int depth = 0; depth < 60; ++depth) {
    EXPECT_LT(reader.read("["), kTextWork) << depth;
    EXPECT_LT(reader.fill_mask(), kMaskWork) << depth;
    EXPECT_LT(reader.force(), kTextWork + 1'000'000) << depth;
    EXPECT_TRUE(has_bit(reader.mask, '[') && has_bit(reader.mask, 'n')) << depth;
  }
  EXPECT_LT(reader.read("null"), kTextWork);
  std::string rest;
  while (!reader.machine.may_end(reader.state)) {
    ASSERT_LT(rest.size(), 1000u);
    const std::string_view open = ",12]";
    const auto next = std::find_if(open.begin(), open.end(), [&](char byte) {
      return reader.machine.next(reader.state, static_cast<std::uint8_t>(byte)) != GrammarMachine::kDead;
    });
    ASSERT_NE(next, open.end()) << rest;
    EXPECT_LT(reader.read(std::string_view(&*next, 1)), kTextWork);
    rest += *next;
  }
  EXPECT_EQ(rest.size(), 180u) << rest;
}

// Up to a limit of places all is there: two arrays, a null and white space for each of 2^8 ways.
TEST(BoundedWork, places_below_the_limit_are_all_kept) {
  const auto grammar = compile_or_die(kDoubling).grammar;
  for (int pattern = 0; pattern < 256; pattern += 11) {
    std::string text = std::string(8, '[') + "null";
    for (int level = 0; level < 8; ++level) text += (pattern >> level & 1) != 0 ? ",1]" : ",2]";
    EXPECT_TRUE(accepts(grammar, text)) << text;
  }
}

// Any byte goes on in each of the places: looking for the first ones alone is more than a mask may take.
TEST(BoundedWork, of_many_strings_at_once_is_within_the_limits_and_some_token_is_left) {
  std::string schema = R"({"anyOf":[)";
  for (int i = 0; i < 960; ++i) {
    if (i % 240 == 0) schema += i > 0 ? "]},{\"anyOf\":[" : "{\"anyOf\":[";
    schema += (i % 240 > 0 ? "," : "") + std::string(R"({"type":"string","maxLength":)") +
              std::to_string(100 + i) + "}";
  }
  Reader reader(compile_or_die(schema + "]}]}").grammar);
  EXPECT_LT(reader.read("\"some text"), kTextWork);
  EXPECT_LT(reader.fill_mask(), kMaskWork);
  EXPECT_FALSE(tokens_of(reader.mask).empty());
  EXPECT_LT(reader.force(), kTextWork + 1'000'000);
  reader.read("\"");
  EXPECT_TRUE(reader.machine.may_end(reader.state));
}

// Within one byte: each of the places leads to all alternatives.
TEST(BoundedWork, of_places_that_multiply_is_within_the_limits) {
  std::string schema = R"({"type":"array","items":{"anyOf":[)";
  for (int i = 0; i < 40; ++i) {
    schema += (i > 0 ? "," : "") + std::string(R"({"type":"array","items":{"$ref":"#/items"},"maxItems":)") +
              std::to_string(1000 + i) + "}";
  }
  Reader reader(compile_or_die(schema + "]}}").grammar);
  EXPECT_LT(reader.read("["), kTextWork);
  for (int depth = 0; depth < 5; ++depth) {
    EXPECT_LT(reader.read("["), kTextWork) << depth;
    EXPECT_LT(reader.fill_mask(), kMaskWork) << depth;
    EXPECT_TRUE(has_bit(reader.mask, '[') && has_bit(reader.mask, ']'));
  }
  EXPECT_LT(reader.read("],["), kTextWork);
}

TEST(BoundedWork, of_compiling_is_refused_by_memory_before_it_is_taken) {
  EXPECT_NE(error_of(wide_schema(5'000), {.max_memory = std::size_t{1} << 20}).find("takes more than 1 MiB"),
            std::string::npos);
  std::string many_patterns = R"({"type":"object","properties":{)";
  for (int i = 0; i < 2'000; ++i) {
    many_patterns += (i > 0 ? ",\"" : "\"") + numbered("p", i) +
                     R"(":{"type":"string","pattern":"^[a-z]{1,)" + std::to_string(100 + i) + "}$\"}";
  }
  EXPECT_NE(
      error_of(many_patterns + "}}", {.max_time = std::chrono::minutes(5)}).find("takes more than 32 MiB"),
      std::string::npos);
  const std::string long_name(700'000, 'n');
  EXPECT_NE(error_of(R"({"enum":[")" + long_name + "\"]}").find("takes more than 32 MiB"), std::string::npos);
  EXPECT_NE(error_of(R"({"properties":{")" + long_name + "\":{}}}").find("takes more than 32 MiB"),
            std::string::npos);
  EXPECT_NE(error_of(R"({"description":")" + long_name + long_name + "\"}").find("longer than 1048576 bytes"),
            std::string::npos);
  EXPECT_EQ(error_of(R"({"description":")" + long_name + "\"}"), "");
}

// A long name above many parts is stored once, not with each of them.
TEST(BoundedWork, of_places_below_long_names_is_that_of_their_number) {
  std::string schema =
      R"({"type":"object","properties":{")" + std::string(100'000, 'n') + R"(":{"allOf":[{})";
  for (int i = 0; i < 15'000; ++i) schema += ",{}";
  const SchemaGrammar made = compile_or_die(schema + R"(]}},"additionalProperties":false})");
  EXPECT_TRUE(made.unchecked.empty());
  EXPECT_TRUE(accepts(made.grammar, "{}"));
}

}  // namespace
}  // namespace parley::inference::grammar
