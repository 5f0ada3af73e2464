#include "inference/grammar/schema_index.h"

#include <gtest/gtest.h>

#include "tests/inference/grammar/grammar_testing.h"

namespace parley::inference::grammar {
namespace {

const json::JsonObject& at(const json::JsonValue& root, const char* pointer) {
  return root.at_pointer(pointer).get_object();
}

TEST(GrammarSchemaIndex, finds_resources_and_anchors_each_in_their_own) {
  const json::JsonValue root = parse_or_die(R"({"$id":"http://a/root","$anchor":"top","$defs":{
      "x":{"$id":"x","$anchor":"here","$defs":{"y":{"$anchor":"deep"}}},
      "z":{"$anchor":"here","items":{}}, "w":{"$id":"http://b/w#frag"}}})");
  const SchemaIndex index(root);
  const json::JsonObject& outer = at(root, "/$defs/z/items");
  const json::JsonObject& inner = at(root, "/$defs/x/$defs/y");
  EXPECT_EQ(index.resolve(outer, "#here"), &root.at_pointer("/$defs/z"));
  EXPECT_EQ(index.resolve(inner, "#here"), &root.at_pointer("/$defs/x"));
  EXPECT_EQ(index.resolve(outer, "x#deep"), &root.at_pointer("/$defs/x/$defs/y"));
  EXPECT_EQ(index.resolve(outer, "#deep"), nullptr);
  EXPECT_EQ(index.resolve(inner, "root#top"), &root);
  EXPECT_EQ(index.resolve(outer, "http://a/x#/$defs/y"), &root.at_pointer("/$defs/x/$defs/y"));
  EXPECT_EQ(index.resolve(outer, "http://c/other"), nullptr);
}

TEST(GrammarSchemaIndex, knows_names_of_older_drafts) {
  const json::JsonValue root = parse_or_die(R"({"$schema":"http://json-schema.org/draft-07/schema#",
      "definitions":{"a":{"$id":"#name"},"b":{"$id":"http://x/b","definitions":{"c":{"$id":"#name"}}}}})");
  const SchemaIndex index(root);
  EXPECT_TRUE(index.is_legacy());
  EXPECT_EQ(index.resolve(root.get_object(), "#name"), &root.at_pointer("/definitions/a"));
  EXPECT_EQ(index.resolve(root.get_object(), "http://x/b#name"),
            &root.at_pointer("/definitions/b/definitions/c"));
}

}  // namespace
}  // namespace parley::inference::grammar
