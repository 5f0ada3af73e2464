#include "inference/grammar/schema_grammar.h"

#include <gtest/gtest.h>

#include "tests/inference/grammar/grammar_testing.h"

namespace parley::inference::grammar {
namespace {

TEST(SchemaGrammar, types_admit_their_values_only) {
  EXPECT_TRUE(schema_accepts(R"({"type":"null"})", "null"));
  EXPECT_FALSE(schema_accepts(R"({"type":"null"})", "0"));
  EXPECT_TRUE(schema_accepts(R"({"type":"boolean"})", "true"));
  EXPECT_FALSE(schema_accepts(R"({"type":"boolean"})", "\"true\""));
  EXPECT_TRUE(schema_accepts(R"({"type":"integer"})", "-12"));
  EXPECT_FALSE(schema_accepts(R"({"type":"integer"})", "1.5"));
  EXPECT_TRUE(schema_accepts(R"({"type":"number"})", "1.5e-7"));
  EXPECT_FALSE(schema_accepts(R"({"type":"number"})", "01"));
  EXPECT_FALSE(schema_accepts(R"({"type":"number"})", "1."));
  EXPECT_TRUE(schema_accepts(R"({"type":["string","null"]})", "null"));
  EXPECT_TRUE(schema_accepts(R"({"type":["string","null"]})", "\"\""));
  EXPECT_FALSE(schema_accepts(R"({"type":["string","null"]})", "1"));
  EXPECT_TRUE(schema_accepts(R"({"type":"string","nullable":true})", "null"));
}

TEST(SchemaGrammar, keywords_of_a_type_leave_other_types_alone) {
  for (const char* text : {"1", "\"x\"", "null", "true", "[1]", "{}", R"({"foo":1})"}) {
    EXPECT_TRUE(
        schema_accepts(R"({"properties":{"foo":{"type":"integer"}},"minLength":1,"maximum":5})", text))
        << text;
  }
  EXPECT_FALSE(schema_accepts(R"({"properties":{"foo":{"type":"integer"}}})", R"({"foo":"x"})"));
  EXPECT_FALSE(schema_accepts(R"({"minLength":1})", "\"\""));
  EXPECT_FALSE(schema_accepts(R"({"maximum":5})", "6"));
}

TEST(SchemaGrammar, members_come_in_any_order_once_and_the_required_ones_must) {
  const char* schema = R"({"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"string"},
                           "c":{"type":"boolean"}},"required":["a","c"],"additionalProperties":false})";
  EXPECT_TRUE(schema_accepts(schema, R"({"a":1,"b":"x","c":true})"));
  EXPECT_TRUE(schema_accepts(schema, R"({"c":true,"b":"x","a":1})"));
  EXPECT_TRUE(schema_accepts(schema, R"({"c":true,"a":1})"));
  EXPECT_FALSE(schema_accepts(schema, R"({"a":1})"));
  EXPECT_FALSE(schema_accepts(schema, R"({"a":1,"a":2,"c":true})"));
  EXPECT_FALSE(schema_accepts(schema, R"({"a":1,"c":true,"d":1})"));
  EXPECT_FALSE(schema_accepts(schema, R"({"a":1,"c":true,})"));
}

TEST(SchemaGrammar, white_space_is_bounded) {
  const char* schema =
      R"({"type":"object","properties":{"a":{"type":"array"}},"additionalProperties":false})";
  EXPECT_TRUE(schema_accepts(schema, "{\n  \"a\" : [ 1 ,\t2\r\n]\n}"));
  EXPECT_TRUE(schema_accepts(schema, "{" + std::string(16, ' ') + "\"a\":[]}"));
  EXPECT_FALSE(schema_accepts(schema, "{" + std::string(17, ' ') + "\"a\":[]}"));
  EXPECT_FALSE(schema_accepts(schema, " {}"));
}

TEST(SchemaGrammar, undeclared_members_are_whatever_is_said_about_them) {
  EXPECT_TRUE(schema_accepts(R"({"type":"object"})", R"({"x":[1,{"y":null}]})"));
  const char* counts = R"({"type":"object","properties":{"name":{"type":"string"}},
                           "additionalProperties":{"type":"integer"}})";
  EXPECT_TRUE(schema_accepts(counts, R"({"name":"x","nam":1,"names":2,"":3})"));
  EXPECT_FALSE(schema_accepts(counts, R"({"name":1})"));
  EXPECT_FALSE(schema_accepts(counts, R"({"n\u0061me":1})"));
  EXPECT_FALSE(schema_accepts(counts, R"({"other":"x"})"));
}

TEST(SchemaGrammar, a_tool_gets_no_arguments_that_it_does_not_name) {
  const SchemaOptions tool{.root = SchemaRoot::object, .other_members = OtherMembers::forbidden_at_top};
  const auto grammar = [&](const char* schema) { return compile_or_die(schema, tool).grammar; };
  EXPECT_FALSE(accepts(grammar(R"({"properties":{"a":{}}})"), R"({"b":1})"));
  EXPECT_TRUE(accepts(grammar(R"({"properties":{"a":{}}})"), R"({"a":{"b":1}})"));
  EXPECT_FALSE(accepts(grammar(R"({"properties":{"a":{}}})"), "1"));
  EXPECT_TRUE(accepts(grammar("{}"), "{}"));
  EXPECT_FALSE(accepts(grammar("{}"), R"({"b":1})"));
  EXPECT_TRUE(accepts(grammar(R"({"additionalProperties":true})"), R"({"b":1})"));
}

TEST(SchemaGrammar, more_than_64_members_come_in_order) {
  std::string schema = R"({"type":"object","additionalProperties":false,"required":["k3"],"properties":{)";
  for (int i = 0; i < 70; ++i)
    schema += (i > 0 ? ",\"k" : "\"k") + std::to_string(i) + "\":{\"type\":\"integer\"}";
  schema += "}}";
  EXPECT_TRUE(schema_accepts(schema, R"({"k1":1,"k3":1,"k69":1})"));
  EXPECT_TRUE(schema_accepts(schema, R"({"k3":1})"));
  EXPECT_FALSE(schema_accepts(schema, R"({"k4":1,"k3":1})"));
  EXPECT_FALSE(schema_accepts(schema, R"({"k1":1})"));
  EXPECT_FALSE(schema_accepts(schema, R"({"k3":1,"k3":1})"));
}

TEST(SchemaGrammar, numbers_of_members_are_limited) {
  const char* schema = R"({"type":"object","properties":{"a":{},"b":{},"c":{}},"required":["c"],
                           "minProperties":2,"maxProperties":2,"additionalProperties":false})";
  EXPECT_TRUE(schema_accepts(schema, R"({"a":1,"c":1})"));
  EXPECT_FALSE(schema_accepts(schema, R"({"c":1})"));
  EXPECT_FALSE(schema_accepts(schema, R"({"a":1,"b":1})"));
  EXPECT_FALSE(schema_accepts(schema, R"({"a":1,"b":1,"c":1})"));
}

TEST(SchemaGrammar, arrays_have_lengths_and_first_elements) {
  const char* schema = R"({"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],
                           "items":{"type":"boolean"},"minItems":1,"maxItems":3})";
  EXPECT_TRUE(schema_accepts(schema, R"(["x"])"));
  EXPECT_TRUE(schema_accepts(schema, R"(["x",1,true])"));
  EXPECT_FALSE(schema_accepts(schema, "[]"));
  EXPECT_FALSE(schema_accepts(schema, R"(["x",1,1])"));
  EXPECT_FALSE(schema_accepts(schema, R"(["x",1,true,true])"));
  EXPECT_FALSE(schema_accepts(schema, R"(["x",])"));
  EXPECT_TRUE(schema_accepts(R"({"items":[{"type":"null"}],"additionalItems":false})", "[null]"));
  EXPECT_FALSE(schema_accepts(R"({"items":[{"type":"null"}],"additionalItems":false})", "[null,1]"));
  EXPECT_TRUE(schema_accepts(R"({"items":false})", "[]"));
  EXPECT_FALSE(schema_accepts(R"({"items":false})", "[1]"));
}

TEST(SchemaGrammar, strings_count_characters_however_they_are_written) {
  const char* schema = R"({"type":"string","minLength":2,"maxLength":3})";
  EXPECT_FALSE(schema_accepts(schema, "\"a\""));
  EXPECT_TRUE(schema_accepts(schema, "\"aé\""));
  EXPECT_TRUE(schema_accepts(schema, R"("\u00e9\n")"));
  EXPECT_TRUE(schema_accepts(schema, "\"😀😀😀\""));
  EXPECT_TRUE(schema_accepts(schema, R"("\ud83d\ude00😀😀")"));
  EXPECT_FALSE(schema_accepts(schema, "\"😀😀😀a\""));
  EXPECT_FALSE(schema_accepts(schema, R"("\ud83d")"));
}

TEST(SchemaGrammar, all_legal_escapes_and_no_others) {
  EXPECT_TRUE(schema_accepts(R"({"type":"string"})", R"("\"\\\/\b\f\n\r\t\u0041\uFFFF")"));
  EXPECT_FALSE(schema_accepts(R"({"type":"string"})", R"("\x")"));
  EXPECT_FALSE(schema_accepts(R"({"type":"string"})", "\"\n\""));
  EXPECT_FALSE(schema_accepts(R"({"type":"string"})", R"("\ude00\ud83d")"));
  EXPECT_FALSE(schema_accepts(R"({"type":"string"})", "\"\xC0\x80\""));
  EXPECT_FALSE(schema_accepts(R"({"type":"string"})", "\"\xED\xA0\x80\""));
}

TEST(SchemaGrammar, patterns_search_in_what_the_string_means) {
  EXPECT_TRUE(schema_accepts(R"({"type":"string","pattern":"b+"})", "\"abbc\""));
  EXPECT_FALSE(schema_accepts(R"({"type":"string","pattern":"^b+"})", "\"abbc\""));
  EXPECT_TRUE(schema_accepts(R"({"type":"string","pattern":"^a\nb$"})", R"("a\nb")"));
  EXPECT_TRUE(schema_accepts(R"({"type":"string","pattern":"^é$"})", R"("\u00e9")"));
  EXPECT_TRUE(schema_accepts(R"({"type":"string","pattern":"^[^\"]$"})", "\"😀\""));
  EXPECT_FALSE(schema_accepts(R"({"type":"string","pattern":"^[^\"]$"})", R"("\"")"));
  EXPECT_TRUE(schema_accepts(R"({"type":"string","pattern":"^a*$","minLength":2,"maxLength":3})", "\"aaa\""));
  EXPECT_FALSE(
      schema_accepts(R"({"type":"string","pattern":"^a*$","minLength":2,"maxLength":3})", "\"aaaa\""));
  EXPECT_NE(error_of(R"({"type":"string","pattern":"^a{5}$","maxLength":3})"), "");
}

TEST(SchemaGrammar, formats) {
  const auto format = [](const char* name, const char* text) {
    return schema_accepts(std::string(R"({"type":"string","format":")") + name + "\"}",
                          "\"" + std::string(text) + "\"");
  };
  EXPECT_TRUE(format("date", "2024-02-29"));
  EXPECT_FALSE(format("date", "2023-02-29"));
  EXPECT_FALSE(format("date", "1900-02-29"));
  EXPECT_FALSE(format("date", "2023-04-31"));
  EXPECT_TRUE(format("time", "23:59:59.25Z"));
  EXPECT_FALSE(format("time", "24:00:00Z"));
  EXPECT_TRUE(format("date-time", "2024-01-31T01:02:03+05:30"));
  EXPECT_FALSE(format("date-time", "2024-01-31 01:02:03"));
  EXPECT_TRUE(format("uuid", "123e4567-E89b-12d3-a456-426614174000"));
  EXPECT_FALSE(format("uuid", "123e4567e89b12d3a456426614174000"));
  EXPECT_TRUE(format("email", "jane.doe+tag@example.co.uk"));
  EXPECT_FALSE(format("email", "jane.doe@@example"));
  EXPECT_TRUE(format("ipv4", "192.168.0.255"));
  EXPECT_FALSE(format("ipv4", "192.168.0.256"));
  EXPECT_FALSE(format("ipv4", "192.168.00.1"));
  for (const char* good :
       {"::", "::1", "1::", "2001:db8::8:800:200c:417a", "::ffff:1.2.3.4", "1:2:3:4:5:6:7:8"}) {
    EXPECT_TRUE(format("ipv6", good)) << good;
  }
  for (const char* bad : {"", ":", "1:2:3:4:5:6:7", "1::2::3", "1:2:3:4:5:6:7:8:9", "12345::", "::1.2.3"}) {
    EXPECT_FALSE(format("ipv6", bad)) << bad;
  }
  EXPECT_TRUE(format("uri", "https://user@example.com:8080/a/b?q=1#f"));
  EXPECT_TRUE(format("uri", "urn:isbn:0451450523"));
  EXPECT_FALSE(format("uri", "/relative/path"));
  EXPECT_FALSE(format("uri", "http:// space"));
}

TEST(SchemaGrammar, enum_and_const_are_any_value_within_the_other_limits) {
  EXPECT_TRUE(schema_accepts(R"({"enum":["a",1,null,{"x":[1,2]}]})", R"({"x":[1,2]})"));
  EXPECT_FALSE(schema_accepts(R"({"enum":["a",1]})", "2"));
  EXPECT_FALSE(schema_accepts(R"({"enum":["a",1],"type":"string"})", "1"));
  EXPECT_FALSE(schema_accepts(R"({"enum":["a","bbb"],"maxLength":2})", "\"bbb\""));
  EXPECT_FALSE(schema_accepts(R"({"enum":[1,7],"maximum":5})", "7"));
  EXPECT_TRUE(schema_accepts(R"({"const":1.0})", "1"));
  EXPECT_TRUE(schema_accepts(R"({"const":{"a":1,"b":2}})", R"({"b":2,"a":1})"));
  EXPECT_FALSE(schema_accepts(R"({"const":{"a":1,"b":2}})", R"({"a":1})"));
  EXPECT_TRUE(schema_accepts(R"({"allOf":[{"enum":[1,2,3]},{"enum":[2,3,4]},{"const":3}]})", "3"));
  EXPECT_FALSE(schema_accepts(R"({"allOf":[{"enum":[1,2,3]},{"enum":[2,3,4]}]})", "1"));
}

TEST(SchemaGrammar, values_of_several_enums_are_compared_as_json_schema_does) {
  const auto both = [](const char* a, const char* b) {
    return std::string(R"({"allOf":[{"enum":[)") + a + "]},{\"enum\":[" + b + "]}]}";
  };
  EXPECT_TRUE(schema_accepts(both("1", "1.0"), "1"));
  EXPECT_TRUE(schema_accepts(both("1.0", "1e0,7"), "1"));
  EXPECT_TRUE(schema_accepts(both("0", "-0.0"), "0"));
  EXPECT_TRUE(schema_accepts(both("1.5", "15e-1"), "1.5"));
  EXPECT_TRUE(schema_accepts(both(R"({"a":1,"b":[2]})", R"({"b":[2.0],"a":1.0})"), R"({"b":[2],"a":1})"));
  EXPECT_TRUE(schema_accepts(both("18446744073709551615", "18446744073709551615,1"), "18446744073709551615"));
  for (const auto& [a, b] :
       {std::pair("1", "\"1\""), std::pair("1", "true"), std::pair("null", "\"null\""),
        std::pair("[1,2]", "[12]"), std::pair("[[1],2]", "[[1,2]]"),
        std::pair(R"({"a":1})", R"({"a":1,"b":1})"), std::pair(R"({"a":1})", R"(["a",1])"),
        std::pair(R"(["a,b"])", R"(["a","b"])"), std::pair("9007199254740993", "9007199254740992")}) {
    EXPECT_NE(error_of(both(a, b)), "") << a << " and " << b;
  }
}

// Each value of one with each of the other would be 81 million comparisons.
TEST(SchemaGrammar, enums_of_thousands_of_values_are_compared_in_time) {
  std::string list = "0";
  for (int i = 1; i < 9000; ++i) list += "," + std::to_string(i);
  const std::string schema = R"({"allOf":[{"enum":[)" + list + R"(]},{"enum":[-1,)" + list + "]}]}";
  EXPECT_EQ(error_of(schema, {.max_time = std::chrono::seconds(60)}), "");
  EXPECT_TRUE(schema_accepts(schema, "8999"));
  EXPECT_FALSE(schema_accepts(schema, "-1"));
  EXPECT_NE(error_of(schema, {.max_time = std::chrono::milliseconds(0)}).find("0 ms"), std::string::npos);
}

TEST(SchemaGrammar, names_and_constants_are_in_their_shortest_spelling) {
  for (const char* schema :
       {R"({"enum":["x","a\tb\r\f\b\n\u0001/\u007f"]})", R"({"const":"a\tb\r\f\b\n\u0001/\u007f"})"}) {
    EXPECT_TRUE(schema_accepts(schema, "\"a\\tb\\r\\f\\b\\n\\u0001/\x7F\"")) << schema;
    EXPECT_FALSE(schema_accepts(schema, R"("a\u0009b\r\f\b\n\u0001/\u007f")")) << schema;
  }
  EXPECT_TRUE(schema_accepts(R"({"const":[{"a\tb":"\r"}]})", R"([{"a\tb":"\r"}])"));
  const char* schema =
      R"({"type":"object","properties":{"a\tb":{"type":"integer"}},"required":["a\tb","\r"]})";
  EXPECT_TRUE(schema_accepts(schema, R"({"a\tb":1,"\r":2})"));
  EXPECT_FALSE(schema_accepts(schema, R"({"a\tb":1,"\r":2,"a\tb":3})"));
  EXPECT_FALSE(schema_accepts(schema, R"({"a\tb":"x","\r":2})"));
}

TEST(SchemaGrammar, combinations) {
  EXPECT_TRUE(schema_accepts(R"({"anyOf":[{"type":"string"},{"type":"integer"}]})", "1"));
  EXPECT_FALSE(schema_accepts(R"({"anyOf":[{"type":"string"},{"type":"integer"}]})", "null"));
  const char* either = R"({"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},
                           "anyOf":[{"required":["a"]},{"required":["b"]}],"additionalProperties":false})";
  EXPECT_TRUE(schema_accepts(either, R"({"b":1})"));
  EXPECT_TRUE(schema_accepts(either, R"({"b":1,"a":2})"));
  EXPECT_FALSE(schema_accepts(either, "{}"));
  const char* both = R"({"allOf":[{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]},
                         {"properties":{"a":{"minimum":3},"b":{"type":"null"}},"additionalProperties":false}]})";
  EXPECT_TRUE(schema_accepts(both, R"({"a":3})"));
  EXPECT_FALSE(schema_accepts(both, R"({"a":2})"));
  EXPECT_FALSE(schema_accepts(both, R"({"a":3,"c":1})"));
}

TEST(SchemaGrammar, references_lead_anywhere_in_the_document_and_may_recurse) {
  const char* tree = R"({"$ref":"#/$defs/node","$defs":{"node":{"type":"object","properties":{
      "value":{"type":"integer"},"children":{"type":"array","items":{"$ref":"#/$defs/node"}}},
      "required":["value"],"additionalProperties":false}}})";
  EXPECT_TRUE(schema_accepts(tree, R"({"value":1,"children":[{"value":2},{"children":[],"value":3}]})"));
  EXPECT_FALSE(schema_accepts(tree, R"({"value":1,"children":[{"children":[]}]})"));
  const char* named = R"({"$id":"http://example.com/root.json","properties":{"a":{"$ref":"item.json"},
      "b":{"$ref":"#here"}},"$defs":{"i":{"$id":"item.json","type":"integer"},"h":{"$anchor":"here","type":"null"}}})";
  EXPECT_TRUE(schema_accepts(named, R"({"a":1,"b":null})"));
  EXPECT_FALSE(schema_accepts(named, R"({"a":null})"));
  EXPECT_FALSE(schema_accepts(named, R"({"b":1})"));
  const char* old =
      R"({"$schema":"http://json-schema.org/draft-07/schema#","definitions":{"a~b/c%":{"type":"null"}},
      "properties":{"x":{"$ref":"#/definitions/a~0b~1c%25","type":"string"}}})";
  EXPECT_TRUE(schema_accepts(old, R"({"x":null})"));
  EXPECT_TRUE(schema_accepts(R"({"anyOf":[{"$ref":"#"},{"type":"integer"}]})", "1"));
}

TEST(SchemaGrammar, what_can_never_be_completed_is_never_begun) {
  const char* endless = R"({"type":"object","properties":{"next":{"$ref":"#"},"x":{"type":"integer"}},
                            "required":["next"]})";
  EXPECT_NE(error_of(endless), "");
  const char* optional =
      R"({"type":"object","additionalProperties":false,"properties":{"x":{"type":"integer"},
      "bad":{"type":"object","required":["bad"],"properties":{"bad":{"$ref":"#/properties/bad"}}}}})";
  EXPECT_TRUE(schema_accepts(optional, R"({"x":1})"));
  GrammarMachine machine(compile_or_die(optional).grammar);
  auto state = machine.start();
  for (const char byte : std::string("{\"")) state = machine.next(state, static_cast<std::uint8_t>(byte));
  EXPECT_EQ(machine.next(state, 'b'), GrammarMachine::kDead);
  EXPECT_NE(error_of("false"), "");
  EXPECT_NE(error_of(R"({"type":"integer","minimum":3,"maximum":2})"), "");
  EXPECT_NE(error_of(R"({"type":"array","minItems":2,"items":false})"), "");
}

TEST(SchemaGrammar, what_is_not_enforced_is_reported_and_the_rest_holds) {
  const SchemaGrammar made = compile_or_die(
      R"({"type":"object","properties":{"a/b":{"type":"string","pattern":"^(?=x)y"},"n":{"multipleOf":3},
          "u":{"type":"array","uniqueItems":true}},"not":{"required":["n"]},"additionalProperties":false})");
  std::vector<std::string> found;
  for (const UncheckedKeyword& unchecked : made.unchecked)
    found.push_back(unchecked.place + " " + unchecked.keyword);
  EXPECT_EQ(found, (std::vector<std::string>{"# not", "#/properties/a~1b pattern",
                                             "#/properties/n multipleOf", "#/properties/u uniqueItems"}));
  EXPECT_NE(made.unchecked[1].reason.find("lookahead"), std::string::npos);
  EXPECT_TRUE(accepts(made.grammar, R"({"a/b":"z"})"));
  EXPECT_FALSE(accepts(made.grammar, R"({"a/b":1})"));
  EXPECT_TRUE(
      compile_or_die(R"({"type":"string","minLength":1,"description":"x","default":1})").unchecked.empty());
}

TEST(SchemaGrammar, references_out_of_the_document_are_reported_never_followed) {
  const SchemaGrammar made = compile_or_die(R"({"properties":{"a":{"$ref":"https://example.com/x.json"}}})");
  ASSERT_EQ(made.unchecked.size(), 1u);
  EXPECT_EQ(made.unchecked[0].keyword, "$ref");
  EXPECT_EQ(made.unchecked[0].place, "#/properties/a");
}

TEST(SchemaGrammar, budgets_end_in_a_sentence) {
  std::string deep = "{}";
  for (int i = 0; i < 60; ++i) deep = R"({"properties":{"a":)" + deep + "}}";
  EXPECT_EQ(error_of(deep), "");
  for (int i = 0; i < 30; ++i) deep = R"({"type":"array","items":)" + deep + "}";
  EXPECT_EQ(error_of(deep), "");
  std::string wide = R"({"properties":{)";
  for (int i = 0; i < 300; ++i)
    wide += (i > 0 ? ",\"" : "\"") + std::to_string(i) + "\":{\"type\":\"object\"}";
  EXPECT_NE(error_of(wide + "}}", {.max_nodes = 200}).find("too large"), std::string::npos);
  EXPECT_NE(error_of(wide + "}}", {.max_time = std::chrono::milliseconds(-1)}).find("ms"), std::string::npos);
  EXPECT_NE(error_of("[]"), "");
}

TEST(SchemaGrammar, json_itself) {
  EXPECT_TRUE(accepts(json_object_grammar(), R"({"a":[1,"x",{"b":null}],"c":-0.5})"));
  EXPECT_FALSE(accepts(json_object_grammar(), "[]"));
  EXPECT_TRUE(accepts(json_value_grammar(), "[]"));
  EXPECT_FALSE(accepts(json_value_grammar(), "[1 2]"));
  const std::string nested(40, '[');
  EXPECT_TRUE(accepts(json_value_grammar(), nested + std::string(40, ']')));
  EXPECT_FALSE(accepts(json_value_grammar(), std::string(60, '[') + std::string(60, ']')));
}

TEST(SchemaGrammar, IsBoundedBeforeAnythingIsDoneWithIt) {
  std::string many = R"({"allOf": [{})";
  for (int i = 0; i < 20000; ++i) many += ",{}";
  EXPECT_NE(error_of(many + "]}").find("more than 20000 values"), std::string::npos);
  const std::string folder = R"("$id": "http://a/)" + std::string(5000, 'x') + R"(/")";
  EXPECT_EQ(error_of("{" + folder + "}"), "");
  EXPECT_NE(error_of("{" + folder + R"(, "items": {)" + folder + "}}").find("$id"), std::string::npos);
}

}  // namespace
}  // namespace parley::inference::grammar
