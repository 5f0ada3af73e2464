// Arguments that are not JSON: which texts a schema admits, and what is said to be left open.

#include "inference/grammar/notation.h"

#include <gtest/gtest.h>

#include "inference/grammar/literal_notation.h"
#include "inference/grammar/tagged_notation.h"
#include "tests/inference/grammar/grammar_testing.h"

namespace parley::inference::grammar {
namespace {

const SmallVocabulary& tag_vocabulary() {
  static const SmallVocabulary vocabulary;
  return vocabulary;
}

ArgumentTags coder_tags() {
  return {.open = "<parameter=",
          .name_end = ">",
          .value_close = "</parameter>",
          .in_newlines = true,
          .ends = {{"</parameter>", "<parameter="}, {"</parameter>", "</function>"}}};
}

ArgumentTags pair_tags() {
  return {.open = "<arg_key>",
          .name_end = "</arg_key>",
          .value_open = "<arg_value>",
          .value_close = "</arg_value>",
          .ends = {{"</arg_value>", "<arg_key>"}, {"</arg_value>", "</tool_call>"}}};
}

ArgumentTags typed_tags() {
  return {
      .open = "<parameter name=\"", .name_end = "\"", .value_close = "</parameter>", .tells_strings = true};
}

enum class Form { coder, pairs, typed, python, bare };

class NotationTest : public testing::Test {
 protected:
  void compile(Form form, std::string_view schema) {
    GrammarBuilder builder(4);
    const auto notation = make(form, builder);
    SchemaOptions options{.root = SchemaRoot::object, .other_members = OtherMembers::forbidden_at_top};
    options.notation = notation.get();
    const json::JsonValue value = parse_or_die(schema);
    unchecked_.clear();
    SchemaBudget budget(options);
    const auto node = add_schema(builder, value, options, unchecked_, budget);
    ASSERT_TRUE(std::holds_alternative<NodeId>(node));
    grammar_ = builder.finish(std::get<NodeId>(node));
  }
  bool admits(std::string_view text) const { return grammar_ != nullptr && accepts(grammar_, text); }
  std::vector<std::string> open_keywords() const {
    std::vector<std::string> keywords;
    for (const UncheckedKeyword& one : unchecked_) keywords.push_back(one.keyword);
    return keywords;
  }

 private:
  static std::unique_ptr<Notation> make(Form form, GrammarBuilder& builder) {
    const VocabularyIndex& vocabulary = *tag_vocabulary().index();
    if (form == Form::python) return make_python_notation(builder);
    if (form == Form::bare) return make_bare_key_notation("<q>", builder, vocabulary);
    const ArgumentTags tags = form == Form::coder   ? coder_tags()
                              : form == Form::pairs ? pair_tags()
                                                    : typed_tags();
    return make_tagged_notation(tags, builder, vocabulary);
  }

  std::shared_ptr<const Grammar> grammar_;
  std::vector<UncheckedKeyword> unchecked_;
};

constexpr const char* kWeather =
    R"({"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer","maximum":9},
        "fine":{"type":["boolean","null"]},"places":{"type":"array","items":{"type":"string"}},
        "unit":{"enum":["C","F"]},"more":{"type":"object","properties":{"a":{"type":"number"}}}},
        "required":["city"]})";

TEST_F(NotationTest, TagsHoldStringsAsTheyAreAndOtherValuesAsJson) {
  compile(Form::coder, kWeather);
  EXPECT_TRUE(admits("<parameter=city>\nParis \"Sud\"\n\n</parameter>\n"));
  EXPECT_TRUE(admits("<parameter=days>\n3\n</parameter>\n<parameter=city>\n</parameter> x\n</parameter>"));
  EXPECT_TRUE(admits("<parameter=city>\n\n</parameter><parameter=fine>\nnull\n</parameter>"));
  EXPECT_TRUE(admits("<parameter=city>\nx\n</parameter><parameter=places>\n[\"a\", \"b\"]\n</parameter>"));
  EXPECT_TRUE(admits("<parameter=city>\nx\n</parameter><parameter=more>\n{\"a\": 1.5}\n</parameter>"));
  EXPECT_TRUE(admits("<parameter=unit>\nF\n</parameter><parameter=city>\nx\n</parameter>"));
  EXPECT_TRUE(open_keywords().empty());
}

TEST_F(NotationTest, TagsAreHeldToTheSchema) {
  compile(Form::coder, kWeather);
  EXPECT_FALSE(admits("")) << "city is required";
  EXPECT_FALSE(admits("<parameter=days>\n3\n</parameter>"));
  EXPECT_FALSE(admits("<parameter=city>\nx\n</parameter><parameter=city>\ny\n</parameter>")) << "twice";
  EXPECT_FALSE(admits("<parameter=city>\nx\n</parameter><parameter=town>\ny\n</parameter>"));
  EXPECT_FALSE(admits("<parameter=city>\nx\n</parameter><parameter=days>\nthree\n</parameter>"));
  EXPECT_FALSE(admits("<parameter=city>\nx\n</parameter><parameter=days>\n10\n</parameter>"));
  EXPECT_FALSE(admits("<parameter=city>\nx\n</parameter><parameter=unit>\nK\n</parameter>"));
  EXPECT_FALSE(admits("<parameter=city>\nx\n</parameter><parameter=places>\n[1]\n</parameter>"));
  EXPECT_FALSE(admits("<parameter=city>\nx</parameter>")) << "without its newline";
}

TEST_F(NotationTest, TagsInPairsTakeWhiteSpaceBetweenThem) {
  compile(Form::pairs, kWeather);
  EXPECT_TRUE(
      admits("<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n<arg_key>days</arg_key><arg_value>3</"
             "arg_value>"));
  EXPECT_FALSE(admits("<arg_key>city</arg_key>x<arg_value>Oslo</arg_value>"));
  EXPECT_FALSE(
      admits("<arg_key>city</arg_key><arg_value>Oslo</arg_value><arg_key>city</arg_key><arg_value>Oslo</"
             "arg_value>"));
}

TEST_F(NotationTest, TagsThatTellStringsTellThem) {
  compile(Form::typed, R"({"properties":{"a":{"type":["string","integer"]},"b":{"type":"string"},"c":{}}})");
  EXPECT_TRUE(admits("<parameter name=\"a\" string=\"true\">5</parameter>"));
  EXPECT_TRUE(admits("<parameter name=\"a\" string=\"false\">5</parameter>"));
  EXPECT_FALSE(admits("<parameter name=\"a\" string=\"false\">x</parameter>"));
  EXPECT_FALSE(admits("<parameter name=\"b\" string=\"false\">\"x\"</parameter>"));
  EXPECT_TRUE(admits("<parameter name=\"c\" string=\"false\">{\"x\": [1]}</parameter>"));
  EXPECT_TRUE(admits("<parameter name=\"c\" string=\"true\">{</parameter>"));
  EXPECT_TRUE(open_keywords().empty());
}

TEST_F(NotationTest, WhatIsToldByItsLooksIsReportedWhereThatMatters) {
  compile(Form::coder, R"({"properties":{"a":{"type":["string","null"]}}})");
  EXPECT_TRUE(admits("<parameter=a>\nanything\n</parameter>"));
  EXPECT_TRUE(open_keywords().empty()) << "any text is a valid one";
  compile(Form::coder, R"({"properties":{"a":{"type":["string","integer"],"minimum":3}}})");
  EXPECT_EQ(open_keywords(), std::vector<std::string>{"type"});
  compile(
      Form::coder,
      R"({"properties":{"a":{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"integer"}}]}}})");
  EXPECT_EQ(open_keywords(), std::vector<std::string>{"type"});
  compile(Form::coder, R"({"properties":{"a":{"enum":["x","1",2]}}})");
  EXPECT_TRUE(admits("<parameter=a>\nx\n</parameter>"));
  EXPECT_TRUE(admits("<parameter=a>\n2\n</parameter>"));
  EXPECT_FALSE(admits("<parameter=a>\n1\n</parameter>")) << "it would be the number";
  EXPECT_EQ(open_keywords(), std::vector<std::string>{"enum"});
}

TEST_F(NotationTest, UnnamedArgumentsMayHaveAnyPlainName) {
  compile(Form::coder, R"({"properties":{"a":{"type":"integer"}},"additionalProperties":true})");
  EXPECT_TRUE(admits("<parameter=b>\nanything\n</parameter><parameter=a>\n1\n</parameter>"));
  EXPECT_FALSE(admits("<parameter=a>\nx\n</parameter>")) << "the named one has a type";
}

TEST_F(NotationTest, ANameThatCannotBeWrittenIsLeftOutAndReported) {
  compile(Form::coder, R"({"properties":{"a>b":{},"c":{}}})");
  EXPECT_EQ(open_keywords(), std::vector<std::string>{kUnwritableName});
  EXPECT_TRUE(admits("<parameter=c>\nx\n</parameter>"));
  compile(Form::coder, R"({"properties":{"a>b":{}},"required":["a>b"]})");
  EXPECT_FALSE(admits("")) << "nothing can be written";
}

TEST_F(NotationTest, PythonsLiteralsAreWrittenInTheirWaysAndInJsons) {
  compile(Form::python, kWeather);
  for (const char* text :
       {"city='Paris'", "city=\"Paris\", days=3", "days=3,city='it\\'s \"so\"'", "city='x', fine=None",
        "city='x', fine=True", "city='x', fine=null", "city='x', places=['a', \"b\"]",
        "city='x', more={'a': 1.5}", "city='x', more={\"a\": 1}", "city='x', unit='C'",
        "city='x', unit=\"F\"", "city='', more={'b': [None, {'c': 'd'}]}"}) {
    EXPECT_TRUE(admits(text)) << text;
  }
  for (const char* text :
       {"", "days=3", "city=Paris", "city='x', days='3'", "city='x', city='y'", "city='x', town='y'",
        "city='x', unit='K'", "city='x', more={'a': 'b'}", "city='x', more={\"a\": \"b\"}",
        "city='x', more={'a': 1, \"a\": 2}", "city='it's'", "city='a\nb'", "city='x',"}) {
    EXPECT_FALSE(admits(text)) << text;
  }
  EXPECT_TRUE(open_keywords().empty());
}

TEST_F(NotationTest, PythonsStringsWithLimitsAreInDoubleQuotes) {
  compile(Form::python, R"({"properties":{"a":{"type":"string","maxLength":2},"a b":{}}})");
  EXPECT_TRUE(admits("a=\"xy\""));
  EXPECT_FALSE(admits("a=\"xyz\""));
  EXPECT_FALSE(admits("a='x'")) << "of those no length is counted";
  EXPECT_EQ(open_keywords(), std::vector<std::string>{kUnwritableName});
}

TEST_F(NotationTest, BareKeysHaveMarkedStrings) {
  compile(Form::bare, kWeather);
  for (const char* text : {"city:<q>Paris \"Sud\", {x}<q>", "days:3,city:<q><q>", "city:<q>x<q>,fine:null",
                           "city:<q>x<q>,places:[<q>a<q>,<q>b<q>]", "city:<q>x<q>,more:{a:1.5}",
                           "city:<q>x<q>,more:{b:{c:[true,null,<q>d<q>]}}", "city:<q>x<q>, unit: <q>F<q>"}) {
    EXPECT_TRUE(admits(text)) << text;
  }
  for (const char* text :
       {"", "days:3", "city:Paris", "city:\"x\"", "city:<q>x<q>,days:<q>3<q>", "city:<q>x<q>,town:1",
        "city:<q>x<q>,unit:<q>K<q>", "city:<q>x<q>,more:{a:<q>b<q>}", "city:<q>x<q>,city:<q>y<q>"}) {
    EXPECT_FALSE(admits(text)) << text;
  }
  compile(Form::bare, R"({"properties":{"a b":{"type":"integer"},"c":{"enum":["x<q>","y"]}}})");
  EXPECT_TRUE(admits("\"a b\":1"));
  EXPECT_FALSE(admits("a b:1"));
  EXPECT_TRUE(admits("c:<q>y<q>"));
  EXPECT_EQ(open_keywords(), std::vector<std::string>{"enum"});
}

// More than 64 arguments come in the order of the schema, in each form.
TEST_F(NotationTest, ManyArgumentsComeInOrder) {
  std::string schema = R"({"required":["a70"],"properties":{)";
  for (int i = 10; i < 90; ++i)
    schema += (i > 10 ? ",\"a" : "\"a") + std::to_string(i) + R"(":{"type":"integer"})";
  schema += "}}";
  const auto written = [](Form form, const char* name) -> std::string {
    if (form == Form::coder) return std::string("<parameter=") + name + ">\n1\n</parameter>";
    if (form == Form::pairs) return std::string("<arg_key>") + name + "</arg_key> <arg_value>1</arg_value>";
    if (form == Form::python) return std::string(name) + "=1";
    return std::string(name) + ":1";
  };
  for (const Form form : {Form::coder, Form::pairs, Form::python, Form::bare}) {
    SCOPED_TRACE(static_cast<int>(form));
    compile(form, schema);
    const std::string comma = form == Form::coder || form == Form::pairs ? "\n" : ", ";
    const auto text = [&](const std::vector<const char*>& names) {
      std::string out;
      for (const char* name : names) out += (out.empty() ? "" : comma) + written(form, name);
      return out;
    };
    EXPECT_TRUE(admits(text({"a70"})));
    EXPECT_TRUE(admits(text({"a10", "a69", "a70", "a89"})));
    EXPECT_FALSE(admits(text({"a10", "a71"}))) << "a70 is required";
    EXPECT_FALSE(admits(text({"a10"})));
    EXPECT_FALSE(admits(text({"a20", "a19", "a70"})));
    EXPECT_FALSE(admits(text({"a70", "a70"})));
    EXPECT_FALSE(admits(text({"a70", "a90"})));
  }
}

TEST_F(NotationTest, ReferencesAndAlternativesAreFollowed) {
  constexpr const char* kSchema =
      R"({"$defs":{"n":{"type":"integer"}},"properties":{"a":{"$ref":"#/$defs/n"},
          "b":{"anyOf":[{"type":"boolean"},{"$ref":"#/$defs/n"}]}}})";
  compile(Form::coder, kSchema);
  EXPECT_TRUE(admits("<parameter=a>\n5\n</parameter><parameter=b>\ntrue\n</parameter>"));
  EXPECT_FALSE(admits("<parameter=a>\nx\n</parameter>"));
  EXPECT_FALSE(admits("<parameter=b>\nx\n</parameter>"));
  compile(Form::python, kSchema);
  EXPECT_TRUE(admits("a=5, b=True"));
  EXPECT_FALSE(admits("b='True'"));
}

}  // namespace
}  // namespace parley::inference::grammar
