#include "inference/grammar/schema_parts.h"

#include <gtest/gtest.h>

#include "tests/inference/grammar/grammar_testing.h"

namespace parley::inference::grammar {
namespace {

json::JsonValue many_schemas(std::size_t count) {
  return json::JsonValue{{"allOf", json::JsonArray(count, json::JsonObject())}};
}

FlatSchema flatten_all(const json::JsonValue& schema, SchemaBudget& budget) {
  const SchemaIndex index(schema);
  UncheckedList unchecked;
  return flatten({first_part(schema, "#")}, index, unchecked, budget);
}

TEST(SchemaParts, places_are_pointers_in_which_names_are_escaped) {
  const json::JsonValue schema;
  const SchemaPart root = first_part(schema, "#/$defs/a~1b");
  EXPECT_EQ(place_text(root), "#/$defs/a~1b");
  const SchemaPart member = member_below(root, "properties", "x/y~z", schema);
  EXPECT_EQ(place_text(member), "#/$defs/a~1b/properties/x~1y~0z");
  EXPECT_EQ(place_text(element_below(member, "allOf", 0, schema)), "#/$defs/a~1b/properties/x~1y~0z/allOf/0");
  EXPECT_EQ(place_text(part_below(member, "items", schema)), "#/$defs/a~1b/properties/x~1y~0z/items");
  EXPECT_EQ(place_text(member_below(root, "properties", "", schema)), "#/$defs/a~1b/properties/");
}

TEST(SchemaParts, each_schema_counts_once_whoever_refers_to_it) {
  const json::JsonValue schema = parse_or_die(
      R"({"allOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/a"},{"$ref":"#"}],"$defs":{"a":{"minLength":1}}})");
  SchemaBudget budget({});
  const FlatSchema flat = flatten_all(schema, budget);
  EXPECT_EQ(flat.parts.size(), 5u) << "the root, three references and what they lead to";
}

TEST(SchemaParts, a_step_is_counted_for_each_schema_that_is_looked_at) {
  for (const std::size_t count : {1000u, 4000u, 16000u}) {
    const json::JsonValue schema = many_schemas(count);
    SchemaBudget budget({});
    EXPECT_EQ(flatten_all(schema, budget).parts.size(), count + 1);
    EXPECT_LE(budget.num_steps(), 2 * count + 10);
  }
}

TEST(SchemaParts, stop_where_the_time_is_over) {
  const json::JsonValue schema = many_schemas(16000);
  SchemaBudget budget({.max_time = std::chrono::milliseconds(-1)});
  EXPECT_LT(flatten_all(schema, budget).parts.size(), 1000u);
  EXPECT_TRUE(budget.is_over());
  EXPECT_LT(budget.num_steps(), 1000u);
}

}  // namespace
}  // namespace parley::inference::grammar
