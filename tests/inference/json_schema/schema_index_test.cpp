#include "inference/json_schema/schema_index.h"

#include <gtest/gtest.h>

#include <string>

#include "inference/json_schema/endless_reference.h"
#include "inference/json_schema/metaschemas.h"
#include "inference/json_schema/wording.h"
#include "tests/inference/json_schema/schema_fixture.h"

namespace parley::inference::json_schema {
namespace {

using json::JsonValue;

std::string place_of(SchemaIndex& index, std::string_view reference, NodeId from = 0) {
  auto found = index.follow(from, reference);
  if (const auto* error = std::get_if<SchemaError>(&found)) return "refused: " + error->message;
  return index.place_of(std::get<ReferenceTarget>(found).node);
}

TEST(SchemaIndexTest, FindsSchemasWhereTheDraftKeepsThem) {
  const JsonValue document = value_of(R"({"properties": {"a": {"items": {}}}, "const": {"not": {}},
      "x": {"y": {}}, "anyOf": [true, {}], "$defs": {"d": {}}, "dependencies": {"n": ["a"], "s": {}}})");
  SchemaIndex index;
  ASSERT_FALSE(index.add_document(document));
  EXPECT_EQ(index.size(), 7U);
  EXPECT_EQ(index.place_of(index.node_of(document.at("properties").at("a").at("items"))),
            "/properties/a/items");
  EXPECT_EQ(index.place_of(0), "");
}

TEST(SchemaIndexTest, FollowsUrisAnchorsAndPointers) {
  const JsonValue document = value_of(R"({"$id": "http://h/root.json", "$defs": {
      "a": {"$anchor": "here"},
      "b": {"$id": "dir/b.json", "$defs": {"c": {"$anchor": "here"}, "d/e": {"$id": "#x"}}}}})");
  SchemaIndex bad;
  ASSERT_TRUE(bad.add_document(document));  // "#x" is no $id in this draft
  const JsonValue good = value_of(R"({"$id": "http://h/root.json", "$defs": {
      "a": {"$anchor": "here"},
      "b": {"$id": "dir/b.json", "$defs": {"c": {"$anchor": "here"}, "d/e": {}}}}})");
  SchemaIndex index;
  ASSERT_FALSE(index.add_document(good));
  EXPECT_EQ(place_of(index, "#"), "");
  EXPECT_EQ(place_of(index, "#here"), "/$defs/a");
  EXPECT_EQ(place_of(index, "dir/b.json#here"), "/$defs/b/$defs/c");
  EXPECT_EQ(place_of(index, "http://h/dir/../dir/b.json"), "/$defs/b");
  EXPECT_EQ(place_of(index, "#/$defs/b/$defs/d~1e"), "/$defs/b/$defs/d~1e");
  EXPECT_EQ(place_of(index, "#/%24defs/a"), "/$defs/a");
  const NodeId inside = index.node_of(good.at("$defs").at("b"));
  EXPECT_EQ(place_of(index, "#here", inside), "/$defs/b/$defs/c");
  EXPECT_EQ(place_of(index, "../root.json", inside), "");
  EXPECT_NE(place_of(index, "dir/c.json").find("leads out"), std::string::npos);
  EXPECT_NE(place_of(index, "#/$defs/none").find("leads nowhere"), std::string::npos);
}

TEST(SchemaIndexTest, APointerMakesASchemaOfAnyPlace) {
  const JsonValue document =
      value_of(R"({"components": {"schemas": [{"properties": {"p": {"$id": "p.json"}}}]}})");
  SchemaIndex index;
  ASSERT_FALSE(index.add_document(document));
  EXPECT_EQ(index.size(), 1U);
  EXPECT_EQ(place_of(index, "#/components/schemas/0"), "/components/schemas/0");
  EXPECT_EQ(index.size(), 3U);
  EXPECT_EQ(place_of(index, "#/components/schemas/0"), "/components/schemas/0");
  EXPECT_EQ(index.size(), 3U);
  EXPECT_EQ(place_of(index, "p.json"), "/components/schemas/0/properties/p");
}

// Read as a schema, each map of properties holds the next one: whatever the order, a place is indexed once.
TEST(SchemaIndexTest, OverlappingPlacesAreIndexedOnce) {
  JsonValue document = json::JsonObject{};
  std::string pointer = "#";
  for (int i = 0; i < 60; ++i) {
    document = json::JsonObject{{"properties", std::move(document)}};
    pointer += "/properties";
  }
  SchemaIndex index;
  ASSERT_FALSE(index.add_document(document));
  for (; pointer.size() > 1; pointer.resize(pointer.size() - 11))
    EXPECT_EQ("#" + place_of(index, pointer), pointer);
  EXPECT_EQ(index.size(), 61U);
}

TEST(SchemaIndexTest, NamesAreGivenOnce) {
  EXPECT_NE(refusal(R"({"$defs": {"a": {"$id": "x"}, "b": {"$id": "x"}}})").find("same `$id`"),
            std::string::npos);
  EXPECT_NE(
      refusal(R"({"$defs": {"a": {"$anchor": "x"}, "b": {"$dynamicAnchor": "x"}}})").find("given twice"),
      std::string::npos);
  EXPECT_TRUE(accepts(R"({"$anchor": "x", "$dynamicAnchor": "x"})", "1"));
  EXPECT_NE(refusal(R"({"$id": 1})").find("`$id` must be a string"), std::string::npos);
}

TEST(SchemaIndexTest, KnowsTheMetaschemasAndTheyHoldForThemselves) {
  for (const auto documents :
       {metaschemas_of_draft7(), metaschemas_of_draft2019(), metaschemas_of_draft2020()}) {
    const Metaschema& whole = documents.front();
    const Schema schema = schema_of(json::JsonObject{{"$schema", whole.uri}, {"$ref", whole.uri}},
                                    {.formats = FormatRule::enforce});
    for (const Metaschema& document : documents) {
      const JsonValue text = value_of(document.text);
      EXPECT_TRUE(schema.validate(text).empty()) << document.uri;
      EXPECT_TRUE(find_metaschema(document.uri));
    }
    EXPECT_EQ(schema.validate(value_of(R"({"properties": {"a": {"minLength": "x"}}})")).at(0).place,
              "/properties/a/minLength");
  }
  EXPECT_FALSE(find_metaschema("http://json-schema.org/draft-04/schema"));
}

TEST(EndlessReferenceTest, FindsANodeOfACycle) {
  EXPECT_FALSE(find_endless_reference({}));
  EXPECT_FALSE(find_endless_reference({{1, 2}, {2}, {}}));
  EXPECT_EQ(find_endless_reference({{0}}), 0U);
  // 0 uses the cycle 2 -> 3 -> 2, which uses 1 and 4.
  const auto found = find_endless_reference({{2}, {}, {3, 1}, {2, 4}, {1}});
  ASSERT_TRUE(found);
  EXPECT_TRUE(*found == 2 || *found == 3) << *found;
}

TEST(WordingTest, IsShort) {
  EXPECT_EQ(counted(1, "item"), "1 item");
  EXPECT_EQ(counted(0, "item"), "0 items");
  EXPECT_EQ(cut(std::string(60, 'a')), std::string(60, 'a'));
  EXPECT_EQ(cut(std::string(61, 'a')), std::string(60, 'a') + "\xE2\x80\xA6");
  EXPECT_EQ(quoted("a\"\n"), R"("a\"\n")");
  EXPECT_EQ(shown(value_of("[1]")), "an array");
  EXPECT_EQ(shown(value_of("-0.5")), "-0.5");
  const std::vector<std::string> words{"a", "b", "c"};
  EXPECT_EQ(listed(words, "or"), "a, b or c");
  EXPECT_EQ(listed(std::vector<std::string>{"a"}, "or"), "a");
}

}  // namespace
}  // namespace parley::inference::json_schema
